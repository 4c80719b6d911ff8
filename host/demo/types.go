package demo

import (
	"errors"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/host/valid"
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
	ID      string `json:"id"      validate:"required,numbered=policy- 3|numbered=sp- 3|numbered=INC 7"`
	Title   string `json:"title"   validate:"required,max=120"`
	Snippet string `json:"snippet" validate:"required,max=300"` // one whole sentence
}

// Deleted is what the two deleting tools return.
type Deleted struct {
	ID      string `json:"id"      validate:"required,numbered=policy- 3|numbered=sp- 3"`
	Deleted bool   `json:"deleted" validate:"required"` // true: "required" refuses false
}

// Types gives for each tool, as "server/tool", a check that a result's
// structured content fits the tool's Go type and the type's tags. It says the
// same as the output schema by other means; both must agree.
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

// fits says which member is not as its tag says, and never quotes its value.
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
