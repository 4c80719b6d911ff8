package lexical

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/speech"
)

// exampleForm matches a quotation in a description. examplesBegin matches the words that
// make it an example of a value.
var (
	exampleForm   = pattern(`(?:^|[\s(])['"‘“]([\p{Lu}\d][^'"‘’“”]{1,60})['"’”](?:[\s,.;)]|$)`)
	examplesBegin = pattern(`(?i)\be\.g\b|such as|\bformat|\bexample|for instance|\blike\b`)
)

// Features that all examples of a value may have.
const (
	withComma = ","
	withSlash = "/"
	capitals  = "A"
)

// shown is the common feature of the examples in a parameter's description. It is the comma
// of 'Berkeley, CA', the slash of 'Europe/London', or the capitals of 'USD'. The parameter
// does not take a value without this feature.
func shown(description string) string {
	begin := examplesBegin().FindStringIndex(description)
	if begin == nil || len(description) > 4<<10 {
		return ""
	}
	examples := exampleForm().FindAllStringSubmatch(description[begin[1]:], maxAlts)
	all := func(has func(string) bool) bool {
		return !slices.ContainsFunc(examples, func(m []string) bool { return !has(m[1]) })
	}
	digits := func(s string) bool { return strings.ContainsAny(s, "0123456789") }
	switch {
	case len(examples) == 0:
	case all(func(s string) bool { return strings.Contains(s, ", ") }):
		return withComma
	case all(func(s string) bool { return strings.Contains(s, "/") && !digits(s) && !strings.Contains(s, " ") }):
		return withSlash
	case all(func(s string) bool { return len(s) <= 4 && allCapitals(s) && !digits(s) }):
		return capitals
	}
	return ""
}

var bareExample = pattern(`(?i)(?:\be\.g\.|for example|such as|example:|\blike),? ['"]?([\w]+[-_#/][\w-]+|[a-z]+\d+)\b`)

// exampleOutline is the outline of the identifier that a description gives as an example,
// or "".
func exampleOutline(description string) string {
	if m := bareExample().FindStringSubmatch(description[:min(len(description), 4<<10)]); m != nil {
		if o := outline(m[1]); strings.Contains(o, "0") && strings.ContainsAny(o, "aA") {
			return o
		}
	}
	return ""
}

// outline is the pattern of a word's characters, with each run of capitals, small letters
// and digits as one.
func outline(s string) string {
	var b strings.Builder
	last := rune(0)
	for _, r := range s {
		switch {
		case unicode.IsDigit(r):
			r = '0'
		case unicode.IsUpper(r):
			r = 'A'
		case unicode.IsLetter(r):
			r = 'a'
		}
		if r != last {
			b.WriteRune(r)
		}
		last = r
	}
	return b.String()
}

// oneWord names parameters with values without a space.
var oneWord = stems("owner repo repository branch channel namespace pod deployment container sha ref revision username login")

// shaped reports whether a value has the form that the slot's name and description show.
func (s *slot) shaped(v *value) bool {
	switch {
	case !s.shownBy(v):
		return false
	case s.says(oneWord()) && !s.file() && strings.ContainsAny(v.text, " *@"):
		return false
	case s.says(ownerNames()) && strings.Contains(v.text, "/"):
		return false
	case s.versionsAPI() && !apiVersion().MatchString(v.text):
		return false
	case s.identifies && v.shape != numeral && s.examples().likes != "":
		return strings.EqualFold(outline(v.text), s.examples().likes) && s.takesLiteral(v) && s.timed(v)
	}
	return s.takesLiteral(v) && s.timed(v)
}

// shownBy reports whether a value has the common feature of the examples.
func (s *slot) shownBy(v *value) bool {
	switch shows := s.examples().shows; shows {
	case "":
		return true
	case capitals:
		return strings.ToUpper(v.text) == v.text
	}
	city := v.shape == named && s.says(zoneNames())
	return city || strings.Contains(v.text, s.examples().shows)
}

// takesLiteral reports whether the slot may take a path, an address or a name of this form.
func (s *slot) takesLiteral(v *value) bool {
	switch v.shape {
	case pathname:
		file := fileForm().MatchString(v.text)
		if file && s.says(repoNames()) {
			return false
		}
		if !file && v.text[0] != '/' && v.text[0] != '~' {
			return true
		}
		return s.file() || s.page() || s.mentions("path", "file")
	case address:
		return !strings.Contains(v.text, "://") || s.page() || s.mentions("url", "link")
	case identifier:
		return !s.says(pathNames()) || !codeForm().MatchString(v.text)
	case mailbox:
		return !s.identifies || s.mail()
	}
	return true
}

