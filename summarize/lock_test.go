package summarize_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/summarize"
)

const handbook = `{"id":"policy-002","title":"PII logging","retention_days":30,"encrypted":false,"empty":"",` +
	`"text":"# Rules\n\nNever share customer data with vendors. Logs are kept\n for 30 days. Access needs approval…","tags":["privacy","30"],` +
	`"not_allowed":{"actions":"sending keys by mail"},"note":"[truncated]","a~b/c":"slash"}`

func TestEvidenceIsWholeSentencesLinesOrValues(t *testing.T) {
	t.Parallel()
	result := structured(t, handbook)
	for evidence, want := range map[string]struct {
		pointer string
		text    string
	}{
		"policy-002":                    {"/id", "policy-002"},
		"30":                            {"/retention_days", "30"}, // the first of two
		"false":                         {"/encrypted", "false"},
		"privacy":                       {"/tags/0", "privacy"},
		"slash":                         {"/a~0b~1c", "slash"},
		"# Rules":                       {"/text", "# Rules"},
		"  # Rules\t\n":                 {"/text", "# Rules"},
		"Logs are kept for 30 days.":    {"/text", "Logs are kept\n for 30 days."},
		"Logs are\r\nkept for 30 days.": {"/text", "Logs are kept\n for 30 days."},
		"Never share customer data with vendors. Logs are kept for 30 days.": {"/text", "Never share customer data with vendors. Logs are kept\n for 30 days."},
		"# Rules Never share customer data with vendors.":                    {"/text", "# Rules\n\nNever share customer data with vendors."},
		"Access needs approval…":                                             {"/text", "Access needs approval…"},
		"sending keys by mail":                                               {"/not_allowed/actions", "sending keys by mail"},
	} {
		s, err := summarize.Lock(result, summarize.Verbatim, []byte(summaryOf(t, evidence, evidence)))
		if err != nil {
			t.Errorf("%q: %v", evidence, err)
			continue
		}
		it := s.Bullets()[0]
		if it.Pointer != want.pointer || it.Evidence != want.text || standing(result, it) != want.text {
			t.Errorf("%q is %+v, want %+v", evidence, it, want)
		}
	}
}

// standing is the text that stands at an item's pointer and range.
func standing(result gate.Typed, it summarize.Item) string {
	for _, l := range result.Leaves() {
		if l.Pointer() == it.Pointer && it.Range[1] <= len(l.Text) {
			return l.Text[it.Range[0]:it.Range[1]]
		}
	}
	return "\x00"
}

