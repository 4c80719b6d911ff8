package summarize_test

import (
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/summarize"
)

const retention = "However, the encrypted logs of all customers are kept for at most 30 business days in Berlin, which the auditors of Acme confirmed on March 5, 2026."

func TestStrictLeavesWordsOut(t *testing.T) {
	t.Parallel()
	for claim, evidence := range map[string]string{
		retention: retention,
		"The encrypted logs of all customers are kept for at most 30 business days.": retention,
		"the logs of all customers are kept for at most 30 business days in Berlin":  retention,
		"The server was moved to Rome.":                                              "The old server was moved to Rome in spring.",
		"The server is fast":                                                         "The server, deployed in 2019, is fast.",
		"Carol stayed":                                                               "Alice left, and Carol stayed.",
		"He confirmed the data is safe":                                              "He confirmed that the data is safe.",
		"Logs are kept. Ann reads them":                                              "The old logs are kept. Ann reads them on Monday.",
		"We propose a framework":                                                     "Here we propose a novel framework for the classification of data.",
	} {
		if _, err := lock(t, evidence, summarize.Strict, claim, evidence); err != nil {
			t.Errorf("%q of %q: %v", claim, evidence, err)
		}
	}
}

func TestStrictRefuses(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct{ evidence, claim string }{
		"a negation left out":          {"Vendors may not see the data of the customers.", "Vendors may see the data of the customers."},
		"never":                        {"We never share the data with vendors.", "We share the data with vendors."},
		"n't":                          {"We don't share the data with vendors.", "We do share the data with vendors."},
		"without":                      {"Share the data without the names of the customers.", "Share the data the names of the customers."},
		"a verb that negates":          {"They refused to share the data.", "They to share the data."},
		"an un-word":                   {"The unencrypted data is deleted.", "The data is deleted."},
		"a hyphenated negation":        {"The non-public data is deleted by the team.", "The data is deleted by the team."},
		"a hidden negation":            {"We n\u200bever share the data with vendors.", "We share the data with vendors."},
		"a negation of another script": {"We nеver share the data with vendors.", "We share the data with vendors."},
		"a foreign negation":           {"We do nicht share the data with vendors.", "We do share the data with vendors."},
		"a curly apostrophe":           {"We don’t share the data with vendors.", "We do share the data with vendors."},
		"a condition":                  {"The data is shared if the owner agrees.", "The data is shared."},
		"unless":                       {"The data is shared unless the owner objects.", "The data is shared."},
		"until":                        {"The data is kept until the case is closed.", "The data is kept."},
		"only":                         {"Only the owner of the data may read it.", "The owner of the data may read it."},
		"after":                        {"The data is deleted after the case.", "The data is deleted."},
		"a quantifier":                 {"Some of the servers are down.", "The servers are down."},
		"another":                      {"Most of the data is safe.", "The data is safe."},
		"a hedge":                      {"The vendor may have lost the data.", "The vendor have lost the data."},
		"a report":                     {"Bob said that the data is safe.", "The data is safe."},
		"allegedly":                    {"The vendor allegedly lost the data.", "The vendor lost the data."},
		"a phrase":                     {"According to Bob the data is safe.", "The data is safe."},
		"at most":                      {"They are kept for at most 30 days.", "They are kept for 30 days."},
		"up to":                        {"They are kept for up to 30 days.", "They are kept for 30 days."},
		"about":                        {"They are kept for about 30 days.", "They are kept for 30 days."},
		"a comparison":                 {"The rate of the errors is < 5 percent.", "The rate of the errors is 5 percent."},
		"a minus":                      {"It was - 5 degrees in the room.", "It was 5 degrees in the room."},
		"a digit":                      {"They are kept for 30 days.", "They are kept for 90 days."},
		"a digit cut off":              {"They are kept for 30 days.", "They are kept for 3 days."},
		"a sign":                       {"The change was -5 this year.", "The change was 5 this year."},
		"a unit":                       {"The dose of the drug is 10 mg and not 10 g.", "The dose of the drug is 10 not g."},
		"a unit swapped":               {"The dose of the drug is 10 mg.", "The dose of the drug is 10 g."},
		"a unit left out":              {"The dose of the drug is 10 mg.", "The dose of the drug is 10."},
		"a unit's word":                {"They are kept for 30 business days.", "They are kept for 30 days."},
		"a number of a noun":           {"The plan has 5 men and 3 women.", "The plan has 5 women."},
		"a number left out":            {"The answer comes in two of the regions.", "The answer comes in of the regions."},
		"a scale":                      {"It costs 5 million dollars.", "It costs 5 dollars."},
		"a currency":                   {"It costs EUR 10 this year.", "It costs 10 this year."},
		"a currency swapped":           {"It costs €10 this year.", "It costs $10 this year."},
		"inches":                       {`The pipe of the team is 5" in the room.`, "The pipe of the team is 5 in the room."},
		"an account's minus":           {"The sum of the account is (500) for the year.", "The sum of the account is 500 for the year."},
		"a pause put in":               {"The vendor says the auditor lost the data.", "The vendor, says the auditor, lost the data."},
		"quotation marks left out":     {`The "secure" server of the team is down.`, "The secure server of the team is down."},
		"single ones":                  {"The 'secure' server of the team is down.", "The secure server of the team is down."},
		"curly single ones":            {"The ‘secure’ server of the team is down.", "The secure server of the team is down."},
		"angled single ones":           {"The ‹secure› server of the team is down.", "The secure server of the team is down."},
		"single ones added":            {"The secure server of the team is down.", "The ‘secure’ server of the team is down."},
		"single ones inside others":    {"He called it “the ‘secure’ server of the team”.", "He called it “the secure server of the team”."},
		"whose, behind an article":     {"The mother of the CEO left the room.", "The CEO left the room."},
		"what is to be done":           {"The data is to be encrypted by the team.", "The data is encrypted by the team."},
		"a tag":                        {"[draft] The data is safe with the team.", "The data is safe with the team."},
		"a label before a dash":        {"Fiction — the data is safe with the team.", "The data is safe with the team."},
		"a cross":                      {"❌ Share the data with the vendors.", "Share the data with the vendors."},
		"a negation in a word":         {"The do_not_share data is with the vendor.", "The data is with the vendor."},
		"a section":                    {"The rules of section 5 and article 7 apply.", "The rules of 7 apply."},
		"part of a date":               {"It began on March 5, 2026 and ended on May 7.", "It began on March 7."},
		"a date's year at the end":     {"The policy was approved on March 5, 2026.", "The policy was approved on March 5."},
		"a month's year at the end":    {"The policy was approved in March 2026.", "The policy was approved in March."},
		"a date's year at a pause":     {"On March 5, 2026, the policy was approved.", "On March 5, the policy was approved."},
		"a name swapped":               {"Alice told Bob about it.", "Bob told Alice about it."},
		"another name":                 {"Alice told Bob about it.", "Carol told Bob about it."},
		"a name's other half":          {"John Smith and Mary Jones left the room.", "John Jones left the room."},
		"whose":                        {"The mother of Bob left the room.", "Bob left the room."},
		"two clauses":                  {"Alice hired Bob, and Carol fired Dan in the room.", "Alice fired Dan in the room."},
		"two clauses more":             {"Alice left the room, Bob stayed in the room.", "Alice stayed in the room."},
		"a relative clause":            {"Alice hired Bob, who fired Dan in the room.", "Alice fired Dan in the room."},
		"a passive":                    {"Alice was fired by Bob in the room.", "Alice fired Bob in the room."},
		"two sentences":                {"Alice was praised. Bob was fired by the board.", "Alice was fired by the board."},
		"one of two amounts":           {"The patient takes 10 mg of aspirin and 20 mg of ibuprofen for the pain.", "The patient takes 10 mg of ibuprofen for the pain."},
		"one of two rates":             {"Revenue grew by 5% in 2024 and fell by 3% in 2025.", "Revenue grew by 3% in 2025."},
		"one of two periods":           {"Logs are kept for 30 days, backups for 90 days in the vault.", "Logs are kept for 90 days in the vault."},
		"one of two places":            {"Paris is the capital of France and Berlin is the capital of Germany.", "Paris is the capital of Germany."},
		"one of two states":            {"The server in Berlin is up, the server in Rome is down.", "The server in Berlin is down."},
		"one of two sources":           {"Sales rose from 5 million to 7 million in the year.", "Sales rose from 7 million in the year."},
		"a rumour":                     {"The rumor that the vendor stole the data is old.", "The vendor stole the data."},
		"what another did":             {"The team that leaked the keys was fired by the board.", "The keys was fired by the board."},
		"an approval":                  {"Access is granted with approval of the manager.", "Access is granted."},
		"a region":                     {"The office is in North Korea for the year.", "The office is in Korea for the year."},
		"word order":                   {"The dog bit the man in the park.", "The man bit the dog in the park."},
		"a word added":                 {"They are kept in the vault.", "They are not kept in the vault."},
		"a word repeated":              {"They are kept in the vault.", "They are kept kept in the vault."},
		"a form changed":               {"The vendors see the data.", "The vendor see the data."},
		"another case":                 {"They work for the US in the field.", "They work for the us in the field."},
		"a label":                      {"Myth: the data is safe with the vendor.", "The data is safe with the vendor."},
		"a question":                   {"Is the data safe with the vendor?", "Is the data safe with the vendor."},
		"an ellipsis":                  {"The data is shared with the vendor…", "The data is shared with the vendor."},
		"a zero-width space added":     {"They are kept in the vault.", "They are kept in the va\u200bult."},
		"a no-break space":             {"They are kept in the vault of it.", "They are kept in\u00a0the vaultof it."},
		"a list's lead":                {"You must not:\n- share the data\n- log the keys", "share the data"},
		"German":                       {"Die alten Daten werden nicht mit dem Lieferanten geteilt.", "Die Daten werden nicht mit dem Lieferanten geteilt."},
		"French":                       {"Les anciennes données ne sont pas partagées avec la police.", "Les données ne sont pas partagées avec la police."},
		"Japanese":                     {"古い 鍵 は 共有 しない。", "鍵 は 共有 しない。"},
		"no sentence":                  {"Retention Period Summer Winter", "Retention Winter"},
		"JSON":                         {`{"allowed": false, "action": "Share data"}`, `{"allowed": "action": "Share data"}`},
	} {
		s, err := lock(t, row.evidence, summarize.Strict, row.claim, row.evidence)
		if verdict.CodeOf(err) != verdict.SummaryClaim || !s.Empty() {
			t.Errorf("%s: %q of %q: %v", name, row.claim, row.evidence, err)
		}
	}
}

