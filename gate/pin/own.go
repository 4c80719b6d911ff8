package pin

import (
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/publicsuffix"

	"github.com/onestep-run/onestep/gate/lex"
	"github.com/onestep-run/onestep/gate/speech"
)

// Own names the owner of a server, as the operator's entry does. A host of the owner is the
// server's own topic, which an honest description names as often as itself. It is not
// another place that data could go to: the server gets the call in any case.
//
// It is never made from a server's own words. Its zero value owns nothing.
type Own struct {
	Hosts []string // the host of the entry's address, and the hosts that its manifest grants
	Names []string // the entry's name, and that of its package or image
}

// common are words in the names of servers that name no product. Anyone can own a domain of
// such a word.
var common = strings.Fields(`mcp server servers service services modelcontextprotocol model context protocol tool tools client
	official community remote local proxy bridge gateway stdio http https sse www api app apps cloud hub main latest node python docker
	image web website page pages mail email file files filesystem fetch search browser data database demo test example collect notes note
	memory time date logs log sync backup upload download share send post chat message messages calendar task tasks ticket tickets
	desk wiki docs store shop bank news weather maps code shell git ssh sql agent assistant thinking everything`)

// has reports whether a host is the server's own. It is below the domain of one of its
// addresses, or its domain has the name of the server's product.
func (o Own) has(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if slices.ContainsFunc(o.Hosts, func(own string) bool { return strings.EqualFold(own, host) }) {
		return true
	}
	domain := registrable(host)
	if domain == "" {
		return false
	}
	if slices.ContainsFunc(o.Hosts, func(own string) bool { return registrable(strings.ToLower(own)) == domain }) {
		return true
	}
	label, _, _ := strings.Cut(domain, ".")
	return slices.ContainsFunc(o.Names, func(name string) bool {
		words := speech.NameParts(strings.ToLower(name))
		return len(label) > 3 && slices.Contains(words, label) && !slices.Contains(common, label)
	})
}

// registrable is the domain that was registered for a host. It is "" for an address in
// numbers, a public suffix and a reserved name.
func registrable(host string) string {
	if _, err := netip.ParseAddr(host); err == nil {
		return ""
	}
	suffix, listed := publicsuffix.PublicSuffix(host)
	if !listed && !strings.Contains(suffix, ".") {
		return ""
	}
	domain, err := publicsuffix.EffectiveTLDPlusOne(host)
	if err != nil {
		return ""
	}
	return domain
}

// address reports whether an address is one of the server's own, and carries nothing along.
// It has no user, no query and no place for a value.
func (o Own) address(text string) bool {
	u, err := url.Parse(strings.TrimRight(text, ".,;:!`"))
	if err != nil || u.Scheme != "https" && u.Scheme != "http" {
		return false
	}
	plain := u.User == nil && u.RawQuery == "" && !strings.ContainsAny(text, "{}<>$%*")
	return plain && u.Port() == "" && o.has(u.Hostname())
}

// sending is a verb that sends something to a place later in its sentence.
var sending = lex.Pattern(`(?i)\b(?:sen[dt]s?|sending|forward\w*|upload\w*|post(?:s|ed|ing)?|submit\w*|mail\w*|transmit\w*|relay\w*|mirror\w*|exfiltrat\w*|deliver\w*|push\w*|shar(?:e|es|ed|ing)|report(?:s|ed)? (?:it|them|this|to)|cop(?:y|ies|ied)|writ(?:e|es|ten)|put|puts|pass(?:es|ed)?|paste\w*|export\w*|logged|goes|go|curl|call|include|append\w*)\b`)

// maxSentence is how much before a place is read for a verb.
const maxSentence = 200

// sentTo reports whether the sentence up to a place sends something there.
func sentTo(text string, at int) bool {
	all := speech.Sentences(text[max(0, at-maxSentence) : at+1])
	return sending().MatchString(all[len(all)-1])
}

const apiVersion = `v[0-9]+(?:(?:alpha|beta)[0-9]+)?`

// The groups of an API appear in four forms. They are in a list after the word apiVersion,
// with a version that no host has in its path, with a kind, or in a sentence about such
// resources.
var (
	groupList = lex.Pattern(`(?i)\b(?:apiVersions?|api[ _-]versions?|group/version|groupVersions?)\b[^\n]{0,24}?((?:(?:[a-z0-9-]+\.)*[a-z0-9-]+/)?` + apiVersion +
		"(?:[\\s,;\"'`]+(?:(?:or|and)[\\s\"'`]+)?(?:(?:[a-z0-9-]+\\.)*[a-z0-9-]+/)?" + apiVersion + `)*)(?:[^\w./-]|\.\s|\.$|$)`)
	groupItem = lex.Pattern(`(?i)((?:[a-z0-9-]+\.)+[a-z]{2,24})/` + apiVersion)
	groupForm = lex.Pattern(`((?:[a-z0-9-]+\.)+[a-z]{2,24})/(?:v[0-9]+(?:alpha|beta)[0-9]+(?:/[A-Z]\w+)?|v[0-9]+/[A-Z]\w+)(?:[^\w./-]|\.\s|\.$|$)`)
	groupBare = lex.Pattern(`((?:[a-z0-9-]+\.)+[a-z]{2,24})/v[0-9]+(?:[^\w./-]|\.\s|\.$|$)`)
	resources = lex.Pattern(`(?i)\b(?:kubernetes|k8s|custom ?resources?|customresourcedefinitions?|crds?|gvk|gvr|group/version|groupversionkind|api groups?)\b`)
)

// versioned is the place of a value of an apiVersion in a schema.
var versioned = lex.Pattern(`(?i)/properties/apiVersions?/(?:.+/)?(?:const|default|enum/\d+|examples/\d+|example)$`)

// apiGroup reports whether a host's name is the group of an API instead. It is one of
// k8s.io, where nothing can be sent to. Or it is always in a group/version that nothing is
// sent to, at each place in the text.
func apiGroup(text, name string) bool {
	name = strings.ToLower(name)
	if strings.HasSuffix(name, ".k8s.io") {
		return true
	}
	places := map[int]bool{}
	note := func(found []int, from int) {
		if at := from + found[2]; strings.EqualFold(text[at:from+found[3]], name) && !sentTo(text, at) {
			places[at] = true
		}
	}
	for _, list := range groupList().FindAllStringSubmatchIndex(text, maxCues) {
		for _, m := range groupItem().FindAllStringSubmatchIndex(text[list[2]:list[3]], maxCues) {
			note(m, list[2])
		}
	}
	forms := []*regexp.Regexp{groupForm()}
	if resources().MatchString(text) {
		forms = append(forms, groupBare())
	}
	for _, form := range forms {
		for _, m := range form.FindAllStringSubmatchIndex(text, maxCues) {
			note(m, 0)
		}
	}
	return len(places) > 0 && len(places) == strings.Count(strings.ToLower(text), name)
}
