package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"meldhall/cmd/internal/prepare"
	"meldhall/engine"
	"meldhall/engine/tile"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/export"
	"meldhall/tournament/game"
	"meldhall/tournament/people"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// ruledTable is one table of a real tournament whose clock the test controls.
type ruledTable struct {
	t     *testing.T
	store *store.DB
	games *game.Games
	desk  *action.Desk
	game  int64
	now   time.Time
	keys  int
}

func newRuledTable(t *testing.T) *ruledTable {
	t.Helper()
	r := &ruledTable{t: t, now: time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC)}
	var err error
	if r.store, err = store.Open(filepath.Join(t.TempDir(), "event.db")); err != nil {
		t.Fatal(err)
	}
	r.store.Now = func() time.Time { return r.now }
	log := game.OpenLog(r.store)
	r.games = result.NewGames(r.store, log)
	r.desk = action.NewDesk(r.store, r.games)
	r.desk.Seeds = func() int64 { return 1 }
	dealt := uint64(0)
	r.games.Deal = func() engine.Deal { dealt++; return prepare.Deal(5, dealt) }
	t.Cleanup(func() { r.games.Close(); log.Close(); r.store.Close() })
	presets, err := prepare.Presets("")
	if err != nil {
		t.Fatal(err)
	}
	n := people.CreateTournament{Name: "Rulings"}
	if n.Format, err = presets.Format("open"); err != nil {
		t.Fatal(err)
	}
	if n.Rules, err = presets.Ruleset("wrc",
		[]byte(`{"penalties":"proposed","illegal_play":"penalty","turn_seconds":300}`)); err != nil {
		t.Fatal(err)
	}
	ctx, boss := t.Context(), rights.Staff(rights.RoleOrganizer, "Olga")
	event, err := action.Do(ctx, r.desk, boss, n)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = action.Do(ctx, r.desk, boss, people.ImportRoster{Tournament: event.ID,
		File: string(prepare.Roster(4))}); err != nil {
		t.Fatal(err)
	}
	round, err := action.Do(ctx, r.desk, boss, draw.PairRound{Tournament: event.ID,
		PairingOptions: draw.PairingOptions{}})
	if err == nil {
		round, err = action.Do(ctx, r.desk, boss, draw.PublishRound{Round: round.ID})
	}
	if err == nil {
		_, err = action.Do(ctx, r.desk, boss, draw.StartRound{Round: round.ID})
	}
	if err != nil {
		t.Fatal(err)
	}
	current, err := game.CurrentInRound(ctx, r.store, round.ID)
	if err != nil {
		t.Fatal(err)
	}
	r.game = current[0].Game
	return r
}

func (r *ruledTable) state() engine.State {
	snap, err := r.games.Look(r.t.Context(), r.game)
	if err != nil {
		r.t.Fatal(err)
	}
	return snap.State
}

// submit submits an actor's command a second later, and returns the state after it.
func (r *ruledTable) submit(actor rights.Actor, c engine.Command) engine.State {
	r.t.Helper()
	r.now = r.now.Add(time.Second)
	r.keys++
	if _, err := r.games.Submit(r.t.Context(), actor, r.game, fmt.Sprintf("key-%06d", r.keys), c); err != nil {
		r.t.Fatalf("%T: %v", c, err)
	}
	return r.state()
}

// rule makes the referee Anna rule on the current state.
func (r *ruledTable) rule(c func(engine.Grounds) engine.Command) engine.State {
	r.t.Helper()
	g := engine.Grounds{Seen: r.state().Seq, Rule: "6.1", Reason: "as seen", By: "Anna"}
	return r.submit(rights.Staff(rights.RoleReferee, "Anna"), c(g))
}

func (r *ruledTable) player(seat int) rights.Actor {
	snap, err := r.games.Look(r.t.Context(), r.game)
	if err != nil {
		r.t.Fatal(err)
	}
	return rights.Actor{Role: rights.RolePlayer, Tournament: snap.Ref.TournamentID, Player: snap.Ref.Players[seat],
		Table: snap.Ref.TableID, Seat: seat}
}

func (r *ruledTable) draw() engine.State {
	r.t.Helper()
	turn := r.state().Turn
	return r.submit(r.player(turn.Seat), engine.Draw{Seat: turn.Seat, Turn: turn.Number})
}

// runsOn waits for the countdown of a paused clock to pass.
func (r *ruledTable) runsOn() {
	r.t.Helper()
	r.now = r.now.Add(engine.ResumeCountdown)
	if s := r.draw(); s.Paused != nil {
		r.t.Fatal("the clock stands")
	}
}

