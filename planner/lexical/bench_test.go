package lexical_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/eval/corpus"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/planner/lexical"
)

// realTools are the tools of all captured servers.
func realTools(tb testing.TB) []pin.Descriptor {
	tb.Helper()
	var ds []pin.Descriptor
	for _, l := range corpus.Listings(tb) {
		for _, raw := range l.Tools {
			ds = append(ds, pin.Descriptor{Server: l.Server, Raw: jsontext.Value(raw)})
		}
	}
	return ds
}

// manyTools are n tools with names and words of their own among common ones.
func manyTools(n int) []pin.Descriptor {
	nouns := strings.Fields("invoice ticket policy document server customer order report backup release metric alert account vendor asset contract meeting message photo recipe")
	verbs := strings.Fields("get search list export compare count summarize check")
	var ds []pin.Descriptor
	for i := range n {
		noun, verb := nouns[i%len(nouns)], verbs[i/len(nouns)%len(verbs)]
		ds = append(ds, pin.Descriptor{Server: fmt.Sprintf("s%d", i%50), Raw: jsontext.Value(fmt.Sprintf(
			`{"name":"%s_%s_%d","description":"%s the %s records of system number%d by their id, owner and date.","inputSchema":{"type":"object","required":["%s_id"],"properties":{"%s_id":{"type":"string","description":"The id of the %s."},"limit":{"type":"integer","description":"How many results."},"since":{"type":"string","format":"date"}}}}`,
			verb, noun, i, verb, noun, i, noun, noun, noun))})
	}
	return ds
}

func benchmark(b *testing.B, c catalog.Catalog, words, around string) {
	p := lexical.New(noon)
	q := ask(b, words, around)
	if _, err := p.Propose(context.Background(), q, c); err != nil { // builds the index
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		_, _ = p.Propose(context.Background(), q, c)
	}
}

func BenchmarkDecide(b *testing.B) {
	const short = "Get ticket INC0010003"
	const average = "What is the status of the invoice AB-1234 that we sent to Oslo on 3 March 2024?"
	const long = "Find a 3 bedroom invoice from Oslo to Bergen for at most 5 kg since March 3rd, 2024, with the id ab-1234 and a limit of 10"
	b.Run("demo/short", func(b *testing.B) { benchmark(b, admit(b, demoTools(b)...), short, "") })
	for _, n := range []int{10, 200, 10_000} {
		c := admit(b, manyTools(n)...)
		b.Run(fmt.Sprintf("%d/short", n), func(b *testing.B) { benchmark(b, c, short, "") })
		b.Run(fmt.Sprintf("%d/average", n), func(b *testing.B) { benchmark(b, c, average, "") })
		b.Run(fmt.Sprintf("%d/long", n), func(b *testing.B) { benchmark(b, c, long, "") })
	}
	b.Run("real/long", func(b *testing.B) { benchmark(b, admit(b, realTools(b)...), long, "") })
	b.Run("10/32KiB", func(b *testing.B) {
		benchmark(b, admit(b, manyTools(10)...), strings.Repeat("get the 7 invoice 'x', y_1 and Oslo ", 900), "")
	})
}

// BenchmarkContext is a question beside a context of the largest size.
func BenchmarkContext(b *testing.B) {
	benchmark(b, admit(b, manyTools(10)...), "Get that ticket", strings.Repeat("2026-03-01 error at /srv/x_1: user ada@example.org 'failed' 7 times. ", 3600))
}

// BenchmarkIndex is what the first question of a process pays.
func BenchmarkIndex(b *testing.B) {
	for _, n := range []int{10, 10_000} {
		c := admit(b, manyTools(n)...)
		q := ask(b, "Get ticket INC0010003", "")
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _ = lexical.New(noon).Propose(context.Background(), q, c)
			}
		})
	}
}
