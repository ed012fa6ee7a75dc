package draw_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"testing"

	"gorm.io/gorm"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/eventtest"
	"meldhall/tournament/format"
	"meldhall/tournament/pairing"
	"meldhall/tournament/people"
	"meldhall/tournament/ranking"
	"meldhall/tournament/refuse"
	"meldhall/tournament/store"
)

// mayPromise returns the reason why the next round's seed cannot be promised without choosing a method.
func mayPromise(s *store.DB, tour tournament.Tournament) error {
	round, err := draw.Upcoming(s.Read, tour.ID)
	if err != nil {
		return err
	}
	return draw.Unseated(s.Read, round, "")
}

func TestAPromisedSeedIsTheOneDrawnWith(t *testing.T) {
	s, ctx := eventtest.NewStore(t), context.Background()
	tour := eventtest.NewTournament(t, s, "open", 1)
	eventtest.EnterPlayers(t, s, tour, 8)
	p, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
		draw.PromiseSeed{Tournament: tour.ID, Method: ""})
	if err != nil || p.Round != 1 {
		t.Fatalf("got %+v, %v", p, err)
	}
	if again, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
		draw.PromiseSeed{Tournament: tour.ID, Method: ""}); err != nil ||
		again != p {
		t.Errorf("got %+v, %v, want the first one", again, err)
	}
	sum := sha256.Sum256([]byte(p.Text()))
	if hex.EncodeToString(sum[:]) != p.Hash {
		t.Errorf("the hash of %q is not %s", p.Text(), p.Hash)
	}
	round, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
		draw.PairRound{Tournament: tour.ID, PairingOptions: draw.PairingOptions{}})
	if err != nil || round.Seed != p.Seed {
		t.Errorf("got seed %d, %v, promised %d", round.Seed, err, p.Seed)
	}
	if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
		draw.PromiseSeed{Tournament: tour.ID, Method: ""}); !errors.Is(err,
		&refuse.Error{Kind: refuse.KindConflict, Key: "err_promise_late"}) {
		t.Errorf("after the draw: %v", err)
	}
	if round, err = action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, draw.PairRound{Tournament: tour.ID,
		PairingOptions: draw.PairingOptions{Method: "random", Note: "again"}}); err != nil ||
		p.KeptBy(round) != tournament.PromiseBroken {
		t.Errorf("drawn once more: %s, %v", p.KeptBy(round), err)
	}
	for _, method := range []string{"manual", "random"} {
		if round, err = action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
			draw.PairRound{Tournament: tour.ID, PairingOptions: draw.PairingOptions{Method: method,
				Note: "again"}}); err != nil {
			t.Fatal(err)
		}
	}
	if p.KeptBy(round) != tournament.PromiseKept {
		t.Errorf("drawn after seats by hand: %s", p.KeptBy(round))
	}
}

// newPublished returns a tournament whose first round was drawn with method and published.
func newPublished(t *testing.T, preset, method string, change ...func(*format.Format)) (*store.DB,
	tournament.Tournament, tournament.Round) {
	s := eventtest.NewStore(t)
	tour := eventtest.NewTournament(t, s, preset, 1, change...)
	eventtest.EnterPlayers(t, s, tour, 8)
	first, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
		draw.PairRound{Tournament: tour.ID, PairingOptions: draw.PairingOptions{Method: method}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
		draw.PublishRound{Round: first.ID}); err != nil {
		t.Fatal(err)
	}
	return s, tour, first
}

// noPromise checks that a promise is refused with key, both when queried and when made.
func noPromise(t *testing.T, s *store.DB, tour tournament.Tournament, key string, planned any) {
	t.Helper()
	for _, err := range []error{mayPromise(s, tour), func() error {
		_, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
			draw.PromiseSeed{Tournament: tour.ID, Method: ""})
		return err
	}()} {
		var got *refuse.Error
		if !errors.As(err, &got) || got.Key != key || got.Args["planned"] != planned {
			t.Fatalf("got %v, want %s", err, key)
		}
	}
}

// promised promises the next round's seed and returns the round drawn with it.
func promised(t *testing.T, s *store.DB, tour tournament.Tournament) tournament.Round {
	t.Helper()
	if err := mayPromise(s, tour); err != nil {
		t.Fatal(err)
	}
	p, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
		draw.PromiseSeed{Tournament: tour.ID, Method: ""})
	if err != nil {
		t.Fatal(err)
	}
	round, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
		draw.PairRound{Tournament: tour.ID, PairingOptions: draw.PairingOptions{}})
	if err != nil || round.Number != p.Round || round.Seed != p.Seed || p.KeptBy(round) != tournament.PromiseKept {
		t.Fatalf("round %d was drawn with seed %d, %v; promised %+v", round.Number, round.Seed, err, p)
	}
	return round
}

