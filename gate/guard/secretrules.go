package guard

import (
	"regexp"
	"strings"
	"sync"
)

// secretRule finds one kind of secret. Nothing is matched but where one of its
// literals stands, so that a text without them costs one pass.
type secretRule struct {
	kind     string
	literals []string               // in lower case
	lead     class                  // bytes before the literal that belong to the secret
	edge     class                  // bytes that must not be before the secret: it is then a part of something else
	only     func(text string) bool // may be nil; a look that costs less than the pattern
	pattern  func() *regexp.Regexp
	end      func(text string, i int) int // may be nil; of a secret that is longer than its pattern
}

// authorization is the kind of what an HTTP header of that name carries.
const authorization = "authorization"

const (
	// secretRead is how far a pattern looks. The run of a longer token is
	// taken along.
	secretRead = 2 << 10
	// leadMax is the most that may be before a literal.
	leadMax = 48
)

// class is a set of bytes. The zero value has none.
type class [4]uint64

func classOf(bytes string) class {
	var c class
	for i := range len(bytes) {
		c[bytes[i]>>6] |= 1 << (bytes[i] & 63)
	}
	return c
}

func (c *class) has(b byte) bool { return c[b>>6]&(1<<(b&63)) != 0 }

const wordBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

var (
	word     = classOf(wordBytes)
	dashed   = classOf(wordBytes + "-")
	dotted   = classOf(wordBytes + "-.~")
	pathed   = classOf(wordBytes + "-./")
	encoded  = classOf(wordBytes + "-.+/=~")
	base64ed = classOf(wordBytes[:62] + "+/") // without the "_"
	armour   = classOf(wordBytes + "+/=\\\r\n\t ")
	numeral  = classOf("0123456789")
)

