package tournament

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gorm.io/gorm"

	"meldhall/tournament/pairing"
)

// SeatSwap is what an exchange of two players of a draft would change: Cost is what the draft costs more, field by field.
type SeatSwap struct {
	A, B   Seat
	Tables [2]int // their numbers
	Cost   pairing.Cost
	Before pairing.Report
	After  pairing.Report
}

// seated is a draft with its seats.
type seated struct {
	d      *draft
	q      pairing.Request
	round  Round
	tables []Table
}

// openDraft reads a round that must be a draft of exactly those who play now.
func openDraft(db *gorm.DB, actor Actor, right Right, roundID int64) (*seated, error) {
	round, err := findRound(db, roundID)
	if err != nil {
		return nil, err
	}
	if err := Authorize(actor, Place{Tournament: round.TournamentID}, right); err != nil {
		return nil, err
	}
	if round.Status != RoundDraft {
		return nil, Refuse(Conflict, "err_round_published", "round", round.Number)
	}
	d, err := newDraft(db, round.TournamentID)
	if err != nil {
		return nil, err
	}
	d.round.Method, d.round.Seed = round.Method, round.Seed
	tables, err := fillTables(db, db.Where("round_id = ?", roundID))
	if err != nil {
		return nil, err
	}
	s := &seated{d: d, round: round, tables: tables}
	if d.old == nil || d.old.ID != round.ID || !seatsSame(s.plan(), d.players) {
		return nil, Refuse(Conflict, "err_draft_stale", "round", round.Number)
	}
	if s.q, err = d.request(db); err == nil {
		s.q.Sizes = tableSizes(s.plan()) // which may be others than the format's
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

// swap judges an exchange of two players.
func (s *seated) swap(a, b int64) (SeatSwap, error) {
	var swap SeatSwap
	after := s.plan()
	found := 0
	for i, t := range s.tables {
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
		return swap, Refuse(Invalid, "err_swap_players")
	}
	err := s.d.apartTies(after)
	if err != nil {
		return swap, err
	}
	if swap.Before, err = pairing.Assess(s.q, []pairing.Round{s.plan()}); err != nil {
		return swap, err
	}
	if swap.After, err = pairing.Assess(s.q, []pairing.Round{after}); err != nil {
		return swap, err
	}
	swap.Cost = swap.After.Cost.Minus(swap.Before.Cost)
	return swap, nil
}

// PreviewSwap tells what the exchange of two players of a draft would change.
func (s *Store) PreviewSwap(ctx context.Context, actor Actor, roundID, a, b int64) (swap SeatSwap, err error) {
	err = s.snapshot(ctx, func(db *gorm.DB) error {
		open, err := openDraft(db, actor, MaySeatRound, roundID)
		if err != nil {
			return err
		}
		swap, err = open.swap(a, b)
		return err
	})
	return swap, err
}

// SeatedByHand tells that a round is a draft whose seats the organizer gives: exchanges in it need no reason.
func (r Round) SeatedByHand() bool { return r.Status == RoundDraft && r.Method == pairing.Manual }

// SwapSeats exchanges two players of a draft and says in the audit log why: a draft that was drawn needs a reason. A draft
// that was checked must be checked again.
func (s *Store) SwapSeats(ctx context.Context, actor Actor, roundID, a, b int64, why string) (swap SeatSwap, err error) {
	why = strings.TrimSpace(why)
	err = s.Tx(ctx, func(tx *gorm.DB) error {
		open, err := openDraft(tx, actor, MaySeatRound, roundID)
		if err != nil {
			return err
		}
		if why == "" && !open.round.SeatedByHand() || len([]rune(why)) > whyMost {
			return Refuse(Invalid, "err_why_missing", "most", whyMost)
		}
		if swap, err = open.swap(a, b); err != nil {
			return err
		}
		if err := exchangeSeats(tx, swap.A, swap.B); err != nil {
			return err
		}
		round := open.round
		if err := round.judged(swap.After, nil); err != nil {
			return err
		}
		if err := tx.Model(&Round{}).Where("id = ?", roundID).Updates(map[string]any{"report": round.Report, "changes": round.Changes + 1,
			"checked_at": 0, "checked_by": ""}).Error; err != nil {
			return err
		}
		place := func(seat Seat, table int) string { return fmt.Sprintf("table %d seat %d", table, seat.Seat+1) }
		nameA, nameB := swap.A.Player.Name, swap.B.Player.Name
		return s.audit(tx, actor, change{tournament: round.TournamentID, action: "round.swap", subject: round.subject(), because: why,
			before: fmt.Sprintf("%s at %s, %s at %s", nameA, place(swap.A, swap.Tables[0]), nameB, place(swap.B, swap.Tables[1])),
			after:  fmt.Sprintf("%s at %s, %s at %s", nameB, place(swap.A, swap.Tables[0]), nameA, place(swap.B, swap.Tables[1]))})
	})
	return swap, err
}

// exchangeSeats writes an exchange: a player has one seat at most at any moment.
func exchangeSeats(tx *gorm.DB, a, b Seat) error {
	if err := tx.Where("id IN ?", []int64{a.ID, b.ID}).Delete(&Seat{}).Error; err != nil {
		return err
	}
	a.PlayerID, b.PlayerID = b.PlayerID, a.PlayerID
	return tx.Create([]Seat{a, b}).Error
}

// CheckDraft records that an organizer has looked at a draft and found it good: it seats exactly those who play now.
func (s *Store) CheckDraft(ctx context.Context, actor Actor, roundID int64) error {
	return s.Tx(ctx, func(tx *gorm.DB) error {
		open, err := openDraft(tx, actor, MaySeatRound, roundID)
		if err != nil {
			return err
		}
		if _, err := pairing.Assess(open.q, []pairing.Round{open.plan()}); err != nil {
			return Refuse(Invalid, "err_seats_wrong", "detail", err.Error())
		}
		if err := tx.Model(&Round{}).Where("id = ?", roundID).Updates(map[string]any{"checked_at": s.now(), "checked_by": actor.Name}).Error; err != nil {
			return err
		}
		return s.audit(tx, actor, change{tournament: open.round.TournamentID, action: "round.check", subject: open.round.subject()})
	})
}

// SetDuplicate sets whether all tables of a round get the same deal. It can be changed until the round starts.
func (s *Store) SetDuplicate(ctx context.Context, actor Actor, roundID int64, duplicate bool) error {
	return s.Tx(ctx, func(tx *gorm.DB) error {
		round, err := findRound(tx, roundID)
		if err != nil {
			return err
		}
		if err := Authorize(actor, Place{Tournament: round.TournamentID}, MaySeatRound); err != nil {
			return err
		}
		if round.Status != RoundDraft && round.Status != RoundPublished {
			return Refuse(Conflict, "err_round_begun", "round", round.Number)
		}
		if round.Duplicate == duplicate {
			return nil
		}
		if err := tx.Model(&Round{}).Where("id = ?", roundID).Update("duplicate", duplicate).Error; err != nil {
			return err
		}
		return s.audit(tx, actor, change{tournament: round.TournamentID, action: "round.duplicate", subject: round.subject(),
			before: fmt.Sprint(round.Duplicate), after: fmt.Sprint(duplicate)})
	})
}

// keepApart is two players who are not to meet, as far as it can be; a is the lower number.
type keepApart struct{ TournamentID, A, B int64 }

// TableName is keep_apart.
func (keepApart) TableName() string { return "keep_apart" }

// KeptApart gives the pairs of a tournament who are not to meet.
func (s *Store) KeptApart(ctx context.Context, tournamentID int64) ([]pairing.Pair, error) {
	var rows []keepApart
	err := s.Read.WithContext(ctx).Where("tournament_id = ?", tournamentID).Order("a, b").Find(&rows).Error
	pairs := make([]pairing.Pair, len(rows))
	for i, row := range rows {
		pairs[i] = pairing.Pair{row.A, row.B}
	}
	return pairs, err
}

// KeepApart sets or takes back the wish that two players do not meet. Rounds that are drawn stay as they are.
func (s *Store) KeepApart(ctx context.Context, actor Actor, tournamentID, a, b int64, apart bool) error {
	if err := Authorize(actor, Place{Tournament: tournamentID}, MaySeatRound); err != nil {
		return err
	}
	return s.Tx(ctx, func(tx *gorm.DB) error {
		var players []Player
		if err := tx.Where("tournament_id = ? AND id IN ?", tournamentID, []int64{a, b}).Order("id").Find(&players).Error; err != nil {
			return err
		}
		if len(players) != 2 {
			return Refuse(Invalid, "err_swap_players")
		}
		pair := keepApart{tournamentID, min(a, b), max(a, b)}
		names := []string{players[0].Name, players[1].Name}
		slices.Sort(names)
		entry := change{tournament: tournamentID, action: "seating.apart", subject: strings.Join(names, " / "), after: fmt.Sprint(apart)}
		var known int64
		at := tx.Model(&keepApart{}).Where("tournament_id = ? AND a = ? AND b = ?", tournamentID, pair.A, pair.B)
		if err := at.Count(&known).Error; err != nil || (known > 0) == apart {
			return err
		}
		if apart {
			if err := tx.Create(&pair).Error; err != nil {
				return err
			}
		} else if err := tx.Where("tournament_id = ? AND a = ? AND b = ?", tournamentID, pair.A, pair.B).Delete(&keepApart{}).Error; err != nil {
			return err
		}
		return s.audit(tx, actor, entry)
	})
}
