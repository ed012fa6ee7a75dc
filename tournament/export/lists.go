// Package export exports a tournament and its games: lists for people and spreadsheets, a game with its log, and the
// complete record of a game. It only reads.
package export

import (
	"context"
	"encoding/csv"
	"io"
	"strconv"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/engine/score"
	"meldhall/tournament"
	"meldhall/tournament/ranking"
	"meldhall/tournament/refuse"
	"meldhall/tournament/result"
	"meldhall/tournament/rosterfile"
	"meldhall/tournament/store"
)

// List is an exported table of a tournament: columns with stable names, and rows of numbers, strings and booleans, nil
// for an empty cell. It contains only published rounds and what the reader may see.
type List struct {
	Columns []string
	Rows    [][]any

	// stages is the stage of each column, from 1; 0 means all stages. It is empty if no column belongs to a single
	// stage.
	stages []int
}

// The lists of a tournament.
const (
	ListSeating       = "seating"
	ListResults       = "results"
	ListStandings     = "standings"
	ListQualification = "qualification"
	ListCrosstable    = "crosstable"
)

// Lists contains the names of all lists.
var Lists = []string{ListSeating, ListResults, ListStandings, ListQualification, ListCrosstable}

// ListOf returns the part that sight allows of the list named what, or NotFound for an unknown name.
func ListOf(ctx context.Context, s *store.DB, tournamentID int64, what string, sight tournament.Sight) (List, error) {
	switch what {
	case ListSeating:
		return listOf(ctx, s, tournamentID, sight, seatingColumns, addSeating)
	case ListResults:
		return listOf(ctx, s, tournamentID, sight, resultColumns, addResults)
	case ListStandings:
		return standingsList(ctx, s, tournamentID, sight.Standings)
	case ListQualification:
		return qualificationList(ctx, s, tournamentID, sight.Standings)
	case ListCrosstable:
		return crosstableList(ctx, s, tournamentID, sight)
	}
	return List{}, refuse.NotFound("err_list_unknown", "list", what)
}

var (
	seatingColumns = []string{"round", "stage", "table", "seat", "number", "player", "country", "club",
		"federation_number", "stand_in"}
	resultColumns = []string{"round", "stage", "table", "game", "seat", "number", "player", "country", "club",
		"federation_number", "stand_in", "status", "ending", "points", "wins", "charge", "reason", "revision"}
	standingColumns = []string{"place", "number", "player", "country", "club", "federation_number", "stage", "games",
		"wins", "points", "penalties", "total", "provisional", "withdrawn", "disqualified", "division"}
	qualificationColumns = []string{"division", "place", "number", "player", "country", "club",
		"federation_number", "state", "nth"}
)

func listOf(ctx context.Context, s *store.DB, tournamentID int64, sight tournament.Sight, columns []string,
	add func(*gorm.DB, *List, listedRound) error) (List, error) {
	list := List{Columns: columns, Rows: [][]any{}}
	err := s.Snapshot(ctx, func(db *gorm.DB) error {
		if _, err := tournament.FindTournament(db, tournamentID); err != nil {
			return err
		}
		var rounds []tournament.Round
		if err := db.Where("tournament_id = ? AND status IN ?", tournamentID,
			[]string{tournament.RoundPublished, tournament.RoundRunning,
				tournament.RoundFinished}).Order("number").Find(&rounds).Error; err != nil {
			return err
		}
		var standIns []tournament.StandIn
		if err := db.Where("tournament_id = ?", tournamentID).Find(&standIns).Error; err != nil {
			return err
		}
		for _, r := range sight.Rounds(rounds) {
			tables, err := tournament.FillTables(db, db.Where("round_id = ?", r.ID))
			if err != nil {
				return err
			}
			if err := add(db, &list, listedRound{r, tables, standIns, sight.Results}); err != nil {
				return err
			}
		}
		return nil
	})
	return list, err
}

// listedRound is a round of a list, with the moment before which its results are visible.
type listedRound struct {
	tournament.Round
	tables   []tournament.Table
	standIns []tournament.StandIn
	results  engine.Millis
}

// entryName returns the name of a seat's entry, even if a stand-in plays.
func entryName(p tournament.Player) string {
	if p.For != "" {
		return p.For
	}
	return p.Name
}

