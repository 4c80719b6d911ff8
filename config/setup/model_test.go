package setup

import "testing"

func TestAnOllamaHostIsReadAsOllamaReadsIt(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]string{
		"":                        "",
		"127.0.0.1":               "http://127.0.0.1:11434",
		"0.0.0.0":                 "http://0.0.0.0:11434",
		"box.lan":                 "http://box.lan:11434",
		":8080":                   "http://127.0.0.1:8080",
		"box.lan:8080":            "http://box.lan:8080",
		"box.lan:8080/":           "http://box.lan:8080",
		"box.lan/api":             "http://box.lan:11434/api",
		"::1":                     "http://[::1]:11434",
		"[::1]":                   "http://[::1]:11434",
		"[::1]:8080":              "http://[::1]:8080",
		"http://box.lan":          "http://box.lan", // port 80, as the scheme says
		"https://box.lan/ollama/": "https://box.lan/ollama/",
	} {
		if got := ollamaURL(host); got != want {
			t.Errorf("%q is %q, want %q", host, got, want)
		}
	}
}
