package config

import (
	"bytes"

	"github.com/pelletier/go-toml/v2/unstable"
	"go.yaml.in/yaml/v3"
)

// tomlSpan is where the tables of a server are, from the first one's header to the
// end of the last one's last value. There is none where they are not next to each
// other, or where the server is a value of another table.
func tomlSpan(text []byte, name string) (from, to int) {
	var p unstable.Parser
	p.Reset(text)
	from, to = -1, -1
	inside, others := false, false
	for p.NextExpression() {
		e := p.Expression()
		if e.Kind != unstable.Table && e.Kind != unstable.ArrayTable {
			others = others || !inside && from >= 0
			continue
		}
		var keys []string
		at := len(text)
		for k := e.Key(); k.Next(); {
			keys = append(keys, string(k.Node().Data))
			at = min(at, int(k.Node().Raw.Offset))
		}
		at = 1 + bytes.LastIndexByte(text[:at], '\n')
		is := len(keys) > 1 && keys[0] == "mcp_servers" && keys[1] == name
		switch {
		case is && from >= 0 && !inside:
			return 0, 0
		case is && from < 0:
			from = at
		case !is && inside:
			to = at
		}
		inside = is
	}
	if from < 0 || p.Error() != nil {
		return 0, 0
	}
	if inside {
		to = len(text)
	}
	return from, from + len(withoutEnd(text[from:to]))
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
	if n.Kind == yaml.MappingNode && n.Line == line && n.Style&yaml.FlowStyle == 0 && n.Anchor == "" && n.Tag == "!!map" {
		return n
	}
	for _, c := range n.Content {
		if found := blockAt(c, line); found != nil {
			return found
		}
	}
	return nil
}
