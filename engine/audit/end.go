package audit

import (
	"fmt"
	"slices"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/engine/tile"
)

// over checks the end and its score against section 6.
func (b *book) over(e engine.GameEnded) error {
	if e.End.Why != b.ends && !b.physical {
		return fmt.Errorf("ended %q, but the rules say %q", e.End.Why, b.ends)
	}
	b.phase, b.ends, b.stopped = engine.PhaseOver, "", false
	if b.physical && slices.ContainsFunc(b.now.racks[:], func(rack tile.List) bool { return len(rack) > 0 }) ||
		!b.physical {
		return b.score(e.End)
	}
	return nil // a score sheet, or a count without tiles
}

// counted stores the racks that were counted at a table with real tiles.
func (b *book) counted(e engine.RacksCounted) error {
	copy(b.now.racks[:], e.Racks)
	copy(b.now.opened[:], e.Opened)
	b.now.able = [ruleset.MaxSeats]bool{}
	copy(b.now.able[:], e.Able)
	b.ending, b.stopped, b.now.due = e.Why, false, 0
	return nil
}

func (b *book) score(end engine.End) error {
	charges, lowest := make([]int, b.seats), -1
	for seat := range charges {
		if charges[seat] = b.charge(seat); !b.out[seat] && (lowest < 0 || charges[seat] < lowest) {
			lowest = charges[seat]
		}
	}
	var winners []int
	keeps := b.rules.WinnerScores == ruleset.WinnerZero
	for seat := range charges {
		switch end.Why {
		case ruleset.EndedEmptied:
			if len(b.now.racks[seat]) == 0 {
				winners = append(winners, seat)
			}
		case ruleset.EndedForfeit:
			if !b.out[seat] {
				winners = append(winners, seat)
			}
		default:
			keeps = b.rules.ExhaustedWinner == ruleset.WinnerZero
			if !b.out[seat] && charges[seat] == lowest {
				winners = append(winners, seat)
			}
		}
	}
	if end.Why == ruleset.EndedEmptied || end.Why == ruleset.EndedForfeit {
		lowest = 0
	}
	lost, collected := make([]int, b.seats), 0
	for seat := range charges {
		if !slices.Contains(winners, seat) {
			lost[seat] = max(charges[seat]-lowest, 0)
			collected += lost[seat]
		}
	}
	if keeps {
		collected = 0
	}
	return b.compare(end.Outcome, winners, charges, lost, collected)
}

func (b *book) compare(o score.Outcome, winners, charges, lost []int, collected int) error {
	for seat := range charges {
		points, wins := score.Whole(-lost[seat]), score.Twelfth(0)
		if b.rules.Points == ruleset.Penalty {
			points = -points
		}
		if slices.Contains(winners, seat) {
			n := score.Twelfth(len(winners))
			if points, wins = score.Whole(collected+b.rules.WinBonus)/n,
				score.Whole(1)/n; b.rules.Points == ruleset.Penalty {
				points = score.Whole(-b.rules.WinBonus) / n
			}
		}
		if o.Points[seat] != points || o.Wins[seat] != wins || o.Charges[seat].Points != charges[seat] {
			return fmt.Errorf("seat %d: points %v, wins %v, charge %d; the rules say %v, %v, %d",
				seat, o.Points[seat], o.Wins[seat], o.Charges[seat].Points, points, wins, charges[seat])
		}
	}
	return nil
}

// charge returns the cost of a rack.
func (b *book) charge(seat int) int {
	sum := 0
	for _, t := range b.now.racks[seat] {
		if t.Face().IsJoker() {
			sum += b.rules.JokerPoints
		} else {
			sum += t.Face().Number()
		}
	}
	if b.now.opened[seat] || len(b.now.racks[seat]) == 0 || b.rules.NoMeldAble == 0 && b.rules.NoMeldUnable == 0 {
		return sum
	}
	closed := b.rules.NoMeldUnable
	if b.rules.AbleWhen == ruleset.AnyTurn && b.now.able[seat] || b.couldOpen(seat) {
		closed = b.rules.NoMeldAble
	}
	switch b.rules.NoMeldCounts {
	case ruleset.Added:
		return closed + sum
	case ruleset.Higher:
		return max(closed, sum)
	}
	return closed
}
