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

import (
	"errors"
	"fmt"
)

// Denial says that a gate refused, by which rule and why.
type Denial struct {
	Code   Code
	Reason string
	Hint   string // what the operator can do; empty means the code's own remedy
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

// CodeOf is the code of the first Denial or Fault in err's chain, "" for a nil
// error, and [Internal] for an error that carries none: what nobody named is a
// defect, never a pass.
func CodeOf(err error) Code {
	var d *Denial
	var f *Fault
	switch {
	case err == nil:
		return ""
	case errors.As(err, &d):
		return d.Code
	case errors.As(err, &f):
		return f.Code
	}
	return Internal
}

// Denied reports whether err is a gate's no.
func Denied(err error) bool {
	var d *Denial
	return errors.As(err, &d)
}
