package onestep_test

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"
)

var wrapPages = flag.Bool("wrap", false, "wrap the prose of the pages")

const proseWidth = 120 // characters

var mergeMark = regexp.MustCompile(`(?m)^(?:<{7}|={7}|>{7}|\|{7})(?: .*)?$`)

// Lines of prose on pages have at most 120 characters: a diff shows what changed.
func TestProseIsWrapped(t *testing.T) {
	t.Parallel()
	pages := docPages(t)
	for _, file := range append(pages, "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md") {
		text := page(t, file)
		if mark := mergeMark.FindString(text); mark != "" {
			t.Errorf("%s has a mark of a merge: %q", file, mark)
		}
		wrapped := wrap(text)
		switch {
		case wrapped == text:
		case !*wrapPages:
			t.Errorf("%s has lines of more than %d characters: go test . -run TestProseIsWrapped -wrap", file, proseWidth)
		default:
			if err := os.WriteFile(file, []byte(wrapped), 0o600); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestWrapLeavesWhatIsNoProse(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", 30) + "`a span of code` - end"
	for name, c := range map[string]struct{ text, want string }{
		"short lines":   {"one\ntwo\n", "one\ntwo\n"},
		"a table":       {"| " + long + " |\n", "| " + long + " |\n"},
		"fenced code":   {"```sh\n" + long + "\n```\n", "```sh\n" + long + "\n```\n"},
		"indented code": {"a\n\n    " + long + "\n", "a\n\n    " + long + "\n"},
		"a comment":     {"<!-- " + long + " -->\n", "<!-- " + long + " -->\n"},
		"a heading":     {"# " + long + "\n", "# " + long + "\n"},
		"a paragraph":   {long + "\nmore\n", strings.Repeat("word ", 23) + "word\n" + strings.Repeat("word ", 6) + "`a span of code` - end more\n"},
		"a list":        {"- " + long + "\n- next\n", "- " + strings.Repeat("word ", 22) + "word\n  " + strings.Repeat("word ", 7) + "`a span of code` - end\n- next\n"},
	} {
		if got := wrap(c.text); got != c.want {
			t.Errorf("%s becomes\n%q, want\n%q", name, got, c.want)
		}
	}
}

var (
	listMark = regexp.MustCompile(`^ *(?:[-*+]|\d+[.)]) +`)
	noProse  = regexp.MustCompile(`^\s*(?:$|#|\||<|>|!)`)
	// pieces are what a line is not broken in. What would begin a list, a heading
	// or a table at the start of a line stays with the word before it.
	pieces  = regexp.MustCompile("(?:`[^`]*`|[^ `])+")
	noStart = regexp.MustCompile(`^(?:[-*+#>|=]+|\d+[.)])$`)
)

// wrap breaks the paragraphs that have a line that is too long, and those alone.
func wrap(text string) string {
	var out, paragraph []string
	end := func() {
		out = append(out, wrapParagraph(paragraph)...)
		paragraph = nil
	}
	fenced, listed, blank := false, false, true
	for line := range strings.SplitSeq(text, "\n") {
		fence := strings.HasPrefix(strings.TrimSpace(line), "```")
		item := listMark.MatchString(line)
		code := !listed && blank && !item && strings.HasPrefix(line, "    ")
		switch {
		case fence || fenced || noProse.MatchString(line) || code:
			end()
			out = append(out, line)
			fenced = fenced != fence
		case item:
			end()
			fallthrough
		default:
			paragraph = append(paragraph, line)
			listed = item || listed && (strings.HasPrefix(line, " ") || !blank)
		}
		blank = !fence && (strings.TrimSpace(line) == "" || code)
	}
	end()
	return strings.Join(out, "\n")
}

func wrapParagraph(lines []string) []string {
	tooLong := false
	for _, line := range lines {
		tooLong = tooLong || len([]rune(line)) > proseWidth
	}
	if !tooLong {
		return lines
	}
	mark := listMark.FindString(lines[0])
	indent := strings.Repeat(" ", len(mark))
	if mark == "" {
		indent = lines[0][:len(lines[0])-len(strings.TrimLeft(lines[0], " "))]
		mark = indent
	}
	words := pieces.FindAllString(strings.TrimPrefix(strings.Join(lines, " "), mark), -1)
	if bare := strings.NewReplacer(" ", ""); bare.Replace(strings.Join(words, "")) != bare.Replace(strings.TrimPrefix(strings.Join(lines, ""), mark)) {
		return lines // a back quote without another
	}
	out := []string{mark}
	for i, word := range words {
		last := &out[len(out)-1]
		next := word
		if i+1 < len(words) && noStart.MatchString(words[i+1]) {
			next += " " + words[i+1]
		}
		switch {
		case i == 0:
			*last += word
		case len([]rune(*last+" "+next)) <= proseWidth || noStart.MatchString(word):
			*last += " " + word
		default:
			out = append(out, indent+word)
		}
	}
	return out
}
