package pin

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
)

// Accept says which classes of difference pass without a person. Its zero
// value lets nothing pass but an equal meaning.
type Accept struct{ classes uint } // a bit for each class

// Order is the word for another order of the same words. It is accepted for one
// tool, by the approval of it, and never for all of them.
const Order = "order"

// ParseAccept reads the names of classes: informational, cosmetic and safer. The first
// always passes, because it leaves the meaning unchanged. No other class can be accepted
// ahead of time.
func ParseAccept(classes []string) (Accept, error) {
	var a Accept
	for _, name := range classes {
		switch class := Class(slices.Index(classNames, name)); {
		case class >= Safer:
			a.classes |= 1 << class
		case name == Order:
			return Accept{}, fmt.Errorf("%q is accepted for single tools, at a review", Order)
		default:
			return Accept{}, fmt.Errorf("%q is not one of informational, cosmetic and safer: any other difference waits for a person", escape.Line(name, 60))
		}
	}
	return a, nil
}

// Takes reports whether every one of the differences passes.
func (a Accept) Takes(all []Difference) bool {
	return !slices.ContainsFunc(all, func(d Difference) bool { return !a.takes(d) })
}

func (a Accept) takes(d Difference) bool {
	return d.Class == Informational || a.classes>>d.Class&1 == 1
}

// Same is nil if a server's current descriptor passes for the approved one. Else it is a
// *verdict.Denial of code pin.changed that names the worst differences.
func (a Accept) Same(was, now Descriptor) error {
	if len(was.Raw) > 0 && bytes.Equal(was.Raw, now.Raw) && was.Instructions == now.Instructions {
		return nil
	}
	all, err := Compare(was, now)
	if err != nil {
		return verdict.Deny(verdict.PinChanged, "the descriptors cannot be compared: %v", err)
	}
	if !slices.ContainsFunc(all, func(d Difference) bool { return !a.takes(d) && !was.takesOrder(d) }) {
		return nil
	}
	return verdict.Deny(verdict.PinChanged, "the tool differs from the approved one: %s", named(all))
}

// takesOrder reports whether a difference is another order that was accepted for the tool
// at its place.
func (d Descriptor) takesOrder(of Difference) bool {
	return of.Order && slices.Contains(d.OrderAt, of.Path)
}

// InAnotherOrder reports whether two descriptors differ only in the order of names. The
// order is that of a description, a title or a default; informational differences do not
// count.
func InAnotherOrder(a, b Descriptor) bool { return len(Reordered(a, b)) > 0 }

// Reordered are the places at which two descriptors differ in the order of names. It is nil
// if they differ in anything else that counts.
func Reordered(a, b Descriptor) (places []string) {
	all, err := Compare(a, b)
	if err != nil {
		return nil
	}
	for _, d := range all {
		switch {
		case d.Order:
			places = append(places, d.Path)
		case d.Class != Informational:
			return nil
		}
	}
	return places
}

// maxNamed is how many differences a denial names.
const maxNamed = 4

func named(all []Difference) string {
	var list []string
	for _, d := range all[:min(len(all), maxNamed)] {
		list = append(list, fmt.Sprintf("%s at %s (%s)", d.Class, place(d.Path), d.Why))
	}
	if more := len(all) - maxNamed; more > 0 {
		list = append(list, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(list, "; ")
}

// place is a path up to the first name in it that the server chose. A denial repeats no
// words of a server there.
func place(path string) string {
	for _, chosen := range []string{"/properties/", "/$defs/", "/definitions/", "/dependentRequired/", "/_meta/"} {
		if at := strings.Index(path, chosen); at >= 0 {
			path = path[:at+len(chosen)-1]
		}
	}
	return escape.Line(path, 100)
}

// Classes are the names that [ParseAccept] reads, for the record.
func (a Accept) Classes() (names []string) {
	for _, class := range []Class{Cosmetic, Safer} {
		if a.takes(Difference{Class: class}) {
			names = append(names, class.String())
		}
	}
	return names
}