// sets returns sets of three of the given colours, for a table that an official lays.
func sets(colours string) (table []tile.LaidFaces) {
	for _, c := range colours {
		faces, err := tile.ParseFaces(fmt.Sprintf("%c4 %c5 %c6", c, c, c))
		if err != nil {
			panic(err)
		}
		table = append(table, tile.LaidFaces{At: tile.SomewhereFree, Faces: faces})
	}
	return table
}

// mayRedeal returns the first seat that may ask for a redeal, or -1.
func mayRedeal(s engine.State) int {
	for seat := range s.Seats {
		if s.MayRedeal(seat) {
			return seat
		}
	}
	return -1
}

// everyRuling plays a game to its end in which officials make every kind of ruling.
func everyRuling(t *testing.T) (*ruledTable, export.Game) {
	r := newRuledTable(t)
	r.rule(func(g engine.Grounds) engine.Command {
		return engine.GrantRedeal{Grounds: g, Seat: 1, Deal: prepare.Deal(5, 100)}
	})
	for deal := uint64(101); mayRedeal(r.state()) < 0; deal++ {
		r.rule(func(g engine.Grounds) engine.Command {
			return engine.GrantRedeal{Grounds: g, Seat: 1, Deal: prepare.Deal(5, deal)}
		})
	}
	r.rule(func(g engine.Grounds) engine.Command {
		return engine.RefuseRedeal{Grounds: g, Seat: mayRedeal(r.state())}
	})
	for seat := range 4 {
		r.submit(r.player(seat), engine.Ready{Seat: seat, Turn: r.state().Turn.Number})
	}
	r.rule(func(g engine.Grounds) engine.Command { return engine.PauseClock{Grounds: g} })
	r.rule(func(g engine.Grounds) engine.Command { return engine.Resume{Grounds: g} })
	r.runsOn()
	r.rule(func(g engine.Grounds) engine.Command { return engine.GiveTime{Grounds: g, Seconds: 30} })
	r.rule(func(g engine.Grounds) engine.Command { return engine.Penalise{Grounds: g, Seat: 2} })
	r.rule(func(g engine.Grounds) engine.Command { return engine.Warn{Grounds: g, Seat: 2} })
	penalty := r.rule(func(g engine.Grounds) engine.Command { return engine.Penalise{Grounds: g, Seat: 3, Tiles: 2} })
	r.rule(func(g engine.Grounds) engine.Command { return engine.CancelRuling{Grounds: g, Of: penalty.Seq} })
	r.rule(func(g engine.Grounds) engine.Command { return engine.Penalise{Grounds: g, Seat: 3, Tiles: 3} })
	r.rule(func(g engine.Grounds) engine.Command {
		return engine.SetPosition{Grounds: g, Seat: 0, Table: onTable(r.state())}
	})
	r.rule(func(g engine.Grounds) engine.Command {
		s := r.state()
		return engine.RuleLeftovers{Grounds: g, Seat: 0, Tiles: tile.FacesOf(s.Table[0].Tiles),
			Table: s.Table[1:].Laid()}
	})
	back := r.state().Turn.Number
	r.rule(func(g engine.Grounds) engine.Command {
		return engine.SkipTurn{Grounds: g, Turn: r.state().Turn.Number}
	})
	r.rule(func(g engine.Grounds) engine.Command {
		return engine.RuleIllegal{Grounds: g, Turn: r.state().Turn.Number, Tiles: 3}
	})
	r.rule(func(g engine.Grounds) engine.Command { return engine.Rewind{Grounds: g, Turn: back} })
	for range 2 { // two proposed penalties
		turn := r.state().Turn
		r.submit(r.player(turn.Seat), engine.Play{Seat: turn.Seat, Turn: turn.Number})
	}
	state := r.state()
	proposals := state.Rulings.Undecided()
	r.rule(func(g engine.Grounds) engine.Command {
		return engine.Penalise{Grounds: g, Seat: proposals[0].Seat, Tiles: 1, Proposal: proposals[0].Seq}
	})
	r.rule(func(g engine.Grounds) engine.Command {
		return engine.WaivePenalty{Grounds: g, Proposal: proposals[1].Seq}
	})
	r.rule(func(g engine.Grounds) engine.Command { return engine.ForfeitSeat{Grounds: g, Seat: 2} })
	r.rule(func(g engine.Grounds) engine.Command { return engine.CallTime{Grounds: g} })
	for r.state().Phase != engine.PhaseOver {
		r.draw()
	}
	if _, err := action.Do(t.Context(), r.desk, rights.Staff(rights.RoleReferee, "Anna"),
		result.ConfirmResult{Game: r.game, Rev: 1}); err != nil {
		t.Fatal(err)
	}
	g, err := export.OfGame(t.Context(), r.store, r.game)
	if err != nil {
		t.Fatal(err)
	}
	return r, g
}

