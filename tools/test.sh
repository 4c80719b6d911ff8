#!/usr/bin/env bash
# Runs every test and says at the end how many were skipped, and why: a skip that
# no one sees hides what was not tested. Prints otherwise what `go test` prints.
# With RACE set it runs them under the race detector, which needs a C compiler,
# and leaves vet to `make lint`, which does all that `go test` has done by it.
# A package may take 30 minutes, for a machine can be busy with something else.
# The programs that tests start are built before, so that no test's time has it.
# Arguments are those of `go test`; ./... for none.
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
