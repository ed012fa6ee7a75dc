package webtest

import (
	"fmt"
	"testing"

	"meldhall/templates"
)

// aside lists the boxes of a page that are cut off at the side.
const aside = `[...document.querySelectorAll(".scroll")].filter((box) => box.scrollWidth > box.clientWidth + 1).map((box) => box.getAttribute("aria-label") || box.className)`

// unnamed lists the fields without a visible label.
const unnamed = `[...document.querySelectorAll("main :is(input, select):not([type=hidden])")].filter((field) => field.checkVisibility()).filter((field) =>
	!field.labels.length && !["", "none"].every((no) => getComputedStyle(field.closest("td") || field, "::before").content.replaceAll('"', "") !== no)).map((field) => field.name)`

// TestBrowserPagesOfAPhone checks that on a phone lists can be read without sideways scrolling, fields have labels, the
// roster starts with its list rather than forms, and problems with copies are described in words.
func TestBrowserPagesOfAPhone(t *testing.T) {
	b := startChromium(t)
	s := newScreens(t)
	p := b.tab(t, 390, 844)
	p.still()
	s.become(p, "organizer", "en")
	for _, v := range append(s.all(), pageState{name: "security", path: string(templates.SecurityPath)}) {
		switch v.name {
		case "log", "security", "plan", "statistics", "roster", "paper", "publishing":
		default:
			continue
		}
		t.Run(v.name, func(t *testing.T) {
			within(t, &p.t)
			for _, width := range []int64{390, 320} {
				p.size(width, 844)
				p.open(s.http.URL + v.path)
				if got := eval[[]string](p, aside); len(got) > 0 {
					t.Errorf("%d px: cut at the side: %q", width, got)
				}
				if got := eval[[]string](p, unnamed); len(got) > 0 {
					t.Errorf("%d px: fields without a word: %q", width, got)
				}
				if got := eval[float64](p, `document.documentElement.scrollWidth - innerWidth`); got > 0 {
					t.Errorf("%d px: the page is %.0f px too wide", width, got)
				}
			}
			p.whole("")
		})
	}
	t.Run("past-round", func(t *testing.T) {
		within(t, &p.t)
		for _, language := range []string{"en", "de", "it"} {
			p.cookie(s.http.URL, "lang", language)
			p.size(390, 844)
			p.open(fmt.Sprintf("%s/events/%d/rounds/%d", s.http.URL, s.id, s.round.ID))
			if got := eval[[]string](p,
				aside+`.concat([...document.querySelectorAll(".past-tables .name")].filter((n) => n.getClientRects().length > 1).map((n) => n.textContent))`); len(got) > 0 {
				t.Errorf("%s: cut at the side, or in several lines: %q", language, got)
			}
		}
		p.cookie(s.http.URL, "lang", "en")
	})
	p.open(s.http.URL + "/desk/1/roster")
	if !eval[bool](p,
		`document.getElementById("players").getBoundingClientRect().top < document.getElementById("add").getBoundingClientRect().top && !document.getElementById("add").open && innerHeight > document.querySelector("#players tbody tr").getBoundingClientRect().bottom`) {
		t.Error("the roster is not a list first")
	}
	p.tap(".to-add")
	p.wait(`document.getElementById("add").open && document.activeElement.id === "name"`)
	if !eval[bool](p, `document.querySelector("#copies-now > span:not(.vh)").checkVisibility()`) {
		t.Error("what is wrong with the copies is a sign alone")
	}
	for _, path := range []string{"/desk/1/paper", "/desk/1/publishing"} {
		p.open(s.http.URL + path)
		if !eval[bool](p, `document.querySelector(".tabs [aria-current='page']")?.pathname === location.pathname`) {
			t.Errorf("%s is not among the pages of the hall", path)
		}
	}
}
