#!/usr/bin/env bash
# Formatting, vet for the platforms that the code has files for, staticcheck.
set -euo pipefail
cd "$(dirname "$0")/.."
unformatted=$(gofmt -l $(git ls-files '*.go'))
if [ -n "$unformatted" ]; then
  echo "not gofmt'ed:" $unformatted >&2
  exit 1
fi
go vet ./...
go run honnef.co/go/tools/cmd/staticcheck@v0.8.2 ./...
go run honnef.co/go/tools/cmd/staticcheck@v0.8.2 -tags cuda ./model/xla ./cmd/vantage
GOARCH=arm64 go vet ./wasm/... ./model/... ./cmd/...
GOOS=js GOARCH=wasm go vet ./wasm/core
GOOS=windows go vet ./model/... ./cmd/...
