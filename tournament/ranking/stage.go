package ranking

import (
	"slices"

	"gorm.io/gorm"

	"meldhall/engine/score"
	"meldhall/tournament"
	"meldhall/tournament/format"
	"meldhall/tournament/standing"
)

// RoundsOf counts a stage's regular rounds and its play-offs.
func (b *Board) RoundsOf(stage int) (planned, playOffs int) {
	for _, r := range b.rounds {
		switch {
		case r.Stage != stage:
		case r.PlayOff > 0:
			playOffs++
		default:
			planned++
		}
	}
	return planned, playOffs
}

// StageOver reports whether a stage has had all its planned rounds, or a player has reached its goal.
func (b *Board) StageOver(stage int) bool {
	planned, _ := b.RoundsOf(stage)
	plan := b.Format.Stages[stage]
	if planned >= plan.Rounds || planned == 0 {
		return planned > 0
	}
	for _, row := range b.stageRows(stage) {
		if plan.Until == format.UntilWins && row.Wins >= score.Whole(plan.UntilAt) ||
			plan.Until == format.UntilPoints && row.Total >= score.Whole(plan.UntilAt) {
			return true
		}
	}
	return false
}

// Cut returns the cut for a stage. If stage is the number of stages, it returns the cut for the first places at the
// end. It includes the newest lot among exactly the tied players and the play-off that is due.
func (b *Board) Cut(db *gorm.DB, stage int) (Cut, error) {
	cut := Cut{Stage: stage}
	var ties [][]int64
	var err error
	switch {
	case stage == len(b.Format.Stages):
		ties = b.tiedFirst(&cut)
	case b.Format.Stages[stage].PerTable > 0:
		ties, err = b.cutTables(db, &cut)
	default:
		cut.Size = b.Format.Stages[stage].Cut
		line := standing.Cut(b.stageRows(stage-1), cut.Size)
		cut.In, cut.Tied, cut.Places = line.In, line.Tied, line.Places
		if len(cut.Tied) > 0 {
			ties = [][]int64{cut.Tied}
		}
	}
	if err != nil || len(cut.Tied) == 0 {
		return cut, err
	}
	if cut.Lot, err = b.lotAmong(db, stage, cut.Tied); err != nil || cut.Lot != nil {
		return cut, err
	}
	scoring := b.Format.ScoringOf(stage - 1)
	if _, playOffs := b.RoundsOf(stage - 1); scoring.Has(format.TiePlayOff) && playOffs < format.PlayOffsMost {
		cut.PlayOff = ties
	}
	last := stage == len(b.Format.Stages)
	if last && len(cut.PlayOff) == 0 && !scoring.Has(format.TieLot) {
		cut.In, cut.Tied, cut.Places = append(cut.In, cut.Tied...), nil, 0 // they share the place
		return cut, nil
	}
	cut.Ties = ties
	if len(cut.PlayOff) > 0 {
		cut.Decides = append(cut.Decides, format.TiePlayOff)
	}
	if !last || scoring.Has(format.TieLot) {
		cut.Decides = append(cut.Decides, format.TieLot)
	}
	return cut, nil
}

// cutNow returns the next cut by the current standings, or nil if there is none. final reports whether the running
// stage has had all its games. A cut at each table exists only then.
func (b *Board) cutNow(db *gorm.DB) (cut *Cut, final bool, err error) {
	stage := len(b.Input.Stages)
	played := slices.ContainsFunc(b.Rows, func(r standing.Row) bool { return r.Games > 0 })
	if len(b.rounds) == 0 || !played || stage >= len(b.Format.Stages) ||
		b.Tournament.Status == tournament.StatusFinished {
		return nil, false, nil
	}
	final = b.rounds[len(b.rounds)-1].Status == tournament.RoundFinished && b.StageOver(stage-1)
	if !final && b.Format.Stages[stage].PerTable > 0 {
		return nil, false, nil
	}
	one, err := b.Cut(db, stage)
	return &one, final, err
}

