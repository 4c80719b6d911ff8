package config_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/host/session"
)

var localKey = pin.Key{7}

// identify gives the identity of the one server of an mcp.json in dir.
func identify(t *testing.T, key pin.Key, dir, entry string, env config.Environ) pin.Identity {
	t.Helper()
	s, err := config.ParseServers(filepath.Join(dir, "mcp.json"), []byte(`{"mcpServers":{"srv":`+entry+`}}`))
	if err != nil {
		t.Fatal(err)
	}
	servers, err := s.Resolve(env, nil, []string{"srv"})
	if err != nil {
		t.Fatal(err)
	}
	return s.Identity(key, servers[0])
}

const (
	stdioEntry  = `{"command":"/bin/srv","args":["-a","${TOKEN}"],"env":{"A":"one","B":"${TOKEN}"},"cwd":"sub"}`
	remoteEntry = `{"url":"https://a.example/mcp?k=${TOKEN}","headers":{"X-A":"one","Authorization":"Bearer ${TOKEN}"}}`
)

func TestWhatIsStartedOrDialledIsInTheEndpoint(t *testing.T) {
	t.Parallel()
	env := environ("TOKEN", "t0k3n")
	for _, row := range []struct{ name, entry, from, to string }{
		{"the program", stdioEntry, "/bin/srv", "/bin/other"},
		{"an argument", stdioEntry, `"-a"`, `"-b"`},
		{"one argument more", stdioEntry, `"-a"`, `"-a",""`},
		{"the arguments' order", stdioEntry, `"-a","${TOKEN}"`, `"${TOKEN}","-a"`},
		{"two arguments in one", stdioEntry, `"-a","${TOKEN}"`, `"-a${TOKEN}"`},
		{"an environment value", stdioEntry, `"one"`, `"two"`},
		{"an environment name", stdioEntry, `"A"`, `"C"`},
		{"the directory", stdioEntry, `"sub"`, `"sup"`},
		{"no directory", stdioEntry, `,"cwd":"sub"`, ``},
		{"the host", remoteEntry, "a.example", "b.example"},
		{"the scheme", remoteEntry, "https", "http"},
		{"the path", remoteEntry, "/mcp", "/mcp2"},
		{"the query", remoteEntry, "k=", "l="},
		{"a header", remoteEntry, `"one"`, `"two"`},
		{"a header's name", remoteEntry, "X-A", "X-B"},
		{"the transport", remoteEntry, `{"url"`, `{"type":"sse","url"`},
	} {
		edited := strings.Replace(row.entry, row.from, row.to, 1)
		was, is := identify(t, localKey, "/d", row.entry, env), identify(t, localKey, "/d", edited, env)
		if edited == row.entry || was.Matches(is) || was.Endpoint == is.Endpoint || was.Entry == is.Entry || !was.Matches(was) || !is.Matches(is) {
			t.Errorf("%s: %+v became %+v", row.name, was, is)
		}
	}
}

