// Package schedule handles the plan of a tournament's day, round by round with its breaks, and its progress: how late
// the tournament is, and how far the tables of its round are.
package schedule

import (
	"cmp"
	"context"
	"slices"
	"unicode/utf8"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
	"meldhall/tournament/store"
)

// Slot is an entry of a day's plan: a round, or a break if Round is 0.
type Slot struct {
	TournamentID int64         `gorm:"primaryKey;autoIncrement:false" json:"-"`
	Position     int           `gorm:"primaryKey;autoIncrement:false" json:"-"`
	Round        int           `json:"round,omitempty"`
	Name         string        `json:"name,omitempty"` // name of a break
	StartsAt     engine.Millis `json:"starts_at"`
	EndsAt       engine.Millis `json:"ends_at"`
}

// The limits of a plan.
const (
	slotsMost    = 100
	slotNameMost = 60 // characters
)

// SlotNow is a slot with its progress. Began and Over are when a round really started and ended, 0 if it has not.
// Starts and Ends are when the slot is now expected to start and end, which equals the plan if nothing is late.
type SlotNow struct {
	Slot
	Began, Over  engine.Millis
	Starts, Ends engine.Millis
	Passed       bool // a break that is over
}

// Timetable compares a day's plan with its progress. Behind is how late the tournament is, negative if it is early.
// Current is the index of the slot whose round is running, or -1.
type Timetable struct {
	Slots   []SlotNow
	Behind  engine.Millis
	Current int
}

// NewTimetable compares a day's plan with the rounds. forecast is when the running round is expected to end, 0 if
// unknown. A delay moves the following slots: gaps absorb it, breaks keep their length, and nothing starts early.
// Rounds without a slot are not included.
func NewTimetable(slots []Slot, rounds []tournament.Round, forecast, now engine.Millis) Timetable {
	t := Timetable{Current: -1}
	byNumber := map[int]tournament.Round{}
	latest := 0
	for _, r := range rounds {
		byNumber[r.Number] = r
		if r.StartedAt != 0 {
			latest = max(latest, r.Number)
		}
	}
	cursor := engine.Millis(0)
	for i, slot := range slots {
		at := SlotNow{Slot: slot}
		length := slot.EndsAt - slot.StartsAt
		r := byNumber[slot.Round]
		at.Passed = slot.Round == 0 && begunAfter(slots[i+1:], latest)
		switch {
		case slot.Round != 0 && r.FinishedAt != 0:
			at.Began, at.Over, at.Starts, at.Ends = r.StartedAt, r.FinishedAt, r.StartedAt, r.FinishedAt
		case slot.Round != 0 && r.StartedAt != 0:
			at.Began, at.Starts = r.StartedAt, r.StartedAt
			at.Ends = max(now, cmp.Or(forecast, r.StartedAt+length))
			t.Current = i
		case at.Passed:
			at.Starts, at.Ends = slot.StartsAt, slot.EndsAt
		default:
			at.Starts = max(slot.StartsAt, cursor)
			if slot.Round != 0 {
				at.Starts = max(at.Starts, now)
			}
			at.Ends = at.Starts + length
		}
		if !at.Passed {
			cursor = at.Ends
		}
		t.Slots = append(t.Slots, at)
	}
	t.Behind = t.behind()
	return t
}

// begunAfter reports whether a round among these slots has begun, so that everything before them is over.
func begunAfter(slots []Slot, latest int) bool {
	return slices.ContainsFunc(slots, func(s Slot) bool { return s.Round != 0 && s.Round <= latest })
}

// behind returns how late the running round will end. Between two rounds it is how late the next one will start, or how
// early the last one ended.
func (t Timetable) behind() engine.Millis {
	if t.Current >= 0 {
		return t.Slots[t.Current].Ends - t.Slots[t.Current].EndsAt
	}
	early := engine.Millis(0)
	for _, slot := range t.Slots {
		if slot.Round == 0 {
			continue
		}
		if slot.Began == 0 {
			if late := slot.Starts - slot.StartsAt; late > 0 {
				return late
			}
			return min(early, 0)
		}
		early = slot.Over - slot.EndsAt
	}
	return early
}

// DayPlan creates the slots of consecutive rounds, stage by stage.
type DayPlan struct {
	Starts engine.Millis
	Stages []DayStage
}

// DayStage describes the rounds of a stage in a DayPlan: each lasts Minutes and is followed by a pause of Pause
// minutes.
type DayStage struct {
	Rounds, Minutes, Pause int
}

// Slots returns the slots of a plan, at most slotsMost, or nil if the plan is invalid.
func (p DayPlan) Slots() []Slot {
	var slots []Slot
	at := p.Starts
	for _, stage := range p.Stages {
		if stage.Minutes < 1 || stage.Rounds < 1 || stage.Pause < 0 {
			return nil
		}
		for range min(stage.Rounds, slotsMost-len(slots)) {
			ends := at + engine.Millis(stage.Minutes)*60_000
			slots = append(slots, Slot{Round: len(slots) + 1, StartsAt: at, EndsAt: ends})
			at = ends + engine.Millis(stage.Pause)*60_000
		}
	}
	return slots
}

// Begun reports whether the day has begun, or should have. Before that, nothing is late.
func (t Timetable) Begun(now engine.Millis) bool {
	for _, slot := range t.Slots {
		if slot.Round != 0 {
			return slot.Began != 0 || now >= slot.StartsAt
		}
	}
	return false
}

// Slots returns a tournament's day plan in order, or none if there is no plan yet. Anyone may call it.
func Slots(ctx context.Context, s *store.DB, tournamentID int64) ([]Slot, error) {
	return FindSlots(s.Read.WithContext(ctx), tournamentID)
}

