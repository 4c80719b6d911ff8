package config

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/tailscale/hujson"
	"go.yaml.in/yaml/v3"

	"github.com/onestep-run/onestep/config/edit"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/schema"
)

// asJSON turns a servers file into JSON, by its extension. Everything stays on its line.
func asJSON(path string, b []byte) ([]byte, error) {
	b = bytes.TrimPrefix(b, []byte("\ufeff"))
	if err := bracketed(b); err != nil {
		return nil, err
	}
	switch strings.ToLower(filepath.Ext(path)) {
	case ".toml":
		return fromTOML(b)
	case ".yaml", ".yml":
		return fromYAML(b)
	}
	b, err := hujson.Standardize(edit.LineEnded(b)) // comments and last commas become white space
	return bytes.TrimSuffix(b, []byte("\n")), err
}

// bracketed bounds the recursion of parsers.
func bracketed(b []byte) error {
	if bytes.Count(b, []byte("["))+bytes.Count(b, []byte("{")) > maxNested {
		return errors.New("too many brackets")
	}
	return nil
}

// Bounds of the text that is read, besides those of [schema.Limits].
const (
	maxNested = 100_000
	maxLevels = 32
)

// lined writes JSON, and counts its lines.
type lined struct {
	bytes.Buffer
	line int
}

// to writes line ends up to a line, unless that is past.
func (l *lined) to(line int) {
	for l.line < line {
		l.WriteByte('\n')
		l.line++
	}
}

func (l *lined) text(s string) {
	b, _ := jsontext.AppendQuote(nil, s) // invalid UTF-8 is refused later, as U+FFFD is not
	l.Write(b)
}

// fromYAML keeps repeated names, so that they are refused like those of JSON.
func fromYAML(b []byte) ([]byte, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(b, &doc); err != nil {
		return nil, err
	}
	l := &lined{line: 1}
	err := l.yaml(&doc, 0)
	return l.Bytes(), err
}

func (l *lined) yaml(n *yaml.Node, level int) error {
	l.to(n.Line)
	switch {
	case level > maxLevels, l.Len() > edit.MaxFile: // an alias may refer to a node around it, or be used without end
		return errors.New("aliases or values within values that have no end")
	case n.Kind == yaml.DocumentNode:
		return l.yaml(n.Content[0], level+1)
	case n.Kind == yaml.AliasNode:
		return l.yaml(n.Alias, level+1)
	case n.Kind == yaml.SequenceNode:
		return l.yamlList(n, level)
	case n.Kind == yaml.MappingNode:
		return l.yamlTable(n, level)
	case n.Kind != yaml.ScalarNode:
		return errors.New("no document")
	}
	l.scalar(n)
	return nil
}

func (l *lined) yamlList(n *yaml.Node, level int) error {
	l.WriteByte('[')
	for i, one := range n.Content {
		if i > 0 {
			l.WriteByte(',')
		}
		if err := l.yaml(one, level+1); err != nil {
			return err
		}
	}
	l.WriteByte(']')
	return nil
}

func (l *lined) yamlTable(n *yaml.Node, level int) error {
	l.WriteByte('{')
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Kind != yaml.ScalarNode || key.Tag == "!!merge" {
			return fmt.Errorf("line %d: a name that is not a plain text", key.Line)
		}
		if i > 0 {
			l.WriteByte(',')
		}
		l.to(key.Line)
		l.text(key.Value)
		l.WriteByte(':')
		if err := l.yaml(n.Content[i+1], level+1); err != nil {
			return err
		}
	}
	l.WriteByte('}')
	return nil
}

// scalar writes a value as YAML 1.2 reads it: a boolean, null, a number, or else a text.
func (l *lined) scalar(n *yaml.Node) {
	switch number := jsontext.Value(n.Value); {
	case n.Tag == "!!null":
		l.WriteString("null")
	case n.Tag == "!!bool":
		l.WriteString(strings.ToLower(n.Value))
	case n.Tag != "!!str" && number.IsValid() && number.Kind() == '0':
		l.Write(number)
	default:
		l.text(n.Value)
	}
}

// holders are the members that contain servers, in most clients, VS Code, Zed, Codex, Goose
// and opencode. The first that exists counts.
var holders = []string{"mcpServers", "servers", "context_servers", "mcp_servers", "extensions", openCode}

// openCode is the member that contains opencode's servers. VS Code's settings have a member
// of the same name, which contains "servers".
const openCode = "mcp"

// document is a servers file, or the part of a client's settings that contains servers.
type document struct {
	openCode bool // a file of opencode, by its name

	text   []byte
	held   map[string][]held
	inputs map[string]Input // by their names
}

