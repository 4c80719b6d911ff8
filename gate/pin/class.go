package pin

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Class says how dangerous a difference is. They are in the order of danger,
// and the zero value is the worst.
type Class int

// The classes of difference.
const (
	Lowering      Class = iota // a safeguard of the tool is gone, or its own word about its effect changed
	Contract                   // calls that were refused are taken, or the direction is unknown
	Cue                        // words that name a destination or another tool, instruct the model, or hide
	Wording                    // other words, without such a cue
	Safer                      // structural narrowing alone, without new text, const or default
	Cosmetic                   // a title, an icon of the same origin, a dialect
	Informational              // the meaning is as it was
)

var classNames = []string{"safety-lowering", "contract", "cue", "wording", "safer", "cosmetic", "informational"}

func (c Class) String() string {
	if c < 0 || int(c) >= len(classNames) {
		return classNames[Lowering]
	}
	return classNames[c]
}

// Difference is one thing that a server says otherwise than it did.
type Difference struct {
	Class Class
	// Path is a JSON Pointer into the Tool object. "/instructions" is the
	// server's. Of a list of names, such as required, each name is a difference
	// of its own, under the path of the list.
	Path     string
	Was, Now jsontext.Value // nil where absent
	Why      string         // a clause for people; names and words in it are the server's
	// Wider is a value of which the new schema takes what the old one refuses,
	// Narrower the reverse: arguments of an input, a result of an output. They
	// are shown, not trusted: nil says that none was found.
	Wider, Narrower jsontext.Value
}

// byDanger sorts the worst first, and otherwise by path, so that the same
// change is always shown in the same way.
func byDanger(all []Difference) {
	slices.SortStableFunc(all, func(a, b Difference) int {
		return cmp.Or(cmp.Compare(a.Class, b.Class), strings.Compare(a.Path, b.Path),
			strings.Compare(string(a.Was), string(b.Was)), strings.Compare(string(a.Now), string(b.Now)))
	})
}
