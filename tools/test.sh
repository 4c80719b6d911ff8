#!/usr/bin/env bash
# Runs every test and prints at the end how many were skipped, and why, because an unseen
# skip hides an untested case. Otherwise it prints what `go test` prints. With RACE set it
# uses the race detector, which needs a C compiler, and leaves vet to `make lint`, which
# makes all of its checks. A package may take 30 minutes, because a machine can be busy. The
# programs that tests start are built before, so that their build counts for no test. The
# arguments are those of `go test`; the default is ./...
set -euo pipefail
cd "$(dirname "$0")/.."

case ${RACE:-0} in
0) race=() ;;
*) race=(-race -vet=off) && export CGO_ENABLED=1 ;;
esac
[ $# -gt 0 ] || set -- ./...
if [ -d cmd/ask ]; then
	mkdir -p bin/tested
	CGO_ENABLED=0 "${GO:-go}" build -trimpath -buildvcs=false -ldflags '-s -w' -tags stamp_0123456789 -o bin/tested/ ./cmd/ask ./cmd/ask-eval ./docs/recipes/...
	export ASK_TESTED=$PWD/bin/tested
fi
"${GO:-go}" test -json -timeout 30m "${race[@]}" "$@" | awk -f tools/test.awk
