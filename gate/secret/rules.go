package secret

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/onestep-run/onestep/gate/lex"
)

// secretRule finds one kind of secret. Matching happens only at one of its literals,
// so that a text without them costs one pass.
type secretRule struct {
	kind     string
	literals []string                       // in lower case
	lead     lex.Class                      // bytes before the literal that belong to the secret
	edge     lex.Class                      // bytes that must not be before the secret, but for one letter
	only     func(text string) bool         // may be nil; a check that costs less than the pattern
	check    func(text string, s span) bool // may be nil; a condition that the pattern cannot express
	pattern  func() *regexp.Regexp
	end      func(text string, i int) int    // may be nil; for a secret that is longer than its pattern
	find     func(text string, i int) []span // in place of the pattern
}

// authorization is the kind of the value of an HTTP header with that name.
const authorization = "authorization"

const (
	// secretRead bounds the text for a pattern. The rest of a longer token belongs to
	// the secret.
	secretRead = 2 << 10
	// leadMax bounds the bytes before a literal.
	leadMax = 48
)

var (
	word     = lex.ClassOf(lex.WordBytes)
	dashed   = lex.ClassOf(lex.WordBytes + "-")
	dotted   = lex.ClassOf(lex.WordBytes + "-.~")
	pathed   = lex.ClassOf(lex.WordBytes + "-./")
	encoded  = lex.ClassOf(lex.WordBytes + "-.+/=~")
	base64ed = lex.ClassOf(lex.WordBytes[:62] + "+/") // without the "_"
	armour   = lex.ClassOf(lex.WordBytes + "+/=\\\r\n\t ")
	numeral  = lex.ClassOf("0123456789")
	hostname = lex.ClassOf(lex.WordBytes[:62] + "-.*")
	padding  = lex.ClassOf("=")
)

// anchored returns a pattern that begins where the text begins. Its first group, if it
// has one, is the hidden part.
func anchored(pattern string) func() *regexp.Regexp { return lex.Pattern(`^(?:` + pattern + `)`) }

