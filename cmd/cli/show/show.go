// Package show writes a JSON value in a form for people. The form has aligned names
// and values, tables that fit a width, and wrapped text. On request it is YAML, or the
// output of a jq expression or a Go template.
//
// [Value] vouches that no part of the value reaches the reader unescaped: its strings
// and names go through gate/escape, so that a terminal meets no control sequence, and
// the digits of a number are those of the document. It does not vouch that all of the
// value is shown: omitted parts are counted at their place, and long cells of a table
// end in "…". It is for reading, and its form may change.
//
// A [Form] writes data unescaped. A caller that writes it to a terminal escapes it.
//
// The package is pure, except for the time and the memory that a Form is given.
// cmd/cli and cmd/ask call it.
package show

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/schema"
)

// Bounds of the output.
const (
	maxMembers = 200       // of one object
	maxItems   = 100       // of one list
	maxLines   = 2000      // in total
	maxBytes   = 256 << 10 // of all lines
	maxText    = 256 << 10 // bytes of one string
	maxDepth   = 6         // of nested objects and lists; deeper ones are compact JSON
	minWidth   = 20        // of the whole; a smaller width counts as this one
	minNested  = 12        // columns for a nested object or list; with fewer it is compact JSON
)

// Value shows a JSON value in lines no wider than width; a character of two columns
// counts as two. A string that is itself a JSON object or list is shown as that,
// because most servers answer so.
func Value(v jsontext.Value, width int) string {
	lines := value(opened(v), max(width, minWidth), 0)
	n := bounded(lines)
	return strings.Join(append(lines[:n], more(len(lines)-n, "lines")...), "\n")
}

func bounded(lines []string) int {
	left := maxBytes
	for n, line := range lines {
		if left -= len(line); n == maxLines || left < 0 {
			return n
		}
	}
	return len(lines)
}

// Line shows text in one line of at most width columns. Longer text ends in "…".
func Line(s string, width int) string { return cut(escape.Line(s, maxText), width) }

// opened returns the object or list in a string, or else the value.
func opened(v jsontext.Value) jsontext.Value {
	text, err := jsontext.AppendUnquote(nil, v)
	if err != nil || !nests(text) || schema.Check(text, schema.ResultLimits) != nil {
		return v
	}
	return text
}

func nests(v jsontext.Value) bool { return v.Kind() == '{' || v.Kind() == '[' }

func value(v jsontext.Value, width, depth int) []string {
	if depth < maxDepth && width >= minNested {
		if members, err := schema.Members(v); err == nil && len(members) > 0 {
			return object(members, width, depth)
		}
		if items, err := schema.Elements(v); err == nil && len(items) > 0 {
			return list(v, items, width, depth)
		}
	}
	return wrap(text(v), width)
}

// text returns a value as running text: the content of a string, and compact JSON for
// anything else.
func text(v jsontext.Value) string { return escape.Text(plainly(v), maxText) }

func line(v jsontext.Value) string { return escape.Line(plainly(v), maxText) }

func plainly(v jsontext.Value) string {
	if s, err := jsontext.AppendUnquote(nil, v); err == nil {
		return string(s)
	}
	return compact(v)
}

func compact(v jsontext.Value) string {
	short := v.Clone()
	if short.Compact() != nil {
		return string(v)
	}
	return string(escape.JSON(short))
}

// object shows names and values next to each other. A value that nests is below its
// name. So is the value of a name that takes half the width.
func object(members []schema.Member, width, depth int) []string {
	members, left := first(members, maxMembers)
	column := 0
	for _, m := range members {
		if inline(m, width) {
			column = max(column, columns(nameOf(m)))
		}
	}
	var lines []string
	for _, m := range members {
		if inline(m, width) {
			lines = append(lines, hang(pad(nameOf(m), column)+"  ", wrap(text(m.Value), width-column-2))...)
			continue
		}
		lines = append(lines, wrap(nameOf(m), width)...)
		lines = append(lines, hang("  ", value(m.Value, width-2, depth+1))...)
	}
	return append(lines, more(left, "members")...)
}

func nameOf(m schema.Member) string { return escape.Line(m.Name, maxText) }

// inline reports whether a member's value is next to its name.
func inline(m schema.Member, width int) bool {
	return columns(nameOf(m)) <= width/2 && (!nests(m.Value) || empty(m.Value))
}

func empty(v jsontext.Value) bool { return len(compact(v)) == len("{}") }

// list shows similar objects as a table, or one after the other if the table would be
// too narrow. It shows scalars line by line, and anything else as JSON.
func list(v jsontext.Value, items []schema.Member, width, depth int) []string {
	shown, left := first(items, maxItems)
	if names := alike(items); names != nil {
		if lines := records(names, shown, width); lines != nil {
			return append(lines, more(left, "rows")...)
		}
	} else if slices.ContainsFunc(items, func(m schema.Member) bool { return nests(m.Value) }) {
		return indented(v, width)
	}
	var lines []string
	for _, m := range shown {
		lines = append(lines, hang("- ", value(m.Value, width-2, depth+1))...)
	}
	return append(lines, more(left, "items")...)
}

// alike returns the names in a list of objects that each have most of them, or nil for
// any other list.
func alike(items []schema.Member) []string {
	var names []string
	least := -1
	seen := map[string]bool{}
	for _, item := range items {
		members, err := schema.Members(item.Value)
		if err != nil || len(members) == 0 {
			return nil
		}
		if least < 0 || len(members) < least {
			least = len(members)
		}
		for _, m := range members {
			if !seen[m.Name] {
				seen[m.Name] = true
				names = append(names, m.Name)
			}
		}
	}
	if 2*least < len(names) {
		return nil
	}
	return names
}

// records returns the table of similar objects, or nil if the width has no room for
// it.
func records(names []string, items []schema.Member, width int) []string {
	if (1+gap)*len(names) > width {
		return nil
	}
	heads := make([]string, len(names))
	for i, name := range names {
		heads[i] = escape.Line(name, maxText)
	}
	rows := [][]string{heads}
	for _, item := range items {
		members, err := schema.Members(item.Value)
		if err != nil {
			return nil
		}
		row := make([]string, len(names))
		for _, m := range members {
			row[slices.Index(names, m.Name)] = line(m.Value)
		}
		rows = append(rows, row)
	}
	return table(rows, width)
}

func indented(v jsontext.Value, width int) []string {
	wide := v.Clone()
	if err := wide.Indent(jsontext.WithIndent("  ")); err != nil {
		wide = v
	}
	return wrap(escape.Text(string(escape.JSON(wide)), maxText), width)
}

func first(all []schema.Member, most int) (some []schema.Member, left int) {
	n := min(len(all), most)
	return all[:n], len(all) - n
}

func more(left int, what string) []string {
	if left == 0 {
		return nil
	}
	return []string{fmt.Sprintf("… %d more %s (--json has all)", left, what)}
}
