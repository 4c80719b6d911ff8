#!/usr/bin/env bash
# Makes a release for this machine's platform twice, in two folders, and compares the
# bytes. It copies the files that git tracks, or, without git, everything but dist.
set -euo pipefail
cd "$(dirname "$0")/.."

go=${GO:-go}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for copy in first 'second one'; do
	mkdir "$work/$copy"
	if [ "$(git rev-parse --show-prefix 2>&1)" = '' ]; then git ls-files -z; else find . -type f -not -path './dist/*' -print0; fi |
		tar --create --null --files-from=- | tar --extract --directory "$work/$copy"
	(cd "$work/$copy" && GO=$go VERSION=v0.0.0-reproduced PLATFORMS="$("$go" env GOHOSTOS)/$("$go" env GOHOSTARCH)" tools/release.sh)
done
cmp "$work/first/dist/SHA256SUMS" "$work/second one/dist/SHA256SUMS"
echo 'both are the same'
