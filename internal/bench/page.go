package main

import (
	"bytes"
	"embed"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"
)

//go:embed *.tmpl
var templates embed.FS

// A page is what the templates read.
type page struct {
	figures
	Facts       []string
	Aims, Parts []result
	Planner     string
}

// write writes the pages, and the table of wrap.md between its two comments.
func (p page) write(docs string) error {
	for _, name := range []string{"benchmarks.md", "benchmarks-details.md"} {
		var b bytes.Buffer
		if err := p.execute(&b, name); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(docs, "internals", name), b.Bytes(), 0o600); err != nil {
			return err
		}
	}
	wrap := filepath.Join(docs, "wrap.md")
	old, err := os.ReadFile(wrap)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := p.execute(&b, "wrap.md"); err != nil {
		return err
	}
	now, err := replace(string(old), b.String())
	if err != nil {
		return fmt.Errorf("%s: %w", wrap, err)
	}
	return os.WriteFile(wrap, []byte(now), 0o600)
}

// block is the part of a page that `make bench` writes.
var block = regexp.MustCompile("(?s)(<!-- made by `make bench` -->\n).*?(<!-- end -->\n)")

// replace puts a table into the block of a page.
func replace(old, table string) (string, error) {
	if found := block.FindAllString(old, -1); len(found) != 1 {
		return "", fmt.Errorf("%d blocks are made by `make bench`, instead of one", len(found))
	}
	parts := block.FindStringSubmatch(old)
	return strings.Replace(old, parts[0], parts[1]+table+parts[2], 1), nil
}

// execute writes one page by its template.
func (p page) execute(w io.Writer, name string) error {
	t, err := template.New(name+".tmpl").Funcs(template.FuncMap{
		"list": func(words ...string) []string { return words },
	}).ParseFS(templates, name+".tmpl")
	if err != nil {
		return err
	}
	return t.Execute(w, p)
}

// Met counts the aims, by their numbers, that are met in all their parts.
func (p page) Met() (n int) {
	for number := 1; number <= p.Numbers(); number++ {
		if p.all(number) {
			n++
		}
	}
	return n
}

// Numbers is how many aims there are.
func (p page) Numbers() (n int) {
	for _, r := range p.Aims {
		n = max(n, r.Number)
	}
	return n
}

func (p page) all(number int) bool {
	for _, r := range p.Aims {
		if r.Number == number && r.Verdict != met && r.Verdict != "-" {
			return false
		}
	}
	return true
}

// Has reports whether a benchmark has a figure of a unit.
func (p page) Has(bench, unit string) bool {
	_, measured := p.of(bench, unit)
	return measured
}

// Figure is a figure as text, or a dash.
func (p page) Figure(bench, unit string) string {
	value, measured := p.of(bench, unit)
	if !measured {
		return "-"
	}
	return quantity(unit, value)
}

// Ratio is that of two figures of one unit, or a dash.
func (p page) Ratio(bench, unit, other, next string) string {
	a, measured := p.of(bench, unit)
	b, compared := p.of(other, next)
	if !measured || !compared {
		return "-"
	}
	return fmt.Sprintf("%.2f", a/b)
}

// hold fails if an aim that a page calls met is missed now.
func hold(page string, results []result) error {
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	was := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.TrimSpace(line), " | ")
		if len(cells) > 2 && strings.TrimSuffix(cells[len(cells)-1], " |") == met {
			was[cells[1]] = true
		}
	}
	var worse []string
	for _, r := range results {
		if was[r.What] && r.Verdict == missed {
			worse = append(worse, fmt.Sprintf("%s: %s, and the aim is %s", r.What, r.Figure, r.Limit))
		}
	}
	if len(worse) > 0 {
		return fmt.Errorf("what %s calls met is missed:\n  %s", page, strings.Join(worse, "\n  "))
	}
	return nil
}
