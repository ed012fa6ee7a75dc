package eventtest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"meldhall/engine/score"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/format"
	"meldhall/tournament/game"
	"meldhall/tournament/people"
	"meldhall/tournament/ranking"
	"meldhall/tournament/refuse"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// OneRound returns a format with one round of one game and tables by standings, to be modified.
func OneRound() format.Format {
	return format.Format{Name: "test", Version: 1, Stages: []format.Stage{{Name: "preliminary",
		Kind: format.Preliminary, Rounds: 1, GamesPerRound: 1,
		Seating: format.ByStandings, SeatChange: format.EveryRound, CarryOver: format.CarryAll}}}
}

// FinalOf returns a final stage for the first players of the standings.
func FinalOf(cut int, carry string) format.Stage {
	return format.Stage{Name: "final", Kind: format.Final, Rounds: 1, GamesPerRound: 1, Cut: cut,
		Seating: format.ByStandings, SeatChange: format.EveryRound, CarryOver: carry}
}

// EventOf returns a tournament with a format and players.
func EventOf(t *testing.T, f format.Format, players int) (*store.DB, tournament.Tournament) {
	t.Helper()
	s, p := NewStore(t), Presets(t)
	rules, err := p.RulesetFor(f, "wrc", nil)
	if err != nil {
		t.Fatal(err)
	}
	DeskOf(s).Seeds = SeedsFrom(3)
	tour, err := action.Do(context.Background(), DeskOf(s), Organizer,
		people.CreateTournament{Name: "Test", Format: f, Rules: rules})
	if err != nil {
		t.Fatal(err)
	}
	EnterPlayers(t, s, tour, players)
	return s, tour
}

// PlacesOf returns the standings as place:number.
func PlacesOf(t *testing.T, s *store.DB, tour tournament.Tournament) string {
	t.Helper()
	st, err := ranking.StandingsOf(context.Background(), s, tour.ID)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, r := range st.Rows {
		out = append(out, fmt.Sprintf("%d:%d", r.Place, r.Number))
	}
	return fmt.Sprint(out)
}

// PlainGame returns the result lines of a game that the first seat wins.
func PlainGame(table tournament.Table) []game.ResultLine { return Even(len(table.Seats), false) }

// InDivisions returns a function that assigns the divisions to the players in turn, by start number.
func InDivisions(divisions ...string) func(*testing.T, *store.DB, tournament.Tournament) {
	return func(t *testing.T, s *store.DB, tour tournament.Tournament) {
		t.Helper()
		players, err := tournament.Players(t.Context(), s, tour.ID)
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range players {
			if _, err := action.Do(t.Context(), DeskOf(s), Organizer,
				tournament.SetDivision{Player: p.ID, Division: divisions[i%len(divisions)]}); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Shown returns the list of qualifiers, each as division and standing, start number, and state with its counter:
// A1:3=reserve2.
func Shown(t *testing.T, s *store.DB, tour tournament.Tournament) string {
	t.Helper()
	q, err := ranking.QualificationAt(t.Context(), s, tour.ID, tournament.Always)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	rows := q.Standings.ByPlayer()
	for _, e := range q.Entries {
		r := rows[e.Player]
		out = append(out, strings.TrimSuffix(fmt.Sprintf("%s%d:%d=%s%d", r.Division, e.Standing, r.Number, e.State,
			e.Nth), "0"))
	}
	return strings.Join(out, " ")
}

// Even returns the result lines of a game that the first seat wins with equal points from all others; under penalty
// rules the others get the points.
func Even(seats int, penalty bool) []game.ResultLine {
	lines := make([]game.ResultLine, seats)
	for i := range lines {
		lines[i] = game.ResultLine{Seat: i, Charge: 10, Points: -score.Whole(10), Tiles: "R4", Opened: true}
		if penalty {
			lines[i].Points = score.Whole(10)
		}
	}
	lines[0] = game.ResultLine{Wins: score.Whole(1), Points: score.Whole(10 * (seats - 1))}
	if penalty {
		lines[0].Points = 0
	}
	return lines
}

// PlayWith drafts, publishes, starts and plays a round with the given results by table, and returns it.
func PlayWith(t *testing.T, s *store.DB, tour tournament.Tournament,
	game func(table tournament.Table) []game.ResultLine) tournament.Round {
	t.Helper()
	ctx := context.Background()
	round, err := action.Do(ctx, DeskOf(s), Organizer, draw.PairRound{Tournament: tour.ID,
		PairingOptions: draw.PairingOptions{Method: "standings"}})
	if errors.Is(err, &refuse.Error{Kind: refuse.KindConflict, Key: "err_play_off_method"}) {
		round, err = action.Do(ctx, DeskOf(s), Organizer, draw.PairRound{Tournament: tour.ID,
			PairingOptions: draw.PairingOptions{}})
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := action.Do(ctx, DeskOf(s), Organizer, draw.PublishRound{Round: round.ID}); err != nil {
		t.Fatal(err)
	}
	if _, err := action.Do(ctx, DeskOf(s), Organizer, draw.StartRound{Round: round.ID}); err != nil {
		t.Fatal(err)
	}
	tables, err := tournament.Tables(ctx, s, round.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range tables {
		for _, g := range table.Games {
			if err := EndGame(t, s, g.ID, game(table)); err != nil {
				t.Fatal(err)
			}
			if _, err := action.Do(ctx, DeskOf(s), rights.Staff(rights.RoleReferee, "Bob"),
				result.ConfirmResult{Game: g.ID, Rev: 1}); err != nil {
				t.Fatal(err)
			}
		}
	}
	return round
}
