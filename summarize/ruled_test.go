package summarize_test

import (
	"testing"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/summarize"
)

// Each text says of the second one that it is not so, in some notation.
func TestWhatIsRuledIsNotQuotedAlone(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct{ text, evidence string }{
		"single quotes":                 {"He never said 'Share the data. Delete the logs. Call Bob.' in the meeting.", "Delete the logs."},
		"curly single quotes":           {"He never said ‘Share the data. Delete the logs. Call Bob.’ in the meeting.", "Delete the logs."},
		"inch mark":                     {`The pipe is 5" wide, and nobody said "Share the data. Delete the logs. Call Bob." to him.`, "Delete the logs."},
		"backticks":                     {"Never run `Share the data. Delete the logs. Call Bob.` on the host.", "Delete the logs."},
		"setext heading":                {"Prohibited\n==========\n\nShare the data with vendors.\n\nLog the passwords.", "Share the data with vendors."},
		"setext heading 2":              {"Do not\n------\n\nShare the data with vendors.\n\nLog the passwords.", "Share the data with vendors."},
		"bold heading 2nd para":         {"**Do not**\n\nShare the data with vendors.\n\nLog the passwords.", "Log the passwords."},
		"bold heading list":             {"**Do not:**\n\nShare data:\n\n- Log the passwords.", "- Log the passwords."},
		"don'ts heading":                {"# Don'ts\n\n- Share the data with vendors.\n- Log the passwords.", "- Share the data with vendors."},
		"don'ts heading curly":          {"# Don’ts\n\nShare the data with vendors.", "Share the data with vendors."},
		"html lines":                    {"<h2>Never do</h2>\n\n<p>Share the data with vendors.</p>", "<p>Share the data with vendors.</p>"},
		"html ul":                       {"<p>Never:</p>\n<ul>\n<li>Share the data.</li>\n<li>Log the passwords.</li>\n</ul>", "<li>Log the passwords.</li>"},
		"paren list":                    {"Never do any of:\n(a) Share the data.\n(b) Log the passwords.", "(b) Log the passwords."},
		"letter list":                   {"Never do any of:\na) Share the data.\nb) Log the passwords.", "b) Log the passwords."},
		"roman list":                    {"Never do any of:\ni. Share the data.\nii. Log the passwords.\niii. Call vendors.", "ii. Log the passwords."},
		"letter list dot":               {"Never do any of these.\n\na. Share the data.\nb. Log the passwords.", "b. Log the passwords."},
		"bullet sentences on one line":  {"Never: • Share the data. • Log the passwords.", "• Log the passwords."},
		"inline numbered":               {"Never do any of: 1) Share the data. 2) Log the passwords.", "2) Log the passwords."},
		"unicode bullets":               {"Never:\n\n◦ Share the data.\n◦ Log the passwords.", "◦ Share the data."},
		"dash bullets en":               {"Never do this:\n\n– Share the data.\n\n– Log the passwords.", "– Log the passwords."},
		"list gap":                      {"Never do any of:\n\n- Share the data.\n\n  See the wiki.\n\n- Log the passwords.", "- Log the passwords."},
		"list with para":                {"Never do any of:\n\n- Share the data.\n\nand also\n\n- Log the passwords.", "- Log the passwords."},
		"list gap 2":                    {"Never do any of:\n\n1. Share the data.\n2. Log the passwords.\n\n3. Call vendors.", "3. Call vendors."},
		"lead sentence":                 {"The following is forbidden.\n\n- Share the data.\n- Log the passwords.", "- Log the passwords."},
		"lead sentence nonclosed":       {"The following is forbidden!\n- Share the data.\n- Log the passwords.", "- Log the passwords."},
		"bold lead":                     {"**Never:**\n\n- Share the data.\n- Log the passwords.", "- Log the passwords."},
		"bold lead 2":                   {"**Never**:\n\n- Share the data.\n- Log the passwords.", "- Log the passwords."},
		"paren lead":                    {"Never (by law):\n\n- Share the data.\n- Log the passwords.", "- Log the passwords."},
		"colon paren lead":              {"Never do these (any of them):)\n\n- Share the data.\n- Log the passwords.", "- Log the passwords."},
		"quote lead":                    {"> Never:\n> - Share the data.\n> - Log the passwords.", "> - Log the passwords."},
		"quote blank":                   {"> Never do the following:\n>\n> Share the data.\n>\n> Log the passwords.", "> Share the data."},
		"abbr 4+":                       {"We do not, under Calif. Civil Code, share the data with vendors.", "Civil Code, share the data with vendors."},
		"abbr messrs":                   {"Never let Messrs. Smith and Jones share the data.", "Smith and Jones share the data."},
		"abbr admin":                    {"No one but the Admin. Office may share the data.", "Office may share the data."},
		"abbr tech":                     {"Never let Tech. Services share the data.", "Services share the data."},
		"abbr subsec":                   {"This is not so under subsec. B where vendors share the data.", "B where vendors share the data."},
		"bang name":                     {"We never let Yahoo! Inc share the data.", "Inc share the data."},
		"table pipes":                   {"| Action | Allowed |\n|---|---|\n| Share the data. | No |\n| Log in. | Yes |", "| Log in. | Yes |"},
		"csv":                           {"action,allowed\nShare the data.,no\nLog passwords.,no", "Log passwords.,no"},
		"csv spaced":                    {"action;allowed\nShare the data. ;no\nLog passwords. ;no", "Share the data."},
		"labels2":                       {"Status: rejected\nAction: Share the data", "Action: Share the data"},
		"nel":                           {"Never\u0085\u0085Share the data.\u0085Log.", "Share the data."},
		"yaml":                          {"forbidden:\n  - action: Share\n    note: Log the passwords", "- action: Share"},
		"yaml2":                         {"deny:\n\n- Share the data\n- Log the passwords", "- Log the passwords"},
		"latex":                         {"\\item Never\n\n\\item Share the data.", "\\item Share the data."},
		"heading closes":                {"# Never #\n\nShare the data.", "Share the data."},
		"heading notspace":              {"#Never\n\nShare the data.", "Share the data."},
		"heading bold":                  {"## **Never**\n\nShare the data.", "Share the data."},
		"heading emoji":                 {"# 🚫\n\nShare the data.", "Share the data."},
		"fence tilde mix":               {"```\nnever\n~~~\n\nShare the data.\n```", "Share the data."},
		"fence indent":                  {"    never do\n\n    share the data.", "share the data."},
		"fence in fence":                {"````\nnever\n```\n\nShare the data.\n\n````", "Share the data."},
		"dotted toc":                    {"Never ........ Share the data.", "Share the data."},
		"CJK full stop in quote":        {"「共有。削除。」と言わない。", "削除。"},
		"CJK quote en":                  {"彼は“共有。削除。終了。”と言わない。", "削除。"},
		"curly quotes, a small letter":  {`He never said ‘share the data. Delete the logs. Call Bob.’ in the meeting.`, "Delete the logs."},
		"straight ones, a small letter": {`He never said 'share the data. Delete the logs. Call Bob.' in the meeting.`, "Delete the logs."},
		"angle quotes":                  {`He never said ‹share the data. Delete the logs. Call Bob.› in the meeting.`, "Delete the logs."},
		"angle quotes turned":           {`He never said ›share the data. Delete the logs. Call Bob.‹ in the meeting.`, "Delete the logs."},
		"guillemets":                    {`He never said «share the data. Delete the logs. Call Bob.» in the meeting.`, "Delete the logs."},
		"guillemets turned":             {`He never said »share the data. Delete the logs. Call Bob.« in the meeting.`, "Delete the logs."},
		"guillemets both right":         {`He never said »share the data. Delete the logs. Call Bob.» in the meeting.`, "Delete the logs."},
		"French blanks":                 {`He never said « share the data. Delete the logs. Call Bob. » in the meeting.`, "Delete the logs."},
		"German quotes":                 {`He never said „share the data. Delete the logs. Call Bob.“ in the meeting.`, "Delete the logs."},
		"German single quotes":          {`He never said ‚share the data. Delete the logs. Call Bob.‘ in the meeting.`, "Delete the logs."},
		"Polish quotes":                 {`He never said „share the data. Delete the logs. Call Bob.” in the meeting.`, "Delete the logs."},
		"Swedish quotes":                {`He never said ”share the data. Delete the logs. Call Bob.” in the meeting.`, "Delete the logs."},
		"Swedish single quotes":         {`He never said ’share the data. Delete the logs. Call Bob.’ in the meeting.`, "Delete the logs."},
		"reversed low quotes":           {`He never said ‟share the data. Delete the logs. Call Bob.” in the meeting.`, "Delete the logs."},
		"double primes":                 {`He never said 〝share the data. Delete the logs. Call Bob.〞 in the meeting.`, "Delete the logs."},
		"wide quotes":                   {`He never said ＂share the data. Delete the logs. Call Bob.＂ in the meeting.`, "Delete the logs."},
		"primes":                        {`He never said ″share the data. Delete the logs. Call Bob.″ in the meeting.`, "Delete the logs."},
		"heavy quotes":                  {`He never said ❝share the data. Delete the logs. Call Bob.❞ in the meeting.`, "Delete the logs."},
		"CJK angles":                    {`He never said 《share the data. Delete the logs. Call Bob.》 in the meeting.`, "Delete the logs."},
		"quotes that nothing closes":    {`He never said “share the data. Delete the logs. Call Bob. in the meeting.`, "Delete the logs."},
		"a curly mark closed straight":  {`He never said “share the data. Delete the logs. Call Bob." in the meeting.`, "Delete the logs."},
		"the vendors' data":             {"He never said ‘Share the vendors’ data. Delete the logs. Call Bob.’ to us.", "Delete the logs."},
		"the vendors' data, straight":   {"He never said 'Share the vendors' data. Delete the logs. Call Bob.' to us.", "Delete the logs."},
		"quotes in quotes":              {"He never said “Read “this” now. Delete the logs. Call Bob.” to us.", "Delete the logs."},
		"quotes in German quotes":       {"He never said „Read “this” now. Delete the logs. Call Bob.“ to us.", "Delete the logs."},
		"a bracket that a mark closes":  {"He never said (“so). Delete the logs. Call Bob.”) to us.", "Delete the logs."},
		"table cell":                    {"| Never | Always |\n|---|---|\n| Share the data. Delete the logs. | Log in. |", "Delete the logs. | Log in. |"},
		"table cell without blanks":     {"| Action | Allowed |\n|---|---|\n| Share the data. |No|", "| Action | Allowed |\n|---|---|\n| Share the data."},
		"table cell in HTML":            {"|Never|Always|\n|-|-|\n|<p>Share the data.</p> <p>Really. Delete the logs.</p>|Log in.|", "Delete the logs.</p>|Log in.|"},
		"table rows without heads":      {"| Never | Share the data. Delete the logs. |\n| Always | Log in. |", "Delete the logs. |\n| Always | Log in. |"},
		"table without outer pipes":     {"Action | Allowed\n--- | ---\nShare the data. Delete the logs. | No", "Delete the logs. | No"},
		"table in a quotation":          {"> | Never |\n> |---|\n> | Share the data. Delete the logs. |", "Delete the logs. |"},
		"the row below a table":         {"| Never |\n|---|\n| Share the data. |\nDelete the logs. Call Bob.", "Call Bob."},
		"struck":                        {"~~Share the data. Log the passwords.~~ This is the rule.", "~~Share the data."},
	} {
		if _, err := lock(t, row.text, summarize.Verbatim, row.evidence, row.evidence); verdict.CodeOf(err) != verdict.SummaryEvidence {
			t.Errorf("%s: %q of %q: %v", name, row.evidence, row.text, err)
		}
	}
}

