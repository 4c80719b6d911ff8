package gate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/schema"
)

// A thousand of the hardest schemas would be gigabytes once compiled. The store is
// bounded by their size.
func TestCompiledSchemasAreKeptByWhatTheyTake(t *testing.T) {
	t.Parallel()
	var v Validators
	most := 0
	for i := range 6 {
		var hard strings.Builder
		for j := range 26 {
			fmt.Fprintf(&hard, `"p%d":{"pattern":"^[a-z]{1,990}[a-z]{990}$"},`, j)
		}
		s, err := schema.Admit(fmt.Appendf(nil, `{"type":"object","properties":{%s"a%d":{}}}`, &hard, i), schema.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if _, err := v.of(schema.Input, s); err != nil {
				t.Fatal(err)
			}
		}
		if v.weight > maxKept || v.weight != len(v.kept)*s.Weight() {
			t.Errorf("%d schemas of %d bytes are kept, as %d bytes", len(v.kept), s.Weight(), v.weight)
		}
		most = max(most, len(v.kept))
	}
	if most == 6 || most < 4 {
		t.Errorf("%d schemas are kept at once", most)
	}
}
