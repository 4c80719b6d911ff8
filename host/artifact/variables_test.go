package artifact_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/host/artifact"
)

// TestAVariableFloatsUnlessItIsHarmless: which variables a program reads cannot
// be known. What is pinned is compared all the same.
func TestAVariableFloatsUnlessItIsHarmless(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"srv", "node", "a.js"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	cache := artifact.Cache(t.TempDir())
	kinds := map[string]artifact.Command{
		"file":   {Path: filepath.Join(dir, "srv"), Dir: dir},
		"script": {Path: filepath.Join(dir, "node"), Args: []string{"a.js"}, Dir: dir},
		"npm":    line("npx -y good@1.0.0"),
		"image":  line("docker run -i a/b@" + digestOfImage),
	}
	fetch(t, cache, kinds["npm"])
	const loads, unknown = "may have it load other code", "is not known to be harmless; the setting harmless_env can declare it"
	for name, why := range map[string]string{
		"": "", "GITHUB_TOKEN": "", "OPENAI_API_KEY": "", "api_key": "", "CLIENT_SECRET": "", "DB_PASSWORD": "", "GITLAB_API_URL": "", "SMTP_HOST": "", "PORT": "",
		"AWS_REGION": "", "AWS_PROFILE": "", "SLACK_TEAM_ID": "", "LOG_LEVEL": "", "DEBUG": "", "TZ": "", "LC_ALL": "", "NODE_ENV": "", "PYTHONUNBUFFERED": "", "https_proxy": "",
		"NODE_OPTIONS": loads, "NODE_PATH": loads, "NODE_COMPILE_CACHE": loads, "PYTHONPATH": loads, "PYTHONPYCACHEPREFIX": loads, "PERLLIB": loads, "PERL5LIB": loads,
		"GCONV_PATH": loads, "OPENSSL_CONF": loads, "DOTNET_STARTUP_HOOKS": loads, "JAVA_TOOL_OPTIONS": loads, "_JAVA_OPTIONS": loads, "TS_NODE_COMPILER": loads,
		"GEM_PATH": loads, "BUNDLE_GEMFILE": loads, "HOME": loads, "PATH": loads, "LD_PRELOAD": loads, "DYLD_INSERT_LIBRARIES": loads, "BASH_ENV": loads, "ENV": loads,
		"GIT_SSH_COMMAND": loads, "CORECLR_PROFILER": loads, "DOCKER_HOST": loads, "DOCKER_DEFAULT_PLATFORM": loads, "CONTAINER_HOST": loads, "XDG_DATA_HOME": loads, "ld_preload": loads,
		"OLD_PATH": unknown, "KUBECONFIG": unknown, "MODE": unknown, "SERVER_OPTS": unknown, "PLUGIN_URL": unknown, "MODULE_NAME": unknown, "STARTUP_HOOK_KEY": unknown,
		"EDITOR": unknown, "SSH_ASKPASS": unknown, "TMPDIR": unknown, "MONKEY": unknown, "AGENT_ID": unknown, "SCRIPT_USER": unknown,
	} {
		for kind, s := range kinds {
			want := cache.Of(s)
			s.Env = strings.Fields(name)
			if why != "" {
				want.Floating = "its variable " + name + " " + why
			}
			if diff := cmp.Diff(want, cache.Of(s)); diff != "" {
				t.Errorf("%s of a %s: -want +got\n%s", name, kind, diff)
			}
		}
	}
}

// TestOnlyWhatLoadsNothingCanBeCalledHarmless: the operator knows the server's
// own variables, and no word of theirs makes a loader harmless.
func TestOnlyWhatLoadsNothingCanBeCalledHarmless(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"MODE":              "",
		"MODE VAULT":        "its variable VAULT is not known to be harmless; the setting harmless_env can declare it",
		"MODE NODE_OPTIONS": "its variable NODE_OPTIONS may have it load other code",
	} {
		s := line("docker run -i -e HTTP_TOKEN a/b@" + digestOfImage)
		s.Env, s.Harmless = strings.Fields(text), []string{"MODE", "NODE_OPTIONS"}
		if diff := cmp.Diff(want, artifact.Cache("").Of(s).Floating); diff != "" {
			t.Errorf("%s: -want +got\n%s", text, diff)
		}
	}
}

