package edit

import (
	"bytes"

	"go.yaml.in/yaml/v3"
)

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
