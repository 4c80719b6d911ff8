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

// HTML returns a report as one self-contained page. It needs no other file and no
// other host, and has scripts only for filtering the cases and changing the colours.
// Its security policy allows the browser to run and fetch nothing else, so a case's
// text that escaped its place could do nothing. The end of the run is at the top.
//
// It has every figure. Texts of cases are bounded, each and in total, so that a page
// of thousands opens at once; the page counts what was left out.
func HTML(r eval.Report, end error) ([]byte, error) {
	p := newPage(r, end)
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, p); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// policy returns a policy that names the page's own style and script by their digests.
func policy() string {
	return "default-src 'none'; style-src '" + digest(style) + "'; script-src '" + digest(script) + "'; base-uri 'none'; form-action 'none'"
}

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
