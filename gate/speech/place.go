package speech

import (
	_ "embed"
	"iter"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/onestep-run/onestep/gate/lex"
)

// The tables of places and money. Zones are the names of IANA's time zones (of go1.26's
// copy), with one region on each line. Countries are the codes of ISO 3166-1 with English
// names; the two Congos have no name. Currencies are the words and signs of one each,
// behind the words of its countries.
var (
	//go:embed zones.txt
	zoneTable string
	//go:embed countries.txt
	countryTable string
	//go:embed currencies.txt
	currencyTable string
)

// rows are the lines of a table by fields.
func rows(table string) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		for line := range strings.Lines(table) {
			if !yield(strings.Fields(line)) {
				return
			}
		}
	}
}

// row is the fields behind the first of a row, nil if no row begins with it.
func row(table, first string) []string {
	for r := range rows(table) {
		if r[0] == first {
			return r[1:]
		}
	}
	return nil
}

// Zones are the names of the time zones with this city as their last part.
func Zones(city string) (all []string) {
	named := strings.ReplaceAll(Unaccented(city), " ", "_")
	for row := range rows(zoneTable) {
		for _, name := range row[1:] {
			if strings.EqualFold(lastPart(name), named) {
				all = append(all, row[0]+"/"+name)
			}
		}
	}
	return all
}

// City is the words of the city at the end of a time zone's name. It is nil for anything
// else.
func City(zone string) []string {
	region, city, _ := strings.Cut(zone, "/")
	if !slices.Contains(row(zoneTable, region), city) {
		return nil
	}
	return strings.Split(lastPart(city), "_")
}

func lastPart(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

// Country is the words of a country's English name, by its code. It is empty for anything
// else.
func Country(code string) []string {
	return strings.Fields(Unaccented(strings.Join(row(countryTable, strings.ToUpper(code)), " ")))
}

// Beyond are words that turn a country's name into another place's: New Mexico.
var Beyond = lex.Words(`new north northern south southern east eastern west western american british french equatorial papua`)

// Money is the words and the sign of a currency, by its code. It is empty for anything else.
func Money(code string) []string {
	r := row(currencyTable, strings.ToUpper(code))
	return r[min(1, len(r)):]
}

// Currency is the code of the currency that a word means behind another word. It is the
// currency of the country before it, else dollars of the United States, else the only one.
func Currency(word, before string) string {
	var all []string
	for row := range rows(currencyTable) {
		switch {
		case !slices.Contains(row[2:], word):
		case slices.Contains(strings.Split(row[1], ","), before):
			return row[0]
		default:
			all = append(all, row[0])
		}
	}
	if len(all) == 1 || len(all) > 0 && all[0] == "USD" {
		return all[0]
	}
	return ""
}

// Unaccented is a text without the accents of its letters.
func Unaccented(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(s))
}
