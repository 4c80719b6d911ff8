package config_test

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/pin"
)

// placeIn gives the place of the one server of a file.
func placeIn(t *testing.T, path, text string) (pin.Place, string) {
	t.Helper()
	s, err := config.ParseServers(path, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	names := s.Names()
	if len(names) != 1 {
		t.Fatalf("%s: %v", text, s.Notes())
	}
	place, shown := s.Place(names[0])
	if !place.Matches(place) {
		t.Fatalf("%s has no place", text)
	}
	return place, string(shown)
}

func place(t *testing.T, entry string) (pin.Place, string) {
	t.Helper()
	return placeIn(t, "/d/mcp.json", `{"mcpServers":{"srv":`+entry+`}}`)
}

// command is the entry of a command line; its arguments hold no spaces.
func command(t *testing.T, line string) string {
	t.Helper()
	fields := strings.Fields(line)
	b, err := json.Marshal(map[string]any{"command": fields[0], "args": fields[1:]})
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

const (
	localEntry = `{"command":"/bin/srv","args":["-a","${TOKEN}"],"env":{"A":"one","B":"${TOKEN}","LD_PRELOAD":"/a.so","NODE_OPTIONS":"--require=/a.js","PYTHONPATH":"/a"},"cwd":"sub"}`
	farEntry   = `{"url":"https://a.example/mcp?k=${TOKEN}","headers":{"X-A":"one","Authorization":"Bearer ${TOKEN}"}}`
)

func TestAnotherWayToAServerIsAnotherPlace(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ name, entry, from, to string }{
		{"the program", localEntry, "/bin/srv", "/bin/other"},
		{"the program's directory", localEntry, "/bin/srv", "srv"},
		{"an argument", localEntry, `"-a"`, `"-b"`},
		{"one argument more", localEntry, `"-a"`, `"-a",""`},
		{"the arguments' order", localEntry, `"-a","${TOKEN}"`, `"${TOKEN}","-a"`},
		{"two arguments in one", localEntry, `"-a","${TOKEN}"`, `"-a${TOKEN}"`},
		{"a variable's name in an argument", localEntry, `"-a","${TOKEN}"`, `"-a","${OTHER}"`},
		{"an environment value", localEntry, `"one"`, `"two"`},
		{"an environment name", localEntry, `"A"`, `"C"`},
		{"a variable's name in the environment", localEntry, `"B":"${TOKEN}"`, `"B":"${OTHER}"`},
		{"a reference written out", localEntry, `"B":"${TOKEN}"`, `"B":"TOKEN"`},
		{"a library that is loaded first", localEntry, `/a.so`, `/b.so`},
		{"a module that is loaded first", localEntry, `/a.js`, `/b.js`},
		{"where modules are looked up", localEntry, `"PYTHONPATH":"/a"`, `"PYTHONPATH":"/b"`},
		{"the directory", localEntry, `"sub"`, `"sup"`},
		{"no directory", localEntry, `,"cwd":"sub"`, ``},
		{"the host", farEntry, "a.example", "b.example"},
		{"the port", farEntry, "a.example", "a.example:8443"},
		{"the scheme", farEntry, "https", "http"},
		{"the path", farEntry, "/mcp", "/mcp2"},
		{"the query", farEntry, "k=", "l="},
		{"a variable's name in the query", farEntry, "k=${TOKEN}", "k=${OTHER}"},
		{"a header's name", farEntry, "X-A", "X-B"},
		{"a header less", farEntry, `"X-A":"one",`, ``},
		{"the transport", farEntry, `{"url"`, `{"type":"sse","url"`},
	} {
		edited := strings.Replace(row.entry, row.from, row.to, 1)
		was, text := place(t, row.entry)
		is, _ := place(t, edited)
		if edited == row.entry || was.Entry == is.Entry || was.Matches(is) {
			t.Errorf("%s: it is still %s", row.name, text)
		}
	}
}

func TestAnotherPackageIsAnotherPlaceAndAnotherVersionIsNot(t *testing.T) {
	t.Parallel()
	const digest = "@sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	for _, row := range []struct {
		was, is string
		same    bool
	}{
		{"npx -y @a/b@1.0.0 /data", "npx -y @a/b@2.0.0 /data", true},
		{"npx -y @a/b@1.0.0 /data", "npx -y @a/b /data", true},
		{"npx -y @a/b@1.0.0", "npx -y @a/b@latest", true},
		{"npx --package=@a/b@2 run", "npx --package=@a/b@3 run", true},
		{"uvx pkg==1.0", "uvx pkg@2.0", true},
		{"uvx --from pkg[cli]==1.0 run", "uvx --from pkg[cli]==1.1 run", true},
		{"pipx run --spec pkg==1 run", "pipx run --spec pkg==2 run", true},
		{"docker run a/b:1", "docker run a/b:2" + digest, true},
		{"docker run localhost:5000/b:2", "docker run localhost:5000/b", true},

		{"npx -y @a/b@1.0.0", "npx -y @a/c@1.0.0", false},
		{"npx -y @a/b@1.0.0", "npx -y b@1.0.0", false},
		{"npx -y b@1.0.0", "npx -y b1.0.0", false},
		{"npx -y b", "npx b", false},
		{"npx -y b", "bunx -y b", false},
		{"npx -y b", "/opt/npx -y b", false},
		{"npx -y b@1", "npx -y b@npm:evil@1", false},
		{"npx -y b@1", "npx -y b@file:../evil", false},
		{"npx -y b@1", "npx -y b@https://e.example/b.tgz", false},
		{"npx -y b@1 /data", "npx -y b@1 /", false},
		{"npx -y b@1 c@1", "npx -y b@1 c@2", false}, // the second is the server's own argument
		{"npx -p a@1 -p b@1 run", "npx -p a@1 -p b@2 run", false},
		{"npx --package=@a/b@2 run", "npx --package=@a/b@2 walk", false},
		{"npx --registry https://r.example b@1", "npx --registry https://e.example b@1", false},
		{"uvx pkg[cli]==1.0", "uvx pkg==1.0", false},
		{"uvx pkg[cli]==1.0", "uvx pkg[gui]==1.0", false},
		{"uvx --index-url https://r.example pkg==1", "uvx --index-url https://e.example pkg==1", false},
		{"uvx --with a pkg==1", "uvx --with b pkg==1", false},
		{"uvx --python 3.11 pkg==1", "uvx --python 3.12 pkg==1", false},
		{"docker run a/b:1", "docker run e.example/a/b:1", false},
		{"docker run localhost:5000/b", "docker run localhost:6000/b", false},
		{"docker run -v /a:/a b", "docker run -v /:/a b", false},
		{"docker compose run a:1", "docker compose run a:2", false},
		{"node srv@1.0.0", "node srv@2.0.0", false},
		{"sh npx@1", "sh npx@2", false},
	} {
		was, text := place(t, command(t, row.was))
		is, edited := place(t, command(t, row.is))
		if was.Matches(is) != row.same {
			t.Errorf("%s and %s: one place is %v\n%s\n%s", row.was, row.is, !row.same, text, edited)
		}
	}
}

