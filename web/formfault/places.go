package formfault

import (
	"fmt"
	"strings"

	"meldhall/templates/desk"
)

// places maps the key of a refusal to the fields that it concerns; the first one that the form has is used. It contains
// neither refusals that name their field in the argument "field" nor refusals that no field can correct.
var places = map[string][]string{
	"err_account_exists": {"name", "invite-name"}, "err_account_name": {"name", "invite-name"},
	"err_account_role":       {"role"},
	"err_announcement_level": {"level"}, "err_announcement_minutes": {"minutes"}, "err_announcement_text": {"text-*"},
	"err_copy_every": {"every"}, "err_copy_keep": {"keep"}, "err_copy_place": {"folder"},
	"err_capacity": {"capacity"}, "err_code_expired": {"code"}, "err_code_used": {"code"}, "err_code_wrong": {"code"},
	"err_correction_weight": {"charge-*", "points"}, "err_display_code": {"code"}, "err_display_number": {"number"},
	"err_draft_games": {"games"}, "err_draft_most": {"seats_most"}, "err_draw_note": {"note", "why"},
	"err_embed_many": {"sites"}, "err_embed_site": {"sites"}, "err_entry_few": {"players"},
	"err_entry_many": {"players"}, "err_entry_step": {"players"},
	"err_extra_time": {"seconds"}, "err_format_name_taken": {"name"}, "err_format_unknown": {"format"},
	"err_format_points": {"format"},
	"err_log_span":      {"until"}, "err_missed_charge": {"missed_charge"}, "err_missed_points": {"points"},
	"err_no_show_minutes": {"no_show_minutes"},
	"err_password_easy":   {"password"}, "err_password_leaked": {"password"}, "err_password_long": {"password"},
	"err_password_short": {"password"},
	"err_password_wrong": {"old", "pin-password", "second-password", "password"}, "err_people_kind": {"kind"},
	"err_pin_form": {"pin"}, "err_pin_wrong": {"pin"},
	"err_play_off_method": {"method"}, "err_player_email": {"email"}, "err_player_entered": {"mark"},
	"err_player_no_name": {"name"},
	"err_player_rating":  {"rating"}, "err_player_twice": {"mark", "name"}, "err_players_too_many": {"players"},
	"err_players_too_few": {"players"},
	"err_position_line":   {"table"}, "err_practice_bots": {"strength"}, "err_promise_method": {"method"},
	"err_promise_nothing": {"method"},
	"err_protest_outcome": {"outcome"}, "err_publish_how": {"how"}, "err_publish_minutes": {"minutes"},
	"err_publish_part": {"part"}, "err_publish_since": {"since"},
	"err_rehearsal_by": {"by"}, "err_result_ending": {"ended"}, "err_result_wins": {"wins-*"},
	"err_roster_book_broken": {"file", "text"}, "err_roster_book_cells": {"file", "text"},
	"err_roster_book_error": {"file", "text"}, "err_roster_book_far": {"file", "text"},
	"err_roster_book_large": {"file", "text"}, "err_roster_book_locked": {"file", "text"},
	"err_roster_book_old": {"file", "text"}, "err_roster_cells": {"file", "text"},
	"err_roster_column_twice": {"text", "file", "players"}, "err_roster_column_unknown": {"text", "file", "players"},
	"err_roster_empty": {"text", "file", "players"}, "err_roster_encoding": {"file", "text", "players"},
	"err_roster_letters":        {"file", "text", "players"},
	"err_roster_no_name_column": {"text", "file", "players"}, "err_roster_problems": {"text", "players"},
	"err_roster_quotes":  {"text", "file", "players"},
	"err_roster_too_big": {"file", "text"}, "err_roster_too_many": {"text", "file", "players"},
	"err_rules_round": {"round"}, "err_rules_unknown": {"rules"},
	"err_sanction_kind": {"kind"}, "err_sanction_points": {"points"}, "err_sanction_rule": {"rule"},
	"err_script_column": {"file"}, "err_script_empty": {"file"}, "err_script_gap": {"file"},
	"err_script_missing":   {"file"},
	"err_script_no_column": {"file"}, "err_script_no_round": {"file"}, "err_script_player": {"file"},
	"err_script_quotes": {"file"}, "err_script_round": {"file"},
	"err_script_size": {"file"}, "err_script_taken": {"file"}, "err_script_twice": {"file"},
	"err_script_value": {"file"}, "err_script_most": {"seats_most"},
	"err_seating_method": {"method"}, "err_second_password": {"password"}, "err_second_wrong": {"code"},
	"err_setup_token_wrong": {"token"},
	"err_sign_in_wrong":     {"password"}, "err_stage_rounds": {"rounds"}, "err_new_rounds": {"rounds"},
	"err_substitute_keep": {"keep"}, "err_substitute_plays": {"name"}, "err_substitute_who": {"name"},
	"err_table_number": {"number"}, "err_table_size": {"seats_most"}, "err_ticket_wrong": {"ticket"},
	"err_tiles":           {"tiles"},
	"err_tournament_name": {"name", "place"}, "err_typed": {"typed"},
	"err_organization_slug": {"slug"}, "err_organization_slug_taken": {"slug"}, "err_organization_name": {"name"},
	"err_organization_official":   {"name", "invite-name"},
	"err_account_of_organization": {"name", "invite-name"},
	"err_naming_way":              {"way"}, "err_waiver_state": {"state"},
	"err_why_missing": {"why", "reason", "note", "text"}, "err_zone_tables": {"tables"},
	"amount_out_of_range": {"seconds", "tiles", "points", "amount"}, "reason_missing": {"reason", "why", "canned"},
	"starter_missing":  {"seat"},
	"position_invalid": {"table"}, "count_ending": {"ended", "why-*"},
	"err_slot_name": {"name"}, "err_slot_overlaps": {"from"}, "err_slot_round": {"what"},
	"err_slot_times": {"from", "starts"},
}

// Place returns the fields that a refusal concerns, given its key and arguments. nth selects one of several repeated
// fields.
func Place(key string, args map[string]any) (fields []string, nth int) {
	if field, ok := args["field"].(string); ok {
		nth, _ := args["nth"].(int)
		return []string{field, "rule-" + field, field[strings.LastIndexByte(field, '.')+1:]}, nth
	}
	if id, ok := args["id"].(int64); ok && strings.Contains(key, "_drawn_") {
		return []string{desk.DrawnField + fmt.Sprint(id)}, 0
	}
	if seat, ok := args["seat"].(int); ok && (key == "err_result_points" || key == "err_result_annulled") {
		return []string{fmt.Sprint("points-", seat-1)}, 0
	}
	return places[key], 0
}
