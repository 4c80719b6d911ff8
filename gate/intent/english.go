package intent

import (
	"strings"

	"github.com/kljensen/snowball/english"

	"github.com/onestep-run/onestep/gate/lex"
)

// The lists below are the English that the signs against a change are read by.
// They hold words that any question may use; never the name of a tool.

var words = lex.Words

var (
	changes = words(`add apply approve archive assign book buy cancel change close comment commit copy create deactivate delete deploy destroy disable drop
		edit enable erase execute file fork grant insert install invite kill label merge modify move overwrite pay post publish purge push put reboot reject
		release remove rename replace reopen reply reschedule reset resolve restart restore revoke revert rotate run save scale schedule send set share
		start stop submit subscribe suspend terminate transfer truncate uninstall unassign unsubscribe update upload wipe withdraw write open make log`)
	reading    = words(`check compare count describe display explain fetch find get know list look read search see show summarize summarise tell view query retrieve lookup`)
	things     = words(`book comment copy file fork label log open order post run set share issue transfer schedule`) // behind a verb
	negations  = words(`not never don't dont mustn't shouldn't cannot can't won't wouldn't avoid refrain without against nobody refuse deny forbid forbidden nor neither pretend undo`)
	bars       = words(`not never don't dont mustn't shouldn't`)
	taken      = words(`forget hesitate fail worry`) // what a negation before them asks for is done
	asks       = words(`who what which why how when where whether whose is are was were does did should would may might am has have had can could do shall will`)
	conditions = words(`if unless provided providing assuming supposing`)
	reports    = words(`said says told tells asked asks wants wanted wrote writes suggested suggests proposes proposed recommends recommended claims
		thinks believes demands demanded insists ordered orders instructs instructed plans planned planning mentioned mentions supposed according considering wondering thinking
		might maybe perhaps should would will going gonna intends hopes pretend imagine simulate hypothetically remind refused whoever`)
	openers   = words(`please pls kindly now just also then and so hi hello hey ok okay thanks well oh actually`)
	wishes    = words(`need needs want like please have get must let's lets ought time`)
	sub       = words(`because since which that who where while although though explaining saying about titled called named describing asking whether how so`)
	irregular = map[string]string{"sent": "send", "paid": "pay", "made": "make", "bought": "buy", "wrote": "write", "ran": "run", "took": "take", "gave": "give", "put": "put", "set": "set", "shared": "share"}
	polite    = words(`can could will would`)
	personal  = words(`i we i'd we'd i'm i'll i've`)
	how       = words(`how what who`)
	naming    = words(`a an the this that my our your its of for in any some new with`) // before a noun
	needless  = words(`possible needed necessary that's`)                               // behind the "if" of a courtesy
	times     = words(`when whenever until before after`)
	moding    = words(`action operation op command cmd mode method run verb`) // of parameters that say what is done
	sending   = words(`message notify post send`)
	// prose are the last words of names of parameters that take text which is read
	// or searched, and kinds of those that take the kind of a thing and not its name.
	prose = words(`text texts query queries q search keyword keywords term terms phrase question prompt subject message messages body content
		description summary comment note notes title topic topics sentence input`)
	kinds = words(`kind kinds type types category categories`)
	// acts are further verbs that names of tools have. A question's words are not read by them.
	acts = words(`abort accept activate allow assume attach ban block bind bump call cancel clean clear click clone configure connect convert cordon cut
		deactivate decline define demote deregister detach disconnect discard dispatch drain duplicate eject emit encrypt enroll escalate evict exec
		expire export fill flush force format freeze generate import increment init initialize invoke join kick launch leave link load lock login
		logout mark migrate mount mute navigate notify onboard patch pause pin press print promote propose provision prune pull quit rebase rebuild
		refresh register reindex remind renew report request reserve resize resume retry roll rollback sign star swap switch sync tag taint toggle
		trash transition trigger type unban unblock undo unfollow unlink unlock unmount unmute unpin unshare unstar upgrade upsert vote`)
)

// inflected reports whether a word looks like a form of a verb, and is not the verb
// itself, as transition is.
func inflected(low string) bool {
	return !known(low) && ending(low)
}

func ending(low string) bool {
	return strings.HasSuffix(low, "ing") || strings.HasSuffix(low, "ion") || len(low) > 4 && strings.HasSuffix(low, "ed") && !strings.HasSuffix(low, "eed") || len(low) > 3 && strings.HasSuffix(low, "s") && !strings.HasSuffix(low, "ss")
}

// snake parts the words of a name in camel case.
func snake(name string) string {
	var b strings.Builder
	for i, r := range name {
		if i > 0 && r >= 'A' && r <= 'Z' && name[i-1] >= 'a' && name[i-1] <= 'z' {
			b.WriteByte('_')
		}
		b.WriteRune(r)
	}
	return strings.ToLower(strings.ReplaceAll(b.String(), "-", "_"))
}

// past reports whether a sentence only tells that the change was made.
func (r *request) past(from, to int) bool {
	made := false
	for i := from; i < to; i++ {
		low := r.low(i)
		if wishes()[low] || low == "mind" || personal()[low] && wishes()[r.low(i+1)] {
			return false
		}
		base, third := strings.CutSuffix(low, "s")
		stem := english.Stem(low, true)
		switch {
		case low == "":
		case third:
			made = made || i > from && r.verbs[stem] && (changes()[base] || changes()[strings.TrimSuffix(base, "e")]) && !r.noun(i)
		case inflected(low):
			made = made || r.verbs[stem] || r.nouns[stem] || changes()[strings.TrimSuffix(low, "d")] || changes()[strings.TrimSuffix(low, "ed")]
		default:
			made = made || i > from && r.verbs[irregular[low]] && irregular[low] != low
		}
	}
	return made
}
