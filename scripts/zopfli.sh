#!/usr/bin/env bash
# Installs zopfli, which packs the core, if it is missing.
set -euo pipefail
command -v zopfli >/dev/null && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  apt-get update -qq >&2
  apt-get install -y --no-install-recommends zopfli >&2
  exit 0
fi
echo "zopfli.sh: install the package zopfli" >&2
exit 1
