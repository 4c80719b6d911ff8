package config

import (
	"cmp"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// runner is a program that fetches a package and runs it. An option that it
// does not list ends the reading: its value might be taken for the package.
type runner struct {
	verb   string // its first argument
	flags  string // options without a value
	values string // options with one
	from   string // options whose value is the package
	spec   string // a package, and its versions at the end
}

const (
	npm   = `^((?:@[\w.~-]+/)?[\w~][\w.~-]*)(@[\w.+~^*-]+)?$`
	pypi  = `^([\w][\w.-]*)(?:\[[\w.,-]*\])?((?:==|@)[\w.+!*-]+)?$`
	image = `^((?:[\w.-]+(?::\d+)?/)?[a-z\d][\w.-]*(?:/[\w.-]+)*)(:[\w.-]+)?(@sha256:[\da-f]{64})?$`
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

// packaged is what a launcher's command line says of the package that it is to
// run. The zero value is of a command that is no launcher, or that is not
// beyond doubt.
type packaged struct {
	at            int // the argument that ends with the text
	text          string
	name, version string
	bare          string // the text without versions
}

// packageOf reads which package a command runs, where that is beyond doubt.
func packageOf(command string, args []string) packaged {
	r, known := runners[strings.Replace(filepath.Base(command), "podman", "docker", 1)]
	if !known {
		return packaged{}
	}
	at, text := r.operand(args)
	parts := regexp.MustCompile(r.spec).FindStringSubmatch(text)
	if parts == nil {
		return packaged{}
	}
	p := packaged{at: at, text: text, name: parts[1], bare: strings.TrimSuffix(text, strings.Join(parts[2:], ""))}
	slices.Reverse(parts[2:])
	p.version = strings.TrimLeft(cmp.Or(parts[2:]...), "@:=")
	return p
}

// unversioned are the arguments without the versions of the package.
func (p packaged) unversioned(args []string) []string {
	out := slices.Clone(args)
	if p.text != "" {
		out[p.at] = strings.TrimSuffix(out[p.at], p.text) + p.bare
	}
	return out
}

// operand is the text that names the package, and the argument that ends with
// it. The text is "" where options hide it.
func (r runner) operand(args []string) (at int, text string) {
	if r.verb != "" {
		if len(args) == 0 || args[0] != r.verb {
			return 0, ""
		}
		at = 1
	}
	for i := at; i < len(args); i++ {
		option, value, joined := strings.Cut(args[i], "=")
		switch {
		case !strings.HasPrefix(option, "-"):
			return i, args[i]
		case lists(r.flags, option), joined && lists(r.values, option):
		case joined && lists(r.from, option):
			return i, value
		case lists(r.from, option) && i+1 < len(args):
			return i + 1, args[i+1]
		case lists(r.values, option):
			i++
		default:
			return 0, ""
		}
	}
	return 0, ""
}

func lists(options, one string) bool { return slices.Contains(strings.Fields(options), one) }
