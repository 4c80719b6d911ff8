#!/usr/bin/env bash
# Runs every benchmark $COUNT times, one package after another so that none
# disturbs another, and keeps the medians in docs/benchmarks.md.
set -euo pipefail
cd "$(dirname "$0")/.."

go=${GO:-go}
count=${COUNT:-6}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

GO=$go "$go" test -p 1 -run '^$' -bench . -benchmem -count "$count" ./... | tee "$work/raw"
grep -q '^Benchmark' "$work/raw" || {
	echo "no benchmark ran" >&2
	exit 1
}

# median NAME: of its ns/op in this run.
median() {
	awk -v name="$1" '{ sub(/-[0-9]+$/, "", $1) } $1 == name { print $3 }' "$work/raw" | sort -g | awk '{ v[NR] = $1 } END { if (!NR) exit 1; print v[int((NR + 1) / 2)] }'
}

# ratio A B: one row of the table.
ratio() {
	local a b
	a=$(median "$1") && b=$(median "$2") || { echo "no figure of $1 or $2" >&2; return 1; }
	awk -v a="$a" -v b="$b" -v an="$1" -v bn="$2" 'BEGIN { printf "| `%s` %.0f µs | `%s` %.0f µs | %.2f |\n", an, a / 1e3, bn, b / 1e3, a / b }'
}

# The planner's figures are of a public corpus, which is no part of the project.
cases=${ASK_DATA:-../shared/data}/cases/planner.jsonl
if [ -f "$cases" ]; then
	bin/ask eval planner --cases "$cases" --out "$work" -q >/dev/null
else
	echo "$cases is not there: the planner's figures are left out" >&2
fi

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
	echo
	echo '## Side by side'
	echo
	echo 'Medians of the same run, as ratios. The bare call is the SDK'"'"'s own `CallTool` over the same transport; a whole run'
	echo 'lists the tools, plans, approves, calls, accepts and records. `BenchmarkStart` is whole processes: the bare program links'
	echo 'the SDK, is given nothing to do, and ends with an error as `ask nosuchcommand` does.'
	echo
	echo '| | beside | ratio |'
	echo '|---|---|---|'
	ratio BenchmarkAskInMemory BenchmarkBareCallInMemory
	ratio BenchmarkAskStdio BenchmarkBareCallStdio
	ratio BenchmarkCallInMemory/onestep BenchmarkCallInMemory/bare_SDK
	ratio BenchmarkCallStdio/onestep BenchmarkCallStdio/bare_SDK
	ratio BenchmarkGates BenchmarkBareCallStdio
	ratio BenchmarkStart/error_exit BenchmarkStart/bare_SDK
	ratio BenchmarkStart/demo BenchmarkStart/bare_SDK
	if [ -f "$work/planner_table.md" ]; then
		echo
		echo '## The embedded planner, on cases'
		echo
		echo "By \`ask eval planner --cases ../shared/data/cases/planner.jsonl\`; [planner.md](planner.md#measured) says what the rows and the halves are."
		sed 1d "$work/planner_table.md"
	fi
} >"$work/benchmarks.md"
mv "$work/benchmarks.md" docs/benchmarks.md
cat docs/benchmarks.md
