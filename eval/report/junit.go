package report

import (
	"encoding/xml"
	"fmt"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate/escape"
)

// JUnit returns a report as the XML that build servers read. It has a test suite for
// every agent and group, and a test case for every row. A row that is not as expected
// is a failure, even in a suite that only counts such rows. A build that checks a rate
// instead compares results (`ask eval compare`). A case that could not be measured is
// an error. So is end, so that a stopped run never looks like a passed one. A row that
// cannot be asked is skipped.
//
// The format has no schema; names and places are those that Jenkins and GitLab read.
func JUnit(r eval.Report, end error) ([]byte, error) {
	doc := junitDocument{Name: line("onestep " + r.Suite + ": " + r.Subject)}
	at := map[place]int{}
	for _, row := range r.Rows {
		p := place{row.Agent, row.Group}
		i, there := at[p]
		if !there {
			i = len(doc.Suites)
			at[p] = i
			doc.Suites = append(doc.Suites, junitSuite{Name: line(p.name(r.Suite))})
		}
		doc.Suites[i].add(junitRow(r.Suite, row))
	}
	if unmeasured := junitUnmeasured(r, end); unmeasured.Tests > 0 {
		doc.Suites = append(doc.Suites, unmeasured)
	}
	for _, s := range doc.Suites {
		doc.Tests, doc.Failures, doc.Errors = doc.Tests+s.Tests, doc.Failures+s.Failures, doc.Errors+s.Errors
	}
	b, err := xml.MarshalIndent(doc, "", "  ")
	if err != nil {
		return nil, err
	}
	return append([]byte(xml.Header), append(b, '\n')...), nil
}

// place is the suite in which a row is counted.
type place struct{ agent, group string }

func (p place) name(suite string) string {
	for _, part := range []string{p.agent, p.group} {
		if part != "" {
			suite += " / " + part
		}
	}
	return suite
}

type junitDocument struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name    string      `xml:"name,attr"`
	Class   string      `xml:"classname,attr"`
	Failure *junitFault `xml:"failure"`
	Error   *junitFault `xml:"error"`
	Skipped *junitSkip  `xml:"skipped"`
}

type junitSkip struct {
	Message string `xml:"message,attr"`
}

type junitFault struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

func (s *junitSuite) add(c junitCase) {
	s.Tests++
	s.Failures += eval.Fact(c.Failure != nil)
	s.Errors += eval.Fact(c.Error != nil)
	s.Skipped += eval.Fact(c.Skipped != nil)
	s.Cases = append(s.Cases, c)
}

func junitRow(suite string, row eval.Row) junitCase {
	c := junitCase{Name: line(row.ID), Class: line(place{row.Agent, row.Group}.name(suite))}
	if !row.Passed {
		c.Failure = &junitFault{
			Message: line(fmt.Sprintf("expected %s, observed %s", row.Expected, row.Observed)),
			Type:    "not as expected",
			Text: escape.Text(fmt.Sprintf("query: %s\nexpected: %s\nobserved: %s\ndetail: %s\n",
				line(row.Query), line(row.Expected), line(row.Observed), line(row.Detail)), 5*maxText),
		}
	}
	return c
}

// junitUnmeasured has the failures, the rows that cannot be asked, and the error that
// ended the run.
func junitUnmeasured(r eval.Report, end error) junitSuite {
	s := junitSuite{Name: line(r.Suite + ": not measured")}
	for _, f := range r.Failures {
		s.add(junitCase{Name: line(f.ID), Class: s.Name, Error: &junitFault{line(f.Reason), line(f.Code), ""}})
	}
	for _, u := range r.Unasked {
		s.add(junitCase{Name: line(u.Place), Class: s.Name, Skipped: &junitSkip{line(u.String())}})
	}
	if code, reason := ending(r, end); code != "" {
		s.add(junitCase{Name: "the suite", Class: s.Name, Error: &junitFault{line(reason), code, ""}})
	}
	return s
}

// line makes one line of an untrusted text, without characters that XML forbids.
func line(s string) string { return escape.Line(s, maxText) }
