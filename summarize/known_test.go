package summarize_test

import (
	"testing"

	"github.com/onestep-run/onestep/summarize"
)

// The other half of docs/evidence.md: a row that stops passing is to be
// struck from its list.
func TestWhatIsKnownToPass(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		level          summarize.Level
		text, evidence string
		claim          string
	}{
		{summarize.Verbatim, "We considered the following. Share all data with vendors.", "Share all data with vendors.", "Share all data with vendors."},
		{summarize.Verbatim, "# Myths\n\nThe data is safe.", "The data is safe.", "The data is safe."},
		{summarize.Verbatim, "# Verboten\n\nShare the data.", "Share the data.", "Share the data."},
		{summarize.Verbatim, "Never do this: share the data. Log the keys.", "Log the keys.", "Log the keys."},
		{summarize.Verbatim, "Never do this:\n\nShare the data.\n\nLog the keys.", "Log the keys.", "Log the keys."},
		{summarize.Verbatim, "Not allowed:\nAction: Share the data\nWho: vendors", "Who: vendors", "Who: vendors"},
		{summarize.Verbatim, "<del>An old text. Share the data. Log it.</del> The rule.", "Share the data.", "Share the data."},
		{summarize.Verbatim, "Share the data with vendors. Absolutely not allowed.", "Share the data with vendors.", "Share the data with vendors."},
		{summarize.Strict, "Customers who signed the contract may export the data.", "", "Customers may export the data."},
		{summarize.Strict, "The regional data of the customers is kept in Berlin by Friday.", "", "The data of the customers is kept."},
		{summarize.Strict, "Alice and Bob hired Carol and Dan fired Eve on the spot.", "", "Alice fired Eve on the spot."},
		{summarize.Strict, "They ended the attack on the server.", "", "They ended."},
		{summarize.Strict, "The company bought a new office in the city.", "", "The company bought a office in the city."},
		{summarize.Facts, "The request was closed by the team.", "", "The request was approved by the team."},
		{summarize.Facts, "In the end Bob fired Alice from the team.", "", "In the end Alice fired Bob from the team."},
		{summarize.Facts, "There are 30 employees in the team.", "", "There are 30 customers in the team."},
		{summarize.Facts, "Some of the data may be lost by the team.", "", "The data is lost by the team."},
		{summarize.Facts, "The data must not be shared or deleted by the team.", "", "The data must be shared, and not be deleted by the team."},
	} {
		if row.evidence == "" {
			row.evidence = row.text
		}
		if _, err := lock(t, row.text, row.level, row.claim, row.evidence); err != nil {
			t.Errorf("%v %q: %v", row.level, row.claim, err)
		}
	}
}
