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
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/go-playground/validator/v10"
	"github.com/pelletier/go-toml/v2"

	"github.com/onestep-run/onestep/gate/verdict"
)

// Flags are the global flags that set values; an empty one was not given.
type Flags struct {
	Config, Servers, Allowlist, TraceDir, Model, Timeout string
}

// Settings are the values a run works with.
type Settings struct {
	Servers       Value[string] // path of mcp.json
	Allowlist     Value[string] // path of allowlist.json
	TraceDir      Value[string]
	Rules         []Value[string] // paths of input rules; their denials add up
	Model         Value[string]   // "" is the embedded planner
	Summarize     Value[bool]
	SummaryLevel  Value[string]
	Writer        Value[string] // "extractive", or "model": the one that plans
	StrictFormats Value[bool]
	MaxResult     Value[int]           // bytes
	MaxMessage    Value[int]           // bytes
	Timeout       Value[time.Duration] // the whole run
	StartTimeout  Value[time.Duration] // a stdio server's first answer
	Connect       Value[time.Duration]
	Read          Value[time.Duration] // one answer
	ModelTimeout  Value[time.Duration]
	MaxPrompt     Value[int]    // bytes of catalog and question that a model is sent
	Sampling      Value[string] // who chooses temperature and seed
	Constrain     Value[string] // what output a model's endpoint is asked to enforce
}

// Value is a setting and where it came from.
type Value[T any] struct {
	V      T
	Origin string // "default", "flag --x", "variable X", or a file's path
}

// file is a config.toml. A member left out is nil and decides nothing.
type file struct {
	Servers       *string   `toml:"servers" validate:"omitnil,min=1"`
	Allowlist     *string   `toml:"allowlist" validate:"omitnil,min=1"`
	TraceDir      *string   `toml:"trace_dir" validate:"omitnil,min=1"`
	Rules         *string   `toml:"rules" validate:"omitnil,min=1"`
	Model         *string   `toml:"model"`
	Summarize     *bool     `toml:"summarize"`
	SummaryLevel  *string   `toml:"summary_level" validate:"omitnil,oneof=verbatim facts strict"`
	Writer        *string   `toml:"writer" validate:"omitnil,oneof=extractive model"`
	StrictFormats *bool     `toml:"strict_formats"`
	MaxResult     *int      `toml:"max_result" validate:"omitnil,min=1024,max=16777216"`
	MaxMessage    *int      `toml:"max_message" validate:"omitnil,min=1024,max=67108864"`
	Timeout       *duration `toml:"timeout" validate:"omitnil,gt=0"`
	StartTimeout  *duration `toml:"start_timeout" validate:"omitnil,gt=0"`
	Connect       *duration `toml:"connect_timeout" validate:"omitnil,gt=0"`
	Read          *duration `toml:"read_timeout" validate:"omitnil,gt=0"`
	ModelTimeout  *duration `toml:"model_timeout" validate:"omitnil,gt=0"`
	Constrain     *string   `toml:"constrain" validate:"omitnil,oneof=schema object none"`
	MaxPrompt     *int      `toml:"max_prompt" validate:"omitnil,min=1024,max=4194304"`
	Sampling      *string   `toml:"sampling" validate:"omitnil,oneof=fixed endpoint"`
}

// duration is written as Go writes one: "10s", "1m30s".
type duration time.Duration

func (d *duration) UnmarshalText(b []byte) error {
	v, err := time.ParseDuration(string(b))
	*d = duration(v)
	return err
}

var bounds = validator.New(validator.WithRequiredStructEnabled())

// defaults are what holds where nothing was said.
func defaults(p Paths) Settings {
	return Settings{
		Servers:      Value[string]{filepath.Join(p.Config, "mcp.json"), "default"},
		Allowlist:    Value[string]{filepath.Join(p.Config, "allowlist.json"), "default"},
		TraceDir:     Value[string]{p.Traces, "default"},
		Model:        Value[string]{"", "default"},
		Summarize:    Value[bool]{false, "default"},
		SummaryLevel: Value[string]{"strict", "default"},
		Writer:       Value[string]{"extractive", "default"},

		StrictFormats: Value[bool]{false, "default"},
		MaxResult:     Value[int]{8 << 20, "default"},
		MaxMessage:    Value[int]{16 << 20, "default"},
		Timeout:       Value[time.Duration]{5 * time.Minute, "default"},
		StartTimeout:  Value[time.Duration]{10 * time.Second, "default"},
		Connect:       Value[time.Duration]{30 * time.Second, "default"},
		Read:          Value[time.Duration]{60 * time.Second, "default"},
		ModelTimeout:  Value[time.Duration]{60 * time.Second, "default"},
		Constrain:     Value[string]{"schema", "default"},
		Sampling:      Value[string]{"fixed", "default"},
		MaxPrompt:     Value[int]{128 << 10, "default"},
	}
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
	if err := s.readEnv(env); err != nil {
		return Settings{}, err
	}
	if err := s.readFlags(flags); err != nil {
		return Settings{}, err
	}
	return s, nil
}

