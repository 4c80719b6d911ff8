#!/usr/bin/env bash
# Puts AgentDojo's tasks and injections through the gates, as docs/internals/evaluation.md
# quotes them. Needs Python 3.10 or later with venv, a package index, and minutes.
#
#   OUT=DIR   for the rows and the results; bin/agentdojo by default
set -euo pipefail
cd "$(dirname "$0")"

missing() {
	printf 'agentdojo: %s\n' "$*" >&2
	exit 1
}

python3 -c 'import sys, venv; sys.exit(sys.version_info < (3, 10))' 2>/dev/null || missing 'needs Python 3.10 or later with venv (apt-get install python3-venv)'
root=$(cd ../.. && pwd)
out=${OUT:-$root/bin/agentdojo}
make --no-print-directory -C "$root" build
mkdir -p "$out"

# The packages in requirements.txt, with their digests, are installed once.
if ! cmp -s requirements.txt venv/installed; then
	rm -rf venv && python3 -m venv venv
	venv/bin/pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements.txt ||
		missing 'pip failed: it needs a package index, or a filled cache'
	cp requirements.txt venv/installed
fi

venv/bin/python convert.py "$out"
for rows in clean attacked; do
	"$root/bin/ask" eval injection --cases "$out/$rows.jsonl" --tools "$out/tools.jsonl" --out "$out/$rows" -q >"$out/$rows.txt"
done
venv/bin/python figures.py "$out/clean" "$out/attacked"
# The scan of results on the results with the injected text.
"$root/bin/ask" eval scan --results "$out/poisoned.jsonl" --out "$out/scan" -q
