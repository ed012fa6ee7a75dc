package web

import (
	"context"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/rights"
)

// SlotBody is one slot of a day's plan: a round, or with round 0 a break.
type SlotBody struct {
	Round  int           `json:"round" minimum:"0" doc:"its number; 0: a break"`
	Name   string        `json:"name,omitempty" doc:"of a break"`
	Starts engine.Millis `json:"starts_at"`
	Ends   engine.Millis `json:"ends_at"`
}

// ScheduleBody is a day's plan.
type ScheduleBody struct {
	Slots []SlotBody `json:"slots"`
}

// SlotView is a slot as it was planned, and as it was or is to be.
type SlotView struct {
	SlotBody
	ExpectedStart engine.Millis `json:"expected_start" doc:"when it began, or is to begin as things stand"`
	ExpectedEnd   engine.Millis `json:"expected_end"`
	Started       engine.Millis `json:"started_at,omitempty"`
	Finished      engine.Millis `json:"finished_at,omitempty"`
}

// ScheduleAnswer is a day's plan beside what has become of it.
type ScheduleAnswer struct {
	Behind engine.Millis `json:"behind_ms" doc:"how much later than planned the event is; below 0: ahead"`
	Ends   engine.Millis `json:"round_ends,omitempty" doc:"when the round that runs is likely to be over"`
	Slots  []SlotView    `json:"slots"`
}

func (a *api) apiSchedule(ctx context.Context, in *IDPath) (*with[ScheduleAnswer], error) {
	if _, err := tournament.TournamentByID(ctx, a.store, in.ID); err != nil {
		return nil, err
	}
	table, ends, err := a.timetable(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	view := ScheduleAnswer{Behind: table.Behind, Ends: ends, Slots: make([]SlotView, len(table.Slots))}
	for i, slot := range table.Slots {
		view.Slots[i] = SlotView{SlotBody{slot.Round, slot.Name, slot.StartsAt, slot.EndsAt}, slot.Starts, slot.Ends, slot.Began, slot.Over}
	}
	return answer(view, nil)
}

func (a *api) apiScheduleSet(ctx context.Context, in *idWith[ScheduleBody]) (*with[ScheduleAnswer], error) {
	slots := make([]tournament.Slot, len(in.Body.Slots))
	for i, slot := range in.Body.Slots {
		slots[i] = tournament.Slot{Round: slot.Round, Name: slot.Name, StartsAt: slot.Starts, EndsAt: slot.Ends}
	}
	if _, err := tournament.Do(ctx, a.desk, a.staff(requestOf(ctx)), tournament.SetSlots{Tournament: in.ID, Slots: slots}); err != nil {
		return nil, err
	}
	return a.apiSchedule(ctx, &in.IDPath)
}

// PaceView is how a table gets on.
type PaceView struct {
	Table     int           `json:"table"`
	TableID   int64         `json:"table_id"`
	Game      int64         `json:"game_id"`
	Number    int           `json:"number"`
	Of        int           `json:"of"`
	Need      string        `json:"need" doc:"as the floor says it"`
	Turns     int           `json:"turns" doc:"that have ended"`
	PerMinute float64       `json:"turns_per_minute" doc:"over the last eight turns; 0: fewer than two"`
	Pool      *int          `json:"pool,omitempty" doc:"tiles left; none at a table with real tiles, where nobody knows"`
	Left      int           `json:"turns_left" doc:"that are likely"`
	GameEnds  engine.Millis `json:"game_ends,omitempty" doc:"when the game is likely to be over"`
	RoundEnds engine.Millis `json:"round_ends,omitempty" doc:"when the table is likely to be through with the round"`
}

// RoundPaceView is how a round gets on.
type RoundPaceView struct {
	Ends   engine.Millis `json:"ends,omitempty" doc:"when the round is likely to be over"`
	Tables []PaceView    `json:"tables"`
}

func (a *api) apiPace(ctx context.Context, in *IDPath) (*with[RoundPaceView], error) {
	round, err := tournament.RoundByID(ctx, a.store, in.ID)
	if err != nil {
		return nil, err
	}
	if err := rights.Authorize(a.staff(requestOf(ctx)), rights.Place{Tournament: round.TournamentID}, rights.MaySeeDesk); err != nil {
		return nil, err
	}
	pace, err := a.paceNow(ctx, round.TournamentID, round.ID)
	if err != nil {
		return nil, err
	}
	rows, err := a.paceRows(ctx, round.ID, pace, 0)
	if err != nil {
		return nil, err
	}
	view := RoundPaceView{Ends: pace.Ends, Tables: make([]PaceView, len(rows))}
	for i, r := range rows {
		view.Tables[i] = PaceView{Table: r.Number, TableID: r.Table, Game: r.GameID, Number: r.Game, Of: r.Of, Need: r.Need, Turns: r.Turns, PerMinute: r.PerMinute, Left: r.Left}
		if r.Pool >= 0 {
			view.Tables[i].Pool = &r.Pool
		}
		if !r.Done {
			view.Tables[i].GameEnds, view.Tables[i].RoundEnds = r.GameEnds, r.RoundEnds
		}
	}
	return answer(view, nil)
}

func (a *api) apiHallDevices(ctx context.Context, in *IDPath) (*with[HallDevices], error) {
	t, err := tournament.TournamentByID(ctx, a.store, in.ID)
	if err == nil {
		err = rights.Authorize(a.staff(requestOf(ctx)), rights.Place{Tournament: in.ID}, rights.MaySeeDesk)
	}
	if err != nil {
		return nil, err
	}
	hall, err := a.devices(ctx, t)
	return answer(hall, err)
}

func (a *api) apiReadiness(ctx context.Context, in *IDPath) (*with[Readiness], error) {
	found, err := a.readiness(ctx, a.staff(requestOf(ctx)), in.ID)
	return answer(found, err)
}

// BackupView is a copy of the database that was made and checked.
type BackupView struct {
	At    engine.Millis `json:"at"`
	File  string        `json:"file" doc:"in the folder backups beside the database"`
	Bytes int64         `json:"bytes"`
}
