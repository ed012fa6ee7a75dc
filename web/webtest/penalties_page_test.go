package webtest

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"meldhall/engine"
	"meldhall/engine/testmode"
	"meldhall/tournament"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/web/api"
	"meldhall/web/request"
)

// punished is a running game of four whose second player is punished, with the officials involved.
type punished struct {
	e                    *event
	game                 int64
	ref, head, organizer *reader
	seat                 api.PlayerView // the punished player
	id                   string
}

func newPunished(t *testing.T) *punished {
	t.Helper()
	e := newEvent(t, 4, nil)
	e.start()
	k := &punished{e: e, game: e.begin(0), seat: e.round.Tables[0].Seats[1].Player}
	e.account(rights.RoleHeadReferee)
	k.ref, k.head, k.organizer = e.signedIn("referee"), e.signedIn("head_referee"), e.signedIn("organizer")
	k.id = fmt.Sprint(k.seat.ID)
	return k
}

// TestPenaltiesPage follows a referee and two head referees through the forms, and the player who is informed.
func TestPenaltiesPage(t *testing.T) {
	testmode.SkipUnderRace(t)
	t.Parallel()
	k := newPunished(t)
	ref, seat, id := k.ref, k.seat, k.id
	page := ref.get(t, "/referee/1/penalties").is(http.StatusOK).says("main",
		"No point penalties and no disqualifications")
	if page.count("input[value=disqualification]") != 0 {
		t.Error("a referee is shown how to disqualify")
	}
	t.Run("a refused form keeps what was typed", func(t *testing.T) {
		again := page.submit("/penalties", "player", id, "points", "0", "reason", "hid a tile", "rule",
			"8.1").is(http.StatusUnprocessableEntity).says(".flash", "1 to 1000")
		if again.value("reason") != "hid a tile" || again.value("rule") != "8.1" ||
			!has(find(again.doc, "#give")[0], "open") {
			t.Error("what was typed is lost")
		}
	})
	t.Run("a referee takes points off", func(t *testing.T) {
		page.submit("/penalties", "player", id, "points", "50", "reason", "hid a tile", "rule",
			"8.1").is(http.StatusOK).
			says(".flash", seat.Name).says(".sanction", "50 points").says(".sanction", "in force").says(".sanction",
			"referee (Referee)").says(".sanction", "Rule \u20688.1\u2069")
	})
	t.Run("the player is told in the own language", k.testTold)
	t.Run("a stale page does not punish twice", k.testStale)
	t.Run("a disqualification waits for a second official", k.testDisqualification)
	t.Run("cancelled with a reason, both stay", k.testCancelled)
	t.Run("standings show them apart, for programs and for people", k.testStandings)
}

func (k *punished) testTold(t *testing.T) {
	for language, want := range map[string]string{"en": "A referee has taken 50 points off your tournament total. Rule \u20688.1\u2069. \u2068Hid a tile\u2069", "it": "Un arbitro ti ha tolto 50 punti"} {
		status, _, body := k.e.page(k.e.at(0, 1).token, "/play/game", language)
		if status != http.StatusOK || !strings.Contains(body, want) {
			t.Errorf("%s: %d, %q is not in the page", language, status, want)
		}
	}
	if _, _, body := k.e.page(k.e.at(0, 2).token, "/play/game", "en"); strings.Contains(body, "50 points") {
		t.Error("another player is told")
	}
	var own []api.SanctionView
	k.e.at(0, 1).must(http.MethodGet, "/seat/sanctions", nil, &own)
	if len(own) != 1 || own[0].Points.String() != "50" {
		t.Errorf("got %+v", own)
	}
}

func (k *punished) testStale(t *testing.T) {
	k.head.post(t, "/referee/1/penalties", url.Values{"player": {k.id}, "kind": {"points"}, "points": {"50"},
		"reason": {"the same"}, "seen": {"0"}}).is(http.StatusOK)
	k.ref.post(t, "/referee/1/penalties", url.Values{"player": {k.id}, "kind": {"points"}, "points": {"50"},
		"reason": {"the same"}, "seen": {"1"}}).
		is(http.StatusConflict).says(".flash", "head_referee")
}

