package demo

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"sync"

	"github.com/go-playground/validator/v10"

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

// Types gives for each tool, as "server/tool", a check that a result's
// structured content fits the tool's Go type and the type's validation tags. It
// says the same as the output schema by other means; both must agree.
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

func fits[T any](result []byte) error {
	var v T
	if err := schema.Decode(result, &v, schema.ResultLimits); err != nil {
		return err
	}
	return named(validate().Struct(v))
}

// named says which member failed which rule, and never quotes its value.
func named(err error) error {
	var all validator.ValidationErrors
	if !errors.As(err, &all) {
		return err
	}
	_, member, _ := strings.Cut(all[0].Namespace(), ".")
	return fmt.Errorf("%s does not fit the rule %q", member, all[0].Tag())
}

// validate knows the forms of the three servers' ids, as their schemas
// state them.
var validate = sync.OnceValue(func() *validator.Validate {
	v := validator.New(validator.WithRequiredStructEnabled())
	v.RegisterTagNameFunc(func(f reflect.StructField) string {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		return name
	})
	for tag, form := range map[string]string{
		"policy_id":   `^policy-[0-9]{3}$`,
		"document_id": `^sp-[0-9]{3}$`,
		"ticket_id":   `^INC[0-9]{7}$`,
	} {
		re := regexp.MustCompile(form)
		err := v.RegisterValidation(tag, func(f validator.FieldLevel) bool { return re.MatchString(f.Field().String()) })
		if err != nil {
			panic("demo: " + err.Error())
		}
	}
	return v
})
