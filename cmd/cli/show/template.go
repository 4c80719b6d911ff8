package show

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"text/template"
	"text/template/parse"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/schema"
)

// Limits bound the time and memory of an expression or a template. Neither can be
// interrupted at every point, so a watcher runs next to it. Beyond a limit it is
// abandoned with an error, and the process should end.
type Limits struct {
	Time   time.Duration // without the time of a slow reader
	Memory uint64        // bytes, in addition to the process's memory so far
}

// maxMade bounds the output, in bytes. The longest document with a result of the
// default size fits, even with every byte escaped.
const maxMade = 64 << 20

// watchEvery is how often memory and time are checked: a text that doubles is stopped
// a few doublings after the limit.
const watchEvery = 5 * time.Millisecond

// run runs write within the limits.
func (l Limits) run(ctx context.Context, w io.Writer, write func(context.Context, io.Writer) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	out := &output{to: reader{Writer: w}}
	out.buffered = bufio.NewWriterSize(&out.to, 32<<10)
	done := make(chan error, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				done <- fmt.Errorf("a panic: %.300v", p)
			}
		}()
		done <- write(ctx, out)
	}()
	var err error
	select {
	case err = <-done:
	case err = <-l.watch(ctx, out):
	}
	return errors.Join(err, out.end())
}

// watch reports the limit that was passed, or the end of the context. It ends with the
// context.
func (l Limits) watch(ctx context.Context, out *output) <-chan error {
	passed := make(chan error, 1)
	go func() {
		tick := time.NewTicker(watchEvery)
		defer tick.Stop()
		var used time.Duration
		for before, last := held(), time.Now(); ; {
			select {
			case <-ctx.Done():
				passed <- context.Cause(ctx)
				return
			case <-tick.C:
			}
			now := time.Now()
			if !out.to.busy.Load() {
				used += now.Sub(last)
			}
			last = now
			switch {
			case used > l.Time:
				passed <- fmt.Errorf("it takes longer than %v", l.Time)
				return
			case l.full(before):
				passed <- fmt.Errorf("it takes more than %d MiB of memory", l.Memory>>20)
				return
			}
		}
	}()
	return passed
}

// full reports whether the memory is used up. Up to twice the limit it first collects
// garbage, and does not count it. That takes a while, in which a text may double.
func (l Limits) full(before uint64) bool {
	switch now := held(); {
	case now <= before+l.Memory:
		return false
	case now > before+2*l.Memory:
		return true
	}
	runtime.GC()
	return held() > before+l.Memory
}

// held returns how many bytes the process uses.
func held() uint64 {
	var m runtime.MemStats // runtime/metrics takes part of every start
	runtime.ReadMemStats(&m)
	return m.HeapAlloc + m.StackInuse
}

// output accepts at most maxMade bytes, and no bytes after its end.
type output struct {
	to reader

	mu       sync.Mutex
	made     int
	buffered *bufio.Writer // saves a system call for each word of a template
	err      error
}

// reader gets the output; it may be slow.
type reader struct {
	io.Writer
	busy atomic.Bool
}

func (r *reader) Write(b []byte) (int, error) {
	r.busy.Store(true)
	defer r.busy.Store(false)
	return r.Writer.Write(b)
}

func (o *output) Write(b []byte) (n int, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.made += len(b); o.err == nil && o.made > maxMade {
		o.err = fmt.Errorf("it writes more than %d MiB", maxMade>>20)
	}
	if o.err != nil {
		return 0, o.err
	}
	n, o.err = o.buffered.Write(b)
	return n, o.err
}

// end writes the rest of the buffer, and makes every later write fail.
func (o *output) end() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	failed, err := o.err != nil, o.buffered.Flush()
	if o.err = errors.New("it is over"); failed {
		return nil
	}
	return err
}

// Template is the [Form] that a Go template makes. It has the functions of gh that
// need no colour: join, pluck, tablerow and tablerender, timeago, timefmt, truncate. A
// table fits the width, or has tabs between its cells if the width is 0.
func Template(text string, width int, now func() time.Time, limits Limits) (Form, error) {
	t, err := template.New("template").Funcs(functions(&rows{}, now)).Parse(text)
	if err != nil {
		return nil, err
	}
	written := templatePaths(t.Tree)
	for _, one := range t.Templates() {
		interrupted(one.Root)
	}
	return func(ctx context.Context, w io.Writer, document jsontext.Value) (string, error) {
		v, err := schema.Any(document)
		if err != nil {
			return "", err
		}
		missing := absent(v, written)
		return missing, limits.run(ctx, w, func(ctx context.Context, w io.Writer) error {
			r := &rows{width: width}
			ends := template.FuncMap{interruption: func() (string, error) { return "", context.Cause(ctx) }}
			if err := template.Must(t.Clone()).Funcs(functions(r, now)).Funcs(ends).Execute(w, counted(v)); err != nil {
				return err
			}
			_, err = io.WriteString(w, r.render())
			return err
		})
	}, nil
}

