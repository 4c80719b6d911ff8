package e2e

import (
	"strings"
	"testing"

	"github.com/onestep-run/onestep/eval/agents"
)

func TestAClaimIsGroundedInWhatTheServersSaid(t *testing.T) {
	t.Parallel()
	answers := agents.Texts([]byte(`{"content":[{"type":"text","text":"{\"n\":1}"}],"structuredContent":{"priority":2,"text":` +
		`"Never share customer data with vendors without a signed agreement. Logs are purged within 72 hours. An order must never be lost; the cart may be."}}`))
	for claim, want := range map[string]bool{
		"":                                 true,
		"Logs are purged within 72 hours.": true,
		"Logs are purged.":                 true,
		"logs are purged within 72 hours":  true,
		"Logs are purged within 72 hours. Logs are purged.":                  true,
		"Never share customer data with vendors without a signed agreement.": true,
		"2":                               true,
		"1":                               true,
		"Logs are purged within 72 days.": false,
		"Logs are purged within 7 hours.": false,
		"Logs are purged within 72 hours of discovery.": false,
		"Hours 72 within purged are logs.":              false,
		"Share customer data with vendors.":             false,
		"Never share customer data with vendors.":       false, // "without" is left out
		"An order must be lost":                         false,
		"Logs are purged. Nobody reads them.":           false,
		"Logs customer data":                            false, // of two sentences
		"3":                                             false,
	} {
		if grounded(claim, answers) != want {
			t.Errorf("%q: %v", claim, !want)
		}
	}
	if grounded("Anything.", nil) {
		t.Error("nothing holds a claim")
	}
	whole := strings.Join(answers, "")
	if !grounded(whole, append(answers, whole)) {
		t.Error("an answer does not hold itself")
	}
}
