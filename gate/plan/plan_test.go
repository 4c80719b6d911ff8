package plan_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/eval/corpus"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

const good = `{"type":"call_tool","server":"kb","tool":"get","args":{"id":9007199254740993}}`

func TestThePlanIsOneOfTwoShapes(t *testing.T) {
	t.Parallel()
	p, err := plan.Parse([]byte(" \n" + good + "\t\r\n"))
	if err != nil || p.Declines() || p.Server() != "kb" || p.Tool() != "get" || string(p.Args()) != `{"id":9007199254740993}` {
		t.Errorf("%+v, %v", p, err)
	}
	p, err = plan.Parse([]byte(`{"needs_more_info":true,"answer":"Which entry?","type":"final_answer"}`))
	if err != nil || !p.Declines() || p.Answer() != "Which entry?" {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestWhatIsNotAPlanIsRefusedAndNotRepaired(t *testing.T) {
	t.Parallel()
	decline := `{"type":"final_answer","answer":"a","needs_more_info":true}`
	for said, code := range map[string]verdict.Code{
		"":                           verdict.PlanJSON,
		"null":                       verdict.PlanShape,
		"[" + good + "]":             verdict.PlanShape,
		"```json\n" + good + "\n```": verdict.PlanJSON,
		"Here you are: " + good:      verdict.PlanJSON,
		good + " Done.":              verdict.PlanJSON,
		good + good:                  verdict.PlanJSON,
		good + "\x00":                verdict.PlanJSON,
		"\ufeff" + good:              verdict.PlanJSON,
		"// plan\n" + good:           verdict.PlanJSON,
		strings.Replace(good, `"get"`, "\"g\xffet\"", 1):                                              verdict.PlanJSON,
		strings.Replace(good, `"get"`, `"\ud800"`, 1):                                                 verdict.PlanJSON,
		strings.Replace(good, `"tool"`, `"tool":"put","tool"`, 1):                                     verdict.PlanJSON,
		strings.Replace(good, `{"id"`, `{"id":1,"id"`, 1):                                             verdict.PlanJSON,
		strings.Replace(good, `"tool"`, `"TOOL"`, 1):                                                  verdict.PlanShape,
		strings.Replace(good, `"tool"`, `"too\u006c"`, 1):                                             "",
		strings.Replace(good, `"type"`, `"Type"`, 1):                                                  verdict.PlanShape,
		strings.Replace(good, `"type":"call_tool"`, `"type":"call_tool","type2":1`, 1):                verdict.PlanShape,
		strings.Replace(good, `"call_tool"`, `"CALL_TOOL"`, 1):                                        verdict.PlanShape,
		strings.Replace(good, `"call_tool"`, `["call_tool"]`, 1):                                      verdict.PlanShape,
		strings.Replace(good, `"get"`, `""`, 1):                                                       verdict.PlanShape,
		strings.Replace(good, `"get"`, `null`, 1):                                                     verdict.PlanShape,
		strings.Replace(good, `"get"`, `"`+strings.Repeat("g", 200)+`"`, 1):                           verdict.PlanShape,
		strings.Replace(good, `{"id":9007199254740993}`, `[]`, 1):                                     verdict.PlanShape,
		strings.Replace(good, `{"id":9007199254740993}`, `"{}"`, 1):                                   verdict.PlanShape,
		strings.Replace(good, `{"id":9007199254740993}`, `null`, 1):                                   verdict.PlanShape,
		strings.Replace(good, `,"args":{"id":9007199254740993}`, ``, 1):                               verdict.PlanShape,
		strings.Replace(good, `9007199254740993`, `4E400`, 1):                                         verdict.PlanNumber,
		strings.Replace(good, `9007199254740993`, strings.Repeat("9", 100), 1):                        verdict.PlanNumber,
		strings.Replace(good, `9007199254740993`, strings.Repeat("[", 99)+strings.Repeat("]", 99), 1): verdict.PlanSize,
		strings.Replace(good, `9007199254740993`, `"`+strings.Repeat("x", 70<<10)+`"`, 1):             verdict.PlanSize,
		strings.Replace(decline, "true", "false", 1):                                                  verdict.PlanShape,
		strings.Replace(decline, "true", "null", 1):                                                   verdict.PlanShape,
		strings.Replace(decline, `"true"`, `"true"`, 1) + ",":                                         verdict.PlanJSON,
		strings.Replace(decline, `"a"`, `""`, 1):                                                      verdict.PlanShape,
		strings.Replace(decline, `"a"`, `"  "`, 1):                                                    verdict.PlanShape,
		strings.Replace(decline, `"a"`, `"`+strings.Repeat("a", 1025)+`"`, 1):                         verdict.PlanShape,
		strings.Replace(decline, `"answer"`, `"tool":"get","answer"`, 1):                              verdict.PlanShape,
		strings.Replace(decline, `"answer"`, `"server":null,"answer"`, 1):                             verdict.PlanShape,
		strings.Replace(good, `"args"`, `"needs_more_info":true,"args"`, 1):                           verdict.PlanShape,
		`{"type":"final_answer","answer":"a"}`:                                                        verdict.PlanShape,
		`{}`:                                                                                          verdict.PlanShape,
	} {
		p, err := plan.Parse([]byte(said))
		if verdict.CodeOf(err) != code {
			t.Errorf("%.120q: %v, want %s", said, err, code)
		}
		if err != nil && (!p.Declines() || p.Answer() != "" || p.Server() != "") {
			t.Errorf("%.120q is refused, and leaves the plan %+v", said, p)
		}
	}
}

func TestOurOwnPlansParse(t *testing.T) {
	t.Parallel()
	if p, err := plan.Parse(plan.Call("kb", "get", []byte(`{"a":"\u202e"}`))); err != nil || p.Tool() != "get" {
		t.Errorf("%+v, %v", p, err)
	}
	if p, err := plan.Parse(plan.Decline("Which?")); err != nil || p.Answer() != "Which?" {
		t.Errorf("%+v, %v", p, err)
	}
	for _, args := range []string{`{"a":1,"a":2}`, `{`, `{}}`, `{},"needs_more_info":null`, ``} {
		if p, err := plan.Parse(plan.Call("kb", "get", []byte(args))); err == nil {
			t.Errorf("arguments %q make the plan %+v", args, p)
		}
	}
}

// TestPublicJSONCorpus puts each file of JSONTestSuite into a plan as a value. Text
// that must be refused as JSON must be refused as a plan.
func TestPublicJSONCorpus(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(corpus.Path(t, "json-parsing"), "*.json"))
	if err != nil || len(files) < 293 { // as many as `make corpora` gets
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		said := strings.Replace(good, "9007199254740993", string(b), 1)
		_, err = plan.Parse([]byte(said))
		name := filepath.Base(file)
		switch {
		case name[0] == 'n' && err == nil:
			t.Errorf("%s is accepted inside a plan", name)
		case name[0] == 'y' && err != nil && !twice(name):
			t.Errorf("%s is refused inside a plan: %v", name, err)
		}
		if _, err := plan.Parse(b); err == nil {
			t.Errorf("%s is a plan", name)
		}
	}
}

// twice: RFC 8259 lets names repeat; a plan does not.
func twice(name string) bool {
	return name == "y_object_duplicated_key.json" || name == "y_object_duplicated_key_and_value.json"
}

// canonical is a plan's arguments but for white space and order.
func canonical(t *testing.T, p plan.Plan) string {
	t.Helper()
	if p.Declines() {
		return ""
	}
	c, err := schema.Canonical(p.Args())
	if err != nil {
		t.Fatal(err)
	}
	return string(c)
}

// FuzzParse: what is accepted survives being written again; what is refused
// leaves the zero plan.
func FuzzParse(f *testing.F) {
	for _, s := range []string{good, `{"type":"final_answer","answer":"a","needs_more_info":true}`, "null", "[]", good + good, "```" + good, ` {"args" : { "b":1 , "a":2 },"tool":"get","server":"kb","type":"call_tool"} `} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := plan.Parse(b)
		if err != nil {
			if !verdict.Denied(err) || !p.Declines() || p.Answer() != "" || p.Args() != nil {
				t.Fatalf("%v leaves %+v", err, p)
			}
			return
		}
		again := plan.Decline(p.Answer())
		if !p.Declines() {
			again = plan.Call(p.Server(), p.Tool(), p.Args())
		}
		q, err := plan.Parse(again)
		if err != nil || q.Server() != p.Server() || q.Tool() != p.Tool() || q.Answer() != p.Answer() || canonical(t, q) != canonical(t, p) {
			t.Fatalf("%q became %q: %v", b, again, err)
		}
	})
}

