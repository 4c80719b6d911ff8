#!/usr/bin/env bash
# Measures the aims of docs/internals/benchmarks.md and prints their table. With QUICK=1 it needs no
# network, takes minutes, and fails if an aim is missed that the page calls met. Otherwise it
# also runs every benchmark of the packages $COUNT times, one package after another so that
# none disturbs another, and writes docs/internals/benchmarks.md, benchmarks-details.md and
# benchmarks.txt, and the table of docs/wrap.md. RAW=FILE writes the pages of an earlier run,
# which is kept in eval/results.
set -euo pipefail
cd "$(dirname "$0")/.."

go=${GO:-go}
export GO=$go QUICK=${QUICK:-} CGO_ENABLED=0 # as the program is built: a confined server starts it once more
ASK_DATA=$(realpath -m "${ASK_DATA:-../shared/data}")
export ASK_DATA # the earlier commit is in another folder
count=${COUNT:-6}
docs=docs/internals
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

load() { awk '{ print $1 }' /proc/loadavg 2>/dev/null || echo unknown; }

raw=${RAW:-}
if [ -z "$raw" ]; then
	raw=eval/results/bench${QUICK:+-quick}.txt
	mkdir -p eval/results
	echo "load before: $(load)" >"$raw"
	"$go" test -tags bench -timeout 0 -run '^$' -bench . -benchtime 9x ./internal/bench | tee -a "$raw"
	"$go" test -run '^$' -bench 'Confined/NodeModules' -benchtime 15x ./host/launch | tee -a "$raw"
	if [ -z "$QUICK" ]; then
		"$go" test -p 1 -timeout 0 -run '^$' -bench . -benchmem -count "$count" ./... | tee -a "$raw"
	fi
	echo "load after: $(load)" >>"$raw"
fi

facts=(
	"machine: $(sed -n 's/^cpu: //p' "$raw" | head -n 1), $(getconf _NPROCESSORS_ONLN) cores, $(uname -s) $(uname -m), temporary folder on $(stat -f -c %T "${TMPDIR:-/tmp}")"
	"$(sed -n 's/^load before: /load of the machine before: /p' "$raw"), $(sed -n 's/^load after: /after: /p' "$raw")"
	"commit: $(git log -1 --format='%h of %cs' 2>/dev/null || echo unknown), next to 5520155"
	"Go: $("$go" env GOVERSION)"
)
for peer in 'mcp-context-protector:MCP_CONTEXT_PROTECTOR' 'mcpproxy-go:MCPPROXY_GO'; do
	clone=${peer#*:}
	[ -z "${!clone:-}" ] || facts+=("${peer%:*}: $(git -C "${!clone}" log -1 --format='commit %h of %cs')")
done

if [ -n "$QUICK" ]; then
	"$go" run ./internal/bench -held "$docs/benchmarks.md" "${facts[@]}" <"$raw"
	exit
fi

# The planner's figures need a public corpus, which is not part of the project.
cases=$ASK_DATA/cases/planner.jsonl
if [ -f "$cases" ]; then
	bin/ask eval planner --cases "$cases" --out "$work" -q >/dev/null
	sed 1d "$work/planner_table.md" >"$work/planner.md"
else
	echo "$cases is not there: the planner's figures are left out" >&2
	: >"$work/planner.md"
fi
"$go" run ./internal/bench -docs docs -planner "$work/planner.md" "${facts[@]}" <"$raw"

# A mean over benchmarks that have nothing in common says nothing.
grep -E '^(goos|goarch|cpu|pkg|Benchmark)' "$raw" >"$work/bench"
"$go" tool -modfile=tools/go.mod benchstat "median=$work/bench" | sed '/^geomean/d; /^² /d; s/[[:space:]]*$//' >"$docs/benchmarks.txt"
"$go" test . -run '^TestProseIsWrapped$' -wrap
