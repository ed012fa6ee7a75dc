package draw_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/engine/testmode"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/eventtest"
	"meldhall/tournament/format"
	"meldhall/tournament/game"
	"meldhall/tournament/pairing"
	"meldhall/tournament/ranking"
	"meldhall/tournament/store"
)

// TestARoundOfAnyField checks fields of 3 to 400 players, some of whom have left or wait. A drawn round seats every
// active player exactly once and no other player. A failed publication leaves nothing behind, and one with changed
// players is refused. The standings do not depend on the order of the results.
func TestARoundOfAnyField(t *testing.T) {
	s, err := store.OpenScratch(filepath.Join(t.TempDir(), "e.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	eventtest.DeskOf(s).Searches.Steps = 300 // the pairing package tests the quality of seats
	rapid.Check(t, func(rt *rapid.T) {
		f := field{t: rt, s: s, size: anySize().Draw(rt, "players")}
		f.enter(t)
		round, err := action.Do(context.Background(), eventtest.DeskOf(s), eventtest.Organizer,
			draw.PairRound{Tournament: f.tour.ID,
				PairingOptions: draw.PairingOptions{Method: rapid.SampledFrom(pairing.Automatic).Draw(rt, "method")}})
		if _, can := format.Tables(len(f.playing)); !can {
			if err == nil {
				rt.Fatalf("%d players were seated", len(f.playing))
			}
			return
		}
		if err != nil {
			rt.Fatal(err)
		}
		f.seatsAll(round)
		f.breaksOff(round)
		if _, err := action.Do(context.Background(), eventtest.DeskOf(s), eventtest.Organizer,
			draw.PublishRound{Round: round.ID}); err != nil {
			rt.Fatal(err)
		}
		f.seatsAll(round)
		f.isWhole(round)
		f.standsByResults(round)
	})
}

// anySize generates 3 to 400 players, mostly small fields, because a large one takes a third of a second. Short runs
// have at most 24.
func anySize() *rapid.Generator[int] {
	if !testmode.Long {
		return rapid.IntRange(3, 24)
	}
	return rapid.OneOf(rapid.IntRange(3, 12), rapid.IntRange(3, 12), rapid.IntRange(3, 40), rapid.IntRange(3, 40),
		rapid.IntRange(3, 400),
		rapid.SampledFrom([]int{3, 4, 6, 7, 61, 200, 399, 400}))
}

// field is a tournament of any size.
type field struct {
	t       *rapid.T
	s       *store.DB
	size    int
	tour    tournament.Tournament
	playing []int64
}

// enter adds the players; some of them do not play.
func (f *field) enter(t *testing.T) {
	f.tour = eventtest.NewTournament(t, f.s, "open", 7)
	eventtest.EnterPlayers(t, f.s, f.tour, f.size)
	players, err := tournament.Players(context.Background(), f.s, f.tour.ID)
	if err != nil {
		f.t.Fatal(err)
	}
	left := rapid.SliceOfNDistinct(rapid.IntRange(0, f.size-1), 0, min(f.size-3, 9), rapid.ID[int]).Draw(f.t,
		"who left")
	for i, p := range players {
		if !slices.Contains(left, i) {
			f.playing = append(f.playing, p.ID)
			continue
		}
		f.setState(p.ID, rapid.SampledFrom([]string{tournament.StateWaiting, tournament.StateWithdrawn,
			tournament.StateNoShow,
			tournament.StateSubstituted}).Draw(f.t, "state"))
	}
}

func (f *field) setState(player int64, state string) {
	if err := f.s.Write.Model(&tournament.Player{}).Where("id = ?", player).Update("state", state).Error; err != nil {
		f.t.Fatal(err)
	}
}

// seatsAll checks that every active player is seated once, no other player, and only at tables of four and three.
func (f *field) seatsAll(round tournament.Round) {
	tables, err := tournament.TablesOf(f.s.Read, round.ID)
	if err != nil {
		f.t.Fatal(err)
	}
	for _, table := range tables {
		if len(table) < 3 || len(table) > 4 {
			f.t.Fatalf("a table of %d", len(table))
		}
	}
	seated := slices.Sorted(slices.Values(slices.Concat(tables...)))
	if !slices.Equal(seated, slices.Sorted(slices.Values(f.playing))) {
		f.t.Fatalf("of %d who play these sit: %v", len(f.playing), seated)
	}
}

// published counts the games and codes written by a publication.
func (f *field) published(round tournament.Round) (is tournament.Round, games, codes int64) {
	is, err := draw.RoundByID(context.Background(), f.s, round.ID)
	if err == nil {
		err = errors.Join(
			f.s.Read.Raw(`SELECT count(*) FROM games g JOIN tables t ON t.id = g.table_id WHERE t.round_id = ?`,
				round.ID).Scan(&games).Error,
			f.s.Read.Raw(`SELECT count(DISTINCT code_hash) FROM seats WHERE round_id = ? AND code <> ''`,
				round.ID).Scan(&codes).Error)
	}
	if err != nil {
		f.t.Fatal(err)
	}
	return is, games, codes
}

// breaksOff makes the publication fail at any seat, then lets a player leave. Both times the draft must not change.
func (f *field) breaksOff(round tournament.Round) {
	ctx := context.Background()
	before, _, _ := f.published(round)
	at := rapid.SampledFrom(f.playing).Draw(f.t, "where it breaks off")
	if err := f.s.Write.Exec(fmt.Sprintf(`CREATE TRIGGER stop BEFORE UPDATE OF code ON seats WHEN NEW.player_id = %d BEGIN SELECT raise(ABORT, 'the power is gone'); END`, at)).Error; err != nil {
		f.t.Fatal(err)
	}
	_, broken := action.Do(ctx, eventtest.DeskOf(f.s), eventtest.Organizer, draw.PublishRound{Round: round.ID})
	if err := f.s.Write.Exec("DROP TRIGGER stop").Error; err != nil {
		f.t.Fatal(err)
	}
	f.setState(at, tournament.StateWithdrawn)
	_, without := action.Do(ctx, eventtest.DeskOf(f.s), eventtest.Organizer, draw.PublishRound{Round: round.ID})
	f.setState(at, tournament.StateRegistered)
	if broken == nil || without == nil {
		f.t.Fatalf("published: broken off %v, without a player %v", broken, without)
	}
	if after, games, codes := f.published(round); after != before || games != 0 || codes != 0 {
		f.t.Fatalf("%+v with %d games and %d codes", after, games, codes)
	}
}

// isWhole checks that a published round has all its games, and every seat its own code.
func (f *field) isWhole(round tournament.Round) {
	tables, err := tournament.TablesOf(f.s.Read, round.ID)
	if err != nil {
		f.t.Fatal(err)
	}
	if is, games, codes := f.published(round); is.Status != tournament.RoundPublished ||
		int(games) != len(tables)*round.Games ||
		int(codes) != len(f.playing) {
		f.t.Fatalf("%s with %d games and %d codes of %d players", is.Status, games, codes, len(f.playing))
	}
}

// standsByResults enters a result for every table in any order, corrects some, and reverts these in another order. The
// standings must be those of the first results again.
func (f *field) standsByResults(round tournament.Round) {
	var games []tournament.Game // first game of each table
	if err := f.s.Read.Where("tournament_id = ? AND number = 1", f.tour.ID).Order("id").Find(&games).Error; err != nil {
		f.t.Fatal(err)
	}
	var seats []tournament.Seat
	if err := f.s.Read.Where("round_id = ?", round.ID).Order("table_id, seat").Find(&seats).Error; err != nil {
		f.t.Fatal(err)
	}
	at := map[int64][]int64{}
	for _, seat := range seats {
		at[seat.TableID] = append(at[seat.TableID], seat.PlayerID)
	}
	lines := map[int64][]game.ResultLine{}
	for i, g := range games {
		winner := rapid.IntRange(0, 2).Draw(f.t, "winner")
		for seat, player := range at[g.TableID] {
			l := game.ResultLine{Seat: seat, PlayerID: player, Points: -score.Whole(5 + (i+seat)%7)}
			if seat == winner {
				l.Points, l.Wins = score.Whole(20+i%5), score.Whole(1)
			}
			lines[g.ID] = append(lines[g.ID], l)
		}
	}
	enter := func(order []tournament.Game, rev int, change score.Twelfth) []ranking.StandingsRow {
		results := make([]game.Result, len(order))
		for i, g := range order {
			results[i] = game.Result{GameID: g.ID, Rev: rev, Status: game.ResultConfirmed, Ending: ruleset.EndedEmptied,
				Actor: "engine", At: f.s.Millis()}
		}
		if err := f.s.Write.CreateInBatches(&results, 200).Error; err != nil {
			f.t.Fatal(err)
		}
		var all []game.ResultLine
		for _, r := range results {
			for _, l := range lines[r.GameID] {
				l.ResultID, l.Points = r.ID, l.Points+change
				all = append(all, l)
			}
		}
		if err := f.s.Write.CreateInBatches(&all, 200).Error; err != nil {
			f.t.Fatal(err)
		}
		st, err := ranking.StandingsOf(context.Background(), f.s, f.tour.ID)
		if err != nil {
			f.t.Fatal(err)
		}
		return st.Rows
	}
	order := rapid.Permutation(games).Draw(f.t, "order")
	first := enter(order, 1, 0)
	some := order[:rapid.IntRange(1, len(order)).Draw(f.t, "corrected")]
	if other := enter(some, 2, score.Whole(3)); reflect.DeepEqual(first, other) {
		f.t.Fatal("corrected results give the same standings")
	}
	slices.Reverse(some)
	if again := enter(some, 3, 0); !reflect.DeepEqual(first, again) {
		f.t.Fatal("the same results, entered in another order, give other standings")
	}
	if rows := len(first); rows < len(f.playing) {
		f.t.Fatalf("%d rows of %d players", rows, len(f.playing))
	}
}