const digestOfImage = "sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

// TestAContainerFloatsUnlessItsOptionsLeaveTheProgramAlone: a folder of the host
// laid over the image, another entry point or platform run other code under the
// same digest.
func TestAContainerFloatsUnlessItsOptionsLeaveTheProgramAlone(t *testing.T) {
	t.Parallel()
	changes := func(option string) string { return "the launcher's option " + option + " changes what is run" }
	for options, want := range map[string]string{
		"":           "",
		"-i --rm":    "",
		"-it --init": "",
		"--name a --network none -p 80:80 -u 1000 --memory=1g --cap-drop ALL --security-opt no-new-privileges --read-only": "",
		"--tmpfs /tmp:size=1g --tmpfs=/run": "",
		"-e GITHUB_TOKEN --env=LOG_LEVEL=1": "",
		"-e API_KEY=a=b":                    "",
		"-v /x:/app":                        changes("-v"),
		"--volume=/x:/app":                  changes("--volume"),
		"--mount type=bind,src=/x,dst=/app": changes("--mount"),
		"--entrypoint sh":                   changes("--entrypoint"),
		"-w /app":                           changes("-w"),
		"--workdir=/app":                    changes("--workdir"),
		"--env-file .env":                   changes("--env-file"),
		"--platform linux/arm64":            changes("--platform"),
		"--privileged":                      changes("--privileged"),
		"--gpus all":                        changes("--gpus"),
		"--tmpfs /app":                      changes("--tmpfs"),
		"-e":                                changes("-e"),
		"-e NODE_OPTIONS=--require=/x":      "its variable NODE_OPTIONS may have it load other code",
		"--env LD_PRELOAD":                  "its variable LD_PRELOAD may have it load other code",
		"-e PATH":                           "its variable PATH may have it load other code",
		"-e MODE=1":                         "its variable MODE is not known to be harmless; the setting harmless_env can declare it",
		"--device /dev/x":                   "the launcher's option --device is not known",
		"--env-host":                        "the launcher's option --env-host is not known",
		"--volumes-from a":                  "the launcher's option --volumes-from is not known",
	} {
		for _, client := range []string{"docker", "podman"} {
			args := append([]string{"run"}, strings.Fields(options)...)
			if options == "-e" {
				args = append(args, "")
			}
			s := commandOf(client, append(args, "a/b@"+digestOfImage)...)
			if strings.HasSuffix(want, "is not known") { // the image is not read
				if a := artifact.Cache("").Of(s); a.Floating == "" {
					t.Errorf("%s run %s: %+v", client, options, a)
				}
				continue
			}
			pinned := artifact.Artifact{Kind: "image", Name: "a/b", Version: digestOfImage, Integrity: digestOfImage, Floating: want}
			if diff := cmp.Diff(pinned, artifact.Cache("").Of(s)); diff != "" {
				t.Errorf("%s run %s: -want +got\n%s", client, options, diff)
			}
		}
	}
	for command, want := range map[string]string{
		"--stdio":      "",
		"node a.js":    "",
		"npx -y a":     "npx in the container looks up its program when it starts",
		"/bin/sh -c x": "sh in the container looks up its program when it starts",
	} {
		if diff := cmp.Diff(want, artifact.Cache("").Of(line("docker run a/b@"+digestOfImage+" "+command)).Floating); diff != "" {
			t.Errorf("%s in a container: -want +got\n%s", command, diff)
		}
	}
}

// TestACommandWithoutAPlaceFloats: without one it is not known which file runs.
func TestACommandWithoutAPlaceFloats(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"srv", "node", "a.js"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for name, s := range map[string]artifact.Command{
		"no path":                {Path: "srv", Dir: dir},
		"no directory":           {Path: filepath.Join(dir, "node"), Args: []string{"a.js"}},
		"a directory of no root": {Path: filepath.Join(dir, "srv"), Dir: "."},
	} {
		want := artifact.Artifact{Kind: "file", Program: s.Path, Floating: "its program cannot be found"}
		if diff := cmp.Diff(want, artifact.Cache("").Of(s)); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
}