func TestNothingElseIsEvidence(t *testing.T) {
	t.Parallel()
	result := structured(t, handbook)
	for name, evidence := range map[string]string{
		"a negation cut off":                "share customer data with vendors.",
		"a sentence cut short":              "Never share customer data with vendors",
		"half a sentence":                   "Logs are kept",
		"a wrapped line":                    "for 30 days.",
		"two leaves":                        "policy-002 PII logging",
		"two leaves of a list":              "privacy 30",
		"sentences apart":                   "# Rules Logs are kept for 30 days.",
		"a key":                             "retention_days",
		"a key and its value":               `"retention_days":30`,
		"a key and value in words":          "title: PII logging",
		"a brace":                           "}",
		"a bracket":                         "[",
		"punctuation":                       ". . .",
		"a truncation mark":                 "…",
		"another":                           "...",
		"one in words":                      "[truncated]",
		"one of ours":                       "… [24 bytes left out]",
		"nothing":                           "",
		"white space":                       " \n",
		"an empty value":                    `""`,
		"a digit of a number":               "3",
		"a longer number":                   "300",
		"the same number written otherwise": "30.0",
		"part of an identifier":             "policy-00",
		"part of a word":                    "vacy",
		"another case":                      "never share customer data with vendors.",
		"a no-break space":                  "Never share\u00a0customer data with vendors.",
		"a zero-width space":                "Never share\u200b customer data with vendors.",
		"a look-alike":                      "Nеver share customer data with vendors.",
		"a word joined":                     "Nevershare customer data with vendors.",
		"a word parted":                     "Never share cust omer data with vendors.",
		"the whole document":                handbook,
		"null":                              "null",
	} {
		s, err := summarize.Lock(result, summarize.Facts, []byte(summaryOf(t, "30", evidence)))
		if verdict.CodeOf(err) != verdict.SummaryEvidence || !s.Empty() {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestASummaryIsOfItsShape(t *testing.T) {
	t.Parallel()
	result := structured(t, handbook)
	it := `{"claim":"30","evidence":"30"}`
	many := func(n int) string { return "[" + strings.TrimSuffix(strings.Repeat(it+",", n), ",") + "]" }
	full := fmt.Sprintf(`{"type":"summary","bullets":%s,"risks":%s,"recommendations":%s}`, many(5), many(3), many(3))
	s, err := summarize.Lock(result, summarize.Strict, []byte(full))
	if err != nil || len(s.Bullets()) != 5 || len(s.Risks()) != 3 || len(s.Recommendations()) != 3 {
		t.Errorf("%+v, %v", s, err)
	}
	long := quote(t, strings.Repeat("a", 9<<10))
	for b, want := range map[string]verdict.Code{
		"":                                 verdict.SummaryJSON,
		"{":                                verdict.SummaryJSON,
		"null":                             verdict.SummaryShape,
		"[" + full + "]":                   verdict.SummaryShape,
		full + full:                        verdict.SummaryJSON,
		"```json\n" + full:                 verdict.SummaryJSON,
		full + strings.Repeat(" ", 65<<10): verdict.SummaryJSON,
		`{"type":"summary","type":"summary","bullets":` + many(1) + `}`: verdict.SummaryJSON,
		`{"type":"summary"}`:                                                             verdict.SummaryShape,
		`{"type":"summary","bullets":[]}`:                                                verdict.SummaryShape,
		`{"type":"summary","bullets":null}`:                                              verdict.SummaryShape,
		`{"type":"summary","bullets":` + it + `}`:                                        verdict.SummaryShape,
		`{"type":"Summary","bullets":` + many(1) + `}`:                                   verdict.SummaryShape,
		`{"bullets":` + many(1) + `}`:                                                    verdict.SummaryShape,
		`{"type":"summary","Bullets":` + many(1) + `}`:                                   verdict.SummaryShape,
		`{"type":"summary","bullets":` + many(1) + `,"more":1}`:                          verdict.SummaryShape,
		`{"type":"summary","bullets":` + many(6) + `}`:                                   verdict.SummaryShape,
		`{"type":"summary","bullets":` + many(1) + `,"risks":` + many(4) + `}`:           verdict.SummaryShape,
		`{"type":"summary","bullets":` + many(1) + `,"recommendations":` + many(4) + `}`: verdict.SummaryShape,
		`{"type":"summary","bullets":[{"claim":30,"evidence":"30"}]}`:                    verdict.SummaryShape,
		`{"type":"summary","bullets":[{"claim":"30"}]}`:                                  verdict.SummaryEvidence,
		`{"type":"summary","bullets":[{"evidence":"30"}]}`:                               verdict.SummaryShape,
		`{"type":"summary","bullets":[{"claim":"…","evidence":"30"}]}`:                   verdict.SummaryShape,
		`{"type":"summary","bullets":[null]}`:                                            verdict.SummaryShape,
		`{"type":"summary","bullets":[{"claim":"30","evidence":"30","pointer":"/x"}]}`:   verdict.SummaryShape,
		`{"type":"summary","bullets":[{"claim":` + long + `,"evidence":"30"}]}`:          verdict.SummaryShape,
		`{"type":"summary","bullets":[{"claim":"30","evidence":` + long + `}]}`:          verdict.SummaryShape,
		"{\"type\":\"summary\",\"bullets\":[{\"claim\":\"\xff\",\"evidence\":\"30\"}]}":  verdict.SummaryJSON,
	} {
		s, err := summarize.Lock(result, summarize.Strict, []byte(b))
		if verdict.CodeOf(err) != want || !s.Empty() {
			t.Errorf("%.90s: %v, want %s", b, err, want)
		}
	}
}

func TestOneBadItemRefusesAllAndIsNamed(t *testing.T) {
	t.Parallel()
	result := structured(t, handbook)
	good := item{"30", "30"}
	for _, row := range []struct {
		list  string
		bad   item
		code  verdict.Code
		words []string
	}{
		{"bullets", item{"Share customer data with vendors.", "Never share customer data with vendors."}, verdict.SummaryClaim, []string{"bullets[1]", "Never"}},
		{"risks", item{"31", "31"}, verdict.SummaryEvidence, []string{"risks[1]", "31"}},
		{"recommendations", item{"Logs are kept for 90 days.", "Logs are kept for 30 days."}, verdict.SummaryClaim, []string{"recommendations[1]", "90"}},
		{"risks", item{strings.Repeat("x ", 2000), strings.Repeat("y ", 2000)}, verdict.SummaryEvidence, []string{"risks[1]"}},
		{"risks", item{strings.Repeat("x", 4000), "30"}, verdict.SummaryClaim, []string{"risks[1]"}},
	} {
		doc := map[string]any{"type": "summary", "bullets": []item{good}}
		doc[row.list] = []item{good, row.bad}
		b, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		s, err := summarize.Lock(result, summarize.Strict, b)
		var d *verdict.Denial
		if !errors.As(err, &d) || d.Code != row.code || !s.Empty() || s.Risks() != nil || len(d.Reason) > 400 {
			t.Fatalf("%+v: %v", row.bad, err)
		}
		for _, w := range row.words {
			if !strings.Contains(d.Reason, w) {
				t.Errorf("%q does not name %q", d.Reason, w)
			}
		}
	}
}

func TestAnUntypedResultCarriesNoEvidence(t *testing.T) {
	t.Parallel()
	untyped := answered(t, `{"kb":["fetch"]}`, `{"name":"fetch","inputSchema":{"type":"object"}}`, `{"content":[{"type":"text","text":"30"}]}`)
	for _, result := range []gate.Typed{untyped, {}} {
		if s, err := summarize.Lock(result, summarize.Strict, []byte(summaryOf(t, "30", "30"))); verdict.CodeOf(err) != verdict.SummaryUntyped || !s.Empty() {
			t.Errorf("%v", err)
		}
		if s, cut := summarize.Prepare(result, "q", 0); len(s.Values) != 0 || cut {
			t.Errorf("a writer is given %v", s)
		}
	}
}

func TestASummaryEncodesAndNothingDecodesIntoOne(t *testing.T) {
	t.Parallel()
	s, err := lock(t, "Logs are\nkept.", summarize.Strict, "Logs are kept", "Logs are kept.")
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(s)
	const want = `{"type":"summary","bullets":[{"claim":"Logs are kept","evidence":"Logs are\nkept.","pointer":"","range":[0,14]}],"risks":[],"recommendations":[]}`
	if err != nil || string(b) != want {
		t.Errorf("%s, %v", b, err)
	}
	var forged summarize.Summary
	if err := json.Unmarshal(b, &forged); err == nil && !forged.Empty() {
		t.Error("a decoder made a summary")
	}
	s.Bullets()[0].Claim = "anything"
	if s.Bullets()[0].Claim != "Logs are kept" {
		t.Error("a summary can be changed from outside")
	}
}

func TestLevels(t *testing.T) {
	t.Parallel()
	var zero summarize.Level
	if zero != summarize.Strict {
		t.Error("the zero level is not the default")
	}
	for name, want := range map[string]summarize.Level{"": summarize.Strict, "strict": summarize.Strict, "verbatim": summarize.Verbatim, "facts": summarize.Facts} {
		if l, err := summarize.ParseLevel(name); err != nil || l != want || name != "" && l.String() != name {
			t.Errorf("%q is %v, %v", name, l, err)
		}
	}
	for _, name := range []string{"Strict", " strict", "none", "off", "0", "factsx"} {
		if l, err := summarize.ParseLevel(name); err == nil || l != summarize.Verbatim {
			t.Errorf("%q is %v", name, l)
		}
	}
	for _, odd := range []summarize.Level{-1, 3, 1 << 40} {
		if _, err := lock(t, "The old logs are kept.", odd, "The logs are kept.", "The old logs are kept."); verdict.CodeOf(err) != verdict.SummaryClaim {
			t.Errorf("level %d: %v", odd, err)
		}
	}
}
