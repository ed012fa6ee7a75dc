package sequencer

import (
	"encoding/hex"
	"encoding/json"
	"fmt"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/engine/score"
	"meldhall/tournament"
	"meldhall/tournament/ranking"
	"meldhall/tournament/transparency"
)

// Published is the standings that the public sees after a round.
type Published struct {
	Round int
	Rows  []string
	place map[int64]int // by player, the position in Rows
}

// Hash returns the root of the tree of the rows, in hex.
func (p Published) Hash() string {
	root := transparency.RowsTree(p.Rows).Head().Hash
	return hex.EncodeToString(root[:])
}

// PublishedIn returns the standings that the public sees. found is false while a round is in progress, before the first
// result, and while the standings are hidden, frozen or delayed: their hash would confirm a guess.
func PublishedIn(db *gorm.DB, tournamentID int64, now engine.Millis) (p Published, found bool, err error) {
	var rounds struct{ Finished, Underway int }
	err = db.Raw(`SELECT coalesce(max(CASE WHEN status = @finished THEN number END), 0) AS finished,
		count(CASE WHEN status NOT IN (@finished, @draft) THEN 1 END) AS underway FROM rounds WHERE tournament_id = @event`,
		map[string]any{"event": tournamentID, "finished": tournament.RoundFinished,
			"draft": tournament.RoundDraft}).Scan(&rounds).Error
	if err != nil || rounds.Finished == 0 || rounds.Underway > 0 {
		return p, false, err
	}
	shown, _, err := tournament.PublishingIn(db, tournamentID)
	if err != nil || shown.Sight(now).Standings != tournament.Always {
		return p, false, err
	}
	board, err := ranking.LoadBoard(db, tournamentID)
	if err != nil {
		return p, false, err
	}
	p = Published{Round: rounds.Finished, place: map[int64]int{}}
	for i, r := range board.Rows {
		p.place[r.Player] = i
		p.Rows = append(p.Rows, fmt.Sprintf("%d %d %d %d %s %s", r.Place, board.Players[r.Player].Number, r.Stage+1,
			r.Games, amount(r.Wins), amount(r.Total)))
	}
	return p, len(p.Rows) > 0, nil
}

// amount writes wins or points as an archive does.
func amount(t score.Twelfth) string {
	text, err := json.Marshal(t)
	if err != nil {
		panic(err) // a number
	}
	return string(text)
}

// newStandings returns the standings that the public sees if they are not the newest ones in the log.
func newStandings(db *gorm.DB, tournamentID int64, log Log, now engine.Millis) ([]fact, error) {
	p, found, err := PublishedIn(db, tournamentID, now)
	if err != nil || !found {
		return nil, err
	}
	last, err := lastOf(db, log, transparency.KindStandings, 0)
	next := transparency.Leaf{Kind: transparency.KindStandings, Of: last.About + 1, Seq: p.Round, Hash: p.Hash()}
	if err != nil || last.Hash == next.Hash && last.Seq == next.Seq {
		return nil, err
	}
	return []fact{{next, now}}, nil
}
