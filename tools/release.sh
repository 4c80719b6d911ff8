#!/usr/bin/env bash
# Makes the files of a release in dist/. For each platform that is one archive of ask and
# its ask-eval, with pages, manuals and completions, and a list of their modules
# (CycloneDX 1.6). There are also checksums of all files. The same source tree, version
# and Go make the same bytes, at any place and time; tools/reproduce.sh compares them.
set -euo pipefail
cd "$(dirname "$0")/.."

go=${GO:-go}
version=${VERSION:?set VERSION, such as v0.4.0}
platforms=${PLATFORMS:-linux/amd64 linux/arm64 darwin/amd64 darwin/arm64}
epoch=${SOURCE_DATE_EPOCH:-0} # the time that files in the archives have

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rm -rf dist
mkdir dist
stamp=$(GO="$go" tools/stamp.sh)

# The files that are the same on every platform are made once, by this machine's own ask.
mkdir -p "$work/man" "$work/completions" "$work/own"
CGO_ENABLED=0 "$go" test -trimpath -count=1 ./cmd/ask -run '^TestManualPages$' -man "$work/man" >"$work/man.log" || { cat "$work/man.log" >&2; exit 1; }
CGO_ENABLED=0 "$go" build -trimpath -buildvcs=false -tags "$stamp,nethttpomithttp2" -ldflags "-s -w" -o "$work/own/" ./cmd/ask
"$work/own/ask" completion bash >"$work/completions/ask.bash"
"$work/own/ask" completion zsh >"$work/completions/_ask"
"$work/own/ask" completion fish >"$work/completions/ask.fish"

# bom lists the modules of a program.
bom() {
	local program=$1
	"$go" version -m "$program" | awk -v version="$version" '
		BEGIN { printf "{\"bomFormat\":\"CycloneDX\",\"specVersion\":\"1.6\",\"version\":1,\"metadata\":{\"component\":{\"type\":\"application\",\"name\":\"ask\",\"version\":\"%s\"}},\"components\":[", version }
		NR == 1 { sub("go", "", $2); printf "{\"type\":\"platform\",\"name\":\"go\",\"version\":\"%s\"}", $2 }
		$1 == "dep" { printf ",{\"type\":\"library\",\"name\":\"%s\",\"version\":\"%s\",\"purl\":\"pkg:golang/%s@%s\"}", $2, $3, $2, $3 }
		END { print "]}" }'
}

for platform in $platforms; do
	os=${platform%/*} arch=${platform#*/} name=onestep_${version}_${platform/\//_}
	mkdir "$work/$name"
	CGO_ENABLED=0 GOOS=$os GOARCH=$arch "$go" build -trimpath -buildvcs=false -tags "$stamp,nethttpomithttp2" \
		-ldflags "-s -w -X main.version=$version" -o "$work/$name/" ./cmd/ask ./cmd/ask-eval
	cp LICENSE README.md CHANGELOG.md SECURITY.md "$work/$name/"
	mkdir -p "$work/$name/docs/internals"
	cp docs/*.md "$work/$name/docs/" # which README links
	cp docs/internals/* "$work/$name/docs/internals/"
	cp -R "$work/man" "$work/completions" "$work/$name/"
	bom "$work/$name/ask" >"dist/$name.cdx.json"
	tar --create --directory "$work" --sort=name --mtime="@$epoch" --owner=0 --group=0 --numeric-owner --mode='u=rwX,go=rX' "$name" |
		gzip --no-name >"dist/$name.tar.gz"
done
cd dist
sha256sum -- * >SHA256SUMS
cat SHA256SUMS
