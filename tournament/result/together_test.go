package result_test

import (
	"math/rand/v2"
	"sync"
	"testing"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/eventtest"
	"meldhall/tournament/result"
)

// TestConfirmTogether checks that of concurrent confirmations each is refused or recorded separately, and that every
// table continues.
func TestConfirmTogether(t *testing.T) {
	s := eventtest.NewStore(t)
	tour := eventtest.NewTournament(t, s, "open", 7)
	eventtest.EnterPlayers(t, s, tour, 32)
	g := eventtest.NewGames(t, s)
	desk, rng := eventtest.DeskOf(s), rand.New(rand.NewPCG(1, 2))
	round, err := action.Do(t.Context(), desk, eventtest.Organizer, draw.PairRound{Tournament: tour.ID})
	if err == nil {
		round, err = action.Do(t.Context(), desk, eventtest.Organizer, draw.PublishRound{Round: round.ID})
	}
	if err == nil {
		round, err = action.Do(t.Context(), desk, eventtest.Organizer, draw.StartRound{Round: round.ID})
	}
	if err != nil {
		t.Fatal(err)
	}
	tables, err := tournament.Tables(t.Context(), s, round.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range tables {
		if err := eventtest.EndGame(t, s, table.Games[0].ID, eventtest.Fabricated(rng, len(table.Seats))); err != nil {
			t.Fatal(err)
		}
	}
	errs := make([]error, len(tables))
	var all sync.WaitGroup
	for i, table := range tables {
		all.Go(func() { // every third one confirms a revision that does not exist
			errs[i] = eventtest.ErrOf(action.Do(t.Context(), desk, eventtest.Organizer,
				result.ConfirmResult{Game: table.Games[0].ID, Rev: 1 + i%3/2}))
		})
	}
	all.Wait()
	refused := 0
	for i, table := range tables {
		latest, err := result.LatestResult(t.Context(), s, table.Games[0].ID)
		if err != nil {
			t.Fatal(err)
		}
		if i%3 == 2 {
			refused++
			eventtest.WantKey(t, errs[i], "err_result_changed")
		} else if errs[i] != nil {
			t.Errorf("table %d: %v", table.Number, errs[i])
		}
		if latest.Confirmed() != (errs[i] == nil) {
			t.Errorf("table %d: %+v, answered %v", table.Number, latest, errs[i])
		}
		if len(table.Games) < 2 {
			continue
		}
		if snap, err := g.Look(t.Context(), table.Games[1].ID); err != nil || snap.State.Seq > 0 != (errs[i] == nil) {
			t.Errorf("table %d: the next game is at %d, %v", table.Number, snap.State.Seq, err)
		}
	}
	var records int
	if err := s.ReadSQL.QueryRow(`SELECT count(*) FROM audit WHERE action = 'result.confirm_result'`).Scan(&records); err != nil || records != len(tables)-refused {
		t.Errorf("%d records of %d confirmations, %v", records, len(tables)-refused, err)
	}
}
