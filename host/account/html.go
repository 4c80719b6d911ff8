package account

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html"
	"strings"
	"time"

	"github.com/onestep-run/onestep/gate/escape"
)

var (
	//go:embed style.css
	style string
	//go:embed script.js
	script string
)

// Run is a run on a page.
type Run struct {
	Row      Row
	Sections []Section
}

// HTML returns one page of runs that needs no other file and no other host. Its security
// policy lets the browser run and fetch only the page's own style and script, so that
// untrusted text that escaped from its place could still do nothing. A single run is
// open; several can be opened.
func HTML(title string, runs []Run) []byte {
	p := &page{}
	p.raw(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '` + digest(style) + `'; script-src '` + digest(script) + `'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>`).text(title).raw("</title>\n<style>" + style + "</style>\n</head>\n<body>\n<header>\n" +
		`<p class="over">onestep <button id="theme" type="button" hidden>Dark mode</button></p>` + "\n<h1>").text(title).raw("</h1>\n")
	if len(runs) != 1 {
		p.raw(`<form id="filter" hidden><label for="words">Search</label> <input id="words" type="search" autocomplete="off"> <output id="count"></output></form>` + "\n")
	}
	p.raw("</header>\n<main id=\"list\">\n")
	for _, r := range runs {
		p.run(r, len(runs) == 1)
	}
	p.raw("</main>\n<script>" + script + "</script>\n</body>\n</html>\n")
	return []byte(p.String())
}

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// page is an HTML page under construction. Texts are added only by text, between tags or
// in an attribute with double quotes, where the output of html.EscapeString is safe.
type page struct{ strings.Builder }

func (p *page) raw(s string) *page {
	p.WriteString(s)
	return p
}

func (p *page) text(s string) *page { return p.raw(html.EscapeString(shown(s, MaxText))) }

func (p *page) run(r Run, open bool) {
	p.raw(`<details class="run"`)
	if open {
		p.raw(" open")
	}
	p.raw(`><summary><span class="asked">`).text(FirstLine(r.Row.Title())).raw("</span>")
	for _, part := range []string{r.Row.Time.Format(time.RFC3339), r.Row.Tool} {
		p.raw(" <span>").text(part).raw("</span>")
	}
	tone := good
	if r.Row.Code != "" || r.Row.Type == incomplete {
		tone = bad
	}
	p.raw(` <span class="`).text(string(tone)).raw(`">`).text(strings.TrimSpace(r.Row.Type + " " + r.Row.Code)).raw("</span></summary>\n")
	for _, s := range r.Sections {
		p.section(s)
	}
	p.raw("</details>\n")
}

func (p *page) section(s Section) {
	if len(s.Facts) == 0 {
		return
	}
	p.raw("<section><h2>").text(s.Title).raw("</h2>\n<dl>\n")
	for _, f := range s.Facts {
		p.raw("<dt>").text(f.Name).raw(`</dt><dd class="`).text(string(f.Tone)).raw(`">`).text(f.Text).raw("</dd>\n")
	}
	p.raw("</dl></section>\n")
}

// FirstLine returns the beginning of a text that may have several lines.
func FirstLine(s string) string {
	line, _, more := strings.Cut(strings.TrimSpace(s), "\n")
	if more || len(line) > 200 {
		return fmt.Sprintf("%s …", escape.Line(line, 200))
	}
	return line
}
