package web

import (
	"context"

	"meldhall/tournament"
)

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

// LogView is a part of the actions log.
type LogView struct {
	Total   int        `json:"total"`
	More    bool       `json:"more" doc:"there are older ones: ask again with before, the id of the last"`
	Entries []LogEntry `json:"entries"`
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
		view.Entries[i] = newLogEntry(words, r)
	}
	return answer(view, nil)
}
