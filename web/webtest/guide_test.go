package webtest

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"testing"

	"golang.org/x/net/html"

	"meldhall/templates/locale"
	"meldhall/web/request"
)

// TestTheGuideAnswers checks the search of the guide without scripts, the address of each answer, and what the guide
// says about the texts of each language.
func TestTheGuideAnswers(t *testing.T) {
	t.Parallel()
	h := newHall(t)
	for question, want := range map[string]string{
		"POWER cut": "answers-power", "last lap": "answers-lap", "warns certificate": "answers-trust",
		"wi-fi router": "answers-phones", "warning counts": "answers-penalty",
		"points left on each rack": "answers-results",
		"print certificates":       "answers-certificates",
	} {
		page := h.reader().get(t, "/guide?q="+url.QueryEscape(question)).is(http.StatusOK)
		if shown := shownArticles(page); !slices.Equal(shown, []string{want}) {
			t.Errorf("%q: found %q, want only %q", question, shown, want)
		}
		if page.count("a[href=#"+want+"]") != 1 {
			t.Errorf("%q has no address", want)
		}
	}
	none := h.reader().get(t, "/guide?q=xyzzy").says(".seek", "No article contains all these words.")
	if shown := shownArticles(none); len(shown) != 0 {
		t.Errorf("a word that is nowhere finds %q", shown)
	}
	for _, l := range locale.Carried.Languages {
		page := h.reader().send(t, http.MethodGet, "/guide", nil, "", "Accept-Language", l.Tag).is(http.StatusOK)
		if l.Read == 0 {
			page.says("#about", locale.T(locale.WithLanguage(t.Context(), l.Tag), "about.unread"))
		}
		if got := page.count(".seek") == 1; got != l.Whole {
			t.Errorf("%s: the answers are shown: %t, want %t", l.Tag, got, l.Whole)
		}
	}
}

// shownArticles returns the ids of the articles of a page that are shown.
func shownArticles(page *leaf) (ids []string) {
	hidden := func(a html.Attribute) bool { return a.Key == "hidden" }
	for _, n := range page.inside("details.chapter", "div.article") {
		if !slices.ContainsFunc(n.Attr, hidden) {
			ids = append(ids, attr(n, "id"))
		}
	}
	return ids
}

// TestBrowserTheGuideIsSearched checks the search while typing, and that the address of an answer opens its section.
func TestBrowserTheGuideIsSearched(t *testing.T) {
	b := startChromium(t)
	h := newHall(t)
	const shown = `[...document.querySelectorAll(".article")].filter((a) => a.checkVisibility())`
	for _, language := range []string{"en", "he"} {
		for _, size := range [][2]int64{{390, 844}, {1280, 800}} {
			p := b.tab(t, size[0], size[1])
			p.still()
			p.cookie(h.http.URL, request.LanguageCookie, language)
			p.open("about:blank") // otherwise the browser would only scroll within the open page
			p.open(h.http.URL + "/guide#answers-power")
			p.wait(`document.getElementById("answers-power").checkVisibility()`)
			p.picture(fmt.Sprint("answer-", language, size[0]))
			p.tap(p.reach("[data-seek]"))
			p.write("wi-fi")
			p.wait(shown + `.length === 1 && document.getElementById("answers-phones").checkVisibility()`)
			p.picture(fmt.Sprint("found-", language, size[0]))
		}
	}
}