// held is a server of a file.
type held struct {
	name  string
	title string // as its own client shows it
	line  int
	at    int // the byte offset of the value in the text
	value jsontext.Value
}

// read finds the servers. The text is strict JSON and bounded: the caller has checked that.
func (d *document) read(text []byte) error {
	d.text = text
	return d.object(text, 0)
}

// object reads an object at a byte offset of the text.
func (d *document) object(raw jsontext.Value, at int) error {
	members, err := schema.Members(raw)
	if err != nil {
		return errors.New("it is not an object")
	}
	for _, m := range members {
		switch {
		case m.Name == "inputs":
			d.describe(m.Value)
		case m.Name == openCode && m.Value.Kind() == '{' && !d.openCode: // VS Code's settings
			err = d.object(m.Value, at+m.At)
		case slices.Contains(holders, m.Name) && (m.Name == openCode) == d.openCode:
			d.hold(m, at)
		}
	}
	return err
}

// hold reads a table of servers by name, or Continue's list of servers, each with its name.
func (d *document) hold(m schema.Member, at int) {
	servers, err := schema.Members(m.Value)
	if err != nil {
		servers, err = schema.Elements(m.Value)
	}
	if err != nil {
		return
	}
	d.held[m.Name] = []held{}
	for _, s := range servers {
		from := at + m.At + s.At
		h := held{s.Name, s.Name, 1 + bytes.Count(d.text[:from], []byte("\n")), from, s.Value}
		if m.Value.Kind() == '[' {
			h.title = title(s.Value)
			h.name = named(h.title)
		}
		d.held[m.Name] = append(d.held[m.Name], h)
	}
}

// title is the name that a server of a list gives itself, for display.
func title(v jsontext.Value) string {
	var self struct {
		Name string `json:"name"`
	}
	if err := schema.DecodeOpen(v, &self, serversLimits); err != nil {
		return ""
	}
	return self.Name
}

// named is the name under which an entry is stored.
func named(title string) string {
	if title == "" {
		return ""
	}
	return ServerName(title)
}

// describe keeps the inputs for which a user can be asked. An entry that names another input
// is left out.
func (d *document) describe(list jsontext.Value) {
	all, _ := schema.Elements(list) // empty if it is not a list
	for _, e := range all {
		var i Input
		if err := schema.DecodeOpen(e.Value, &i, serversLimits); err == nil && i.asks() {
			d.inputs[i.ID] = i
		}
	}
}

// asks reports whether a user can be asked for the input.
func (i Input) asks() bool {
	return i.Type == "promptString" || i.Type == "pickString" && len(i.Options) > 0
}

// envOf is opencode's reference to a variable.
var envOf = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{env:([A-Za-z_][A-Za-z0-9_]*)\}`) })

// fromOpenCode gives an entry of opencode the form of most clients. Unknown parts stay, and
// are refused when the entry is read. "{file:…}" is refused too: it becomes an invalid
// reference.
func fromOpenCode(raw jsontext.Value) jsontext.Value {
	members, err := schema.Members(raw)
	if err != nil {
		return raw
	}
	out := edit.Object{}
	for _, m := range members {
		words, isList := schema.Elements(m.Value)
		switch text := string(m.Value); {
		case m.Name == "command" && isList == nil && len(words) > 0:
			args := []jsontext.Value{}
			for _, w := range words[1:] {
				args = append(args, w.Value)
			}
			out = out.And("command", words[0].Value).And("args", args)
			continue
		case m.Name == "environment":
			m.Name = "env"
		case m.Name == "type" && text == `"local"`:
			m.Value = jsontext.Value(`"stdio"`)
		case m.Name == "type" && text == `"remote"`:
			m.Value = jsontext.Value(`"http"`)
		}
		out = out.And(m.Name, m.Value)
	}
	text := envOf().ReplaceAllString(string(out.JSON()), "$${$1}")
	return jsontext.Value(strings.ReplaceAll(text, "{file:", "${file:"))
}

// longestMade is the maximum length of a name that is made from another.
const longestMade = 64

// ServerName is the name here of another client's server. An unfit name keeps its fit
// characters, with "-" in the gaps. A name without any fit character becomes a digest.
func ServerName(key string) string {
	if escape.Name(key) && !strings.HasPrefix(key, "-") { // such a name would be an option of ask wrap
		return key
	}
	parts := strings.FieldsFunc(key, func(r rune) bool { return r >= 0x80 || !escape.Name(string(r)) })
	name := strings.Join(parts, "-")
	name = strings.Trim(name[:min(len(name), longestMade)], "-.")
	if name != "" {
		return name
	}
	sum := sha256.Sum256([]byte(key))
	return "server-" + hex.EncodeToString(sum[:4])
}
