package webtest

import (
	"strings"
	"testing"
)

// rule opens a ruling's preview from a table's sheet: the link whose address contains all parts.
func (p *leaf) rule(t *testing.T, action string, parts ...string) *leaf {
	t.Helper()
	for _, link := range find(p.doc, "a.act") {
		href := attr(link, "href")
		if !strings.Contains(href, "/rule/"+action+"?") {
			continue
		}
		fits := true
		for _, part := range parts {
			fits = fits && strings.Contains(href+"&", part+"&")
		}
		if fits {
			return p.reader.get(t, href)
		}
	}
	t.Fatalf("%s offers no ruling %s %v: %s", p.path, action, parts, p.text("main"))
	return nil
}
