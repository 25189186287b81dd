#!/bin/sh
# Prints the folder for the temporary files of tests: one in memory if there is plenty, because
# the kernel needs a tenth of the processors' time to write them to a disk. It is the same folder
# in each run, because go test runs a test again if TMPDIR has changed. Tests remove their files;
# what a killed run has left is removed a day later.
set -eu
least=8388608 # kB in the folder, and twice as much memory
shared=$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print $4 }')
memory=$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo 2>/dev/null || true)
dir=/dev/shm/vantage-tests-$(id -u)
if [ "${shared:-0}" -ge $least ] && [ "${memory:-0}" -ge $((2 * least)) ] &&
	mkdir -p -m 700 "$dir" 2>/dev/null && [ -w "$dir" ] && [ ! -L "$dir" ] && [ -n "$(find "$dir" -maxdepth 0 -user "$(id -u)")" ]; then
	find "$dir" -mindepth 1 -maxdepth 1 -mmin +1440 -exec rm -rf {} +
	echo "$dir"
else
	echo "${TMPDIR:-/tmp}"
fi
