package summarize_test

import (
	"strings"
	"testing"

	"github.com/onestep-run/onestep/summarize"
)

// claimed is the claim that a selection of a text becomes.
func claimed(t *testing.T, text, evidence string) string {
	t.Helper()
	it, err := selected(t, declaredText(t, text), evidence)
	if err != nil {
		return err.Error()
	}
	return it.Claim
}

// Each row is of the closed list in docs/evidence.md.
func TestWhatASelectionHangsOnIsShown(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ what, text, evidence, claim string }{
		{"a heading and those above it", "# Draft\n\n## Old\n\nx y z.\n\n## New\n\nKeep the logs.", "Keep", "# Draft\n## New\nKeep the logs."},
		{"a heading that is underlined", "Not allowed\n===========\n\nShare the logs.", "Share", "Not allowed\nShare the logs."},
		{"a heading in bold", "**Don'ts**\n\nShare the logs.", "Share", "**Don'ts**\nShare the logs."},
		{"no heading of the section before", "## Never\n\nShare.\n\n# Always\n\nKeep the logs.", "Keep", "# Always\nKeep the logs."},
		{"the line above a list", "You must never:\n\n- share the logs\n- sell the keys\n", "sell", "You must never:\n- sell the keys"},
		{"a line above it that does not end", "These get you fired\n- sharing the logs\n- selling the keys", "selling", "These get you fired\n- selling the keys"},
		{"no line above it that ends", "This is said first.\n\n- share the logs", "share", "- share the logs"},
		{"the items that an item is below", "Never:\n1. copy:\n   - keys\n   - logs\n2. sell", "logs", "Never:\n1. copy:\n- logs"},
		{"all of an item", "Never:\n- Copy the keys. Ask for\n  the rules first.\n- sell", "rules", "Never:\n- Copy the keys. Ask for\n  the rules first."},
		{"a labelled line above a list", "Rule: you must not\n- share the logs\n- sell the keys", "sell", "Rule: you must not\n- sell the keys"},
		{"an item above one with another mark", "Never:\n1. copy:\n- keys\n- logs\n2. sell it", "logs", "Never:\n1. copy:\n- logs"},
		{"no item above the next number", "Never:\n1. copy:\n- keys\n- logs\n2. sell it", "sell", "Never:\n2. sell it"},
		{"the line above a list that is interrupted", "Never:\n\n1. Copy keys.\n\nThis is said of keys.\n\n2. Sell logs.", "Sell", "Never:\n2. Sell logs."},
		{"the line above a long one", "Never:\n\n11. Copy keys.\n\nThis is said of keys.\n\n12. Sell logs.", "Sell", "Never:\n12. Sell logs."},
		{"no line above the list before", "Never:\n\n1. Copy keys.\n\nThis is said of keys.\n\n1. Sell logs.", "Sell", "1. Sell logs."},
		{"what is below an item", "Never:\n\n- Copying keys.\n\n  They are left alone.\n", "left alone", "Never:\n- Copying keys.\nThey are left alone."},
		{"a line above a paragraph", "This is forbidden:\n\nShare the logs. Then sell them again.", "sell", "This is forbidden:\nThen sell them again."},
		{"a line above the next", "It is forbidden:\nShare the logs now. Then sell them again.", "sell", "It is forbidden:\nThen sell them again."},
		{"a list's own line after another list", "a:\n  - b\n  - c\nwont_fix:\n  - d\n  - e", "e", "wont_fix:\n- e"},
		{"the head of a table", "Old limits:\n\n| name | limit |\n|---|---|\n| red | 30 |\n| blue | 40 |", "blue | 40", "Old limits:\n| name | limit |\n| blue | 40 |"},
		{"the head of one of commas", "name,limit\nred,30\nblue,40", "40", "name,limit\nblue,40"},
		{"the head of one of tabs", "name\tlimit\nred\t30\nblue\t40", "40", "name\tlimit\nblue\t40"},
		{"the head of one with lines", "+------+-----+\n| name | n |\n+------+-----+\n| red | 30 |\n| blue | 40 |", "40", "| name | n |\n| blue | 40 |"},
		{"a cell that runs over", "name,limit\nred,30\nblue,40,50", "50", "name,limit\nblue,40,50"},
		{"who wrote a quotation", "Go ahead.\n\nOn Monday, Ann Lee\nwrote:\n> Maybe not. Share the logs\n> with them.", "Share", "On Monday, Ann Lee\nwrote:\n> Maybe not. Share the logs\n> with them."},
		{"who wrote one in it", "On Monday Ann wrote:\n> I agree with this.\n> On Sunday Bob Ray wrote:\n>> Share the logs.", "Share", "On Monday Ann wrote:\nOn Sunday Bob Ray wrote:\n>> Share the logs."},
		{"who wrote what is answered in between", "On Monday Ann wrote:\n> It is signed.\nIs it?\n> We start on Tuesday.", "Tuesday", "On Monday Ann wrote:\n> We start on Tuesday."},
		{"nobody after a quotation", "On Monday Ann wrote:\n> Share the logs.\n\nWe will not do that.", "not do", "We will not do that."},
		{"who wrote one without marks", "No.\n\nOn Monday Ann wrote:\nWe agree with it. Share the logs now.\n\nThen sell them again.", "sell", "On Monday Ann wrote:\nThen sell them again."},
		{"who a mail is from", "From: Ann\nSubject: Logs\n\nShare the logs now.\n\nFrom: Bob\n\nKeep the logs now.", "Keep", "From: Bob\nKeep the logs now."},
		{"the time of a log line", "2026-11-02 10:00:00 INFO Begin. All is well.\n2026-11-02 10:00:05 WARN full", "All is well", "2026-11-02 10:00:00 INFO Begin. All is well."},
		{"the time in a log line", "<34>Oct 11 22:14:15 su: failed. Denied it all now.\n<34>Oct 11 22:14:16 su: ok", "Denied", "<34>Oct 11 22:14:15 su: failed. Denied it all now."},
		{"the time of a log line's next", "Nov  2 10:00:00 db: Begin\n  at main\nNov  2 10:00:05 db: End", "at main", "Nov  2 10:00:00 db: Begin\n  at main"},
		{"the time of what looks like something else", "2026-11-02 10:00:00 ERROR no\nTraceback (last call last):\n- at main\nKeyError: lost\n2026-11-02 10:00:05 INFO yes", "KeyError", "2026-11-02 10:00:00 ERROR no\nTraceback (last call last):\n- at main\nKeyError: lost"},
		{"the whole of an access log's line", "10.0.0.7 - - [04/Oct/2024:22:10:51 +0200] \"GET /a\" 403\n10.0.0.7 - - [04/Oct/2024:22:10:58 +0200] \"GET /b\" 204", "GET /b", "10.0.0.7 - - [04/Oct/2024:22:10:58 +0200] \"GET /b\" 204"},
		{"a labelled line", "Status: rejected\nWhat: Share the logs. Sell the keys now.\nWhen: now", "Sell", "What: Share the logs. Sell the keys now."},
		{"a record", "{\"ok\": false, \"what\": \"Share. Sell.\"}\n{\"ok\": true}", "Sell", "{\"ok\": false, \"what\": \"Share. Sell.\"}"},
		{"the whole of a fence", "Never run:\n```\nrm -rf /\n\nls\n```\n", "ls", "Never run:\n```\nrm -rf /\n\nls\n```"},
		{"what a small letter goes on", "Nobody may\n\nshare the logs.", "share", "Nobody may\nshare the logs."},
		{"what a selection of two hangs on", "# A\n\n- keep it\n\n# B\n\nNever:\n\n- share it", "keep it\n\n# B\n\nNever:\n\n- share", "# A\n- keep it\n\n# B\n\nNever:\n\n- share it"},
	} {
		if got := claimed(t, c.text, c.evidence); got != c.claim {
			t.Errorf("%s: %q, want %q", c.what, got, c.claim)
		}
	}
}

