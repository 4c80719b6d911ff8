package offline

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/summarize"
)

// groundInput is a case of grounding: a result and a writer's summary of it.
type groundInput struct {
	Value    jsontext.Value `json:"value"`    // the typed result, or
	Text     string         `json:"text"`     // a text that the operator declared as text
	Untyped  bool           `json:"untyped"`  // the operator did not declare the text
	Level    string         `json:"level"`    // "" is the default level
	Claim    string         `json:"claim"`    // "" means no claim
	Evidence string         `json:"evidence"` // of one bullet, or
	Summary  jsontext.Value `json:"summary"`  // the whole summary, spelt
	Visible  string         `json:"visible"`  // what must be shown if the summary is allowed; "" is the evidence
	Shown    int            `json:"shown"`    // bullets that must be left of a whole summary; 0 is not checked

	level   summarize.Level
	said    []byte
	bullets []bullet
}

// bullet is one selection, and the part of it that must be shown.
type bullet struct{ claim, evidence, visible string }

// summary writes a summary in the form for writers.
func summary(bullets ...bullet) ([]byte, error) {
	type selected struct {
		Claim    string `json:"claim,omitempty"`
		Evidence string `json:"evidence"`
	}
	var all []selected
	for _, b := range bullets {
		all = append(all, selected{b.claim, b.evidence})
	}
	return json.Marshal(struct {
		Type    string     `json:"type"`
		Bullets []selected `json:"bullets"`
	}{"summary", all})
}

func (p *groundInput) ready() (err error) {
	if (p.Value == nil) == (p.Text == "") || p.Summary != nil && p.Evidence+p.Claim+p.Visible != "" {
		return errors.New("not one of value and text, or not one of evidence and summary")
	}
	if p.level, err = summarize.ParseLevel(p.Level); err != nil {
		return err
	}
	if p.Summary != nil {
		p.bullets = make([]bullet, p.Shown)
		p.said, err = spell(p.Summary)
		return err
	}
	p.bullets = []bullet{{p.Claim, p.Evidence, cmp.Or(p.Visible, p.Evidence)}}
	p.said, err = summary(p.bullets...)
	return err
}

func (p *groundInput) try() (string, error) {
	t, err := p.result()
	if err != nil {
		return "", err
	}
	return lock(t, p.level, p.said, p.bullets)
}

func (p *groundInput) result() (gate.Typed, error) {
	if p.Value != nil {
		return typed(p.Value)
	}
	output := jsontext.Value(`"text"`)
	if p.Untyped {
		output = nil
	}
	body, err := json.Marshal(map[string]any{"content": []map[string]string{{"type": "text", "text": p.Text}}})
	if err != nil {
		return gate.Typed{}, err
	}
	return answer(gate.New(gate.Options{}), tool(anyArguments, nil), output, body, false)
}

// typed returns a result with that value.
func typed(value jsontext.Value) (gate.Typed, error) {
	body := fmt.Appendf(nil, `{"content":[],"structuredContent":%s}`, value)
	return answer(gate.New(gate.Options{}), tool(anyArguments, nil), jsontext.Value(`{}`), body, false)
}

// lock renders a summary. It looks for the evidence at its stated place, and for the
// visible texts in the claims.
func lock(t gate.Typed, level summarize.Level, said []byte, want []bullet) (string, error) {
	s, err := summarize.Lock(t, level, said)
	if err != nil {
		return "", err
	}
	for _, it := range slices.Concat(s.Bullets(), s.Risks(), s.Recommendations()) {
		if !stands(t, it) {
			return "", altered(fmt.Sprintf("the evidence %.200q is not at %s %v", it.Evidence, it.Pointer, it.Range))
		}
	}
	shown := s.Bullets()
	if s.Empty() || len(want) > 0 && len(want) != len(shown) {
		return "", altered(fmt.Sprintf("%d bullets are shown", len(shown)))
	}
	for i, b := range want {
		if !strings.Contains(oneLine(shown[i].Claim), oneLine(b.visible)) {
			return "", altered(fmt.Sprintf("%.200q is not shown in %.300q", b.visible, shown[i].Claim))
		}
	}
	first := shown[0]
	return fmt.Sprintf("%.200q by %s %v", first.Claim, first.Pointer, first.Range), nil
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func stands(t gate.Typed, it summarize.Item) bool {
	for _, l := range t.Leaves() {
		from, to := it.Range[0], it.Range[1]
		inside := 0 <= from && from < to && to <= len(l.Text)
		if inside && l.Pointer() == it.Pointer {
			return l.Text[from:to] == it.Evidence
		}
	}
	return false
}
