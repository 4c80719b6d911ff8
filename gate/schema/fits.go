package schema

import (
	stdjson "encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/onestep-run/onestep/gate/lex"
	"github.com/onestep-run/onestep/gate/verdict"
)

// path leads to a value inside the checked one. It is nil for the checked value itself,
// and wherever there is no report.
type path struct {
	above *path
	name  string
}

// member and item return the paths of values inside the one at p.
func (r *report) member(p *path, name string) *path {
	if r == nil {
		return nil
	}
	return &path{p, name}
}

func (r *report) item(p *path, i int) *path {
	if r == nil {
		return nil
	}
	return &path{p, strconv.Itoa(i)}
}

// nameSet holds names of members. Nothing is added to a nil one.
type nameSet map[string]bool

func (s nameSet) add(name string) {
	if s != nil {
		s[name] = true
	}
}

// report collects why a value does not fit. A nil report collects nothing, and a check
// without one ends at the first mismatch.
type report struct{ all []Mismatch }

// refuse adds a mismatch and returns false.
func (r *report) refuse(at *path, detail string) bool {
	if r != nil {
		r.all = append(r.all, Mismatch{Pointer: at.pointer(), Detail: detail})
	}
	return false
}

// accepts reports whether v fits.
func (s *checker) accepts(v any) bool { return s.fits(v, nil, nil, nil) }

// mismatches returns why v does not fit, in no order.
func (s *checker) mismatches(v any) []Mismatch {
	var r report
	s.fits(v, nil, &r, nil)
	return r.all
}

// fits reports whether v fits s. In named, unless it is nil, it marks the members of v
// that s names.
func (s *checker) fits(v any, at *path, r *report, named nameSet) bool {
	if s.never {
		return r.refuse(at, "no value is allowed here")
	}
	if detail := s.other(v, r != nil); detail != "" {
		return r.refuse(at, detail)
	}
	members, isObject := v.(map[string]any)
	inner := named
	if s.closes && isObject {
		inner = nameSet{}
	}
	ok := true
	for _, part := range [...]func(*checker, any, *path, *report, nameSet) bool{(*checker).typed, (*checker).combined, (*checker).conditional} {
		if ok = part(s, v, at, r, inner) && ok; !ok && r == nil {
			return false
		}
	}
	if s.closes && isObject {
		ok = onlyNamed(members, at, r, inner) && ok
		for name := range members {
			named.add(name)
		}
	}
	return ok
}

func onlyNamed(members map[string]any, at *path, r *report, named nameSet) bool {
	ok := true
	for name := range members {
		if !named[name] {
			ok = r.refuse(r.member(at, name), notNamed)
		}
	}
	return ok
}

// other returns why v is not of the type, the values or the format of s. Nothing else
// is checked then. The text is only a mark if no one wants to read it.
func (s *checker) other(v any, read bool) string {
	switch {
	case !s.takes(v):
		return either(read, func() string { return otherType + strings.Join(s.types, " or ") + ", not " + kind(v) })
	case s.constant != nil && identity(v) != identity(s.constant[0]):
		return either(read, func() string { return "it must be " + quote(s.constant[0]) })
	case s.choices != nil && !s.among[identity(v)]:
		return either(read, func() string { return "it must be one of " + quoteAll(s.choices) })
	case s.format != "" && !fitsFormat(s.format, v):
		return "it is not of format " + strconv.Quote(s.format)
	}
	return ""
}

func either(read bool, text func() string) string {
	if read {
		return text()
	}
	return "other"
}

func (s *checker) takes(v any) bool {
	if s.types == nil {
		return true
	}
	name := kind(v)
	if n, isNumber := v.(stdjson.Number); isNumber && slices.Contains(s.types, "integer") && integer(n) {
		return true
	}
	return slices.Contains(s.types, name)
}

// kind returns the type of a value. It is number for an integer, too.
func kind(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case stdjson.Number:
		return "number"
	case []any:
		return "array"
	}
	return "object"
}

func integer(n stdjson.Number) bool {
	return !strings.ContainsAny(n.String(), ".eE") || rat(n).IsInt()
}

// typed checks the keywords that concern one type of value.
func (s *checker) typed(v any, at *path, r *report, named nameSet) bool {
	switch v := v.(type) {
	case string:
		return s.text(v, at, r)
	case stdjson.Number:
		return s.number(v, at, r)
	case []any:
		return s.list(v, at, r)
	case map[string]any:
		return s.object(v, at, r, named)
	}
	return true
}

// sized checks a size against two bounds.
func sized(n int, least, most *int, of string, at *path, r *report) bool {
	switch {
	case least != nil && n < *least:
		return r.refuse(at, "it must have at least "+strconv.Itoa(*least)+" "+of)
	case most != nil && n > *most:
		return r.refuse(at, "it must have at most "+strconv.Itoa(*most)+" "+of)
	}
	return true
}

func (s *checker) text(v string, at *path, r *report) bool {
	ok := true
	if s.minLength != nil || s.maxLength != nil {
		ok = sized(utf8.RuneCountInString(v), s.minLength, s.maxLength, "characters", at, r)
	}
	if s.pattern != nil && !s.pattern.MatchString(v) {
		ok = r.refuse(at, "it does not match the pattern "+strconv.Quote(verdict.Cut(s.pattern.String(), 100)))
	}
	return ok
}

