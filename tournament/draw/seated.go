package draw

import (
	"context"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/pairing"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
	"meldhall/tournament/store"
)

// Seated is a draft, or a published round whose seats can still change, with its tables.
type Seated struct {
	d      *NextRound
	q      pairing.Request
	Round  tournament.Round
	Tables []tournament.Table
}

// openDraft reads a round, which must be a draft of exactly the current players. Its request can check seats but not
// assess them: only results that decide who plays are loaded.
func openDraft(db *gorm.DB, roundID int64) (*Seated, error) {
	round, err := tournament.FindRound(db, roundID)
	if err != nil {
		return nil, err
	}
	if round.Status != tournament.RoundDraft {
		return nil, refuse.Conflict("err_round_published", "round", round.Number)
	}
	return readSeats(db, round, &NextRound{unranked: true}, false)
}

// readSeats reads a draft with its tables. A draft that does not seat exactly the current players is a Conflict, unless
// anybody is set.
func readSeats(db *gorm.DB, round tournament.Round, d *NextRound, anybody bool) (*Seated, error) {
	if err := d.load(db, round.TournamentID); err != nil {
		return nil, err
	}
	d.Round.Method, d.Round.Seed = round.Method, round.Seed
	filled := tournament.FillTables
	if d.unranked { // names are not needed to check seats
		filled = tournament.SeatedTables
	}
	tables, err := filled(db, db.Where("round_id = ?", round.ID))
	if err != nil {
		return nil, err
	}
	s := &Seated{d: d, Round: round, Tables: tables}
	if anybody {
		d.Players = slices.Concat(s.plan()...)
	}
	if d.old == nil || d.old.ID != round.ID || !seatsSame(s.plan(), d.Players) {
		return nil, refuse.Conflict("err_draft_stale", "round", round.Number)
	}
	if s.q, err = d.Request(db); err == nil {
		s.q.Sizes = TableSizes(s.plan()) // may differ from the format's
	}
	return s, err
}

// TableSizes returns the number of players at each table.
func TableSizes(tables [][]int64) []int {
	sizes := make([]int, len(tables))
	for i, table := range tables {
		sizes[i] = len(table)
	}
	return sizes
}

func (s *Seated) plan() pairing.Round {
	var plan pairing.Round
	for _, t := range s.Tables {
		var table []int64
		for _, seat := range t.Seats {
			table = append(table, seat.PlayerID)
		}
		plan = append(plan, table)
	}
	return plan
}

// CheckRound records that an organizer has approved a draft. The draft must seat exactly the current players.
type CheckRound struct {
	Round int64 `json:"round,omitempty" path:"id" minimum:"1"`
}

var _ = action.NewKind[CheckRound](action.Kind{Name: "round.check", Right: rights.MaySeatRound,
	Changes: []action.What{action.TopicSeats}})

func (c CheckRound) Do(tx *action.Tx) (tournament.Round, error) {
	open, err := openDraft(tx.DB, c.Round)
	if err != nil {
		return tournament.Round{}, err
	}
	if err := pairing.Check(open.q, []pairing.Round{open.plan()}); err != nil {
		return tournament.Round{}, refuse.Invalid("err_seats_wrong", "detail", err.Error())
	}
	tx.Record(action.Entry{Event: open.Round.TournamentID, On: open.Round.About()})
	open.Round.CheckedAt, open.Round.CheckedBy = tx.Now(), tx.Actor.Name
	return open.Round, tx.Model(&open.Round).Select("checked_at", "checked_by").Updates(&open.Round).Error
}

// SetDuplicate sets whether all tables of a round get the same deal. It can be changed until the round starts.
type SetDuplicate struct {
	Round     int64 `json:"round,omitempty" path:"id" minimum:"1"`
	Duplicate bool  `json:"duplicate"`
}

var _ = action.NewKind[SetDuplicate](action.Kind{Name: "round.duplicate", Right: rights.MaySeatRound,
	Changes: []action.What{action.TopicSeats},
	Details: action.Steps("log.is.")})

