package intent_test

import (
	"archive/zip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/intent"
)

const derived = `{"type":"object","properties":{
	"owner":{"type":"string"},"repo":{"type":"string"},"host":{"type":"string"},"port":{"type":"integer"},"issue_number":{"type":"integer"},
	"date":{"type":"string","format":"date"},"starts_at":{"type":"string","format":"date-time"},"time":{"type":"string"},"month":{"type":"integer"},"day":{"type":"integer"},"year":{"type":"integer"},
	"count":{"type":"integer"},"amount":{"type":"number"},"text":{"type":"string"},"minutes":{"type":"integer"},"timeout_ms":{"type":"integer"},"length":{"type":"number","description":"Length of the stay in days (at most 90)"},
	"celsius":{"type":"number"},"weight_kg":{"type":"number"},"size_bytes":{"type":"integer"},"amount_cents":{"type":"integer"},"share":{"type":"number"},"wait":{"type":"string"},"months":{"type":"integer"},
	"state":{"enum":["open","closed","in_progress","merged"]},"order":{"enum":["asc","desc"]},"unit":{"enum":["celsius","fahrenheit","km"]},"currency":{"type":"string"},"zone":{"type":"string"},"discount_percent":{"type":"number"},"ratio":{"type":"number","maximum":1},"no_cache":{"type":"boolean"},"recursive":{"type":"boolean"},"until":{"type":"string"},"tag":{"type":"string"},"wait_seconds":{"type":"number","description":"How many seconds to wait"},"pr_id":{"type":"string"},
	"level":{"enum":["daily","read_only","high_priority","admin"]},
	"draft":{"type":"boolean","default":false},"dry_run":{"type":"boolean"},"include_archived":{"type":"boolean"},"command":{"type":"string"},"args":{"type":"array","items":{"type":"string"}},
	"enabled":{"type":"boolean"},"disabled":{"type":"boolean"},"notify":{"type":"boolean"},"country":{"type":"string"},"exclude":{"type":"string"},"old_text":{"type":"string"},"new_text":{"type":"string"},
	"start":{"type":"integer"},"end":{"type":"integer"},"from":{"type":"string"},"to":{"type":"string"},"base":{"type":"string"},"head":{"type":"string"},"title":{"type":"string"},"body":{"type":"string"}}}`

// what writes of each leaf what is more than its origin.
func what(r intent.Report) string {
	var all []string
	for _, l := range r.Leaves {
		w := strings.TrimPrefix(l.Pointer, "/") + " " + l.Origin.String()
		if l.By != "" {
			w += " by " + l.By
		}
		if l.Differs != "" {
			w += " differs: " + l.Differs
		}
		if l.Repeated {
			w += " repeated"
		}
		all = append(all, w)
	}
	slices.Sort(all)
	for _, u := range r.Unused {
		all = append(all, "unused "+u.Text)
	}
	return strings.Join(all, ", ")
}

