#!/usr/bin/env bash
# Measures a small real model as the planner. It starts the model behind a llama.cpp
# server on loopback, and runs the measurements that docs/internals/evaluation.md quotes. It needs
# Python 3.11 or later with venv, x86-64 Linux, a package index, and an hour of a free core.
#
#   MODEL=small  or larger, which has ten times as many parameters (1.1 GB to fetch)
#   MARKS=run    or suggest, the setting model_marks: a marked call becomes a suggestion
#   CASES=N      of the 183 whole questions, spread evenly; all by default
#   ROWS=N       rows of each public corpus in $ASK_DATA, spread evenly; 0 for none. By default
#                20 of InjecAgent's, 60 of BFCL's, 12 everyday ones
#   LIMIT=1h     of each measurement; the cases measured by then are kept and quoted
#   THREADS=1    of the server
#   OUT=DIR      for the results; bin/model by default
set -euo pipefail
cd "$(dirname "$0")"

missing() {
	printf 'model: %s\n' "$*" >&2
	exit 1
}

[[ "$(uname -sm)" == 'Linux x86_64' ]] || missing "the pinned server is for Linux x86_64, and this is $(uname -sm)"
python3 -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || missing 'needs Python 3.11 or later with venv (apt-get install python3-venv)'

root=$(cd ../.. && pwd)
data=${ASK_DATA:-$root/../shared/data}/cases
model=${MODEL:-small}
case $model in
small) named=smollm2-135m-instruct pins=requirements.txt venv=venv out=${OUT:-$root/bin/model} ;;
larger) named=qwen2.5-coder-1.5b-instruct pins=larger.txt venv=venv-larger out=${OUT:-$root/bin/model-larger} ;;
*) missing "MODEL is small or larger, not $model" ;;
esac
[ -d "$data" ] || missing "no corpora in $data: ASK_DATA names their directory"
make --no-print-directory -C "$root" build
mkdir -p "$out"

# The packages in the file of pins, with their digests, are installed once.
if ! cmp -s "$pins" "$venv/installed"; then
	rm -rf "$venv" && python3 -m venv "$venv"
	"$venv/bin/pip" install --quiet --disable-pip-version-check --no-deps --require-hashes -r "$pins" ||
		missing 'pip failed: it needs a package index, or a filled cache'
	cp "$pins" "$venv/installed"
fi

# The server lives as long as its standard input, which ends with this script.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkfifo "$work/life" "$work/says"
"$venv/bin/python" serve.py "$model" "${THREADS:-1}" <"$work/life" >"$work/says" 2>"$out/server.log" &
exec 7>"$work/life" 8<"$work/says"
read -r -t 120 -u 8 address || missing "the server did not start: see $out/server.log"

export ASK_HOME=$work/home ASK_MODEL=openai LLM_BASE_URL=$address/v1 LLM_MODEL=$named
mkdir -p "$ASK_HOME"
# Arguments are constrained to their form. Without that, this model writes objects within
# objects until its output is full. A plan is a fifth of this limit, and a longer output
# does not end by itself.
printf 'constrain = "arguments"\nmodel_timeout = "5m"\nmax_prompt = 16384\nmax_output = 256\nmodel_marks = "%s"\n' "${MARKS:-run}" >"$ASK_HOME/config.toml"

step() { # a failure here is a finding, and does not end the script
	printf '\n==== ask %s\n' "$*"
	local began=$SECONDS
	"$root/bin/ask" "$@" 7>&- 8<&- || printf '==== exit %d\n' $?
	printf '==== %d s\n' $((SECONDS - began))
}

limits=(--jobs 1 --timeout "${LIMIT:-1h}")
step models test
step eval e2e --planner model --mode safe ${CASES:+--sample "$CASES"} "${limits[@]}" --out "$out"
[ "${ROWS:-}" != 0 ] || exit 0
step eval injection --planner model --cases "$data/injection.jsonl" --tools "$data/injection-tools.jsonl" --sample "${ROWS:-20}" "${limits[@]}" --out "$out"
step eval planner --model openai --cases "$data/planner.jsonl" --sample "${ROWS:-60}" "${limits[@]}" --out "$out/planner"
step eval planner --model openai --cases "$data/questions.jsonl" --sample "${ROWS:-12}" "${limits[@]}" --out "$out/questions"
