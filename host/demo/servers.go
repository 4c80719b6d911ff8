package demo

import (
	"errors"
	"fmt"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/host/valid"
)

// Ticket is the result of get_ticket and close_ticket.
type Ticket struct {
	ID          string `json:"id"                   validate:"required,numbered=INC 7"`
	Title       string `json:"title"                validate:"required,max=120"`
	State       string `json:"state"                validate:"required,oneof=new in_progress on_hold resolved closed"`
	Priority    int    `json:"priority"             validate:"required,min=1,max=5"`
	Group       string `json:"group"                validate:"required,max=80"`
	Opened      string `json:"opened"               validate:"required,datetime=2006-01-02"`
	Description string `json:"description"          validate:"required,max=4000"`
	Resolution  string `json:"resolution,omitempty" validate:"max=500"`
}

func (t Ticket) page() page { return page{t.ID, t.Title, t.Description} }

// newServiceNow has two tools that check nothing: one reads and one changes. Only the
// client's side can check their calls against the schemas.
func newServiceNow(tickets *Store[Ticket]) *server {
	s := newServer(serviceNow, "ServiceNow")
	addUnchecked(s, "search_servicenow_tickets", func(in arguments) (SearchResult, error) {
		return tickets.search(searchInput{in.text("query"), in.count("limit", 5)}) // the schema's default
	})
	add(s, "get_ticket", func(in idInput) (Ticket, error) { return tickets.fetch(in.Ticket) })
	addUnchecked(s, "close_ticket", func(in arguments) (Ticket, error) {
		return tickets.change(in.text("ticket_id"), func(t *Ticket) error { return t.close(in.text("resolution")) })
	})
	return s
}

func (t *Ticket) close(resolution string) error {
	if t.State == "closed" {
		return fmt.Errorf("the ticket %s is closed already", t.ID)
	}
	t.State, t.Resolution = "closed", resolution
	return nil
}

// Document is the result of fetch_sharepoint_doc.
type Document struct {
	ID       string `json:"id"       validate:"required,numbered=sp- 3"`
	Title    string `json:"title"    validate:"required,max=120"`
	Site     string `json:"site"     validate:"required,max=80"`
	Owner    string `json:"owner"    validate:"required,max=80"`
	Modified string `json:"modified" validate:"required,datetime=2006-01-02"`
	Text     string `json:"text"     validate:"required,max=4000"`
}

func (d Document) page() page { return page{d.ID, d.Title, d.Text} }

func newSharePoint(documents *Store[Document]) *server {
	s := newServer(sharePoint, "SharePoint")
	add(s, "search_sharepoint", documents.search)
	add(s, "fetch_sharepoint_doc", func(in idInput) (Document, error) { return documents.fetch(in.Document) })
	add(s, "delete_sharepoint_doc", func(in idInput) (Deleted, error) { return documents.remove(in.Document) })
	return s
}

// Policy is the result of fetch_policy_entry.
type Policy struct {
	ID        string `json:"id"        validate:"required,numbered=policy- 3"`
	Title     string `json:"title"     validate:"required,max=120"`
	Owner     string `json:"owner"     validate:"required,max=80"`
	Status    string `json:"status"    validate:"required,oneof=draft active retired"`
	Effective string `json:"effective" validate:"required,datetime=2006-01-02"`
	Text      string `json:"text"      validate:"required,max=4000"`
}

func (p Policy) page() page { return page{p.ID, p.Title, p.Text} }

func newPolicyKB(policies *Store[Policy]) *server {
	s := newServer(policyKB, "Policy knowledge base")
	add(s, "search_policy_kb", policies.search)
	add(s, "fetch_policy_entry", func(in idInput) (Policy, error) { return policies.fetch(in.Policy) })
	add(s, "delete_policy_entry", func(in idInput) (Deleted, error) { return policies.remove(in.Policy) })
	return s
}

// idInput has the one id that a tool's schema asks for.
type idInput struct {
	Document string `json:"document_id"`
	Policy   string `json:"policy_id"`
	Ticket   string `json:"ticket_id"`
}

type searchInput struct {
	Query string `json:"query"`
	Limit int    `json:"limit"` // the schema's default when left out
}

// SearchResult is the result of the three search tools.
type SearchResult struct {
	Results []Hit `json:"results" validate:"required,max=10,dive"`
}

// Hit is one entry that a search found. Each server's schema allows only its own ids.
type Hit struct {
	ID      string `json:"id"      validate:"required,numbered=policy- 3|numbered=sp- 3|numbered=INC 7"`
	Title   string `json:"title"   validate:"required,max=120"`
	Snippet string `json:"snippet" validate:"required,max=300"` // one whole sentence
}

// Deleted is the result of the two deleting tools.
type Deleted struct {
	ID      string `json:"id"      validate:"required,numbered=policy- 3|numbered=sp- 3"`
	Deleted bool   `json:"deleted" validate:"required"` // true: "required" refuses false
}

// Types returns a check for each tool, named "server/tool". It checks that a result's
// structured content fits the tool's Go type and the type's tags. It expresses the output
// schema by other means; both must agree.
func Types() map[string]func([]byte) error {
	return map[string]func([]byte) error{
		policyKB + "/search_policy_kb":            fits[SearchResult],
		policyKB + "/fetch_policy_entry":          fits[Policy],
		policyKB + "/delete_policy_entry":         fits[Deleted],
		sharePoint + "/search_sharepoint":         fits[SearchResult],
		sharePoint + "/fetch_sharepoint_doc":      fits[Document],
		sharePoint + "/delete_sharepoint_doc":     fits[Deleted],
		serviceNow + "/search_servicenow_tickets": fits[SearchResult],
		serviceNow + "/get_ticket":                fits[Ticket],
		serviceNow + "/close_ticket":              fits[Ticket],
	}
}

// fits names a member that violates its tag, and never quotes its value.
func fits[T any](result []byte) error {
	var v T
	if err := schema.Decode(result, &v, schema.ResultLimits); err != nil {
		return err
	}
	if wrong := valid.Struct(v); wrong != "" {
		return errors.New(wrong)
	}
	return nil
}
