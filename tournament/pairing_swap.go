package tournament

import (
	"context"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"meldhall/tournament/action"
	"meldhall/tournament/pairing"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// seated is a draft with its seats.
type seated struct {
	d      *nextRound
	q      pairing.Request
	round  Round
	tables []Table
}

// openDraft reads a round, which must be a draft of exactly the current players. Its request can check seats but not
// assess them: only results that decide who plays are loaded.
func openDraft(db *gorm.DB, roundID int64) (*seated, error) {
	round, err := FindRound(db, roundID)
	if err != nil {
		return nil, err
	}
	if round.Status != RoundDraft {
		return nil, refuse.Conflict("err_round_published", "round", round.Number)
	}
	return readSeats(db, round, &nextRound{unranked: true}, false)
}

// readSeats reads a draft. If anybody is true, the draft may seat players other than the current ones.
func readSeats(db *gorm.DB, round Round, d *nextRound, anybody bool) (*seated, error) {
	if err := d.load(db, round.TournamentID); err != nil {
		return nil, err
	}
	d.round.Method, d.round.Seed = round.Method, round.Seed
	filled := FillTables
	if d.unranked { // names are not needed to check seats
		filled = seatedTables
	}
	tables, err := filled(db, db.Where("round_id = ?", round.ID))
	if err != nil {
		return nil, err
	}
	s := &seated{d: d, round: round, tables: tables}
	if anybody {
		d.players = slices.Concat(s.plan()...)
	}
	if d.old == nil || d.old.ID != round.ID || !seatsSame(s.plan(), d.players) {
		return nil, refuse.Conflict("err_draft_stale", "round", round.Number)
	}
	if s.q, err = d.request(db); err == nil {
		s.q.Sizes = tableSizes(s.plan()) // may differ from the format's
	}
	return s, err
}

func tableSizes(tables [][]int64) []int {
	sizes := make([]int, len(tables))
	for i, table := range tables {
		sizes[i] = len(table)
	}
	return sizes
}

func (s *seated) plan() pairing.Round {
	var plan pairing.Round
	for _, t := range s.tables {
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

func (c CheckRound) Do(tx *action.Tx) (Round, error) {
	open, err := openDraft(tx.DB, c.Round)
	if err != nil {
		return Round{}, err
	}
	if err := pairing.Check(open.q, []pairing.Round{open.plan()}); err != nil {
		return Round{}, refuse.Invalid("err_seats_wrong", "detail", err.Error())
	}
	tx.Record(action.Entry{Event: open.round.TournamentID, On: open.round.about()})
	open.round.CheckedAt, open.round.CheckedBy = tx.Now(), tx.Actor.Name
	return open.round, tx.Model(&open.round).Select("checked_at", "checked_by").Updates(&open.round).Error
}

// SetDuplicate sets whether all tables of a round get the same deal. It can be changed until the round starts.
type SetDuplicate struct {
	Round     int64 `json:"round,omitempty" path:"id" minimum:"1"`
	Duplicate bool  `json:"duplicate"`
}

var _ = action.NewKind[SetDuplicate](action.Kind{Name: "round.duplicate", Right: rights.MaySeatRound,
	Changes: []action.What{action.TopicSeats},
	Details: action.Steps("log.is.")})

func (s SetDuplicate) Do(tx *action.Tx) (Round, error) {
	round, err := FindRound(tx.DB, s.Round)
	if err != nil {
		return round, err
	}
	if round.Status != RoundDraft && round.Status != RoundPublished {
		return round, refuse.Conflict("err_round_begun", "round", round.Number)
	}
	if round.Duplicate == s.Duplicate {
		return round, nil
	}
	tx.Record(action.Entry{Event: round.TournamentID, On: round.about(),
		Is: action.Step{Was: fmt.Sprint(round.Duplicate), Is: fmt.Sprint(s.Duplicate)}})
	round.Duplicate = s.Duplicate
	return round, tx.Model(&round).Select("duplicate").Updates(&round).Error
}

// keepApart is two players who should not meet, if possible; A is the lower ID.
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
	var players []Player
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
