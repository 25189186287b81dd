#!/bin/sh
# Prints the path of a Node.js in which the library runs, 20.16 or later, and installs one if
# there is none. Only the path goes to standard output.
set -eu
cd "$(dirname "$0")"

on_path() {
	path=$(command -v node) && [ "$(node -p 'typeof process.getBuiltinModule')" = function ] || return 0
	echo "$path"
	exit 0
}

on_path
dir=$(./npm.sh node) # which may also install the Node.js of the system, with npm
on_path
for path in "$dir"/node_modules/node-*/bin/node; do
	[ -f "$path" ] || continue
	chmod +x "$path"
	"$path" --version >/dev/null && echo "$path" && exit 0
done
echo "node.sh: no Node.js of version 20.16 or later could be installed: install it yourself" >&2
exit 1
