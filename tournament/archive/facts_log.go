package archive

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"meldhall/engine"
	"meldhall/tournament/export"
	"meldhall/tournament/game"
	"meldhall/tournament/rights"
)

// logSlack is how far the times of two events that follow each other may go back.
const logSlack = engine.Millis(1000)

// checkGame asks for the whole log of a game that has a result, for an end of one whose round is over, and holds
// its row, its times and its actors against it.
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
		f.note("%s: its log is not in the archive, since other tables still play the same deal", place)
	case !logged && counted:
		f.fault(file, "%s: there is a result, but the log is missing%s", place, whyLeft(left))
	case !logged && (f.over() || round.over()):
		f.fault(file, "%s: the round is over, but the game is missing: it has no result and no log%s", place, whyLeft(left))
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

// checkLog holds the row of a game and of its results against its log.
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
		f.fault(file, "%s: the game is over by its log, and %q by its row", place, g.s("status"))
	case g.n("finished_at") != int64(ended.At):
		f.fault(file, "%s: it ended at %d by its log, at %d by its row", place, ended.At, g.n("finished_at"))
	}
	if over && round.over() && ended.At > round.at("finished_at") {
		f.fault(file, "%s: it ended at %d, after its round at %d", place, ended.At, round.at("finished_at"))
	}
	for i, e := range events[1:] {
		if e.When() < events[i].When()-logSlack {
			f.fault(file, "%s, seq %d: %s is of %d, before the event in front of it (%d)", place, i+2, e.Kind(), e.When(),
				events[i].When())
			break
		}
	}
	if first := events[0].When(); len(results) > 0 && first < round.at("published_at") {
		f.fault(file, "%s: it began at %d, before its round was published at %d", place, first, round.at("published_at"))
	}
	f.checkActors(log, events, place)
}

func endOf(events []engine.Event) (end engine.GameEnded, ok bool) {
	for _, e := range events {
		if end, ok = e.(engine.GameEnded); ok {
			return end, true
		}
	}
	return end, false
}

// checkActors holds the actor of each event of a log against the seats of the table and the rights of officials.
func (f *facts) checkActors(log export.Game, events []engine.Event, place string) {
	turn := 0
	for i, e := range events {
		before := ""
		if i > 0 {
			before = log.Events[i-1].Actor
		}
		if _, begins := e.(engine.PlayBegan); begins {
			turn++
		}
		if why := f.wrongActor(log, e, log.Events[i], before, i > 0 && startsDeal(events[i-1])); why != "" {
			f.fault(gameName(log.Game), "%s, turn %d, seq %d: %s by %s: %s", place, turn, i+1, e.Kind(), log.Events[i].Actor, why)
		}
		if engine.EndsTurn(e) {
			turn++
		}
	}
}

// Actors are the faults of one game alone, as it is exported: events of its log by somebody who cannot have brought them about. Which
// officials there were is not known, and at a practice table the program rules.
func Actors(log export.Game) []*Fault {
	f := &facts{alone: true}
	if events, err := export.Log(log); err == nil {
		f.checkActors(log, events, fmt.Sprintf("game %d", log.Game))
	}
	return f.Faults
}

// startsDeal tells of an event after which the same actor's deal follows.
func startsDeal(e engine.Event) bool {
	switch e.(type) {
	case engine.GameStarted, engine.RedealAsked, engine.RedealGranted:
		return true
	}
	return false
}