func addSeating(_ *gorm.DB, list *List, r listedRound) error {
	for _, t := range r.tables {
		for _, seat := range t.Seats {
			p := seat.Player
			list.Rows = append(list.Rows, []any{r.Number, r.Stage + 1, t.Number, seat.Seat + 1, p.Number, entryName(p),
				p.Country, p.Club, p.FederationNumber,
				tournament.StandInAt(r.standIns, p.ID, r.Number, 1)})
		}
	}
	return nil
}

func addResults(db *gorm.DB, list *List, r listedRound) error {
	byGame, err := result.RoundResultsIn(db, r.ID, r.results)
	if err != nil {
		return err
	}
	for _, t := range r.tables {
		for _, g := range t.Games {
			result, ok := byGame[g.ID]
			if !ok {
				continue
			}
			for _, l := range result.Lines {
				p := t.Seats[l.Seat].Player
				list.Rows = append(list.Rows, []any{r.Number, r.Stage + 1, t.Number, g.Number, l.Seat + 1, p.Number,
					entryName(p), p.Country, p.Club, p.FederationNumber,
					tournament.StandInAt(r.standIns, p.ID, r.Number, g.Number), result.Status, result.Ending, l.Points,
					l.Wins, l.Charge, l.Reason, result.Rev})
			}
		}
	}
	return nil
}

func standingsList(ctx context.Context, s *store.DB, tournamentID int64, at engine.Millis) (List, error) {
	st, err := ranking.StandingsAt(ctx, s, tournamentID, at)
	if err != nil {
		return List{}, err
	}
	list := List{Columns: standingColumns, Rows: make([][]any, len(st.Rows))}
	for i, r := range st.Rows {
		list.Rows[i] = []any{r.Place, r.Number, r.Name, r.Country, r.Club, r.FederationNumber, r.Stage + 1,
			r.Games, r.Wins, r.Points, r.Penalties, r.Total, r.Provisional,
			r.Withdrawn, r.Disqualified, r.Division}
	}
	return list, nil
}

// qualificationList returns who qualifies, by division if divisions have their own places. It omits the reasons of
// waivers.
func qualificationList(ctx context.Context, s *store.DB, tournamentID int64, at engine.Millis) (List, error) {
	q, err := ranking.QualificationAt(ctx, s, tournamentID, at)
	if err != nil {
		return List{}, err
	}
	rows := q.Standings.ByPlayer()
	list := List{Columns: qualificationColumns, Rows: make([][]any, len(q.Entries))}
	for i, e := range q.Entries {
		r := rows[e.Player]
		list.Rows[i] = []any{r.Division, e.Standing, r.Number, r.Name, r.Country, r.Club, r.FederationNumber,
			e.State, e.Nth}
	}
	return list, nil
}

// WriteCSV writes a list as in RFC 4180, in UTF-8 with a byte order mark. It escapes cells that a spreadsheet would
// treat as formulas.
func (l List) WriteCSV(w io.Writer) error {
	if _, err := io.WriteString(w, "\ufeff"); err != nil {
		return err
	}
	out := csv.NewWriter(w)
	out.UseCRLF = true
	out.Write(l.Columns)
	for _, row := range l.Rows {
		cells := make([]string, len(row))
		for i, value := range row {
			cells[i] = cellText(value)
		}
		out.Write(cells)
	}
	out.Flush()
	return out.Error()
}

// cellText returns a value as text. Numbers keep their sign, because they are not formulas.
func cellText(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case int:
		return strconv.Itoa(v)
	case bool:
		return strconv.FormatBool(v)
	case score.Twelfth: // as in JSON: a plain minus, which spreadsheets know
		text, _ := v.MarshalJSON()
		return string(text)
	case string:
		return rosterfile.GuardCell(v)
	}
	panic("export: a list cell must be a number, a string or a bool")
}

// Objects returns the rows as objects by column, for JSON.
func (l List) Objects() []map[string]any {
	all := make([]map[string]any, len(l.Rows))
	for i, row := range l.Rows {
		all[i] = make(map[string]any, len(row))
		for j, value := range row {
			all[i][l.Columns[j]] = value
		}
	}
	return all
}
