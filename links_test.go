package onestep_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// docPages are the pages for users, in docs, and for makers, in docs/internals.
func docPages(t *testing.T) []string {
	t.Helper()
	users, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	makers, err := filepath.Glob("docs/internals/*.md")
	if err != nil {
		t.Fatal(err)
	}
	return append(users, makers...)
}

var (
	pageLink  = regexp.MustCompile(`\]\(([^)\s#]*)(?:#([^)\s]*))?\)`)
	pageTitle = regexp.MustCompile(`(?m)^#+ (.+)$`)
	noAnchor  = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
)

// A link of a page leads to a file of this module, and to a heading that it has.
func TestLinksOfPagesLead(t *testing.T) {
	t.Parallel()
	followed := 0
	for _, file := range append(docPages(t), "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "findings/README.md") {
		for _, link := range pageLink.FindAllStringSubmatch(codeSpan.ReplaceAllString(page(t, file), ""), -1) {
			if strings.Contains(link[1], ":") {
				continue
			}
			followed++
			target := file
			if link[1] != "" {
				target = filepath.Join(filepath.Dir(file), link[1])
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s has a link to %s, which does not exist", file, link[1])
			} else if link[2] != "" && !anchors(page(t, target))[link[2]] {
				t.Errorf("%s has a link to #%s of %s, which has no such heading", file, link[2], target)
			}
		}
	}
	if followed < 200 {
		t.Errorf("%d links were followed", followed)
	}
}

// anchors are the names by which a page's headings are linked.
func anchors(text string) map[string]bool {
	all := map[string]bool{}
	for _, title := range pageTitle.FindAllStringSubmatch(text, -1) {
		all[strings.ReplaceAll(noAnchor.ReplaceAllString(strings.ToLower(title[1]), ""), " ", "-")] = true
	}
	return all
}
