package tournament

import (
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"gorm.io/gorm"

	"meldhall/tournament/pairing"
)

// SeatByScript drafts the next round as a seating file says: of a file with rounds, the lines of this one. A line that
// cannot stand is refused with its number, and nothing changes.
func (s *Store) SeatByScript(ctx context.Context, actor Actor, tournamentID int64, file io.Reader, note string) (Round, error) {
	if err := Authorize(actor, Place{Tournament: tournamentID}, ActSeatRound); err != nil {
		return Round{}, err
	}
	lines, err := pairing.ParseScript(io.LimitReader(file, scriptMost))
	var problem *pairing.ScriptProblem
	if errors.As(err, &problem) {
		return Round{}, &Error{Kind: Invalid, Key: problem.Key, Args: problem.Args}
	}
	if err != nil {
		return Round{}, err
	}
	var tables [][]int64
	err = s.snapshot(ctx, func(db *gorm.DB) error {
		d, err := newDraft(db, tournamentID)
		if err != nil {
			return err
		}
		tables, err = d.scripted(lines)
		return err
	})
	if err != nil {
		return Round{}, err
	}
	return s.DrawRound(ctx, actor, tournamentID, DrawOrder{Method: pairing.Script, Note: note, Tables: tables})
}

const scriptMost = 1 << 20

// scripted finds the players of a file's lines and their tables, which are numbered from 1 without gaps, as the seats of
// each.
func (d *draft) scripted(lines []pairing.ScriptLine) ([][]int64, error) {
	refuse := func(l pairing.ScriptLine, key string, nameValues ...any) error {
		return Refuse(Invalid, key, append([]any{"line", l.Line, "player", l.Player, "table", l.Table, "seat", l.Seat}, nameValues...)...)
	}
	seated, last := map[int64]int{}, lines[0]
	var tables [][]int64
	for _, l := range lines {
		if l.Round != 0 && l.Round != d.round.Number {
			continue
		}
		id, ok := d.named(l.Player)
		if !ok {
			return nil, refuse(l, "err_script_player")
		}
		if before, twice := seated[id]; twice {
			return nil, refuse(l, "err_script_twice", "before", before)
		}
		seated[id], last = l.Line, l
		for len(tables) < l.Table {
			tables = append(tables, nil)
		}
		for len(tables[l.Table-1]) < l.Seat {
			tables[l.Table-1] = append(tables[l.Table-1], 0)
		}
		if tables[l.Table-1][l.Seat-1] != 0 {
			return nil, refuse(l, "err_script_taken")
		}
		tables[l.Table-1][l.Seat-1] = id
	}
	for i, table := range tables {
		if len(table) < 2 || slices.Contains(table, 0) {
			return nil, refuse(last, "err_script_gap", "table", i+1)
		}
	}
	for _, id := range d.players {
		if _, ok := seated[id]; !ok {
			return nil, refuse(last, "err_script_missing", "player", d.board.players[id].Name)
		}
	}
	return tables, nil
}

// named finds who plays this round by start number or name.
func (d *draft) named(text string) (int64, bool) {
	number, err := strconv.Atoi(text)
	for _, id := range d.players {
		p := d.board.players[id]
		if err == nil && p.Number == number || err != nil && strings.EqualFold(p.Name, text) {
			return id, true
		}
	}
	return 0, false
}