// TestAPlanThatAClientBringsHasABound: the bound is the operator's, or 1 MiB by
// default. A planner's stays shorter.
func TestAPlanThatAClientBringsHasABound(t *testing.T) {
	t.Parallel()
	of := func(size int) []byte {
		around := len(`{"type":"call_tool","server":"kb","tool":"get","args":{"s":""}}`)
		return []byte(`{"type":"call_tool","server":"kb","tool":"get","args":{"s":"` + strings.Repeat("x", size-around) + `"}}`)
	}
	for name, c := range map[string]struct {
		size, max int
		want      verdict.Code
	}{
		"at the default":                            {plan.MaxBrought, 0, ""},
		"over the default":                          {plan.MaxBrought + 1, 0, verdict.PlanSize},
		"at the operator's":                         {2 << 20, 2 << 20, ""},
		"over the operator's":                       {2<<20 + 1, 2 << 20, verdict.PlanSize},
		"under the default and over the operator's": {4 << 10, 2 << 10, verdict.PlanSize},
	} {
		if _, err := plan.ParseBrought(of(c.size), c.max); verdict.CodeOf(err) != c.want {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	if _, err := plan.Parse(of(128 << 10)); verdict.CodeOf(err) != verdict.PlanSize {
		t.Errorf("a planner's plan of 128 KiB: %v", err)
	}
}
