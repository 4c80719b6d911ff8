package lexical

import (
	"slices"
	"strings"
)

// wants says what part the value of a slot plays. Each is read from the
// slot's name first and from its description where the name is silent.
type wants struct {
	place, city, joined bool // a place; a city alone; a city together with its state
	country, state      bool
	person              bool
	date, time, year    bool
	path, url, email    bool
	unit, currency      bool
	source, target      bool // the two ends of a way: from Oslo to Bergen
	free                bool // the question itself
	topic               bool // what something is about
	identifier          bool
	span                bool // a time frame
	percentage          bool // 5 for 5 %, not 0.05
	nth                 int  // first, second, third
	maximum, minimum    bool
	count               bool // how many results
	formula             bool
	glob                bool // a pattern of file names
}

// dateHint is a description of a date: "check-in date, YYYY-MM-DD".
var dateHint = pattern(`^(?:[\w-]+ ){0,4}date(?:[ ,.:(]|$)`)

// decimalHint is a description that wants 5 % as 0.05: "a percentage, as a decimal".
var decimalHint = pattern(`\b(?:decimal|fraction)\b|\b0?\.\d`)

func wantsOf(s *slot, name string) wants {
	words := splitName(name)
	in := func(list ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(list, w) })
	}
	says := func(list ...string) bool {
		head := firstWords(s.hint)
		return slices.ContainsFunc(list, func(w string) bool { return strings.Contains(head, w) })
	}
	last := ""
	if len(words) > 0 {
		last = words[len(words)-1]
	}
	var w wants
	w.city = in("city", "town")
	w.country = in("country", "nation")
	w.state = last == "state" && says("state", "located", "")
	w.place = w.city || in("location", "place", "region", "area", "address", "venue", "destination", "origin", "county", "jurisdiction", "court") && s.kind != "integer" ||
		says("city", "location where", "place where", "the location")
	w.joined = strings.Contains(s.hint, "city and state") || strings.Contains(s.hint, "city, state")
	w.person = in("artist", "author", "player", "person", "scientist", "director", "actor", "composer", "user", "username", "recipient") ||
		says("name of the artist", "name of the player", "full name", "name of the person")
	w.date = s.kind == "string" && (in("date", "day", "when", "since", "until", "deadline") || dateHint().MatchString(firstWords(s.hint)) || layoutForm().MatchString(s.hint)) ||
		s.format == "date" || s.format == "date-time"
	w.time = in("time") && s.kind == "string" && !w.date || s.format == "time"
	w.span = s.kind == "string" && !w.date && in("duration", "period", "timeframe", "frame", "range", "season", "era", "century")
	w.year = (in("year") || says("the year ")) && !says("number of year", "how many year")
	w.path = in("path", "file", "filepath", "filename", "directory", "dir", "folder") || strings.HasSuffix(last, "path") || says("path to", "path of")
	w.url = s.format == "uri" || in("url", "uri", "link", "website") || strings.HasSuffix(last, "url")
	w.email = s.format == "email" || in("email", "mail")
	w.unit = in("unit", "units", "measurement", "measure", "uom") && s.kind == "string"
	w.currency = in("currency", "currencies") && s.kind == "string"
	w.source = in("from", "source", "start", "origin", "base", "departure", "begin", "src", "starting", "old", "pickup") && s.kind == "string" || says("starting", "start location", "convert from", "departure")
	w.target = in("to", "target", "end", "destination", "dest", "arrival", "dst", "ending", "new", "dropoff") && s.kind == "string" || says("destination", "ending", "convert to", "arrival")
	if w.source && w.target {
		w.source, w.target = in("from", "source", "start", "origin", "base", "departure"), in("to", "target", "end", "destination", "arrival")
	}
	w.free = s.kind == "string" && slices.ContainsFunc(s.name, func(n string) bool { return freeText()[n] })
	w.topic = s.kind == "string" && in("theme", "topic", "subject", "concept", "issue", "field", "area")
	w.identifier = in("id", "ids", "identifier", "uuid", "key", "code", "number", "sku", "ticket", "docket") && s.kind == "string"
	w.percentage = (strings.Contains(s.hint, "percent") || strings.Contains(s.hint, "%")) && !decimalHint().MatchString(s.hint)
	w.nth = nth(name, words, s.hint)
	w.maximum = in("max", "maximum", "limit", "upper", "end", "most", "budget")
	w.count = s.kind == "integer" && in("limit", "count", "top", "n", "k", "size", "results", "number", "max")
	w.formula = s.kind == "string" && in("function", "equation", "expression", "formula", "polynomial", "func", "integrand")
	w.glob = s.kind == "string" && in("pattern", "glob")
	w.minimum = in("min", "minimum", "lower", "start", "least")
	return w
}

// nth is which of several like values a slot takes: number1, second_note.
func nth(name string, words []string, hint string) int {
	if c := name[max(0, len(name)-1):]; c >= "1" && c <= "9" {
		return int(c[0] - '0')
	}
	for i, list := range [][]string{{"first", "one", "a"}, {"second", "two", "b"}, {"third", "three", "c"}, {"fourth"}} {
		for _, w := range list {
			if slices.Contains(words, w) && len(words) > 1 || len(w) > 3 && strings.Contains(hint, w+" ") {
				return i + 1
			}
		}
	}
	return 0
}