func (s *checker) number(v stdjson.Number, at *path, r *report) bool {
	if s.minimum == nil && s.maximum == nil && s.above == nil && s.below == nil && s.multipleOf == nil {
		return true
	}
	n, ok := rat(v), true
	if s.minimum != nil && n.Cmp(s.minimum) < 0 {
		ok = r.refuse(at, "it must be at least "+decimal(s.minimum))
	}
	if s.maximum != nil && n.Cmp(s.maximum) > 0 {
		ok = r.refuse(at, "it must be at most "+decimal(s.maximum))
	}
	if s.above != nil && n.Cmp(s.above) <= 0 {
		ok = r.refuse(at, "it must be above "+decimal(s.above))
	}
	if s.below != nil && n.Cmp(s.below) >= 0 {
		ok = r.refuse(at, "it must be below "+decimal(s.below))
	}
	if s.multipleOf != nil && !n.Quo(n, s.multipleOf).IsInt() {
		ok = r.refuse(at, "it must be a multiple of "+decimal(s.multipleOf))
	}
	return ok
}

func (s *checker) list(v []any, at *path, r *report) bool {
	ok := sized(len(v), s.minItems, s.maxItems, "items", at, r)
	if s.unique {
		ok = distinctItems(v, at, r) && ok
	}
	for i, item := range v {
		sub := s.items
		if i < len(s.prefix) {
			sub = s.prefix[i]
		}
		if sub == nil {
			break
		}
		if ok = sub.fits(item, r.item(at, i), r, nil) && ok; !ok && r == nil {
			return false
		}
	}
	if s.contains != nil && !slices.ContainsFunc(v, s.contains.accepts) {
		ok = r.refuse(at, "it lacks a required item")
	}
	return ok
}

func distinctItems(v []any, at *path, r *report) bool {
	first := make(map[string]int, len(v))
	for i, item := range v {
		key := identity(item)
		if before, has := first[key]; has {
			return r.refuse(at, "its items "+strconv.Itoa(before)+" and "+strconv.Itoa(i)+" are the same")
		}
		first[key] = i
	}
	return true
}

func (s *checker) object(v map[string]any, at *path, r *report, named nameSet) bool {
	ok := sized(len(v), s.minMembers, s.maxMembers, "members", at, r)
	var missing, extra []string
	for _, name := range s.required {
		if _, has := v[name]; !has {
			missing = append(missing, name)
		}
	}
	if missing != nil {
		ok = r.refuse(at, "it lacks the required member "+strconv.Quote(verdict.Cut(slices.Min(missing), 60)))
	}
	for name, member := range v {
		if !ok && r == nil {
			return false
		}
		fits, known := s.member(name, member, at, r)
		switch {
		case known:
			named.add(name)
			ok = fits && ok
		case s.rest == nil:
		case s.rest.never:
			extra = append(extra, name)
		default:
			named.add(name)
			ok = s.rest.fits(member, r.member(at, name), r, nil) && ok
		}
		if s.names != nil && !s.names.accepts(name) {
			ok = r.refuse(nil, "the member name "+lex.Repeat(name)+" does not fit")
		}
	}
	if extra != nil {
		ok = r.refuse(r.member(at, slices.Min(extra)), notNamed)
	}
	return ok
}

// member checks a member against the schemas that name it. known reports whether there
// is one.
func (s *checker) member(name string, v any, at *path, r *report) (ok, known bool) {
	ok = true
	if sub := s.properties[name]; sub != nil {
		known = true
		ok = sub.fits(v, r.member(at, name), r, nil)
	}
	for _, p := range s.patterns {
		if p.name.MatchString(name) {
			known = true
			ok = p.member.fits(v, r.member(at, name), r, nil) && ok
		}
	}
	return ok, known
}

// combined checks $ref, allOf, anyOf and oneOf. What a branch names that does not fit
// is not named.
func (s *checker) combined(v any, at *path, r *report, named nameSet) bool {
	ok := s.ref == nil || s.ref.fits(v, at, r, named)
	for _, branch := range s.allOf {
		ok = branch.fits(v, at, r, named) && ok
		if !ok && r == nil {
			return false
		}
	}
	if s.anyOf != nil && s.fitting(s.anyOf, v, at, r, named) == 0 {
		ok = false
	}
	if s.oneOf == nil {
		return ok
	}
	switch s.fitting(s.oneOf, v, at, r, named) {
	case 0:
		ok = false
	case 1:
	default:
		ok = r.refuse(at, "it fits more than one alternative, of which exactly one may fit")
	}
	return ok
}

// fitting returns how many branches v fits. It explains why v fits none.
func (s *checker) fitting(branches []*checker, v any, at *path, r *report, named nameSet) int {
	fitting, failed := 0, make([][]Mismatch, 0, len(branches))
	for _, branch := range branches {
		var sub *report
		if r != nil {
			sub = &report{}
		}
		if branch.adds(v, at, sub, named) {
			fitting++
		} else if r != nil {
			failed = append(failed, sub.all)
		}
	}
	if fitting == 0 && r != nil {
		r.all = append(r.all, alternatives(at.pointer(), failed)...)
	}
	return fitting
}

// adds is fits, but names members only if v fits.
func (s *checker) adds(v any, at *path, r *report, named nameSet) bool {
	if named == nil {
		return s.fits(v, at, r, nil)
	}
	own := nameSet{}
	if !s.fits(v, at, r, own) {
		return false
	}
	for name := range own {
		named.add(name)
	}
	return true
}

// conditional checks not, if, then and else.
func (s *checker) conditional(v any, at *path, r *report, named nameSet) bool {
	ok := true
	if s.not != nil && s.not.accepts(v) {
		ok = r.refuse(at, "it fits a schema that it must not fit")
	}
	if s.when == nil {
		return ok
	}
	branch := s.orElse
	if s.when.adds(v, nil, nil, named) {
		branch = s.then
	}
	if branch == nil {
		return ok
	}
	return branch.fits(v, at, r, named) && ok
}
