// Package verdict holds the two ways a run can fail to answer, and the closed
// list of codes that name them.
//
// A [Denial] is a gate's no: the rules worked. A [Fault] is something broken
// at an edge: a server that does not answer, a disk that is full. The two are
// never logged as one another. Every gate returns *Denial; every edge returns
// *Fault; callers find them with errors.As and never match text.
//
// Reasons may quote strangers' text verbatim and are bounded by the code that makes
// them; whatever shows one on a terminal escapes it first.
package verdict

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

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

// Cut is s, or its first max bytes less what would split a character: a reason
// is bounded by the code that makes it.
func Cut(s string, max int) string {
	if len(s) <= max {
		return s
	}
	return strings.ToValidUTF8(s[:max], "") + "…"
}

// Count is a number of things, such as "1 rule" and "3 rules".
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
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
// error that carries none: what has no code is a defect, never a pass.
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

// Near says which of the names was probably meant, as the end of a sentence;
// "" where none is near. A name is near where few edits make it of what was
// typed, or else where it has all the words that were typed.
func Near(typed string, names []string) string {
	if len(typed) > 64 {
		return ""
	}
	const mostEdits = 3 // names that share their end, as delete_entry and fetch_entry do, are not near
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

// hasWords reports whether a name has all the words of what was typed.
func hasWords(name, typed string) bool {
	in, all := words(name), words(typed)
	return len(all) > 0 && !slices.ContainsFunc(all, func(w string) bool { return !slices.Contains(in, w) })
}

func words(name string) []string {
	return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return strings.ContainsRune("_-./ ", r) })
}

// edits is the optimal string alignment distance in bytes: how many have to be
// added, taken away, changed or exchanged with the next one to make one text of
// the other.
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
