package result_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"meldhall/engine/score"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/eventtest"
	"meldhall/tournament/format"
	"meldhall/tournament/game"
	"meldhall/tournament/ranking"
	"meldhall/tournament/refuse"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// exchanged returns the first game of a table, and its result with two players swapped.
func exchanged(t *testing.T, s *store.DB, round tournament.Round, a, b int) (int64, result.Correction) {
	t.Helper()
	tables, err := tournament.Tables(context.Background(), s, round.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range tables {
		at := func(number int) int {
			return slices.IndexFunc(table.Seats,
				func(seat tournament.Seat) bool { return seat.Player.Number == number })
		}
		if i, j := at(a), at(b); i >= 0 && j >= 0 {
			latest, err := result.LatestResult(context.Background(), s, table.Games[0].ID)
			if err != nil {
				t.Fatal(err)
			}
			lines := make([]game.ResultLine, len(latest.Lines))
			for n, l := range latest.Lines {
				lines[n] = game.ResultLine{Seat: l.Seat, Points: l.Points, Wins: l.Wins, Charge: l.Charge}
			}
			lines[i], lines[j] = lines[j], lines[i]
			lines[i].Seat, lines[j].Seat = i, j
			return table.Games[0].ID, result.Correction{Lines: lines, Why: "the names were exchanged"}
		}
	}
	t.Fatalf("%d and %d did not meet in round %d", a, b, round.Number)
	return 0, result.Correction{}
}

// written returns the row counts of the tables that a correction may write.
func written(t *testing.T, s *store.DB) string {
	t.Helper()
	var counts []int64
	for _, table := range []string{"results", "result_lines", "games", "audit", "seats", "rounds"} {
		var n int64
		if err := s.Read.Raw("SELECT count(*) FROM " + table).Scan(&n).Error; err != nil {
			t.Fatal(err)
		}
		counts = append(counts, n)
	}
	return fmt.Sprint(counts)
}

// says formats an effect: moves as number:place>place, then cuts and rounds.
func says(e result.CorrectionEffect) string {
	var out []string
	for _, m := range e.Moves {
		out = append(out, fmt.Sprintf("%d:%d>%d", m.After.Number, m.Before.Place, m.After.Place))
	}
	for _, c := range e.Cuts {
		text := fmt.Sprintf("| stage %d", c.Stage)
		if c.Drawn {
			text += " drawn"
		}
		for _, part := range []struct {
			word    string
			players []tournament.Player
		}{{"in", c.In}, {"out", c.Out}, {"tied", c.Tied}} {
			for _, p := range part.players {
				text += fmt.Sprintf(" %s %d", part.word, p.Number)
			}
		}
		out = append(out, text)
	}
	for _, r := range e.Rounds {
		out = append(out, fmt.Sprintf("| round %d %s, %t %d", r.Number, r.Status, r.ByPlaces, r.Moved))
	}
	return strings.Join(out, " ")
}

// roundAndFinal returns a format of one round and a final of four.
func roundAndFinal(rest ...func(*format.Format)) format.Format {
	f := eventtest.OneRound()
	f.Stages = append(f.Stages, eventtest.FinalOf(4, format.CarryAll))
	for _, change := range rest {
		change(&f)
	}
	return f
}

func plainRounds(n int) format.Format {
	f := eventtest.OneRound()
	f.Stages[0].Rounds = n
	return f
}

// drawnBy drafts the next round with a method.
func drawnBy(method string) func(*testing.T, *store.DB, tournament.Tournament) {
	return func(t *testing.T, s *store.DB, tour tournament.Tournament) {
		if _, err := action.Do(context.Background(), eventtest.DeskOf(s), eventtest.Organizer,
			draw.PairRound{Tournament: tour.ID, PairingOptions: draw.PairingOptions{Method: method}}); err != nil {
			t.Fatal(err)
		}
	}
}

// correctionCase is a correction that swaps two players, and its expected effect.
type correctionCase struct {
	name   string
	format format.Format
	after  func(*testing.T, *store.DB, tournament.Tournament) // runs before the correction
	a, b   int
	change func(*result.Correction)
	want   string
}

// TestACorrectionIsLookedAtFirst: with eight players at two tables, 1 and 5 have won, and 5, 1, 2, 3 are the first
// four.
func TestACorrectionIsLookedAtFirst(t *testing.T) {
	for _, row := range []correctionCase{
		{name: "places and points, no cut, no round since", format: plainRounds(2), a: 1, b: 4, want: "4:5>2 1:2>5"},
		{name: "a charge alone moves nobody", format: plainRounds(2), a: 1, b: 4, want: "",
			change: func(c *result.Correction) {
				c.Lines[0], c.Lines[3] = game.ResultLine{Seat: 0, Wins: 12, Points: score.Whole(9)},
					game.ResultLine{Seat: 3, Points: -score.Whole(4), Charge: 99}
			}},
		{name: "an annulled game", format: plainRounds(2), a: 1, b: 4,
			want: "6:6>2 7:7>3 8:8>4 1:2>5 2:3>5 3:4>5 4:5>5", change: func(c *result.Correction) {
				c.Ending = game.EndingAnnulled
				for i := range c.Lines {
					c.Lines[i] = game.ResultLine{Seat: i}
				}
			}},
		{name: "a draft drawn by places stays", format: plainRounds(2), after: drawnBy("standings"), a: 1, b: 4,
			want: "4:5>2 1:2>5 | round 2 draft, true 2"},
		{name: "a draft drawn by lot would be the same", format: plainRounds(2), after: drawnBy("random"), a: 1, b: 4,
			want: "4:5>2 1:2>5 | round 2 draft, false 0"},
		{name: "who would go on", format: roundAndFinal(), a: 1, b: 4, want: "4:5>2 1:2>5 | stage 1 in 4 out 1"},
		{name: "who would have been in a final that was drawn", format: roundAndFinal(), a: 1, b: 4,
			want: "2:3>2 3:4>3 1:2>4 4:5>5 | stage 1 drawn in 4 out 1 | round 2 published, true 3",
			after: func(t *testing.T, s *store.DB, tour tournament.Tournament) {
				drawnBy("")(t, s, tour)
				rounds, err := draw.Rounds(t.Context(), s, tour.ID)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
					draw.PublishRound{Round: rounds[1].ID}); err != nil {
					t.Fatal(err)
				}
			}},
		{name: "a tie at the cut", format: roundAndFinal(), a: 3, b: 4, want: "4:5>4 | stage 1 tied 3 tied 4",
			change: func(c *result.Correction) {
				for i := range c.Lines {
					if c.Lines[i].Points < -score.Whole(2) {
						c.Lines[i].Points = -score.Whole(3)
					}
				}
			}},
		{name: "who qualifies", format: roundAndFinal(func(f *format.Format) {
			f.Stages = f.Stages[:1]
			f.Qualification = format.Qualification{Berths: 2}
		}), a: 1, b: 4, want: "4:5>2 1:2>5 | stage -1 in 4 out 1"},
		{name: "whose place of the own division", format: roundAndFinal(func(f *format.Format) {
			f.Stages = f.Stages[:1]
			f.Divisions, f.Qualification = []string{"junior", "senior"},
				format.Qualification{Berths: 1, PerDivision: true}
		}), after: eventtest.InDivisions("senior", "senior", "junior", "junior", "senior", "junior", "junior",
			"junior"), a: 1,
			b:    4,
			want: "4:5>2 1:2>5 | stage -1 in 4 out 3"},
	} {
		t.Run(row.name, row.test)
	}
}

