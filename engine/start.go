package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
)

// Commit returns the published commitment to a deal: the SHA-256, in hex, of the salt and the shuffled orders as text.
// Salt and orders are shown after the game, so anyone can check that no tile was moved.
func Commit(d Deal) string {
	pool, _ := d.Pool.MarshalText()
	draws, _ := d.Draws.MarshalText()
	sum := sha256.Sum256(slices.Concat([]byte("meldhall deal 1\n"+d.Salt+"\n"), draws, []byte("\n"), pool))
	return hex.EncodeToString(sum[:])
}

// checkDeal refuses an incomplete deal, and one that does not follow from its joint shuffle.
func (s *State) checkDeal(d Deal, seats int, draws bool) error {
	if !complete(d.Pool) || draws && !complete(d.Draws) {
		return refuse(RefusedBadDeal, "a deal must have each of the 106 tiles once")
	}
	if len(d.Salt) < 16 {
		return refuse(RefusedBadDeal, "the salt is shorter than 16 characters")
	}
	if d.Joint == nil {
		return nil
	}
	if err := d.Joint.Check(); err != nil {
		return refuse(RefusedBadDeal, "%v", err)
	}
	if d.Joint.Deal != s.Deal+1 || len(d.Joint.Shares) != seats {
		return refuse(RefusedBadDeal, "the shuffle is of deal %d for %d seats", d.Joint.Deal, len(d.Joint.Shares))
	}
	if s.Joint != nil && (d.Joint.Game != s.Joint.Game || d.Joint.Secret != s.Joint.Secret) {
		return refuse(RefusedBadDeal, "the secret of the shuffle has changed")
	}
	if j := Dealt(*d.Joint); j.Salt != d.Salt || !slices.Equal(j.Pool, d.Pool) || !slices.Equal(j.Draws, d.Draws) {
		return refuse(RefusedBadDeal, "the order does not follow from the shuffle")
	}
	return nil
}

func complete(order tile.List) bool {
	return slices.Equal(slices.Sorted(slices.Values(order)), tile.All())
}

func (c Start) decide(s *State, at Millis) ([]Event, error) {
	if s.Phase != PhaseNew {
		return nil, refuse(RefusedAlreadyStarted, "the game has started")
	}
	if err := c.Rules.Validate(); err != nil {
		return nil, err
	}
	if c.Seats < c.Rules.SeatsMin || c.Seats > c.Rules.SeatsMax {
		return nil, refuse(RefusedSeats, "%d players: the rules allow %d to %d at a table", c.Seats, c.Rules.SeatsMin,
			c.Rules.SeatsMax)
	}
	if c.First != DrawForStart && (c.First < 0 || c.First >= c.Seats) {
		return nil, refuse(RefusedSeat, "there is no seat %d at a table of %d", c.First, c.Seats)
	}
	if err := checkExtra(c.Extra, c.Seats); err != nil {
		return nil, err
	}
	if c.Physical { // First is DrawForStart if the draw is held at the real table and entered later
		return []Event{GameStarted{Stamp: Stamp{at}, Rules: c.Rules, Seats: c.Seats, Starter: c.First, Extra: c.Extra,
			Physical: true, Edition: Edition}}, nil
	}
	if err := s.checkDeal(c.Deal, c.Seats, c.First == DrawForStart); err != nil {
		return nil, err
	}
	starter, draws := c.First, []Drawn(nil)
	if c.First == DrawForStart {
		starter, draws = drawForStart(c.Seats, c.Deal.Draws)
	}
	began := *s
	began.Rules, began.Seats, began.Starter = c.Rules, c.Seats, starter
	return []Event{
		GameStarted{Stamp: Stamp{at}, Rules: c.Rules, Seats: c.Seats, Draws: draws, Starter: starter, Extra: c.Extra,
			Edition: Edition},
		began.deal(c.Deal, 0, at),
	}, nil
}

func checkExtra(extra []int, seats int) error {
	if len(extra) > seats {
		return refuse(RefusedSeats, "extra time for %d seats at a table of %d", len(extra), seats)
	}
	for seat, seconds := range extra {
		if seconds < 0 || seconds > ruleset.MaxTurnSeconds {
			return refuse(RefusedAmount, "%d seconds more for seat %d: must be 0 to %d", seconds, seat,
				ruleset.MaxTurnSeconds)
		}
	}
	return nil
}