func TestNamesFormsAndOrderAreNotInAPlace(t *testing.T) {
	t.Parallel()
	const one = `{"mcpServers":{"srv":{"command":"/bin/srv","args":["a"],"env":{"A":"1","T":"${T}"}}}}`
	was, text := placeIn(t, "/d/mcp.json", one)
	for path, other := range map[string]string{
		"/d/other.json":   `{"mcpServers":{"other":{"env":{"T":"${T}","A":1},"args":["a"],"command":"\/bin\/srv","timeout":5,"type":"stdio"}}}`,
		"/d/settings":     `{"mcp":{"servers":{"srv":{"command":"/bin/srv","args":["a"],"env":{"A":"1","T":"${T}"}}}}}`,
		"/d/config.toml":  "[mcp_servers.srv]\ncommand = \"/bin/srv\"\nargs = [\"a\"]\nenv_vars = [\"T\"]\nenv = {A = \"1\"}\n",
		"/d/goose.yaml":   "extensions:\n  srv:\n    type: stdio\n    cmd: /bin/srv\n    args: [a]\n    envs: {A: 1}\n    env_keys: [T]\n",
		"/d/s.json":       `{"context_servers":{"srv":{"source":"custom","command":{"path":"/bin/srv","args":["a"],"env":{"A":"1","T":"${T}"}}}}}`,
		"/d/comment.json": "// ours\n" + one,
	} {
		if is, edited := placeIn(t, path, other); is != was {
			t.Errorf("%s: %s is %s", path, edited, text)
		}
	}
	far, _ := place(t, `{"url":"https://a.example/","headers":{"X-A":"1","x-b":"2"}}`)
	if other, text := place(t, `{"headers":{"X-B":"2","x-a":"3"},"serverUrl":"https://a.example/","type":"streamable-http"}`); other != far {
		t.Errorf("another spelling is %s", text)
	}
}

