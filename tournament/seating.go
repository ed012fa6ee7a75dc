package tournament

import (
	"slices"

	"meldhall/tournament/format"
	"meldhall/tournament/pairing"
)

// drawable is the way of seating that a draft is drawn by when the format asks for another one than can be drawn: what an
// organizer seats by hand or by a file begins as a lot.
func drawable(seating string) string {
	if slices.Contains(pairing.Methods, seating) {
		return seating
	}
	switch seating {
	case format.Interval:
		return pairing.Snake
	case format.Winners:
		return pairing.Standings
	}
	return pairing.Random
}
