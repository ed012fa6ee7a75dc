package ranking_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/eventtest"
	"meldhall/tournament/format"
	"meldhall/tournament/people"
	"meldhall/tournament/ranking"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/standing"
	"meldhall/tournament/store"
)

// TestQualificationPerDivision checks two places and a reserve per division. Places pass down within the division, and
// players without one take none. The standings are always 5, 1, 2, 3, 4, 6, 7, 8.
func TestQualificationPerDivision(t *testing.T) {
	f := eventtest.OneRound()
	f.Divisions, f.Qualification = []string{"junior", "senior"},
		format.Qualification{Berths: 2, Reserves: 1, PerDivision: true}
	s, tour := eventtest.EventOf(t, f, 8)
	eventtest.PlayWith(t, s, tour, eventtest.ByNumber)
	eventtest.InDivisions("senior", "junior", "junior", "junior", "senior", "senior", "senior", "")(t, s, tour)
	players, err := tournament.Players(t.Context(), s, tour.ID)
	if err != nil {
		t.Fatal(err)
	}
	const seniors = " senior1:5=qualifies1 senior2:1=qualifies2 senior3:6=reserve1 senior4:7= 1:8="
	for _, step := range []struct {
		number int
		state  string
		want   string
	}{
		{2, "", "junior1:2=qualifies1 junior2:3=qualifies2 junior3:4=reserve1" + seniors},
		{2, standing.QualifiedAlready, "junior1:2=qualified_already junior2:3=qualifies1 junior3:4=qualifies2" +
			seniors},
		{3, standing.Declined, "junior1:2=qualified_already junior2:3=declined junior3:4=qualifies1" + seniors},
		{8, standing.NotEligible, "junior1:2=qualified_already junior2:3=declined junior3:4=qualifies1" +
			seniors[:len(seniors)-1] + "=not_eligible"},
	} {
		if _, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
			ranking.SetWaiver{Player: players[step.number-1].ID, State: step.state, Why: "test"}); err != nil {
			t.Fatal(err)
		}
		if got := eventtest.Shown(t, s, tour); got != step.want {
			t.Errorf("number %d %s: got\n%s, want\n%s", step.number, step.state, got, step.want)
		}
	}
}

// TestPlayOffOfEachDivision: both winners are juniors, and five seniors tie with the third junior. That junior's place
// is decided, so the junior is not in the play-off; in the overall ranking the six still tie.
func TestPlayOffOfEachDivision(t *testing.T) {
	f := eventtest.OneRound()
	f.Divisions, f.Qualification = []string{"junior", "senior"}, format.Qualification{Berths: 1, PerDivision: true}
	f.Scoring = format.Scoring{Ranking: format.WinsPoints, TieBreaks: []string{format.TiePlayOff}}
	f.Stages[0].Decide = 1
	s, tour := eventtest.EventOf(t, f, 8)
	eventtest.InDivisions("junior", "junior", "senior", "senior", "junior", "senior", "senior", "senior")(t, s, tour)
	eventtest.PlayWith(t, s, tour, eventtest.PlainGame)
	if got, want := eventtest.Shown(t, s, tour),
		"junior1:1=open junior1:5=open junior3:2= senior1:3=open senior1:4=open senior1:6=open senior1:7=open senior1:8=open"; got != want {
		t.Errorf("before: got %s, want %s", got, want)
	}
	round := eventtest.PlayWith(t, s, tour, eventtest.PlainGame)
	if got, want := tablesIn(t, s, round), "[[1 5] [3 4 6] [7 8]]"; round.PlayOff != 1 || got != want {
		t.Fatalf("got %s, want %s", got, want)
	}
	if got, want := eventtest.PlacesOf(t, s, tour), "[1:1 2:5 3:2 3:3 3:4 3:6 3:7 3:8]"; got != want {
		t.Errorf("all together: got %s, want %s", got, want)
	}
	if got, want := eventtest.Shown(t, s, tour),
		"junior1:1=qualifies1 junior2:5= junior3:2= senior1:3=qualifies1 senior2:7= senior3:4= senior3:6= senior3:8="; got != want {
		t.Errorf("after: got %s, want %s", got, want)
	}
	if now, err := tournament.TournamentByID(t.Context(), s, tour.ID); err != nil ||
		now.Status != tournament.StatusFinished {
		t.Errorf("the event is %s, %v", now.Status, err)
	}
}

