package artifact

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/lex"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/host/disk"
)

const npmLock = "package-lock.json"

// npmLocked is a package-lock.json, version 3.
type npmLocked struct {
	Packages map[string]npmPart `json:"packages"`
}

type npmPart struct {
	Version   string `json:"version"`
	Resolved  string `json:"resolved"`
	Integrity string `json:"integrity"`
	Link      bool   `json:"link"`
	Bundled   bool   `json:"inBundle"` // part of another package's archive
	Optional  bool   `json:"optional"`
	Scripts   bool   `json:"hasInstallScript"`

	// The author's requirements, by package name.
	Dependencies         map[string]string `json:"dependencies"`
	OptionalDependencies map[string]string `json:"optionalDependencies"`
	PeerDependencies     map[string]string `json:"peerDependencies"`
}

// fromNPM makes npm list the whole tree, checks the list, and then makes npm fetch it.
func fromNPM(ctx context.Context, p Package, t tree) (manifest, error) {
	if err := os.WriteFile(filepath.Join(t.dir, "package.json"), []byte(`{"private":true}`), 0o600); err != nil {
		return manifest{}, err
	}
	npm, err := t.npm(ctx, p)
	if err != nil {
		return manifest{}, err
	}
	defer t.how.begin(p, npm.from)()
	same := []string{
		"--cache=" + t.scratch, "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000",
		"--ignore-scripts", "--no-audit", "--no-fund", "--no-global", "--no-workspaces", "--loglevel=error", "--lockfile-version=3",
	}
	list := slices.Concat([]string{"install", "--package-lock-only", "--save-exact", "--package-lock", "--allow-git=none"}, t.upTo("--before"), same, []string{"--", p.Name + "@" + p.Version})
	if err := t.run(ctx, npm, list...); err != nil {
		return manifest{}, err
	}
	lock, err := disk.ReadFile(filepath.Join(t.dir, npmLock), listLimits.Bytes)
	if err != nil {
		return manifest{}, err
	}
	integrity, err := npmIntegrity(lock)
	if err != nil {
		return manifest{}, err
	}
	if err := t.run(ctx, npm, append([]string{"ci"}, same...)...); err != nil {
		return manifest{}, err
	}
	m := manifest{Integrity: integrity, Lock: npmLock, Runs: "node"}
	if m.Programs, m.Default, err = t.npmPrograms(p); err != nil {
		return manifest{}, err
	}
	return t.seal(m)
}

// npm is the user's npm. npm's report of its configuration names every file and variable
// that counts, but contains no credential.
func (t tree) npm(ctx context.Context, p Package) (tool, error) {
	npm, err := toolOf("npm")
	if err != nil {
		return npm, err
	}
	npm.sees(t.environ, "npm_config_")
	said, err := t.about(ctx, npm, "config", "list", "--json")
	if err != nil {
		return npm, err
	}
	var all map[string]jsontext.Value
	if err := schema.DecodeOpen(said, &all, listLimits); err != nil {
		return npm, fmt.Errorf("what npm says about its configuration cannot be read: %w", err)
	}
	scope, _, _ := strings.Cut(p.Name, "/")
	from := cmp.Or(npmText(all[scope+":registry"]), npmText(all["registry"]))
	if from == "" {
		return npm, errors.New("npm names no registry: set one with `npm config set registry URL`")
	}
	npm.reaches(from)
	if len(npm.hosts) > 0 {
		npm.from = npm.hosts[len(npm.hosts)-1]
	}
	for _, key := range slices.Sorted(maps.Keys(all)) {
		text := npmText(all[key])
		switch {
		case key == "registry", strings.HasSuffix(key, ":registry"):
			npm.reaches(text)
		case text != "" && lists("proxy https-proxy", key):
			npm.proxied(text)
		case strings.HasSuffix(key, "cafile"), strings.HasSuffix(key, "certfile"), strings.HasSuffix(key, "keyfile"):
			npm.letRead(text)
		case key == "userconfig", key == "globalconfig":
			npm.npmrc(npm.settings(text), t.environ)
		}
	}
	npm.internal(ctx)
	err = t.underNode(ctx, &npm, npmText(all["prefix"]))
	return npm, err
}

// npmText returns a text in npm's configuration, or "" for any other value.
func npmText(v jsontext.Value) string {
	if v.Kind() != '"' {
		return ""
	}
	text, _ := jsontext.AppendUnquote(nil, v) // it was checked before
	return string(text)
}

// npmrc finds the credentials in a file, so that no message quotes them. It also finds
// the variables that the file names, which npm needs to read it.
func (t *tool) npmrc(text string, environ []string) {
	for line := range strings.Lines(text) {
		key, value, _ := strings.Cut(line, "=")
		key, value = strings.ToLower(key), strings.Trim(strings.TrimSpace(value), `"'`)
		if strings.Contains(key, "auth") || strings.Contains(key, "password") {
			t.secrets = append(t.secrets, value)
		}
	}
	for _, rest := range strings.Split(text, "${")[1:] {
		name, _, _ := strings.Cut(rest, "}")
		name, _, _ = strings.Cut(name, "?")
		for _, one := range environ {
			if value, is := strings.CutPrefix(one, name+"="); is {
				t.env[name] = value
				t.secrets = append(t.secrets, value)
			}
		}
	}
}

