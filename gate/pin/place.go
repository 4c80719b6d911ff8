package pin

import (
	"crypto/sha256"

	"github.com/go-json-experiment/json/jsontext"
)

// Place is where a server is reached, as its operator wrote it: what pins are
// looked up by. It holds no secret and needs no key, so that two machines with
// one entry have one place. [Identity] tells more apart, and only here.
//
// Places that differ share no pin. Places that are equal may still reach two
// servers: a variable may stand for another value, a secret that is hidden may
// be another one, and what lies behind a program or a URL can be exchanged.
type Place struct {
	Entry      string `json:"entry"`                // the SHA-256 of the entry's text
	Credential string `json:"credential,omitempty"` // the names of what carries it, never its value; "" is none
}

// Matches reports whether both are the same place. The zero Place matches
// nothing, not even itself.
func (p Place) Matches(other Place) bool { return p.Entry != "" && p == other }

// PlaceOf is the place that a text describes. Whoever shows or shares a place
// can show the text, and whoever reads it can compute the place anew. No text
// is no place.
func PlaceOf(text jsontext.Value, credential string) Place {
	if len(text) == 0 {
		return Place{}
	}
	sum := sha256.Sum256(text)
	return Place{Entry: Digest(sum).String(), Credential: credential}
}
