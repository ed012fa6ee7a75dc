package tournament

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"meldhall/engine"
	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/game/gametest"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/rosterfile"
)

// early is a tournament of twelve whose first round is published, to be started table by table.
type early struct {
	*crowd
	g      *game.Games
	round  Round
	tables []Table
}

func newEarly(t *testing.T) *early {
	t.Helper()
	e := &early{crowd: newCrowd(t, 12)}
	e.g = runner(t, e.s)
	e.round = e.draw()
	e.publish(e.round)
	e.now()
	return e
}

// now reads the round and its tables.
func (e *early) now() {
	e.t.Helper()
	var err, also error
	e.round, err = RoundByID(context.Background(), e.s, e.round.ID)
	e.tables, also = Tables(context.Background(), e.s, e.round.ID)
	if err := errors.Join(err, also); err != nil || len(e.tables) != 3 {
		e.t.Fatal(len(e.tables), err)
	}
}

// dealt returns how often each table's first game was dealt, according to its log.
func (e *early) dealt() string {
	e.t.Helper()
	var times []int
	for _, table := range e.tables {
		var n int
		if err := e.s.ReadSQL.QueryRow(`SELECT count(*) FROM game_events WHERE game_id = ? AND kind = 'tiles_dealt'`,
			table.Games[0].ID).Scan(&n); err != nil {
			e.t.Fatal(err)
		}
		times = append(times, n)
	}
	return fmt.Sprint(times)
}

// audited counts an action's audit records.
func (e *early) audited(act string) int {
	e.t.Helper()
	entries, err := action.Records(context.Background(), e.s, organizer, e.tour.ID, 1000)
	if err != nil {
		e.t.Fatal(err)
	}
	n := 0
	for _, entry := range entries {
		if entry.Kind == act {
			n++
		}
	}
	return n
}

