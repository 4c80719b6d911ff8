package intent

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
)

// part is a place of a document that references lead through. It is read once,
// however many of them do.
type part struct {
	raw    jsontext.Value
	inside map[string]*part
}

// referred is what a reference leads to, or nil.
func (p *part) referred(ref string) jsontext.Value {
	way, ok := schema.Fragment(ref)
	if !ok {
		return nil
	}
	for _, name := range way {
		if p = p.at(name); p == nil {
			return nil
		}
	}
	return p.raw
}

func (p *part) at(name string) *part {
	if p.inside == nil {
		p.inside = map[string]*part{}
		for _, m := range members(p.raw) {
			p.inside[m.Name] = &part{raw: m.Value}
		}
		for i, v := range elements(p.raw) {
			p.inside[strconv.Itoa(i)] = &part{raw: v}
		}
	}
	return p.inside[name]
}