func TestASecretOfTheFileIsNotInItsPlace(t *testing.T) {
	t.Parallel()
	const drawn = "q7Zk2Xv9Lw3Rt8Yb5Nc1Md6Pf" // nothing but its looks tells
	for _, row := range []struct{ entry, a, b, shown string }{
		{`{"command":"c","env":{"GITHUB_TOKEN":"%"}}`, "hunter2", "hunter3", "[redacted:assigned-secret]"},
		{`{"command":"c","env":{"apiKey":"%"}}`, "a", "b", "[redacted:assigned-secret]"},
		{`{"command":"c","env":{"API_KEY_1":"%"}}`, "a", "b", "[redacted:assigned-secret]"},
		{`{"command":"c","env":{"DB_PASSWORD":"%${X}"}}`, "a", "b", "[redacted:assigned-secret]${X}"},
		{`{"command":"c","env":{"DB_PASSWORD":"${X:-%}"}}`, "a", "b", "${X:-[redacted:assigned-secret]}"},
		{`{"command":"c","env":{"DB":"postgres://u:%@h/d"}}`, "a", "b", "postgres://u:[redacted:url-password]@h/d"},
		{`{"command":"c","env":{"DB":"postgres://u:%@${H}/d"}}`, "a", "b", "postgres://u:[redacted:url-password]@${H}/d"},
		{`{"command":"c","args":["-k","AKIA%BR2CS3DT4EU5FV6"]}`, "Q", "R", "[redacted:aws-access-key]"},
		{`{"command":"c","env":{"X":"%"}}`, drawn, drawn + "A1b", "[redacted:random]"},
		{`{"command":"c","args":["--token","%"]}`, "a", "b", "[redacted:assigned-secret]"},
		{`{"command":"c","args":["--api-key=%"]}`, "a", "b", "--api-key=[redacted:assigned-secret]"},
		{`{"command":"c","args":["--header","X-Api-Key: %"]}`, "a", "b", "X-Api-Key: [redacted:assigned-secret]"},
		{`{"command":"c","args":["--header","Authorization:Bearer %"]}`, "a", "b", "Authorization:[redacted:assigned-secret]"},
		{`{"command":"docker","args":["run","-e","TOKEN=%","b"]}`, "a", "b", "TOKEN=[redacted:assigned-secret]"},
		{`{"command":"docker","args":["run","--env=TOKEN=%","b"]}`, "a", "b", "--env=TOKEN=[redacted:assigned-secret]"},
		{`{"command":"c","args":["https://h/x?a=1&api_key=%&b=2"]}`, "a", "b", "?a=1&api_key=[redacted:assigned-secret]&b=2"},
		{`{"url":"https://h/mcp?access_token=%"}`, "a", "b", "?access_token=[redacted:assigned-secret]"},
		{`{"url":"https://h/s/%/mcp"}`, drawn, drawn + "A1b", "/s/[redacted:random]/mcp"},
		{`{"url":"https://h/mcp","headers":{"Authorization":"Bearer %"}}`, "a", "b", "authorization"},
		{`{"url":"https://h/mcp","headers":{"X-Team":"%"}}`, "a", "b", "x-team"},
	} {
		was, text := place(t, strings.ReplaceAll(row.entry, "%", row.a))
		is, edited := place(t, strings.ReplaceAll(row.entry, "%", row.b))
		if was != is || text != edited || !strings.Contains(text, row.shown) || len(row.a) > 1 && strings.Contains(text+was.Credential, row.a) {
			t.Errorf("%s: the place says %s", row.entry, text)
		}
	}
}