// TestASeedIsPromisedForADrawAlone checks that a seed can be promised only for seats that are drawn with it.
func TestASeedIsPromisedForADrawAlone(t *testing.T) {
	t.Run("seats of a plan", func(t *testing.T) {
		s, tour, first := newPublished(t, "rounds", "")
		noPromise(t, s, tour, "err_promise_planned", 1)
		confirmAll(t, s, first)
		noPromise(t, s, tour, "err_promise_planned", 1)
		second, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
			draw.PairRound{Tournament: tour.ID, PairingOptions: draw.PairingOptions{Note: "again"}})
		if err != nil || second.Seed != first.Seed || second.PairingReport().Seed != first.Seed {
			t.Fatalf("round 2 has seed %d, %v; its plan was drawn with %d", second.Seed, err, first.Seed)
		}
		confirmAll(t, s, second)
		noPromise(t, s, tour, "err_promise_planned", 1)
		players, _ := tournament.Players(t.Context(), s, tour.ID)
		if _, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
			people.LeaveEvent{Tournament: tour.ID, Player: players[0].ID, Why: "ill"}); err != nil {
			t.Fatal(err)
		}
		confirmAll(t, s, promised(t, s, tour))
		noPromise(t, s, tour, "err_promise_planned", 3)
	})
	t.Run("the next draw is by another method", func(t *testing.T) {
		s, tour, first := newPublished(t, "open", "plan")
		if len(first.PlannedRounds()) == 0 {
			t.Fatal("nothing is planned")
		}
		confirmAll(t, s, first)
		promised(t, s, tour)
	})
	t.Run("by standing", func(t *testing.T) {
		s, tour, first := newPublished(t, "open", "plan",
			func(f *format.Format) { f.Stages[0].Seating = format.ByStandings })
		confirmAll(t, s, first)
		promised(t, s, tour)
	})
	t.Run("seats that stay", func(t *testing.T) {
		s, tour, first := newPublished(t, "open", "", func(f *format.Format) { f.Stages[0].SeatChange = format.Keep })
		noPromise(t, s, tour, "err_promise_nothing", nil)
		confirmAll(t, s, first)
		noPromise(t, s, tour, "err_promise_nothing", nil)
	})
	t.Run("a promise from before is drawn with", func(t *testing.T) {
		s, tour, first := newPublished(t, "rounds", "")
		confirmAll(t, s, first)
		late := tournament.SeedPromise{TournamentID: tour.ID, Round: 2, Seed: first.Seed + 7, Salt: "ab"}
		if err := s.Tx(t.Context(), func(tx *gorm.DB) error { return tx.Create(&late).Error }); err != nil {
			t.Fatal(err)
		}
		promised(t, s, tour)
	})
}

func TestASeedIsPromisedForTheMethodChosen(t *testing.T) {
	for _, row := range []struct {
		name, first, method string
		offered             bool
	}{{"after a plan", "", "random", true}, {"by hand", "manual", "standings", true},
		{"as the plan goes on", "", "plan", false}} {
		t.Run(row.name, func(t *testing.T) {
			s, tour, first := newPublished(t, "rounds", row.first, func(f *format.Format) {
				if row.first != "" {
					f.Stages[0].Seating = row.first
				}
			})
			confirmAll(t, s, first)
			if mayPromise(s, tour) == nil {
				t.Fatal("a seed binds what is known")
			}
			methods, err := draw.PromiseMethods(t.Context(), s, tour.ID)
			if err != nil || slices.Contains(methods, row.method) != row.offered || slices.Contains(methods, "") {
				t.Fatalf("offered %q, %v", methods, err)
			}
			p, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
				draw.PromiseSeed{Tournament: tour.ID, Method: row.method})
			if !row.offered {
				if !errors.Is(err, &refuse.Error{Kind: refuse.KindConflict, Key: "err_promise_planned"}) {
					t.Errorf("got %v", err)
				}
				return
			}
			if err != nil || !strings.Contains(p.Text(), row.method) {
				t.Fatalf("got %+v, %v", p, err)
			}
			round, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
				draw.PairRound{Tournament: tour.ID, PairingOptions: draw.PairingOptions{}})
			if err != nil || round.Method != row.method || round.Seed != p.Seed ||
				p.KeptBy(round) != tournament.PromiseKept {
				t.Errorf("drawn %s with seed %d, %v; promised %+v", round.Method, round.Seed, err, p)
			}
			if round.Method = "snake"; p.KeptBy(round) != tournament.PromiseBroken {
				t.Error("another method keeps the promise")
			}
		})
	}
	s, tour, _ := newPublished(t, "open", "")
	if _, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
		draw.PromiseSeed{Tournament: tour.ID, Method: "manual"}); !errors.Is(err,
		&refuse.Error{Kind: refuse.KindInvalid, Key: "err_promise_method"}) {
		t.Errorf("by hand: %v", err)
	}
	if methods, err := draw.PromiseMethods(t.Context(), s, tour.ID); err != nil || len(methods) != 8 ||
		methods[0] != "" {
		t.Errorf("offered %q, %v", methods, err)
	}
}

