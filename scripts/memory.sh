#!/bin/sh
# Prints a new folder for the temporary files of tests, which the caller removes: in memory if
# there is plenty, because the kernel needs a tenth of the processors' time to write them to a disk.
set -eu
least=8388608 # kB in the folder, and twice as much memory
shared=$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print $4 }')
memory=$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo 2>/dev/null || true)
if [ "${shared:-0}" -ge $least ] && [ "${memory:-0}" -ge $((2 * least)) ] && [ -w /dev/shm ]; then
	TMPDIR=/dev/shm
	export TMPDIR
fi
mktemp -d
