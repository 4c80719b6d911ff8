package artifact_test

import (
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/artifact"
)

var t0 = context.Background()

func commandOf(command string, args ...string) artifact.Command {
	return artifact.Command{Package: artifact.PackageOf(command, args), Path: "/usr/bin/" + command, Args: args}
}

// anywhere is a fetch that is confined where this machine can.
var anywhere = artifact.How{Unconfined: func(string) {}}

// line is a command of words without spaces.
func line(text string) artifact.Command {
	words := strings.Fields(text)
	return commandOf(words[0], words[1:]...)
}

// unset is an environment without variables.
func unset(string) (string, bool) { return "", false }

func fetch(t *testing.T, c artifact.Cache, s artifact.Command) artifact.Artifact {
	t.Helper()
	a, err := c.Fetch(t.Context(), s, nil, anywhere)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestWhatWasFetchedIsStartedAndNotTheLauncher(t *testing.T) {
	t.Parallel()
	cache := artifact.Cache(filepath.Join(t.TempDir(), "packages"))
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatal(err)
	}
	npm := func(p string) string { return filepath.Join(string(cache), "npm", p) }
	pypi := func(p string) string { return filepath.Join(string(cache), "pypi", p) }
	for text, want := range map[string][]string{
		"npx -y good@1.0.0 /data --flag":         {node, npm("good@1.0.0/node_modules/good/dist/index.js"), "/data", "--flag"},
		"npx -y @a/b@1.0.0":                      {node, npm("@a+b@1.0.0/node_modules/@a/b/dist/index.js")},
		"npx -y text@1.0.0":                      {node, npm("text@1.0.0/node_modules/text/dist/index.js")},
		"npx -y several@1.0.0 other":             {node, npm("several@1.0.0/node_modules/several/dist/index.js"), "other"},
		"npx -p several@1.0.0 other x":           {node, "--flag", npm("several@1.0.0/node_modules/several/dist/other.js"), "x"},
		"npx --package=several@1.0.0 -y several": {node, npm("several@1.0.0/node_modules/several/dist/index.js")},
		"bunx good@1.0.0 x":                      {node, npm("good@1.0.0/node_modules/good/dist/index.js"), "x"},
		"npx optional@1.0.0-rc.1":                {node, npm("optional@1.0.0-rc.1/node_modules/optional/dist/index.js")},
		"npx alias@1.0.0":                        {node, npm("alias@1.0.0/node_modules/alias/dist/index.js")},
		"npx absent@1.0.0":                       {node, npm("absent@1.0.0/node_modules/absent/dist/index.js")},
		"npx bundled@1.0.0":                      {node, npm("bundled@1.0.0/node_modules/bundled/dist/index.js")},
		"uvx srv==1.0 --local":                   {pypi("srv@1.0/venv/bin/python"), "-B", pypi("srv@1.0/venv/bin/srv"), "--local"},
		"uvx srv@1.0.post1":                      {pypi("srv@1.0.post1/venv/bin/python"), "-B", pypi("srv@1.0.post1/venv/bin/srv")},
		"uvx --from srv[cli]==1.0 srv x":         {pypi("srv[cli]@1.0/venv/bin/python"), "-B", pypi("srv[cli]@1.0/venv/bin/srv"), "x"},
		"pipx run srv==1.0 x":                    {pypi("srv@1.0/venv/bin/python"), "-B", pypi("srv@1.0/venv/bin/srv"), "x"},
		"pipx run --spec long==1.0 long":         {pypi("long@1.0/venv/bin/python"), "-B", pypi("long@1.0/venv/bin/long")},
		"/opt/npx -y good@1.0.0":                 {node, npm("good@1.0.0/node_modules/good/dist/index.js")},
	} {
		s := line(text)
		a := fetch(t, cache, s)
		path, args, err := cache.Start(s, unset)
		if got := append([]string{path}, args...); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s starts %q, %v", text, got, err)
		}
		if a.Floating != "" || !strings.HasPrefix(a.Integrity, "sha256:") || a != cache.Of(s) {
			t.Errorf("%s: %+v", text, a)
		}
		if seen := cache.Inspect(s); seen.Integrity != a.Integrity || seen.Interpreter == "" {
			t.Errorf("%s: a look at all of it is %+v", text, seen)
		}
	}
}

