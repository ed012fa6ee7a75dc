package webtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"meldhall/engine/testmode"
	"meldhall/tournament"
	"meldhall/tournament/archive"
	"meldhall/tournament/export"
	"meldhall/tournament/privacy"
	"meldhall/tournament/result"
	"meldhall/web/api"
)

const erasedMail = "qzet@post.example"

// erasable returns a played tournament with a player about whom much is stored, under two names.
func erasable(t *testing.T) (e *event, player tournament.Player) {
	t.Helper()
	e = newEntered(t, "Cup",
		"name,country,club,email,family\nKwirina Setkowa,IT,Quirk Club,"+erasedMail+",Zet\nAnn,IT,,,\nBen,IT,,,\nCid,IT,,,\n", map[string]any{"turn_seconds": 0})
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/people", e.id),
		fields{"kind": "correct", "player": 1, "entries": []fields{{"name": shortName, "country": "IT",
			"club": "Quirk Club"}}, "why": "Kwirina Setkowa was misspelt"}, nil)
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/rounds", e.id), fields{"games": 1}, &e.round)
	e.organizer.must(http.MethodPost, fmt.Sprintf("/rounds/%d/publish", e.round.ID), nil, &e.round)
	e.joinAll()
	e.organizer.must(http.MethodPost, fmt.Sprintf("/players/%d/division", 1), fields{"division": "junior"}, nil)
	e.start()
	game := e.begin(0)
	seat := -1
	for i, s := range e.round.Tables[0].Seats {
		if s.Player.ID == 1 {
			seat = i
		}
	}
	for reason, about := range map[string]int{"Quirina Zwetkowa shouted": (seat + 1) % 4, "fell ill": seat} {
		e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/warning", game),
			fields{"key": e.key(), "seat": about, "reason": reason}, nil)
	}
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/announcements", e.id),
		fields{"level": "note", "texts": fields{"en": "quirina zwetkowa, please come"}, "minutes": 5}, nil)
	e.byDraws(game)
	e.at(0, seat).must(http.MethodPost, fmt.Sprintf("/games/%d/protest", game),
		result.MakeProtest{Text: "it was not me"}, nil)
	e.organizer.must(http.MethodPost, "/protests/1/decide", result.DecideProtest{Outcome: "rejected",
		Reason: "Zwetkowa did it"}, nil)
	e.referee.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/sanctions", e.id),
		api.SanctionBody{Kind: "points", Points: 10, PenaltyGrounds: result.PenaltyGrounds{Player: 1, Rule: "7.2",
			Reason: "rude to Ben"}}, nil)
	e.confirmed(game)
	e.organizer.must(http.MethodPost, fmt.Sprintf("/games/%d/correct", game),
		fields{"rev": 2, "why": "Quirina Zwetkowa counted wrong",
			"lines": []api.CorrectLine{{Seat: 0, Points: 0, Wins: 12}, {Seat: 1}, {Seat: 2}, {Seat: 3}}}, nil)
	return e, e.entry(t, 1)
}

func (e *event) entry(t *testing.T, id int64) tournament.Player {
	t.Helper()
	var p tournament.Player
	if err := e.store.Read.Take(&p, id).Error; err != nil {
		t.Fatal(err)
	}
	return p
}

// traces returns where words occur, ignoring case, in the database's files and a fresh copy.
func (e *event) traces(t *testing.T, words ...string) (found []string) {
	t.Helper()
	fresh := filepath.Join(t.TempDir(), "copy.db")
	if _, err := e.store.CopyTo(t.Context(), fresh); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{e.store.File(), e.store.File() + "-wal", fresh} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range words {
			if at := bytes.Index(bytes.ToLower(data), []byte(strings.ToLower(word))); at >= 0 {
				found = append(found, fmt.Sprintf("%s has %s: %q", filepath.Base(name), word,
					data[max(0, at-80):min(len(data), at+80)]))
			}
		}
	}
	return found
}

// TestAPersonIsErased checks that no byte of the database, its write-ahead log or new copies holds an erased player's
// name, email address, club or any text about the player. All sums and recomputed values still agree, and other players
// are unchanged.
func TestAPersonIsErased(t *testing.T) {
	testmode.SkipUnderRace(t)
	t.Parallel()
	e, player := erasable(t)
	words := []string{"Zwetkowa", "Kwirina", "Setkowa", erasedMail, "Quirk Club", "fell ill", "it was not me",
		"rude to Ben", *player.Ticket, *player.DeviceHash}
	if found := e.traces(t, words...); len(found) < 2*len(words) {
		t.Errorf("before, only %q", found)
	}
	before := e.standingsOf(t)
	o, at := e.signedIn("organizer"), fmt.Sprintf("/desk/%d/privacy", e.id)
	page := o.get(t, at+"?player=1").is(http.StatusOK).says("#person", "№ 1")
	page.submit("/actions/player.erase", "typed", "Ann").is(http.StatusUnprocessableEntity).says("main", shortName)
	if found := e.traces(t, words[:1]...); len(found) == 0 {
		t.Error("a wrong name erased somebody")
	}
	page.submit("/actions/player.erase", "typed", shortName).is(http.StatusOK).says("main",
		"The person has been erased")
	for _, found := range e.traces(t, words...) {
		t.Error(found)
	}
	if got := e.entry(t, 1); got.Name != "№\u00a01" || got.Country != "IT" || got.Number != 1 || got.Email != "" ||
		got.Ticket != nil || got.DeviceHash != nil {
		t.Errorf("the entry is %+v", got)
	}
	if after := e.standingsOf(t); strings.Replace(before, shortName+",IT,Quirk Club", "№\u00a01,IT,", 1) != after {
		t.Errorf("the standings were %s and are %s", before, after)
	}
	e.verified(t)
	log := e.signedIn("referee").body(t, fmt.Sprintf("/desk/%d/log", e.id))
	for _, word := range []string{"Person erased", "[erased]", "№\u00a01"} {
		if !strings.Contains(log, word) {
			t.Errorf("the log does not say %s", word)
		}
	}
	if left := o.body(t, fmt.Sprintf("/referee/%d/games/1/protocol", e.id)); !strings.Contains(left, "[erased]") {
		t.Error("the protocol does not say that reasons were erased")
	}
}

