package schema_test

import (
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/schema"
)

func TestRewriteChangesWhatIsSaidAndNothingElse(t *testing.T) {
	t.Parallel()
	hide := func(text string) string { return strings.ReplaceAll(text, "key1234", "-") }
	for _, c := range []struct{ in, want string }{
		{`{"b":1.50,"a":[true,null,9007199254740993,1e2,"x"]}`, `{"b":1.50,"a":[true,null,9007199254740993,1e2,"x"]}`},
		{` { "a" : "is key1234." } `, `{"a":"is -."}`},
		{`"k\u0065y1234"`, `"-"`},
		{`{"key1234":1}`, `{"-":1}`},
		{`"\u2028<&>\u0000"`, "\"\u2028<&>\\u0000\""},
	} {
		got, err := schema.Rewrite([]byte(c.in), hide)
		if err != nil || string(got) != c.want {
			t.Errorf("%s becomes %s, %v", c.in, got, err)
		}
	}
	digits := func(text string) string { return strings.ReplaceAll(text, "1234", "-") }
	if got, err := schema.Rewrite([]byte(`[1234,51234.0,12]`), digits); err != nil || string(got) != `["-","5-.0",12]` {
		t.Errorf("numbers become %s, %v", got, err)
	}
	for _, bad := range []string{``, `{`, `{"a":1,"a":2}`, `{"key1234":1,"-":2}`, "\"\xff\"", `1e400x`} {
		if got, err := schema.Rewrite([]byte(bad), hide); err == nil && bad != "" {
			t.Errorf("%s becomes %s", bad, got)
		}
	}
}