// anchored compiles, when it is first needed, a pattern that begins where the text does. Its first
// group, if there is one, is what is hidden.
func anchored(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:` + pattern + `)`) })
}

// secretRules are from the shapes that the services publish of their tokens.
var secretRules = []secretRule{
	{kind: "aws-access-key", literals: []string{"akia", "asia", "abia", "acca"}, edge: word, pattern: anchored(`A(?:KI|SI|BI|CC)A[A-Z2-7]{16}\b`)},
	{kind: "github-token", literals: []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"}, edge: word, pattern: anchored(`gh[pousr]_[A-Za-z0-9]{36,}\b|github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}\b`)},
	{kind: "gitlab-token", literals: []string{"glpat-", "gldt-", "glptt-", "glrt-", "glcbt-", "gloas-", "glsoat-", "glagent-"}, edge: word, pattern: anchored(`gl(?:pat|dt|ptt|rt|cbt|oas|soat|agent)-[A-Za-z0-9_.-]{20,}`)},
	{kind: "slack-token", literals: []string{"xoxa-", "xoxb-", "xoxe-", "xoxe.", "xoxo-", "xoxp-", "xoxr-", "xoxs-", "xapp-"}, edge: word, pattern: anchored(`(?:xox[aboprs]-|xoxe[-.](?:xox[bp]-)?|xapp-)[A-Za-z0-9-]{20,}`)},
	{kind: "slack-webhook", literals: []string{"hooks.slack.com/"}, edge: word, pattern: anchored(`hooks\.slack\.com/((?:services|workflows|triggers)/[A-Za-z0-9+/]{30,})`)},
	{kind: "google-key", literals: []string{"aiza", "ya29.", "gocspx-"}, edge: word, pattern: anchored(`AIza[A-Za-z0-9_-]{35}|ya29\.[A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{28}`)},
	{kind: "stripe-key", literals: []string{"sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"}, edge: word, pattern: anchored(`[sr]k_(?:live|test)_[A-Za-z0-9]{16,}\b|whsec_[A-Za-z0-9+/]{32,}`)},
	{kind: "model-key", literals: []string{"sk-", "gsk_", "xai-"}, edge: word, pattern: anchored(`sk-(?:ant-[a-z0-9]+-|or-v1-|proj-|svcacct-|admin-)[A-Za-z0-9_-]{32,}|sk-[A-Za-z0-9]{32,}\b|gsk_[A-Za-z0-9]{40,}\b|xai-[A-Za-z0-9]{60,}\b`)},
	{kind: "npm-token", literals: []string{"npm_"}, edge: word, pattern: anchored(`npm_[A-Za-z0-9]{36}\b`)},
	{kind: "pypi-token", literals: []string{"pypi-age"}, edge: word, pattern: anchored(`pypi-AgE[A-Za-z0-9_-]{60,}`)},
	{kind: "hugging-face-token", literals: []string{"hf_", "api_org_"}, edge: word, pattern: anchored(`(?:hf|api_org)_[A-Za-z0-9]{34}\b`)},
	{kind: "sendgrid-key", literals: []string{"sg."}, edge: word, pattern: anchored(`SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}`)},
	{kind: "twilio-key", literals: strings.Fields("sk0 sk1 sk2 sk3 sk4 sk5 sk6 sk7 sk8 sk9 ska skb skc skd ske skf"), edge: word, pattern: anchored(`SK[0-9a-f]{32}\b`)},
	{kind: "vault-token", literals: []string{"hvs.", "hvb.", "hvr.", ".atlasv1."}, lead: word, edge: word, pattern: anchored(`hv[sbr]\.[A-Za-z0-9_-]{24,}|[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,}`)},
	{kind: "digitalocean-token", literals: []string{"dop_v1_", "doo_v1_", "dor_v1_"}, edge: word, pattern: anchored(`do[por]_v1_[a-f0-9]{64}\b`)},
	{kind: "azure-secret", literals: []string{"q~"}, lead: dotted, edge: word, pattern: anchored(`[A-Za-z0-9_.~]{3}[0-9]Q~[A-Za-z0-9_.~-]{31,34}`)},
	{kind: "azure-key", literals: []string{"accountkey=", "sharedaccesskey="}, pattern: anchored(`(?i:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{43,}={0,2})`)},
	{kind: "telegram-token", literals: []string{":aa"}, lead: numeral, edge: word, pattern: anchored(`[0-9]{8,10}:AA[A-Za-z0-9_-]{33}`)},
	{
		kind: "service-token",
		literals: []string{
			"shpat_", "shpca_", "shppa_", "shpss_", "lin_api_", "ntn_", "glsa_", "sntrys_", "sntryu_", "dapi", "dckr_pat_", "pmak-", "atatt3", "nrak-", "pul-",
			"pscale_", "dp.pt.", "sbp_", "rubygems_", "figd_", "age-secret-key-1", "sq0csp-",
		},
		edge: word,
		pattern: anchored(`shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b|lin_api_[A-Za-z0-9]{40}\b|ntn_[A-Za-z0-9]{43,}\b|glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}\b|` +
			`sntrys_[A-Za-z0-9+/=_-]{60,}|sntryu_[a-f0-9]{64}\b|dapi[a-f0-9]{32}(?:-[0-9])?\b|dckr_pat_[A-Za-z0-9_-]{27}|PMAK-[a-f0-9]{24}-[a-f0-9]{34}\b|` +
			`ATATT3[A-Za-z0-9_=-]{100,}|NRAK-[A-Z0-9]{27}\b|pul-[a-f0-9]{40}\b|pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,}|dp\.pt\.[A-Za-z0-9]{43}\b|` +
			`sbp_[a-f0-9]{40}\b|rubygems_[a-f0-9]{48}\b|figd_[A-Za-z0-9_-]{40,}|AGE-SECRET-KEY-1[0-9A-Z]{58}\b|sq0csp-[A-Za-z0-9_-]{43}`),
	},
	{kind: "service-token", literals: []string{"eaaa"}, edge: base64ed, pattern: anchored(`EAAA[A-Za-z0-9_-]{60}\b`)},
	{kind: "service-token", literals: []string{"key-"}, edge: pathed, pattern: anchored(`key-[a-f0-9]{32}\b`)},
	{kind: "jwt", literals: []string{"eyj"}, edge: dotted, pattern: anchored(`eyJ[A-Za-z0-9_-]{8,}\.(?:eyJ[A-Za-z0-9_-]{8}|[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{8,}\.)`), end: endOfJWT},
	{kind: "private-key", literals: []string{"-----begin "}, pattern: anchored(`-----BEGIN [A-Z0-9 ]{0,32}PRIVATE KEY(?: BLOCK)?-----`), end: endOfKey},
	{kind: "url-password", literals: []string{"://"}, only: hasUser, pattern: anchored(`://[^\s:/@"'<>\\]*:([^\s:/@"'<>\\\[\]{}$*%][^\s/"'<>\\\[\]{}]*)@[A-Za-z0-9\[]`)},
	{kind: authorization, literals: []string{"bearer", "basic"}, edge: word, pattern: anchored(`(?i:Bearer[ 	]+([A-Za-z0-9._~+/-]{20,}=*)|Basic[ 	]+([A-Za-z0-9+/]{16,}={0,2}))`)},
}

