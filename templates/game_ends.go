package templates

import (
	"context"
	"slices"

	"meldhall/engine"
	"meldhall/engine/tile"
)

// readies counts the seats that need no further time before the first turn.
func (g Game) readies() (n int) {
	for _, s := range g.View.Seats {
		if s.Ready {
			n++
		}
	}
	return n
}

// whyWords says why the starter starts.
func (g Game) whyWords(ctx context.Context) string {
	if len(g.View.Draws) == 0 {
		return T(ctx, "start.rotated")
	}
	drawn := g.drawn(g.View.Starter)
	text := T(ctx, "start.highest", "number", drawn[len(drawn)-1].Tile.Number())
	if slices.ContainsFunc(g.View.Draws, func(d engine.Drawn) bool { return d.Round > 1 }) {
		text += " " + T(ctx, "start.tied")
	}
	if slices.ContainsFunc(g.View.Draws, func(d engine.Drawn) bool { return d.Tile == tile.Joker }) {
		text += " " + T(ctx, "start.joker")
	}
	return text
}

// decisive tells whether a drawn tile is the one that its seat's draw ended with.
func (g Game) decisive(seat int, d engine.Drawn) bool {
	drawn := g.drawn(seat)
	return drawn[len(drawn)-1] == d
}

// doubles are the pairs of a rack, one face for each; the two jokers are none.
func doubles(rack []tile.Face) (pairs []tile.Face) {
	for f, n := range tile.CountFaces(rack) {
		if n == 2 && tile.Face(f) != tile.Joker {
			pairs = append(pairs, tile.Face(f))
		}
	}
	return pairs
}

// line is what a seat scored: as an official ruled, or as the racks give it.
func (g Game) line(seat int) ResultLine {
	if g.Corrected != nil && seat < len(g.Corrected.Lines) {
		return g.Corrected.Lines[seat]
	}
	r := g.View.Result
	return ResultLine{Points: r.Points[seat], Wins: r.Wins[seat], Charge: r.Charges[seat].Points, Why: r.Charges[seat].Reason}
}

// agrees tells whether the player at a seat finds the count right, ok whether the viewer is told.
func (g Game) agrees(seat int) (yes, ok bool) {
	if seat < 0 || seat >= len(g.Agreed) {
		return false, false
	}
	return g.Agreed[seat], true
}

func (g Game) agreeing() (n int) {
	for _, yes := range g.Agreed {
		if yes {
			n++
		}
	}
	return n
}

// countWords is the line beside the keys after a game.
func (g Game) countWords(ctx context.Context) string {
	mine, _ := g.agrees(g.View.Seat)
	switch {
	case g.Counted:
		return T(ctx, "result.counted")
	case mine:
		return T(ctx, "agree.thanks")
	}
	return T(ctx, "agree.ask")
}

// nextWords says what comes after this game.
func (g Game) nextWords(ctx context.Context) string {
	if g.Place.Number < g.Place.Of {
		return T(ctx, "next.game", "number", g.Place.Number+1, "of", g.Place.Of)
	}
	return T(ctx, "next.round")
}

// rankOf is the reader's own rank in the standings, empty when there is none.
func rankOf(rows []RankRow) string {
	for _, r := range rows {
		if r.Me {
			return r.Rank
		}
	}
	return ""
}
