package ranking

import (
	"slices"

	"gorm.io/gorm"

	"meldhall/tournament"
	"meldhall/tournament/standing"
)

// CutMove lists the players whom a correction moves in, out or into a tie at the cut for a stage (from 0), or in the
// list of qualifiers if Stage is -1 (result.Qualifying). If Drawn is set, the stage was drawn by the old result and
// does not change; the move is hypothetical.
type CutMove struct {
	Stage         int
	Name          string // stage name
	Drawn         bool
	In, Out, Tied []tournament.Player
}

// The positions of a player at a cut: out, tied, or in.
const (
	isOut = iota
	isTied
	isIn
)

// AsDrawn returns the board from before the first round of a stage was published: players who had left by then are out,
// and the stage's entrants are in.
func (b *Board) AsDrawn(db *gorm.DB, stage standing.Stage) (*Board, error) {
	first := b.rounds[slices.IndexFunc(b.rounds, func(r tournament.Round) bool { return r.Number == stage.FirstRound })]
	left, err := tournament.WithdrawnAt(db, b.Tournament, first.PublishedAt)
	if err != nil {
		return nil, err
	}
	disqualified, err := DisqualifiedAt(db, b.Tournament.ID, first.PublishedAt)
	if err != nil {
		return nil, err
	}
	then := *b
	then.Input.Players = slices.Clone(b.Input.Players)
	for i := range then.Input.Players {
		p := &then.Input.Players[i]
		entered := slices.Contains(stage.Entrants, p.ID)
		if was, changed := left[p.Number]; changed {
			p.Withdrawn = was
		}
		p.Withdrawn, p.Disqualified = p.Withdrawn && !entered, disqualified[p.ID] && !entered
	}
	return then.Until(stage.FirstRound), nil
}

// Until returns the board with only the results from before a round.
func (b *Board) Until(round int) *Board {
	then := *b
	then.rounds = slices.DeleteFunc(slices.Clone(b.rounds), func(r tournament.Round) bool { return r.Number >= round })
	then.Input.Lines = slices.DeleteFunc(slices.Clone(b.Input.Lines),
		func(l standing.Line) bool { return l.Round >= round })
	then.Input.Penalties = slices.DeleteFunc(slices.Clone(b.Input.Penalties),
		func(p standing.Penalty) bool { return p.Round >= round })
	then.Input.Stages = slices.DeleteFunc(slices.Clone(b.Input.Stages),
		func(s standing.Stage) bool { return s.FirstRound >= round })
	then.Rows = standing.Rank(then.Input)
	return &then
}

// Steps maps the players who are in or tied at the cut to isIn or isTied. Players who are out are missing.
func (c Cut) Steps() map[int64]int {
	steps := map[int64]int{}
	for _, p := range c.Tied {
		steps[p] = isTied
	}
	for _, p := range c.Through() {
		steps[p] = isIn
	}
	return steps
}

// Qualifying maps the players who qualify by the standings, and those tied for the last places, to isIn or isTied.
// Other players are missing.
func (b *Board) Qualifying(waivers map[int64]Waiver) map[int64]int {
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

// Moved returns move with the players whose position differs between was and is, in the order of the standings. It
// returns nil if there are none.
func (b *Board) Moved(move CutMove, was, is map[int64]int) []CutMove {
	for _, r := range b.Rows {
		p := b.Players[r.Player]
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

// Places returns the places of some players among themselves.
func (b *Board) Places(some []int64) map[int64]int {
	places, first, n := map[int64]int{}, 0, 0
	last := 0
	for _, r := range b.Rows {
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
