package summarize

import (
	"regexp"
	"strings"
	"sync"
)

// set is a list of words, made into a set when it is first used, like all
// tables and patterns of this package: a run without a summary pays for none.
// The compiler would copy the code of sync.OnceValue to each of the many calls.
//
//go:noinline
func set(list string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		m := map[string]bool{}
		for _, w := range strings.Fields(list) {
			m[w] = true
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

// The English words that carry a sentence's meaning whatever else is left out
// of it. All are in lower case, with a straight apostrophe.
var (
	// negations reverse what follows. Verbs that do so are among them.
	negations = set(`no nope not never none nobody nothing nowhere neither nor cannot cant dont donts wont aint isnt arent wasnt
		werent doesnt didnt hasnt havent hadnt couldnt wouldnt shouldnt mustnt w/o without
		hardly barely scarcely seldom rarely lack lacks lacked lacking absence absent fail fails failed failing failure
		refuse refuses refused refusing deny denies denied denying decline declines declined reject rejects rejected
		avoid avoids avoided avoiding prevent prevents prevented preventing prohibit prohibits prohibited prohibiting
		forbid forbids forbidden ban bans banned bar bars barred block blocks blocked stop stops stopped cease ceases ceased
		cancel cancels cancelled canceled exclude excludes excluded excluding omit omits omitted disable disabled
		false wrong untrue invalid illegal illegitimate impossible improper inactive inaccurate incomplete incorrect
		insufficient ineligible inadequate infrequent insecure unlikely unable disallow disallows disallowed
		myth against stopping revoke revoked withdraw withdrawn withdrew suspend suspended
		disapprove disapproves disapproved discourage discourages discouraged oppose opposes opposed halt halts halted`)

	// foreign are the negations of other languages, which an English sentence may quote.
	foreign = set(`nicht kein keine keinen keiner nie niemals ohne pas jamais aucun aucune sans ninguno nunca sin
		não nem sem niet geen nooit zonder ikke inte aldrig uden utan senza mai nessuno`)

	// conditions say when or for whom the rest holds.
	conditions = set(`if unless except excepting excepted exception exceptions only but provided providing assuming
		otherwise whether lest barring save conditional conditionally contingent instead`)

	// timing bounds the rest in time, or makes it wait for something.
	timing = set(`until till before after when whenever while once during within upon pending where wherever
		former formerly previously temporarily temporary initially eventually yet still anymore already
		originally prior
		approval permission consent authorization authorisation`)

	// quantifiers say of how much the rest holds.
	quantifiers = set(`all every each any anyone anybody anything everyone everybody everything some someone somebody
		something most much many more less least fewer few little several both either half majority minority enough
		always often sometimes usually generally typically occasionally frequently normally mostly mainly largely
		partly partially entirely fully completely wholly totally solely exclusively merely just alone
		almost nearly approximately roughly circa minimum maximum than twice double triple too
		sole increasingly other others another dozens hundreds thousands millions billions`)

	// hedges say how sure, how real or whose word the rest is.
	hedges = set(`may might can could should would must shall will ought need needs needed able
		likely possible possibly probable probably perhaps maybe presumably apparently apparent reportedly allegedly
		alleged purported supposed supposedly suspected potential potentially hypothetical theoretical
		draft proposed planned intended expected estimated projected attempted so-called fake
		seem seems seemed appear appears appeared suggest suggests suggested believe believes believed think thinks
		thought guess guesses guessed assume assumes assumed doubt doubts doubted claim claims claimed argue argues argued
		allege alleges say says said tell tells told report reports reported expect expects intend intends plan plans
		propose proposes attempt attempts try tries tried hope hopes hoped want wants wanted wish wishes pretend pretends
		wonder wonders threaten threatens threatened promise promises promised recommend recommends recommended
		suppose supposing supposition imagine imagines imagined imaginary fear fears feared rumor rumors rumour rumours legend
		allegation allegations lie lies lied opinion opinions belief beliefs hypothesis theory fiction joke gonna
		ostensibly seemingly theoretically hypothetically arguably hopefully practically virtually simulated interim ex
		outdated obsolete superseded rescinded retracted repealed overturned expired provisional void citation
		optional optionally hypothesize hypothesizes conjecture reduce reduces reduced`)

	// near are hedges only before a number.
	near = set(`about around over under above below beyond exceeding up to near minus negative`)

	// regions belong to the name they begin: South Korea is not Korea.
	regions = set(`north south east west northern southern eastern western new upper lower`)

	// phrases carry meaning together.
	phrases = [][]string{
		{"as", "long", "as"},
		{"so", "long", "as"},
		{"as", "far", "as"},
		{"subject", "to"},
		{"in", "case"},
		{"in", "the", "event"},
		{"depending", "on"},
		{"depends", "on"},
		{"apart", "from"},
		{"aside", "from"},
		{"according", "to"},
		{"have", "to"},
		{"has", "to"},
		{"had", "to"},
		{"rather", "than"},
		{"far", "from"},
		{"free", "of"},
		{"free", "from"},
		{"a", "few"},
		{"on", "condition"},
		{"to", "be"},
		{"going", "to"},
		{"about", "to"},
		{"set", "to"},
		{"meant", "to"},
		{"due", "to"},
		{"used", "to"},
		{"scheduled", "to"},
		{"slated", "to"},
		{"has", "it"},
		{"in", "the", "words"},
		{"in", "the", "eyes"},
	}

	// binders lead to the next word: without them it would belong to another one.
	binders = set(`of in on at by for with from to into onto through across between among as via per toward towards
		and or nor & who whom whose which because since like so whereas although though despite versus vs
		about around over under above below beyond near behind concerning regarding inside outside following non anti semi quasi pseudo pre post vice deputy assistant`)

	joiners = set(`and or nor & while whereas so then`)

	// subjects begin a clause of their own after a comma.
	subjects = set(`i he she it we you they this these those there`)

	relatives = set(`that who whom whose which where`)

	determiners = set(`a an the this that these those its their his her our your my`)

	auxiliaries = set(`is are was were be been am has have had do does did will can`)

	// heads need the number that follows them to mean what they say.
	heads = set(`no version section article level page step phase tier type class chapter figure table part paragraph
		clause appendix annex policy day year week month quarter grade stage rule item line column`)

	// exceptive words begin a sentence that belongs to the one before.
	exceptive = set(`unless except excepting excluding provided save barring or nor`)

	// salutations begin a line that may end with a comma all the same.
	salutations = set(`hi hello hey dear greetings good`)

	// dangling words cannot end a line that is complete.
	dangling = set(`a an the of in on at by for with from to into and or nor but not no never without
		must may can should shall will would could is are was were be that which who if unless except only than`)
)

// truncationWords are what a mark of truncation is made of, and cutWords those
// that make it one.
var (
	truncationWords = set(`truncated omitted omission snipped snip cut shortened abridged more continued left out
		bytes byte characters character chars lines line items item rows words tokens text output content the of and was
		rest remaining show read see next here`)
	cutWords = set(`truncated omitted omission snipped snip cut shortened abridged more continued left rest remaining`)
)

// english are words that stand in almost every English sentence and in few of
// another language. Of weak ones that is true only together with those; others
// stand in other languages and not in English.
var (
	english = set(`the and to of are that with this from have which for you not he she they his her their been has
		were would there our it its by if my your but what when who can does did
		more than these those into such only other some must should may through about between how where while
		however both each also because after before them him during under over using used most`)
	weak   = set(`a in on as is was will i or an at be do we all no so me within`)
	others = set(`der die das und nicht ist ein eine einen dem den zu mit auf für von sich auch wird werden sind
		le la les des et est une pas que qui dans pour sur avec sont ne du au aux
		el los las y por para con una del se es como sus
		het een niet van voor zijn wordt il che di della per sono um uma não os dos e
		och att det ikke som av på til nie jest na się`)
)
