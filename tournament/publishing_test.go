package tournament

import (
	"errors"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// shownEvent is a tournament with one confirmed game of three players and a clock that moves only on demand.
type shownEvent struct {
	t    *testing.T
	s    *store.DB
	tour Tournament
	tabs []Table
	now  time.Time
}

func newShownEvent(t *testing.T, players int) *shownEvent {
	t.Helper()
	e := &shownEvent{t: t, s: newStore(t), now: time.UnixMilli(1_800_000_000_000)}
	e.s.Now = func() time.Time { return e.now }
	e.tour, _, e.tabs = runningRound(t, e.s, "open", players)
	e.pass(time.Minute)
	return e
}

func (e *shownEvent) pass(d time.Duration) { e.now = e.now.Add(d) }

func (e *shownEvent) do(a action.Action) {
	e.t.Helper()
	if _, err := deskOf(e.s).Do(e.t.Context(), organizer, a); err != nil {
		e.t.Fatal(err)
	}
}

// end ends and confirms a table's first game.
func (e *shownEvent) end(table int) {
	e.t.Helper()
	id := e.tabs[table].Games[0].ID
	if err := endGame(e.t, e.s, id, threePlayers()); err != nil {
		e.t.Fatal(err)
	}
	e.do(ConfirmResult{Game: id, Rev: 1})
	e.pass(time.Second)
}

func (e *shownEvent) set(part, how string, minutes int) {
	e.t.Helper()
	e.do(SetShown{Tournament: e.tour.ID, Part: part, How: how, Minutes: minutes})
}

func (e *shownEvent) is() Publishing {
	e.t.Helper()
	is, _, err := PublishingOf(e.t.Context(), e.s, e.tour.ID)
	if err != nil {
		e.t.Fatal(err)
	}
	return is
}

// leads returns the leader's total as an actor sees it; 0 before the first result.
func (e *shownEvent) leads(actor rights.Actor) engine.Twelfth {
	e.t.Helper()
	st, err := StandingsAt(e.t.Context(), e.s, e.tour.ID, e.is().For(actor, e.tour.ID, e.s.Millis()).Standings)
	if err != nil {
		e.t.Fatal(err)
	}
	return st.Rows[0].Total
}

// TestStandingsAreShownAsSet checks that frozen standings do not change, delayed ones appear in time, hidden ones
// reveal nothing, officials see everything, and one action shows them.
func TestStandingsAreShownAsSet(t *testing.T) {
	e := newShownEvent(t, 3)
	public, total := rights.Public(), engine.Whole(118)
	e.set(PartStandings, ShownFrozen, 0)
	e.end(0)
	if got := e.leads(public); got != 0 {
		t.Errorf("frozen before the result: %v leads", got)
	}
	if got := e.leads(organizer); got != total {
		t.Errorf("the organizer sees %v", got)
	}
	e.set(PartStandings, ShownPublic, 0)
	if got := e.leads(public); got != total {
		t.Errorf("revealed: %v", got)
	}
	e.set(PartStandings, ShownHidden, 0)
	if got := e.leads(public); got != 0 {
		t.Errorf("hidden: %v", got)
	}
	e.set(PartStandings, ShownDelayed, 10)
	e.pass(9 * time.Minute)
	if got := e.leads(public); got != 0 {
		t.Errorf("one minute before its time: %v", got)
	}
	e.pass(time.Minute + delayStep*time.Millisecond)
	if got := e.leads(public); got != total {
		t.Errorf("after its time: %v", got)
	}
	shown := map[engine.Millis]bool{} // all readers within a step see the same, and not too late
	for range 2 * delayStep {
		at := e.is().Sight(e.s.Millis()).Standings
		if e.pass(time.Millisecond); at > e.s.Millis()-600_001 || at < e.s.Millis()-600_001-delayStep {
			t.Fatalf("%d ms behind", e.s.Millis()-1-at)
		}
		shown[at] = true
	}
	if len(shown) > 3 {
		t.Errorf("%d states are shown within %d ms", len(shown), 2*delayStep)
	}
}

// TestFreezingShowsNoMore checks that freezing a delayed part keeps it as the public saw it, that freezing again
// changes nothing, and that a reveal can be reverted to the earlier moment.
func TestFreezingShowsNoMore(t *testing.T) {
	e := newShownEvent(t, 3)
	e.set(PartStandings, ShownDelayed, 10)
	e.end(0)
	e.set(PartStandings, ShownFrozen, 0)
	e.pass(time.Hour)
	e.set(PartStandings, ShownFrozen, 0)
	if got := e.leads(rights.Public()); got != 0 {
		t.Errorf("frozen while delayed: %v", got)
	}
	stood := e.is().Standings
	e.set(PartStandings, ShownPublic, 0)
	_, was, err := PublishingOf(t.Context(), e.s, e.tour.ID)
	if err != nil || was[PartStandings] != stood {
		t.Fatalf("before the reveal %+v, %v, want %+v", was[PartStandings], err, stood)
	}
	e.do(SetShown{Tournament: e.tour.ID, Part: PartStandings, How: ShownFrozen, Since: stood.Since})
	if got := e.leads(rights.Public()); got != 0 {
		t.Errorf("taken back: %v", got)
	}
}

// TestResultsHoldStandingsBack checks that holding results back also holds standings back and vice versa, that holding
// seats back holds tables back, and that a frozen tournament does not name a later champion.
func TestResultsHoldStandingsBack(t *testing.T) {
	e := newShownEvent(t, 3)
	e.set(PartResults, ShownFrozen, 0)
	e.set(PartPairing, ShownHidden, 0)
	e.end(0)
	if got := e.leads(rights.Public()); got != 0 {
		t.Errorf("results are frozen: %v", got)
	}
	sight := e.is().Sight(e.s.Millis())
	if sight.Tables != 0 {
		t.Errorf("the seats are hidden, the tables seen until %v", sight.Tables)
	}
	for _, how := range []string{ShownHidden, ShownDelayed, ShownFrozen} {
		is := Publishing{Showing{How: ShownPublic}, Showing{How: ShownPublic}, Showing{How: how, Minutes: 5, Since: 9},
			Showing{How: ShownPublic}}
		if sight := is.Sight(e.s.Millis()); sight.Results != sight.Standings || sight.Results == Always ||
			sight.Tables != Always {
			t.Errorf("standings %s: %+v", how, sight)
		}
	}
	if err := e.s.Write.Exec("UPDATE tournaments SET status = ? WHERE id = ?", StatusFinished,
		e.tour.ID).Error; err != nil {
		t.Fatal(err)
	}
	st, err := StandingsAt(t.Context(), e.s, e.tour.ID, sight.Standings)
	if err != nil || len(st.Titles) > 0 || st.Tournament.Status != StatusRunning {
		t.Errorf("%v, %+v, status %s", err, st.Titles, st.Tournament.Status)
	}
	if st, err = StandingsOf(t.Context(), e.s, e.tour.ID); err != nil || len(st.Titles) != 1 {
		t.Errorf("%v, %+v", err, st.Titles)
	}
}

// TestSightAtAGame checks that a game's players see all of it and others what the public may see.
func TestSightAtAGame(t *testing.T) {
	e := newShownEvent(t, 3)
	e.set(PartTables, ShownHidden, 0)
	ref := game.Ref{ID: e.tabs[0].Games[0].ID, TournamentID: e.tour.ID, TableID: e.tabs[0].ID,
		Players: []int64{e.tabs[0].Seats[0].PlayerID}}
	for _, row := range []struct {
		actor rights.Actor
		all   bool
	}{{rights.Public(), false}, {organizer, true}, {rights.Actor{Role: rights.RolePlayer, Player: ref.Players[0]},
		true},
		{rights.Actor{Role: rights.RolePlayer, Player: ref.Players[0] + 1}, false},
		{rights.Actor{Role: rights.RoleTable, Table: ref.TableID}, true}} {
		if got := e.is().ForGame(row.actor, ref, e.s.Millis()); (got == SeesAll) != row.all {
			t.Errorf("%s: %+v", row.actor, got)
		}
	}
}

// TestSetShownRefusals checks that invalid parts, ways, delays and moments are rejected.
func TestSetShownRefusals(t *testing.T) {
	e := newShownEvent(t, 3)
	later := e.s.Millis() + 1
	for _, row := range []struct {
		set SetShown
		key string
	}{
		{SetShown{Part: "racks", How: ShownPublic}, "err_publish_part"},
		{SetShown{Part: PartTables, How: "often"}, "err_publish_how"},
		{SetShown{Part: PartTables, How: ShownDelayed}, "err_publish_minutes"},
		{SetShown{Part: PartTables, How: ShownDelayed, Minutes: DelayMost + 1}, "err_publish_minutes"},
		{SetShown{Part: "all", How: ShownFrozen, Since: later}, "err_publish_since"},
	} {
		row.set.Tournament = e.tour.ID
		if _, err := action.Do(t.Context(), deskOf(e.s), organizer, row.set); !isRefused(err, refuse.KindInvalid,
			row.key) {
			t.Errorf("%+v: %v", row.set, err)
		}
	}
	referee := rights.Staff(rights.RoleReferee, "Bob")
	if _, err := action.Do(t.Context(), deskOf(e.s), referee,
		SetShown{Tournament: e.tour.ID, Part: "all", How: ShownHidden}); !errors.Is(err, refuse.ErrForbidden) {
		t.Errorf("a referee: %v", err)
	}
	e.set("all", ShownHidden, 0)
	e.set("all", ShownHidden, 0)
	records, err := action.Records(t.Context(), e.s, organizer, e.tour.ID, 100)
	n := 0
	for _, r := range records {
		if r.Kind == "publishing.set" {
			n++
		}
	}
	if err != nil || n != len(Parts) {
		t.Errorf("%d records, %v", n, err)
	}
}
