package webtest

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"meldhall/tournament"
	"meldhall/web/api"
	"meldhall/web/request"
	"meldhall/web/view"
)

// Players with a part of their own in the walk, by their names in the roster.
const (
	walkAbsent  = "Kwabena Owusu-Ansah"
	walkScanned = "Ó"
	walkLeaves  = "Maximiliana Featherstonehaugh-Brandt"
	walkStandIn = "Chiara Bellandi"
)

var walkLate = []string{"Late Ludovica Ferraris", "Late Lucien Marchand"}

func (w *eventWalk) makeEvent() {
	w.says("main", "No events yet")
	w.look("01-events-none")
	w.press(".title .primary")
	w.look("02-new-event")
	w.fill("name", "Open Città di Torino 2026")
	w.fill("place", "Palazzetto dello Sport, Via Roma 3")
	w.choose("format", "quick")
	w.choose("rules", "club")
	w.choose("tiles", "real")
	w.press(".form .primary")
	if _, err := fmt.Sscanf(eval[string](w.p, "location.pathname"), "/desk/%d/roster", &w.id); err != nil {
		w.t.Fatal(err)
	}
	w.look("03-roster-none")
}

func (w *eventWalk) enterRoster() {
	text, err := os.ReadFile("testdata/walk.csv")
	if err != nil {
		w.t.Fatal(err)
	}
	paste := func(text string) {
		eval[bool](w.p, `(document.getElementById("text").value = "", true)`)
		w.fill("text", text)
		w.press(`form[action$="/roster/preview"] .btn`)
	}
	wrong := strings.Replace(string(text), "Greece,,1604", "Greece,,about 1600", 1) + ",Italy,,,\n"
	paste(wrong)
	w.says(".flash", "2 lines have problems")
	w.look("04-roster-problems")
	w.open(w.desk() + "/roster")
	paste(string(text))
	w.look("05-roster-preview")
	w.named("main", "Import 61 players")
	w.says(".flash", "61 players")
	w.look("06-desk")
}

// prepare checks what an organizer sets before the day, and makes the schedule.
func (w *eventWalk) prepare() {
	w.open(w.desk() + "/people")
	w.look("07-people-before")
	w.p.tap(w.p.reach("label:has(> input[name=check_in_open])"))
	w.press(`form[action$="/people"] .btn`)
	w.says(".flash", "saved")
	w.open(w.desk() + "/roster")
	w.look("08-roster")
	w.open(w.desk() + "/format")
	w.look("09-format")
	w.open("/desk/formats")
	w.look("10-formats")
	w.open(w.desk() + "/plan")
	eval[bool](w.p, `(document.getElementById("starts").value = "`+w.store.Now().Format(view.DayFormat)+`", true)`)
	w.fill("minutes-1", "60")
	w.fill("pause-1", "15")
	w.named(".plan-make", "")
	w.look("11-plan")
	w.open(w.desk() + "/rehearsal")
	w.look("12-rehearsal")
	w.open(w.desk() + "/qualification")
	w.look("13-qualification")
}

// checkIn checks one player in with a tap, one with the player's own ticket, and the others over HTTP.
func (w *eventWalk) checkIn() {
	w.open(w.desk())
	w.named(".next", "Check-in: 0 of 61")
	w.look("14-check-in-none")
	w.fill("find", "nemeth")
	w.p.wait(`document.querySelectorAll("#arrivals tr:not([hidden])").length === 1`)
	w.press("#arrivals tr:not([hidden]) .row-btn")
	w.says("main", "1 of 61 here")
	var people []api.PersonView
	w.organizer.must(http.MethodGet, fmt.Sprintf("/tournaments/%d/people", w.id), nil, &people)
	for _, one := range people {
		switch {
		case one.State == tournament.StateCheckedIn, one.Name == walkAbsent:
		case one.Name == walkScanned:
			w.reader().get(w.t, "/ticket/"+one.Ticket).submit("/check-in").is(http.StatusOK)
		default:
			w.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/people", w.id),
				request.PeopleBody{Kind: tournament.PeopleCheckIn, Player: one.ID}, nil)
		}
	}
	w.says("main", "60 of 61 here") // updated without a reload
	w.look("15-check-in")
	w.named(".actions", "Only those not here")
	w.look("15-check-in-only")
	w.named("main", "Check-in tickets")
	w.look("16-tickets")
	w.open(w.desk() + "/check-in")
	w.named("main", "Remove players not checked in")
	w.says(".effects", walkAbsent)
	w.look("17-remove-absent")
	w.named(".actions", "Cancel")
}

