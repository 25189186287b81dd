#!/usr/bin/env bash
# Checks that clang 16 or later is installed with its WebAssembly linker, or installs it.
set -euo pipefail
for version in "" -22 -21 -20 -19 -18 -17 -16; do
  if command -v "clang$version" >/dev/null && command -v "wasm-ld$version" >/dev/null &&
    [ "$("clang$version" -dumpversion | cut -d. -f1)" -ge 16 ]; then
    exit 0
  fi
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  apt-get update -qq >&2
  apt-get install -y --no-install-recommends clang-16 lld-16 >&2
  exit 0
fi
echo "clang.sh: no clang of version 16 or later with wasm-ld: install the packages clang and lld" >&2
exit 1
