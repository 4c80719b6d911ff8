package config_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pelletier/go-toml/v2"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/host/session"
)

// FuzzAFileSaysWhatTOMLSays: the program walks over a file's lines, and the
// library's decoder reads it whole. What the decoder refuses is refused, and
// what is taken is what the decoder reads.
func FuzzAFileSaysWhatTOMLSays(f *testing.F) {
	for _, s := range []string{
		"", "model = \"a\"\n", "model='a'\r\nmax_result = 0x1000\n", "max_prompt = 1_024 # c", "max_prompt = +2048", "max_prompt = 01024", "max_prompt = 0b10000000000",
		"max_prompt = 0x7fffffffffffffff", "max_prompt = 0xffffffffffffffff", "max_prompt = 1__024", "summarize = true", "summarize = TRUE", "model = \"\\u00e9\\n\"",
		"model = \"\"\"\n a\\\n  b\"\"\"", "model = \"a\"\nmodel = \"b\"", "\"model\" = 'a'\nmodel = 'b'", "\"\\u006dodel\" = 'a'", "model = ", "model = \"a\" x", "[model]", "model.a = 1", "model = \"\xff\"",
		"# \x00", "\xef\xbb\xbfmodel = 'a'", "model = {a = 1, a = 2}", "model = [[", "= 1", "'' = 1", "model = 'a", "a.b", "[", "[[a]", "\r", "model\n= 1", "summarize = true\r", "max_prompt = 9223372036854775808",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		path := put(t, string(b))
		s, err := config.Load(config.Paths{}, environ(), config.Flags{Config: path})
		if err != nil {
			return
		}
		var values map[string]any
		if err := toml.Unmarshal(b, &values); err != nil {
			t.Fatalf("%q is taken: %v", b, err)
		}
		for _, shown := range s.Show() {
			value, given := values[shown.Key]
			if given != (shown.Origin.Kind == config.FromFile) {
				t.Fatalf("%q: %s is given: %v, and its origin %s", b, shown.Key, given, shown.Origin)
			}
			switch shown.Key {
			case "model", "summarize", "max_result", "max_message", "max_prompt", "max_output", "writer", "intent":
				if given && fmt.Sprint(value) != fmt.Sprint(shown.Value) {
					t.Fatalf("%q: %s is %v, not %v", b, shown.Key, shown.Value, value)
				}
			}
			delete(values, shown.Key)
		}
		if len(values) > 0 {
			t.Fatalf("%q: nothing shows %v", b, values)
		}
	})
}

func TestAServerHasSettingsOfItsOwn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := file(t, dir, "config.toml", "timeout = \"2m\"\n\n[server.github]\nstart_timeout = \"90s\"\ncall_timeout = \"3m\"\nca_file = \"corp.pem\"\nproxy = \"http://127.0.0.1:3128\"\n\n[server.b]\n")
	s, err := config.Load(config.Paths{}, environ(), config.Flags{Config: path})
	if err != nil {
		t.Fatal(err)
	}
	from := config.Origin{Kind: config.FromFile, Name: path}
	want := config.ServerSettings{
		StartTimeout: config.Value[time.Duration]{V: 90 * time.Second, Origin: from}, CallTimeout: config.Value[time.Duration]{V: 3 * time.Minute, Origin: from},
		CAFile: config.Value[string]{V: filepath.Join(dir, "corp.pem"), Origin: from}, Proxy: config.Value[string]{V: "http://127.0.0.1:3128", Origin: from},
	}
	if s.Of["github"] != want || len(s.Of) != 1 {
		t.Errorf("%+v", s.Of)
	}
	path = file(t, dir, "secret.toml", "[server.github]\nproxy = \"http://ada:SECRET@127.0.0.1:3128\"\n")
	if s, err := config.Load(config.Paths{}, environ(), config.Flags{Config: path}); err != nil || strings.Contains(fmt.Sprint(s.Show()), "SECRET") || !strings.Contains(fmt.Sprint(s.Show()), "127.0.0.1:3128") {
		t.Errorf("%v, %v", s.Show(), err)
	}
	server := session.Server{Name: "github"}
	s.Of["github"].Apply(&server)
	if server.StartTimeout != 90*time.Second || server.CallTimeout != 3*time.Minute || server.CAFile != want.CAFile.V || server.Proxy != want.Proxy.V {
		t.Errorf("%+v", server)
	}
	s.Of["nobody"].Apply(&server)
	if server.StartTimeout != 0 || server.CallTimeout != 0 || server.CAFile != "" || server.Proxy != "" {
		t.Errorf("%+v", server)
	}
	shown := s.Show()
	if last := shown[len(shown)-1]; last != (config.Shown{Key: "server.github.proxy", Value: "http://127.0.0.1:3128", Origin: from}) {
		t.Errorf("%+v", last)
	}
}
