package intent_test

import (
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/intent"
)

// named has a parameter that names a thing, some that take prose, a kind and a list.
const named = `{"type":"object","properties":{
	"collection":{"type":"string"},"table":{"type":"string"},"index_name":{"type":"string"},"tags":{"type":"array","items":{"type":"string"}},
	"label":{"type":"string"},"user":{"type":"string"},"query":{"type":"string"},"topic":{"type":"string"},"kind":{"type":"string"},
	"resource_type":{"type":"string"},"scope":{"enum":["order","orders","team"]},"section":{"enum":["invoice","ticket"]},"name":{"type":"string"}}}`

// The plural of a name is another name. In prose, in a list of the schema and in
// the kind of a thing it says the same.
func TestThePluralOfANameIsNotSaid(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ question, args, want string }{
		{"drop the collection orders", `{"collection":"order"}`, "collection unstated"},
		{"drop the collection order", `{"collection":"orders"}`, "collection unstated"},
		{"drop the collection orders", `{"collection":"orders"}`, "collection stated"},
		{"truncate the table companies", `{"table":"company"}`, "table unstated"},
		{"truncate the table company", `{"table":"companies"}`, "table unstated"},
		{"drop the table boxes", `{"table":"box"}`, "table unstated"},
		{"drop the index users", `{"index_name":"user"}`, "index_name unstated"},
		{"delete the label bugs", `{"label":"bug"}`, "label unstated"},
		{"delete the tags bugs", `{"tags":["bug"]}`, "tags/0 unstated"},
		{"delete the user admins", `{"user":"admin"}`, "user unstated"},
		{"delete web-servers", `{"query":"web-server"}`, "query part"},
		{"delete user_groups", `{"query":"user_group"}`, "query part"},
		{"drop orders", `{"scope":"order"}`, "scope unstated"},

		{"delete Ana's label", `{"user":"Ana"}`, "user derived by form"},
		{"delete web-1's label", `{"name":"web-1"}`, "name derived by form"},
		{"find invoices", `{"query":"invoice"}`, "query derived by form"},
		{"read of orders", `{"topic":"order"}`, "topic derived by form"},
		{"list the pods", `{"kind":"pod"}`, "kind derived by form"},
		{"list the pods", `{"kind":"Pod"}`, "kind derived by form"},
		{"list the policies", `{"resource_type":"policy"}`, "resource_type derived by form"},
		{"go to the tickets", `{"section":"ticket"}`, "section derived by form"},
		{"of all teams", `{"scope":"team"}`, "scope derived by form"},
	} {
		q := intent.Question{Text: c.question, Server: "db", Tool: "drop", Changes: true}
		if got := what(compare(t, q, named, c.args)); got != c.want {
			t.Errorf("%q %s\n got %s\nwant %s", c.question, c.args, got, c.want)
		}
	}
}

// What the operator calls the resource is a name, whatever the parameter is called.
func TestThePluralOfTheResourceIsNotSaid(t *testing.T) {
	t.Parallel()
	q := intent.Question{Text: "purge the topic orders", Server: "mq", Tool: "purge", Changes: true}
	if got := what(compare(t, q, named, `{"topic":"order"}`)); got != "topic derived by form" {
		t.Errorf("without a resource: %s", got)
	}
	q.Resource = []string{"/topic"}
	if got := what(compare(t, q, named, `{"topic":"order"}`)); got != "topic unstated" {
		t.Errorf("the resource: %s", got)
	}
}

// A noun of a tool's name orders nothing.
func TestANounOfANameIsNotAnOrder(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ question, tool, want string }{
		{"yesterday I deleted pod cron-77 in namespace jobs", "pods_delete", "reported"},
		{"yesterday I deleted pod cron-77 in namespace jobs", "delete_pod", "reported"},
		{"we archived channel ops last week", "channel_archive", "reported"},
		{"Rosa purged the cache of web-1", "cache_purge", "reported"},
		{"Bob closed ticket INC1 this morning", "tickets.close", "reported"},
		{"pod cron-77 was removed from namespace jobs", "podRemove", "reported"},
		{"the deployment web was scaled to 3", "deployment_scale", "reported"},

		{"delete pod cron-77 in namespace jobs", "pods_delete", ""},
		{"pod cron-77 in namespace jobs: delete it", "pods_delete", ""},
		{"archive channel ops", "channel_archive", ""},
		{"close ticket INC1", "tickets.close", ""},
		{"scale the deployment web to 3", "deployment_scale", ""},
		{"transition PROJ-1 to done", "jira_transition_issue", ""},
		{"don't transition PROJ-1", "jira_transition_issue", "forbidden"},
		{"exec ls in pod cron-77", "pods_exec", ""},
		{"message Bob", "send_message", ""},
	} {
		got := ""
		if s := intent.Against(c.question, c.tool); s != nil {
			got = s.Kind
		}
		if got != c.want {
			t.Errorf("%s: %q: %q, want %q", c.tool, c.question, got, c.want)
		}
	}
}

