// Package eventtest provides tournaments, players and desks for the tests of the packages of tournament.
package eventtest

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
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
	"meldhall/tournament/ranking"
	"meldhall/tournament/refuse"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// Organizer is the official who performs the actions.
var Organizer = rights.Staff(rights.RoleOrganizer, "Ann")

// Presets returns the shipped presets.
func Presets(t testing.TB) preset.Library {
	t.Helper()
	data := filepath.Join("..", "data")
	for _, err := os.Stat(data); err != nil && len(data) < 20; _, err = os.Stat(data) {
		data = filepath.Join("..", data)
	}
	p, err := preset.Load(os.DirFS(data))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// NewTournament creates a tournament with a shipped format, which change may alter.
func NewTournament(t testing.TB, s *store.DB, formatName string, seed int64,
	change ...func(*format.Format)) tournament.Tournament {
	t.Helper()
	p := Presets(t)
	f, err := p.Format(formatName)
	if err != nil {
		t.Fatal(err)
	}
	for _, make := range change {
		make(&f)
	}
	rules, err := p.Ruleset("wrc", nil)
	if err != nil {
		t.Fatal(err)
	}
	DeskOf(s).Seeds = SeedsFrom(seed)
	tour, err := action.Do(context.Background(), DeskOf(s), Organizer,
		people.CreateTournament{Name: "Test", Format: f, Rules: rules})
	if err != nil {
		t.Fatal(err)
	}
	return tour
}

// EnterPlayers imports a roster of n players.
func EnterPlayers(t testing.TB, s *store.DB, tour tournament.Tournament, n int) {
	t.Helper()
	if _, err := action.Do(context.Background(), DeskOf(s), Organizer,
		people.ImportRoster{Tournament: tour.ID, File: "name\n" + Numbered(n)}); err != nil {
		t.Fatal(err)
	}
}

// EndGame stores a game's first result as the log writer does.
func EndGame(t testing.TB, s *store.DB, gameID int64, lines []game.ResultLine) error {
	t.Helper()
	tx, err := s.WriteSQL.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if err := game.RecordResult(context.Background(), tx, gameID, ruleset.EndedEmptied, s.Millis(), lines); err != nil {
		tx.Rollback()
		return err
	}
	return tx.Commit()
}

// Fabricated returns a random zero-sum result with one winner.
func Fabricated(rng *rand.Rand, seats int) []game.ResultLine {
	winner := rng.IntN(seats)
	lines := make([]game.ResultLine, seats)
	for seat := range lines {
		lines[seat].Seat = seat
		if seat != winner {
			lines[seat].Charge = 1 + rng.IntN(60)
			lines[seat].Points = -score.Whole(lines[seat].Charge)
			lines[winner].Points += score.Whole(lines[seat].Charge)
			lines[seat].Tiles, lines[seat].Opened = "R4 J", true
		}
	}
	lines[winner].Wins = score.Whole(1)
	return lines
}

// PlayRound drafts, publishes, starts and plays the next round.
func PlayRound(t testing.TB, s *store.DB, tour tournament.Tournament, rng *rand.Rand) tournament.Round {
	t.Helper()
	ctx := context.Background()
	round, err := action.Do(ctx, DeskOf(s), Organizer, draw.PairRound{Tournament: tour.ID,
		PairingOptions: draw.PairingOptions{}})
	if errors.Is(err, &refuse.Error{Kind: refuse.KindConflict, Key: "err_cut_tied"}) {
		if _, err := action.Do(ctx, DeskOf(s), Organizer, ranking.DrawLot{Tournament: tour.ID}); err != nil {
			t.Fatal(err)
		}
		round, err = action.Do(ctx, DeskOf(s), Organizer, draw.PairRound{Tournament: tour.ID,
			PairingOptions: draw.PairingOptions{}})
	}
	if err != nil {
		t.Fatal(err)
	}
	if round, err = action.Do(ctx, DeskOf(s), Organizer, draw.PublishRound{Round: round.ID}); err != nil {
		t.Fatal(err)
	}
	if _, err := action.Do(ctx, DeskOf(s), Organizer, draw.StartRound{Round: round.ID}); err != nil {
		t.Fatal(err)
	}
	tables, err := tournament.Tables(ctx, s, round.ID)
	if err != nil {
		t.Fatal(err)
	}
	rules, err := tour.RulesAt(round.Stage)
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range tables {
		for _, game := range table.Games {
			lines := Fabricated(rng, len(table.Seats))
			for seat := range lines {
				if rules.Points == ruleset.Penalty {
					lines[seat].Points = score.Whole(lines[seat].Charge)
				}
			}
			if err := EndGame(t, s, game.ID, lines); err != nil {
				t.Fatal(err)
			}
			if _, err := action.Do(ctx, DeskOf(s), rights.Staff(rights.RoleReferee, "Bob"),
				result.ConfirmResult{Game: game.ID, Rev: 1}); err != nil {
				t.Fatal(err)
			}
		}
	}
	return round
}
