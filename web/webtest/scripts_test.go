package webtest

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"meldhall/engine/testmode"
	"meldhall/tournament/screen"
)

// scriptNames are names that would become an element or an attribute x-told, a script address or the end of a script if
// they were not treated as text.
var scriptNames = []string{
	`<x-told>`, `"><x-told>`, `'><x-told>`, `" x-told="1`, `' x-told='1`, "`><x-told>", `</script><x-told>`, `</title><x-told>`, `</textarea><x-told>`, `--><x-told>`, `]]><x-told>`,
	`<svg/onload=x()>`, `<img src=x onerror=x()>`, `javascript:x()`, `&lt;x-told&gt;`, `&#60;x-told&#62;`, `\u003cx-told\u003e`, `<a href="javascript:x()">`, `{{<x-told>}}`, `${<x-told>}`,
	"a<x-told\u202e>", "b\u2066<x-told>\u2069", "c<x-\x00told>", `<iframe srcdoc="<x-told>">`,
}

// TestNoScriptOfANameRuns gives an event, its players, an announcement and a club such names, asks every address that
// there is as the public and a referee, and finds in the pages no element and no attribute of theirs.
func TestNoScriptOfANameRuns(t *testing.T) {
	testmode.SkipUnlessLong(t)
	t.Parallel()
	if found := markupOf(t, `<p title="" x-told="1"><x-told><svg/onload=x()><a href=" JavaScript:x()">a</a>`); len(found) != 4 {
		t.Fatalf("of four only %q were found", found)
	}
	var list strings.Builder
	rows := csv.NewWriter(&list)
	_ = rows.Write([]string{"name", "club", "country", "mark"})
	for i, name := range scriptNames {
		_ = rows.Write([]string{name, name, "IT", strconv.Itoa(i)}) // some are one name with another quotation mark
	}
	rows.Flush()
	e := newPublished(t, scriptNames[1], list.String(), nil)
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/announcements", e.id), screen.Announce{Level: "urgent", Texts: map[string]string{"en": strings.Join(scriptNames[:8], " ")}, Minutes: 10}, nil)
	e.start()
	pages, told := 0, 0
	for _, at := range e.everything(t, "playing") {
		for path, body := range at.pages {
			if strings.ContainsAny(body, "\u202e\x00") {
				t.Errorf("%s to the %s has marks that turn text round", path, at.who)
			}
			if !strings.HasPrefix(body, "<") {
				continue
			}
			pages++
			if strings.Contains(body, "x-told") {
				told++
			}
			for _, found := range markupOf(t, body) {
				t.Errorf("%s to the %s: %s", path, at.who, found)
			}
		}
	}
	t.Logf("%d pages, %d of them with such a name", pages, told)
	if told < 20 {
		t.Error("the names are hardly anywhere")
	}
}

// markupOf finds on a page what only a name can have made.
func markupOf(t *testing.T, body string) (found []string) {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if strings.HasPrefix(n.Data, "x-told") || n.Data == "iframe" {
			found = append(found, "an element "+n.Data)
		}
		for _, a := range n.Attr {
			value := strings.ToLower(strings.TrimSpace(a.Val))
			if strings.HasPrefix(a.Key, "x-told") || strings.HasPrefix(a.Key, "on") || (a.Key == "href" || a.Key == "src" || strings.HasSuffix(a.Key, "action")) && strings.HasPrefix(value, "javascript:") {
				found = append(found, fmt.Sprintf("an attribute %s=%q of %s", a.Key, a.Val, n.Data))
			}
		}
	}
	return found
}