// tiedFirst finds ties for the first places that must be decided, in the stage or in each division if divisions have
// their own. The first tie becomes the cut's.
func (b *Board) tiedFirst(cut *Cut) (ties [][]int64) {
	stage := cut.Stage - 1
	cut.Size = b.Format.Stages[stage].Decide
	parts := [][]standing.Row{b.Rows}
	if b.Format.Qualification.PerDivision && cut.Size > 0 {
		parts = nil
		for _, name := range b.divisionNames() {
			parts = append(parts, b.division(name))
		}
	}
	for _, rows := range parts {
		before := len(ties)
		rows = slices.DeleteFunc(slices.Clone(rows), func(r standing.Row) bool {
			return r.Stage != stage ||
				r.Withdrawn || r.Disqualified
		})
		for i := 0; i < len(rows) && i < cut.Size; {
			j := i
			var tied []int64
			for ; j < len(rows) && rows[j].Place == rows[i].Place; j++ {
				tied = append(tied, rows[j].Player)
			}
			switch {
			case len(tied) > 1:
				ties = append(ties, tied)
			case len(ties) == before:
				cut.In = append(cut.In, tied...)
			}
			i = j
		}
	}
	if len(ties) > 0 {
		cut.Tied, cut.Places = ties[0], len(ties[0])
	}
	return ties
}

// cutTables takes the best players of each table of the previous stage, and then the best of the others if the stage
// has more places. The first tie across a line that no lot has decided becomes the cut's.
func (b *Board) cutTables(db *gorm.DB, cut *Cut) (ties [][]int64, err error) {
	last := b.lastPlanned(cut.Stage - 1)
	tables, err := tournament.TablesOf(db, last.ID)
	if err != nil {
		return nil, err
	}
	rows, plan := b.stageRows(cut.Stage-1), b.Format.Stages[cut.Stage]
	var in []int64
	for _, table := range tables {
		line := standing.Cut(standing.AtTable(rows, table), plan.PerTable)
		in = append(in, line.In...)
		if len(line.Tied) == 0 {
			continue
		}
		lot, err := b.lotAmong(db, cut.Stage, line.Tied)
		if err != nil {
			return nil, err
		}
		if lot != nil {
			in = append(in, lot.Drawn[:line.Places]...)
			continue
		}
		if ties = append(ties, line.Tied); len(ties) == 1 {
			cut.Tied, cut.Places = line.Tied, line.Places
		}
	}
	cut.AtTables = slices.Clone(in)
	if places := plan.Cut - len(in); places > 0 && len(ties) == 0 {
		line := standing.Cut(standing.Rest(rows, tables, in, plan.Fill == format.FillNext), places)
		if in = append(in, line.In...); len(line.Tied) > 0 {
			cut.Tied, cut.Places, ties = line.Tied, line.Places, [][]int64{line.Tied}
		}
	}
	for _, r := range standing.AtTable(rows, in) {
		cut.In = append(cut.In, r.Player)
	}
	cut.Size = max(len(cut.In)+cut.Places, plan.Cut)
	return ties, nil
}

// lastPlanned returns the last round of a stage that is not a play-off.
func (b *Board) lastPlanned(stage int) tournament.Round {
	for _, r := range slices.Backward(b.rounds) {
		if r.Stage == stage && r.PlayOff == 0 {
			return r
		}
	}
	return tournament.Round{}
}

// Over reports whether the tournament has had all its rounds and nothing is left to decide.
func (b *Board) Over(db *gorm.DB) (bool, error) {
	last := len(b.Format.Stages) - 1
	if len(b.rounds) == 0 || b.rounds[len(b.rounds)-1].Stage != last || !b.StageOver(last) {
		return false, nil
	}
	cut, err := b.Cut(db, last+1)
	return err == nil && (len(cut.Tied) == 0 || cut.Lot != nil), err
}
