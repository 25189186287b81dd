#!/bin/sh
# Prints a folder that holds OpenAI's client for Node.js, of a fixed version, which
# the tests ask the encode server with; installs it into build/openai where it is
# missing.
set -eu
version=7.57.0
dir=$(cd "$(dirname "$0")/.." && pwd)/build/openai-$version
if [ ! -d "$dir/node_modules/openai" ]; then
	command -v npm >/dev/null || { echo "openai.sh: npm is not installed, which OpenAI's client comes with" >&2; exit 1; }
	mkdir -p "$dir"
	npm install --prefix "$dir" --ignore-scripts --no-audit --no-fund --no-save "openai@$version" >&2
fi
echo "$dir"
