package main

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/gate/lex"
)

// typed is what a page has its reader type: a line of an indented block with what
// is printed after it, or a fenced block.
type typed struct {
	page, section, text string
	fenced              bool
	needs               []string // what a test has not, as the page says
	prints              string
}

// programs of indented blocks. An indented block of anything else begins as one of
// samples does, so that no misspelled program passes for a sample.
var (
	typeable = strings.Fields("ask make go sha256sum tar cd sudo head export .ci/run")
	samples  = lex.Pattern(`^(?:[{\["]|called |gate: |import |[A-Z_*]+ [A-Z_*]+ |paths, err :=)`)

	heading = lex.Pattern(`^##+ (.*)$`)
	mark    = lex.Pattern(`# (?:.*[;:,] )?needs ([^:;,.]+)(?:[:;,.]|$)`)
	setting = lex.Pattern(`^[A-Z_]+=\S* `)
)

// typedOn are the commands of a page, and what is wrong with its blocks.
func typedOn(page, text string) (all []typed, wrong []string) {
	section, fence, blank := "", "", true
	var body []string
	end := func() {
		found, bad := commandsOf(typed{page: page, section: section, fenced: fence != ""}, fence, body)
		all, wrong = append(all, found...), append(wrong, bad...)
		body = nil
	}
	for line := range strings.SplitSeq(text+"\n", "\n") {
		label, fences := strings.CutPrefix(line, "```")
		code, indented := strings.CutPrefix(line, "    ")
		switch {
		case fence != "" && fences:
			end()
			fence = ""
		case fence != "":
			body = append(body, line)
		case fences:
			end()
			fence = "```" + label
		case indented && (blank || body != nil):
			body = append(body, code)
		case line == "" && body != nil:
			body = append(body, "")
		default:
			end()
			if h := heading().FindStringSubmatch(line); h != nil {
				section = h[1]
			}
		}
		blank = line == ""
	}
	if fence != "" {
		return all, append(wrong, page+": a fence is not closed")
	}
	end()
	return all, wrong
}

// commandsOf are those of one block, which are the shell's where its fence or its
// first line says so.
func commandsOf(at typed, fence string, body []string) (all []typed, wrong []string) {
	body = outdented(body)
	fault := func(why, line string) { wrong = append(wrong, fmt.Sprintf("%s: %s: %q", at.page, why, line)) }
	switch {
	case len(body) == 0:
		return nil, nil
	case fence == "```sh":
		at.text, at.needs = strings.Join(body, "\n")+"\n", needs(body[0])
		return []typed{at}, nil
	case fence == "```":
		fault("a fence without a language", body[0])
	case fence != "":
	case samples().MatchString(body[0]):
	default:
		for _, line := range body {
			line, prompted := strings.CutPrefix(line, "$ ")
			last := len(all) - 1
			switch {
			case strings.HasPrefix(line, "# "):
				at.needs = needs(line)
			case types(line):
				next := at
				next.needs = append(needs(line), at.needs...)
				next.text = remark().ReplaceAllString(line, "")
				all = append(all, next)
			case line == "":
			case prompted || last < 0 || !strings.HasPrefix(body[0], "$ "):
				fault("neither a command that is known nor a sample", line)
			default:
				all[last].prints += line + "\n"
			}
		}
	}
	return all, wrong
}

// outdented is a block without the indentation that a list gives it.
func outdented(body []string) (all []string) {
	for _, line := range body {
		all = append(all, strings.TrimPrefix(line, body[0][:len(body[0])-len(strings.TrimLeft(body[0], " "))]))
	}
	return all
}

var remark = lex.Pattern(`\s+# .*$|\s{3,}.*$`)

func types(line string) bool {
	word, _, _ := strings.Cut(setting().ReplaceAllString(line, ""), " ")
	return slices.Contains(typeable, word)
}

// needs are the marks of a line. That of a comment before other lines is of them
// all, and that of the first line of a fenced block of the rest of its section.
func needs(text string) (all []string) {
	if m := mark().FindStringSubmatch(text); m != nil {
		return strings.Split(m[1], " and ")
	}
	return nil
}

// simple are the simple commands of a shell's text, each in words. A quoted word
// keeps its quotation marks.
func simple(script string) (commands [][]string) {
	script = regexp.MustCompile(`(?s)<<'?END'?(.*?)\nEND\n`).ReplaceAllString(script, "$1\n")
	var words []string
	word, quote := "", rune(0)
	next := func() {
		if word != "" {
			words = append(words, word)
		}
		word = ""
	}
	comment := false
	for _, r := range script + "\n" {
		switch {
		case comment && r != '\n':
			continue
		case quote != 0:
			word += string(r)
			if r == quote {
				quote = 0
			}
		case r == '"' || r == '\'':
			quote, word = r, word+string(r)
		case r == '#' && word == "":
			comment = true
		case strings.ContainsRune("\n;|&()", r):
			next()
			if words = unkeyed(words); len(words) > 0 {
				commands = append(commands, words)
			}
			words, comment = nil, false
		case r == ' ' || r == '\t':
			next()
		default:
			word += string(r)
		}
	}
	return commands
}

// unkeyed leaves out what may come before a command.
func unkeyed(words []string) []string {
	for len(words) > 0 && (slices.Contains([]string{"do", "then", "else", "!", "{", "time", "exec", "$"}, words[0]) || setting().MatchString(words[0]+" ")) {
		words = words[1:]
	}
	return words
}

// mistaken says what is wrong with a shell's text, as far as that can be seen
// without running it: a command that does not exist, and a flag, a target of make
// or a folder of Go that does not.
func mistaken(root *cobra.Command, script string) (wrong []string) {
	for _, words := range simple(script) {
		why := ""
		switch words[0] {
		case "ask":
			why = misadvice(root, words)
		case "make":
			why = noTarget(words[1:])
		case "go":
			why = noPackage(words[1:])
		}
		if why != "" {
			wrong = append(wrong, why)
		}
	}
	return wrong
}

var targets = lex.Pattern(`(?m)^[a-z]+:`)

func noTarget(words []string) string {
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		return err.Error()
	}
	for _, word := range words {
		if strings.Contains(word, "=") { // NAME=VALUE
			continue
		}
		if !slices.Contains(targets().FindAllString(string(makefile), -1), word+":") {
			return "there is no make " + word
		}
	}
	return ""
}

func noPackage(words []string) string {
	for _, word := range words {
		if dir, is := strings.CutPrefix(word, "./"); is {
			if _, err := os.Stat("../../" + strings.TrimSuffix(dir, "/...")); err != nil {
				return "there is no " + word
			}
		}
	}
	return ""
}
