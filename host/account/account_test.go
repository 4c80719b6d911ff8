package account_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/account"
	"github.com/onestep-run/onestep/host/demo"
	"github.com/onestep-run/onestep/host/replay"
	"github.com/onestep-run/onestep/host/runs"
	"github.com/onestep-run/onestep/trace"
)

// committed reads a trace of host/replay/testdata, which are exports or hold
// all that their lines refer to.
func committed(t *testing.T, name string) account.Trace {
	t.Helper()
	return read(t, filepath.Join("../replay/testdata", name))
}

func read(t *testing.T, path string) account.Trace {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	told := account.Trace{}
	with := map[trace.Hash]jsontext.Value{}
	_, told.Wrong = trace.Scan(f, func(e trace.Event) { told.Events = append(told.Events, e) }, func(h trace.Hash, v jsontext.Value) { with[h] = v })
	told.Objects = func(h trace.Hash) (jsontext.Value, error) {
		if v, there := with[h]; there {
			return v, nil
		}
		return nil, os.ErrNotExist
	}
	return told
}

// fresh asks the demo a question, and reads its trace.
func fresh(t *testing.T, question string) account.Trace {
	t.Helper()
	return asked(t, host.Question{Text: question, Subject: "ada"})
}

func asked(t *testing.T, q host.Question) account.Trace {
	t.Helper()
	dir := runs.Dir(t.TempDir())
	s, err := config.Load(config.Paths{}, func(string) (string, bool) { return "", false }, config.Flags{Given: map[string]string{"trace-dir": string(dir)}})
	if err != nil {
		t.Fatal(err)
	}
	h, err := setup.Host(s, setup.Options{Demo: true})
	if err != nil {
		t.Fatal(err)
	}
	out := h.Ask(t.Context(), q)
	if err := h.Close(); err != nil || out.Error != nil {
		t.Fatal(err, out.Error)
	}
	a := read(t, out.TracePath)
	a.Objects = dir.Object
	return a
}

func tell(t *testing.T, a account.Trace) string {
	t.Helper()
	return account.Text(account.Of(t.Context(), a, replay.Options{Types: demo.Types()}), account.MaxText)
}

func TestARunIsToldFromItsQuestionToItsDigest(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		"": {
			"Question\n  asked          Summarize policy-002", "Outcome\n  type           tool_result_with_summary\n  call           answered\n", "Plan\n  tool ", "Result\n  typed ",
			"Summary\n  claim ", "verbatim at /", "Approval\n  effect ", "Gates\n", "Servers and their tools\n", "Policy\n  allows ", "Record\n  run ", "digest         sha256:",
		},
		"format5/refused.jsonl":  {"type           blocked input.rule", "why            the question matches the rule ", "call           none", "input: deny (input.rule)"},
		"format5/waits.jsonl":    {"type           approval_needed", "tool as it was sha256:", "approval: deny (approval.needed)"},
		"format5/approved.jsonl": {"type           tool_result", "approved by ", "approved it ("},
		"format5/declined.jsonl": {"type           final_answer", "Plan\n  asks "},
		"format5/context.jsonl":  {"type           tool_result", "trace format 5"},
	} {
		a := fresh(t, "Summarize policy-002")
		if name != "" {
			a = committed(t, name)
		}
		got, at := tell(t, a), 0
		for _, text := range want {
			i := strings.Index(got[at:], text)
			if i < 0 {
				t.Errorf("%s: no %q after byte %d of\n%s", name, text, at, got)
				break
			}
			at += i
		}
		if len(a.Events) == 0 || a.Wrong != nil {
			t.Errorf("%s: %v", name, a.Wrong)
		}
	}
}

func TestAnAnswerIsToldWithTheRunThatItAnswers(t *testing.T) {
	t.Parallel()
	digest := "sha256:" + strings.Repeat("7", 64)
	got := tell(t, asked(t, host.Question{
		Text: "Fetch the policy\npolicy-002", Only: "mcp-policy-kb/fetch_policy_entry", Follows: &trace.RunBody{RunID: "before", Trace: digest},
	}))
	for _, want := range []string{"  follows        run before, which asked for more; " + digest, "  limited to     mcp-policy-kb/fetch_policy_entry, which the asker chose"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

func TestARowSaysWhenWhatWhichAndWhatCameOfIt(t *testing.T) {
	t.Parallel()
	a := committed(t, "format5/summarized.jsonl")
	row := account.RowOf(a.Events)
	if row.RunID == "" || row.Time.IsZero() || row.Question == "" || !strings.Contains(row.Tool, "/") || row.Type != "tool_result_with_summary" || row.Code != "" || row.Call != "answered" {
		t.Errorf("%+v", row)
	}
	if row := account.RowOf(a.Events[:3]); row.Type != "incomplete" || row.Tool != "" || row.Question == "" {
		t.Errorf("cut off: %+v", row)
	}
	if row := account.RowOf(nil); row.Type != "incomplete" {
		t.Errorf("nothing: %+v", row)
	}
	if row := account.RowOf(committed(t, "format5/refused.jsonl").Events); row.Type != "blocked" || row.Code != "input.rule" {
		t.Errorf("%+v", row)
	}
}

// A run that cannot be replayed is still shown as far as its lines go, and the account
// says so.
func TestATraceThatIsNotWholeSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	whole := committed(t, "format5/called.jsonl")
	without := whole
	without.Objects = func(trace.Hash) (jsontext.Value, error) { return nil, os.ErrNotExist }
	if got := tell(t, without); !strings.Contains(got, "could not be replayed") || !strings.Contains(got, "called") && !strings.Contains(got, "the call was made") {
		t.Error(got)
	}
	cut := whole
	cut.Events, cut.Wrong = whole.Events[:4], os.ErrClosed
	if got := tell(t, cut); !strings.Contains(got, "incomplete") || !strings.Contains(got, "file already closed") {
		t.Error(got)
	}
	if got := tell(t, account.Trace{Objects: without.Objects, Wrong: os.ErrClosed}); !strings.Contains(got, "file already closed") {
		t.Error(got)
	}
}

// hostile has everything that could leave its place in a terminal or in HTML.
const hostile = "\x1b[31m\u202e\r\n</dd><script>alert(1)</script><img src=x onerror=alert(2)>\"'\u200b&amp;"

func TestNoTextLeavesItsPlace(t *testing.T) {
	t.Parallel()
	sections := []account.Section{{Title: hostile, Facts: []account.Fact{{Name: hostile, Text: hostile}}}}
	row := account.Row{RunID: hostile, Question: hostile, Tool: hostile, Type: hostile, Code: hostile, Call: hostile}
	page := account.HTML(hostile, []account.Run{{Row: row, Sections: sections}, {Row: row, Sections: sections}})
	if n := bytes.Count(page, []byte("<script")); n != 1 {
		t.Errorf("%d scripts", n)
	}
	body := regexp.MustCompile(`(?s)<(style|script)>.*?</(style|script)>`).ReplaceAll(page, nil)
	for _, tag := range regexp.MustCompile(`<[^>]*>`).FindAllString(string(body), -1) {
		if strings.Contains(tag, "img") || strings.Contains(tag, "onerror") || strings.Contains(tag, "alert") {
			t.Errorf("a tag of a stranger's: %s", tag)
		}
	}
	for what, text := range map[string]string{"page": string(body), "text": account.Text(sections, account.MaxText)} {
		if i := strings.IndexFunc(text, func(r rune) bool { return r < ' ' && r != '\n' || r == '\u202e' || r == '\u200b' }); i >= 0 {
			t.Errorf("the %s holds %q", what, text[i:min(i+8, len(text))])
		}
	}
}
