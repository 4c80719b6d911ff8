// Package verdict holds the two ways a run can fail to answer, and the closed
// list of codes that name them.
//
// A [Denial] is a gate's no: the rules worked. A [Fault] is something broken
// at an edge: a server that does not answer, a disk that is full. The two are
// never logged as one another. Every gate returns *Denial; every edge returns
// *Fault; callers find them with errors.As and never match text.
//
// Reasons may quote strangers' text verbatim and are bounded by whoever makes
// them; whatever shows one on a terminal escapes it first.
package verdict

import "fmt"

// Denial says that a gate refused, by which rule and why.
type Denial struct {
	Code   Code
	Reason string
	Hint   string   // what the operator can do; empty means the code's own remedy
	Rules  []string // the ids of the rules that decided, where the operator's rules have ids
}

// Deny makes a Denial.
func Deny(code Code, format string, args ...any) *Denial {
	return &Denial{Code: code, Reason: fmt.Sprintf(format, args...)}
}

func (d *Denial) Error() string { return string(d.Code) + ": " + d.Reason }

// Advice is what the operator can do about the denial.
func (d *Denial) Advice() string {
	if d.Hint != "" {
		return d.Hint
	}
	return d.Code.Entry().Remedy
}

// Fault says that an edge of the program broke: nothing was refused.
type Fault struct {
	Code   Code
	Reason string
	Hint   string
	Cause  error
}

// Fail makes a Fault. The cause may be nil; it is for errors.Is, and its text
// is not repeated.
func Fail(code Code, cause error, format string, args ...any) *Fault {
	return &Fault{Code: code, Reason: fmt.Sprintf(format, args...), Cause: cause}
}

func (f *Fault) Error() string { return string(f.Code) + ": " + f.Reason }

func (f *Fault) Unwrap() error { return f.Cause }

// Advice is what the operator can do about the fault.
func (f *Fault) Advice() string {
	if f.Hint != "" {
		return f.Hint
	}
	return f.Code.Entry().Remedy
}

// First is the outermost Denial or Fault of err's chain, the one that its maker
// meant: a fault may have a denial as its cause, and is a fault. Both are nil
// where there is neither.
func First(err error) (*Denial, *Fault) {
	switch e := err.(type) { //nolint:errorlint // this is the walk
	case nil:
		return nil, nil
	case *Denial:
		return e, nil
	case *Fault:
		return nil, e
	case interface{ Unwrap() error }:
		return First(e.Unwrap())
	case interface{ Unwrap() []error }:
		for _, one := range e.Unwrap() {
			if d, f := First(one); d != nil || f != nil {
				return d, f
			}
		}
	}
	return nil, nil
}

// CodeOf is the code of [First], "" for a nil error, and [Internal] for an
// error that carries none: what nobody named is a defect, never a pass.
func CodeOf(err error) Code {
	d, f := First(err)
	switch {
	case err == nil:
		return ""
	case d != nil:
		return d.Code
	case f != nil:
		return f.Code
	}
	return Internal
}

// Rules are the rules that a denial names, where it names any.
func Rules(err error) []string {
	d, _ := First(err)
	if d == nil {
		return nil
	}
	return d.Rules
}

// Denied reports whether err is a gate's no.
func Denied(err error) bool {
	d, _ := First(err)
	return d != nil
}

// Ruling is what a gate comes to. Its zero value refuses.
type Ruling int

// The rulings.
const (
	Refuse Ruling = iota
	Ask           // a person has to approve it first
	Allow
)

func (r Ruling) String() string {
	switch r {
	case Allow:
		return "allow"
	case Ask:
		return "ask"
	}
	return "deny"
}
