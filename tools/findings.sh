#!/usr/bin/env bash
# Runs the named findings, or all of them, and prints which have changed: see
# findings/README.md. After "prove" it runs each one twice instead: once with another last
# expectation, and once with the other version of a package. The finding has to notice both.
set -uo pipefail
cd "$(dirname "$0")/../findings"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prove=
if [ "${1:-}" = prove ]; then
	prove=1
	shift
fi
[ $# -gt 0 ] || set -- *.sh
failed=0

# run prints a line for one run of a finding, and its output if it fails.
run() {
	local name=$1 file=$2 want=$3 start=$SECONDS code=0
	bash "$file" >"$work/log" 2>&1 || code=$?
	local said=unchanged
	[ $code -eq 0 ] || said='NOT RUN'
	[ $code -ne 1 ] || said=CHANGED
	printf '%-10s %4d s  %s\n' "$said" $((SECONDS - start)) "$name"
	[ "$said" = "$want" ] && return
	failed=$((failed + 1))
	sed 's/^/    /' "$work/log"
}

# turned prints a finding with another expectation in its last line.
turned() {
	awk '{ line[NR] = $0; if ($0 == "END") end = NR }
		END { for (i = 1; i <= NR; i++) print line[i] (i == end - 1 ? " no longer" : "") }' "$1"
}

# other prints a finding that installs its other version.
other() {
	awk '/^# Other:/ { name = $3; version = $4 }
		/^[a-z]+_(install|build) /, !/\\$/ {
			for (i = 1; i <= NF; i++) if (index($i, name "@") == 1 || index($i, name "==") == 1) {
				match($i, /(@|==)[^@=]*$/)
				$i = substr($i, 1, RSTART) (substr($i, RSTART, 2) == "==" ? "=" : "") version
			}
		}
		{ print }' "$1"
}

cp -R lib "$work"
for finding in "$@"; do
	name=$(basename "$finding" .sh)
	if [ -z "$prove" ]; then
		run "$name" "$name.sh" unchanged
		continue
	fi
	turned "$name.sh" >"$work/turned.sh"
	run "$name, expecting something else" "$work/turned.sh" CHANGED
	other "$name.sh" >"$work/other.sh"
	run "$name, with $(sed -n 's/^# Other: *//p' "$name.sh")" "$work/other.sh" CHANGED
done
[ $failed -eq 0 ] || { echo "$failed of the runs were not as expected"; exit 1; }
