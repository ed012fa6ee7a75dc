package tournament

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"

	"gorm.io/gorm"

	"meldhall/engine"
)

// lotRow is a lot as it is stored.
type lotRow struct {
	ID           int64
	TournamentID int64
	Stage        int
	Players      string
	Drawn        string
	Seed         int64
	Actor        string
	At           engine.Millis
}

// TableName is lots.
func (lotRow) TableName() string { return "lots" }

// NextCut is the cut that comes before the next round. NotFound when none does.
func (s *Store) NextCut(ctx context.Context, tournamentID int64) (Cut, error) {
	var cut Cut
	err := s.snapshot(ctx, func(db *gorm.DB) (err error) {
		cut, err = nextCut(db, tournamentID)
		return err
	})
	return cut, err
}

// DrawLot decides by lot among the players who tie at the next cut, and records it for good. The order
// follows from the tournament's seed, the stage and how many lots there were. A lot counts only for the players it
// was drawn among: drawing again for the same ones is a Conflict.
func (s *Store) DrawLot(ctx context.Context, actor Actor, tournamentID int64) (Cut, error) {
	if err := Authorize(actor, Place{Tournament: tournamentID}, MayDrawLot); err != nil {
		return Cut{}, err
	}
	var cut Cut
	err := s.Tx(ctx, func(tx *gorm.DB) (err error) {
		if cut, err = nextCut(tx, tournamentID); err != nil {
			return err
		}
		if len(cut.Tied) == 0 {
			return Refuse(Conflict, "err_cut_not_tied")
		}
		if cut.Lot != nil {
			return Refuse(Conflict, "err_lot_drawn")
		}
		if len(cut.PlayOff) > 0 {
			return Refuse(Conflict, "err_play_off_first")
		}
		t, err := findTournament(tx, tournamentID)
		if err != nil {
			return err
		}
		var before int64
		if err := tx.Model(&lotRow{}).Where("tournament_id = ?", tournamentID).Count(&before).Error; err != nil {
			return err
		}
		lot := drawLot(cut, t.Seed, before)
		lot.Actor = actor.String()
		if err := insertLot(tx, tournamentID, &lot, s.now()); err != nil {
			return err
		}
		cut.Lot = &lot
		if err := s.audit(tx, actor, change{tournament: tournamentID, action: "cut.lot", subject: fmt.Sprintf("stage %d", cut.Stage+1),
			before: fmt.Sprint(lot.Players), after: fmt.Sprint(lot.Drawn[:cut.Places]), because: fmt.Sprintf("seed %d", lot.Seed)}); err != nil {
			return err
		}
		return s.finishTournament(tx, actor, tournamentID)
	})
	return cut, err
}

// drawLot shuffles the tied players, taken by number.
func drawLot(cut Cut, seed, before int64) Lot {
	lot := Lot{Stage: cut.Stage, Players: slices.Sorted(slices.Values(cut.Tied)), Seed: (seed ^ (before+1)<<44) & (1<<53 - 1)}
	lot.Drawn = slices.Clone(lot.Players)
	rand.New(rand.NewPCG(uint64(lot.Seed), uint64(cut.Stage))).Shuffle(len(lot.Drawn), func(i, j int) {
		lot.Drawn[i], lot.Drawn[j] = lot.Drawn[j], lot.Drawn[i]
	})
	return lot
}

func insertLot(tx *gorm.DB, tournamentID int64, lot *Lot, at engine.Millis) error {
	players, err := json.Marshal(lot.Players)
	if err != nil {
		return err
	}
	drawn, err := json.Marshal(lot.Drawn)
	if err != nil {
		return err
	}
	row := lotRow{TournamentID: tournamentID, Stage: lot.Stage, Players: string(players), Drawn: string(drawn),
		Seed: lot.Seed, Actor: lot.Actor, At: at}
	err = tx.Create(&row).Error
	lot.ID = row.ID
	return err
}

func nextCut(db *gorm.DB, tournamentID int64) (Cut, error) {
	board, err := loadBoard(db, tournamentID)
	if err != nil {
		return Cut{}, err
	}
	if len(board.rounds) == 0 || board.tournament.Status == StatusFinished {
		return Cut{}, Refuse(NotFound, "err_no_cut_now")
	}
	last := board.rounds[len(board.rounds)-1]
	if last.Status != RoundFinished || !board.stageOver(last.Stage) {
		return Cut{}, Refuse(NotFound, "err_no_cut_now")
	}
	if last.Stage+1 < len(board.format.Stages) {
		return board.cut(db, last.Stage+1)
	}
	cut, err := board.cut(db, last.Stage+1)
	if err == nil && len(cut.Tied) == 0 {
		err = Refuse(NotFound, "err_no_cut_now")
	}
	return cut, err
}

// lotAmong is the newest lot that was drawn among exactly these players at a cut, or nil.
func (b *board) lotAmong(db *gorm.DB, stage int, tied []int64) (*Lot, error) {
	lots, err := lotsOf(db, b.tournament.ID)
	if err != nil {
		return nil, err
	}
	tied = slices.Sorted(slices.Values(tied))
	for _, lot := range slices.Backward(lots) {
		if lot.Stage == stage && slices.Equal(lot.Players, tied) {
			return &lot, nil
		}
	}
	return nil, nil
}

// lotsOf are an event's lots, in the order drawn.
func lotsOf(db *gorm.DB, tournamentID int64) ([]Lot, error) {
	var rows []lotRow
	if err := db.Where("tournament_id = ?", tournamentID).Order("id").Find(&rows).Error; err != nil {
		return nil, err
	}
	lots := make([]Lot, len(rows))
	for i, row := range rows {
		lots[i] = Lot{ID: row.ID, Stage: row.Stage, Seed: row.Seed, Actor: row.Actor}
		if err := json.Unmarshal([]byte(row.Players), &lots[i].Players); err != nil {
			return nil, fmt.Errorf("lot %d: %w", row.ID, err)
		}
		if err := json.Unmarshal([]byte(row.Drawn), &lots[i].Drawn); err != nil {
			return nil, fmt.Errorf("lot %d: %w", row.ID, err)
		}
	}
	return lots, nil
}
