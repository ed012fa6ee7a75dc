package actiontest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/format"
	"meldhall/tournament/game"
	"meldhall/tournament/people"
	"meldhall/tournament/preset"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
)

// Organizer is the actor for all officials' actions.
var Organizer = rights.Staff(rights.RoleOrganizer, "Ann")

// Event is a tournament with players in a test database, with its Desk.
type Event struct {
	testing.TB
	*action.Desk
	tournament.Tournament
}

// OneRound returns a format with one round of one game.
func OneRound() format.Format {
	return format.Format{Name: "test", Version: 1, Stages: []format.Stage{{Name: "preliminary",
		Kind: format.Preliminary, Rounds: 1, GamesPerRound: 1,
		Seating: format.ByStandings, SeatChange: format.EveryRound, CarryOver: format.CarryAll}}}
}

// NewEvent creates a tournament with a format, the rules wrc and a number of players.
func NewEvent(t testing.TB, f format.Format, players int) *Event {
	t.Helper()
	e := &Event{TB: t, Desk: Desk(t)}
	seed := int64(0)
	e.Seeds = func() int64 { seed++; return seed }
	presets, err := preset.Load(os.DirFS(filepath.Join("..", "..", "data")))
	if err != nil {
		t.Fatal(err)
	}
	rules, err := presets.RulesetFor(f, "wrc", nil)
	if err != nil {
		t.Fatal(err)
	}
	roster := strings.Builder{}
	roster.WriteString("name\n")
	for i := range players {
		fmt.Fprintf(&roster, "Player %03d\n", i+1)
	}
	e.Tournament = Do(e, people.CreateTournament{Name: "Test", Format: f, Rules: rules, Roster: roster.String()})
	return e
}

// Do executes an action of the organizer.
func Do[O any](e *Event, act action.ActionOf[O]) O {
	e.Helper()
	out, err := action.Do(e.Context(), e.Desk, Organizer, act)
	if err != nil {
		e.Fatalf("%s: %v", action.KindOf(act).Name, err)
	}
	return out
}

// Play starts a published round and ends its games with wins for the first seats.
func (e *Event) Play(round int64) {
	e.Helper()
	Do(e, draw.StartRound{Round: round})
	e.Finish(round)
}

// Finish ends the games of a started round with wins for the first seats.
func (e *Event) Finish(round int64) {
	e.Helper()
	tables, err := tournament.Tables(e.Context(), e.DB, round)
	if err != nil {
		e.Fatal(err)
	}
	for _, table := range tables {
		for _, one := range table.Games {
			e.end(one.ID, len(table.Seats))
			Do(e, result.ConfirmResult{Game: one.ID, Rev: 1})
		}
	}
}

// end writes a game's first result as the log's writer does.
func (e *Event) end(id int64, seats int) {
	e.Helper()
	lines := make([]game.ResultLine, seats)
	for seat := range lines {
		lines[seat] = game.ResultLine{Seat: seat, Points: -score.Whole(12), Charge: 12}
	}
	lines[0] = game.ResultLine{Points: score.Whole(12 * (seats - 1)), Wins: score.Whole(1)}
	tx, err := e.DB.WriteSQL.Begin()
	if err != nil {
		e.Fatal(err)
	}
	if err := game.RecordResult(e.Context(), tx, id, ruleset.EndedEmptied, e.DB.Millis(), lines); err != nil {
		e.Fatal(err, tx.Rollback())
	}
	if err := tx.Commit(); err != nil {
		e.Fatal(err)
	}
}
