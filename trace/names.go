package trace

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
)

// names reads the body as one of its kind, strictly, and gives the digests of
// the objects that it refers to. A member that no run writes is an error: what
// nobody reads could say anything, and who looks at the line would believe it.
// An approval's body is its gate's; a replay compares it byte for byte.
func (e Event) names() ([]Hash, error) {
	var err error
	switch e.Kind {
	case Begin:
		return e.beginNames()
	case Verdict:
		err = e.Decode(new(VerdictBody))
	case Listing:
		var l ListingBody
		err = e.Decode(&l)
		return referred(l.Tools), err
	case Proposal, Writing:
		err = e.Decode(new(SaidBody))
	case Result:
		err = e.Decode(new(ResultBody))
	case Guard:
		err = e.Decode(new(GuardBody))
	case Outcome:
		err = e.Decode(new(OutcomeBody))
	case End:
		err = e.Decode(new(struct{}))
	}
	return nil, err
}

func (e Event) beginNames() ([]Hash, error) {
	var format struct {
		Format int `json:"format"`
	}
	if err := schema.DecodeOpen(e.Body, &format, lineLimits); err != nil {
		return nil, err
	}
	if format.Format > Format {
		return nil, fmt.Errorf("the format %d, and this version reads the formats up to %d", format.Format, Format)
	}
	var b BeginBody
	err := e.Decode(&b)
	return referred(b.Policy, b.Servers), err
}

func referred(vs ...jsontext.Value) (hs []Hash) {
	for _, v := range vs {
		if h, is := refersTo(v); is {
			hs = append(hs, h)
		}
	}
	return hs
}
