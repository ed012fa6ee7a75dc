package archive

import (
	"strings"

	"meldhall/tournament/game"
	"meldhall/tournament/store"
)

// part describes the rows of one table that belong to a tournament: their file and the columns to write.
type part struct {
	table string
	file  string
	// of holds the condition that selects the rows of the tournament @event, and by holds their order.
	of, by string
	// carry lists the columns that are written. drop lists those left out: secrets, data of one machine, and data that
	// is recomputed. A test checks that every column is in one of them, so that new columns need a decision.
	carry, drop []string
	// refs lists the columns that contain another table's IDs or other references to rows; see renamed.
	refs map[string]string
	// skip is a condition for rows that are left out. as maps columns to the expressions written instead; see
	// README.md.
	skip string
	as   map[string]string
}

// The ways in which columns reference rows, besides a table name for that table's IDs.
const (
	refActor    = "actor"    // such as player:17
	refPlayers  = "players"  // all numbers in the JSON are player IDs
	refReport   = "report"   // the players in a report on seats
	refAbout    = "about"    // the game in an action's subject
	refProposed = "proposed" // the game of a proposed correction
)

const (
	ofEvent = "tournament_id = @event"
	ofGame  = "game_id IN (SELECT id FROM games WHERE tournament_id = @event)"
	ofRound = "round_id IN (SELECT id FROM rounds WHERE tournament_id = @event)"
	ofDraft = "round_id IN (SELECT id FROM rounds WHERE status = 'draft')"

	// The tournament's games whose deal is still being played, and the corrections of their results, which contain
	// racks.
	sealedGames = `SELECT g.id FROM games g JOIN tables t ON t.id = g.table_id JOIN rounds r ON r.id = t.round_id
		WHERE g.tournament_id = @event AND ` + game.DealInPlay
	sealedCorrection = "kind = 'correction' AND game_id IN (" + sealedGames + ")"
)