func TestPropertyNamesMayBeAddedWhole(t *testing.T) {
	t.Parallel()
	result := structured(t, `{"policy":{"retention_days":30,"reviewDate":"2026-03-05"},"not_allowed":"sending keys","rows":[{"Owner":"Bob"}],`+
		`"not":{"allowed":"mail"},"denied":{"to":{"read":"logs"}},"open":{"exceptions":["fax"],"request":{"state":"new"}},"balance":500}`)
	for _, row := range []struct {
		claim, evidence string
		ok              bool
	}{
		{"Retention days: 30", "30", true},
		{"Policy retention days 30", "30", true},
		{"policy: retention_days: 30.", "30", true},
		{"Review date: 2026-03-05", "2026-03-05", true},
		{"Not allowed: sending keys", "sending keys", true},
		{"owner Bob", "Bob", true},
		{"allowed: sending keys", "sending keys", false},
		{"Days: 30", "30", false},
		{"Retention: 30", "30", false},
		{"Retention days policy 30", "30", false},
		{"30 retention days", "30", false},
		{"Retention days: 3", "30", false},
		{"Retention days", "30", false},
		{"Review date: 30", "30", false},
		{"Rows owner Alice", "Bob", false},
		{"Not allowed: mail", "mail", true},
		{"Allowed: mail", "mail", false},
		{"Denied to read: logs", "logs", true},
		{"Read: logs", "logs", false},
		{"To read: logs", "logs", false},
		{"Denied read: logs", "logs", false},
		{"Open: fax", "fax", false},
		{"Open exceptions: fax", "fax", true},
		{"State: new", "new", true},
		{"Request state: new", "new", true},
		{"Open state: new", "new", false},
		{"Balance: 500", "500", true},
		{"!balance 500", "500", false},
		{"¬balance 500", "500", false},
		{"≠balance 500", "500", false},
		{"🚫balance 500", "500", false},
		{"~~balance~~ 500", "500", false},
		{"-balance 500", "500", false},
		{"balance− 500", "500", false},
		{"balance: - 500", "500", false},
		{"Balance > 500", "500", false},
		{"Balance – 500", "500", false},
		{"Balance: (500)", "500", false},
	} {
		_, err := summarize.Lock(result, summarize.Strict, []byte(summaryOf(t, row.claim, row.evidence)))
		if (err == nil) != row.ok {
			t.Errorf("%q of %q: %v", row.claim, row.evidence, err)
		}
	}
}

