package engine

import "strconv"

// RulingUse names the ruling of an event, with the detail of the officials' keys: penalties by their number of tiles.
// It is empty for other events, and for a decision on a penalty that the server proposed, which has no key of its own.
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

// PenaltyUse returns the name that RulingUse gives a penalty of n tiles; 4 stands for four or more.
func PenaltyUse(n int) string { return "penalty." + strconv.Itoa(min(n, 4)) }
