package webtest

import "testing"

// Before an event, staff open the check page on each tablet. Every line of that page shows a result in words.
func TestBrowserChecksATablet(t *testing.T) {
	b := startChromium(t)
	e := newEvent(t, 4, nil)
	p := b.tab(t, 1280, 800)
	p.open(e.http.URL + "/check")
	p.wait(`document.querySelectorAll("#check tbody .mark:not([hidden]) .found").length === document.querySelectorAll("#check tbody tr").length`)
	// good or slow, depending on the machine
	p.wait(`document.querySelector("#check-answer .mark:not([hidden], .bad) .found").textContent !== ""`)
	for _, row := range []string{"stream", "screen", "store"} {
		p.wait(`document.querySelector("#check-` + row + ` .mark.good:not([hidden]) .found").textContent !== ""`)
	}
	p.tap("#check-frame")
	p.wait(`document.querySelector("#check-light .mark.good:not([hidden])") &&
		document.querySelector("#check table").getAnimations().length === 1`)
	p.tap("#check-tone")
	p.wait(`document.querySelector("#check-sound .mark.good:not([hidden])")`)
	p.wait(`document.querySelector("#check-sum p[data-sum=running]").hidden &&
		document.querySelectorAll("#check-sum p:not([hidden])").length === 1`)
	p.picture("check")
	if got := p.complaints(); len(got) > 0 {
		t.Errorf("the page complained: %q", got)
	}

	small := b.tab(t, 320, 480)
	small.open(e.http.URL + "/check")
	small.wait(`document.querySelector("#check-screen .mark.bad:not([hidden])")`)
	small.wait(`document.documentElement.scrollWidth <= innerWidth`)
	small.picture("small")
}
