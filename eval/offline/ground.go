package offline

import (
	"errors"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/summarize"
)

// groundInput is a case of grounding: a result, and what a writer makes of it.
type groundInput struct {
	Value    jsontext.Value `json:"value"`    // the typed result, or
	Text     string         `json:"text"`     // a text that the operator declared as such
	Untyped  bool           `json:"untyped"`  // nobody declared the text
	Level    string         `json:"level"`    // "" is the default one
	Claim    string         `json:"claim"`    // one bullet and its
	Evidence string         `json:"evidence"` // or
	Summary  jsontext.Value `json:"summary"`  // the whole summary, spelt

	level summarize.Level
	said  []byte
}

type bullet struct {
	Claim    string `json:"claim"`
	Evidence string `json:"evidence"`
}

// summary writes one as a writer should.
func summary(bullets ...bullet) ([]byte, error) {
	return json.Marshal(struct {
		Type    string   `json:"type"`
		Bullets []bullet `json:"bullets"`
	}{"summary", bullets})
}

func (p *groundInput) ready() (err error) {
	if (p.Value == nil) == (p.Text == "") || (p.Summary == nil) == (p.Claim == "") {
		return errors.New("not one of value and text, or not one of claim and summary")
	}
	if p.level, err = summarize.ParseLevel(p.Level); err != nil {
		return err
	}
	if p.Summary != nil {
		p.said, err = spell(p.Summary)
		return err
	}
	p.said, err = summary(bullet{p.Claim, p.Evidence})
	return err
}

func (p *groundInput) try() (string, error) {
	t, err := p.result()
	if err != nil {
		return "", err
	}
	return lock(t, p.level, p.said)
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

// typed is a result of that value.
func typed(value jsontext.Value) (gate.Typed, error) {
	body := fmt.Appendf(nil, `{"content":[],"structuredContent":%s}`, value)
	return answer(gate.New(gate.Options{}), tool(anyArguments, nil), jsontext.Value(`{}`), body, false)
}

// lock locks a summary, and looks for its evidence where it is said to stand.
func lock(t gate.Typed, level summarize.Level, said []byte) (string, error) {
	s, err := summarize.Lock(t, level, said)
	if err != nil {
		return "", err
	}
	for _, it := range slices.Concat(s.Bullets(), s.Risks(), s.Recommendations()) {
		if !stands(t, it) {
			return "", altered(fmt.Sprintf("the evidence %.200q does not stand at %s %v", it.Evidence, it.Pointer, it.Range))
		}
	}
	if s.Empty() {
		return "", altered("the summary is empty")
	}
	first := s.Bullets()[0]
	return fmt.Sprintf("%.200q by %s %v", first.Claim, first.Pointer, first.Range), nil
}

func stands(t gate.Typed, it summarize.Item) bool {
	for _, l := range t.Leaves() {
		if l.Pointer() == it.Pointer && 0 <= it.Range[0] && it.Range[0] < it.Range[1] && it.Range[1] <= len(l.Text) {
			return l.Text[it.Range[0]:it.Range[1]] == it.Evidence
		}
	}
	return false
}
