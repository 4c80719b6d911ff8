package summarize_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/summarize"
)

// pieces are what of a text may stand as evidence.
func pieces(tb testing.TB, text string) []string {
	tb.Helper()
	s, _ := summarize.Prepare(declaredText(tb, text), "q", 1<<30)
	if len(s.Values) == 0 {
		return nil
	}
	return s.Values[0].Sentences
}

func TestATextIsCutWhereItIsSure(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		"plain sentences":     {"Logs are kept for 30 days.", "Never share keys with vendors!", "Who decides that?", "The owner."},
		"after a year":        {"It was approved in 2024.", "The next review is due."},
		"after an acronym":    {"This is called PII.", "Never log it."},
		"after a host":        {"See example.com.", "The page is public."},
		"a quotation":         {`He wrote "Never share keys."`, "The rule stands."},
		"CJK":                 {"ログを保存します。", "鍵を共有しないでください。", "本当ですか？"},
		"a chat log":          {"Ann: are you there .", "Bob: I am here ."},
		"two headings":        {"# Retention", "Logs are kept for 30 days.", "## Access", "The team may read them."},
		"a list of its own":   {"The list follows here.", "- first entry", "- second entry"},
		"paragraphs":          {"Retention of logs", "They are kept.", "Access to logs"},
		"labelled lines":      {"Owner: Security", "Reviewed: yearly", "Status: in force"},
		"a numbered list":     {"Steps are listed.", "1. Open the page", "2. Read it"},
		"a question and more": {"Is it 30 days?", "30 days it is."},
	} {
		sep := "\n"
		switch name {
		case "CJK":
			sep = ""
		case "paragraphs":
			sep = "\n\n"
		case "plain sentences", "after a year", "after an acronym", "after a host", "a quotation", "a chat log", "a question and more":
			sep = " "
		}
		if diff := cmp.Diff(want, pieces(t, strings.Join(want, sep))); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
	}
}

func TestATextIsNotCutWhereItIsNotSure(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"a title":                         "Never tell Dr. Smith about it.",
		"an initial":                      "Nobody may call J. Smith.",
		"initials":                        "Not in the U.S. Customers elsewhere may.",
		"No.":                             "This is not so in room No. Five of it.",
		"e.g.":                            "Never share keys, e.g. API keys.",
		"etc.":                            "Never share keys, tokens etc. Vendors have none.",
		"a decimal":                       "Not 3.5 but 4.",
		"a version":                       "Never use v1.2.3 Or later ones.",
		"an unknown short word":           "Nicht nach Abs. Drei der Ordnung.",
		"an ellipsis":                     "Never... Share customer data.",
		"one character of it":             "Never… Share customer data.",
		"a URL":                           "Never open https://a.example/x?Q=1!Z today.",
		"a small letter after":            "Never! share customer data.",
		"a digit after a full stop":       "We never do. 3 of us did.",
		"inside brackets":                 "Never (See A. Share nothing.) do this.",
		"inside quotation marks":          `Nobody said "Do it. Share the data." in the meeting.`,
		"after a semicolon":               "Never do this; Share customer data.",
		"after a colon":                   "Forbidden: Share customer data.",
		"a wrapped line":                  "You must never\nshare customer data",
		"a wrapped line with a capital":   "You must never tell\nAcme Corp what we know",
		"a wrapped line with a label":     "You may not, without the approval of\nLegal: share data",
		"a blank line after 'never'":      "You must never\n\nshare customer data",
		"a list that 'never' introduces":  "Never:\n- share customer data\n- log passwords",
		"the same after a blank line":     "Never do this:\n\n- Share customer data.\n- Log passwords.",
		"a list that a title introduces":  "Not allowed\n\n- Share customer data.\n- Log passwords.",
		"a list that a line introduces":   "These will get you fired\n- sharing customer data",
		"an item and those below it":      "- What to avoid\n  - sharing customer data",
		"an item that goes on":            "- never share\ncustomer data",
		"items that go on":                "- keys; or\n- passwords",
		"a heading that negates":          "# Do not\n\nShare customer data.\n\nLog passwords.",
		"its sub-heading":                 "# Prohibited\n\n## Data\n\nShare customer data.",
		"a heading of another script":     "# 禁止\n\nShare customer data.",
		"a heading that hides a negation": "# N\u200bot allowed\n\nShare customer data.",
		"a table":                         "| action | forbidden |\n|---|---|\n| Share data | yes |",
		"a quoted text":                   "> never\n> Share customer data",
		"a minus":                         "It was never above\n- 5 degrees",
		"a fenced block":                  "```\nnever\n\n- share\n```",
		"a word that negates":             "May I share data? Never. The rule is old.",
		"an exception":                    "Share the data freely. Unless Legal objects.",
		"white space that is no blank":    "Never.\u00a0Share customer data.",
		"what a colon leads to":           "Never do this:\n\nShare customer data. Log passwords.",
		"JSON":                            "{\n  \"allowed\": false,\n  \"action\": \"Share data.\"\n}",
	} {
		if got := pieces(t, text); len(got) != 1 || got[0] != text {
			t.Errorf("%s: cut into %q", name, got)
		}
	}
}

func TestASectionThatAHeadingRulesEndsWithTheNextHeading(t *testing.T) {
	t.Parallel()
	got := pieces(t, "# Never\n\nShare data. Log keys.\n\n# Access\n\nAsk the owner.")
	want := []string{"# Never\n\nShare data. Log keys.", "# Access", "Ask the owner."}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestACutTextIsCutAsTheWholeOne(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("Logs are kept for 30 days. Never:\n- share data\n- log keys\n\n# Not allowed\n\nTalk.\n\n# Access\n\nDr. No may read them. ", 20)
	whole := pieces(t, text)
	for budget := 27; budget < len(strings.Join(whole, "")); budget += 37 {
		s, cut := summarize.Prepare(declaredText(t, text), "q", budget)
		var got []string
		for _, v := range s.Values {
			got = v.Sentences
		}
		if !cut || cmp.Diff(whole[:len(got)], got) != "" || len(strings.Join(got, "")) > budget {
			t.Fatalf("budget %d: cut %v\n%q", budget, cut, got)
		}
	}
}
