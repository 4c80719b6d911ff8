// Package config turns flags, environment and files into checked values.
//
// It vouches that each value has its type, is within its bounds, and has a known origin. No
// default allows anything: without an allowlist file nothing is allowed, and without rules
// the built-in ones apply. Flags override the environment, which overrides the user's file,
// which overrides the system's; denials of every layer add up.
//
// Files of the working directory configure nothing: a cloned repository is a stranger's text.
// cmd/ask calls this once per process.
package config

import (
	"errors"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/onestep-run/onestep/config/edit"
	"github.com/onestep-run/onestep/gate/verdict"
)

// Settings are the values a run works with. Each has a row in the [Table].
type Settings struct {
	Servers       Value[string] // path of mcp.json
	Allowlist     Value[string] // path of allowlist.json
	TraceDir      Value[string]
	RecordWords   Value[bool]
	Audit         Value[string] // path of the audit, AuditStderr or AuditOff
	AuditRequired Value[bool]
	StateFile     Value[string]   // path of the database of approvals and withheld results
	TokenKey      Value[string]   // where the key that encrypts the logins is stored
	Accept        Value[[]string] // classes of change that pass without a person's approval
	Rules         []Value[string] // paths of input rules; their denials add up
	Policy        []Value[string] // paths of the rules of calls, which add up
	Model         Value[string]
	Summarize     Value[bool]
	Notify        Value[bool]
	SummaryLevel  Value[string]
	Writer        Value[string]
	Intent        Value[string]
	ModelMarks    Value[string]
	Sandbox       Value[string]
	ApprovalTTL   Value[time.Duration]
	ClientHold    Value[time.Duration]
	Approvers     Value[string]
	StrictFormats Value[bool]
	StrictOutputs Value[bool]
	MaxResult     Value[int]           // bytes
	MaxArguments  Value[int]           // bytes
	ClientRules   Value[bool]          //
	CallLimit     Value[time.Duration] //
	MaxMessage    Value[int]           // bytes
	Timeout       Value[time.Duration] // the whole run
	StartTimeout  Value[time.Duration] // a stdio server's first answer
	Connect       Value[time.Duration]
	Call          Value[time.Duration] // one answer
	CloseGrace    Value[time.Duration] // how long a stdio server may take to end by itself
	ModelTimeout  Value[time.Duration]
	MaxPrompt     Value[int] // bytes of the catalog and question in a model's prompt
	MaxOutput     Value[int] // tokens of a model's reply
	Sampling      Value[string]
	Constrain     Value[string]

	QuarantineAge  Value[time.Duration] // how long a withheld result is kept
	QuarantineSize Value[int]           // bytes of all withheld results

	Of       map[string]ServerSettings  // of single servers, by name
	Scanners map[string]ScannerSettings // by name

	Decisions []DecisionSettings // of each file that has one, the system's first

	userFile string   // the user's config.toml, which may be missing
	foreign  string   // the user's file, if a flag names it and it may be a stranger's
	from     *origins // nil if [Load] did not make the settings
}

// ConstrainArguments makes a model's endpoint also constrain each tool's arguments.
const ConstrainArguments = "arguments"

// Values of the audit that are not a file.
const (
	AuditOff    = "off"
	AuditStderr = "stderr"
)

// MarksSuggest turns a model's call with a mark into a suggestion, which is not made.
const MarksSuggest = "suggest"

// Value is a setting and where it came from.
type Value[T any] struct {
	V      T
	Origin Origin
}

// Flags are the flags that set values; an empty one was not given.
type Flags struct {
	Config string            // the user's file
	Given  map[string]string // by the Flag of a [Setting]
}

// Load reads every layer, the weakest first.
func Load(p Paths, env Environ, flags Flags) (Settings, error) {
	env = env.Fixed()
	from := &origins{paths: p, env: env, flags: flags, files: Stamps(p.System, UserFile(p, flags))}
	s, err := settings(p, env, flags)
	if err != nil {
		return Settings{}, err
	}
	from.loaded = s
	s.from = from
	return s, nil
}

