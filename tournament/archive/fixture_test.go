package archive

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/engine/bot"
	"meldhall/engine/score"
	"meldhall/engine/tile"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/action/actiontest"
	"meldhall/tournament/draw"
	"meldhall/tournament/format"
	"meldhall/tournament/game"
	"meldhall/tournament/game/gametest"
	"meldhall/tournament/people"
	"meldhall/tournament/preset"
	"meldhall/tournament/ranking"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
)

var organizer = rights.Staff(rights.RoleOrganizer, "Ann")

// hall is a desk over a test database, whose clock moves only by later.
type hall struct {
	t testing.TB
	*action.Desk
	later func() // advances the clock by a minute
}

func newHall(t testing.TB) *hall {
	t.Helper()
	return hallAt(t, actiontest.Desk(t))
}

func hallAt(t testing.TB, desk *action.Desk) *hall {
	t.Helper()
	h := &hall{t: t, Desk: desk}
	seed := int64(7_000_000_000_000)
	h.Seeds = func() int64 { seed++; return seed }
	now := time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC)
	h.DB.Now = func() time.Time { return now }
	h.later = func() { now = now.Add(time.Minute) }
	return h
}

// do runs an action as the organizer.
func do[O any](h *hall, act action.ActionOf[O]) O {
	h.t.Helper()
	out, err := action.Do(h.t.Context(), h.Desk, organizer, act)
	if err != nil {
		h.t.Fatalf("%s: %v", action.KindOf(act).Name, err)
	}
	return out
}

// event creates a tournament with this many players: a round and a final of one game each, unless the format is
// changed.
func (h *hall) event(players int, change ...func(*format.Format)) tournament.Tournament {
	h.t.Helper()
	presets, err := preset.Load(os.DirFS("../../data"))
	if err != nil {
		h.t.Fatal(err)
	}
	f, err := presets.Format("wrc")
	if err != nil {
		h.t.Fatal(err)
	}
	f.Stages = []format.Stage{f.Stages[0], f.Stages[2]}
	for i := range f.Stages {
		f.Stages[i].Rounds, f.Stages[i].GamesPerRound = 1, 1
	}
	for _, c := range change {
		c(&f)
	}
	rules, err := presets.Ruleset("wrc", nil)
	if err != nil {
		h.t.Fatal(err)
	}
	e := do(h, people.CreateTournament{Name: "Coppa «Ä» <&>", Place: "Genova", Format: f, Rules: rules})
	if players > 0 {
		roster := strings.Builder{}
		roster.WriteString("name,country,club,email\n")
		for i := range players {
			fmt.Fprintf(&roster, "Player %03d,IT,Club %d,secret%d@example.org\n", i+1, i%5, i)
		}
		do(h, people.ImportRoster{Tournament: e.ID, File: roster.String()})
	}
	return e
}

// start seats and starts the next round.
func (h *hall) start(e tournament.Tournament) []game.CurrentGame {
	h.t.Helper()
	ctx := h.t.Context()
	h.later()
	r, err := action.Do(ctx, h.Desk, organizer, draw.PairRound{Tournament: e.ID})
	if err != nil {
		do(h, ranking.DrawLot{Tournament: e.ID})
		h.later()
		r = do(h, draw.PairRound{Tournament: e.ID})
	}
	do(h, draw.StartRound{Round: r.ID, Publish: true})
	tables, err := game.CurrentInRound(ctx, h.DB, r.ID)
	if err != nil {
		h.t.Fatal(err)
	}
	return tables
}

// play plays a game to its end with bots and confirms its result.
func (h *hall) play(id int64) {
	h.t.Helper()
	gametest.ReadyAll(h.t, h.Games, id)
	h.finish(id)
}

// finish plays a started game to its end and confirms its result.
func (h *hall) finish(id int64) {
	h.t.Helper()
	for snap := gametest.Look(h.t, h.Games, id); snap.State.Phase != engine.PhaseOver; snap = gametest.Look(h.t,
		h.Games, id) {
		seat := snap.State.Turn.Seat
		if _, err := h.Games.Submit(h.t.Context(), gametest.Player(snap, seat), id, "",
			bot.Command(bot.Club, engine.ViewFor(&snap.State, seat))); err != nil {
			h.t.Fatal(err)
		}
	}
	do(h, result.ConfirmResult{Game: id, Rev: 1})
}

// enter plays a game with real tiles and confirms its result. winner wins in its first turn, and each other seat loses
// 12 points.
func (h *hall) enter(id int64, winner int) {
	h.t.Helper()
	racks := make([]engine.CountedRack, 4)
	for seat, faces := range []string{"K12", "R12", "B12", "O12"} {
		tiles, err := tile.ParseFaces(faces)
		if err != nil {
			h.t.Fatal(err)
		}
		racks[seat] = engine.CountedRack{Tiles: tiles, Opened: true}
	}
	racks[winner].Tiles = nil
	for _, c := range []engine.Command{engine.ChooseStarter{Seat: winner}, engine.Ready{Seat: engine.Everybody},
		engine.EndTurn{Seat: winner, Turn: 1, Opened: true, Out: true}, engine.CountRacks{Racks: racks}} {
		if _, err := h.Games.Submit(h.t.Context(), organizer, id, "", c); err != nil {
			h.t.Fatal(err)
		}
	}
	do(h, result.ConfirmResult{Game: id, Rev: 1})
}

// linesOf returns the result of a table of four that winner wins.
func linesOf(winner int) []game.ResultLine {
	lines := make([]game.ResultLine, 4)
	for seat := range lines {
		lines[seat] = game.ResultLine{Seat: seat, Points: -score.Whole(12), Charge: 12}
	}
	lines[winner] = game.ResultLine{Seat: winner, Points: score.Whole(36), Wins: score.Whole(1)}
	return lines
}

// whole creates a tournament and plays it to the end.
func (h *hall) whole(players int, change ...func(*format.Format)) tournament.Tournament {
	h.t.Helper()
	e := h.event(players, change...)
	for e.Status != tournament.StatusFinished {
		for _, table := range h.start(e) {
			h.play(table.Game)
		}
		var err error
		if e, err = tournament.TournamentByID(h.t.Context(), h.DB, e.ID); err != nil {
			h.t.Fatal(err)
		}
	}
	return e
}

// packed returns a tournament's archive, and the archive as a file.
func (h *hall) packed(e tournament.Tournament) (*Archive, []byte) {
	h.t.Helper()
	a, err := Of(context.Background(), h.DB, e.ID)
	if err != nil {
		h.t.Fatal(err)
	}
	return a, pack(h.t, a)
}

func pack(t testing.TB, a *Archive) []byte {
	t.Helper()
	var out bytes.Buffer
	if n, err := a.WriteTo(&out); err != nil || n != int64(out.Len()) {
		t.Fatal(n, err)
	}
	return out.Bytes()
}