func (s *Settings) readFile(path string, named bool) error {
	b, err := readBounded(path)
	if errors.Is(err, fs.ErrNotExist) && !named {
		return nil
	}
	if err != nil {
		return unreadable(path, err)
	}
	f, err := parse(path, b)
	if err != nil {
		return err
	}
	s.apply(f, path)
	return nil
}

func parse(path string, b []byte) (file, error) {
	var f file
	if err := toml.NewDecoder(bytes.NewReader(b)).DisallowUnknownFields().Decode(&f); err != nil {
		return file{}, invalid(path, err)
	}
	if err := bounds.Struct(f); err != nil {
		return file{}, invalid(path, err)
	}
	return f, nil
}

// invalid names the file and the place; a value may be a secret and is not quoted.
func invalid(path string, err error) error {
	detail := "it is not valid TOML"
	var unknown *toml.StrictMissingError
	var syntax *toml.DecodeError
	var fields validator.ValidationErrors
	switch {
	case errors.As(err, &unknown) && len(unknown.Errors) > 0:
		row, _ := unknown.Errors[0].Position()
		detail = fmt.Sprintf("line %d: no such setting: %s", row, strings.Join(unknown.Errors[0].Key(), "."))
	case errors.As(err, &syntax):
		row, column := syntax.Position()
		detail = fmt.Sprintf("line %d, column %d: not valid TOML, or a value of another type", row, column)
	case errors.As(err, &fields) && len(fields) > 0:
		detail = fmt.Sprintf("%s breaks the bound %s %s", fields[0].Field(), fields[0].Tag(), fields[0].Param())
	}
	return verdict.Fail(verdict.ConfigInvalid, err, "%s: %s", path, detail)
}

func (s *Settings) apply(f file, origin string) {
	dir := filepath.Dir(origin)
	setPath(&s.Servers, f.Servers, dir, origin)
	setPath(&s.Allowlist, f.Allowlist, dir, origin)
	setPath(&s.TraceDir, f.TraceDir, dir, origin)
	if f.Rules != nil {
		s.Rules = append(s.Rules, Value[string]{resolve(dir, *f.Rules), origin})
	}
	set(&s.Model, f.Model, origin)
	set(&s.Summarize, f.Summarize, origin)
	set(&s.SummaryLevel, f.SummaryLevel, origin)
	set(&s.Writer, f.Writer, origin)
	set(&s.StrictFormats, f.StrictFormats, origin)
	set(&s.MaxResult, f.MaxResult, origin)
	set(&s.MaxMessage, f.MaxMessage, origin)
	set(&s.Timeout, (*time.Duration)(f.Timeout), origin)
	set(&s.StartTimeout, (*time.Duration)(f.StartTimeout), origin)
	set(&s.Connect, (*time.Duration)(f.Connect), origin)
	set(&s.Read, (*time.Duration)(f.Read), origin)
	set(&s.ModelTimeout, (*time.Duration)(f.ModelTimeout), origin)
	set(&s.Constrain, f.Constrain, origin)
	set(&s.Sampling, f.Sampling, origin)
	set(&s.MaxPrompt, f.MaxPrompt, origin)
}

func set[T any](v *Value[T], given *T, origin string) {
	if given != nil {
		*v = Value[T]{*given, origin}
	}
}

// setPath: a path in a file is relative to that file, never to the working
// directory, which may be a stranger's.
func setPath(v *Value[string], given *string, dir, origin string) {
	if given != nil {
		*v = Value[string]{resolve(dir, *given), origin}
	}
}

func resolve(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

func (s *Settings) readEnv(env Environ) error {
	for name, v := range map[string]*Value[string]{
		"ASK_SERVERS": &s.Servers, "SAFE_ALLOWLIST_PATH": &s.Allowlist, "SAFE_TRACE_DIR": &s.TraceDir, "ASK_MODEL": &s.Model,
	} {
		if given := env.get(name); given != "" {
			*v = Value[string]{given, "variable " + name}
		}
	}
	if given := env.get("SAFE_RULES_PATH"); given != "" {
		s.Rules = append(s.Rules, Value[string]{given, "variable SAFE_RULES_PATH"})
	}
	if given := env.get("SAFE_SUMMARIZE"); given != "" {
		on, err := strconv.ParseBool(given)
		if err != nil {
			return verdict.Fail(verdict.ConfigInvalid, err, "SAFE_SUMMARIZE is neither 1 nor 0")
		}
		s.Summarize = Value[bool]{on, "variable SAFE_SUMMARIZE"}
	}
	return nil
}

func (s *Settings) readFlags(f Flags) error {
	for name, p := range map[string]struct {
		given string
		v     *Value[string]
	}{
		"--servers": {f.Servers, &s.Servers}, "--allowlist": {f.Allowlist, &s.Allowlist},
		"--trace-dir": {f.TraceDir, &s.TraceDir}, "--model": {f.Model, &s.Model},
	} {
		if p.given != "" {
			*p.v = Value[string]{p.given, "flag " + name}
		}
	}
	if f.Timeout != "" {
		d, err := time.ParseDuration(f.Timeout)
		if err != nil || d <= 0 {
			return verdict.Fail(verdict.UsageFlag, err, "--timeout takes a duration above zero, such as 30s")
		}
		s.Timeout = Value[time.Duration]{d, "flag --timeout"}
	}
	return nil
}
