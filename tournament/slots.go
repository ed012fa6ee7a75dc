package tournament

import (
	"context"
	"slices"
	"time"
	"unicode/utf8"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/door"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
	"meldhall/tournament/storage"
)

// Slots gives the plan of an event's day, in its order; none before one was made. It is for everybody.
func Slots(ctx context.Context, s *storage.DB, event int64) ([]Slot, error) {
	return slotsOf(s.Read.WithContext(ctx), event)
}

func slotsOf(db *gorm.DB, event int64) ([]Slot, error) {
	var all []Slot
	err := db.Where("tournament_id = ?", event).Order("position").Find(&all).Error
	return all, err
}

// SetSlots makes another plan of an event's day, in the order of its times. No slot may end before it begins, begin before
// the one before it ends, or plan a round twice or out of order.
type SetSlots struct {
	Tournament int64  `json:"tournament"`
	Slots      []Slot `json:"slots"`
}

var slotsKind = door.NewKind[SetSlots, []Slot](door.Kind{Name: "slots.set", Right: rights.MayPlanDay, Changes: []door.What{door.TopicSettings},
	Details: func() door.Details { return &slotsStep{} }})

func (SetSlots) Kind() *door.Kind { return slotsKind }

// slotsStep is what a record keeps of the plan of a day: as it was and as it is.
type slotsStep struct {
	Was []Slot `json:"was,omitempty"`
	Is  []Slot `json:"is,omitempty"`
}

// Before tells the plan as it was.
func (s slotsStep) Before() []door.Phrase { return tellSlots(s.Was) }

// After tells the plan as it is.
func (s slotsStep) After() []door.Phrase { return tellSlots(s.Is) }

func tellSlots(slots []Slot) []door.Phrase {
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
		from, until := time.UnixMilli(int64(slot.StartsAt)), time.UnixMilli(int64(slot.EndsAt))
		list[i] = door.Say("log.is.slot", "what", what, "from", from.Format("2006-01-02 15:04"), "until", until.Format("15:04"))
	}
	return []door.Phrase{door.Tell(list)}
}

func (s SetSlots) Do(tx *door.Tx) ([]Slot, error) {
	slots := slices.Clone(s.Slots)
	if err := checkSlots(slots); err != nil {
		return nil, err
	}
	if _, err := FindTournament(tx.DB, s.Tournament); err != nil {
		return nil, err
	}
	before, err := slotsOf(tx.DB, s.Tournament)
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

var moveRoundKind = door.NewKind[MoveRound, []Slot](door.Kind{Name: "slots.move", Right: rights.MayPlanDay, Changes: []door.What{door.TopicSettings},
	Details: func() door.Details { return &slotsStep{} }})

func (MoveRound) Kind() *door.Kind { return moveRoundKind }

func (m MoveRound) Do(tx *door.Tx) ([]Slot, error) {
	r, err := findRound(tx.DB, m.Round)
	if err != nil {
		return nil, err
	}
	if r.Status != RoundDraft && r.Status != RoundPublished {
		return nil, refuse.Conflict("err_round_begun", "round", r.Number)
	}
	before, err := slotsOf(tx.DB, r.TournamentID)
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
	return slots, keepSlots(tx, r.TournamentID, r.about(), before, slots)
}

// keepSlots writes another plan of a day.
func keepSlots(tx *door.Tx, event int64, on door.About, before, slots []Slot) error {
	for i := range slots {
		slots[i].TournamentID, slots[i].Position = event, i
	}
	if slices.Equal(before, slots) {
		return nil
	}
	tx.Record(door.Entry{Event: event, On: on, Is: slotsStep{before, slots}})
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
