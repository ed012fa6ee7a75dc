package webtest

import (
	"fmt"
	"testing"
)

// TestCardOnAPhone uses a ruling card as a referee in the hall does: one tap opens it, and each step is a tap.
func TestCardOnAPhone(t *testing.T) {
	b := startChromium(t)
	s := newScreens(t)
	p := b.tab(t, 360, 740)
	p.still()
	s.become(p, "referee", "en")
	p.open(fmt.Sprintf("%s/referee/%d/games/%d/turns/0", s.http.URL, s.id, s.games[0]))
	p.wait(`document.querySelector(".fault") && document.querySelectorAll(".moments li").length > 2`)
	for _, misfit := range eval[[]string](p, misfits) {
		t.Error(misfit)
	}
	if small := eval[[]string](p,
		`[...document.querySelectorAll("main a, main button")].filter((e) => e.checkVisibility() &&
			!e.matches(".cited") && e.getBoundingClientRect().height < 44).map((e) => e.textContent.trim())`); len(small) > 0 {
		t.Errorf("these are lower than 44 px: %q", small)
	}
	p.picture("card")
	p.size(360, 1900)
	p.picture("card-whole")
	p.size(360, 740)
	p.tap(`.card-steps a[rel="prev"]`)
	p.wait(`document.readyState === "complete" && location.search === "?at=1" && !document.querySelector(".fault")`)
	p.tap(`.card-steps a[rel="prev"]`)
	p.wait(`location.search === "?at=0"`)
	p.picture("card-start")
}

func TestRegulationsSearchAsTyped(t *testing.T) {
	b := startChromium(t)
	e := newEvent(t, 4, nil)
	p := b.tab(t, 360, 740)
	p.open(fmt.Sprintf("%s/events/%d/regulations", e.http.URL, e.id))
	shown := `[...document.querySelectorAll(".article")].filter((a) => a.checkVisibility()).length`
	all := eval[int](p, shown)
	p.offline(true) // the search does not use the server
	typed := func(text string) {
		eval[bool](p,
			fmt.Sprintf(`(() => { const q = document.getElementById("q"); q.value = %q; q.dispatchEvent(new Event("input", { bubbles: true })); return true; })()`, text))
	}
	typed("JOKER")
	p.wait(shown + ` > 3 && ` + shown + ` < ` + fmt.Sprint(all/2))
	p.picture("regulations")
	typed("xyzzy")
	p.wait(shown + ` === 0 && document.querySelector("[data-hint]").textContent.length > 10`)
	p.offline(false)
}
