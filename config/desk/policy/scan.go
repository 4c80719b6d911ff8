package policy

import (
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/scan"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/secret"
	"github.com/onestep-run/onestep/gate/verdict"
)

// ScanResult is the result of the built-in rules for a text.
type ScanResult struct {
	Redactions []secret.Redaction `json:"redactions"`
	Report     scan.Report        `json:"report"`
}

// Scan redacts and scans the text of a file like a server's answer. With the kind description
// it treats the text like a server's description of itself. A JSON object counts as a whole
// answer of a tool, anything else as the text of one.
func (d Desk) Scan(file, text, server, kind string) (ScanResult, error) {
	policy, err := setup.Policy(d.Settings)
	if err != nil {
		return ScanResult{}, err
	}
	answer, err := answerOf(file, text)
	if err != nil {
		return ScanResult{}, err
	}
	answer, redactions, err := secret.RedactJSON(answer)
	if err != nil {
		return ScanResult{}, err
	}
	parts := gate.New(gate.Options{}).Parts(gate.RawResult{Body: answer})
	if kind != "text" {
		for i := range parts {
			parts[i].Kind = kind
		}
	}
	return ScanResult{append([]secret.Redaction{}, redactions...), policy.Guard.Scan(server, parts)}, nil
}

// answerOf is a server's answer with the text of a file. It is the file itself if that is a
// JSON object, and otherwise an answer with that text.
func answerOf(file, text string) ([]byte, error) {
	if !utf8.ValidString(text) {
		return nil, verdict.Fail(verdict.UsageArgument, nil, "%s is not UTF-8, as an answer has to be", escape.Line(file, 2<<10))
	}
	if jsontext.Value(text).Kind() == '{' && schema.Check([]byte(text), schema.ResultLimits) == nil {
		return []byte(text), nil
	}
	block := map[string]string{"type": "text", "text": text}
	return json.Marshal(map[string]any{"content": []any{block}}, json.Deterministic(true))
}