// parts lists all parts, each after those that its rows reference.
var parts = []part{
	{table: "tournaments", file: eventName, of: "id = @event", by: "id",
		carry: words("id name place status created_at tiles registration_open capacity check_in_open " +
			"no_show_minutes missed_charge second_over zones_bind rule_changes " +
			"first_day last_day time_zone organizer colour federation referee cancelled_at"),
		drop: words(`format rules practice rehearses rehearsed_by ends_by removed_at organization_id archived_at
			archive_hash unlisted_at`), refs: map[string]string{"id": "tournaments"}},
	{table: "slots", file: eventName, of: ofEvent, by: "position",
		carry: words("tournament_id position round name starts_at ends_at")},
	{table: "closed_tables", file: eventName, of: ofEvent, by: "number", carry: words("tournament_id number reason")},
	{table: "announcements", file: eventName, of: ofEvent, by: "id",
		carry: words("tournament_id level texts actor at until"), drop: words("id")},
	{table: "showings", file: eventName, of: ofEvent, by: "part",
		carry: words("tournament_id part how minutes since was")},
	{table: "embeddings", file: eventName, of: ofEvent, by: "tournament_id", carry: words("tournament_id sites")},
	{table: "logos", file: eventName, of: ofEvent, by: "tournament_id", carry: words("tournament_id picture sha256")},
	{table: "players", file: playersName, of: ofEvent, by: "id",
		carry: words(`id tournament_id number name name_key country apart club rating division state gone fixed_table
			drawn mark told public federation_number`),
		drop: words("email device_hash device_at device_key ticket extra_seconds family hand"),
		refs: map[string]string{"id": "players"}},
	{table: "stand_ins", file: playersName, of: ofEvent, by: "id",
		carry: words("tournament_id player_id name round game"), drop: words("id")},
	{table: "missed_rounds", file: playersName, of: ofEvent, by: "player_id, round",
		carry: words("tournament_id player_id round stage games charge reason")},
	{table: "keep_apart", file: playersName, of: ofEvent, by: "a, b", carry: words("tournament_id a b"),
		refs: map[string]string{"a": "players", "b": "players"}},
	{table: "qualifications", file: playersName, of: ofEvent, by: "player_id",
		carry: words("tournament_id player_id state why actor at")},
	{table: "rounds", file: roundsName, of: ofEvent, by: "number",
		carry: words("id tournament_id number stage stage_round games status method seed created_at published_at started_at finished_at play_off report plan note draws changes checked_at checked_by duplicate planned replanned sealed changed_at"),
		refs:  map[string]string{"id": "rounds", "plan": refPlayers, "planned": refPlayers, "report": refReport},
		skip:  "status = 'draft'",
		as: map[string]string{"seed": "CASE WHEN sealed <> 0 THEN 0 ELSE seed END", "plan": untilTold("plan"),
			"planned": untilTold("planned"), "report": untilTold("report")}},
	{table: "tables", file: roundsName, of: ofEvent, by: "id", carry: words("id tournament_id round_id number tiles"),
		drop: words("code code_hash code_reused"),
		refs: map[string]string{"id": "tables"}, skip: ofDraft},
	{table: "seats", file: roundsName, of: ofRound, by: "table_id, seat",
		carry: words("round_id table_id seat player_id"),
		drop:  words("id code code_hash code_expires code_used_at code_reused"), skip: ofDraft},
	{table: "games", file: roundsName, of: ofEvent, by: "id",
		carry: words("id tournament_id table_id number status started_at finished_at"), drop: words("head"),
		refs: map[string]string{"id": "games"}, skip: "table_id IN (SELECT id FROM tables WHERE " + ofDraft + ")"},
	{table: "round_deals", file: roundsName, of: ofRound, by: "round_id, number", carry: words("round_id number deal"),
		skip: `EXISTS (SELECT 1 FROM rounds r JOIN tables t ON t.round_id = r.id
			JOIN games g ON g.table_id = t.id AND g.number = round_deals.number
			WHERE r.id = round_deals.round_id AND ` + game.DealInPlay + ")"},
	{table: "seed_promises", file: roundsName, of: ofEvent, by: "round, lot",
		carry: words("tournament_id round lot method seed salt hash actor at"),
		skip: `NOT EXISTS (SELECT 1 FROM rounds r WHERE r.tournament_id = @event AND r.number = seed_promises.round AND r.sealed = 0 AND r.status <> 'draft')
			AND (lot = 0 OR lot > (SELECT count(*) FROM lots WHERE tournament_id = @event))`},
	{table: "lots", file: roundsName, of: ofEvent, by: "id",
		carry: words("tournament_id stage players drawn seed actor at"), drop: words("id"),
		refs: map[string]string{"players": refPlayers, "drawn": refPlayers}},
	{table: "results", file: resultsName, of: ofGame, by: "game_id, rev",
		carry: words("id game_id rev status ending actor why at"), refs: map[string]string{"id": "results"}},
	{table: "result_lines", file: resultsName, of: "result_id IN (SELECT id FROM results WHERE " + ofGame + ")",
		by:    "result_id, seat",
		carry: words("result_id seat player_id points wins charge reason tiles opened"), drop: words("id"),
		refs: map[string]string{"result_id": "results"},
		as: map[string]string{"tiles": "CASE WHEN result_id IN (SELECT id FROM results WHERE game_id IN (" +
			sealedGames + ")) THEN '' ELSE tiles END"}},
	{table: "signatures", file: resultsName, of: ofGame, by: "id", carry: words("game_id rev seat player_id at"),
		drop: words("id")},
	{table: "sanctions", file: rulingsName, of: ofEvent, by: "id",
		carry: words("id tournament_id player_id game_id round kind points rule reason actor at correction"),
		drop:  words("account_id"), refs: map[string]string{"id": "sanctions", "correction": refProposed},
		skip: sealedCorrection},
	{table: "sanction_decisions", file: rulingsName,
		of: "sanction_id IN (SELECT id FROM sanctions WHERE tournament_id = @event)", by: "id",
		carry: words("sanction_id decision actor at why withdrew"), drop: words("id account_id"),
		refs: map[string]string{"sanction_id": "sanctions"},
		skip: "sanction_id IN (SELECT id FROM sanctions WHERE " + sealedCorrection + ")"},
	{table: "protests", file: rulingsName, of: ofGame, by: "id", carry: words("id game_id rev seat player_id text at"),
		refs: map[string]string{"id": "protests"}},
	{table: "protest_decisions", file: rulingsName, of: "protest_id IN (SELECT id FROM protests WHERE " + ofGame + ")",
		by:    "id",
		carry: words("protest_id outcome reason actor at"), drop: words("id"),
		refs: map[string]string{"protest_id": "protests"}},
	{table: "audit", file: actionsName, of: ofEvent, by: "id",
		carry: words("at tournament_id actor action why version about data subject before after salt"),
		drop:  words("id topics sum erased organization_id chain"), refs: map[string]string{"about": refAbout},
		skip: "action IN ('" + strings.Join(store.HomeActions, "', '") + "')"},
}

// ofMachines lists the tables that archives leave out: accounts and devices, data for undoing, views of drafts, photos,
// which show people and may be taken off later, the machine's own data, and the transparency log, which log.go writes.
var ofMachines = words(`accounts backups copy_plan damages devices displays epochs erasures evidence featured_tables
	formats heartbeat invites known_devices log_checkpoints log_cosignatures log_keys log_leaves logs organizations
	passkeys people_changes photos record_chains recovery_codes reveals rule_presets second_factors security_log
	sessions setup shares shuffles table_calls table_devices trainings zones`)

// everywhere maps the columns that reference the same table wherever they occur to that table.
var everywhere = map[string]string{"tournament_id": "tournaments", "player_id": "players", "round_id": "rounds",
	"table_id": "tables", "game_id": "games", "actor": refActor}

// keepJSON lists the columns that contain JSON, which is written unquoted.
var keepJSON = words("about correction data deal drawn planned plan players report rule_changes texts was")

// laterColumns holds the values of columns that archives of this version may lack, because an older program made them.
var laterColumns = map[string]any{"tournaments.first_day": "", "tournaments.last_day": "", "tournaments.time_zone": "",
	"tournaments.organizer": "", "tournaments.colour": "", "tournaments.federation": "",
	"tournaments.referee": "", "tournaments.cancelled_at": int64(0), "players.federation_number": ""}

// ref returns what a column references, or "".
func (p part) ref(column string) string {
	if r := p.refs[column]; r != "" {
		return r
	}
	return everywhere[column]
}

// untilTold returns the SQL expression that leaves a column's text out as long as the text would reveal later seats.
func untilTold(column string) string { return "CASE WHEN sealed <> 0 THEN '' ELSE " + column + " END" }

func words(text string) []string { return strings.Fields(text) }
