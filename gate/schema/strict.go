package schema

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/lex"
	"github.com/onestep-run/onestep/gate/verdict"
)

// Limits bound one JSON document before anything else reads it. The zero value admits
// nothing.
type Limits struct {
	Bytes    int // length of the whole document
	Depth    int // nesting of arrays and objects
	Values   int // values of any kind, containers too, and members' names
	Exponent int // magnitude of a number's decimal exponent, and decimal places
	Digits   int // significant digits of a number's literal
}

// Exponents and digits are bounded because the validators write out every digit of an
// exponent to compare a number. Values are bounded because a value of two bytes may
// take up to 600 bytes of memory once it is decoded and found not to fit. Among 200
// real tools the largest count of values is 487.
var (
	// PlanLimits fit the output of a planner or a writer.
	PlanLimits = Limits{Bytes: 64 << 10, Depth: 32, Values: 10_000, Exponent: 308, Digits: 64}
	// DescriptorLimits fit one tool's descriptor, eight times over.
	DescriptorLimits = Limits{Bytes: 128 << 10, Depth: 48, Values: 20_000, Exponent: 308, Digits: 64}
	// ResultLimits fit one tool's result.
	ResultLimits = Limits{Bytes: 8 << 20, Depth: 64, Values: 250_000, Exponent: 308, Digits: 64}
)

// Fault is the kind of fault in a document.
type Fault int

// The ways a document can be malformed.
const (
	Malformed Fault = iota // not exactly one JSON value: RFC 8259 broken, duplicate key, bad UTF-8, trailing data
	Oversize               // longer, deeper or of more values than the limits
	Number                 // a number beyond the limits, or beyond 64-bit floating point
	Misfit                 // well formed, but not of the expected shape: unknown or differently-cased key, wrong type
)

// Error is the error of this package's readers. It quotes nothing of the document,
// except for a [Misfit] the names of the members that lead to it, cut to 200 bytes.
type Error struct {
	Fault  Fault
	Offset int64 // in bytes, where known
	Detail string

	At      jsontext.Pointer // of a [Misfit]: the value that does not fit, where known
	Unknown jsontext.Pointer // the unknown member, if that is the only fault
}

func (e *Error) Error() string { return e.at(string(e.At)) }

func (e *Error) at(place string) string {
	if place == "" {
		return e.Detail
	}
	return e.Detail + " at " + verdict.Cut(place, 200)
}

// Deny turns a reader's error into a denial with the code that by has for its fault,
// or else with code. document names the document. The denial repeats only names of the
// document: a model may have written it.
func Deny(err error, document string, code verdict.Code, by map[Fault]verdict.Code) *verdict.Denial {
	var e *Error
	if !errors.As(err, &e) {
		return verdict.Deny(code, "%s has %v", document, err)
	}
	if by[e.Fault] != "" {
		code = by[e.Fault]
	}
	return verdict.Deny(code, "%s has %s", document, e.at(lex.RepeatPath(string(e.At), nil)))
}

// Check reports whether b is exactly one JSON value within the limits, by the
// strictest reading. That is RFC 8259 with unique member names, valid UTF-8 and only
// white space around the value.
func Check(b []byte, lim Limits) error {
	if len(b) > lim.Bytes {
		return &Error{Fault: Oversize, Detail: fmt.Sprintf("%d bytes, over the limit of %d", len(b), lim.Bytes)}
	}
	// A bytes.Buffer is read in place; any other reader would be copied.
	d := jsontext.NewDecoder(bytes.NewBuffer(b))
	for values := 0; ; {
		tok, err := d.ReadToken()
		if err != nil {
			return malformed(d, err)
		}
		if k := tok.Kind(); k != '}' && k != ']' {
			values++
		}
		if values > lim.Values {
			return lim.many(d)
		}
		if d.StackDepth() > lim.Depth {
			return &Error{Fault: Oversize, Offset: d.InputOffset(), Detail: fmt.Sprintf("nesting deeper than %d", lim.Depth)}
		}
		if tok.Kind() == '0' {
			if why := lim.number(tok.String()); why != "" {
				return &Error{Fault: Number, Offset: d.InputOffset(), Detail: why}
			}
		}
		if d.StackDepth() == 0 {
			break
		}
	}
	return ended(d)
}

// ended reports an error unless only white space follows.
func ended(d *jsontext.Decoder) error {
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return &Error{Fault: Malformed, Offset: d.InputOffset(), Detail: "something after its JSON value"}
	}
	return nil
}

func (lim Limits) many(d *jsontext.Decoder) *Error {
	return &Error{Fault: Oversize, Offset: d.InputOffset(), Detail: fmt.Sprintf("more than %d values", lim.Values)}
}

// Decode checks b, then decodes it into v. An object member that v does not know, or
// knows in another case, is an error. So is a JSON null for the whole document. A null
// for a member is not: it leaves the member's zero value, which callers must not take
// for a given value.
func Decode(b []byte, v any, lim Limits) error {
	return decode(b, v, lim, json.RejectUnknownMembers(true))
}

