package convert

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
)

// literal turns a dict in Python's notation into a JSON object. It accepts dicts,
// lists, strings, numbers, True, False and None, and nothing else.
func literal(text string) (jsontext.Value, error) {
	p := &python{rest: text}
	p.value(0)
	p.space()
	switch {
	case p.err != nil:
		return nil, p.err
	case p.rest != "":
		return nil, fmt.Errorf("%.40q follows it", p.rest)
	}
	// JSON's reader refuses bad numbers and repeated keys.
	if err := schema.Check(p.out.Bytes(), limits); err != nil {
		return nil, err
	}
	if v := jsontext.Value(p.out.Bytes()); v.Kind() == '{' {
		return v, nil
	}
	return nil, errors.New("it is not a dict")
}

// python writes JSON for the rest of a literal.
type python struct {
	rest string
	out  bytes.Buffer
	err  error
}

// maxNested bounds the nesting of a literal.
const maxNested = 32

func (p *python) value(depth int) {
	p.space()
	switch {
	case p.err != nil:
	case depth > maxNested:
		p.err = errors.New("it is nested too deep")
	case p.take("{"):
		p.several('{', '}', depth, true)
	case p.take("["):
		p.several('[', ']', depth, false)
	case strings.HasPrefix(p.rest, "'"), strings.HasPrefix(p.rest, `"`):
		p.text()
	case p.take("True"):
		p.out.WriteString("true")
	case p.take("False"):
		p.out.WriteString("false")
	case p.take("None"):
		p.out.WriteString("null")
	default:
		p.number()
	}
}

// several reads the values up to the end, each with its key in a dict.
func (p *python) several(from, to byte, depth int, keyed bool) {
	p.out.WriteByte(from)
	for first := true; p.err == nil; first = false {
		p.space()
		if p.take(string(to)) {
			p.out.WriteByte(to)
			return
		}
		if !first {
			p.expect(",", ',')
			p.space()
		}
		if keyed {
			if !strings.HasPrefix(p.rest, "'") && !strings.HasPrefix(p.rest, `"`) {
				p.fail("a key")
				return
			}
			p.text()
			p.space()
			p.expect(":", ':')
		}
		p.value(depth + 1)
	}
}

func (p *python) text() {
	quote := p.rest[0]
	var s strings.Builder
	for i := 1; i < len(p.rest); {
		r, n := utf8.DecodeRuneInString(p.rest[i:])
		switch {
		case r == rune(quote):
			p.rest = p.rest[i+1:]
			p.out.Write(row(s.String()))
			return
		case r == '\\' && i+1 < len(p.rest) && strings.IndexByte(`\'"`, p.rest[i+1]) >= 0:
			s.WriteByte(p.rest[i+1])
			i += 2
		case r == '\\', r == '\n', r == utf8.RuneError:
			p.fail("a text")
			return
		default:
			s.WriteRune(r)
			i += n
		}
	}
	p.fail("the end of a text")
}

func (p *python) number() {
	n := len(p.rest) - len(strings.TrimLeft(p.rest, "-+.0123456789eE"))
	if n == 0 {
		p.fail("a value")
		return
	}
	p.out.WriteString(p.rest[:n])
	p.rest = p.rest[n:]
}

func (p *python) space() { p.rest = strings.TrimLeft(p.rest, " \t\r\n") }

func (p *python) take(what string) bool {
	rest, is := strings.CutPrefix(p.rest, what)
	if is {
		p.rest = rest
	}
	return is
}

func (p *python) expect(what string, write byte) {
	if !p.take(what) {
		p.fail(what)
		return
	}
	p.out.WriteByte(write)
}

func (p *python) fail(what string) {
	if p.err == nil {
		p.err = fmt.Errorf("%s is expected at %.40q", what, p.rest)
	}
}
