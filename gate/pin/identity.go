package pin

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Identity identifies a server in two parts. Entry changes when the operator's file says
// something else about the server. Endpoint changes when something else would be started or
// dialled, because of the file, a variable or the PATH. Pins are looked up by Entry; an
// approval binds both.
//
// The other fields are for people. They have no secret: no argument, variable, header, path
// or query, and no value of a variable.
//
// An identity pins how a server is reached, not what runs there. A package without a
// version, a program that was replaced in place, and a server on the network can change
// behind it. Anyone may make one; it vouches for nothing.
type Identity struct {
	Kind    string `json:"kind"`              // stdio, http, sse or in-process
	Address string `json:"address,omitempty"` // the command as written, the URL's origin, or a name; may be ""
	Package string `json:"package,omitempty"` // the package that the command fetches and runs, if it can be read
	Version string `json:"version,omitempty"` // of the package or the program, as written
	Rounds  string `json:"rounds,omitempty"`  // the bridge before the server that reads numbers as float64; may be ""

	Entry    string `json:"entry,omitempty"`
	Endpoint string `json:"endpoint,omitempty"`
}

// Matches reports whether both parts are present and the same. The zero Identity matches
// nothing, not even itself.
func (i Identity) Matches(other Identity) bool {
	whole := i.Entry != "" && i.Endpoint != ""
	return whole && i.Entry == other.Entry && i.Endpoint == other.Endpoint
}

// String describes the identity for people, such as "stdio: npx (pkg 1.2.3)".
func (i Identity) String() string {
	s := cmp.Or(i.Kind, "unknown") + ": " + cmp.Or(i.Address, "at a configured address")
	if what := strings.TrimSpace(i.Package + " " + i.Version); what != "" {
		s += " (" + what + ")"
	}
	return s
}

// KindInProcess is the kind of a server that is part of this program.
const KindInProcess = "in-process"

// InProcess identifies a server that is part of this program. It has no
// secrets, and needs no key.
func InProcess(name, version string) Identity {
	i := Identity{Kind: KindInProcess, Address: name, Version: version}
	i.Entry = digest("sha256:", sha256.New(), i.Kind, name)
	i.Endpoint = digest("sha256:", sha256.New(), i.Kind, name, version)
	return i
}

// Key is one machine's own key for digests of texts that may contain secrets. Without the
// key a reader of a trace can neither look a value up by its digest nor try guesses. The
// zero Key makes no digest.
type Key [32]byte

// Digest is the HMAC-SHA256 of the texts, in their order. Each counts with its length, so
// that no text can pass for two.
func (k Key) Digest(texts ...string) string {
	if k == (Key{}) {
		return ""
	}
	return digest("hmac-sha256:", hmac.New(sha256.New, k[:]), texts...)
}

func digest(prefix string, h hash.Hash, texts ...string) string {
	for _, t := range texts {
		_, _ = io.WriteString(h, strconv.Itoa(len(t))+":"+t) // a hash never fails
	}
	return prefix + hex.EncodeToString(h.Sum(nil))
}

// Place is the place of a server, as its operator wrote it; pins are looked up by it. It
// has no secret and needs no key, so that two machines with one entry have one place.
// [Identity] distinguishes more, and only on its machine.
//
// Places that differ share no pin. Places that are equal may still reach two servers. A
// variable may have another value, a hidden secret may be another one, and a program or a
// server behind a URL can be exchanged.
type Place struct {
	Entry      string `json:"entry"`                // the SHA-256 of the entry's text
	Credential string `json:"credential,omitempty"` // names of its carriers, never its value; may be ""
}

// Matches reports whether both are the same place. The zero Place matches
// nothing, not even itself.
func (p Place) Matches(other Place) bool { return p.Entry != "" && p == other }

// PlaceOf is the place that a text describes. A program that shows a place can
// show the text, and a reader can compute the place from it. An empty text has no
// place.
func PlaceOf(text jsontext.Value, credential string) Place {
	if len(text) == 0 {
		return Place{}
	}
	sum := sha256.Sum256(text)
	return Place{Entry: Digest(sum).String(), Credential: credential}
}