// TestAPlanThatWasToldIsDrawnAnew checks that the plan is drawn again if the tournament was finished before the plan
// was used up, because its seed was then published.
func TestAPlanThatWasToldIsDrawnAnew(t *testing.T) {
	s, tour, first := newPublished(t, "rounds", "")
	if !first.Sealed || first.ToldSeed() != 0 {
		t.Fatalf("its seed is told while it has a plan: %+v", first)
	}
	confirmAll(t, s, first)
	if err := tournament.Unseal(s.Write, tour.ID); err != nil {
		t.Fatal(err)
	}
	if err := mayPromise(s, tour); err != nil {
		t.Error(err)
	}
	if methods, err := draw.PromiseMethods(t.Context(), s, tour.ID); err != nil ||
		!slices.Contains(methods, pairing.Plan) {
		t.Errorf("a plan is drawn anew, but only these can be promised: %q, %v", methods, err)
	}
	second, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
		draw.PairRound{Tournament: tour.ID, PairingOptions: draw.PairingOptions{Note: "again"}})
	if err != nil || second.Seed == first.Seed || !second.Sealed ||
		len(second.PlannedRounds()) != len(first.PlannedRounds())-1 {
		t.Errorf("drawn with %d, %v, after %d", second.Seed, err, first.Seed)
	}
}

// TestALotIsNotPromisedAsItIsDrawn checks that a lot without an earlier promise is not shown as promised, and that the
// next one is.
func TestALotIsNotPromisedAsItIsDrawn(t *testing.T) {
	f := eventtest.OneRound()
	f.Stages = append(f.Stages, eventtest.FinalOf(0, format.CarryNone))
	f.Stages[1].PerTable = 2
	s, tour := eventtest.EventOf(t, f, 8)
	eventtest.PlayWith(t, s, tour, eventtest.PlainGame)
	if done := s.Write.Where("lot = 1").Delete(&tournament.SeedPromise{}); done.Error != nil || done.RowsAffected != 1 {
		t.Fatalf("%d promises of the first lot, %v", done.RowsAffected, done.Error)
	}
	for drawn, want := range []string{"", tournament.PromiseKept} {
		if _, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
			ranking.DrawLot{Tournament: tour.ID}); err != nil {
			t.Fatal(err)
		}
		told, err := draw.Promises(t.Context(), s, tour.ID, tournament.SeesAll)
		told = slices.DeleteFunc(told, func(p tournament.ToldPromise) bool { return p.Lot > drawn+2 })
		if err != nil || len(told) != drawn+1 || told[len(told)-1].Lot != 2 || told[len(told)-1].Kept != want {
			t.Errorf("after lot %d: %+v, %v", drawn+1, told, err)
		}
	}
	lots, err := ranking.LotsOf(s.Read, tour.ID, tournament.Always)
	if err != nil || len(lots) != 2 || lots[0].Seed == 0 || lots[0].Seed == lots[1].Seed {
		t.Errorf("drawn: %+v, %v", lots, err)
	}
}

func TestAFormatThatComesToALotPromisesIt(t *testing.T) {
	f := eventtest.OneRound()
	s, tour := eventtest.EventOf(t, f, 8)
	round, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
		draw.PairRound{Tournament: tour.ID, PairingOptions: draw.PairingOptions{}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
		draw.PublishRound{Round: round.ID}); err != nil {
		t.Fatal(err)
	}
	if told, err := draw.Promises(t.Context(), s, tour.ID, tournament.SeesAll); err != nil || len(told) != 0 {
		t.Fatalf("promised without need: %+v, %v", told, err)
	}
	f.Stages = append(f.Stages, eventtest.FinalOf(4, format.CarryNone))
	if _, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
		draw.ChangeFormat{Tournament: tour.ID, Format: f}); err != nil {
		t.Fatal(err)
	}
	if told, err := draw.Promises(t.Context(), s, tour.ID, tournament.SeesAll); err != nil || len(told) != 1 ||
		told[0].Lot != 1 ||
		told[0].Hash == "" {
		t.Errorf("got %+v, %v", told, err)
	}
}
