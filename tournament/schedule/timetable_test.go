package schedule

import (
	"slices"
	"testing"

	"meldhall/engine"
	"meldhall/tournament"
)

func TestTimetable(t *testing.T) {
	const minute = engine.Millis(60_000)
	slot := func(round int, from, to engine.Millis) Slot {
		return Slot{Round: round, StartsAt: from * minute, EndsAt: to * minute}
	}
	// two rounds of an hour with ten minutes between, a lunch of 40 minutes, and another round
	plan := []Slot{slot(1, 100, 160), slot(2, 170, 230), slot(0, 230, 270), slot(3, 275, 335)}
	run := func(number int, started, finished engine.Millis) tournament.Round {
		return tournament.Round{Number: number, StartedAt: started * minute, FinishedAt: finished * minute}
	}
	for _, test := range []struct {
		name          string
		rounds        []tournament.Round
		forecast, now engine.Millis
		behind        engine.Millis
		starts        [4]engine.Millis
		current       int
	}{
		{"before the day", nil, 0, 10, 0, [4]engine.Millis{100, 170, 230, 275}, -1},
		{"nobody has begun: the gap takes ten minutes up", nil, 0, 115, 15, [4]engine.Millis{115, 175, 235, 275}, -1},
		{"on time", []tournament.Round{run(1, 100, 0)}, 160, 130, 0, [4]engine.Millis{100, 170, 230, 275}, 0},
		{"a slow table: the gap takes it up", []tournament.Round{run(1, 100, 0)}, 168, 130, 8,
			[4]engine.Millis{100, 170, 230, 275}, 0},
		{"a very slow one moves lunch and not the round after it", []tournament.Round{run(1, 100, 0)}, 174, 130, 14,
			[4]engine.Millis{100, 174, 234, 275}, 0},
		{"and one that moves all", []tournament.Round{run(1, 100, 0)}, 195, 130, 35,
			[4]engine.Millis{100, 195, 255, 295}, 0},
		{"ahead", []tournament.Round{run(1, 100, 0)}, 150, 130, -10, [4]engine.Millis{100, 170, 230, 275}, 0},
		{"over early: nothing begins before its time", []tournament.Round{run(1, 100, 150)}, 0, 155, -10,
			[4]engine.Millis{100, 170, 230, 275}, -1},
		{"over late, but the next one is not", []tournament.Round{run(1, 100, 168)}, 0, 169, 0,
			[4]engine.Millis{100, 170, 230, 275}, -1},
		{"without a forecast as long as planned", []tournament.Round{run(1, 120, 0)}, 0, 130, 20,
			[4]engine.Millis{120, 180, 240, 280}, 0},
		{"longer than its forecast", []tournament.Round{run(1, 100, 0)}, 165, 172, 12,
			[4]engine.Millis{100, 172, 232, 275}, 0},
		{"a table of it was started alone: the round has not begun",
			[]tournament.Round{run(1, 100, 160), {Number: 2, Status: tournament.RoundRunning}}, 300, 165, 0,
			[4]engine.Millis{100, 170, 230, 275}, -1},
		{"lunch is behind once the next round runs", []tournament.Round{run(1, 100, 160), run(2, 170, 250),
			run(3, 280, 0)}, 340, 300, 5, [4]engine.Millis{100, 170, 230, 280}, 3},
		{"all is over", []tournament.Round{run(1, 100, 160), run(2, 170, 230), run(3, 275, 345)}, 0, 400, 10,
			[4]engine.Millis{100, 170, 230, 275}, -1},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := NewTimetable(plan, test.rounds, test.forecast*minute, test.now*minute)
			if got.Behind != test.behind*minute || got.Current != test.current {
				t.Errorf("got %d minutes behind in slot %d, want %d in %d", got.Behind/minute, got.Current, test.behind,
					test.current)
			}
			for i, want := range test.starts {
				if got.Slots[i].Starts != want*minute {
					t.Errorf("slot %d: got start %d, want %d", i+1, got.Slots[i].Starts/minute, want)
				}
			}
		})
	}
}

func TestDayPlan(t *testing.T) {
	got := DayPlan{Starts: 1_000, Stages: []DayStage{{Rounds: 3, Minutes: 50, Pause: 10},
		{Rounds: 2, Minutes: 90, Pause: 20}}}.Slots()
	const minute = 60_000
	want := []Slot{{Round: 1, EndsAt: 50}, {Round: 2, StartsAt: 60, EndsAt: 110},
		{Round: 3, StartsAt: 120, EndsAt: 170}, {Round: 4, StartsAt: 180, EndsAt: 270},
		{Round: 5, StartsAt: 290, EndsAt: 380}}
	for i := range want {
		want[i].StartsAt, want[i].EndsAt = 1_000+want[i].StartsAt*minute, 1_000+want[i].EndsAt*minute
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if err := checkSlots(got); err != nil {
		t.Errorf("its own plan is refused: %v", err)
	}
	if got := (DayPlan{Stages: []DayStage{{Rounds: 3}}}).Slots(); got != nil {
		t.Errorf("rounds of no length: got %+v", got)
	}
	if got := (DayPlan{Stages: []DayStage{{Rounds: slotsMost - 1, Minutes: 1},
		{Rounds: 5, Minutes: 1}}}).Slots(); len(got) != slotsMost {
		t.Errorf("more rounds than a plan holds: got %d", len(got))
	}
}
