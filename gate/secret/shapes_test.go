package secret_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate/secret"
)

// The two sets were frozen before the rules of version 3 were written. A row that
// is changed or dropped changes the digest. They changed once since: hosts of public
// registries became reserved names.
const (
	secretsDigest = "98b67fc0944d39adbde555461b135f8d1164116f3bcd13d31d20a248511911bc"
	honestDigest  = "17cacd0e9763331d29130019f71e7ab856fe8e8920c1890d9f6ae290989d1f69"
)

type row struct {
	Name    string   `json:"name"`
	Text    string   `json:"text"`
	Secrets []string `json:"secrets"`
}

func rowsOf(t testing.TB, name, digest string) []row {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if sum := sha256.Sum256(b); hex.EncodeToString(sum[:]) != digest {
		t.Fatalf("%s has the digest %x: the set is frozen", name, sum)
	}
	var all []row
	for line := range bytes.Lines(b) {
		var r row
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	return all
}

// leaves reports whether a text shows a secret, or eight characters of it in a row.
func leaves(text, secret string) bool {
	n := min(len(secret), 8)
	for i := 0; i+n <= len(secret); i++ {
		if strings.Contains(text, secret[i:i+n]) {
			return true
		}
	}
	return false
}

// inJSON is how a result carries a text, and as it comes back.
func inJSON(t *testing.T, text string) string {
	t.Helper()
	doc, err := json.Marshal(map[string]any{"content": []any{map[string]string{"type": "text", "text": text}}})
	if err != nil {
		t.Fatal(err)
	}
	doc, _, err = secret.RedactJSON(doc)
	if err != nil {
		t.Fatal(err)
	}
	var back struct{ Content []struct{ Text string } }
	if err := json.Unmarshal(doc, &back); err != nil {
		t.Fatal(err)
	}
	return back.Content[0].Text
}

// unredacted are the shapes that stay, which docs/guard.md lists.
var unredacted = []string{
	"a password in a sentence",
	"a password that was sent in a chat",
	"a key alone in a line",
	"a key in hexadecimal behind a colon",
	"a phrase of a wallet",
	"a password behind -p",
	"an assignment in base64",
	"a code of recovery",
	"an account of Windows",
}

// falselyRedacted are the honest texts that lose something.
var falselyRedacted = []string{}

func TestTheShapesOfSecretsThatAreRedacted(t *testing.T) {
	t.Parallel()
	all := rowsOf(t, "secrets.jsonl", secretsDigest)
	left := []string{}
	for _, r := range all {
		once, found := secret.Redact(r.Text)
		shown := false
		for _, s := range r.Secrets {
			shown = shown || leaves(once, s)
		}
		if shown {
			left = append(left, r.Name)
		}
		if twice, again := secret.Redact(once); twice != once || again != nil {
			t.Errorf("%s: %q becomes %q", r.Name, once, twice)
		}
		if got := inJSON(t, r.Text); found != nil && !shown && got != once {
			for _, s := range r.Secrets {
				if leaves(got, s) {
					t.Errorf("%s: in a document it leaves %q", r.Name, got)
				}
			}
		}
	}
	if diff := cmp.Diff(unredacted, left); diff != "" {
		t.Errorf("%d of %d are redacted, not those of the list: %s", len(all)-len(left), len(all), diff)
	}
}

func TestHonestTextsStay(t *testing.T) {
	t.Parallel()
	all := rowsOf(t, "honest.jsonl", honestDigest)
	lost := []string{}
	for _, r := range all {
		if got, _ := secret.Redact(r.Text); got != r.Text {
			t.Logf("%q becomes %q", r.Text, got)
			lost = append(lost, r.Text)
		}
		if got := inJSON(t, r.Text); got != r.Text && strings.IndexByte("{[", r.Text[0]) < 0 {
			t.Logf("in a document %q becomes %q", r.Text, got)
		}
	}
	if diff := cmp.Diff(falselyRedacted, lost); diff != "" {
		t.Errorf("%d of %d honest texts lose something, not those of the list: %s", len(lost), len(all), diff)
	}
}

// What one rule takes out must not make the next reading find more.
func TestShapesNextToEachOtherAreRedactedAtOnce(t *testing.T) {
	t.Parallel()
	all := rowsOf(t, "secrets.jsonl", secretsDigest)
	for _, first := range all {
		for _, second := range all {
			for _, text := range []string{first.Text + second.Text, first.Text + second.Secrets[0] + first.Text} {
				once, _ := secret.Redact(text)
				if twice, found := secret.Redact(once); twice != once || found != nil {
					t.Fatalf("%s, %s: %q becomes %q by %v", first.Name, second.Name, once, twice, found)
				}
			}
		}
	}
}
