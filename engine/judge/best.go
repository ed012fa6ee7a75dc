package judge

import (
	"meldhall/engine/ruleset"
	"meldhall/engine/solve"
	"meldhall/engine/tile"
)

// BestPlay returns the best legal play of m's player, by exact search. For a player who has opened it searches the
// whole table under the joker rules of r. Otherwise it leaves the table as it is and adds the best initial meld; this
// search has no limit. The table of the result is a legal After for m, and its Value is the charge under r that the
// play takes off the rack. BestPlay does not use m.After. The sets of m.Before must be valid.
func BestPlay(r ruleset.Ruleset, m Move, q solve.Question) solve.Play {
	rack := tile.CountFaces(m.Rack)
	if m.Opened {
		return solve.Best(solve.Position{Rules: jokerRules(r), Table: m.Before, Rack: rack}, q)
	}
	play := solve.Play{Table: m.Before, Kept: len(m.Before), Proven: true}
	meld := meldOf(r, m.Relief)
	meld.Aim = q.Aim
	if best, ok := meld.Best(rack); ok {
		play.Tiles, play.Value, play.Played = best.Tiles, best.Value, tile.CountFaces(best.Sets...)
		play.Table = append(m.Before[:len(m.Before):len(m.Before)], best.Sets...)
	}
	return play
}

// CanMove reports whether m's player can lay any tile legally. limit is the number of states to search; 0 means no
// limit. proven is false if the limit was reached before the answer was certain; can is then false.
func CanMove(r ruleset.Ruleset, m Move, limit int) (can, proven bool) {
	rack := tile.CountFaces(m.Rack)
	if m.Opened {
		return solve.CanPlay(solve.Position{Rules: jokerRules(r), Table: m.Before, Rack: rack}, limit)
	}
	return meldOf(r, m.Relief).Exists(rack), true
}

// CanOpen reports, by exact search, whether the rack can make an initial meld on its own. relief is Move.Relief.
func CanOpen(r ruleset.Ruleset, rack tile.Counts, relief bool) bool {
	return meldOf(r, relief).Exists(rack)
}

// BestOpening returns the most valuable initial meld, even if it is too small to open. If the rack can open only under
// the relief, it returns the most valuable sets that do. ok is false if the rack holds no set.
func BestOpening(r ruleset.Ruleset, rack tile.Counts, relief bool) (o solve.Opening, ok bool) {
	o, ok = solve.Meld{Aim: solve.HighestPoints}.Best(rack)
	if ok && o.Points < r.MeldPoints {
		meld := meldOf(r, relief)
		meld.Aim = solve.HighestPoints
		if relieved, opens := meld.Best(rack); opens {
			return relieved, true
		}
	}
	return o, ok
}

// meldOf returns the requirements for an initial meld. relief says that all other players have opened.
func meldOf(r ruleset.Ruleset, relief bool) solve.Meld {
	return solve.Meld{Points: r.MeldPoints, Relief: relief && r.LastToOpenRelief, JokerPoints: r.JokerPoints}
}

func jokerRules(r ruleset.Ruleset) solve.Rules {
	rules := solve.Rules{WithRackTile: r.JokerRelease == ruleset.WithRackTile, JokerPoints: r.JokerPoints}
	switch r.JokerReplace {
	case ruleset.TableOrRack:
		rules.Replace = solve.TableOrRack
	case ruleset.FromRack:
		rules.Replace = solve.FromRack
	}
	return rules
}
