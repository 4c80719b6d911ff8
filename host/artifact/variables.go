package artifact

import (
	"slices"
	"strings"
)

// A variable of a server's entry may have what is started load other code. Which
// variables a program reads cannot be known, so all but the harmless ones count.
// The lists are in docs/servers.md, and a test compares them.
const (
	// loaders are the variables, or with a star their beginnings, by which an
	// interpreter, a shared library, a launcher or a client of containers is
	// known to find code. No entry can call them harmless.
	loaders = "LD_* DYLD_* GCONV_PATH LOCPATH OPENSSL_* PATH HOME ENV SHELL ZDOTDIR BASH_* PYTHON* NODE_* TS_NODE_* NPM_* YARN_* PNPM_* BUN_* DENO_* " +
		"PIP_* PIPX_* UV_* PERL* RUBY* GEM_* BUNDLE_* PHP* LUA_* CLASSPATH JAVA_* _JAVA_* JDK_* DOTNET_* CORECLR_* COR_* MONO_* ERL_* GIT_* " +
		"DOCKER_* CONTAINER_* CONTAINERS_* PODMAN_* BUILDAH_* XDG_*"

	// harmlessNames load nothing, some of them in spite of their beginning.
	harmlessNames = "LANG LANGUAGE LC_ALL LC_CTYPE LC_MESSAGES LC_NUMERIC LC_TIME TZ TERM COLUMNS LINES NO_COLOR FORCE_COLOR CI DEBUG VERBOSE LOGLEVEL " +
		"HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE NODE_EXTRA_CA_CERTS " +
		"NODE_ENV NODE_NO_WARNINGS PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PYTHONIOENCODING PYTHONUTF8 PYTHONHASHSEED RUST_LOG RUST_BACKTRACE " +
		"GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL AWS_PROFILE"

	// harmlessEnds are the last words of variables that hold a credential, an
	// address, a name or a number.
	harmlessEnds = "TOKEN KEY SECRET PASSWORD PASSWD PASSPHRASE PAT USER USERNAME EMAIL URL ENDPOINT HOST HOSTNAME PORT DOMAIN REGION ZONE ORG TENANT ACCOUNT " +
		"PROJECT ID NAME LEVEL TIMEOUT LIMIT"

	// codeWords are words of a variable that names code, whatever its end is.
	codeWords = "PATH HOME CONF CONFIG OPTIONS OPTS ARGS HOOK HOOKS PLUGIN PLUGINS EXTENSION EXTENSIONS MODULE MODULES SCRIPT SCRIPTS LOADER PRELOAD REQUIRE IMPORT " +
		"STARTUP LIB LIBRARY LIBRARIES EXEC EXECUTABLE PROGRAM COMMAND CMD SHELL AGENT PROFILER COMPILER INTERPRETER PACKAGE PACKAGES INDEX REGISTRY MIRROR IMAGE"
)

// LoadsCode reports whether a variable is known to have a program load code
// besides its own.
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

// harmless reports whether a variable of that name holds what loads no code: a
// credential, an address, a name, a number.
func harmless(name string) bool {
	name = strings.ToUpper(name)
	if lists(harmlessNames, name) {
		return true
	}
	words := strings.Split(name, "_")
	code := slices.ContainsFunc(words, func(word string) bool { return lists(codeWords, word) })
	return !code && !LoadsCode(name) && lists(harmlessEnds, words[len(words)-1])
}

// loads says which variable may have the server load other code, "" where none
// may. The variables of a container are in the arguments of its client.
func (s Command) loads() string {
	all := slices.Concat(s.Env, strings.Fields(s.Package.env))
	if i := slices.IndexFunc(all, LoadsCode); i >= 0 {
		return "its variable " + all[i] + " may have it load other code"
	}
	unknown := func(name string) bool { return !harmless(name) && !slices.Contains(s.Harmless, name) }
	if i := slices.IndexFunc(all, unknown); i >= 0 {
		return "its variable " + all[i] + " is not known to be harmless; the setting harmless_env can say so"
	}
	return ""
}