func (s SetDuplicate) Do(tx *action.Tx) (tournament.Round, error) {
	round, err := tournament.FindRound(tx.DB, s.Round)
	if err != nil {
		return round, err
	}
	if round.Status != tournament.RoundDraft && round.Status != tournament.RoundPublished {
		return round, refuse.Conflict("err_round_begun", "round", round.Number)
	}
	if round.Duplicate == s.Duplicate {
		return round, nil
	}
	tx.Record(action.Entry{Event: round.TournamentID, On: round.About(),
		Is: action.Step{Was: fmt.Sprint(round.Duplicate), Is: fmt.Sprint(s.Duplicate)}})
	round.Duplicate = s.Duplicate
	return round, tx.Model(&round).Select("duplicate").Updates(&round).Error
}

// keepApart is a pair of players who should not meet, if possible; A is the lower ID.
type keepApart struct{ TournamentID, A, B int64 }

// TableName returns "keep_apart".
func (keepApart) TableName() string { return "keep_apart" }

// KeptApart returns the pairs of a tournament's players who should not meet.
func KeptApart(ctx context.Context, s *store.DB, tournamentID int64) ([]pairing.Pair, error) {
	rows, err := store.All[keepApart](s.Read.WithContext(ctx).Where("tournament_id = ?", tournamentID).Order("a, b"))
	pairs := make([]pairing.Pair, len(rows))
	for i, row := range rows {
		pairs[i] = pairing.Pair{row.A, row.B}
	}
	return pairs, err
}

// KeepApart sets or removes the wish that two players do not meet. Rounds already drawn do not change.
type KeepApart struct {
	Tournament int64 `json:"tournament,omitempty" path:"id" minimum:"1"`
	A          int64 `json:"a"`
	B          int64 `json:"b"`
	Apart      bool  `json:"apart"`
}

var _ = action.NewKind[KeepApart](action.Kind{Name: "seating.apart", Right: rights.MaySeatRound,
	Changes: []action.What{action.TopicHall},
	Details: action.Steps("log.is.")})

func (k KeepApart) Do(tx *action.Tx) (pairing.Pair, error) {
	pair := pairing.PairOf(k.A, k.B)
	var players []tournament.Player
	if err := tx.Where("tournament_id = ? AND id IN ?", k.Tournament,
		[]int64{k.A, k.B}).Order("name").Find(&players).Error; err != nil {
		return pair, err
	}
	if len(players) != 2 {
		return pair, refuse.Invalid("err_swap_players")
	}
	row := keepApart{k.Tournament, min(k.A, k.B), max(k.A, k.B)}
	var known int64
	at := tx.Model(&keepApart{}).Where("tournament_id = ? AND a = ? AND b = ?", k.Tournament, row.A, row.B)
	if err := at.Count(&known).Error; err != nil || (known > 0) == k.Apart {
		return pair, err
	}
	tx.Record(action.Entry{Event: k.Tournament, Is: action.Step{Was: fmt.Sprint(!k.Apart), Is: fmt.Sprint(k.Apart)},
		On: action.About{Name: players[0].Name + " / " + players[1].Name,
			Players: []int{players[0].Number, players[1].Number}}})
	if k.Apart {
		return pair, tx.Create(&row).Error
	}
	return pair, tx.Where("tournament_id = ? AND a = ? AND b = ?", k.Tournament, row.A,
		row.B).Delete(&keepApart{}).Error
}

// SeatsJudged is the effect of changing a round's seats. Cost is the additional cost, field by field.
type SeatsJudged struct {
	Cost   pairing.Cost
	Before pairing.Report
	After  pairing.Report
}

// SeatSwap is the effect of swapping two players of a round.
type SeatSwap struct {
	A, B   tournament.Seat
	Tables [2]int // table numbers
	SeatsJudged
}

// SeatMove is the effect of moving a player to a free chair of another table.
type SeatMove struct {
	Player tournament.Seat // before the move
	Tables [2]int          // numbers: from, to
	Seat   int             // at the new table, from 0
	SeatsJudged
}

