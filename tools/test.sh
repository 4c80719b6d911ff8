#!/usr/bin/env bash
# Runs every test and says at the end how many were skipped, and why: a skip that
# nobody sees hides what was not tested. Prints otherwise what `go test` prints.
# With RACE set it runs them under the race detector, which needs a C compiler,
# and leaves vet to `make lint`, which does all that `go test` has done by it.
# Arguments are those of `go test`; ./... for none.
set -euo pipefail
cd "$(dirname "$0")/.."

case ${RACE:-0} in
0) race=() ;;
*) race=(-race -vet=off) && export CGO_ENABLED=1 ;;
esac
[ $# -gt 0 ] || set -- ./...
"${GO:-go}" test -json "${race[@]}" "$@" | awk -f tools/test.awk
