package artifact

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/disk"
)

// sources are the variables that name a registry or an index to its launchers. files are
// the variables that name a file of settings which may do so.
var sources = map[string]struct{ launchers, variables, files string }{
	npm: {
		"npx bunx npm pnpm pnpx yarn bun deno",
		"npm_config_registry BUN_CONFIG_REGISTRY YARN_REGISTRY YARN_NPM_REGISTRY_SERVER",
		"npm_config_userconfig npm_config_globalconfig",
	},
	pypi: {
		"uvx pipx uv pip pip3 poetry pdm hatch pixi",
		"PIP_INDEX_URL PIP_EXTRA_INDEX_URL PIP_FIND_LINKS PIP_NO_INDEX UV_INDEX_URL UV_DEFAULT_INDEX UV_INDEX UV_EXTRA_INDEX_URL UV_FIND_LINKS UV_NO_INDEX",
		"PIP_CONFIG_FILE UV_CONFIG_FILE",
	},
}

// shells run a line that may start any program.
const shells = "sh bash dash zsh"

// settingsLimit is the number of bytes of a file of settings that are read.
const settingsLimit = 1 << 20

// sameRegistry refuses a launcher that would ask another registry than the user's npm or
// pip does. A server starts without the user's variables. So it would ask the public
// registry for the name of a private package, which an attacker may have registered
// there. The variable is not passed on automatically: it may contain a password, which
// the server could read. An entry that sets the variable chooses where its packages come
// from.
//
// It reads only the command line, not what the program starts otherwise. It does not find
// a variable in mixed capitals.
func (s Command) sameRegistry(lookup func(string) (string, bool)) error {
	for _, registry := range s.asks() {
		if name := s.lost(registry, lookup); name != "" {
			return verdict.Fail(verdict.ServerRegistry, nil,
				"%s would ask another registry for its package than %s names: servers do not get this variable", calledAs(s.Path), name).
				WithHint("name an exact version and get it with `ask servers fetch`, or pass the variable on in the server's env: \"" + name + "\": \"${" + name + "}\"")
		}
	}
	return nil
}

// asks returns the registries that the command may ask when it starts. A shell or a
// program that starts another one may name the launcher anywhere.
func (s Command) asks() (all []string) {
	words := []string{s.Path}
	if lists(unpinned+" "+shells, calledAs(s.Path)) {
		words = append(words, strings.Fields(strings.Join(s.Args, " "))...)
	}
	for _, registry := range []string{npm, pypi} {
		launches := func(word string) bool { return lists(sources[registry].launchers, calledAs(word)) }
		if slices.ContainsFunc(words, launches) {
			all = append(all, registry)
		}
	}
	return all
}

// lost returns a variable that names a source of packages and is not passed on, or "".
func (s Command) lost(registry string, lookup func(string) (string, bool)) string {
	from := sources[registry]
	variables := strings.Fields(from.variables)
	if scope, _, scoped := strings.Cut(s.Package.Name, "/"); scoped && registry == npm {
		variables = append(variables, "npm_config_"+scope+":registry")
	}
	for _, name := range spellings(variables) {
		if value, _ := lookup(name); value != "" && !s.sets(name) {
			return name
		}
	}
	home, _ := lookup("HOME")
	for _, name := range spellings(strings.Fields(from.files)) {
		file, _ := lookup(name)
		own := file == "" || file == filepath.Join(home, ".npmrc")
		if !own && !s.sets(name) && namesSource(file) {
			return name
		}
	}
	return ""
}

// spellings adds the names in capitals, because npm reads its variables in either case.
func spellings(names []string) []string {
	for _, name := range names {
		if upper := strings.ToUpper(name); upper != name {
			names = append(names, upper)
		}
	}
	return names
}

func (s Command) sets(name string) bool {
	return slices.ContainsFunc(s.Env, func(one string) bool { return strings.EqualFold(one, name) })
}

// namesSource reports whether a file of settings names a registry or an index. npm passes
// the names of its files to all programs that it runs, even if the files do not exist.
func namesSource(file string) bool {
	b, err := disk.ReadFile(file, settingsLimit)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	text := strings.ToLower(string(b))
	return slices.ContainsFunc([]string{"registry", "index", "find-links", "find_links"}, func(word string) bool { return strings.Contains(text, word) })
}

