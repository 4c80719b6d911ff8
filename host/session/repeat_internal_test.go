package session

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/onestep-run/onestep/gate/schema"
)

// asked is a connection with open requests for a page, each of which expects like.
type asked struct {
	wire *wire
	by   map[int64]*exchange
	read int // messages that were checked
}

func ask(t *testing.T, like *judged, ids ...int64) *asked {
	t.Helper()
	a := &asked{by: map[int64]*exchange{}, wire: &wire{
		life: t.Context(), open: map[jsonrpc.ID]pending{},
		limits: schema.Limits{Bytes: 1 << 20, Depth: 50, Values: 1000, Exponent: 308, Digits: 64},
	}}
	for _, id := range ids {
		n, err := jsonrpc.MakeID(float64(id))
		if err != nil {
			t.Fatal(err)
		}
		x := &exchange{method: methodList, like: like, answers: make(chan answer, 1), stop: func() {}}
		a.by[id], a.wire.open[n] = x, pending{methodList, x}
	}
	return a
}

// got is what the SDK reads of a stream, and the answers to the requests.
func (a *asked) got(stream string, of split, small bool) string {
	var in io.Reader = strings.NewReader(stream)
	if small {
		in = iotest.OneByteReader(in)
	}
	f := newFrames(io.NopCloser(in), a.wire, of)
	f.in = bufio.NewReaderSize(in, 64) // a message comes in several parts
	good := f.good
	f.good = func(message []byte) ([]byte, error) { a.read++; return good(message) }
	if of == byLine {
		f.strays, f.end = &strays{}, make(chan struct{})
	}
	b, err := io.ReadAll(f)
	all := fmt.Sprintf("%q, %v", b, err)
	for id := range int64(10) {
		if x := a.by[id]; x != nil {
			is, ok := x.answer()
			all += fmt.Sprintf("; %d: %t %q", id, ok, is.result)
		}
	}
	return all
}

// page is the page that is read from a message.
func page(t *testing.T, message string) *judged {
	t.Helper()
	m, rest, err := checkAround([]byte(message), schema.Limits{Bytes: 1 << 20, Depth: 50, Values: 1000, Exponent: 308, Digits: 64})
	if err != nil {
		t.Fatal(err)
	}
	return &judged{raw: m["result"], around: rest}
}

func framed(message string, of split) string {
	switch of {
	case byLine:
		return message + "\n"
	case byEvent:
		return "event: message\nid: 4\ndata: " + message + "\n\n"
	}
	return message
}

// messages are the forms that a server may give its answer.
var messages = []string{
	`{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a","inputSchema":{"type":"object"}}]}}`,
	`{ "result" : {"tools":[{"name":"id","x":{"id":1}}]} ,"id" : 1,"jsonrpc":"2.0"} `,
	`{"id":1,"jsonrpc":"2.0","result":{"tools":[],"nextCursor":"1"}}`,
}

// A listing that is as before is not read again, whatever its message looks like and
// however it arrives.
func TestARepeatedListingIsNotReadAgain(t *testing.T) {
	t.Parallel()
	for _, message := range messages {
		for _, of := range []split{byLine, byEvent, never} {
			for _, small := range []bool{false, true} {
				like := page(t, message)
				if of == byLine {
					like = page(t, message+"\n")
				}
				if of == byEvent { // without the white space at its end
					like = page(t, strings.TrimSpace(message))
				}
				now := framed(strings.Replace(message, `id":1,`, `id":7,`, 1), of)
				if !strings.Contains(now, "7") {
					now = framed(strings.Replace(message, `id" : 1,`, `id" : 7,`, 1), of)
				}
				a, fresh := ask(t, like, 7), ask(t, nil, 7)
				got, want := a.got(now, of, small), fresh.got(now, of, small)
				if got != want || a.read != 0 || fresh.read != 1 {
					t.Errorf("%q, %v, in small parts: %t\nis %s, of %d messages read,\nnot %s", now, of, small, got, a.read, want)
				}
				if is := like.raw; len(is) == 0 || !strings.Contains(got, fmt.Sprintf("%q", is)) {
					t.Errorf("the answer is not %s: %s", is, got)
				}
			}
		}
	}
}

