#!/bin/sh
# Prints the path of a Python with the packages that docs/python.md imports, but not its encoder's:
# numpy and safetensors, pinned by hash in scripts/python/requirements.txt, in a virtual environment.
# Only the path goes to standard output.
# usage: scripts/python.sh [LIST], such as plaid for scripts/python/plaid.txt
# LIST.build.txt, if there is one, has what builds packages of LIST that have no wheels.
#
#   VANTAGE_CACHE   folder for the environment (default ~/.cache/vantage)
set -eu
requirements=$(cd "$(dirname "$0")" && pwd)/python/${1:-requirements}.txt
cache=${VANTAGE_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/vantage}
# Each list of packages has its own environment.
dir=$cache/python-$(cksum <"$requirements" | tr ' ' -)
if [ ! -e "$dir/ready" ]; then
	if ! python3 -c 'import ensurepip, venv' 2>/dev/null; then
		if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
			echo "python.sh: there is no python3 with venv: install Python 3.11 or later (Debian: python3 and python3-venv)" >&2
			exit 1
		fi
		export DEBIAN_FRONTEND=noninteractive
		{ apt-get update -qq && apt-get install -y --no-install-recommends python3 python3-venv; } >&2
	fi
	build=${requirements%.txt}.build.txt
	if [ -e "$build" ] && ! command -v c++ >/dev/null; then
		if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
			echo "python.sh: there is no compiler for C++, which $build needs: install g++" >&2
			exit 1
		fi
		{ apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends g++ libc6-dev; } >&2
	fi
	rm -rf "$dir"
	mkdir -p "$cache"
	python3 -m venv "$dir" >&2
	set -- --quiet --disable-pip-version-check --only-binary :all: --require-hashes
	if [ -e "$build" ]; then
		"$dir/bin/pip" install "$@" -r "$build" >&2
		set -- "$@" --no-build-isolation
	fi
	PATH=$dir/bin:$PATH "$dir/bin/pip" install "$@" -r "$requirements" >&2
	touch "$dir/ready"
fi
echo "$dir/bin/python3"
