#!/bin/sh
# Installs the programs without which tests are skipped. `make test` does not need them, and lists
# the skipped tests; continuous integration installs them and treats a skipped test as a
# failure.
set -eu
cd "$(dirname "$0")"
if ! command -v systemd-analyze >/dev/null; then
	if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
		echo "tools.sh: systemd-analyze is missing: install systemd" >&2
		exit 1
	fi
	apt-get update -qq
	DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends systemd
fi
./chromium.sh
./chromium.sh full
./node.sh
./nginx.sh
./clang.sh
./python.sh