func TestWhatMayChangeUnseenFloatsAndIsStartedAsItWas(t *testing.T) {
	t.Parallel()
	cache := artifact.Cache(t.TempDir())
	for text, why := range map[string]string{
		"npx -y good":                                "it names no version of the package",
		"npx -y good@latest":                         "it names no exact version of the package, but latest",
		"npx -y good@^1.0.0":                         "it names no exact version of the package, but ^1.0.0",
		"npx -y good@1.x":                            "it names no exact version of the package, but 1.x",
		"npx -y good@1":                              "it names no exact version of the package, but 1",
		"npx -p good@1.0.0 -p other@1.0.0 run":       "it names more than one package",
		"npx -p good@1.0.0 -c run":                   "the launcher's option -c is not known",
		"npx -p good@1.0.0":                          "its command line cannot be read to the end",
		"bunx --bun good@1.0.0":                      "the launcher's option --bun changes what is run",
		"uvx srv":                                    "it names no version of the package",
		"uvx srv@latest":                             "it names no exact version of the package, but latest",
		"uvx srv==1.*":                               "it names no exact version of the package, but 1.*",
		"uvx --with other srv==1.0":                  "the launcher's option --with changes what is run",
		"uvx --python 3.9 srv==1.0":                  "the launcher's option --python changes what is run",
		"uvx --index-url=https://i.example srv==1.0": "the launcher's option --index-url changes what is run",
		"docker run -i a/b":                          "the image is named without its digest",
		"docker run -i a/b:1.0":                      "the image is named without its digest",
		"npx scripts@1.0.0":                          "it has to run scripts when it is installed, of scripts",
		"npx git@1.0.0":                              "git does not come from a registry",
		"npx file@1.0.0":                             "file does not come from a registry",
		"npx linked@1.0.0":                           "linked does not come from a registry",
		"npx unsigned@1.0.0":                         "unsigned does not come from a registry",
		"npx remote@1.0.0":                           "dep does not come from a registry",
		"npx plain@1.0.0":                            "dep does not come from a registry",
		"npx hub@1.0.0":                              "dep does not come from a registry",
		"npx gitdep@1.0.0":                           "dep does not come from a registry",
		"npx filedep@1.0.0":                          "dep does not come from a registry",
		"npx tarball@1.0.0":                          "dep does not come from a registry",
		"npx folder@1.0.0":                           "dep does not come from a registry",
		"npx maybe@1.0.0":                            "dep does not come from a registry",
		"npx peer@1.0.0":                             "dep does not come from a registry",
		"npx shell@1.0.0":                            "it has no program that node runs",
		"npx none@1.0.0":                             "it has no program that node runs",
		"npx outside@1.0.0":                          "its program outside is outside of it",
		"npx sibling@1.0.0":                          "its program sibling is outside of it",
		"npx linking@1.0.0":                          "its link lib2.js leads elsewhere",
		"uvx source==1.0":                            "pip finds no wheel of this version, or of a dependency, for this machine",
		"uvx sdist==1.0":                             "sdist is not a wheel of an index",
		"uvx direct==1.0":                            "direct is not a wheel of an index",
		"uvx folder==1.0":                            "folder is not a wheel of an index",
		"uvx unhashed==1.0":                          "unhashed is not a wheel of an index",
		"uvx vcs==1.0":                               "vcs is not a wheel of an index",
		"uvx shell==1.0":                             "it has no program that Python runs",
	} {
		s := line(text)
		for _, a := range []artifact.Artifact{fetch(t, cache, s), cache.Of(s), cache.Inspect(s)} {
			if a.Floating != why || a.Integrity != "" {
				t.Errorf("%s: %+v", text, a)
			}
		}
		if path, args, err := cache.Start(s, unset); err != nil || path != s.Path || !slices.Equal(args, s.Args) {
			t.Errorf("%s starts %s %q, %v", text, path, args, err)
		}
	}
}

