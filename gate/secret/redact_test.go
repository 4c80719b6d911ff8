package secret_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate/secret"
)

// fill is n characters of the alphabet, in an order that spells nothing.
func fill(n int, alphabet string) string {
	var b strings.Builder
	for i := range n {
		b.WriteByte(alphabet[(i*7+i/3)%len(alphabet)])
	}
	return b.String()
}

const (
	alnum = "aB3dE6fG9hI2kL5mN8pQ1rS4tU7vW0xYz"
	hexa  = "0f1e2d3c4b5a6978"
	upper = "AQ7BR2CS3DT4EU5FV6GWHXIYJZ"
)

// shaped are texts with one secret each; what is before and after it stays.
// The secrets are made here, of no account.
func shaped() map[string][3]string {
	a, h := func(n int) string { return fill(n, alnum) }, func(n int) string { return fill(n, hexa) }
	return map[string][3]string{
		"aws-access-key":     {"id ", "AKIA" + fill(16, "AQ7BR2CS3DT4EU5FV6GWHXIYJZ"), ", active"},
		"github-token":       {"push with ", "ghp_" + a(36), "."},
		"gitlab-token":       {"", "glpat-" + a(20), ""},
		"slack-token":        {"bot=", "xoxb-" + fill(12, "0123456789") + "-" + a(24), "\n"},
		"slack-webhook":      {"https://hooks.slack.com/", "services/T" + fill(8, upper) + "/B" + fill(8, upper) + "/" + a(24), " posts"},
		"google-key":         {"?key=", "AIza" + a(35), "&q=1"},
		"stripe-key":         {"", "sk_live_" + a(24), ""},
		"model-key":          {"key ", "sk-proj-" + a(48), ""},
		"npm-token":          {"//npm.example/:_auth ", "npm_" + a(36), ""},
		"pypi-token":         {"", "pypi-AgEIcHlwaS5vcmc" + a(70), ""},
		"hugging-face-token": {"", "hf_" + a(34), ""},
		"sendgrid-key":       {"", "SG." + a(22) + "." + a(43), ""},
		"twilio-key":         {"", "SK" + h(32), ""},
		"vault-token":        {"", "hvs." + a(30), ""},
		"digitalocean-token": {"", "dop_v1_" + h(64), ""},
		"azure-secret":       {"", "aB3" + "8Q~" + a(34), ""},
		"azure-key":          {"AccountName=x;AccountKey=", a(86) + "==", ";EndpointSuffix=core"},
		"telegram-token":     {"", "123456789:AA" + a(33), ""},
		"service-token":      {"", "dapi" + h(32), ""},
		"jwt":                {"cookie ", "eyJ" + a(20) + ".eyJ" + a(40) + "." + a(43), "; path=/"},
		"private-key":        {"a\n", "-----BEGIN RSA PRIVATE KEY-----\n" + a(64) + "\n" + a(20) + "==\n-----END RSA PRIVATE KEY-----", "\nb"},
		"url-password":       {"postgres://app:", "s3cr-" + a(8), "@db.internal:5432/x"},
		"authorization":      {"Authorization: Bearer ", a(32), "\r\n"},
		"assigned-secret":    {"DB_PASSWORD=", "hunter" + "42x", "\nHOST=x"},
	}
}

func TestEverySecretIsTakenOutAndNothingElse(t *testing.T) {
	t.Parallel()
	for kind, c := range shaped() {
		got, found := secret.Redact(c[0] + c[1] + c[2])
		if want := c[0] + "[redacted:" + kind + "]" + c[2]; got != want {
			t.Errorf("%s: %q, not %q", kind, got, want)
		}
		if diff := cmp.Diff([]secret.Redaction{{Kind: kind, Count: 1}}, found); diff != "" {
			t.Error(diff)
		}
	}
}

