#!/usr/bin/env bash
# Runs every fuzz target of the module, or those of the folders in $ROOMS, one after
# another, for $FUZZTIME each. It asks go for the targets, so that none can be forgotten.
# All run even if one fails; the input that breaks a target is kept in its testdata/fuzz.
set -euo pipefail
cd "$(dirname "$0")/.."

go=${GO:-go}
fuzztime=${FUZZTIME:-10s}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# interrupted runs a command and ends it as Ctrl-C would, after the time given.
# The fuzzer's own -fuzztime races with its workers and then fails a target that
# found nothing (golang/go#75804). An interrupt of the fuzzer alone ends it normally. If a
# worker is interrupted, too, it may look as if a finding had ended it.
interrupted() {
	timeout --foreground --preserve-status --signal=INT --kill-after=60s "$@"
}

# A package that does not compile ends the script here. Only those named rooms that have a
# target are compiled.
packages=()
for room in ${ROOMS:-}; do
	! grep -qs '^func Fuzz' "$room"/*_test.go || packages+=("./$room")
done
[ -n "${ROOMS:-}" ] || packages=(./...)
if ((${#packages[@]} == 0)); then
	echo "no fuzz target in $ROOMS: nothing to fuzz"
	exit 0
fi
"$go" test -list '^Fuzz' "${packages[@]}" >"$work/list"

# The names of a package come before the line "ok <package> <time>".
awk '/^Fuzz/ { names = names " " $1 }
     /^ok/   { if (names != "") print $2 names; names = "" }' "$work/list" >"$work/targets"

# The next package is compiled while one is fuzzed: a fuzzer's workers come and go.
compile() {
	"$go" test -c -fuzz=. -o "$work/$1.test" "$2"
}
mapfile -t rows <"$work/targets"
module=$("$go" list -m)
count=0
failed=()
compiling=
for i in "${!rows[@]}"; do
	read -r package names <<<"${rows[i]}"
	if [ -n "$compiling" ]; then wait "$compiling"; else compile "$i" "$package"; fi
	next=${rows[i + 1]:-}
	if [ -n "$next" ]; then
		compile $((i + 1)) "${next%% *}" &
		compiling=$!
	fi
	folder=.${package#"$module"}
	for name in $names; do
		echo "== $package $name"
		count=$((count + 1))
		(cd "$folder" && interrupted "$fuzztime" "$work/$i.test" -test.run='^$' -test.fuzz="^$name\$" \
			-test.fuzzcachedir="$work/corpus/$package" -test.parallel=2) || failed+=("$package $name")
	done
	rm "$work/$i.test"
done

if ((count == 0)) && [ -z "${ROOMS:-}" ]; then
	echo "no fuzz target was found" >&2
	exit 1
fi
if ((${#failed[@]} > 0)); then
	printf 'failed: %s\n' "${failed[@]}" >&2
	exit 1
fi
echo "$count fuzz targets, $fuzztime each"
