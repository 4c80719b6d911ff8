# Counts the tests of a machine's console, and prints a line for the kernel, one
# for each reason to skip a test, and one for each failure. A console without the
# end of the tests is a failure.
BEGIN                 { kernel = abi = "unknown" }
/^kernel /            { kernel = $2 }
/the machine is/      { abi = $0; sub(/.*Landlock:/, "", abi); sub(/ .*/, "", abi) }
/^ +[a-z_0-9]+\.go:/  { text[++lines] = $0 }
/ not here: /         { reason = $0; sub(/.* not here: /, "", reason); reasons[reason]++ }
/^--- PASS/           { passed++ }
/^--- SKIP/           { skipped++ }
/^--- FAIL/           { failed++; failures[failed] = $3 }
/^ended with status / { ended = ($4 == 0) }
END {
	printf "%s: Linux %s, Landlock ABI %s: %d passed, %d failed, %d skipped\n", name, kernel, abi, passed, failed, skipped
	for (reason in reasons) printf "  skipped %d: %s\n", reasons[reason], reason
	for (i = 1; i <= failed; i++) printf "  failed: %s\n", failures[i]
	if (failed) for (i = 1; i <= lines; i++) if (text[i] !~ / not here: |the machine is/) print "  " text[i]
	if (!ended) print "  the tests did not end well"
	exit failed > 0 || !ended
}