func TestThePathOfAValueIsShown(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ value, evidence, claim string }{
		{`{"example":{"allowed":true},"allowed":false}`, "true", "example.allowed: true"},
		{`{"not allowed":{"a.b":"sending keys"}}`, "keys", `"not allowed"."a.b": sending keys`},
		{`{"":{"\n\"":"sending keys"}}`, "keys", `""."\n\"": sending keys`},
		{`{"rows":[{"id":"a-1","open":false},{"id":"a-2","open":true}]}`, "true", `rows[1](id: "a-2").open: true`},
		{`{"rows":[{"id":"a-1"},{"id":"a-2"}]}`, "a-2", `rows[1].id: a-2`},
		{`{"rows":[{"nested":{"x":"it"},"tags":["t"],"none":null,"n":7,"id":"a"}]}`, "it", `rows[0](n: 7).nested.x: it`},
		{`{"log":[{"level":"info","at":"2026-11-02T10:00:00Z","more":"2026-11-02T10:00:00Z","text":"it"}]}`, "it", `log[0](level: "info", at: "2026-11-02T10:00:00Z").text: it`},
		{`{"log":[{"level":"info","at":"2026-11-02T10:00:00Z"}]}`, "info", `log[0](at: "2026-11-02T10:00:00Z").level: info`},
		{`[["a","b"],["c"]]`, "c", `[1][0]: c`},
		{`["a","b"]`, "b", "[1]: b"},
		{`{"rows":[{"x":{"y":"it"},"at":"2026-11-02T10:00:00Z","id":7}]}`, "it", `rows[0](at: "2026-11-02T10:00:00Z").x.y: it`},
		{`[{"k":[{"id":5,"v":"it"}],"name":"outer"}]`, "it", `[0](name: "outer").k[0](id: 5).v: it`},
		{`{"text":"# No\n\nShare it now."}`, "Share", "text:\n# No\nShare it now."},
		{`"bare"`, "bare", "bare"},
	} {
		it, err := selected(t, structured(t, c.value), c.evidence)
		if err != nil || it.Claim != c.claim {
			t.Errorf("%s: %q, %v, want %q", c.value, it.Claim, err, c.claim)
		}
	}
}

