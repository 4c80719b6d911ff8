#!/usr/bin/env bash
# Runs every benchmark $COUNT times, one package after another so that none
# disturbs another, and keeps the medians in docs/benchmarks.md.
set -euo pipefail
cd "$(dirname "$0")/.."

go=${GO:-go}
count=${COUNT:-6}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$go" test -p 1 -run '^$' -bench . -benchmem -count "$count" ./... | tee "$work/raw"
grep -q '^Benchmark' "$work/raw" || {
	echo "no benchmark ran" >&2
	exit 1
}

cpu=$(sed -n 's/^cpu: //p' "$work/raw" | head -n 1)
bytes=$(wc -c <bin/ask)
{
	cat <<EOF
# Benchmarks

Written by \`make bench\`; not edited by hand. Everything below was measured in one run, each benchmark
$count times: the figure is the median, the percentage how far the runs lie apart. Compare figures of
one table; another machine has others.

- machine: ${cpu:-unknown}, $(getconf _NPROCESSORS_ONLN) cores, $(uname -s) $(uname -m)
- Go: $("$go" env GOVERSION)
- bin/ask: $(awk -v b="$bytes" 'BEGIN { printf "%.1f", b / 1e6 }') MB ($bytes bytes), stripped, without cgo

\`\`\`text
EOF
	grep -E '^(goos|goarch|cpu|pkg|Benchmark)' "$work/raw" >"$work/bench"
	# A mean over benchmarks that have nothing in common says nothing.
	"$go" tool -modfile=tools/go.mod benchstat "median=$work/bench" | sed '/^geomean/d; /^² /d; s/[[:space:]]*$//'
	echo '```'
} >"$work/benchmarks.md"
mv "$work/benchmarks.md" docs/benchmarks.md
cat docs/benchmarks.md