// wrongActor tells why nobody of that name can have brought an event about; empty where somebody can. Before is the
// actor of the event before it.
func (f *facts) wrongActor(log export.Game, e engine.Event, at export.Event, before string, deal bool) string {
	w := whoOf(at.Actor)
	physical := strings.HasPrefix(at.Actor, string(rights.RoleTable)+":")
	switch w.role {
	case rights.RolePlayer:
		if w.seat = slices.Index(log.Players, w.player); w.seat < 0 {
			return "the player does not sit at the table"
		}
	case rights.RoleTable:
		if w.name != strconv.Itoa(log.Table) {
			return "it is another table's device"
		}
	case rights.RoleProgram:
	default:
		if !slices.Contains(rights.OfficialRoles, w.role) {
			return "it is nobody of the event"
		}
		if why := f.notInOffice(w, at.At); why != "" {
			return why
		}
	}
	own := func(seat int) string {
		if seat < 0 || seat >= len(log.Players) {
			return "there is no such seat"
		}
		if physical || w.role == rights.RolePlayer && w.seat == seat {
			return ""
		}
		return fmt.Sprintf("it was the turn or the right of the player at seat %d, %s", seat+1, f.player(log.Players[seat]))
	}
	referees := w.may(rights.MayRule) || f.alone && at.Actor == game.PracticeActor.String()
	atTable := w.role == rights.RolePlayer || physical
	oneOf := func(may ...bool) string {
		if slices.Contains(may, true) {
			return ""
		}
		return "they have no right to that"
	}
	follows := func() string {
		if at.Actor == before {
			return ""
		}
		return "it follows from what " + before + " did"
	}
	switch e := e.(type) {
	case engine.TilesPlayed:
		return own(e.Seat)
	case engine.TileDrawn:
		return own(e.Seat)
	case engine.TurnPassed:
		return own(e.Seat)
	case engine.IllegalPlayed:
		return own(e.Seat)
	case engine.RedealAsked:
		return own(e.Seat)
	case engine.RefereeCalled:
		return own(e.Seat)
	case engine.SeatReady: // for a whole table with real tiles whoever serves it may say so
		if realTiles(log) {
			return oneOf(atTable, referees)
		}
		return own(e.Seat)
	case engine.TurnEnded:
		if referees {
			return ""
		}
		return own(e.Seat)
	case engine.GameStarted:
		return oneOf(w.role == rights.RoleProgram)
	case engine.TilesDealt:
		if deal {
			return follows()
		}
		return oneOf(w.role == rights.RoleProgram)
	case engine.TurnExpired, engine.PlayBegan, engine.GameResumed:
		return oneOf(w.role == rights.RoleProgram, atTable, referees)
	case engine.StarterChosen, engine.PoolRanOut:
		return oneOf(atTable, referees)
	case engine.RacksCounted:
		return oneOf(atTable, w.may(rights.MayCount))
	case engine.PlayEnded, engine.GameEnded, engine.PenaltyProposed:
		return follows()
	case engine.CallAcknowledged, engine.CallAnswered:
		return oneOf(referees)
	case engine.GamePaused, engine.ResumeSet, engine.TimeGiven:
		return cmp.Or(oneOf(w.role == rights.RoleProgram, referees), namesAnother(at, w))
	}
	return cmp.Or(oneOf(referees), namesAnother(at, w))
}

// realTiles tells whether a game was played with real tiles.
func realTiles(log export.Game) bool {
	e, err := engine.Decode(log.Events[0].Kind, log.Events[0].Version, log.Events[0].Data)
	began, ok := e.(engine.GameStarted)
	if err == nil && !ok { // a call came before the deal
		return !slices.ContainsFunc(log.Events, func(e export.Event) bool { return e.Kind == (engine.TilesDealt{}).Kind() })
	}
	return ok && began.Physical
}

// namesAnother tells of a ruling that names another official than its row.
func namesAnother(at export.Event, w who) string {
	var said struct{ By string }
	if json.Unmarshal(at.Data, &said) != nil || said.By == "" || said.By == w.name || w.role == rights.RoleProgram {
		return ""
	}
	return "the ruling itself says that it is by " + said.By
}

// checkTables holds the games of each table against the round's: they are numbered without a gap, as many as the
// round has, and one more for each that was annulled and played again.
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
			if number := slices.IndexFunc(have, func(g row) bool { return int(g.n("number")) == i+1 }); number < 0 {
				f.fault(roundsName, "%s: game %d is missing", place, i+1)
			}
		}
		if want := int(round.n("games")); len(have) < want || len(have) > want+annulled {
			f.fault(roundsName, "%s: there are %d games, the round has %d at each table", place, len(have), want)
		}
		if len(f.tables[t.n("id")].players) == 0 {
			f.fault(roundsName, "%s: nobody sits there", place)
		}
	}
}