func settings(p Paths, env Environ, flags Flags) (Settings, error) {
	s := defaults(p)
	s.userFile = UserFile(p, flags)
	if flags.Config != "" && inRepository(flags.Config) {
		s.foreign = s.userFile
	}
	if err := s.readFile(p.System, false); err != nil {
		return Settings{}, err
	}
	if err := s.readFile(UserFile(p, flags), flags.Config != ""); err != nil {
		return Settings{}, err
	}
	for _, r := range table {
		if given := env.Get(r.Variable); given != "" && !r.set(&s, given, Origin{FromVariable, r.Variable}) {
			return Settings{}, verdict.Fail(verdict.ConfigInvalid, nil, "the variable %s takes %s", r.Variable, r.Takes())
		}
		if given := flags.Given[r.Flag]; given != "" && !r.set(&s, given, Origin{FromFlag, r.Flag}) {
			return Settings{}, verdict.Fail(verdict.UsageFlag, nil, "--%s takes %s", r.Flag, r.Takes())
		}
	}
	return s, nil
}

// defaults are the values that no layer sets. Rules have no default.
func defaults(p Paths) Settings {
	var s Settings
	for _, r := range table {
		text := r.Default
		if f := r.at(&s); f.isPath(text) {
			text = resolve(f.in.of(p), text)
		}
		r.set(&s, text, Origin{})
	}
	return s
}

func (s *Settings) readFile(path string, named bool) error {
	b, err := edit.Read(path)
	if errors.Is(err, fs.ErrNotExist) && !named {
		return nil
	}
	if err != nil {
		return edit.Unreadable(path, err)
	}
	return s.read(path, b)
}

// UserFile is the path of the user's config.toml.
func UserFile(p Paths, flags Flags) string {
	if flags.Config != "" {
		return flags.Config
	}
	return filepath.Join(p.Config, "config.toml")
}