func TestOtherSpellingsOfTheSameKinds(t *testing.T) {
	t.Parallel()
	a, h := func(n int) string { return fill(n, alnum) }, func(n int) string { return fill(n, hexa) }
	for text, kind := range map[string]string{
		"ghp_" + a(3000):                                         "github-token",
		"github_pat_" + a(22) + "_" + a(59):                      "github-token",
		"ASIA" + fill(16, upper[:5]):                             "aws-access-key",
		"aws_secret_access_key = " + a(40):                       "assigned-secret",
		`{"clientSecret": "` + a(40) + `"}`:                      "assigned-secret",
		`{\"api_key\":\"` + a(32) + `\"}`:                        "assigned-secret",
		"api-key: " + h(32):                                      "assigned-secret",
		"password: 'correct-h0rse'":                              "assigned-secret",
		"PGPASSWORD=Tr0ub4dor&3 psql":                            "assigned-secret",
		"passwd => abc123def":                                    "assigned-secret",
		"Password=Zx!zxzxzx;Server=db":                           "assigned-secret",
		"GITHUB_TOKEN=" + h(40):                                  "assigned-secret",
		"token: " + a(20):                                        "assigned-secret",
		"ya29." + a(60):                                          "google-key",
		"GOCSPX-" + a(28):                                        "google-key",
		"sk-ant-api03-" + a(90):                                  "model-key",
		"sk-" + a(48):                                            "model-key",
		"gsk_" + a(52):                                           "model-key",
		"whsec_" + a(32):                                         "stripe-key",
		"shpat_" + h(32):                                         "service-token",
		"lin_api_" + a(40):                                       "service-token",
		"glsa_" + a(32) + "_" + h(8):                             "service-token",
		"dckr_pat_" + a(27):                                      "service-token",
		"AGE-SECRET-KEY-1" + fill(58, upper):                     "service-token",
		a(14) + ".atlasv1." + a(67):                              "vault-token",
		"Basic " + a(24) + "==":                                  "authorization",
		"bearer " + h(40):                                        "authorization",
		"redis://:" + a(12) + "@cache:6379":                      "url-password",
		"postgres://user:p@" + a(12) + "@host/db":                "url-password",
		"EAAA" + a(60):                                           "service-token",
		"key-" + h(32):                                           "service-token",
		"PRIVATE_KEY=0x" + h(64):                                 "assigned-secret",
		"https://ci:x-oauth-" + a(8) + "@git.internal/x.git":     "url-password",
		"-----BEGIN OPENSSH PRIVATE KEY-----\\n" + a(64) + "\\n": "private-key",
		"-----BEGIN PRIVATE KEY-----\n" + a(900):                 "private-key",
		"-----BEGIN PGP PRIVATE KEY BLOCK-----\n" + a(90) + "\n-----END PGP PRIVATE KEY BLOCK-----": "private-key",
		"eyJ" + a(20) + ".eyJ" + a(3000) + "." + a(43):                                              "jwt",
		"eyJ" + a(1500) + ".eyJ" + a(3000) + "." + a(43):                                            "jwt",
		"eyJ" + a(60) + "." + a(300) + "." + a(16) + "." + a(99) + "." + a(22):                      "jwt",
	} {
		got, found := secret.Redact(text)
		if len(found) != 1 || found[0].Kind != kind {
			t.Errorf("%.60q: %v, not %s", text, found, kind)
		}
		if strings.Contains(got, a(12)) || strings.Contains(got, h(12)) {
			t.Errorf("%.60q leaves %.200q", text, got)
		}
	}
}

