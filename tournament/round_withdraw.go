package tournament

import (
	"context"
	"slices"
	"strings"

	"meldhall/tournament/door"
	"meldhall/tournament/game"
	"meldhall/tournament/pairing"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

// WithdrawRound takes the publication of a round back, until its first table is started: it is a draft again with the same seats,
// which may be changed, drawn again and published anew, once it seats those who play now. Its codes end, and everybody who had seen the
// seats is told.
type WithdrawRound struct {
	Round int64  `json:"round,omitempty" path:"id" minimum:"1"`
	Why   string `json:"why,omitempty" query:"why" maxLength:"500" doc:"for the log"`
}

// Withdrawn is what the withdrawal of a round's publication takes back.
type Withdrawn struct {
	Round   Round
	Tables  int
	Players int
	Joined  int   // players who sit at a device already
	Seed    int64 // of the draw, which everybody knows; 0: it is sealed, or nothing was drawn
}

var _ = door.NewKind[WithdrawRound](door.Kind{Name: "round.withdraw", Right: rights.MayPublishRound, Changes: []door.What{door.TopicSeats, door.TopicPeople, door.TopicStandings},
	Details: door.Steps("status.")})

func (w WithdrawRound) Do(tx *door.Tx) (out Withdrawn, err error) {
	why := strings.TrimSpace(w.Why)
	if len([]rune(why)) > door.ReasonMost {
		return out, refuse.Invalid("err_why_missing", "most", door.ReasonMost)
	}
	round, err := unplayedRound(tx, w.Round)
	if err != nil {
		return out, err
	}
	if out, err = withdrawnOf(tx, round); err != nil {
		return out, err
	}
	if err := unfurnish(tx, round); err != nil {
		return out, err
	}
	round.Status, round.PublishedAt, round.ChangedAt, round.CheckedAt, round.CheckedBy = RoundDraft, 0, tx.Now(), 0, ""
	if err := tx.Model(&round).Select("status", "published_at", "changed_at", "checked_at", "checked_by").Updates(&round).Error; err != nil {
		return out, err
	}
	if err := tx.Exec(`UPDATE tournaments SET status = ? WHERE id = ? AND NOT EXISTS (SELECT 1 FROM rounds WHERE tournament_id = tournaments.id AND status <> ?)`,
		StatusDraft, round.TournamentID, RoundDraft).Error; err != nil {
		return out, err
	}
	tx.Record(door.Entry{Event: round.TournamentID, On: round.about(), Why: why, Is: door.Step{Was: RoundPublished, Is: RoundDraft}})
	out.Round = round
	return out, nil
}

// unplayedRound is a published round of which no table was started.
func unplayedRound(tx *door.Tx, id int64) (Round, error) {
	round, err := FindRound(tx.DB, id)
	if err != nil {
		return round, err
	}
	var begun int64
	if err := tx.Raw(`SELECT count(*) FROM games g JOIN tables t ON t.id = g.table_id WHERE t.round_id = ? AND (g.status <> ? OR g.started_at <> 0)`,
		id, game.Waiting).Scan(&begun).Error; err != nil {
		return round, err
	}
	switch {
	case round.Status == RoundDraft:
		return round, refuse.Conflict("err_round_not_published", "round", round.Number)
	case round.Status != RoundPublished || begun > 0:
		return round, refuse.Conflict("err_round_begun", "round", round.Number)
	}
	return round, nil
}

func withdrawnOf(tx *door.Tx, round Round) (out Withdrawn, err error) {
	tables, err := FillTables(tx.DB, tx.Where("round_id = ?", round.ID))
	out = Withdrawn{Round: round, Tables: len(tables)}
	if slices.Contains(pairing.Automatic, round.Method) {
		out.Seed = round.ToldSeed()
	}
	for _, t := range tables {
		out.Players += len(t.Seats)
		for _, seat := range t.Seats {
			if seat.Player.Joined() {
				out.Joined++
			}
		}
	}
	return out, err
}

// unfurnish takes from a round what its publication made: games, codes, and the explicit results of those who are not in it.
func unfurnish(tx *door.Tx, round Round) error {
	var tables []int64
	if err := tx.Model(&Table{}).Where("round_id = ?", round.ID).Pluck("id", &tables).Error; err != nil {
		return err
	}
	if err := removeGames(tx, tables); err != nil {
		return err
	}
	for _, sql := range []string{
		`UPDATE tables SET code = '', code_hash = NULL, code_reused = 0 WHERE round_id = ?`,
		`UPDATE seats SET code = '', code_hash = NULL, code_expires = 0, code_used_at = 0, code_reused = 0 WHERE round_id = ?`,
		`DELETE FROM missed_rounds WHERE EXISTS (SELECT 1 FROM rounds r WHERE r.id = ? AND r.tournament_id = missed_rounds.tournament_id AND r.number = missed_rounds.round)`,
	} {
		if err := tx.Exec(sql, round.ID).Error; err != nil {
			return err
		}
	}
	return nil
}

// removeGames takes away the games of tables, none of which has begun, with calls for the referee and what is known of devices there.
func removeGames(tx *door.Tx, tables []int64) error {
	var games []int64
	if err := tx.Model(&Game{}).Where("table_id IN ?", tables).Pluck("id", &games).Error; err != nil {
		return err
	}
	tx.Then(func(_ context.Context, g *game.Games) error {
		g.Forget(games)
		return nil
	})
	for _, sql := range []string{"DELETE FROM game_events WHERE game_id IN ?", "DELETE FROM evidence WHERE game_id IN ?"} {
		if err := tx.Exec(sql, games).Error; err != nil {
			return err
		}
	}
	return tx.Where("id IN ?", games).Delete(&Game{}).Error
}

// promiseAgain binds another seed for a round whose promised one everybody knows, since its seats were published and taken back.
func promiseAgain(tx *door.Tx, told Round, seed int64) error {
	p, err := promiseOf(tx.DB, told.TournamentID, told.Number)
	if err != nil || p == nil || !p.spentOn(told) {
		return err
	}
	was := p.Text()
	p.bind(tx, seed)
	tx.Record(door.Entry{Kind: promiseKind, Event: told.TournamentID, On: told.about(), Is: bound{p.Method, p.Hash, was}})
	return tx.Model(&SeedPromise{}).Where("tournament_id = ? AND round = ? AND lot = 0", told.TournamentID, told.Number).
		Updates(map[string]any{"seed": p.Seed, "salt": p.Salt, "hash": p.Hash, "actor": p.Actor, "at": p.At}).Error
}

// spentOn tells whether a promise was for seats of a draft that were published, and taken back since.
func (p SeedPromise) spentOn(draft Round) bool { return draft.ChangedAt != 0 && p.At < draft.ChangedAt }
