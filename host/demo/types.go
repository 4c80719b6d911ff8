package demo

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/onestep-run/onestep/gate/schema"
)

type searchInput struct {
	Query string `json:"query"`
	Limit int    `json:"limit"` // the schema's default when left out
}

// SearchResult is what the three search tools return.
type SearchResult struct {
	Results []Hit `json:"results" validate:"required,max=10,dive"`
}

// Hit is one entry that a search found. Each server's schema admits its own
// ids alone.
type Hit struct {
	ID      string `json:"id"      validate:"required,policy_id|document_id|ticket_id"`
	Title   string `json:"title"   validate:"required,max=120"`
	Snippet string `json:"snippet" validate:"required,max=300"` // one whole sentence
}

// Deleted is what the two deleting tools return.
type Deleted struct {
	ID      string `json:"id"      validate:"required,policy_id|document_id"`
	Deleted bool   `json:"deleted" validate:"required"` // true: "required" refuses false
}

func (r SearchResult) rules() []rule {
	all := []rule{{"results", r.Results != nil && len(r.Results) <= 10}}
	for i, h := range r.Results {
		at := func(member string) string { return fmt.Sprintf("results[%d].%s", i, member) }
		all = append(all,
			rule{at("id"), isPolicy(h.ID) || isDocument(h.ID) || isTicket(h.ID)},
			rule{at("title"), isText(h.Title, 120)},
			rule{at("snippet"), isText(h.Snippet, 300)})
	}
	return all
}

func (d Deleted) rules() []rule {
	return []rule{{"id", isPolicy(d.ID) || isDocument(d.ID)}, {"deleted", d.Deleted}}
}

// Types gives for each tool, as "server/tool", a check that a result's
// structured content fits the tool's Go type and the type's rules. It says the
// same as the output schema by other means; both must agree. The types' tags
// say it a third time, for go-playground/validator: the tests hold the rules to
// them, and the program does without its megabyte.
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

// rule is whether a member of a result is what it must be.
type rule struct {
	member string
	holds  bool
}

// fits says which member broke its rule, and never quotes its value.
func fits[T interface{ rules() []rule }](result []byte) error {
	var v T
	if err := schema.Decode(result, &v, schema.ResultLimits); err != nil {
		return err
	}
	for _, r := range v.rules() {
		if !r.holds {
			return fmt.Errorf("%s is not what its type asks for", r.member)
		}
	}
	return nil
}

// The forms of the three servers' ids, as their schemas state them.
func isPolicy(s string) bool   { return isNumbered(s, "policy-", 3) }
func isDocument(s string) bool { return isNumbered(s, "sp-", 3) }
func isTicket(s string) bool   { return isNumbered(s, "INC", 7) }

func isNumbered(s, prefix string, digits int) bool {
	number, ok := strings.CutPrefix(s, prefix)
	return ok && len(number) == digits && strings.Trim(number, "0123456789") == ""
}

// isText counts characters, as JSON Schema does.
func isText(s string, longest int) bool { return s != "" && utf8.RuneCountInString(s) <= longest }

func isOneOf(s string, allowed ...string) bool { return slices.Contains(allowed, s) }

func isDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}