// DecodeOpen is Decode for documents that get more members with every version of their
// specification. It ignores the members that v does not know.
func DecodeOpen(b []byte, v any, lim Limits) error {
	return decode(b, v, lim, json.RejectUnknownMembers(false))
}

func decode(b []byte, v any, lim Limits, unknown json.Options) error {
	if err := Check(b, lim); err != nil {
		return err
	}
	if jsontext.Value(b).Kind() == 'n' {
		return &Error{Fault: Misfit, Detail: "null in place of a value"}
	}
	if err := json.Unmarshal(b, v, unknown); err != nil {
		return misfit(err)
	}
	return nil
}

// Canonical returns b in the form of RFC 8785, but keeps every number's literal,
// because the RFC would round 9007199254740993. So 1 and 1.0 differ. It bounds
// nothing; [Check] does.
func Canonical(b []byte) ([]byte, error) {
	v := jsontext.Value(bytes.Clone(b))
	err := v.Canonicalize(jsontext.CanonicalizeRawInts(false), jsontext.CanonicalizeRawFloats(false))
	if err != nil {
		return nil, &Error{Fault: Malformed, Detail: "malformed JSON"}
	}
	return v, nil
}

// number returns the fault in a number's literal, or "". It reads the literal in one
// pass, because a hostile exponent has a million digits.
func (lim Limits) number(lit string) string {
	mantissa, exp := strings.TrimPrefix(lit, "-"), ""
	if i := strings.IndexAny(mantissa, "eE"); i >= 0 {
		mantissa, exp = mantissa[:i], mantissa[i+1:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	if len(fraction) > lim.Exponent {
		return fmt.Sprintf("a number of more than %d decimal places", lim.Exponent)
	}
	if len(strings.TrimLeft(whole+fraction, "0")) > lim.Digits {
		return fmt.Sprintf("a number of more than %d digits", lim.Digits)
	}
	if exp == "" {
		return ""
	}
	if n, err := strconv.Atoi(exp); err != nil || n > lim.Exponent || n < -lim.Exponent {
		return fmt.Sprintf("a number with an exponent beyond %d", lim.Exponent)
	}
	// Digits before the exponent add to it: 99e307 is in bounds so far.
	if _, err := strconv.ParseFloat(lit, 64); err != nil {
		return "a number beyond what 64-bit floating point can hold"
	}
	return ""
}

func malformed(d *jsontext.Decoder, err error) *Error {
	e := &Error{Fault: Malformed, Offset: d.InputOffset(), Detail: "malformed JSON"}
	var s *jsontext.SyntacticError
	if errors.As(err, &s) {
		e.Offset = s.ByteOffset
	}
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		e.Detail = "an object with the same key twice"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		e.Detail = "a JSON value that ends too early"
	}
	return e
}

func misfit(err error) *Error {
	e := &Error{Fault: Misfit, Detail: "a value of another type than expected"}
	var s *json.SemanticError
	if errors.As(err, &s) {
		e.At = s.JSONPointer
	}
	var inner *Error // from a type that reads its own form
	if errors.As(err, &inner) {
		e.Detail, e.At = inner.Detail, e.At+inner.At
	}
	if errors.Is(err, json.ErrUnknownName) {
		e.Detail, e.Unknown = "an object with an unknown key", e.At
	}
	return e
}

// Envelope returns the members of b, which is one JSON object with only white space
// around it. They are in the order of the document, and their names are valid UTF-8
// and unique. Their values are only well formed: a value may be 1e400, and an object
// inside may repeat a key. The reader of a value reports that with its own code, by
// [Check] or a Decode, and applies its own limits. Of the values inside, this function
// bounds only the bytes. The members are parts of b, not copies.
func Envelope(b []byte, lim Limits) ([]Member, error) {
	if len(b) > lim.Bytes {
		return nil, Check(b, lim)
	}
	d := jsontext.NewDecoder(bytes.NewBuffer(b), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if d.PeekKind() != '{' {
		return nil, &Error{Fault: Misfit, Detail: "no object"}
	}
	_, err := d.ReadToken()
	var all []Member
	seen := map[string]bool{}
	for err == nil && d.PeekKind() == '"' {
		var m Member
		if m, err = strictMember(d, b); err != nil {
			break
		}
		if seen[m.Name] {
			return nil, malformed(d, jsontext.ErrDuplicateName)
		}
		seen[m.Name] = true
		if all = append(all, m); 2*len(all) >= lim.Values {
			return nil, lim.many(d)
		}
	}
	if err == nil {
		_, err = d.ReadToken()
	}
	if err != nil {
		return nil, malformed(d, err)
	}
	if err := ended(d); err != nil {
		return nil, err
	}
	return all, nil
}

// strictMember reads one member of b. Its name is strict; its value need not be.
func strictMember(d *jsontext.Decoder, b []byte) (Member, error) {
	name, err := d.ReadValue()
	if err != nil {
		return Member{}, err
	}
	key, err := jsontext.AppendUnquote(nil, name) // refuses invalid UTF-8
	if err != nil {
		return Member{}, err
	}
	value, err := d.ReadValue() // valid until the next read
	end := int(d.InputOffset())
	return Member{Name: string(key), Value: b[end-len(value) : end : end], At: end - len(value)}, err
}
