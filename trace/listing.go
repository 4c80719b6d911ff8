package trace

import (
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
)

// ListingBody is the listing of one server: the descriptors as received, or the error.
type ListingBody struct {
	Server       string         `json:"server"`
	Tools        jsontext.Value `json:"tools"`          // an Object: an array of Bytes
	Instructions jsontext.Value `json:"told,omitempty"` // an Object: the server's instructions, as Bytes
	Held         []HeldBody     `json:"held,omitempty"`
	// OrderAt are the places of a tool at which the operator accepted another order of
	// the same words, by the tool.
	OrderAt map[string][]string `json:"order_at,omitempty"`
	// Wrote are the tools that tried to write although they are called reading:
	// they count as writing.
	Wrote []string `json:"wrote,omitempty"`
	Error *Error   `json:"error,omitempty"`
}

// Order adds a tool of which another order was accepted at these places.
func (b *ListingBody) Order(tool string, places []string) {
	if b.OrderAt == nil {
		b.OrderAt = map[string][]string{}
	}
	b.OrderAt[tool] = places
}

// HeldBody is a tool that is not in the catalog, and why.
type HeldBody struct {
	Tool  string `json:"tool"`
	Error *Error `json:"error"`
}

// NewText makes the object of a server's instructions, or of a client's plan.
func NewText(text string) Object {
	return NewObject(func() jsontext.Value {
		b, err := json.Marshal(Keep([]byte(text)))
		if err != nil {
			return nil // cannot fail for a text; no line contains nil
		}
		return b
	})
}

// ReadInstructions reads the instructions of a listing, which contains them or refers to
// them. It returns "" without instructions.
func (l ListingBody) ReadInstructions(objects Objects) (string, error) {
	if l.Instructions == nil {
		return "", nil
	}
	v, err := objects.Value(l.Instructions)
	if err != nil {
		return "", err
	}
	var kept Bytes
	if err := schema.Decode(v, &kept, lineLimits); err != nil {
		return "", fmt.Errorf("a listing has %w", err)
	}
	b, err := kept.Get()
	return string(b), err
}

// Tools makes the object of one server's descriptors.
func Tools(raws [][]byte) Object {
	return NewObject(func() jsontext.Value {
		kept := make([]Bytes, len(raws))
		for i, raw := range raws {
			kept[i] = Keep(raw)
		}
		b, err := json.Marshal(kept)
		if err != nil {
			return nil // cannot fail for texts; no line contains nil
		}
		return b
	})
}

// ReadTools reads the descriptors of a listing, which contains them or refers to them.
func (l ListingBody) ReadTools(objects Objects) ([][]byte, error) {
	v, err := objects.Value(l.Tools)
	if err != nil {
		return nil, err
	}
	var kept []Bytes
	if err := schema.Decode(v, &kept, lineLimits); err != nil {
		return nil, fmt.Errorf("a listing has %w", err)
	}
	raws := make([][]byte, len(kept))
	for i := range kept {
		if raws[i], err = kept[i].Get(); err != nil {
			return nil, fmt.Errorf("a listing has %w", err)
		}
	}
	return raws, nil
}
