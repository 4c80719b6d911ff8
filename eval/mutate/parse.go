package mutate

import (
	"errors"
	"fmt"
	"strings"
)

// Parse reads the mutants of one gate:
//
//	# Any line of explanation.
//	gate: the single-use permit
//
//	mutant: an approval is redeemed again
//	opens: one call
//	tests: gate host
//	by: gate.TestOneApprovalIsOneCall
//	suites: offline e2e
//	@@ gate/approved.go
//	-	if a.p.spent.Load() {
//	+	if false {
//
// opens names the gates that the mutant alone, or all that name one together, opens
// as a whole, and is left out of the others; see [Ablate]. tests are rooms, nearest
// first; by is the test that caught the mutant last,
// and is tried before them, or is left out; suites are rooms below eval, or "none:" and
// the reason. A change is written as in a diff: lines that begin with -, + or,
// for context, a blank. A mutant may have several.
func Parse(text string) ([]Mutant, error) {
	p := reader{}
	n := 0
	for line := range strings.Lines(text) {
		n++
		if err := p.line(strings.TrimRight(line, "\n")); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
	for _, m := range p.all {
		if err := m.check(); err != nil {
			return nil, err
		}
	}
	if len(p.all) == 0 {
		return nil, errors.New("there are no mutants")
	}
	return p.all, nil
}

type reader struct {
	gate string
	all  []Mutant
}

func (p *reader) line(line string) error {
	switch {
	case line == "" || line[0] == '#':
		return nil
	case strings.HasPrefix(line, "gate: "):
		if p.gate != "" {
			return errors.New("a second gate")
		}
		p.gate = line[len("gate: "):]
		return nil
	case p.gate == "":
		return errors.New("the gate is named first")
	case strings.HasPrefix(line, "mutant: "):
		p.all = append(p.all, Mutant{Gate: p.gate, Name: line[len("mutant: "):]})
		return nil
	case len(p.all) == 0:
		return errors.New("a mutant is named first")
	}
	return p.all[len(p.all)-1].line(line)
}

// line adds one line to the mutant that it belongs to.
func (m *Mutant) line(line string) error {
	if file, ok := strings.CutPrefix(line, "@@ "); ok {
		m.Changes = append(m.Changes, Change{File: file})
		return nil
	}
	if len(m.Changes) > 0 {
		return m.Changes[len(m.Changes)-1].line(line)
	}
	key, value, _ := strings.Cut(line, ": ")
	switch key {
	case "opens":
		m.Opens = strings.Split(value, ", ")
	case "tests":
		m.Tests = strings.Fields(value)
	case "by":
		m.ByRoom, m.By, _ = strings.Cut(value, ".")
	case "suites":
		if why, none := strings.CutPrefix(value, "none: "); none {
			m.Apart = why
			return nil
		}
		for _, name := range strings.Fields(value) {
			m.Suites = append(m.Suites, "eval/"+name)
		}
	default:
		return fmt.Errorf("%q is neither opens, tests, by, suites nor a change", key)
	}
	return nil
}

func (c *Change) line(line string) error {
	text := line[1:] + "\n"
	switch line[0] {
	case '-':
		c.Old += text
	case '+':
		c.New += text
	case ' ':
		c.Old += text
		c.New += text
	default:
		return errors.New("a line of a change begins with -, + or a blank")
	}
	return nil
}
