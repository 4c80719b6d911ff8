package secret_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate/secret"
)

// TestShapesThatCameLaterAreRedacted has the shapes that an outside reader tried
// against the rules of the frozen set. The secret is between the signs § of a text.
func TestShapesThatCameLaterAreRedacted(t *testing.T) {
	t.Parallel()
	const phrase = "put some 7eRy-long:phrase(of)signs; 1b%X^z9!K {and} more=of @it 42"
	for name, texts := range map[string][]string{
		"the user of a URL is a token": {
			`git clone https://§Zx81Kk29vbPQ77tmWe04§@git.example/x.git`, `SENTRY=https://§9f8a7c6d5e4b3a219f8a7c6d5e4b3a21§@o1.ingest.example/4`,
			`jdbc:oracle:thin:scott/§t1gerLily§@db:1521/x`, `url: jdbc:oracle:thin:app/§quartz§@//db.example:1521/x`,
		},
		"a letter in front": {
			"x§AIzaSyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY§", "(q§sk-0123456789AbCdEfGhIjKlMnOpQrStUvWxYz§)", "x§SK0123456789abcdef0123456789abcdef§",
			"v§eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P§", "z§key-0123456789abcdef0123456789abcdef§",
			"tmpsk§sk-proj-AbCdEfGhIjKlMnOpQrSt7T3BlbkFJUvWxYz0123456789AbCd§", "disk§sk-or-v1-" + strings.Repeat("0f3a", 16) + "§",
		},
		"an element with attributes": {
			`<password encrypted="false">§marble-Cake77§</password>`, `<ClientSecret type="string" n='1'>§aB3xYz9PqLmN7TtRs2Vw§</ClientSecret>`,
		},
		"an attribute that names the element": {
			`<entry key="db.password">§Velvet7rope§</entry>`, `<string name='api_key'>§qP7sLm2Xv9Kd3Rt5Ww8Z§</string>`,
			`<property name="password"><value>§Velvet7rope§</value></property>`, "<Setting Name=\"ApiKey\">\n  <Value>§qP7sLm2Xv9Kd3Rt5Ww8Z§</Value>",
		},
		"YAML in blocks and with a tag": {
			"api_key: >-\n  §Zx81Kk29vbPQ77tmWe04§\n", "db:\n  password: |\n    §garnet-Owl5\n    and-Line2§\nnext: 1", "password: !!str §garnetOwl5§\n",
		},
		"constants and variables of PHP": {
			"define( 'AUTH_KEY',         '§" + phrase + "§' );", `define("NONCE_SALT", "§` + phrase + `§");`, "$dbpass = '§peachFuzz11§';", "$db_userpass=\"§peachFuzz11§\";",
		},
		"signatures": {
			"sig=§aQ9%2fkL3mN8xYz7Wv5Ut2Rs1Pq0O%3d§&se=2030-01-01", `"https://a.example/x?sp=r\u0026sig=§aQ9%2fkL3mN8xYz7Wv5Ut2Rs1Pq0O%3d§"`,
			"signed: sig=§J7f%2Bq3Xk9LpQ0vTz8Rw2Yb5Nc1Md4Ge6%3D§",
		},
		"a machine without a login": {"machine api.example\n  password §tulip9Harbour§\n", "machine git.example password §q7uartz§"},
		"logins of docker": {
			"docker login -u bob -p §tulip9Harbour§ r.example", "sudo podman login r.example -p §quartzLamp§", "sshpass -p §quartzLamp§ ssh h",
			"X-Registry-Auth: §eyJ1c2VybmFtZSI6ImJvYiIsInBhc3N3b3JkIjoieDEyMyJ9§", `"X-Registry-Auth": "§eyJ1c2VybmFtZSI6ImJvYj8-IiwicGFzc3dvcmQiOiJ4In0§"`,
		},
		"cookies of curl": {"curl --cookie 'lang=en; PHPSESSID=§q8v7mr2x9tz5k1§' https://x.example/", `curl --cookie "auth_token=§Zx81Kk29vbPQ77tm§"`},
	} {
		for _, marked := range texts {
			parts := strings.Split(marked, "§")
			once, _ := secret.Redact(strings.Join(parts, ""))
			before, rest, _ := strings.Cut(once, "[redacted:")
			_, after, _ := strings.Cut(rest, "]")
			if diff := cmp.Diff([]string{parts[0], parts[2]}, []string{before, after}); diff != "" {
				t.Errorf("%s: %q becomes %q", name, marked, once)
			}
			if twice, _ := secret.Redact(once); twice != once {
				t.Errorf("%s: %q becomes %q", name, once, twice)
			}
		}
	}
}

// Each of these is next to a shape of the test above.
func TestWhatIsNextToThoseShapesStays(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"https://a-long-name-of-an-organization@dev.example/x", "https://bob@git.example/x.git", "https://theteamofthefrontdesk@git.example/x.git", "mailto://first.last.of.the.team@example.org",
		"jdbc:oracle:thin:@db:1521/x", "jdbc:oracle:thin:scott/password@db",
		"task-0123456789abcdef0123456789abcdef", "disk-admin-report-of-the-second-quarter-2026-final", "monkey-0123456789abcdef0123456789abcdef",
		`<label for="password">Choose1 wisely2</label>`, `<input name="password">Enter your 1st password</input>`, `<a name="password">Password rules</a>`,
		`<password encrypted="false"/><b>marble-Cake77</b>`, `<entry key="db.password.length">Velvet7rope</entry>`,
		"password: |\n  one of eight words or more, and a digit 5 (or two)\n", "api_key: >-\nZx81: 4\n", "password: |\nnext: garnet-Owl5",
		"define('AUTH_KEY', 'put your unique phrase here');", "define('AUTH_TITLE', '" + strings.Repeat("a1! ", 20) + "');", "$compass = 'north-west11';",
		"sig=verify_the_signature_of_a_message", "design=aQ9kL3mN8xYz7Wv5Ut2Rs1Pq0O",
		"machine learning password reset2026", "machine api.example password protected", "docker run -p 8080:8080 web", "docker login -p $TOKEN r.example", "ssh -p 2222 host",
		"X-Frame-Auth: negotiate", "curl --cookie-jar sess=1a2b3c4d5e6f", "curl --cookie 'lang=en-US-1234567'",
	} {
		if got, _ := secret.Redact(text); got != text {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}
