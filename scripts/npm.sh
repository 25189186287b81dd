#!/bin/sh
# Prints a folder whose node_modules/ has the packages of scripts/npm/NAME, and installs them
# into build/npm/NAME if they are missing. Only the path goes to standard output.
# usage: scripts/npm.sh NAME
#
# npm accepts only packages with the hashes in package-lock.json, and does not run their
# scripts. To change a version, edit package.json and run in that folder
#   npm install --package-lock-only --omit-lockfile-registry-resolved
set -eu
cd "$(dirname "$0")/.."
name=${1:?usage: scripts/npm.sh NAME}
from=scripts/npm/$name
to=build/npm/$name

# Some packages contain Go code: a separate module excludes it from ./...
mkdir -p build
[ -f build/go.mod ] || echo "module build" >build/go.mod

say() { echo "npm.sh: $*" >&2; }

install_npm() {
	if [ "$(id -u)" != 0 ]; then
		command -v brew >/dev/null && brew install node
	elif command -v apt-get >/dev/null; then
		apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends npm
	elif command -v dnf >/dev/null; then
		dnf install -y nodejs npm
	elif command -v apk >/dev/null; then
		apk add --no-cache nodejs npm
	elif command -v pacman >/dev/null; then
		pacman -Sy --noconfirm npm
	else
		return 1
	fi >&2
}

# One at a time installs them, and others wait: tests may ask for the same packages at once.
mkdir -p build/npm
exec 9>"build/npm/$name.lock"
if command -v flock >/dev/null; then flock 9; fi
if ! cmp -s "$from/package-lock.json" "$to/package-lock.json"; then
	command -v npm >/dev/null || install_npm || {
		say "npm is missing, which installs $name: install Node.js"
		exit 1
	}
	work=$(mktemp -d "build/npm/$name.XXXXXX")
	trap 'rm -rf "$work"' EXIT
	cp "$from/package.json" "$work/"
	cp "$from/package-lock.json" "$work/"
	(cd "$work" && npm ci --ignore-scripts --no-audit --no-fund --loglevel error) >&2
	rm -rf "$to"
	mv "$work" "$to"
fi
echo "$PWD/$to"
