package pagetest

import (
	"context"

	"meldhall/engine"
	"meldhall/engine/steps"
	"meldhall/engine/tile"
	"meldhall/templates"
	"meldhall/templates/locale"
	"meldhall/templates/part"
	"meldhall/templates/play"
	"meldhall/templates/public"
)

// sampleProofs returns the proofs for the game of sampleOver, in which seat 1 never opened.
func sampleProofs() []play.OpeningProof {
	rack := faces("K1 K3 K9 R2 R4 R9 R10 B3 B9 B10 B12 O9 O10 J")
	return []play.OpeningProof{{Seat: 1, Name: sampleSeats[1].Name, Able: true, Rack: rack,
		Sets: []tile.FaceList{faces("K9 R9 B9 O9"), faces("R10 B10 O10 J")}, Points: 76, Need: 30}}
}

// otherProofs returns the verdicts missing from sampleProofs: able since a turn, not enough points, nothing at all.
func otherProofs() []play.OpeningProof {
	return []play.OpeningProof{
		{Seat: 0, Name: sampleSeats[0].Name, Able: true, Turn: 7, At: templates.ReplayTurnPath(7, 41, 7),
			Rack: faces("K1 K11 K12 K13 R2 R4 R9 R10 B3 B9 B10 B12 O9 J"), Sets: []tile.FaceList{faces("K11 K12 K13")},
			Points: 36, Need: 30},
		{Seat: 2, Name: sampleSeats[2].Name, Rack: faces("K1 K3 R7 R8 R9 O2 O5"),
			Sets: []tile.FaceList{faces("R7 R8 R9")}, Points: 24, Need: 30},
		{Seat: 3, Name: sampleSeats[3].Name, Rack: faces("K1 K3 K9 R2 R4 R9 R12 B3 B10 B12 O2 O5"), Need: 30},
	}
}

func sampleTurns() []public.ReplayRow {
	rows := []public.ReplayRow{
		{Number: 1, Seat: 0, Did: public.Deed{Kind: "tile_drawn", Drawn: 1},
			Possible: public.Possible{Tiles: 0, Proven: true}},
		{Number: 2, Seat: 1, Did: public.Deed{Kind: "tile_drawn", Drawn: 1},
			Possible: public.Possible{Tiles: 6, Proven: true}},
		{Number: 3, Seat: 2, Did: public.Deed{Kind: "tiles_played", Played: 6, Opened: 41},
			Possible: public.Possible{Tiles: 7, Proven: true}},
		{Number: 4, Seat: 3, Did: public.Deed{Kind: "turn_expired", Drawn: 3},
			Possible: public.Possible{Tiles: 3, Proven: true}},
		{Number: 5, Seat: 0, Did: public.Deed{Kind: "illegal_played", Drawn: 3},
			Possible: public.Possible{Tiles: 4, Proven: true}},
		{Number: 6, Seat: 1, Did: public.Deed{Kind: "turn_passed"}, Possible: public.Possible{Tiles: 9, Proven: false}},
	}
	for i := range 20 {
		rows = append(rows, public.ReplayRow{Number: 7 + i, Seat: (2 + i) % 4,
			Did:      public.Deed{Kind: "tiles_played", Played: i % 3},
			Possible: public.Possible{Tiles: i%3 + i%2, Proven: true}})
	}
	return rows
}

func sampleTurn(ctx context.Context) public.ReplayTurnView {
	g := sampleOver()
	g.View.Seat, g.View.Rack, g.Meanwhile.Drawn = engine.Spectator, nil, nil
	view := public.ReplayTurnView{Page: inEvent(samplePage(ctx, "replay.nav", part.RolePublic,
		templates.ReplayTurnPath(7, 41, 9))), Event: 7,
		Game: g, Of: 26, Row: sampleTurns()[8],
		Rack: faces("K2 K5 K6 K7 K8 R1 R3 R9 B1 B4 B13 O1 O8 J"), Played: faces("K5 K7 K8")}
	view.Page.Live = part.Live{}
	view.Row.Did.Played, view.Row.Possible.Tiles = 3, 5
	return view
}

// sampleSteps returns the steps to a table that can really be reached.
func sampleSteps(ctx context.Context) []string {
	sets := func(text ...string) (table [][]tile.Face) {
		for _, set := range text {
			table = append(table, faces(set))
		}
		return table
	}
	var words []string
	for _, step := range steps.Steps(sets("R4 R5 R6 R7", "K1 B1 O1", "B8 B9 B10 B11"),
		sets("R5 R6 R7 R8", "K4 R4 O4", "K1 B1 O1 R1", "B8 B9 B10 B11")) {
		words = append(words, play.StepWords(ctx, step))
	}
	return words
}

func replaySamples(ctx context.Context) []sample {
	list := public.ReplayView{Page: inEvent(samplePage(ctx, "replay.nav", part.RolePublic,
		templates.ReplayPath(7, 41))), Event: 7,
		Game: sampleTurn(ctx).Game, Turns: sampleTurns(), Openings: append(otherProofs(), sampleProofs()...)}
	list.Page.Live = part.Live{}
	turn, best, last, first := sampleTurn(ctx), sampleTurn(ctx), sampleTurn(ctx), sampleTurn(ctx)
	turn.Notes = []string{locale.T(ctx, "last.penalty_given", "n", 1, "name", locale.Isolate(sampleSeats[2].Name))}
	best.Best = &public.BestPlay{Table: laid(sampleTable + ";143:K6* R6* J*;149:B1* O1* R1 K1"),
		Played: faces("K6 B1 O1 R6 J"), Steps: sampleSteps(ctx)}
	last.Page.Role, last.Last, last.Row.Number = part.RolePlayer, true, last.Of
	first.Row = public.ReplayRow{Number: 1, Seat: 2, Did: public.Deed{Kind: "tile_drawn", Drawn: 1},
		Possible: public.Possible{Tiles: 0, Proven: true}}
	first.Game.View.Table, first.Played = nil, nil
	corrected := list
	corrected.Corrected = &play.Result{Rev: 3, Status: "confirmed", Lines: sampleResult("confirmed", 3).Lines}
	return []sample{
		{"replay-corrected", public.ReplayPage(corrected)}, {"replay", public.ReplayPage(list)},
		{"replay-none", public.ReplayPage(public.ReplayView{Page: list.Page, Event: 7, Game: list.Game})},
		{"replay-turn", public.ReplayTurnPage(turn)}, {"replay-first", public.ReplayTurnPage(first)},
		{"replay-last", public.ReplayTurnPage(last)}, {"replay-best", public.ReplayTurnPage(best)},
	}
}
