#!/usr/bin/env bash
# Formatting and vet, for the platforms that the code has files for.
set -euo pipefail
cd "$(dirname "$0")/.."
unformatted=$(gofmt -l $(git ls-files '*.go'))
if [ -n "$unformatted" ]; then
  echo "not gofmt'ed:" $unformatted >&2
  exit 1
fi
go vet ./...
GOARCH=arm64 go vet ./wasm/... ./model/... ./cmd/...
GOOS=js GOARCH=wasm go vet ./wasm/core
GOOS=windows go vet ./model/... ./cmd/...
