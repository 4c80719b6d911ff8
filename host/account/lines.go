package account

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/trace"
)

// Lines are the events of a trace as anybody may see them, each with the hash
// that it has in the file: secrets are masked, and of an answer that no guard let
// pass there is only where it is kept. The file itself has every byte.
func Lines(events []trace.Event) []trace.Event {
	var run trace.BeginBody
	passed := false
	for _, e := range events {
		switch e.Kind {
		case trace.Begin:
			run = body[trace.BeginBody](e)
			passed = 0 < run.Format && run.Format < 4 // there was no guard
		case trace.Verdict:
			v := body[trace.VerdictBody](e)
			passed = passed || v.Gate == "guard" && v.Verdict == "allow"
		}
	}
	lines := make([]trace.Event, len(events))
	for i, e := range events {
		if lines[i] = e; passed || !answer(e) {
			lines[i].Body = masked(e.Body)
		} else {
			lines[i].Body = elsewhere(run.RunID)
		}
	}
	return lines
}

// answer reports whether an event holds an answer, or names places in one.
func answer(e trace.Event) bool {
	switch e.Kind {
	case trace.Result:
		r := body[trace.ResultBody](e)
		return r.Raw != nil || !r.Redeemed && r.Error == nil // which no run writes: it could not be read
	case trace.Guard:
		return true
	}
	return false
}

func masked(b jsontext.Value) jsontext.Value {
	safe, _, err := guard.RedactJSON(b)
	if err != nil {
		return jsontext.Value(`{}`)
	}
	return safe
}

// elsewhere stands for what is withheld.
func elsewhere(run string) jsontext.Value {
	b, err := json.Marshal(map[string]string{"withheld": "ask quarantine show " + guard.Line(run, 128)})
	if err != nil {
		return jsontext.Value(`{}`)
	}
	return b
}
