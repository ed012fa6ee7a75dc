package tournament

import (
	"time"

	"meldhall/engine"
)

// RehearsalSpeed is how many times faster than on the day the clocks of a rehearsal run, and its bots play.
const RehearsalSpeed = 10

// RehearsalLife is how long a rehearsal goes on at most.
const RehearsalLife = time.Hour

// Who runs the desk of a rehearsal: bots all of it, or the organizer, and bots the tables alone.
const (
	RehearsedAll    = "all"
	RehearsedTables = "tables"
)

// rehearsed are the rules with clocks that run faster.
func rehearsed(rules engine.Ruleset) engine.Ruleset {
	rules.TurnSeconds = faster(rules.TurnSeconds)
	rules.StartSeconds = faster(rules.StartSeconds)
	return rules
}

// hurry lets all clocks of an event run faster: its own and those that a stage has.
func (t *Tournament) hurry() error {
	rules, err := t.Rules()
	if err != nil {
		return err
	}
	f, err := t.Format()
	if err != nil {
		return err
	}
	for i, stage := range f.Stages {
		own, err := t.RulesAt(i)
		if err != nil {
			return err
		}
		own = rehearsed(own)
		for clock, seconds := range map[string]int{"turn_seconds": own.TurnSeconds, "start_seconds": own.StartSeconds} {
			if _, there := stage.Rules[clock]; there {
				stage.Rules[clock] = seconds
			}
		}
	}
	return t.keep(f, rehearsed(rules))
}

func faster(seconds int) int { return (seconds + RehearsalSpeed - 1) / RehearsalSpeed }

// rehearsedSlots are the slots of a plan as it is rehearsed: from now on, and faster.
func rehearsedSlots(slots []Slot, now engine.Millis) []Slot {
	var all []Slot
	for _, slot := range slots {
		from := slots[0].StartsAt
		slot.StartsAt = now + (slot.StartsAt-from)/RehearsalSpeed
		slot.EndsAt = now + (slot.EndsAt-from)/RehearsalSpeed
		all = append(all, slot)
	}
	return all
}

// Rehearsing tells whether bots play at the event's tables now.
func (t Tournament) Rehearsing(now engine.Millis) bool {
	return t.Rehearses != 0 && t.RemovedAt == 0 && t.Status != StatusFinished && now < t.EndsBy
}
