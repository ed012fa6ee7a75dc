package web

// errorTexts are the English texts of this package's own errors, by key; {{.name}} is the argument of
// that name. The locale files hold the same keys.
var errorTexts = map[string]string{
	"err_cross_origin":        "This came from a page of another site ({{.origin}}) and was not done.",
	"err_display_code":        "No screen shows this code. Look at the screen again: it may show a new one.",
	"err_field":               "Field {{.field}}: {{.detail}}.",
	"err_game_running":        "Game {{.game}} is not over.",
	"err_gone":                "The request was given up.",
	"err_internal":            "Something failed on the server. Nothing was changed. Its number is {{.request}}.",
	"err_join_first":          "Take a seat first.",
	"err_log_span":            "The log is searched until {{.until}}, which is before {{.from}}.",
	"err_log_time":            "“{{.value}}” is no day and time. Write it as 2026-03-28 14:05, or the day alone.",
	"err_method":              "{{.method}} is not for this address.",
	"err_not_on_rack":         "Only tiles of your own rack can be planned.",
	"err_number":              "“{{.value}}” is no whole number ({{.field}}).",
	"err_page_not_found":      "There is nothing at {{.path}}.",
	"err_player_not_at_table": "This player does not sit at table {{.table}}.",
	"err_storage":             "The server cannot store anything at the moment. Send it again with the same key.",
	"err_too_large":           "That is too large: at most {{.bytes}} bytes.",
	"err_too_many_tries":      "Too many tries. Wait {{.seconds}} seconds.",
	"err_unreadable":          "The request cannot be read: {{.detail}}.",
}
