#!/usr/bin/env bash
# Runs every fuzzer of the repository for a while, one after the other.
# usage: scripts/fuzz.sh 30s [PACKAGE-PATTERN]
set -euo pipefail
cd "$(dirname "$0")/.."
time=${1:?usage: scripts/fuzz.sh TIME [PACKAGE-PATTERN]}
packages=$(go list "${2:-./...}")
for package in $packages; do
  tests=$(go test -list '^Fuzz' "$package") # ends the script if they do not compile
  for fuzzer in $(grep '^Fuzz' <<<"$tests" || true); do
    echo "== $package $fuzzer"
    go test -run '^$' -fuzz "^$fuzzer\$" -fuzztime "$time" -fuzzminimizetime 10x "$package"
  done
done