// underNode makes node itself run npm's program, if that is found. The commands npm and
// node may be scripts that search for them.
func (t tree) underNode(ctx context.Context, npm *tool, prefix string) error {
	at, err := filepath.EvalSymlinks(npm.command[0])
	if err != nil {
		return err
	}
	if filepath.Ext(at) != ".js" {
		at = filepath.Join(prefix, "lib", "node_modules", "npm", "bin", "npm-cli.js")
	}
	if _, missing := os.Stat(at); missing != nil {
		return nil //nolint:nilerr // another program, which says itself what it lacks
	}
	node, err := toolOf("node")
	if err != nil {
		return err
	}
	path, err := t.about(ctx, node, "-p", "process.execPath")
	npm.command = []string{strings.TrimSpace(string(path)), at}
	return err
}

// npmIntegrity is the integrity in a lock file. Each part must come from a registry and
// have a digest, and no required part may need scripts.
func npmIntegrity(b []byte) (string, error) {
	var lock npmLocked
	if err := schema.DecodeOpen(b, &lock, listLimits); err != nil {
		return "", err
	}
	delete(lock.Packages, "") // the tree itself
	if len(lock.Packages) == 0 {
		return "", errors.New("npm listed no package")
	}
	var parts []string
	var scripts []string
	for where, part := range lock.Packages {
		name := path.Base(where)
		switch {
		case part.Link, part.Integrity == "" && !part.Bundled, part.Resolved != "" && !ofWeb(part.Resolved):
			return "", elsewhere(name)
		case part.Scripts && !part.Optional:
			scripts = append(scripts, name)
		}
		parts = append(parts, where+" "+part.Version+" "+part.Integrity)
	}
	if name := lock.addressed(); name != "" {
		return "", elsewhere(name)
	}
	if len(scripts) > 0 {
		slices.Sort(scripts)
		return "", floating("it has to run scripts when it is installed, of " + strings.Join(scripts, ", "))
	}
	return integrityOf(parts), nil
}

func elsewhere(name string) error {
	return floating(name + " does not come from a registry")
}

func ofWeb(url string) bool {
	return strings.HasPrefix(url, "https://") || strings.HasPrefix(url, "http://")
}

// addressed returns a package of the tree that another package names by an address
// instead of name and version, or "". The list shows both kinds as fetched by HTTP, but
// no registry keeps the former: the owner of its address can serve anything.
func (l npmLocked) addressed() string {
	there := map[string]bool{}
	for where := range l.Packages {
		all := strings.Split("/"+where, "/node_modules/")
		there[all[len(all)-1]] = true
	}
	var names []string
	for _, part := range l.Packages {
		for _, needs := range []map[string]string{part.Dependencies, part.OptionalDependencies, part.PeerDependencies} {
			for name, wanted := range needs {
				if there[name] && address(wanted) {
					names = append(names, name)
				}
			}
		}
	}
	if len(names) == 0 {
		return ""
	}
	return slices.Min(names)
}

// tarball matches the ending of an archive, which npm treats as a file.
var tarball = lex.Pattern(`(?i)\.(?:tgz|tar\.gz|tar)$`)

// address reports whether npm reads a dependency's requirement as a URL, a repository, a
// folder or a file. An alias names another package of a registry.
func address(wanted string) bool {
	if strings.HasPrefix(wanted, "npm:") {
		return false
	}
	return strings.ContainsAny(wanted, ":/") || strings.HasPrefix(strings.TrimSpace(wanted), ".") || tarball().MatchString(wanted)
}

// npmPrograms returns the programs of the package, and the program that npx would run.
func (t tree) npmPrograms(p Package) (all []program, one string, err error) {
	home := path.Join("node_modules", p.Name)
	b, err := disk.ReadFile(filepath.Join(t.dir, home, "package.json"), listLimits.Bytes)
	if err != nil {
		return nil, "", err
	}
	var described struct {
		Bin jsontext.Value `json:"bin"`
	}
	if err := schema.DecodeOpen(b, &described, listLimits); err != nil {
		return nil, "", err
	}
	bins, err := npmBins(path.Base(p.Name), described.Bin)
	if err != nil {
		return nil, "", err
	}
	for name, file := range bins {
		file = strings.TrimLeft(file, "/")
		script := path.Join(home, file)
		if !filepath.IsLocal(file) {
			return nil, "", floating("its program " + name + " is outside of it")
		}
		if options, ok := shebang(filepath.Join(t.dir, script), "node"); ok {
			all = append(all, program{Name: name, Script: script, Options: options})
		}
	}
	if len(all) == 0 {
		return nil, "", floating("it has no program that node runs")
	}
	slices.SortFunc(all, func(a, b program) int { return strings.Compare(a.Name, b.Name) })
	if one = path.Base(p.Name); len(bins) == 1 {
		one = all[0].Name
	}
	return all, one, nil
}

// npmBins reads the member "bin". It is a table of programs, or the file of one program
// that has the package's name.
func npmBins(name string, bin jsontext.Value) (map[string]string, error) {
	if bin.Kind() == '"' {
		var file string
		err := schema.DecodeOpen(bin, &file, manifestLimits)
		return map[string]string{name: file}, err
	}
	bins := map[string]string{}
	if bin == nil {
		return bins, nil
	}
	err := schema.DecodeOpen(bin, &bins, manifestLimits)
	return bins, err
}