// secretRules follow the shapes that the services publish for their tokens.
var secretRules = []secretRule{
	{kind: "aws-access-key", literals: []string{"akia", "asia", "abia", "acca"}, pattern: anchored(`A(?:KI|SI|BI|CC)A[A-Z2-7]{16}`)},
	{kind: "github-token", literals: []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"}, pattern: anchored(`gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}`)},
	{kind: "gitlab-token", literals: []string{"glpat-", "gldt-", "glptt-", "glrt-", "glcbt-", "gloas-", "glsoat-", "glagent-"}, pattern: anchored(`gl(?:pat|dt|ptt|rt|cbt|oas|soat|agent)-[A-Za-z0-9_.-]{20,}`)},
	{kind: "slack-token", literals: []string{"xoxa-", "xoxb-", "xoxe-", "xoxe.", "xoxo-", "xoxp-", "xoxr-", "xoxs-", "xapp-"}, pattern: anchored(`(?:xox[aboprs]-|xoxe[-.](?:xox[bp]-)?|xapp-)[A-Za-z0-9-]{20,}`)},
	{kind: "slack-webhook", literals: []string{"hooks.slack.com/"}, pattern: anchored(`hooks\.slack\.com/((?:services|workflows|triggers)/[A-Za-z0-9+/]{30,})`)},
	{kind: "google-key", literals: []string{"aiza"}, edge: word, pattern: anchored(`AIza[A-Za-z0-9_-]{35}`)},
	{kind: "google-key", literals: []string{"ya29.", "gocspx-"}, pattern: anchored(`ya29\.[A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{28}`)},
	{kind: "stripe-key", literals: []string{"sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"}, pattern: anchored(`[sr]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/]{32,}`)},
	{kind: "model-key", literals: []string{"sk-"}, edge: word, pattern: anchored(`sk-(?:or-v1-|proj-|svcacct-|admin-)[A-Za-z0-9_-]{32,}|sk-[A-Za-z0-9]{32,}`)},
	{kind: "model-key", literals: []string{"sk-proj-", "sk-svcacct-", "sk-admin-", "sk-or-v1-"}, pattern: anchored(`sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{20,256}T3BlbkFJ[A-Za-z0-9_-]{20,}|sk-or-v1-[a-f0-9]{64}`)},
	{kind: "model-key", literals: []string{"sk-ant-", "gsk_", "xai-"}, pattern: anchored(`sk-ant-[a-z0-9]+-[A-Za-z0-9_-]{32,}|gsk_[A-Za-z0-9]{40,}|xai-[A-Za-z0-9]{60,}`)},
	{kind: "npm-token", literals: []string{"npm_"}, pattern: anchored(`npm_[A-Za-z0-9]{36}`)},
	{kind: "pypi-token", literals: []string{"pypi-age"}, pattern: anchored(`pypi-AgE[A-Za-z0-9_-]{60,}`)},
	{kind: "hugging-face-token", literals: []string{"hf_", "api_org_"}, pattern: anchored(`(?:hf|api_org)_[A-Za-z0-9]{34}`)},
	{kind: "sendgrid-key", literals: []string{"sg."}, pattern: anchored(`SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}`)},
	{kind: "twilio-key", literals: strings.Fields("sk0 sk1 sk2 sk3 sk4 sk5 sk6 sk7 sk8 sk9 ska skb skc skd ske skf"), edge: word, check: exact, pattern: anchored(`SK[0-9a-f]{32}`)},
	{kind: "vault-token", literals: []string{"hvs.", "hvb.", "hvr."}, pattern: anchored(`hv[sbr]\.[A-Za-z0-9_-]{24,}`)},
	{kind: "vault-token", literals: []string{".atlasv1."}, lead: word, pattern: anchored(`[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,}`)},
	{kind: "digitalocean-token", literals: []string{"dop_v1_", "doo_v1_", "dor_v1_"}, pattern: anchored(`do[por]_v1_[a-f0-9]{64}`)},
	{kind: "azure-secret", literals: []string{"q~"}, lead: dotted, edge: word, pattern: anchored(`[A-Za-z0-9_.~]{3}[0-9]Q~[A-Za-z0-9_.~-]{31,34}`)},
	{kind: "azure-key", literals: []string{"accountkey=", "sharedaccesskey="}, pattern: anchored(`(?i:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{43,}={0,2})`)},
	{kind: "telegram-token", literals: []string{":aa"}, lead: numeral, pattern: anchored(`[0-9]{8,10}:AA[A-Za-z0-9_-]{33}`)},
	{
		kind: "service-token",
		literals: []string{
			"shpat_", "shpca_", "shppa_", "shpss_", "lin_api_", "ntn_", "glsa_", "sntrys_", "sntryu_", "dapi", "dckr_pat_", "pmak-", "atatt3", "nrak-", "pul-",
			"pscale_", "dp.pt.", "sbp_", "rubygems_", "figd_", "age-secret-key-1", "sq0csp-",
		},
		pattern: anchored(`shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}|lin_api_[A-Za-z0-9]{40}|ntn_[A-Za-z0-9]{43,}|glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}|` +
			`sntrys_[A-Za-z0-9+/=_-]{60,}|sntryu_[a-f0-9]{64}|dapi[a-f0-9]{32}(?:-[0-9])?|dckr_pat_[A-Za-z0-9_-]{27}|PMAK-[a-f0-9]{24}-[a-f0-9]{34}|` +
			`ATATT3[A-Za-z0-9_=-]{100,}|NRAK-[A-Z0-9]{27}|pul-[a-f0-9]{40}|pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,}|dp\.pt\.[A-Za-z0-9]{43}|` +
			`sbp_[a-f0-9]{40}|rubygems_[a-f0-9]{48}|figd_[A-Za-z0-9_-]{40,}|AGE-SECRET-KEY-1[0-9A-Z]{58}|sq0csp-[A-Za-z0-9_-]{43}`),
	},
	{kind: "service-token", literals: []string{"eaaa"}, edge: base64ed, check: exact, pattern: anchored(`EAAA[A-Za-z0-9_-]{60}`)},
	{kind: "service-token", literals: []string{"key-"}, edge: pathed, check: exact, pattern: anchored(`key-[a-f0-9]{32}`)},
	{kind: "jwt", literals: []string{"eyj"}, edge: dotted, pattern: anchored(`eyJ[A-Za-z0-9_-]{8,}\.(?:eyJ[A-Za-z0-9_-]{8}|[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{8,}\.)`), end: endOfJWT},
	{kind: "private-key", literals: []string{"-----begin "}, pattern: anchored(`-----BEGIN [A-Z0-9 ]{0,32}PRIVATE KEY(?: BLOCK)?-----`), end: endOfKey},
	{kind: "private-key", literals: []string{"private-lines:"}, pattern: anchored(`Private-Lines:[ 	]*[0-9]{1,4}[ 	]*(?:\\r|\r)?(?:\\n|\n)([A-Za-z0-9+/]{32,64}={0,2})`), end: endOfLines},
	{kind: "url-password", literals: []string{"://"}, only: hasUser, check: chosen, pattern: anchored(`://[^\s:/@"'<>\\]*:((?:%[0-9A-Fa-f]{2}|[^\s:/@"'<>\\\[\]{}$*%])[^\s/"'<>\\\[\]{}]*)@(?:[A-Za-z0-9]|\[[0-9A-Fa-f:]+\])`)},
	{kind: "url-password", literals: []string{"://"}, only: hasUser, check: tokenUser, pattern: anchored(`://([A-Za-z0-9._~-]{20,})@[A-Za-z0-9]`)},
	{kind: "url-password", literals: []string{"jdbc:oracle:"}, check: chosen, pattern: anchored(`(?i:jdbc:oracle):[a-z]{3,8}:[^\s:/@"'<>\\]{1,64}/([^\s/@"'<>\\\[\]{}$*]{4,128})@`)},
	{kind: "url-signature", literals: []string{"sig=", "u0026sig="}, edge: dashed, check: varied, pattern: anchored(`(?:u0026)?sig=([A-Za-z0-9%+/_-]{20,}=*)`)},
	{kind: "url-signature", literals: []string{"signature="}, pattern: anchored(`(?i:signature)=([0-9a-f]{64,})`)},
	{kind: authorization, literals: []string{"bearer", "basic"}, edge: word, check: varied, pattern: anchored(`(?i:Bearer[ 	]+([A-Za-z0-9._~+/-]{20,}=*)|Basic[ 	]+([A-Za-z0-9+/]{16,}={0,2}))`)},
	{
		kind: authorization, literals: []string{"authorization"}, check: varied,
		pattern: anchored(`(?i:authorization)["'\\]{0,2}[ 	]{0,4}[:=][ 	]{0,4}["'\\]{0,2}(?:[A-Za-z][A-Za-z0-9_-]{1,20}[ 	]+([A-Za-z0-9._~+/-]{16,}=*)|([A-Za-z0-9._~+/-]{24,}=*))`),
	},
	{kind: authorization, literals: []string{" -u ", " --user "}, check: ofCurl, pattern: anchored(` (?:-u|--user) ["']?[^\s:"'$\[\]]{1,64}:([^\s"'$<>\[\]]{6,128})`)},
	{kind: authorization, literals: []string{" -p "}, check: ofLogin, pattern: anchored(` -p ["']?([^\s"'$<>\[\]-][^\s"'$<>\[\]]{5,128})`)},
	{kind: assigned, literals: []string{"identified ", "password '"}, check: quotedAgain, pattern: anchored(`(?i:identified(?: with [a-z0-9_]{1,32})? by|password) '([^'\s\[\]<>{}]{6,128})`)},
	{
		kind: "netrc-password", literals: []string{"machine", "default"}, edge: word, check: chosen,
		pattern: anchored(`(?:machine\s+[^\s\[\]]+|default)(?:\s+(?:login|account)\s+[^\s\[\]]+){1,2}\s+password\s+([^\s\[\]<>{}$*]{4,})|` +
			`machine\s+[^\s\[\]]+\s+password\s+([^\s\[\]<>{}$*]{4,})\s+login\s|machine\s+[^\s\[\]]*\.[^\s\[\]]+\s+password\s+([^\s\[\]<>{}$*]{0,32}[0-9][^\s\[\]<>{}$*]{3,})`),
	},
	{
		kind: "pgpass-password", literals: []string{":5432:", ":5433:", ":6432:", ":*:"}, lead: hostname, only: fiveFields, check: ownLine,
		pattern: anchored(`[^:\s\[\]]{1,48}:(?:[0-9]{1,5}|\*):[^:\s\[\]]{1,64}:[^:\s\[\]]{1,64}:([^:\s\[\]<>{}$*]{6,128})`),
	},
	{
		kind: "password-hash", literals: []string{"$apr1$", "$1$", "$2a$", "$2b$", "$2x$", "$2y$", "$5$", "$6$", "$7$", "$y$", "$gy$", "$argon2", "{sha", "{ssha", "pbkdf2_sha"},
		pattern: anchored(`\$(?:apr1|1)\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{22}|\$2[abxy]\$[0-9]{2}\$[./A-Za-z0-9]{53}|\$5\$(?:rounds=[0-9]+\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{43}|` +
			`\$6\$(?:rounds=[0-9]+\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{86}|\$(?:7|g?y)\$[./A-Za-z0-9]+\$[./A-Za-z0-9]{1,86}\$[./A-Za-z0-9]{43}|` +
			`\$argon2(?:id|i|d)\$(?:v=[0-9]+\$)?m=[0-9]+,t=[0-9]+,p=[0-9]+\$[A-Za-z0-9+/]{8,}\$[A-Za-z0-9+/]{20,}|\{S?SHA(?:256|512)?\}[A-Za-z0-9+/]{26,}={0,2}|` +
			`pbkdf2_sha(?:1|256|512)\$[0-9]+\$[A-Za-z0-9]+\$[A-Za-z0-9+/]{27,}={0,2}`),
	},
	{kind: assigned, literals: assignedNames, find: assignedAt},
	{kind: "cookie", literals: []string{"cookie"}, find: cookiesAt},
}

// secretFinder finds the literals of all rules.
var secretFinder = sync.OnceValue(func() *lex.Finder {
	var all []lex.Literal
	for i, r := range secretRules {
		for _, l := range r.literals {
			all = append(all, lex.Literal{Text: l, Rule: i})
		}
	}
	return lex.NewFinder(all)
})

// all returns the secrets that a literal at i announces.
func (r *secretRule) all(text string, i int) []span {
	if r.find != nil {
		return r.find(text, i)
	}
	if s, ok := r.at(text, i); ok {
		return []span{s}
	}
	return nil
}

// glued reports whether the text before a secret ends with exactly one letter of a
// word.
func (r *secretRule) glued(before string) bool {
	n := len(before) - 1
	if !lex.Letter(before[n]) || before[n] >= utf8.RuneSelf {
		return false
	}
	return n == 0 || !r.edge.Has(before[n-1])
}

// at returns the secret that the pattern finds for a literal at i.
func (r *secretRule) at(text string, i int) (span, bool) {
	start := i - trailing(text[:i], &r.lead)
	inWord := start > 0 && r.edge.Has(text[start-1])
	if inWord && !escapes(text[:start]) && !r.glued(text[:start]) {
		return span{}, false
	}
	window := text[start:min(len(text), start+secretRead)]
	if r.only != nil && !r.only(window) {
		return span{}, false
	}
	m := r.pattern().FindStringSubmatchIndex(window)
	if m == nil {
		return span{}, false
	}
	from, to := group(m)
	s := span{start + from, start + to, r.kind}
	if r.check != nil && (!r.check(text, s) || strings.HasPrefix(text[s.end:], mark)) { // a mark may hide what failed
		return span{}, false
	}
	switch {
	case r.end != nil:
		s.end = r.end(text, s.end)
	case to == len(window): // the pattern read no further, and the token may go on
		s.end += encoded.Leading(text[s.end:])
	}
	return s, true
}

// group returns the first group that took part in a match, or the whole match.
func group(m []int) (from, to int) {
	for i := 2; i < len(m); i += 2 {
		if m[i] >= 0 {
			return m[i], m[i+1]
		}
	}
	return m[0], m[1]
}

// cookieRead bounds the line of a header: browsers do not send longer ones.
const cookieRead = 8 << 10

// cookiesAt returns the session values in a Cookie or Set-Cookie header. The word
// "cookie", which ends the header's name, begins at i. A cookie for a language or a
// theme stays.
func cookiesAt(text string, i int) []span {
	at := i + len("cookie")
	at += gap(text[at:])
	option := i >= 2 && text[i-2:i] == "--" // of curl
	switch {
	case at == len(text) || text[at] != ':' && !option:
		return nil
	case text[at] == ':' || text[at] == '=':
		at++
	}
	return sessionsIn(text, at+gap(text[at:]))
}

// sessionsIn returns the session values in a line of cookies that begins at i. Text in
// brackets ends the line, as a redaction does. So does a colon, so that a text of
// nothing but headers is read once.
func sessionsIn(text string, i int) []span {
	var all []span
	end := min(len(text), i+cookieRead)
	for i < end {
		name := cookieName.Leading(text[i:end])
		from := i + name
		if from == end || text[from] != '=' {
			break
		}
		from++
		to := from + cookieValue.Leading(text[from:end])
		drawn := to-from >= cookieMin && mixed(text[from:to]) && !strings.HasPrefix(text[to:], mark)
		if drawn && session(text[i:i+name]) {
			all = append(all, span{from, to, "cookie"})
		}
		i = to + cookieEnds.Leading(text[to:end])
		if i == to {
			break
		}
	}
	return all
}

const cookieMin = 8

var (
	cookieName  = lex.ClassOf(lex.WordBytes + "-.")
	cookieValue = lex.ClassOf(lex.WordBytes + "-.+/=~%!*|@#$&()")
	cookieEnds  = lex.ClassOf("; ")
)

// session reports whether a cookie with that name contains a session or a login.
func session(name string) bool {
	name = strings.ToLower(name)
	if strings.Contains(name, "csrf") || strings.Contains(name, "xsrf") {
		return false
	}
	return strings.HasSuffix(name, "sid") || slices.ContainsFunc(sessionWords, func(w string) bool { return strings.Contains(name, w) })
}

var sessionWords = strings.Fields("sess auth token jwt login logged_in remember passw secret credential .cookies identity.application")
