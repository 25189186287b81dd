#!/bin/sh
# Vets and compiles the code of the build tag cuda; needs a C compiler, but no GPU.
set -eu
cd "$(dirname "$0")/.."
if [ "$(go env GOOS)" != linux ] || [ "$(go env CGO_ENABLED)" != 1 ] || ! command -v "$(go env CC)" >/dev/null; then
	echo "skipped: the build tag cuda is compiled on Linux with a C compiler, such as gcc" >&2
	exit 0
fi
# Only the first two packages have files with that tag; the command links them.
go vet -tags cuda ./internal/model/xla ./internal/model/named ./cmd/vantage
go build -tags cuda -o /dev/null ./cmd/vantage