// test previews the correction, which must change nothing, then makes it and compares the effect with the preview.
func (row correctionCase) test(t *testing.T) {
	s, tour := eventtest.EventOf(t, row.format, 8)
	round := eventtest.PlayWith(t, s, tour, eventtest.ByNumber)
	if got, want := eventtest.PlacesOf(t, s, tour), "[1:5 2:1 3:2 4:3 5:4 6:6 7:7 8:8]"; got != want {
		t.Fatalf("it begins at %s, want %s", got, want)
	}
	if row.after != nil {
		row.after(t, s, tour)
	}
	game, c := exchanged(t, s, round, row.a, row.b)
	if row.change != nil {
		row.change(&c)
	}
	before, places := written(t, s), eventtest.PlacesOf(t, s, tour)
	seen, err := action.Preview(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
		result.CorrectResult{Game: game, Rev: 2, Correction: c})
	if err != nil {
		t.Fatal(err)
	}
	if written(t, s) != before || eventtest.PlacesOf(t, s, tour) != places {
		t.Errorf("looking at it changed something")
	}
	if got := says(seen); got != row.want {
		t.Errorf("got %s, want %s", got, row.want)
	}
	read := func() (all [][][]int64) {
		for _, r := range seen.Rounds {
			tables, _ := tournament.TablesOf(s.Read, r.ID)
			all = append(all, tables)
		}
		return all
	}
	seats := read()
	done, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
		result.CorrectResult{Game: game, Rev: 2, Correction: c})
	if err != nil || says(done) != says(seen) {
		t.Errorf("did %s, %v", says(done), err)
	}
	if !reflect.DeepEqual(read(), seats) {
		t.Error("a drawn round changed")
	}
	st, err := ranking.StandingsOf(t.Context(), s, tour.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range seen.Moves {
		i := slices.IndexFunc(st.Rows, func(r ranking.StandingsRow) bool { return r.Player == m.After.Player })
		if st.Rows[i] != m.After {
			t.Errorf("number %d was said to stand at %+v, stands at %+v", m.After.Number, m.After, st.Rows[i])
		}
	}
}

