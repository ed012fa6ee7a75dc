package archive

import (
	"fmt"
	"maps"
	"slices"

	"meldhall/engine"
	"meldhall/engine/score"
	"meldhall/tournament"
	"meldhall/tournament/game"
	"meldhall/tournament/rights"
)

// resultFact is a revision of a result with its lines.
type resultFact struct {
	row
	lines []row
}

// noted is a result in the data of a record.
type noted struct {
	Rev    int    `json:"rev"`
	Status string `json:"status"`
	Ending string `json:"ending"`
	Seats  []struct {
		Points score.Twelfth `json:"points"`
		Wins   score.Twelfth `json:"wins"`
	} `json:"seats"`
}

// resultKinds maps the actions that revise a result to the right that each needs.
var resultKinds = map[string]rights.Right{"result.confirm_result": rights.MayConfirmResult,
	"result.correct_result": rights.MayCorrectResult, "result.replay": rights.MayCorrectResult,
	"result.recount": rights.MayCorrectResult}

func notedIn(r *record) noted {
	return dataOf[struct{ Is noted }](r).Is
}

// differs returns how a record differs from a revision, or "".
func (n noted) differs(r resultFact) string {
	switch {
	case n.Status != r.s("status"):
		return "that it is " + n.Status
	case n.Ending != r.s("ending"):
		return "that the game ended " + n.Ending
	case len(n.Seats) != len(r.lines):
		return fmt.Sprintf("that there are %d seats", len(n.Seats))
	}
	for i, s := range n.Seats {
		if int64(s.Points) != r.lines[i].n("points") || int64(s.Wins) != r.lines[i].n("wins") {
			return fmt.Sprintf("%v points and %v wins at seat %d", s.Points, s.Wins, i+1)
		}
	}
	return ""
}

// checkResultRecords compares the revisions of results with each other, with their game and with the records.
func (f *facts) checkResultRecords() {
	for _, g := range f.c.all("games") {
		results := f.results[g.n("id")]
		for i, r := range results {
			before := engine.Millis(g.n("finished_at"))
			if i > 0 {
				before = results[i-1].at()
			}
			f.checkRevision(g, i+1, before, r)
		}
		over := f.rounds[f.tables[g.n("table_id")].round].over()
		if n := len(results); n > 0 && over && results[n-1].s("status") != game.ResultConfirmed {
			f.fault(gameName(g.n("id")), "%s: the round is over, but the result is not confirmed", f.place(g))
		}
	}
	for _, r := range f.records {
		if resultKinds[r.kind] == "" || r.used || r.old() {
			continue
		}
		f.fault(actionsName, "record of %s by %s at %d: %s has no such revision %d of its result", r.kind, r.s("actor"),
			r.at, f.game(r.about.Game), notedIn(r).Rev)
	}
}

func (f *facts) checkRevision(g row, rev int, before engine.Millis, r resultFact) {
	place := fmt.Sprintf("%s, revision %d of the result", f.place(g), rev)
	file, players := gameName(g.n("id")), f.tables[g.n("table_id")].players
	switch {
	case r.n("rev") != int64(rev):
		f.fault(file, "%s is missing", place)
		return
	case r.at() < before:
		f.fault(file, "%s: it is dated %d, before the game's end or the previous revision at %d", place, r.at(),
			before)
	case rev == 1 && (r.s("actor") != "engine" || r.at() != before || r.s("status") != game.ResultProvisional):
		f.fault(file, "%s: it differs from the result at the game's end", place)
	case len(r.lines) != len(players):
		f.fault(file, "%s has %d lines for %d seats", place, len(r.lines), len(players))
	}
	for i, l := range r.lines {
		if l.n("seat") != int64(i) || i < len(players) && l.n("player_id") != players[i] {
			f.fault(file, "%s: line %d does not belong to the player at seat %d", place, i+1, i+1)
		}
	}
	if rev == 1 {
		return
	}
	kinds := slices.Sorted(maps.Keys(resultKinds))
	rec := f.recorded(sought{kinds, g.n("id"), r.s("actor"), r.at()},
		func(one *record) bool { return notedIn(one).Rev == rev })
	if rec == nil {
		f.fault(file, "%s: there is no record of it by %s at %d", place, r.s("actor"), r.at())
		return
	}
	if said := notedIn(rec).differs(r); said != "" && !rec.old() {
		f.fault(file, "%s: the record of it says %s", place, said)
	}
	right := resultKinds[rec.kind]
	if f.results[g.n("id")][rev-2].s("status") == game.ResultConfirmed {
		right = rights.MayRuleHeavily
	}
	f.official(file, place, r.row, right)
}

// official checks that the actor of a row held an office with that right at the time.
func (f *facts) official(file, place string, r row, right rights.Right) {
	w := parseActor(r.s("actor"))
	if !w.may(right) {
		f.fault(file, "%s: the role of %s does not allow that", place, r.s("actor"))
	} else if why := f.notInOffice(w, r.at()); why != "" {
		f.fault(file, "%s: %s: %s", place, r.s("actor"), why)
	}
}

// checkMissed compares the charges for missed rounds with the tournament's setting.
func (f *facts) checkMissed() {
	charge := f.c.all("tournaments")[0].n("missed_charge")
	changed := func(number int64) bool {
		return slices.ContainsFunc(f.records, func(r *record) bool {
			switch kind := r.kind; kind {
			case "people.settings", "people.undo", "tournament.import":
				return true
			case "people.missed":
				return r.old() || int64(r.about.Player) == number
			}
			return false
		})
	}
	for _, m := range f.c.all("missed_rounds") {
		for _, t := range f.tables {
			r := f.rounds[t.round]
			if r != nil && int64(r.number) == m.n("round") && slices.Contains(t.players, m.n("player_id")) {
				f.fault(playersName, "round %d: %s missed it, and sat at table %d", m.n("round"),
					f.player(m.n("player_id")), t.number)
			}
		}
		if want := 12 * charge * m.n("games"); m.n("charge") != want && !changed(f.players[m.n("player_id")].number()) {
			f.fault(playersName, "round %d: it cost %s %v points to miss it, without a record; the event charges %v",
				m.n("round"), f.player(m.n("player_id")), score.Twelfth(m.n("charge")), score.Twelfth(want))
		}
	}
}

// checkEvent compares the tournament's status with the records.
func (f *facts) checkEvent() {
	said := ""
	for _, r := range f.records {
		switch r.kind {
		case "tournament.finish":
			said = tournament.StatusFinished
		case "tournament.reopen":
			said = tournament.StatusRunning
		}
	}
	if said == "" && f.over() && len(f.records) > 0 {
		f.fault(eventName, "the event is over, but there is no record that it ended")
	}
	if said == tournament.StatusFinished && !f.over() {
		f.fault(eventName, "the event is %s, but the records say that it ended", f.c.event.Status)
	}
}
