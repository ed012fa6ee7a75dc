package draw

import (
	"context"
	"slices"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/pairing"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
)

// WithdrawRound withdraws the publication of a round until its first table is started. It becomes a draft again with
// the same seats, which can be changed, drawn again and published again once it seats the current players. Its codes
// end, and people who had seen the seats are notified.
type WithdrawRound struct {
	Round int64  `json:"round,omitempty" path:"id" minimum:"1"`
	Why   string `json:"why,omitempty" query:"why" maxLength:"500" doc:"the reason, for the log"`
}

// Withdrawn is the effect of withdrawing a round's publication.
type Withdrawn struct {
	Round   tournament.Round
	Tables  int
	Players int
	Joined  int   // players already joined by a device
	Seed    int64 // of the draw, now public; 0: sealed, or nothing was drawn
}

var _ = action.NewKind[WithdrawRound](action.Kind{Name: "round.withdraw", Right: rights.MayPublishRound,
	Changes: []action.What{action.TopicSeats, action.TopicPeople, action.TopicStandings},
	Details: action.Steps("status.")})

func (w WithdrawRound) Do(tx *action.Tx) (out Withdrawn, err error) {
	why := spelling.Clean(w.Why)
	if len([]rune(why)) > action.ReasonMost {
		return out, refuse.Invalid("err_why_missing", "most", action.ReasonMost)
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
	round.Status, round.PublishedAt, round.ChangedAt, round.CheckedAt, round.CheckedBy = tournament.RoundDraft, 0,
		tx.Now(), 0, ""
	if err := tx.Model(&round).Select("status", "published_at", "changed_at", "checked_at",
		"checked_by").Updates(&round).Error; err != nil {
		return out, err
	}
	if err := tx.Exec(`UPDATE tournaments SET status = ? WHERE id = ? AND NOT EXISTS (SELECT 1 FROM rounds WHERE tournament_id = tournaments.id AND status <> ?)`,
		tournament.StatusDraft, round.TournamentID, tournament.RoundDraft).Error; err != nil {
		return out, err
	}
	tx.Record(action.Entry{Event: round.TournamentID, On: round.About(), Why: why,
		Is: action.Step{Was: tournament.RoundPublished, Is: tournament.RoundDraft}})
	out.Round = round
	return out, nil
}

// unplayedRound returns a published round without a started table.
func unplayedRound(tx *action.Tx, id int64) (tournament.Round, error) {
	round, err := tournament.FindRound(tx.DB, id)
	if err != nil {
		return round, err
	}
	var begun int64
	if err := tx.Model(&tournament.Game{}).Joins("JOIN tables t ON t.id = games.table_id").
		Where("t.round_id = ? AND (games.status <> ? OR games.started_at <> 0)", id, game.Waiting).
		Count(&begun).Error; err != nil {
		return round, err
	}
	switch {
	case round.Status == tournament.RoundDraft:
		return round, refuse.Conflict("err_round_not_published", "round", round.Number)
	case round.Status != tournament.RoundPublished || begun > 0:
		return round, refuse.Conflict("err_round_begun", "round", round.Number)
	}
	return round, nil
}

func withdrawnOf(tx *action.Tx, round tournament.Round) (out Withdrawn, err error) {
	tables, err := tournament.FillTables(tx.DB, tx.Where("round_id = ?", round.ID))
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

// unfurnish removes what the publication created: games, codes and the records of missed rounds.
func unfurnish(tx *action.Tx, round tournament.Round) error {
	var tables []int64
	if err := tx.Model(&tournament.Table{}).Where("round_id = ?", round.ID).Pluck("id", &tables).Error; err != nil {
		return err
	}
	if err := RemoveGames(tx, tables); err != nil {
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

// RemoveGames deletes the games of tables where no game has begun, with the games' events and evidence.
func RemoveGames(tx *action.Tx, tables []int64) error {
	var games []int64
	if err := tx.Model(&tournament.Game{}).Where("table_id IN ?", tables).Pluck("id", &games).Error; err != nil {
		return err
	}
	tx.Then(func(_ context.Context, g *game.Games) error {
		g.Forget(games)
		return nil
	})
	for _, sql := range []string{"DELETE FROM game_events WHERE game_id IN ?",
		"DELETE FROM evidence WHERE game_id IN ?"} {
		if err := tx.Exec(sql, games).Error; err != nil {
			return err
		}
	}
	return tx.Where("id IN ?", games).Delete(&tournament.Game{}).Error
}

// PromiseAgain binds a new seed for a round if its promised seed is public, because its seats were published and then
// withdrawn.
func PromiseAgain(tx *action.Tx, told tournament.Round, seed int64) error {
	p, err := promiseOf(tx.DB, told.TournamentID, told.Number)
	if err != nil || p == nil || !p.SpentOn(told) {
		return err
	}
	was := p.Text()
	p.Bind(tx, seed)
	tx.Record(action.Entry{Kind: promiseKind, Event: told.TournamentID, On: told.About(),
		Is: tournament.Bound{Method: p.Method, Hash: p.Hash, Was: was}})
	return tx.Model(&tournament.SeedPromise{}).Where("tournament_id = ? AND round = ? AND lot = 0", told.TournamentID,
		told.Number).
		Updates(map[string]any{"seed": p.Seed, "salt": p.Salt, "hash": p.Hash, "actor": p.Actor, "at": p.At}).Error
}
