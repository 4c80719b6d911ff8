# Reads the events of `go test -json`. Prints what failed, a line for each
# package, and in the end how many tests were skipped.

# field: a member of the event that is a text, as it was before it became JSON.
# Within another text no member can begin, for its quotation marks are escaped.
function field(name,    at, c, s, rest) {
	at = index($0, "\"" name "\":\"")
	if (!at) return ""
	rest = substr($0, at + length(name) + 4)
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

BEGIN {
	spelt["003c"] = "<"; spelt["003e"] = ">"; spelt["0026"] = "&"; spelt["001b"] = "\033"
}

{
	action = field("Action"); package = field("Package"); test = field("Test"); key = package " " test
}

!/^[{]/ { print; next } # the go command's own words

action == "build-output" { printf "%s", field("Output"); next }

action == "output" {
	text = field("Output")
	if (test == "") { if (text != "PASS\n") printf "%s", text }
	else if (text !~ /^=== /) said[key] = said[key] text
	next
}

test == "" {
	# What was still running when the package ended failed with it.
	for (key in said) if (index(key, package " ") == 1) {
		if (action == "fail") printf "%s", said[key]
		delete said[key]
	}
	next
}

action == "pass" { passed++; delete said[key] }
action == "fail" { failed++; printf "%s", said[key]; delete said[key] }
action == "skip" {
	why = said[key]
	gsub(/ *--- SKIP:[^\n]*\n/, "", why)
	gsub(/^ +|\n+$/, "", why)
	gsub(/\n */, " ", why)
	skipped[++skips] = package " " test ": " why
	delete said[key]
}

END {
	for (i = 1; i <= skips; i++) print "skipped: " skipped[i]
	printf "%d tests passed, %d failed, %d were skipped.\n", passed, failed, skips
}
