package artifact

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// Registries of packages.
const (
	npm   = "npm"
	pypi  = "pypi"
	image = "image" // of containers
)

// Package is what a launcher's command line says of the package that it is to
// run. The zero value is of a command that is no launcher, or that is not
// beyond doubt.
type Package struct {
	Registry      string // npm, pypi or image
	Name, Version string // as written; "" is none

	at    int    // the argument that ends with the text
	text  string // that names the package
	bare  string // the text without versions
	bin   string // which of the package's programs, "" where it says none
	rest  int    // the first argument that is the server's own
	loose string // why more than the name and the version decides what is run
}

// runner is a program that fetches a package and runs it. An option that it
// does not list ends the reading: its value might be taken for the package.
type runner struct {
	registry string
	verb     string // its first argument
	flags    string // options without a value
	values   string // options with one
	from     string // options whose value is the package
}

var runners = map[string]runner{
	"npx":  {registry: npm, flags: "-y --yes -q --quiet --", from: "-p --package"},
	"bunx": {registry: npm, flags: "-y --yes --bun", from: "-p --package"},
	"uvx":  {registry: pypi, flags: "-q --quiet --isolated --offline --no-cache", values: "-p --python --with --index-url --default-index", from: "--from"},
	"pipx": {registry: pypi, verb: "run", flags: "-q --quiet -v --verbose --no-cache", values: "--python --index-url -i --pip-args", from: "--spec"},
	"docker": {
		registry: image, verb: "run",
		flags: "-i -t -it -ti --interactive --tty --rm --init --read-only --privileged -q --quiet",
		values: "-e --env --env-file -v --volume --mount --name --net --network -p --publish -w --workdir -u --user --entrypoint --platform --pull " +
			"-m --memory --cpus --pids-limit --cap-add --cap-drop --security-opt --add-host -h --hostname -l --label --tmpfs --gpus --ulimit --dns --restart",
	},
}

// specs are how a package is named, with its versions at the end.
var specs = map[string]string{
	npm:   `^((?:@[\w.~-]+/)?[\w~][\w.~-]*)(@[\w.+~^*-]+)?$`,
	pypi:  `^([\w][\w.-]*)(?:\[[\w.,-]*\])?((?:==|@)[\w.+!*-]+)?$`,
	image: `^((?:[\w.-]+(?::\d+)?/)?[a-z\d][\w.-]*(?:/[\w.-]+)*)(:[\w.-]+)?(@sha256:[\da-f]{64})?$`,
}

// PackageOf reads which package a command runs, where that is beyond doubt.
func PackageOf(command string, args []string) Package {
	name := strings.Replace(calledAs(command), "podman", "docker", 1)
	r, known := runners[name]
	if !known {
		return Package{}
	}
	p := r.read(args)
	parts := regexp.MustCompile(specs[r.registry]).FindStringSubmatch(p.text)
	if parts == nil {
		return Package{}
	}
	p.Registry, p.Name, p.bare = r.registry, parts[1], strings.TrimSuffix(p.text, strings.Join(parts[2:], ""))
	slices.Reverse(parts[2:])
	p.Version = strings.TrimLeft(cmp.Or(parts[2:]...), "@:=")
	return p
}

// Unversioned are the arguments without the versions of the package.
func (p Package) Unversioned(args []string) []string {
	out := slices.Clone(args)
	if p.text != "" {
		out[p.at] = strings.TrimSuffix(out[p.at], p.text) + p.bare
	}
	return out
}

// read finds the text that names the package, and what comes after it. The text
// is "" where options hide it.
func (r runner) read(args []string) (p Package) {
	begin := 0
	if r.verb != "" {
		if len(args) == 0 || args[0] != r.verb {
			return Package{}
		}
		begin = 1
	}
	for i := begin; i < len(args); i++ {
		option, value, joined := strings.Cut(args[i], "=")
		if !strings.HasPrefix(option, "-") {
			return p.operand(i, args[i])
		}
		switch {
		case lists(r.from, option) && joined:
			p.named(i, value)
		case lists(r.from, option) && i+1 < len(args):
			i++
			p.named(i, args[i])
		case lists(r.flags, option):
			r.alters(&p, option, option == "--bun")
		case lists(r.values, option):
			r.alters(&p, option, r.registry != image)
			if !joined {
				i++
			}
		default:
			return p.unread(option)
		}
	}
	return p.unread("")
}

// named is what an option names as the package.
func (p *Package) named(at int, text string) {
	if p.text != "" {
		p.loose = "it names more than one package"
		return
	}
	p.at, p.text = at, text
}

// operand is the first argument that is no option: the package, or its program
// where an option named the package.
func (p Package) operand(at int, text string) Package {
	p.rest = at + 1
	if p.text != "" {
		p.bin = text
		return p
	}
	p.at, p.text = at, text
	return p
}

// unread is a package whose command line could not be read to its end.
func (p Package) unread(option string) Package {
	p.loose = "its command line cannot be read to the end"
	if option != "" {
		p.loose = "the launcher's option " + option + " is not known"
	}
	return p
}

func (r runner) alters(p *Package, option string, does bool) {
	if does {
		p.loose = "the launcher's option " + option + " changes what is run"
	}
}

func lists(options, one string) bool { return slices.Contains(strings.Fields(options), one) }

// exact are the versions that name one release for good.
var exact = map[string]string{
	npm:   `^\d+\.\d+\.\d+(?:-[\w.-]+)?(?:\+[\w.-]+)?$`,
	pypi:  `^(?:\d+!)?\d+(?:\.\d+)*(?:[._-]?[a-z]+\d*)*(?:\+[\w.]+)?$`,
	image: `^sha256:[\da-f]{64}$`,
}

// floats says why the package's name and version do not decide what is run, ""
// where they do.
func (p Package) floats() string {
	switch {
	case p.loose != "":
		return p.loose
	case regexp.MustCompile(exact[p.Registry]).MatchString(p.Version):
		return ""
	case p.Registry == image:
		return "the image is named without its digest"
	case p.Version == "":
		return "it names no version of the package"
	}
	return "it names no exact version of the package, but " + p.Version
}
