package e2e

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// Without the gates' validators: opening them must not close the
// judge's eyes.
func TestTheJudgeReadsArgumentsByHimself(t *testing.T) {
	t.Parallel()
	const closed = `{"type":"object","additionalProperties":false,"required":["id"],"properties":{
		"id":{"type":"string","pattern":"^kb-[0-9]{3}$"},"n":{"type":"integer","minimum":1,"maximum":5},"q":{"type":"string","minLength":1,"maxLength":3},
		"to":{"type":["string","null"]},"way":{"enum":["up","down",2]},"list":{"type":"array","items":{"type":"boolean"}},
		"deep":{"type":"object","additionalProperties":false,"properties":{"x":{"type":"number"}}}}}`
	for args, broken := range map[string]bool{
		`{"id":"kb-001"}`: false,
		`{"id":"kb-001","n":5,"q":"äöü","to":null}`: false,
		`{"id":"kb-001","way":2,"list":[true]}`:     false,
		`{"id":"kb-001","n":2.0,"deep":{"x":1.5}}`:  false,
		`{}`:                               true,
		`{"id":"kb-0001"}`:                 true,
		`{"id":"kb-001\n"}`:                true,
		`{"ID":"kb-001"}`:                  true,
		`{"id":"kb-001","more":1}`:         true,
		`{"id":["kb-001"]}`:                true,
		`{"id":null}`:                      true,
		`{"id":"kb-001","n":1.5}`:          true,
		`{"id":"kb-001","n":0}`:            true,
		`{"id":"kb-001","n":6}`:            true,
		`{"id":"kb-001","n":"5"}`:          true,
		`{"id":"kb-001","q":""}`:           true,
		`{"id":"kb-001","q":"four"}`:       true,
		`{"id":"kb-001","to":1}`:           true,
		`{"id":"kb-001","way":"left"}`:     true,
		`{"id":"kb-001","list":[true,1]}`:  true,
		`{"id":"kb-001","deep":{"y":1}}`:   true,
		`{"id":"kb-001","deep":{"x":"1"}}`: true,
		`{"id":"kb-001","id":"kb-002"}`:    true,
		`[]`:                               true,
		`{"id":"kb-001"`:                   true,
	} {
		if got := (contract{input: jsontext.Value(closed)}).broken(jsontext.Value(args)); got != broken {
			t.Errorf("%s: %v", args, got)
		}
	}
	for _, unread := range []string{`true`, `{}`, `{"type":1}`, `{"properties":[]}`, `{"pattern":"("}`, ``} {
		if (contract{input: jsontext.Value(unread)}).broken(jsontext.Value(`{"a":"b"}`)) {
			t.Errorf("%s speaks against something", unread)
		}
	}
}
