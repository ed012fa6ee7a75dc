// Package judge decides whether a play is legal under a rule set, and finds the best legal play. It works on a table
// and a rack, and is independent of games.
package judge

import (
	"fmt"
	"slices"
	"strings"

	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
)

// The codes of an illegal play, in the order in which Judge checks them (RULES.md section 3).
const (
	CodeInvalidSet           = "invalid_set"
	CodeTileLost             = "tile_lost"
	CodeNotOnRack            = "not_on_rack"
	CodeNothingPlayed        = "nothing_played"
	CodeTableTouched         = "table_touched"
	CodeMeldShort            = "meld_short"
	CodeJokerWithoutRackTile = "joker_without_rack_tile"
	CodeJokerNotReplaced     = "joker_not_replaced"
)

// A Move is a play to be judged: the table before, the player's rack, and the whole table after, with its sets as laid.
type Move struct {
	Opened bool // the player has already made an initial meld
	Relief bool // all the others have opened; counts only under last_to_open_relief
	Before [][]tile.Face
	Rack   []tile.Face
	After  [][]tile.Face
}

// A Verdict is the result of judging a Move.
type Verdict struct {
	Legal  bool   `json:"legal"`
	Code   string `json:"code,omitempty" doc:"the reason if the play is illegal"` // "" for a legal play
	Points int    `json:"points,omitempty" doc:"worth of the new sets, when it is to open"`
	Set    int    `json:"set" doc:"index of the first invalid set; -1: none"` // index in After
	// legal plays only; sorted by the tile's text
	Played tile.FaceList `json:"played,omitempty" doc:"the tiles that would leave the rack"`
	// the fault in one English sentence, for logs and programs
	Detail string `json:"detail,omitempty"`
	// Touched lists indices of After.
	Touched []int `json:"touched,omitempty" doc:"the sets that change the table although the player has not opened"`
	Worth   int   `json:"worth,omitempty" doc:"what the valid new sets of an illegal play are worth, when it is to open"`
}

// Judge decides whether a play is legal under a rule set (RULES.md section 3). It compares faces only. Where copies can
// be matched or sets can be read in more than one way, the way that favours the player counts.
func Judge(r ruleset.Ruleset, m Move) Verdict { return Of(&r, &m) }

// Of implements Judge. Goroutines of thousands of waiting connections keep the largest stack that Of needed, so code
// for faults is in separate functions.
func Of(r *ruleset.Ruleset, m *Move) Verdict {
	played, fault := m.played()
	switch {
	case fault != nil:
	case !m.Opened:
		var points int
		if points, fault = judgeOpening(r, m); fault == nil {
			return Verdict{Legal: true, Points: points, Set: -1, Played: byText(&played)}
		}
	default:
		if fault = jokerFault(r, m, &played); fault == nil {
			return Verdict{Legal: true, Set: -1, Played: byText(&played)}
		}
	}
	if !m.Opened {
		fault.Touched = touched(m)
		fault.Worth = worth(m, fault.Touched)
	}
	return *fault
}

// touched returns the sets that were not on the table before and cannot come from the rack alone.
func touched(m *Move) (sets []int) {
	rack := tile.CountFaces(m.Rack)
	for i, set := range m.After {
		lay := func(old []tile.Face) bool { return Unchanged(old, set) }
		if !tile.CountFaces(set).Within(rack) && !slices.ContainsFunc(m.Before, lay) {
			sets = append(sets, i)
		}
	}
	return sets
}

// worth returns the value of the valid sets that were not on the table before, without those that change it.
func worth(m *Move, touched []int) (points int) {
	old := slices.Clone(m.Before)
	for i, set := range m.After {
		at := slices.IndexFunc(old, func(old []tile.Face) bool { return Unchanged(old, set) })
		switch {
		case at >= 0:
			old = slices.Delete(old, at, at+1)
		case tile.Valid(set) && !slices.Contains(touched, i):
			points += tile.Value(set)
		}
	}
	return points
}

