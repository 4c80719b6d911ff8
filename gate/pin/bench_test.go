package pin_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/eval/corpus"
	"github.com/onestep-run/onestep/eval/pins"
	"github.com/onestep-run/onestep/gate/pin"
)

// typical is as large as the median of 630 real tools, and nests.
const typical = `{"name":"edit_file","description":"Make edits to a text file. Each edit replaces an exact sequence of lines with new content. Returns a diff of what was changed.",
"inputSchema":{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{
"path":{"type":"string","description":"Path of the file to edit, absolute or relative to one of the allowed directories. The file must exist."},
"edits":{"type":"array","items":{"type":"object","properties":{
"oldText":{"type":"string","description":"Text to search for. It must match exactly, white space included, and only once."},
"newText":{"type":"string","description":"Text to replace it with. It may be empty, which removes the old text."}},
"required":["oldText","newText"],"additionalProperties":false}},
"dryRun":{"type":"boolean","default":false,"description":"Preview the changes in the form of a git diff, without writing them."},
"mode":{"type":"string","enum":["all","first"],"description":"Which matches to replace where there are several."},
"limit":{"type":"integer","minimum":1,"maximum":100,"description":"At most how many edits to apply."}},
"required":["path","edits"],"additionalProperties":false},"annotations":{"readOnlyHint":false,"openWorldHint":false}}`

// BenchmarkVerify is what it costs to see that 100 tools are what was approved.
func BenchmarkVerify(b *testing.B) {
	for name, written := range map[string]string{
		"as_approved":       typical,
		"written_otherwise": strings.ReplaceAll(typical, "\n", ""),
	} {
		b.Run("100_tools_"+name, func(b *testing.B) {
			var was, now []pin.Descriptor
			for i := range 100 {
				tool := fmt.Sprintf("edit_file_%d", i)
				was = append(was, said(strings.Replace(typical, "edit_file", tool, 1)))
				now = append(now, said(strings.Replace(written, "edit_file", tool, 1)))
			}
			b.ReportAllocs()
			for b.Loop() {
				for i := range was {
					if err := (pin.Accept{}).Same(was[i], now[i]); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

// BenchmarkCompareChanged is one comparison, witnesses and all.
func BenchmarkCompareChanged(b *testing.B) {
	was := said(typical)
	b.Run("typical", func(b *testing.B) {
		now := said(strings.NewReplacer(`"maximum":100`, `"maximum":50`, `"first"]`, `"first","last"]`).Replace(typical))
		b.ReportAllocs()
		for b.Loop() {
			if all := mustCompare(b, was, now); len(all) != 2 || all[1].Narrower == nil || all[0].Wider == nil {
				b.Fatal(all)
			}
		}
	})
	b.Run("real", func(b *testing.B) {
		pairs := changed(b)
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			p := pairs[i%len(pairs)]
			mustCompare(b, p[0], p[1])
		}
	})
}

func mustCompare(b *testing.B, was, now pin.Descriptor) []pin.Difference {
	b.Helper()
	all, err := pin.Compare(was, now)
	if err != nil {
		b.Fatal(err)
	}
	return all
}

// changed are the tools of real servers before and after each release that changed them.
func changed(tb testing.TB) (pairs [][2]pin.Descriptor) {
	tb.Helper()
	steps, err := pins.ReadReleases(corpus.Path(tb, "tools-list-versions"))
	if err != nil {
		tb.Fatal(err)
	}
	for _, s := range steps {
		for _, c := range pin.Changes(s.Was.Tools, nil, s.Now, nil) {
			if c.Kind == pin.Changed {
				pairs = append(pairs, [2]pin.Descriptor{c.Was, c.Now})
			}
		}
	}
	return slices.Clip(pairs)
}
