package config

import (
	"bytes"
	"slices"

	"github.com/pelletier/go-toml/v2/unstable"
	"go.yaml.in/yaml/v3"
)

// tomlPlace is where the lines of a server are, and how they name it.
type tomlPlace struct {
	from, to int      // of the text; 0, 0 where the lines are not next to each other
	keys     []string // that each line begins with, of lines such as mcp_servers.NAME.command; nil of tables
	within   bool     // the server is a member of a value that holds others
}

// tomlAt finds the lines of a server: its tables, from the first one's header to the
// end of the last one's last value, or the lines whose keys name it.
func tomlAt(text []byte, name string) (p tomlPlace) {
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
		is := len(keys) > 1 && keys[0] == tomlServers && keys[1] == name
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
	p.from, p.to = from, from+len(withoutEnd(text[from:to]))
	return p
}

const tomlServers = "mcp_servers"

// tomlKeys are the keys of a table's header or of a value, and where their line begins.
func tomlKeys(e *unstable.Node, text []byte) (keys []string, at int) {
	at = len(text)
	for k := e.Key(); k.Next(); {
		keys = append(keys, string(k.Node().Data))
		at = min(at, int(k.Node().Raw.Offset))
	}
	return keys, 1 + bytes.LastIndexByte(text[:at], '\n')
}

// withoutEnd is a text without the empty lines and the comments at its end, and
// without its last end of line.
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

// yamlSpan is where the entry is that begins on a line, where it is a block: the
// lines that are indented as far as it is, or further.
func yamlSpan(text []byte, line int) (from, to int) {
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