// played returns the tiles that a play lays from the rack. It returns a fault if a set is invalid, a tile of the table
// is missing, a tile is not on the rack, or no tile was laid.
func (m *Move) played() (played tile.Counts, fault *Verdict) {
	for i, set := range m.After {
		if !tile.Valid(set) {
			return played, &Verdict{Code: CodeInvalidSet, Set: i,
				Detail: fmt.Sprintf("set %d, %v, is not a set: %s", i+1, set, tile.Fault(set))}
		}
	}
	before, after, rack := tile.CountFaces(m.Before...), tile.CountFaces(m.After...), tile.CountFaces(m.Rack)
	if !before.Within(after) {
		return played, illegal(CodeTileLost, "tiles of the table that are missing after the play: %v",
			excess(before, after))
	}
	played = after.Minus(before)
	if !played.Within(rack) {
		return played, &Verdict{Code: CodeNotOnRack, Set: Strange(m.After, played, rack),
			Detail: fmt.Sprintf("neither on the table nor on the rack: %v", excess(played, rack))}
	}
	if played.Total() == 0 {
		return played, illegal(CodeNothingPlayed, "no tile from the rack was played")
	}
	return played, nil
}

func illegal(code, format string, args ...any) *Verdict {
	return &Verdict{Code: code, Set: -1, Detail: fmt.Sprintf(format, args...)}
}

// excess returns the faces that a has more of than b.
func excess(a, b tile.Counts) []tile.Face {
	for f := range a {
		a[f] -= min(a[f], b[f])
	}
	return a.List()
}

// Strange returns the index of the first set with a tile that came neither from the table nor from the rack, or -1.
func Strange(sets [][]tile.Face, played, rack tile.Counts) int {
	return slices.IndexFunc(sets, func(set []tile.Face) bool {
		return slices.ContainsFunc(set, func(f tile.Face) bool { return played[f] > rack[f] })
	})
}

// judgeOpening requires an unchanged table and new sets worth meld_points, unless the relief applies. It returns their
// value. The new sets hold only rack tiles, because all tiles of the table lie in the sets that are still there.
func judgeOpening(r *ruleset.Ruleset, m *Move) (points int, fault *Verdict) {
	fresh := make([]bool, len(m.After))
	for i := range fresh {
		fresh[i] = true
	}
	for _, old := range m.Before {
		at := -1
		for i, set := range m.After {
			if fresh[i] && Unchanged(old, set) {
				at = i
				break
			}
		}
		if at < 0 {
			return 0, illegal(CodeTableTouched, "the set %v on the table was changed before opening", old)
		}
		fresh[at] = false
	}
	sets := 0
	for i, set := range m.After {
		if fresh[i] {
			sets++
			points += tile.Value(set)
		}
	}
	relieved := r.LastToOpenRelief && m.Relief && sets >= 2
	if points < r.MeldPoints && !relieved {
		fault = illegal(CodeMeldShort, "the new sets are worth %d of the %d points needed to open", points,
			r.MeldPoints)
		fault.Points = points
		return 0, fault
	}
	return points, nil
}

// Unchanged reports whether a set lies as before: the same tiles and, for a run, in the same order.
func Unchanged(old, set []tile.Face) bool {
	if slices.Equal(old, set) {
		return true
	}
	_, wasGroup := tile.AsGroup(old)
	_, isGroup := tile.AsGroup(set)
	return wasGroup && isGroup && tile.CountFaces(old) == tile.CountFaces(set)
}

// textOrder lists all faces in the order of their text: B1, B10, B11, …
var textOrder = facesByText()

func facesByText() (order [tile.Faces]tile.Face) {
	for f := range order {
		order[f] = tile.Face(f)
	}
	slices.SortFunc(order[:], func(a, b tile.Face) int { return strings.Compare(a.String(), b.String()) })
	return order
}

func byText(c *tile.Counts) []tile.Face {
	list := make([]tile.Face, 0, c.Total())
	for _, f := range textOrder {
		for range c[f] {
			list = append(list, f)
		}
	}
	return list
}
