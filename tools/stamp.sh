#!/usr/bin/env bash
# Prints the build tag by which bin/ask knows its own bin/ask-eval: "stamp_" and a digest
# of the source tree. The digest covers every compiled or embedded file of this module,
# with its path, and the versions of the other modules. It needs no git, and is the same
# in a checkout, a copy and an archive.
set -euo pipefail
cd "$(dirname "$0")/.."

go=${GO:-go}
sum=(sha256sum)
command -v sha256sum >/dev/null || sum=(shasum -a 256)
module=$("$go" list -m)

# files: relative to the module; their names hold no white space.
files() {
	echo go.mod
	echo go.sum
	"$go" list -deps -f '{{if .Module}}{{if .Module.Main}}{{$path := .ImportPath}}{{range .GoFiles}}{{$path}}/{{.}}
{{end}}{{range .EmbedFiles}}{{$path}}/{{.}}
{{end}}{{end}}{{end}}' ./cmd/ask ./cmd/ask-eval | sed "s|^$module/||"
}

list=$(files)
echo "stamp_$(printf '%s\n' "$list" | LC_ALL=C sort -u | tr '\n' '\0' | xargs -0 "${sum[@]}" | "${sum[@]}" | cut -c 1-32)"