// Texts that look like secrets but are harmless. Developers' tools are full of them.
func TestWhatOnlyLooksLikeASecretStays(t *testing.T) {
	t.Parallel()
	a, h := func(n int) string { return fill(n, alnum) }, func(n int) string { return fill(n, hexa) }
	for _, text := range []string{
		h(40), h(64), "sha256:" + h(64), "commit " + h(40), "md5 " + h(32), `"integrity": "sha512-` + a(86) + `=="`,
		"3f2504e0-4f89-41d3-9a0c-0305e82c3301", "data:image/png;base64,iVBORw0KGgo" + a(400), a(200), strings.Repeat(a(76)+"\n", 20),
		"AKIA", "AKIAIOSFODNN7", "AKIA" + fill(16, "abc234"),
		"ghp_short", "ghp_" + a(35), "my_ghp_" + a(35), "a highp_" + a(35), "glpat-xyz", "xoxb-1", "hf_" + a(20), "npm_config_registry", "npm_lifecycle_event=test",
		"sk-learn-contrib", "task-" + a(40), "sk-" + a(10), "SK" + h(31), "disk" + h(32), "sk_live_", "pypi-client", "AIzaSy", "ya29.", "key-value", "key-" + h(31),
		"eyJhbGciOiJub25lIn0", "eyJ" + a(20) + "." + a(20), "a.b.c", "www.example.com/eyJ",
		"-----BEGIN PUBLIC KEY-----\n" + a(64) + "\n-----END PUBLIC KEY-----", "-----BEGIN CERTIFICATE-----\n" + a(64) + "\n-----END CERTIFICATE-----", "BEGIN PRIVATE KEY",
		"http://host:8080/@user", "https://example.com/a:b@c", "https://user@example.com", "https://example.com:443", "see https://example.com: mail bo@example.com", "ftp://user:@host/",
		"postgres://user:$PASSWORD@host/db", "postgres://user:${PASSWORD}@host/db", "postgres://user:<password>@host", "postgres://user:****@host", "git@github.com:a/b.git", "redis://user:%s@host",
		"Password:", "password: string", "password: required", "the password is optional", "Password: The password of the account", "password = getpass()", "password=$DB_PASSWORD", "password: ${{ secrets.PASS1 }}",
		"password_hash_rounds: 100000", "passwords: 12345678a", "token_count: 123456789012345678a", "max_tokens=4096", "next_page_token: " + a(40), "nextPageToken=" + a(40), "csrf_token: " + a(40), "tokens: " + a(40), "tokenizer: " + a(40),
		"token: abc123", "token: the token of the page", "secret: kubernetes", `{"secret":{"type":"string","minLength":16}}`, "api_key: YOUR_API_KEY_HERE", "api_key: <your-api-key-1234567890>", "api_key = os.environ.get('API_KEY_2024_PROD_X')",
		"apiKey: process.env.API_KEY_2024_PROD_X", "secretName: my-secret-2024-production", "secretKeyRef: name-of-the-secret-42-x", "PWD=/home/user1/project", "password: /run/secrets/db1", "password: https://vault.example.com/v1/x",
		"Bearer", "Bearer token of the user", "bearer bonds rose by 2 percent", "Basic understanding of 3 topics", "Basic Understanding2", "Authorization: Bearer <token>", "Authorization: Bearer $TOKEN", "Bearer authenticationisrequiredhere",
		"12:34:AA" + a(33), "123456789:AAshort", "q~", "a.b.Q~c", "ticket INC0010001", "GTIN 04006381333931", "pul-request", "dapi" + h(31), "EAAA", "SG.ab.cd", "hvs.txt",
		"token: 0x" + h(40), "secret: arn:aws:secretsmanager:eu-west-1:123456789012:secret:db-AbCd12", "cache-key-" + h(32), "/cache/key-" + h(32),
		"data:image/png;base64," + a(40) + "/EAAA" + a(80), a(70) + "+EAAA" + a(80), "EAAA" + a(80),
		"[redacted:jwt]", "password: [redacted:assigned-secret]", "postgres://u:[redacted:url-password]@h/x", "Authorization: Bearer [redacted:authorization]",
	} {
		if got, found := secret.Redact(text); got != text || found != nil {
			t.Errorf("%.80q: %v: %.200q", text, found, got)
		}
	}
}

