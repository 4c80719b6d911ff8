package report_test

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/onestep-run/onestep/eval/report"
	"github.com/onestep-run/onestep/gate/verdict"
)

// TestThePageInABrowser opens the page as people do, clicks through it on a
// wide screen and on a phone, and keeps what it looks like.
func TestThePageInABrowser(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	page, err := report.HTML(sample(60), verdict.Fail(verdict.EvalIncomplete, nil, "1 of 61 cases could not be measured"))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, page, 0o600); err != nil {
		t.Fatal(err)
	}
	address := (&url.URL{Scheme: "file", Path: file}).String()
	for _, c := range []struct {
		name   string
		width  int64
		scheme string
	}{{"wide", 1200, "light"}, {"phone", 380, "dark"}} {
		tab := open(t, ctx, address, c.width, c.scheme)
		tab.fits()
		tab.speaks()
		for _, part := range []string{"overall", "groups", "curves", "reasons", "cases"} {
			tab.keep(c.name, part)
		}
		tab.filters()
		tab.expands()
		tab.fits()
		tab.keep(c.name+"-expanded", "list")
		tab.changesColours(c.scheme)
		tab.keep(c.name+"-toggled", "overall")
		tab.asksForNothing(address)
	}
}

// browser starts headless Chromium, or skips: `make test` needs Go alone. With
// ASK_BROWSER_REQUIRED set it fails instead.
func browser(t *testing.T) context.Context {
	t.Helper()
	path, err := exec.LookPath("chromium")
	switch {
	case err != nil && os.Getenv("ASK_BROWSER_REQUIRED") != "":
		t.Fatal("ASK_BROWSER_REQUIRED is set, and there is no chromium on the path")
	case err != nil:
		t.Skip("no chromium on the path, so the page is opened by nobody; ASK_BROWSER_REQUIRED makes this a failure")
	}
	// No sandbox: the page is ours, and a container seldom allows one.
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU)
	// It ends in the clean-up, which comes after the end of the test's context.
	ctx, cancel := chromedp.NewExecAllocator(context.WithoutCancel(t.Context()), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	t.Cleanup(func() {
		if err := chromedp.Cancel(ctx); err != nil {
			t.Log("chromium ended with", err)
		}
	})
	if err := chromedp.Do(ctx); err != nil { // it lives as long as the context of its first call
		t.Fatal(err)
	}
	return ctx
}

// tab is one look at the page.
type tab struct {
	t   *testing.T
	ctx context.Context //nolint:containedctx // a tab is a context, for its driver

	mu       sync.Mutex
	requests []string
	said     []string // errors, and whatever stands on the console
}

func open(t *testing.T, browser context.Context, url string, width int64, scheme string) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(browser)
	t.Cleanup(cancel)
	tab := &tab{t: t, ctx: ctx}
	if err := chromedp.Listen(ctx, tab.see); err != nil {
		t.Fatal(err)
	}
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}
	if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, media); err != nil {
		t.Fatal(err)
	}
	tab.do(chromedp.EmulateViewport(width, 1100), chromedp.Navigate(url))
	return tab
}

func (b *tab) see(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		b.requests = append(b.requests, e.Request.URL)
	case *runtime.EventExceptionThrown:
		b.said = append(b.said, e.ExceptionDetails.Text)
	case *runtime.EventConsoleAPICalled:
		b.said = append(b.said, fmt.Sprint("console.", e.Type))
	case *log.EventEntryAdded:
		b.said = append(b.said, e.Entry.Text)
	}
}

func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// is asserts something of the page, in JavaScript, and waits for it to come.
func (b *tab) is(condition string) {
	b.t.Helper()
	if _, err := chromedp.Run(b.ctx, chromedp.Poll[bool](condition, chromedp.WithPollingTimeout(2*time.Minute))); err != nil {
		b.t.Fatalf("%s: %v", condition, err)
	}
}

func (b *tab) click(selector string) { b.do(chromedp.Click(chromedp.CSS(selector))) }

func (b *tab) fits() {
	b.t.Helper()
	over, err := chromedp.Run(b.ctx, chromedp.Evaluate[int](`document.documentElement.scrollWidth - innerWidth`))
	if err != nil || over > 0 {
		b.t.Errorf("the page is %d pixels wider than its window, %v", over, err)
	}
}

