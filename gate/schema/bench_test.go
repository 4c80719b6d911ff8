package schema_test

import (
	"testing"

	"github.com/onestep-run/onestep/gate/schema"
)

// typical is as large as the median of 630 real tools, and nests.
const typical = `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{
"path":{"type":"string","description":"Path of the file to edit, absolute or relative to one of the allowed directories. The file must exist."},
"edits":{"type":"array","items":{"type":"object","properties":{
"oldText":{"type":"string","description":"Text to search for. It must match exactly, white space included, and only once."},
"newText":{"type":"string","description":"Text to replace it with. It may be empty, which removes the old text."}},
"required":["oldText","newText"],"additionalProperties":false}},
"dryRun":{"type":"boolean","default":false,"description":"Preview the changes in the form of a git diff, without writing them."},
"mode":{"type":"string","enum":["all","first"],"description":"Which matches to replace where there are several."},
"limit":{"type":"integer","minimum":1,"maximum":100,"description":"At most how many edits to apply."}},
"required":["path","edits"],"additionalProperties":false}`

const typicalCall = `{"dryRun":true,"edits":[{"newText":"b","oldText":"a"},{"newText":"d","oldText":"c"}],"limit":2,"mode":"all","path":"/tmp/notes/today.md"}`

func BenchmarkAdmit(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := schema.Admit([]byte(typical), schema.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCompile(b *testing.B) {
	s, err := schema.Admit([]byte(typical), schema.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Compile(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCheck(b *testing.B) {
	v := compiled(b, []byte(typical), schema.Input)
	b.ReportAllocs()
	for b.Loop() {
		if err := v.Check([]byte(typicalCall)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRealTools is per tool, over all of the corpus.
func BenchmarkRealTools(b *testing.B) {
	tools := realTools(b)
	b.Run("admit", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			if _, err := schema.Admit(tools[i%len(tools)].input, schema.Options{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("check", func(b *testing.B) {
		var checks []schema.Validator
		var calls [][]byte
		for _, t := range tools {
			checks = append(checks, compiled(b, t.input, schema.Input))
			calls = append(calls, text(b, caller{t.schema, true}.value(t.schema)))
		}
		for i := 0; b.Loop(); i++ {
			if err := checks[i%len(tools)].Check(calls[i%len(tools)]); err != nil {
				b.Fatal(err)
			}
		}
	})
}
