package config

import (
	"cmp"
	"maps"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/host/session"
)

// Identity identifies a server that [Servers.Resolve] gave. Both digests are
// keyed as a whole: what a variable stood for is in the endpoint, and people
// write passwords into env, headers, args and urls of the file itself. So two
// machines, whose keys differ, give one entry two identities.
//
// The endpoint is the program's path as it was found, the arguments, the
// working directory, the url with its query, the configured variables and
// headers, and the proxy and the file of authorities of a config.toml. PATH, HOME and LANG, which every server inherits, are not in it.
func (s Servers) Identity(key pin.Key, reached session.Server) pin.Identity {
	i := s.Describe(reached.Name)
	e := s.entries[reached.Name]
	if e == nil || e.wrong != "" || i.Kind == "" {
		return pin.Identity{}
	}
	entry, err := schema.Canonical(e.raw)
	if err != nil {
		return pin.Identity{}
	}
	i.Entry = key.Digest("entry", string(entry))
	i.Endpoint = key.Digest(endpoint(reached)...)
	return i
}

// endpoint lists what is reached. The counts keep lists apart.
func endpoint(s session.Server) []string {
	texts := []string{"endpoint", s.Kind(), s.Command, s.Dir, s.URL, strconv.Itoa(len(s.Args))}
	texts = append(texts, s.Args...)
	for _, table := range []map[string]string{s.Env, s.Headers} {
		texts = append(texts, strconv.Itoa(len(table)))
		for _, name := range slices.Sorted(maps.Keys(table)) {
			texts = append(texts, name, table[name])
		}
	}
	if s.Proxy != "" || s.CAFile != "" { // as before, where config.toml says neither
		texts = append(texts, "by", s.Proxy, s.CAFile)
	}
	return texts
}

// Describe is a server's identity without its digests: what can be shown, and
// matches nothing. It is read from the file alone, variables unexpanded.
func (s Servers) Describe(name string) pin.Identity {
	e := s.entries[name]
	if e == nil {
		return pin.Identity{}
	}
	i := pin.Identity{Kind: e.server("").Kind(), Address: e.Command}
	if e.URL != "" {
		i.Address = origin(e.URL)
		return i
	}
	i.Package, i.Version = packageOf(filepath.Base(e.Command), e.Args)
	return i
}

// origin is a URL's scheme and host, "" where a variable may be part of them.
func origin(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || strings.Contains(u.Host, "$") {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// runner is a program that fetches a package and runs it. An option that it
// does not list ends the reading: its value might be taken for the package.
type runner struct {
	verb   string // its first argument
	flags  string // options without a value
	values string // options with one
	from   string // options whose value is the package
	spec   string // a package and, in the last group that matches, its version
}

const (
	npm   = `^((?:@[\w.~-]+/)?[\w~][\w.~-]*)(?:@([\w.+~^*-]+))?$`
	pypi  = `^([\w][\w.-]*)(?:\[[\w.,-]*\])?(?:(?:==|@)([\w.+!*-]+))?$`
	image = `^((?:[\w.-]+(?::\d+)?/)?[a-z\d][\w.-]*(?:/[\w.-]+)*)(?::([\w.-]+))?(?:@(sha256:[\da-f]{64}))?$`
)

var runners = map[string]runner{
	"npx":  {flags: "-y --yes -q --quiet --", from: "-p --package", spec: npm},
	"bunx": {flags: "-y --yes --bun", from: "-p --package", spec: npm},
	"uvx":  {flags: "-q --quiet --isolated --offline --no-cache", values: "-p --python --with --index-url --default-index", from: "--from", spec: pypi},
	"pipx": {verb: "run", flags: "-q --quiet -v --verbose --no-cache", values: "--python --index-url -i --pip-args", from: "--spec", spec: pypi},
	"docker": {
		verb: "run", spec: image,
		flags: "-i -t -it -ti --interactive --tty --rm --init --read-only --privileged -q --quiet",
		values: "-e --env --env-file -v --volume --mount --name --net --network -p --publish -w --workdir -u --user --entrypoint --platform --pull " +
			"-m --memory --cpus --pids-limit --cap-add --cap-drop --security-opt --add-host -h --hostname -l --label --tmpfs --gpus --ulimit --dns --restart",
	},
}

// packageOf reads which package a command runs, where that is beyond doubt.
func packageOf(command string, args []string) (name, version string) {
	r, known := runners[strings.Replace(command, "podman", "docker", 1)]
	if !known {
		return "", ""
	}
	if r.verb != "" {
		if len(args) == 0 || args[0] != r.verb {
			return "", ""
		}
		args = args[1:]
	}
	parts := regexp.MustCompile(r.spec).FindStringSubmatch(r.operand(args))
	if parts == nil {
		return "", ""
	}
	slices.Reverse(parts[2:])
	return parts[1], cmp.Or(parts[2:]...)
}

// operand is the text that names the package, "" where options hide it.
func (r runner) operand(args []string) string {
	for i := 0; i < len(args); i++ {
		option, value, joined := strings.Cut(args[i], "=")
		switch {
		case !strings.HasPrefix(option, "-"):
			return args[i]
		case lists(r.flags, option), joined && lists(r.values, option):
		case joined && lists(r.from, option):
			return value
		case lists(r.from, option) && i+1 < len(args):
			return args[i+1]
		case lists(r.values, option):
			i++
		default:
			return ""
		}
	}
	return ""
}

func lists(options, one string) bool { return slices.Contains(strings.Fields(options), one) }