// resolve makes a path in a file relative to that file, never to the working directory, which
// may be a stranger's.
func resolve(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// Origin is the source of a value. Its zero value is the default.
type Origin struct {
	Kind Kind
	Name string // the file's path, the variable, or the flag without its dashes
}

// Kind is a layer of the configuration.
type Kind int

// The layers, the weakest first.
const (
	FromDefault  Kind = iota
	FromFile          // the system's or the user's
	FromVariable      // of the environment
	FromFlag
	FromArgument // of a command that takes the value itself
)

// Named reports whether the user gave the value for this command, in a
// flag or a variable.
func (o Origin) Named() bool { return o.Kind == FromFlag || o.Kind == FromVariable }

func (o Origin) String() string {
	switch o.Kind {
	case FromFile:
		return o.Name
	case FromVariable:
		return "variable " + o.Name
	case FromFlag:
		return "flag --" + o.Name
	case FromArgument:
		return "argument"
	}
	return "default"
}

// MarshalText writes the origin as it is shown. Nothing reads it back.
func (o Origin) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// Environ is the environment of a process: os.LookupEnv, or a test's map.
type Environ func(name string) (string, bool)

// Get is a variable's value, "" if it is not set.
func (e Environ) Get(name string) string {
	if e == nil {
		return ""
	}
	v, _ := e(name)
	return v
}

// Paths are the places that onestep reads and writes, by the XDG Base Directory Specification
// 0.8.
type Paths struct {
	Config string // directory of config.toml, mcp.json and allowlist.json
	System string // the system's config.toml
	State  string // directory of this machine's data: traces, the key of identities
	Cache  string // directory of data that can be fetched again: servers' packages
}

// app is the name of onestep's directories.
const app = "onestep"

// FindPaths reads the environment. ASK_HOME moves the user's files; XDG_CONFIG_DIRS names the
// system's directory. A relative XDG directory is ignored, as the specification asks. A
// missing or relative home is an error: otherwise the working directory, which may be a
// stranger's checkout, would be the configuration.
func FindPaths(env Environ) (Paths, error) {
	p := Paths{System: "/etc/xdg/" + app + "/config.toml"}
	if dirs := filepath.SplitList(env.Get("XDG_CONFIG_DIRS")); len(dirs) > 0 && filepath.IsAbs(dirs[0]) {
		p.System = filepath.Join(dirs[0], app, "config.toml")
	}
	if home := env.Get("ASK_HOME"); filepath.IsAbs(home) {
		p.Config, p.State, p.Cache = home, home, filepath.Join(home, "cache")
		return p, nil
	} else if home != "" {
		return Paths{}, verdict.Fail(verdict.ConfigInvalid, nil, "ASK_HOME is not an absolute path")
	}
	var err error
	if p.Config, err = xdg(env, "XDG_CONFIG_HOME", ".config"); err != nil {
		return Paths{}, err
	}
	if p.State, err = xdg(env, "XDG_STATE_HOME", ".local/state"); err != nil {
		return Paths{}, err
	}
	if p.Cache, err = xdg(env, "XDG_CACHE_HOME", ".cache"); err != nil { // without a home
		p.Cache = filepath.Join(p.State, "cache")
	}
	return p, nil
}

func xdg(env Environ, name, fallback string) (string, error) {
	if dir := env.Get(name); filepath.IsAbs(dir) {
		return filepath.Join(dir, app), nil
	}
	if home := env.Get("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, fallback, app), nil
	}
	return "", verdict.Fail(verdict.ConfigMissing, nil, "HOME is not set to an absolute path, and neither ASK_HOME nor %s is", name)
}

// Client is an MCP client, and the files in which it lists its user's servers. The files of a
// project are a stranger's text, and are shared with others.
type Client struct {
	Name    string
	Files   []string // in which it may list them; each may be missing
	Project []string // the files of a project, below its folder
}

// Clients are the known clients, with the default places of their files on an operating
// system, as GOOS names it. If the home is not known, the list is empty.
func Clients(env Environ, goos string) []Client {
	home := env.Get("HOME")
	if !filepath.IsAbs(home) {
		return nil
	}
	in := func(parts ...string) []string { return []string{filepath.Join(parts...)} }
	apps, dot := appFolders(env, goos, home)
	open := openCodeDir(env, home)
	code := filepath.Join(apps, "Code", "User")
	return []Client{
		{"amazon-q", in(home, ".aws", "amazonq", "mcp.json"), in(".amazonq", "mcp.json")},
		{"claude-code", in(home, ".claude.json"), in(".mcp.json")},
		{"claude-desktop", in(apps, "Claude", "claude_desktop_config.json"), nil},
		{"codex", in(home, ".codex", "config.toml"), in(".codex", "config.toml")},
		{"continue", in(home, ".continue", "config.yaml"), nil},
		{"cursor", in(home, ".cursor", "mcp.json"), in(".cursor", "mcp.json")},
		{"gemini", in(home, ".gemini", "settings.json"), in(".gemini", "settings.json")},
		{"goose", in(dot, "goose", "config.yaml"), nil},
		{"opencode", []string{filepath.Join(open, "opencode.json"), filepath.Join(open, "opencode.jsonc")}, []string{"opencode.json", "opencode.jsonc"}},
		{"vscode", []string{filepath.Join(code, "mcp.json"), filepath.Join(code, "settings.json")}, in(".vscode", "mcp.json")},
		{"windsurf", in(home, ".codeium", "windsurf", "mcp_config.json"), nil},
		{"zed", in(dot, "zed", "settings.json"), in(".zed", "settings.json")},
	}
}

// openCodeDir is opencode's folder of settings on every operating system.
func openCodeDir(env Environ, home string) string {
	if dir := env.Get("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "opencode")
	}
	return filepath.Join(home, ".config", "opencode")
}

// appFolders are the folders of settings of most programs, and of programs that use .config.
func appFolders(env Environ, goos, home string) (apps, dot string) {
	dot = filepath.Join(home, ".config")
	if goos == "darwin" {
		return filepath.Join(home, "Library", "Application Support"), dot
	}
	if dir := env.Get("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		dot = dir
	}
	return dot, dot
}
