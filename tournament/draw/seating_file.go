package draw

import (
	"slices"

	"gorm.io/gorm"

	"meldhall/engine/ruleset"
	"meldhall/tournament"
	"meldhall/tournament/pairing"
	"meldhall/tournament/refuse"
	"meldhall/tournament/spelling"
)

// readFile parses a seating file. If the file has rounds, readFile takes this round and the later ones of the stage;
// those are seated when they are drawn. The error for an invalid line includes its number.
func (r *PairRound) readFile(db *gorm.DB) error {
	if r.File == nil {
		return nil
	}
	lines, err := scriptLines(db.Statement.Context, *r.File, r.Ignore)
	if err != nil {
		return err
	}
	d, err := NextRoundOf(db, r.Tournament)
	if err != nil {
		return err
	}
	closed, err := ClosedNumbers(db, r.Tournament)
	if err != nil {
		return err
	}
	r.Method = pairing.Script
	r.rounds, err = d.scripted(lines, closed)
	return err
}

// scripted returns a file's seats for this round and the later ones of the stage, without gaps.
func (d *NextRound) scripted(lines []scriptLine, closed []int) ([]pairing.Round, error) {
	last := d.Round.Number
	if d.Round.PlayOff == 0 {
		last += max(0, d.Stage.Rounds-d.Round.StageRound)
	}
	byRound, end := map[int][]scriptLine{}, d.Round.Number
	for _, l := range lines {
		number := l.round
		if number == 0 {
			number = d.Round.Number
		}
		if number < d.Round.Number || l.stage != 0 && l.stage != d.Round.Stage+1 {
			continue
		}
		if number > last {
			return nil, refuse.Invalid("err_script_round", "line", l.line, "round", number, "last", last)
		}
		byRound[number], end = append(byRound[number], l), max(end, number)
	}
	var rounds []pairing.Round
	for number := d.Round.Number; number <= end; number++ {
		if len(byRound[number]) == 0 {
			return nil, refuse.Invalid("err_script_no_round", "line", lines[len(lines)-1].line, "round", number)
		}
		tables, err := d.scriptedRound(number, byRound[number], closed)
		if err != nil {
			return nil, err
		}
		rounds = append(rounds, tables)
	}
	return rounds, nil
}

// scriptedRound turns a round's lines into its tables. Table numbers start at 1 and have no gaps except for tables out
// of service.
func (d *NextRound) scriptedRound(number int, lines []scriptLine, closed []int) (pairing.Round, error) {
	lineFault := func(l scriptLine, key string, nameValues ...any) error {
		return refuse.Invalid(key, append([]any{"line", l.line, "round", number, "player", l.player, "table", l.table,
			"seat", l.seat}, nameValues...)...)
	}
	seated, tables := map[int64]int{}, map[int]*[ruleset.MaxSeats]int64{}
	lastOf, most := map[int]scriptLine{}, 0
	for _, l := range lines {
		id, ok := d.named(l.player)
		if !ok {
			return nil, lineFault(l, "err_script_player")
		}
		if before, twice := seated[id]; twice {
			return nil, lineFault(l, "err_script_twice", "before", before)
		}
		seated[id], lastOf[l.table], most = l.line, l, max(most, l.table)
		if tables[l.table] == nil {
			tables[l.table] = new([ruleset.MaxSeats]int64)
		}
		if tables[l.table][l.seat-1] != 0 {
			return nil, lineFault(l, "err_script_taken")
		}
		tables[l.table][l.seat-1] = id
	}
	last := lines[len(lines)-1]
	var plan pairing.Round
	for table := 1; table <= most; table++ {
		if tables[table] == nil {
			if !slices.Contains(closed, table) {
				return nil, lineFault(last, "err_script_gap", "table", table)
			}
			continue
		}
		seats := tables[table][:]
		for len(seats) > 0 && seats[len(seats)-1] == 0 {
			seats = seats[:len(seats)-1]
		}
		if slices.Contains(seats, 0) {
			return nil, lineFault(lastOf[table], "err_script_gap")
		}
		if len(seats) < d.Rules.SeatsMin || len(seats) > d.Rules.SeatsMax {
			return nil, lineFault(lastOf[table], "err_script_size", "size", len(seats), "min", d.Rules.SeatsMin, "max",
				d.Rules.SeatsMax)
		}
		plan = append(plan, seats)
	}
	for _, id := range d.Players {
		if _, ok := seated[id]; !ok {
			return nil, lineFault(last, "err_script_missing", "player", d.Board.Players[id].Name)
		}
	}
	return plan, nil
}

// scriptAhead returns the previous round if its seating file also has seats for this one, else nil.
func (d *NextRound) scriptAhead() *tournament.Round {
	if d.Round.PlayOff > 0 || d.Round.StageRound == 1 {
		return nil
	}
	if last := &d.Rounds[len(d.Rounds)-1]; last.Method == pairing.Script && len(last.PlannedRounds()) > 0 {
		return last
	}
	return nil
}

// fitsScript rejects a file's seats that do not match the current players; the error names one such player.
func (d *NextRound) fitsScript(seats pairing.Round) error {
	if seatsSame(seats, d.Players) {
		return nil
	}
	seated, name := slices.Concat(seats...), ""
	for _, id := range append(slices.Clone(seated), d.Players...) {
		if !slices.Contains(seated, id) || !slices.Contains(d.Players, id) {
			name = d.Board.Players[id].Name
		}
	}
	return refuse.Conflict("err_script_stale", "round", d.Round.Number, "player", name)
}

// named finds a player of this round by start number or name.
func (d *NextRound) named(text string) (int64, bool) {
	number, isNumber := spelling.Whole(text)
	for _, id := range d.Players {
		p := d.Board.Players[id]
		if isNumber && p.Number == number || !isNumber && spelling.Fold(p.Name) == spelling.Fold(text) {
			return id, true
		}
	}
	return 0, false
}