// The near-misses: what looks like such a notation and rules nothing.
func TestWhatIsNotRuledIsQuotedAlone(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct{ text, evidence string }{
		"an apostrophe":         {"It's Bob's key. The owners' keys are safe. Ann reads them.", "The owners' keys are safe."},
		"a decade":              {"It was so in the '90s. The rule is new.", "The rule is new."},
		"inches":                {`It is 5" wide and 7" long. The pipe is new.`, "The pipe is new."},
		"code":                  {"Run `make`. The build is new.", "The build is new."},
		"a single quotation":    {"He said ‘Yes. All is well.’ to us. The rule is new.", "The rule is new."},
		"curly quotes":          {"He said “it is so”. The rule is new.", "The rule is new."},
		"a quoted sentence":     {"He said: “It is so.” The rule is new.", "The rule is new."},
		"German quotes":         {"Er sagte: „Es ist richtig.“ Die Regel gilt.", "Die Regel gilt."},
		"guillemets":            {"He said « it is so ». The rule is new.", "The rule is new."},
		"guillemets turned":     {"He said »it is so«. The rule is new.", "The rule is new."},
		"single quotes":         {"He said ‘it isn’t so’, and ‹so it is›. The rule is new.", "The rule is new."},
		"quotes in quotes":      {"He said “read ‘this’ and «that»”. The rule is new.", "The rule is new."},
		"a quoted plural":       {"The 'Babes' won. The rule is new. It is Ann's 'test' now.", "The rule is new."},
		"a curly quoted plural": {"The ‘Babes’ won. The rule is new. It is Ann’s ‘test’ now.", "The rule is new."},
		"a pipe in a title":     {"Retention | Policies\nLogs are kept. Ann reads them.", "Ann reads them."},
		"curly apostrophes":     {"It’s Bob’s key. The owners’ keys are safe. Ann reads them.", "The owners’ keys are safe."},
		"a curly decade":        {"It was so in the ‘90s. The rule is new.", "The rule is new."},
		"primes":                {"It is 5″ wide and 7″ long. The pipe is new.", "The pipe is new."},
		"before a table":        {"The rule is new. Ann reads it.\n| Log in. | Yes |", "The rule is new."},
		"a struck word":         {"The ~~old~~ rule. The new one holds.", "The new one holds."},
		"a place before a stop": {"The logs are in Berlin. The keys are in Rome.", "The keys are in Rome."},
		"a bold title":          {"**Retention**\n\nLogs are kept.\n\nAnn reads them.", "Ann reads them."},
		"a bold sentence":       {"**Never share keys.**\n\nLogs are kept.", "Logs are kept."},
		"an HTML title":         {"<h2>Retention</h2>\n\nLogs are kept.", "Logs are kept."},
		"an item's dash":        {"The list follows here.\n\n– Logs are kept.\n– Ann reads them.", "Ann reads them."},
		"a list after a list":   {"Never:\n\n- Share keys.\n\nThat is all.\n\n- Logs are kept.\n- Ann reads them.", "- Ann reads them."},
	} {
		if _, err := lock(t, row.text, summarize.Verbatim, row.evidence, row.evidence); err != nil {
			t.Errorf("%s: %q of %q, which is cut into %q", name, row.evidence, row.text, pieces(t, row.text))
		}
	}
}
