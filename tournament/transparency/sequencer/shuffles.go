package sequencer

import (
	"encoding/json"
	"fmt"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/engine/shuffle"
	"meldhall/tournament/store"
	"meldhall/tournament/transparency"
)

// committed is a commitment of the server to the secret of a game's shuffles.
type committed struct {
	game int64
	hash string
	at   engine.Millis
}

// newShuffles returns the server's commitments to the secrets of shuffles that are not in the log: those that the
// devices have already, and those of deals that no device waited for. deals are the deals that are not in the log.
func newShuffles(db *gorm.DB, tournamentID int64, log Log, deals []inGame) (facts []fact, err error) {
	begun, err := begunShuffles(db, tournamentID, log)
	if err != nil {
		return nil, err
	}
	dealt, err := dealtShuffles(deals)
	if err != nil {
		return nil, err
	}
	last := map[int64]transparency.Leaf{}
	for _, c := range append(begun, dealt...) {
		before, known := last[c.game]
		if !known {
			row, err := lastOf(db, log, transparency.KindShuffle, c.game)
			if err != nil {
				return nil, err
			}
			before = row.leaf()
		}
		if before.Hash != c.hash {
			before = transparency.Leaf{Kind: transparency.KindShuffle, Of: c.game, Seq: before.Seq + 1, Hash: c.hash}
			facts = append(facts, fact{before, c.at})
		}
		last[c.game] = before
	}
	return facts, nil
}

// begunShuffles returns the commitments that devices have, of games whose deals are not in the log. Any player can send
// a hash for a game without a joint shuffle, which does not count.
func begunShuffles(db *gorm.DB, tournamentID int64, log Log) (all []committed, err error) {
	var rows []struct {
		GameID int64
		Secret string
	}
	err = db.Raw(`SELECT s.game_id, s.secret FROM shuffles s JOIN games g ON g.id = s.game_id
			JOIN tables t ON t.id = g.table_id JOIN rounds r ON r.id = t.round_id JOIN tournaments e ON e.id = g.tournament_id
		WHERE g.tournament_id = ? AND g.status = 'waiting' AND r.duplicate = 0 AND t.tiles <> 'real'
			AND (t.tiles <> '' OR e.tiles <> 'real') AND NOT EXISTS (SELECT 1 FROM log_leaves l WHERE l.log_id = ?
				AND l.kind = ? AND l.about = g.id) ORDER BY s.game_id`, tournamentID, log.ID,
		transparency.KindDeal).Scan(&rows).Error
	for _, r := range rows {
		var secret shuffle.Value
		if err := secret.UnmarshalText([]byte(r.Secret)); err != nil {
			return nil, fmt.Errorf("the secret of game %d: %w", r.GameID, err)
		}
		all = append(all, committed{r.GameID, shuffle.Commitment(r.GameID, secret).String(), 0})
	}
	return all, err
}

// dealtShuffles returns the commitments to the secrets of first deals. An imported game has another number.
func dealtShuffles(deals []inGame) (all []committed, err error) {
	for _, d := range deals {
		var dealt struct {
			Deal struct{ Joint *shuffle.Joint }
		}
		if err := json.Unmarshal([]byte(d.Data), &dealt); err != nil {
			return nil, fmt.Errorf("game %d, seq %d: %w", d.GameID, d.Seq, err)
		}
		if j := dealt.Deal.Joint; j != nil && j.Deal == 1 && j.Game == d.GameID {
			all = append(all, committed{d.GameID, shuffle.Commitment(j.Game, j.Secret).String(), d.At})
		}
	}
	return all, nil
}

// lastOf returns the leaf of a kind with the highest numbers, of one game if about is not 0; the zero row if there is
// none.
func lastOf(db *gorm.DB, log Log, kind transparency.Kind, about int64) (leafRow, error) {
	of := db.Where("log_id = ? AND kind = ?", log.ID, kind)
	if about != 0 {
		of = of.Where("about = ?", about)
	}
	row, _, err := store.First[leafRow](of.Order("about DESC, seq DESC"))
	return row, err
}
