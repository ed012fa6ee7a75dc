package web

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/rights"
)

// logShownAtOnce is how many actions a page of the log holds.
const logShownAtOnce = 50

// logPage is the actions log of an event.
func (s *deskPages) logPage(c *gin.Context) error {
	event := idIn(c, "event")
	number := func(name string) int {
		n, _ := strconv.Atoi(c.Query(name))
		return max(n, 0)
	}
	ctx := s.language(c)
	if err := rights.Authorize(s.staff(c), rights.Place{Tournament: event}, rights.MaySeeAudit); err != nil {
		return err
	}
	t, err := tournament.TournamentByID(ctx, s.store, event)
	if err != nil {
		return err
	}
	view := templates.LogView{Page: s.newPage(c, templates.T(ctx, "log.title"), &t), ID: event, Query: templates.LogQuery{Text: c.Query("q"), Who: c.Query("who"),
		Round: c.Query("round"), Table: c.Query("table"), Player: c.Query("player"), From: fieldMoment(c.Query("from"), false), Until: fieldMoment(c.Query("until"), true)}}
	from, until, err := logSpan(c.Query("from"), c.Query("until"))
	if err != nil {
		text, status, err := s.problem(c, err)
		if err != nil {
			return err
		}
		view.Problem = text
		return s.show(c, status, templates.LogPage(view))
	}
	q := tournament.LogSearch{Who: c.Query("who"), Round: number("round"), Table: number("table"), Player: number("player"),
		From: from, Until: until, Before: int64(number("before")), Limit: logShownAtOnce}
	words, err := s.newLogWriter(ctx, event)
	if err != nil {
		return err
	}
	q.Match = words.match(c.Query("q"))
	page, err := tournament.SearchRecords(ctx, s.store, s.staff(c), event, q)
	if err != nil {
		return err
	}
	view.Total = page.Total
	for _, e := range page.Entries {
		view.Entries = append(view.Entries, words.entry(e))
	}
	asked := url.Values{}
	for _, name := range []string{"q", "who", "round", "table", "player", "from", "until"} {
		if v := c.Query(name); v != "" {
			asked.Set(name, v)
		}
	}
	if q.Before > 0 {
		view.Newer = string(templates.LogPath(event)) + "?" + asked.Encode()
	}
	if page.More {
		asked.Set("before", strconv.FormatInt(page.Entries[len(page.Entries)-1].ID, 10))
		view.Older = string(templates.LogPath(event)) + "?" + asked.Encode()
	}
	return s.show(c, http.StatusOK, templates.LogPage(view))
}

// LogView is a part of the actions log.
type LogView struct {
	Total   int        `json:"total"`
	More    bool       `json:"more" doc:"there are older ones: ask again with before, the id of the last"`
	Entries []LogEntry `json:"entries"`
}

// LogEntry is one action.
type LogEntry struct {
	ID      int64         `json:"id"`
	At      engine.Millis `json:"at"`
	Who     string        `json:"who"`
	Action  string        `json:"action"`
	Subject string        `json:"subject"`
	Why     string        `json:"why,omitempty"`
	Before  string        `json:"before,omitempty"`
	After   string        `json:"after,omitempty"`

	Version int             `json:"version" doc:"of the fields in on and data; 0: of an older program, in sentences alone"`
	On      json.RawMessage `json:"on,omitempty" doc:"what it was done to: round, table, game, seat, player, … by their numbers and names"`
	Data    json.RawMessage `json:"data,omitempty" doc:"how it was and is, in the fields of the action"`
}

// raw is stored JSON as a part of an answer; nothing where there is none.
func raw(text string) json.RawMessage {
	if text == "" {
		return nil
	}
	return json.RawMessage(text)
}

// LogInput is what the log is searched by.
type LogInput struct {
	IDPath
	Text   string `query:"q" maxLength:"200" doc:"anywhere in what was done, why, before and after"`
	Who    string `query:"who" maxLength:"200"`
	Round  int    `query:"round" minimum:"0"`
	Table  int    `query:"table" minimum:"0"`
	Player int    `query:"player" minimum:"0" doc:"the start number"`
	From   string `query:"from" maxLength:"40" doc:"the first day, minute or second of the server's zone, as 2026-03-28, 2026-03-28T14:05 or 2026-03-28T14:05:30"`
	Until  string `query:"until" maxLength:"40" doc:"the last one, which counts whole"`
	Before int64  `query:"before" minimum:"0" doc:"only entries older than this id"`
	Limit  int    `query:"limit" minimum:"0" maximum:"200"`
}

func (a *api) apiLog(ctx context.Context, in *LogInput) (*with[LogView], error) {
	from, until, err := logSpan(in.From, in.Until)
	if err != nil {
		return nil, err
	}
	words, err := a.newLogWriter(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	page, err := tournament.SearchRecords(ctx, a.store, a.staff(requestOf(ctx)), in.ID, tournament.LogSearch{Match: words.match(in.Text), Who: in.Who, Round: in.Round, Table: in.Table,
		Player: in.Player, From: from, Until: until, Before: in.Before, Limit: in.Limit})
	if err != nil {
		return nil, err
	}
	view := LogView{page.Total, page.More, make([]LogEntry, len(page.Entries))}
	for i, r := range page.Entries {
		view.Entries[i] = logEntry(words, r)
	}
	return answer(view, nil)
}

// logEntry is a record for programs.
func logEntry(words *logWriter, r tournament.Record) LogEntry {
	said := words.entry(r)
	return LogEntry{r.ID, r.At, r.Actor, r.Kind, plain(said.Subject), r.Why, plain(said.Before), plain(said.After),
		r.Version, raw(r.AboutJSON), raw(r.Data)}
}
