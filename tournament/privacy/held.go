package privacy

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/displayname"
	"meldhall/tournament/game"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// Held is the data that a tournament holds about a person, for answering an access request. Times are milliseconds
// since 1970.
type Held struct {
	Version int             `json:"version"`
	Event   string          `json:"event"`
	Made    engine.Millis   `json:"made"`
	Parts   map[string]rows `json:"parts" doc:"database rows by type"`
}

// rows are database rows; texts that contain JSON are included as JSON.
type rows []map[string]any

// released is the SQL condition that the log of game g may leave the server: the game is over, and no table still plays
// its deal.
const released = `g.status = 'finished' AND NOT EXISTS (
	SELECT 1 FROM tables t JOIN rounds r ON r.id = t.round_id WHERE t.id = g.table_id AND ` + game.DealInPlay + `)`

// heldParts lists the parts with their queries. @player is the player, @event the tournament, and @person is player:ID.
var heldParts = []struct{ name, query string }{
	{"entry", `SELECT number, name, shown, country, club, mark, federation_number, rating, email, state, gone,
		fixed_table, ticket, extra_seconds, drawn, division, family, public, hand,
		device_hash IS NOT NULL AS has_device, device_at
		FROM players WHERE id = @player`},
	{"seats", `SELECT r.number AS round, t.number AS "table", s.seat + 1 AS seat, s.code_used_at FROM seats s JOIN tables t ON t.id = s.table_id JOIN rounds r ON r.id = s.round_id
		WHERE s.player_id = @player AND r.status <> 'draft' ORDER BY r.number`},
	{"stood_in_for_by", "SELECT name, round, game FROM stand_ins WHERE player_id = @player ORDER BY id"},
	{"missed_rounds", "SELECT round, charge, reason FROM missed_rounds WHERE player_id = @player ORDER BY round"},
	{"kept_apart_from",
		"SELECT p.number FROM keep_apart k JOIN players p ON p.id = CASE k.a WHEN @player THEN k.b ELSE k.a END WHERE @player IN (k.a, k.b) ORDER BY p.number"},
	{"takes_no_place", "SELECT state, why, at FROM qualifications WHERE player_id = @player"},
	{"results", `SELECT r.number AS round, t.number AS "table", g.number AS game, x.rev, x.status, x.ending, x.at,
		x.why, l.points / 12.0 AS points, l.wins / 12.0 AS wins, l.charge / 12.0 AS charge, l.reason,
		CASE WHEN ` + released + ` THEN l.tiles ELSE '' END AS tiles
		FROM result_lines l JOIN results x ON x.id = l.result_id JOIN games g ON g.id = x.game_id JOIN tables t ON t.id = g.table_id JOIN rounds r ON r.id = t.round_id
		WHERE l.player_id = @player ORDER BY x.id`},
	{"agreed_to_counts", "SELECT game_id, rev, at FROM signatures WHERE player_id = @player ORDER BY id"},
	{"penalties", `SELECT s.round, s.kind, s.points, s.rule, s.reason, s.actor, s.at, d.decision, d.actor AS decided_by, d.at AS decided_at, d.why FROM sanctions s
		LEFT JOIN sanction_decisions d ON d.sanction_id = s.id WHERE s.player_id = @player ORDER BY s.id, d.id`},
	{"protests", `SELECT p.game_id, p.rev, p.text, p.at, d.outcome, d.reason, d.actor AS decided_by, d.at AS decided_at FROM protests p
		LEFT JOIN protest_decisions d ON d.protest_id = p.id WHERE p.player_id = @player ORDER BY p.id`},
	{"rulings", `SELECT e.game_id, e.seq, e.kind, e.data, e.actor, e.at FROM game_events e JOIN games g ON g.id = e.game_id JOIN seats s ON s.table_id = g.table_id AND s.player_id = @player
		WHERE ` + released + `
		AND e.data LIKE '%"reason":"%' AND e.data LIKE '%"seat":' || s.seat || '%' ORDER BY e.id`},
	{"moves", `SELECT e.game_id, e.seq, e.kind, e.data, e.at FROM game_events e JOIN games g ON g.id = e.game_id
		WHERE g.tournament_id = @event AND e.actor = @person AND ` + released + ` ORDER BY e.id`},
	{"connections_and_drafts", `SELECT v.game_id, v.turn, v.at, v.kind, v.data FROM evidence v JOIN games g ON g.id = v.game_id JOIN seats s ON s.table_id = g.table_id AND s.seat = v.seat
		WHERE s.player_id = @player AND ` + released + ` ORDER BY v.id`},
}

// HeldOf collects the data that a tournament holds about a player. Only organizers may call it.
func HeldOf(ctx context.Context, s *store.DB, actor rights.Actor, player int64) (held Held, err error) {
	ctx = displayname.InFull(ctx)
	p, err := tournament.PlayerByID(ctx, s, player)
	if err != nil {
		return held, err
	}
	if err := rights.Authorize(actor, rights.Place{Tournament: p.TournamentID}, rights.MayEditRoster); err != nil {
		return held, err
	}
	held = Held{Version: 1, Made: s.Millis(), Parts: map[string]rows{}}
	t, err := tournament.TournamentByID(ctx, s, p.TournamentID)
	if err != nil {
		return held, err
	}
	held.Event = t.Name
	err = s.Snapshot(ctx, func(db *gorm.DB) error {
		for _, part := range heldParts {
			of := map[string]any{"player": player, "event": p.TournamentID, "person": fmt.Sprint("player:", player)}
			if held.Parts[part.name], err = rowsOf(db, part.query, of); err != nil {
				return fmt.Errorf("gather %s: %w", part.name, err)
			}
		}
		all, err := rowsOf(db,
			"SELECT at, actor, action, why, about, data, subject, before, after FROM audit WHERE tournament_id = @event ORDER BY id", map[string]any{"event": p.TournamentID})
		held.Parts["records"] = rows{}
		for _, r := range all {
			if concerns(r, p) {
				held.Parts["records"] = append(held.Parts["records"], r)
			}
		}
		return err
	})
	return held, err
}

// concerns reports whether a record is by or about a player, or names them.
func concerns(r map[string]any, p tournament.Player) bool {
	if r["actor"] == fmt.Sprint("player:", p.ID) {
		return true
	}
	if on, ok := r["about"].(json.RawMessage); ok {
		var about struct{ Player int }
		if json.Unmarshal(on, &about) == nil && about.Player == p.Number {
			return true
		}
	}
	text, err := json.Marshal(r)
	if err != nil {
		return false
	}
	name, _ := json.Marshal(p.Written)
	quoted := string(name[1 : len(name)-1])
	return replaced(string(text), quoted, "") != string(text)
}

func rowsOf(db *gorm.DB, query string, of map[string]any) (rows, error) {
	all := []map[string]any{}
	if err := db.Raw(query, of).Scan(&all).Error; err != nil {
		return nil, err
	}
	for _, row := range all {
		for name, value := range row {
			if text, ok := value.(string); ok && (strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[")) &&
				json.Valid([]byte(text)) {
				row[name] = json.RawMessage(text)
			}
		}
	}
	return all, nil
}