func (k *punished) testDisqualification(t *testing.T) {
	proposed := k.head.get(t, "/referee/1/penalties?player="+k.id+"&back=/referee/1").is(http.StatusOK).
		submit("/penalties", "player", k.id, "kind", "disqualification", "reason",
			"struck an official").is(http.StatusOK)
	if proposed.path != "/referee/1" {
		t.Errorf("led to %s", proposed.path)
	}
	own := k.head.get(t, "/referee/1/penalties").says(".is-proposed", "another official must confirm")
	if own.count("form[action=/actions/sanction.seconded]") != 0 {
		t.Error("who proposed it is shown how to confirm it")
	}
	k.head.post(t, "/actions/sanction.seconded", url.Values{"id": {"3"}}).is(http.StatusForbidden)
	k.ref.post(t, "/actions/sanction.seconded", url.Values{"id": {"3"}}).is(http.StatusForbidden)
	k.organizer.get(t, "/referee/1/penalties").submit("/sanction.seconded").is(http.StatusOK).says(".flash",
		"Confirmed: Player").says(".sanction", "Confirmed by")
	if v := k.e.referee.view(k.game); !v.Seats[1].Out || v.Seats[0].Out {
		t.Errorf("the seat plays on: %+v", v.Seats)
	}
	if last := k.e.lastRuling(k.game); last.Kind != "seat_forfeited" || last.By != "organizer" ||
		last.Reason != "struck an official" {
		t.Errorf("got %+v", last)
	}
	if players, err := tournament.Players(t.Context(), k.e.store, 1); err != nil ||
		!players[k.seat.Number-1].Withdrawn {
		t.Errorf("got %v, %v", players, err)
	}
}

func (k *punished) testCancelled(t *testing.T) {
	k.head.post(t, "/actions/sanction.cancelled", url.Values{"id": {"3"},
		"why": {""}}).is(http.StatusUnprocessableEntity)
	after := k.head.get(t, "/referee/1/penalties").submit("/sanction.cancelled", "id", "3", "why",
		"it was another player").is(http.StatusOK).
		says(".is-cancelled", "struck an official").says(".is-cancelled", "it was another player")
	if n := after.count(".is-cancelled"); n != 1 {
		t.Errorf("%d are cancelled", n)
	}
	if v := k.e.referee.view(k.game); v.Seats[1].Out {
		t.Error("the seat stays out")
	}
}

func (k *punished) testStandings(t *testing.T) {
	k.e.playOut(t, k.game)
	var standings api.StandingsView
	k.e.public().must(http.MethodGet, "/tournaments/1/standings", nil, &standings)
	for _, row := range standings.Rows {
		want := row.Points
		if row.Player.ID == k.seat.ID {
			if row.Penalties.String() != "100" {
				t.Errorf("got %+v", row)
			}
			want -= row.Penalties
		}
		if row.Total != want {
			t.Errorf("got %+v", row)
		}
	}
	k.e.public().hall.reader().get(t, "/events/1").is(http.StatusOK).says("thead", "Points Penalties Total")
}

// lastRuling returns the newest ruling in a game.
func (e *event) lastRuling(game int64) engine.Ruling {
	e.t.Helper()
	all := e.referee.view(game).Rulings
	if len(all) == 0 {
		e.t.Fatal("nothing was ruled")
	}
	return all[len(all)-1]
}

// TestDisqualifiedInLaterGames checks that a disqualified player plays in none of the round's remaining games.
func TestDisqualifiedInLaterGames(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 3, nil)
	e.start()
	first := e.begin(0)
	head := e.staff(rights.RoleHeadReferee)
	e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/call-time", first),
		api.RulingBody{Key: e.key(), Reason: "late"}, nil)
	for range 3 {
		turn := e.public().view(first).Turn
		e.at(0, turn.Seat).must(http.MethodPost, fmt.Sprintf("/games/%d/draw", first),
			request.TurnRequest{Turn: turn.Number, Key: e.key()}, nil)
	}
	var proposed api.SanctionView
	head.must(http.MethodPost, "/tournaments/1/sanctions", api.SanctionBody{Kind: "disqualification",
		PenaltyGrounds: result.PenaltyGrounds{Player: e.round.Tables[0].Seats[2].Player.ID, Reason: "left"}},
		&proposed)
	e.organizer.must(http.MethodPost, fmt.Sprintf("/sanctions/%d/second", proposed.ID), nil, nil)
	e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/confirm", first), result.ConfirmResult{Rev: 1}, nil)
	second := e.round.Tables[0].Games[1].ID
	if v := e.public().view(second); v.Phase == engine.PhaseNew || !v.Seats[2].Out || v.Seats[0].Out {
		t.Errorf("the next game is %s with %+v", v.Phase, v.Seats)
	}
}

// page requests a page as the holder of a seat, in a language.
func (h *hall) page(token, path, language string) (int, http.Header, string) {
	h.t.Helper()
	req, err := http.NewRequest(http.MethodGet, h.http.URL+path, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	req.AddCookie(&http.Cookie{Name: "meldhall-seat", Value: token})
	req.AddCookie(&http.Cookie{Name: request.LanguageCookie, Value: language})
	return h.do(req)
}

func (h *hall) do(req *http.Request) (int, http.Header, string) {
	h.t.Helper()
	res, err := h.http.Client().Do(req)
	if err != nil {
		h.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	return res.StatusCode, res.Header, string(body)
}
