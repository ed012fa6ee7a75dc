package templates

import (
	"context"
	"slices"

	"meldhall/engine"
	"meldhall/engine/tile"
)

// statusKind gives a status word its sign. The status words are those of tournaments, rounds, games,
// results and of a table's need; each has a text status.<word>.
func statusKind(status string) string {
	switch status {
	case "called", "closing", "expired", "protest", "proposal", "hurry":
		return "now"
	case "running":
		return "go"
	case "finished", "confirmed", "joined":
		return "good"
	case "count", "coming", "provisional", "published":
		return "wait"
	case "paused":
		return "pause"
	case "offline", "broken", "held", "unlinked":
		return "bad"
	}
	return "mute"
}

// statuses are all the status words, for the test that each has a text.
var statuses = []string{
	"draft", "published", "running", "finished", "waiting", "provisional", "confirmed",
	"called", "coming", "closing", "expired", "hurry", "protest", "proposal", "count", "paused", "held", "unlinked",
	"offline", "broken", "joined", "planned",
}

// drawnNow marks the tiles of a rack in face order that were drawn: of equal ones the last.
func drawnNow(rack, drawn []tile.Face) []bool {
	left := tile.CountFaces(drawn)
	marks := make([]bool, len(rack))
	for i := len(rack) - 1; i >= 0; i-- {
		if f := rack[i]; left[f] > 0 {
			left[f]--
			marks[i] = true
		}
	}
	return marks
}

// sinceClass is how a tile of a set is marked for who has not seen it lie there yet: laid since, or come from another set.
func sinceClass(laid engine.LaidView, i int, since engine.Meanwhile) string {
	switch {
	case slices.Contains(laid.New, i), slices.Contains(since.New, laid.At+i):
		return "new"
	case slices.Contains(since.Moved, laid.At+i):
		return "moved"
	}
	return ""
}

// WinsText is a number of wins in words.
func WinsText(ctx context.Context, wins engine.Twelfth) string {
	return T(ctx, "past.wins", "n", wholeWins(wins), "wins", AmountText(ctx, wins))
}

// wholeWins is the number that chooses the plural form of a number of wins.
func wholeWins(w engine.Twelfth) int {
	if w == 12 {
		return 1
	}
	return max(2, int(w/12))
}
