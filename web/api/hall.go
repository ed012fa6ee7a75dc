package api

import (
	"context"

	"meldhall/engine"
	"meldhall/templates/locale"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/copies"
	"meldhall/tournament/draw"
	"meldhall/tournament/practice"
	"meldhall/tournament/rights"
	"meldhall/tournament/schedule"
	"meldhall/tournament/screen"
	"meldhall/web/view"
)

// AnnouncementView is an announcement to a whole tournament. Text is in the language of Accept-Language if available.
type AnnouncementView struct {
	ID       int64             `json:"id"`
	Level    string            `json:"level" enum:"note,urgent"`
	Text     string            `json:"text"`
	Language string            `json:"language"`
	Texts    map[string]string `json:"texts"`
	At       engine.Millis     `json:"at"`
	Until    engine.Millis     `json:"until"`
}

func (a *api) hallOperations() {
	said := func(ctx context.Context, a screen.Announcement) (AnnouncementView, error) {
		return announcementView(ctx, a), nil
	}
	operation(a, forAll, "GET /tournaments/{id}/announcements", "Current announcements to the whole event, newest "+
		"first",
		a.apiAnnounced)
	shows[screen.Announce](a, forReferee, "POST /tournaments/{id}/announcements",
		"Announce something on all tablets, screens and pages of an event; for organizers and head referees", said)
	operation(a, forAll, "GET /tournaments/{id}/schedule", "An event's schedule and its progress",
		a.apiSchedule)
	operation(a, forOrganizer, "POST /tournaments/{id}/schedule", "Replace an event's schedule",
		a.apiScheduleSet)
	operation(a, forReferee, "GET /rounds/{id}/pace", "Pace of a round's tables, slowest first", a.apiPace)
	operation(a, forReferee, "GET /tournaments/{id}/devices", "The tablets at the seats, and the screens",
		a.apiHallDevices)
	operation(a, forReferee, "GET /tournaments/{id}/readiness", "Readiness checks for the next round",
		a.apiReadiness)
	operation(a, forOrganizer, "POST /tournaments/{id}/rehearsal",
		"Rehearse: bots play an unlisted copy of an event at ten times the speed; it ends by itself", a.apiRehearse)
	acts[practice.RemoveRehearsal](a, forOrganizer, "POST /rehearsals/{id}/remove", "End a rehearsal and remove it")
	does[copies.BackUpNow](a, forOrganizer, "POST /backups",
		"Copy the database into the folder backups beside it, and check the copy", same)
	shows[screen.EndAnnouncement](a, forReferee, "POST /announcements/{id}/end",
		"Withdraw an announcement; for organizers and head referees", said)
}

func announcementView(ctx context.Context, a screen.Announcement) AnnouncementView {
	text, tag := a.TextFor(locale.LanguageOf(ctx).Tag)
	return AnnouncementView{a.ID, a.Level, text, tag, a.Texts, a.At, a.Until}
}

func (a *api) apiAnnounced(ctx context.Context, in *IDPath) (*listOf[AnnouncementView], error) {
	if _, err := tournament.TournamentByID(ctx, a.View.Store, in.ID); err != nil {
		return nil, err
	}
	said, _, err := a.View.Announced(ctx, in.ID)
	return listed(func(one screen.Announcement) AnnouncementView { return announcementView(ctx, one) })(said, err)
}

// SlotBody is one slot of a schedule: a round or, if the round is 0, a break.
type SlotBody struct {
	Round  int           `json:"round" minimum:"0" doc:"the round's number; 0: a break"`
	Name   string        `json:"name,omitempty" doc:"the name of a break"`
	Starts engine.Millis `json:"starts_at"`
	Ends   engine.Millis `json:"ends_at"`
}

// ScheduleBody is a day's schedule.
type ScheduleBody struct {
	Slots []SlotBody `json:"slots"`
}

// SlotView is a slot as planned, and its actual or expected times.
type SlotView struct {
	SlotBody
	ExpectedStart engine.Millis `json:"expected_start" doc:"the actual start, or the expected one"`
	ExpectedEnd   engine.Millis `json:"expected_end"`
	Started       engine.Millis `json:"started_at,omitempty"`
	Finished      engine.Millis `json:"finished_at,omitempty"`
}

// ScheduleAnswer is a day's schedule with its progress.
type ScheduleAnswer struct {
	Behind engine.Millis `json:"behind_ms" doc:"delay of the event against the schedule; below 0: ahead"`
	Ends   engine.Millis `json:"round_ends,omitempty" doc:"when the running round is likely to end"`
	Slots  []SlotView    `json:"slots"`
}

