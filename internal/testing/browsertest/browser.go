// Package browsertest opens pages in a real, headless Chromium, for the tests of code
// that writes HTML. It vouches for what its methods assert, in that browser.
package browsertest

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
)

// Page writes a page to a temporary file and returns its address.
func Page(t *testing.T, page []byte) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, page, 0o600); err != nil {
		t.Fatal(err)
	}
	return (&url.URL{Scheme: "file", Path: file}).String()
}

// Start starts headless Chromium, or skips the test, because `make test` needs only
// Go. With ASK_BROWSER_REQUIRED set it fails instead.
func Start(t *testing.T) context.Context {
	t.Helper()
	path, err := exec.LookPath("chromium")
	switch {
	case err != nil && os.Getenv("ASK_BROWSER_REQUIRED") != "":
		t.Fatal("ASK_BROWSER_REQUIRED is set, and there is no chromium on the path")
	case err != nil:
		t.Skip("no chromium on the path, so no browser opens the page; ASK_BROWSER_REQUIRED makes this a failure")
	}
	// No sandbox: the page is the program's own, and a container seldom allows one.
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU)
	// The browser ends in the clean-up, which comes after the end of the test's
	// context.
	ctx, cancel := chromedp.NewExecAllocator(context.WithoutCancel(t.Context()), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	t.Cleanup(func() {
		if err := chromedp.Cancel(ctx); err != nil {
			t.Log("chromium ended with", err)
		}
	})
	if err := chromedp.Do(ctx); err != nil { // the browser lives as long as the context of its first call
		t.Fatal(err)
	}
	return ctx
}

// Tab is a tab with the page.
type Tab struct {
	t   *testing.T
	ctx context.Context //nolint:containedctx // a tab is a context, for its driver

	mu       sync.Mutex
	requests []string
	said     []string // errors and messages of the console
}

// Open opens a page.
func Open(t *testing.T, browser context.Context, url string, width int64, scheme string) *Tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(browser)
	t.Cleanup(cancel)
	tab := &Tab{t: t, ctx: ctx}
	if err := chromedp.Listen(ctx, tab.see); err != nil {
		t.Fatal(err)
	}
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}
	if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, media); err != nil {
		t.Fatal(err)
	}
	tab.Do(chromedp.EmulateViewport(width, 1100), chromedp.Navigate(url))
	return tab
}

func (b *Tab) see(event any) {
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

// Do takes steps.
func (b *Tab) Do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// Is waits until a condition of the page holds, in JavaScript, or fails.
func (b *Tab) Is(condition string) {
	b.t.Helper()
	if _, err := chromedp.Run(b.ctx, chromedp.Poll[bool](condition, chromedp.WithPollingTimeout(2*time.Minute))); err != nil {
		b.t.Fatalf("%s: %v", condition, err)
	}
}

// Click clicks on the first match of a selector.
func (b *Tab) Click(selector string) { b.Do(chromedp.Click(chromedp.CSS(selector))) }

// Fits asserts that nothing is wider than the window.
func (b *Tab) Fits() {
	b.t.Helper()
	over, err := chromedp.Run(b.ctx, chromedp.Evaluate[int](`document.documentElement.scrollWidth - innerWidth`))
	if err != nil || over > 0 {
		b.t.Errorf("the page is %d pixels wider than its window, %v", over, err)
	}
}

// Shown counts the matches of a selector that the reader sees.
func Shown(selector string) string {
	return fmt.Sprintf(`[...document.querySelectorAll(%q)].filter((e) => !e.closest("[hidden]")).length`, selector)
}

// ChangesColours asserts that the page follows the scheme, and the page's button
// changes it.
func (b *Tab) ChangesColours(scheme string) {
	const paper = `getComputedStyle(document.body).backgroundColor`
	before, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](paper))
	if err != nil || (before == "rgb(20, 22, 26)") != (scheme == "dark") {
		b.t.Errorf("%s paper is %s, %v", scheme, before, err)
	}
	b.Click("#theme")
	b.Is(fmt.Sprintf("%s !== %q", paper, before))
}

// Keep saves a picture of the tab with a part of the page at its top.
func (b *Tab) Keep(name, part string) {
	b.t.Helper()
	b.Is(fmt.Sprintf(`(document.getElementById(%q).scrollIntoView(), true)`, part))
	png, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		b.t.Fatal(err)
	}
	dir := os.Getenv("ASK_ARTIFACTS")
	if dir == "" {
		dir = b.t.ArtifactDir()
	}
	path := filepath.Join(dir, name+"-"+part+".png")
	if err := os.WriteFile(path, png, 0o600); err != nil {
		b.t.Fatal(err)
	}
	b.t.Log("kept", path)
}

// AsksForNothing asserts that the page was the only request, and that the console has
// no error.
func (b *Tab) AsksForNothing(page string) {
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