func TestFactsHoldsFactsAndNegations(t *testing.T) {
	t.Parallel()
	const evidence = "On March 5, 2026 Alice Moreau paid 1,000 euros for policy-002 and 5% of the three servers, but she did not see the second vendor."
	for claim, ok := range map[string]bool{
		"Alice paid €1000 and did not see the vendor.":                  true,
		"In 2026, Alice Moreau bought policy-002 and did not see them.": true,
		"On 2026-03-05 she paid 1000 EUR and did not see anybody else.": true,
		"On 5 March she paid for 3 servers and did not see the vendor.": true,
		"They did not see the vendor, and five percent was paid.":       true,
		"They did not see the 2nd vendor.":                              true,
		"Alice paid $1000 and did not see the vendor.":                  false,
		"Alice paid 1000 and did not see the vendor.":                   false,
		"Alice paid 10,000 euros and did not see the vendor.":           false,
		"Alice paid for 13 servers and did not see the vendor.":         false,
		"She paid for thirteen servers and did not see the vendor.":     false,
		"She paid 5 of the servers and did not see the vendor.":         false,
		"She paid -5% of the servers and did not see the vendor.":       false,
		"The third vendor was not seen.":                                false,
		"On 2026-03-06 she did not see the vendor.":                     false,
		"In March 2025 she did not see the vendor.":                     false,
		"On 3/5/2026 she did not see the vendor.":                       false,
		"Bob Moreau did not see the vendor.":                            false,
		"She paid for policy-003 and did not see the vendor.":           false,
		"She paid for policy-02 and did not see the vendor.":            false,
		"She wrote to a.moreau@example.com and did not see the vendor.": false,
		"Alice did see the vendor.":                                     false,
		"Alice never did not see the vendor.":                           false,
		"Alice did not pay the 1000 euros, and she saw the vendor.":     false,
		"Nobody paid in March, and she did not see the vendor.":         false,
		"Аlice did not see the vendor of the servers.":                  false,
	} {
		_, err := lock(t, evidence, summarize.Facts, claim, evidence)
		if (err == nil) != ok {
			t.Errorf("%q: %v", claim, err)
		}
	}
}

