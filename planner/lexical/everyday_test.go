package lexical_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/pin"
)

// everyday are questions of our own over testdata/everyday-tools.json, each with
// the one call that answers it, or "" where none does. They were written before
// the first line of the planner that is asked here, and are not changed after it.
var everyday = []struct{ question, want string }{
	// What one reading call answers.
	{"read /etc/hosts", `read_text_file {"path":"/etc/hosts"}`},
	{"Could you show me the last 20 lines of /var/log/app.log?", `read_text_file {"path":"/var/log/app.log","tail":20}`},
	{"what is in the directory /srv/data", `list_directory {"path":"/srv/data"}`},
	{"List the files in ~/projects please", `list_directory {"path":"~/projects"}`},
	{"Which pods run in namespace billing?", `list_pods {"namespace":"billing"}`},
	{"list pods in the staging namespace with label app=api", `list_pods {"namespace":"staging","label_selector":"app=api"}`},
	{"Show the logs of pod api-7f in namespace prod", `pod_logs {"name":"api-7f","namespace":"prod"}`},
	{"logs of pod api-7f, namespace prod, container proxy, last 30 lines", `pod_logs {"name":"api-7f","namespace":"prod","container":"proxy","tail":30}`},
	{"list open issues of acme/website", `list_issues {"repo":"acme/website","state":"open"}`},
	{"Are there any closed issues in acme/website?", `list_issues {"repo":"acme/website","state":"closed"}`},
	{"show 5 issues of the repository acme/api", `list_issues {"repo":"acme/api","limit":5}`},
	{"What does issue 42 of acme/api say?", `get_issue {"repo":"acme/api","number":42}`},
	{"get issue #17 in acme/website", `get_issue {"repo":"acme/website","number":17}`},
	{`search the code for "retry budget"`, `search_code {"query":"retry budget"}`},
	{"Search the code for connection pool, 3 results", `search_code {"query":"connection pool","limit":3}`},
	{"Which calendar events are there from 2026-11-02 to 2026-11-06?", `list_calendar_events {"from":"2026-11-02","to":"2026-11-06"}`},
	{"Describe the table customers in database shop", `describe_table {"database":"shop","table":"customers"}`},
	{"what columns does the invoices table of database erp have?", `describe_table {"database":"erp","table":"invoices"}`},
	{"What will the weather be in Bergen?", `get_forecast {"city":"Bergen"}`},
	{"weather forecast for New York for the next 3 days", `get_forecast {"city":"New York","days":3}`},
	{"Convert 250 USD to EUR", `convert_currency {"amount":250,"from_currency":"USD","to_currency":"EUR"}`},
	{"What's the status of order 10311?", `get_order {"order_id":10311}`},
	{"Show me order number 88", `get_order {"order_id":88}`},
	{"list the shipped orders", `list_orders {"status":"shipped"}`},
	{"Which orders are pending?", `list_orders {"status":"pending"}`},
	{"list orders since 2026-10-01, at most 10", `list_orders {"since":"2026-10-01","limit":10}`},
	{"list all users", `list_users {}`},
	{"who is ada@example.org?", `get_user {"email":"ada@example.org"}`},
	{"search the web for how to prune an apple tree", `search_web {"query":"how to prune an apple tree"}`},
	{"Search the web for reviews of e-bikes, 5 results", `search_web {"query":"reviews of e-bikes","count":5}`},

	// What one changing call does, asked for plainly.
	{"Move /tmp/a.txt to /srv/b.txt", `move_file {"source":"/tmp/a.txt","destination":"/srv/b.txt"}`},
	{`Write "hello" to /tmp/greeting.txt`, `write_file {"path":"/tmp/greeting.txt","content":"hello"}`},
	{"Please delete pod web-2 in namespace dev", `delete_pod {"name":"web-2","namespace":"dev"}`},
	{"scale deployment web in namespace prod to 4 replicas", `scale_deployment {"name":"web","namespace":"prod","replicas":4}`},
	{`Create an issue in acme/api with title "Login fails" and body "Since today"`, `create_issue {"repo":"acme/api","title":"Login fails","body":"Since today"}`},
	{`Send an email to bob@example.org with subject "Lunch" and body "At noon?"`, `send_email {"to":"bob@example.org","subject":"Lunch","body":"At noon?"}`},
	{"cancel order 771", `cancel_order {"order_id":771}`},
	{"Can you disable the user eve@example.org?", `disable_user {"email":"eve@example.org"}`},
	{"Restart the service nginx on host web-3", `restart_service {"service":"nginx","host":"web-3"}`},
	{"I want you to restart service cron on host db-1", `restart_service {"service":"cron","host":"db-1"}`},

	// What no call answers, or more than one, or none that says all of it.
	{"Compare orders 10 and 11", ""},
	{"Show orders 10 and 11", ""},
	{"Which orders are not shipped?", ""},
	{"list the orders except the pending ones", ""},
	{"What is the oldest pending order?", ""},
	{"read the file", ""},
	{"delete pod web-2", ""},
	{"Convert 250 USD", ""},
	{"Who deleted the pod web-2 in namespace dev?", ""},
	{"Should I cancel order 771?", ""},
	{"Don't cancel order 771", ""},
	{"Cancel order 771 and order 772", ""},
	{"Cancel order 771 if it is late", ""},
	{"Order 771 was cancelled yesterday", ""},
	{"Read /etc/hosts and then delete pod web-2 in namespace dev", ""},
	{"list the orders of Maria over 100 dollars", ""},
	{"book a table at the Grand Hotel for tonight", ""},
	{"How tall is the Eiffel Tower?", ""},
	{"What is 3 plus 4?", ""},
	{"get every order since 2026-10-01 that is pending or shipped", ""},
	{"move /tmp/a.txt", ""},
	{"Write \"x\" to /tmp/a.txt and /tmp/b.txt", ""},
	{"Disable the user eve@example.org unless she is an admin", ""},
	{"restart nginx everywhere", ""},
}

