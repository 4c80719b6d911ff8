#!/usr/bin/env bash
# Drives public MCP servers and the official conformance suite through the
# built bin/ask: see docs/interop.md. Says what is missing, and fails.
set -euo pipefail
cd "$(dirname "$0")"
GO=${GO:-go}

missing() {
	printf 'interop: %s\n' "$*" >&2
	exit 1
}

[[ "$(uname -sm)" == 'Linux x86_64' ]] || missing "the pinned Node is for Linux x86_64, and this is $(uname -sm)"
for tool in "$GO" node npm; do
	command -v "$tool" >/dev/null || missing "$tool is not installed"
done

# What the lock file names is installed once; it is copied when that is done.
if ! cmp -s package-lock.json node_modules/.onestep-installed; then
	npm ci --loglevel=error || missing 'npm ci failed: it needs a package registry, or a filled cache'
	cp package-lock.json node_modules/.onestep-installed
fi

sdk=github.com/modelcontextprotocol/go-sdk
make --no-print-directory -C .. build GO="$GO"
"$GO" build -buildvcs=false -o ../bin/interop/ ../cmd/conformance-client "$sdk/conformance/everything-server" "$sdk/examples/server/everything"

"$GO" vet -tags interop .
exec "$GO" test -tags interop -count=1 -timeout 3m "$@" .
