package onestep_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// finding is one script of findings/: the comment at its beginning by fields, what it
// installs, and what it expects to see.
type finding struct {
	name, text string
	fields     map[string]string
	pins       []string // with a blank between name and version
	expected   string
}

var (
	findingFields  = []string{"Guess", "Happens", "Package", "Other", "Seen", "Meets"}
	findingField   = regexp.MustCompile(`^# ([A-Z][a-z]+): +(\S.*)$`)
	findingInstall = regexp.MustCompile(`(?m)^(?:npm_install|pip_install|go_build) (.+)$`)
	findingExpect  = regexp.MustCompile(`(?s)\nexpect <<'END'\n(.+\n)END\n$`)
	pinned         = regexp.MustCompile(`^(.+?)(?:==|@)(v?[0-9][0-9a-z.-]*)$`)
)

func readFinding(name, text string) finding {
	f := finding{name: name, text: text, fields: map[string]string{}}
	field := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if at := findingField.FindStringSubmatch(line); at != nil {
			field = at[1]
			f.fields[field] = at[2]
		} else if more, is := strings.CutPrefix(line, "#          "); is && field != "" {
			f.fields[field] += " " + more
		} else if line == "" {
			break
		}
	}
	for _, install := range findingInstall.FindAllStringSubmatch(strings.ReplaceAll(text, "\\\n", " "), -1) {
		for word := range strings.FieldsSeq(install[1]) {
			pin := pinned.FindStringSubmatch(word)
			if pin == nil {
				pin = []string{"", word, "(no version)"}
			}
			f.pins = append(f.pins, pin[1]+" "+pin[2])
		}
	}
	if at := findingExpect.FindStringSubmatch(text); at != nil {
		f.expected = at[1]
	}
	return f
}

// strangers are texts that say on which machine, or by whom, a script was written, and
// addresses further than the loopback.
var strangers = regexp.MustCompile(`(?i)/(?:home|root|work|Users)/|\b[\w.+-]+@[\w-]+\.[a-z]{2,}\b` +
	`|https?://[^\s'"]+|\bonestep\b|\bbin/ask\b`)

// local are the addresses that a finding may name: its own servers, and names of schemas.
var local = regexp.MustCompile(`^https?://(?:127\.0\.0\.1:|json-schema\.org/|[a-z.]+\.example\b|\$\{)`)

// faults are what is wrong with the form of a finding.
func (f finding) faults() (all []string) {
	wrong := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	lines := strings.Split(f.text, "\n")
	if lines[0] != "#!/usr/bin/env bash" || !strings.HasPrefix(lines[1], "# ") || lines[2] != "#" {
		wrong("it does not begin with its interpreter, a sentence and an empty comment")
	}
	for _, line := range lines {
		if strings.HasPrefix(line, "#") && len([]rune(line)) > 120 {
			wrong("a long comment: %s", line)
		}
	}
	for _, name := range findingFields {
		if f.fields[name] == "" {
			wrong("%s is missing", name)
		}
	}
	if _, err := time.Parse(time.DateOnly, f.fields["Seen"]); err != nil {
		wrong("the date: %v", err)
	}
	if !strings.Contains(f.text, "\n. \"$(dirname \"$0\")/lib/finding.bash\"\n") {
		wrong("it does not begin as the others do")
	}
	if len(f.pins) == 0 || f.expected == "" {
		wrong("it installs nothing, or does not end with what it expects")
	}
	described := regexp.MustCompile(`[;,] (?:(?:npm|PyPI|Go modules) )?|^(?:npm|PyPI|Go modules) `).Split(f.fields["Package"], -1)
	for _, pin := range f.pins {
		if !slices.Contains(described, pin) || !strings.Contains(f.expected, pin+"\n") {
			wrong("%s is installed, and is not in Package and in what is expected", pin)
		}
	}
	name, _, _ := strings.Cut(f.fields["Other"], " ")
	if slices.Contains(f.pins, f.fields["Other"]) || !strings.Contains("\n"+strings.Join(f.pins, "\n"), "\n"+name+" ") {
		wrong("Other is not another version of a package")
	}
	for _, found := range strangers.FindAllString(f.text, -1) {
		if !local.MatchString(found) {
			wrong("it names %s", found)
		}
	}
	return all
}

