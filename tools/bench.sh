#!/usr/bin/env bash
# Runs every benchmark $COUNT times, one package after another so that none disturbs
# another, and keeps the medians. docs/internals/benchmarks.md shows which aims they meet and miss,
# docs/internals/benchmarks-details.md has the tables, and docs/internals/benchmarks.txt the rest.
set -euo pipefail
cd "$(dirname "$0")/.."

go=${GO:-go}
export CGO_ENABLED=0 # as the program is built: a confined server starts it once more
count=${COUNT:-6}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

GO=$go # RAW=FILE makes the page of an earlier run, which is kept in eval/results.
raw=${RAW:-eval/results/bench.txt}
if [ -z "${RAW:-}" ]; then
	mkdir -p eval/results
	"$go" test -p 1 -run '^$' -bench . -benchmem -count "$count" ./... | tee "$raw"
	# The clients of a real server, ten of each in turn.
	if cmp -s interop/package-lock.json interop/node_modules/.onestep-installed; then
		"$go" test -tags interop -run '^$' -bench . -benchtime 10x ./interop | tee -a "$raw"
	else
		echo 'what make interop installs is not there: the figures of a real server are left out' >&2
	fi
fi
grep -q '^Benchmark' "$raw" || {
	echo "no benchmark ran" >&2
	exit 1
}

# median NAME UNIT: the median of its runs. As in benchstat, for an even number of runs it is
# the mean of the two in the middle. One figure has one median on the page.
median() {
	awk -v name="$1" -v unit="$2" '{ sub(/-[0-9]+$/, "", $1) } $1 == name { for (i = 3; i < NF; i += 2) if ($(i + 1) == unit) print $i }' "$raw" | sort -g |
		awk '{ v[NR] = $1 } END { if (!NR) exit 1; print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'
}

# ratio A B: one row of the table.
ratio() {
	local a b
	a=$(median "$1" ns/op) && b=$(median "$2" ns/op) || { echo "no figure of $1 or $2: the row is left out" >&2; return 0; }
	awk -v a="$a" -v b="$b" -v an="$1" -v bn="$2" 'BEGIN { printf "| `%s` %.0f µs | `%s` %.0f µs | %.2f |\n", an, a / 1e3, bn, b / 1e3, a / b }'
}

# aim WHAT NAME UNIT LIMIT SCALE SAID: one row of the table of aims. SAID is the unit of the
# limit; it is SCALE times a unit of the benchmark. An aim without a benchmark in this run is
# neither met nor missed.
aim() {
	local figure
	figure=$(median "$2" "$3") || { echo "| $1 | at most $4 $6 | | not measured in this run |"; return 0; }
	awk -v what="$1" -v name="$2" -v x="$figure" -v limit="$4" -v scale="$5" -v said="$6" 'BEGIN {
		x /= scale
		printf "| %s | at most %s %s | `%s` %.1f %s | %s |\n", what, limit, said, name, x, said, x <= limit ? "met" : "**missed**"
	}'
}

# peak OF: one row of the table of peaks, in MiB.
peak() {
	local at way figure row="| $1 |"
	for at in tools/list tools/call; do
		for way in stdio HTTP; do
			figure=-
			[ "$1 $at" = 'tools tools/call' ] || figure=$(median "BenchmarkPeak/$1/$at/$way" peak-bytes) || { echo "no figure of $1, $at, $way: the row is left out" >&2; return 0; }
			row+=" $(awk -v x="$figure" 'BEGIN { if (x == "-") print x; else printf "%.0f", x / 1048576 }') |"
		done
	done
	echo "$row"
}

# again WAY TOOLS: one row of the table of repeated listings.
again() {
	local a b name="BenchmarkListAgain/$1,_$2_tools"
	a=$(median "$name" us/call) && b=$(median "$name" us/call-without) || { echo "no figure of $name: the row is left out" >&2; return 0; }
	awk -v a="$a" -v b="$b" -v way="${1//_/ }" -v n="$2" 'BEGIN { printf "| %s, %d tools | %.0f µs | %.0f µs | %.2f |\n", way, n, a, b, a / b }'
}

