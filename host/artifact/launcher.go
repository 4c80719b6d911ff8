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
// run. The zero value is of a command that is not a launcher, or that is not
// beyond doubt.
type Package struct {
	Registry      string // npm, pypi or image
	Name, Version string // as written; "" is none

	at    int    // the argument that ends with the text
	text  string // that names the package
	bare  string // the text without versions
	bin   string // which of the package's programs, "" where it says none
	rest  int    // the first argument that is the server's own
	env   string // the names of the variables that a container gets
	loose string // why more than the name and the version decides what is run
}

// runner is a program that fetches a package and runs it. An option that it
// does not list ends the reading: its value might be taken for the package.
type runner struct {
	registry string
	verb     string // its first argument
	flags    string // options without a value that are known to leave alone what is run
	values   string // options with one that are
	alters   string // options without a value that are not
	altered  string // options with one that are not
	from     string // options whose value is the package
}

var runners = map[string]runner{
	"npx":  {registry: npm, flags: "-y --yes -q --quiet --", from: "-p --package"},
	"bunx": {registry: npm, flags: "-y --yes", alters: "--bun", from: "-p --package"},
	"uvx":  {registry: pypi, flags: "-q --quiet --isolated --offline --no-cache", altered: "-p --python --with --index-url --default-index", from: "--from"},
	"pipx": {registry: pypi, verb: "run", flags: "-q --quiet -v --verbose --no-cache", altered: "--python --index-url -i --pip-args", from: "--spec"},
	// A folder of the host, another working directory, platform or entry point
	// have another program run under the digest of the image.
	"docker": {
		registry: image, verb: "run",
		flags: "-i -t -it -ti --interactive --tty --rm --init --read-only -q --quiet",
		values: variables + " " + scratch + " --name --net --network -p --publish -u --user --pull -m --memory --cpus --pids-limit --cap-drop --security-opt " +
			"--add-host -h --hostname -l --label --ulimit --dns --restart",
		alters:  "--privileged",
		altered: "--env-file -v --volume --mount -w --workdir --entrypoint --platform --cap-add --gpus",
	},
}

// Options of a container whose values are read: its variables, and where it has
// an empty folder in memory.
const (
	variables = "-e --env"
	scratch   = "--tmpfs"
)

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
			return r.commanded(p.operand(i, args[i]), args[i+1:])
		}
		next := ""
		if !joined && i+1 < len(args) {
			next = args[i+1]
		}
		switch {
		case lists(r.from, option) && joined:
			p.named(i, value)
		case lists(r.from, option) && i+1 < len(args):
			i++
			p.named(i, next)
		case lists(r.flags, option):
		case lists(r.alters, option):
			p.alter(option)
		case lists(r.altered, option), lists(r.values, option):
			p.valued(option, cmp.Or(value, next), lists(r.altered, option))
			if !joined {
				i++
			}
		default:
			p.loose = "the launcher's option " + option + " is not known"
			return p
		}
	}
	p.loose = "its command line cannot be read to the end"
	return p
}

// named is what an option names as the package.
func (p *Package) named(at int, text string) {
	if p.text != "" {
		p.loose = "it names more than one package"
		return
	}
	p.at, p.text = at, text
}

// operand is the first argument that is not an option: the package, or its program
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

// commanded is a container whose command may be a launcher or a shell of its
// image, which looks up its program when it starts.
func (r runner) commanded(p Package, rest []string) Package {
	if r.registry == image && p.loose == "" && len(rest) > 0 && lists(unpinned+" "+shells, calledAs(rest[0])) {
		p.loose = calledAs(rest[0]) + " in the container looks up its program when it starts"
	}
	return p
}

func (p *Package) valued(option, value string, alters bool) {
	name, _, _ := strings.Cut(value, "=")
	folder, _, _ := strings.Cut(value, ":")
	switch {
	case lists(variables, option) && len(strings.Fields(name)) == 1:
		p.env += name + " "
	case lists(variables, option), alters, option == scratch && !lists("/tmp /var/tmp /run", folder):
		p.alter(option)
	}
}

func (p *Package) alter(option string) {
	p.loose = "the launcher's option " + option + " changes what is run"
}

func lists(options, one string) bool { return slices.Contains(strings.Fields(options), one) }

// exact are the versions that name one release for good.
var exact = map[string]string{
	npm:   `^\d+\.\d+\.\d+(?:-[\w.-]+)?(?:\+[\w.-]+)?$`,
	pypi:  `^(?:\d+!)?\d+(?:\.\d+)*(?:[._-]?[a-z]+\d*)*(?:\+[\w.]+)?$`,
	image: `^sha256:[\da-f]{64}$`,
}

func (p Package) exact() bool { return regexp.MustCompile(exact[p.Registry]).MatchString(p.Version) }

// floats says why the package's name and version do not decide what is run, ""
// where they do.
func (p Package) floats() string {
	switch {
	case p.loose != "":
		return p.loose
	case p.exact():
		return ""
	case p.Registry == image:
		return "the image is named without its digest"
	case p.Version == "":
		return "it names no version of the package"
	}
	return "it names no exact version of the package, but " + p.Version
}
