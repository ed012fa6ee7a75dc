package draw

import (
	"gorm.io/gorm"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/pairing"
	"meldhall/tournament/ranking"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/secret"
)

// PublishRound makes a draft public and creates its games and the one-time codes of its seats and tables. A round
// already published or running is returned unchanged. A draft whose players have changed since is a Conflict.
// Publishing a draft also approves it. Everything happens in one transaction.
type PublishRound struct {
	Round int64 `json:"round,omitempty" path:"id" minimum:"1"`
}

var publishKind = action.NewKind[PublishRound](action.Kind{Name: "round.publish", Right: rights.MayPublishRound,
	Changes: []action.What{action.TopicSeats, action.TopicPeople},
	Details: action.Steps("status.")})

func (p PublishRound) Do(tx *action.Tx) (tournament.Round, error) {
	round, err := tournament.FindRound(tx.DB, p.Round)
	if err != nil {
		return round, err
	}
	switch round.Status {
	case tournament.RoundPublished, tournament.RoundRunning:
		return round, nil
	case tournament.RoundFinished:
		return round, refuse.Conflict("err_round_over", "round", round.Number)
	}
	return publish(tx, round)
}

// publish publishes a draft.
func publish(tx *action.Tx, round tournament.Round) (tournament.Round, error) {
	tables, err := checkNow(tx, &round)
	if err != nil {
		return round, err
	}
	if round.Status, round.PublishedAt = tournament.RoundPublished, tx.Now(); round.ChangedAt != 0 {
		round.ChangedAt = round.PublishedAt
	}
	if err := tx.Model(&round).Select("status", "published_at", "changed_at", "checked_at",
		"checked_by").Updates(&round).Error; err != nil {
		return round, err
	}
	if err := tx.Model(&tournament.Tournament{}).Where("id = ? AND status = ?", round.TournamentID,
		tournament.StatusDraft).
		Update("status", tournament.StatusRunning).Error; err != nil {
		return round, err
	}
	if err := furnish(tx.DB, round, tables); err != nil {
		return round, err
	}
	if round.Sealed = round.Sealed && round.Plan != ""; !round.Sealed {
		if err := tournament.Unseal(tx.DB, round.TournamentID); err != nil {
			return round, err
		}
	}
	if err := ranking.PromiseLot(tx, round.TournamentID); err != nil {
		return round, err
	}
	tx.Record(action.Entry{Kind: publishKind, Event: round.TournamentID, On: round.About(),
		Is: action.Step{Was: tournament.RoundDraft, Is: tournament.RoundPublished}})
	return round, noteMissed(tx.DB, round)
}

// checkNow checks that a draft about to be published seats exactly the current players, each once. It marks the draft
// as approved if it is not yet, and returns the tables.
func checkNow(tx *action.Tx, round *tournament.Round) ([]tournament.Table, error) {
	open, err := openDraft(tx.DB, round.ID)
	if err != nil {
		return nil, err
	}
	if err := pairing.Check(open.q, []pairing.Round{open.plan()}); err != nil {
		return nil, refuse.Invalid("err_seats_wrong", "detail", err.Error())
	}
	if round.CheckedAt == 0 {
		round.CheckedAt, round.CheckedBy = tx.Now(), tx.Actor.Name
	}
	return open.Tables, nil
}

// furnish creates the games and codes of a round's tables.
func furnish(tx *gorm.DB, round tournament.Round, tables []tournament.Table) error {
	coded := func(update string, id int64) error { // without gorm for speed: a hall has hundreds
		code := secret.NewCode()
		_, err := tx.Statement.ConnPool.ExecContext(tx.Statement.Context, update, code, secret.Hash(code), id)
		return err
	}
	var games []tournament.Game
	for _, t := range tables {
		if err := coded("UPDATE tables SET code = $1, code_hash = $2 WHERE id = $3", t.ID); err != nil {
			return err
		}
		for _, seat := range t.Seats {
			if err := coded("UPDATE seats SET code = $1, code_hash = $2 WHERE id = $3", seat.ID); err != nil {
				return err
			}
		}
	}
	for number := range round.Games { // adjacent log index for simultaneous games: fewer pages per commit
		for _, t := range tables {
			games = append(games, tournament.Game{TournamentID: round.TournamentID, TableID: t.ID, Number: number + 1,
				Status: game.Waiting})
		}
	}
	return tx.CreateInBatches(games, 100).Error
}

// noteMissed records the missed round, at its publication, for the players of its stage who have left.
func noteMissed(tx *gorm.DB, round tournament.Round) error {
	return tx.Exec(`INSERT INTO missed_rounds (tournament_id, player_id, round, stage, games, charge, reason)
		SELECT p.tournament_id, p.id, r.number, r.stage, r.games, 12 * t.missed_charge * r.games,
			CASE p.state WHEN 'no_show' THEN 'no_show' ELSE 'left' END
		FROM rounds r JOIN tournaments t ON t.id = r.tournament_id JOIN players p ON p.tournament_id = t.id
		WHERE r.id = ? AND r.play_off = 0 AND p.state IN ('withdrawn', 'no_show')
			AND NOT EXISTS (SELECT 1 FROM seats WHERE round_id = r.id AND player_id = p.id)
			AND (r.stage = 0 OR EXISTS (SELECT 1 FROM seats s JOIN rounds f ON f.id = s.round_id
				WHERE f.tournament_id = t.id AND f.stage = r.stage AND f.stage_round = 1 AND f.id <> r.id AND s.player_id = p.id))
		ON CONFLICT DO NOTHING`, round.ID).Error
}
