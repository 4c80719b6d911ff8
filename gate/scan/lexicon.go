package scan

import (
	"strings"
	"sync"
)

// role is a role of a word in an order. A word may have several.
type role uint32

// The roles.
const (
	drops   role = 1 << iota // the verb of "ignore your instructions", and of "pay no attention to" them
	informs                  // verbs of informing, such as to mention
	model                    // an addressed model: assistant, agent
	acts                     // the verb of an order
	spared                   // verbs of orders that are common on pages: see, contact
	leads                    // words that may precede the verb of an order: now, please, must
	mine                     // my, me
	target                   // the object of an order: password, conversation, tool
	place                    // an address, a URL, a phone or account number
	name                     // an identifier: delete_all, getUser
	file                     // a path
)

// lexicon are the words of each role, in lower case. It includes the words of German,
// French, Spanish, Italian, Portuguese and Russian that the first rule needs.
var lexicon = sync.OnceValue(func() *vocabulary {
	all := &vocabulary{words: map[string]role{}}
	for r, words := range map[role]string{
		drops: `attention aside follow obey following obeying ignore disregard forget override bypass discard neglect drop abandon unlearn overlook
			ignoriere ignorieren vergiss missachte ignorez oublie oubliez ignora olvida olvide dimentica ignorar esqueça esquece игнорируй игнорируйте забудь забудьте`,
		informs: `tell telling mention mentioning inform informing notify notifying disclose disclosing reveal revealing alert alerting warn warning say saying report reporting
			told informed notified mentioned find know learn explain explaining acknowledge`,
		model: `assistant assistants ai ais agent agents llm llms chatbot chatbots bot bots gpt chatgpt copilot claude gemini model models ki ia ии assistent assistenten asistente assistente sprachmodell taalmodel modell modelo modèle asystencie asistanı ассистент`,
		acts: `accept access activate add adjust aggregate allow analyze annotate append apply approve arrange assign attach authorize award block book broadcast buy calculate
			call cancel capture change charge clear click close collect compare compile compose compress compute confirm connect convert copy count create deactivate delete
			deliver deploy deposit describe determine disable disclose disconnect dispatch display divert dm donate download drag draw drop e-mail edit email enable encode
			encrypt erase estimate evaluate execute exfiltrate export extract fetch file fill find forward gather generate get give grant guide hand help hide highlight hire
			identify include index initiate insert install invest invite invoke issue join kill launch leak list load locate lock log look lower mail make mark message modify
			monitor move mute navigate obtain open order pass patch pay perform place play post predict press pretend print process promote provide publish pull purchase push
			put query rate read rearrange reassign rebook recommend record redirect refund register reject relay release remove rename render reply report request reroute
			reschedule reserve reset resize resolve restore resume retrieve return reveal revoke route run save scan schedule scroll search send set share show shut sign
			simulate solve sort start stop store submit subscribe summarize switch take tell terminate text toggle trade transfer translate transmit trigger turn uninstall
			unlock dial follow unfollow ban hack assist bid build clean configure control decrease deny design dim dismiss drive end enroll enter establish exchange exclude finish format freeze increase inform instruct invert lend link maintain manage merge migrate mount operate pause permit pin plan plug prepare prevent prioritize procure produce raise rebuild redeem reduce refill renew rent repeat replace research restart review rotate secure sell separate setup ship skip sync tag teach test track train tune type undo unmute verify warm watch unsubscribe update upgrade upload use verify view visit whitelist wipe wire withdraw write`,
		mine: `my me mine myself`,
		leads: `now then also first next finally just simply immediately instead and so afterwards additionally always again once quickly let's silently secretly quietly covertly
			discreetly stealthily quiet please kindly pls plz bitte to you must should shall required need needs have has ought urged obliged expected instructed supposed`,
		target: `password passwords credentials credential token tokens key keys secret secrets passphrase passcode pin ssn passport conversation conversations transcript chat
			tool tools function functions plugin api endpoint command`,
		spared: `see note contact find refer check try wait ensure remember feel read visit click enter select choose review consult enjoy stay keep log sign confirm verify be reply respond register allow`,
	} {
		for word := range strings.FieldsSeq(words) {
			all.add(word, r)
		}
	}
	return all
})

// wordMax is the longest word that is looked up, in bytes.
const wordMax = 24

// vocabulary are words and their roles. The first two letters and the length exclude most
// other words.
type vocabulary struct {
	words   map[string]role
	lengths [1 << 10]uint32 // the lengths of its words, by the first two letters
}

func (v *vocabulary) add(word string, r role) {
	v.words[word] |= r
	v.lengths[pair([]byte(word))] |= 1 << len(word)
}

func (v *vocabulary) role(word []byte) role {
	if v.lengths[pair(word)]&(1<<len(word)) == 0 {
		return 0
	}
	return v.words[string(word)]
}

func pair(word []byte) int {
	if len(word) == 1 {
		return int(word[0] & 31)
	}
	return int(word[0]&31)<<5 | int(word[1]&31)
}
