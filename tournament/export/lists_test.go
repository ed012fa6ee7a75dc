package export

import (
	"bytes"
	"encoding/csv"
	"errors"
	"os"
	"strings"
	"testing"

	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/action/actiontest"
	"meldhall/tournament/draw"
	"meldhall/tournament/format"
	"meldhall/tournament/game"
	"meldhall/tournament/pairing"
	"meldhall/tournament/people"
	"meldhall/tournament/preset"
	"meldhall/tournament/refuse"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/tournament/rosterfile"
)

var organizer = rights.Staff(rights.RoleOrganizer, "Ann")

// hall is a desk over a test database.
type hall struct {
	t *testing.T
	*action.Desk
}

func newHall(t *testing.T) *hall {
	t.Helper()
	h := &hall{t, actiontest.Desk(t)}
	seed := int64(0)
	h.Seeds = func() int64 { seed++; return seed }
	return h
}

// do runs an action as the organizer.
func do[O any](h *hall, act action.ActionOf[O]) O {
	h.t.Helper()
	out, err := action.Do(h.t.Context(), h.Desk, organizer, act)
	if err != nil {
		h.t.Fatalf("%s: %v", action.KindOf(act).Name, err)
	}
	return out
}

// event creates a tournament of the format "open" with this seating and number of games a round; 0 means as the format.
func (h *hall) event(seating string, games, players int) tournament.Tournament {
	h.t.Helper()
	presets, err := preset.Load(os.DirFS("../../data"))
	if err != nil {
		h.t.Fatal(err)
	}
	f, err := presets.Format("open")
	if err != nil {
		h.t.Fatal(err)
	}
	f.Stages[0].Seating = seating
	if games > 0 {
		f.Stages[0].GamesPerRound = games
	}
	rules, err := presets.Ruleset("wrc", nil)
	if err != nil {
		h.t.Fatal(err)
	}
	e := do(h, people.CreateTournament{Name: "Test", Format: f, Rules: rules})
	do(h, people.ImportRoster{Tournament: e.ID, File: "name\n" +
		strings.Join(strings.Split("ABCDEFGHIJKLMNOP"[:players], ""), "\n")})
	return e
}

// play publishes and starts a round, and ends and confirms all its games; seat 0 wins them.
func (h *hall) play(r tournament.Round) {
	h.t.Helper()
	do(h, draw.PublishRound{Round: r.ID})
	do(h, draw.StartRound{Round: r.ID})
	tables, err := tournament.Tables(h.t.Context(), h.DB, r.ID)
	if err != nil {
		h.t.Fatal(err)
	}
	for _, table := range tables {
		lines := []game.ResultLine{{Seat: 0, Wins: score.Whole(1), Points: score.Whole(12 * (len(table.Seats) - 1))}}
		for seat := 1; seat < len(table.Seats); seat++ {
			lines = append(lines, game.ResultLine{Seat: seat, Points: -score.Whole(12), Charge: 12})
		}
		for _, g := range table.Games {
			h.end(g.ID, lines)
			do(h, result.ConfirmResult{Game: g.ID, Rev: 1})
		}
	}
}

// end stores a game's first result as the log writer does.
func (h *hall) end(gameID int64, lines []game.ResultLine) {
	h.t.Helper()
	tx, err := h.DB.WriteSQL.Begin()
	if err != nil {
		h.t.Fatal(err)
	}
	if err := game.RecordResult(h.t.Context(), tx, gameID, ruleset.EndedEmptied, h.DB.Millis(), lines); err != nil {
		h.t.Fatal(err, tx.Rollback())
	}
	if err := tx.Commit(); err != nil {
		h.t.Fatal(err)
	}
}

// csv returns a list, and the list as CSV.
func (h *hall) csv(e tournament.Tournament, what string, sight tournament.Sight) (List, string) {
	h.t.Helper()
	list, err := ListOf(h.t.Context(), h.DB, e.ID, what, sight)
	if err != nil {
		h.t.Fatal(err)
	}
	var out bytes.Buffer
	if err := list.WriteCSV(&out); err != nil {
		h.t.Fatal(err)
	}
	return list, out.String()
}

