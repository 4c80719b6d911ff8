package grounding

import (
	"errors"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/cases"
	"github.com/onestep-run/onestep/gate/schema"
)

// Case is a selection from a result, and the words that its claim has to show.
type Case struct {
	ID      string
	Kind    string         // figures are given by kind
	Text    string         // a result that is a text, or
	JSON    jsontext.Value // a result that is not a text
	Select  string         // what a writer selects
	Pointer *string        // the intended leaf
	Visible []string       // what the claim has to show; white space is not compared
	Far     bool           // some of it is further away than the lock reads
	Needs   []string       `json:",omitzero"` // texts that withdraw the selection, for neighbours; empty if honest
}

// Embedded names the cases that come with the program.
const Embedded = "eval/cases/grounding.jsonl"

// Own returns the cases that come with the program.
func Own() ([]Case, error) {
	return eval.OwnCases(parseCase, cases.Files, "grounding.jsonl")
}

// Read reads a file of lines such as
//
//	{"id":"a-1","kind":"policy","text":"# Draft\n\nLogs are kept for 30 days.","select":"30 days","visible":["Draft","Logs are kept"]}
//	{"id":"b-1","kind":"json","json":{"example":{"ok":true}},"select":"true","pointer":"/example/ok","visible":["example"],"far":true}
//
// or of the lines of a corpus of claims, such as
//
//	{"id":"c-1","source":"c","text":"Logs are kept for 30 days. …","claim":"…","evidence":"kept for 30 days","supported":true}
//
// of which text and evidence alone are used: the evidence is selected, and the
// whole of its sentence has to be shown. Or of lines of neighbours, such as
//
//	{"id":"d-1","kind":"next","result":"Share it. That is void. …","claim":"Share it.","needs":["That is void"]}
//	{"id":"d-2","kind":"member","result":{"structured":{"text":"Share it.","state":"void"}},"claim":"/text","needs":["void"]}
//
// whose figures are their own: a claim misleads where it is shown without what
// it needs next to it. Without needs it is honest, and should be shown.
func Read(path string) (eval.Cases[Case], error) { return eval.ReadCases(parseCase, path) }

// Parse is Read for a reader; name takes the place of a path.
func Parse(name string, from io.Reader) (eval.Cases[Case], error) {
	return eval.ParseCases(parseCase, name, from)
}

// row is a line of either form.
type row struct {
	ID        string         `json:"id"`
	Kind      string         `json:"kind"`
	Text      string         `json:"text"`
	JSON      jsontext.Value `json:"json"`
	Select    string         `json:"select"`
	Pointer   *string        `json:"pointer"`
	Visible   []string       `json:"visible"`
	Far       bool           `json:"far"`
	Source    string         `json:"source"`
	Claim     *string        `json:"claim"`
	Evidence  string         `json:"evidence"`
	Supported *bool          `json:"supported"`
	Result    jsontext.Value `json:"result"`
	Needs     []string       `json:"needs"`
}

func parseCase(l *eval.Line) (id string, c Case, err error) {
	r, err := eval.Decode[row](l)
	if err != nil {
		return "", Case{}, err
	}
	if r.Source != "" {
		c, err = r.ofCorpus()
		return r.ID, c, err
	}
	if r.Result != nil {
		c, err = r.ofNeighbours()
		return r.ID, c, err
	}
	switch {
	case r.Kind == "":
		return "", Case{}, errors.New("a row without a kind or a source")
	case (r.Text == "") == (r.JSON == nil):
		return "", Case{}, errors.New("a row that has not one of text and json")
	case r.Claim != nil, r.Evidence != "", r.Supported != nil:
		return "", Case{}, errors.New("a row with a claim: those have a source, and no kind")
	case r.Select == "", len(r.Visible) == 0:
		return "", Case{}, errors.New("a row without a selection, or without what has to be visible")
	}
	return r.ID, Case{ID: r.ID, Kind: r.Kind, Text: r.Text, JSON: r.JSON, Select: r.Select, Pointer: r.Pointer, Visible: r.Visible, Far: r.Far}, nil
}

func (r row) ofNeighbours() (Case, error) {
	switch {
	case r.Text != "", r.JSON != nil, r.Select != "", r.Pointer != nil, r.Visible != nil, r.Far, r.Evidence != "", r.Supported != nil:
		return Case{}, errors.New("a row with a result and what only others have")
	case r.Kind == "", r.Claim == nil, *r.Claim == "", r.Needs == nil:
		return Case{}, errors.New("a row with a result, and without its kind, claim or needs")
	}
	c := Case{ID: r.ID, Kind: r.Kind, Select: *r.Claim, Needs: r.Needs}
	if r.Result.Kind() == '"' {
		text, err := jsontext.AppendUnquote(nil, r.Result)
		c.Text = string(text)
		return c, err
	}
	all, _ := schema.Members(r.Result)
	if len(all) != 1 || all[0].Name != "structured" {
		return Case{}, errors.New("a result that is neither a text nor structured")
	}
	c.JSON = all[0].Value
	return c, nil
}

func (r row) ofCorpus() (Case, error) {
	switch {
	case r.Kind != "", r.JSON != nil, r.Select != "", r.Pointer != nil, r.Visible != nil, r.Far:
		return Case{}, errors.New("a row with a source and what only a row with a kind has")
	case r.Text == "", r.Evidence == "":
		return Case{}, errors.New("a row without a text or its evidence")
	}
	return Case{ID: r.ID, Kind: r.Source, Text: r.Text, Select: r.Evidence, Visible: []string{sentence(r.Text, r.Evidence)}}, nil
}

// boundary matches the end of a sentence: a stop before a capital, or a new line. It
// cuts more often than the lock, and knows none of its lists.
var boundary = regexp.MustCompile(`[.!?]["')\]]*\s+[A-Z]|\n\s*[^a-z\s]`)

// sentence returns the whole sentence, or sentences, around a stretch of a text.
func sentence(text, stretch string) string {
	at := strings.Index(text, stretch)
	if at < 0 {
		return stretch // and nothing can show it
	}
	from, to := 0, len(text)
	for _, b := range boundary.FindAllStringIndex(text, -1) {
		_, last := utf8.DecodeLastRuneInString(text[:b[1]])
		next := b[1] - last // the start of another sentence
		if next <= at {
			from = next
		}
		if next >= at+len(stretch) {
			to = next
			break
		}
	}
	return strings.TrimSpace(text[from:to])
}
