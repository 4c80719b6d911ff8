// Package grant decides whether a person's grant answers a later call.
//
// A [Grant] is for one subject, one conversation, one tool and one resource. It
// vouches that a grant never answers a call for another one of these, nor a call that
// differs in a value that the person did not leave open. It also never answers after
// its time, or once the tool or the rules that asked have changed. It does not vouch
// that the grant is still in force: host/store has the rows, and reads them again when
// a call leaves.
//
// It is pure. gate makes offers and asks it in Approve; host/store keeps grants.
package grant

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/lex"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// Grant is an approval of every call of one tool for one resource in one conversation.
// Its zero value answers no call.
type Grant struct {
	ID           string    `json:"id"`      // of the run with the approved call
	Subject      string    `json:"subject"` // the user who asks
	Conversation string    `json:"conversation"`
	Server       string    `json:"server"`
	Tool         string    `json:"tool"`
	Resource     string    `json:"resource"`
	Pin          string    `json:"pin"`                  // digest of the approved descriptor
	Rules        string    `json:"rules,omitempty"`      // digest of the rules that asked, "" if none did
	Destructive  bool      `json:"destructive,omitzero"` // the person saw that the tool destroys
	Fixed        []Value   `json:"fixed"`                // the values that may not change
	Open         []string  `json:"open,omitempty"`       // JSON Pointers of texts that may change
	By           string    `json:"by"`                   // the person who gave it
	How          string    `json:"how"`                  // the way in which it was given, as for an approval
	Why          string    `json:"why,omitempty"`        // why the person was asked
	Created      time.Time `json:"created"`
	Until        time.Time `json:"until"`
}

// Value is a value of the arguments, by its digest, so that a grant contains no
// secret.
type Value struct {
	Pointer string `json:"pointer"` // RFC 6901
	Digest  string `json:"digest"`  // SHA-256 of its kind and text
}

// Call is everything that a grant is compared with.
type Call struct {
	Subject, Conversation  string
	Server, Tool, Resource string // Resource is "" if it is unknown
	Pin, Rules             string
	Args                   jsontext.Value
	Destructive            bool      // the approved annotations say so
	Floor                  string    // why a person decides despite any grant; "" if no floor applies
	Free                   []string  // JSON Pointers of texts that a person may leave open
	At                     time.Time // of the decision
}

const (
	// MaxLife is the longest life of a grant.
	MaxLife = 24 * time.Hour
	// maxValues bounds the values of one grant.
	maxValues = 256
)

// Refusal returns why the grant does not answer a call that a person is asked for, or
// "" if it does. A grant ends with the rules that asked when it was given.
func (g Grant) Refusal(c Call) string {
	if why := g.OtherCall(c); why != "" {
		return why
	}
	if g.Rules != c.Rules {
		return "other rules ask than those that asked when it was given"
	}
	return ""
}

// OtherCall returns why the grant is not for this call, or "" if it is. It ignores the
// rules that ask.
func (g Grant) OtherCall(c Call) string {
	switch {
	case g.ID == "" || g.By == "" || slices.Contains(g.key(), ""):
		return "the grant is not complete"
	case g.Subject != c.Subject:
		return "it was given to another subject"
	case g.Conversation != c.Conversation:
		return "it was given in another conversation"
	case g.Server != c.Server || g.Tool != c.Tool:
		return "it is for another tool"
	case g.Resource != c.Resource:
		return "it is for another resource"
	case g.Pin != c.Pin:
		return "the tool is no longer the one that it was given for"
	case c.Floor != "":
		return c.Floor
	case c.Destructive && !g.Destructive:
		return "the person was not shown that the tool destroys"
	case c.At.Before(g.Created.Add(-time.Second)): // recorded times have whole milliseconds
		return "the clock is before the time at which it was given"
	case !c.At.Before(g.Until) || g.Until.Sub(g.Created) > MaxLife:
		return "it has expired"
	}
	return g.differs(c.Args)
}