// drawForStart draws a tile for every seat and returns the seat with the highest number, which begins. Seats that tie
// for the highest number draw again. A seat that draws a joker draws again at once (RULES.md section 5).
func drawForStart(seats int, order tile.List) (int, []Drawn) {
	var draws []Drawn
	contenders := make([]int, seats)
	for seat := range contenders {
		contenders[seat] = seat
	}
	next := 0
	for round := 1; ; round++ {
		best, highest := []int(nil), 0
		for _, seat := range contenders {
			number := 0
			for number == 0 {
				if next == len(order) {
					return contenders[0], draws
				}
				face := order[next].Face()
				next++
				draws = append(draws, Drawn{round, seat, face})
				number = face.Number()
			}
			if number > highest {
				best, highest = best[:0], number
			}
			if number == highest {
				best = append(best, seat)
			}
		}
		if contenders = best; len(contenders) == 1 {
			return contenders[0], draws
		}
	}
}

// deal gives each seat 14 tiles, seat after seat, from the top of the shuffled pool.
func (s State) deal(d Deal, number int, at Millis) TilesDealt {
	e := TilesDealt{Stamp: Stamp{at}, Order: d.Pool, Commitment: Commit(d), Deal: d}
	for seat := range s.Seats {
		rack := slices.Clone(d.Pool[seat*ruleset.HandTiles : (seat+1)*ruleset.HandTiles])
		e.Racks = append(e.Racks, rack)
		e.MayRedeal = append(e.MayRedeal, s.Rules.Redeal != ruleset.Off && Doubles(tile.FacesOf(rack)) >= 3)
	}
	e.Pool = slices.Clone(d.Pool[s.Seats*ruleset.HandTiles:])
	e.Turn = Turn{Number: number, Seat: s.Starter, Started: at, Due: at + Millis(s.Rules.StartSeconds)*1000}
	return e
}

// Doubles counts the pairs of the same face. The two jokers do not count.
func Doubles(rack []tile.Face) int {
	pairs := 0
	for f, k := range tile.CountFaces(rack) {
		if tile.Face(f) != tile.Joker && k == 2 {
			pairs++
		}
	}
	return pairs
}

// decide records that a seat is ready or, at a physical table, that all seats are. A physical game cannot begin before
// its starter is known.
func (c Ready) decide(s *State, at Millis) ([]Event, error) {
	all := s.Physical && c.Seat == Everybody
	if err := s.checkSeat(c.Seat); err != nil && !all {
		return nil, err
	}
	switch {
	case s.Phase != PhaseDealt:
		return nil, refuse(RefusedStaleTurn, "the first turn has begun")
	case s.Edition > 0 && s.Ending != "": // before, being ready was the way to the count
		return nil, refuse(RefusedCounting, "the turns have ended, the racks are being counted")
	case s.Turn.Number != c.Turn:
		return nil, refuse(RefusedStaleTurn, "turn %d is over, this is turn %d", c.Turn, s.Turn.Number)
	case !all && s.Out[c.Seat]:
		return nil, refuse(RefusedSeatOut, "seat %d is no longer playing", c.Seat)
	case !all && s.Ready[c.Seat]:
		return nil, refuse(RefusedAlreadyReady, "seat %d is already ready", c.Seat)
	case s.Paused != nil && !s.Paused.Held():
		return nil, refuse(RefusedPaused, "the clock is stopped")
	case s.Starter == NoStarter:
		return nil, refuse(RefusedNoStarter, "nobody has said who begins")
	}
	var events []Event
	waiting := false
	for seat := range s.Seats {
		switch {
		case s.Ready[seat], s.Out[seat]:
		case all || seat == c.Seat:
			events = append(events, SeatReady{Stamp{at}, seat})
		default:
			waiting = true
		}
	}
	if !waiting {
		events = append(events, s.playBegins(at))
	}
	return events, nil
}

func (s *State) playBegins(at Millis) PlayBegan {
	e := PlayBegan{Stamp: Stamp{at}, MayRedeal: make([]bool, s.Seats)}
	for seat := range e.MayRedeal {
		e.MayRedeal[seat] = s.Rules.Redeal == ruleset.OwnFirstTurn && s.MayRedeal(seat)
	}
	first := s.starts()
	e.Turn = Turn{Number: s.Turn.Number + 1, Seat: first, Started: at, Due: s.turnDue(first, at)}
	e.Turn.Able = player{s, first}.ableAtTurn()
	return e
}
