package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/trace"
)

// hostile is what a stranger may write anywhere: to a terminal it would be a
// colour, an order of reading, the start of the line, a line of its own, an
// invisible character and the start of a sequence in one byte.
const hostile = "a\x1b[31mb\u202ec\rd\n" + forged + "e\u200bf\u009bg"

const forged = "FORGED"

func init() { programs["liar"] = liar }

// heard runs a command to its end, whatever its exit code.
func heard(t *testing.T, cmd *exec.Cmd) (stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	var ended *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &ended) {
		t.Fatal(err)
	}
	if strings.Contains(errs.String(), "goroutine") {
		t.Errorf("%q panics: %s", cmd.Args, &errs)
	}
	return out.String(), errs.String()
}

// harmless holds what a terminal gets to what it may: nothing that does not
// show, and no line that a stranger began.
func harmless(t *testing.T, what, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		for _, r := range strings.TrimSuffix(line, "\n") {
			if !escape.Visible(r) {
				t.Errorf("%s has %U: %.300q", what, r, line)
				return
			}
		}
		if strings.HasPrefix(line, forged) {
			t.Errorf("%s has a line of a stranger's: %.300q", what, line)
			return
		}
	}
}

// holding is how many values and names of a document hold all of the hostile text.
func holding(t *testing.T, what, document string) int {
	t.Helper()
	if !jsontext.Value(document).IsValid() {
		t.Errorf("%s is no JSON document: %q", what, document)
	}
	n := 0
	for l := range schema.Leaves(jsontext.Value(document)) {
		if l.Kind == '"' && (strings.Contains(l.Text, hostile) || strings.Contains(l.Text, tame)) {
			n++
		}
	}
	return n
}

// fill puts the hostile text into every string of a value, and one element
// into every slice and map.
func fill(v reflect.Value) {
	switch v.Interface().(type) {
	case jsontext.Value:
		v.SetBytes(hostileJSON())
		return
	case plan.Plan:
		if p, err := plan.Parse(plan.Call(hostile, hostile, hostileJSON())); err == nil {
			v.Set(reflect.ValueOf(p))
		}
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(hostile)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Field(i)
			if !f.CanSet() { // a summary's, which only its lock makes
				f = reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()
			}
			fill(f)
		}
	}
}

// filled is a T of hostile text alone.
func filled[T any](t *testing.T) T {
	t.Helper()
	var v T
	fill(reflect.ValueOf(&v).Elem())
	return v
}

func hostileJSON() jsontext.Value {
	b, err := json.Marshal(map[string]any{"k" + hostile: []string{hostile}})
	if err != nil {
		return nil
	}
	return b
}

// printed is what `ask` prints of an outcome with one of the fields that are
// answers, and the outcome.
func printed(t *testing.T, kind host.Type, answer string, asJSON bool) (stdout, stderr string, out host.Outcome) {
	t.Helper()
	fill(reflect.ValueOf(&out).Elem())
	for _, field := range []string{"Summary", "Typed", "Raw"} {
		if field != answer {
			reflect.ValueOf(&out).Elem().FieldByName(field).SetZero()
		}
	}
	out.Type, out.Call = kind, host.Unknown
	var o, e bytes.Buffer
	a := &app{App: cli.New(version)}
	a.Out, a.Err, a.JSON, a.Debug = cli.NewStream(&o), cli.NewStream(&e), asJSON, true
	_ = a.show(out) // the code says how it ended
	return o.String(), e.String(), out
}

func TestNoFieldOfAnOutcomeReachesATerminalAsItIs(t *testing.T) {
	t.Parallel()
	for kind := host.Failed; kind <= host.ToolResultWithSummary; kind++ {
		for _, answer := range []string{"", "Summary", "Typed", "Raw"} {
			what := kind.String() + " with " + answer
			stdout, stderr, _ := printed(t, kind, answer, false)
			harmless(t, what+": stdout", stdout)
			harmless(t, what+": stderr", stderr)
			if !strings.Contains(stdout+stderr, `\u{202E}`) {
				t.Errorf("%s says nothing: %q", what, stdout+stderr)
			}
			stdout, stderr, out := printed(t, kind, answer, true)
			harmless(t, what+": the document", stdout)
			harmless(t, what+": stderr with --json", stderr)
			want, err := json.Marshal(out)
			if err != nil {
				t.Fatal(err)
			}
			if n := holding(t, what, stdout); n < 10 || n != holding(t, what, string(want)) || !cmp.Equal(decoded(t, stdout), decoded(t, string(want))) {
				t.Errorf("%s: the document does not hold what the outcome does: %s", what, stdout)
			}
		}
	}
}