// TestPlacesForEverySoManyPlayers checks that players who left without a game do not count for the number of places.
func TestPlacesForEverySoManyPlayers(t *testing.T) {
	f := eventtest.OneRound()
	f.Qualification = format.Qualification{PerPlayers: 4}
	s, tour := eventtest.EventOf(t, f, 9)
	players, err := tournament.Players(t.Context(), s, tour.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct{ leaves, players, places int }{{0, 9, 2}, {9, 8, 2}, {8, 7, 1}} {
		if step.leaves > 0 {
			if _, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
				people.LeaveEvent{Tournament: tour.ID, Player: players[step.leaves-1].ID}); err != nil {
				t.Fatal(err)
			}
		}
		q, err := ranking.QualificationOf(t.Context(), s, tour.ID)
		if err != nil || q.Players != step.players || q.Places != step.places {
			t.Errorf("without %d: got %d places of %d players, %v; want %d of %d", step.leaves, q.Places, q.Players,
				err, step.places, step.players)
		}
	}
	eventtest.PlayWith(t, s, tour, eventtest.PlainGame)
	if _, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
		people.LeaveEvent{Tournament: tour.ID, Player: players[0].ID}); err != nil {
		t.Fatal(err)
	}
	if q, err := ranking.QualificationOf(t.Context(), s, tour.ID); err != nil || q.Players != 7 || q.Places != 1 {
		t.Errorf("after one left who has played: got %d places of %d players, %v", q.Places, q.Players, err)
	}
}

// TestPlacesForWhoHasPlayedEnough checks that in a finished tournament with a minimum number of games, players with
// fewer do not count for the number of places.
func TestPlacesForWhoHasPlayedEnough(t *testing.T) {
	f := eventtest.OneRound()
	f.Qualification = format.Qualification{PerPlayers: 4}
	f.Stages[0].Rounds, f.Scoring.MinGames = 2, 2
	s, tour := eventtest.EventOf(t, f, 8)
	eventtest.PlayWith(t, s, tour, eventtest.PlainGame)
	players, err := tournament.Players(t.Context(), s, tour.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
		people.LeaveEvent{Tournament: tour.ID, Player: players[7].ID}); err != nil {
		t.Fatal(err)
	}
	if q, err := ranking.QualificationOf(t.Context(), s, tour.ID); err != nil || q.Players != 7 || q.Places != 1 {
		t.Errorf("while it goes on: got %d places of %d players, %v", q.Places, q.Players, err)
	}
	eventtest.PlayWith(t, s, tour, eventtest.PlainGame)
	q, err := ranking.QualificationOf(t.Context(), s, tour.ID)
	if err != nil || q.Standings.Tournament.Status != tournament.StatusFinished || q.Players != 7 || q.Places != 1 {
		t.Errorf("at the end: got %s, %d places of %d players, %v", q.Standings.Tournament.Status, q.Places, q.Players,
			err)
	}
}