// secretFinder finds the literals of the rules, and after them those of
// [assignedNames].
var secretFinder = sync.OnceValue(func() *finder {
	var all []literalOf
	for i, r := range secretRules {
		for _, l := range r.literals {
			all = append(all, literalOf{l, i})
		}
	}
	for _, l := range assignedNames {
		all = append(all, literalOf{l, len(secretRules)})
	}
	return newFinder(all)
})

// at is the secret of which a literal begins at i.
func (r *secretRule) at(text string, i int) (span, bool) {
	start := i - trailing(text[:i], &r.lead)
	if start > 0 && r.edge.has(text[start-1]) {
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
	switch {
	case r.end != nil:
		s.end = r.end(text, s.end)
	case to == len(window): // the pattern read no further, and the token may go on
		s.end += leading(text[s.end:], &encoded)
	}
	return s, true
}

// group is the first group of a match that took part in it, or all of it.
func group(m []int) (from, to int) {
	for i := 2; i < len(m); i += 2 {
		if m[i] >= 0 {
			return m[i], m[i+1]
		}
	}
	return m[0], m[1]
}

// hasUser reports whether the URL whose :// the text begins with names a user.
func hasUser(text string) bool {
	end := strings.IndexAny(text[3:], "/ \t\r\n\"'<>\\")
	if end < 0 {
		end = len(text) - 3
	}
	return strings.IndexByte(text[3:3+end], '@') >= 0
}

// leading is how many bytes at the beginning of the text are of these.
func leading(text string, of *class) int {
	n := 0
	for n < len(text) && of.has(text[n]) {
		n++
	}
	return n
}

// trailing is how many bytes at the end of the text are of these, at most [leadMax].
func trailing(text string, of *class) int {
	n := 0
	for n < leadMax && n < len(text) && of.has(text[len(text)-1-n]) {
		n++
	}
	return n
}

// keyRead is how far the end of a private key is looked for; one of RSA-4096
// takes 3.2 KiB.
const keyRead = 16 << 10

// endOfKey is the end of the key whose first line ends at i. A key without a
// last line ends where its base64 does.
func endOfKey(text string, i int) int {
	rest := text[i:min(len(text), i+keyRead)]
	if end := strings.Index(rest, "-----END "); end >= 0 {
		if last := strings.Index(rest[end+9:], "-----"); last >= 0 && last < 64 {
			return i + end + 9 + last + 5
		}
	}
	return i + leading(rest, &armour)
}

// endOfJWT is the end of the token that goes on at i, without the full stop of
// a sentence.
func endOfJWT(text string, i int) int {
	end := i + leading(text[i:], &dotted)
	for end > i && text[end-1] == '.' {
		end--
	}
	return end
}
