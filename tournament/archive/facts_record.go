package archive

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/action"
)

// checkRecords compares the records with each other and with the rows. Their times must not go back, and each player's
// entry must have a record. Each round must have been seated, published, started and finished in that order, as its row
// says.
func (f *facts) checkRecords() {
	var last engine.Millis
	for i, r := range f.records {
		if r.at < last-clockSlack {
			f.fault(actionsName, "record %d, %s by %s, is dated %d, before the previous record (%d)", i+1, r.kind,
				r.s("actor"), r.at, last)
		}
		last = max(last, r.at)
	}
	made := slices.ContainsFunc(f.records, func(r *record) bool {
		return r.kind == "tournament.create" || r.kind == "tournament.import"
	})
	if !made {
		f.fault(actionsName, "there is no record that the event was created")
	}
	f.checkEntered()
	there := map[int]bool{}
	for _, r := range f.inOrder() {
		there[r.number] = true
		f.checkLife(r)
	}
	for _, r := range f.records {
		if r.about.Round == 0 || there[r.about.Round] || !slices.Contains(lived, r.kind) {
			continue
		}
		there[r.about.Round] = true // one fault per round is enough
		if said := f.recordedStatus(r.about.Round); said != "" {
			f.fault(roundsName, "round %d is missing, but the records say that it was %s", r.about.Round, said)
		}
	}
	for i, r := range f.inOrder() {
		if r.number != i+1 {
			f.fault(roundsName, "round %d is missing", i+1)
			break
		}
	}
}

// checkEntered requires a record of each player's entry.
func (f *facts) checkEntered() {
	entered := map[int64]bool{}
	for _, r := range f.records {
		if !strings.HasPrefix(r.kind, "people.") {
			continue
		}
		if r.old() {
			return // old records name players only in sentences
		}
		entered[int64(r.about.Player)] = true
		for _, n := range r.about.Players {
			entered[int64(n)] = true
		}
	}
	for _, p := range f.c.all("players") {
		if !entered[p.n("number")] && !f.imported {
			f.fault(playersName, "player %d (%s): there is no record that names the player", p.n("number"), p.s("name"))
		}
	}
}

// lived lists the actions that change a round's status.
var lived = []string{"round.publish", "round.withdraw", "round.start", "round.finish", "table.start"}

// recordedStatus returns a round's status according to the records, or "" for a draft or no round.
func (f *facts) recordedStatus(number int) (status string) {
	for _, r := range f.records {
		if r.about.Round != number {
			continue
		}
		switch r.kind {
		case "round.publish":
			status = tournament.RoundPublished
		case "round.start", "table.start":
			status = tournament.RoundRunning
		case "round.finish":
			status = tournament.RoundFinished
		case "round.withdraw", "round.discard":
			status = ""
		}
	}
	return status
}

// steps lists the times of a round and the actions that set them.
var steps = []struct{ column, kind string }{{"created_at", "round.seat"}, {"published_at", "round.publish"},
	{"started_at", "round.start"}, {"finished_at", "round.finish"}}

// checkLife compares a round's row with its records.
func (f *facts) checkLife(r *roundFact) {
	place := fmt.Sprintf("round %d", r.number)
	if said := f.recordedStatus(r.number); said != r.s("status") {
		f.fault(roundsName, "%s: it is %s, the records say %q", place, r.s("status"), said)
	}
	before, was := engine.Millis(0), ""
	for _, step := range steps {
		at := r.at(step.column)
		if at == 0 {
			continue
		}
		if at < before-clockSlack {
			f.fault(roundsName, "%s: %s is %d, before %s (%d)", place, step.column, at, was, before)
		}
		before, was = at, step.column
		if step.kind == "round.start" && f.startedAlone(r) {
			continue
		}
		if !slices.ContainsFunc(f.byKind[step.kind], func(o *record) bool {
			return o.about.Round == r.number && o.at >= at-clockSlack && o.at <= at+clockSlack
		}) {
			f.fault(roundsName, "%s: there is no record of %s at %d", place, step.kind, at)
		}
	}
}

// startedAlone reports whether tables of a round were started one by one.
func (f *facts) startedAlone(r *roundFact) bool {
	return slices.ContainsFunc(f.byKind["table.start"], func(o *record) bool { return o.about.Round == r.number })
}

// drawnBy returns the records of a round since its draft was last discarded: the draws, and all other records since the
// last draw.
func (f *facts) drawnBy(number int) (draws, changes []*record) {
	for _, r := range f.records {
		if !concernsRound(r.about, number) {
			continue
		}
		switch r.kind {
		case "round.discard":
			draws, changes = nil, nil
		case "round.seat":
			draws, changes = append(draws, r), nil
		default:
			changes = append(changes, r)
		}
	}
	return draws, changes
}

func concernsRound(on action.About, number int) bool {
	return on.Round == number || slices.Contains(on.Rounds, number)
}

// seated is the data of a record of a draw.
type seated struct {
	Method    string `json:"method"`
	Seed      int64  `json:"seed"`
	Tables    int    `json:"tables"`
	Players   int    `json:"players"`
	Games     int    `json:"games"`
	Duplicate bool   `json:"duplicate"`
}

// collectUnpromised collects a round whose seed was not promised in time: before the first player was entered, or
// before the previous round was over. Later, the operator knows what each seed draws.
func (f *facts) collectUnpromised(r *roundFact) {
	known := engine.Millis(0)
	if before := f.before(r.number); before != nil {
		known = before.at("finished_at")
	} else if i := slices.IndexFunc(f.records, entersPlayers); i >= 0 {
		known = f.records[i].at
	}
	if !slices.ContainsFunc(f.c.all("seed_promises"), func(p row) bool {
		return p.n("lot") == 0 && p.n("round") == int64(r.number) && p.at() < known
	}) {
		f.unpromised = append(f.unpromised, strconv.Itoa(r.number))
	}
}

// sumPromises names the rounds whose seeds were not promised in time.
func (f *facts) sumPromises() {
	if len(f.unpromised) > 0 {
		f.note("the seeds of these rounds were not promised before the first player was entered or the round before was "+
			"over, so the operator could draw until they suited: %s", strings.Join(f.unpromised, ", "))
	}
}

func entersPlayers(r *record) bool { return strings.HasPrefix(r.kind, "people.") }
