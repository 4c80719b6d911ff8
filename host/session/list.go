package session

import (
	"bytes"
	"context"
	"errors"
	"slices"

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
func (c *conn) list(ctx context.Context) ([]pin.Descriptor, error) {
	ctx, done := within(ctx, c.patience())
	defer done()
	var tools []pin.Descriptor
	var pages []judged
	was := c.judged.Load()
	total, seen := 0, map[string]bool{}
	for cursor := ""; ; {
		raw, err := c.page(ctx, cursor)
		if err != nil {
			return nil, err
		}
		if total += len(raw); total > c.limits.MaxMessage {
			return nil, c.fault(verdict.ServerTooLarge, errTooLarge, "it lists more than %d bytes of tools (%s)", c.limits.MaxMessage, settingMessage)
		}
		page, known := was.like(len(pages), raw)
		if !known || c.keys().Holds(raw) { // a key may be newer than the kept page
			if page, err = c.readPage(raw); err != nil {
				return nil, err
			}
		}
		found, next := page.tools, page.next
		pages = append(pages, page)
		if tools = append(tools, found...); len(tools) > c.limits.MaxTools {
			f := c.fault(verdict.ServerTooLarge, nil, "it lists more than %d tools", c.limits.MaxTools)
			return nil, f.WithHint("no setting takes more: have the server list fewer, as many can with an option of theirs, or split it into several")
		}
		seen[cursor] = true
		switch {
		case next == "":
			c.judged.Store(&listing{pages})
			if c.first.Load() == nil {
				c.first.CompareAndSwap(nil, new(namesOf(pages)))
			}
			return tools, nil
		case len(next) > maxCursor:
			return nil, c.fault(verdict.ServerTooLarge, nil, "it sends a cursor of more than %d bytes", maxCursor)
		case seen[next]:
			return nil, c.fault(verdict.ServerProtocol, nil, "it repeats a cursor, so that its listing has no end")
		case len(seen) >= c.limits.MaxPages:
			return nil, c.fault(verdict.ServerTooLarge, nil, "it lists its tools on more than %d pages", c.limits.MaxPages)
		}
		cursor = next
	}
}

// page returns the result of one tools/list, as the server wrote it.
func (c *conn) page(ctx context.Context, cursor string) ([]byte, error) {
	if c.broken() {
		return nil, c.explain(ctx, "tools/list", verdict.ServerClosed, errClosed)
	}
	exchanging, x := withExchange(ctx, methodList)
	defer c.wire.end(x)
	_, err := c.session.ListTools(exchanging, &mcp.ListToolsParams{Cursor: cursor})
	a, ok := x.answer()
	if ok && a.err == nil {
		return a.result, nil // even if the SDK rejects it
	}
	if r := x.refused(a); r != nil {
		err = r
	}
	if err == nil {
		err = errors.New("no answer came")
	}
	return nil, c.explain(ctx, "tools/list", verdict.ServerClosed, err)
}

// listing is the last listing read on a connection.
type listing struct{ pages []judged }

// judged is one page of a listing, with what was read from it.
type judged struct {
	raw   []byte
	tools []pin.Descriptor
	names []string // of the tools, in their order; "" if the name cannot be read
	next  string
}

// like returns the page that was read before at this place of the listing, if its bytes
// are the same. Any other page is read again, which finds what is wrong with it.
func (l *listing) like(n int, raw []byte) (judged, bool) {
	if l == nil || n >= len(l.pages) || !bytes.Equal(l.pages[n].raw, raw) {
		return judged{}, false
	}
	return l.pages[n], true
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
	return judged{raw, tools, names, page.NextCursor}, nil
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
	tools, err := c.list(ctx)
	if err != nil {
		return pin.Descriptor{}, err
	}
	var live pin.Descriptor
	for _, d := range tools {
		if !d.MayName(tool) {
			continue
		}
		f, err := d.Fields()
		switch {
		case err != nil && f.Name == "":
			return pin.Descriptor{}, verdict.Deny(verdict.PinChanged, "server %s lists a tool now whose name cannot be read, and that may be %s: %v", c.server.Name, tool, err)
		case f.Name != tool:
		case live.Raw != nil:
			return pin.Descriptor{}, verdict.Deny(verdict.PinChanged, "server %s lists %s more than once now", c.server.Name, tool)
		default:
			live = d
		}
	}
	if live.Raw == nil {
		return pin.Descriptor{}, verdict.Deny(verdict.PinAbsent, "server %s does not list %s any more", c.server.Name, tool)
	}
	return live, nil
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
	for _, page := range last.pages {
		for i, d := range page.tools {
			if name := page.names[i]; name != "" && !(*first)[name] && len(more) < maxGrown {
				more = append(more, d)
			}
		}
	}
	return more, names
}

// same reports whether two listings of a connection share the same pages in memory.
func (l *listing) same(other *listing) bool {
	return other != nil && slices.EqualFunc(l.pages, other.pages, func(a, b judged) bool { return &a.raw[0] == &b.raw[0] })
}

// names returns the names of all tools of a listing.
func (l *listing) names() (all []string) {
	for _, page := range l.pages {
		all = append(all, page.names...)
	}
	return all
}

func namesOf(pages []judged) map[string]bool {
	names := map[string]bool{}
	for _, name := range (&listing{pages}).names() {
		names[name] = true
	}
	return names
}
