package webtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/engine/testmode"
	"meldhall/engine/tile"
	"meldhall/tournament/screen"
	"meldhall/web/api"
	"meldhall/web/request"
)

// TestHallIsUnderControl walks through the pages that control the hall. An announcement reaches a tablet and a screen
// at once, a tablet is swapped without losing its draft, and each page is checked on a laptop, a tablet and a phone.
func TestHallIsUnderControl(t *testing.T) {
	testmode.SkipUnlessLong(t)
	d := newDesk(t, nil)
	mover := d.public().view(d.game).Turn.Seat
	old, fresh := d.b.tab(t, 1180, 820), d.b.tab(t, 1180, 820)
	screen, desk := d.b.tab(t, 1280, 720), d.official(t, d.organizer, 1366, 768)
	for _, p := range []*tab{old, fresh, screen} {
		p.still()
	}
	old.atStart(countSounds)
	old.seat(d.http.URL, d.at(0, mover).token)
	old.open(d.http.URL + "/play/game")
	old.wait(isLive)
	screen.open(fmt.Sprintf("%s/events/%d/display/1", d.http.URL, d.id))
	screen.wait(isLive)

	t.Run("an announcement", func(t *testing.T) { announceInTheHall(t, d, old, screen, desk) })
	t.Run("a rehearsal is marked, whatever is said", func(t *testing.T) { markARehearsal(t, d, old, screen) })
	t.Run("a tablet is swapped", func(t *testing.T) { swapATablet(t, d, mover, old, fresh, desk) })
	pages := map[string]string{"ready": d.floor() + "/ready", "pace": d.floor() + "/pace", "devices": d.floor() +
		"/devices", "announcements": d.floor() + "/announcements",
		"plan":      fmt.Sprintf("%s/desk/%d/plan", d.http.URL, d.id),
		"rehearsal": fmt.Sprintf("%s/desk/%d/rehearsal", d.http.URL, d.id),
		"schedule":  fmt.Sprintf("%s/events/%d/schedule", d.http.URL, d.id),
		"desk":      fmt.Sprintf("%s/desk/%d", d.http.URL, d.id), "floor": d.floor()}
	plan := api.ScheduleBody{}
	now := engine.MillisOf(d.store.Now())
	for i := range 3 {
		from := now + engine.Millis(i*75-70)*60_000
		plan.Slots = append(plan.Slots, api.SlotBody{Round: i + 1, Starts: from, Ends: from + 3_600_000})
	}
	d.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/schedule", d.id), plan, nil)
	for name, address := range pages {
		t.Run(name, func(t *testing.T) {
			within(t, &desk.t)
			for _, size := range [][2]int64{{390, 844}, {1366, 768}, {1180, 820}} {
				desk.size(size[0], size[1])
				desk.open(address)
				desk.wait(`document.querySelector("h1")`)
				for _, misfit := range eval[[]string](desk, misfits) {
					t.Errorf("%d x %d: %s", size[0], size[1], misfit)
				}
				desk.picture(fmt.Sprint(size[0]))
			}
		})
	}
	within(t, &desk.t)
}

func announceInTheHall(t *testing.T, d *desk, old, scr, desk *tab) {
	desk.open(d.floor() + "/announcements")
	old.tap("#clock") // browsers allow sound only after a touch
	eval[bool](old, `heard.tones = heard.buzzes = 0, true`)
	eval[bool](desk,
		`document.getElementById("text-en").value = "Lunch is served until two.", document.querySelector("input[value=urgent]").click(), true`)
	began := time.Now()
	desk.tap(desk.reach(".form .primary"))
	for _, p := range []*tab{old, scr} {
		p.wait(`document.querySelector("#news .news-urgent")?.textContent.includes("Lunch is served")`)
	}
	held(t, "on the tablet and the screen", time.Since(began), 2*time.Second)
	old.wait(`heard.tones >= 3 && heard.buzzes >= 1 && document.querySelector("#news .news-urgent").getAttribute("role") === "alert"`)
	old.picture("tablet")
	scr.picture("screen")
	if room := eval[float64](old,
		`document.querySelector("#news .news-close").getBoundingClientRect().height`); room < 44 {
		t.Errorf("its key is %v px high", room)
	}
	old.tap("#news .news-close")
	old.reload()
	old.wait(isLive + ` && !document.querySelector("[data-news]")`)
	for i, level := range []string{"urgent", "note", "note"} {
		d.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/announcements", d.id),
			screen.Announce{Level: level, Texts: map[string]string{"en": fmt.Sprint("News ", i)}, Minutes: 10}, nil)
	}
	old.wait(`document.querySelectorAll("[data-news]").length === 3`)
	seen := `[...document.querySelectorAll("[data-news]")].filter((n) => n.offsetHeight > 1)`
	if text := eval[string](old, seen+`.map((n) => n.querySelector("p").textContent).join()`); text != "News 0" {
		t.Errorf("of three the tablet shows %q", text)
	}
	if room := eval[float64](old, `document.getElementById("news").offsetHeight`); room > 80 {
		t.Errorf("three take %v px of the table", room)
	}
	old.tap("#news .news-urgent .news-close")
	old.wait(seen + `.map((n) => n.querySelector("p").textContent).join() === "News 2"`)
}

