#!/bin/sh
# Prints the path of axe-core's script, from the npm package of a fixed version,
# which is kept in build/. Only the path goes to standard output.
set -eu
cd "$(dirname "$0")/.."
version=4.14.1
file=build/axe-core-$version/axe.min.js
if [ ! -s "$file" ]; then
	if ! command -v npm >/dev/null; then
		echo "axe.sh: npm is not installed, which the accessibility checker axe-core comes with" >&2
		exit 1
	fi
	mkdir -p build
	work=$(mktemp -d build/axe.XXXXXX)
	trap 'rm -rf "$work"' EXIT
	(cd "$work" && npm pack --silent "axe-core@$version" >/dev/null && tar -xzf axe-core-*.tgz) >&2
	mkdir -p "build/axe-core-$version"
	mv "$work/package/axe.min.js" "$work/package/LICENSE" "build/axe-core-$version/"
fi
echo "$PWD/$file"
