package lexical

import (
	"maps"
	"regexp"
	"strings"
	"sync"

	"github.com/kljensen/snowball/english"
)

// The word lists below are all that this package knows of English besides
// stems. They hold words that any tool may use; never a name of one.

// wordSet is a list of words, made into a set when it is first used, like all
// tables and patterns of this package: a run that plans nothing pays for none.
type wordSet func() map[string]bool

func set(list string) wordSet { return listed(list, func(w string) string { return w }) }

func stems(list string) wordSet { return listed(list, canonical) }

// The compiler would copy the code of sync.OnceValue to each of the many calls.
//
//go:noinline
func listed(list string, as func(string) string) wordSet {
	return sync.OnceValue(func() map[string]bool {
		m := map[string]bool{}
		for _, w := range strings.Fields(list) {
			m[as(w)] = true
		}
		return m
	})
}

// pattern is not inlined for the same reason.
//
//go:noinline
func pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

func canonical(word string) string { return stemmer(nil).stem(word) }

// stopWords carry no meaning of their own: they neither choose a tool nor
// begin or end a value.
var stopWords = set(`a an the this that these those some any all each every both either another other such
	i me my mine you your we us our he she it its they them their
	is are was were be been being am do does did done doing have has had having will would shall should can could may might must
	and or but nor if then than so as because while although though whether
	of in on at by for with from to into onto over under about above below between among through during before after since until till
	within without against per via near nearby around across along off out up down toward towards upon like regarding
	what which who whom whose when where why how
	not no don't doesn't didn't isn't aren't can't won't please also just only very too more most less least much many few
	there here now currently today's let let's i'm i'd i've i'll what's who's where's it's that's
	given using based say e.g i.e eg etc vs one's let want need like would tell show give get
	assuming considering provided knowing supposing including
	hello hi thanks thank kindly`)

// prepositions say what part the words after them play.
var prepositions = set(`of in on at by for with from to into over under about between among through during before after
	since until till within without against per via near nearby around across toward towards as like above below than into and or
	starting located using regarding`)

// groups maps stems of words that stand for one another to one of them.
var groups = buildGroups(
	"get fetch retrieve obtain show display give tell return provide",
	"find search look seek",
	"calculate compute determine estimate evaluate work calc",
	"generate make build produce compose",
	"discover discovered discoverer discovery",
	"delete remove erase drop",
	"update modify edit change alter",
	"buy purchase order",
	"book reserve booking reservation",
	"analyze analyse analysis examine",
	"price cost fee",
	"movie film",
	"image picture photo",
	"city town",
	"weather forecast",
	"begin start origin initial",
	"end destination final finish",
	"predict prediction projection",
	"maximum max", "minimum min",
	"average mean",
	"document doc", "directory folder", "repository repo",
	"information info", "statistics stats stat statistic",
	"identifier id", "number num no",
	"temperature temp", "duration period",
	"kilogram kg", "kilometer km kilometre", "centimeter cm", "meter metre",
	"nearest closest nearby near",
	"compare comparison difference",
	"convert conversion converter",
	"translate translation", "recipe dish", "song track",
	"velocity speed",
)

func buildGroups(lines ...string) func() map[string]string {
	return sync.OnceValue(func() map[string]string {
		m := map[string]string{}
		for _, l := range lines {
			words := strings.Fields(l)
			for _, w := range words {
				m[english.Stem(w, true)] = english.Stem(words[0], true)
			}
		}
		return m
	})
}

// weakStems occur in the descriptions of most tools, so they say little about
// which one is meant.
var weakStems = stems(`get find calculate create information detail detailed data result list name value number type kind specific specified
	given certain various based provide use using return function tool allow help current currently latest recent new old particular
	return find user request response example include including parameter option optional default required format string
	input output set check identify determine generate locate item amount total level between two one first last next top best way
	know want need let please year day date time location place different many full good following long short high low
	exact official available possible common used great general overall simple several individual related main per within`)

// Verbs that change the world. A question that begins with one of them is not
// answered by a tool that does not speak of it. A tool whose name begins with
// one, or holds a destructive one, needs a question that says so.
const (
	changing = `update send book buy move rename write upload publish install create submit approve reject assign
		restart deploy merge push transfer pay edit post put insert add`
	destroying = `delete remove erase cancel close overwrite kill stop terminate purge revoke wipe reset destroy uninstall truncate drop archive disable`
)

var (
	changingWords, destroyingWords = set(changing), set(destroying)
	// A question adds numbers and posts are read: these two begin questions that change nothing.
	actions = without(stems(changing+" "+destroying), "add post put insert edit")
)

func without(all wordSet, list string) wordSet {
	return sync.OnceValue(func() map[string]bool {
		m := maps.Clone(all())
		for _, w := range strings.Fields(list) {
			delete(m, canonical(w))
		}
		return m
	})
}

// freeText names parameters that take the question itself.
var freeText = stems(`query text keyword search question message content topic term prompt sentence phrase q subject note comment body description`)

// generic words in a parameter's name say nothing of which value it takes.
var genericNames = stems(`number name value type id identifier amount count of the in is for string list array data parameter input to_be format option`)

var numberWords = map[string]int64{
	"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
	"eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19,
	"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "dozen": 12,
}

var multipliers = map[string]int64{"hundred": 100, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}

var monthNames = map[string]int{
	"january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7, "august": 8, "september": 9, "october": 10, "november": 11, "december": 12,
	"jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "sept": 9, "oct": 10, "nov": 11, "dec": 12,
}

// modifiers never begin a value: "the current price", "a used guitar".
var modifiers = set(`current latest recent new top best popular nearest closest used average total overall specific certain particular
	exact official available possible upcoming last next past previous first good famous common following given various different
	highest lowest largest smallest cheapest fastest shortest quickest detailed details detail information info name names list number
	find get search show give tell cover covers mention mentions contain contains own owns discuss discusses calculate compute determine estimate check fetch retrieve look locate provide create generate make book
	called named titled entitled identify predict convert play return solve draw analyze evaluate compare include read list open write summarize describe explain`)
