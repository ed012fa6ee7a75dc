package webtest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"meldhall/tournament/practice"
)

// trainee is a referee who does the training in a browser.
type trainee struct {
	*tab
	s   *pageStates
	axe string
}

// look takes a picture of a page and runs the checks for all pages.
func (p *trainee) look(name string) {
	p.t.Helper()
	eval[bool](p.tab, `scrollTo({ top: 0, behavior: "instant" }), true`)
	for _, violation := range barriers(p.tab, p.axe) {
		p.t.Errorf("%s: %s", name, violation)
	}
	if wide := eval[int](p.tab, `document.documentElement.scrollWidth - innerWidth`); wide > 0 {
		p.t.Errorf("%s: %d px wider than the screen", name, wide)
	}
	if mark := eval[string](p.tab, `document.getElementById("news").innerText`); !strings.Contains(mark,
		"Training: nothing here counts.") {
		p.t.Errorf("%s is not marked: %q", name, mark)
	}
	p.picture(name)
}

// act taps the key of a ruling, including the rarely used ones, and makes it with a reason.
func (p *trainee) act(key, reason string) {
	p.t.Helper()
	key = "a.act-" + key
	p.wait(fmt.Sprintf(`document.querySelector(%q)`, key))
	if more := eval[string](p.tab,
		fmt.Sprintf(`(() => { const k = document.querySelector(%q); return k.checkVisibility() ? "" : k.closest("[popover]").id; })()`, key)); more != "" {
		p.tap(p.reach(fmt.Sprintf(`[popovertarget="%s"]:not([popovertargetaction])`, more)))
	}
	p.tap(p.reach(key))
	p.wait(`document.querySelector("#rule[open] #rule-go")`)
	if reason != "" {
		p.tap(p.reach(fmt.Sprintf(`#rule [value="%s"] + span`, reason)))
	}
	p.tap(p.reach("#rule-go"))
	p.wait(`!document.querySelector("#rule[open]")`)
}

// recounts corrects the wrong count: the red 3 is a red 13.
func (p *trainee) recounts(table string) {
	p.t.Helper()
	p.tap(p.reach(`a[href$="/count"]`))
	p.wait(`document.querySelector('main a[href*="/results/"]')`)
	p.look("count")
	p.open(eval[string](p.tab,
		`document.querySelector('main a[href*="/results/"]').href.replace(/\/(correct|racks).*$/, "") + "/racks"`))
	p.wait(`document.querySelectorAll(".tap-row").length === 4`)
	p.tap(p.reach(`.tap-pick[data-row="1"]`))
	p.tap(p.reach(`.tap-tile[data-row="1"][data-tile="0"]`))
	p.tapFace("R13")
	p.wait(`document.getElementById("rack-1").value.includes("R13")`)
	p.tap(p.reach("#why"))
	p.write("a 13 was read as a 3")
	p.tap(p.reach(".recount-form .primary"))
	p.wait(`location.pathname.endsWith("/correct")`)
	p.tap(p.reach(`form[method=post] .primary`))
	p.wait(`!location.pathname.endsWith("/correct")`)
	p.open(table)
}

// TestARefereeTrains solves all sample disputes as a referee does, starting at the floor page. Each table's sheet
// describes its dispute, the article can be opened, the right ruling is recognized, and a table is restarted.
func TestARefereeTrains(t *testing.T) {
	b := startChromium(t)
	s := &pageStates{event: newEvent(t, 8, nil)}
	s.http.Config.WriteTimeout = time.Minute
	s.start()
	p := &trainee{b.tab(t, 390, 844), s, axeScript(t)}
	p.still()
	s.become(p.tab, "referee", "en")
	p.open(fmt.Sprintf("%s/referee/%d", s.http.URL, s.id))
	p.wait(`!document.getElementById("sound-bar").hidden`)
	p.tap("#sound-off")
	p.tap(p.reach(`form[action="/actions/training.open"] button`))
	list := fmt.Sprintf("%s/referee/%d/training", s.http.URL, s.id)
	p.wait(fmt.Sprintf(`location.href === %q && document.querySelectorAll(".disputes .mark.mute").length === 6`, list))
	p.picture("list")
	reasons := map[string]string{"timeout": "", "mixed": "not_restored", "joker": "joker", "absent": "absent",
		"tablet": "device"}
	keys := map[string]string{"timeout": "resume", "mixed": "illegal", "joker": "illegal",
		"absent": `forfeit[href*="seat=1"]`, "tablet": `time[href*="seconds=30"]`}
	for i, d := range practice.Disputes {
		p.open(list)
		table := eval[string](p.tab, fmt.Sprintf(`document.querySelector("#dispute-%d a").href`, i+1))
		p.open(table)
		p.wait(`document.querySelector(".dispute")`)
		p.look(d.Name)
		p.tap(p.reach(".dispute summary"))
		p.wait(fmt.Sprintf(`document.querySelector(".dispute details[open] blockquote .cited")?.innerText.startsWith("%s ")`, d.Articles[0]))
		p.picture(d.Name + "-says")
		if d.Count {
			p.recounts(table)
		} else {
			p.act(keys[d.Name], reasons[d.Name])
		}
		p.wait(`document.querySelector(".dispute .flash.good")?.innerText.includes("Ruled as the article says")`)
		p.look(d.Name + "-ruled")
	}
	p.open(list)
	p.wait(`document.querySelectorAll(".disputes .mark.good").length === 6`)
	p.tap(p.reach(`#dispute-3 form button`))
	p.wait(`document.querySelectorAll(".disputes .mark.good").length === 5 &&
		document.querySelector("#dispute-3 .mark.mute")`)
	p.shows(list)
	p.s.become(p.tab, "referee", "en")
	p.open(list)
	p.tap(p.reach(`form[action="/actions/training.close"] button`))
	p.wait(`document.body.innerText.includes("The training has ended.") && !document.querySelector(".disputes") &&
		document.querySelector('form[action="/actions/training.open"]')`)
}

// shows takes pictures of a training's pages on two screens, in both themes and in other languages.
func (p *trainee) shows(list string) {
	p.t.Helper()
	p.open(list)
	pages := map[string]string{"list": list, "table": eval[string](p.tab,
		`document.querySelector("#dispute-3 a").href`), "count": eval[string](p.tab,
		`document.querySelector("#dispute-4 a").href`),
		"floor": eval[string](p.tab, `document.querySelector(".actions a").href`)}
	for _, size := range [][2]int64{{1366, 900}, {390, 844}} {
		p.size(size[0], size[1])
		for _, look := range []string{"light en", "dark en", "light it", "dark he"} {
			theme, language, _ := strings.Cut(look, " ")
			p.s.become(p.tab, "referee", language)
			p.cookie(p.s.http.URL, "theme", theme)
			for name, path := range pages {
				p.open(path)
				p.wait(`document.readyState === "complete" && document.querySelector(".dispute, .disputes, .floor")`)
				if wide := eval[int](p.tab, `document.documentElement.scrollWidth - innerWidth`); wide > 0 {
					p.t.Errorf("%s in %s: %d px wider than the screen", name, look, wide)
				}
				p.picture(fmt.Sprintf("%s-%d-%s", name, size[0], look))
			}
		}
	}
}
