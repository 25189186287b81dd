#!/bin/sh
# Prints a folder with transformers.js and ONNX Runtime for browsers, on which a
# test runs a model; downloads them into build/transformers where they are missing.
set -eu
transformers=4.3.1
runtime=1.31.0-dev.20260914-8d85527a0 # the one that it was built with
dir=$(cd "$(dirname "$0")/.." && pwd)/build/transformers
if [ ! -f "$dir/ready" ]; then
	command -v npm >/dev/null || { echo "npm is needed: install Node.js" >&2; exit 1; }
	mkdir -p "$dir"
	cd "$dir"
	# Without dependencies, which are for Node.js: the package's file for browsers
	# holds all that it needs but the WebAssembly.
	npm pack --silent "@huggingface/transformers@$transformers" "onnxruntime-web@$runtime" >&2
	tar -xzf huggingface-transformers-*.tgz --strip-components=2 package/dist/transformers.min.js
	tar -xzf onnxruntime-web-*.tgz --strip-components=2 package/dist/ort-wasm-simd-threaded.asyncify.mjs package/dist/ort-wasm-simd-threaded.asyncify.wasm
	rm -f ./*.tgz
	touch ready
fi
echo "$dir"