func (a *api) apiSchedule(ctx context.Context, in *IDPath) (*with[ScheduleAnswer], error) {
	if _, err := tournament.TournamentByID(ctx, a.View.Store, in.ID); err != nil {
		return nil, err
	}
	table, ends, err := a.View.Schedule.Timetable(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	view := ScheduleAnswer{Behind: table.Behind, Ends: ends, Slots: make([]SlotView, len(table.Slots))}
	for i, slot := range table.Slots {
		view.Slots[i] = SlotView{SlotBody{slot.Round, slot.Name, slot.StartsAt, slot.EndsAt}, slot.Starts, slot.Ends,
			slot.Began, slot.Over}
	}
	return answer(view, nil)
}

func (a *api) apiScheduleSet(ctx context.Context, in *idWith[ScheduleBody]) (*with[ScheduleAnswer], error) {
	slots := make([]schedule.Slot, len(in.Body.Slots))
	for i, slot := range in.Body.Slots {
		slots[i] = schedule.Slot{Round: slot.Round, Name: slot.Name, StartsAt: slot.Starts, EndsAt: slot.Ends}
	}
	if _, err := action.Do(ctx, a.Request.Desk, a.Request.Staff(requestOf(ctx)),
		schedule.SetSlots{Tournament: in.ID, Slots: slots}); err != nil {
		return nil, err
	}
	return a.apiSchedule(ctx, &in.IDPath)
}

// PaceView is the pace of a table.
type PaceView struct {
	Table     int           `json:"table"`
	TableID   int64         `json:"table_id"`
	Game      int64         `json:"game_id"`
	Number    int           `json:"number"`
	Of        int           `json:"of"`
	Need      string        `json:"need" doc:"as in the floor view"`
	Turns     int           `json:"turns" doc:"completed turns"`
	PerMinute float64       `json:"turns_per_minute" doc:"average over the last eight turns; 0: fewer than two"`
	Pool      *int          `json:"pool,omitempty" doc:"tiles left; missing with real tiles, where the number is unknown"`
	Left      int           `json:"turns_left" doc:"turns that are likely to remain"`
	GameEnds  engine.Millis `json:"game_ends,omitempty" doc:"when the game is likely to end"`
	RoundEnds engine.Millis `json:"round_ends,omitempty" doc:"when the table is likely to finish the round"`
}

// RoundPaceView is the pace of a round.
type RoundPaceView struct {
	Ends   engine.Millis `json:"ends,omitempty" doc:"when the round is likely to end"`
	Tables []PaceView    `json:"tables"`
}

func (a *api) apiPace(ctx context.Context, in *IDPath) (*with[RoundPaceView], error) {
	round, err := draw.RoundByID(ctx, a.View.Store, in.ID)
	if err != nil {
		return nil, err
	}
	if err := rights.Authorize(a.Request.Staff(requestOf(ctx)), rights.Place{Tournament: round.TournamentID},
		rights.MaySeeDesk); err != nil {
		return nil, err
	}
	pace, err := a.View.Schedule.PaceNow(ctx, round.TournamentID, round.ID)
	if err != nil {
		return nil, err
	}
	rows, err := a.View.PaceRows(ctx, round.ID, pace, 0)
	if err != nil {
		return nil, err
	}
	view := RoundPaceView{Ends: pace.Ends, Tables: make([]PaceView, len(rows))}
	for i, r := range rows {
		view.Tables[i] = PaceView{Table: r.Number, TableID: r.Table, Game: r.GameID, Number: r.Game, Of: r.Of,
			Need: r.Need, Turns: r.Turns, PerMinute: r.PerMinute, Left: r.Left}
		if r.Pool >= 0 {
			view.Tables[i].Pool = &r.Pool
		}
		if !r.Done {
			view.Tables[i].GameEnds, view.Tables[i].RoundEnds = r.GameEnds, r.RoundEnds
		}
	}
	return answer(view, nil)
}

func (a *api) apiHallDevices(ctx context.Context, in *IDPath) (*with[view.HallDevices], error) {
	if err := rights.Authorize(a.Request.Staff(requestOf(ctx)), rights.Place{Tournament: in.ID},
		rights.MaySeeDesk); err != nil {
		return nil, err
	}
	t, err := tournament.TournamentByID(ctx, a.View.Store, in.ID)
	if err != nil {
		return nil, err
	}
	return answer(a.View.Devices(ctx, t))
}

func (a *api) apiReadiness(ctx context.Context, in *IDPath) (*with[view.Readiness], error) {
	return answer(a.View.Readiness(ctx, a.Request.Staff(requestOf(ctx)), in.ID))
}

// RehearsalBody selects who runs the desk of a rehearsal.
type RehearsalBody struct {
	By string `json:"by" doc:"all: the program; tables: you, while bots play the tables"`
}

func (a *api) apiRehearse(ctx context.Context, in *idWith[RehearsalBody]) (*with[TournamentView], error) {
	t, err := a.Request.Practice.Rehearse(ctx, a.Request.Staff(requestOf(ctx)), in.ID, in.Body.By)
	if err != nil {
		return nil, err
	}
	return answer(a.tournamentView(ctx, t))
}
