package lexical

import (
	"strings"
	"sync"

	"github.com/kljensen/snowball/english"

	"github.com/onestep-run/onestep/gate/lex"
)

// The lists below are all that this package knows of English besides stems. They have words
// that any tool may use, never the name of one tool.

// wordSet is a list of words, made into a set at its first use. All tables and patterns of
// this package are: a run that plans nothing pays for no table.
type wordSet func() map[string]bool

func set(list string) wordSet { return lex.Words(list) }

//go:noinline
func stems(list string) wordSet {
	return sync.OnceValue(func() map[string]bool {
		m := map[string]bool{}
		for w := range strings.FieldsSeq(list) {
			m[stemmer(nil).stem(w)] = true
		}
		return m
	})
}

var pattern = lex.Pattern

// glue are words of grammar without a meaning of their own, in a question for a reading
// tool.
var glue = set(`a an the this that these those some any
	i me my mine you your we us our he she it its they them their there here
	is are was were be been being am do does did done doing have has had having will would shall should can could may might
	and or as so because while of in on at by for with from to into onto over under about above below between among through
	during before after since until till within against per via near around across along up out down toward towards upon like
	regarding concerning what which who whom whose when where why how whether
	also just only very too few please now current currently today's let let's i'm i'd i've i'll what's who's where's it's that's how's there's here's
	given using based say says e.g i.e eg etc one's want need like would wish looking hello hi hey thanks thank kindly help pls plz
	pull bring right inside whats rn plz thx exactly happening someone morning quick enough plenty exist exists available
	know get show give tell find see look check fetch retrieve list display provide return obtain view read open load describe explain summarize summarise print
	information info details detail named called titled id number value values name
	all every each everything sort sorted`)

// plainGlue are the words of glue that a request for a change may leave over. The others
// refer to things, or hedge, and no argument expresses them.
var plainGlue = set(`a an the this my our your me us of in on at to for from with by as into onto under and is its it please now
	pls plz thanks thank thx hi hello hey right we named called titled id number name value up via can could you i i'd want need like`)

// objections are words against a call: no argument expresses their meaning. They count as
// the tool's own words only if its name has them.
var objections = map[string]func() map[string]bool{
	"a negation":         set("not no never none nothing neither nor without cannot nobody isnt dont"),
	"an exception":       set("unless otherwise once except excluding exclude excludes excepting but apart other another else instead rather besides beyond only-if"),
	"a comparison":       set("compare compared comparing comparison versus vs difference differences than whichever either both same"),
	"a condition":        set("if provided assuming supposing"),
	"a second request":   set("then afterwards afterward additionally moreover"),
	"a superlative":      set("most least oldest newest latest earliest biggest largest smallest highest lowest best worst longest shortest cheapest fastest slowest tallest nearest closest older newer bigger larger smaller higher lower longer shorter cheaper faster"),
	"more than one call": set("twice respectively"),
	"a number in words":  set("half couple several"),
}

// strictObjections are further words against a change; a description that has them does not
// help.
var strictObjections = set(`all every each any everything everyone everybody anything whole entire some someone anyone who whom which what when where why how whether yesterday later soon again already yet ever
	said says say told asked asks wants wanted wrote writes would should must may might shall plan plans planned was were been be being had has have did does do
	first last next only also if or before after until since because that so let these those them maybe perhaps probably possibly roughly approximately
	list show tell see look check find display describe explain summarize summarise information info detail details`)

// changing are verbs of change. A tool that does not mention such a verb does not answer a
// question with it. A tool whose name begins with one, or has a destroying one, needs a
// plain request.
var (
	changing = set(`update send buy move rename write upload publish install create submit approve reject assign restart deploy merge push
		transfer pay edit insert book reserve schedule invite subscribe post put start run execute scale enable grant add set import`)
	destroying = set(`delete remove erase cancel close overwrite kill stop terminate purge revoke wipe reset destroy uninstall truncate drop archive disable`)
	// orders are verbs that begin a second request, and are not nouns.
	orders = set(`delete remove erase cancel kill terminate purge revoke wipe destroy uninstall truncate disable send create rename upload install submit`)
)

// making are verbs that make something new of "a" thing: open a ticket, and not open the
// ticket.
var making = set(`open make start file raise log draft`)

// asking are verbs of requests that change nothing.
var asking = set(`get fetch retrieve obtain show display view load summarize summarise describe explain read find search look list check open count
	calculate compute determine estimate predict evaluate solve identify locate convert compare translate generate analyze play query make give tell print provide change modify`)

// groups maps the stems of synonyms to one of them.
var groups = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for _, line := range []string{
		"get fetch retrieve obtain show display give return provide view load summarize summarise describe explain read",
		"find search look seek", "list enumerate", "count many",
		"calculate compute determine calc", "generate produce compose", "create add make", "delete remove erase drop destroy", "move rename", "start begin run execute launch trigger",
		"update modify edit change alter", "send mail", "email e-mail", "book reserve booking reservation", "buy purchase",
		"price cost", "movie film", "image picture photo", "city town", "document doc", "directory folder", "repository repo",
		"information info detail", "statistics stats stat statistic", "identifier id", "number num", "temperature temp",
		"maximum max", "minimum min", "average mean", "application app", "configuration config",
		"environment env", "variable var", "database db", "end finish", "destination dest", "nearest closest nearby near",
		"compare comparison", "convert conversion converter", "translate translation", "kubernetes k8s",
	} {
		words := strings.Fields(line)
		for _, w := range words {
			m[english.Stem(w, true)] = english.Stem(words[0], true)
		}
	}
	return m
})

// weak words are in the names and descriptions of most tools, so they say little about
// which one is meant.
var weak = stems(`get find list calculate create check generate information data result name value type kind specific based use using function tool
	current new request response number identifier locate item amount by for of and the in to from with detail`)

// generic words in a parameter's name do not identify its value.
var generic = stems(`number name value type id identifier amount count of the in is for string list array data parameter input format option key text`)

// freeText names parameters that take a person's own words.
var freeText = stems(`query text keyword search question message content topic term prompt sentence phrase subject note comment body description title resolution reason q summary caption`)

// about are words that precede the topic of a question.
var about = set(`about for on regarding concerning mentioning mention mentions containing contain contains matching cover covers covering discuss discusses`)

// roles maps a preposition to the stems of parameters that take the value after it.
var roles = sync.OnceValue(func() map[string]map[string]bool {
	from := stems("from source src origin start begin since departure sender old first min minimum after initial lower")
	to := stems("to destination dest end until target recipient receiver arrival new last max maximum before final upper value output into")
	in := stems("location city country place state region area namespace directory database channel language currency unit repository project workspace container")
	low, high := stems("min minimum lower least above"), stems("max maximum limit upper budget most below")
	m := map[string]map[string]bool{
		"in": in(), "inside": in(), "within": in(), "at": stems("time location address path url endpoint place")(),
		"on": stems("date day platform host server topic node board")(), "by": stems("author artist director creator owner by")(),
		"under": high(), "below": high(), "over": low(), "above": low(), "into": to(), "through": to(), "since": from(), "after": from(),
		"until": to(), "till": to(), "before": to(), "from": from(), "to": to(), "between": from(),
	}
	return m
})

// counted are words behind a number that belong to it, besides the units of gate/speech.
var counted = set(`degree degrees percent hz khz mhz v volt volts w kw watt watts j joule joules n newton newtons pa kpa atm bar coulomb coulombs
	ampere amperes amp amps bpm mpg m^2 m^3 m2 m3 m/s^2 unit units pixel pixels points times people persons night nights cup cups`)
