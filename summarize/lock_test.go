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

const handbook = `{"id":"policy-002","title":"PII logging","retention_days":30,"balance":-4,"encrypted":false,"empty":"",` +
	`"text":"# Rules\n\nNever share customer data with vendors. Logs are kept\n for 30 days. Access needs approval…","tags":["privacy","30"],` +
	`"a~b/c":"slash","marks":"--","twice":"30"}`

func TestASelectionIsWidenedToWhatIsWhole(t *testing.T) {
	t.Parallel()
	result := structured(t, handbook)
	for evidence, want := range map[string]struct{ pointer, evidence, claim string }{
		"policy-002":           {"/id", "policy-002", "id: policy-002"},
		"30":                   {"/retention_days", "30", "retention_days: 30"}, // a whole value before a part of one
		"false":                {"/encrypted", "false", "encrypted: false"},
		"privacy":              {"/tags/0", "privacy", "tags[0]: privacy"},
		"slash":                {"/a~0b~1c", "slash", `"a~b/c": slash`},
		"# Rules":              {"/text", "# Rules", "text: # Rules"},
		"PII":                  {"/title", "PII logging", "title: PII logging"},
		"share customer data":  {"/text", "Never share customer data with vendors.", "text:\n# Rules\nNever share customer data with vendors."},
		"  kept \r\nfor 30":    {"/text", "Logs are kept\n for 30 days.", "text:\n# Rules\nLogs are kept\n for 30 days."},
		"vendors. Logs":        {"/text", "Never share customer data with vendors. Logs are kept\n for 30 days.", "text:\n# Rules\nNever share customer data with vendors. Logs are kept\n for 30 days."},
		"# Rules Never share":  {"/text", "# Rules\n\nNever share customer data with vendors.", "text:\n# Rules\n\nNever share customer data with vendors."},
		"Access needs approva": {},
		"-4":                   {"/balance", "-4", "balance: -4"},
	} {
		it, err := selected(t, result, evidence)
		if want.pointer == "" {
			if verdict.CodeOf(err) != verdict.SummaryEvidence {
				t.Errorf("%q: %+v, %v", evidence, it, err)
			}
			continue
		}
		if err != nil || it.Pointer != want.pointer || it.Evidence != want.evidence || it.Claim != want.claim || standing(result, it) != want.evidence {
			t.Errorf("%q: %+v, %v", evidence, it, err)
		}
	}
}

