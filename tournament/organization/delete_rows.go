package organization

import (
	"context"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"meldhall/tournament/store"
)

const (
	ofEvents    = "tournament_id IN (SELECT id FROM tournaments WHERE organization_id = @o)"
	ofOfficials = "account_id IN (SELECT id FROM accounts WHERE organization_id = @o)"
	ofLogs      = "log_id IN (SELECT id FROM logs WHERE tournament_id = @event)"
	gamesAtOnce = 10 // some thousand rows
)

// going lists tables with the condition of the rows to delete, in the order in which references allow it.
type going []struct{ table, of string }

// The rows to delete: those of each tournament that must go before its games; those of a batch of games; the rest of
// each tournament; and the rest of the organization.
var (
	aboutGames = going{{"sanction_decisions", "sanction_id IN (SELECT id FROM sanctions WHERE tournament_id = @event)"},
		{"sanctions", "tournament_id = @event"}}
	ofGames = going{{"signatures", "game_id IN @games"}, {"protest_decisions",
		"protest_id IN (SELECT id FROM protests WHERE game_id IN @games)"}, {"protests", "game_id IN @games"},
		{"result_lines", "result_id IN (SELECT id FROM results WHERE game_id IN @games)"},
		{"results", "game_id IN @games"}, {"game_events", "game_id IN @games"},
		{"evidence", "game_id IN @games"}, {"shares", "game_id IN @games"},
		{"shuffles", "game_id IN @games"}, {"games", "id IN @games"}}
	ofEvent = going{{"seats", "round_id IN (SELECT id FROM rounds WHERE tournament_id = @event)"},
		{"tables", "tournament_id = @event"},
		{"round_deals", "round_id IN (SELECT id FROM rounds WHERE tournament_id = @event)"},
		{"rounds", "tournament_id = @event"},
		{"lots", "tournament_id = @event"}, {"seed_promises", "tournament_id = @event"},
		{"stand_ins", "tournament_id = @event"}, {"missed_rounds", "tournament_id = @event"},
		{"keep_apart", "tournament_id = @event"}, {"qualifications", "tournament_id = @event"},
		{"people_changes", "tournament_id = @event"}, {"announcements", "tournament_id = @event"},
		{"slots", "tournament_id = @event"}, {"closed_tables", "tournament_id = @event"},
		{"displays", "tournament_id = @event"}, {"zones", "tournament_id = @event"},
		{"table_devices", "tournament_id = @event"}, {"showings", "tournament_id = @event"},
		{"trainings", "tournament_id = @event"}, {"embeddings", "tournament_id = @event"},
		{"logos", "tournament_id = @event"}, {"photos", "tournament_id = @event"},
		{"table_calls", "tournament_id = @event"}, {"reveals", "tournament_id = @event"},
		{"featured_tables", "tournament_id = @event"}, {"audit", "tournament_id = @event"},
		{"record_chains", "tournament_id = @event"},
		{"log_cosignatures", ofLogs}, {"log_checkpoints", ofLogs}, {"log_leaves", ofLogs},
		{"logs", "tournament_id = @event"},
		{"players", "tournament_id = @event"}}
	ofOrganization = going{{"audit", "(" + ofEvents + " OR organization_id = @o)"},
		{"record_chains", ofEvents + " OR tournament_id = 0 AND organization_id = @o"},
		{"tournaments", "organization_id = @o"}, {"formats", "organization_id = @o"},
		{"rule_presets", "organization_id = @o"},
		{"sessions", "token IN (SELECT session FROM devices WHERE " + ofOfficials + ")"}, {"devices", ofOfficials},
		{"invites", ofOfficials}, {"known_devices", ofOfficials},
		{"second_factors", ofOfficials}, {"recovery_codes", ofOfficials}, {"passkeys", ofOfficials},
		{"security_log", "(lower(name) LIKE @part OR lower(about) LIKE @part)"}}
)

// GoOn completes deletions of organizations that were interrupted because the program or another node died. It does not
// disturb a deletion that is still in progress.
func GoOn(ctx context.Context, s *store.DB) error {
	left, err := store.All[Organization](s.Read.WithContext(ctx).Where("deleting <> 0").Order("id"))
	for _, o := range left {
		err = errors.Join(err, takeOut(ctx, s, o))
	}
	return err
}

// takeOut deletes all rows of a hidden organization. Each transaction is short, so that turns can be written between
// transactions. Running it twice, or in two processes at once, does no harm.
func takeOut(ctx context.Context, s *store.DB, o Organization) error {
	events, err := s.IDs(ctx, "SELECT id FROM tournaments WHERE organization_id = $1 ORDER BY id", o.ID)
	if err == nil {
		err = aboutGames.goOf(ctx, s, events)
	}
	for more := err == nil; more; {
		more, err = someGames(ctx, s, o.ID)
	}
	if err == nil {
		err = ofEvent.goOf(ctx, s, events)
	}
	if err == nil {
		err = s.Tx(ctx, func(tx *gorm.DB) error { return lastRows(tx, o, s) })
	}
	if err != nil {
		return fmt.Errorf("delete organization %d: the rest goes later: %w", o.ID, err)
	}
	return s.RewriteIdle(ctx)
}

// goOf deletes the rows of tournaments, with a transaction for each table and tournament.
func (all going) goOf(ctx context.Context, s *store.DB, events []int64) error {
	for _, t := range all {
		for _, tournamentID := range events {
			if err := s.Tx(ctx, func(tx *gorm.DB) error {
				return run(tx, "DELETE FROM "+t.table+" WHERE "+t.of, map[string]any{"event": tournamentID})
			}); err != nil {
				return err
			}
		}
	}
	return nil
}

// someGames deletes some of an organization's games completely, and reports whether there were any.
func someGames(ctx context.Context, s *store.DB, organization int64) (more bool, err error) {
	games, err := s.IDs(ctx,
		"SELECT g.id FROM games g JOIN tournaments t ON t.id = g.tournament_id WHERE t.organization_id = $1 ORDER BY g.id LIMIT $2", organization, gamesAtOnce)
	if err != nil || len(games) == 0 {
		return false, err
	}
	return true, s.Tx(ctx, func(tx *gorm.DB) error { return ofGames.rows(tx, map[string]any{"games": games}) })
}

func (all going) rows(tx *gorm.DB, of map[string]any) error {
	for _, t := range all {
		if err := run(tx, "DELETE FROM "+t.table+" WHERE "+t.of, of); err != nil {
			return err
		}
	}
	return nil
}

// lastRows deletes the organization's own rows, and clears everything but the ID of each account.
func lastRows(tx *gorm.DB, o Organization, s *store.DB) error {
	of := map[string]any{"o": o.ID, "part": "%@" + o.Slug, "now": s.Millis()}
	if err := ofOrganization.rows(tx, of); err != nil {
		return err
	}
	for _, sql := range []string{
		`UPDATE accounts SET name = '', name_key = '#' || id, role = 'observer', password = '', pin = '', removed_at = @now, events = NULL, made_by = 0, own_since = 0, organization_id = 0
			WHERE organization_id = @o`,
		"DELETE FROM organizations WHERE id = @o",
		"INSERT INTO erasures (at) VALUES (@now)",
	} {
		if err := run(tx, sql, of); err != nil {
			return err
		}
	}
	return nil
}

func run(tx *gorm.DB, sql string, of map[string]any) error {
	if err := tx.Exec(sql, of).Error; err != nil {
		return fmt.Errorf("%s: %w", sql, err)
	}
	return nil
}
