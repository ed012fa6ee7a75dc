// Package schedule is the plan of the day of an event, round by round with its breaks, and what becomes of it: how late the event is, and
// how the tables of its round get on.
package schedule

import (
	"cmp"
	"context"
	"slices"
	"time"
	"unicode/utf8"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/door"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
	"meldhall/tournament/storage"
)

// Slot is a part of the plan of a day: a round by its number, or with Round 0 a break.
type Slot struct {
	TournamentID int64         `gorm:"primaryKey;autoIncrement:false" json:"-"`
	Position     int           `gorm:"primaryKey;autoIncrement:false" json:"-"`
	Round        int           `json:"round,omitempty"`
	Name         string        `json:"name,omitempty"` // of a break
	StartsAt     engine.Millis `json:"starts_at"`
	EndsAt       engine.Millis `json:"ends_at"`
}

// The bounds of a plan.
const (
	slotsMost    = 100
	slotNameMost = 60 // characters
)

// SlotNow is a slot as the day goes: when a round really began and ended, 0 where it did not, and when the slot
// is to begin and to end as things stand; both are the planned ones while nothing is late.
type SlotNow struct {
	Slot
	Began, Over  engine.Millis
	Starts, Ends engine.Millis
	Passed       bool // a break that is behind
}

// Timetable is a day's plan beside what has become of it. Behind is how much later than planned the event is now, below 0
// when it is ahead; Current is the index of the slot that goes on, -1 between two.
type Timetable struct {
	Slots   []SlotNow
	Behind  engine.Millis
	Current int
}

// NewTimetable lays a day's plan beside its rounds. forecast is when the running round is likely to end, 0 where that is
// not known. What is late moves what follows: gaps between slots take a delay up, breaks keep their length, and nothing
// begins before its time. Rounds without a slot are not in it.
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

// begunAfter tells whether a round of these slots has begun: what comes before is behind.
func begunAfter(slots []Slot, latest int) bool {
	return slices.ContainsFunc(slots, func(s Slot) bool { return s.Round != 0 && s.Round <= latest })
}

// behind is by how much the running round will end late; between two rounds by how much the next one will begin late,
// or how early the last one was over.
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

// DayPlan makes the slots of rounds that follow one another, stage by stage.
type DayPlan struct {
	Starts engine.Millis
	Stages []DayStage
}

// DayStage is the rounds of a stage in a DayPlan: each Minutes long, with a pause of Pause minutes after each.
type DayStage struct {
	Rounds, Minutes, Pause int
}

// Slots are the slots of a plan, none when it makes no sense.
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

// Begun tells whether the day has begun, or should have: before, nothing is late.
func (t Timetable) Begun(now engine.Millis) bool {
	for _, slot := range t.Slots {
		if slot.Round != 0 {
			return slot.Began != 0 || now >= slot.StartsAt
		}
	}
	return false
}

// Slots gives the plan of an event's day, in its order; none before one was made. It is for everybody.
func Slots(ctx context.Context, s *storage.DB, event int64) ([]Slot, error) {
	return FindSlots(s.Read.WithContext(ctx), event)
}

func FindSlots(db *gorm.DB, event int64) ([]Slot, error) {
	return storage.All[Slot](db.Where("tournament_id = ?", event).Order("position"))
}

// ChangedAt is when the plan of an event's day was changed last, 0 while nobody has made one.
func ChangedAt(ctx context.Context, s *storage.DB, event int64) (at engine.Millis, err error) {
	err = s.Read.WithContext(ctx).Model(&door.Record{}).Where("tournament_id = ? AND action IN ?", event, []string{"slots.set", "slots.move"}).
		Select("coalesce(max(at), 0)").Scan(&at).Error
	return at, err
}

// SetSlots makes another plan of an event's day, in the order of its times. No slot may end before it begins, begin before
// the one before it ends, or plan a round twice or out of order.
type SetSlots struct {
	Tournament int64  `json:"tournament"`
	Slots      []Slot `json:"slots"`
}

var _ = door.NewKind[SetSlots](door.Kind{Name: "slots.set", Right: rights.MayPlanDay, Changes: []door.What{door.TopicSettings},
	Details: door.Keep[door.Change[keptSlots]]})

// keptSlots is what a record keeps of the plan of a day.
type keptSlots []Slot

// Phrases tells the plan.
func (slots keptSlots) Phrases() []door.Phrase {
	if len(slots) == 0 {
		return nil
	}
	list := make([]door.Phrase, len(slots))
	for i, slot := range slots {
		what := door.Say("round.title", "number", slot.Round)
		switch {
		case slot.Round != 0:
		case slot.Name != "":
			what = door.Tell(slot.Name)
		default:
			what = door.Phrase{Key: "plan.break"}
		}
		list[i] = door.Say("log.is.slot", "what", what, "from", slot.StartsAt, "until", time.UnixMilli(int64(slot.EndsAt)).Format("15:04"))
	}
	return []door.Phrase{door.Tell(list)}
}

func (s SetSlots) Do(tx *door.Tx) ([]Slot, error) {
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
	return slots, keepSlots(tx, s.Tournament, door.About{}, before, slots)
}

// MoveRound lets a round that is not started begin at another time by the plan of the day: its slot and all after it move
// by as much.
type MoveRound struct {
	Round    int64         `json:"round"`
	StartsAt engine.Millis `json:"starts_at"`
}

var _ = door.NewKind[MoveRound](door.Kind{Name: "slots.move", Right: rights.MayPlanDay, Changes: []door.What{door.TopicSettings},
	Details: door.Keep[door.Change[keptSlots]]})

func (m MoveRound) Do(tx *door.Tx) ([]Slot, error) {
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
	return slots, keepSlots(tx, r.TournamentID, door.About{Round: r.Number}, before, slots)
}

// keepSlots writes another plan of a day.
func keepSlots(tx *door.Tx, event int64, on door.About, before, slots []Slot) error {
	for i := range slots {
		slots[i].TournamentID, slots[i].Position = event, i
	}
	if slices.Equal(before, slots) {
		return nil
	}
	tx.Record(door.Entry{Event: event, On: on, Is: door.Change[keptSlots]{Was: before, Is: slots}})
	if err := tx.Where("tournament_id = ?", event).Delete(&Slot{}).Error; err != nil || len(slots) == 0 {
		return err
	}
	return tx.Create(&slots).Error
}

// checkSlots puts slots in the order of their times, and refuses what is no plan.
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
