package session

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"slices"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// maxCursor bounds a cursor, which is sent back to ask for the next page.
const maxCursor = 4 << 10

// list asks for all tools, page by page. One bad page makes the listing bad: half a
// listing could hide that a tool appears twice.
func (c *conn) list(ctx context.Context) (*listing, error) {
	ctx, done := within(ctx, c.patience())
	defer done()
	was, now := c.judged.Load(), &listing{}
	total, tools, seen := 0, 0, map[string]bool{}
	for cursor := ""; ; {
		before := was.page(len(now.pages))
		a, err := c.page(ctx, cursor, before)
		if err != nil {
			return nil, err
		}
		if total += len(a.result); total > c.limits.MaxMessage {
			return nil, c.fault(verdict.ServerTooLarge, errTooLarge, "it lists more than %d bytes of tools (%s)", c.limits.MaxMessage, settingMessage)
		}
		page, err := c.judge(a, before)
		if err != nil {
			return nil, err
		}
		now.pages = append(now.pages, page)
		if tools += len(page.tools); tools > c.limits.MaxTools {
			f := c.fault(verdict.ServerTooLarge, nil, "it lists more than %d tools", c.limits.MaxTools)
			return nil, f.WithHint("no setting takes more: have the server list fewer, as many can with an option of theirs, or split it into several")
		}
		seen[cursor] = true
		switch next := page.next; {
		case next == "":
			return c.remember(was, now), nil
		case len(next) > maxCursor:
			return nil, c.fault(verdict.ServerTooLarge, nil, "it sends a cursor of more than %d bytes", maxCursor)
		case seen[next]:
			return nil, c.fault(verdict.ServerProtocol, nil, "it repeats a cursor, so that its listing has no end")
		case len(seen) >= c.limits.MaxPages:
			return nil, c.fault(verdict.ServerTooLarge, nil, "it lists its tools on more than %d pages", c.limits.MaxPages)
		}
		cursor = page.next
	}
}

// remember makes a listing the last one of the connection, unless the last has the same pages.
func (c *conn) remember(was, now *listing) *listing {
	if was.same(now) {
		return was
	}
	c.judged.Store(now)
	if c.first.Load() == nil {
		c.first.CompareAndSwap(nil, new(namesOf(now)))
	}
	return now
}

// page returns the answer to one tools/list, as the server wrote it. like is the page that
// the server sent at this place of the listing before, or nil.
func (c *conn) page(ctx context.Context, cursor string, like *judged) (answer, error) {
	if c.broken() {
		return answer{}, c.explain(ctx, "tools/list", verdict.ServerClosed, errClosed)
	}
	exchanging, x := withExchange(ctx, methodList)
	x.like = like
	defer c.wire.end(x)
	_, err := c.session.ListTools(exchanging, &mcp.ListToolsParams{Cursor: cursor})
	a, ok := x.answer()
	if ok && a.err == nil {
		return a, nil // even if the SDK rejects it
	}
	if r := x.refused(a); r != nil {
		err = r
	}
	if err == nil {
		err = errors.New("no answer came")
	}
	return answer{}, c.explain(ctx, "tools/list", verdict.ServerClosed, err)
}

// listing is a listing that was read on a connection. It does not change.
type listing struct {
	pages []*judged
	found sync.Map // descriptors that were looked up, by name
	later sync.Once
	grown []pin.Descriptor // see [conn.grown]
}

// judged is one page of a listing, with what was read from it.
type judged struct {
	raw []byte
	around
	tools   []pin.Descriptor
	names   []string // of the tools, in their order; "" if the name cannot be read
	next    string
	lessons int // see [known]
}

// page returns the page at a place of the listing, or nil.
func (l *listing) page(n int) *judged {
	if l == nil || n >= len(l.pages) {
		return nil
	}
	return l.pages[n]
}

// judge reads a page. It reads no page again whose bytes are those of the page before at
// this place, unless a key was learned since, which the page may contain.
func (c *conn) judge(a answer, was *judged) (*judged, error) {
	lessons := c.lessons()
	if was != nil && was.lessons == lessons && bytes.Equal(was.raw, a.result) {
		return was, nil
	}
	now, err := c.readPage(a.result)
	if err != nil {
		return nil, err
	}
	now.lessons = lessons
	if len(a.before) > 0 {
		now.around = a.around
	}
	return &now, nil
}

