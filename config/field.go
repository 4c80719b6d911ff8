package config

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/scan"
	"github.com/onestep-run/onestep/host/artifact"
	"github.com/onestep-run/onestep/host/session"
)

// field is a place in [Settings], and the values that it takes.
type field struct {
	takes string       // such as "true or false"
	toml  reflect.Type // of its values in a file
	set   func(text string, from Origin) bool
	show  func() []Value[any]

	in    *place   // for a path: the directory of its default
	words []string // values that are not paths, for a setting that takes a path
}

// isPath reports whether a text is the path of a file.
func (f field) isPath(text string) bool {
	return f.in != nil && text != "" && !slices.Contains(f.words, text)
}

// single is the field of one value, which is read and then checked against its bounds.
func single[T any](v *Value[T], takes string, toml reflect.Type, read func(string) (T, error), fits func(T) bool) field {
	set := func(text string, from Origin) bool {
		given, err := read(text)
		ok := err == nil && fits(given)
		if ok {
			*v = Value[T]{given, from}
		}
		return ok
	}
	show := func() []Value[any] {
		if d, ok := any(v.V).(time.Duration); ok {
			return []Value[any]{{d.String(), v.Origin}}
		}
		return []Value[any]{{v.V, v.Origin}}
	}
	return field{takes: takes, toml: toml, set: set, show: show}
}

func boolean(v *Value[bool]) field {
	return single(v, "true or false", aTruth, strconv.ParseBool, func(bool) bool { return true })
}

func whole(v *Value[int], least, most int) field {
	takes := fmt.Sprintf("a whole number from %d to %d", least, most)
	return single(v, takes, aNumber, strconv.Atoi, func(n int) bool { return least <= n && n <= most })
}

func duration(v *Value[time.Duration]) field {
	const takes = "a duration above zero with its unit, such as 30s or 5m"
	return single(v, takes, aText, time.ParseDuration, func(d time.Duration) bool { return d > 0 })
}

func text(v *Value[string], takes string, fits func(string) bool) field {
	return single(v, takes, aText, func(text string) (string, error) { return text, nil }, fits)
}

func anything(v *Value[string]) field {
	return text(v, "a text", func(string) bool { return true })
}

func choice(v *Value[string], values ...string) field {
	last := len(values) - 1
	takes := strings.Join(values[:last], ", ") + " or " + values[last]
	return text(v, takes, func(text string) bool { return slices.Contains(values, text) })
}

// classes is a list of classes of change; a variable has commas between them.
func classes(v *Value[[]string]) field {
	read := func(text string) ([]string, error) { return namesOf(text), nil }
	f := single(v, "a list of informational, cosmetic and safer", aList, read, func(all []string) bool {
		_, err := pin.ParseAccept(all)
		return err == nil
	})
	f.show = func() []Value[any] { return []Value[any]{{strings.Join(v.V, ", "), v.Origin}} }
	return f
}

// path takes the words too. A path in a file is relative to that file.
func path(v *Value[string], in *place, words ...string) field {
	f := text(v, "a path", func(text string) bool { return text != "" })
	f.in, f.words = in, words
	return f
}

// address is a URL. A password in it is never shown.
func address(v *Value[string]) field {
	f := text(v, "a URL", func(text string) bool { return text != "" })
	f.show = func() []Value[any] {
		u, err := url.Parse(v.V)
		if err != nil {
			return []Value[any]{{"(not a URL)", v.Origin}}
		}
		return []Value[any]{{u.Redacted(), v.Origin}}
	}
	return f
}

// paths takes one more path from each layer.
func paths(v *[]Value[string], in *place) field {
	var one Value[string]
	f := path(&one, in)
	read := f.set
	f.set = func(text string, from Origin) bool {
		ok := read(text, from)
		if ok {
			*v = append(*v, one)
		}
		return ok
	}
	f.show = func() (all []Value[any]) {
		for _, one := range *v {
			all = append(all, path(&one, in).show()...)
		}
		return all
	}
	return f
}

// ServerSettings are the settings of one server in a config.toml, under [server.NAME]. The
// general settings apply to the others.
type ServerSettings struct {
	StartTimeout Value[time.Duration] // 0 means the general setting
	CallTimeout  Value[time.Duration]
	CAFile       Value[string] // "" means the system's roots alone
	Proxy        Value[string] // "" means no proxy
	Suppress     Value[string] // rules of the scan, and a reason; may be ""
	HarmlessEnv  Value[string] // names of its variables that load no code; may be ""
}

