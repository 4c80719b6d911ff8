#!/usr/bin/env bash
# Runs every suite of `ask eval`, and compares the figures with those of eval/baseline. A
# figure that became worse, or is gone, is a failure. With UPDATE set the figures become
# the new baseline; commit it only if the change is intended.
set -euo pipefail
cd "$(dirname "$0")/.."

data=${ASK_DATA:-../shared/data}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
worse=0

# suite NAME ARGS...: measures, and compares the figures.
suite() {
	local name=$1 found
	shift
	bin/ask eval "$@" --out "$work/$name" -q >"$work/$name.txt" || { cat "$work/$name.txt"; echo "$name failed" >&2; return 1; }
	found=$(find "$work/$name" -name '*_metrics.json' -o -name '*_eval.json')
	if [ -n "${UPDATE:-}" ]; then
		mkdir -p eval/baseline
		bin/ask eval compare --update "eval/baseline/$name.json" "$found"
	else
		bin/ask eval compare "eval/baseline/$name.json" "$found" || worse=1
	fi
}

suite offline offline
suite grounding grounding
suite grounding_neighbours grounding --cases eval/cases/neighbours.jsonl
suite grounding_neighbours_2 grounding --cases eval/cases/neighbours-2.jsonl
suite lock lock
suite lock_2 lock --cases eval/cases/lock-2.jsonl
suite lock_3 lock --cases eval/cases/lock-3.jsonl
suite pins pins
suite pins_2 pins --steps eval/cases/pins-2.jsonl
suite pins_steps_3 pins --steps eval/cases/steps-3.jsonl
suite scan scan
suite scan_second scan --cases eval/cases/scan-second.jsonl
suite scan_tools scan --cases eval/cases/descriptions.jsonl
suite scan_answers scan --cases eval/cases/results.jsonl
suite scan_tools_2 scan --cases eval/cases/descriptions-2.jsonl
suite scan_answers_2 scan --cases eval/cases/results-2.jsonl
suite scan_blind_1 scan --cases eval/cases/scan-blind-1.jsonl
suite scan_blind_2 scan --cases eval/cases/scan-blind-2.jsonl
suite origins origins
suite origins_1 origins --cases eval/cases/talks-1.jsonl
suite origins_2 origins --cases eval/cases/talks-2.jsonl
suite origins_3 origins --cases eval/cases/talks-3.jsonl
suite suggest suggest --cases eval/cases/asks.jsonl --tools eval/cases/asks-tools.json
suite suggest_first suggest --cases eval/cases/first-questions.jsonl --tools eval/cases/asks-tools.json
suite suggest_2 suggest --cases eval/cases/asks-2.jsonl --tools eval/cases/asks-tools.json
suite suggest_first_2 suggest --cases eval/cases/first-questions-2.jsonl --tools eval/cases/asks-tools.json
suite suggest_3 suggest --cases eval/cases/asks-3.jsonl --tools eval/cases/asks-tools.json
suite suggest_4 suggest --cases eval/cases/asks-4.jsonl --tools eval/cases/asks-tools.json
# These start servers, in Node, Python and Go, under the sandbox of the kernel.
if [ -n "${ASK_REQUIRE_SANDBOX:-}" ] || { command -v node && command -v python3; } >/dev/null; then
	suite manifest manifest
else
	echo "node and python3 are not both there: the suite of manifests is left out" >&2
fi
# Twelve servers of registries. Some wait for seconds, so this runs only on request.
[ -z "${ASK_PACKAGES:-}" ] || suite manifest_packages manifest --packages interop
suite e2e_embedded e2e --planner embedded
suite e2e_compromised e2e --planner compromised
[ ! -d "$data/tools-list" ] || suite scan_listings scan --listings "$data/tools-list"
[ ! -d "$data/tools-list-versions" ] || suite pins_releases pins --releases "$data/tools-list-versions"
if [ -d "$data/cases" ]; then
	suite injection injection --cases "$data/cases/injection.jsonl" --tools "$data/cases/injection-tools.jsonl"
	suite scan_results scan --results "$data/cases/injection.jsonl"
	suite requests requests --cases "$data/cases/requests.jsonl"
	suite grounding_texts grounding --cases "$data/cases/grounding.jsonl"
	suite planner planner --cases "$data/cases/planner.jsonl"
	suite questions planner --cases "$data/cases/questions.jsonl"
elif [ -n "${ASK_DATA_REQUIRED:-}" ]; then
	echo "$data/cases is not there" >&2
	exit 1
else
	echo "$data/cases is not there: the suites of public corpora are left out" >&2
fi
exit $worse
