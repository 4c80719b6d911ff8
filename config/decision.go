package config

import (
	"maps"
	"slices"
	"time"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/escape"
)

// DecisionSettings are the table [decision] of one config.toml: a decision point outside of this
// program. Those of all files are asked, because each can only refuse. One of the first two is
// set. No variable and no flag sets any of them.
type DecisionSettings struct {
	Command Value[string] // a program and its arguments, with spaces between
	URL     Value[string]
	OnError Value[string]
	Timeout Value[time.Duration] // 0 means 5 s

	Of string // the layer of the file: "system" or "user"
}

// The layers that may have a decision point.
const (
	systemLayer = "system"
	userLayer   = "user"
)

var decisionRows = []row[DecisionSettings]{
	{key: "command", at: func(s *DecisionSettings) field { return anything(&s.Command) }},
	{key: "url", at: func(s *DecisionSettings) field { return address(&s.URL) }},
	{key: "on_error", at: func(s *DecisionSettings) field {
		return choice(&s.OnError, gate.OutsideRefuse, gate.OutsideContinue)
	}},
	{key: "timeout", at: func(s *DecisionSettings) field { return duration(&s.Timeout) }},
}

// Origin is the file of the table.
func (d DecisionSettings) Origin() Origin {
	for _, r := range decisionRows {
		for _, v := range r.at(&d).show() {
			if v.Origin != (Origin{}) {
				return v.Origin
			}
		}
	}
	return Origin{}
}

// assignDecision adds the decision point of a file, or describes the mistake and the key that has
// it.
func (s *Settings) assignDecision(value any, from Origin) (wrong, key string) {
	table, is := value.(map[string]any)
	if !is || len(table) == 0 {
		return "decision takes a table with command or url, and perhaps on_error and timeout", ""
	}
	if s.foreign == from.Name {
		return "decision is only read from your own file and the system's, and a flag names this file in the working directory or the repository around it", ""
	}
	one := map[string]DecisionSettings{}
	for _, in := range slices.Sorted(maps.Keys(table)) {
		if wrong := assignIn(&one, decisionRows, decisionTable, decisionTable, in, table[in], from); wrong != "" {
			return wrong, in
		}
	}
	d := one[decisionTable]
	if (d.Command.V == "") == (d.URL.V == "") {
		return "a decision has exactly one of command and url", ""
	}
	d.Of = userLayer
	if from.Name != s.userFile {
		d.Of = systemLayer
	}
	s.Decisions = append(s.Decisions, d)
	return "", ""
}

// showDecisions lists the settings of the decision points.
func (s Settings) showDecisions() (all []Shown) {
	for _, d := range s.Decisions {
		for _, r := range decisionRows {
			for _, v := range r.at(&d).show() {
				if v.Origin != (Origin{}) {
					all = append(all, Shown{decisionTable + "." + r.key, v.V, v.Origin})
				}
			}
		}
	}
	return all
}

// Describe says which decision point this is, and what happens if it gives no answer.
func (d DecisionSettings) Describe() string {
	what := "the program " + d.Command.V
	if d.URL.V != "" {
		shown := address(&d.URL).show()
		what, _ = shown[0].V.(string)
	}
	without := "without its answer a call is refused"
	if d.OnError.V == gate.OutsideContinue {
		without = "on_error = \"continue\": WITHOUT ITS ANSWER A CALL GOES ON"
	}
	return "the decision point of the " + d.Of + ", " + escape.Line(what, maxShownPoint) + ", can refuse each call; " + without
}

// maxShownPoint bounds the shown command or address, in bytes.
const maxShownPoint = 200
