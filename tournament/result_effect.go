package tournament

import (
	"slices"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/game"
	"meldhall/tournament/standing"
)

// CorrectionEffect is what a correction of a result changes, or would change, and what it leaves unchanged.
type CorrectionEffect struct {
	Before, After game.Result
	Moves         []StandingMove // changed wins, points or places, by new place
	Cuts          []CutMove      // changes in who advances or qualifies
	Rounds        []SeatedRound  // drawn since; they do not change
	Unbalanced    *Unbalanced    // nil when the points add up
	Second        bool           // awaits a second official; nothing has changed yet
}

// Unbalanced is a result whose points do not have the sum that the rules require of every game, by a ruling or by
// mistake.
type Unbalanced struct {
	Sum  engine.Twelfth `json:"sum"`
	Want engine.Twelfth `json:"want"`
}

// unbalancedIn returns the wrong sum, or nil if the points add up.
func unbalancedIn(r game.Result, rules engine.Ruleset) *Unbalanced {
	want, fixed := rules.Balance(r.Ending)
	var sum engine.Twelfth
	for _, l := range r.Lines {
		sum += l.Points
	}
	if !fixed || sum == want {
		return nil
	}
	return &Unbalanced{sum, want}
}

// StandingMove is a player's standing before and after a correction.
type StandingMove struct{ Before, After StandingsRow }

// CutMove is who enters and who drops out at the cut for a stage (from 0) by a correction, or in the list of qualifiers
// if Stage is Qualifying (-1). If Drawn is set, the stage was drawn by the old result and does not change; the move is
// hypothetical.
type CutMove struct {
	Stage         int
	Name          string // stage name
	Drawn         bool
	In, Out, Tied []Player
}

// Qualifying is the Stage of a CutMove in the list of qualifiers.
const Qualifying = -1

// SeatedRound is a round drawn after the round of the corrected game. Moved counts its players whose place in the order
// it was drawn by would change. It is 0 if the method uses no order (ByPlaces not set).
type SeatedRound struct {
	Round
	ByPlaces bool
	Moved    int
}

func standingMoves(before, after *board) (moves []StandingMove) {
	was := make(map[int64]StandingsRow, len(before.rows))
	for _, r := range before.rows {
		was[r.Player] = before.row(r)
	}
	for _, r := range after.rows {
		a, b := was[r.Player], r
		if a.Place != b.Place || a.Wins != b.Wins || a.Total != b.Total || a.Points != b.Points ||
			a.TablePoints != b.TablePoints || a.Games != b.Games {
			moves = append(moves, StandingMove{a, after.row(r)})
		}
	}
	return moves
}

// A player is out, tied at the cut, or in.
const (
	isOut = iota
	isTied
	isIn
)

// asDrawn returns the board from before the first round of a stage was published: players who had left by then are out,
// and the stage's entrants are in.
func (b *board) asDrawn(db *gorm.DB, stage standing.Stage) (*board, error) {
	first := b.rounds[slices.IndexFunc(b.rounds, func(r Round) bool { return r.Number == stage.FirstRound })]
	left, err := withdrawnAt(db, b.tournament, first.PublishedAt)
	if err != nil {
		return nil, err
	}
	disqualified, err := disqualifiedAt(db, b.tournament.ID, first.PublishedAt)
	if err != nil {
		return nil, err
	}
	then := *b
	then.input.Players = slices.Clone(b.input.Players)
	for i := range then.input.Players {
		p := &then.input.Players[i]
		entered := slices.Contains(stage.Entrants, p.ID)
		if was, changed := left[p.Number]; changed {
			p.Withdrawn = was
		}
		p.Withdrawn, p.Disqualified = p.Withdrawn && !entered, disqualified[p.ID] && !entered
	}
	return then.until(stage.FirstRound), nil
}

// until returns the board of the results before a round.
func (b *board) until(round int) *board {
	then := *b
	then.rounds = slices.DeleteFunc(slices.Clone(b.rounds), func(r Round) bool { return r.Number >= round })
	then.input.Lines = slices.DeleteFunc(slices.Clone(b.input.Lines),
		func(l standing.Line) bool { return l.Round >= round })
	then.input.Penalties = slices.DeleteFunc(slices.Clone(b.input.Penalties),
		func(p standing.Penalty) bool { return p.Round >= round })
	then.input.Stages = slices.DeleteFunc(slices.Clone(b.input.Stages),
		func(s standing.Stage) bool { return s.FirstRound >= round })
	then.rows = standing.Rank(then.input)
	return &then
}

func (c Cut) steps() map[int64]int {
	steps := map[int64]int{}
	for _, p := range c.Tied {
		steps[p] = isTied
	}
	for _, p := range c.Through() {
		steps[p] = isIn
	}
	return steps
}

// qualifying returns who qualifies by the standings.
func (b *board) qualifying(waivers map[int64]Waiver) map[int64]int {
	steps := map[int64]int{}
	for _, e := range b.qualification(waivers).Entries {
		switch e.State {
		case standing.Qualifies:
			steps[e.Player] = isIn
		case standing.Open:
			steps[e.Player] = isTied
		}
	}
	return steps
}

// moved adds the players whose step changed, by standings, or returns nil if there are none.
func (b *board) moved(move CutMove, was, is map[int64]int) []CutMove {
	for _, r := range b.rows {
		p := b.players[r.Player]
		switch from, to := was[p.ID], is[p.ID]; {
		case from == to:
		case to == isIn:
			move.In = append(move.In, p)
		case to == isTied:
			move.Tied = append(move.Tied, p)
		default:
			move.Out = append(move.Out, p)
		}
	}
	if len(move.In)+len(move.Out)+len(move.Tied) == 0 {
		return nil
	}
	return []CutMove{move}
}

// places returns the places of some players among themselves.
func (b *board) places(some []int64) map[int64]int {
	places, first, n := map[int64]int{}, 0, 0
	last := 0
	for _, r := range b.rows {
		if !slices.Contains(some, r.Player) {
			continue
		}
		if n++; r.Place != last {
			first, last = n, r.Place
		}
		places[r.Player] = first
	}
	return places
}