func TestAnEntryThatSteersItsLauncherIsLeftToIt(t *testing.T) {
	t.Parallel()
	cache := artifact.Cache(t.TempDir())
	s := line("npx -y good@1.0.0")
	fetch(t, cache, s)
	for _, name := range []string{"npm_config_registry", "NPM_CONFIG_REGISTRY", "UV_INDEX_URL", "PIP_INDEX_URL", "BUN_CONFIG_REGISTRY"} {
		s.Env = []string{"A", name}
		a, err := cache.Fetch(t.Context(), s, nil, anywhere)
		if path, _, failed := cache.Start(s, unset); err != nil || failed != nil || path != s.Path || a.Floating == "" || a != cache.Of(s) {
			t.Errorf("%s: %s is started, %+v", name, path, a)
		}
	}
	s.Env = []string{"A", "GITHUB_TOKEN"}
	if path, _, err := cache.Start(s, unset); err != nil || path == s.Path {
		t.Errorf("a variable that steers nothing has %s started, %v", path, err)
	}
}

func TestAnImageIsItsDigest(t *testing.T) {
	t.Parallel()
	const digest = digestOfImage
	s := line("docker run -i --rm a/b:1@" + digest + " --flag")
	s.Env = []string{"GITHUB_TOKEN"}
	for _, a := range []artifact.Artifact{artifact.Cache("").Of(s), artifact.Cache("").Inspect(s), fetch(t, "", s)} {
		if a.Integrity != digest || a.Floating != "" || a.Kind != "image" {
			t.Errorf("%+v", a)
		}
	}
}

func TestWhatWasNotFetchedFloats(t *testing.T) {
	t.Parallel()
	s := line("npx -y good@1.0.0")
	cache := artifact.Cache(t.TempDir())
	if a := cache.Of(s); a.Floating != "it was not fetched" || a.Integrity != "" || a.Name != "good" {
		t.Errorf("%+v", a)
	}
}

func TestTheWorkingDirectoryIsNoCache(t *testing.T) {
	cache, s := artifact.Cache(t.TempDir()), line("npx -y good@1.0.0")
	fetch(t, cache, s)
	t.Chdir(string(cache)) // a stranger's checkout may look like this
	none := artifact.Cache("")
	if path, _, err := none.Start(s, unset); err != nil || path != s.Path {
		t.Errorf("%s is started, %v", path, err)
	}
	if a := none.Of(s); a.Floating != "it was not fetched" || a.Integrity != "" {
		t.Errorf("%+v", a)
	}
}

