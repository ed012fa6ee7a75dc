package engine

import "strconv"

// RulingUse returns the name under which the ruling of an event is counted for the officials' keys: the name of its
// kind or, for a penalty, the PenaltyUse of its tiles. It is empty for other events, and for a decision on a penalty
// that the server proposed, which has no key of its own.
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