func TestStartTable(t *testing.T) {
	ctx := context.Background()
	e := newEarly(t)
	second := e.tables[1].ID
	t.Run("only those who may start a round", func(t *testing.T) {
		for _, actor := range []rights.Actor{{}, rights.Staff(rights.RoleScorekeeper, "Eve"),
			rights.Staff(rights.RoleObserver, "Eve"), {Role: rights.RolePlayer, Tournament: e.tour.ID, Table: second}} {
			if _, err := action.Do(ctx, action.NewDesk(e.g.DB, e.g), actor, StartTable{Table: second}); !errors.Is(err,
				refuse.ErrForbidden) && !errors.Is(err, refuse.ErrUnauthenticated) {
				t.Errorf("%s: got %v", actor.Role, err)
			}
		}
		if _, err := action.Do(ctx, action.NewDesk(e.g.DB, e.g), organizer, StartTable{Table: 9999}); !errors.Is(err,
			refuse.ErrNotFound) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("the table plays, the others wait, the round runs", func(t *testing.T) {
		for i, want := range []bool{true, false} {
			if began, err := action.Do(ctx, action.NewDesk(e.g.DB, e.g), rights.Staff(rights.RoleReferee, "Bob"),
				StartTable{Table: second}); err != nil || began != want {
				t.Errorf("start %d: got %v, %v", i+1, began, err)
			}
		}
		if e.now(); e.dealt() != "[0 1 0]" || e.round.Status != RoundRunning || e.round.StartedAt != 0 ||
			e.audited("table.start") != 1 {
			t.Errorf("dealt %s, %+v, %d times in the log", e.dealt(), e.round, e.audited("table.start"))
		}
		if e.tables[0].Started(e.round) || !e.tables[1].Started(e.round) {
			t.Error("the tables say otherwise")
		}
	})
	t.Run("the round stays as it was seated", func(t *testing.T) {
		_, publish := action.Do(ctx, deskOf(e.s), organizer, PublishRound{Round: e.round.ID})
		_, tiles := action.Do(ctx, deskOf(e.s), organizer, SetTableTiles{Table: second, Tiles: RealTiles})
		for what, err := range map[string]error{"discard": errOf(action.Do(ctx, deskOf(e.s), organizer,
			DiscardRound{Round: e.round.ID, Drop: false})), "duplicate": errOf(action.Do(ctx, deskOf(e.s), organizer,
			SetDuplicate{Round: e.round.ID, Duplicate: true})), "tiles": tiles} {
			if !errors.Is(err, refuse.ErrConflict) {
				t.Errorf("%s: got %v", what, err)
			}
		}
		e.refused(RemoveAbsent{Tournament: e.tour.ID}, "err_remove_absent_running")
		if e.now(); publish != nil || e.round.Status != RoundRunning {
			t.Errorf("publish: got %v, %+v", publish, e.round)
		}
	})
	t.Run("its next game follows while the others wait", func(t *testing.T) {
		if err := endGame(t, e.s, e.tables[1].Games[0].ID, fabricated(rand.New(rand.NewPCG(1, 7)), 4)); err != nil {
			t.Fatal(err)
		}
		if _, err := action.Do(ctx, action.NewDesk(e.g.DB, e.g), organizer,
			ConfirmResult{Game: e.tables[1].Games[0].ID, Rev: 1}); err != nil {
			t.Fatal(err)
		}
		if got := gametest.Look(t, e.g, e.tables[1].Games[1].ID).State.Phase; got != engine.PhaseDealt ||
			e.dealt() != "[0 1 0]" {
			t.Errorf("the second game is %q, dealt %s", got, e.dealt())
		}
	})
	t.Run("the start of the round starts the rest", func(t *testing.T) {
		before := gametest.Look(t, e.g, e.tables[1].Games[1].ID).State.Seq
		for range 2 {
			if _, err := action.Do(ctx, action.NewDesk(e.g.DB, e.g), organizer,
				StartRound{Round: e.round.ID}); err != nil {
				t.Fatal(err)
			}
		}
		if e.now(); e.dealt() != "[1 1 1]" || e.round.StartedAt == 0 || e.audited("round.start") != 1 ||
			gametest.Look(t, e.g, e.tables[1].Games[1].ID).State.Seq != before {
			t.Errorf("dealt %s, %+v", e.dealt(), e.round)
		}
		if began, err := action.Do(ctx, action.NewDesk(e.g.DB, e.g), organizer,
			StartTable{Table: e.tables[0].ID}); began || err != nil {
			t.Errorf("got %v, %v", began, err)
		}
	})
}

func TestStartTableBeforeAndAfterItsRound(t *testing.T) {
	ctx := context.Background()
	c := newCrowd(t, 8)
	g := runner(t, c.s)
	round := c.draw()
	tables, err := Tables(ctx, c.s, round.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := action.Do(ctx, action.NewDesk(g.DB, g), organizer, StartTable{Table: tables[0].ID}); !isRefused(err,
		refuse.KindConflict, "err_round_not_published") {
		t.Errorf("of a draft: got %v", err)
	}
	c.publish(round)
	c.play(round)
	if _, err := action.Do(ctx, action.NewDesk(g.DB, g), organizer, StartTable{Table: tables[0].ID}); !isRefused(err,
		refuse.KindConflict, "err_round_over") {
		t.Errorf("of a round that is over: got %v", err)
	}
}

// TestStartTableByTable checks that starting the last table individually makes the whole round started.
func TestStartTableByTable(t *testing.T) {
	e := newEarly(t)
	for i, table := range e.tables {
		if _, err := action.Do(context.Background(), action.NewDesk(e.g.DB, e.g), organizer,
			StartTable{Table: table.ID}); err != nil {
			t.Fatal(err)
		}
		if e.now(); (e.round.StartedAt != 0) != (i == 2) {
			t.Errorf("after %d tables: %+v", i+1, e.round)
		}
	}
	if e.dealt() != "[1 1 1]" {
		t.Errorf("dealt %s", e.dealt())
	}
}

// TestStartTableThenCrash checks that after a crash exactly the stored starts take effect.
func TestStartTableThenCrash(t *testing.T) {
	ctx := context.Background()
	e := newEarly(t)
	if began, err := action.Do(ctx, idleDesk(e.s), organizer, StartTable{Table: e.tables[2].ID}); !began || err != nil {
		t.Fatal(began, err)
	}
	if e.dealt() != "[0 0 0]" {
		t.Fatalf("dealt %s", e.dealt())
	}
	e.g.Close()
	e.g = runner(t, e.s)
	for range 2 {
		if err := e.g.Boot(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if e.dealt() != "[0 0 1]" {
		t.Errorf("dealt %s after the new start", e.dealt())
	}
}

// TestStartsAtOnce checks that tables and the round started concurrently are dealt once each.
func TestStartsAtOnce(t *testing.T) {
	ctx := context.Background()
	e := newEarly(t)
	other := runner(t, anotherNode(t, e.s))
	errs := make(chan error)
	starts := 0
	for _, g := range []*game.Games{e.g, e.g, other} {
		for _, table := range e.tables {
			go func() {
				_, err := action.Do(ctx, action.NewDesk(g.DB, g), organizer, StartTable{Table: table.ID})
				errs <- err
			}()
		}
		go func() {
			errs <- errOf(action.Do(ctx, action.NewDesk(g.DB, g), organizer, StartRound{Round: e.round.ID}))
		}()
		starts += len(e.tables) + 1
	}
	for range starts {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	if e.now(); e.dealt() != "[1 1 1]" || e.round.StartedAt == 0 ||
		e.audited("round.start")+e.audited("table.start") > 4 {
		t.Errorf("dealt %s, %+v, in the log: %d rounds, %d tables", e.dealt(), e.round, e.audited("round.start"),
			e.audited("table.start"))
	}
}

// absentAt makes a player of a table a no-show, so that a chair is free.
func (e *early) absentAt(table int) PeopleOutcome {
	e.t.Helper()
	return e.change(NoShow{Tournament: e.tour.ID, Player: e.tables[table].Seats[0].PlayerID})
}

// change previews an action about players, then runs it.
func (e *early) change(a action.ActionOf[PeopleOutcome]) PeopleOutcome {
	e.t.Helper()
	seen, err := action.Preview(e.t.Context(), deskOf(e.s), organizer, a)
	if err != nil {
		e.t.Fatal(err)
	}
	out, err := action.Do(e.t.Context(), action.NewDesk(e.g.DB, e.g), organizer, a)
	if err != nil || effectKeys(out.Effects) != effectKeys(seen.Effects) {
		e.t.Fatalf("did %s, %v; said before: %s", effectKeys(out.Effects), err, effectKeys(seen.Effects))
	}
	e.now()
	return out
}

func lateEntry(e *early) EnterPlayers {
	return EnterPlayers{Tournament: e.tour.ID, Entries: []rosterfile.PlayerEntry{{Name: "Late One"}}}
}

// begunBesideAnAbsentee returns a round in which only that table has begun and a player of the second is absent.
func begunBesideAnAbsentee(t *testing.T, table int) *early {
	t.Helper()
	e := newEarly(t)
	e.absentAt(1)
	if _, err := action.Do(t.Context(), action.NewDesk(e.g.DB, e.g), organizer,
		StartTable{Table: e.tables[table].ID}); err != nil {
		t.Fatal(err)
	}
	e.now()
	return e
}

// TestALateEntryTakesAChairThatWaits checks that a late player gets a chair at a table that has not begun, even if
// other tables of the round have.
func TestALateEntryTakesAChairThatWaits(t *testing.T) {
	t.Run("a table that waits has a chair", func(t *testing.T) {
		e := begunBesideAnAbsentee(t, 0)
		game := e.tables[1].Games[0].ID
		if n := len(gametest.Look(t, e.g, game).Ref.Players); n != 3 {
			t.Fatalf("%d sit where one is absent", n)
		}
		out := e.change(lateEntry(e))
		if keys := effectKeys(out.Effects); !strings.Contains(keys, "seat_taken") || strings.Contains(keys, "misses") {
			t.Errorf("it says %s", keys)
		}
		if players := gametest.Look(t, e.g, game).Ref.Players; len(players) != 4 || players[3] != out.Players[0].ID {
			t.Errorf("at the table are %v, the late one is %d", players, out.Players[0].ID)
		}
		if _, err := action.Do(t.Context(), action.NewDesk(e.g.DB, e.g), organizer,
			UndoPeople{Change: out.Change}); err != nil {
			t.Fatal(err)
		}
		if players := gametest.Look(t, e.g, game).Ref.Players; len(players) != 3 {
			t.Errorf("taken back, at the table are %v", players)
		}
		out = e.change(lateEntry(e))
		if _, err := action.Do(t.Context(), action.NewDesk(e.g.DB, e.g), organizer,
			StartRound{Round: e.round.ID}); err != nil {
			t.Fatal(err)
		}
		if n := gametest.Look(t, e.g, game).State.Seats; n != 4 {
			t.Errorf("the game began with %d", n)
		}
		if _, err := action.Do(t.Context(), action.NewDesk(e.g.DB, e.g), organizer,
			UndoPeople{Change: out.Change}); !isRefused(err, refuse.KindConflict, "err_undo_seats") {
			t.Errorf("taken back in the game: %v", err)
		}
	})
}

func TestNoChairIsFreeWhereTheyPlayAlready(t *testing.T) {
	e := begunBesideAnAbsentee(t, 1)
	out := e.change(lateEntry(e))
	if keys := effectKeys(out.Effects); !strings.Contains(keys, "misses_late") ||
		!strings.Contains(keys, "chairs_begun") || len(e.tables[1].Seats) != 3 {
		t.Errorf("it says %s", keys)
	}
}

func TestWhoIsBackTakesAChairThatWaits(t *testing.T) {
	e := newEarly(t)
	gone := e.tables[1].Seats[0].PlayerID
	e.absentAt(1)
	if _, err := action.Do(t.Context(), action.NewDesk(e.g.DB, e.g), organizer,
		StartTable{Table: e.tables[0].ID}); err != nil {
		t.Fatal(err)
	}
	if out := e.change(PlayAgain{Tournament: e.tour.ID, Player: gone}); !strings.Contains(effectKeys(out.Effects),
		"misses_not") || len(e.tables[1].Seats) != 4 {
		t.Errorf("it says %s", effectKeys(out.Effects))
	}
}

func TestATableStartsBeforeItIsToldOfALateEntry(t *testing.T) {
	e := begunBesideAnAbsentee(t, 0)
	game := e.tables[1].Games[0].ID
	if n := len(gametest.Look(t, e.g, game).Ref.Players); n != 3 {
		t.Fatalf("%d sit where one is absent", n)
	}
	// e.g still has the old state
	if _, err := action.Do(t.Context(), idleDesk(e.s), organizer, lateEntry(e)); err != nil {
		t.Fatal(err)
	}
	if _, err := action.Do(t.Context(), action.NewDesk(e.g.DB, e.g), organizer,
		StartTable{Table: e.tables[1].ID}); err != nil {
		t.Fatal(err)
	}
	if snap := gametest.Look(t, e.g, game); snap.State.Seats != 4 || len(snap.Ref.Players) != 4 {
		t.Errorf("the game began with %d of %v", snap.State.Seats, snap.Ref.Players)
	}
}

func TestALateEntryIsTakenBackThoughOthersHaveBegun(t *testing.T) {
	e := newEarly(t)
	absent := e.absentAt(1)
	out := e.change(lateEntry(e))
	if _, err := action.Do(t.Context(), action.NewDesk(e.g.DB, e.g), organizer,
		StartTable{Table: e.tables[0].ID}); err != nil {
		t.Fatal(err)
	}
	for i, change := range []int64{out.Change, absent.Change} {
		if _, err := action.Do(t.Context(), action.NewDesk(e.g.DB, e.g), organizer,
			UndoPeople{Change: change}); err != nil {
			t.Fatal(err)
		}
		if players := gametest.Look(t, e.g, e.tables[1].Games[0].ID).Ref.Players; len(players) != 3+i {
			t.Errorf("at the table are %v", players)
		}
	}
	if _, err := action.Do(t.Context(), action.NewDesk(e.g.DB, e.g), organizer,
		StartRound{Round: e.round.ID}); err != nil {
		t.Fatal(err)
	}
	if n := gametest.Look(t, e.g, e.tables[1].Games[0].ID).State.Seats; n != 4 {
		t.Errorf("the game began with %d", n)
	}
}
