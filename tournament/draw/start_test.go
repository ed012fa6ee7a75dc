package draw_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/eventtest"
	"meldhall/tournament/game"
	"meldhall/tournament/game/gametest"
	"meldhall/tournament/people"
	"meldhall/tournament/refuse"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/tournament/rosterfile"
)

// early is a tournament of twelve whose first round is published, to be started table by table.
type early struct {
	*eventtest.Crowd
	g      *game.Games
	round  tournament.Round
	tables []tournament.Table
}

func newEarly(t *testing.T) *early {
	t.Helper()
	e := &early{Crowd: eventtest.NewCrowd(t, 12)}
	e.g = eventtest.Runner(t, e.S)
	e.round = e.Draw()
	e.Publish(e.round)
	e.now()
	return e
}

// now reads the round and its tables.
func (e *early) now() {
	e.T.Helper()
	var err, also error
	e.round, err = draw.RoundByID(context.Background(), e.S, e.round.ID)
	e.tables, also = tournament.Tables(context.Background(), e.S, e.round.ID)
	if err := errors.Join(err, also); err != nil || len(e.tables) != 3 {
		e.T.Fatal(len(e.tables), err)
	}
}

// dealt returns how often each table's first game was dealt, according to its log.
func (e *early) dealt() string {
	e.T.Helper()
	var times []int
	for _, table := range e.tables {
		var n int
		if err := e.S.ReadSQL.QueryRow(`SELECT count(*) FROM game_events WHERE game_id = $1 AND kind = 'tiles_dealt'`,
			table.Games[0].ID).Scan(&n); err != nil {
			e.T.Fatal(err)
		}
		times = append(times, n)
	}
	return fmt.Sprint(times)
}

// audited counts an action's audit records.
func (e *early) audited(act string) int {
	e.T.Helper()
	entries, err := action.Records(context.Background(), e.S, eventtest.Organizer, e.Tour.ID, 1000)
	if err != nil {
		e.T.Fatal(err)
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
			rights.Staff(rights.RoleObserver, "Eve"), {Role: rights.RolePlayer, Tournament: e.Tour.ID, Table: second}} {
			if _, err := action.Do(ctx, action.NewDesk(e.g.DB, e.g), actor,
				draw.StartTable{Table: second}); !errors.Is(err,
				refuse.ErrForbidden) && !errors.Is(err, refuse.ErrUnauthenticated) {
				t.Errorf("%s: got %v", actor.Role, err)
			}
		}
		if _, err := action.Do(ctx, action.NewDesk(e.g.DB, e.g), eventtest.Organizer,
			draw.StartTable{Table: 9999}); !errors.Is(err,
			refuse.ErrNotFound) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("the table plays, the others wait, the round runs", func(t *testing.T) {
		for i, want := range []bool{true, false} {
			if began, err := action.Do(ctx, action.NewDesk(e.g.DB, e.g), rights.Staff(rights.RoleReferee, "Bob"),
				draw.StartTable{Table: second}); err != nil || began != want {
				t.Errorf("start %d: got %v, %v", i+1, began, err)
			}
		}
		if e.now(); e.dealt() != "[0 1 0]" || e.round.Status != tournament.RoundRunning || e.round.StartedAt != 0 ||
			e.audited("table.start") != 1 {
			t.Errorf("dealt %s, %+v, %d times in the log", e.dealt(), e.round, e.audited("table.start"))
		}
		if e.tables[0].Started(e.round) || !e.tables[1].Started(e.round) {
			t.Error("the tables say otherwise")
		}
	})
	t.Run("the round stays as it was seated", func(t *testing.T) {
		_, publish := action.Do(ctx, eventtest.DeskOf(e.S), eventtest.Organizer, draw.PublishRound{Round: e.round.ID})
		_, tiles := action.Do(ctx, eventtest.DeskOf(e.S), eventtest.Organizer,
			tournament.SetTableTiles{Table: second, Tiles: tournament.RealTiles})
		for what, err := range map[string]error{"discard": eventtest.ErrOf(action.Do(ctx, eventtest.DeskOf(e.S),
			eventtest.Organizer,
			draw.DiscardRound{Round: e.round.ID, Drop: false})),
			"duplicate": eventtest.ErrOf(action.Do(ctx, eventtest.DeskOf(e.S), eventtest.Organizer,
				draw.SetDuplicate{Round: e.round.ID, Duplicate: true})), "tiles": tiles} {
			if !errors.Is(err, refuse.ErrConflict) {
				t.Errorf("%s: got %v", what, err)
			}
		}
		e.Refused(people.RemoveAbsent{Tournament: e.Tour.ID}, "err_remove_absent_running")
		if e.now(); publish != nil || e.round.Status != tournament.RoundRunning {
			t.Errorf("publish: got %v, %+v", publish, e.round)
		}
	})
	t.Run("its next game follows while the others wait", func(t *testing.T) {
		if err := eventtest.EndGame(t, e.S, e.tables[1].Games[0].ID,
			eventtest.Fabricated(rand.New(rand.NewPCG(1, 7)), 4)); err != nil {
			t.Fatal(err)
		}
		if _, err := action.Do(ctx, action.NewDesk(e.g.DB, e.g), eventtest.Organizer,
			result.ConfirmResult{Game: e.tables[1].Games[0].ID, Rev: 1}); err != nil {
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
			if _, err := action.Do(ctx, action.NewDesk(e.g.DB, e.g), eventtest.Organizer,
				draw.StartRound{Round: e.round.ID}); err != nil {
				t.Fatal(err)
			}
		}
		if e.now(); e.dealt() != "[1 1 1]" || e.round.StartedAt == 0 || e.audited("round.start") != 1 ||
			gametest.Look(t, e.g, e.tables[1].Games[1].ID).State.Seq != before {
			t.Errorf("dealt %s, %+v", e.dealt(), e.round)
		}
		if began, err := action.Do(ctx, action.NewDesk(e.g.DB, e.g), eventtest.Organizer,
			draw.StartTable{Table: e.tables[0].ID}); began || err != nil {
			t.Errorf("got %v, %v", began, err)
		}
	})
}

