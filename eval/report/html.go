package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"

	"github.com/onestep-run/onestep/eval"
)

var (
	//go:embed page.html.tmpl
	pageText string
	//go:embed style.css
	style string
	//go:embed script.js
	script string
)

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// HTML is a report as one page that needs nothing but itself: no other file,
// no other host, and no script except for filtering the cases and changing the
// colours. Its security policy lets the browser run and fetch nothing else, so
// a text of a case that got out of its place could still do nothing. How the
// run ended stands at its top.
//
// It holds every figure. Texts of cases are bounded, each and in all, so that
// a page of thousands opens at once; what was left out is counted on the page.
func HTML(r eval.Report, end error) ([]byte, error) {
	p := newPage(r, end)
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, p); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// policy names the page's own style and script by their digests.
func policy() string {
	return "default-src 'none'; style-src '" + digest(style) + "'; script-src '" + digest(script) + "'; base-uri 'none'; form-action 'none'"
}

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
