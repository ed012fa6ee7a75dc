package sequencer

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/store"
	"meldhall/tournament/transparency"
)

// fact is a leaf to append, with the time of its fact.
type fact struct {
	transparency.Leaf
	at engine.Millis
}

// rulingEvents are the kinds of events in which an official rules.
var rulingEvents = engine.RulingEvents(func(engine.RulingKind) bool { return true })

// dealEvent is the kind of the event with a deal.
var dealEvent = engine.TilesDealt{}.Kind()

// factsOf returns the facts of a tournament that its log lacks, in the order of their times. It returns none for
// practice tables, rehearsals and removed tournaments.
func factsOf(db *gorm.DB, tournamentID int64, log Log, now engine.Millis) ([]fact, error) {
	var logged int64
	err := db.Raw(`SELECT count(*) FROM tournaments
		WHERE id = ? AND practice = '' AND rehearses = 0 AND removed_at = 0`, tournamentID).Scan(&logged).Error
	if err != nil || logged == 0 {
		return nil, err
	}
	records, err := newRecords(db, tournamentID, log)
	if err != nil {
		return nil, err
	}
	games, err := newInGames(db, tournamentID, log)
	if err != nil {
		return nil, err
	}
	all := append(records, games...)
	slices.SortStableFunc(all, func(a, b fact) int { return cmp.Compare(a.at, b.at) })
	standings, err := newStandings(db, tournamentID, log, now)
	return append(all, standings...), err
}

// newRecords returns the records that follow those in the log. They are numbered as in the tournament's chain.
func newRecords(db *gorm.DB, tournamentID int64, log Log) (facts []fact, err error) {
	var have int64
	if err := db.Raw("SELECT count(*) FROM log_leaves WHERE log_id = ? AND kind = ?", log.ID,
		transparency.KindRecord).Scan(&have).Error; err != nil {
		return nil, err
	}
	var rows []struct {
		At    engine.Millis
		Chain string
	}
	err = db.Raw(`SELECT at, chain FROM audit WHERE tournament_id = ? AND action NOT IN ?
		ORDER BY id LIMIT 1000000 OFFSET ?`, tournamentID, store.HomeActions, have).Scan(&rows).Error
	last := engine.Millis(0)
	for i, r := range rows {
		last = max(last, r.At) // keeps their order
		facts = append(facts, fact{transparency.Leaf{Kind: transparency.KindRecord, Of: have + int64(i) + 1,
			Hash: r.Chain}, last})
	}
	return facts, err
}

// inGame is an event of a game that is a fact of its own, or the last one of a finished game.
type inGame struct {
	GameID int64
	Seq    int
	Kind   string
	At     engine.Millis
	Data   string
	Chain  string
	Ends   bool
}

// newInGames returns the shuffles, deals, rulings and ends of games that are not in the log. Only games whose end is not in the
// log can have any.
func newInGames(db *gorm.DB, tournamentID int64, log Log) (facts []fact, err error) {
	var rows []inGame
	err = db.Raw(`SELECT e.game_id, e.seq, e.kind, e.at, CASE WHEN e.kind = @deal THEN e.data ELSE '' END AS data,
		e.chain, e.chain = g.head AS ends FROM game_events e JOIN games g ON g.id = e.game_id
		WHERE g.tournament_id = @event AND g.status IN ('running', 'finished')
			AND NOT EXISTS (SELECT 1 FROM log_leaves l WHERE l.log_id = @log AND l.kind = @game AND l.about = g.id
				AND l.hash = g.head)
			AND (e.kind = @deal OR e.kind IN @rulings OR e.chain = g.head)
		ORDER BY e.game_id, e.seq`, map[string]any{"event": tournamentID, "log": log.ID, "deal": dealEvent,
		"rulings": rulingEvents, "game": transparency.KindGame}).Scan(&rows).Error
	if err != nil {
		return nil, err
	}
	have, err := inLog(db, log, rows)
	if err != nil {
		return nil, err
	}
	deals := slices.DeleteFunc(slices.Clone(rows), func(r inGame) bool {
		return r.Kind != dealEvent || have[transparency.Leaf{Kind: transparency.KindDeal, Of: r.GameID, Seq: r.Seq}]
	})
	if facts, err = newShuffles(db, tournamentID, log, deals); err != nil {
		return nil, err
	}
	for _, r := range rows {
		leaves, err := r.leaves()
		if err != nil {
			return nil, err
		}
		for _, l := range leaves {
			if !have[withoutHash(l)] {
				facts = append(facts, fact{l, r.At})
			}
		}
	}
	return facts, nil
}

// leaves returns the leaves of an event.
func (r inGame) leaves() (leaves []transparency.Leaf, err error) {
	l := transparency.Leaf{Of: r.GameID, Seq: r.Seq, Hash: r.Chain}
	if r.Kind == dealEvent {
		var dealt struct{ Commitment string }
		if err := json.Unmarshal([]byte(r.Data), &dealt); err != nil {
			return nil, fmt.Errorf("game %d, seq %d: %w", r.GameID, r.Seq, err)
		}
		leaves = append(leaves, transparency.Leaf{Kind: transparency.KindDeal, Of: r.GameID, Seq: r.Seq,
			Hash: dealt.Commitment})
	}
	if slices.Contains(rulingEvents, r.Kind) {
		l.Kind = transparency.KindRuling
		leaves = append(leaves, l)
	}
	if r.Ends {
		l.Kind = transparency.KindGame
		leaves = append(leaves, l)
	}
	return leaves, nil
}

func withoutHash(l transparency.Leaf) transparency.Leaf {
	l.Hash = ""
	return l
}

// inLog returns the leaves of a log, without hashes, about the games of these rows, which are in the order of games.
func inLog(db *gorm.DB, log Log, rows []inGame) (map[transparency.Leaf]bool, error) {
	have := map[transparency.Leaf]bool{}
	if len(rows) == 0 {
		return have, nil
	}
	kinds := []transparency.Kind{transparency.KindDeal, transparency.KindRuling, transparency.KindGame}
	leaves, err := store.All[leafRow](db.Where("log_id = ? AND kind IN ? AND about BETWEEN ? AND ?", log.ID, kinds,
		rows[0].GameID, rows[len(rows)-1].GameID))
	for _, r := range leaves {
		have[withoutHash(r.leaf())] = true
	}
	return have, err
}
