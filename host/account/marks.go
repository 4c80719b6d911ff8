package account

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/intent"
	"github.com/onestep-run/onestep/gate/origin"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/trace"
)

// maxValue bounds one displayed value, so that a long one cannot hide another.
const maxValue = 160

// Arguments returns the arguments of a call, each with the user's words for it.
func Arguments(i *host.Intent) (all []string) {
	for _, l := range i.Leaves {
		if !l.Name {
			all = append(all, argument(l))
		}
	}
	return all
}

// argument returns one argument with the user's own spelling, if that differs.
func argument(l intent.Leaf) string {
	return Position(l.Pointer) + ": " + quoted(l) + Written(l)
}

// Written returns the user's words for a value, with the word before them: it shows a
// swap or a negation. A long text is not repeated.
func Written(l intent.Leaf) string {
	if l.Span == nil || l.Origin == intent.Context {
		return ""
	}
	text := l.Span.Text
	if l.Before == "" && text == l.Value {
		return ""
	}
	if text == l.Value && len(text) > maxAgain {
		text = "…"
	}
	return " — you wrote " + quote(strings.TrimSpace(l.Before+" "+text))
}

// Asker describes the client that asked, as the client describes itself, and the
// conversation. It returns pairs of a name and a value.
func Asker(f *trace.FactsBody) (rows [][2]string) {
	if f == nil {
		return nil
	}
	if f.Client != "" {
		rows = append(rows, [2]string{"client", strings.TrimSpace(f.Client+" "+f.ClientVersion) + " (as it says)"})
	}
	if f.Conversation != "" {
		rows = append(rows, [2]string{"conversation", f.Conversation})
	}
	return rows
}

// Source describes the source of an argument in the conversation of a client, "" if no hook
// informs. It is a claim: any program of the user can start the hook.
func Source(all []trace.OriginBody, pointer string) string {
	i := slices.IndexFunc(all, func(b trace.OriginBody) bool { return b.Pointer == pointer })
	if i < 0 {
		return ""
	}
	b := all[i]
	from := ""
	switch {
	case b.Message > 0:
		from = fmt.Sprintf("your client says you said it, message %d", b.Message)
		if b.How != "typed" {
			from = fmt.Sprintf("your client says it was in message %d (%s)", b.Message, escape.Line(b.How, maxValue))
		}
		if b.Words != "" {
			from += ": " + quote(b.Words)
		}
	case b.Result > 0:
		from = "from the result of " + escape.Line(b.Server+"/"+b.Tool, maxValue) + ", run " + escape.Line(b.Run, maxValue)
		if b.At != "" {
			from += ", at " + escape.Line(b.At, maxValue)
		}
	}
	text := map[string]string{
		origin.Stated: from, origin.Result: from, origin.Derived: "derived (" + escape.Line(b.By, maxValue) + "), " + from,
		origin.Default: "the tool's default", origin.Enum: "one of the tool's values", origin.None: "no known source",
	}[b.Origin]
	if text == "" {
		text = "not known"
	}
	if a := b.Also; a != nil {
		text += "; also in a sentence of the result of " + escape.Line(a.Server+"/"+a.Tool, maxValue)
	}
	if b.Marked {
		text = "CHECK: " + text
	}
	return text
}

// Removed says which argument was removed from a client's call, or "".
func Removed(r *trace.RemovedBody) string {
	if r == nil {
		return ""
	}
	return fmt.Sprintf("%s = %t, which %s adds to every tool (as it names itself) and this tool does not accept; the call leaves without it", r.Argument, r.Value, r.Client)
}

// maxAgain is the length of the longest value that is repeated.
const maxAgain = 60

// Origin describes the source of a value, and any doubt about it.
func Origin(l intent.Leaf) string {
	text := l.Origin.String()
	if l.Origin == intent.Client {
		text = "written by the client's model"
	}
	if l.Origin == intent.Operator {
		text = "written by the person who was asked"
	}
	if l.Origin == intent.Derived {
		text += ": " + escape.Line(l.By, maxValue)
	}
	if l.Repeated {
		text += ", repeated"
	}
	if l.Differs != "" {
		text += ", differs: " + differs(l)
	}
	return text
}

// differs returns the question's words in place of a value.
func differs(l intent.Leaf) string {
	if l.By == "order" {
		return "no word before it says whether it is this or " + escape.Line(l.Differs, maxValue)
	}
	if l.Source == nil {
		return "you wrote " + quote(l.Differs) + " before it"
	}
	return quote(l.Source.Text) + " is " + escape.Line(l.Differs, maxValue)
}

// Position is the place of an argument. It quotes a name that is not plain, which could
// be mistaken for a value.
func Position(pointer string) string {
	path := strings.TrimPrefix(pointer, "/")
	for name := range strings.SplitSeq(path, "/") {
		if !escape.Name(name) {
			return escape.Line(escape.Spelled(path), maxValue)
		}
	}
	return path
}

// Files describes the server's access beyond the paths that arguments show. A link leads
// to another file, and a scope may cover a whole directory.
func Files(r gate.Record) (lines []string) {
	shown := map[string]string{}
	for l := range schema.Leaves(r.Args) {
		if !l.Name {
			shown[l.Pointer()] = l.Text
		}
	}
	for _, f := range r.Files {
		may := f.Permission[strings.LastIndexByte(f.Permission, '.')+1:]
		switch {
		case f.Siblings:
			lines = append(lines, Position(f.Pointer)+": the server may "+may+" everything in "+strconv.Quote(f.Path))
		case f.Path != shown[f.Pointer]:
			lines = append(lines, Position(f.Pointer)+": the server may "+may+" "+strconv.Quote(f.Path)+", where that path leads")
		}
	}
	return lines
}

// quoted returns a value in JSON; a leaf contains a decoded string.
func quoted(l intent.Leaf) string {
	if l.Literal {
		return escape.Line(l.Value, maxValue)
	}
	return quote(l.Value)
}

// quote returns untrusted text in quotes, cut.
func quote(s string) string { return escape.Line(strconv.Quote(s), maxValue) }

// Marks lists what cannot be derived from the question, one a line.
func Marks(i *host.Intent) []string {
	var all []string
	for _, u := range i.Unused {
		if !u.Aside {
			all = append(all, "not used: "+quote(u.Text))
		}
	}
	for _, l := range i.Marks(i.Effect == "read") {
		all = append(all, mark(l))
	}
	if s := i.NotAsked; s != nil {
		all = append(all, NotAsked(s))
	}
	return all
}

// NotAsked says why a question does not plainly ask for the change.
func NotAsked(s *intent.Sign) string {
	return "not plainly asked (" + escape.Line(s.Kind, maxValue) + "): " + quote(s.Text)
}

func mark(l intent.Leaf) string {
	value := Position(l.Pointer) + " " + quoted(l)
	switch {
	case l.Name:
		return "not in your words: the name " + escape.Line(escape.Spelled(l.Value), maxValue)
	case l.Differs != "":
		return "differs: " + value + ", where " + differs(l)
	case l.Repeated:
		return "written once, sent twice: " + value
	case l.Origin == intent.Part:
		return "part of " + quote(l.Span.Text) + ": " + quoted(l)
	case l.Origin == intent.Context:
		return "from the context: " + value
	case l.Origin == intent.Respelled:
		return "respelled: " + value + ", where you wrote " + quote(l.Span.Text)
	}
	return "not in your words: " + value
}