// Apply gives a server its own settings.
func (o ServerSettings) Apply(to *session.Server) {
	to.StartTimeout, to.CallTimeout, to.CAFile, to.Proxy = o.StartTimeout.V, o.CallTimeout.V, o.CAFile.V, o.Proxy.V
}

var serverRows = []row[ServerSettings]{
	{key: "start_timeout", at: func(s *ServerSettings) field { return duration(&s.StartTimeout) }},
	{key: "call_timeout", at: func(s *ServerSettings) field { return duration(&s.CallTimeout) }},
	{key: "ca_file", at: func(s *ServerSettings) field { return path(&s.CAFile, inConfig) }},
	{key: "proxy", at: func(s *ServerSettings) field { return address(&s.Proxy) }},
	{key: "suppress", at: func(s *ServerSettings) field {
		return text(&s.Suppress, "rules that `ask guard list` does not call core, a colon and the reason", suppressible)
	}},
	{key: "harmless_env", at: func(s *ServerSettings) field {
		return text(&s.HarmlessEnv, "names of variables, with commas between, none of which is known to have a program load code", noneLoads)
	}},
}

// Harmless are the server's variables that the operator calls harmless.
func (o ServerSettings) Harmless() []string { return namesOf(o.HarmlessEnv.V) }

func noneLoads(text string) bool { return !slices.ContainsFunc(namesOf(text), artifact.LoadsCode) }

func namesOf(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
}

// The tables of a config.toml. A server and a scanner have a name.
const (
	serverTable   = "server"
	scannerTable  = "scanner"
	decisionTable = "decision"
)

// ScannerSettings are the settings of one scanner in a config.toml, under [scanner.NAME]. One
// of the first three is set, and determines its kind.
type ScannerSettings struct {
	Command Value[string] // a program and its arguments, with spaces between
	URL     Value[string]
	Model   Value[string]        // PROVIDER/MODEL
	Timeout Value[time.Duration] // 0 means 10 s
}

var scannerRows = []row[ScannerSettings]{
	{key: "command", at: func(s *ScannerSettings) field { return anything(&s.Command) }},
	{key: "url", at: func(s *ScannerSettings) field { return address(&s.URL) }},
	{key: "model", at: func(s *ScannerSettings) field { return anything(&s.Model) }},
	{key: "timeout", at: func(s *ScannerSettings) field { return duration(&s.Timeout) }},
}

// row is a setting of one server or of one scanner, in its own table.
type row[T any] struct {
	key string
	at  func(*T) field
}

// showIn lists the settings under each name.
func showIn[T any](of map[string]T, rows []row[T], what string) (all []Shown) {
	for _, name := range slices.Sorted(maps.Keys(of)) {
		one := of[name]
		for _, r := range rows {
			for _, v := range r.at(&one).show() {
				if v.Origin != (Origin{}) {
					all = append(all, Shown{what + "." + name + "." + r.key, v.V, v.Origin})
				}
			}
		}
	}
	return all
}

// GuardRules are the rules of the scan, without the rules that the tables of servers
// suppress.
func (s Settings) GuardRules() (scan.Rules, error) {
	var rules scan.Rules
	for _, server := range slices.Sorted(maps.Keys(s.Of)) {
		if text := s.Of[server].Suppress.V; text != "" {
			var err error
			if rules, err = suppress(rules, server, text); err != nil {
				return scan.Rules{}, err
			}
		}
	}
	return rules, nil
}

func suppressible(text string) bool {
	_, err := suppress(scan.Rules{}, "any", text)
	return err == nil
}

// suppress reads "RULE, RULE: REASON".
func suppress(rules scan.Rules, server, text string) (scan.Rules, error) {
	ids, reason, found := strings.Cut(text, ":")
	if !found {
		return scan.Rules{}, errors.New("there is no reason")
	}
	var all []scan.Suppression
	for id := range strings.SplitSeq(ids, ",") {
		all = append(all, scan.Suppression{Server: server, Rule: strings.TrimSpace(id), Reason: strings.TrimSpace(reason)})
	}
	return rules.Suppress(all...)
}
