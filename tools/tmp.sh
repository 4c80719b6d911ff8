#!/usr/bin/env bash
# Reports an error if no program can be started from the temporary folders, for example on
# a file system mounted noexec. Tests and fuzzing start the programs that they build there.
set -euo pipefail

for dir in "${TMPDIR:-/tmp}" "${GOTMPDIR:-${TMPDIR:-/tmp}}"; do
	program=$(mktemp "$dir/start-XXXXXX")
	printf '#!/bin/sh\n' >"$program"
	chmod 700 "$program"
	code=0
	"$program" || code=$?
	rm -f "$program"
	if [ $code -ne 0 ]; then
		echo "nothing can be started from $dir, which may be mounted noexec; set TMPDIR (and GOTMPDIR, where it is set) to another folder" >&2
		exit 1
	fi
done
