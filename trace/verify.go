package trace

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// MaxResult is the largest result that a run may record, in bytes. A line can contain it
// with every byte escaped.
const MaxResult = 16 << 20

var lineLimits = schema.Limits{Bytes: 6*MaxResult + 1<<20, Depth: 80, Values: 200_000, Exponent: 400, Digits: 128}

// Read reads a trace and follows its chain. It returns the intact lines, in order, and
//
//   - nil, when the trace is consistent from its first line to its end;
//   - trace.incomplete, when it is intact as far as it goes and stops there: a
//     run that was killed leaves this;
//   - trace.broken, naming the first line that is not what a run writes there.
//
// A consistent trace may still have been rewritten whole: compare its digest.
func Read(r io.Reader) ([]Event, error) {
	var events []Event
	_, err := Verify(r, func(e Event) { events = append(events, e) })
	return events, err
}

// Verify is Read for a trace of any length. It calls see, which may be nil, with each
// intact line, and keeps none. Without an error, the hash of the last intact line is the
// digest of the trace.
func Verify(r io.Reader, see func(Event)) (last Hash, err error) { return Scan(r, see, nil) }

// Scan is Verify that also reads exports. It calls object with each object after the end
// line, and vouches for the object's hash. If object is nil, any data after the end line
// is an edit.
func Scan(r io.Reader, see func(Event), object func(Hash, jsontext.Value)) (last Hash, err error) {
	in, end := buffered(r)
	defer end()
	at := place{export: object != nil}
	for {
		line, err := readLine(in)
		if errors.Is(err, io.EOF) {
			return at.prev, at.end(len(line))
		}
		if err != nil {
			return at.prev, err
		}
		if at.export && at.ended() {
			h, v, why := at.named.object(at.given, line)
			if why != "" {
				return at.prev, broken(at.seq+at.given, why)
			}
			at.given++
			object(h, v)
			continue
		}
		e, why := at.decode(line)
		if why == "" {
			why = e.refer()
		}
		if why != "" {
			return at.prev, broken(at.seq, why)
		}
		at.pass(e)
		if see != nil {
			see(e)
		}
	}
}

// Skim follows the chain of a trace up to its outcome, and calls see with each line. It ends
// at the first line whose bytes are not those of the chain. It decodes no body: see gets
// lines that [Scan] would refuse for theirs, and no references to objects.
func Skim(r io.Reader, see func(Event)) {
	in, end := buffered(r)
	defer end()
	for at := (place{}); at.step%round < steps[Outcome]; {
		line, err := readLine(in)
		if err != nil {
			return
		}
		e, why := at.decode(line)
		if why != "" {
			return
		}
		at.pass(e)
		see(e)
	}
}

// buffered reads with a buffer that another trace may have used before, until end.
func buffered(r io.Reader) (in *bufio.Reader, end func()) {
	in, _ = readers.Get().(*bufio.Reader) // as New makes them
	in.Reset(r)
	return in, func() { in.Reset(nil); readers.Put(in) }
}

var readers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, 64<<10) }}

// place is the reader's position in a trace.
type place struct {
	prev Hash
	seq  int
	step int // step of the furthest kind so far

	export bool       // objects may follow the end line
	named  references // the expected objects of an export
	given  int        // number of objects read
}

func (p *place) pass(e Event) {
	p.prev, p.seq, p.step = e.Hash, e.Seq+1, e.Kind.follows(p.step)
	if p.export {
		p.named.add(e.Objects)
	}
}

func (p *place) ended() bool { return p.step%round == steps[End] }

// steps is the order in which a run writes its lines. Each kind appears at most once,
// except listings, and verdicts, which appear between the others. A reread begins the
// order again, without a proposal.
var steps = map[Kind]int{Begin: 1, Verdict: 0, Listing: 2, Proposal: 3, Decision: 4, Approval: 5, Consent: 6, Result: 7, Guard: 8, Writing: 9, Outcome: 10, End: 11}

// round is added to the steps after a reread.
const round = 100

