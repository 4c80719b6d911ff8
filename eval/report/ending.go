package report

import (
	"fmt"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate/verdict"
)

// ending returns the code of the error that ended a suite, and its reason. Both are ""
// without an error.
func ending(r eval.Report, end error) (code, reason string) {
	d, f := verdict.First(end)
	switch {
	case d != nil:
		return string(d.Code), d.Reason
	case f != nil:
		return string(f.Code), f.Reason
	case end != nil:
		return string(verdict.Internal), end.Error()
	case !r.Complete:
		return string(verdict.EvalIncomplete), fmt.Sprintf("%d of %d cases were measured", r.Measured, r.Cases)
	}
	return "", ""
}