func TestAChangedTreeIsNotStarted(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		text, file string
		cheap      bool // seen before each start, and not only where all is looked at
	}{
		{"npx -y good@1.0.0", "npm/good@1.0.0/package-lock.json", true},
		{"npx -y good@1.0.0", "npm/good@1.0.0/node_modules/good/dist/index.js", true},
		{"npx -y good@1.0.0", "npm/good@1.0.0/manifest.json", true},
		{"npx -y good@1.0.0", "npm/good@1.0.0/node_modules/good/dist/lib.js", false},
		{"npx -y good@1.0.0", "npm/good@1.0.0/node_modules/good/dist/new.js", false},
		{"uvx srv==1.0", "pypi/srv@1.0/pip-report.json", true},
		{"uvx srv==1.0", "pypi/srv@1.0/venv/bin/srv", true},
		{"uvx srv==1.0", "pypi/srv@1.0/venv/lib/x.py", false},
		{"uvx srv==1.0", "pypi/srv@1.0/venv/lib/__pycache__/x.pyc", false}, // Python runs it in place of x.py
		{"uvx srv==1.0", "pypi/srv@1.0/venv/lib/__pycache__/new.pyc", false},
		{"npx -y good@1.0.0", "npm/good@1.0.0/node_modules/.cache/new.js", false},
		{"npx -y good@1.0.0", "npm/good@1.0.0/.hidden/new.js", false},
	} {
		cache, s := artifact.Cache(t.TempDir()), line(row.text)
		was := fetch(t, cache, s)
		file := filepath.Join(string(cache), row.file)
		for _, spoil := range []func() error{
			func() error {
				return errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte("spoilt"), 0o600))
			},
			func() error { return os.Remove(file) },
		} {
			if err := spoil(); err != nil {
				t.Fatal(err)
			}
			path, _, err := cache.Start(s, unset)
			if (verdict.CodeOf(err) == verdict.ServerArtifact && path == "") != row.cheap {
				t.Errorf("%s: %s is started, %v", row.file, path, err)
			}
			if a := cache.Of(s); (a.Floating != "") != row.cheap {
				t.Errorf("%s: %+v", row.file, a)
			}
			_, gone := os.Stat(file)
			asWas := gone != nil && strings.HasPrefix(filepath.Base(file), "new.")
			if a := cache.Inspect(s); (a.Floating == "") != asWas || strings.Contains(a.Floating, string(cache)) {
				t.Errorf("%s: all of it is %+v", row.file, a)
			}
		}
		if again := fetch(t, cache, s); again != was {
			t.Errorf("%s is mended to %+v", row.file, again)
		}
	}
}

func TestOnlyAgainFetchesAnew(t *testing.T) {
	t.Parallel()
	cache, s := artifact.Cache(t.TempDir()), line("npx -y good@1.0.0")
	was := fetch(t, cache, s)
	today := []string{"npm_config_test_today=2"}
	same, err := cache.Fetch(t.Context(), s, today, anywhere)
	if err != nil || same != was {
		t.Errorf("%+v, %v", same, err)
	}
	again, err := cache.Fetch(t.Context(), s, today, artifact.How{Again: true, Unconfined: anywhere.Unconfined})
	if err != nil || again.Integrity == was.Integrity || again.Floating != "" || again != cache.Of(s) {
		t.Errorf("%+v, %v", again, err)
	}
}

// Later additions to the registry do not count, for the package and for its dependencies.
// This also holds for a package that is present.
func TestWhatTheRegistryGotLaterIsLeftOut(t *testing.T) {
	t.Parallel()
	cache, how := artifact.Cache(t.TempDir()), artifact.How{Unconfined: anywhere.Unconfined, Before: time.Date(2026, 6, 1, 2, 0, 0, 0, time.FixedZone("", 2*60*60))}
	for range 2 {
		for _, text := range []string{"npx -y dated@1.0.0", "uvx dated==1.0"} {
			if a, err := cache.Fetch(t.Context(), line(text), nil, how); err != nil || !a.Packaged() {
				t.Errorf("%s: %+v, %v", text, a, err)
			}
		}
	}
	if _, err := cache.Fetch(t.Context(), line("uvx oldpip==1.0"), nil, how); verdict.CodeOf(err) != verdict.ServerFetch || !strings.Contains(err.Error(), "pip 26.0 or later does") {
		t.Errorf("a pip that cannot: %v", err)
	}
}

func TestWhatCannotBeFetchedLeavesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for text, why := range map[string]string{
		"npx missing@1.0.0": "404 Not Found",
		"npx empty@1.0.0":   "npm listed no package",
		"npx garbled@1.0.0": "cannot be fetched",
	} {
		cache := artifact.Cache(dir)
		a, err := cache.Fetch(t.Context(), line(text), []string{"npm_config_registry=https://u:hunter2@127.0.0.1:9", "SECRET=hunter3"}, anywhere)
		if verdict.CodeOf(err) != verdict.ServerFetch || !strings.Contains(err.Error(), why) || strings.Contains(err.Error(), "hunter2") || a != (artifact.Artifact{}) {
			t.Errorf("%s: %+v, %v", text, a, err)
		}
		if a := cache.Of(line(text)); a.Floating != "it was not fetched" {
			t.Errorf("%s: %+v", text, a)
		}
	}
	if left, _ := filepath.Glob(dir + "/.fetch-*"); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

