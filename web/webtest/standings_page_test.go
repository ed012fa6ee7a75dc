package webtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/a-h/templ"

	"meldhall/engine/score"
	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/format"
	"meldhall/web/api"
	"meldhall/web/view"
)

// TestATitleIsShared checks that if a correction leaves two equal champions, the standings, the desk and the list of
// tournaments say so clearly. The form of a format warns of this beforehand.
func TestATitleIsShared(t *testing.T) {
	t.Parallel()
	e, game := playedOut(t)
	o, seats := e.signedIn("organizer"), e.round.Tables[0].Seats
	first, second := seats[0].Player.Name, seats[1].Player.Name
	if text := o.get(t, "/desk/1").text("main"); strings.Contains(text, "share the title") {
		t.Errorf("one champion shares: %s", text)
	}
	half := score.Whole(1) / 2
	e.organizer.must(http.MethodPost, fmt.Sprintf("/games/%d/correct", game),
		api.CorrectBody{Rev: 2, Why: "both were out", Lines: []api.CorrectLine{
			{Seat: 0, Wins: half, Points: score.Whole(3)}, {Seat: 1, Wins: half, Points: score.Whole(3)},
			{Seat: 2, Points: -score.Whole(2)}, {Seat: 3, Points: -score.Whole(4)}}}, nil)
	names := []string{first, second}
	if seats[0].Player.Number > seats[1].Player.Number {
		names = []string{second, first}
	}
	page := o.get(t, "/events/1").is(http.StatusOK)
	page.says(".champion", "Champions: the title is shared "+names[0]).says(".champion", names[1]).
		says(".champion", "No tie-break separates them.")
	page.says("#ranks", "=1 "+names[1])
	o.get(t, "/desk/1").says("main", names[0]+", "+names[1]+" share the title")
	e.reader().get(t, "/").says("main", "won by "+names[0]).says(".card-body", names[1])
	o.get(t, "/desk/formats/new?from=wrc").says("main", "share the title")
	if text := o.get(t, "/desk/formats/new?from=poland").is(http.StatusOK).text("main"); strings.Contains(text,
		"share the title") {
		t.Errorf("a format that decides: %s", text)
	}
}

// TestAListReadsAnEventOnce checks that a list of tournaments reads each one's summary only once until it changes,
// because a list may have hundreds of ended tournaments with players and results.
func TestAListReadsAnEventOnce(t *testing.T) {
	t.Parallel()
	e, game := playedOut(t)
	seats := e.round.Tables[0].Seats
	first, second := seats[0].Player, seats[1].Player
	list := func(winner string) {
		t.Helper()
		e.reader().get(t, "/").says("main", "won by "+winner)
		e.signedIn("organizer").get(t, "/desk").says("main", winner)
	}
	list(first.Name)
	if err := e.store.Write.Exec("UPDATE players SET name = 'Behind the Door' WHERE id = ?",
		first.ID).Error; err != nil {
		t.Fatal(err)
	}
	list(first.Name)
	e.organizer.must(http.MethodPost, fmt.Sprintf("/games/%d/correct", game),
		api.CorrectBody{Rev: 2, Why: "counted anew", Lines: []api.CorrectLine{
			{Seat: 0, Points: -score.Whole(1)}, {Seat: 1, Wins: score.Whole(1), Points: score.Whole(6)},
			{Seat: 2, Points: -score.Whole(2)}, {Seat: 3, Points: -score.Whole(3)}}}, nil)
	list(second.Name)
}

// TestNowSaysAPlayOff checks that viewers read of a play-off rather than of one more round.
func TestNowSaysAPlayOff(t *testing.T) {
	stages := []format.Stage{{Name: "Cup"}}
	for _, row := range []struct {
		round tournament.Round
		want  string
	}{{tournament.Round{Number: 3}, "Cup, round 3"}, {tournament.Round{Number: 4, PlayOff: 1}, "Cup, play-off"}} {
		if got := view.NowWords(t.Context(), stages, row.round); got != row.want {
			t.Errorf("got %q, want %q", got, row.want)
		}
	}
}