# wrap N: one row of the table of wrapped calls.
wrap() {
	local a b c name="BenchmarkWrap/$1_tools"
	a=$(median "$name" wrapped-ms) && b=$(median "$name" bare-ms) || { echo "no figure of $name: the row is left out" >&2; return 0; }
	c=$(median "$name" cpu-ms) || c=-
	awk -v a="$a" -v b="$b" -v c="$c" -v n="$1" 'BEGIN { printf "| %d | %.2f ms | %.2f ms | %.1f | %.2f ms | %s |\n", n, a, b, a / b, a - b, c == "-" ? c : sprintf("%.2f ms", c) }'
}

# catalog N: one row of the table of runs by the size of their catalog.
catalog() {
	local memory="BenchmarkRun/$1_tools/no_disk" disk="BenchmarkRun/$1_tools/disk"
	awk -v n="$1" -v t="$(median "$memory" ns/op)" -v p="$(median "$memory" p99-ns)" -v d="$(median "$disk" ns/op)" \
		-v b="$(median "$memory" trace-B)" -v o="$(median "$memory" objects-B)" -v s="$(median "$memory" syncs)" \
		'BEGIN { printf "| %d | %.2f ms | %.2f ms | %.2f ms | %d bytes | %d bytes | %d |\n", n, t / 1e6, p / 1e6, d / 1e6, b, o, s }'
}

# servers N: one row of the table of servers.
servers() {
	local way row="| $1 |"
	for way in approved live; do
		row+=$(awk -v t="$(median "BenchmarkServers/$1/$way" ns/op)" -v n="$(median "BenchmarkServers/$1/$way" servers/op)" 'BEGIN { printf " %.0f ms | %.0f |", t / 1e6, n }')
	done
	echo "$row"
}

# client NAME SHOWN: one row of the table of a real server's clients.
client() {
	local answer exit
	answer=$(median BenchmarkEverything "$1-answer-ms") && exit=$(median BenchmarkEverything "$1-exit-ms") || return 0
	awk -v name="$2" -v a="$answer" -v e="$exit" -v aa="$(median BenchmarkEverything ask-answer-ms)" -v ae="$(median BenchmarkEverything ask-exit-ms)" \
		'BEGIN { printf "| %s | %.0f ms | %.0f ms | %.2f | %.2f |\n", name, a, e, aa / a, ae / e }'
}

# The planner's figures need a public corpus, which is not part of the project.
cases=${ASK_DATA:-../shared/data}/cases/planner.jsonl
if [ -f "$cases" ]; then
	bin/ask eval planner --cases "$cases" --out "$work" -q >/dev/null
else
	echo "$cases is not there: the planner's figures are left out" >&2
fi

