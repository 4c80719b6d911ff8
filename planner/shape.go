package planner

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/plan"
)

// maxEnum is how many names a schema enumerates; endpoints refuse many more.
const maxEnum = 250

// The shapes of a plan: closed objects. Members are in the order in which a constrained
// decoder writes them: a tool before its arguments.
const (
	declineShape = `{"type":"object","properties":{"type":{"type":"string","const":"final_answer"},"answer":{"type":"string","maxLength":%d},` +
		`"needs_more_info":{"type":"boolean","const":true}},"required":["type","answer","needs_more_info"],"additionalProperties":false}`
	callShape = `{"type":"object","properties":{"type":{"type":"string","const":"call_tool"},"server":%s,"tool":%s,"args":%s},` +
		`"required":["type","server","tool","args"],"additionalProperties":false}`
	anyText   = `{"type":"string"}`
	anyObject = `{"type":"object"}`
)

// oneOf is the schema of one of some names, which are plain.
func oneOf(names ...string) string {
	return `{"type":"string","enum":["` + strings.Join(names, `","`) + `"]}`
}

// planSchema describes the two shapes of a plan, with the pairs of server and tool in the
// prompt. It is for endpoints that constrain decoding. Only the endpoints claim that they do,
// so nothing relies on it.
func planSchema(shown []listed, narrow bool) jsontext.Value {
	shapes := append([]string{fmt.Sprintf(declineShape, plan.MaxAnswer/4)}, callShapes(shown, narrow)...)
	return jsontext.Value(`{"type":"object","anyOf":[` + strings.Join(shapes, ",") + `]}`)
}

// callShapes is one shape for each tool with its arguments. If arguments are not constrained,
// or their schemas are too large, it is one shape for each server with any arguments.
func callShapes(shown []listed, narrow bool) (shapes []string) {
	if narrow {
		if shapes, fit := narrowShapes(shown); fit {
			return shapes
		}
	}
	if len(shown) > maxEnum {
		return []string{fmt.Sprintf(callShape, anyText, anyText, anyObject)}
	}
	for len(shown) > 0 { // sorted by server
		var tools []string
		server := shown[0].Server()
		for ; len(shown) > 0 && shown[0].Server() == server; shown = shown[1:] {
			tools = append(tools, shown[0].Name())
		}
		shapes = append(shapes, fmt.Sprintf(callShape, oneOf(server), oneOf(tools...), anyObject))
	}
	return shapes
}

// maxNarrow bounds the schemas of all arguments together, in bytes. The endpoint makes a
// grammar of them.
const maxNarrow = 64 << 10

func narrowShapes(shown []listed) (shapes []string, fit bool) {
	size := 0
	for _, t := range shown {
		args := anyObject
		if raw, err := visible(t.Input().Raw()); err == nil {
			if n, ok := narrowed(raw); ok {
				args = string(n)
			}
		}
		if size += len(args); size > maxNarrow {
			return nil, false
		}
		shapes = append(shapes, fmt.Sprintf(callShape, oneOf(t.Server()), oneOf(t.Name()), args))
	}
	return shapes, true
}
