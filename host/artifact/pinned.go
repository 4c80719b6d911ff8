package artifact

import (
	"errors"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// Pinned is what an approval keeps of an artifact, as canonical JSON; nil of a
// server that nobody here starts. Where the program lies is not in it: that is
// the place's.
func (a Artifact) Pinned() jsontext.Value {
	if a.Kind == "" {
		return nil
	}
	a.Program = ""
	b, err := json.Marshal(a)
	if err != nil {
		return nil
	}
	text, err := schema.Canonical(b)
	if err != nil {
		return nil
	}
	return text
}

// Compare says how what is started now differs from what was approved, the
// worst first. What floated pinned nothing: that it does no longer is safer.
// An interpreter that was not looked at is not compared.
func Compare(was, now jsontext.Value) []pin.Difference {
	w, wrong := read(was)
	n, err := read(now)
	if errors.Join(wrong, err) != nil {
		return []pin.Difference{{Class: pin.Contract, Was: was, Now: now, Why: "what was approved to be started cannot be read"}}
	}
	all := slices.Concat(
		differ("/kind", w.Kind, n.Kind, pin.Contract, "another kind of program is started"),
		differ("/name", w.Name, n.Name, pin.Contract, "another package is started"),
		differ("/version", w.Version, n.Version, pin.Contract, "another version is started"))
	switch {
	case w.Floating != "" && n.Floating == "":
		all = append(all, differ("/floating", w.Floating, "", pin.Safer, "what is started cannot change unseen any more")...)
	case w.Floating == "" && n.Floating != "":
		all = append(all, differ("/floating", "", n.Floating, pin.Contract, "what is started may change unseen")...)
	case w.Floating != "":
		all = append(all, differ("/floating", w.Floating, n.Floating, pin.Informational, "what is started may change unseen, as before")...)
	default:
		all = append(all, differ("/integrity", w.Integrity, n.Integrity, pin.Contract, "the package or the program is not the one that was approved")...)
	}
	if w.Interpreter != "" && n.Interpreter != "" {
		all = append(all, differ("/interpreter", w.Interpreter, n.Interpreter, pin.Informational, "another interpreter runs it")...)
	}
	slices.SortStableFunc(all, func(a, b pin.Difference) int { return int(a.Class) - int(b.Class) })
	return all
}

// Refuse is why an artifact is not started, nil where it is the approved one, or
// where none was approved. Another version is the word of the operator, whose
// file names it: the server's tools are compared, and a review shows it. Where
// the pins are locked nothing but the approved is started, and nothing that may
// change unseen.
func Refuse(was jsontext.Value, now Artifact, locked bool) *verdict.Denial {
	if locked && now.Floating != "" {
		return verdict.Deny(verdict.PinFloating, "what is started may change unseen: %s", now.Floating)
	}
	if locked && len(was) == 0 && now.Kind != "" {
		return verdict.Deny(verdict.PinChanged, "the pins do not say what is to be started")
	}
	return another(was, now.Pinned(), locked)
}

// Another reports whether what is started is refused to a question, as [Refuse]
// says where the pins are not locked.
func Another(was, now jsontext.Value) bool { return another(was, now, false) != nil }

func another(was, now jsontext.Value, locked bool) *verdict.Denial {
	if len(was) == 0 {
		return nil
	}
	upgraded := false
	for _, d := range Compare(was, now) {
		switch {
		case d.Class > pin.Contract:
			return nil
		case locked:
		case d.Path == "/version" && d.Now != nil:
			upgraded = true
			continue
		case d.Path == "/integrity" && upgraded:
			continue
		}
		return verdict.Deny(verdict.PinChanged, "%s", d.Why)
	}
	return nil
}

// Text is what an approval keeps of an artifact, as a line shows it.
func Text(pinned jsontext.Value) string {
	a, err := read(pinned)
	if err != nil {
		return string(pinned)
	}
	return a.String()
}

// read reads what [Artifact.Pinned] wrote. No text is the zero artifact.
func read(text jsontext.Value) (a Artifact, err error) {
	if len(text) > 0 {
		err = schema.Decode(text, &a, manifestLimits)
	}
	return a, err
}

func differ(path, was, now string, class pin.Class, why string) []pin.Difference {
	if was == now {
		return nil
	}
	return []pin.Difference{{Class: class, Path: path, Was: quoted(was), Now: quoted(now), Why: why}}
}

func quoted(text string) jsontext.Value {
	if text == "" {
		return nil
	}
	b, _ := jsontext.AppendQuote(nil, text) // what is not UTF-8 is replaced
	return b
}
