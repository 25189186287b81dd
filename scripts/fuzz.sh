#!/usr/bin/env bash
# Runs every fuzzer of the repository for a while, one after the other.
# usage: scripts/fuzz.sh 30s [PACKAGE-PATTERN]
set -euo pipefail
cd "$(dirname "$0")/.."
time=${1:?usage: scripts/fuzz.sh TIME [PACKAGE-PATTERN]}
for package in $(go list "${2:-./...}"); do
  for fuzzer in $(go test -list '^Fuzz' "$package" | grep '^Fuzz' || true); do
    echo "== $package $fuzzer"
    go test -run '^$' -fuzz "^$fuzzer\$" -fuzztime "$time" -fuzzminimizetime 10x "$package"
  done
done