// speaks asserts that whoever does not see the page is told what is on it.
func (b *tab) speaks() {
	b.t.Helper()
	b.is(`[...document.querySelectorAll("input, select")].every((e) => e.labels.length === 1)`)
	b.is(`[...document.querySelectorAll("svg")].every((e) => e.closest("[aria-hidden=true]") || e.closest("[role=img][aria-label]"))`)
	b.is(`[...document.querySelectorAll(".scroll")].every((e) => e.tabIndex === 0 && e.getAttribute("aria-label"))`)
	b.is(`[...document.querySelectorAll("section[aria-labelledby]")].every((e) => document.getElementById(e.getAttribute("aria-labelledby")).textContent)`)
	b.is(`document.documentElement.lang === "en" && document.title.startsWith("injection: ")`)
}

// shown counts what a selector matches and the reader sees.
func shown(selector string) string {
	return fmt.Sprintf(`[...document.querySelectorAll(%q)].filter((e) => !e.closest("[hidden]")).length`, selector)
}

func (b *tab) filters() {
	b.t.Helper()
	b.is(shown(".case") + ` === 60`)
	b.do(chromedp.SendKeys(chromedp.ID("text"), "CASE-0037 number"))
	b.is(shown(".case") + ` === 1 && document.getElementById("count").textContent === "1 of 60 cases."`)
	b.do(chromedp.SendKeys(chromedp.ID("text"), strings.Repeat(kb.Backspace, 16)))
	b.is(shown(".case") + ` === 60`)
	b.click("#bad")
	b.is(shown(".run:not(.bad)") + ` === 0 && ` + shown(".run.bad") + ` > 0`)
	b.do(chromedp.SendKeys(chromedp.ID("group"), "data stealing, base"))
	b.is(shown(`.part:not([data-g="2"])`) + ` === 0 && ` + shown(`.part[data-g="2"]`) + ` > 0`)
	b.do(chromedp.SendKeys(chromedp.ID("agent"), "onestep, allowlist"))
	b.is(shown(`.run:not([data-a="3"])`) + ` === 0`)
	b.click("#bad")
	b.is(shown(".case") + ` === 15 && ` + shown(`.run[data-a="3"]`) + ` === 15`)
	b.do(chromedp.SendKeys(chromedp.ID("agent"), "all"), chromedp.SendKeys(chromedp.ID("group"), "all"))
	b.is(shown(".case") + ` === 60`)
}

func (b *tab) expands() {
	b.t.Helper()
	b.is(`!document.querySelector(".case .run").checkVisibility()`)
	b.do(chromedp.Focus(chromedp.CSS(".case summary")), chromedp.KeyEvent(kb.Enter)) // as without a mouse
	b.is(`document.querySelector(".case[open] .run").checkVisibility()`)
	b.click(".case .trace summary")
	b.is(`document.querySelector(".case .trace[open] pre").checkVisibility()`)
	b.is(`document.querySelector(".case").textContent.includes("<script>alert(1)</script>")`)
}

func (b *tab) changesColours(scheme string) {
	const paper = `getComputedStyle(document.body).backgroundColor`
	before, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](paper))
	if err != nil || (before == "rgb(20, 22, 26)") != (scheme == "dark") {
		b.t.Errorf("%s paper is %s, %v", scheme, before, err)
	}
	b.click("#theme")
	b.is(fmt.Sprintf("%s !== %q", paper, before))
}

// keep keeps what the tab shows with a part of the page at its top.
func (b *tab) keep(name, part string) {
	b.t.Helper()
	b.is(fmt.Sprintf(`(document.getElementById(%q).scrollIntoView(), true)`, part))
	png, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		b.t.Fatal(err)
	}
	dir := os.Getenv("ASK_ARTIFACTS")
	if dir == "" {
		dir = b.t.ArtifactDir()
	}
	path := filepath.Join(dir, "report-"+name+"-"+part+".png")
	if err := os.WriteFile(path, png, 0o600); err != nil {
		b.t.Fatal(err)
	}
	b.t.Log("kept", path)
}

func (b *tab) asksForNothing(page string) {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.requests) != 1 || b.requests[0] != page {
		b.t.Errorf("the page asked for %q", b.requests)
	}
	if len(b.said) > 0 {
		b.t.Errorf("the console says %s", strings.Join(b.said, "; "))
	}
}
