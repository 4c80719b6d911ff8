package session

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/onestep-run/onestep/gate/schema"
)

// check reports what is wrong with one message of a server, before the SDK decodes it.
// The SDK accepts the last of two equal members, a list of one message as the message,
// 2.9 as the id 2, and, in an HTTP body, data after the message.
//
// The result is only checked to be well formed. The caller that asked for it reads it
// strictly, and has its own error code for it.
func check(message []byte, lim schema.Limits) (map[string]jsontext.Value, error) {
	m, _, err := checkAround(message, lim)
	return m, err
}

// checkAround is check, and returns the message without its id, too.
func checkAround(message []byte, lim schema.Limits) (m map[string]jsontext.Value, rest around, err error) {
	members, err := schema.Envelope(message, lim)
	if err != nil {
		return nil, rest, err
	}
	m = map[string]jsontext.Value{}
	for _, member := range members {
		m[member.Name] = member.Value
		if err := checkMember(member, lim); err != nil {
			return nil, rest, err
		}
		if member.Name == "id" {
			rest = around{message[:member.At], message[member.At+len(member.Value):]}
		}
	}
	return m, rest, checkShape(m)
}

// pass checks a message and returns what the SDK gets instead of it. It keeps the answer
// to our own request. The SDK needs neither answers that were not asked for nor the
// contents of notifications. x is the exchange that the message's stream belongs to.
func (w *wire) pass(message []byte, x *exchange) (instead []byte, err error) {
	m, rest, err := checkAround(message, w.limits)
	if err != nil {
		return nil, err
	}
	if id := m["id"]; m["method"] != nil {
		if id == nil {
			if method, err := jsontext.AppendUnquote(nil, m["method"]); err == nil && w.note != nil {
				w.note(x, string(method), m["params"])
			}
			return fmt.Appendf(nil, `{"jsonrpc":"2.0","method":%s}`, m["method"]), nil
		}
		return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"method":%s}`, id, m["method"]), nil
	}
	if m["result"] == nil {
		return nil, nil
	}
	id, err := idOf(m["id"])
	if err != nil {
		return nil, err
	}
	p, known := w.asked(id)
	if known && p.exchange == nil { // the SDK reads the answer itself
		return nil, nil
	}
	if known {
		p.exchange.put(answer{result: m["result"], around: rest})
	}
	return standInFor(m["id"]), nil
}

func idOf(raw jsontext.Value) (jsonrpc.ID, error) {
	if text, err := jsontext.AppendUnquote(nil, raw); err == nil {
		return jsonrpc.MakeID(string(text))
	}
	n, err := strconv.ParseFloat(string(raw), 64)
	if err != nil {
		return jsonrpc.ID{}, err
	}
	return jsonrpc.MakeID(n)
}

func checkMember(m schema.Member, lim schema.Limits) error {
	switch m.Name {
	case "result":
		return nil
	case "jsonrpc", "id", "method", "error":
		lim.Bytes = min(lim.Bytes, maxError) // the SDK keeps these in memory
		return schema.Check(m.Value, lim)
	case "params":
		return schema.Check(m.Value, lim)
	}
	return fmt.Errorf("the unknown member %.4096q", m.Name) // the protocol allows extensions, but not here
}

func checkShape(m map[string]jsontext.Value) error {
	_, request := m["method"]
	_, answered := m["result"]
	_, failed := m["error"]
	id, named := m["id"]
	null := !request && id.Kind() == 'n' // the server could not read our message
	switch {
	case string(m["jsonrpc"]) != `"2.0"`:
		return errors.New(`no "jsonrpc":"2.0"`)
	case named && !null && !literal(id):
		return fmt.Errorf("an id that is neither a string of at most %d bytes nor a whole number", maxID)
	case request && (answered || failed),
		request && m["method"].Kind() != '"':
		return errors.New("a method and an answer, or a method that is not a string")
	case !request && answered == failed:
		return errors.New("an answer without exactly one of result and error")
	case failed && m["error"].Kind() != '{':
		return errors.New("an error that is not an object")
	case !request && !named, answered && null:
		return errNoID
	}
	return nil
}

// errNoID is an answer without an id, to none of our requests. A stream skips it.
var errNoID = errors.New("an answer without an id")

// maxError bounds an error, and every other member except a result and parameters.
const maxError = 1 << 20

// maxID bounds an id, which is sent back with the answer.
const maxID = 256

// literal reports whether the SDK reads an id exactly. Otherwise a different literal
// could pass for the id of a request: the SDK reads a number as the whole part of a
// 64-bit floating point number.
func literal(id jsontext.Value) bool {
	switch id.Kind() {
	case '"':
		return len(id) <= maxID
	case '0':
		return len(id) < 16 && strings.Trim(string(id), "0123456789") == ""
	}
	return false
}