func TestWhatCodeRecomputes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ question, args, want string }{
		// parts of one literal, all of which are used
		{"Open issue 12 of acme/checkout", `{"owner":"acme","repo":"checkout","issue_number":12}`, "issue_number stated, owner derived by part, repo derived by part"},
		{"Open issue 12 of acme/checkout", `{"owner":"acme","issue_number":12}`, "issue_number stated, owner part"},
		{"Open issue 12 of acme/checkout", `{"owner":"checkout","repo":"acme","issue_number":12}`, "issue_number stated, owner part, repo part"},
		{"Show acme/checkout#12", `{"owner":"acme","repo":"checkout","issue_number":12}`, "issue_number derived by part, owner derived by part, repo derived by part"},
		{"Ping db.example.com:5432", `{"host":"db.example.com","port":5432}`, "host derived by part, port derived by part"},
		{"Read lines 10-20", `{"start":10,"end":20}`, "end derived by part, start derived by part"},
		{"Read lines 10-20", `{"start":20,"end":10}`, "end unstated, start unstated, unused 10-20"},
		{`Run "git log --oneline"`, `{"command":"git","args":["log","--oneline"]}`, "args/0 derived by part, args/1 derived by part, command derived by part"},
		{`Run "git log --oneline"`, `{"command":"git","args":["--oneline","log"]}`, "args/0 part, args/1 part, command part"},
		{`Run "git log --oneline"`, `{"command":"git","args":["log"]}`, "args/0 part, command part"},
		// dates and times
		{"Book it for 4 December 2026", `{"date":"2026-12-04"}`, "date derived by date in words"},
		{"Book it for December 4th, 2026", `{"date":"2026-12-04"}`, "date derived by date in words"},
		{"Book it for the 4th of Dec 2026", `{"date":"2026-12-04"}`, "date derived by date in words"},
		{"Book it for 4 December 2026", `{"date":"2026-04-12"}`, "date unstated by date in words differs: 2026-12-04, unused 4, unused 2026"},
		{"Book it for 4 December 2026", `{"date":"2026-12-05"}`, "date unstated, unused 4, unused 2026"},
		{"Book it for 4 December", `{"date":"2026-12-04"}`, "date unstated, unused 4"},
		{"Book it for 4 December 2026", `{"date":"12/04/2026"}`, "date derived by date or time"},
		{"Book it for 2026/12/04", `{"month":12}`, "month derived by date or time"},
		{"Book it for 2026/12/04", `{"date":"2026-12-04"}`, "date derived by date or time"},
		{"Book it for 24/12/2026", `{"date":"2026-12-24"}`, "date derived by date or time"},
		{"Book it for 3/4/2026", `{"date":"2026-04-03"}`, "date unstated, unused 3/4/2026"},
		{"Book it for 3/4/2026", `{"date":"2026-03-04"}`, "date unstated, unused 3/4/2026"},
		{"Book it for 4/4/2026", `{"date":"2026-04-04"}`, "date derived by date or time"},
		{"Book it for 30 February 2026", `{"date":"2026-03-02"}`, "date unstated, unused 30, unused 2026"},
		{"It may 4 2026", `{"date":"2026-05-04"}`, "date unstated, unused 4, unused 2026"},
		{"On May 4, 2026", `{"month":5,"day":4,"year":2026}`, "day stated, month derived by date in words, year stated"},
		{"On May 4, 2026", `{"month":4,"day":5,"year":2026}`, "day unstated, month stated by date in words differs: 5, year stated"},
		{"Book it for tomorrow", `{"date":"2026-11-24"}`, "date unstated"},
		{"Call at 3pm", `{"time":"15:00"}`, "time derived by date or time"},
		{"Call at 3:30 p.m.", `{"time":"15:30:00"}`, "time derived by date or time"},
		{"Call at 3", `{"time":"15:00"}`, "time unstated, unused 3"},
		{"Call at noon", `{"time":"12:00"}`, "time derived by date or time"},
		{"Meet on 4 December 2026 at 3pm", `{"starts_at":"2026-12-04T15:00:00"}`, "starts_at derived by date or time"},
		{"Meet on 4 December 2026 at 3pm", `{"starts_at":"2026-12-04T15:00:00Z"}`, "starts_at derived by date or time"},
		{"Meet on 4 December 2026 at 3pm", `{"starts_at":"2026-12-04T15:00:00+05:00"}`, "starts_at unstated, unused 4, unused 2026, unused 3pm"},
		{"Meet on 4 December 2026 at 3pm", `{"starts_at":"2026-12-04T03:00:00"}`, "starts_at unstated, unused 4, unused 2026, unused 3pm"},
		{"Book it from 4 to 8 December 2026", `{"date":"2026-12-04","until":"2026-12-08"}`, "date derived by date in words, until derived by date in words"},
		{"Book it from 30 November until 2 December 2026", `{"date":"2026-11-30","until":"2026-12-02"}`, "date derived by date in words, until derived by date in words"},
		{"Book it on 2026-12-04 at 14:00", `{"starts_at":"2026-12-04T14:00:00Z"}`, "starts_at derived by date or time"},
		{"Call at half past nine in the evening", `{"time":"21:30"}`, "time derived by date or time"},
		{"Call at half past nine", `{"time":"21:30"}`, "time unstated"},
		{"Call at 9 o'clock in the morning", `{"time":"09:00"}`, "time derived by date or time"},
		{"Call from 2 to 4 pm", `{"time":"14:00","until":"16:00"}`, "time derived by date or time, until derived by date or time"},
		{"Book it for the fifth of April, 2026", `{"date":"2026-04-05"}`, "date derived by date in words"},
		{"Book it for the twenty-first of April 2026", `{"date":"2026-04-21"}`, "date derived by date in words"},
		{"Book it for the twenty-first of April 2026", `{"date":"2026-04-20"}`, "date unstated, unused twenty-first, unused 2026"},
		{"Book it for the second of April", `{"date":"2026-04-02"}`, "date unstated"},
		{"Book it for the thirty-second of April 2026", `{"date":"2026-05-02"}`, "date unstated, unused thirty-second, unused 2026"},
		{"Book it for 14-18 June 2026", `{"date":"2026-06-14","until":"2026-06-18"}`, "date derived by date in words, until derived by date in words"},
		{"Book it for June 14–18, 2026", `{"date":"2026-06-14","until":"2026-06-18"}`, "date derived by date in words, until derived by date in words"},
		{"Book it for 14-18 June 2026", `{"date":"2026-06-15"}`, "date unstated, unused 14-18, unused 2026"},
		{"Book it for 18-14 June 2026", `{"date":"2026-06-18"}`, "date unstated, unused 18-14, unused 2026"},
		{"Book it for 14-18 June", `{"date":"2026-06-14"}`, "date unstated, unused 14-18"},
		{"Due on the last day of February 2028", `{"date":"2028-02-29"}`, "date derived by date or time"},
		{"Due on the last day of February 2028", `{"date":"2028-02-28"}`, "date unstated, unused 2028"},
		{"Due on the first day of February 2028", `{"date":"2028-02-29"}`, "date unstated, unused 2028"},
		{"Sum up the third quarter of 2026", `{"from":"2026-07-01","to":"2026-09-30"}`, "from derived by date or time, to derived by date or time"},
		{"Sum up Q3 2026", `{"from":"2026-07-01","to":"2026-09-30"}`, "from derived by date or time, to derived by date or time"},
		{"Sum up Q3 2026", `{"from":"2026-09-30","to":"2026-07-01"}`, "from unstated, to unstated, unused Q3, unused 2026"},
		{"Sum up Q3 2026", `{"from":"2026-07-01","to":"2026-10-01"}`, "from derived by date or time, to unstated"},
		{"Sum up Q5 2026", `{"from":"2027-01-01"}`, "from unstated, unused Q5, unused 2026"},
		{"Sum up the third quarter", `{"from":"2026-07-01"}`, "from unstated"},
		{"Show week 7 of 2027", `{"text":"2027-W07","from":"2027-02-15"}`, "from derived by date or time, text derived by date or time"},
		{"Show week 7 of 2027", `{"text":"2027-W08"}`, "text unstated, unused 7, unused 2027"},
		{"Show week 53 of 2027", `{"text":"2027-W53"}`, "text unstated, unused 53, unused 2027"},
		{"Show November 2026", `{"text":"2026-11"}`, "text derived by date or time"},
		{"Show 4 November 2026", `{"text":"2026-11"}`, "text unstated, unused 4, unused 2026"},
		{"Show November 2026", `{"text":"2026-12"}`, "text unstated, unused 2026"},
		{"Call at nine thirty am", `{"time":"09:30"}`, "time derived by date or time"},
		{"Call at nine thirty", `{"time":"09:30"}`, "time unstated"},
		{"Call at twelve in the morning", `{"time":"00:00"}`, "time derived by date or time"},
		{"I was ill on 2026-11-16", `{"day":"2026-11-16"}`, "day stated"},
		// whole quotations
		{`Write "Fixed on main, will ship."`, `{"body":"Fixed on main, will ship."}`, "body stated"},
		{`Write "Fixed on main, will ship."`, `{"body":"Fixed on main, will ship!"}`, "body unstated, unused Fixed on main, will ship."},
		{`Write "thanks!"`, `{"body":"thanks!"}`, "body stated"},
		// numbers
		{"Colder than minus 18 degrees", `{"celsius":-18}`, "celsius derived by number word"},
		{"Colder than minus 18 degrees", `{"celsius":18}`, "celsius unstated by number word differs: -18, unused 18"},
		{"Is 20 minus 18 right", `{"celsius":-18}`, "celsius unstated, unused 20, unused 18"},
		{"Give 12.5% off", `{"discount_percent":12.5}`, "discount_percent stated"},
		{"Slower than one and a half seconds", `{"timeout_ms":1500}`, "timeout_ms derived by unit"},
		{"Slower than one and a half seconds", `{"timeout_ms":1000}`, "timeout_ms unstated"},
		{"Book an hour and a half", `{"minutes":90}`, "minutes derived by unit"},
		{"Book 2 hours and a half dozen chairs", `{"minutes":150}`, "minutes unstated, unused 2"},
		{"Look back a quarter of an hour", `{"minutes":15}`, "minutes derived by unit"},
		{"Look back a quarter of an hour", `{"months":3}`, "months unstated"},
		{"Look back over the past week", `{"minutes":10080}`, "minutes derived by unit"},
		{"Look back over the past week", `{"count":1}`, "count unstated"},
		{"Look back over the past weeks", `{"minutes":10080}`, "minutes unstated"},
		{"Make room for 2 TiB", `{"size_bytes":2199023255552}`, "size_bytes derived by unit"},
		{"Wait a fortnight", `{"length":14}`, "length derived by unit"},
		{"Send three hundred and fifty", `{"count":350}`, "count derived by number word"},
		{"Send half a million", `{"count":500000}`, "count derived by number word"},
		{"Send a couple", `{"count":2}`, "count derived by number word"},
		{"Take 15% off", `{"discount_percent":15}`, "discount_percent stated"},
		{"Take 15% off", `{"discount_percent":0.15}`, "discount_percent unstated by percentage differs: 15, unused 15%"},
		{"Keep 15%", `{"ratio":0.15}`, "ratio derived by percentage"},
		{"Keep half of it", `{"share":0.5}`, "share derived by percentage"},
		{"Wait 2 minutes", `{"wait_seconds":120}`, "wait_seconds derived by unit"},
		{"List two of them", `{"count":2}`, "count derived by number word"},
		{"List twenty-five of them", `{"count":25}`, "count derived by number word"},
		{"List a dozen", `{"count":12}`, "count derived by number word"},
		{"List this one", `{"count":1}`, "count unstated"},
		{"Raise it to 5k", `{"amount":5000}`, "amount derived by magnitude"},
		{"Raise it to 5k", `{"amount":5}`, "amount unstated by magnitude differs: 5000, unused 5k"},
		{"Raise it to 1.5 million", `{"amount":1500000}`, "amount derived by magnitude"},
		{"Raise it to 1.5 million", `{"amount":1.5}`, "amount unstated by magnitude differs: 1500000, unused 1.5"},
		{"Raise it to 1.200", `{"amount":1200}`, "amount unstated, unused 1.200"},
		{"Raise it to 1.200", `{"amount":1.2}`, "amount unstated, unused 1.200"},
		{"Raise it to 0.125", `{"amount":0.125}`, "amount stated"},
		{"Raise it by five percent", `{"share":0.05}`, "share derived by percentage"},
		{"Raise it by 5 percent", `{"share":5}`, "share stated"},
		// units
		{"Block it for 2 hours", `{"minutes":120}`, "minutes derived by unit"},
		{"Block it for 2 hours", `{"minutes":2}`, "minutes unstated by unit differs: 120, unused 2"},
		{"Block it for 2 hours and 30 minutes", `{"minutes":150}`, "minutes derived by unit"},
		{"Block it for an hour", `{"minutes":60}`, "minutes derived by unit"},
		{"Block it for half an hour", `{"minutes":30}`, "minutes derived by unit"},
		{"Block it for 90 seconds", `{"minutes":2}`, "minutes unstated, unused 90"},
		{"Block a 30-minute slot", `{"minutes":30}`, "minutes derived by unit"},
		{"Wait 5s", `{"timeout_ms":5000}`, "timeout_ms derived by unit"},
		{"Wait 5s", `{"timeout_ms":5}`, "timeout_ms unstated by unit differs: 5000, unused 5s"},
		{"Stay two weeks", `{"length":14}`, "length derived by unit"},
		{"Wait 2 hours", `{"wait":"2h"}`, "wait derived by unit"},
		{"Wait 2 hours", `{"wait":"PT2H"}`, "wait derived by unit"},
		{"Wait 2 hours", `{"wait":"PT2M"}`, "wait unstated, unused 2"},
		{"It is 66 degrees Fahrenheit", `{"celsius":18.9}`, "celsius derived by unit"},
		{"It is 66 degrees Fahrenheit", `{"celsius":66}`, "celsius unstated by unit differs: 18.8889, unused 66"},
		{"It weighs 10 lbs", `{"weight_kg":4.54}`, "weight_kg derived by unit"},
		{"Make room for 10 MB", `{"size_bytes":10000000}`, "size_bytes unstated, unused 10, unused MB"},
		{"Make room for 10 MB", `{"size_bytes":10}`, "size_bytes unstated by unit differs: two readings, unused 10, unused MB"},
		{"Make room for 2 MiB", `{"size_bytes":2097152}`, "size_bytes derived by unit"},
		{"Pay $12.50", `{"amount_cents":1250}`, "amount_cents derived by unit"},
		{"Pay $20", `{"amount_cents":20}`, "amount_cents unstated by unit differs: 2000, unused 20"},
		{"Run it for 2 years", `{"months":24}`, "months derived by unit"},
		{"Wait 3 months", `{"minutes":3}`, "minutes stated"},
		// words
		{"Give them read-only access", `{"level":"read_only"}`, "level respelled"},
		{"Treat it with high priority", `{"level":"high_priority"}`, "level respelled"},
		{"Run it every day", `{"level":"daily"}`, "level derived by form"},
		{"Make her an administrator", `{"level":"admin"}`, "level derived by form"},
		{"What time is it in São Paulo?", `{"zone":"America/Sao_Paulo"}`, "zone derived by zone"},
		{"Pay 20 Canadian dollars", `{"amount":20,"currency":"CAD"}`, "amount stated, currency derived by currency"},
		{"Pay 20 kroner", `{"amount":20,"currency":"NOK"}`, "amount stated, currency unstated"},
		{"Pull nginx:1.25", `{"title":"nginx","tag":"1.25"}`, "tag derived by part, title derived by part"},
		{"Read https://github.com/acme/checkout/issues/12", `{"owner":"acme","repo":"checkout","issue_number":12}`, "issue_number derived by address, owner derived by address, repo derived by address"},
		{"Read https://github.com/acme/checkout/wiki/12", `{"owner":"acme","repo":"checkout","issue_number":12}`, "issue_number unstated, owner part, repo part"},
		{"Read it without the cache", `{"no_cache":true}`, "no_cache derived by name"},
		{"Read it with the cache", `{"no_cache":true}`, "no_cache unstated"},
		{"List it recursively", `{"recursive":true}`, "recursive derived by name"},
		{"Close it", `{"state":"closed"}`, "state derived by form"},
		{"Those in progress", `{"state":"in_progress"}`, "state respelled"},
		{"Close it", `{"state":"open"}`, "state unstated"},
		{"List them ascending", `{"order":"asc"}`, "order derived by form"},
		{"How warm is it in °C", `{"unit":"celsius"}`, "unit derived by form"},
		{"Pay 20 dollars", `{"amount":20,"currency":"USD"}`, "amount stated, currency derived by currency"},
		{"Pay €20", `{"amount":20,"currency":"EUR"}`, "amount stated, currency derived by currency"},
		{"Pay 20 Canadian dollars", `{"amount":20,"currency":"USD"}`, "amount stated, currency unstated"},
		{"What time is it in New York?", `{"zone":"America/New_York"}`, "zone derived by zone"},
		{"What time is it in Berlin?", `{"zone":"Asia/Berlin"}`, "zone unstated"},
		{"What time is it in Munich?", `{"zone":"Europe/Berlin"}`, "zone unstated"},
		{"List the invoices", `{"text":"invoice"}`, "text derived by form"},
		{"List Ana's files", `{"text":"Ana"}`, "text derived by form"},
		// what is said by the name of a parameter
		{"Create a draft", `{"draft":true}`, "draft derived by name"},
		{"Create a draft", `{"draft":false}`, "draft default by name differs: true"},
		{"Create it, but no draft", `{"draft":true}`, "draft unstated by name differs: false"},
		{"Create it, but no draft", `{"draft":false}`, "draft derived by name"},
		{"Do a dry run", `{"dry_run":true}`, "dry_run derived by name"},
		{"Run it", `{"dry_run":true}`, "dry_run unstated"},
		{"List them, archived ones too", `{"include_archived":true}`, "include_archived derived by name"},
		{"Don't include archived ones", `{"include_archived":true}`, "include_archived unstated by name differs: false"},
		{"Turn off the flag", `{"enabled":false}`, "enabled derived by name"},
		{"Turn off the flag", `{"enabled":true}`, "enabled unstated by name differs: false"},
		{"Switch the flag x-1 on", `{"enabled":true,"text":"x-1"}`, "enabled derived by name, text stated"},
		{"Do not enable the flag", `{"enabled":true}`, "enabled unstated by name differs: false"},
		{"Don't forget to enable it", `{"enabled":true}`, "enabled derived by name"},
		{"Leave the job disabled", `{"disabled":true}`, "disabled derived by name"},
		{"Enable x and disable y", `{"enabled":true}`, "enabled unstated"},
		{"Turn the page, it is on", `{"enabled":true}`, "enabled unstated"},
		{`Rename it to "turn off"`, `{"enabled":false}`, "enabled unstated, unused turn off"},
		{"Close it, no notification", `{"notify":false}`, "notify derived by name"},
		{"Close it with a notification", `{"notify":false}`, "notify unstated by name differs: true"},
		{"Close it, no note", `{"notify":false}`, "notify unstated"},
		// countries
		{"Cities of Portugal", `{"country":"PT"}`, "country derived by country"},
		{"Cities of Portugal", `{"country":"PL"}`, "country unstated"},
		{"Cities of Portugal", `{"tag":"PT"}`, "tag unstated"},
		{"Cities of Papua New Guinea", `{"country":"GN"}`, "country unstated"},
		{"Cities of Papua New Guinea", `{"country":"PG"}`, "country derived by country"},
		{"Cities of the Congo", `{"country":"CD"}`, "country unstated"},
		{`Create "the draft"`, `{"title":"the draft","draft":false}`, "draft default, title stated"},
		// the word before a value
		{"Move a.txt to b.txt", `{"from":"b.txt","to":"a.txt"}`, "from stated by direction differs: to, to stated"},
		{"Move a.txt to b.txt", `{"from":"a.txt","to":"b.txt"}`, "from stated, to stated"},
		{"Move 50 from the savings account to checking", `{"from":"checking","to":"savings","amount":50}`, "amount stated, from stated by direction differs: to, to stated by direction differs: from"},
		{"Move 50 from the savings account to checking", `{"from":"savings","to":"checking","amount":50}`, "amount stated, from stated, to stated"},
		{"Merge feature-x into main", `{"head":"feature-x","base":"main"}`, "base stated, head stated"},
		{"Merge feature-x into main", `{"head":"main","base":"feature-x"}`, "base stated, head stated by direction differs: into"},
		{"Branch off from main", `{"base":"main"}`, "base stated"},
		{"Read from 9 to 11", `{"start":11,"end":9}`, "end stated by direction differs: from, start stated by direction differs: to"},
		{"Read from 9 to 11", `{"start":9,"end":11}`, "end stated, start stated"},
		{"Move it to 9", `{"start":9}`, "start stated"},
		{`Replace "a b" with "c d"`, `{"old_text":"a b","new_text":"c d"}`, "new_text stated, old_text stated"},
		{`Replace "a b" with "c d"`, `{"old_text":"c d","new_text":"a b"}`, "new_text stated by direction differs: replace, old_text stated by direction differs: with"},
		{`Compare "a b" with "c d"`, `{"old_text":"c d","new_text":"a b"}`, "new_text stated by order differs: old_text, old_text stated by order differs: new_text"},
		{"Drive from Graz to Linz", `{"args":["Graz","Linz"]}`, "args/0 stated, args/1 stated"},
		{"Drive from Graz to Linz", `{"args":["Linz","Graz"]}`, "args/0 stated by direction differs: to, args/1 stated by direction differs: from"},
		{"Drive to Linz with Graz", `{"args":["Linz","Graz"]}`, "args/0 stated, args/1 stated"},
		{"Give it from rosa to yannick", `{"text":"rosa"}`, "text stated by direction differs: from"},
		{"Give it from rosa to yannick", `{"text":"yannick"}`, "text stated"},
		{"Give it from rosa to yannick", `{"text":"rosa","title":"yannick"}`, "text stated, title stated"},
		{"Take it from rosa to close it", `{"text":"rosa"}`, "text stated"},
		{"Give it from \"rosa\" to yannick", `{"text":"rosa"}`, "text stated by direction differs: from"},
		{"Take it from rosa-lee; she knows", `{"text":"rosa-lee"}`, "text stated"},
		{"Take it from \"rosa\"", `{"text":"rosa"}`, "text stated"},
		{"Which branches? Not my local ones", `{"text":"local"}`, "text stated by direction differs: not"},
		{"All except the local ones", `{"text":"local"}`, "text stated by direction differs: except"},
		{"Scale web rather than worker", `{"text":"worker"}`, "text stated by direction differs: rather"},
		{"All except the local ones", `{"exclude":"local"}`, "exclude stated"},
		{"Not reachable from lab", `{"text":"lab"}`, "text stated"},
		{"Local ones or not local ones", `{"text":"local"}`, "text stated"},
		{"Whether or not main is there", `{"text":"main"}`, "text stated"},
		{`File it with title "x y" and body "z"`, `{"title":"z","body":"x y"}`, "body stated by direction differs: title, title stated by direction differs: body"},
		{`File it with title "x y" and body "z"`, `{"title":"x y","body":"z"}`, "body stated, title stated"},
	} {
		if got := what(compare(t, intent.Question{Text: c.question, Server: "s", Tool: "do", Changes: true}, derived, c.args)); got != c.want {
			t.Errorf("%q %s\n got %s\nwant %s", c.question, c.args, got, c.want)
		}
	}
}

// The list of zones is that of the Go release that it was made of, or an older one.
func TestZonesAreThoseOfIANA(t *testing.T) {
	t.Parallel()
	root, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	z, err := zip.OpenReader(filepath.Join(strings.TrimSpace(string(root)), "lib", "time", "zoneinfo.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	var all []string
	for _, f := range z.File {
		all = append(all, f.Name)
	}
	b, err := os.ReadFile("zones.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		names := strings.Fields(line)
		for _, city := range names[1:] {
			if !slices.Contains(all, names[0]+"/"+city) {
				t.Errorf("%s/%s is no zone", names[0], city)
			}
		}
	}
}
