package report_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/report"
	"github.com/onestep-run/onestep/gate/verdict"
)

// hostile is what an attacker writes into a case to get out of a page.
const hostile = "]]></failure></script><script>alert(1)</script>\" onload='x' \x00\x1b[31m\u202e\u2066\ufffe\xff &amp; {{.}}"

func small() eval.Report {
	return eval.Report{
		SchemaVersion: eval.SchemaVersion, Suite: "made", Subject: "two agents", Complete: true, Cases: 2, Measured: 2,
		Failures: []eval.Failure{},
		Rows: []eval.Row{
			{ID: "a", Group: "benign", Agent: "onestep", Expected: "answered", Observed: "answered", Passed: true},
			{ID: "a", Group: "benign", Agent: "naive", Expected: "answered", Observed: "refused", Detail: "why", Query: "Who?"},
			{ID: "b", Group: "attack", Agent: "onestep", Expected: "no call", Observed: "no call", Passed: true},
			{ID: "b", Group: "attack", Agent: "naive", Expected: "no call", Observed: "a call"},
		},
	}
}

type read struct {
	Tests    int `xml:"tests,attr"`
	Failures int `xml:"failures,attr"`
	Errors   int `xml:"errors,attr"`
	Suites   []struct {
		Name     string `xml:"name,attr"`
		Tests    int    `xml:"tests,attr"`
		Failures int    `xml:"failures,attr"`
		Errors   int    `xml:"errors,attr"`
		Cases    []struct {
			Name    string `xml:"name,attr"`
			Class   string `xml:"classname,attr"`
			Failure *struct {
				Message string `xml:"message,attr"`
				Text    string `xml:",chardata"`
			} `xml:"failure"`
			Error *struct {
				Message string `xml:"message,attr"`
				Type    string `xml:"type,attr"`
			} `xml:"error"`
		} `xml:"testcase"`
	} `xml:"testsuite"`
}

// junit renders a report and reads it with two readers, where both are there.
func junit(t *testing.T, r eval.Report, end error) read {
	t.Helper()
	b, err := report.JUnit(r, end)
	if err != nil {
		t.Fatal(err)
	}
	if path, err := exec.LookPath("xmllint"); err == nil {
		file := filepath.Join(t.TempDir(), "junit.xml")
		if err := os.WriteFile(file, b, 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.CommandContext(t.Context(), path, "--noout", "--nonet", file).CombinedOutput(); err != nil {
			t.Fatalf("xmllint: %v: %s", err, out)
		}
	}
	var doc read
	d := xml.NewDecoder(bytes.NewReader(bytes.TrimSpace(b)))
	if err := d.Decode(&doc); err != nil {
		t.Fatalf("%v: %s", err, b)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		t.Fatalf("something follows the document: %v", err)
	}
	return doc
}

func TestJUnitHasASuiteForEachAgentAndGroup(t *testing.T) {
	t.Parallel()
	doc := junit(t, small(), nil)
	if doc.Tests != 4 || doc.Failures != 2 || doc.Errors != 0 || len(doc.Suites) != 4 {
		t.Fatalf("%+v", doc)
	}
	for i, want := range []struct {
		name     string
		failures int
	}{{"made / onestep / benign", 0}, {"made / naive / benign", 1}, {"made / onestep / attack", 0}, {"made / naive / attack", 1}} {
		s := doc.Suites[i]
		if s.Name != want.name || s.Tests != 1 || s.Failures != want.failures || s.Cases[0].Class != want.name || (s.Cases[0].Failure != nil) != (want.failures == 1) {
			t.Errorf("%+v", s)
		}
	}
	f := doc.Suites[1].Cases[0].Failure
	if f.Message != "expected answered, observed refused" || !strings.Contains(f.Text, "query: Who?\n") || !strings.Contains(f.Text, "detail: why\n") {
		t.Errorf("%+v", f)
	}
}

func TestJUnitNeverShowsAStoppedRunAsPassed(t *testing.T) {
	t.Parallel()
	stopped := small()
	stopped.Complete, stopped.Cases = false, 3
	failed := stopped
	failed.Failures = []eval.Failure{{ID: "c", Code: "server.failed", Reason: "gone"}}
	for name, c := range map[string]struct {
		r      eval.Report
		end    error
		errors int
		code   string
	}{
		"well":       {small(), nil, 0, ""},
		"stopped":    {stopped, nil, 1, "eval.incomplete"},
		"a failure":  {failed, verdict.Fail(verdict.EvalIncomplete, nil, "1 of 3"), 2, "eval.incomplete"},
		"found":      {small(), verdict.Fail(verdict.EvalFailed, nil, "a hole"), 1, "eval.failed"},
		"denied":     {small(), verdict.Deny(verdict.InputRule, "no"), 1, "input.rule"},
		"some error": {small(), io.ErrUnexpectedEOF, 1, "internal.failure"},
		"nothing":    {eval.Report{Suite: "made", Cases: 3}, nil, 1, "eval.incomplete"},
	} {
		doc := junit(t, c.r, c.end)
		if doc.Errors != c.errors {
			t.Errorf("%s: %d errors", name, doc.Errors)
			continue
		}
		if c.errors == 0 {
			continue
		}
		last := doc.Suites[len(doc.Suites)-1]
		if e := last.Cases[len(last.Cases)-1].Error; last.Errors != c.errors || e == nil || e.Type != c.code {
			t.Errorf("%s: %+v", name, last)
		}
	}
}

func TestJUnitIsWellFormedWhateverACaseSays(t *testing.T) {
	t.Parallel()
	row := eval.Row{ID: hostile, Group: hostile, Agent: hostile, Query: hostile, Expected: hostile, Observed: strings.Repeat(hostile, 1000), Detail: hostile}
	r := eval.Report{
		Suite: hostile, Subject: hostile, Cases: 2, Measured: 1, Rows: []eval.Row{row},
		Failures: []eval.Failure{{ID: hostile, Code: hostile, Reason: hostile}},
	}
	doc := junit(t, r, errors.New(hostile))
	c := doc.Suites[0].Cases[0]
	if !strings.Contains(c.Name, `</script><script>alert(1)</script>`) || !strings.Contains(c.Name, `\u{0}\u{1B}[31m\u{202E}\u{2066}\u{FFFE}\xFF`) {
		t.Errorf("%q", c.Name)
	}
	if n := len(c.Failure.Text); n > 16<<10 {
		t.Errorf("a failure of %d bytes", n)
	}
}
