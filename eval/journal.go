package eval

import (
	"bufio"
	"errors"
	"io"
	"os"
	"slices"

	"github.com/go-json-experiment/json"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// journal keeps the results case by case, so that a stopped run can continue. Its
// first line identifies the measurement. A nil journal keeps nothing.
type journal struct{ file *os.File }

type journalHead struct {
	Suite  string `json:"suite"`
	Digest string `json:"digest"`
	Policy string `json:"policy_digest"`
}

type journalLine struct {
	ID   string `json:"id"`
	Rows []Row  `json:"rows"`
}

// journalLimits bound a line: the rows of one case, with all traces. The file is the
// program's own, but it was on a disk. Numbers in it may have any size, because an
// attacker may have written them, and no code computes with them.
var journalLimits = schema.Limits{Bytes: 256 << 20, Depth: 128, Values: 16 << 20, Exponent: 1 << 20, Digits: 1 << 20}

// openJournal begins a journal, or continues an existing one and passes its content to
// take.
func openJournal(path string, resume bool, s Suite, take func(i int, rows []Row)) (*journal, error) {
	if path == "" {
		return nil, nil //nolint:nilnil // a nil journal keeps nothing
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, unwritable(err)
	}
	j := &journal{f}
	kept := int64(0)
	if resume {
		kept, err = j.read(s, take)
	}
	if err == nil {
		err = j.begin(s, kept)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return j, nil
}

// begin removes the text after the kept lines, and writes the head of a journal
// without one.
func (j *journal) begin(s Suite, kept int64) error {
	if err := j.file.Truncate(kept); err != nil {
		return unwritable(err)
	}
	if _, err := j.file.Seek(kept, io.SeekStart); err != nil {
		return unwritable(err)
	}
	if kept > 0 {
		return nil
	}
	head, err := json.Marshal(journalHead{s.Name, s.Digest, s.Policy})
	if err == nil {
		err = j.add(append(head, '\n'))
	}
	if err != nil {
		return unwritable(err)
	}
	return nil
}

// read takes the cases of an earlier run and returns how many bytes they have. A last
// line without its end was incomplete when that run was killed.
func (j *journal) read(s Suite, take func(i int, rows []Row)) (kept int64, err error) {
	in := bufio.NewReader(j.file)
	seen := map[string]bool{}
	for first := true; ; first = false {
		line, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return kept, nil
		}
		if err != nil {
			return 0, unwritable(err)
		}
		if err := s.readLine(line, first, seen, take); err != nil {
			return 0, err
		}
		kept += int64(len(line))
	}
}

func (s Suite) readLine(line []byte, first bool, seen map[string]bool, take func(i int, rows []Row)) error {
	if first {
		var head journalHead
		if err := schema.Decode(line, &head, journalLimits); err != nil {
			return unresumable("its journal begins with %v", err)
		}
		if head != (journalHead{s.Name, s.Digest, s.Policy}) {
			return unresumable("it was of other cases, another planner or another policy")
		}
		return nil
	}
	var l journalLine
	if err := schema.Decode(line, &l, journalLimits); err != nil {
		return unresumable("its journal has %v", err)
	}
	i := slices.Index(s.IDs, l.ID)
	if i < 0 || seen[l.ID] {
		return unresumable("its journal has the case %.100q, which is unknown or was there before", l.ID)
	}
	seen[l.ID] = true
	take(i, l.Rows)
	return nil
}

func unresumable(format string, args ...any) error {
	return verdict.Fail(verdict.UsageArgument, nil, "the earlier run cannot be resumed: "+format, args...).WithHint("leave --resume out to measure everything again")
}

// lineOf returns the line of one case. Rows that could not be read back have no line:
// one such row would prevent that all others are resumed, or that the file of rows is
// written.
func lineOf(id string, rows []Row) ([]byte, error) {
	b, err := json.Marshal(journalLine{id, rows}, json.Deterministic(true))
	if err == nil {
		err = schema.Check(b, journalLimits)
	}
	if err != nil {
		return nil, verdict.Fail(verdict.Internal, err, "what was observed cannot be written: %v", err)
	}
	return append(b, '\n'), nil
}

func (j *journal) add(line []byte) error {
	if j == nil {
		return nil
	}
	_, err := j.file.Write(line)
	return err
}

func (j *journal) close() error {
	if j == nil {
		return nil
	}
	return j.file.Close()
}
