#!/bin/sh
# Prints the path of a browser in which the library is tested beside Chromium, and installs it
# if it is missing: Firefox itself, or the driver of WebKitGTK's browser. Only the path goes
# to standard output.
# usage: scripts/browser.sh firefox|webkit
set -eu

say() { echo "browser.sh: $*" >&2; }

case ${1:-} in
firefox) programs="firefox-esr firefox" packages=firefox-esr ;;
webkit) programs=WebKitWebDriver packages="webkit2gtk-driver xvfb xauth" ;;
*)
	say "usage: scripts/browser.sh firefox|webkit"
	exit 1
	;;
esac

found() {
	if [ "$1" = webkit ] && ! command -v xvfb-run >/dev/null; then return; fi
	for program in $programs; do
		if path=$(command -v "$program"); then echo "$path" && exit 0; fi
	done
}

found "$1"
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
	say "installing $packages"
	# shellcheck disable=SC2086
	(apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $packages) >&2
	found "$1"
fi
say "install these packages (Debian's names): $packages"
exit 1
