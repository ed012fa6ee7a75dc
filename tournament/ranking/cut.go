package ranking

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/format"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// NextCut returns the cut before the next round, or NotFound if there is none.
func NextCut(ctx context.Context, s *store.DB, tournamentID int64) (Cut, error) {
	return NextCutAt(ctx, s, tournamentID, tournament.Always)
}

// NextCutAt is like NextCut but considers only what happened before at.
func NextCutAt(ctx context.Context, s *store.DB, tournamentID int64, at engine.Millis) (Cut, error) {
	return store.Look(ctx, s, func(db *gorm.DB) (Cut, error) {
		board, err := LoadBoardAt(db, tournamentID, at)
		if err != nil {
			return Cut{}, err
		}
		return board.nextCut(db)
	})
}

// DrawLot decides by lot among the players tied at the next cut and records the result permanently. The order follows
// from the stage and the promised seed, or a new seed if none was promised. A lot counts only for the players it was
// drawn among: drawing again for the same players is a Conflict.
type DrawLot struct {
	Tournament int64 `json:"tournament,omitempty" path:"id" minimum:"1"`
}

var _ = action.NewKind[DrawLot](action.Kind{Name: "cut.lot", Right: rights.MayDrawLot,
	Changes: []action.What{action.TopicStandings, action.TopicSeats},
	Details: action.Keep[lotDrawn]})

// lotDrawn is the audit record of a lot: the tied players and the drawn order, whose first Places players get the
// places.
type lotDrawn struct {
	Among  []string `json:"among"`
	Drawn  []string `json:"drawn"`
	Places int      `json:"places"`
	Seed   int64    `json:"seed"`
	Hash   string   `json:"hash,omitempty"` // of the seed's promise
}

// Before names the tied players.
func (l lotDrawn) Before() []action.Phrase { return action.Typed(strings.Join(l.Among, ", ")) }

// After names the players who got the places, and the seed.
func (l lotDrawn) After() []action.Phrase {
	return []action.Phrase{action.Say("log.is.lot", "players", strings.Join(l.Drawn[:l.Places], ", "), "seed", l.Seed)}
}

func (l DrawLot) Do(tx *action.Tx) (cut Cut, err error) {
	board, err := LoadBoard(tx.DB, l.Tournament)
	if err != nil {
		return cut, err
	}
	if cut, err = board.nextCut(tx.DB); err != nil {
		return cut, err
	}
	switch {
	case len(cut.Tied) == 0:
		return cut, refuse.Conflict("err_cut_not_tied")
	case cut.Lot != nil:
		return cut, refuse.Conflict("err_lot_drawn")
	case len(cut.PlayOff) > 0:
		return cut, refuse.Conflict("err_play_off_first")
	}
	promise, ok, err := promisedLot(tx.DB, l.Tournament)
	if err != nil {
		return cut, err
	}
	if !ok { // a promise made now would bind nothing
		promise = tournament.SeedPromise{Seed: tx.Desk.Seeds()}
	}
	lot := drawLot(cut, promise.Seed)
	lot.TournamentID, lot.Actor, lot.At = l.Tournament, tx.Actor.String(), tx.Now()
	if err := tx.Create(&lot).Error; err != nil {
		return cut, err
	}
	cut.Lot = &lot
	on := action.About{Stage: cut.Stage + 1}
	for _, id := range lot.Players {
		on.Players = append(on.Players, board.Players[id].Number)
	}
	tx.Record(action.Entry{Event: l.Tournament, On: on, Is: lotDrawn{board.names(lot.Players), board.names(lot.Drawn),
		cut.Places, lot.Seed, promise.Hash}})
	if err := FinishTournament(tx, l.Tournament); err != nil {
		return cut, err
	}
	return cut, PromiseLot(tx, l.Tournament)
}

// names returns the names of players.
func (b *Board) names(players []int64) []string {
	names := make([]string, len(players))
	for i, id := range players {
		names[i] = b.Players[id].Name
	}
	return names
}

// drawLot shuffles the tied players, starting from ID order.
func drawLot(cut Cut, seed int64) Lot {
	lot := Lot{Stage: cut.Stage, Players: slices.Sorted(slices.Values(cut.Tied)), Seed: seed}
	lot.Drawn = slices.Clone(lot.Players)
	rand.New(rand.NewPCG(uint64(lot.Seed), uint64(cut.Stage))).Shuffle(len(lot.Drawn), func(i, j int) {
		lot.Drawn[i], lot.Drawn[j] = lot.Drawn[j], lot.Drawn[i]
	})
	return lot
}

// nextCut returns the cut before the next round.
func (b *Board) nextCut(db *gorm.DB) (Cut, error) {
	if len(b.rounds) == 0 || b.Tournament.Status == tournament.StatusFinished {
		return Cut{}, refuse.NotFound("err_no_cut_now")
	}
	last := b.rounds[len(b.rounds)-1]
	if last.Status != tournament.RoundFinished || !b.StageOver(last.Stage) {
		return Cut{}, refuse.NotFound("err_no_cut_now")
	}
	if last.Stage+1 < len(b.Format.Stages) {
		return b.Cut(db, last.Stage+1)
	}
	cut, err := b.Cut(db, last.Stage+1)
	if err == nil && len(cut.Tied) == 0 {
		err = refuse.NotFound("err_no_cut_now")
	}
	return cut, err
}

// lotAmong returns the newest lot drawn among exactly these players at a cut, or nil.
func (b *Board) lotAmong(db *gorm.DB, stage int, tied []int64) (*Lot, error) {
	lots, err := LotsOf(db, b.Tournament.ID, b.at)
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

// LotsOf returns a tournament's lots from before at, in the order drawn.
func LotsOf(db *gorm.DB, tournamentID int64, at engine.Millis) ([]Lot, error) {
	return store.All[Lot](db.Where("tournament_id = ? AND at < ?", tournamentID, at).Order("id"))
}

// PromiseLot binds the seed of a tournament's next lot if the format can lead to one. It does so early, before it is
// clear whether a lot will be needed. An existing promise stays.
func PromiseLot(tx *action.Tx, tournamentID int64) error {
	t, err := tournament.FindTournament(tx.DB, tournamentID)
	if err != nil {
		return err
	}
	f, err := t.Format()
	if err != nil || t.Status == tournament.StatusFinished || len(f.Stages) == 1 && !f.ScoringOf(0).Has(format.TieLot) {
		return err
	}
	p, ok, err := promisedLot(tx.DB, tournamentID)
	if ok || err != nil {
		return err
	}
	p.Bind(tx, tx.Desk.Seeds())
	return tx.Create(&p).Error
}

// promisedLot returns the promise for a tournament's next lot. If there is none, ok is false and p only identifies the
// lot.
func promisedLot(db *gorm.DB, tournamentID int64) (p tournament.SeedPromise, ok bool, err error) {
	var drawn int64
	if err := db.Model(&Lot{}).Where("tournament_id = ?", tournamentID).Count(&drawn).Error; err != nil {
		return p, false, err
	}
	next := tournament.SeedPromise{TournamentID: tournamentID, Lot: int(drawn) + 1}
	if p, ok, err = store.First[tournament.SeedPromise](db.Where("tournament_id = ? AND lot = ?", tournamentID,
		next.Lot)); ok ||
		err != nil {
		return p, ok, err
	}
	return next, false, nil
}
