package tournament_test

import (
	"errors"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/engine/score"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/eventtest"
	"meldhall/tournament/game"
	"meldhall/tournament/ranking"
	"meldhall/tournament/refuse"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// shownEvent is a tournament with one confirmed game of three players and a clock that moves only on demand.
type shownEvent struct {
	t    *testing.T
	s    *store.DB
	tour tournament.Tournament
	tabs []tournament.Table
	now  time.Time
}

func newShownEvent(t *testing.T, players int) *shownEvent {
	t.Helper()
	e := &shownEvent{t: t, s: eventtest.NewStore(t), now: time.UnixMilli(1_800_000_000_000)}
	e.s.Now = func() time.Time { return e.now }
	e.tour, _, e.tabs = eventtest.RunningRound(t, e.s, "open", players)
	e.pass(time.Minute)
	return e
}

func (e *shownEvent) pass(d time.Duration) { e.now = e.now.Add(d) }

func (e *shownEvent) do(a action.Action) {
	e.t.Helper()
	if _, err := eventtest.DeskOf(e.s).Do(e.t.Context(), eventtest.Organizer, a); err != nil {
		e.t.Fatal(err)
	}
}

// end ends and confirms a table's first game.
func (e *shownEvent) end(table int) {
	e.t.Helper()
	id := e.tabs[table].Games[0].ID
	if err := eventtest.EndGame(e.t, e.s, id, eventtest.ThreePlayers()); err != nil {
		e.t.Fatal(err)
	}
	e.do(result.ConfirmResult{Game: id, Rev: 1})
	e.pass(time.Second)
}

func (e *shownEvent) set(part, how string, minutes int) {
	e.t.Helper()
	e.do(tournament.SetShown{Tournament: e.tour.ID, Part: part, How: how, Minutes: minutes})
}

func (e *shownEvent) is() tournament.Publishing {
	e.t.Helper()
	is, _, err := tournament.PublishingOf(e.t.Context(), e.s, e.tour.ID)
	if err != nil {
		e.t.Fatal(err)
	}
	return is
}

// leads returns the leader's total as an actor sees it; 0 before the first result.
func (e *shownEvent) leads(actor rights.Actor) score.Twelfth {
	e.t.Helper()
	st, err := ranking.StandingsAt(e.t.Context(), e.s, e.tour.ID, e.is().For(actor, e.tour.ID, e.s.Millis()).Standings)
	if err != nil {
		e.t.Fatal(err)
	}
	return st.Rows[0].Total
}

// TestStandingsAreShownAsSet checks that frozen standings do not change, delayed ones appear in time, hidden ones
// reveal nothing, officials see everything, and one action shows them.
func TestStandingsAreShownAsSet(t *testing.T) {
	e := newShownEvent(t, 3)
	public, total := rights.Public(), score.Whole(118)
	e.set(tournament.PartStandings, tournament.ShownFrozen, 0)
	e.end(0)
	if got := e.leads(public); got != 0 {
		t.Errorf("frozen before the result: %v leads", got)
	}
	if got := e.leads(eventtest.Organizer); got != total {
		t.Errorf("the organizer sees %v", got)
	}
	e.set(tournament.PartStandings, tournament.ShownPublic, 0)
	if got := e.leads(public); got != total {
		t.Errorf("revealed: %v", got)
	}
	e.set(tournament.PartStandings, tournament.ShownHidden, 0)
	if got := e.leads(public); got != 0 {
		t.Errorf("hidden: %v", got)
	}
	e.set(tournament.PartStandings, tournament.ShownDelayed, 10)
	e.pass(9 * time.Minute)
	if got := e.leads(public); got != 0 {
		t.Errorf("one minute before its time: %v", got)
	}
	e.pass(time.Minute + tournament.DelayStep*time.Millisecond)
	if got := e.leads(public); got != total {
		t.Errorf("after its time: %v", got)
	}
	shown := map[engine.Millis]bool{} // all readers within a step see the same, and not too late
	for range 2 * tournament.DelayStep {
		at := e.is().Sight(e.s.Millis()).Standings
		if e.pass(time.Millisecond); at > e.s.Millis()-600_001 || at < e.s.Millis()-600_001-tournament.DelayStep {
			t.Fatalf("%d ms behind", e.s.Millis()-1-at)
		}
		shown[at] = true
	}
	if len(shown) > 3 {
		t.Errorf("%d states are shown within %d ms", len(shown), 2*tournament.DelayStep)
	}
}

// TestFreezingShowsNoMore checks that freezing a delayed part keeps it as the public saw it, that freezing again
// changes nothing, and that a reveal can be reverted to the earlier moment.
func TestFreezingShowsNoMore(t *testing.T) {
	e := newShownEvent(t, 3)
	e.set(tournament.PartStandings, tournament.ShownDelayed, 10)
	e.end(0)
	e.set(tournament.PartStandings, tournament.ShownFrozen, 0)
	e.pass(time.Hour)
	e.set(tournament.PartStandings, tournament.ShownFrozen, 0)
	if got := e.leads(rights.Public()); got != 0 {
		t.Errorf("frozen while delayed: %v", got)
	}
	stood := e.is().Standings
	e.set(tournament.PartStandings, tournament.ShownPublic, 0)
	_, was, err := tournament.PublishingOf(t.Context(), e.s, e.tour.ID)
	if err != nil || was[tournament.PartStandings] != stood {
		t.Fatalf("before the reveal %+v, %v, want %+v", was[tournament.PartStandings], err, stood)
	}
	e.do(tournament.SetShown{Tournament: e.tour.ID, Part: tournament.PartStandings, How: tournament.ShownFrozen,
		Since: stood.Since})
	if got := e.leads(rights.Public()); got != 0 {
		t.Errorf("taken back: %v", got)
	}
}

// TestResultsHoldStandingsBack checks that holding results back also holds standings back and vice versa, that holding
// seats back holds tables back, and that a frozen tournament does not name a later champion.
func TestResultsHoldStandingsBack(t *testing.T) {
	e := newShownEvent(t, 3)
	e.set(tournament.PartResults, tournament.ShownFrozen, 0)
	e.set(tournament.PartPairing, tournament.ShownHidden, 0)
	e.end(0)
	if got := e.leads(rights.Public()); got != 0 {
		t.Errorf("results are frozen: %v", got)
	}
	sight := e.is().Sight(e.s.Millis())
	if sight.Tables != 0 {
		t.Errorf("the seats are hidden, the tables seen until %v", sight.Tables)
	}
	for _, how := range []string{tournament.ShownHidden, tournament.ShownDelayed, tournament.ShownFrozen} {
		is := tournament.Publishing{tournament.Showing{How: tournament.ShownPublic},
			tournament.Showing{How: tournament.ShownPublic}, tournament.Showing{How: how, Minutes: 5, Since: 9},
			tournament.Showing{How: tournament.ShownPublic}}
		if sight := is.Sight(e.s.Millis()); sight.Results != sight.Standings || sight.Results == tournament.Always ||
			sight.Tables != tournament.Always {
			t.Errorf("standings %s: %+v", how, sight)
		}
	}
	if err := e.s.Write.Exec("UPDATE tournaments SET status = ? WHERE id = ?", tournament.StatusFinished,
		e.tour.ID).Error; err != nil {
		t.Fatal(err)
	}
	st, err := ranking.StandingsAt(t.Context(), e.s, e.tour.ID, sight.Standings)
	if err != nil || len(st.Titles) > 0 || st.Tournament.Status != tournament.StatusRunning {
		t.Errorf("%v, %+v, status %s", err, st.Titles, st.Tournament.Status)
	}
	if st, err = ranking.StandingsOf(t.Context(), e.s, e.tour.ID); err != nil || len(st.Titles) != 1 {
		t.Errorf("%v, %+v", err, st.Titles)
	}
}

// TestSightAtAGame checks that a game's players see all of it and others what the public may see.
func TestSightAtAGame(t *testing.T) {
	e := newShownEvent(t, 3)
	e.set(tournament.PartTables, tournament.ShownHidden, 0)
	ref := game.Ref{ID: e.tabs[0].Games[0].ID, TournamentID: e.tour.ID, TableID: e.tabs[0].ID,
		Players: []int64{e.tabs[0].Seats[0].PlayerID}}
	for _, row := range []struct {
		actor rights.Actor
		all   bool
	}{{rights.Public(), false}, {eventtest.Organizer, true},
		{rights.Actor{Role: rights.RolePlayer, Player: ref.Players[0]},
			true},
		{rights.Actor{Role: rights.RolePlayer, Player: ref.Players[0] + 1}, false},
		{rights.Actor{Role: rights.RoleTable, Table: ref.TableID}, true}} {
		if got := e.is().ForGame(row.actor, ref, e.s.Millis()); (got == tournament.SeesAll) != row.all {
			t.Errorf("%s: %+v", row.actor, got)
		}
	}
}

// TestSetShownRefusals checks that invalid parts, ways, delays and moments are rejected.
func TestSetShownRefusals(t *testing.T) {
	e := newShownEvent(t, 3)
	later := e.s.Millis() + 1
	for _, row := range []struct {
		set tournament.SetShown
		key string
	}{
		{tournament.SetShown{Part: "racks", How: tournament.ShownPublic}, "err_publish_part"},
		{tournament.SetShown{Part: tournament.PartTables, How: "often"}, "err_publish_how"},
		{tournament.SetShown{Part: tournament.PartTables, How: tournament.ShownDelayed}, "err_publish_minutes"},
		{tournament.SetShown{Part: tournament.PartTables, How: tournament.ShownDelayed, Minutes: tournament.DelayMost +
			1}, "err_publish_minutes"},
		{tournament.SetShown{Part: "all", How: tournament.ShownFrozen, Since: later}, "err_publish_since"},
	} {
		row.set.Tournament = e.tour.ID
		if _, err := action.Do(t.Context(), eventtest.DeskOf(e.s), eventtest.Organizer,
			row.set); !eventtest.IsRefused(err, refuse.KindInvalid,
			row.key) {
			t.Errorf("%+v: %v", row.set, err)
		}
	}
	referee := rights.Staff(rights.RoleReferee, "Bob")
	if _, err := action.Do(t.Context(), eventtest.DeskOf(e.s), referee,
		tournament.SetShown{Tournament: e.tour.ID, Part: "all", How: tournament.ShownHidden}); !errors.Is(err,
		refuse.ErrForbidden) {
		t.Errorf("a referee: %v", err)
	}
	e.set("all", tournament.ShownHidden, 0)
	e.set("all", tournament.ShownHidden, 0)
	records, err := action.Records(t.Context(), e.s, eventtest.Organizer, e.tour.ID, 100)
	n := 0
	for _, r := range records {
		if r.Kind == "publishing.set" {
			n++
		}
	}
	if err != nil || n != len(tournament.Parts) {
		t.Errorf("%d records, %v", n, err)
	}
}
