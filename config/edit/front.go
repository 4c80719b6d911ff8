package edit

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/tailscale/hujson"
)

// PutFirst puts a value in front of the others in the array or object at a JSON Pointer. An object
// needs a name. It returns the text and the bytes that it put in: without them the text is as
// before.
func PutFirst(text []byte, pointer, name string, value jsontext.Value) (after []byte, put string, err error) {
	body := bytes.TrimPrefix(text, []byte("\ufeff"))
	root, err := hujson.Parse(LineEnded(body))
	if err != nil {
		return nil, "", err
	}
	in := root.Find(pointer)
	if in == nil {
		return nil, "", fmt.Errorf("nothing is at %q", pointer)
	}
	first := in.EndOffset - 1
	switch all := in.Value.(type) {
	case *hujson.Object:
		if len(all.Members) > 0 {
			first = all.Members[0].Name.StartOffset
		}
	case *hujson.Array:
		if len(all.Elements) > 0 {
			first = all.Elements[0].StartOffset
		}
	default:
		return nil, "", fmt.Errorf("neither an array nor an object is at %q", pointer)
	}
	at, put := inFront(body, in.StartOffset+1, first, first < in.EndOffset-1, name, value)
	at += len(text) - len(body)
	return slices.Concat(text[:at], []byte(put), text[at:]), put, nil
}

// inFront is a value in the layout of the brackets that it comes into, and its offset. The first
// of the others, or the closing bracket, is at first.
func inFront(body []byte, from, first int, others bool, name string, value jsontext.Value) (at int, put string) {
	lead, newline, unit := string(body[from:first]), Newline(body), unitOf(body)
	end := strings.IndexByte(lead, '\n')
	margin := lead[strings.LastIndexByte(lead, '\n')+1:]
	plain := strings.Trim(margin, " \t") == "" && !strings.Contains(lead, "/*")
	switch {
	case others && end >= 0 && plain: // on a line after that of the bracket
		return from + end + 1, margin + laidOut(name, value, margin, unit, newline) + "," + newline
	case others:
		return first, member(name, value) + ", "
	}
	row := body[1+bytes.LastIndexByte(body[:from], '\n') : from]
	margin = string(row[:len(row)-len(bytes.TrimLeft(row, " \t"))])
	put = newline + margin + unit + laidOut(name, value, margin+unit, unit, newline)
	if end < 0 {
		put += newline + margin
	}
	return from, put
}

// member is a member of an object, or an element of an array without a name.
func member(name string, value jsontext.Value) string {
	if name == "" {
		return string(value)
	}
	return string(Literal(name)) + ": " + string(value)
}

func laidOut(name string, value jsontext.Value, margin, unit, newline string) string {
	v := value.Clone()
	if v.Indent(jsontext.WithIndentPrefix(margin), jsontext.WithIndent(unit)) != nil {
		v = value
	}
	return strings.ReplaceAll(member(name, v), "\n", newline)
}

// unitOf is one level of the margin of a text.
func unitOf(body []byte) string {
	for line := range bytes.Lines(body) {
		margin := line[:len(line)-len(bytes.TrimLeft(line, " \t"))]
		if len(margin) > 0 && len(margin) <= 8 {
			return string(margin)
		}
	}
	return "  "
}

// Keep removes the elements of the array at a JSON Pointer that keep refuses, and returns the
// number of the others. Without an array it changes nothing.
func (t *JSON) Keep(pointer string, keep func(jsontext.Value) bool) (left int) {
	at := t.root.Find(pointer)
	if at == nil {
		return 0
	}
	all, is := at.Value.(*hujson.Array)
	if !is {
		return 0
	}
	for i := len(all.Elements) - 1; i >= 0; i-- {
		v := all.Elements[i].Clone()
		v.Standardize()
		if keep(v.Pack()) {
			continue
		}
		if i > 0 && i == len(all.Elements)-1 {
			all.Elements[i-1].AfterExtra = all.Elements[i].AfterExtra // the comma, if any
		}
		all.Elements = slices.Delete(all.Elements, i, i+1)
	}
	return len(all.Elements)
}
