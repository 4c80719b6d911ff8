package rule

import (
	_ "embed"
	"slices"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/intent"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/schema"
)

//go:embed record.schema.json
var recordSchema []byte

// RecordSchema is the JSON Schema of a [Record].
func RecordSchema() jsontext.Value { return slices.Clone(recordSchema) }

// recordRoot is the schema as a tree, for the names that a rule may use.
var recordRoot = sync.OnceValue(func() *schema.Node {
	s, err := schema.Admit(recordSchema, schema.Options{Role: schema.Output, StrictFormats: true})
	if err != nil {
		panic("gate/rule/record.schema.json: " + err.Error()) // TestEveryRecordFitsItsSchema
	}
	return s.Root()
})

// Record is the decision record: all that a rule can read of a call. It is
// closed and whole: each member is always there, and what is not known is null
// or empty. JSON Schema cannot compare two members, so the record has the
// comparisons as facts of their own.
type Record struct {
	Subject      *string        `json:"subject"`
	Conversation *string        `json:"conversation"`
	Server       Server         `json:"server"`
	Tool         string         `json:"tool"`
	Effect       string         `json:"effect"`
	EffectBy     string         `json:"effect_by"`
	Annotations  Annotations    `json:"annotations"`
	Arguments    jsontext.Value `json:"arguments"`
	EqualSubject []string       `json:"arguments_equal_subject"`

	Origins  map[string]string `json:"origins"`
	Marked   []string          `json:"marked"`
	Unused   []string          `json:"unused"`
	NotAsked *string           `json:"not_asked"`

	Resource        Resource `json:"resource"`
	Labels          []string `json:"labels"`
	Grants          []string `json:"grants"`
	Approvals       []string `json:"approvals"`
	ApprovedByOther bool     `json:"approved_by_other"`
	Time            Time     `json:"time"`
	Pin             Pin      `json:"pin"`
}

// Server is the server of the call.
type Server struct {
	Name     string  `json:"name"`
	Place    *string `json:"place"`
	Provider *string `json:"provider"`
}

// Annotations are the hints of the approved descriptor; nil is not said.
type Annotations struct {
	ReadOnly    *bool `json:"readOnlyHint"`
	Destructive *bool `json:"destructiveHint"`
	Idempotent  *bool `json:"idempotentHint"`
	OpenWorld   *bool `json:"openWorldHint"`
}

// Resource is what the call is about.
type Resource struct {
	ID        *string  `json:"id"`
	Arguments []string `json:"arguments"`
	Stated    bool     `json:"stated"`
	Granted   bool     `json:"granted"`
}

// Time is the time of the decision, in the zone of the rules.
type Time struct {
	At      *string `json:"at"`
	Weekday *string `json:"weekday"`
	Minute  *int    `json:"minute"`
	Zone    string  `json:"zone"`
}

// Pin is what was approved of the tool.
type Pin struct {
	Digest *string `json:"digest"`
}

// Facts are what a host knows of a call besides the call itself. It reads them
// once and records them.
type Facts struct {
	Subject      string
	Conversation string
	Time         string // RFC 3339, in Zone
	Zone         string // an IANA name; "" is UTC
	Labels       []string
	Grants       []string
}

// Of is the record of a call. It is pure: the same call and facts make the same one.
func Of(t catalog.Tool, args jsontext.Value, said intent.Report, f Facts) Record {
	id, effect, hints := t.Identity(), t.Effect(), t.Fields().Annotations
	r := Record{
		Subject: known(f.Subject), Conversation: known(f.Conversation),
		Server: Server{t.Server(), known(id.Kind), known(provider(id))},
		Tool:   t.Name(), Effect: effect.String(), EffectBy: effect.By(),
		Annotations: Annotations{hints.ReadOnly, hints.Destructive, hints.Idempotent, hints.OpenWorld},
		Arguments:   args, EqualSubject: []string{},
		Origins: make(map[string]string, len(said.Leaves)), Marked: []string{}, Unused: []string{},
		Labels: list(f.Labels), Grants: list(f.Grants), Approvals: []string{}, Time: at(f.Time, f.Zone),
	}
	if d := t.Digest(); d != (pin.Digest{}) {
		r.Pin.Digest = known(d.String())
	}
	for _, l := range said.Leaves {
		r.Origins[named(l)] = l.Origin.String()
		if !l.Name && !l.Literal && f.Subject != "" && l.Value == f.Subject {
			r.EqualSubject = append(r.EqualSubject, l.Pointer)
		}
	}
	for _, l := range said.Marks(effect.Reads) {
		r.Marked = append(r.Marked, named(l))
	}
	for _, s := range said.Unused {
		r.Unused = append(r.Unused, s.Text)
	}
	if said.NotAsked != nil {
		r.NotAsked = known(said.NotAsked.Kind)
	}
	r.Resource = resourceOf(t, args)
	r.Resource.Stated = r.Resource.ID != nil && !slices.ContainsFunc(r.Resource.Arguments, r.marks)
	return r
}

// named is a leaf's place; # follows that of a member's name.
func named(l intent.Leaf) string {
	if l.Name {
		return l.Pointer + "#"
	}
	return l.Pointer
}

// marks reports whether a value at a place or below it carries a mark.
func (r Record) marks(pointer string) bool {
	return slices.ContainsFunc(r.Marked, func(m string) bool { return within(m, pointer) })
}

// provider is who wrote the server, as far as its configuration says.
func provider(id pin.Identity) string {
	if id.Package != "" {
		return id.Package
	}
	return id.Address
}

func known(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func list(all []string) []string {
	if all == nil {
		return []string{}
	}
	return all
}

// at reads a time. One that cannot be read is not known, and helps no call.
func at(text, zone string) Time {
	t := Time{Zone: zone}
	if zone == "" {
		t.Zone = "UTC"
	}
	when, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return t
	}
	minute := when.Hour()*60 + when.Minute()
	t.At, t.Weekday, t.Minute = known(text), known(when.Weekday().String()), &minute
	return t
}

// JSON is the record as it is traced and judged.
func (r Record) JSON() (jsontext.Value, error) { return json.Marshal(r, json.Deterministic(true)) }
