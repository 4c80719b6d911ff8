package report_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/onestep-run/onestep/eval/report"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/internal/testing/browsertest"
)

// tab is a look at a page of results.
type tab struct{ *browsertest.Tab }

// TestThePageInABrowser opens the page as a reader does. It clicks through it on a
// wide screen and on a phone, and keeps pictures of it.
func TestThePageInABrowser(t *testing.T) {
	t.Parallel()
	ctx := browsertest.Start(t)
	page, err := report.HTML(sample(60), verdict.Fail(verdict.EvalIncomplete, nil, "1 of 61 cases could not be measured"))
	if err != nil {
		t.Fatal(err)
	}
	address := browsertest.Page(t, page)
	for _, c := range []struct {
		name   string
		width  int64
		scheme string
	}{{"wide", 1200, "light"}, {"phone", 380, "dark"}} {
		tab := tab{browsertest.Open(t, ctx, address, c.width, c.scheme)}
		tab.Fits()
		tab.speaks()
		for _, part := range []string{"overall", "groups", "curves", "reasons", "cases"} {
			tab.Keep("report-"+c.name, part)
		}
		tab.filters()
		tab.expands()
		tab.Fits()
		tab.Keep("report-"+c.name+"-expanded", "list")
		tab.ChangesColours(c.scheme)
		tab.Keep("report-"+c.name+"-toggled", "overall")
		tab.AsksForNothing(address)
	}
}

// speaks asserts that a screen reader says what is on the page.
func (b tab) speaks() {
	b.Is(`[...document.querySelectorAll("input, select")].every((e) => e.labels.length === 1)`)
	b.Is(`[...document.querySelectorAll("svg")].every((e) => e.closest("[aria-hidden=true]") || e.closest("[role=img][aria-label]"))`)
	b.Is(`[...document.querySelectorAll(".scroll")].every((e) => e.tabIndex === 0 && e.getAttribute("aria-label"))`)
	b.Is(`[...document.querySelectorAll("section[aria-labelledby]")].every((e) => document.getElementById(e.getAttribute("aria-labelledby")).textContent)`)
	b.Is(`document.documentElement.lang === "en" && document.title.startsWith("injection: ")`)
}

func (b tab) filters() {
	b.Is(browsertest.Shown(".case") + ` === 60`)
	b.Do(chromedp.SendKeys(chromedp.ID("text"), "CASE-0037 number"))
	b.Is(browsertest.Shown(".case") + ` === 1 && document.getElementById("count").textContent === "1 of 60 cases."`)
	b.Do(chromedp.SendKeys(chromedp.ID("text"), strings.Repeat(kb.Backspace, 16)))
	b.Is(browsertest.Shown(".case") + ` === 60`)
	b.Click("#bad")
	b.Is(browsertest.Shown(".run:not(.bad)") + ` === 0 && ` + browsertest.Shown(".run.bad") + ` > 0`)
	b.Do(chromedp.SendKeys(chromedp.ID("group"), "data stealing, base"))
	b.Is(browsertest.Shown(`.part:not([data-g="2"])`) + ` === 0 && ` + browsertest.Shown(`.part[data-g="2"]`) + ` > 0`)
	b.Do(chromedp.SendKeys(chromedp.ID("agent"), "onestep, allowlist"))
	b.Is(browsertest.Shown(`.run:not([data-a="3"])`) + ` === 0`)
	b.Click("#bad")
	b.Is(browsertest.Shown(".case") + ` === 15 && ` + browsertest.Shown(`.run[data-a="3"]`) + ` === 15`)
	b.Do(chromedp.SendKeys(chromedp.ID("agent"), "all"), chromedp.SendKeys(chromedp.ID("group"), "all"))
	b.Is(browsertest.Shown(".case") + ` === 60`)
}

func (b tab) expands() {
	b.Is(`!document.querySelector(".case .run").checkVisibility()`)
	b.Do(chromedp.Focus(chromedp.CSS(".case summary")), chromedp.KeyEvent(kb.Enter)) // as without a mouse
	b.Is(`document.querySelector(".case[open] .run").checkVisibility()`)
	b.Click(".case .trace summary")
	b.Is(`document.querySelector(".case .trace[open] pre").checkVisibility()`)
	b.Is(`document.querySelector(".case").textContent.includes("<script>alert(1)</script>")`)
}
