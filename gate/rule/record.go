package rule

import (
	"cmp"
	_ "embed"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/intent"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/schema"
)

// Members of the record that compiled conditions name.
const (
	argumentsMember = "arguments"
	placesMember    = "places"
	sourcesMember   = "sources"
)

//go:embed record.schema.json
var recordSchema []byte

// RecordSchema is the JSON Schema of a [Record].
func RecordSchema() jsontext.Value { return slices.Clone(recordSchema) }

// recordRoot returns the schema as a tree, for the names that a rule may use.
var recordRoot = sync.OnceValue(func() *schema.Node {
	s, err := schema.Admit(recordSchema, schema.Options{Role: schema.Output, StrictFormats: true})
	if err != nil {
		panic("gate/rule/record.schema.json: " + err.Error()) // TestEveryRecordFitsItsSchema
	}
	return s.Root()
})

// Record is the decision record: all that a rule can read of a call. It is closed and
// whole: every member is always present, and an unknown value is null or empty. JSON
// Schema cannot compare two members, so the record contains the comparisons as
// separate facts.
type Record struct {
	Subject      *string
	Conversation *string
	Server       Server
	Tool         string
	Effect       string
	EffectBy     string
	Annotations  pin.Annotations // the hints of the approved descriptor
	Arguments    jsontext.Value
	Lacks        []string // see [Policy.Lacks]
	EqualSubject []string

	// Sources are the sources of a client's arguments, as its hook reports them, by JSON
	// Pointer. They are nil if no hook informs. No rule that allows reads them.
	Sources  map[string]string
	Origins  map[string]string
	Marked   []string
	Unused   []string
	NotAsked *string

	Resource        Resource
	Labels          []string
	Grants          []string
	Approvals       []string
	ApprovedByOther bool
	Time            Time
	Pin             *string // digest of the tool's approved form
}

// Server is the server of the call.
type Server struct {
	Name     string
	Place    *string
	Provider *string // who wrote it, according to its configuration
}

// Resource is the object of the call.
type Resource struct {
	ID        *string
	Arguments []string
	Stated    bool
	Granted   bool
}

// Time is the time of the decision, in the zone of the rules.
type Time struct {
	At      *string
	Weekday *string
	Minute  *int
	Zone    string
}

// Facts are what a host knows about a call besides the call itself. The host reads and
// records them once.
type Facts struct {
	Subject      string
	Conversation string
	Time         string // RFC 3339, in Zone
	Zone         string // an IANA name; "" is UTC
	Labels       []string
	Grants       []string
}

// Of returns the record of a call. It is pure: the same call and facts give the same
// record.
func Of(t catalog.Tool, args jsontext.Value, said intent.Report, f Facts) Record {
	id, effect := t.Identity(), t.Effect()
	r := Record{
		Subject: known(f.Subject), Conversation: known(f.Conversation),
		Server: Server{t.Server(), known(id.Kind), known(cmp.Or(id.Package, id.Address))},
		Tool:   t.Name(), Effect: effect.String(), EffectBy: effect.By(),
		Annotations: t.Fields().Annotations, Arguments: args,
		Origins: make(map[string]string, len(said.Leaves)),
		Labels:  f.Labels, Grants: f.Grants, Time: at(f.Time, f.Zone),
	}
	if d := t.Digest(); d != (pin.Digest{}) {
		r.Pin = known(d.String())
	}
	for _, l := range said.Leaves {
		r.Origins[named(l)] = l.Origin.String()
		isText := !l.Name && !l.Literal
		if isText && f.Subject != "" && l.Value == f.Subject {
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

// unknown are the sources of all arguments without a hook.
func (r Record) unknown() map[string]string {
	all := make(map[string]string, len(r.Origins))
	for at := range r.Origins {
		all[at] = "unknown"
	}
	return all
}

// named returns a leaf's place; a member's name has its value's place and a #.
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

func known(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// at reads a time. An unreadable time is unknown, and helps no call.
func at(text, zone string) Time {
	t := Time{Zone: cmp.Or(zone, "UTC")}
	when, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return t
	}
	minute := when.Hour()*60 + when.Minute()
	t.At, t.Weekday, t.Minute = known(text), known(when.Weekday().String()), &minute
	return t
}

// JSON returns the record for the trace, with sorted members.
func (r Record) JSON() (jsontext.Value, error) {
	doc, err := r.document()
	if err != nil {
		return nil, err
	}
	return schema.Literal(doc), nil
}

// document returns the record for the validators. Only the arguments have to be
// parsed.
func (r Record) document() (object, error) {
	args, err := schema.Any(r.Arguments)
	if err != nil {
		return nil, err
	}
	origins := make(object, len(r.Origins))
	for at, origin := range r.Origins {
		origins[at] = origin
	}
	minute := any(nil)
	if r.Time.Minute != nil {
		minute = schema.Numeral(strconv.Itoa(*r.Time.Minute))
	}
	hints, about := r.Annotations, r.Resource
	doc := object{
		"subject": value(r.Subject), "conversation": value(r.Conversation), "tool": r.Tool, "effect": r.Effect, "effect_by": r.EffectBy,
		"server": object{"name": r.Server.Name, "place": value(r.Server.Place), "provider": value(r.Server.Provider)},
		"annotations": object{
			"readOnlyHint": value(hints.ReadOnly), "destructiveHint": value(hints.Destructive),
			"idempotentHint": value(hints.Idempotent), "openWorldHint": value(hints.OpenWorld),
		},
		"arguments": args, "lacks": values(r.Lacks), "arguments_equal_subject": values(r.EqualSubject),
		"origins": origins, "marked": values(r.Marked), "unused": values(r.Unused), "not_asked": value(r.NotAsked),
		"resource": object{"id": value(about.ID), "arguments": values(about.Arguments), "stated": about.Stated, "granted": about.Granted},
		"labels":   values(r.Labels), "grants": values(r.Grants), "approvals": values(r.Approvals), "approved_by_other": r.ApprovedByOther,
		"time": object{"at": value(r.Time.At), "weekday": value(r.Time.Weekday), "minute": minute, "zone": r.Time.Zone},
		"pin":  object{"digest": value(r.Pin)},
	}
	if r.Sources != nil {
		sources := make(object, len(r.Sources))
		for at, source := range r.Sources {
			sources[at] = source
		}
		doc[sourcesMember] = sources
	}
	all := object{}
	addPlaces(doc, "", all)
	doc[placesMember] = all
	return doc, nil
}

// value returns null for an unknown value.
func value[T any](v *T) any {
	if v == nil {
		return nil
	}
	return *v
}

func values(all []string) []any {
	list := make([]any, len(all))
	for i, s := range all {
		list[i] = s
	}
	return list
}
