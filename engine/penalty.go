package engine

// Proposal is a penalty that the rules name and an official has still to decide. Seq is that of its event.
type Proposal struct {
	Seq   int    `json:"seq"`
	Seat  int    `json:"seat"`
	Tiles int    `json:"tiles" doc:"what the rules say"`
	Cause string `json:"cause" enum:"timeout,idle,illegal"`
	At    Millis `json:"at"`
}

// The causes of a proposed penalty: a time-out with the table disturbed, one with the table as it was, an illegal play.
const (
	CauseTimeout = "timeout"
	CauseIdle    = "idle"
	CauseIllegal = "illegal"
)

// automatic is how many of n penalty tiles are drawn without an official.
func (s State) automatic(n int) int {
	if s.Rules.Penalties == Proposed {
		return 0
	}
	return n
}

// withProposal adds the proposal of a penalty to events, where the rules want one and the game goes on.
func (s State) withProposal(events []Event, n int, cause string) []Event {
	if n == 0 || s.automatic(n) == n || ended(events) {
		return events
	}
	return append(events, PenaltyProposed{Stamp{events[0].When()}, s.Turn.Seat, n, cause})
}

func ended(events []Event) bool {
	switch events[len(events)-1].(type) {
	case GameEnded, PlayEnded:
		return true
	}
	return false
}

func (s State) checkProposal(seq int) (Proposal, error) {
	for _, p := range s.Proposals {
		if p.Seq == seq {
			return p, nil
		}
	}
	return Proposal{}, refuse(RefusedNoProposal, "no penalty of seq %d waits for a decision", seq)
}

// decidePenalty lets a seat draw tiles, or gives it a notice. If that takes the pool's last tile while another seat
// plays, everybody has one more turn after the running one.
func decidePenalty(s State, c Penalise, said Said, at Millis) ([]Event, error) {
	if err := s.checkSeat(c.Seat); err != nil {
		return nil, err
	}
	if c.Proposal != 0 {
		switch p, err := s.checkProposal(c.Proposal); {
		case err != nil:
			return nil, err
		case p.Seat != c.Seat:
			return nil, refuse(RefusedSeat, "the penalty is proposed for seat %d", p.Seat)
		}
	}
	if c.Tiles < 0 || c.Tiles > maxPenaltyTiles {
		return nil, refuse(RefusedAmount, "%d penalty tiles: 0 to %d", c.Tiles, maxPenaltyTiles)
	}
	if c.Tiles == 0 {
		return []Event{NoticeGiven{Stamp{at}, c.Seat, said, c.Proposal}}, nil
	}
	if s.Phase == PhaseDealt {
		return nil, refuse(RefusedNotBegun, "the first turn has not begun")
	}
	tiles := s.top(c.Tiles)
	turn := s.Turn
	turn.Left = s.leftWithout(len(tiles))
	return []Event{PenaltyGiven{Stamp{at}, c.Seat, tiles, s.byHand(c.Tiles), said, turn, c.Tiles, c.Proposal}}, nil
}

// leftWithout is how many turns are left when n tiles are drawn out of turn.
func (s State) leftWithout(n int) int {
	if n > 0 && n == len(s.Pool) && s.Rules.Exhausted == LastLap {
		return fewer(s.Turn.Left, s.playing()+1)
	}
	return s.Turn.Left
}

func decideWaive(s State, c WaivePenalty, said Said, at Millis) ([]Event, error) {
	p, err := s.checkProposal(c.Proposal)
	if err != nil {
		return nil, err
	}
	return []Event{PenaltyWaived{Stamp{at}, p.Seat, p.Seq, said}}, nil
}

func decideWarning(s State, c Warn, said Said, at Millis) ([]Event, error) {
	if err := s.checkSeat(c.Seat); err != nil {
		return nil, err
	}
	return []Event{WarningGiven{Stamp{at}, c.Seat, said}}, nil
}
