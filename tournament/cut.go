package tournament

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/action"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// NextCut returns the cut before the next round, or NotFound if there is none.
func NextCut(ctx context.Context, s *store.DB, tournamentID int64) (Cut, error) {
	return NextCutAt(ctx, s, tournamentID, Always)
}

// NextCutAt is like NextCut but considers only what happened before at.
func NextCutAt(ctx context.Context, s *store.DB, tournamentID int64, at engine.Millis) (Cut, error) {
	return store.Look(ctx, s, func(db *gorm.DB) (Cut, error) {
		board, err := loadBoardAt(db, tournamentID, at)
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
	board, err := loadBoard(tx.DB, l.Tournament)
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
		promise = SeedPromise{Seed: tx.Desk.Seeds()}
	}
	lot := drawLot(cut, promise.Seed)
	lot.TournamentID, lot.Actor, lot.At = l.Tournament, tx.Actor.String(), tx.Now()
	if err := tx.Create(&lot).Error; err != nil {
		return cut, err
	}
	cut.Lot = &lot
	on := action.About{Stage: cut.Stage + 1}
	for _, id := range lot.Players {
		on.Players = append(on.Players, board.players[id].Number)
	}
	tx.Record(action.Entry{Event: l.Tournament, On: on, Is: lotDrawn{board.names(lot.Players), board.names(lot.Drawn),
		cut.Places, lot.Seed, promise.Hash}})
	if err := finishTournament(tx, l.Tournament); err != nil {
		return cut, err
	}
	return cut, promiseLot(tx, l.Tournament)
}

// names returns the names of players.
func (b *board) names(players []int64) []string {
	names := make([]string, len(players))
	for i, id := range players {
		names[i] = b.players[id].Name
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
func (b *board) nextCut(db *gorm.DB) (Cut, error) {
	if len(b.rounds) == 0 || b.tournament.Status == StatusFinished {
		return Cut{}, refuse.NotFound("err_no_cut_now")
	}
	last := b.rounds[len(b.rounds)-1]
	if last.Status != RoundFinished || !b.stageOver(last.Stage) {
		return Cut{}, refuse.NotFound("err_no_cut_now")
	}
	if last.Stage+1 < len(b.format.Stages) {
		return b.cut(db, last.Stage+1)
	}
	cut, err := b.cut(db, last.Stage+1)
	if err == nil && len(cut.Tied) == 0 {
		err = refuse.NotFound("err_no_cut_now")
	}
	return cut, err
}

// lotAmong returns the newest lot drawn among exactly these players at a cut, or nil.
func (b *board) lotAmong(db *gorm.DB, stage int, tied []int64) (*Lot, error) {
	lots, err := lotsOf(db, b.tournament.ID, b.at)
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

// lotsOf returns a tournament's lots from before at, in the order drawn.
func lotsOf(db *gorm.DB, tournamentID int64, at engine.Millis) ([]Lot, error) {
	return store.All[Lot](db.Where("tournament_id = ? AND at < ?", tournamentID, at).Order("id"))
}