// FindSlots returns a tournament's slots in the order of the day.
func FindSlots(db *gorm.DB, tournamentID int64) ([]Slot, error) {
	return store.All[Slot](db.Where("tournament_id = ?", tournamentID).Order("position"))
}

// ChangedAt returns when a tournament's day plan last changed, or 0 if it never did.
func ChangedAt(ctx context.Context, s *store.DB, tournamentID int64) (at engine.Millis, err error) {
	err = s.Read.WithContext(ctx).Model(&action.Record{}).Where("tournament_id = ? AND action IN ?", tournamentID,
		[]string{"slots.set", "slots.move"}).
		Select("coalesce(max(at), 0)").Scan(&at).Error
	return at, err
}

// SetSlots replaces a tournament's day plan and sorts it by time. A slot must not end before it starts or start before
// the previous one ends. No round may be planned twice or out of order.
type SetSlots struct {
	Tournament int64  `json:"tournament"`
	Slots      []Slot `json:"slots"`
}

var _ = action.NewKind[SetSlots](action.Kind{Name: "slots.set", Right: rights.MayPlanDay,
	Changes: []action.What{action.TopicSettings},
	Details: action.Keep[action.Change[keptSlots]]})

// keptSlots is a day plan as stored in a record.
type keptSlots []Slot

// Phrases describes the plan.
func (slots keptSlots) Phrases() []action.Phrase {
	if len(slots) == 0 {
		return nil
	}
	list := make([]action.Phrase, len(slots))
	for i, slot := range slots {
		what := action.Say("round.title", "number", slot.Round)
		switch {
		case slot.Round != 0:
		case slot.Name != "":
			what = action.Tell(slot.Name)
		default:
			what = action.Phrase{Key: "plan.break"}
		}
		list[i] = action.Say("log.is.slot", "what", what, "from", slot.StartsAt, "until",
			action.Clock(slot.EndsAt))
	}
	return []action.Phrase{action.Tell(list)}
}

func (s SetSlots) Do(tx *action.Tx) ([]Slot, error) {
	slots := slices.Clone(s.Slots)
	if err := checkSlots(slots); err != nil {
		return nil, err
	}
	if _, err := tournament.FindTournament(tx.DB, s.Tournament); err != nil {
		return nil, err
	}
	before, err := FindSlots(tx.DB, s.Tournament)
	if err != nil {
		return nil, err
	}
	return slots, keepSlots(tx, s.Tournament, action.About{}, before, slots)
}

// MoveRound changes the planned start of a round that has not started. Its slot and all later ones move by the same
// time.
type MoveRound struct {
	Round    int64         `json:"round"`
	StartsAt engine.Millis `json:"starts_at"`
}

var _ = action.NewKind[MoveRound](action.Kind{Name: "slots.move", Right: rights.MayPlanDay,
	Changes: []action.What{action.TopicSettings},
	Details: action.Keep[action.Change[keptSlots]]})

func (m MoveRound) Do(tx *action.Tx) ([]Slot, error) {
	r, err := tournament.FindRound(tx.DB, m.Round)
	if err != nil {
		return nil, err
	}
	if r.Status != tournament.RoundDraft && r.Status != tournament.RoundPublished {
		return nil, refuse.Conflict("err_round_begun", "round", r.Number)
	}
	before, err := FindSlots(tx.DB, r.TournamentID)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(before, func(slot Slot) bool { return slot.Round == r.Number })
	if at < 0 {
		return nil, refuse.Conflict("err_slot_none", "round", r.Number)
	}
	by := m.StartsAt - before[at].StartsAt
	slots := slices.Clone(before)
	for i := at; i < len(slots); i++ {
		slots[i].StartsAt, slots[i].EndsAt = slots[i].StartsAt+by, slots[i].EndsAt+by
	}
	if err := checkSlots(slots); err != nil {
		return nil, err
	}
	return slots, keepSlots(tx, r.TournamentID, action.About{Round: r.Number}, before, slots)
}

// keepSlots stores a new day plan and records the change.
func keepSlots(tx *action.Tx, tournamentID int64, on action.About, before, slots []Slot) error {
	for i := range slots {
		slots[i].TournamentID, slots[i].Position = tournamentID, i
	}
	if slices.Equal(before, slots) {
		return nil
	}
	tx.Record(action.Entry{Event: tournamentID, On: on, Is: action.Change[keptSlots]{Was: before, Is: slots}})
	if err := tx.Where("tournament_id = ?", tournamentID).Delete(&Slot{}).Error; err != nil || len(slots) == 0 {
		return err
	}
	return tx.Create(&slots).Error
}

// checkSlots sorts slots by time, and rejects an invalid plan.
func checkSlots(slots []Slot) error {
	slices.SortStableFunc(slots, func(a, b Slot) int { return int(a.StartsAt - b.StartsAt) })
	for i := range slots {
		slots[i].Name = spelling.Clean(slots[i].Name)
	}
	if len(slots) > slotsMost {
		return refuse.Invalid("err_slots_many", "most", slotsMost)
	}
	round := 0
	for i, slot := range slots {
		switch {
		case slot.StartsAt <= 0 || slot.EndsAt <= slot.StartsAt:
			return refuse.Invalid("err_slot_times", "number", i+1)
		case i > 0 && slot.StartsAt < slots[i-1].EndsAt:
			return refuse.Invalid("err_slot_overlaps", "number", i+1)
		case slot.Round < 0 || slot.Round > slotsMost || slot.Round != 0 && slot.Round <= round:
			return refuse.Invalid("err_slot_round", "number", i+1, "round", slot.Round)
		case utf8.RuneCountInString(slot.Name) > slotNameMost:
			return refuse.Invalid("err_slot_name", "number", i+1, "most", slotNameMost)
		}
		round = max(round, slot.Round)
	}
	return nil
}
