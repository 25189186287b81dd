#!/bin/sh
# Prints a folder with the English HTML pages and pictures of Debian's package debian-handbook, which
# `make bench-site` searches, and unpacks them into build/handbook if they are missing. The
# package comes from the mirror of this machine. Only the path goes to standard output.
set -eu

say() { echo "handbook.sh: $*" >&2; }

dir=$(cd "$(dirname "$0")/.." && pwd)/build/handbook
if [ ! -d "$dir/Common_Content" ]; then
	command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || {
		say "the pages come from Debian's package debian-handbook: run this on Debian or Ubuntu, or unpack the English HTML pages into $dir"
		exit 1
	}
	[ "$(id -u)" != 0 ] || apt-get update >&2 || say "the package lists could not be updated"
	mkdir -p "$(dirname "$dir")"
	work=$(mktemp -d "$dir.XXXXXX")
	trap 'rm -rf "$work"' EXIT
	(cd "$work" && apt-get download debian-handbook && dpkg-deb -x debian-handbook_*.deb root) >&2
	cp -RL "$work/root/usr/share/doc/debian-handbook/html/en-US" "$work/pages"
	rm -rf "$dir"
	mv "$work/pages" "$dir"
fi
echo "$dir"
