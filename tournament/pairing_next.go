package tournament

import (
	"context"
	"slices"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/action"
	"meldhall/tournament/format"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// Rounds returns a tournament's rounds by number, including a draft. It is for officials only (MaySeeDraft).
func Rounds(ctx context.Context, s *store.DB, tournamentID int64) ([]Round, error) {
	return store.All[Round](s.Read.WithContext(ctx).Where("tournament_id = ?", tournamentID).Order("number"))
}

// RoundByID returns one round, or NotFound.
func RoundByID(ctx context.Context, s *store.DB, id int64) (Round, error) {
	return FindRound(s.Read.WithContext(ctx), id)
}

// DiscardRound deletes an unpublished round. Drop also allows the loss of a file's seats for later rounds that no other
// round keeps; without it that is a Conflict.
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

// After describes the lost draft.
func (d discarded) After() []action.Phrase {
	if d.GivenUp == 0 {
		return nil
	}
	return []action.Phrase{action.Say("log.is.file_given_up", "n", d.GivenUp)}
}

func (d DiscardRound) Do(tx *action.Tx) (Round, error) {
	round, err := FindRound(tx.DB, d.Round)
	if err != nil {
		return round, err
	}
	if round.Status != RoundDraft {
		return round, refuse.Conflict("err_round_published", "round", round.Number)
	}
	n, err := fileLost(tx.DB, round)
	if err != nil {
		return round, err
	}
	if n > 0 && !d.Drop {
		return round, refuse.Conflict("err_draw_file", "round", round.Number, "n", n)
	}
	if err := promiseAgain(tx, round, tx.Desk.Seeds()); err != nil {
		return round, err
	}
	tx.Record(action.Entry{Event: round.TournamentID, On: round.about(), Is: discarded{n}})
	return round, deleteRound(tx.DB, d.Round)
}

// nextRound is the next round while it is being prepared.
type nextRound struct {
	tournament Tournament
	format     format.Format
	rules      engine.Ruleset
	rounds     []Round // all but the draft
	old        *Round  // the draft that is replaced
	round      Round
	stage      format.Stage
	players    []int64 // by standings
	board      *board
	most       int             // maximum at a table, if the draft differs from the format; else 0
	promised   bool            // its seed was promised
	takenOver  map[int64]int64 // who now has whose place in a plan or a file
	ahead      bool            // treat the previous round as finished, with its current results
	cut        *Cut            // the cut before the round, or before a play-off
	unranked   bool            // only the players are needed, not their standings
	staying    bool            // all players keep their seats of the previous round
	steps      int             // of the search, see action.Searches
	asked      int             // see Drawing.Asked
	fixed      map[int64]int   // table numbers by player with a fixed table
}

// nextRoundOf finds the next round and its players. The previous round must be finished.
func nextRoundOf(db *gorm.DB, tournamentID int64) (*nextRound, error) {
	d := &nextRound{}
	return d, d.load(db, tournamentID)
}

func (d *nextRound) load(db *gorm.DB, tournamentID int64) (err error) {
	if d.tournament, err = FindTournament(db, tournamentID); err != nil {
		return err
	}
	if d.format, err = d.tournament.Format(); err != nil {
		return err
	}
	if err := db.Where("tournament_id = ?", tournamentID).Order("number").Find(&d.rounds).Error; err != nil {
		return err
	}
	if n := len(d.rounds); n > 0 && d.rounds[n-1].Status == RoundDraft {
		d.old, d.rounds = &d.rounds[n-1], d.rounds[:n-1]
	}
	board := loadBoardAt
	if d.unranked {
		board = unrankedBoard
	}
	if d.board, err = board(db, tournamentID, Always); err != nil {
		return err
	}
	if err := d.next(db); err != nil {
		return err
	}
	d.stage = d.format.Stages[d.round.Stage]
	d.round.Games = d.stage.GamesPerRound
	if d.round.PlayOff > 0 {
		d.round.Games = 1
	}
	if d.rules, err = d.tournament.RulesAt(d.round.Stage); err != nil {
		return err
	}
	d.players, err = d.entrants()
	return err
}

// next finds the position of the next round in the format.
func (d *nextRound) next(db *gorm.DB) error {
	d.round = Round{TournamentID: d.tournament.ID, Number: 1, StageRound: 1, Status: RoundDraft}
	if d.tournament.Status == StatusFinished {
		return refuse.Conflict("err_tournament_finished")
	}
	if len(d.rounds) == 0 {
		return nil
	}
	last := d.rounds[len(d.rounds)-1]
	if last.Status != RoundFinished && !d.ahead {
		return refuse.Conflict("err_round_not_finished", "round", last.Number)
	}
	d.round.Number, d.round.Stage, d.round.StageRound = last.Number+1, last.Stage, last.StageRound+1
	// then the standings decide the next round
	if d.board.unranked && (d.format.Stages[last.Stage].Until != "" || d.board.stageOver(last.Stage)) {
		if err := d.board.rank(db); err != nil {
			return err
		}
	}
	if !d.board.stageOver(last.Stage) {
		return nil
	}
	cut, err := d.board.cut(db, last.Stage+1)
	if err != nil {
		return err
	}
	d.cut = &cut
	if len(cut.PlayOff) > 0 {
		_, before := d.board.roundsOf(last.Stage)
		d.round.PlayOff = before + 1
		return nil
	}
	if len(cut.Tied) > 0 && cut.Lot == nil {
		stage := d.format.Stages[min(cut.Stage, len(d.format.Stages)-1)]
		return refuse.Conflict("err_cut_tied", "stage", stage.Name, "tied", len(cut.Tied), "places", cut.Places)
	}
	if last.Stage+1 >= len(d.format.Stages) {
		return refuse.Conflict("err_no_more_rounds")
	}
	d.round.Stage, d.round.StageRound = last.Stage+1, 1
	return nil
}

// entrants returns the players of the next round, by standings. In the first stage these are all players; in the first
// round of a later stage those who advanced; after that the players of the stage. Withdrawn and disqualified players
// are left out. In a play-off they are the tied players.
func (d *nextRound) entrants() ([]int64, error) {
	switch {
	case d.round.PlayOff > 0:
		return slices.Concat(d.cut.PlayOff...), nil
	case d.cut != nil:
		return d.cut.Through(), nil
	}
	var players []int64
	for _, row := range d.board.rows {
		if row.Stage == d.round.Stage && !row.Withdrawn && !row.Disqualified {
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

// tablesOf returns the players at a round's tables, in seat order.
func tablesOf(db *gorm.DB, roundID int64) ([][]int64, error) {
	var seats []Seat
	err := db.Select("seats.table_id, seats.player_id").Joins("JOIN tables ON tables.id = seats.table_id").
		Where("seats.round_id = ?", roundID).Order("tables.number, seats.seat").Find(&seats).Error
	var tables [][]int64
	last := int64(0)
	for _, seat := range seats {
		if seat.TableID != last {
			tables, last = append(tables, nil), seat.TableID
		}
		tables[len(tables)-1] = append(tables[len(tables)-1], seat.PlayerID)
	}
	return tables, err
}

func insertRound(tx *gorm.DB, round *Round, plan [][]int64, numbers []int) error {
	if err := tx.Create(round).Error; err != nil {
		return store.Clash(err, "err_round_exists", "round", round.Number)
	}
	tables := make([]Table, len(plan))
	for i := range plan {
		tables[i] = Table{TournamentID: round.TournamentID, RoundID: round.ID, Number: numbers[i]}
	}
	if err := sameTiles(tx, *round, tables); err != nil {
		return err
	}
	if err := tx.CreateInBatches(tables, 100).Error; err != nil {
		return err
	}
	var seats []Seat
	for i, players := range plan {
		for seat, player := range players {
			seats = append(seats, Seat{RoundID: round.ID, TableID: tables[i].ID, Seat: seat, PlayerID: player})
		}
	}
	return store.Clash(tx.CreateInBatches(seats, 100).Error, "err_player_seated_twice", "round", round.Number)
}

func deleteRound(tx *gorm.DB, roundID int64) error {
	for _, rows := range []any{&Seat{}, &Table{}} {
		if err := tx.Where("round_id = ?", roundID).Delete(rows).Error; err != nil {
			return err
		}
	}
	return tx.Delete(&Round{}, roundID).Error
}

func FindRound(db *gorm.DB, id int64) (Round, error) {
	return store.ByID[Round](db.Where(notGoing), "round", id)
}