// TestAPlayOffOnThePages checks that no players advance while a tie for one of the first places must be played off. The
// desk and the play-off's page call it a play-off and report no draw problems, and only its own players count as
// missing before it starts.
func TestAPlayOffOnThePages(t *testing.T) {
	t.Parallel()
	e, game := playedOut(t, func(f *format.Format) {
		f.Stages[0].Rounds, f.Stages[0].Decide = 2, 4
		f.Scoring = format.Scoring{Ranking: format.WinsPoints, TieBreaks: []string{format.TiePlayOff}}
	})
	half := score.Whole(1) / 2
	e.organizer.must(http.MethodPost, fmt.Sprintf("/games/%d/correct", game),
		api.CorrectBody{Rev: 2, Why: "both were out", Lines: []api.CorrectLine{
			{Seat: 0, Wins: half, Points: score.Whole(3)}, {Seat: 1, Wins: half, Points: score.Whole(3)},
			{Seat: 2, Points: -score.Whole(2)}, {Seat: 3, Points: -score.Whole(4)}}}, nil)
	if err := e.store.Write.Exec("UPDATE players SET device_hash = 'x' WHERE id = ?",
		e.round.Tables[0].Seats[3].Player.ID).Error; err != nil {
		t.Fatal(err)
	}
	o := e.signedIn("organizer")
	o.get(t, "/desk/1/stages/0/rounds?rounds=1").submit("/tournament.rounds", "why",
		"the hall closes").is(http.StatusOK)
	if text := o.get(t, "/events/1").says("#ranks", "=1 ").text("#ranks"); strings.Contains(text, "through") {
		t.Errorf("nothing comes after, and yet: %s", text)
	}
	seats := e.round.Tables[0].Seats
	o.get(t, "/desk/1").says(".next", "Seat the play-off").says(".next",
		fmt.Sprintf("2 players tie (\u2068%s\u2069, \u2068%s\u2069)", seats[0].Player.Name, seats[1].Player.Name))
	var round api.RoundDetail
	e.organizer.must(http.MethodPost, "/tournaments/1/rounds", map[string]any{}, &round)
	page := o.get(t, fmt.Sprintf("/desk/1/rounds/%d", round.ID)).is(http.StatusOK).says(".title",
		"Games, play-off").says("main", "only their order changes")
	if text := page.text("main"); strings.Contains(text, "meet again") || strings.Contains(text, "Aims not met") {
		t.Errorf("a play-off is blamed: %s", text)
	}
	if text := o.get(t, "/desk/1").text(".rows"); strings.Contains(text, "0 of 0") {
		t.Errorf("a draft has no games to confirm: %s", text)
	}
	e.organizer.must(http.MethodPost, fmt.Sprintf("/rounds/%d/publish", round.ID), nil, nil)
	o.get(t, "/desk/1").says(".rows", "play-off · 1 table").says(".next", "The seats are published.")
}

// A player who views the standings, the tables or the schedule between games is taken to the next game from there. A
// player who views them during a game stays, and so do all others.
func TestWhoWaitsIsCalledFromThePagesOfAll(t *testing.T) {
	e := newEvent(t, 4, nil)
	player, calls := e.readerAt(0, 0), "body[data-next=/play/next]"
	for _, path := range []templ.SafeURL{templates.LeaderboardPath(e.id), templates.TablesPath(e.id),
		templates.SchedulePath(e.id)} {
		if player.get(t, string(path)).is(http.StatusOK).count(calls) != 1 {
			t.Errorf("%s: who waits is not called", path)
		}
		if e.reader().get(t, string(path)).is(http.StatusOK).count(calls) != 0 {
			t.Errorf("%s: a spectator is called", path)
		}
	}
	e.start()
	if player.get(t, string(templates.LeaderboardPath(e.id))).is(http.StatusOK).count(calls) != 0 {
		t.Error("who has a game on is sent away from the standings")
	}
}
