// Package verdict has the two ways in which a run can fail to answer, and the closed
// list of their codes.
//
// A [Denial] is a gate's refusal: the rules worked. A [Fault] is a failure at an edge:
// a server that does not answer, a disk that is full. The two are never logged as one
// another. Every gate returns *Denial; every edge returns *Fault; callers find them
// with errors.As and never match text.
//
// Reasons may quote untrusted text verbatim, and the code that makes them bounds them;
// code that shows one on a terminal escapes it first.
package verdict

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Denial is a gate's refusal, with the rule and the reason.
type Denial struct {
	Code   Code
	Reason string
	Hint   string   // what the operator can do; empty means the code's own remedy
	Rules  []string // the ids of the rules that decided, if the operator's rules have ids
}

// Deny makes a Denial.
func Deny(code Code, format string, args ...any) *Denial {
	return &Denial{Code: code, Reason: fmt.Sprintf(format, args...)}
}

// WithHint sets what the operator can do, and returns the denial.
func (d *Denial) WithHint(hint string) *Denial {
	d.Hint = hint
	return d
}

func (d *Denial) Error() string { return string(d.Code) + ": " + d.Reason }

// Advice returns what the operator can do about the denial.
func (d *Denial) Advice() string {
	return cmp.Or(d.Hint, d.Code.Entry().Remedy)
}

// Fault is a failure at an edge of the program: no gate refused anything.
type Fault struct {
	Code   Code
	Reason string
	Hint   string
	Cause  error
}

// Fail makes a Fault. The cause may be nil; it is for errors.Is, and its text is not
// repeated.
func Fail(code Code, cause error, format string, args ...any) *Fault {
	return &Fault{Code: code, Reason: fmt.Sprintf(format, args...), Cause: cause}
}

// WithHint sets what the operator can do, and returns the fault.
func (f *Fault) WithHint(hint string) *Fault {
	f.Hint = hint
	return f
}

func (f *Fault) Error() string { return string(f.Code) + ": " + f.Reason }

func (f *Fault) Unwrap() error { return f.Cause }

// Advice returns what the operator can do about the fault.
func (f *Fault) Advice() string {
	return cmp.Or(f.Hint, f.Code.Entry().Remedy)
}

// Cut returns s, or its first max bytes without a broken character at the end. The
// code that makes a reason bounds it with Cut.
func Cut(s string, max int) string {
	if len(s) <= max {
		return s
	}
	return strings.ToValidUTF8(s[:max], "") + "…"
}

// Count returns a number of things, such as "1 rule" and "3 rules".
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}

// First returns the outermost Denial or Fault of err's chain, which is the intended
// one. A fault with a denial as its cause is a fault. Both are nil if the chain has
// neither.
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

// CodeOf returns the code of [First], or "" for a nil error. For an error without a
// code it returns [Internal]: a missing code is a defect, never a pass.
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

// Rules returns the rules that a denial names.
func Rules(err error) []string {
	d, _ := First(err)
	if d == nil {
		return nil
	}
	return d.Rules
}

// Denied reports whether err is a gate's refusal.
func Denied(err error) bool {
	d, _ := First(err)
	return d != nil
}

// Ruling is the result of a gate. Its zero value refuses.
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

// Near suggests the names that were probably meant, as the end of a sentence; "" if no
// name is near. A name is near if it is a few edits from the typed text, or if it has
// all of its words.
func Near(typed string, names []string) string {
	if len(typed) > 64 {
		return ""
	}
	const mostEdits = 3 // names with the same end, such as delete_entry and fetch_entry, are not near
	names = slices.Compact(slices.Sorted(slices.Values(names)))
	best, limit := []string{}, max(1, min(mostEdits, len(typed)/3))
	for _, name := range names {
		d := edits(strings.ToLower(typed), strings.ToLower(name))
		if d < limit {
			best, limit = nil, d
		}
		if d == limit {
			best = append(best, name)
		}
	}
	if len(best) == 0 {
		best = slices.DeleteFunc(names, func(name string) bool { return !hasWords(name, typed) })
	}
	if len(best) == 0 {
		return ""
	}
	return "; did you mean " + strings.Join(best[:min(len(best), 3)], " or ") + "?"
}

// hasWords reports whether a name has all the words of the typed text.
func hasWords(name, typed string) bool {
	in, all := words(name), words(typed)
	return len(all) > 0 && !slices.ContainsFunc(all, func(w string) bool { return !slices.Contains(in, w) })
}

func words(name string) []string {
	return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return strings.ContainsRune("_-./ ", r) })
}

// edits returns the optimal string alignment distance in bytes. That is how many bytes
// to add, remove, change or exchange with the next one to turn one text into the
// other.
func edits(a, b string) int {
	last, row := []int(nil), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next := append(make([]int, 0, len(b)+1), i+1)
		for j := range len(b) {
			d := row[j]
			if a[i] != b[j] {
				d = min(d, row[j+1], next[j]) + 1
			}
			if i*j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				d = min(d, last[j-1]+1)
			}
			next = append(next, d)
		}
		last, row = row, next
	}
	return row[len(b)]
}
