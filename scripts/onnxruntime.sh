#!/bin/sh
# Prints a folder that holds onnxruntime-node, which the encoding benchmark
# measures against; installs it into build/onnxruntime where it is missing.
set -eu
version=1.30.0
dir=$(cd "$(dirname "$0")/.." && pwd)/build/onnxruntime
if [ ! -d "$dir/node_modules/onnxruntime-node" ]; then
	command -v npm >/dev/null || { echo "npm is needed: install Node.js" >&2; exit 1; }
	mkdir -p "$dir"
	# Without its scripts: they download GPU libraries, the CPU's are in the package.
	npm install --prefix "$dir" --ignore-scripts --no-audit --no-fund --no-save "onnxruntime-node@$version" >&2
fi
echo "$dir"
