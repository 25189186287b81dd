#!/bin/sh
# Prints the path of a Node.js that the library runs in, 20.16 or later, installing one
# where there is none. Only the path goes to standard output.
set -eu
cd "$(dirname "$0")"

on_path() {
	path=$(command -v node) && [ "$(node -p 'typeof process.getBuiltinModule')" = function ] || return 0
	echo "$path"
	exit 0
}

on_path
dir=$(./npm.sh node) # which installs what the system has
on_path
for path in "$dir"/node_modules/node-*/bin/node; do
	[ -f "$path" ] || continue
	chmod +x "$path"
	"$path" --version >/dev/null && echo "$path" && exit 0
done
echo "node.sh: no Node.js of version 20.16 or later could be had: install it" >&2
exit 1