// interruption is a function that each round of a range calls. A range may write
// nothing and checks no context. The function is defined after a template was parsed,
// so that no template can name it.
const interruption = "interruption"

// interrupted makes every range below a node end with its context.
func interrupted(n parse.Node) {
	switch n := n.(type) {
	case *parse.ListNode:
		if n == nil {
			return
		}
		for _, inner := range n.Nodes {
			interrupted(inner)
		}
	case *parse.IfNode:
		interrupted(n.List)
		interrupted(n.ElseList)
	case *parse.WithNode:
		interrupted(n.List)
		interrupted(n.ElseList)
	case *parse.RangeNode:
		interrupted(n.List)
		interrupted(n.ElseList)
		call := &parse.CommandNode{NodeType: parse.NodeCommand, Pos: n.Pos, Args: []parse.Node{parse.NewIdentifier(interruption).SetPos(n.Pos)}}
		pipe := &parse.PipeNode{NodeType: parse.NodePipe, Pos: n.Pos, Line: n.Line, Cmds: []*parse.CommandNode{call}}
		n.List.Nodes = slices.Insert(n.List.Nodes, 0, parse.Node(&parse.ActionNode{NodeType: parse.NodeAction, Pos: n.Pos, Line: n.Line, Pipe: pipe}))
	}
}

func functions(r *rows, now func() time.Time) template.FuncMap {
	return template.FuncMap{
		"join":        join,
		"pluck":       pluck,
		"tablerow":    r.add,
		"tablerender": r.render,
		"timeago":     func(stamp string) (string, error) { return ago(stamp, now()) },
		"timefmt":     timefmt,
		"truncate":    func(to int, v any) string { return cut(printed(v), max(to, 1)) },
	}
}

// literal is a number with its digits: a json.Number.
type literal interface {
	fmt.Stringer
	Float64() (float64, error)
}

// counted turns each number in v into a number that a template can compare, if it
// loses no digit. Otherwise the literal stays.
func counted(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name := range v {
			v[name] = counted(v[name])
		}
	case []any:
		for i := range v {
			v[i] = counted(v[i])
		}
	case literal:
		if n, err := strconv.Atoi(v.String()); err == nil {
			return n
		}
		if f, err := v.Float64(); err == nil && fmt.Sprint(f) == v.String() {
			return f
		}
	}
	return v
}

// printed returns a value as a template prints it; null is empty.
func printed(v any) string {
	if v == nil {
		return ""
	}
	return fmt.Sprint(v)
}

func join(separator string, list []any) string {
	all := make([]string, len(list))
	for i, v := range list {
		all[i] = printed(v)
	}
	return strings.Join(all, separator)
}

// pluck returns one member of each object in a list.
func pluck(name string, list []any) ([]any, error) {
	all := make([]any, len(list))
	for i, v := range list {
		object, is := v.(map[string]any)
		if !is {
			return nil, fmt.Errorf("pluck %q: item %d is not an object", name, i)
		}
		all[i] = object[name]
	}
	return all, nil
}

// rows are the rows of a table before it is printed.
type rows struct {
	width int
	all   [][]string
}

// add adds a row and prints nothing.
func (r *rows) add(cells ...any) string {
	row := make([]string, len(cells))
	for i, v := range cells {
		row[i] = escape.Line(printed(v), maxText)
	}
	r.all = append(r.all, row)
	return ""
}

func (r *rows) render() string {
	all := r.all
	r.all = nil
	lines := make([]string, len(all))
	for i, row := range all {
		lines[i] = strings.Join(row, "\t")
	}
	if even(all) == 0 {
		return ""
	}
	if r.width > 0 {
		if lines = table(all, r.width); lines == nil {
			lines = table(clipped(all, r.width), math.MaxInt)
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

// clipped returns the rows with cells no wider than width. The table gives each cell
// only that much room, even if the longest needs more.
func clipped(all [][]string, width int) [][]string {
	for _, row := range all {
		for i := range row {
			row[i] = cut(row[i], width)
		}
	}
	return all
}

func timefmt(layout, stamp string) (string, error) {
	t, err := time.Parse(time.RFC3339, stamp)
	if err != nil {
		return "", err
	}
	return t.Format(layout), nil
}

// ago returns how long before now a time was, in the largest whole unit.
func ago(stamp string, now time.Time) (string, error) {
	t, err := time.Parse(time.RFC3339, stamp)
	if err != nil {
		return "", err
	}
	const day = 24 * time.Hour
	past := now.Sub(t)
	for _, unit := range []struct {
		name string
		of   time.Duration
	}{{"year", 365 * day}, {"month", 30 * day}, {"day", day}, {"hour", time.Hour}, {"minute", time.Minute}} {
		switch n := int(past / unit.of); {
		case n == 1:
			return "about 1 " + unit.name + " ago", nil
		case n > 1:
			return fmt.Sprintf("about %d %ss ago", n, unit.name), nil
		}
	}
	return "less than a minute ago", nil
}
