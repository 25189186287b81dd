#!/usr/bin/env bash
# Checks formatting, runs vet for each platform that has its own files, and runs staticcheck.
set -euo pipefail
cd "$(dirname "$0")/.."
unformatted=$(gofmt -l $(git ls-files '*.go'))
if [ -n "$unformatted" ]; then
  echo "not gofmt'ed:" $unformatted >&2
  exit 1
fi
go vet ./...
go run honnef.co/go/tools/cmd/staticcheck@v0.8.2 ./...
go run honnef.co/go/tools/cmd/staticcheck@v0.8.2 -tags cuda ./internal/model/xla ./internal/model/named ./cmd/vantage
go run honnef.co/go/tools/cmd/staticcheck@v0.8.2 -tags otherbrowsers ./tests/browser/... ./tests/extension/...
GOARCH=arm64 go vet ./internal/... ./cmd/... . ./corpus ./english ./headless ./client ./perspective ./metrics ./trec
GOOS=js GOARCH=wasm go vet ./internal/wasm/core
GOOS=windows go vet ./internal/model/... ./internal/collection/... ./internal/inputs/... ./internal/open ./internal/serve ./internal/file ./cmd/...