func TestWhatIsNotASecretCounts(t *testing.T) {
	t.Parallel()
	for entry, values := range map[string][2]string{
		`{"command":"c","env":{"LD_PRELOAD":"%"}}`:                 {"/q7Zk2Xv9Lw3Rt8Yb5Nc1Md6Pf", "/A7Zk2Xv9Lw3Rt8Yb5Nc1Md6Pf"},
		`{"command":"c","env":{"DYLD_INSERT_LIBRARIES":"%"}}`:      {"/a", "/b"},
		`{"command":"c","env":{"NODE_OPTIONS":"--require %"}}`:     {"/a", "/b"},
		`{"command":"c","env":{"PYTHON_KEYRING_TOKEN":"%"}}`:       {"a", "b"},
		`{"command":"c","env":{"TOKEN_FILE":"%"}}`:                 {"/a", "/b"},
		`{"command":"c","env":{"MAX_TOKENS":"%"}}`:                 {"1", "2"},
		`{"command":"c","env":{"TOKENIZER":"%"}}`:                  {"a", "b"},
		`{"command":"c","env":{"AUTHOR":"%"}}`:                     {"a", "b"},
		`{"command":"c","env":{"X":"%"}}`:                          {"3f2504e0-4f89-41d3-9a0c-0305e82c3301", "3f2504e0-4f89-41d3-9a0c-0305e82c3302"},
		`{"command":"c","env":{"Y":"%"}}`:                          {"MyVeryLongServerNameInProduction1", "MyVeryLongServerNameInProduction2"},
		`{"command":"c","args":["--tokenizer","%"]}`:               {"a", "b"},
		`{"command":"c","args":["--token","x","%"]}`:               {"a", "b"},
		`{"command":"c","args":["--token","-v","%"]}`:              {"a", "b"},
		`{"command":"c","args":["git+https://h/r#%"]}`:             {strings.Repeat("a1", 20), strings.Repeat("b1", 20)},
		`{"command":"c","args":["http://h:%/"]}`:                   {"80", "81"},
		`{"url":"https://h:%/mcp"}`:                                {"80", "81"},
		`{"url":"https://h/mcp?page_token_type=%"}`:                {"a", "b"},
		`{"url":"https://h/server/%/mcp"}`:                         {"3f2504e0-4f89-41d3-9a0c-0305e82c3301", "3f2504e0-4f89-41d3-9a0c-0305e82c3302"},
		`{"command":"docker","args":["run","--new","b@sha256:%"]}`: {strings.Repeat("a1", 32), strings.Repeat("b1", 32)},
		`{"command":"c","env":{"DB_PASSWORD":"${%}"}}`:             {"A", "B"},
		`{"command":"c","env":{"DB_PASSWORD":"${%:-x}"}}`:          {"A", "B"},
		`{"command":"c","args":["C:%"]}`:                           {"/a", "/b"},
		`{"command":"/opt/%/server"}`:                              {"q7Zk2Xv9Lw3Rt8Yb5Nc1Md6Pf", "A7Zk2Xv9Lw3Rt8Yb5Nc1Md6Pf"},
		`{"command":"c","cwd":"/opt/%"}`:                           {"q7Zk2Xv9Lw3Rt8Yb5Nc1Md6Pf", "A7Zk2Xv9Lw3Rt8Yb5Nc1Md6Pf"},
	} {
		was, text := place(t, strings.ReplaceAll(entry, "%", values[0]))
		if is, _ := place(t, strings.ReplaceAll(entry, "%", values[1])); was.Entry == is.Entry {
			t.Errorf("%s: the place says %s for either", entry, text)
		}
	}
}

