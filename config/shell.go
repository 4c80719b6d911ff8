package config

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/escape"
)

// shells are the shells that read a command line after -c.
var shells = []string{"sh", "bash", "dash", "zsh", "ksh", "fish"}

// unread describes shell syntax in a command, for the report of a failed start. No shell
// interprets that syntax; the text shows the entry that would work. It is "" for a command
// without such syntax.
func (s Spec) unread(env Environ) string {
	was := s
	s.Args = slices.Clone(s.Args)
	why := s.asShell(env)
	if why == "" {
		return ""
	}
	shown := s.Concealed()
	entry := struct {
		Command string            `json:"command"`
		Args    []string          `json:"args"`
		Env     map[string]string `json:"env,omitempty"`
	}{shown.Command, append([]string{}, shown.Args...), map[string]string{}}
	for name := range s.Env {
		if _, before := was.Env[name]; !before {
			entry.Env[name] = shown.Env[name]
		}
	}
	text, err := json.Marshal(entry, json.Deterministic(true), jsontext.SpaceAfterComma(true), jsontext.SpaceAfterColon(true))
	if err != nil || was.Command == s.Command && slices.Equal(was.Args, s.Args) {
		return ""
	}
	return why + ": write " + string(text[1:len(text)-1])
}

// asShell rewrites the command as a shell would read it, and describes the change.
func (s *Spec) asShell(env Environ) (why string) {
	if whole := s.Command; strings.ContainsAny(whole, " \t") && !isFile(whole) {
		if word, quoted := unquoted(whole); quoted {
			s.Command, why = word, "no shell reads the command, and the quotes are part of it"
		} else {
			if slices.ContainsFunc(strings.Fields(whole), operator) {
				return s.asLine(whole)
			}
			s.separate(whole)
			why = "command holds a whole line, and is the name of a program"
		}
	}
	if slices.ContainsFunc(s.Args, operator) {
		return s.asLine(s.Command)
	}
	ofShell := len(s.Args) == 1 && slices.Contains(shells, filepath.Base(s.Command))
	if ofShell && strings.ContainsAny(s.Args[0], " ;&|") && !strings.HasPrefix(s.Args[0], "-") {
		s.Args = []string{"-c", s.Args[0]}
		return "a shell reads a line after -c"
	}
	for i := range s.Args {
		if word, did := expanded(s.Args[i], env); did {
			s.Args[i], why = word, cmp.Or(why, "no shell reads the arguments")
		}
	}
	if word, did := expanded(s.Command, env); did {
		s.Command, why = word, cmp.Or(why, "no shell reads the command")
	}
	return why
}

// operator reports whether only a shell gives a meaning to a word.
func operator(word string) bool {
	return slices.Contains([]string{"&&", "||", "|", ";", ">", ">>", "<", "&"}, word)
}

// asLine makes a shell read the command and its arguments.
func (s *Spec) asLine(begin string) (why string) {
	line := strings.Join(append([]string{begin}, s.Args...), " ")
	s.Command, s.Args = "sh", []string{"-c", line}
	return "no shell reads the command, and && and the like are arguments"
}

// separate splits a line into the variables before the program, the program and its
// arguments.
func (s *Spec) separate(line string) {
	words := wordsOf(line)
	if len(words) == 0 {
		return
	}
	env := maps.Clone(s.Env)
	for len(words) > 1 {
		name, value, is := strings.Cut(words[0], "=")
		if !is || !variable(name) {
			break
		}
		if env == nil {
			env = map[string]string{}
		}
		env[name], words = value, words[1:]
	}
	s.Env, s.Command, s.Args = env, words[0], slices.Concat(words[1:], s.Args)
}

// variable reports whether a shell accepts a name as a variable's.
func variable(name string) bool {
	if !escape.Name(name) || strings.ContainsAny(name, ".-") {
		return false
	}
	return name[0] < '0' || name[0] > '9'
}

// wordsOf are the words of a line, separated by blanks outside of quotes. If a quote has no
// end, every blank separates.
func wordsOf(line string) (words []string) {
	var word strings.Builder
	quote, within := rune(0), false
	for _, r := range line + " " {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '"', r == '\'':
			quote, within = r, true
		case r != ' ' && r != '\t':
			word.WriteRune(r)
			within = true
		case within:
			words, within = append(words, word.String()), false
			word.Reset()
		}
	}
	if quote != 0 {
		return strings.Fields(line)
	}
	return words
}

// expanded is a word as a shell reads it. It drops the quotes around it, replaces ~ and $HOME
// with the user's home, and makes the name of a variable a reference.
func expanded(word string, env Environ) (is string, did bool) {
	is, _ = unquoted(word)
	home := env.Get("HOME")
	for _, short := range []string{"~/", "$HOME/"} {
		if rest, has := strings.CutPrefix(is, short); has && home != "" {
			is = filepath.Join(home, rest)
		}
	}
	is = bare().ReplaceAllStringFunc(is, func(found string) string {
		i := strings.IndexByte(found, '$')
		return found[:i] + "${" + found[i+1:] + "}"
	})
	return is, is != word
}

// unquoted is a word without the quotes around it.
func unquoted(word string) (is string, quoted bool) {
	for _, q := range []string{`"`, "'"} {
		if len(word) <= 2 || !strings.HasPrefix(word, q) || !strings.HasSuffix(word, q) {
			continue
		}
		if inside := word[1 : len(word)-1]; !strings.Contains(inside, q) {
			return inside, true
		}
	}
	return word, false
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
