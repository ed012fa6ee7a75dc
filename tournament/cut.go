package tournament

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/door"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/storage"
)

// NextCut is the cut that comes before the next round. NotFound when none does.
func NextCut(ctx context.Context, s *storage.DB, tournamentID int64) (Cut, error) {
	return NextCutAt(ctx, s, tournamentID, Always)
}

// NextCutAt is NextCut by what came before a moment.
func NextCutAt(ctx context.Context, s *storage.DB, tournamentID int64, at engine.Millis) (Cut, error) {
	return storage.Look(ctx, s, func(db *gorm.DB) (Cut, error) {
		board, err := loadBoardAt(db, tournamentID, at)
		if err != nil {
			return Cut{}, err
		}
		return board.nextCut(db)
	})
}

// DrawLot decides by lot among the players who tie at the next cut, and records it for good. The order
// follows from the seed that was promised for it, or a new one where none was, and from the stage. A lot counts only for the players it
// was drawn among: drawing again for the same ones is a Conflict.
type DrawLot struct {
	Tournament int64 `json:"tournament,omitempty" path:"id" minimum:"1"`
}

var _ = door.NewKind[DrawLot](door.Kind{Name: "cut.lot", Right: rights.MayDrawLot, Changes: []door.What{door.TopicStandings, door.TopicSeats},
	Details: door.Keep[lotDrawn]})

// lotDrawn is what a record of a lot keeps: among whom, and who came out in which order, of whom the first have places.
type lotDrawn struct {
	Among  []string `json:"among"`
	Drawn  []string `json:"drawn"`
	Places int      `json:"places"`
	Seed   int64    `json:"seed"`
	Hash   string   `json:"hash,omitempty"` // that promised the seed
}

// Before names those who tied.
func (l lotDrawn) Before() []door.Phrase { return door.Typed(strings.Join(l.Among, ", ")) }

// After names those who got the places, and tells the seed.
func (l lotDrawn) After() []door.Phrase {
	return []door.Phrase{door.Say("log.is.lot", "players", strings.Join(l.Drawn[:l.Places], ", "), "seed", l.Seed)}
}

func (l DrawLot) Do(tx *door.Tx) (cut Cut, err error) {
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
	if !ok { // told now, it would bind nothing
		promise = SeedPromise{Seed: tx.Desk.Seeds()}
	}
	lot := drawLot(cut, promise.Seed)
	lot.TournamentID, lot.Actor, lot.At = l.Tournament, tx.Actor.String(), tx.Now()
	if err := tx.Create(&lot).Error; err != nil {
		return cut, err
	}
	cut.Lot = &lot
	on := door.About{Stage: cut.Stage + 1}
	for _, id := range lot.Players {
		on.Players = append(on.Players, board.players[id].Number)
	}
	tx.Record(door.Entry{Event: l.Tournament, On: on, Is: lotDrawn{board.names(lot.Players), board.names(lot.Drawn), cut.Places, lot.Seed, promise.Hash}})
	if err := finishTournament(tx, l.Tournament); err != nil {
		return cut, err
	}
	return cut, promiseLot(tx, l.Tournament)
}

// names are those of some players.
func (b *board) names(players []int64) []string {
	names := make([]string, len(players))
	for i, id := range players {
		names[i] = b.players[id].Name
	}
	return names
}

// drawLot shuffles the tied players, taken by number.
func drawLot(cut Cut, seed int64) Lot {
	lot := Lot{Stage: cut.Stage, Players: slices.Sorted(slices.Values(cut.Tied)), Seed: seed}
	lot.Drawn = slices.Clone(lot.Players)
	rand.New(rand.NewPCG(uint64(lot.Seed), uint64(cut.Stage))).Shuffle(len(lot.Drawn), func(i, j int) {
		lot.Drawn[i], lot.Drawn[j] = lot.Drawn[j], lot.Drawn[i]
	})
	return lot
}

// nextCut is the cut before the next round.
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

// lotAmong is the newest lot that was drawn among exactly these players at a cut, or nil.
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

// lotsOf are an event's lots that came before a moment, in the order drawn.
func lotsOf(db *gorm.DB, tournamentID int64, at engine.Millis) ([]Lot, error) {
	return storage.All[Lot](db.Where("tournament_id = ? AND at < ?", tournamentID, at).Order("id"))
}