func (w *eventWalk) drawFirst() {
	w.open(w.desk())
	w.next("Seat round 1")
	w.look("18-draft")
	w.latest()
	if n := len(w.round.Tables); n != 16 {
		w.t.Fatalf("%d tables for 61", n)
	}
	a, b := w.round.Tables[0].Seats[1].Player, w.round.Tables[4].Seats[2].Player
	w.press(fmt.Sprintf(`[data-player="%d"]`, a.ID))
	w.says(".swap-how.chosen", a.Name)
	w.look("19-draft-chosen")
	w.press(fmt.Sprintf(`[data-player="%d"]`, b.ID))
	w.says(".swap-what", "swap seats")
	w.look("20-swap")
	w.p.tap(w.p.reach("[name=why]"))
	w.p.write("They came in one car and want to meet others")
	w.named(".swap-page", "Swap")
	w.says(".flash", "swapped")
	if table, seat, _ := w.find(a.Name); table != 4 || seat != 2 {
		w.t.Errorf("%s sits at table %d, seat %d", a.Name, table+1, seat+1)
	}
	w.named(".actions", "I have checked it")
	w.look("21-draft-checked")
	w.named(".actions", "Publish")
	w.says(".flash", "published")
	w.look("22-published")
}

func (w *eventWalk) startFirst() {
	w.named(".actions", "Seat cards")
	w.look("23-cards")
	w.open(fmt.Sprintf("/referee/%d/ready", w.id))
	w.look("24-ready-not")
	w.join(walkAbsent)
	w.named("#ready-backup", "Make a copy now")
	w.look("25-ready")
	w.open(w.desk())
	w.look("26-desk-published")
	w.says(".next", "1 player is not at a table yet")
	w.next("Start round 1")
	w.look("26-gate")
	w.named(".actions", "Start the 15 ready tables, hold 1")
	w.says(".flash", "The round has started")
	w.look("27-running")
	w.open(w.desk())
	w.look("27-desk-started")
}

// noShow waits for the deadline and previews the consequences before applying them; the table plays with three.
func (w *eventWalk) noShow() {
	w.open(w.desk())
	w.named(".next", "1 player is not at a table")
	w.says("main", "Until then no player is a no-show")
	w.look("28-people-missing")
	w.ahead.Add(int64(11 * time.Minute))
	w.open(w.desk() + "/people")
	w.says("main", "The deadline was")
	w.look("29-people-late")
	w.named("main", walkAbsent)
	w.says(".effects", "no-show")
	w.look("30-no-show")
	w.fill("why", "Called three times")
	w.named(".actions", "No-show")
	w.says("main", "no-show")
	w.look("31-person-no-show")
	if _, seat, _ := w.find(walkAbsent); !w.out(seat) {
		w.t.Errorf("the seat of %s is not given up", walkAbsent)
	}
}

// out reports whether a seat of the absent player's table has forfeited.
func (w *eventWalk) out(seat int) bool {
	table, _, _ := w.find(walkAbsent)
	return w.public().view(w.round.Tables[table].Games[0].ID).Seats[seat].Out
}

func (w *eventWalk) playFirst() {
	w.latest()
	n := len(w.round.Tables)
	w.playGames(0, 0, n-4)
	w.open(fmt.Sprintf("/referee/%d/pace", w.id))
	w.look("32-pace")
	w.open(fmt.Sprintf("/referee/%d/devices", w.id))
	w.look("33-devices")
	w.open(fmt.Sprintf("/referee/%d", w.id))
	noSound(w.p)
	// other players may be offline too
	w.p.wait(fmt.Sprintf(`[...document.querySelectorAll(".floor-players .off")].some((row) => row.innerText.includes(%q))`, walkAbsent))
	w.look("34-floor")
	w.play(0, n-4)
	w.open(w.desk())
	w.look("35-desk-running")
	w.next("See the tables to be counted")
	noSound(w.p)
	w.press(".need-count .floor-line")
	w.look("36-count")
	w.press(`form[action$="/result.confirm_result"] .primary`)
	w.playGames(0, n-3, n)
	w.open(w.desk() + "/results")
	w.look("37-results")
	w.playGames(1, 0, n)
	w.open(w.desk())
	w.look("38-desk-after-1")
}

// enterLate enters two players between the rounds, by the roster.
func (w *eventWalk) enterLate() {
	for i, name := range walkLate {
		w.open(w.desk() + "/roster")
		w.fill("name", name)
		w.fill("country", []string{"Italy", "France"}[i])
		w.press("#add .btn")
		w.says(".effects", name)
		w.press("main form .primary")
		w.says(".flash", name)
	}
	w.look("39-roster-late")
}

func (w *eventWalk) drawSecond() {
	w.open(w.desk())
	w.next("Seat round 2")
	w.look("40-draft-2")
	w.latest()
	seated := 0
	for _, table := range w.round.Tables {
		seated += len(table.Seats)
	}
	if seated != 62 {
		w.t.Errorf("%d are seated, want 61 less the no-show and two late ones", seated)
	}
	w.named(".actions", "I have checked it")
	w.named(".actions", "Publish")
	w.join()
	_, _, player := w.find(walkLeaves)
	w.open(w.desk() + "/roster")
	w.named("main", walkLeaves)
	w.look("41-person")
	w.fill("sub-name", walkStandIn)
	w.named("main form", "Results stay with the entry")
	w.says(".effects", "plays for "+walkLeaves)
	w.look("42-substitute")
	w.named(".actions", "Substitute")
	w.says(".facts", walkStandIn)
	if got := eval[string](w.p, "location.pathname"); got != fmt.Sprintf("%s/players/%d", w.desk(), player) {
		w.t.Errorf("it leads to %s", got)
	}
	w.look("43-person-substituted")
	w.open(w.desk() + "/people")
	w.look("44-people-changes")
}