func decoded(t *testing.T, document string) (v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(document), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// A trace may be a stranger's.
func TestNoBodyOfATraceReachesATerminalAsItIs(t *testing.T) {
	t.Parallel()
	approval, err := schema.Canonical(hostileJSON())
	if err != nil {
		t.Fatal(err)
	}
	begin := filled[trace.BeginBody](t)
	begin.Format = trace.Format
	lines := []struct {
		kind trace.Kind
		body any
	}{
		{trace.Begin, begin},
		{trace.Verdict, filled[trace.VerdictBody](t)},
		{trace.Listing, filled[trace.ListingBody](t)},
		{trace.Proposal, filled[trace.SaidBody](t)},
		{trace.Reread, filled[trace.RereadBody](t)},
		{trace.Decision, filled[trace.DecisionBody](t)},
		{trace.Approval, jsontext.Value(approval)},
		{trace.Consent, filled[trace.ConsentBody](t)},
		{trace.Result, filled[trace.ResultBody](t)},
		{trace.Guard, filled[trace.GuardBody](t)},
		{trace.Verdict, trace.VerdictBody{Gate: "guard", Verdict: "allow"}}, // or less would be shown
		{trace.Writing, filled[trace.SaidBody](t)},
		{trace.Outcome, filled[trace.OutcomeBody](t)},
	}
	named := map[string]bool{"ReplyBody": true, "FactsBody": true, "BindingBody": true, "RunBody": true, "HeldBody": true, "ResumeBody": true, "ScannerBody": true, "FindingBody": true, "SuggestionBody": true, "LoginBody": true, "SpokeBody": true, "SandboxBody": true, "AttemptBody": true, "FileBody": true, "LogBody": true, "RemovedBody": true, "OriginBody": true, "AlsoBody": true} // parts of others
	for _, l := range lines {
		named[reflect.TypeOf(l.body).Name()] = true
	}
	var source []byte
	for _, name := range []string{"body.go", "listing.go", "origin.go"} {
		b, err := os.ReadFile(filepath.Join("../../trace", name))
		if err != nil {
			t.Fatal(err)
		}
		source = append(source, b...)
	}
	for _, m := range regexp.MustCompile(`(?m)^type (\w+Body) struct`).FindAllSubmatch(source, -1) {
		if !named[string(m[1])] {
			t.Errorf("no line has a %s", m[1])
		}
	}
	home := t.TempDir()
	dir := filepath.Join(home, "traces")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	values := 0
	path := filepath.Join(dir, trace.FileName("20260102T030405.006Z-ab"+hostile)) // a copy may have any name
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	log := trace.New(f, func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 6e6, time.UTC) })
	for _, l := range lines {
		if err := log.Append(l.kind, l.body); err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(l.body)
		if err != nil {
			t.Fatal(err)
		}
		values += holding(t, string(l.kind), string(b))
	}
	if _, err := log.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"list"}, {"show", path}, {"verify", path}, {"verify", path, "--digest", hostile}, {"replay", path}, {"show", hostile}, {"show", path, "--raw"}, {"list", "--tool", hostile}, {"list", "--since", hostile}} {
		for _, flag := range []string{"--debug", "--json"} {
			cmd := exec.CommandContext(t.Context(), "ask", append([]string{"trace", flag}, args...)...)
			cmd.Env = append(os.Environ(), "ASK_HOME="+home)
			stdout, stderr := heard(t, cmd)
			what := fmt.Sprintf("ask trace %s %q", flag, args)
			harmless(t, what+": stdout", stdout)
			harmless(t, what+": stderr", stderr)
			if flag != "--json" {
				continue
			}
			n := holding(t, what, stdout)
			if args[0] == "list" && len(args) == 1 && n < 2 || args[0] == "show" && args[1] == path && n != values+1 {
				t.Errorf("%s holds %d of %d values: %s", what, n, values, stdout)
			}
		}
	}
}