cpu=$(sed -n 's/^cpu: //p' "$raw" | head -n 1)
bytes=$(wc -c <bin/ask)
{
	cat <<EOF
# Benchmarks

Written by \`make bench\`; not edited by hand. Everything below was measured in one run, each benchmark
$count times. A figure is the median of these runs, the same one wherever it
appears; the percentage is the spread of the runs. Compare only figures of one table; another machine
has other figures.

- machine: ${cpu:-unknown}, $(getconf _NPROCESSORS_ONLN) cores, $(uname -s) $(uname -m)
- Go: $("$go" env GOVERSION)
- bin/ask: $(awk -v b="$bytes" 'BEGIN { printf "%.1f", b / 1e6 }') MB ($bytes bytes), stripped, without cgo

## Aims

| | aim | figure | |
|---|---|---|---|
EOF
	aim 'gates of one question (admit, parse, approve)' BenchmarkGates ns/op 50 1e3 µs
	aim 'the intent lock of a typical call' BenchmarkCompare/Typical ns/op 10 1e3 µs
	aim 'the intent lock of the largest call' BenchmarkCompare/Largest ns/op 20 1e6 ms
	aim 'a decision by 20 rules, of which 3 are of the tool' BenchmarkDecide/20_rules_of_which_3_match ns/op 50 1e3 µs
	aim 'a decision by 1,000 rules, of which 10 are of the tool' BenchmarkDecide/1000_rules_of_which_10_match ns/op 1 1e6 ms
	aim 'reading 1,000 rules at a start' BenchmarkParse/1000_rules ns/op 5 1e6 ms
	aim 'what the state knows of a call, with 10,000 grants' BenchmarkKnown ns/op 1 1e6 ms
	aim 'trying a rule on 1,000 calls' BenchmarkTry ns/op 2 1e9 s
	aim 'seeing that 100 tools are what was approved' BenchmarkVerify/100_tools_as_approved ns/op 2 1e6 ms
	aim 'escaping and scanning 1 MiB of prose' BenchmarkScan/Prose ns/op 20 1e6 ms
	aim 'escaping and scanning 1 MiB of requests and orders' BenchmarkScan/Attack ns/op 20 1e6 ms
	aim 'opening the state' BenchmarkOpen ns/op 10 1e6 ms
	aim 'a run over 600 real tools, at p99, without model, tool and disk' BenchmarkRun/600_tools/no_disk p99-ns 1 1e6 ms
	aim '`ask --demo` from start to exit' BenchmarkStart/demo ns/op 28 1e6 ms
	aim '`ask` from start to an error exit' BenchmarkStart/error_exit ns/op 12 1e6 ms
	aim 'a trace next to its result, of a run over 600 tools' BenchmarkRun/600_tools/no_disk trace-B 16 1024 KiB
	aim 'a one-shot call, as times of a bare client' BenchmarkEverything times-bare 1.1 1 ×
	aim 'what `ask wrap` adds to a call, with 200 tools' BenchmarkWrap/200_tools added-ms 8 1 ms
	aim 'what `ask wrap` adds to a call, with 600 tools' BenchmarkWrap/600_tools added-ms 12 1 ms
	aim 'memory of `ask wrap` after 1,100 calls, as times of that after 100' BenchmarkWrapMemory last/first 1.1 1 ×
	for in in Go Python Node; do
		aim "what confining a server in $in adds to its start" "BenchmarkConfined/$in" start-added-ms 6 1 ms
		aim "a call of a confined server in $in, as times of the bare one" "BenchmarkConfined/$in" call-times-bare 1.05 1 ×
	done
	aim 'what confining a server adds to a connection' BenchmarkConfined/Go connection-added-ms 0.1 1 ms
	aim 'memory of a run' BenchmarkMemory peak-bytes 64 1048576 MiB
	aim 'memory of a run, whatever one server answers (the worst found)' BenchmarkPeak/quotes/tools/list/stdio peak-bytes 200 1048576 MiB
	cat <<'EOF'

## What the figures leave out

- **Disk.** Traces are discarded, except in `BenchmarkStart/demo` and the `disk` rows of `BenchmarkRun`. A run waits for
  the disk before its call leaves and at its end.
- **Start.** A server is started once and its connection kept, except in `BenchmarkStart`. A question at the command
  line starts the process and its servers; `npx` alone may take seconds.
- **A cold catalog.** A run reuses the known tools of a server whose listing did not change. The first listing of a
  process costs what `BenchmarkCatalogOf200RealTools` takes for 200 tools; every question at the command line is the
  first.
- **The model and the tool.** No benchmark asks a model, and the tools answer at once.

[benchmarks-details.md](benchmarks-details.md) has the tables by size and by transport, [benchmarks.txt](benchmarks.txt)
every figure as benchstat prints it.
EOF
} >"$work/benchmarks.md"

grep -E '^(goos|goarch|cpu|pkg|Benchmark)' "$raw" | grep -v '^BenchmarkEverything' >"$work/bench"
# A mean over benchmarks that have nothing in common says nothing.
"$go" tool -modfile=tools/go.mod benchstat "median=$work/bench" | sed '/^geomean/d; /^² /d; s/[[:space:]]*$//' >"$work/benchmarks.txt"

{
	echo '# Benchmarks in detail'
	echo
	echo 'Written by `make bench` from the same run as [benchmarks.md](benchmarks.md); not edited by hand.'
	echo
	echo '## Side by side'
	echo
	echo 'Medians of the same run, as ratios. The bare call is the SDK'"'"'s own `CallTool` over the same transport; a whole run'
	echo 'lists the tools, plans, approves, calls, accepts and records. `BenchmarkStart` measures whole processes: the bare program'
	echo 'links the SDK, does nothing, and ends with an error as `ask nosuchcommand` does.'
	echo
	echo '| | next to | ratio |'
	echo '|---|---|---|'
	ratio BenchmarkAskInMemory BenchmarkBareCallInMemory
	ratio BenchmarkAskStdio BenchmarkBareCallStdio
	ratio BenchmarkCallInMemory/onestep BenchmarkCallInMemory/bare_SDK
	ratio BenchmarkCallStdio/onestep BenchmarkCallStdio/bare_SDK
	ratio BenchmarkGates BenchmarkBareCallStdio
	ratio BenchmarkStart/error_exit BenchmarkStart/bare_SDK
	ratio BenchmarkStart/demo BenchmarkStart/bare_SDK
	cat <<'EOF'

## Peak memory of a hostile answer

The greatest resident memory, in MiB, of `ask call --summarize` against a server that answers with 16 MiB of one kind of
data, at default limits: `go test -run none -bench Peak ./cmd/ask`.

| 16 MiB of | listing, stdio | listing, HTTP | result, stdio | result, HTTP |
|---|---|---|---|---|
EOF
	for of in zeros brackets names text escapes quotes tools; do peak "$of"; done
	cat <<'EOF'

## Listing again before every call

Right before each call `ask` lists the tools again on the same connection, and compares the live descriptor with the
approved one. `BenchmarkListAgain` calls with and without that listing, in turn, on a server with that many tools of the
usual size. A server on a network costs one more round trip for each page of its listing.

| | a call | without the listing | ratio |
|---|---|---|---|
EOF
	for way in stdio streamable_HTTP; do
		for tools in 10 200; do again "$way" "$tools"; done
	done
	if median BenchmarkWrap/200_tools wrapped-ms >/dev/null; then
		cat <<'EOF'

## A call through `ask wrap`

Medians of `BenchmarkWrap`: a client's call of a server over stdio, bare and through `ask wrap` in turn, by the number of tools
that the server lists. The last column is the processor time of `ask` itself for a call.

| tools | through `ask wrap` | bare | ratio | added | processor |
|---|---|---|---|---|---|
EOF
		for n in 10 200 600; do wrap "$n"; done
	fi
	if median BenchmarkServers/50/approved ns/op >/dev/null; then
		cat <<'EOF'

## A question, by the number of servers

`BenchmarkServers`: a whole process with that many configured and approved servers. A run starts only the called one; with
`--live` it starts all.

| servers | a run | servers started | with `--live` | servers started |
|---|---|---|---|---|
EOF
		for n in 1 10 50; do servers "$n"; done
	fi
	if median BenchmarkRun/600_tools/no_disk ns/op >/dev/null; then
		echo
		echo '## A run by the size of its catalog'
		echo
		echo 'Medians of `BenchmarkRun`: whole runs without model and tool over real tools, whose listings the host knows from a run'
		echo 'before. The trace excludes the result. Objects are written once, for all runs. A run waits for its syncs.'
		echo
		echo '| tools | without the disk | p99 | with the disk | trace | objects, once | syncs |'
		echo '|---|---|---|---|---|---|---|'
		for n in 1 30 200 600; do catalog "$n"; done
	fi
	if median BenchmarkEverything ask-exit-ms >/dev/null; then
		echo
		echo '## A real server'
		echo
		echo 'Medians of `BenchmarkEverything`: whole processes that call `echo` of server-everything over stdio, ten of each in turn, from'
		echo 'their start to the answer on stdout and to their exit. The bare client is the Go SDK'"'"'s, with no capabilities and no listing.'
		echo
		echo '| client | answer | exit | ask, to the answer | ask, to the exit |'
		echo '|---|---|---|---|---|'
		client ask '`ask call`'
		client bare 'a bare client of the Go SDK'
		client inspector 'the inspector'"'"'s CLI'
	fi
	if [ -f "$work/planner_table.md" ]; then
		echo
		echo '## The embedded planner, on cases'
		echo
		echo "By \`ask eval planner --cases ../shared/data/cases/planner.jsonl\`; [planner-method.md](planner-method.md#measured)"
		echo "says what the rows and the halves are."
		sed 1d "$work/planner_table.md"
	fi
} >"$work/benchmarks-details.md"
mv "$work/benchmarks.md" "$work/benchmarks-details.md" "$work/benchmarks.txt" docs/internals/
cat docs/internals/benchmarks.md