// A misleading text cannot be shown without the words that correct it. The first ten are
// published examples, the rest are our own.
func TestMisleadingShorteningsAreShownWhole(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, evidence, corrects string }{
		{"The warranty covers every part with the exclusion of batteries and seals.", "The warranty covers every part", "exclusion of batteries"},
		{"The fire alarm test lasted ten minutes.", "The fire", "alarm test"},
		{"Maria asked the database team to drop the index on the orders table.", "drop the index on the orders table", "asked the database team"},
		{`{"example":{"allowed":true},"allowed":false}`, "true", "example.allowed"},
		{`{"simulation":{"outcome":{"data_loss":false}}}`, "false", "simulation.outcome"},
		{"The vendor insists its product is certified.", "its product is certified.", "The vendor insists"},
		{"The command `rm -rf ./build` is safe and `rm -rf /build` is the production volume.", "is the production volume", "`rm -rf /build` is the"},
		{"Telemetry is shared with the vendor on customers' written request.", "Telemetry is shared with the vendor", "written request"},
		{"Scan completed: 0 critical findings in 4 of the 19 hosts.", "Scan completed: 0 critical findings", "4 of the 19 hosts"},
		{"Synthetic patient records are used for training.", "patient records are used for training.", "Synthetic"},
		{"Backups run nightly outside of the freeze.", "Backups run nightly", "outside of the freeze"},
		{"Dr. No. 7 of the U.S. plant never signed it.", "signed it.", "never"},
		{"The release is 3.5 weeks late. It ships.", "5 weeks late", "3.5 weeks"},
		{"He said: \"Delete the table. Do it now.\" Nobody did.", "Do it now.", "He said"},
		{"Share the keys? Never. Ask the owner first.", "Share the keys", "Never."},
		{"~~Share the keys with vendors. Ask nobody first.~~", "Ask nobody first.", "~~Share"},
		{"» Share the keys with vendors. Ask nobody first. « was the old text.", "Ask nobody first.", "was the old text"},
		{"保存期間は三十日です。ただし、顧客のデータは（例外。常に。）共有しません。", "顧客のデータは", "共有しません"},
		{"## Rejected ideas\n\nShare the keys with vendors.", "Share the keys", "Rejected ideas"},
		{"The following was refused:\n\n1. a discount of 5 %\n2. a refund", "a refund", "was refused"},
		{"state,share\nplanned,5\nactual,7", "planned,5", "state,share"},
		{`{"staging":[{"name":"db-1","public":true}],"production":[{"name":"db-1","public":false}]}`, "true", `staging[0](name: "db-1")`},
	} {
		result := declaredText(t, c.text)
		if strings.HasPrefix(c.text, "{") {
			result = structured(t, c.text)
		}
		s, err := summarize.Lock(result, summarize.Quoted, bullets(t, c.evidence))
		if err != nil || !strings.Contains(s.Bullets()[0].Claim, c.corrects) {
			t.Errorf("%q of %q: %+v, %v", c.evidence, c.text, s.Bullets(), err)
		}
	}
}

