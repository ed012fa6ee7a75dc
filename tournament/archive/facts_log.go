package archive

import (
	"fmt"
	"slices"

	"meldhall/engine"
	"meldhall/tournament/export"
	"meldhall/tournament/game"
)

// logSlack limits how much earlier an event may be than the previous one.
const logSlack = engine.Millis(1000)

// checkGame requires the complete log of a game with a result, and the end of every game in a finished round. It
// compares the game's row, times and actors with the log.
func (f *facts) checkGame(g row) {
	id, place := g.n("id"), f.place(g)
	file := gameName(id)
	round := f.rounds[f.tables[g.n("table_id")].round]
	if round == nil {
		f.fault(roundsName, "game %d belongs to no round", id)
		return
	}
	log, logged := f.games[id]
	counted := len(f.results[id]) > 0 || g.s("status") == game.Finished
	left, isLeft := f.leftOut[id]
	switch {
	case !logged && counted && left.Why == sealed && !round.over() && round.n("duplicate") != 0:
		f.note("%s: its log is not in the archive, because other tables still play the same deal", place)
	case !logged && counted:
		f.fault(file, "%s: there is a result, but the log is missing%s", place, whyLeft(left))
	case !logged && (f.over() || round.over()):
		f.fault(file, "%s: the round is over, but the game is missing: it has no result and no log%s", place,
			whyLeft(left))
	case !logged && left.Why == unreadable:
		f.fault(file, "%s: its log was left out: it cannot be read", place)
	case !logged && g.s("status") == game.Running && !isLeft:
		f.fault(file, "%s: it is being played, but its log is missing", place)
	case !logged:
		f.open[round.number]++
	default:
		f.checkLog(g, log, round)
	}
}

func whyLeft(l LeftOut) string {
	if l.Why == "" {
		return ""
	}
	return fmt.Sprintf(" (left out: %s)", l.Why)
}

// checkLog compares the rows of a game and of its results with its log.
func (f *facts) checkLog(g row, log export.Game, round *roundFact) {
	id, place := g.n("id"), f.place(g)
	file := gameName(id)
	events, err := export.Log(log)
	if err != nil {
		f.fault(file, "%s: its log cannot be read: %v", place, err)
		return
	}
	results := f.results[id]
	ended, over := endOf(events)
	switch {
	case !over && (len(results) > 0 || g.s("status") == game.Finished):
		f.fault(file, "%s: there is a result, but the log ends before the game does", place)
	case !over && (f.over() || round.over()):
		f.fault(file, "%s: the round is over, but the game is not", place)
	case !over:
		f.open[round.number]++
	case len(results) == 0:
		f.fault(file, "%s: the game is over, but there is no result", place)
	case g.s("status") != game.Finished:
		f.fault(file, "%s: the game is over in its log, but %q in its row", place, g.s("status"))
	case g.n("finished_at") != int64(ended.At):
		f.fault(file, "%s: it ended at %d by its log, but at %d by its row", place, ended.At, g.n("finished_at"))
	}
	if over && round.over() && ended.At > round.at("finished_at") {
		f.fault(file, "%s: it ended at %d, after its round at %d", place, ended.At, round.at("finished_at"))
	}
	for i, e := range events[1:] {
		if e.When() < events[i].When()-logSlack {
			f.fault(file, "%s, seq %d: %s is dated %d, before the previous event (%d)", place, i+2, e.Kind(),
				e.When(), events[i].When())
			break
		}
	}
	if first := events[0].When(); len(results) > 0 && first < round.at("published_at")-clockSlack {
		f.fault(file, "%s: it began at %d, before its round was published at %d", place, first,
			round.at("published_at"))
	}
	f.checkActors(log, events, place)
	f.checkShuffles(id, events, place)
	f.checkSigned(log, place)
}

func endOf(events []engine.Event) (end engine.GameEnded, ok bool) {
	for _, e := range events {
		if end, ok = e.(engine.GameEnded); ok {
			return end, true
		}
	}
	return end, false
}

// checkTables checks that the games of each table are numbered without gaps. There must be as many as the round has,
// plus at most one for each annulled game.
func (f *facts) checkTables() {
	games := map[int64][]row{}
	for _, g := range f.c.all("games") {
		games[g.n("table_id")] = append(games[g.n("table_id")], g)
	}
	for _, t := range f.c.all("tables") {
		round, place := f.rounds[t.n("round_id")], fmt.Sprintf("table %d", t.n("number"))
		if round == nil {
			f.fault(roundsName, "%s belongs to no round", place)
			continue
		}
		place = fmt.Sprintf("round %d, %s", round.number, place)
		have, annulled := games[t.n("id")], 0
		for i, g := range have {
			if rev := f.results[g.n("id")]; len(rev) > 0 && rev[len(rev)-1].s("ending") == game.EndingAnnulled {
				annulled++
			}
			if !slices.ContainsFunc(have, func(g row) bool { return int(g.n("number")) == i+1 }) {
				f.fault(roundsName, "%s: game %d is missing", place, i+1)
			}
		}
		if want := int(round.n("games")); len(have) < want || len(have) > want+annulled {
			f.fault(roundsName, "%s: there are %d games, but the round has %d at each table", place, len(have), want)
		}
		if len(f.tables[t.n("id")].players) == 0 {
			f.fault(roundsName, "%s: the table is empty", place)
		}
	}
}
