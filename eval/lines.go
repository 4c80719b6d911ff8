package eval

import (
	"bufio"
	"errors"
	"io"
	"os"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// maxLine is the length limit of one row: four tools of the greatest
// descriptor that is admitted, and room.
const maxLine = 1 << 20

// rowLimits bound one row.
var rowLimits = schema.Limits{Bytes: maxLine, Depth: 64, Exponent: 308, Digits: 64}

// readFile gives the rows of a file to read, which says what is wrong with one.
func readFile(path string, read func(row []byte) error) error {
	f, err := os.Open(path)
	if err != nil {
		return verdict.Fail(verdict.EvalCases, err, "%s cannot be read: %v", path, errors.Unwrap(err))
	}
	defer f.Close()
	return readRows(path, f, read)
}

// readRows stops at the first line that is no row, and names it: a row that
// was passed over would be missing from every figure, and nobody would see it.
func readRows(name string, from io.Reader, read func(row []byte) error) error {
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, maxLine)
	n := 0
	for lines.Scan() {
		n++
		if err := read(lines.Bytes()); err != nil {
			// No cause: a gate's denial of one row is not the code of the file.
			return verdict.Fail(verdict.EvalCases, nil, "%s:%d: %v", name, n, err)
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return verdict.Fail(verdict.EvalCases, err, "%s:%d: a line of more than %d bytes", name, n+1, maxLine)
	case err != nil:
		return verdict.Fail(verdict.EvalCases, err, "%s:%d: cannot be read: %v", name, n+1, err)
	case n == 0:
		return verdict.Fail(verdict.EvalCases, nil, "%s holds no rows", name)
	}
	return nil
}
