package draw

import (
	"context"
	"slices"

	"gorm.io/gorm"

	"meldhall/engine/ruleset"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/format"
	"meldhall/tournament/ranking"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// Rounds returns a tournament's rounds by number, including a draft. The caller must check the right MaySeeDraft.
func Rounds(ctx context.Context, s *store.DB, tournamentID int64) ([]tournament.Round, error) {
	return store.All[tournament.Round](s.Read.WithContext(ctx).Where("tournament_id = ?", tournamentID).Order("number"))
}

// RoundByID returns one round, or NotFound.
func RoundByID(ctx context.Context, s *store.DB, id int64) (tournament.Round, error) {
	return tournament.FindRound(s.Read.WithContext(ctx), id)
}

// DiscardRound deletes an unpublished round. If a seating file's seats for later rounds would be lost, because no other
// round keeps them, that is a Conflict unless Drop is set.
type DiscardRound struct {
	Round int64 `json:"round,omitempty" path:"id" minimum:"1"`
	Drop  bool  `json:"drop_file,omitempty" query:"drop_file" doc:"allow giving up seats that a file holds for later rounds and no other round uses"`
}

var _ = action.NewKind[DiscardRound](action.Kind{Name: "round.discard", Right: rights.MaySeatRound,
	Changes: []action.What{action.TopicSeats},
	Details: action.Keep[discarded]})

// discarded is the audit record of a discarded draft: how many later rounds of a file were lost with it.
type discarded struct {
	GivenUp int `json:"given_up,omitempty"`
}

// After describes the lost rounds of the file, if any.
func (d discarded) After() []action.Phrase {
	if d.GivenUp == 0 {
		return nil
	}
	return []action.Phrase{action.Say("log.is.file_given_up", "n", d.GivenUp)}
}

func (d DiscardRound) Do(tx *action.Tx) (tournament.Round, error) {
	round, err := tournament.FindRound(tx.DB, d.Round)
	if err != nil {
		return round, err
	}
	if round.Status != tournament.RoundDraft {
		return round, refuse.Conflict("err_round_published", "round", round.Number)
	}
	n, err := fileLost(tx.DB, round)
	if err != nil {
		return round, err
	}
	if n > 0 && !d.Drop {
		return round, refuse.Conflict("err_draw_file", "round", round.Number, "n", n)
	}
	if err := PromiseAgain(tx, round, tx.Desk.Seeds()); err != nil {
		return round, err
	}
	tx.Record(action.Entry{Event: round.TournamentID, On: round.About(), Is: discarded{n}})
	return round, DeleteRound(tx.DB, d.Round)
}

// NextRound is the next round while it is being prepared.
type NextRound struct {
	tournament tournament.Tournament
	format     format.Format
	Rules      ruleset.Ruleset
	Rounds     []tournament.Round // all but the draft
	old        *tournament.Round  // the draft that is replaced
	Round      tournament.Round
	Stage      format.Stage
	Players    []int64 // by standings
	Board      *ranking.Board
	most       int             // maximum at a table, if the draft differs from the format; else 0
	promised   bool            // its seed was promised
	takenOver  map[int64]int64 // substitutes by the player whose place they took
	ahead      bool            // treat the previous round as finished, with its current results
	cut        *ranking.Cut    // the cut before the round, or before a play-off
	unranked   bool            // only the players are needed, not their standings
	staying    bool            // all players keep their seats of the previous round
	steps      int             // of the search, see action.Searches
	asked      int             // see tournament.Drawing
	fixed      map[int64]int   // table numbers by player with a fixed table
}

// NextRoundOf finds the next round and its players. The previous round must be finished.
func NextRoundOf(db *gorm.DB, tournamentID int64) (*NextRound, error) {
	d := &NextRound{}
	return d, d.load(db, tournamentID)
}

func (d *NextRound) load(db *gorm.DB, tournamentID int64) (err error) {
	if d.tournament, err = tournament.FindTournament(db, tournamentID); err != nil {
		return err
	}
	if d.format, err = d.tournament.Format(); err != nil {
		return err
	}
	if err := db.Where("tournament_id = ?", tournamentID).Order("number").Find(&d.Rounds).Error; err != nil {
		return err
	}
	if n := len(d.Rounds); n > 0 && d.Rounds[n-1].Status == tournament.RoundDraft {
		d.old, d.Rounds = &d.Rounds[n-1], d.Rounds[:n-1]
	}
	board := ranking.LoadBoardAt
	if d.unranked {
		board = ranking.UnrankedBoard
	}
	if d.Board, err = board(db, tournamentID, tournament.Always); err != nil {
		return err
	}
	if err := d.next(db); err != nil {
		return err
	}
	d.Stage = d.format.Stages[d.Round.Stage]
	d.Round.Games = d.Stage.GamesPerRound
	if d.Round.PlayOff > 0 {
		d.Round.Games = 1
	}
	if d.Rules, err = d.tournament.RulesAt(d.Round.Stage); err != nil {
		return err
	}
	d.Players, err = d.entrants()
	return err
}

// next finds the position of the next round in the format.
func (d *NextRound) next(db *gorm.DB) error {
	d.Round = tournament.Round{TournamentID: d.tournament.ID, Number: 1, StageRound: 1, Status: tournament.RoundDraft}
	if d.tournament.Status == tournament.StatusFinished {
		return refuse.Conflict("err_tournament_finished")
	}
	if len(d.Rounds) == 0 {
		return nil
	}
	last := d.Rounds[len(d.Rounds)-1]
	if last.Status != tournament.RoundFinished && !d.ahead {
		return refuse.Conflict("err_round_not_finished", "round", last.Number)
	}
	d.Round.Number, d.Round.Stage, d.Round.StageRound = last.Number+1, last.Stage, last.StageRound+1
	// then the standings decide the next round
	if d.Board.Unranked && (d.format.Stages[last.Stage].Until != "" || d.Board.StageOver(last.Stage)) {
		if err := d.Board.Rank(db); err != nil {
			return err
		}
	}
	if !d.Board.StageOver(last.Stage) {
		return nil
	}
	cut, err := d.Board.Cut(db, last.Stage+1)
	if err != nil {
		return err
	}
	d.cut = &cut
	if len(cut.PlayOff) > 0 {
		_, before := d.Board.RoundsOf(last.Stage)
		d.Round.PlayOff = before + 1
		return nil
	}
	if len(cut.Tied) > 0 && cut.Lot == nil {
		stage := d.format.Stages[min(cut.Stage, len(d.format.Stages)-1)]
		return refuse.Conflict("err_cut_tied", "stage", stage.Name, "tied", len(cut.Tied), "places", cut.Places)
	}
	if last.Stage+1 >= len(d.format.Stages) {
		return refuse.Conflict("err_no_more_rounds")
	}
	d.Round.Stage, d.Round.StageRound = last.Stage+1, 1
	return nil
}

// entrants returns the players of the next round, by standings. In the first stage these are all players, in the first
// round of a later stage those who advanced, and in its other rounds the players of the stage. Withdrawn and
// disqualified players are left out. In a play-off they are the tied players.
func (d *NextRound) entrants() ([]int64, error) {
	switch {
	case d.Round.PlayOff > 0:
		return slices.Concat(d.cut.PlayOff...), nil
	case d.cut != nil:
		return d.cut.Through(), nil
	}
	var players []int64
	for _, row := range d.Board.Rows {
		if row.Stage == d.Round.Stage && !row.Withdrawn && !row.Disqualified {
			players = append(players, row.Player)
		}
	}
	return players, nil
}

func seatsSame(tables [][]int64, players []int64) bool {
	seated, entered := slices.Concat(tables...), slices.Clone(players)
	slices.Sort(seated)
	slices.Sort(entered)
	return slices.Equal(seated, entered)
}

func insertRound(tx *gorm.DB, round *tournament.Round, plan [][]int64, numbers []int) error {
	if err := tx.Create(round).Error; err != nil {
		return store.Clash(err, "err_round_exists", "round", round.Number)
	}
	tables := make([]tournament.Table, len(plan))
	for i := range plan {
		tables[i] = tournament.Table{TournamentID: round.TournamentID, RoundID: round.ID, Number: numbers[i]}
	}
	if err := tournament.SameTiles(tx, *round, tables); err != nil {
		return err
	}
	if err := tx.CreateInBatches(tables, 100).Error; err != nil {
		return err
	}
	var seats []tournament.Seat
	for i, players := range plan {
		for seat, player := range players {
			seats = append(seats, tournament.Seat{RoundID: round.ID, TableID: tables[i].ID, Seat: seat,
				PlayerID: player})
		}
	}
	return store.Clash(tx.CreateInBatches(seats, 100).Error, "err_player_seated_twice", "round", round.Number)
}

// DeleteRound deletes a round with its tables and seats.
func DeleteRound(tx *gorm.DB, roundID int64) error {
	for _, rows := range []any{&tournament.Seat{}, &tournament.Table{}} {
		if err := tx.Where("round_id = ?", roundID).Delete(rows).Error; err != nil {
			return err
		}
	}
	return tx.Delete(&tournament.Round{}, roundID).Error
}

// apartTies rejects play-off tables that mix players of two ties, because a play-off only decides within a tie.
func (d *NextRound) apartTies(tables [][]int64) error {
	if d.Round.PlayOff == 0 {
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
				return refuse.Invalid("err_play_off_ties", "a", d.Board.Players[table[0]].Name, "b",
					d.Board.Players[id].Name)
			}
		}
	}
	return nil
}
