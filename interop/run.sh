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
for tool in "$GO" node npm git python3; do
	command -v "$tool" >/dev/null || missing "$tool is not installed"
done

# What the lock file names is installed once; it is copied when that is done.
if ! cmp -s package-lock.json node_modules/.onestep-installed; then
	npm ci --loglevel=error || missing 'npm ci failed: it needs a package registry, or a filled cache'
	cp package-lock.json node_modules/.onestep-installed
fi

if ! cmp -s python/requirements.txt python/venv/installed; then
	rm -rf python/venv && python3 -m venv python/venv || missing 'python3 with venv is not installed'
	python/venv/bin/pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r python/requirements.txt ||
		missing 'pip failed: it needs a package index, or a filled cache'
	cp python/requirements.txt python/venv/installed
fi

sdk=github.com/modelcontextprotocol/go-sdk
make --no-print-directory -C .. build GO="$GO"
"$GO" build -buildvcs=false -o ../bin/interop/ ../cmd/conformance-client "$sdk/conformance/everything-server" "$sdk/examples/server/everything"

"$GO" vet -tags interop .
exec "$GO" test -tags interop -count=1 -timeout 3m "$@" .
