package web

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/tournament"
)

// logShownAtOnce is how many actions a page of the log holds.
const logShownAtOnce = 50

// logPage is the actions log of an event.
func (s *Server) logPage(c *gin.Context) error {
	event, err := idParam(c, "event")
	if err != nil {
		return err
	}
	number := func(name string) int {
		n, _ := strconv.Atoi(c.Query(name))
		return max(n, 0)
	}
	ctx := s.language(c)
	q := tournament.LogSearch{Text: c.Query("q"), Who: c.Query("who"), Round: number("round"), Table: number("table"), Player: number("player"),
		Before: int64(number("before")), Limit: logShownAtOnce}
	page, err := s.store.SearchAudit(ctx, s.staff(c), event, q)
	if err != nil {
		return err
	}
	t, err := s.store.TournamentByID(ctx, event)
	if err != nil {
		return err
	}
	view := templates.LogView{ID: event, Total: page.Total,
		Query: templates.LogQuery{Text: q.Text, Who: q.Who, Round: c.Query("round"), Table: c.Query("table"), Player: c.Query("player")}}
	places, err := s.gamePlaces(ctx, event, page.Entries)
	if err != nil {
		return err
	}
	for _, e := range page.Entries {
		entry := logEntry(ctx, e)
		if place := places[e.Subject]; place != "" {
			entry.Subject = place
		}
		view.Entries = append(view.Entries, entry)
	}
	asked := url.Values{}
	for _, name := range []string{"q", "who", "round", "table", "player"} {
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
	view.Page = s.newPage(c, templates.T(ctx, "log.title"), &t)
	return s.show(c, http.StatusOK, templates.LogPage(view))
}

// gamePlaces says of the games that some actions were about where they were played: "game 66" tells nobody anything.
func (s *Server) gamePlaces(ctx context.Context, event int64, entries []tournament.AuditEntry) (map[string]string, error) {
	places := map[string]string{}
	if !slices.ContainsFunc(entries, func(e tournament.AuditEntry) bool { return strings.HasPrefix(e.Subject, "game ") }) {
		return places, nil
	}
	rounds, err := s.store.Rounds(ctx, event)
	if err != nil {
		return nil, err
	}
	for _, r := range rounds {
		tables, err := s.store.Tables(ctx, r.ID)
		if err != nil {
			return nil, err
		}
		for _, t := range tables {
			for _, g := range t.Games {
				places[fmt.Sprintf("game %d", g.ID)] = templates.T(ctx, "results.game", "round", r.Number, "table", t.Number, "game", g.Number)
			}
		}
	}
	return places, nil
}

func logEntry(ctx context.Context, e tournament.AuditEntry) templates.LogEntry {
	return templates.LogEntry{At: e.At, Day: time.UnixMilli(int64(e.At)).Format("2006-01-02"), Who: actorWords(ctx, e.Actor),
		Action: textOr(ctx, "log.action."+e.Action, e.Action), Subject: e.Subject, Why: e.Why, Before: e.Before, After: e.After}
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
}

// LogInput is what the log is searched by.
type LogInput struct {
	IDPath
	Text   string `query:"q" maxLength:"200" doc:"anywhere in what was done, why, before and after"`
	Who    string `query:"who" maxLength:"200"`
	Round  int    `query:"round" minimum:"0"`
	Table  int    `query:"table" minimum:"0"`
	Player int    `query:"player" minimum:"0" doc:"the start number"`
	Before int64  `query:"before" minimum:"0" doc:"only entries older than this id"`
	Limit  int    `query:"limit" minimum:"0" maximum:"200"`
}

func (a *api) apiLog(ctx context.Context, in *LogInput) (*with[LogView], error) {
	page, err := a.store.SearchAudit(ctx, a.staff(requestOf(ctx)), in.ID, tournament.LogSearch{Text: in.Text, Who: in.Who, Round: in.Round, Table: in.Table,
		Player: in.Player, Before: in.Before, Limit: in.Limit})
	if err != nil {
		return nil, err
	}
	view := LogView{page.Total, page.More, make([]LogEntry, len(page.Entries))}
	for i, e := range page.Entries {
		view.Entries[i] = LogEntry{e.ID, e.At, e.Actor, e.Action, e.Subject, e.Why, e.Before, e.After}
	}
	return answer(view, nil)
}
