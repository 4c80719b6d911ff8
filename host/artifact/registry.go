package artifact

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/verdict"
)

// sources are the variables that name a registry or an index to the launchers
// of one, and files those that name a file of settings which may.
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

// shells run a line that may start anything.
const shells = "sh bash dash zsh"

// settingsLimit is how much of a file of settings is read.
const settingsLimit = 1 << 20

// sameRegistry refuses a launcher that would ask another registry than the
// user's npm or pip does. A server starts without the user's variables, so the
// name of a private package would be asked for at the public registry, where
// anyone may have taken it. The variable is not handed on unasked: it may hold a
// password, which the server would read. An entry that sets the variable says
// itself where its packages come from.
//
// It does not read what a program starts besides its command line, nor a
// variable in mixed capitals.
func (s Command) sameRegistry(lookup func(string) (string, bool)) error {
	for _, registry := range s.asks() {
		if name := s.lost(registry, lookup); name != "" {
			f := verdict.Fail(verdict.ServerRegistry, nil,
				"%s would ask another registry for its package than %s names: servers do not get this variable", calledAs(s.Path), name)
			f.Hint = "name an exact version and get it with `ask servers fetch`, or hand the variable on in the server's env: \"" + name + "\": \"${" + name + "}\""
			return f
		}
	}
	return nil
}

// asks are the registries that the command may ask when it starts. A shell or a
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

// lost is a variable that names a source of packages and that the server does
// not get, "" where there is none.
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
	if home == "" {
		home, _ = lookup("USERPROFILE")
	}
	for _, name := range spellings(strings.Fields(from.files)) {
		if file, _ := lookup(name); file != "" && !s.sets(name) && file != filepath.Join(home, ".npmrc") && namesSource(file) {
			return name
		}
	}
	return ""
}

// spellings adds the names in capitals: npm reads its variables in either case.
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

// namesSource reports whether a file of settings names a registry or an index.
// npm names its files to all that it runs, whether they exist or not.
func namesSource(file string) bool {
	b, err := readBounded(file, settingsLimit)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	text := strings.ToLower(string(b))
	return slices.ContainsFunc([]string{"registry", "index", "find-links", "find_links"}, func(word string) bool { return strings.Contains(text, word) })
}