func (c *conn) readPage(raw []byte) (judged, error) {
	var page struct {
		Tools      []jsontext.Value `json:"tools"`
		NextCursor string           `json:"nextCursor"`
	}
	if err := schema.DecodeOpen(raw, &page, c.wire.limits); err != nil {
		code := verdict.ServerProtocol
		var e *schema.Error
		if errors.As(err, &e) && e.Fault == schema.Oversize {
			code = verdict.ServerTooLarge
		}
		return judged{}, c.fault(code, err, "its listing has %v", err)
	}
	if c.keys().Holds(raw) {
		return judged{}, c.fault(verdict.ServerProtocol, nil, "its listing contains a key that it was given")
	}
	if page.Tools == nil {
		return judged{}, c.fault(verdict.ServerProtocol, nil, "its listing has no array of tools")
	}
	tools := make([]pin.Descriptor, len(page.Tools))
	names := make([]string, len(page.Tools))
	for i, t := range page.Tools {
		tools[i] = pin.Descriptor{Server: c.server.Name, Raw: t, Instructions: c.instructions}
		f, _ := tools[i].Fields()
		names[i] = f.Name
	}
	return judged{raw: raw, tools: tools, names: names, next: page.NextCursor}, nil
}

// maxListings is how often a tool is looked up for one call. It is once, and twice more
// if the server reports meanwhile that its tools changed.
const maxListings = 3

// settled returns the tool's descriptor. It requires a listing during which the server
// reported no change, or two listings that agree. A tool that never settles is not
// called.
func (c *conn) settled(ctx context.Context, tool string) (live pin.Descriptor, err error) {
	for range maxListings {
		before, was := c.wire.changes.Load(), live
		live, err = c.live(ctx, tool)
		if err != nil || c.wire.changes.Load() == before || bytes.Equal(live.Raw, was.Raw) {
			return live, err
		}
	}
	return live, verdict.Deny(verdict.PinUnstable, "server %s reported during each of %d listings that its tools had changed", c.server.Name, maxListings).
		WithHint("nothing was called: ask again once the server has settled")
}

// live returns the descriptor of one tool, as this connection lists it now. It asks every
// time: a server need not report that its tools changed, and a malicious server would
// not.
func (c *conn) live(ctx context.Context, tool string) (pin.Descriptor, error) {
	c.closeIdle()
	l, err := c.list(ctx)
	if err != nil {
		return pin.Descriptor{}, err
	}
	found, _ := l.found.Load(tool)
	if d, known := found.(pin.Descriptor); known {
		return d, nil
	}
	live, err := l.find(c.server.Name, tool)
	if err == nil {
		l.found.Store(tool, live)
	}
	return live, err
}

// find returns the descriptor of one tool.
func (l *listing) find(server, tool string) (live pin.Descriptor, err error) {
	for d := range l.tools() {
		if !d.MayName(tool) {
			continue
		}
		f, err := d.Fields()
		switch {
		case err != nil && f.Name == "":
			return pin.Descriptor{}, verdict.Deny(verdict.PinChanged, "server %s lists a tool now whose name cannot be read, and that may be %s: %v", server, tool, err)
		case f.Name != tool:
		case live.Raw != nil:
			return pin.Descriptor{}, verdict.Deny(verdict.PinChanged, "server %s lists %s more than once now", server, tool)
		default:
			live = d
		}
	}
	if live.Raw == nil {
		return pin.Descriptor{}, verdict.Deny(verdict.PinAbsent, "server %s does not list %s any more", server, tool)
	}
	return live, nil
}

// tools are the tools of all pages.
func (l *listing) tools() iter.Seq[pin.Descriptor] {
	return func(yield func(pin.Descriptor) bool) {
		for _, page := range l.pages {
			for _, d := range page.tools {
				if !yield(d) {
					return
				}
			}
		}
	}
}

// maxGrown is how many further tools of a session are kept.
const maxGrown = 100

// grown returns the tools that the session lists now and did not list at first. It also
// returns the names of all tools, unless this connection reported the same listing
// before. If the server reported a change during the call, grown lists the tools again.
func (c *conn) grown(ctx context.Context, before int32) (more []pin.Descriptor, names []string) {
	last, first := c.judged.Load(), c.first.Load()
	if c.wire.changes.Load() != before && !c.broken() {
		if _, err := c.list(ctx); err == nil { // otherwise the next call reports the error
			last = c.judged.Load()
		}
	}
	if last == nil || first == nil {
		return nil, nil
	}
	if !last.same(c.told.Swap(last)) {
		names = last.names()
	}
	return last.since(*first), names
}

// since returns the tools that a listing has and the first one of its session had not.
func (l *listing) since(first map[string]bool) []pin.Descriptor {
	l.later.Do(func() {
		for _, page := range l.pages {
			for i, d := range page.tools {
				if name := page.names[i]; name != "" && !first[name] && len(l.grown) < maxGrown {
					l.grown = append(l.grown, d)
				}
			}
		}
	})
	return l.grown
}

// same reports whether two listings of a connection share the same pages in memory.
func (l *listing) same(other *listing) bool {
	return l != nil && other != nil && slices.Equal(l.pages, other.pages)
}

// names returns the names of all tools of a listing.
func (l *listing) names() (all []string) {
	for _, page := range l.pages {
		all = append(all, page.names...)
	}
	return all
}

func namesOf(l *listing) map[string]bool {
	names := map[string]bool{}
	for _, name := range l.names() {
		names[name] = true
	}
	return names
}