func TestNumbersAreReadWhole(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		evidence, claim string
		ok              bool
	}{
		{"three", "3", true},
		{"twenty-one", "21", true},
		{"twenty one", "21", true},
		{"three hundred and five", "305", true},
		{"1,000", "1000", true},
		{"1.50", "1.5", true},
		{"half", "1/2", false},
		{"half", "½", true},
		{"5 percent", "5%", true},
		{"$5 million", "$5,000,000", true},
		{"10 mg", "10 milligrams", true},
		{"10 mg", "10mg", true},
		{"2 hours", "two hours", true},
		{"+5", "5", true},
		{"second", "2nd", true},
		{"two thousand", "2000", true},
		{"10 USD", "$10", true},
		{"USD 10", "$10", true},
		{"three", "13", false},
		{"13", "3", false},
		{"thirty", "3", false},
		{"1,000", "1", false},
		{"1.000", "1000", false},
		{"10,00", "1000", false},
		{"5%", "5", false},
		{"5", "5%", false},
		{"10 mg", "10 g", false},
		{"10 mg", "10", false},
		{"10", "10 mg", false},
		{"$5", "€5", false},
		{"$5 million", "$5", false},
		{"$5 million", "$5 billion", false},
		{"-5", "5", false},
		{"−5", "-5", true},
		{"5-10", "5", false},
		{"5–10", "10", false},
		{"5 hours", "5 days", false},
		{"3", "third", false},
		{"1e3", "1000", false},
		{"v1.2.3", "v1.2.4", false},
		{"10.0.0.1", "10.0.0.2", false},
		{"two hundred", "two", false},
		{"99999999999999999999999", "99999999999999999999998", false},
		{"INC0010001", "INC0010002", false},
		{"10:30", "10:31", false},
		{"A1", "A2", false},
		{"٣", "3", false},
	} {
		wrap := func(s string) string { return "The figure of the year for the team is " + s + "." }
		_, err := lock(t, wrap(row.evidence), summarize.Facts, strings.Replace(wrap(row.claim), "figure", "value", 1), wrap(row.evidence))
		if (err == nil) != row.ok {
			t.Errorf("%q of %q: %v", row.claim, row.evidence, err)
		}
	}
}
