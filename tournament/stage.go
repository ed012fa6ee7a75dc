package tournament

import (
	"cmp"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/format"
	"meldhall/tournament/game"
	"meldhall/tournament/preset"
	"meldhall/tournament/refuse"
	"meldhall/tournament/standing"
)

// roundsOf counts a stage's regular rounds and its play-offs.
func (b *board) roundsOf(stage int) (planned, playOffs int) {
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

// stageOver reports whether a stage has had all its planned rounds, or a player has reached its goal.
func (b *board) stageOver(stage int) bool {
	planned, _ := b.roundsOf(stage)
	plan := b.format.Stages[stage]
	if planned >= plan.Rounds || planned == 0 {
		return planned > 0
	}
	for _, row := range b.stageRows(stage) {
		if plan.Until == format.UntilWins && row.Wins >= engine.Whole(plan.UntilAt) ||
			plan.Until == format.UntilPoints && row.Total >= engine.Whole(plan.UntilAt) {
			return true
		}
	}
	return false
}

// cut returns the cut for a stage. If stage is the number of stages, it returns the cut for the first places at the
// end. It includes the newest lot among exactly the tied players and the play-off that is due.
func (b *board) cut(db *gorm.DB, stage int) (Cut, error) {
	cut := Cut{Stage: stage}
	var ties [][]int64
	var err error
	switch {
	case stage == len(b.format.Stages):
		ties = b.tiedFirst(&cut)
	case b.format.Stages[stage].PerTable > 0:
		ties, err = b.cutTables(db, &cut)
	default:
		cut.Size = b.format.Stages[stage].Cut
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
	scoring := b.format.ScoringOf(stage - 1)
	if _, playOffs := b.roundsOf(stage - 1); scoring.Has(format.TiePlayOff) && playOffs < format.PlayOffsMost {
		cut.PlayOff = ties
	}
	last := stage == len(b.format.Stages)
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
func (b *board) cutNow(db *gorm.DB) (cut *Cut, final bool, err error) {
	stage := len(b.input.Stages)
	played := slices.ContainsFunc(b.rows, func(r standing.Row) bool { return r.Games > 0 })
	if len(b.rounds) == 0 || !played || stage >= len(b.format.Stages) || b.tournament.Status == StatusFinished {
		return nil, false, nil
	}
	final = b.rounds[len(b.rounds)-1].Status == RoundFinished && b.stageOver(stage-1)
	if !final && b.format.Stages[stage].PerTable > 0 {
		return nil, false, nil
	}
	one, err := b.cut(db, stage)
	return &one, final, err
}

// tiedFirst finds ties for the first places that must be decided, in the stage or in each division if divisions have
// their own. The first tie becomes the cut's.
func (b *board) tiedFirst(cut *Cut) (ties [][]int64) {
	stage := cut.Stage - 1
	cut.Size = b.format.Stages[stage].Decide
	parts := [][]standing.Row{b.rows}
	if b.format.Qualification.PerDivision && cut.Size > 0 {
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

// cutTables takes the best players of each table of the previous stage. The first tie across a table's line that no lot
// has decided becomes the cut's.
func (b *board) cutTables(db *gorm.DB, cut *Cut) (ties [][]int64, err error) {
	last := b.lastPlanned(cut.Stage - 1)
	tables, err := tablesOf(db, last.ID)
	if err != nil {
		return nil, err
	}
	rows, perTable := b.stageRows(cut.Stage-1), b.format.Stages[cut.Stage].PerTable
	var in []int64
	for _, table := range tables {
		own := slices.DeleteFunc(slices.Clone(rows), func(r standing.Row) bool {
			return !slices.Contains(table,
				r.Player)
		})
		line := standing.Cut(own, perTable)
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
	for _, r := range rows {
		if slices.Contains(in, r.Player) {
			cut.In = append(cut.In, r.Player)
		}
	}
	cut.Size = len(cut.In) + cut.Places
	return ties, nil
}

// lastPlanned returns the last round of a stage that is not a play-off.
func (b *board) lastPlanned(stage int) Round {
	for _, r := range slices.Backward(b.rounds) {
		if r.Stage == stage && r.PlayOff == 0 {
			return r
		}
	}
	return Round{}
}

// over reports whether the tournament has had all its rounds and nothing is left to decide.
func (b *board) over(db *gorm.DB) (bool, error) {
	last := len(b.format.Stages) - 1
	if len(b.rounds) == 0 || b.rounds[len(b.rounds)-1].Stage != last || !b.stageOver(last) {
		return false, nil
	}
	cut, err := b.cut(db, last+1)
	return err == nil && (len(cut.Tied) == 0 || cut.Lot != nil), err
}

// playOffTables seats tied players, each tie at its own tables.
func playOffTables(ties [][]int64, rules engine.Ruleset) (tables [][]int64, err error) {
	for _, tied := range ties {
		for _, size := range format.PlayOff(len(tied)) {
			if size < rules.SeatsMin || size > rules.SeatsMax {
				return nil, refuse.Invalid("err_table_size", "players", len(tied), "size", size, "min", rules.SeatsMin,
					"max", rules.SeatsMax)
			}
			tables, tied = append(tables, tied[:size:size]), tied[size:]
		}
	}
	return tables, nil
}

// apartTies rejects play-off tables that mix players of two ties, because a play-off only decides within a tie.
func (d *nextRound) apartTies(tables [][]int64) error {
	if d.round.PlayOff == 0 {
		return nil
	}
	tieOf := map[int64]int{}
	for i, tied := range d.cut.PlayOff {
		for _, id := range tied {
			tieOf[id] = i
		}
	}
	for _, table := range tables {
		for _, id := range table[1:] {
			if tieOf[id] != tieOf[table[0]] {
				return refuse.Invalid("err_play_off_ties", "a", d.board.players[table[0]].Name, "b",
					d.board.players[id].Name)
			}
		}
	}
	return nil
}

// RulesAt returns the rule set of a stage: the tournament's, with the fields that the format overrides.
func (t Tournament) RulesAt(stage int) (engine.Ruleset, error) {
	f, rules, err := t.Plan()
	if err != nil || stage < 0 || stage >= len(f.Stages) {
		return rules, err
	}
	return preset.WithRules(rules, f.Stages[stage].Rules)
}

// RuleChanges returns the rulings that change the rules from a round on, in the order given.
func (t Tournament) RuleChanges() ([]game.RuleChange, error) {
	return game.ParseRuleChanges(t.RuleChangesJSON)
}

// RulesIn returns the rule set of a round, see game.RulesIn.
func (t Tournament) RulesIn(stage, round int) (engine.Ruleset, error) {
	f, rules, err := t.Plan()
	if err != nil {
		return rules, err
	}
	changes, err := t.RuleChanges()
	if err != nil {
		return rules, err
	}
	rules, err = game.RulesIn(rules, f, changes, stage, round)
	return rules, preset.AsRefusal(err)
}

// CheckRules checks a format against the tournament's rules. Every stage's own fields must fit the others, and points
// must be penalties exactly where the lowest total wins.
func CheckRules(f format.Format, rules engine.Ruleset) error {
	for i, s := range f.Stages {
		own, err := preset.WithRules(rules, s.Rules)
		if err != nil {
			return err
		}
		ranking := cmp.Or(f.ScoringOf(i).Ranking, own.Standings)
		if (ranking == engine.LowestPoints) != (own.Points == engine.Penalty) {
			return refuse.Invalid("err_format_points", "field", fmt.Sprintf("stages[%d].scoring.ranking", i), "stage",
				s.Name, "ranking", ranking, "points", own.Points)
		}
	}
	return nil
}
