package game

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/engine/tile"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store/storetest"
)

func TestSubmit(t *testing.T) {
	ctx := context.Background()
	s := newStore(t)
	game := storetest.Hall(t, s, 1, 1)[0]
	g := runner(t, s)
	begin(t, g)
	begin(t, g) // a second start has no effect
	if snap := look(t, g, game); snap.State.Phase != engine.PhaseDealt || snap.State.Deal != 1 ||
		len(snap.Ref.Players) != 4 {
		t.Fatalf("got phase %q, deal %d, want one deal", snap.State.Phase, snap.State.Deal)
	}
	readyAll(t, g, game)
	snap := look(t, g, game)
	turn := snap.State.Turn
	me := seatActor(snap, turn.Seat)
	draw := engine.Draw{Seat: turn.Seat, Turn: turn.Number}

	t.Run("another seat's move is forbidden", func(t *testing.T) {
		other := seatActor(snap, (turn.Seat+1)%4)
		if _, err := g.Submit(ctx, other, game, "key-other", draw); !errors.Is(err, refuse.ErrForbidden) {
			t.Errorf("got %v, want forbidden", err)
		}
	})
	t.Run("nobody outside runs the clock", func(t *testing.T) {
		for _, c := range []engine.Command{engine.Expire{}, engine.Outage{}, engine.Start{}} {
			for _, actor := range []rights.Actor{me, rights.Public(), rights.Staff(rights.RoleOrganizer, "Ann")} {
				if _, err := g.Submit(ctx, actor, game, "", c); !errors.Is(err, refuse.ErrForbidden) &&
					!errors.Is(err, refuse.ErrUnauthenticated) {
					t.Errorf("%T by %s: got %v, want forbidden", c, actor.Role, err)
				}
			}
		}
	})
	first, err := g.Submit(ctx, me, game, "key-0001", draw)
	if err != nil || first.Outcome != "tile_drawn" {
		t.Fatalf("got %+v, %v, want tile_drawn", first, err)
	}
	t.Run("the same key gets the same answer", func(t *testing.T) {
		again, err := g.Submit(ctx, me, game, "key-0001", draw)
		if err != nil || again.Seq != first.Seq || again.Outcome != first.Outcome || !again.Again {
			t.Errorf("got %+v, %v, want %+v again", again, err, first)
		}
	})
	t.Run("the same key with another body is refused", func(t *testing.T) {
		_, err := g.Submit(ctx, me, game, "key-0001", engine.Pass{Seat: turn.Seat, Turn: turn.Number})
		if !errors.Is(err, refuse.ErrInvalid) {
			t.Errorf("got %v, want invalid", err)
		}
	})
	t.Run("another key for a turn that is over is stale or not yours", func(t *testing.T) {
		_, err := g.Submit(ctx, me, game, "key-0002", draw)
		var refusal *engine.Refusal
		if !errors.As(err, &refusal) || refusal.Code != engine.RefusedNotYourTurn {
			t.Errorf("got %v, want %s", err, engine.RefusedNotYourTurn)
		}
	})
	if got := look(t, g, game).State.Seq; got != first.Seq {
		t.Errorf("got seq %d after the refusals, want %d: nothing changed", got, first.Seq)
	}
}

// TestTwoRunnersRaceForEveryTurn checks two Games on one file, as two programs would be: every accepted command is one
// event, whichever wins.
func TestTwoRunnersRaceForEveryTurn(t *testing.T) {
	ctx := context.Background()
	s := newStore(t)
	game := storetest.Hall(t, s, 1, 1)[0]
	both := []*Games{runner(t, s), runner(t, s)}
	begin(t, both[0])
	readyAll(t, both[0], game)
	const turns = 40
	for i := range turns {
		snap := look(t, both[i%2], game)
		turn := engine.Replay(eventsOf(t, both[0].Log, game)).Turn
		var wg sync.WaitGroup
		accepted := make([]bool, 4)
		for k := range accepted {
			wg.Go(func() {
				_, err := both[k%2].Submit(ctx, seatActor(snap, turn.Seat), game, fmt.Sprintf("turn-%d-by-%d", i, k),
					engine.Draw{Seat: turn.Seat, Turn: turn.Number})
				accepted[k] = err == nil
			})
		}
		wg.Wait()
		n := 0
		for _, ok := range accepted {
			if ok {
				n++
			}
		}
		if n != 1 {
			t.Fatalf("turn %d: %d of 4 racing draws accepted, want 1", turn.Number, n)
		}
	}
	final := engine.Replay(eventsOf(t, both[0].Log, game))
	if err := engine.Check(final); err != nil {
		t.Error(err)
	}
	if want := 106 - 4*14 - turns; len(final.Pool) != want {
		t.Errorf("pool: got %d, want %d", len(final.Pool), want)
	}
}

