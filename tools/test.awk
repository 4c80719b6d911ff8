# Reads the events of `go test -json`. Prints what failed, a line for each
# package, and in the end how many tests were skipped.

# field: a member of an event that is a text, as it was before it became JSON.
# Within another text no member can begin, for its quotation marks are escaped.
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

# words: what a test has said. It is kept line by line, as it came: most tests
# pass, and nobody reads it.
function words(key,    i, s) {
	for (i = 1; i <= said[key]; i++) s = s field(line[key, i], "Output")
	return s
}

function forget(key,    i) {
	for (i = 1; i <= said[key]; i++) delete line[key, i]
	delete said[key]
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
	if (test == "") { text = field($0, "Output"); if (text != "PASS\n") printf "%s", text }
	else if (!index($0, "\"Output\":\"=== ")) line[key, ++said[key]] = $0
	next
}

test == "" {
	# What was still running when the package ended failed with it.
	for (key in said) if (index(key, package " ") == 1) {
		if (action == "fail") printf "%s", words(key)
		forget(key)
	}
	next
}

action == "pass" { passed++; forget(key) }
action == "fail" { failed++; printf "%s", words(key); forget(key) }
action == "skip" {
	why = words(key)
	gsub(/ *--- SKIP:[^\n]*\n/, "", why)
	gsub(/^ +|\n+$/, "", why)
	gsub(/\n */, " ", why)
	skipped[++skips] = package " " test ": " why
	forget(key)
}

END {
	for (i = 1; i <= skips; i++) print "skipped: " skipped[i]
	printf "%d tests passed, %d failed, %d were skipped.\n", passed, failed, skips
}
