package game

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/engine/tile"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

const insertEvidence = `INSERT INTO evidence (game_id, turn, seat, at, kind, data) VALUES ($1,$2,$3,$4,$5,$6)`

// addEvidence writes rows in one transaction.
func addEvidence(ctx context.Context, s *store.DB, rows []Evidence) error {
	tx, err := s.WriteSQL.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	for _, r := range rows {
		if _, err := tx.ExecContext(ctx, insertEvidence, r.GameID, r.Turn, r.Seat, int64(r.At), r.Kind,
			r.Data); err != nil {
			return errors.Join(err, tx.Rollback())
		}
	}
	return tx.Commit()
}

// Of returns the evidence of a game in the order in which it was recorded, for officials. It writes waiting notes
// first.
func (n *Notes) Of(ctx context.Context, actor rights.Actor, game int64) ([]Evidence, error) {
	snap, err := n.games.Look(ctx, game)
	if err != nil {
		return nil, err
	}
	if err := rights.Authorize(actor, rights.Place{Tournament: snap.Ref.TournamentID, Table: snap.Ref.TableID,
		Seat: -1}, rights.MaySeeDesk); err != nil {
		return nil, err
	}
	n.flush()
	return store.All[Evidence](n.games.DB.Read.WithContext(ctx).Where("game_id = ?", game).Order("id"))
}

// EarlierRuling is a penalty, a warning or a similar ruling against a player earlier in the tournament.
type EarlierRuling struct {
	Game      int64         `json:"game_id"`
	Round     int           `json:"round"`
	Table     int           `json:"table"`
	Number    int           `json:"number" doc:"the game's number at its table"`
	At        engine.Millis `json:"at"`
	Kind      string        `json:"kind" doc:"the event's kind: penalty_given, warning_given, illegal_ruled, seat_forfeited, turn_skipped"`
	Tiles     int           `json:"tiles,omitempty"`
	Reason    string        `json:"reason,omitempty"`
	Rule      string        `json:"rule,omitempty" doc:"the article of the regulations"`
	By        string        `json:"by,omitempty"`
	Cancelled bool          `json:"cancelled,omitempty"`
}

// selectRulingsOn selects the rulings against a player before a moment.
func selectRulingsOn(db *gorm.DB) string {
	field := func(column, name string) string { return store.JSONField(db, column, name) }
	return `
	SELECT g.id, r.number, t.number, g.number, e.at, e.kind, coalesce(` + field("e.data", "tiles") + `, ''), coalesce(` + field("e.data", "reason") + `, ''),
		coalesce(` + field("e.data", "rule") + `, ''), coalesce(` + field("e.data", "by") + `, ''),
		EXISTS (SELECT 1 FROM game_events c WHERE c.game_id = e.game_id AND c.kind = 'ruling_cancelled'
			AND CAST(` + field("c.data", "of") + ` AS INTEGER) = e.seq)
	FROM seats s JOIN tables t ON t.id = s.table_id JOIN rounds r ON r.id = t.round_id JOIN games g ON g.table_id = t.id JOIN game_events e ON e.game_id = g.id
	WHERE s.player_id = $1 AND e.at < $2 AND CAST(` + field("e.data", "seat") + ` AS INTEGER) = s.seat
		AND e.kind IN ` + KindList(engine.RulingEvents(func(k engine.RulingKind) bool { return k.Against })) + `
	ORDER BY e.at, e.id`
}

// KindList formats kinds of events for a query.
func KindList(kinds []string) string { return "('" + strings.Join(kinds, "', '") + "')" }

// RulingsOn returns the rulings against the player at a seat in this tournament before a moment.
func RulingsOn(ctx context.Context, s *store.DB, ref Ref, seat int, before engine.Millis) (all []EarlierRuling,
	err error) {
	if seat >= len(ref.Players) {
		return nil, nil
	}
	rows, err := s.ReadSQL.QueryContext(ctx, selectRulingsOn(s.Read), ref.Players[seat], int64(before))
	if err != nil {
		return nil, fmt.Errorf("read the rulings on player %d: %w", ref.Players[seat], err)
	}
	defer func(rows *sql.Rows) { err = errors.Join(err, rows.Close()) }(rows)
	for rows.Next() {
		var r EarlierRuling
		var tiles string
		if err := rows.Scan(&r.Game, &r.Round, &r.Table, &r.Number, &r.At, &r.Kind, &tiles, &r.Reason, &r.Rule, &r.By,
			&r.Cancelled); err != nil {
			return nil, err
		}
		r.Tiles = len(strings.Fields(tiles))
		all = append(all, r)
	}
	return all, rows.Err()
}