// onTable returns a set that the pool contains.
func onTable(s engine.State) []tile.LaidFaces {
	have := tile.CountFaces(tile.FacesOf(s.Pool))
	for _, set := range slices.Concat(sets("K"), sets("R"), sets("B"), sets("O")) {
		if tile.CountFaces(set.Faces).Within(have) {
			return []tile.LaidFaces{set}
		}
	}
	panic("the pool has no such set")
}

func TestVerifyEveryRuling(t *testing.T) {
	r, g := everyRuling(t)
	state, err := export.Verify(g)
	if err != nil {
		t.Fatal(err)
	}
	was, _ := json.Marshal(r.state())
	is, _ := json.Marshal(state)
	if string(was) != string(is) {
		t.Errorf("verified to another state\nwas %s\nis  %s", was, is)
	}
	met := map[string]bool{}
	for _, row := range g.Events {
		met[row.Kind] = true
	}
	for _, kind := range []string{"redeal_granted", "redeal_refused", "game_paused", "resume_set", "game_resumed",
		"time_given", "notice_given", "warning_given",
		"penalty_given", "ruling_cancelled", "position_set", "leftovers_ruled", "turn_skipped", "illegal_ruled",
		"rewound", "penalty_proposed",
		"penalty_waived", "seat_forfeited", "time_called"} {
		if !met[kind] {
			t.Errorf("the game has no %s", kind)
		}
	}
	for name, forged := range map[string]export.Game{
		"another position gone back to": changed(t, g, func(e *engine.Rewound) bool {
			e.Racks[0],
				e.Racks[1] = e.Racks[1], e.Racks[0]
			return true
		}),
		"another turn gone back to": changed(t, g, func(e *engine.Rewound) bool { e.To--; return true }),
		"a tile that came back": changed(t, g,
			func(e *engine.RulingCancelled) bool { e.Tiles = e.Tiles[:1]; return true }),
		"a waived penalty of another": changed(t, g, func(e *engine.PenaltyWaived) bool {
			e.Seat = (e.Seat +
				1) % 4
			return true
		}),
		"a pool in another order": changed(t, g, func(e *engine.PositionSet) bool {
			e.Pool = slices.Clone(e.Pool)
			slices.Reverse(e.Pool)
			return true
		}),
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := export.Verify(forged); err == nil {
				t.Error("it is taken for true")
			}
		})
	}
}

func TestAGameIsPlayedAgain(t *testing.T) {
	r := newRuledTable(t)
	for seat := range 4 {
		r.submit(r.player(seat), engine.Ready{Seat: seat, Turn: r.state().Turn.Number})
	}
	r.rule(func(g engine.Grounds) engine.Command { return engine.CallTime{Grounds: g} })
	for r.state().Phase != engine.PhaseOver {
		r.draw()
	}
	ctx, anna := t.Context(), rights.Staff(rights.RoleReferee, "Anna")
	if _, err := action.Do(ctx, r.desk, anna, result.OrderReplay{Game: r.game, Rev: 1, Why: ""}); err == nil {
		t.Error("ordered without a reason")
	}
	if _, err := action.Do(ctx, r.desk, anna, result.OrderReplay{Game: r.game, Rev: 1,
		Why: "the deal was seen"}); err != nil {
		t.Fatal(err)
	}
	if _, err := action.Do(ctx, r.desk, anna, result.OrderReplay{Game: r.game, Rev: 2, Why: "again"}); err == nil {
		t.Error("ordered twice")
	}
	ref := func(game int64) game.Ref {
		snap, err := r.games.Look(ctx, game)
		if err != nil {
			t.Fatal(err)
		}
		return snap.Ref
	}
	was := ref(r.game)
	current, err := game.CurrentAtTable(ctx, r.store, was.TableID)
	if err != nil {
		t.Fatal(err)
	}
	if now := ref(current.Game); current.Game == r.game || now.Of < 2 {
		t.Errorf("the table plays game %d, %+v", current.Game, now)
	}
	res, err := result.LatestResult(ctx, r.store, r.game)
	if err != nil || res.Ending != game.EndingAnnulled || !res.Confirmed() {
		t.Errorf("got %+v, %v", res, err)
	}
	g, err := export.OfGame(ctx, r.store, r.game)
	if err == nil {
		_, err = export.Verify(g)
	}
	if err != nil {
		t.Error(err)
	}
}