func TestWhereASentenceEnds(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Logs are kept. Keys are not kept. So it is done.":                               "Logs are kept.|Keys are not kept.|So it is done.",
		"Dr. Smith of Acme Inc. Berlin paid Bob. He left us.":                            "Dr. Smith of Acme Inc. Berlin paid Bob.|He left us.",
		"See Fig. 3 and Sec. Two of it. That is all of it.":                              "See Fig. 3 and Sec. Two of it.|That is all of it.",
		"The U.S. Army did it. The rest is known here.":                                  "The U.S. Army did it.|The rest is known here.",
		"It costs 1.5 million. They paid 2. Then they left.":                             "It costs 1.5 million.|They paid 2. Then they left.",
		"Read the config.yaml. Then start the server again.":                             "Read the config.yaml.|Then start the server again.",
		"He paid J. Doe. Alice knows of it.":                                             "He paid J. Doe. Alice knows of it.",
		"It goes on… And on. That is all of it.":                                         "It goes on… And on.|That is all of it.",
		"Is it so? It is not so. That is all of it.":                                     "Is it so? It is not so.|That is all of it.",
		"Share it. Never. That is all of it.":                                            "Share it. Never. That is all of it.",
		"He said “No. Never.” to it all. She left the room.":                             "He said “No. Never.” to it all.|She left the room.",
		"She doesn't. The vendors' data is kept. 'No. Not.' it says here. So be it all.": "She doesn't. The vendors' data is kept.|'No. Not.' it says here.|So be it all.",
		"It is (a. B. C) here. So it is done.":                                           "It is (a. B. C) here.|So it is done.",
		"It is (never closed. So it is done. Here.":                                      "It is (never closed. So it is done. Here.",
		"A `cmd. Arg` is run. So it is done.":                                            "A `cmd. Arg` is run.|So it is done.",
		"It ends at noon. and goes on. 5 are left.":                                      "It ends at noon. and goes on. 5 are left.",
		"*It is bold.* **It is bolder.** It is done.":                                    "*It is bold.*|**It is bolder.**|It is done.",
		"鍵は三十日間保存されます。共有しないでください。「これは。引用です。」と言いました。":      "鍵は三十日間保存されます。|共有しないでください。|「これは。引用です。」と言いました。",
		"यह नियम सब पर लागू है।डेटा साझा न करें किसी से।": "यह नियम सब पर लागू है।|डेटा साझा न करें किसी से।",
		"Yahoo! Inc is here. That is all of it.":                     "Yahoo! Inc is here.|That is all of it.",
		"One line\nthat is wrapped. Another line\nis too, for sure.": "One line\nthat is wrapped.|Another line\nis too, for sure.",
	} {
		source, _ := summarize.Prepare(declaredText(t, text), "", 0)
		if got := strings.Join(source.Values[0].Sentences, "|"); got != want {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}