// correct changes a result of the previous round after the next one was drawn; the seats stay.
func (w *eventWalk) correct() {
	drawn := w.round.Tables
	w.open(w.desk() + "/results")
	w.press(".rows .line")
	w.look("45-result")
	w.p.tap(w.p.reach("#decide summary"))
	w.fill("points-0", "12")
	w.fill("why", "Two racks were added to the wrong player")
	w.press(`form[action*="/results/"] .primary`)
	w.says("h1", "What the correction changes")
	w.says(".was-is", "+12")
	w.says("#correct-standings", "→")
	w.says("main", "They stay as they are.")
	w.look("45-what-changes")
	w.named("main", "Correct the result")
	w.says(".flash", "later round")
	w.says(".revisions", "Two racks were added")
	w.look("46-result-corrected")
	w.latest()
	if fmt.Sprint(w.seats()) != fmt.Sprint(seatsOf(drawn)) {
		w.t.Error("the drawn round has changed")
	}
}

func (w *eventWalk) seats() []int64 { return seatsOf(w.round.Tables) }

func seatsOf(tables []api.TableView) (players []int64) {
	for _, t := range tables {
		for _, s := range t.Seats {
			players = append(players, s.Player.ID)
		}
	}
	return players
}

func (w *eventWalk) playSecond() {
	w.join()
	w.open(w.desk())
	w.next("Start round 2")
	w.latest()
	for number := range 2 {
		w.playGames(number, 0, len(w.round.Tables))
	}
	w.open(w.desk())
	w.look("47-desk-after-2")
}

// playFinal draws a lot if players tie at the cut, and plays the final to its champion.
func (w *eventWalk) playFinal() {
	if eval[string](w.p, `document.querySelector(".next .primary").innerText`) == "Draw lots" {
		w.press(".next .primary")
	}
	w.says(".next .through", "place 1: ")
	if n := eval[int](w.p, `document.querySelectorAll(".next .through li").length`); n != 4 {
		w.t.Errorf("%d players advance by the desk, want 4", n)
	}
	w.look("47-through")
	w.next("Seat round 3: Final")
	w.look("48-draft-final")
	w.named(".actions", "I have checked it")
	w.named(".actions", "Publish")
	w.join()
	w.named(".actions", "Start the round")
	w.latest()
	if len(w.round.Tables) != 1 || len(w.round.Tables[0].Seats) != 4 {
		w.t.Fatalf("the final has %d tables", len(w.round.Tables))
	}
	w.playGames(0, 0, 1)
	w.playGames(1, 0, 1)
	w.open(w.desk())
	w.look("49-desk-over")
	w.says(".next", "Champion: ")
	for _, link := range []string{"/champion", "/paper#paper-certificates", ".zip", "/again"} {
		w.p.wait(fmt.Sprintf(`document.querySelector('.next a[href*=%q]')`, link))
	}
	w.look("49-over")
	w.next("See the final standings")
	w.p.wait(`document.querySelector(".champion .name, .champion")`)
	w.look("50-standings")
	w.open(fmt.Sprintf("/events/%d/why", w.id))
	w.look("51-why")
	w.open("/desk")
	w.look("52-events")
}

// takeHome downloads the lists as files, and finds the no-show and the correction in the log.
func (w *eventWalk) takeHome() {
	r := w.signedIn("organizer")
	for _, path := range []string{fmt.Sprintf("/events/%d", w.id), w.desk() + "/results"} {
		w.open(path)
		for _, file := range eval[[]string](w.p,
			`[...document.querySelectorAll("a[download]")].map((a) => a.getAttribute("href"))`) {
			if page := r.get(w.t, file).is(http.StatusOK); page.header.Get("Content-Disposition") == "" {
				w.t.Errorf("%s is no file", file)
			}
		}
		if n := eval[int](w.p, `document.querySelectorAll("a[download]").length`); n < 2 {
			w.t.Errorf("%d files at %s", n, path)
		}
	}
	w.open(w.desk())
	w.named("main", "Log of actions")
	w.look("53-log")
	for _, find := range []struct{ words, want string }{{"Called three times", "No-show"},
		{"wrong player", "Result corrected"}} {
		w.fill("q", find.words)
		w.named(".log-find", "Find")
		w.says(".log", find.want)
		if u := eval[string](w.p, "location.search"); !strings.Contains(u, url.QueryEscape(find.words)) {
			w.t.Errorf("searched %s", u)
		}
		w.says(".title", "1 action")
	}
	w.says(".log", "Round 1 · table 1 · game ")
	w.look("54-log-found")
}