// everydayTools are the tools of testdata/everyday-tools.json with the effect
// that the file says.
func everydayTools(tb testing.TB) catalog.Catalog {
	tb.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "everyday-tools.json"))
	if err != nil {
		tb.Fatal(err)
	}
	var lists map[string][]jsontext.Value
	if err := json.Unmarshal(b, &lists); err != nil {
		tb.Fatal(err)
	}
	names := map[string][]string{}
	var tools []pin.Descriptor
	for effect, raws := range lists {
		for _, raw := range raws {
			d := pin.Descriptor{Server: "s", Raw: raw}
			f, err := d.Fields()
			if err != nil {
				tb.Fatal(err)
			}
			names[effect] = append(names[effect], f.Name)
			tools = append(tools, d)
		}
	}
	said, err := json.Marshal(map[string]any{"s": names})
	if err != nil {
		tb.Fatal(err)
	}
	allow, err := catalog.ParseAllowlist(said)
	if err != nil {
		tb.Fatal(err)
	}
	return catalog.Admit([]catalog.Listing{{Server: "s", Tools: tools}}, allow, catalog.Options{})
}

func TestEverydayQuestions(t *testing.T) {
	t.Parallel()
	c := everydayTools(t)
	right, wrong, asked := 0, 0, 0
	for _, q := range everyday {
		got := strings.TrimPrefix(planned(t, c, q.question, ""), "s/")
		declined := strings.HasPrefix(got, "? ")
		switch {
		case q.want != "":
			asked++
			if got == q.want {
				right++
			} else if !declined {
				wrong++
				t.Errorf("%q: %s, want %s", q.question, got, q.want)
			} else {
				t.Logf("%q: %s", q.question, got)
			}
		case !declined:
			wrong++
			t.Errorf("%q: %s", q.question, got)
		}
	}
	t.Logf("%d of %d right, %d wrong", right, asked, wrong)
	if right*10 < asked*8 {
		t.Errorf("%d of %d right", right, asked)
	}
}
