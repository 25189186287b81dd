#!/usr/bin/env bash
# Installs whatever a test skips without. `make test` needs none of it, and says what was
# skipped; continuous integration installs it all and takes a skip for a failure.
set -euo pipefail
cd "$(dirname "$0")"
missing=()
for tool in node:nodejs npm:npm systemd-analyze:systemd git:git gcc:gcc; do
  command -v "${tool%%:*}" >/dev/null || missing+=("${tool#*:}")
done
if [ ${#missing[@]} -gt 0 ]; then
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "tools.sh: install these packages first: ${missing[*]}" >&2
    exit 1
  fi
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  apt-get install -y --no-install-recommends "${missing[@]}"
fi
./chromium.sh
./clang.sh
./python.sh
