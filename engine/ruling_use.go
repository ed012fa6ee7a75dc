package engine

import "strconv"

// RulingUse names the ruling that an event of the log is of, as finely as an official's keys do: penalties by how many tiles. It is
// empty for other events, and for a penalty that the server proposed, which no key of its own gave.
func RulingUse(e Event) string {
	kind, ok := RulingKindOf(e.Kind())
	if !ok {
		return ""
	}
	switch e := e.(type) {
	case PenaltyGiven:
		if e.Proposal != 0 {
			return ""
		}
		return PenaltyUse(max(e.Asked, len(e.Tiles)+e.Count))
	case NoticeGiven:
		if e.Proposal != 0 {
			return ""
		}
		return PenaltyUse(0)
	}
	return kind.Name
}

// PenaltyUse is how RulingUse names a penalty of n tiles; four stand for all that are more.
func PenaltyUse(n int) string { return "penalty." + strconv.Itoa(min(n, 4)) }
