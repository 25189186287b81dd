#!/usr/bin/env bash
# Runs every fuzzer of the repository for a while, one after the other.
# usage: scripts/fuzz.sh 30s [PACKAGE-PATTERN]
set -euo pipefail
cd "$(dirname "$0")/.."
time=${1:?usage: scripts/fuzz.sh TIME [PACKAGE-PATTERN]}
packages=$(go list "${2:-./...}")
ran=0
for package in $packages; do
  listed=$(go test -list '^Fuzz' "$package") || { echo "$listed" >&2; exit 1; } # such as a test that does not compile
  for fuzzer in $(grep '^Fuzz' <<<"$listed" || true); do
    echo "== $package $fuzzer"
    go test -run '^$' -fuzz "^$fuzzer\$" -fuzztime "$time" -fuzzminimizetime 10x "$package"
    ran=$((ran + 1))
  done
done
if [ "$ran" = 0 ]; then
  echo "fuzz.sh: ${2:-./...} has no fuzzer" >&2
  exit 1
fi
