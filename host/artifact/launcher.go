package artifact

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// The registries of packages.
const (
	npm   = "npm"
	pypi  = "pypi"
	image = "image" // of containers
)

// Package is the package that a launcher's command line names. The zero value is for a
// command that is not a launcher, or that cannot be read with certainty.
type Package struct {
	Registry      string // npm, pypi or image
	Name, Version string // as written; "" if not named

	at    int    // index of the argument that ends with text
	text  string // names the package
	bare  string // text without versions
	bin   string // the package's program to run, "" if not named
	rest  int    // index of the server's first own argument
	env   string // names of the variables that a container gets
	loose string // why name and version alone do not decide what runs
}

// runner is a program that fetches a package and runs it. Reading stops at an unlisted
// option, because its value might be mistaken for the package.
type runner struct {
	registry string
	verb     string // its first argument
	flags    string // options without a value that are known not to change what runs
	values   string // options with a value that are known not to change what runs
	alters   string // options without a value that may change what runs
	altered  string // options with a value that may change what runs
	from     string // options that name the package
}

var runners = map[string]runner{
	"npx":  {registry: npm, flags: "-y --yes -q --quiet --", from: "-p --package"},
	"bunx": {registry: npm, flags: "-y --yes", alters: "--bun", from: "-p --package"},
	"uvx":  {registry: pypi, flags: "-q --quiet --isolated --offline --no-cache", altered: "-p --python --with --index-url --default-index", from: "--from"},
	"pipx": {registry: pypi, verb: "run", flags: "-q --quiet -v --verbose --no-cache", altered: "--python --index-url -i --pip-args", from: "--spec"},
	// A folder of the host, or another working directory, platform or entry point make
	// another program run under the digest of the image.
	"docker": {
		registry: image, verb: "run",
		flags: "-i -t -it -ti --interactive --tty --rm --init --read-only -q --quiet",
		values: variables + " " + scratch + " --name --net --network -p --publish -u --user --pull -m --memory --cpus --pids-limit --cap-drop --security-opt " +
			"--add-host -h --hostname -l --label --ulimit --dns --restart",
		alters:  "--privileged",
		altered: "--env-file -v --volume --mount -w --workdir --entrypoint --platform --cap-add --gpus",
	},
}

// Options of a container with values that are read: its variables, and an empty folder in
// memory.
const (
	variables = "-e --env"
	scratch   = "--tmpfs"
)

// specs match the name of a package, with its versions at the end.
var specs = map[string]string{
	npm:   `^((?:@[\w.~-]+/)?[\w~][\w.~-]*)(@[\w.+~^*-]+)?$`,
	pypi:  `^([\w][\w.-]*)(?:\[[\w.,-]*\])?((?:==|@)[\w.+!*-]+)?$`,
	image: `^((?:[\w.-]+(?::\d+)?/)?[a-z\d][\w.-]*(?:/[\w.-]+)*)(:[\w.-]+)?(@sha256:[\da-f]{64})?$`,
}

// PackageOf reads which package a command runs, if that is certain.
func PackageOf(command string, args []string) Package {
	name := strings.Replace(calledAs(command), "podman", "docker", 1)
	r, known := runners[name]
	if !known {
		return Package{}
	}
	p := r.parse(args)
	parts := regexp.MustCompile(specs[r.registry]).FindStringSubmatch(p.text)
	if parts == nil {
		return Package{}
	}
	p.Registry, p.Name, p.bare = r.registry, parts[1], strings.TrimSuffix(p.text, strings.Join(parts[2:], ""))
	slices.Reverse(parts[2:])
	p.Version = strings.TrimLeft(cmp.Or(parts[2:]...), "@:=")
	return p
}

// Unversioned returns the arguments without the versions of the package.
func (p Package) Unversioned(args []string) []string {
	out := slices.Clone(args)
	if p.text != "" {
		out[p.at] = strings.TrimSuffix(out[p.at], p.text) + p.bare
	}
	return out
}

// parse finds the text that names the package, and the arguments after it. The text is ""
// if options hide it.
func (r runner) parse(args []string) (p Package) {
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

func (p *Package) named(at int, text string) {
	if p.text != "" {
		p.loose = "it names more than one package"
		return
	}
	p.at, p.text = at, text
}

// operand records the first argument that is not an option. It is the package, or, if an
// option named the package, its program.
func (p Package) operand(at int, text string) Package {
	p.rest = at + 1
	if p.text != "" {
		p.bin = text
		return p
	}
	p.at, p.text = at, text
	return p
}

// commanded marks a container with a launcher or a shell as its command. Such a command
// looks up its program when it starts.
func (r runner) commanded(p Package, rest []string) Package {
	if r.registry != image || p.loose != "" || len(rest) == 0 {
		return p
	}
	if name := calledAs(rest[0]); lists(unpinned+" "+shells, name) {
		p.loose = name + " in the container looks up its program when it starts"
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

// exact match the versions that always name the same release.
var exact = map[string]string{
	npm:   `^\d+\.\d+\.\d+(?:-[\w.-]+)?(?:\+[\w.-]+)?$`,
	pypi:  `^(?:\d+!)?\d+(?:\.\d+)*(?:[._-]?[a-z]+\d*)*(?:\+[\w.]+)?$`,
	image: `^sha256:[\da-f]{64}$`,
}

func (p Package) exact() bool { return regexp.MustCompile(exact[p.Registry]).MatchString(p.Version) }

// floats says why the package's name and version do not decide what runs, or "".
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
