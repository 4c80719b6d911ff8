package scan

import "github.com/onestep-run/onestep/gate/lex"

// A description may speak of tools and of keys, and has no use for the following. private,
// exits, posing and unseen read the raw text; the others read words, as the expressions of
// phrases.go do.
var (
	// private matches a place of keys, or data of the user or a model alone. It also
	// matches a shell that runs loaded code. With an order it is poison.
	private = lex.Pattern(`(?i)(?:~|\$HOME|/home/\w+|/root)/\.\w|~/Library/|(?:^|[\s'"(/~\x60])\.(?:ssh|aws|kube|gnupg|netrc|pgpass|git-credentials)\b|\bid_(?:rsa|ed25519|dsa|ecdsa)\b|(?:^|[\s'"(/\x60])\.env\b|` +
		`/etc/(?:passwd|shadow|sudoers)\b|\bmcp\.json\b|\b(?:credentials|secrets?)\.(?:json|ya?ml|toml|env)\b|\bssh key\b|\bpassword manager\b|` +
		`\b(?:(?:the|this|that) user'?s|users'|their|his|all|any|every|each|other|stored|saved|contents? of|values? of)\s(?:\S+\s){0,3}(?:(?:private|ssh|api|secret|access) keys?|passwords?|credentials?|` +
		`(?:access|auth|session|bearer) tokens?|session cookies?|environment variables?|keychain|secrets|clipboard|browser (?:history|profile)|home directory|address book|bank details|credit card|\w+_(?:TOKEN|KEY|SECRET|PASSWORD))\b|` +
		`\b(?:api keys?|passwords?|credentials|tokens|environment variables)\s(?:\S+\s)?(?:from|of|found in|stored in|saved in)\s(?:the (?:user|process|shell|machine|host|browser|environment)|your|this machine|other)\b|` +
		`\b(?:curl|wget)\b.{1,200}\|\s*(?:sudo )?(?:ba|z)?sh\b|\brm -rf?\s+[~/]|\bchmod \+x\b|\bcrontab\b|\bpowershell -|\bbase64 -d\b|\bnc -[a-z]|\b(?:ba)?sh -c\b|` +
		`\b(?:whole|full|entire|complete|all|previous|prior|earlier|last \d+)\s(?:of the |of this |of your |the )?(?:\S+\s)?(?:conversation|chat|transcript|context|prompts?|user messages|messages so far)\b|` +
		`\b(?:conversation|chat) (?:history|so far|log)\b|\bsystem (?:prompt|messages?)\b|\buser'?s (?:\S+ )?cookies\b|\bthe user'?s (?:last|previous|recent|original|other|full name|private|personal)\b`)
	// bids are orders without the verb form of an order.
	bids = lex.Pattern(`(?i)\b(?:must|should|shall|please|always|never|make sure|need to|have to|has to|be sure to|cat|add|put|prepend|append|attach|include|pass|send|submit|forward|upload|copy|copied|paste|post|contents? of)\b`)
	// urges are bids that say more than the tool's purpose.
	urges = lex.Pattern(`(?i)\b(?:must|please|always|never|make sure|need to|have to|has to|be sure to|also|before)\b`)
	// exits match addresses to which more than the tool's own data goes.
	exits = lex.Pattern(`(?i)\b(?:all|every|each|user'?s|users|conversation|chat|results?|outputs?|responses?|arguments?|inputs?|quer(?:y|ies)|messages?|contents?|files?)\b.{0,40} to (?:<|\x60|')?(?:https?://|[\w.+-]+@\w)|` +
		`\b(?:pass|put|send|include|add|give|copy|append|submit|hand)\b.{0,60}\b(?-i:[A-Z]+_(?:[A-Z]+_)*(?:KEY|TOKEN|SECRET|PASSWORD)|DATABASE_URL)\b|` +
		`\bb?cc\b.{0,60}\S@\S|\b(?:copy|copies|duplicate|mirror|forward)\b.{0,80}(?:\S@\S|https?://)|\b(?:follow|obey|execute) (?:\S+ ){0,4}(?:instructions|steps|commands) .{0,30}https?://|https?://\S+ .{0,40}\b(?:follow|obey|execute|run) (?:the|its|any|all|whatever)\b`)
	// posing matches a description that poses as a turn of the conversation or as its
	// system. It also matches an address with a place for the user's data, and secrecy in
	// other languages.
	posing = lex.Pattern(`(?i)https?://[^\s"']*[?&=](?:<|\{|\[|\$\{?)[^>}\]]*(?:user|message|conversation|chat|cookie|token|password|secret|history)|` +
		`<(?:important|system|instructions?|hidden|secret|admin|assistant|critical)\b[^>]{0,40}>|\[(?:system|admin|hidden|secret|internal instructions?)\b|(?:^|[\n.!>(] *)(?:system|developer|admin(?:istrator)?) ?(?:note|message|notice|prompt|override|instruction)?s?:\s|` +
		`\b(?:note|instruction|message|hint|reminder)s? (?:to|for) (?:the |any |all )?(?:ai|assistant|agent|model|bot)s?\b|\b(?:nicht|nichts) .{0,30}nutzer .{0,20}(?:sag|erwähn|mitteil)|(?:utilisateur|usuario|usuário|utente).{0,20}(?:no|non|não|pas|sin|sans|sem) |不要.{0,6}(?:告诉|告知|通知|提及)|ユーザーに.{0,8}(?:知らせ|伝え|言わ)|не (?:говори|сообщай)`)
	// unseen matches text where no reader looks. It is in a comment, far below or beside
	// the rest, in letters apart, in elements that are not shown, or in a terminal's codes.
	unseen = lex.Pattern(`<!--|\[//\]: ?#|(?:\n[ \t\r]*){8,}|\S[ \t]{40,}\S|[\x{a0}\x{2000}-\x{200a}\x{2800}\x{3000}]{8,}|(?:\b\w[ ._-]{1,3}){10,}|<[^>]{0,200}(?:display:\s*none|visibility:\s*hidden|font-size:\s*[01]\b|opacity:\s*0|color:\s*(?:white|#fff)| hidden\b)|[\x08\x1b]`)
	// value matches a place in a schema that has a value, which is not a sentence.
	value = lex.Pattern(`/(?:enum/\d+|default|const|pattern|format|\$comment)$`)

	// undue matches secrecy, and precedence over other tools, rules and the user. It also
	// matches changes to other tools' arguments.
	undue = expression(`\b(?:NOT (?:\S+ )?(?:tell|telling) (?:\S+ ){0,2}USER|NOT (?:\S+ )?(?:mention|mentioning|disclose|reveal|disclosing) (?:to (?:\S+ )?USER|THIS)|(?:hide|conceal|keep|withhold) (?:\S+ ){0,5}from (?:the |your )?(?:user|human)|` +
		`USER (?:(?:must|should|need|needs) NOT|(?:does|do) NOT (?:need|have) to|is unaware|never) (?:\S+ ){0,3}(?:know|see|notice|learn|find|aware|noticing)|without (?:\S+ )?USER (?:\S+ )?(?:noticing|knowing|seeing|knowledge)|` +
		`(?:say|saying) nothing (?:\S+ )?about|keep (?:\S+ )?(?:quiet|silent) about|keep this (?:\S+ ){0,2}(?:secret|hidden|confidential|to yourself)|no need to (?:ask|confirm|tell|inform|mention|notify)|` +
		`(?:before|prior to|instead of|over|than) (?:using |calling |invoking )?(?:any|every|each|all)(?: of the)?(?: other| others?) (?:\S+ )?(?:tools?|functions?|calls?)|before (?:using |calling |invoking )?(?:any|every|each) (?:tools?|functions?|tool calls?)|` +
		`before (?:answering|responding|replying|you (?:answer|respond|reply)) (?:to )?(?:any|every|anything)|prefer this (?:\S+ )?(?:over|to) (?:any|all|every)|NOT use (?:\S+ ){1,3}even if|NOT (?:use|call|trust|rely on) (?:any |all |the )*other (?:\S+ )?(?:tools?|servers?)|` +
		`(?:other|alternative|competing|similar|built-in) (?:\S+ ){0,2}(?:tools?|servers?) (?:\S+ )?(?:is|are|have been) (?:\S+ )?(?:deprecated|unsafe|insecure|broken|outdated|unreliable|compromised|obsolete|disabled|forbidden)|` +
		`(?:takes? (?:precedence|priority) over|overrides?|supersedes?) (?:all |any |every |the |those of |of )*(?:(?:user|user's|system|other|previous|prior|earlier) )?(?:tools?|instructions|guidelines|requests|wishes)|` +
		`(?:ignore|disregard) (?:what |all |any |every |the )*(?:other tools?|system prompt)|(?:ignore|disregard|override) (?:\S+ ){0,2}(?:user's|users') |(?:regardless of|no matter|even if|contrary to) (?:what )?(?:\S+ )?USER (?:\S+ )?(?:say|says|said|ask|asks|asked|want|wants|request|requests|object|objects|decline|declines|refuse|refuses|specifies)|` +
		`(?:every time|whenever|each time) you (?:call|use|send|are asked|answer|write|reply) (?:.* )?(?:also|set|change|replace|recommend|bcc|append|forward)|(?:if|when|whenever) (?:the )?\S+_\S+ (?:\S+ )?is (?:also )?(?:installed|available|called)|(?:change|replace) the (?:recipient|payee|beneficiary)|` +
		`(?:route|redirect|reroute) (?:all|every|any) (?:payments?|e-?mails?|messages|questions|queries)|(?:turn on|enable) auto-?approve|(?:disable|turn off|switch off) (?:\S+ ){0,3}(?:safety|guardrails?|confirmations?|approvals?|sandboxing)|grant (?:itself|yourself)|` +
		`(?:approve|accept|grant|confirm|allow) (?:all|every|any|each) (?:\S+ ){0,2}(?:permission|approval|confirmation)|ask (?:\S+ )?USER (?:for|to (?:enter|give|provide|type)) (?:\S+ ){0,4}(?:password|passphrase|pin|ssn|cvv|otp|seed)|` +
		`(?:add|include|append|insert|mention|put|place) (?:.* )?(?:to|in|of|with) (?:every|each|all) (?:of )?(?:your )?(?:\S+ )?(?:responses?|answers?|repl(?:y|ies)|e-?mails?|commits?)|(?:in|to|with|of) (?:every|each|all) (?:your )?(?:\S+ )?(?:responses?|answers?|repl(?:y|ies)) (?:.* )?(?:add|include|append|insert|mention|recommend)|` +
		`(?:add|include|append|insert|mention|recommend|say) (?:.* )?(?:in|to) your (?:\S+ )?(?:responses?|answers?|repl(?:y|ies))|(?:append|attach|send|forward|transmit|upload|submit|relay|pass|copy|include) (?:.* )?user's (?:messages|files|data|inputs?|questions?|queries|contacts|notes|e-?mails?|location|identity)|automatically approve|(?:this is|treat (?:this|it|them) as) (?:an? |the )?(?:system|developer|administrator|admin) (?:message|instruction|override|command|directive))\b`)
	// furtive matches an order to do something in secret.
	furtive = expression(`\b(?:silently|secretly|quietly|covertly|discreetly|stealthily) !(?:CARRY|call|invoke|run|execute|add|set|read|open|fetch|delete|write)\b|!\S+ (?:.* )?(?:secretly|covertly|discreetly|stealthily)\b`)
	// unasked matches an end of confirmations, or silence, which an option of a tool may
	// have.
	unasked = expression(`\b(?:skip|skipping|bypass|without (?:asking|waiting|requiring|user|further|any)|NOT (?:ask|wait|prompt) (?:for|(?:\S+ )?USER)|without) (?:\S+ ){0,3}(?:confirmation|approval|permission|consent|confirm)\b|\bNOT ask (?:\S+ )?USER (?:before|first|again)\b|` +
		`\bNOT (?:\S+ )?(?:inform|notify|alert|warn|informing|notifying|alerting) (?:\S+ ){0,2}USER\b|\bUSER (?:has|have) (?:\S+ )?(?:already|previously|implicitly) (?:agreed|approved|consented|authorized|granted|given|confirmed)\b`)
	option = expression(`^, (?:if|when|whether|set|flag|skips|bypasses|true|false)\b|\bto (?:skip|bypass|true|false)\b|\b(?:is|are|be) NOT|\b(?:never|not|NOT|no) (?:\S+ )?(?:call|use|run|without)\b|\b(?:if|unless|once|after|when|only) (?:\S+ ){0,2}USER\b`)
)

// A text with fewer words than undueMin is the name of an option, such as
// skip_confirmation. With fewer than valueMin, it is a value.
const (
	undueMin = 4
	valueMin = 5
)

// poisons reports whether the sentence of a description has no use for a reader who uses
// the tool.
func (s *sentence) poisons(p Part, purpose bool) bool {
	const pipe = len(" | sudo bash") // a sentence ends at a bar, as the cell of a table does
	raw := s.text[s.hit().start:min(len(s.text), s.hit().end+pipe)]
	bid := bids()
	if purpose {
		bid = urges()
	} else if len(s.verbs) > 0 && private().MatchString(raw) {
		return true
	}
	if bid.MatchString(raw) && private().MatchString(raw) || exits().MatchString(raw) || len(s.verbs) > 0 && furtive().MatchString(s.said()) {
		return true
	}
	said := s.around(-1, 0, sentenceMax) + " "
	return len(s.tokens) >= undueMin && (undue().MatchString(said) || unasked().MatchString(said) && !option().MatchString(said)) ||
		len(s.tokens) >= valueMin && len(s.verbs) > 0 && value().MatchString(p.Where)
}
