package templates

import (
	"slices"

	"meldhall/engine"
	"meldhall/engine/tile"
)

// statusKind gives a status word its sign. The status words are those of tournaments, rounds, games,
// results and of a table's need; each has a text status.<word>.
func statusKind(status string) string {
	switch status {
	case "called", "expired", "protest", "proposal", "hurry":
		return "now"
	case "running":
		return "go"
	case "finished", "confirmed", "joined":
		return "good"
	case "count", "coming", "provisional", "published":
		return "wait"
	case "paused":
		return "pause"
	case "offline", "broken":
		return "bad"
	}
	return "mute"
}

// statuses are all the status words, for the test that each has a text.
var statuses = []string{
	"draft", "published", "running", "finished", "waiting", "provisional", "confirmed",
	"called", "coming", "expired", "hurry", "protest", "proposal", "count", "paused", "offline", "broken", "joined", "planned",
}

func contains(faces []tile.Face, f tile.Face) bool { return slices.Contains(faces, f) }

// wholeWins is the number that chooses the plural form of a number of wins.
func wholeWins(w engine.Twelfth) int {
	if w == 12 {
		return 1
	}
	return max(2, int(w/12))
}
