#!/bin/sh
# Prints the path of a working nginx, which tests put before the server, and fetches one if
# there is none. Debian's package is unpacked into build/nginx and not installed, because that
# would start a web server on this machine. Only the path goes to standard output; progress
# goes to standard error.
set -eu

say() { echo "nginx.sh: $*" >&2; }

usable() { [ -x "$1" ] && "$1" -v >/dev/null 2>&1; }

found() {
	echo "$1"
	exit 0
}

PATH=$PATH:/usr/local/sbin:/usr/sbin
path=$(command -v nginx || true)
usable "$path" && found "$path"

dir=$(cd "$(dirname "$0")/.." && pwd)/build/nginx
usable "$dir/nginx" && found "$dir/nginx"

# Unpacks the program, and the libraries that its package names, which a bare system
# may lack.
unpack_debian() (
	cd "$1" || exit 1
	[ "$(id -u)" != 0 ] || apt-get update || say "the package lists could not be updated"
	apt-get download nginx || exit 1
	libraries=$(dpkg-deb -f nginx_*.deb Depends | tr , '\n' | sed -n 's/^ *\(lib[^ ]*\|zlib[^ ]*\).*/\1/p' | grep -vx libc6)
	apt-get download $libraries || exit 1
	for package in *.deb; do
		dpkg-deb -x "$package" root || exit 1
	done
	cat >nginx <<-'WRAPPER'
		#!/bin/sh
		root=$(dirname "$(readlink -f "$0")")/root
		if ldd "$root/usr/sbin/nginx" | grep -q 'not found'; then
			export LD_LIBRARY_PATH="$(echo "$root"/usr/lib/*-linux-gnu):$(echo "$root"/lib/*-linux-gnu)"
		fi
		exec "$root/usr/sbin/nginx" "$@"
	WRAPPER
	chmod +x nginx
	rm -f ./*.deb
)

if command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null; then
	say "no nginx found, unpacking Debian's"
	mkdir -p "$(dirname "$dir")"
	work=$(mktemp -d "$dir.XXXXXX")
	if unpack_debian "$work" >&2; then
		rm -rf "$dir"
		mv "$work" "$dir"
	else
		rm -rf "$work"
	fi
elif [ "$(id -u)" = 0 ]; then
	say "no nginx found, asking the package manager"
	if command -v dnf >/dev/null; then
		dnf install -y nginx >&2 || true
	elif command -v apk >/dev/null; then
		apk add --no-cache nginx >&2 || true
	elif command -v pacman >/dev/null; then
		pacman -Sy --noconfirm nginx >&2 || true
	fi
	path=$(command -v nginx || true)
	usable "$path" && found "$path"
fi
usable "$dir/nginx" && found "$dir/nginx"

say "no nginx could be installed: install it yourself (apt-get install nginx, dnf install nginx, apk add nginx, brew install nginx)"
exit 1