// TestALookAtACorrectionIsRefusedAsItIs checks that a preview is refused by the same rights and checks as the
// correction.
func TestALookAtACorrectionIsRefusedAsItIs(t *testing.T) {
	s, tour := eventtest.EventOf(t, eventtest.OneRound(), 8)
	round := eventtest.PlayWith(t, s, tour, eventtest.ByNumber)
	game, c := exchanged(t, s, round, 1, 4)
	ctx := context.Background()
	for _, row := range []struct {
		name  string
		actor rights.Actor
		rev   int
		why   string
		want  error
	}{
		{"a confirmed result by a referee", rights.Staff(rights.RoleReferee, "Bob"), 2, "x", refuse.ErrForbidden},
		{"by nobody", rights.Public(), 2, "x", refuse.ErrUnauthenticated},
		{"an old revision", eventtest.Organizer, 1, "x", &refuse.Error{Kind: refuse.KindConflict,
			Key: "err_result_changed"}},
		{"without a reason", eventtest.Organizer, 2, " ", &refuse.Error{Kind: refuse.KindInvalid,
			Key: "err_why_missing"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			c.Why = row.why
			_, seen := action.Preview(ctx, eventtest.DeskOf(s), row.actor,
				result.CorrectResult{Game: game, Rev: row.rev, Correction: c})
			_, done := action.Do(ctx, eventtest.DeskOf(s), row.actor,
				result.CorrectResult{Game: game, Rev: row.rev, Correction: c})
			if !errors.Is(seen, row.want) || !errors.Is(done, row.want) {
				t.Errorf("got %v, and done %v", seen, done)
			}
		})
	}
	if _, err := action.Preview(ctx, eventtest.DeskOf(s), eventtest.Organizer, result.OrderReplay{Game: game, Rev: 2,
		Why: "the deal was seen"}); !errors.Is(err, &refuse.Error{Kind: refuse.KindConflict,
		Key: "err_replay_round_over"}) {
		t.Errorf("a replay after the round: %v", err)
	}
}

// TestAReplayIsLookedAtFirst checks that a replay removes the game's points, and that a preview adds no game.
func TestAReplayIsLookedAtFirst(t *testing.T) {
	s, ctx := eventtest.NewStore(t), context.Background()
	_, _, tables := eventtest.RunningRound(t, s, "open", 3)
	gameID := tables[0].Games[0].ID
	if err := eventtest.EndGame(t, s, gameID, eventtest.ThreePlayers()); err != nil {
		t.Fatal(err)
	}
	before := written(t, s)
	seen, err := action.Preview(ctx, eventtest.DeskOf(s), eventtest.Organizer,
		result.OrderReplay{Game: gameID, Rev: 1, Why: "the deal was seen"})
	if err != nil || len(seen.Moves) != 3 || seen.After.Ending != game.EndingAnnulled || written(t, s) != before {
		t.Errorf("got %+v, %v", seen, err)
	}
	if done, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, result.OrderReplay{Game: gameID, Rev: 1,
		Why: "the deal was seen"}); err != nil || says(done) != says(seen) || written(t, s) == before {
		t.Errorf("did %s, %v, looked at %s", says(done), err, says(seen))
	}
}