// How a server is reached is in the endpoint also where config.toml says it.
func TestAProxyAndItsAuthoritiesAreInTheEndpoint(t *testing.T) {
	t.Parallel()
	s, err := config.ParseServers("/d/mcp.json", []byte(`{"mcpServers":{"srv":{"url":"https://a.example/mcp"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, of := range []session.Server{{}, {Proxy: "http://p.example"}, {CAFile: "http://p.example"}, {Proxy: "http://q.example"}, {Proxy: "http://p.example", CAFile: "/ca.pem"}} {
		of.Name, of.URL = "srv", "https://a.example/mcp"
		seen[s.Identity(localKey, of).Endpoint] = true
	}
	if len(seen) != 5 {
		t.Errorf("five ways to a server have %d endpoints", len(seen))
	}
}

func TestTheEntryIsTheFilesAndTheEndpointTheVariablesToo(t *testing.T) {
	t.Parallel()
	for _, entry := range []string{
		`{"command":"/bin/srv","args":["${TOKEN}"]}`, `{"command":"${TOKEN}"}`, `{"command":"/bin/srv","cwd":"/${TOKEN}"}`, `{"command":"/bin/srv","env":{"A":"${TOKEN}"}}`,
		`{"url":"https://a.example/${TOKEN}"}`, `{"url":"https://${TOKEN}.example/"}`, `{"url":"https://a.example/","headers":{"A":"${TOKEN}"}}`,
	} {
		was, is := identify(t, localKey, "/d", entry, environ("TOKEN", "a")), identify(t, localKey, "/d", entry, environ("TOKEN", "b"))
		if was.Entry != is.Entry || was.Endpoint == is.Endpoint {
			t.Errorf("%s: another value makes %+v of %+v", entry, is, was)
		}
		shown := is
		shown.Entry, shown.Endpoint = was.Entry, was.Endpoint
		if shown != was {
			t.Errorf("%s: a variable's value is shown: %+v", entry, is)
		}
	}
	written := identify(t, localKey, "/d", `{"command":"/bin/srv","args":["a"]}`, environ())
	from := identify(t, localKey, "/d", `{"command":"/bin/srv","args":["${TOKEN}"]}`, environ("TOKEN", "a"))
	if written.Entry == from.Entry || written.Endpoint != from.Endpoint {
		t.Error("a value that was written out starts the same, and is another entry")
	}
	// Another client's members, white space and order say nothing about what is started.
	spaced := identify(t, localKey, "/d", ` { "args" : [ "a" ], "command":"\/bin\/srv" } `, environ())
	extra := identify(t, localKey, "/d", `{"command":"/bin/srv","args":["a"],"timeout":5}`, environ())
	if spaced != written || extra.Entry == written.Entry || extra.Endpoint != written.Endpoint {
		t.Errorf("%+v, %+v, %+v", written, spaced, extra)
	}
	// The place of the file is where a server without a cwd starts.
	if moved := identify(t, localKey, "/e", `{"command":"/bin/srv","args":["a"]}`, environ()); moved.Entry != written.Entry || moved.Endpoint == written.Endpoint {
		t.Errorf("%+v in another directory is %+v", written, moved)
	}
}

func TestNothingOfASecretIsInAnIdentity(t *testing.T) {
	t.Parallel()
	const pin4 = "4711" // short enough to be guessed
	env := environ("TOKEN", pin4)
	for _, entry := range []string{
		`{"command":"npx","args":["-y","pkg","--password","4711"],"env":{"A":"4711"}}`,
		`{"command":"npx","args":["-y","pkg","--password","${TOKEN}"],"env":{"A":"${TOKEN}"}}`,
		`{"url":"https://a.example/4711?k=4711","headers":{"Authorization":"Bearer 4711"}}`,
		`{"url":"https://a.example/${TOKEN}?k=${TOKEN}","headers":{"Authorization":"Bearer ${TOKEN}"}}`,
		`{"url":"https://${TOKEN}.example/"}`,
	} {
		i := identify(t, localKey, "/d", entry, env)
		shown, err := json.Marshal(i)
		if err != nil || strings.Contains(i.String(), pin4) || strings.Contains(strings.NewReplacer(i.Entry, "", i.Endpoint, "").Replace(string(shown)), pin4) {
			t.Errorf("%s: %s, %v", entry, shown, err)
		}
		// Who has all but the key and guesses right cannot see it.
		for _, key := range []pin.Key{{8}, {1}} {
			guess := identify(t, key, "/d", entry, env)
			if guess.Entry == i.Entry || guess.Endpoint == i.Endpoint {
				t.Errorf("%s: another key makes the same digest", entry)
			}
		}
		for _, text := range []string{pin4, "4:" + pin4, entry, "Bearer " + pin4} {
			sum := sha256.Sum256([]byte(text))
			if strings.Contains(string(shown), hex.EncodeToString(sum[:])) {
				t.Errorf("%s: the plain digest of %q", entry, text)
			}
		}
		if got := identify(t, pin.Key{}, "/d", entry, env); got.Matches(got) || got.Entry != "" {
			t.Errorf("without a key: %+v", got)
		}
	}
}

func TestTheProgramIsTheOneThatPATHFinds(t *testing.T) { // sets PATH: not parallel
	a, b := t.TempDir(), t.TempDir()
	for _, dir := range []string{a, b} {
		if err := os.WriteFile(filepath.Join(dir, "srv"), []byte("#!/bin/sh\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	s, err := config.ParseServers("/d/mcp.json", []byte(`{"mcpServers":{"srv":{"command":"srv"},"here":{"command":"./srv"},"none":{"command":"no-such-program"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	var seen []pin.Identity
	for _, dir := range []string{a, b} {
		t.Setenv("PATH", dir)
		servers, err := s.Resolve(environ(), nil, []string{"srv", "here", "none"})
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []string{filepath.Join(dir, "srv"), "/d/srv", "no-such-program"} {
			if servers[i].Command != want {
				t.Errorf("%s is found at %s, want %s", servers[i].Name, servers[i].Command, want)
			}
		}
		seen = append(seen, s.Identity(localKey, servers[0]))
	}
	if seen[0].Entry != seen[1].Entry || seen[0].Endpoint == seen[1].Endpoint || seen[0].Address != "srv" {
		t.Errorf("%+v", seen)
	}
	t.Setenv("PATH", ".")
	t.Chdir(a)
	if servers, err := s.Resolve(environ(), nil, []string{"srv"}); err != nil || servers[0].Command != "srv" {
		t.Errorf("a program of the working directory is taken: %+v, %v", servers, err)
	}
}

func TestAServersNameIsNotItsIdentity(t *testing.T) {
	t.Parallel()
	s, err := config.ParseServers("/d/mcp.json", []byte(`{"mcpServers":{"a":{"command":"/x"},"b":{"command":"/x"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	servers, err := s.Resolve(environ(), nil, []string{"a", "b"})
	if err != nil || !s.Identity(localKey, servers[0]).Matches(s.Identity(localKey, servers[1])) {
		t.Error("one entry under two names is two servers", err)
	}
	servers[0].Name = "nobody"
	if got := s.Identity(localKey, servers[0]); got != (pin.Identity{}) {
		t.Errorf("a server that no file names is %+v", got)
	}
}

func TestAPackageIsShownWhereItCanBeRead(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		`npx -y @scope/pkg@1.2.3 /data`:                "@scope/pkg 1.2.3",
		`npx @scope/pkg`:                               "@scope/pkg ",
		`npx --yes pkg@latest`:                         "pkg latest",
		`npx -y -- pkg@1`:                              "pkg 1",
		`npx --package=@a/b@2 run`:                     "@a/b 2",
		`npx -p @a/b@2 run`:                            "@a/b 2",
		`npx --registry https://u:p@r.example pkg`:     "",
		`npx -y git+https://token@github.com/a/b`:      "",
		`npx -y ./local`:                               "",
		`npx`:                                          "",
		`npx -y`:                                       "",
		`npx -y pkg@${VERSION}`:                        "",
		`/usr/bin/npx -y pkg@1`:                        "pkg 1",
		`bunx pkg@1`:                                   "pkg 1",
		`uvx pkg==1.0 --token x`:                       "pkg 1.0",
		`uvx pkg@1.0`:                                  "pkg 1.0",
		`uvx pkg[cli]==1.0`:                            "pkg 1.0",
		`uvx pkg`:                                      "pkg ",
		`uvx --from pkg==1.0 run`:                      "pkg 1.0",
		`uvx --from git+https://t@github.com/a/b run`:  "",
		`uvx --index-url https://u:p@r.example pkg==1`: "pkg 1",
		`uvx --index-url=https://u:p@r.example pkg==1`: "pkg 1",
		`uvx --new-option value pkg==1`:                "",
		`pipx run pkg==1.0`:                            "pkg 1.0",
		`pipx run --spec pkg==1.0 run`:                 "pkg 1.0",
		`pipx install pkg`:                             "",
		`pipx`:                                         "",
		`docker run -i --rm -e TOKEN images.example/a/b:v1`:  "images.example/a/b v1",
		`docker run -i --rm -e TOKEN=secret -v=/a:/b a/b`:    "a/b ",
		`docker run localhost:5000/b:2`:                      "localhost:5000/b 2",
		`docker run redis:7 redis-server`:                    "redis 7",
		`podman run -it b@sha256:` + strings.Repeat("a", 64): "b sha256:" + strings.Repeat("a", 64),
		`docker run b:1@sha256:` + strings.Repeat("a", 64):   "b sha256:" + strings.Repeat("a", 64),
		`docker run --unknown secret image`:                  "",
		`docker compose run x`:                               "",
		`node server.js`:                                     "",
		`sh -c npx`:                                          "",
	} {
		fields := strings.Fields(args)
		list, err := json.Marshal(fields[1:])
		if err != nil {
			t.Fatal(err)
		}
		s, err := config.ParseServers("/d/mcp.json", []byte(`{"mcpServers":{"a":{"command":"`+fields[0]+`","args":`+string(list)+`}}}`))
		if err != nil {
			t.Fatal(err)
		}
		i := s.Describe("a")
		if got := i.Package + " " + i.Version; got != want && (want != "" || got != " ") {
			t.Errorf("%s runs %q, want %q", args, got, want)
		}
		if i.Matches(i) || i.Kind != "stdio" || i.Address != fields[0] {
			t.Errorf("%+v", i)
		}
	}
}
