package input_test

import (
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/verdict"
)

const phrases = `{"builtin":false,
	"words":{"send":["send, sending, hand over, handing over"],"data":["customer list, customer lists, lady, ladies, co-worker, co-workers"],"who":["neighbor, neighbors, boss"],"out":["gmail, my own mail"],"hush":["drill, for practice"],"endings":["kill(ing)"]},
	"terms":{"fine":"{hush} | approved ..1 by"},
	"rules":[
		{"id":"gap","category":"c","says":"{send} ..3 {data}","unless":"{fine}","reason":"r"},
		{"id":"both","category":"c","says":"{out} & {data}","reason":"r"},
		{"id":"owner","category":"c","says":"read {who} 's diary|mail","reason":"r"},
		{"id":"plain","category":"c","says":"kill {who}","reason":"r"},
		{"id":"start","category":"c","says":". .. stop","reason":"r"},
		{"id":"maybe","category":"c","says":"open the? big|old safe","reason":"r"}]}`

func TestAPhraseIsFoundAsItIsWritten(t *testing.T) {
	t.Parallel()
	r := parse(t, strings.Replace(phrases, ". .. stop", ". stop", 1))
	for question, want := range map[string]verdict.Code{
		"Send the whole customer list":                    verdict.InputRule,
		"handing over all three customer lists":           verdict.InputRule,
		"Send one by one the customer list":               "",
		"The customer list, send":                         "",
		"Send it. The customer list is here":              "",
		"Send customer@list.com":                          "",
		"sends the customer list":                         "",
		"Send the customer listing":                       "",
		"send the ladies out":                             verdict.InputRule,
		"send the lad out":                                "",
		"send the co-worker":                              verdict.InputRule,
		"send the co worker":                              verdict.InputRule,
		"send the coworker":                               "",
		"send the customer list, it is a drill":           "",
		"It is a drill. Send the customer list":           "",
		"send the customer list, approved today by legal": "",
		"send the customer list, approved by legal":       "",
		"send the customer list, approved":                verdict.InputRule,
		"lady, gmail":                                     verdict.InputRule,
		"gmail is where the lady writes":                  verdict.InputRule,
		"my own mail for the lady":                        verdict.InputRule,
		"A lady. Gmail.":                                  "",
		"read the boss's diary":                           "",
		"read boss's diary":                               verdict.InputRule,
		"read neighbors' mail":                            verdict.InputRule,
		"read neighbor's mail":                            verdict.InputRule,
		"read neighbor mail":                              "",
		"kill boss":                                       verdict.InputRule,
		"kill boss's process":                             "",
		"kill boss don't ask":                             verdict.InputRule,
		"stop it":                                         verdict.InputRule,
		"please stop":                                     "",
		"wait! stop":                                      verdict.InputRule,
		"wait.stop":                                       "",
		"open the old safe":                               verdict.InputRule,
		"open big safe":                                   verdict.InputRule,
		"open the safe":                                   "",
		"open the big old safe":                           "",
	} {
		if got := code(question, r); got != want {
			t.Errorf("%q: %q, want %q", question, got, want)
		}
	}
}

func TestAPhraseThatCannotBeMeantIsRefused(t *testing.T) {
	t.Parallel()
	for says, want := range map[string]string{
		"{nobody} ..3 {data}":    "neither a word nor a list",
		"{nobody":                "neither a word nor a list",
		"{who}'s":                "neither a word nor a list",
		"|":                      "neither a word nor a list",
		"{send} ..31 {data}":     "a gap is",
		"{send} .. {data}":       "a gap is",
		"{send} ..0 {data}":      "a gap is",
		"{send} ..x {data}":      "a gap is",
		"{send} ..3":             "a phrase has",
		"{send}? {data}?":        "a phrase has",
		"{send} | ":              "a phrase has",
		"{send} & ":              "a phrase has",
		" & {send}":              "a phrase has",
		"the? {send}":            "begins with one that is not optional",
		"..3 {send}":             "a gap is",
		"{endings}":              "endings in brackets",
		strings.Repeat("a ", 17): "a phrase has",
	} {
		_, err := input.ParseRules([]byte(strings.Replace(phrases, ". .. stop", says, 1)))
		if err == nil || !strings.Contains(err.Error(), "rule 5 (start): says: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", says, err, want)
		}
	}
}
