# Reads the events of `go test -json`. Prints each failure, a line for each
# package, and at the end the counts and the packages that failed. If a package
# died in a test, that test counts as failed: `go test` reports no end of it.

# field: a member of an event that is a text, decoded from JSON. No member can begin
# within another text, because its quotation marks are escaped.
function field(event, name,    at, c, s, rest) {
	at = index(event, "\"" name "\":\"")
	if (!at) return ""
	rest = substr(event, at + length(name) + 4)
	while ((c = substr(rest, 1, 1)) != "\"" && rest != "") {
		if (c != "\\") {
			match(rest, /^[^"\\]+/)
			s = s substr(rest, 1, RLENGTH)
			rest = substr(rest, RLENGTH + 1)
			continue
		}
		c = substr(rest, 2, 1)
		if (c == "u") {
			c = substr(rest, 3, 4)
			s = s (c in spelt ? spelt[c] : "\\u" c)
			rest = substr(rest, 7)
			continue
		}
		s = s (c == "n" ? "\n" : c == "t" ? "\t" : c == "r" ? "\r" : c)
		rest = substr(rest, 3)
	}
	return s
}

# words: the output of a test. It is kept line by line, as it came, because most tests pass
# and their output is not read.
function words(key,    i, s) {
	for (i = 1; i <= said[key]; i++) s = s field(line[key, i], "Output")
	return s
}

function finish(key,    i) {
	for (i = 1; i <= said[key]; i++) delete line[key, i]
	delete said[key]
	delete running[key]
}

BEGIN {
	spelt["003c"] = "<"; spelt["003e"] = ">"; spelt["0026"] = "&"; spelt["001b"] = "\033"
}

{
	action = field($0, "Action"); package = field($0, "Package"); test = field($0, "Test"); key = package " " test
}

!/^[{]/ { print; next } # the go command's own words

action == "build-output" { printf "%s", field($0, "Output"); next }

action == "output" {
	if (test == "") { text = field($0, "Output"); if (text != "PASS\n") { printf "%s", text; fflush() } }
	else if (!index($0, "\"Output\":\"=== ")) line[key, ++said[key]] = $0
	next
}

test == "" && (action == "pass" || action == "skip" || action == "fail") {
	if (action == "pass") packages++
	if (action == "fail") broken[++breaks] = package
	for (key in running) if (index(key, package " ") == 1) {
		if (action == "fail") {
			failed++
			broken[breaks] = broken[breaks] "\n  ended in " substr(key, length(package) + 2)
			printf "%s", words(key)
		}
		finish(key)
	}
}

test == "" { next }

action == "run" { running[key] = 1 }
action == "pass" { passed++; finish(key) }
action == "fail" { failed++; printf "%s", words(key); finish(key) }
action == "skip" {
	why = words(key)
	gsub(/ *--- SKIP:[^\n]*\n/, "", why)
	gsub(/^ +|\n+$/, "", why)
	gsub(/\n */, " ", why)
	skipped[++skips] = package " " test ": " why
	finish(key)
}

END {
	for (i = 1; i <= skips; i++) print "skipped: " skipped[i]
	for (i = 1; i <= breaks; i++) print "failed: " broken[i]
	printf "%d tests passed, %d failed, %d were skipped; %d packages passed, %d failed.\n", passed, failed, skips, packages, breaks
}