// A variable of a server's entry may make the started program load other code. The
// variables that a program reads cannot be known, so all but the harmless ones count. The
// lists are in docs/servers.md, and a test compares them.
const (
	// loaders are variables by which an interpreter, a shared library, a launcher or a
	// client of containers finds code. A star ends a beginning. No entry can declare them
	// harmless.
	loaders = "LD_* DYLD_* GCONV_PATH LOCPATH OPENSSL_* PATH HOME ENV SHELL ZDOTDIR BASH_* PYTHON* NODE_* TS_NODE_* NPM_* YARN_* PNPM_* BUN_* DENO_* " +
		"PIP_* PIPX_* UV_* PERL* RUBY* GEM_* BUNDLE_* PHP* LUA_* CLASSPATH JAVA_* _JAVA_* JDK_* DOTNET_* CORECLR_* COR_* MONO_* ERL_* GIT_* " +
		"DOCKER_* CONTAINER_* CONTAINERS_* PODMAN_* BUILDAH_* XDG_*"

	// harmlessNames load nothing, even those with the beginning of a loader.
	harmlessNames = "LANG LANGUAGE LC_ALL LC_CTYPE LC_MESSAGES LC_NUMERIC LC_TIME TZ TERM COLUMNS LINES NO_COLOR FORCE_COLOR CI DEBUG VERBOSE LOGLEVEL " +
		"HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE NODE_EXTRA_CA_CERTS " +
		"NODE_ENV NODE_NO_WARNINGS PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PYTHONIOENCODING PYTHONUTF8 PYTHONHASHSEED RUST_LOG RUST_BACKTRACE " +
		"GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL AWS_PROFILE"

	// harmlessEnds are the last words of variables for a credential, an address, a name
	// or a number.
	harmlessEnds = "TOKEN KEY SECRET PASSWORD PASSWD PASSPHRASE PAT USER USERNAME EMAIL URL ENDPOINT HOST HOSTNAME PORT DOMAIN REGION ZONE ORG TENANT ACCOUNT " +
		"PROJECT ID NAME LEVEL TIMEOUT LIMIT"

	// codeWords are words of a variable that names code, even if it has a harmless end.
	codeWords = "PATH HOME CONF CONFIG OPTIONS OPTS ARGS HOOK HOOKS PLUGIN PLUGINS EXTENSION EXTENSIONS MODULE MODULES SCRIPT SCRIPTS LOADER PRELOAD REQUIRE IMPORT " +
		"STARTUP LIB LIBRARY LIBRARIES EXEC EXECUTABLE PROGRAM COMMAND CMD SHELL AGENT PROFILER COMPILER INTERPRETER PACKAGE PACKAGES INDEX REGISTRY MIRROR IMAGE"
)

// LoadsCode reports whether a variable is known to make a program load other code.
func LoadsCode(name string) bool {
	name = strings.ToUpper(name)
	if lists(harmlessNames, name) {
		return false
	}
	return slices.ContainsFunc(strings.Fields(loaders), func(one string) bool {
		beginning, open := strings.CutSuffix(one, "*")
		return name == one || open && strings.HasPrefix(name, beginning)
	})
}

// harmless reports whether the value of a variable with that name loads no code. Such a
// value is a credential, an address, a name, a number.
func harmless(name string) bool {
	name = strings.ToUpper(name)
	if lists(harmlessNames, name) {
		return true
	}
	words := strings.Split(name, "_")
	code := slices.ContainsFunc(words, func(word string) bool { return lists(codeWords, word) })
	return !code && !LoadsCode(name) && lists(harmlessEnds, words[len(words)-1])
}

// loads says which variable may make the server load other code, or "". The variables of
// a container are in the arguments of its client.
func (s Command) loads() string {
	all := slices.Concat(s.Env, strings.Fields(s.Package.env))
	if i := slices.IndexFunc(all, LoadsCode); i >= 0 {
		return "its variable " + all[i] + " may have it load other code"
	}
	unknown := func(name string) bool { return !harmless(name) && !slices.Contains(s.Harmless, name) }
	if i := slices.IndexFunc(all, unknown); i >= 0 {
		return "its variable " + all[i] + " is not known to be harmless; the setting harmless_env can declare it"
	}
	return ""
}
