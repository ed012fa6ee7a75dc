package main

import (
	"testing"
	"time"

	"meldhall/data"
	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/engine/tile"
	"meldhall/tournament/export"
)

// physicalGame returns a game with real tiles as a server would export it: with a time-out, a penalty, and a count of
// faces or of points.
func physicalGame(t *testing.T, count engine.CountRacks) export.Game {
	t.Helper()
	text, err := data.Rules.ReadFile("rules/wrc.json")
	if err != nil {
		t.Fatal(err)
	}
	rules, err := ruleset.ParseRuleset(ruleset.Ruleset{}, text)
	if err != nil {
		t.Fatal(err)
	}
	g := export.Game{Version: export.Version, Game: 1, Players: []int64{11, 12, 13}, Rules: rules}
	var s engine.State
	now := engine.Millis(1_000_000)
	do := func(c engine.Command) {
		t.Helper()
		events, err := engine.Decide(&s, c, false, time.UnixMilli(int64(now)))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			s = engine.Apply(s, e)
			body, err := engine.Encode(e)
			if err != nil {
				t.Fatal(err)
			}
			g.Events = append(g.Events, export.Event{Seq: s.Seq, Kind: e.Kind(), Version: engine.EventVersion,
				At: e.When(), Data: body})
		}
		now += 1000
	}
	do(engine.Start{Rules: rules, Seats: 3, First: engine.DrawForStart, Physical: true})
	do(engine.ChooseStarter{Seat: 2})
	do(engine.Ready{Seat: 1})
	do(engine.Ready{Seat: engine.Everybody})
	do(engine.EndTurn{Seat: 2, Turn: 1, Opened: true})
	now = engine.Due(&s) + 1
	do(engine.Expire{})
	do(engine.Penalise{Seat: 0, Tiles: 2, Grounds: engine.Grounds{Reason: "touched a tile"}})
	do(engine.PoolEmptied{Seat: 1})
	do(engine.EndTurn{Seat: 1, Turn: 3})
	do(engine.EndTurn{Seat: 2, Turn: 4, Passed: true})
	do(engine.EndTurn{Seat: 0, Turn: 5, Out: true})
	do(count)
	result := export.Result{Rev: 1, Ending: s.End.Why}
	for seat, player := range g.Players {
		o := s.End.Outcome
		tiles, _ := s.Racks[seat].MarshalText()
		result.Lines = append(result.Lines, export.ResultLine{Seat: seat, Player: player, Points: o.Points[seat],
			Wins:   o.Wins[seat],
			Charge: o.Charges[seat].Points, Reason: o.Charges[seat].Reason, Tiles: string(tiles),
			Opened: s.Opened[seat]})
	}
	g.Results = []export.Result{result}
	return g
}

func TestVerifyPhysicalGames(t *testing.T) {
	faces, _ := tile.ParseFaces("R3 K13 R3")
	joker, _ := tile.ParseFaces("J O2")
	byFaces := physicalGame(t, engine.CountRacks{Racks: []engine.CountedRack{{Opened: true},
		{Tiles: faces, Opened: true}, {Tiles: joker, Opened: true}}})
	byPoints := physicalGame(t, engine.CountRacks{Totals: []engine.CountedTotal{{Points: score.Whole(121),
		Opened: true, Won: true},
		{Points: score.Whole(-19), Opened: true}, {Points: score.Whole(-102), Opened: true}}})
	for name, g := range map[string]export.Game{"faces": byFaces, "points": byPoints} {
		if s, err := export.Verify(g); err != nil || s.End.Outcome.Points[0] != score.Whole(121) {
			t.Errorf("%s as they were counted: %v", name, err)
		}
	}
	for name, forged := range map[string]export.Game{
		"a tile of a counted rack": changed(t, byFaces,
			func(e *engine.RacksCounted) bool { e.Racks[1] = e.Racks[1][1:]; return true }),
		"points that were counted": changed(t, byPoints,
			func(e *engine.RacksCounted) bool { e.Totals[1].Points -= 12; return true }),
		"penalty tiles of a time-out": changed(t, byFaces, func(e *engine.TurnExpired) bool { e.Count--; return true }),
		"penalty tiles": changed(t, byFaces,
			func(e *engine.PenaltyGiven) bool { e.Count = 21; return true }),
		"who drew the last tile": changed(t, byFaces, func(e *engine.PoolRanOut) bool { e.Seat = 0; return true }),
		"who went out": changed(t, byFaces,
			func(e *engine.TurnEnded) bool { e.Out = !e.Out; return true }),
		"points of the end": changed(t, byPoints,
			func(e *engine.GameEnded) bool { e.End.Outcome.Points[0] += 12; return true }),
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := export.Verify(forged); err == nil {
				t.Error("it was not found")
			}
		})
	}
}
