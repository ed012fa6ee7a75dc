package record

import (
	"errors"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/engine/tile"
	"meldhall/tournament/game"
	"meldhall/tournament/game/gametest"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store/storetest"
)

// calledTurn is a game whose current turn has laid tiles, a call for the referee and a refused submission.
type calledTurn struct {
	g    *game.Games
	game int64
	turn engine.Turn
	ann  rights.Actor
	me   rights.Actor
	now  time.Time
}

func newCalledTurn(t *testing.T) *calledTurn {
	t.Helper()
	s := newStore(t)
	k := &calledTurn{game: storetest.Hall(t, s, 1, 1)[0], ann: rights.Staff(rights.RoleReferee, "Ann"), now: s.Now()}
	s.Now = func() time.Time { return k.now }
	k.g = runner(t, s)
	begin(t, k.g)
	gametest.ReadyAll(t, k.g, k.game)
	k.turn = gametest.Look(t, k.g, k.game).State.Turn
	k.me = gametest.Player(gametest.Look(t, k.g, k.game), k.turn.Seat)
	rack := tile.FacesOf(gametest.Look(t, k.g, k.game).State.Racks[k.turn.Seat])
	k.pass(10 * time.Second)
	k.lay(t, rack[:2])
	k.pass(5 * time.Second)
	k.submit(t, k.me, "key-call", engine.CallReferee{Seat: k.me.Seat})
	k.pass(time.Second)
	k.lay(t, rack[:3])
	k.g.Notes.Device(k.me, game.EvidenceBack, engine.MillisOf(k.now),
		game.Gap{Since: engine.MillisOf(k.now.Add(-6 * time.Second))})
	k.pass(time.Second)
	if _, err := k.g.Submit(t.Context(), k.me, k.game, "key-refused",
		engine.Play{Seat: k.me.Seat, Turn: k.turn.Number, Table: []tile.LaidFaces{{At: 0,
			Faces: rack[:3]}}}); err == nil {
		t.Fatal("three tiles of the rack are no set here")
	}
	return k
}

func (k *calledTurn) pass(d time.Duration) { k.now = k.now.Add(d) }

func (k *calledTurn) lay(t *testing.T, faces []tile.Face) {
	t.Helper()
	if _, err := k.g.SetDraft(t.Context(), k.me, k.game, k.turn.Number, []tile.LaidFaces{{At: 0, Faces: faces}},
		game.Sender{}); err != nil {
		t.Fatal(err)
	}
}

// submit sends a command that must be accepted.
func (k *calledTurn) submit(t *testing.T, actor rights.Actor, key string, command engine.Command) {
	t.Helper()
	if _, err := k.g.Submit(t.Context(), actor, k.game, key, command); err != nil {
		t.Fatal(err)
	}
}

func (k *calledTurn) card(t *testing.T, number int) TurnCard {
	t.Helper()
	c, err := NewReader(k.g).TurnCard(t.Context(), k.ann, k.game, number)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestTurnCard(t *testing.T) {
	k := newCalledTurn(t)
	t.Run("the running turn tells its moments with what was left", k.testRunning)
	k.pass(2 * time.Second)
	k.submit(t, k.me, "key-drawn", engine.Draw{Seat: k.me.Seat, Turn: k.turn.Number})
	k.pass(500 * time.Millisecond)
	if _, err := k.g.Submit(t.Context(), k.me, k.game, "key-stale",
		engine.Draw{Seat: k.me.Seat, Turn: k.turn.Number}); err == nil {
		t.Fatal("the turn is over")
	}
	t.Run("a call that is open leads to its turn, another number to the other", k.testWhereItLeads)
	t.Run("earlier penalties stand on the card", k.testEarlier)
	t.Run("there is no turn that has not begun, and no card for others", k.testNobodyElse)
}

func (k *calledTurn) testRunning(t *testing.T) {
	c := k.card(t, 0)
	if c.Number != 1 || c.Of != 1 || !c.Running || c.Ended != 0 || c.Seat != k.turn.Seat ||
		c.Started != k.turn.Started || len(c.Before.Table) != 0 {
		t.Fatalf("got %+v", c)
	}
	want := []struct {
		kind  string
		left  engine.Millis
		tiles int
	}{{game.EvidenceDraft, 50_000, 2}, {"referee_called", 45_000, 0}, {game.EvidenceDraft, 44_000, 3},
		{game.EvidenceRefused, 43_000, 3}}
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
}

func (k *calledTurn) testWhereItLeads(t *testing.T) {
	c := k.card(t, 0)
	if c.Number != 1 || c.Of != 2 || c.Running || c.Ended != engine.MillisOf(k.now)-500 {
		t.Fatalf("got %+v", c)
	}
	last := c.Moments[len(c.Moments)-2:]
	if last[0].Kind != "tile_drawn" || last[0].Left != 41_000 || last[1].Kind != game.EvidenceRefused ||
		last[1].Tried.Code != engine.RefusedNotYourTurn || last[1].Left != 40_500 {
		t.Errorf("got %+v, want the draw, and one that came too late", last)
	}
	if next := k.card(t, 2); !next.Running || len(next.Moments) != 0 || next.Seat == c.Seat {
		t.Errorf("got %+v, want a fresh turn of another seat", next)
	}
	k.submit(t, k.ann, "key-answer", engine.AnswerCall{Seat: k.me.Seat})
	if c := k.card(t, 0); c.Number != 2 {
		t.Errorf("got turn %d, want the running one", c.Number)
	}
}

func (k *calledTurn) testEarlier(t *testing.T) {
	k.submit(t, k.ann, "key-penalty", engine.Penalise{Grounds: engine.Grounds{Reason: "talking"},
		Seat: gametest.Look(t, k.g, k.game).State.Turn.Seat, Tiles: 2})
	k.pass(time.Second)
	for range 4 {
		turn := gametest.Look(t, k.g, k.game).State.Turn
		k.submit(t, gametest.Player(gametest.Look(t, k.g, k.game), turn.Seat), "",
			engine.Draw{Seat: turn.Seat, Turn: turn.Number})
		k.pass(time.Second)
	}
	c := k.card(t, 6)
	if len(c.Earlier) != 1 || c.Earlier[0].Tiles != 2 || c.Earlier[0].Reason != "talking" ||
		c.Earlier[0].Kind != "penalty_given" {
		t.Errorf("got %+v, want the penalty", c.Earlier)
	}
	if other := k.card(t, 5); len(other.Earlier) != 0 {
		t.Errorf("got %+v for another player", other.Earlier)
	}
}

func (k *calledTurn) testNobodyElse(t *testing.T) {
	if _, err := NewReader(k.g).TurnCard(t.Context(), k.ann, k.game, 99); !errors.Is(err, refuse.ErrNotFound) {
		t.Errorf("got %v", err)
	}
	for _, actor := range []rights.Actor{k.me, rights.Public()} {
		if _, err := NewReader(k.g).TurnCard(t.Context(), actor, k.game, 1); err == nil {
			t.Errorf("%s sees the card", actor.Role)
		}
	}
}
