#!/bin/sh
# Prints the path of a site generator whose sites are indexed in tests, and installs it if it is
# missing. Only the path goes to standard output.
# usage: scripts/generator.sh hugo|jekyll|mkdocs
set -eu

say() { echo "generator.sh: $*" >&2; }

case ${1:-} in
hugo | jekyll | mkdocs) program=$1 ;;
*)
	say "usage: scripts/generator.sh hugo|jekyll|mkdocs"
	exit 1
	;;
esac

found() {
	if path=$(command -v "$program"); then echo "$path" && exit 0; fi
}

found
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
	say "installing $program"
	(apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$program") >&2
	found
fi
say "install $program (the package has this name in Debian)"
exit 1
