package part

import (
	"slices"

	"meldhall/engine"
	"meldhall/engine/tile"
)

// StatusKind returns the kind of Mark for a status word. The status words are those of tournaments, rounds, games,
// results and tables' needs; each has a text status.<word>.
func StatusKind(status string) string {
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

// Statuses lists all status words, for the test that each has a text.
var Statuses = []string{
	"draft", "published", "running", "finished", "waiting", "provisional", "confirmed",
	"called", "coming", "closing", "expired", "hurry", "protest", "proposal", "count", "paused", "held", "unlinked",
	"offline", "broken", "joined", "planned",
}

// DrawnNow reports for each tile of a rack, in face order, whether it is one of the drawn tiles. Among equal tiles, it
// marks the last ones.
func DrawnNow(rack, drawn []tile.Face) []bool {
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

// SinceClass returns the style class of a tile that is new to the viewer: laid since the viewer's last turn, or moved
// from another set.
func SinceClass(laid tile.LaidView, i int, since engine.Meanwhile) string {
	switch {
	case slices.Contains(laid.New, i), slices.Contains(since.New, laid.At+i):
		return "new"
	case slices.Contains(since.Moved, laid.At+i):
		return "moved"
	}
	return ""
}
