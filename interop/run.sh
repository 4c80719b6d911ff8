#!/usr/bin/env bash
# Drives public MCP servers and the official conformance suite through the built
# bin/ask: see docs/internals/interop.md. If something is missing, it says so and fails. With the
# argument "install" it only installs what it needs.
set -euo pipefail
cd "$(dirname "$0")"
GO=${GO:-go}

missing() {
	printf 'interop: %s\n' "$*" >&2
	exit 1
}

[[ "$(uname -sm)" == 'Linux x86_64' ]] || missing "the pinned Node is for Linux x86_64, and this is $(uname -sm)"
for tool in "$GO" node npm git python3 chromium cargo javac mvn; do
	command -v "$tool" >/dev/null || missing "$tool is not installed"
done

# The content of a lock file is installed once. A copy of the file marks that this is done.
packages() {
	cd "$1"
	cmp -s package-lock.json node_modules/.onestep-installed && return
	npm ci --loglevel=error --no-audit --no-fund || missing 'npm ci failed: it needs a package registry, or a filled cache'
	cp package-lock.json node_modules/.onestep-installed
}

environment() {
	cd "$1"
	cmp -s requirements.txt venv/installed && return
	rm -rf venv && python3 -m venv venv || missing 'python3 with venv is not installed'
	venv/bin/pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements.txt ||
		missing 'pip failed: it needs a package index, or a filled cache'
	cp requirements.txt venv/installed
}

# Cargo.lock as it is committed names versions and digests, not where they were fetched
# from. Cargo builds again what changed.
crates() {
	cd "$1"
	if ! sed '/^source = /d' Cargo.lock 2>/dev/null | cmp -s - crates.lock; then
		cargo generate-lockfile --quiet || missing 'cargo failed: it needs a registry of crates, or a filled cache'
		local source
		source=$(grep --max-count=1 '^source = ' Cargo.lock)
		sed "s|^checksum = |$source\n&|" crates.lock >Cargo.lock.new && mv Cargo.lock.new Cargo.lock
	fi
	cargo build --locked --quiet --target-dir "$2" || missing 'cargo failed: it needs rustc 1.88 and a registry of crates, or a filled cache'
}

# Exactly the jars of jars.sha256 are in lib, by their digests.
jars() {
	cd "$1"
	local out=$2
	digests() { (cd "$out/lib" 2>/dev/null && LC_ALL=C && sha256sum -- *.jar); }
	if ! digests | cmp -s - jars.sha256; then
		rm -rf "$out" && mkdir -p "$out"
		mvn --quiet --batch-mode --strict-checksums "-DoutputDirectory=$out/lib" \
			org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy-dependencies || missing 'mvn failed: it needs a repository of jars, or a filled cache'
		digests | diff - jars.sha256 || missing 'these jars are not the pinned ones'
	fi
	cat ./*.java | cmp -s - "$out/compiled" && return
	rm -rf "$out/classes"
	javac -nowarn -d "$out/classes" -cp "$out/lib/*" ./*.java || missing 'javac failed: it needs Java 17'
	cat ./*.java >"$out/compiled"
}

installs=()
packages . & installs+=($!)
packages inspector & installs+=($!)
packages wrap & installs+=($!)
packages bridges & installs+=($!)
environment python & installs+=($!)
environment python1 & installs+=($!)
environment wrap & installs+=($!)
environment bridges & installs+=($!)
crates generators/rust "$PWD/../bin/interop/rust" & installs+=($!)
jars generators/java "$PWD/../bin/interop/java" & installs+=($!)
for install in "${installs[@]}"; do
	wait "$install"
done
[[ "$*" != install ]] || exit 0

sdk=github.com/modelcontextprotocol/go-sdk
make --no-print-directory -C .. build GO="$GO"
"$GO" build -C meet/mcpgo -buildvcs=false -o ../../../bin/interop/mcpgo .
"$GO" build -C generators -buildvcs=false -o ../../bin/interop/generators .
"$GO" build -buildvcs=false -o ../bin/interop/ ../cmd/conformance-client ../host/launch/testdata/stdio "$sdk/conformance/everything-server" "$sdk/examples/server/everything"

export ASK_BROWSER_REQUIRED=1
"$GO" vet -tags interop .
exec "$GO" test -tags interop -count=1 -timeout 30m "$@" .
