package input

import (
	"strings"
	"testing"
)

// question is a plain question of a hundred bytes; near is one that several
// rules have to look at closely.
const (
	question100 = "Fetch the PII logging policy and list the incident tickets of last week that mention it, please, now."
	near        = "How do I kill the parent process of a python script that my colleague started on the build server?"
)

func BenchmarkAdmit(b *testing.B) {
	context := strings.Repeat("2026-11-20T10:11:12Z web-03 worker killed by signal 9, restarting; previous run took 31 s\n", 2900)
	for _, c := range []struct{ name, text, context string }{
		{"Question", question100, ""},
		{"NearMiss", near, ""},
		{"LongQuestion", strings.Repeat(question100+"\n", 300), ""},
		{"Context", question100, context},
	} {
		b.Run(c.name, func(b *testing.B) {
			r := BuiltIn()
			b.SetBytes(int64(len(c.text) + len(c.context)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Admit(c.text, c.context, r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkBuiltIn(b *testing.B) {
	for b.Loop() {
		if _, err := parseLayer(builtin, trusted); err != nil {
			b.Fatal(err)
		}
	}
}