// DraftChange is the difference between a draft and the one before it, or the table at the start of the turn. Out lists
// the cells of the sets that are gone, In the sets that are new or changed. All is the whole table, used if cells do
// not identify the sets.
type DraftChange struct {
	Out string  `json:"out,omitempty"`
	In  string  `json:"in,omitempty"`
	All *string `json:"all,omitempty"`
}

// changeOf returns the change that leads from before to after.
func changeOf(before, after []tile.LaidFaces) DraftChange {
	if !oneEach(before) || !oneEach(after) {
		text := tableText(after)
		return DraftChange{All: &text}
	}
	var gone []string
	var fresh []tile.LaidFaces
	for _, set := range before {
		if i := at(after, set.At); i < 0 {
			gone = append(gone, strconv.Itoa(set.At))
		}
	}
	for _, set := range after {
		if i := at(before, set.At); i < 0 || !slices.Equal(before[i].Faces, set.Faces) {
			fresh = append(fresh, set)
		}
	}
	return DraftChange{Out: strings.Join(gone, " "), In: tableText(fresh)}
}

// Apply returns the table after the change, with its sets in the order of their cells.
func (c DraftChange) Apply(before []tile.LaidFaces) ([]tile.LaidFaces, error) {
	if c.All != nil {
		return ParseTable(*c.All)
	}
	after := slices.Clone(before)
	for cell := range strings.FieldsSeq(c.Out) {
		n, err := strconv.Atoi(cell)
		if err != nil {
			return nil, fmt.Errorf("cell %q: %w", cell, err)
		}
		after = slices.DeleteFunc(after, func(set tile.LaidFaces) bool { return set.At == n })
	}
	fresh, err := ParseTable(c.In)
	if err != nil {
		return nil, err
	}
	for _, set := range fresh {
		if i := at(after, set.At); i >= 0 {
			after[i] = set
		} else {
			after = append(after, set)
		}
	}
	slices.SortStableFunc(after, func(a, b tile.LaidFaces) int { return a.At - b.At })
	return after, nil
}

// oneEach reports whether every set has a cell of its own.
func oneEach(table []tile.LaidFaces) bool {
	seen := make(map[int]bool, len(table))
	for _, set := range table {
		if set.At < 0 || seen[set.At] {
			return false
		}
		seen[set.At] = true
	}
	return true
}

func at(table []tile.LaidFaces, cell int) int {
	return slices.IndexFunc(table, func(set tile.LaidFaces) bool { return set.At == cell })
}

// tableText formats a table of faces as the log formats one of tiles: "0 R4 J R6;14 K5 O5 B5".
func tableText(table []tile.LaidFaces) string {
	var text []byte
	for i, set := range table {
		if i > 0 {
			text = append(text, ';')
		}
		text = strconv.AppendInt(text, int64(set.At), 10)
		for _, f := range set.Faces {
			text = append(text, ' ')
			text = append(text, f.String()...)
		}
	}
	return string(text)
}

// ParseTable parses the sets of a table as evidence stores them.
func ParseTable(text string) ([]tile.LaidFaces, error) {
	var table []tile.LaidFaces
	if text == "" {
		return nil, nil
	}
	for part := range strings.SplitSeq(text, ";") {
		cell, tiles, _ := strings.Cut(part, " ")
		n, err := strconv.Atoi(cell)
		if err != nil {
			return nil, fmt.Errorf("set %q: %w", part, err)
		}
		faces, err := tile.ParseFaces(tiles)
		if err != nil {
			return nil, fmt.Errorf("set %q: %w", part, err)
		}
		table = append(table, tile.LaidFaces{At: n, Faces: faces})
	}
	return table, nil
}