func TestWhatNPMSeesOfTheEnvironment(t *testing.T) {
	t.Parallel()
	rc := filepath.Join(t.TempDir(), "npmrc")
	if err := os.WriteFile(rc, []byte("//r.example/:_authToken=${TEAM_TOKEN}\n//s.example/:_authToken = \"${OTHER_PAT?}\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := artifact.Cache(t.TempDir()).Fetch(t.Context(), line("npx tell@1.0.0"), []string{
		"LLM_API_KEY=1", "AWS_SECRET_ACCESS_KEY=2", "NPM=3", "NODE_OPTIONS=4", "HTTPS_PROXY=5", "npm_config_cache=6", "NODE_AUTH_TOKEN=7", "PIP_INDEX_URL=8",
		"TEAM_TOKEN=9", "OTHER_PAT=10", "npm_config_userconfig=" + rc,
	}, anywhere)
	for name, sees := range map[string]bool{
		"LLM_API_KEY": false, "AWS_": false, "NPM=": false, "NODE_OPTIONS": false, "HTTPS_PROXY": true, "npm_config_cache": true, "NODE_AUTH_TOKEN": false, "PATH": true,
		"PIP_INDEX_URL": false, "TEAM_TOKEN": true, "OTHER_PAT": true,
	} {
		if err == nil || strings.Contains(err.Error(), name) != sees {
			t.Errorf("%s is seen: %v; %v", name, !sees, err)
		}
	}
}

// Who is killed while npm is at work has put nothing in the package's place,
// and the next one removes the half.
func TestAFetchThatIsKilledLeavesNothingHalf(t *testing.T) {
	t.Parallel()
	halves, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer halves.Close()
	cache, s := artifact.Cache(t.TempDir()), line("npx -y good@1.0.0")
	fetcher := exec.CommandContext(t.Context(), "fetcher", string(cache), "good@1.0.0")
	fetcher.Env = append(os.Environ(), "npm_config_test_halt="+halves.Addr().String(), "npm_config_registry=http://"+halves.Addr().String())
	if err := fetcher.Start(); err != nil {
		t.Fatal(err)
	}
	half, err := halves.Accept() // npm has written half of it
	if err != nil {
		t.Fatal(err)
	}
	defer half.Close()
	if left, _ := filepath.Glob(string(cache) + "/.fetch-*/tree/node_modules/good"); len(left) != 1 {
		t.Fatalf("half of it is at %v", left)
	}
	if err := fetcher.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = fetcher.Wait() // it was killed
	if a := cache.Of(s); a.Floating != "it was not fetched" {
		t.Errorf("after the kill: %+v", a)
	}
	if a := fetch(t, cache, s); a.Floating != "" {
		t.Errorf("%+v", a)
	}
	if left, _ := filepath.Glob(string(cache) + "/.fetch-*"); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

func TestTwoWhoFetchAtOnceHaveOneTree(t *testing.T) {
	t.Parallel()
	cache, s := artifact.Cache(t.TempDir()), line("npx -y good@1.0.0")
	got := make(chan artifact.Artifact)
	for range 4 {
		go func() {
			a, err := cache.Fetch(t0, s, nil, anywhere)
			if err != nil {
				a.Floating = err.Error()
			}
			got <- a
		}()
	}
	first := <-got
	for range 3 {
		if a := <-got; a != first || a.Floating != "" {
			t.Errorf("%+v and %+v", first, a)
		}
	}
}
