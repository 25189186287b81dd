#!/bin/sh
# Prints the path of a working Chromium, and installs one if there is none. The headless shell
# comes first: it is the same engine without the browser's own windows, which take as much
# processor time as the pages of the tests. Only the path goes to standard output; progress
# goes to standard error.
# usage: scripts/chromium.sh [full]
#
# With "full" it is a Chromium that can load extensions. A headless shell cannot, and Chrome
# does not load unpacked extensions from its command line.
#
#   VANTAGE_CHROMIUM        a browser to use, nothing else is tried
#   VANTAGE_CHROMIUM_FULL   the same for "full"
#   VANTAGE_CACHE           folder for an npm browser (default ~/.cache/vantage)
set -eu

say() { echo "chromium.sh: $*" >&2; }

# A browser counts only if it starts: a snap stub or a missing library fails here.
usable() { [ -x "$1" ] && "$1" --version >/dev/null 2>&1; }

found() {
	echo "$1"
	exit 0
}

full() {
	if [ -n "${VANTAGE_CHROMIUM_FULL:-}" ]; then
		usable "$VANTAGE_CHROMIUM_FULL" && found "$VANTAGE_CHROMIUM_FULL"
		say "VANTAGE_CHROMIUM_FULL=$VANTAGE_CHROMIUM_FULL does not run"
		exit 1
	fi
	full_on_path
	if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
		say "no full Chromium found, asking the package manager"
		(apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends chromium) >&2 ||
			say "the package manager could not install it"
		full_on_path
	fi
	say "install a Chromium that can load extensions (Debian's package chromium), or set VANTAGE_CHROMIUM_FULL to its path"
	exit 1
}

full_on_path() {
	for name in chromium chromium-browser; do
		path=$(command -v "$name" 2>/dev/null) && usable "$path" && found "$path"
	done
	mac="/Applications/Chromium.app/Contents/MacOS/Chromium"
	usable "$mac" && found "$mac"
	return 0
}

case ${1:-} in
full) full ;;
'') ;;
*)
	say "usage: scripts/chromium.sh [full]"
	exit 1
	;;
esac

if [ -n "${VANTAGE_CHROMIUM:-}" ]; then
	usable "$VANTAGE_CHROMIUM" && found "$VANTAGE_CHROMIUM"
	say "VANTAGE_CHROMIUM=$VANTAGE_CHROMIUM does not run"
	exit 1
fi

on_path() {
	for name in chromium-headless-shell chrome-headless-shell headless_shell chromium chromium-browser google-chrome google-chrome-stable chrome; do
		path=$(command -v "$name" 2>/dev/null) || continue
		usable "$path" && found "$path"
	done
	mac="/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
	usable "$mac" && found "$mac"
	return 0
}

cache=${VANTAGE_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/vantage}
packed=$cache/chromium/chromium

install_system() {
	if command -v apt-get >/dev/null; then
		export DEBIAN_FRONTEND=noninteractive
		apt-get update
		apt-get install -y --no-install-recommends chromium-headless-shell || apt-get install -y --no-install-recommends chromium
	elif command -v dnf >/dev/null; then
		dnf install -y chromium
	elif command -v apk >/dev/null; then
		apk add --no-cache chromium
	elif command -v pacman >/dev/null; then
		pacman -Sy --noconfirm chromium
	else
		return 1
	fi >&2
}

# The package @sparticuz/chromium contains the browser (a headless shell for
# x86-64 Linux, packed with brotli), while others contain a downloader. Its
# version is in scripts/npm/chromium.
install_npm() {
	[ "$(uname -sm)" = "Linux x86_64" ] && from=$("$(dirname "$0")/npm.sh" chromium) || return 1
	mkdir -p "$cache"
	work=$(mktemp -d "$cache/unpack.XXXXXX")
	if unpack_npm "$from/node_modules/@sparticuz/chromium/bin" "$work" >&2; then
		rm -rf "$cache/chromium"
		mv "$work/chromium" "$cache/chromium"
	fi
	rm -rf "$work"
}

unpack_npm() (
	packed=$1
	cd "$2" || exit 1
	mkdir chromium
	unbrotli() { node -e 'process.stdin.pipe(zlib.createBrotliDecompress()).pipe(process.stdout)' <"$packed/$1"; }
	unbrotli chromium.br >chromium/browser || exit 1
	for part in swiftshader al2023 fonts; do
		unbrotli "$part.tar.br" | tar -xf - -C chromium || exit 1
	done
	chmod +x chromium/browser
	# A bare system lacks libraries and fonts; the package brings them.
	cat >chromium/chromium <<-'WRAPPER'
		#!/bin/sh
		here=$(dirname "$(readlink -f "$0")")
		if ldd "$here/browser" | grep -q 'not found'; then
			export LD_LIBRARY_PATH="$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
		fi
		[ -d /etc/fonts ] || export FONTCONFIG_PATH="$here"
		exec "$here/browser" "$@"
	WRAPPER
	chmod +x chromium/chromium
)

on_path
usable "$packed" && found "$packed"

if [ "$(id -u)" = 0 ]; then
	say "no Chromium found, asking the package manager"
	install_system || say "the package manager could not install it"
	on_path
elif command -v brew >/dev/null; then
	say "no Chromium found, asking brew"
	brew install --cask chromium >&2 || say "brew could not install it"
	on_path
fi

say "no Chromium from the system, fetching the npm package that contains one"
install_npm || say "npm could not install it"
usable "$packed" && found "$packed"

say "no Chromium could be installed. Install it yourself (apt-get install chromium, dnf install chromium, brew install --cask chromium)"
say "or set VANTAGE_CHROMIUM to the path of a Chrome or Chromium."
exit 1