const findingsHead = "| finding | one would guess | what happens | package and version | seen | who meets it |\n|---|---|---|---|---|---|\n"

func (f finding) row() string {
	row := "| [" + f.name + "](" + f.name + ".sh)"
	for _, field := range []string{"Guess", "Happens", "Package", "Seen", "Meets"} {
		row += " | " + strings.ReplaceAll(f.fields[field], "|", `\|`)
	}
	return row + " |\n"
}

// A finding has the form that `make findings` and its readers rely on. This needs no
// network; whether it still holds is what `make findings` says.
func TestFindingsHaveTheirForm(t *testing.T) {
	t.Parallel()
	scripts, err := filepath.Glob("findings/*.sh")
	if err != nil || len(scripts) < 10 {
		t.Fatalf("%d findings, %v", len(scripts), err)
	}
	table := findingsHead
	for _, script := range scripts {
		name := strings.TrimSuffix(filepath.Base(script), ".sh")
		f := readFinding(name, page(t, script))
		table += f.row()
		for _, fault := range f.faults() {
			t.Errorf("%s: %s", script, fault)
		}
		if info, err := os.Stat(script); err != nil || info.Mode()&0o111 != 0o111 {
			t.Errorf("%s is not executable: %v", script, err)
		}
	}
	for _, script := range append(scripts, "findings/lib/finding.bash", "tools/findings.sh") {
		if out, err := exec.CommandContext(t.Context(), "bash", "-n", script).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", script, err, out)
		}
	}
	readme := page(t, "findings/README.md")
	head, _, _ := strings.Cut(readme, findingsHead)
	switch {
	case readme == head+table:
	case !*updateTables:
		t.Error("findings/README.md is not what the findings say: go test . -run TestFindings -tables")
	default:
		if err := os.WriteFile("findings/README.md", []byte(head+table), 0o600); err != nil {
			t.Error(err)
		}
	}
}

func TestFaultsOfFindingsAreFound(t *testing.T) {
	t.Parallel()
	const good = `#!/usr/bin/env bash
# One thing surprises.
#
# Guess:   a
# Happens: b
#          and c
# Package: npm @s/p 1.0.0, q 2.0.0; PyPI r 3.0
# Other:   q 1.9.0
# Seen:    2026-01-02
# Meets:   d

. "$(dirname "$0")/lib/finding.bash"
npm_install @s/p@1.0.0 \
	q@2.0.0
pip_install r==3.0
curl http://127.0.0.1:$port/ 'http://json-schema.org/'

expect <<'END'
@s/p 1.0.0
q 2.0.0
r 3.0
fine
END
`
	for name, c := range map[string]struct{ old, with, want string }{
		"good":                  {"", "", ""},
		"a field less":          {"# Meets:   d\n", "", "Meets is missing"},
		"no date":               {"2026-01-02", "in May", "the date"},
		"no version":            {"r==3.0", "r", "r (no version)"},
		"a version elsewhere":   {"npm @s/p 1.0.0", "npm @s/p 1.0.1", "@s/p 1.0.0 is installed"},
		"a package more":        {"r==3.0", "r==3.0 x==1", "x 1 is installed"},
		"not checked":           {"r 3.0\nfine", "fine", "r 3.0 is installed"},
		"no other version":      {"q 1.9.0", "q 2.0.0", "Other is not"},
		"nothing expected":      {"\nEND\n", "\nEND\nexit\n", "what it expects"},
		"a folder of someone":   {"fine\nEND", "/home/x\nEND", "it names /home/"},
		"an address of someone": {"# One", "# x.y@example.com: one", "it names x.y@example.com"},
		"a host":                {"127.0.0.1:$port", "192.0.2.1", "it names http://192.0.2.1/"},
		"another host":          {"127.0.0.1:$port", "host.test", "it names http://host.test/"},
		"the project":           {"fine\nEND", "bin/ask\nEND", "it names bin/ask"},
		"a long comment":        {"# Guess:   a", "# Guess:   " + strings.Repeat("a ", 60), "a long comment"},
	} {
		holds(t, name, readFinding("x", strings.Replace(good, c.old, c.with, 1)).faults(), c.want)
	}
	if f := readFinding("x", good); f.fields["Happens"] != "b and c" || len(f.pins) != 3 {
		t.Errorf("read as %v, %q", f.fields, f.pins)
	}
}
