package account_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/onestep-run/onestep/host/account"
	"github.com/onestep-run/onestep/host/demo"
	"github.com/onestep-run/onestep/host/replay"
	"github.com/onestep-run/onestep/internal/testing/browsertest"
)

// TestAFolderOfRunsInABrowser opens the page as a user does, on a wide screen and on a
// phone. It searches the page, and opens a run to its gates.
func TestAFolderOfRunsInABrowser(t *testing.T) {
	t.Parallel()
	ctx := browsertest.Start(t)
	var runs []account.Run
	for _, name := range []string{"called", "refused", "summarized", "approved", "waits", "declined"} {
		a := committed(t, "format5/"+name+".jsonl")
		runs = append(runs, account.Run{Row: account.RowOf(a.Events), Sections: account.Of(t.Context(), a, replay.Options{Types: demo.Types()})})
	}
	runs = append(runs, account.Run{Row: account.Row{Question: hostile, Type: "failed"}, Sections: []account.Section{{Title: "Plan", Facts: []account.Fact{{Name: "x", Text: hostile}}}}})
	address := browsertest.Page(t, account.HTML("Runs", runs))
	for _, c := range []struct {
		name   string
		width  int64
		scheme string
	}{{"wide", 1200, "light"}, {"phone", 380, "dark"}} {
		tab := browsertest.Open(t, ctx, address, c.width, c.scheme)
		tab.Fits()
		tab.Is(`document.querySelector("#filter input").labels.length === 1 && document.documentElement.lang === "en"`)
		tab.Is(browsertest.Shown(".run") + ` === 7`)
		tab.Keep("runs-"+c.name, "list")
		tab.Do(chromedp.SendKeys(chromedp.ID("words"), "BLOCKED input.rule"))
		tab.Is(browsertest.Shown(".run") + ` === 1 && document.getElementById("count").textContent === "1 of 7 runs"`)
		tab.Do(chromedp.SendKeys(chromedp.ID("words"), strings.Repeat(kb.Backspace, 18)))
		tab.Is(browsertest.Shown(".run") + ` === 7`)
		tab.Do(chromedp.Focus(chromedp.CSS(".run summary")), chromedp.KeyEvent(kb.Enter)) // as without a mouse
		tab.Is(`document.querySelector(".run[open] dd.good").checkVisibility()`)
		tab.Is(`document.querySelector(".run:last-child").textContent.includes("<script>alert(1)</script>")`)
		tab.Fits()
		tab.Keep("runs-"+c.name+"-open", "list")
		tab.ChangesColours(c.scheme)
		tab.AsksForNothing(address)
	}
}

func TestOneRunInABrowser(t *testing.T) {
	t.Parallel()
	ctx := browsertest.Start(t)
	a := fresh(t, "Summarize policy-002")
	told := account.Run{Row: account.RowOf(a.Events), Sections: account.Of(t.Context(), a, replay.Options{Types: demo.Types()})}
	address := browsertest.Page(t, account.HTML("Run", []account.Run{told}))
	tab := browsertest.Open(t, ctx, address, 380, "light")
	tab.Is(`document.querySelector(".run[open] section").checkVisibility() && document.querySelector("#filter") === null`)
	tab.Is(`[...document.querySelectorAll("h2")].map((e) => e.textContent).join() === "Question,Outcome,Plan,Result,Summary,Approval,Gates,Servers and their tools,Policy,Record"`)
	tab.Fits()
	tab.Keep("run-phone", "list")
	tab.AsksForNothing(address)
}
