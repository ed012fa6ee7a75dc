package webtest

import (
	"fmt"
	"strings"
	"testing"

	"meldhall/engine"
	"meldhall/tournament/format"
	"meldhall/web"
)

// oneGame is a format of one round with one game.
const oneGame = `{"name":"evening","version":1,"source":"a test","stages":[{"name":"final","kind":"final",
"rounds":1,"games_per_round":1,"cut":0,"seating":"random","seat_change":"every_round","carry_over":"all"}]}`

// TestEventByRole runs a whole tournament with a tab for each role. The organizer creates, seats, publishes and starts
// it. A player joins by the code on the card and wins by taps. A referee confirms the count. A spectator's open page
// follows the tournament to the champion.
func TestEventByRole(t *testing.T) {
	b := startChromiumAlways(t)
	w := newWalk(t, b, func(c *web.Config) {
		one, err := format.Parse([]byte(oneGame))
		if err != nil {
			t.Fatal(err)
		}
		c.Presets.Formats = map[string]format.Format{one.Name: one}
	})
	w.games.Deal = func() engine.Deal { return preparedDeal(t, preparedRacks...) }
	w.organizes()
	w.latest()
	winner, game := w.round.Tables[0].Seats[0].Player.Name, w.round.Tables[0].Games[0].ID

	spectator := b.tab(t, 390, 844)
	spectator.still()
	spectator.open(fmt.Sprintf("%s/events/%d", w.http.URL, w.id))
	player := b.tab(t, 1280, 800)
	player.still()
	player.open(w.http.URL + "/join")
	player.tap(player.reach("#code"))
	player.write(w.round.Tables[0].Seats[0].Code)
	player.tap(player.reach("main form .primary"))
	player.wait(`document.querySelector(".take-seat")?.innerText.includes("` + winner + `")`)
	player.tap(".take-seat")
	player.wait(`location.pathname === "/play"`)
	w.join(winner)
	w.open(w.desk())
	w.next("Start round 1")
	player.wait(`location.pathname === "/play/game" && document.querySelectorAll("#rack .tile").length === 14`)
	player.wait(isLive)
	movers[0].winGame(player, w.event, game)

	referee := b.tab(t, 360, 740)
	referee.still()
	referee.open(w.http.URL + "/sign-in")
	for field, text := range map[string]string{"name": "referee", "password": password} {
		referee.tap(referee.reach("#" + field))
		referee.write(text)
	}
	referee.tap(referee.reach("main form .primary"))
	referee.wait(`location.pathname !== "/sign-in" && document.readyState === "complete"`)
	referee.open(fmt.Sprintf("%s/referee/%d", w.http.URL, w.id))
	referee.wait(isLive)
	noSound(referee)
	referee.tap(referee.reach(".need-count .floor-line"))
	referee.wait(`document.querySelector('form[action$="/result.confirm_result"] .primary')`)
	referee.tap(referee.reach(`form[action$="/result.confirm_result"] .primary`))

	spectator.wait(`document.querySelector(".champion")?.innerText.includes("` + winner + `")`)
	for name, p := range map[string]*tab{"organizer": w.p, "player": player, "referee": referee,
		"spectator": spectator} {
		if complaints := p.complaints(); len(complaints) > 0 {
			t.Errorf("the %s's browser complains: %s", name, strings.Join(complaints, "\n"))
		}
	}
}

// organizes creates the tournament and publishes its only round.
func (w *eventWalk) organizes() {
	w.t.Helper()
	w.press(".title .primary")
	w.fill("name", "Evening Open")
	w.choose("format", "evening")
	w.press(".form .primary")
	if _, err := fmt.Sscanf(eval[string](w.p, "location.pathname"), "/desk/%d/roster", &w.id); err != nil {
		w.t.Fatal(err)
	}
	w.fill("text", "name\nAda\nBen\nCléo\nDora\n")
	w.press(`form[action$="/roster/preview"] .btn`)
	w.named("main", "Import 4 players")
	w.next("Seat round 1")
	w.named(".actions", "I have checked it")
	w.named(".actions", "Publish")
	w.says(".flash", "published")
}