func markARehearsal(t *testing.T, d *desk, old, scr *tab) {
	if err := d.store.Write.Exec("UPDATE tournaments SET ends_by = 1 WHERE id = ?", d.id).Error; err != nil {
		t.Fatal(err)
	}
	defer d.store.Write.Exec("UPDATE tournaments SET ends_by = 0 WHERE id = ?", d.id)
	d.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/announcements", d.id),
		screen.Announce{Level: "urgent", Texts: map[string]string{"en": "News 3"}, Minutes: 10}, nil)
	texts := `[...document.querySelectorAll("[data-news]")].filter((n) => n.offsetHeight > 1).map((n) => n.querySelector("p").textContent).join()`
	for name, p := range map[string]*tab{"marked-tablet": old, "marked-screen": scr} {
		p.wait(`document.querySelectorAll(".news-mark").length === 1 && document.querySelector("#news .news-urgent")`)
		p.picture(name)
		if text := eval[string](p, texts); !strings.Contains(text, "News 3") ||
			!strings.Contains(text, "nothing counts") {
			t.Errorf("%s shows %q", name, text)
		}
	}
	if room := eval[float64](old, `document.getElementById("news").offsetHeight`); room > 110 {
		t.Errorf("it takes %v px of the table", room)
	}
	old.tap("#news .news-urgent .news-close")
	old.wait(`(` + texts + `).includes("News 2") && (` + texts + `).includes("nothing counts")`)
	old.picture("marked-note")
	if more := eval[string](old,
		`getComputedStyle(document.querySelector(".news-more"), "::after").content`); !strings.Contains(more, "1 / ") {
		t.Errorf("two notes are counted as %s", more)
	}
}

func swapATablet(t *testing.T, d *desk, mover int, old, fresh, desk *tab) {
	table := []tile.LaidFaces{{At: 0, Faces: faces(t, "O10 O11 O12")}}
	d.at(0, mover).must(http.MethodPost, fmt.Sprintf("/games/%d/draft", d.game),
		request.DraftRequest{Turn: d.public().view(d.game).Turn.Number, Table: table}, nil)
	desk.open(d.floor() + "/devices")
	desk.wait(isLive)
	row := fmt.Sprintf("#d%d-%d", d.round.Tables[0].ID, mover)
	desk.wait(fmt.Sprintf(`document.querySelector("%s .mark.good")`, row))
	began := time.Now()
	desk.tap(desk.reach(row + " button"))
	desk.wait(isLive + ` && document.querySelector(".swap svg") && document.querySelector(".swap code")`)
	code := eval[string](desk, `document.querySelector(".swap code").textContent`)
	desk.picture("code")
	fresh.open(d.http.URL + "/join/" + code)
	fresh.tap(".take-seat")
	fresh.wait(`location.pathname === "/play/game" && document.querySelectorAll("#table .tile").length === 3`)
	took := time.Since(began)
	old.wait(`location.pathname !== "/play/game"`)
	desk.wait(`document.querySelector(".swap .mark.good")`)
	held(t, "from the tap to the tiles on the new tablet", took, 10*time.Second)
}