func TestListsAsFiles(t *testing.T) {
	h := newHall(t)
	e := h.event(format.Random, 4, 7)
	do(h, people.EnterPlayers{Tournament: e.ID,
		Entries: []rosterfile.PlayerEntry{{Name: `=HYPERLINK("x"), "quoted"`, Club: "-club"}}})
	h.play(do(h, draw.PairRound{Tournament: e.ID}))
	draft := do(h, draw.PairRound{Tournament: e.ID})
	for what, rows := range map[string]int{ListSeating: 8, ListResults: 8 * 4, ListStandings: 8} {
		list, text := h.csv(e, what, tournament.SeesAll)
		if len(list.Rows) != rows {
			t.Fatalf("%s: %d rows; round %d is a draft and must not be there", what, len(list.Rows), draft.Number)
		}
		records, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(text, "\ufeff"))).ReadAll()
		if err != nil || len(records) != rows+1 || len(records[0]) != len(list.Columns) {
			t.Fatalf("%s: %v", what, err)
		}
		if strings.Contains(text, "\u2212") || !strings.Contains(text, `"'=HYPERLINK(""x""), ""quoted"""`) ||
			strings.Contains(text, ",-club") {
			t.Errorf("%s:\n%s", what, text)
		}
	}
	if _, err := ListOf(t.Context(), h.DB, e.ID, "racks", tournament.SeesAll); !errors.Is(err, refuse.ErrNotFound) {
		t.Errorf("got %v", err)
	}
}

// TestListsHoldBack checks that with frozen results and hidden seats no list contains a later total or a seat.
func TestListsHoldBack(t *testing.T) {
	h := newHall(t)
	e := h.event(format.Random, 1, 3)
	do(h, tournament.SetShown{Tournament: e.ID, Part: tournament.PartResults, How: tournament.ShownFrozen})
	do(h, tournament.SetShown{Tournament: e.ID, Part: tournament.PartPairing, How: tournament.ShownHidden})
	round := do(h, draw.PairRound{Tournament: e.ID})
	do(h, draw.PublishRound{Round: round.ID})
	do(h, draw.StartRound{Round: round.ID})
	tables, err := tournament.Tables(t.Context(), h.DB, round.ID)
	if err != nil {
		t.Fatal(err)
	}
	at := tables[0].Games[0].ID
	h.end(at, []game.ResultLine{{Seat: 0, Wins: score.Whole(1), Points: score.Whole(118)},
		{Seat: 1, Points: -score.Whole(59), Charge: 59}, {Seat: 2, Points: -score.Whole(59), Charge: 59}})
	do(h, result.ConfirmResult{Game: at, Rev: 1})
	is, _, err := tournament.PublishingOf(t.Context(), h.DB, e.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, what := range Lists {
		if _, open := h.csv(e, what, tournament.SeesAll); what != ListSeating && what != ListQualification &&
			!strings.Contains(open, "118") {
			t.Errorf("%s: an official sees no 118\n%s", what, open)
		}
		list, text := h.csv(e, what, is.Sight(h.DB.Millis()))
		if strings.Contains(text, "118") || what == ListSeating && len(list.Rows) > 0 {
			t.Errorf("%s:\n%s", what, text)
		}
	}
}

// TestExportedSeatsAreTakenAgain checks that a stage's exported seating seats another tournament of the same players
// identically, round by round and at the same tables, before there is any draft.
func TestExportedSeatsAreTakenAgain(t *testing.T) {
	h := newHall(t)
	event := func(seating string) tournament.Tournament {
		e := h.event(seating, 1, 11)
		do(h, people.CloseTable{Tournament: e.ID, Number: 2, Why: "it wobbles"})
		return e
	}
	drawn := func(e tournament.Tournament, method string, ahead int) tournament.Round {
		t.Helper()
		round := do(h, draw.PairRound{Tournament: e.ID, PairingOptions: draw.PairingOptions{Note: "again"}})
		if round.Method != method || round.Ahead() != ahead {
			t.Fatalf("got %+v", round)
		}
		return round
	}
	one, two := event(format.Random), event(format.Plan)
	for range 3 {
		h.play(drawn(one, pairing.Random, 0))
	}
	_, file := h.csv(one, ListSeating, tournament.SeesAll)
	if !strings.Contains(file, "\r\n3,1,4,") || strings.Contains(file, "\r\n3,1,2,") {
		t.Fatalf("table 2 is out of service: got %s", file)
	}
	round := do(h, draw.PairRound{Tournament: two.ID, File: &file,
		PairingOptions: draw.PairingOptions{Note: "again"}})
	if round.Number != 1 || round.Ahead() != 2 {
		t.Fatalf("got %+v", round)
	}
	h.play(round)
	drawn(two, pairing.Script, 1)
	h.play(drawn(two, pairing.Script, 1)) // after seating again, the file is the same
	h.play(drawn(two, pairing.Script, 0))
	if _, again := h.csv(two, ListSeating, tournament.SeesAll); again != file {
		t.Errorf("got %s, want %s", again, file)
	}
}