// TestQualification checks that the place passes down until a player takes it, and that the ranking does not change.
func TestQualification(t *testing.T) {
	f := eventtest.OneRound()
	f.Qualification, f.Divisions = format.Qualification{Berths: 1, Reserves: 1}, []string{"junior"}
	f.Scoring.TieBreaks = []string{format.TieTurnOrder}
	s, tour := eventtest.EventOf(t, f, 8)
	eventtest.PlayWith(t, s, tour, eventtest.PlainGame)
	list := func() string {
		t.Helper()
		q, err := ranking.QualificationOf(t.Context(), s, tour.ID)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, e := range q.Entries[:4] {
			out = append(out, strings.TrimSuffix(fmt.Sprintf("%s%d", e.State, e.Nth), "0"))
		}
		return strings.Join(out, " ")
	}
	before := eventtest.PlacesOf(t, s, tour)
	if got, want := list(), "open open  "; got != want { // both table winners had the first turn
		t.Errorf("got %q, want %q", got, want)
	}
	players, err := tournament.Players(t.Context(), s, tour.ID)
	if err != nil {
		t.Fatal(err)
	}
	st, err := ranking.StandingsOf(t.Context(), s, tour.ID)
	if err != nil {
		t.Fatal(err)
	}
	first, second := st.Rows[0].Player, st.Rows[1].Player
	for _, step := range []struct {
		player int64
		state  string
		want   string
	}{
		{first, standing.QualifiedAlready, "qualified_already qualifies1 reserve1 reserve2"},
		{second, standing.Declined, "qualified_already declined open open"},
		{second, "", "qualified_already qualifies1 reserve1 reserve2"},
	} {
		if _, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
			ranking.SetWaiver{Player: step.player, State: step.state, Why: "test"}); err != nil {
			t.Fatal(err)
		}
		if got := list(); got != step.want {
			t.Errorf("after %q: got %q, want %q", step.state, got, step.want)
		}
	}
	if after := eventtest.PlacesOf(t, s, tour); after != before {
		t.Errorf("the ranking moved from %s to %s", before, after)
	}
	for _, row := range []struct {
		name string
		err  error
		want error
	}{
		{"by a referee", eventtest.ErrOf(action.Do(t.Context(), eventtest.DeskOf(s),
			rights.Staff(rights.RoleReferee, "Bob"),
			ranking.SetWaiver{Player: first, State: "", Why: ""})), refuse.ErrForbidden},
		{"for no reason that there is", eventtest.ErrOf(action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
			ranking.SetWaiver{Player: first, State: "lazy", Why: ""})),
			&refuse.Error{Kind: refuse.KindInvalid, Key: "err_waiver_state"}},
		{"of nobody", eventtest.ErrOf(action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
			ranking.SetWaiver{Player: 9999, State: "", Why: ""})),
			refuse.ErrNotFound},
		{"a division by a referee", eventtest.ErrOf(action.Do(t.Context(), eventtest.DeskOf(s),
			rights.Staff(rights.RoleReferee, "Bob"),
			tournament.SetDivision{Player: first, Division: "junior"})), refuse.ErrForbidden},
		{"a division without end", eventtest.ErrOf(action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
			tournament.SetDivision{Player: first, Division: strings.Repeat("x", 61)})), refuse.ErrInvalid},
	} {
		if !errors.Is(row.err, row.want) {
			t.Errorf("%s: got %v", row.name, row.err)
		}
	}
	t.Run("a division is ranked among itself", func(t *testing.T) { rankADivision(t, s, tour, players) })
}

func rankADivision(t *testing.T, s *store.DB, tour tournament.Tournament, players []tournament.Player) {
	for _, i := range []int{1, 4, 7} {
		if _, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
			tournament.SetDivision{Player: players[i].ID, Division: " junior "}); err != nil {
			t.Fatal(err)
		}
	}
	q, err := ranking.QualificationOf(t.Context(), s, tour.ID)
	if err != nil || len(q.Divisions) != 1 || q.Divisions[0].Name != "junior" {
		t.Fatalf("got %+v, %v", q.Divisions, err)
	}
	var out []string
	for _, r := range q.Divisions[0].Rows {
		out = append(out, fmt.Sprintf("%d:%d %s", r.Place, r.Number, r.Reason.Key))
	}
	if got, want := strings.Join(out, ", "), "1:5 , 2:2 wins, 3:8 turn_order"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
