#!/bin/sh
# Installs whatever a test skips without. `make test` needs none of it, and says what was
# skipped; continuous integration installs it all and takes a skip for a failure.
set -eu
cd "$(dirname "$0")"
if ! command -v systemd-analyze >/dev/null; then
	if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
		echo "tools.sh: systemd-analyze is not here: install systemd" >&2
		exit 1
	fi
	apt-get update -qq
	DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends systemd
fi
./chromium.sh
./node.sh
./nginx.sh
./clang.sh
./python.sh