func TestStartTableBeforeAndAfterItsRound(t *testing.T) {
	ctx := context.Background()
	c := eventtest.NewCrowd(t, 8)
	g := eventtest.Runner(t, c.S)
	round := c.Draw()
	tables, err := tournament.Tables(ctx, c.S, round.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := action.Do(ctx, action.NewDesk(g.DB, g), eventtest.Organizer,
		draw.StartTable{Table: tables[0].ID}); !eventtest.IsRefused(err,
		refuse.KindConflict, "err_round_not_published") {
		t.Errorf("of a draft: got %v", err)
	}
	c.Publish(round)
	c.Play(round)
	if _, err := action.Do(ctx, action.NewDesk(g.DB, g), eventtest.Organizer,
		draw.StartTable{Table: tables[0].ID}); !eventtest.IsRefused(err,
		refuse.KindConflict, "err_round_over") {
		t.Errorf("of a round that is over: got %v", err)
	}
}

// TestStartTableByTable checks that starting the last table individually makes the whole round started.
func TestStartTableByTable(t *testing.T) {
	e := newEarly(t)
	for i, table := range e.tables {
		if _, err := action.Do(context.Background(), action.NewDesk(e.g.DB, e.g), eventtest.Organizer,
			draw.StartTable{Table: table.ID}); err != nil {
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
	if began, err := action.Do(ctx, eventtest.IdleDesk(e.S), eventtest.Organizer,
		draw.StartTable{Table: e.tables[2].ID}); !began || err != nil {
		t.Fatal(began, err)
	}
	if e.dealt() != "[0 0 0]" {
		t.Fatalf("dealt %s", e.dealt())
	}
	e.g.Close()
	e.g = eventtest.Runner(t, e.S)
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
	other := eventtest.Runner(t, eventtest.AnotherNode(t, e.S))
	errs := make(chan error)
	starts := 0
	for _, g := range []*game.Games{e.g, e.g, other} {
		for _, table := range e.tables {
			go func() {
				_, err := action.Do(ctx, action.NewDesk(g.DB, g), eventtest.Organizer, draw.StartTable{Table: table.ID})
				errs <- err
			}()
		}
		go func() {
			errs <- eventtest.ErrOf(action.Do(ctx, action.NewDesk(g.DB, g), eventtest.Organizer,
				draw.StartRound{Round: e.round.ID}))
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
func (e *early) absentAt(table int) people.PeopleOutcome {
	e.T.Helper()
	return e.change(people.NoShow{Tournament: e.Tour.ID, Player: e.tables[table].Seats[0].PlayerID})
}

// change previews an action about players, then runs it.
func (e *early) change(a action.ActionOf[people.PeopleOutcome]) people.PeopleOutcome {
	e.T.Helper()
	seen, err := action.Preview(e.T.Context(), eventtest.DeskOf(e.S), eventtest.Organizer, a)
	if err != nil {
		e.T.Fatal(err)
	}
	out, err := action.Do(e.T.Context(), action.NewDesk(e.g.DB, e.g), eventtest.Organizer, a)
	if err != nil || eventtest.EffectKeys(out.Effects) != eventtest.EffectKeys(seen.Effects) {
		e.T.Fatalf("did %s, %v; said before: %s", eventtest.EffectKeys(out.Effects), err,
			eventtest.EffectKeys(seen.Effects))
	}
	e.now()
	return out
}

func lateEntry(e *early) people.EnterPlayers {
	return people.EnterPlayers{Tournament: e.Tour.ID, Entries: []rosterfile.PlayerEntry{{Name: "Late One"}}}
}

// begunBesideAnAbsentee returns a round in which only that table has begun and a player of the second is absent.
func begunBesideAnAbsentee(t *testing.T, table int) *early {
	t.Helper()
	e := newEarly(t)
	e.absentAt(1)
	if _, err := action.Do(t.Context(), action.NewDesk(e.g.DB, e.g), eventtest.Organizer,
		draw.StartTable{Table: e.tables[table].ID}); err != nil {
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
		if keys := eventtest.EffectKeys(out.Effects); !strings.Contains(keys, "seat_taken") ||
			strings.Contains(keys, "misses") {
			t.Errorf("it says %s", keys)
		}
		if players := gametest.Look(t, e.g, game).Ref.Players; len(players) != 4 || players[3] != out.Players[0].ID {
			t.Errorf("at the table are %v, the late one is %d", players, out.Players[0].ID)
		}
		if _, err := action.Do(t.Context(), action.NewDesk(e.g.DB, e.g), eventtest.Organizer,
			people.UndoPeople{Change: out.Change}); err != nil {
			t.Fatal(err)
		}
		if players := gametest.Look(t, e.g, game).Ref.Players; len(players) != 3 {
			t.Errorf("taken back, at the table are %v", players)
		}
		out = e.change(lateEntry(e))
		if _, err := action.Do(t.Context(), action.NewDesk(e.g.DB, e.g), eventtest.Organizer,
			draw.StartRound{Round: e.round.ID}); err != nil {
			t.Fatal(err)
		}
		if n := gametest.Look(t, e.g, game).State.Seats; n != 4 {
			t.Errorf("the game began with %d", n)
		}
		if _, err := action.Do(t.Context(), action.NewDesk(e.g.DB, e.g), eventtest.Organizer,
			people.UndoPeople{Change: out.Change}); !eventtest.IsRefused(err, refuse.KindConflict, "err_undo_seats") {
			t.Errorf("taken back in the game: %v", err)
		}
	})
}

func TestNoChairIsFreeWhereTheyPlayAlready(t *testing.T) {
	e := begunBesideAnAbsentee(t, 1)
	out := e.change(lateEntry(e))
	if keys := eventtest.EffectKeys(out.Effects); !strings.Contains(keys, "misses_late") ||
		!strings.Contains(keys, "chairs_begun") || len(e.tables[1].Seats) != 3 {
		t.Errorf("it says %s", keys)
	}
}

func TestWhoIsBackTakesAChairThatWaits(t *testing.T) {
	e := newEarly(t)
	gone := e.tables[1].Seats[0].PlayerID
	e.absentAt(1)
	if _, err := action.Do(t.Context(), action.NewDesk(e.g.DB, e.g), eventtest.Organizer,
		draw.StartTable{Table: e.tables[0].ID}); err != nil {
		t.Fatal(err)
	}
	if out := e.change(people.PlayAgain{Tournament: e.Tour.ID,
		Player: gone}); !strings.Contains(eventtest.EffectKeys(out.Effects),
		"misses_not") || len(e.tables[1].Seats) != 4 {
		t.Errorf("it says %s", eventtest.EffectKeys(out.Effects))
	}
}

func TestATableStartsBeforeItIsToldOfALateEntry(t *testing.T) {
	e := begunBesideAnAbsentee(t, 0)
	game := e.tables[1].Games[0].ID
	if n := len(gametest.Look(t, e.g, game).Ref.Players); n != 3 {
		t.Fatalf("%d sit where one is absent", n)
	}
	// e.g still has the old state
	if _, err := action.Do(t.Context(), eventtest.IdleDesk(e.S), eventtest.Organizer, lateEntry(e)); err != nil {
		t.Fatal(err)
	}
	if _, err := action.Do(t.Context(), action.NewDesk(e.g.DB, e.g), eventtest.Organizer,
		draw.StartTable{Table: e.tables[1].ID}); err != nil {
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
	if _, err := action.Do(t.Context(), action.NewDesk(e.g.DB, e.g), eventtest.Organizer,
		draw.StartTable{Table: e.tables[0].ID}); err != nil {
		t.Fatal(err)
	}
	for i, change := range []int64{out.Change, absent.Change} {
		if _, err := action.Do(t.Context(), action.NewDesk(e.g.DB, e.g), eventtest.Organizer,
			people.UndoPeople{Change: change}); err != nil {
			t.Fatal(err)
		}
		if players := gametest.Look(t, e.g, e.tables[1].Games[0].ID).Ref.Players; len(players) != 3+i {
			t.Errorf("at the table are %v", players)
		}
	}
	if _, err := action.Do(t.Context(), action.NewDesk(e.g.DB, e.g), eventtest.Organizer,
		draw.StartRound{Round: e.round.ID}); err != nil {
		t.Fatal(err)
	}
	if n := gametest.Look(t, e.g, e.tables[1].Games[0].ID).State.Seats; n != 4 {
		t.Errorf("the game began with %d", n)
	}
}
