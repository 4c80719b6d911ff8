// Package config turns flags, environment and files into checked values.
//
// It vouches that each value is of its type and within its bounds, and says
// where it came from. No default allows anything: without an allowlist file
// nothing is allowed, without rules the built-in ones hold. Flags beat the
// environment, which beats the user's file, which beats the system's; denials
// of every layer add up.
//
// Files of the working directory are never read: a cloned repository is a
// stranger's text. cmd/ask calls this once per process.
package config

import (
	"errors"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/onestep-run/onestep/gate/verdict"
)

// Settings are the values a run works with. Each has a row in the [Table].
type Settings struct {
	Servers       Value[string] // path of mcp.json
	Allowlist     Value[string] // path of allowlist.json
	TraceDir      Value[string]
	StateFile     Value[string]   // path of the database of what people decided
	Accept        Value[[]string] // classes of change that pass without a person
	Rules         []Value[string] // paths of input rules; their denials add up
	Model         Value[string]
	Summarize     Value[bool]
	SummaryLevel  Value[string]
	Writer        Value[string]
	Intent        Value[string]
	ModelMarks    Value[string]
	ApprovalTTL   Value[time.Duration]
	Approvers     Value[string]
	StrictFormats Value[bool]
	MaxResult     Value[int]           // bytes
	MaxMessage    Value[int]           // bytes
	Timeout       Value[time.Duration] // the whole run
	StartTimeout  Value[time.Duration] // a stdio server's first answer
	Connect       Value[time.Duration]
	Call          Value[time.Duration] // one answer
	CloseGrace    Value[time.Duration] // what a stdio server gets to end by itself
	ModelTimeout  Value[time.Duration]
	MaxPrompt     Value[int] // bytes of catalog and question that a model is sent
	MaxOutput     Value[int] // tokens of a model's reply
	Sampling      Value[string]
	Constrain     Value[string]

	QuarantineAge  Value[time.Duration] // how long a withheld result is kept
	QuarantineSize Value[int]           // bytes of them

	Of       map[string]ServerSettings  // of single servers, by name
	Scanners map[string]ScannerSettings // by name
}

// ConstrainArguments has a model's endpoint asked for the form of each tool's
// arguments too.
const ConstrainArguments = "arguments"

// MarksSuggest has a model's call that carries a mark suggested, not made.
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
	s := defaults(p)
	if err := s.readFile(p.System, false); err != nil {
		return Settings{}, err
	}
	if err := s.readFile(UserFile(p, flags), flags.Config != ""); err != nil {
		return Settings{}, err
	}
	for _, r := range table {
		if given := env.get(r.Variable); given != "" && !r.set(&s, given, Origin{FromVariable, r.Variable}) {
			return Settings{}, verdict.Fail(verdict.ConfigInvalid, nil, "the variable %s takes %s", r.Variable, r.Takes())
		}
		if given := flags.Given[r.Flag]; given != "" && !r.set(&s, given, Origin{FromFlag, r.Flag}) {
			return Settings{}, verdict.Fail(verdict.UsageFlag, nil, "--%s takes %s", r.Flag, r.Takes())
		}
	}
	return s, nil
}

// defaults are what holds where nothing was said. Rules have none.
func defaults(p Paths) Settings {
	var s Settings
	for _, r := range table {
		text := r.Default
		if r.in != nil && text != "" {
			text = resolve(r.in.of(p), text)
		}
		r.set(&s, text, Origin{})
	}
	return s
}

func (s *Settings) readFile(path string, named bool) error {
	b, err := readBounded(path)
	if errors.Is(err, fs.ErrNotExist) && !named {
		return nil
	}
	if err != nil {
		return unreadable(path, err)
	}
	return s.read(path, b)
}

// UserFile is the config.toml that holds the user's own settings.
func UserFile(p Paths, flags Flags) string {
	if flags.Config != "" {
		return flags.Config
	}
	return filepath.Join(p.Config, "config.toml")
}

// resolve: a path in a file is relative to that file, never to the working
// directory, which may be a stranger's.
func resolve(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// Origin says who set a value. Its zero value is the default's.
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