// key returns the members that every grant and offer must have.
func (g Grant) key() []string {
	return []string{g.Subject, g.Conversation, g.Server, g.Tool, g.Resource, g.Pin}
}

// differs returns the value that has changed, or "" if only open texts have.
func (g Grant) differs(args jsontext.Value) string {
	seen := 0
	for l := range schema.Leaves(args) {
		if l.Name {
			continue
		}
		at := l.Pointer()
		if l.Kind == '"' && slices.Contains(g.Open, at) && numbered(l) == "" {
			continue
		}
		if !slices.Contains(g.Fixed, Value{at, digestOf(l)}) {
			return lex.RepeatPath(at, nil) + " has changed"
		}
		seen++
	}
	if seen != len(g.Fixed) {
		return "a value is missing that was approved"
	}
	return ""
}

func digestOf(l schema.Leaf) string {
	sum := sha256.Sum256([]byte(numbered(l) + string(rune(l.Kind)) + l.Text))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// numbered lists the members on the way to a leaf with names like indices. JSON
// Pointers are the same for {"0": 1} and [1]. It is "" if no name is like an index.
func numbered(l schema.Leaf) (steps string) {
	for i, step := range l.Path() {
		n, err := strconv.ParseUint(step.Name, 10, 63)
		isNumber := err == nil && strconv.FormatUint(n, 10) == step.Name
		if step.Index < 0 && isNumber {
			steps += fmt.Sprintf("#%d", i)
		}
	}
	return steps
}

// Offer is a grant that a person may give with an approval. Its zero value offers
// nothing.
type Offer struct {
	Grant
	Free []string // texts that the person may leave open
}

// OfferOf returns the offer for a call. It offers nothing if the resource or the
// conversation is unknown, or if a floor applies that no grant answers.
func OfferOf(id, why string, c Call) (Offer, bool) {
	o := Offer{Grant: Grant{
		ID: id, Subject: c.Subject, Conversation: c.Conversation, Server: c.Server, Tool: c.Tool, Resource: c.Resource,
		Pin: c.Pin, Rules: c.Rules, Destructive: c.Destructive, Why: why,
	}}
	for l := range schema.Leaves(c.Args) {
		if l.Name {
			continue
		}
		if len(o.Fixed) == maxValues {
			return Offer{}, false
		}
		at := l.Pointer()
		if l.Kind == '"' && numbered(l) == "" && slices.Contains(c.Free, at) {
			o.Free = append(o.Free, at)
		}
		o.Fixed = append(o.Fixed, Value{at, digestOf(l)})
	}
	if id == "" || c.Floor != "" || slices.Contains(o.key(), "") {
		return Offer{}, false
	}
	return o, true
}

// Accept returns the grant that a person makes of an offer. Open are those texts of
// Free that may change from then on.
func (o Offer) Accept(by, how string, at, until time.Time, open []string) (Grant, error) {
	g := o.Grant
	g.By, g.How, g.Created, g.Until = by, how, at.UTC().Truncate(time.Millisecond), until.UTC().Truncate(time.Millisecond)
	if slices.Contains(g.key(), "") || by == "" || g.ID == "" {
		return Grant{}, verdict.Deny(verdict.GrantRefused, "nothing can be granted: the call's resource or conversation is not known")
	}
	if !g.Until.After(g.Created) || g.Until.Sub(g.Created) > MaxLife {
		return Grant{}, verdict.Deny(verdict.GrantRefused, "a grant lasts at most %s", MaxLife)
	}
	for _, at := range open {
		if !slices.Contains(o.Free, at) {
			return Grant{}, verdict.Deny(verdict.GrantRefused, "%s is not a text that may be left open", lex.RepeatPath(at, nil))
		}
	}
	g.Open = slices.Clone(open)
	g.Fixed = slices.DeleteFunc(slices.Clone(o.Fixed), func(v Value) bool { return slices.Contains(open, v.Pointer) })
	return g, nil
}