// Any other message is read as if no listing was known: with another byte anywhere, more or
// less bytes, another id, or next to other messages.
func TestOnlyTheSameListingIsARepeatedOne(t *testing.T) {
	t.Parallel()
	for _, message := range messages[1:] {
		var near []string
		for i := range message {
			near = append(near, message[:i]+message[i+1:], message[:i]+"7"+message[i+1:], message[:i]+`"`+message[i+1:], message[:i]+" "+message[i:], message[:i])
		}
		near = append(near, message+message, message+"x", " "+message, "words\n"+message, "\n\n"+message, message+"\n"+message, message+"\n{", "{\n"+message, "")
		for _, of := range []split{byLine, byEvent, never} {
			like := page(t, strings.TrimSpace(message))
			if of == byLine {
				like = page(t, message+"\n")
			}
			for _, text := range near {
				for _, end := range []string{"", framed(message, of)} {
					stream := framed(text, of) + end
					for _, small := range []bool{false, true}[:1+len(end)/len(framed(message, of))] {
						got, want := ask(t, like, 1, 2).got(stream, of, small), ask(t, nil, 1, 2).got(stream, of, small)
						if got != want {
							t.Fatalf("%q, %v, in small parts: %t\nis %s\nnot %s", stream, of, small, got, want)
						}
					}
				}
			}
		}
	}
}

// Each of several requests at a time gets its own answer.
func TestRepeatedListingsOfSeveralRequests(t *testing.T) {
	t.Parallel()
	first := strings.ReplaceAll(messages[0], "\n", "")
	like := page(t, first+"\n")
	a := ask(t, like, 1, 2, 3)
	other := strings.Replace(strings.Replace(first, `"id":1`, `"id":3`, 1), `"a"`, `"b"`, 1)
	got := a.got(strings.Replace(first, `"id":1`, `"id":2`, 1)+"\n"+other+"\n"+first+"\n", byLine, false)
	want := ask(t, nil, 1, 2, 3).got(strings.Replace(first, `"id":1`, `"id":2`, 1)+"\n"+other+"\n"+first+"\n", byLine, false)
	if got != want || a.read != 1 {
		t.Errorf("%d read: %s\nnot %s", a.read, got, want)
	}
}

// Every page of a listing is compared with the page at its own place, and a listing with the
// same pages is the same one. A key that is learned since is looked for.
func TestPagesAreJudgedOnce(t *testing.T) {
	t.Parallel()
	c := newConn(Server{Name: "s"}, Limits{}.withDefaults(), &strays{})
	defer c.cancel()
	judge := func(text string, was *judged) *judged {
		now, err := c.judge(answer{result: []byte(text)}, was)
		if err != nil {
			t.Fatal(err)
		}
		return now
	}
	one, two := `{"tools":[{"name":"a-key-of-the-user-1234"}],"nextCursor":"2"}`, `{"tools":[{"name":"b"}]}`
	l := c.remember(nil, &listing{pages: []*judged{judge(one, nil), judge(two, nil)}})
	again := c.remember(l, &listing{pages: []*judged{judge(one, l.page(0)), judge(two, l.page(1))}})
	if again != l {
		t.Error("the same listing was read again")
	}
	if swapped := c.remember(l, &listing{pages: []*judged{judge(two, l.page(0)), judge(one, l.page(1))}}); swapped == l {
		t.Error("pages in another order are the same listing")
	}
	if l.page(2) != nil || (*listing)(nil).page(0) != nil {
		t.Error("there are more pages than were read")
	}
	c.known.learn(nil, []string{"a-key-of-the-user-1234"})
	if _, err := c.judge(answer{result: []byte(one)}, l.page(0)); err == nil {
		t.Error("a page that contains a new key is used again")
	}
}

// What a listing says of a tool is found once, and what is wrong with it every time.
func TestAToolIsFoundOnceInAListing(t *testing.T) {
	t.Parallel()
	c := newConn(Server{Name: "s"}, Limits{}.withDefaults(), &strays{})
	defer c.cancel()
	p, err := c.readPage([]byte(`{"tools":[{"name":"a"},{"name":"b"},{"name":"b","x":1}]}`))
	if err != nil {
		t.Fatal(err)
	}
	l := &listing{pages: []*judged{&p}}
	for range 2 {
		if d, err := l.find("s", "a"); err != nil || !bytes.Equal(d.Raw, []byte(`{"name":"a"}`)) {
			t.Errorf("%s, %v", d.Raw, err)
		}
		for _, tool := range []string{"b", "c"} {
			if d, err := l.find("s", tool); err == nil || d.Raw != nil {
				t.Errorf("%s: %s", tool, d.Raw)
			}
		}
	}
}
