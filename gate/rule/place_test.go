package rule_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/url"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/onestep-run/onestep/gate/rule"
	"github.com/onestep-run/onestep/gate/schema"
)

// urlsDigest is the digest of the output of testdata/urls.mjs under Node.js 20.
const urlsDigest = "af4c75881ac63f47c65007c1c1672083d68d25d6f5aae5d3331e6486535c5791"

// standardURL is a text, and what the URL Standard makes of it.
type standardURL struct {
	text                           string
	valid                          bool
	protocol, host, port, pathname string
}

func standardURLs(t *testing.T) (all []standardURL) {
	t.Helper()
	packed, err := os.ReadFile("testdata/urls.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	lines, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	if sum := sha256.Sum256(lines); hex.EncodeToString(sum[:]) != urlsDigest {
		t.Fatalf("the corpus is another one: %x", sum)
	}
	for line := range bytes.Lines(lines) {
		var is []string
		if err := json.Unmarshal(line, &is); err != nil {
			t.Fatal(err)
		}
		u := standardURL{text: is[0], valid: len(is) == 5}
		if u.valid {
			u.protocol, u.host, u.port, u.pathname = is[1], is[2], is[3], is[4]
		}
		all = append(all, u)
	}
	return all
}

// below reports whether the standard reads u as below a root, of any scheme and port
// and whatever its case and percent-encoding.
func (u standardURL) below(root *url.URL) bool {
	names := strings.Split(strings.ToLower(u.pathname), "/")
	for i, name := range names {
		if plain, err := url.PathUnescape(name); err == nil {
			names[i] = plain
		}
	}
	of := strings.Split(strings.ToLower(root.Path), "/")
	return u.valid && u.host == root.Hostname() && len(names) >= len(of) && slices.Equal(names[:len(of)], of)
}

// exactly reports whether the standard reads u as below a root, of its scheme and port.
func (u standardURL) exactly(root *url.URL) bool {
	at := u.protocol + "//" + u.host
	if u.port != "" {
		at += ":" + u.port
	}
	rest, is := strings.CutPrefix(at+u.pathname, strings.TrimSuffix(root.String(), "/"))
	return u.valid && is && (rest == "" || rest[0] == '/')
}

// spoke returns the rules that a text in the argument note meets. The policy has, for
// each root, a rule that allows and a rule that denies.
func spoke(t *testing.T, p rule.Policy, input schema.Schema, text string) map[string]bool {
	t.Helper()
	args, err := json.Marshal(map[string]string{"note": text})
	if err != nil {
		t.Fatal(err)
	}
	d := p.Decide(rule.Question{Input: input, Record: rule.Record{Server: rule.Server{Name: "web"}, Tool: "fetch", Effect: "read", EffectBy: "operator", Arguments: args}})
	met := map[string]bool{}
	for _, s := range d.Spoke {
		if s.Error != "" {
			t.Fatalf("%q: %s", text, s.Error)
		}
		met[s.Why] = true
	}
	return met
}

// rooted is a policy of rules with under, an allow and a deny for each root.
func rooted(t *testing.T, roots []string) (rule.Policy, schema.Schema) {
	t.Helper()
	var rules []string
	for _, root := range roots {
		for _, effect := range []string{"allow", "deny"} {
			rules = append(rules, fmt.Sprintf(`{"effect":%q,"tools":["web/fetch"],"where":{"note":{"under":%q}},"why":"%s %s"}`, effect, root, effect, root))
		}
	}
	input, err := schema.Admit([]byte(`{"type":"object","properties":{"note":{"type":"string"}}}`), schema.Options{Role: schema.Input})
	if err != nil {
		t.Fatal(err)
	}
	return parse(t, rules...), input
}

// Over 20,000 generated texts: a text that the URL Standard reads as below a root is
// denied. If a text is allowed, the standard reads it as below the root, at its scheme
// and port.
func TestUnderAgreesWithTheURLStandard(t *testing.T) {
	t.Parallel()
	roots := []string{"https://example.com", "https://example.com/a", "https://127.0.0.1:8443", "https://xn--bcher-kva.example"}
	p, input := rooted(t, roots)
	allowed, passed := 0, 0
	for _, u := range standardURLs(t) {
		met := spoke(t, p, input, u.text)
		for _, text := range roots {
			root, err := url.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			allow, deny := met["allow "+text], met["deny "+text]
			if u.below(root) && !deny {
				t.Errorf("%q is below %s, and is not denied", u.text, text)
			}
			if allow && !u.exactly(root) {
				t.Errorf("%q is not below %s, and is allowed", u.text, text)
			}
			if allow && !deny {
				t.Errorf("%q is allowed below %s, and not denied", u.text, text)
			}
			if allow {
				allowed++
			}
			if !deny {
				passed++
			}
		}
	}
	if allowed < 500 || passed < 20_000 {
		t.Errorf("%d are allowed and %d pass, too few to say anything", allowed, passed)
	}
}

// Over generated paths: a path that path.Clean finds below a root is denied. It finds
// an allowed path there, even with the path cut at a ? or a #.
func TestUnderAgreesWithCleanPaths(t *testing.T) {
	t.Parallel()
	root := "/srv/data"
	p, input := rooted(t, []string{root})
	names := []string{"srv", "data", "Data", "x", "..", ".", "", "data;v=1", "data.", "..;", "data?y", "#", "%2e%2e", `\..`, "...", "database", "é"}
	below := func(text string) bool {
		clean := path.Clean(text)
		return clean == root || strings.HasPrefix(clean, root+"/")
	}
	allowed, passed := 0, 0
	for n := range len(names) * len(names) * len(names) {
		text := ""
		for range 3 {
			text, n = text+"/"+names[n%len(names)], n/len(names)
		}
		met := spoke(t, p, input, text)
		cut := text[:strings.IndexAny(text+"?", "?#")]
		if (below(text) || below(cut)) && !met["deny "+root] {
			t.Errorf("%q is below %s, and is not denied", text, root)
		}
		if met["allow "+root] && (!below(text) || !below(cut)) {
			t.Errorf("%q is not below %s, and is allowed", text, root)
		}
		if met["allow "+root] {
			allowed++
		}
		if !met["deny "+root] {
			passed++
		}
	}
	if allowed < 5 || passed < 500 {
		t.Errorf("%d are allowed and %d pass, too few to say anything", allowed, passed)
	}
}
