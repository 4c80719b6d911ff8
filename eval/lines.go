package eval

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// maxLine is the length limit of one row: four tools of the greatest
// descriptor that is admitted, and room.
const maxLine = 1 << 20

// rowLimits bound one row.
var rowLimits = schema.Limits{Bytes: maxLine, Depth: 64, Values: 200_000, Exponent: 308, Digits: 64}

// ReadCases reads a file of cases, one JSON object a line; parse reads one and
// gives its id. Blank lines, lines that begin with # or //, and a byte order
// mark are passed over. The error names the file and the line, and then there are
// no cases: one that was passed over would be missing from every figure.
func ReadCases[C any](path string, parse func(line []byte) (id string, c C, err error)) ([]C, error) {
	list := caseList[C]{parse: parse}
	if err := ReadRows(path, list.add); err != nil {
		return nil, err
	}
	return list.cases, nil
}

// ParseCases is ReadCases for what is not a file; name stands for its path in
// errors.
func ParseCases[C any](name string, from io.Reader, parse func(line []byte) (id string, c C, err error)) ([]C, error) {
	list := caseList[C]{parse: parse}
	if err := ParseRows(name, from, list.add); err != nil {
		return nil, err
	}
	return list.cases, nil
}

type caseList[C any] struct {
	parse func(line []byte) (string, C, error)
	cases []C
	lines map[string]int // of the ids
}

func (l *caseList[C]) add(n int, line []byte) error {
	id, c, err := l.parse(line)
	switch first := l.lines[id]; {
	case err != nil:
		return err
	case id == "":
		return errors.New("a case without an id")
	case first > 0:
		return fmt.Errorf("the id %.100q is in line %d already", id, first)
	}
	if l.lines == nil {
		l.lines = map[string]int{}
	}
	l.cases = append(l.cases, c)
	l.lines[id] = n
	return nil
}

// RowLimits bound one line of a case file.
func RowLimits() schema.Limits { return rowLimits }

// ReadRows gives the rows of a file to read, as [ReadCases] does, which says
// what is wrong with one.
func ReadRows(path string, read func(line int, row []byte) error) error {
	f, err := os.Open(path)
	if err != nil {
		return verdict.Fail(verdict.EvalCases, err, "%s cannot be read: %v", path, errors.Unwrap(err))
	}
	defer f.Close()
	return ParseRows(path, f, read)
}

// ParseRows stops at the first line that is no row, and names it: a row that
// was passed over would be missing from every figure, and nobody would see it.
func ParseRows(name string, from io.Reader, read func(line int, row []byte) error) error {
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, maxLine)
	n, rows := 0, 0
	for lines.Scan() {
		n++
		row := lines.Bytes()
		if n == 1 {
			row = bytes.TrimPrefix(row, []byte(byteOrderMark))
		}
		if unsaid(row) {
			continue
		}
		rows++
		if err := read(n, row); err != nil {
			// No cause: a gate's denial of one row is not the code of the file.
			return verdict.Fail(verdict.EvalCases, nil, "%s:%d: %v", name, n, err)
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return verdict.Fail(verdict.EvalCases, err, "%s:%d: a line of more than %d bytes", name, n+1, maxLine)
	case err != nil:
		return verdict.Fail(verdict.EvalCases, err, "%s:%d: cannot be read: %v", name, n+1, err)
	case rows == 0:
		return verdict.Fail(verdict.EvalCases, nil, "%s holds no rows", name)
	}
	return nil
}

// byteOrderMark is what some editors put before the first line.
const byteOrderMark = "\uFEFF"

// unsaid reports whether a line is there for people alone. No row begins so.
func unsaid(line []byte) bool {
	line = bytes.TrimSpace(line)
	return len(line) == 0 || line[0] == '#' || bytes.HasPrefix(line, []byte("//"))
}
