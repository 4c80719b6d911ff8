package edit

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
	"go.yaml.in/yaml/v3"

	"github.com/onestep-run/onestep/gate/escape"
)

// SetTOML replaces a setting's value with the written one, or adds a line after the last
// setting outside of tables.
func SetTOML(text []byte, key, written string) []byte {
	var p unstable.Parser
	p.Reset(text)
	end := len(text) // of the settings outside of tables
	for p.NextExpression() {
		e := p.Expression()
		if e.Kind == unstable.Table {
			first := e.Key()
			first.Next()
			end = 1 + bytes.LastIndexByte(text[:first.Node().Raw.Offset], '\n')
			break
		}
		if e.Kind != unstable.KeyValue || !isKey(e, key) {
			continue
		}
		start, end := valueOf(text, e)
		return slices.Concat(text[:start], []byte(written), text[end:])
	}
	line := Newline(text)
	out := slices.Clone(text[:end])
	if len(out) > 0 && out[len(out)-1] != '\n' {
		out = append(out, line...)
	}
	return slices.Concat(out, []byte(key+" = "+written+line), text[end:])
}

// valueOf is the range of a value. For a list the parser reports only its line.
func valueOf(text []byte, e *unstable.Node) (start, end int) {
	if raw := e.Value().Raw; raw.Length > 0 {
		return int(raw.Offset), int(raw.Offset + raw.Length)
	}
	key := e.Key()
	key.Next()
	start = int(key.Node().Raw.Offset + key.Node().Raw.Length)
	start += 1 + bytes.IndexByte(text[start:], '=')
	start += len(text[start:]) - len(bytes.TrimLeft(text[start:], " \t"))
	return start, int(e.Raw.Offset + e.Raw.Length)
}

func isKey(e *unstable.Node, name string) bool {
	key := e.Key()
	return key.Next() && string(key.Node().Data) == name && !key.Next()
}

// TOMLEntry is the place of an entry's lines in a table, and the form of their keys.
type TOMLEntry struct {
	From, To int // the range in the text; 0, 0 if the lines are not adjacent

	in, name string
	keys     []string // the first keys of lines such as mcp_servers.NAME.command; nil for tables
	within   bool     // the entry is a member of an inline value
}

// TOMLEntryOf finds the lines of an entry. They are its tables, from the header of the first
// to the last value of the last, or the lines with its name in their keys.
func TOMLEntryOf(text []byte, in, name string) TOMLEntry {
	p := TOMLEntry{in: in, name: name}
	var parser unstable.Parser
	parser.Reset(text)
	var table []string
	from, to, inside, apart := -1, -1, false, false
	for parser.NextExpression() {
		e := parser.Expression()
		keys, at := tomlKeys(e, text)
		if e.Kind == unstable.Table || e.Kind == unstable.ArrayTable {
			table = keys
		} else {
			keys = append(slices.Clone(table), keys...)
		}
		is := len(keys) > 1 && keys[0] == in && keys[1] == name
		if dotted := is && len(table) < 2; dotted && p.keys == nil {
			p.keys, apart = keys[len(table):2], apart || from >= 0
		} else if is && !dotted && p.keys != nil {
			apart = true
		}
		switch {
		case is && from >= 0 && !inside:
			apart = true
		case is && from < 0:
			from = at
		case !is && inside:
			to = at
		}
		inside = is
	}
	if p.within = from < 0; p.within || apart || parser.Error() != nil {
		return p
	}
	if inside {
		to = len(text)
	}
	p.From, p.To = from, from+len(withoutEnd(text[from:to]))
	return p
}

// tomlKeys are the keys of a table's header or of a value, and the start of their line.
func tomlKeys(e *unstable.Node, text []byte) (keys []string, at int) {
	at = len(text)
	for k := e.Key(); k.Next(); {
		keys = append(keys, string(k.Node().Data))
		at = min(at, int(k.Node().Raw.Offset))
	}
	return keys, 1 + bytes.LastIndexByte(text[:at], '\n')
}

// withoutEnd is a text without its final empty lines, comments and end of line.
func withoutEnd(text []byte) []byte {
	for {
		cut := bytes.TrimRight(text, " \t\r\n")
		i := 1 + bytes.LastIndexByte(cut, '\n')
		if i == 0 || cut[i:][len(cut[i:])-len(bytes.TrimLeft(cut[i:], " \t"))] != '#' {
			return cut
		}
		text = cut[:i]
	}
}

// Text is the entry with other members, in the form of its lines. They are a table; lines
// that begin with its keys, so that they do not affect the lines below; or a member of a
// value.
func (p TOMLEntry) Text(members map[string]any, newline string) ([]byte, error) {
	var b bytes.Buffer
	var err error
	switch {
	case p.within:
		err = toml.NewEncoder(&b).SetTablesInline(true).Encode(map[string]any{p.name: members})
	case p.keys != nil:
		for _, key := range slices.Sorted(maps.Keys(members)) {
			b.WriteString(tomlPath(p.keys) + ".")
			err = cmp.Or(err, toml.NewEncoder(&b).SetTablesInline(true).Encode(map[string]any{key: members[key]}))
		}
	default:
		b.WriteString("[" + tomlPath([]string{p.in, p.name}) + "]\n")
		err = toml.NewEncoder(&b).SetTablesInline(true).Encode(members)
	}
	return bytes.ReplaceAll(bytes.TrimRight(b.Bytes(), "\n"), []byte("\n"), []byte(newline)), err
}

// tomlPath is a dotted key.
func tomlPath(keys []string) string {
	var all []string
	for _, key := range keys {
		if strings.Contains(key, ".") || !escape.Name(key) {
			b, _ := jsontext.AppendQuote(nil, key) // a basic string of TOML; the result is parsed again
			key = string(b)
		}
		all = append(all, key)
	}
	return strings.Join(all, ".")
}

// YAMLBlock is the range of the entry that begins on a line, if it is a block. A block is the
// lines with at least the entry's indentation.
func YAMLBlock(text []byte, line int) (from, to int) {
	var doc yaml.Node
	if yaml.Unmarshal(text, &doc) != nil {
		return 0, 0
	}
	n := blockAt(&doc, line)
	if n == nil {
		return 0, 0
	}
	at := 0
	for range n.Line - 1 {
		at += 1 + bytes.IndexByte(text[at:], '\n')
	}
	from = at + n.Column - 1
	to = from
	for first := true; at < len(text); first = false {
		end := len(text)
		if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		row := text[at:end]
		indent := len(row) - len(bytes.TrimLeft(row, " "))
		if blank := len(bytes.TrimSpace(row)) == 0; !first && !blank && indent < n.Column-1 {
			break
		} else if !blank {
			to = at + len(bytes.TrimRight(row, "\r\n"))
		}
		at = end
	}
	return from, to
}

// blockAt is the first mapping in block style that begins on a line.
func blockAt(n *yaml.Node, line int) *yaml.Node {
	begins := n.Kind == yaml.MappingNode && n.Line == line
	plain := n.Style&yaml.FlowStyle == 0 && n.Anchor == "" && n.Tag == "!!map"
	if begins && plain {
		return n
	}
	for _, c := range n.Content {
		if found := blockAt(c, line); found != nil {
			return found
		}
	}
	return nil
}