func TestATokenMayFollowALetterOrAnEscape(t *testing.T) {
	t.Parallel()
	all := shaped()
	for text, want := range map[string]string{
		`log\n` + all["jwt"][1]:        `log\n[redacted:jwt]`,
		`key\t` + all["google-key"][1]: `key\t[redacted:google-key]`,
		`\r` + all["twilio-key"][1]:    `\r[redacted:twilio-key]`,
		"x" + all["aws-access-key"][1]: "x[redacted:aws-access-key]",
		"at_" + all["github-token"][1]: "at_[redacted:github-token]",
		// These could be a part of a longer run of letters and digits.
		`temp` + all["jwt"][1]:      "",
		"xy" + all["google-key"][1]: "",
		"TA" + all["twilio-key"][1]: "",
	} {
		if want == "" {
			want = text
		}
		if got, _ := secret.Redact(text); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}

func TestWhatIsBetweenTwoCookiesIsRedacted(t *testing.T) {
	t.Parallel()
	got, _ := secret.Redact("Cookie: sid=abc123def456; note=" + shaped()["github-token"][1] + "; session=abc123def456; lang=de")
	if want := "Cookie: sid=[redacted:cookie]; note=[redacted:github-token]; session=[redacted:cookie]; lang=de"; got != want {
		t.Errorf("%q, not %q", got, want)
	}
}

func TestRedactionsAreCountedByKind(t *testing.T) {
	t.Parallel()
	c := shaped()
	text := c["jwt"][1] + " " + c["github-token"][1] + " " + c["jwt"][1] + "," + c["npm-token"][1]
	got, found := secret.Redact(text)
	if want := "[redacted:jwt] [redacted:github-token] [redacted:jwt],[redacted:npm-token]"; got != want {
		t.Errorf("%q, not %q", got, want)
	}
	if diff := cmp.Diff([]secret.Redaction{{Kind: "github-token", Count: 1}, {Kind: "jwt", Count: 2}, {Kind: "npm-token", Count: 1}}, found); diff != "" {
		t.Error(diff)
	}
	_, found, err := secret.RedactJSON([]byte(`["` + strings.Repeat(c["jwt"][1]+" ", 2) + `","` + strings.Repeat(c["jwt"][1]+" ", 2) + `"]`))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]secret.Redaction{{Kind: "jwt", Count: 4}}, found); diff != "" {
		t.Error(diff)
	}
}

func TestASecretNextToASecretIsTakenOutAtOnce(t *testing.T) {
	t.Parallel()
	all := shaped()
	for a, first := range all {
		for b, second := range all {
			text := first[0] + first[1] + second[1]
			once, _ := secret.Redact(text)
			if twice, found := secret.Redact(once); twice != once || found != nil {
				t.Errorf("%s, %s: %q becomes %q by %v", a, b, once, twice, found)
			}
		}
	}
	two := all["azure-secret"][1] + all["google-key"][1] + all["sendgrid-key"][1] + all["github-token"][1]
	if got, _ := secret.Redact(all["telegram-token"][1] + two[len(all["azure-secret"][1]):]); got != "[redacted:telegram-token][redacted:google-key][redacted:sendgrid-key][redacted:github-token]" {
		t.Error(got)
	}
}

func FuzzRedactShapes(f *testing.F) {
	for _, c := range shaped() {
		f.Add(c[0] + c[1] + c[2])
	}
	for a, first := range shaped() {
		for b, second := range shaped() {
			if a != b {
				f.Add(first[0] + first[1] + second[1] + second[2])
			}
		}
	}
	for _, r := range rowsOf(f, "secrets.jsonl", secretsDigest) {
		f.Add(r.Text)
		f.Add("password=abc123" + r.Text + "ghp_" + fill(36, alnum) + r.Text)
	}
	f.Add("password=token=secret=abc123abc123abc123 Bearer Bearer a1a1a1a1a1a1a1a1a1a1")
	f.Fuzz(func(t *testing.T, s string) {
		once, found := secret.Redact(s)
		if (len(found) == 0) != (once == s) {
			t.Errorf("%v of %q", found, s)
		}
		if utf8.ValidString(s) && !utf8.ValidString(once) {
			t.Errorf("%q is not UTF-8", once)
		}
		if twice, again := secret.Redact(once); twice != once || again != nil {
			t.Errorf("%q becomes %q by %v", once, twice, again)
		}
	})
}

func BenchmarkRedact(b *testing.B) {
	for name, line := range map[string]string{
		"Prose":  "The retention period is 30 days. Ask the task owner about secrets and tokens before you sign.\n",
		"Log":    "2026-11-20T10:11:12Z web-03 GET /v1/items?page_token=abc status=200 user=ada key=7 https://example.com/a:b\n",
		"Base64": fill(76, alnum) + "\n",
		"Attack": "password=token=eyJ-eyJ.sk-://a:b-----BEGIN PRIVATE KEY-----\n",
	} {
		text := strings.Repeat(line, 1<<20/len(line))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				secret.Redact(text)
			}
		})
	}
}