func (e *event) standingsOf(t *testing.T) string {
	t.Helper()
	_, _, body := e.organizer.send(http.MethodGet, fmt.Sprintf("/tournaments/%d/export/standings.csv", e.id), nil)
	return string(body)
}

// verified checks everything that meldhall verify --all and verify of the tournament's archive check.
func (e *event) verified(t *testing.T) {
	t.Helper()
	ctx := t.Context()
	if err := e.store.CheckWhole(ctx); err != nil {
		t.Error(err)
	}
	games, err := export.GameIDs(ctx, e.store)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range games {
		g, err := export.OfGame(ctx, e.store, id)
		if err == nil {
			_, err = export.Verify(g)
		}
		if err != nil {
			t.Errorf("game %d: %v", id, err)
		}
	}
	a, err := archive.Of(ctx, e.store, e.id)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.WriteTo(io.Discard); err != nil {
		t.Error(err)
	}
	if _, err := a.Verify(ctx); err != nil {
		t.Error(err)
	}
}

// TestWhatIsHeldOfAPerson checks that a player's file has the entry, seats, results, rulings, penalties, protests,
// moves and records, and is available only to organizers.
func TestWhatIsHeldOfAPerson(t *testing.T) {
	t.Parallel()
	e, _ := erasable(t)
	body := e.signedIn("organizer").body(t, "/api/v1/players/1/held")
	var held struct{ Parts map[string][]json.RawMessage }
	if err := json.Unmarshal([]byte(body), &held); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	for name, least := range map[string]int{"entry": 1, "seats": 1, "results": 3, "rulings": 1, "penalties": 1,
		"protests": 1, "moves": 1, "records": 5} {
		if len(held.Parts[name]) < least {
			t.Errorf("%s: %d", name, len(held.Parts[name]))
		}
	}
	for _, word := range []string{erasedMail, shortName, "fell ill", "it was not me", "rude to Ben"} {
		if !strings.Contains(body, word) {
			t.Errorf("no %s in %s", word, body)
		}
	}
	if status, _, _ := e.referee.send(http.MethodGet, "/players/1/held", nil); status != http.StatusForbidden {
		t.Errorf("a referee gets %d", status)
	}
}

// privacyTopic covers erasing players and deleting personal data at a tournament's end.
func privacyTopic() topic {
	erase := func(player int64, name, why, code string) tried {
		return tried{kind: "player.erase", code: code, ask: func(w *walker) asked {
			return asked{page: "/actions/player.erase", form: form("player", player, "typed", name, "why", why, "back",
				w.desk("/privacy")), own: fmt.Sprintf("/players/%d/erase", player),
				send: privacy.Erase{Why: why}, body: fields{"player": player, "why": why}}
		}}
	}
	out := func(code string) tried {
		return tried{kind: "privacy.take_out", code: code, ask: func(w *walker) asked {
			return asked{page: "/actions/privacy.take_out", form: form("tournament", w.id, "back", w.desk("/privacy")),
				own: w.own("/take-out"), body: fields{"tournament": w.id}}
		}}
	}
	over := tried{step: func(w *walker) {
		if _, err := w.store.WriteSQL.Exec("UPDATE tournaments SET status = 'finished' WHERE id = ?",
			w.id); err != nil {
			w.t.Fatal(err)
		}
	}}
	set := func(t *testing.T) *event {
		return newEntered(t, "Test", "name,email\nAnn Berg,"+erasedMail+"\nBen,\nCid,\n", nil)
	}
	return topic{"privacy", set, []tried{erase(1, "Ann Berg", "asked for", ""),
		erase(99, "Nobody", "", "err_player_not_found"), erase(2, "Ben", "Ben asked for it", ""),
		out("err_take_out_early"), over, out("")}}
}

// TestAPersonsFileWaitsForTheGame checks that a player's personal data leaves out a running game, whose draws are
// secret.
func TestAPersonsFileWaitsForTheGame(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 4, map[string]any{"turn_seconds": 0})
	e.start()
	game := e.begin(0)
	seat := e.public().view(game).Turn.Seat
	e.draw(seat, game)
	moves := func() int {
		var file struct{ Parts map[string][]any }
		e.organizer.must(http.MethodGet, fmt.Sprintf("/players/%d/held", e.round.Tables[0].Seats[seat].Player.ID), nil,
			&file)
		return len(file.Parts["moves"])
	}
	if n := moves(); n != 0 {
		t.Errorf("%d moves of a running game are told", n)
	}
	e.byDraws(game)
	if moves() == 0 {
		t.Error("no move of a game that is over is told")
	}
}