// follows returns the step after a line of this kind, or 0 if a run writes no such line
// there.
func (k Kind) follows(at int) int {
	again, step := at-at%round, at%round
	next, known := steps[k]
	switch {
	case k == Reread && step >= steps[Begin] && step <= steps[Consent]:
		return round + steps[Begin]
	case !known, (step == 0) != (k == Begin), step == steps[End], k == Proposal && again > 0:
		return 0
	case k == Verdict && step < steps[Outcome], k == Listing && step == steps[Listing]:
		return at
	case k == Consent && step != steps[Approval], k == Guard && step != steps[Result]:
		return 0
	case k == End && step != steps[Outcome]:
		return 0
	case k == Result && step != steps[Approval] && step != steps[Consent]:
		return 0
	case next > step:
		return again + next
	}
	return 0
}

// end returns the verdict at the end of the file. rest is the number of bytes after its
// last complete line.
func (p *place) end(rest int) error {
	ended := p.ended()
	switch {
	case ended && p.given < len(p.named.order) && p.given+rest > 0:
		return p.named.cutOff(p.given)
	case rest > 0 && ended:
		return broken(p.seq+p.given, "it follows the end line")
	case rest > 0:
		return verdict.Fail(verdict.TraceIncomplete, nil, "intact to line %d; line %d is cut off", p.seq, p.seq+1)
	case !ended:
		return verdict.Fail(verdict.TraceIncomplete, nil, "intact to line %d; the end line is missing", p.seq)
	}
	return nil
}

func broken(intact int, why string) error {
	return verdict.Fail(verdict.TraceBroken, nil, "intact to line %d; line %d: %s", intact, intact+1, why)
}

// Decode reads the line's body into v, strictly.
func (e Event) Decode(v any) error { return schema.Decode(e.Body, v, lineLimits) }

// decode reads one line, which must have exactly the bytes of append. It does not copy:
// the body is a part of the line.
func (p *place) decode(line []byte) (Event, string) {
	start, rest, _ := bytes.Cut(line, []byte(bodyName))
	cut := len(rest) - linkLen - tailLen
	if cut < 0 || len(start) > maxStart {
		return Event{}, "it is not a trace line"
	}
	e, ok := begun(start, rest[:cut])
	if !ok {
		return Event{}, "it is not a trace line"
	}
	var prev Hash
	if _, err := hex.Decode(prev[:], rest[cut+len(`,"prev":"`):][:2*len(prev)]); err != nil {
		return Event{}, "its prev is not a hash"
	}
	e.Hash = sha256.Sum256(line[:len(line)-tailLen])
	switch {
	case !bytes.HasPrefix(line, e.head(make([]byte, 0, maxStart))) || !bytes.Equal(rest[cut:], tail(link(make([]byte, 0, linkLen+tailLen), prev), e.Hash)):
		return Event{}, "its bytes do not match its hash: it was edited"
	case prev != p.prev || e.Seq != p.seq:
		return Event{}, fmt.Sprintf("it does not follow line %d (it says it is number %d): a line was dropped, moved or inserted", p.seq, e.Seq+1)
	case e.Kind.follows(p.step) == 0:
		return Event{}, fmt.Sprintf("a run writes no line of the kind %.32q there", e.Kind)
	}
	return e, ""
}

// refer decodes the body, and notes the objects that it refers to.
func (e *Event) refer() (why string) {
	var err error
	if e.Objects, err = e.names(); err != nil {
		return "its body has " + err.Error()
	}
	return ""
}

// maxStart bounds the bytes before a line's body. A run writes fewer.
const maxStart = 256

// begun takes a line's start apart. The caller compares it with [Event.head], which is its
// only spelling.
func begun(start, body []byte) (e Event, ok bool) {
	named, _ := strings.CutPrefix(string(start), seqName)
	seq, named, _ := strings.Cut(named, timeName)
	at, kind, _ := strings.Cut(named, kindName)
	kind, _ = strings.CutSuffix(kind, `"`)
	number, unread := strconv.Atoi(seq)
	when, unknown := time.Parse(timeFormat, at)
	if cmp.Or(unread, unknown) != nil || len(body) < len(`{}`) {
		return e, false
	}
	return Event{Seq: number, Time: when, Kind: Kind(kind), Body: body}, body[0] == '{'
}

// readLine returns one line without its newline. With io.EOF it returns the data after
// the last newline.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > lineLimits.Bytes:
			return nil, verdict.Fail(verdict.TraceBroken, nil, "a line is longer than %d bytes", lineLimits.Bytes)
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err == nil:
			return line[:len(line)-1], nil
		case errors.Is(err, io.EOF):
			return line, io.EOF
		}
		return nil, verdict.Fail(verdict.TraceMissing, err, "the trace cannot be read")
	}
}
