package scan

import (
	"regexp"
	"strings"
	"sync"

	"github.com/onestep-run/onestep/gate/lex"
)

// The parser finds verbs; expressions read the words around them. They are RE2, which reads
// in linear time, and each reads one sentence at a time.

// expression compiles a pattern when it is first used. Words in capitals are
// lists of words, and a space may have a comma before it.
func expression(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(strings.ReplaceAll(lists().Replace(pattern), " ", ",? "))
	})
}

var lists = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer(
		"NOT", `(?:not|nicht|don't|dont|never|without|avoid|no|mustn't|can't|cannot|won't|needn't|shouldn't)`,
		"EARLIER", `(?:previous|previously|prior|earlier|preceding|above|former|foregoing|past|your|bisherigen|vorherigen|vorigen|obigen|précédentes|précédents|anteriores|anterior|previas|precedenti|предыдущие|прежние)`,
		"TAUGHT", `(?:instructions?|directions|directives?|guidelines|prompts?|guardrails|safeguards|programming|told|anweisung(?:en)?|instruktionen|vorgaben|consignes|instrucciones|istruzioni|instruções|инструкции|указания)`,
		"LAW", `(?:rules?|commands|orders|constraints|restrictions|policies|tasks?|training|guidance|context|messages|regeln|règles|reglas|regole|regras|правила)`,
		"ALL", `(?:everything|anything|whatever|all|any|every|other|current|existing|original|initial|alles|tout|todo|tutto)`,
		"USER", `(?:users?|humans?|operator)`,
		"THIS", `(?:this|that|it|these|anything|step)`,
		"LEADS", `(?:now|then|also|first|next|finally|just|simply|immediately|instead|and|so|afterwards|additionally|always|again|once|quickly|let's|silently|secretly|quietly|covertly|discreetly|stealthily|quiet|please|kindly|pls|plz|bitte)`,
		"POLITE", `(?:please|kindly|pls|plz|bitte)`,
		"MUST", `(?:must|should|shall|required|needs?|has|have|ought|urged|obliged|expected|instructed|supposed)`,
		"CARRY", `(?:send|forward|e-?mail|text|post|upload|transmit|submit|share|append|attach|include|pass|encode|embed|publish|copy|leak|exfiltrate|relay|dm|message|deliver|report)`,
		"MACHINE", `(?:ais?|llms?|assistants?|agents?|(?:chat)?bots?|gpt|chatgpt|copilot|claude|gemini|models?|ki-?\S*|ai-\S+|ia|ии|assistent\w*|asistente|assistente|modell|modelo?|modèle|sprachmodell|taalmodel|asystencie|ассистент)`,
	)
})