func TestTheCredentialIsTheNameOfWhatCarriesIt(t *testing.T) {
	t.Parallel()
	for entry, want := range map[string]string{
		`{"url":"https://h/","headers":{"Authorization":"Bearer ${WORK}"}}`:                     "authorization ${WORK}",
		`{"url":"https://h/","headers":{"Authorization":"Bearer ${env:WORK}","X-Team":"blue"}}`: "authorization ${env:WORK}",
		`{"url":"https://h/","headers":{"Authorization":"Bearer hunter2"}}`:                     "authorization",
		`{"url":"https://h/","headers":{"authorization":"${U:-me}${P}","X-Team":"${TEAM}"}}`:    "authorization ${U} ${P}, x-team ${TEAM}",
		`{"url":"https://h/?api_key=${K}"}`:                                                     "api_key ${K}",
		`{"url":"https://h/","headers":{"X-Team":"blue"}}`:                                      "",
		`{"command":"c","env":{"GITHUB_TOKEN":"${WORK}","LOG":"${LEVEL}"}}`:                     "GITHUB_TOKEN ${WORK}",
		`{"command":"c","env":{"GITHUB_TOKEN":"hunter2"}}`:                                      "GITHUB_TOKEN",
		`{"command":"c","args":["--token","${WORK}"]}`:                                          "--token ${WORK}",
		`{"command":"c","args":["--header","Authorization: Bearer ${WORK}"]}`:                   "Authorization ${WORK}",
		`{"command":"c","env":{"A":"b","C":"${D}"},"args":["${E}"],"cwd":"${F}"}`:               "",
	} {
		if got, text := place(t, entry); got.Credential != want {
			t.Errorf("%s: the credential is %q, want %q, of %s", entry, got.Credential, want, text)
		}
	}
	work, _ := place(t, `{"url":"https://h/","headers":{"Authorization":"Bearer ${WORK}"}}`)
	home, _ := place(t, `{"url":"https://h/","headers":{"Authorization":"Bearer ${HOME_TOKEN}"}}`)
	if work.Entry != home.Entry || work.Matches(home) {
		t.Error("two credentials for one entry are not one entry with two")
	}
}

func TestThePlaceIsTheDigestOfWhatIsShown(t *testing.T) {
	t.Parallel()
	got, text := place(t, localEntry)
	sum := sha256.Sum256([]byte(text))
	if got.Entry != "sha256:"+hex.EncodeToString(sum[:]) || got != pin.PlaceOf(jsontext.Value(text), got.Credential) {
		t.Errorf("%+v of %s", got, text)
	}
	if want := `{"args":["-a","${TOKEN}"],"command":"/bin/srv","cwd":"sub","env":{"A":"one","B":"${TOKEN}","LD_PRELOAD":"/a.so",` +
		`"NODE_OPTIONS":"--require=/a.js","PYTHONPATH":"/a"},"from":"/d","transport":"stdio"}`; text != want {
		t.Errorf("it is shown as %s, want %s", text, want)
	}
}

func TestWhatIsNotUnderstoodHasNoPlace(t *testing.T) {
	t.Parallel()
	s, err := config.ParseServers("/d/mcp.json", []byte(`{"mcpServers":{"a":{},"b":{"command":"x","url":"https://h/"},"c":{"command":"${"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b", "c", "d", ""} {
		for _, of := range []func(string) (pin.Place, jsontext.Value){s.Place, s.Shared} {
			if got, text := of(name); got != (pin.Place{}) || text != nil || got.Matches(got) {
				t.Errorf("%s is at %+v, %s", name, got, text)
			}
		}
	}
}