// What right calls carried as a mark.
func TestMarksThatRightCallsCarried(t *testing.T) {
	t.Parallel()
	const scale = `{"type":"object","properties":{"kind":{"type":"string"},"name":{"type":"string"},"scale":{"type":"integer"},"title":{"type":"string"}}}`
	for _, c := range []struct{ question, tool, args, want string }{
		{"scale deployment web-1 to 3", "resources_scale", `{"kind":"deployment","name":"web-1","scale":3}`, "kind stated, name stated, scale stated"},
		{"file it as title deployment", "resources_scale", `{"kind":"deployment","title":"x"}`, "kind stated by direction differs: title, title unstated"},
		{"delete the r2 bucket logs-1", "r2_bucket_delete", `{"name":"logs-1"}`, "name stated"},
		{"delete the s3 bucket logs-1", "s3.delete", `{"name":"logs-1"}`, "name stated"},
		{"delete the r3 bucket logs-1", "r2_bucket_delete", `{"name":"logs-1"}`, "name stated, unused r3"},
		{"delete logs-1 and 2", "delete_2", `{"name":"logs-1"}`, "name stated, unused 2"},
	} {
		if got := what(compare(t, intent.Question{Text: c.question, Server: "s", Tool: c.tool, Changes: true}, scale, c.args)); got != c.want {
			t.Errorf("%q %s\n got %s\nwant %s", c.question, c.args, got, c.want)
		}
	}
}

// Two values of a pair in the other order, without a word that distinguishes them, are
// marked with the name of the other one.
func TestAnExchangedPairIsNamed(t *testing.T) {
	t.Parallel()
	const ways = `{"type":"object","properties":{"from":{"type":"string"},"to":{"type":"string"},"source_path":{"type":"string"},"destination_path":{"type":"string"},
		"old_name":{"type":"string"},"new_name":{"type":"string"},"base":{"type":"string"},"head":{"type":"string"},"start":{"type":"integer"},"end":{"type":"integer"}}}`
	for _, c := range []struct {
		question, args string
		marked         bool
	}{
		{"copy a.txt b.txt", `{"from":"b.txt","to":"a.txt"}`, true},
		{"copy a.txt b.txt", `{"source_path":"b.txt","destination_path":"a.txt"}`, true},
		{"rename alpha-1, beta-1", `{"old_name":"beta-1","new_name":"alpha-1"}`, true},
		{"read lines 10 20", `{"start":20,"end":10}`, true},
		{"mv a.txt and b.txt", `{"from":"b.txt","to":"a.txt"}`, true},

		{"copy a.txt b.txt", `{"from":"a.txt","to":"b.txt"}`, false},
		{"copy a.txt b.txt", `{"source_path":"a.txt","destination_path":"b.txt"}`, false},
		{"rename alpha-1, beta-1", `{"old_name":"alpha-1","new_name":"beta-1"}`, false},
		{"read lines 10 20", `{"start":10,"end":20}`, false},
		{"destination: b.txt, source: a.txt. Copy it", `{"source_path":"a.txt","destination_path":"b.txt"}`, false},
		{"the new name is beta-1 and the old name is alpha-1", `{"old_name":"alpha-1","new_name":"beta-1"}`, false},
		{"to b.txt copy a.txt", `{"from":"a.txt","to":"b.txt"}`, false},             // a word says it
		{"compare main-1 feature-1", `{"base":"main-1","head":"feature-1"}`, false}, // either order is usual
		{"compare main-1 feature-1", `{"head":"main-1","base":"feature-1"}`, false},
		{"copy a.txt b.txt", `{"from":"b.txt","destination_path":"a.txt"}`, false}, // of two ways
	} {
		r := compare(t, intent.Question{Text: c.question, Server: "s", Tool: "do", Changes: true}, ways, c.args)
		if got := what(r); strings.Contains(got, "by order differs") != c.marked || r.Marked(false) != c.marked {
			t.Errorf("%q %s: %s", c.question, c.args, got)
		}
	}
}
