package tournament

import (
	"context"
	"errors"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/engine/tile"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

func TestTurnCard(t *testing.T) {
	ctx := context.Background()
	ann := rights.Staff(rights.RoleReferee, "Ann")
	s := newStore(t)
	game := hall(t, s, 1, 1)[0]
	now := s.Now()
	s.Now = func() time.Time { return now }
	g := runner(t, s)
	begin(t, g)
	readyAll(t, g, game)
	turn := look(t, g, game).State.Turn
	me := seatActor(look(t, g, game), turn.Seat)
	rack := tile.FacesOf(look(t, g, game).State.Racks[turn.Seat])
	pass := func(d time.Duration) { now = now.Add(d) }
	must := func(_ any, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	pass(10 * time.Second)
	must(g.SetDraft(ctx, me, game, turn.Number, []engine.LaidFaces{{At: 0, Faces: rack[:2]}}, Sender{}))
	pass(5 * time.Second)
	must(g.Submit(ctx, me, game, "key-call", engine.CallReferee{Seat: me.Seat}))
	pass(time.Second)
	must(g.SetDraft(ctx, me, game, turn.Number, []engine.LaidFaces{{At: 0, Faces: rack[:3]}}, Sender{}))
	g.NoteDevice(me, EvidenceBack, engine.MillisOf(now), Gap{Since: engine.MillisOf(now.Add(-6 * time.Second))})
	pass(time.Second)
	if _, err := g.Submit(ctx, me, game, "key-refused", engine.Play{Seat: me.Seat, Turn: turn.Number, Table: []engine.LaidFaces{{At: 0, Faces: rack[:3]}}}); err == nil {
		t.Fatal("three tiles of the rack are no set here")
	}

	card := func(number int) TurnCard {
		t.Helper()
		c, err := g.TurnCard(ctx, ann, game, number)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	t.Run("the running turn tells its moments with what was left", func(t *testing.T) {
		c := card(0)
		if c.Number != 1 || c.Of != 1 || !c.Running || c.Ended != 0 || c.Seat != turn.Seat || c.Started != turn.Started || len(c.Before.Table) != 0 {
			t.Fatalf("got %+v", c)
		}
		want := []struct {
			kind  string
			left  engine.Millis
			tiles int
		}{{EvidenceDraft, 50_000, 2}, {"referee_called", 45_000, 0}, {EvidenceDraft, 44_000, 3}, {EvidenceRefused, 43_000, 3}}
		if len(c.Moments) != len(want) {
			t.Fatalf("got %+v, want %v", c.Moments, want)
		}
		for i, m := range c.Moments {
			tiles := 0
			for _, set := range m.Table {
				tiles += len(set.Faces)
			}
			if m.Kind != want[i].kind || m.Left != want[i].left || tiles != want[i].tiles || !m.Timed {
				t.Errorf("moment %d: got %+v, want %v", i, m, want[i])
			}
		}
		if tried := c.Moments[3].Tried; tried == nil || tried.Code != "invalid_set" || tried.Set != 0 {
			t.Errorf("got %+v, want set 0 at fault", tried)
		}
		if len(c.Gaps) != 1 || c.Gaps[0].Until-c.Gaps[0].Since != 6_000 {
			t.Errorf("got the gaps %v, want one of 6 s", c.Gaps)
		}
		if len(c.Calls) != 1 {
			t.Errorf("got the calls %v", c.Calls)
		}
	})
	pass(2 * time.Second)
	must(g.Submit(ctx, me, game, "key-drawn", engine.Draw{Seat: me.Seat, Turn: turn.Number}))
	pass(500 * time.Millisecond)
	if _, err := g.Submit(ctx, me, game, "key-stale", engine.Draw{Seat: me.Seat, Turn: turn.Number}); err == nil {
		t.Fatal("the turn is over")
	}
	t.Run("a call that is open leads to its turn, another number to the other", func(t *testing.T) {
		c := card(0)
		if c.Number != 1 || c.Of != 2 || c.Running || c.Ended != engine.MillisOf(now)-500 {
			t.Fatalf("got %+v", c)
		}
		last := c.Moments[len(c.Moments)-2:]
		if last[0].Kind != "tile_drawn" || last[0].Left != 41_000 || last[1].Kind != EvidenceRefused || last[1].Tried.Code != engine.RefusedNotYourTurn || last[1].Left != 40_500 {
			t.Errorf("got %+v, want the draw, and one that came too late", last)
		}
		if next := card(2); !next.Running || len(next.Moments) != 0 || next.Seat == c.Seat {
			t.Errorf("got %+v, want a fresh turn of another seat", next)
		}
		must(g.Submit(ctx, ann, game, "key-answer", engine.AnswerCall{Seat: me.Seat}))
		if c := card(0); c.Number != 2 {
			t.Errorf("got turn %d, want the running one", c.Number)
		}
	})
	t.Run("earlier penalties stand on the card", func(t *testing.T) {
		must(g.Submit(ctx, ann, game, "key-penalty", engine.Penalise{Grounds: engine.Grounds{Reason: "talking"}, Seat: look(t, g, game).State.Turn.Seat, Tiles: 2}))
		pass(time.Second)
		for range 4 {
			turn := look(t, g, game).State.Turn
			must(g.Submit(ctx, seatActor(look(t, g, game), turn.Seat), game, "", engine.Draw{Seat: turn.Seat, Turn: turn.Number}))
			pass(time.Second)
		}
		c := card(6)
		if len(c.Earlier) != 1 || c.Earlier[0].Tiles != 2 || c.Earlier[0].Reason != "talking" || c.Earlier[0].Kind != "penalty_given" {
			t.Errorf("got %+v, want the penalty", c.Earlier)
		}
		if other := card(5); len(other.Earlier) != 0 {
			t.Errorf("got %+v for another player", other.Earlier)
		}
	})
	t.Run("there is no turn that has not begun, and no card for others", func(t *testing.T) {
		if _, err := g.TurnCard(ctx, ann, game, 99); !errors.Is(err, refuse.ErrNotFound) {
			t.Errorf("got %v", err)
		}
		for _, actor := range []rights.Actor{me, rights.Public()} {
			if _, err := g.TurnCard(ctx, actor, game, 1); err == nil {
				t.Errorf("%s sees the card", actor.Role)
			}
		}
	})
}
