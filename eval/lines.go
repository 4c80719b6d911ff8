package eval

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// maxLine bounds one row: four tools with the largest admitted descriptor, and some
// room.
const maxLine = 1 << 20

// rowLimits bound one row.
var rowLimits = schema.Limits{Bytes: maxLine, Depth: 64, Values: 200_000, Exponent: 308, Digits: 64}

// RowLimits bound one line of a case file.
func RowLimits() schema.Limits { return rowLimits }

// Line is a line of a case file with a row.
type Line struct {
	Text    []byte
	place   string
	long    bool // too long to read
	extra   []extra
	remarks []string
}

// Decode reads a row of the shape R. Other members are not an error. They are kept next
// to the results, and reported.
func Decode[R any](l *Line) (row R, err error) {
	row, l.extra, err = decodeNoting[R](l.Text, rowLimits)
	for _, m := range l.extra {
		l.Remark("no suite knows the member %s", m.at)
	}
	return row, err
}

// Remark reports an oddity of a row that can still be asked.
func (l *Line) Remark(format string, args ...any) {
	l.remarks = append(l.remarks, fmt.Sprintf(format, args...))
}

// Parse reads one row. Its error is the reason why the row cannot be asked.
type Parse[C any] func(*Line) (id string, c C, err error)

// Cases are the usable rows of case files, and a report about the others.
type Cases[C any] struct {
	List []C
	Reading
}

// ReadCases reads files of cases, one JSON object a line. All ids must differ. It
// skips blank lines, lines that begin with # or //, and a byte order mark. The reading
// names a row that cannot be asked; the other rows do not suffer. A file without rows
// or that cannot be read is an error, and so are files without a usable row.
func ReadCases[C any](parse Parse[C], paths ...string) (Cases[C], error) {
	r := reader[C]{parse: parse}
	for _, path := range paths {
		if err := r.open(path); err != nil {
			return Cases[C]{}, err
		}
	}
	return r.end()
}

// OwnCases returns the cases that come with the program, every row of them.
func OwnCases[C any](parse Parse[C], files fs.FS, names ...string) ([]C, error) {
	r := reader[C]{parse: parse}
	for _, name := range names {
		f, err := files.Open(name)
		if err != nil {
			return nil, err
		}
		if err := errors.Join(r.read(name, f), f.Close()); err != nil {
			return nil, err
		}
	}
	return r.cases.List, r.cases.Strict()
}

// ParseCases is ReadCases for a reader; name takes the place of a path.
func ParseCases[C any](parse Parse[C], name string, from io.Reader) (Cases[C], error) {
	r := reader[C]{parse: parse}
	if err := r.read(name, from); err != nil {
		return Cases[C]{}, err
	}
	return r.end()
}

// reader collects the cases of files.
type reader[C any] struct {
	parse  Parse[C]
	cases  Cases[C]
	places map[string]string // by id
}

func (r *reader[C]) open(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return verdict.Fail(verdict.EvalCases, err, "%s cannot be read: %v", path, errors.Unwrap(err))
	}
	defer f.Close()
	return r.read(path, f)
}

func (r *reader[C]) read(name string, from io.Reader) (err error) {
	lines := bufio.NewReaderSize(from, maxLine)
	rows := 0
	for n := 1; err == nil; n++ {
		l := &Line{place: fmt.Sprintf("%s:%d", name, n)}
		if err = l.read(lines); n == 1 {
			l.Text = bytes.TrimPrefix(l.Text, []byte(byteOrderMark))
		}
		if l.long || !unsaid(l.Text) {
			rows++
			r.add(l)
		}
	}
	switch {
	case !errors.Is(err, io.EOF):
		return verdict.Fail(verdict.EvalCases, err, "%s cannot be read: %v", name, err)
	case rows == 0:
		return verdict.Fail(verdict.EvalCases, nil, "%s holds no rows", name)
	}
	return nil
}

// read reads the next line without its end, and skips a line that is too long.
func (l *Line) read(from *bufio.Reader) error {
	text, err := from.ReadSlice('\n')
	l.Text = bytes.Clone(bytes.TrimRight(text, "\r\n"))
	for errors.Is(err, bufio.ErrBufferFull) {
		l.Text, l.long = nil, true
		_, err = from.ReadSlice('\n')
	}
	return err
}

// byteOrderMark is the mark that some editors put before the first line.
const byteOrderMark = "\uFEFF"

// unsaid reports whether a line is only for readers. No row begins in such a way.
func unsaid(line []byte) bool {
	line = bytes.TrimSpace(line)
	return len(line) == 0 || line[0] == '#' || bytes.HasPrefix(line, []byte("//"))
}

func (r *reader[C]) add(l *Line) {
	if l.long {
		r.unasked(l, fmt.Errorf("a line of more than %d bytes", maxLine))
		return
	}
	id, c, err := r.parse(l)
	switch first := r.places[id]; {
	case err != nil:
		r.unasked(l, err)
		return
	case id == "":
		r.unasked(l, errors.New("a row without an id"))
		return
	case first != "":
		r.unasked(l, fmt.Errorf("the id %.100q is in %s already", id, first))
		return
	}
	if r.places == nil {
		r.places, r.cases.extra = map[string]string{}, map[string]jsontext.Value{}
	}
	r.places[id] = l.place
	r.cases.List = append(r.cases.List, c)
	r.cases.note(id, l)
}

// unasked counts a row that cannot be asked, with its id if that can be read.
func (r *reader[C]) unasked(l *Line, why error) {
	var row struct {
		ID string `json:"id"`
	}
	if schema.DecodeOpen(l.Text, &row, rowLimits) != nil {
		row.ID = ""
	}
	r.cases.Unasked = append(r.cases.Unasked, Unasked{l.place, row.ID, why.Error()})
}

func (r *reader[C]) end() (Cases[C], error) {
	if len(r.cases.List) > 0 {
		return r.cases, nil
	}
	if len(r.cases.Unasked) == 0 {
		return Cases[C]{}, verdict.Fail(verdict.EvalCases, nil, "there is no file of cases")
	}
	return Cases[C]{}, verdict.Fail(verdict.EvalCases, nil, "no row can be asked; first %s", r.cases.Unasked[0])
}