func TestWhatTheResultDoesNotHoldIsDropped(t *testing.T) {
	t.Parallel()
	result := structured(t, handbook)
	for name, evidence := range map[string]string{
		"two leaves":                        "policy-002 PII logging",
		"two leaves of a list":              "privacy 30",
		"sentences apart":                   "# Rules Logs are kept for 30 days.",
		"a key":                             "retention_days",
		"a key and its value":               `"retention_days":30`,
		"a rendering":                       "title: PII logging",
		"a brace":                           "}",
		"punctuation":                       ". . .",
		"a mark that is there":              "…",
		"a value of marks":                  "--",
		"nothing":                           "",
		"white space":                       " \n",
		"a digit of a number":               "3",
		"a number without its sign":         "4",
		"a longer number":                   "300",
		"the same number written otherwise": "30.0",
		"part of an identifier":             "policy-00",
		"part of a word":                    "vacy",
		"another case":                      "never share customer data with vendors.",
		"a no-break space":                  "Never share\u00a0customer data with vendors.",
		"a zero-width space":                "Never share\u200b customer data with vendors.",
		"a look-alike":                      "Nеver share customer data with vendors.",
		"a word joined":                     "Nevershare customer data with vendors.",
		"a word left out":                   "Never share data with vendors.",
		"the whole document":                handbook,
		"null":                              "null",
		"more than is read":                 strings.Repeat("30 ", 3000),
	} {
		s, err := summarize.Lock(result, summarize.Quoted, bullets(t, evidence))
		if verdict.CodeOf(err) != verdict.SummaryEvidence || !s.Empty() || s.Dropped() != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAWriterCanSayWhichOfSeveralValuesItMeans(t *testing.T) {
	t.Parallel()
	result := structured(t, handbook)
	for pointer, want := range map[string]string{"/twice": "twice: 30", "/tags/1": "tags[1]: 30", "/retention_days": "retention_days: 30", "/id": "", "/none": "", "": ""} {
		s, err := summarize.Lock(result, summarize.Rendered, []byte(`{"type":"summary","bullets":[{"evidence":"30","pointer":`+quote(t, pointer)+`}]}`))
		if want == "" != (verdict.CodeOf(err) == verdict.SummaryEvidence) || want != "" && s.Bullets()[0].Claim != want {
			t.Errorf("%q: %+v, %v", pointer, s.Bullets(), err)
		}
	}
}

func TestASummaryIsOfItsShape(t *testing.T) {
	t.Parallel()
	result := structured(t, handbook)
	it := `{"evidence":"30"}`
	for b, want := range map[string]verdict.Code{
		"":                                verdict.SummaryJSON,
		"{":                               verdict.SummaryJSON,
		"null":                            verdict.SummaryShape,
		"[" + it + "]":                    verdict.SummaryShape,
		"```json\n" + it:                  verdict.SummaryJSON,
		`{"type":"summary"}`:              verdict.SummaryEvidence,
		`{"bullets":[` + it + `]}`:        verdict.SummaryShape,
		`{"type":"summary","bullets":[]}`: verdict.SummaryEvidence,
		`{"type":"summary","risks":[` + it + `]}`:                                 verdict.SummaryEvidence,
		`{"type":"summary","bullets":` + it + `}`:                                 verdict.SummaryShape,
		`{"type":"Summary","bullets":[` + it + `]}`:                               verdict.SummaryShape,
		`{"type":"summary","Bullets":[` + it + `]}`:                               verdict.SummaryShape,
		`{"type":"summary","bullets":[` + it + `],"more":1}`:                      verdict.SummaryShape,
		`{"type":"summary","bullets":[` + it + `],"bullets":[` + it + `]}`:        verdict.SummaryJSON,
		`{"type":"summary","bullets":[{"evidence":30}]}`:                          verdict.SummaryShape,
		`{"type":"summary","bullets":[{"claim":"30"}]}`:                           verdict.SummaryEvidence,
		`{"type":"summary","bullets":[null]}`:                                     verdict.SummaryEvidence,
		`{"type":"summary","bullets":[{"evidence":"30","range":[0,2]}]}`:          verdict.SummaryShape,
		"{\"type\":\"summary\",\"bullets\":[{\"evidence\":\"\xff\"}]}":            verdict.SummaryJSON,
		`{"type":"summary","bullets":[` + it + `]}` + strings.Repeat(" ", 65<<10): verdict.SummaryJSON,
	} {
		s, err := summarize.Lock(result, summarize.Quoted, []byte(b))
		if verdict.CodeOf(err) != want || !s.Empty() {
			t.Errorf("%.90s: %v, want %s", b, err, want)
		}
	}
}

// One bad item does not sink the rest, and the summary says what was dropped.
func TestABadItemIsDroppedAndTheRestStays(t *testing.T) {
	t.Parallel()
	result := structured(t, handbook)
	const good = `{"evidence":"30"}`
	for bad, want := range map[string]struct {
		code  verdict.Code
		words string
	}{
		`{"evidence":"31"}`: {verdict.SummaryEvidence, "31"},
		`{"evidence":"Never share customer data with vendors.","claim":"Share customer data with vendors."}`: {verdict.SummaryClaim, "(33 bytes that are not a name)"},
		`{"evidence":"30","claim":"retention_days: 30"}`:                                                     {verdict.SummaryClaim, "(18 bytes"},
		`{"evidence":"30","claim":""}`:                                                                       {verdict.SummaryClaim, ""},
		`{"evidence":"` + strings.Repeat("x ", 2000) + `"}`:                                                  {verdict.SummaryEvidence, "(4000 bytes"},
		`{"evidence":"30","claim":"` + strings.Repeat("y", 4000) + `"}`:                                      {verdict.SummaryClaim, "(4000 bytes"},
	} {
		for _, list := range []string{"bullets", "risks", "recommendations"} {
			said := fmt.Sprintf(`{"type":"summary","bullets":[%s],%q:[%s,%s]}`, good, "risks", good, bad)
			switch list {
			case "bullets":
				said = fmt.Sprintf(`{"type":"summary","bullets":[%s,%s,%s]}`, good, bad, good)
			case "recommendations":
				said = strings.Replace(said, "risks", "recommendations", 1)
			}
			s, err := summarize.Lock(result, summarize.Rendered, []byte(said))
			if err != nil || len(s.Dropped()) != 1 {
				t.Fatalf("%.80s: %+v, %v", bad, s.Dropped(), err)
			}
			d := s.Dropped()[0]
			if d.Item != list+"[1]" || d.Code != string(want.code) || !strings.Contains(d.Reason, want.words) || len(d.Reason) > 400 {
				t.Errorf("%.80s: %+v", bad, d)
			}
			if n := len(s.Bullets()) + len(s.Risks()) + len(s.Recommendations()); n != 2 {
				t.Errorf("%.80s in %s: %d items are left", bad, list, n)
			}
		}
	}
}

func TestThereIsRoomForSoMany(t *testing.T) {
	t.Parallel()
	many := "[" + strings.TrimSuffix(strings.Repeat(`{"evidence":"30"},`, 7), ",") + "]"
	comments := strings.ReplaceAll(many, `{`, `{"text":"So it is.",`)
	s, err := summarize.Lock(structured(t, handbook), summarize.Quoted,
		[]byte(`{"type":"summary","bullets":`+many+`,"risks":`+many+`,"recommendations":`+many+`,"commentary":`+comments+`}`))
	if err != nil || len(s.Bullets()) != 5 || len(s.Risks()) != 3 || len(s.Recommendations()) != 3 || len(s.Commentary()) != 3 || len(s.Dropped()) != 14 {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestAWritersOwnWordsAreNeverChecked(t *testing.T) {
	t.Parallel()
	result := structured(t, handbook)
	said := func(text, evidence string) []byte {
		return []byte(`{"type":"summary","bullets":[{"evidence":"30"}],"commentary":[{"text":` + quote(t, text) + `,"evidence":` + quote(t, evidence) + `}]}`)
	}
	s, err := summarize.Lock(result, summarize.Quoted, said("All is well.", "share customer data"))
	if err != nil || len(s.Commentary()) != 1 {
		t.Fatalf("%+v, %v", s, err)
	}
	c := s.Commentary()[0]
	if c.Checked || c.Text != "All is well." || c.Evidence != "Never share customer data with vendors." || strings.Contains(fmt.Sprint(s.Bullets()), "well") {
		t.Errorf("%+v", c)
	}
	if b, err := json.Marshal(s); err != nil || !strings.Contains(string(b), `"commentary":[{"text":"All is well.","checked":false,"claim":"text:\n# Rules\nNever`) {
		t.Errorf("%s, %v", b, err)
	}
	for name, c := range map[string]struct {
		level summarize.Level
		said  []byte
		code  verdict.Code
	}{
		"at the default level":    {summarize.Rendered, said("All is well.", "30"), verdict.SummaryClaim},
		"at a level that is none": {summarize.Level(7), said("All is well.", "30"), verdict.SummaryClaim},
		"without evidence":        {summarize.Quoted, said("All is well.", "31"), verdict.SummaryEvidence},
		"that says nothing":       {summarize.Quoted, said("…", "30"), verdict.SummaryShape},
		"that is long":            {summarize.Quoted, said(strings.Repeat("a", 1025), "30"), verdict.SummaryShape},
	} {
		s, err := summarize.Lock(result, c.level, c.said)
		if err != nil || len(s.Commentary()) != 0 || len(s.Bullets()) != 1 || len(s.Dropped()) != 1 || s.Dropped()[0].Code != string(c.code) {
			t.Errorf("a comment %s: %+v, %v", name, s.Dropped(), err)
		}
	}
}

func TestAnUntypedResultCarriesNoEvidence(t *testing.T) {
	t.Parallel()
	untyped := answered(t, `{"kb":["fetch"]}`, `{"name":"fetch","inputSchema":{"type":"object"}}`, `{"content":[{"type":"text","text":"30"}]}`)
	for _, result := range []gate.Typed{untyped, {}} {
		if s, err := summarize.Lock(result, summarize.Rendered, bullets(t, "30")); verdict.CodeOf(err) != verdict.SummaryUntyped || !s.Empty() {
			t.Errorf("%v", err)
		}
		if s, cut := summarize.Prepare(result, "q", 0); len(s.Values) != 0 || cut {
			t.Errorf("a writer is given %v", s)
		}
	}
}

func TestASummaryEncodesAndNothingDecodesIntoOne(t *testing.T) {
	t.Parallel()
	s, err := summarize.Lock(declaredText(t, "# Logs\n\nLogs are\nkept."), summarize.Rendered, bullets(t, "kept", "lost"))
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(s)
	const want = `{"type":"summary","bullets":[{"claim":"# Logs\nLogs are\nkept.","evidence":"Logs are\nkept.","pointer":"","range":[8,22],"context":["# Logs"],"neighbours":[{"where":"before","text":"# Logs"}]}],` +
		`"risks":[],"recommendations":[],"commentary":[],"dropped":[{"item":"bullets[1]","code":"summary.evidence","reason":"no single value of the result contains the evidence \"lost\""}]}`
	if err != nil || string(b) != want {
		t.Errorf("%s, %v", b, err)
	}
	var forged summarize.Summary
	if err := json.Unmarshal(b, &forged); err == nil && !forged.Empty() {
		t.Error("a decoder made a summary")
	}
	s.Bullets()[0].Claim, s.Dropped()[0].Code = "anything", ""
	if s.Bullets()[0].Claim == "anything" || s.Dropped()[0].Code == "" {
		t.Error("a summary can be changed from outside")
	}
}

func TestLevels(t *testing.T) {
	t.Parallel()
	var zero summarize.Level
	if zero != summarize.Rendered || summarize.Level(-1).String() != "rendered" {
		t.Error("the zero level is not the default, or an unknown one is not")
	}
	for name, want := range map[string]summarize.Level{"": summarize.Rendered, "rendered": summarize.Rendered, "quoted": summarize.Quoted} {
		if l, err := summarize.ParseLevel(name); err != nil || l != want || name != "" && l.String() != name {
			t.Errorf("%q is %v, %v", name, l, err)
		}
	}
	for _, name := range []string{"Rendered", " quoted", "none", "off", "0", "strict", "verbatim", "facts"} {
		l, err := summarize.ParseLevel(name)
		if err == nil || l != summarize.Rendered {
			t.Errorf("%q is %v, %v", name, l, err)
		}
	}
	var d *verdict.Denial
	if _, err := summarize.Lock(structured(t, handbook), 0, bullets(t, "x", "y")); !errors.As(err, &d) || !strings.Contains(d.Reason, "dropped: 2, the first bullets[0]") {
		t.Errorf("%v", err)
	}
}