// OpenSeats reads a round whose seats can be changed by hand: a draft of the current players, or a published round
// without a started table.
func OpenSeats(tx *action.Tx, id int64) (*Seated, error) {
	round, err := tournament.FindRound(tx.DB, id)
	if err != nil {
		return nil, err
	}
	if round.Status == tournament.RoundDraft {
		return readSeats(tx.DB, round, &NextRound{}, false)
	}
	if round, err = unplayedRound(tx, id); err != nil {
		return nil, err
	}
	set := func(status string) error {
		return tx.Model(&tournament.Round{}).Where("id = ?", id).Update("status", status).Error
	}
	if err := set(tournament.RoundDraft); err != nil { // assess it as a draft
		return nil, err
	}
	s, err := readSeats(tx.DB, round, &NextRound{}, true)
	if err != nil {
		return nil, err
	}
	return s, set(tournament.RoundPublished)
}

// AsksWhy returns an error if drawn seats are changed without a reason, except in a preview, or if the reason is too
// long.
func (s *Seated) AsksWhy(tx *action.Tx, why string) error {
	why = spelling.Clean(why)
	if why == "" && !s.Round.SeatedByHand() && !tx.Preview || len([]rune(why)) > action.ReasonMost {
		return refuse.Invalid("err_why_missing", "most", action.ReasonMost)
	}
	return nil
}

// Swap assesses a swap of two players and returns the seats after it. It stores nothing.
func (s *Seated) Swap(a, b int64) (swap SeatSwap, after pairing.Round, err error) {
	after = s.plan()
	found := 0
	for i, t := range s.Tables {
		for j, seat := range t.Seats {
			switch seat.PlayerID {
			case a:
				swap.A, swap.Tables[0], after[i][j] = seat, t.Number, b
				found++
			case b:
				swap.B, swap.Tables[1], after[i][j] = seat, t.Number, a
				found++
			}
		}
	}
	if found != 2 {
		return swap, nil, refuse.Invalid("err_swap_players")
	}
	swap.SeatsJudged, err = s.judge(after)
	return swap, after, err
}

// Move assesses moving a player to a free chair of the table with this number, and returns the seats after it. It
// stores nothing.
func (s *Seated) Move(player int64, number int) (move SeatMove, after pairing.Round, err error) {
	after = s.plan()
	from := slices.IndexFunc(after, func(table []int64) bool { return slices.Contains(table, player) })
	to := slices.IndexFunc(s.Tables, func(t tournament.Table) bool { return t.Number == number })
	switch {
	case from < 0:
		return move, nil, refuse.Invalid("err_swap_players")
	case to < 0 || from == to:
		return move, nil, refuse.Invalid("err_move_table", "table", number)
	case len(after[to]) >= s.d.Rules.SeatsMax:
		return move, nil, refuse.Conflict("err_move_full", "table", number)
	case len(after[from]) <= s.d.Rules.SeatsMin:
		return move, nil, refuse.Conflict("err_move_few", "table", s.Tables[from].Number, "least", s.d.Rules.SeatsMin)
	}
	at := slices.Index(after[from], player)
	move.Player, move.Tables, move.Seat = s.Tables[from].Seats[at], [2]int{s.Tables[from].Number, number},
		len(after[to])
	after[from] = slices.Delete(after[from], at, at+1)
	after[to] = append(after[to], player)
	move.SeatsJudged, err = s.judge(after)
	return move, after, err
}

// judge returns the effect of changing the seats to after.
func (s *Seated) judge(after pairing.Round) (j SeatsJudged, err error) {
	if err := s.d.apartTies(after); err != nil {
		return j, err
	}
	if j.Before, err = pairing.Assess(s.q, []pairing.Round{s.plan()}); err != nil {
		return j, err
	}
	q := s.q
	q.Sizes = TableSizes(after)
	if j.After, err = pairing.Assess(q, []pairing.Round{after}); err != nil {
		return j, err
	}
	j.Cost = j.After.Cost.Minus(j.Before.Cost)
	return j, nil
}

// ChangedTo stores the new report and counts the change. A draft must be approved again. The plan for later rounds
// stays.
func (s *Seated) ChangedTo(tx *action.Tx, rep pairing.Report) error {
	plan := s.Round.Plan
	s.Round.Judged(rep, nil)
	values := map[string]any{"report": s.Round.Report, "changes": s.Round.Changes + 1}
	if s.Round.Status == tournament.RoundDraft {
		values["plan"], values["checked_at"], values["checked_by"] = plan, 0, ""
	}
	return tx.Model(&tournament.Round{}).Where("id = ?", s.Round.ID).Updates(values).Error
}
