package eval_test

import (
	"testing"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/verdict"
)

func TestATextIsAcceptedAsOneLeaf(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"Logs are kept.", "\"\\\u2028\n", "<&>", "鍵"} {
		typed, err := eval.AcceptedText(text)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if leaves := typed.Leaves(); typed.Basis() == catalog.Untyped || len(leaves) != 1 || leaves[0].Text != text {
			t.Errorf("%q became %+v", text, leaves)
		}
	}
}

func TestNothingIsAcceptedPastTheGates(t *testing.T) {
	t.Parallel()
	const allow, tool, answer = `{"kb":["t"]}`, `{"name":"t","inputSchema":{"type":"object"}}`, `{"content":[{"type":"text","text":"x"}]}`
	for name, c := range map[string]struct {
		allow, tool, answer string
	}{
		"nothing allowed":    {`{}`, tool, answer},
		"another tool":       {`{"kb":["u"]}`, tool, answer},
		"a tool of no name":  {allow, `{"inputSchema":{"type":"object"}}`, answer},
		"arguments are due":  {allow, `{"name":"t","inputSchema":{"type":"object","required":["a"]}}`, answer},
		"the tool's failure": {allow, tool, `{"isError":true,"content":[]}`},
		"no JSON":            {allow, tool, `{`},
	} {
		typed, err := eval.Accepted(c.allow, c.tool, []byte(c.answer))
		if !verdict.Denied(err) || len(typed.Leaves()) > 0 {
			t.Errorf("%s: %v, %v", name, typed.Leaves(), err)
		}
	}
	if typed, err := eval.Accepted(allow, tool, []byte(answer)); err != nil || typed.Basis() != catalog.Untyped {
		t.Errorf("an untyped result: %v, %v", typed.Basis(), err)
	}
}
