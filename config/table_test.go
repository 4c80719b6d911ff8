package config_test

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/verdict"
)

var update = flag.Bool("update", false, "write the table of docs/configuration.md again")

func TestTheSettingsPageIsTheTable(t *testing.T) {
	t.Parallel()
	const path, begin, end = "../docs/configuration.md", "-update`. -->\n\n", "<!-- End of the table. -->"
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(b), begin)
	was, after, both := strings.Cut(rest, end)
	if !ok || !both {
		t.Fatal("the page has no place for the table")
	}
	is := settingsTable() + "\n"
	if *update {
		if err := os.WriteFile(path, []byte(before+begin+is+end+after), 0o600); err != nil {
			t.Fatal(err)
		}
	} else if was != is {
		t.Errorf("%s is not the table of settings: go test ./config -run %s -update", path, t.Name())
	}
}

func settingsTable() string {
	var b strings.Builder
	b.WriteString("| setting | variable | flag | default | takes | meaning |\n|---|---|---|---|---|---|\n")
	code := func(before, text string) string {
		if text == "" {
			return ""
		}
		return "`" + before + text + "`"
	}
	for _, r := range config.Table() {
		meaning := r.Meaning
		if r.See != "" {
			meaning += " ([" + r.See + "](" + r.See + "))"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s |\n", r.Key, code("", r.Variable), code("--", r.Flag), r.Otherwise(), r.Takes(), meaning)
	}
	return b.String()
}

// TestEveryFieldHasOneRow: a field without a row could be read by the program
// and never be set.
func TestEveryFieldHasOneRow(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, err := config.Load(config.Paths{Config: dir, State: dir}, environ("SAFE_RULES_PATH", "/rules.json"), config.Flags{})
	if err != nil {
		t.Fatal(err)
	}
	if fields := reflect.TypeFor[config.Settings]().NumField() - 6; len(config.Table()) != fields || len(s.Show()) != fields {
		t.Errorf("%d fields, %d rows, %d shown", fields, len(config.Table()), len(s.Show()))
	}
	for i := range reflect.TypeFor[config.Settings]().NumField() {
		if name := reflect.TypeFor[config.Settings]().Field(i).Name; name != "Summarize" && name != "Notify" && name != "StrictFormats" && name != "StrictOutputs" && name != "AuditRequired" && name != "ClientRules" && name != "Of" && name != "from" && name != "Scanners" && name != "Decisions" && name != "foreign" && name != "RecordWords" && reflect.ValueOf(s).Field(i).IsZero() {
			t.Errorf("%s has no default", name)
		}
	}
	seen := map[string]bool{}
	for _, r := range config.Table() {
		for _, name := range []string{r.Key, r.Variable, "--" + r.Flag} {
			if seen[name] && name != "" && name != "--" {
				t.Errorf("%s is in two rows", name)
			}
			seen[name] = true
		}
		if r.Meaning == "" || r.Takes() == "" || strings.ContainsAny(r.Meaning, "`|\n") || (r.Flag == "") != (r.Argument == "") {
			t.Errorf("%s: %+v", r.Key, r)
		}
		if _, err := os.Stat(filepath.Join("../docs", cmp.Or(r.See, "."))); err != nil {
			t.Error(err)
		}
	}
}

// other gives each setting a value that is not the default's, as a file writes it.
var other = map[string]string{
	"servers": `"/a.json"`, "allowlist": `"/a.json"`, "trace_dir": `"/a"`, "rules": `"/a.json"`, "policy": `"/a.json"`, "model": `"ollama/a"`, "summarize": "true", "notify": "true", "summary_level": `"quoted"`,
	"writer": `"model"`, "strict_formats": "true", "strict_outputs": "true", "max_result": "1024", "max_message": "1024", "timeout": `"7s"`, "start_timeout": `"7s"`, "connect_timeout": `"7s"`,
	"state_file": `"/a"`, "token_key": `"file"`, "accept": `["cosmetic", "safer"]`, "intent": `"strict"`, "model_marks": `"suggest"`, "sandbox": `"all"`, "approval_ttl": `"7s"`, "client_hold": `"7s"`, "approvers": `"other"`, "call_timeout": `"7s"`, "close_grace": `"7s"`, "model_timeout": `"7s"`, "constrain": `"none"`, "sampling": `"endpoint"`, "max_prompt": "1024", "max_output": "64",
	"record_words": "true", "audit": `"/a"`, "audit_required": "true", "quarantine_age": `"7s"`, "max_arguments": "1024", "client_rules": "true", "call_limit": `"7s"`, "quarantine_size": "99999999",
}

func TestEachSettingIsReadFromEachOfItsPlaces(t *testing.T) {
	t.Parallel()
	for _, r := range config.Table() {
		t.Run(r.Key, func(t *testing.T) {
			t.Parallel()
			written := other[r.Key]
			text := strings.NewReplacer(`"`, "", "[", "", "]", "").Replace(written)
			path := file(t, t.TempDir(), "config.toml", "\n"+r.Key+" = "+written+"\n")
			from := map[config.Origin]func() (config.Settings, error){
				{Kind: config.FromFile, Name: path}: func() (config.Settings, error) {
					return config.Load(config.Paths{System: path}, environ(), config.Flags{})
				},
			}
			if r.Variable != "" {
				from[config.Origin{Kind: config.FromVariable, Name: r.Variable}] = func() (config.Settings, error) {
					return config.Load(config.Paths{}, environ(r.Variable, text), config.Flags{})
				}
			}
			if r.Flag != "" {
				from[config.Origin{Kind: config.FromFlag, Name: r.Flag}] = func() (config.Settings, error) {
					return config.Load(config.Paths{}, environ(), config.Flags{Given: map[string]string{r.Flag: text}})
				}
			}
			for origin, load := range from {
				s, err := load()
				if err != nil {
					t.Fatal(err)
				}
				want := config.Shown{Key: r.Key, Origin: origin}
				for _, shown := range s.Show() {
					switch {
					case shown.Key != r.Key && shown.Origin != config.Origin{}:
						t.Errorf("%s sets %s as well", origin, shown.Key)
					case shown.Key == "policy" && shown.Origin == config.Origin{}: // to which every layer adds
					case shown.Key == r.Key:
						want.Value = shown.Value
						if shown != want || fmt.Sprint(shown.Value) != text {
							t.Errorf("%s gives %+v, want %s", origin, shown, text)
						}
					}
				}
			}
		})
	}
}

// TestAValueThatASettingDoesNotTakeSaysWhatToWrite: each row, with values of
// other types and next to its bounds.
func TestAValueThatASettingDoesNotTakeSaysWhatToWrite(t *testing.T) {
	t.Parallel()
	for _, r := range config.Table() {
		wrong := []string{"3.5", "[1]", "{a=1}", "1979-05-27", "1e6"}
		switch takes := r.Takes(); {
		case strings.HasPrefix(takes, "a duration"):
			wrong = append(wrong, "3", `"3"`, `"0s"`, `"-1s"`, `""`, `"soon"`, "true")
		case strings.HasPrefix(takes, "a whole number"):
			var low, high int
			if _, err := fmt.Sscanf(takes, "a whole number from %d to %d", &low, &high); err != nil {
				t.Error(takes, err)
			}
			wrong = append(wrong, "0", "-1", strconv.Itoa(low-1), strconv.Itoa(high+1), "9223372036854775807", `"2048"`, `"5k"`, "true")
		case takes == "true or false":
			wrong = append(wrong, "1", "0", `"true"`, `"yes"`)
		case takes == "a path":
			wrong = append(wrong, `""`, "1", "true")
		case takes == "a text":
			wrong = append(wrong, "1", "true")
		case strings.HasPrefix(takes, "a list of "):
			wrong = append(wrong, `"cosmetic, safer"`, `"cosmetic"`, `["wording"]`, `["safer", "cue"]`, `["cosmetic,safer"]`, `["safer", 1]`, `["safer", ["safer"]]`, `["\u0000"]`, `[""]`, "true")
		default:
			wrong = append(wrong, `""`, `"trusting"`, `"Strict"`, "1", "true")
		}
		for _, value := range wrong {
			path := file(t, t.TempDir(), "config.toml", "# one\n\n"+r.Key+" = "+value+"\n")
			_, err := config.Load(config.Paths{}, environ(), config.Flags{Config: path})
			if verdict.CodeOf(err) != verdict.ConfigInvalid || !strings.Contains(err.Error(), path+": line 3: "+r.Key+" takes "+r.Takes()) {
				t.Errorf("%s = %s: %v", r.Key, value, err)
			}
			text := strings.Trim(value, `"`)
			if r.Takes() == "a path" || r.Takes() == "a text" || r.Takes() == "true or false" && len(text) == 1 || value == `"2048"` || text == "" {
				continue // a text takes any, and an empty variable is not given
			}
			if _, err := config.Load(config.Paths{}, environ(r.Variable, text), config.Flags{}); r.Variable != "" && text != "true" &&
				(verdict.CodeOf(err) != verdict.ConfigInvalid || !strings.Contains(err.Error(), r.Variable+" takes "+r.Takes())) {
				t.Errorf("%s=%s: %v", r.Variable, text, err)
			}
			if _, err := config.Load(config.Paths{}, environ(), config.Flags{Given: map[string]string{r.Flag: text}}); r.Flag != "" &&
				(verdict.CodeOf(err) != verdict.UsageFlag || !strings.Contains(err.Error(), "--"+r.Flag+" takes "+r.Takes())) {
				t.Errorf("--%s %s: %v", r.Flag, text, err)
			}
		}
	}
	path := file(t, t.TempDir(), "config.toml", "timeout = 3\n")
	if _, err := config.Load(config.Paths{}, environ(), config.Flags{Config: path}); err == nil || !strings.Contains(err.Error(), `in quotes: timeout = "5m"`) {
		t.Errorf("an integer for a duration: %v", err)
	}
}

func TestAFileThatIsNotUnderstoodNamesTheLine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"timeout = \"1s\"\nallow_all = true\n":      "line 2: no such setting: allow_all",
		"Timeout = \"1s\"\n":                        "line 1: no such setting: Timeout",
		"\n[timeout]\nx = 1\n":                      "line 2: timeout takes",
		"timeout.x = 1\n":                           "line 1: timeout takes",
		"timeout.x = \"1s\"\n":                      "line 1: timeout takes",
		"[[rules]]\n":                               "line 1: rules takes",
		"read_timeout = \"1s\"\n":                   "line 1: no such setting: read_timeout",
		"[server.a]\nproxies = \"x\"\n":             "line 2: no such setting of a server: proxies",
		"[server.a]\nstart_timeout = 90\n":          "line 2: start_timeout takes a duration",
		"[server.a]\nstart_timeout = \"0s\"\n":      "line 2: start_timeout takes a duration",
		"[server.a]\nca_file = \"\"\n":              "line 2: ca_file takes a path",
		"[server.a]\n[server.a]\n":                  "line 2: server.a is set twice",
		"[server.\"a b\"]\n":                        "line 1: no server can be called that",
		"[server.a]\nx.y = 1\n":                     "line 2: no such setting of a server: x",
		"[server]\n":                                "line 1: no such setting: server",
		"[server.a.b]\n":                            "line 1: no such setting of a server: b",
		"[[server.a]]\n":                            "line 1: no such setting: server",
		"[other]\ntimeout = \"1s\"\n":               "line 1: no such setting: other",
		"\"model\" = \"a\"\n'trace-dir' = \"/a\"\n": "line 2: no such setting: trace-dir",
		"model = \"a\"\nmodel = \"b\"\n":            "line 2: model is set twice",
		"max_prompt = 9223372036854775808\n":        "line 1, column 14: not valid TOML",
		"[server.b]\n[server.a]\nx = 1\ny = 1\n":    "line 3: no such setting of a server: x",
		"model = \"a\nb\"":                          "line 1",
		"model = \"sk-SECRET\" x\n":                 "line 1",
		"max_result = \"sk-SECRET\"\n":              "line 1: max_result takes",
		"model = \"\xff\"\n":                        "line 1",
		"summary_level = \"\"\"\nsk-SECRET\"\"\"\n": "line 1: summary_level takes rendered or quoted",
	} {
		path := file(t, t.TempDir(), "config.toml", text)
		_, err := config.Load(config.Paths{}, environ(), config.Flags{Config: path})
		if verdict.CodeOf(err) != verdict.ConfigInvalid || !strings.Contains(err.Error(), path+": "+want) || strings.Contains(err.Error(), "SECRET") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestAnOriginIsShownAndComparedWhole(t *testing.T) {
	t.Parallel()
	for want, o := range map[string]config.Origin{
		"default": {}, "/a/config.toml": {Kind: config.FromFile, Name: "/a/config.toml"}, "variable A": {Kind: config.FromVariable, Name: "A"},
		"flag --a": {Kind: config.FromFlag, Name: "a"}, "argument": {Kind: config.FromArgument},
	} {
		b, err := json.Marshal(o)
		if err != nil || o.String() != want || string(b) != `"`+want+`"` {
			t.Errorf("%+v is shown as %s and %s, %v", o, o, b, err)
		}
		if o.Named() != slices.Contains([]config.Kind{config.FromFlag, config.FromVariable}, o.Kind) {
			t.Errorf("%s: named %v", o, o.Named())
		}
	}
}

// A word of a setting that takes a path is not one, wherever it is written.
func TestTheWordsOfTheAuditAreNoPaths(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for text, want := range map[string]string{"stderr": config.AuditStderr, "off": config.AuditOff, "a.jsonl": filepath.Join(dir, "a.jsonl"), "./off": filepath.Join(dir, "off")} {
		path := file(t, dir, "config.toml", "audit = \""+text+"\"\n")
		s, err := config.Load(config.Paths{System: path, State: dir}, environ(), config.Flags{})
		if err != nil || s.Audit.V != want {
			t.Errorf("%s: %q, %v", text, s.Audit.V, err)
		}
	}
	if s, err := config.Load(config.Paths{State: dir}, environ(), config.Flags{}); err != nil || s.Audit.V != config.AuditOff {
		t.Errorf("the default is %q, %v", s.Audit.V, err)
	}
}