var (
	// ordered matches a verb, at ">", that the words before it make an order. led matches a
	// verb that continues another order.
	ordered = expression(`, (?:LEADS )+>|\b(?:could|can|would|will) you (?:LEADS )*>|\b(?:POLITE|you|sure) to (?:LEADS )*>|\b(?:you|your|you're|u|MACHINE) (?:\S+ ){0,2}MUST (?:to )?(?:LEADS )*>`)
	led     = expression(`LEADS >`)

	// overriding matches an order to drop earlier instructions, with the verb at ">".
	overriding = expression(`>\S+ (?:.* )?(?:EARLIER (?:.* )?(?:TAUGHT|LAW)|(?:TAUGHT|LAW) (?:.* )?EARLIER)(?: |$)|` +
		`>\S+ (?:.* )?ALL (?:\S+ ){0,4}(?:above|before|told|far|TAUGHT)(?: |$)`)
	// mild matches phrases that people use for their own words, or for rules, and not for a
	// model's.
	mild = expression(`>\S+ (?:my|our|his|her|their) |^,? ?>\S+ (?:the |these |those |any )?(?:previous|prior|earlier|former|past|above) (?:LAW|directions|guidelines)\b`)
	// dropping matches other phrases for to ignore; a noun is not a verb.
	dropping = expression(`\b(?:no >attention|(?:set|setting|put) >aside|NOT >(?:follow|obey)|stop >(?:following|obeying))`)
	heeded   = expression(`>(?:attention|aside|follow|obey|following|obeying)|\b(?:THIS|the|an) >`)
	heeding  = expression(`(?:,|LEADS) (?:\S+ ){0,2}>(?:attention|aside|follow|obey|following|obeying)`)

	// conceal matches an order to keep something from the user.
	conceal = expression(`\bNOT (?:\S+ (?:to )?)?>\S+ (?:(?:\S+ ){0,4}THIS (?:\S+ ){0,4}USER\b|(?:\S+ ){0,5}USER (?:about|that)\b)|` +
		`\bwithout >\S+ (?:\S+ ){0,5}USER\b|\bUSER (?:.* )?(?:never|(?:must|should|shall|needs?|has|have) \S+) >(?:find|know|learn)\b`)

	// speaking matches an address to a model: by its name, or as "you". reading matches an
	// address to the reader of this text. A description has one, but a result has no reason
	// for it.
	speaking = expression(`^(?:, \S+)?, (?:(?:ai|llm|language|automated) )?MACHINE,|\b(?:dear|attention|hey) MACHINE\b|\b(?:to|dear) (?:ai|llm|language|automated) MACHINE\b|` +
		`\bif (?:you|you're) (?:\S+ ){0,3}MACHINE\b|, as an? MACHINE\b|\b(?:ai|llm|language) MACHINE (?:\S+ )?(?:must|should|has to|have to)\b`)
	reading = expression(`, as the (?:\S+ )?MACHINE\b|\b(?:note|message|notice|hint) (?:to|for) (?:\S+ ){0,2}MACHINE\b|` +
		`\bMACHINE (?:reading|processing|summari[sz]ing|parsing|crawling|working|that reads?) (?:\S+ )?(?:this|these|here|in this)\b|\bto (?:complete|finish|fulfil|answer|process|handle|continue) (?:\S+ ){0,6}the (?:ai )?assistant (?:must|has to|shall)\b`)
	// abroad matches an address in other languages; the parser knows none of their verbs.
	abroad = expression(`\b(?:wenn|falls|si|se|als|jeśli|если) (?:du|sie|tu|eres|sei|você|je|jesteś|ты|вы) (?:\S+ ){0,3}MACHINE\b|` +
		`\b(?:hinweis|nachricht|anweisung|nota|mensaje|mensagem|messaggio|bericht|atención|atenção|avis|wiadomość) (?:an|für|à|aux?|pour|para|per|voor|aan|dla|,)? ?(?:\S+ ){0,2}MACHINE\b|` +
		`^(?:, \S+)?, (?:assistent\w*|asistente|assistente|asystencie|ассистент|assistant ia|yapay zeka asistanı)(?: (?:ia|ai|ki|de ia))?,`)
	// bidden matches an order to such a reader that is not a verb in the form of an order.
	bidden = expression(` (?:must|should|shall|has to|have to|needs? to|only|nur) `)
	// reaches matches an order that names a tool, or brings something to an address. leaks
	// matches an order that brings the conversation or a file out. brings and requests
	// match requests.
	reaches = expression(`!CARRY (?:.* )?@to:|[!~]\S+ (?:.* )?(?:@id:[^. ]+ |(?:tools?|functions?|plugin|api|endpoint|command) )`)
	leaks   = expression(`!CARRY (?:.* )?(?:conversations?|transcript|chat) (?:.* )?@to:|(?:@id:|\b(?:tools?|functions?) )(?:.* )?(?:as|arguments?|parameters?|along|field) (?:.* )?(?:conversation|transcript|chat|@in:)|` +
		`!CARRY (?:.* )?(?:conversation|transcript|chat|@in:\S+) (?:.* )?(?:as|arguments?|parameters?|along|field) (?:.* )?(?:@id:|tools?\b|functions?\b)`)
	brings   = expression(`!CARRY (?:.* )?@to:`)
	requests = expression(`!(?:download|fetch|read|get|retrieve|find|look|list|search|collect|gather|copy|take|extract|export) (?:.* )?!CARRY (?:.* )?@to:|` +
		`!CARRY (?:.* )?(?:it|them|this|that|these|all|every|everything|entire|whole|passwords?|credentials|cookies|secrets|contacts|history) (?:.* )?@to:|` +
		`POLITE (?:LEADS )*!\S+ (?:.* )?(?:@to:|@in:|@id:\S*_|ids? ?\S*\d|\$?\d{4}|\$\d|\d\d?:\d\d .*:\d\d)|!(?:\S+ me|\S+) (?:.* )?(?:my|mine|myself|for me) |~\S+ (?:\S+ )?my |` +
		`MACHINE MUST (?:to )?(?:\S+ )?[!~](?:call|invoke|use|run|execute) (?:.* )?@id:\S*_|USER (?:(?:now|also) says|(?:\S+ )?(?:asked you|wants you|asks you|authorized you))|[!~](?:call|invoke|use|run|execute) (?:.* )?(?:@id:\S+ (?:.* )?(?:tool|function)|(?:tool|function) (?:.* )?@id:)|\b(?:tool|function) (?:.* )?!(?:call|invoke|use|run|execute) (?:.* )?@id:`)

	// tasked matches words about the work that the reader has from someone else, before or
	// after that work. A result has no reason for them.
	tasked = expression(`\b(?:before|until|after|once|solve|continue|resume|proceed|return|finish|complete|instead) (?:\S+ ){0,7}(?:task|request|question|query|instructions?) (?:that |which )?(?:the )?(?:i|we|USER) (?:\S+ )?(?:gave|given|asked|assigned|set)(?: to)? you\b|` +
		`\b(?:before|until) you (?:can |may |could )?(?:solve|continue|proceed|answer|respond|reply|complete|finish|resume|perform|handle) (?:\S+ ){0,3}(?:users?|user's|question|query|prompt|conversation)\b|` +
		`\b(?:complete|completing|continue|continuing|resume|proceed|finish|finishing|answer|answering|solve|return|before|after) (?:\S+ ){0,2}(?:your|the|USER's) (?:original|initial|user's|assigned) (?:task|request|question|query)\b`)

	// wanted matches any request. It reads only text that was hidden in an encoding.
	wanted = expression(`POLITE (?:LEADS )*[!~]|[!~]\S+ (?:.* )?(?:@|my |me |\d)`)

	// quotation matches a quotation in prose: a word precedes its mark.
	quotation = lex.Pattern("[A-Za-z`][ :,(]+(?:\"[^\"]+\"(?:,?(?: and| or)? \"[^\"]+\")*|'(?:[^']|'[a-z])+')|`[^`]+`|“[^”]+”|„[^“”]+[“”]|«[^»]+»|‘[^’]+’|「[^」]+」")

	overridesUnspaced = lex.Pattern(`(?:忽略|无视|無視|忘记|忘記|忽視|무시)\S{0,20}(?:指令|指示|提示词|提示詞|规则|規則|지시|명령|프롬프트)|(?:指令|指示|提示词|提示詞|规则|規則|지시|명령|프롬프트)\S{0,20} ?(?:忽略|无视|無視|忘记|忘記|忽視|무시)`)
	speaksUnspaced    = lex.Pattern(`(?:致|如果你是|对于|给)[^。]{0,6}(?:AI|助手|模型|智能体|机器人)[^。]{0,8}[：:，,]|(?:AI|アシスタント|エージェント|モデル)(?:の方)?(?:へ|宛て?)[：:、]|AI ?(?:어시스턴트|에이전트|모델|비서)(?:에게|라면|는|은)`)
)

// overrides is the place of an order to drop earlier instructions, or -1. A report of such
// an order does not count.
func (s *sentence) overrides() int {
	for i := range s.tokens {
		if !s.is(i, drops) {
			continue
		}
		const reach = 8
		near := s.around(i, 3, 0)
		other := dropping().MatchString(near)
		if (other && heeding().MatchString(near) || !other && !heeded().MatchString(near) && s.order(i)) && overriding().MatchString(s.around(i, 0, reach)) {
			return i
		}
	}
	return -1
}

// conceals reports whether the sentence wants something kept from the user.
func (s *sentence) conceals() bool {
	for i := range s.tokens {
		if s.is(i, informs) && conceal().MatchString(s.around(i, 12, 7)) {
			return true
		}
	}
	return false
}
