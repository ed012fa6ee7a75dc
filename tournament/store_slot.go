package tournament

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"gorm.io/gorm"

	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

// Slots gives the plan of an event's day, in its order; none before one was made. It is for everybody.
func (s *Store) Slots(ctx context.Context, event int64) ([]Slot, error) {
	return slotsOf(s.Read.WithContext(ctx), event)
}

func slotsOf(db *gorm.DB, event int64) ([]Slot, error) {
	var all []Slot
	err := db.Where("tournament_id = ?", event).Order("position").Find(&all).Error
	return all, err
}

// SetSlots makes another plan of an event's day, in the order of its times; for organizers. No slot may end before it
// begins, begin before the one before it ends, or plan a round twice or out of order.
func (s *Store) SetSlots(ctx context.Context, actor rights.Actor, event int64, slots []Slot) ([]Slot, error) {
	if err := rights.Authorize(actor, rights.Place{Tournament: event}, rights.MayPlanDay); err != nil {
		return nil, err
	}
	slots = slices.Clone(slots)
	slices.SortStableFunc(slots, func(a, b Slot) int { return int(a.StartsAt - b.StartsAt) })
	for i := range slots {
		slots[i].TournamentID, slots[i].Position, slots[i].Name = event, i, cleanText(slots[i].Name)
	}
	if err := checkSlots(slots); err != nil {
		return nil, err
	}
	err := s.Tx(ctx, func(tx *gorm.DB) error {
		if _, err := findTournament(tx, event); err != nil {
			return err
		}
		before, err := slotsOf(tx, event)
		if err != nil {
			return err
		}
		if err := tx.Where("tournament_id = ?", event).Delete(&Slot{}).Error; err != nil {
			return err
		}
		if len(slots) > 0 {
			if err := tx.Create(&slots).Error; err != nil {
				return err
			}
		}
		return s.audit(tx, actor, change{tournament: event, action: "slots.set", subject: "plan of the day", before: slotWords(before), after: slotWords(slots)})
	})
	return slots, err
}

func checkSlots(slots []Slot) error {
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

// slotWords says a plan in the audit.
func slotWords(slots []Slot) string {
	words := make([]string, len(slots))
	for i, slot := range slots {
		what := fmt.Sprintf("round %d", slot.Round)
		if slot.Round == 0 {
			what = "break " + slot.Name
		}
		words[i] = fmt.Sprintf("%s %s-%s", what, time.UnixMilli(int64(slot.StartsAt)).Format("2006-01-02 15:04"), time.UnixMilli(int64(slot.EndsAt)).Format("15:04"))
	}
	return strings.Join(words, ", ")
}
