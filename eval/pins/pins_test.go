package pins_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/cases"
	"github.com/onestep-run/onestep/eval/corpus"
	"github.com/onestep-run/onestep/eval/pins"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/schema"
)

// beyond are the harmless cases that are called worse than they may be. The
// bound that this one adds holds for every text that its pattern takes, so that
// there is no witness for it: what cannot be shown to be safer is not.
var beyond = []string{"harmless-20"}

func TestEveryAttackIsCaughtAndNothingHarmlessOverstated(t *testing.T) {
	t.Parallel()
	list, err := pins.Own()
	if err != nil {
		t.Fatal(err)
	}
	r, err := pins.Suite(list, "own cases").Run(t.Context(), eval.Options{})
	if err != nil {
		t.Error(err)
	}
	attacks := 0
	for _, row := range r.Rows {
		if row.Passed == slices.Contains(beyond, row.ID) {
			t.Errorf("%s, %s: %s, expected %s: %s", row.ID, row.Query, row.Observed, row.Expected, row.Detail)
		}
		if row.Group == pins.Attack {
			attacks++
		}
	}
	if attacks < 40 {
		t.Errorf("%d attacks", attacks)
	}
}

func TestACaseIsReadStrictly(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]string{
		"a group that is not one":    `{"id":"a","group":"other","was":["read_note"],"expect":{"tool":"a","kind":"new"}}`,
		"a class that is not one":    `{"id":"a","group":"attack","was":["read_note"],"expect":{"tool":"a","kind":"new","class":"bad"}}`,
		"a tool that is not there":   `{"id":"a","group":"attack","was":["read"],"expect":{"tool":"a","kind":"new"}}`,
		"a place that is not there":  `{"id":"a","group":"attack","was":["read_note"],"edits":[{"at":"/0/a/b","put":1}],"expect":{"tool":"a","kind":"new"}}`,
		"nothing to take away":       `{"id":"a","group":"attack","was":["read_note"],"edits":[{"at":"/0/a"}],"expect":{"tool":"a","kind":"new"}}`,
		"a place that is not a path": `{"id":"a","group":"attack","was":["read_note"],"edits":[{"at":"0"}],"expect":{"tool":"a","kind":"new"}}`,
	} {
		if c, err := pins.Parse("cases", strings.NewReader(row)); err == nil {
			t.Errorf("%s: %+v", name, c.List)
		}
	}
	whole := `{"id":"a","group":"harmless","what":"w","was":[{"name":"get","a":{"b":[1.50,2]}}],"edits":[{"at":"/0/a/b/0"},{"at":"/0/a~1","put":null}],"expect":{"tool":"get","kind":"none"}}`
	c, err := pins.Parse("cases", strings.NewReader(whole))
	if err != nil || string(c.List[0].Now[0]) != `{"name":"get","a":{"b":[2]},"a/":null}` || c.List[0].Class != pin.Informational {
		t.Errorf("%s, %v", c.List[0].Now, err)
	}
}

// These texts were written for the scan of results, by another author and before the
// rules of cues had their present form. The test counts how many that address a model
// are a cue in a description, and how many honest ones.
func TestCuesInTextsOfAnotherHand(t *testing.T) {
	t.Parallel()
	file, err := cases.Files.ReadFile("scan.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	texts, cues := map[string]int{}, map[string]int{}
	for line := range bytes.Lines(file) {
		var row struct {
			Label string `json:"label"`
			Text  string `json:"text"`
		}
		if err := schema.DecodeOpen(line, &row, eval.RowLimits()); err != nil {
			t.Fatal(err)
		}
		texts[row.Label]++
		cues[row.Label] += eval.Fact(worst(t, "Get one.", "Get one. "+row.Text) <= pin.Cue)
	}
	if texts["injected"] != 67 || cues["injected"] < 57 || texts["honest"] != 179 || cues["honest"] > 41 {
		t.Errorf("cues in %v of %v", cues, texts)
	}
}

// worst is the class of a description that becomes another one.
func worst(t *testing.T, was, now string) pin.Class {
	t.Helper()
	all, err := pin.Compare(described(was), described(now))
	if err != nil || len(all) == 0 {
		t.Fatal(err)
	}
	return all[0].Class
}

func described(text string) pin.Descriptor {
	return pin.Descriptor{Raw: jsontext.Value(`{"name":"get","description":` + string(eval.Data(text)) + `}`)}
}

// What docs/internals/evaluation.md says of the releases of real servers.
func TestReleasesOfRealServers(t *testing.T) {
	t.Parallel()
	steps, err := pins.ReadReleases(corpus.Path(t, "tools-list-versions"))
	if err != nil || len(steps) != 22 {
		t.Fatalf("%d steps, %v", len(steps), err)
	}
	r, err := pins.Releases(steps).Run(t.Context(), eval.Options{Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	sums := map[string]int{}
	for _, f := range r.Figures {
		if f.Group == "" {
			sums[f.Agent+" "+f.Name] = f.Sum
		}
	}
	if sums["step decisions"] >= sums["step edits"]/2 || sums["tool witnessed"] < 115 {
		t.Errorf("%v", sums)
	}
}
