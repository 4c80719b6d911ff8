package agents

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
)

// Sentences splits a text after the end of each sentence and line.
func Sentences(text string) []string {
	var all []string
	from := 0
	for i, r := range text {
		next := strings.HasPrefix(text[i+1:], " ") || strings.HasPrefix(text[i+1:], "\n")
		if r == '\n' || next && strings.ContainsRune(".!?", r) {
			all = append(all, strings.TrimSpace(text[from:i+1]))
			from = i + 1
		}
	}
	if rest := strings.TrimSpace(text[from:]); rest != "" {
		all = append(all, rest)
	}
	return all
}

// Texts returns the strings and numbers of a JSON value, at any place, and of JSON
// within a string. For anything but JSON it returns the whole text.
func Texts(b []byte) []string {
	if schema.Check(b, answerLimits) != nil {
		return []string{string(b)}
	}
	return leaves(b)
}

// AnswerLimits bound a server's answers for the judges. They are wider than onestep's
// limits.
func AnswerLimits() schema.Limits { return answerLimits }

var answerLimits = schema.Limits{Bytes: 64 << 20, Depth: 512, Values: 4 << 20, Exponent: 308, Digits: 1024}

func leaves(v jsontext.Value) []string {
	var all []string
	for l := range schema.Leaves(v) {
		switch {
		case l.Name:
		case l.Kind == '"':
			all = append(all, l.Text)
			if t := strings.TrimSpace(l.Text); strings.HasPrefix(t, "{") || strings.HasPrefix(t, "[") {
				all = append(all, inner(t)...)
			}
		case l.Kind == '0':
			f, _ := strconv.ParseFloat(l.Text, 64)
			all = append(all, strconv.FormatFloat(f, 'f', -1, 64))
		}
	}
	return all
}

// inner returns the leaves of a string that is itself JSON.
func inner(text string) []string {
	if schema.Check([]byte(text), answerLimits) != nil {
		return nil
	}
	return leaves(jsontext.Value(text))
}