func eventsOf(t testing.TB, l *Log, game int64) []engine.Event {
	t.Helper()
	tail, err := l.Tail(context.Background(), game, 0)
	if err != nil {
		t.Fatal(err)
	}
	events := make([]engine.Event, len(tail))
	for i, e := range tail {
		events[i] = e.Event
	}
	return events
}

// TestLateCommandsAndDrafts checks that a late draw yields the expiry, with the penalty that the draft calls for, and
// that a draw within the grace period counts.
func TestLateCommandsAndDrafts(t *testing.T) {
	ctx := context.Background()
	s := newStore(t)
	now := time.UnixMilli(1_700_000_000_000)
	var mu sync.Mutex
	s.Now = func() time.Time { mu.Lock(); defer mu.Unlock(); return now }
	advance := func(d time.Duration) { mu.Lock(); defer mu.Unlock(); now = now.Add(d) }
	game := storetest.Hall(t, s, 1, 1)[0]
	g := runner(t, s)
	begin(t, g)
	readyAll(t, g, game)
	draw := func(after time.Duration) Answer {
		t.Helper()
		snap := look(t, g, game)
		advance(after)
		answer, err := g.Submit(ctx, seatActor(snap, snap.State.Turn.Seat), game,
			fmt.Sprintf("draw-key-%d", snap.State.Seq), engine.Draw{Seat: snap.State.Turn.Seat,
				Turn: snap.State.Turn.Number})
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
	if got := draw(61 * time.Second).Outcome; got != "tile_drawn" {
		t.Errorf("at the end of the grace: got %s, want tile_drawn", got)
	}
	snap := look(t, g, game)
	seat := snap.State.Turn.Seat
	rack := tile.FacesOf(snap.State.Racks[seat])
	verdict, err := g.SetDraft(ctx, seatActor(snap, seat), game, snap.State.Turn.Number,
		[]tile.LaidFaces{{At: 0, Faces: rack[:3]}}, Sender{})
	if err != nil {
		t.Fatal(err)
	}
	if got := look(t, g, game).Draft; got == nil || !got.Disturbed || verdict.Legal && verdict.Points < 30 {
		t.Errorf("draft: got %+v, verdict %+v", got, verdict)
	}
	for _, sent := range []struct {
		tiles int
		from  Sender
		want  int // tiles on the table afterwards
	}{{2, Sender{"one", 7}, 2}, {1, Sender{"one", 6}, 2}, {0, Sender{"one", 3}, 2}, {1, Sender{"other", 2}, 1},
		{3, Sender{}, 3}, {2, Sender{"one", 9}, 2}, {3, Sender{"one", 10}, 3}} {
		table := []tile.LaidFaces{{At: 0, Faces: rack[:sent.tiles]}}
		if verdict, err := g.SetDraft(ctx, seatActor(snap, seat), game, snap.State.Turn.Number, table,
			sent.from); err != nil || len(verdict.Played) > sent.tiles {
			t.Errorf("%+v: %+v, %v", sent, verdict, err)
		}
		if got := len(look(t, g, game).Draft.Table[0].Faces); got != sent.want {
			t.Errorf("%+v: %d tiles lie there, want %d", sent, got, sent.want)
		}
	}
	if got := draw(61*time.Second + time.Millisecond).Outcome; got != "turn_expired" {
		t.Errorf("after the grace: got %s, want turn_expired", got)
	}
	events := eventsOf(t, g.Log, game)
	if e, ok := events[len(events)-1].(engine.TurnExpired); !ok || !e.Disturbed || len(e.Tiles) != 3 {
		t.Errorf("got %+v, want a disturbed expiry of 3 tiles", events[len(events)-1])
	}
	if look(t, g, game).Draft != nil {
		t.Error("the draft outlived its turn")
	}
}

// TestTheClockComesFirst checks that an overdue turn expires before an official's ruling or another seat's call. The
// clock does it, with the draft's state of the table and without the command's key. The turn expires even if the
// command is refused, and the preview shows it.
func TestTheClockComesFirst(t *testing.T) {
	ctx := context.Background()
	s := newStore(t)
	now := time.UnixMilli(1_700_000_000_000)
	var mu sync.Mutex
	s.Now = func() time.Time { mu.Lock(); defer mu.Unlock(); return now }
	game := storetest.Hall(t, s, 1, 1)[0]
	g := runner(t, s)
	begin(t, g)
	readyAll(t, g, game)
	ann := rights.Staff(rights.RoleReferee, "Ann")
	why := engine.Grounds{Reason: "talking", By: "Ann"}
	for i, one := range []struct {
		who     func(*Snapshot) rights.Actor
		command func(engine.Turn) engine.Command
		then    string
		refused string
	}{
		{nil, func(turn engine.Turn) engine.Command { return engine.Penalise{Grounds: why, Seat: turn.Seat, Tiles: 2} },
			"penalty_given", ""},
		{nil, func(turn engine.Turn) engine.Command { return engine.SkipTurn{Grounds: why, Turn: turn.Number} }, "",
			engine.RefusedStaleTurn},
		{nil, func(turn engine.Turn) engine.Command { return engine.Rewind{Grounds: why, Turn: turn.Number} },
			"rewound", ""},
		{func(snap *Snapshot) rights.Actor { return seatActor(snap, 0) },
			func(engine.Turn) engine.Command { return engine.CallReferee{Seat: 0} }, "referee_called", ""},
	} {
		snap := look(t, g, game)
		turn := snap.State.Turn
		rack := tile.FacesOf(snap.State.Racks[turn.Seat])
		if _, err := g.SetDraft(ctx, seatActor(snap, turn.Seat), game, turn.Number,
			[]tile.LaidFaces{{At: 0, Faces: rack[:3]}}, Sender{}); err != nil {
			t.Fatal(err)
		}
		mu.Lock()
		now = now.Add(62 * time.Second)
		mu.Unlock()
		who, c, key := ann, one.command(turn), fmt.Sprintf("key-%06d", i)
		if one.who != nil {
			who = one.who(snap)
		}
		effect, errBefore := g.Preview(ctx, who, game, c)
		answer, err := g.Submit(ctx, who, game, key, c)
		var refusal *engine.Refusal
		if errors.As(err, &refusal) != (one.refused != "") || refusal != nil && refusal.Code != one.refused ||
			fmt.Sprint(errBefore) != fmt.Sprint(err) {
			t.Fatalf("%T: got %v, previewed as %v; want %q", c, err, errBefore, one.refused)
		}
		tail, err := g.Log.Tail(ctx, game, snap.State.Seq)
		if err != nil {
			t.Fatal(err)
		}
		expired, ok := tail[0].Event.(engine.TurnExpired)
		if !ok || !expired.Disturbed || tail[0].Actor != clockActor.String() || tail[0].Cmd != "" {
			t.Errorf("%T: the first entry is %+v", c, tail[0])
		}
		if effect.Before.Turn.Number != turn.Number+1 || effect.Before.Seq != snap.State.Seq+1 {
			t.Errorf("%T: previewed on turn %d, seq %d", c, effect.Before.Turn.Number, effect.Before.Seq)
		}
		if one.then == "" {
			if len(tail) != 1 {
				t.Errorf("%T: %d entries, want the expiry", c, len(tail))
			}
			continue
		}
		if own := tail[1]; answer.Outcome != one.then || answer.Seq != own.Seq || own.Event.Kind() != one.then ||
			own.Actor != who.String() || own.Cmd == "" {
			t.Errorf("%T: got %+v and %+v, want %s", c, answer, own, one.then)
		}
	}
}

// TestBootCreditsTheOutage checks that the clock runs without any client, and that a server gives back the time in
// which it was down.
func TestBootCreditsTheOutage(t *testing.T) {
	ctx := context.Background()
	s := newStore(t)
	at := time.UnixMilli(1_700_000_000_000)
	s.Now = func() time.Time { return at }
	game := storetest.Hall(t, s, 1, 1)[0]
	g := runner(t, s)
	begin(t, g)
	readyAll(t, g, game)
	before := look(t, g, game).State
	g.Close()

	later := at.Add(20 * time.Second)
	if err := WriteHeartbeat(ctx, s, engine.MillisOf(later)); err != nil {
		t.Fatal(err)
	}
	s.Now = func() time.Time { return later.Add(time.Hour) }
	again := runner(t, s)
	if err := again.Boot(ctx); err != nil {
		t.Fatal(err)
	}
	got := look(t, again, game).State
	if got.Paused == nil || got.Paused.Left != 40_000 || got.Paused.Why != engine.PausedByOutage {
		t.Fatalf("got pause %+v, want 40 s left of the turn", got.Paused)
	}
	if got.Paused.ResumeAt != engine.MillisOf(later.Add(time.Hour))+10_000 {
		t.Errorf("resumes at %d, want a countdown of 10 s", got.Paused.ResumeAt)
	}
	if got.Turn.Number != before.Turn.Number || got.Turn.Seat != before.Turn.Seat {
		t.Errorf("got turn %+v, want %+v", got.Turn, before.Turn)
	}
}
