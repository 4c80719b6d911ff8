package policy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/desk/servers"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
)

// Case is an expected decision in a file next to the rules.
type Case struct {
	Call
	Want string `json:"want"`         // "allow", "ask" or "deny"
	By   string `json:"by,omitempty"` // the rule that must decide, as file:line
}

// Tested is the result of one test.
type Tested struct {
	Test  string        `json:"test"` // file and number
	Want  string        `json:"want"`
	Found Explained     `json:"found"`
	OK    bool          `json:"ok"`
	Error *host.Failure `json:"error,omitempty"`
}

var testLimits = schema.Limits{Bytes: 4 << 20, Depth: 64, Values: 100_000, Exponent: 308, Digits: 64}

// testsOf is the path of a policy file's tests.
func testsOf(path string) string { return strings.TrimSuffix(path, filepath.Ext(path)) + ".test.json" }

// Test runs the expected decisions next to each policy file, NAME.test.json.
func Test(ctx context.Context, s servers.Servers, file string) (all []Tested, err error) {
	paths := []string{file}
	if file == "" {
		paths = nil
		for _, p := range s.Desk.Settings.Policy {
			paths = append(paths, p.V)
		}
	}
	j, err := newJudge(s, file)
	if err != nil {
		return nil, err
	}
	all = []Tested{}
	err = approved(ctx, s, func(c catalog.Catalog) error {
		for _, path := range paths {
			tests, err := readTests(testsOf(path))
			if err != nil {
				return err
			}
			for i, test := range tests {
				found, err := j.explained(s, c, test.Call)
				decided := found.Verdict == test.Want && (test.By == "" || test.By == found.By)
				ok := err == nil && decided
				found.Record = nil
				all = append(all, Tested{fmt.Sprintf("%s %d", testsOf(filepath.Base(path)), i+1), test.Want, found, ok, host.FailureOf(err)})
			}
		}
		return nil
	})
	failed := len(slices.DeleteFunc(slices.Clone(all), func(t Tested) bool { return t.OK }))
	switch {
	case err != nil:
	case len(all) == 0:
		err = verdict.Fail(verdict.ConfigMissing, nil, "there is no test next to a policy file: write {\"tests\": […]} into %s", testsOf(cmp.Or(append(paths, "policy.json")[0], "policy.json")))
	case failed > 0:
		err = verdict.Fail(verdict.RuleTest, nil, "%d of %d decisions are not as expected", failed, len(all))
	}
	return all, err
}

func readTests(path string) ([]Case, error) {
	b, err := config.ReadFile(path)
	if err != nil {
		if errors.Is(err, os.ErrNotExist) {
			return nil, nil
		}
		return nil, err
	}
	var f struct {
		Tests []Case `json:"tests"`
	}
	if err := schema.Decode(b, &f, testLimits); err != nil {
		return nil, verdict.Fail(verdict.ConfigInvalid, nil, "%s has %v", path, err)
	}
	return f.Tests, nil
}