// mentions reports whether the slot takes free text, or its description has one of
// the words.
func (s *slot) mentions(words ...string) bool {
	return s.free || slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s.hint, w) })
}

// timed reports whether a value can be a date, if the slot asks for one in a layout.
func (s *slot) timed(v *value) bool {
	if v.shape == dated || !s.day() || strings.ContainsAny(v.text, "0123456789") {
		return true
	}
	return !layoutForm().MatchString(s.hint) && !strings.Contains(s.hint, "timestamp")
}

// apiVersion is a group and a version of an API: v1, apps/v1, batch/v1beta1.
var apiVersion = pattern(`^(?:[a-z0-9][a-z0-9.-]*/)?v[0-9]+(?:(?:alpha|beta)[0-9]+)?$`)

// versionsAPI reports whether the slot takes the version of an API. Such a version is not a
// number of the question: "scale web to 3" has no apiVersion.
func (s *slot) versionsAPI() bool {
	words := speech.NameParts(s.label)
	return slices.Contains(words, "api") && slices.Contains(words, "version")
}

// clockForm matches a description that asks for a time of day.
var clockForm = pattern(`(?i)\bhh:mm\b`)

// clock is a time of day in that form: 15:00, from "3pm".
func clock(word string) (string, bool) {
	for _, layout := range []string{"15:04", "3pm", "3:04pm"} {
		if at, err := time.Parse(layout, fold(word)); err == nil {
			return at.Format("15:04"), true
		}
	}
	return "", false
}

var zoneNames = stems("timezone zone tz")

// zone is the IANA name of a city's only time zone.
func zone(city string) (string, bool) {
	all := speech.Zones(city)
	return strings.Join(all, ""), len(all) == 1
}

// refuses reports whether a path is a file that the tool cannot take by its name. An
// example is a text for a tool of pictures or sound.
func (e *entry) refuses(path string) bool {
	media := slices.ContainsFunc(e.name, func(st string) bool { return mediaNames()[st] })
	return ofAFile().MatchString(path) && media && !ofMedia().MatchString(path)
}

var (
	mediaNames  = stems("media image picture photo audio sound video")
	folderNames = stems("directory folder tree")
)

// placed joins names with only a comma between them: Berkeley, CA.
func (t text) placed(vs []value) []value {
	var list []value
	for _, v := range vs {
		last := len(list) - 1
		if last < 0 || list[last].to != v.from || t.gap(v.from) != ", " {
			list = append(list, v)
			continue
		}
		if v.shape != named || list[last].shape != named {
			list = append(list, v)
			continue
		}
		list[last].to, list[last].text = v.to, t.span(list[last].from, v.to)
	}
	return list
}

var (
	ownerNames = stems("owner org organization organisation")
	repoNames  = stems("repo repository")
	fileForm   = pattern(`\w\.\w{1,5}$`)
	codeForm   = pattern(`^[A-Z]+-?\d+$|^[a-z]+-[a-z0-9]*\d[a-z0-9]*$`)
	pairForm   = pattern(`^([\w.-]+)/([\w.-]+?)(?:#(\d{1,9}))?$`)
)

// pair gives acme/checkout to the two parameters for the owner and the name of a
// repository.
func (f *filling) pair() {
	at := func(names map[string]bool) int {
		return slices.IndexFunc(f.e.slots, func(s slot) bool { return s.open() && s.says(names) })
	}
	owner, repo := at(ownerNames()), at(repoNames())
	pairs := slices.Clone(f.values)
	pairs = slices.DeleteFunc(pairs, func(v value) bool { return v.shape != identifier || !pairForm().MatchString(v.text) })
	if owner < 0 || repo < 0 || len(pairs) != 1 {
		return
	}
	v := pairs[0]
	parts := pairForm().FindStringSubmatch(v.text)
	if parts[3] != "" {
		k := slices.IndexFunc(f.e.slots, func(s slot) bool { return s.kind == "integer" && s.required })
		if k < 0 {
			return
		}
		f.set(k, argument{literal: jsontext.Value(parts[3]), origin: fromQuestion, words: v.text, form: told, told: true}, v.from, v.to)
	}
	for i, k := range []int{owner, repo} {
		f.set(k, argument{literal: schema.Literal(parts[i+1]), origin: fromQuestion, words: v.text, form: told, told: true}, v.from, v.to)
	}
}
