package people_test

import (
	"fmt"
	"testing"
	"time"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/eventtest"
	"meldhall/tournament/format"
	"meldhall/tournament/people"
	"meldhall/tournament/ranking"
	"meldhall/tournament/store"
)

func leaves(t *testing.T, s *store.DB, tour tournament.Tournament, number int) {
	t.Helper()
	if _, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer, people.LeaveEvent{Tournament: tour.ID,
		Player: numberedPlayer(t, s, tour, number).ID}); err != nil {
		t.Fatal(err)
	}
}

func numberedPlayer(t *testing.T, s *store.DB, tour tournament.Tournament, number int) tournament.Player {
	t.Helper()
	players, err := tournament.Players(t.Context(), s, tour.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range players {
		if p.Number == number {
			return p
		}
	}
	t.Fatalf("no player %d", number)
	return tournament.Player{}
}

// TestLeavingLaterChangesNoPastCut checks that the cut to the final stays when players leave later.
func TestLeavingLaterChangesNoPastCut(t *testing.T) {
	f := eventtest.OneRound()
	f.Scoring.TieBreaks = []string{format.TieBestGame}
	f.Stages = append(f.Stages, eventtest.FinalOf(4, format.CarryNone))
	f.Stages[1].Rounds = 2
	s, tour := eventtest.EventOf(t, f, 9)
	began, ticks := s.Now(), time.Duration(0)
	s.Now = func() time.Time { ticks++; return began.Add(ticks * time.Millisecond) } // every moment is different
	eventtest.PlayWith(t, s, tour, eventtest.ByNumber)
	cutBefore, err := ranking.NextCut(t.Context(), s, tour.ID)
	if err != nil || len(cutBefore.Through()) != 4 {
		t.Fatalf("%+v, %v", cutBefore, err)
	}
	final, err := draw.RoundByID(t.Context(), s, eventtest.PlayWith(t, s, tour, eventtest.ByNumber).ID)
	if err != nil {
		t.Fatal(err)
	}
	as := func() string {
		t.Helper()
		cut, err := ranking.NextCutAt(t.Context(), s, tour.ID, final.PublishedAt)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(cut.In, cut.Tied)
	}
	was := as()
	if want := fmt.Sprint(cutBefore.In, cutBefore.Tied); was != want {
		t.Fatalf("published with %s, the cut was %s", was, want)
	}
	in := cutBefore.In[0]
	players, _ := tournament.Players(t.Context(), s, tour.ID)
	for _, p := range players {
		if p.ID == in {
			leaves(t, s, tour, p.Number)
		}
	}
	if got := as(); got != was {
		t.Errorf("after a finalist left: %s, want %s", got, was)
	}
}

// TestLeavingAfterTheEndChangesNothing checks that a player who leaves after the end of the tournament keeps the place
// and the qualification, and that one who left before does not.
func TestLeavingAfterTheEndChangesNothing(t *testing.T) {
	f := eventtest.OneRound()
	f.Qualification = format.Qualification{Berths: 1, Reserves: 1}
	f.Scoring.TieBreaks = []string{format.TieTurnOrder}
	f.Stages[0].Rounds = 2
	s, tour := eventtest.EventOf(t, f, 9)
	eventtest.PlayWith(t, s, tour, eventtest.ByNumber)
	leaves(t, s, tour, 9)
	eventtest.PlayWith(t, s, tour, eventtest.ByNumber)
	was, places := eventtest.Shown(t, s, tour), eventtest.PlacesOf(t, s, tour)
	st, err := ranking.StandingsOf(t.Context(), s, tour.ID)
	if err != nil || st.Tournament.Status != tournament.StatusFinished {
		t.Fatal(st.Tournament.Status, err)
	}
	first := st.Rows[0]
	leaves(t, s, tour, first.Number)
	if got := eventtest.Shown(t, s, tour); got != was {
		t.Errorf("after the first has left: %s, want %s", got, was)
	}
	if got := eventtest.PlacesOf(t, s, tour); got != places {
		t.Errorf("after the first has left: %s, want %s", got, places)
	}
	if _, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer, people.PlayAgain{Tournament: tour.ID,
		Player: first.Player}); err != nil {
		t.Fatal(err)
	}
	if got := eventtest.Shown(t, s, tour); got != was {
		t.Errorf("after the first is back: %s, want %s", got, was)
	}
	if st, err = ranking.StandingsOf(t.Context(), s, tour.ID); err != nil {
		t.Fatal(err)
	}
	for _, r := range st.Rows {
		if r.Withdrawn != (r.Number == 9) {
			t.Errorf("player %d withdrawn: %v", r.Number, r.Withdrawn)
		}
	}
}

// TestStandingsTellATieAtTheCut checks that players tied across the cut are listed as a tie, with the deciding methods,
// until it is decided.
func TestStandingsTellATieAtTheCut(t *testing.T) {
	for _, row := range []struct {
		name    string
		scoring format.Scoring
		decides string
	}{
		{"by lot", format.Scoring{Ranking: format.WinsPoints}, "[lot]"},
		{"by play-off, then lot", format.Scoring{Ranking: format.WinsPoints, TieBreaks: []string{format.TiePlayOff}},
			"[play_off lot]"},
	} {
		t.Run(row.name, func(t *testing.T) {
			f := eventtest.OneRound()
			f.Scoring = row.scoring
			f.Stages = append(f.Stages, eventtest.FinalOf(8, format.CarryNone))
			s, tour := eventtest.EventOf(t, f, 16)
			eventtest.PlayWith(t, s, tour, eventtest.PlainGame)
			st, err := ranking.StandingsOf(t.Context(), s, tour.ID)
			if err != nil || st.Cut == nil || !st.CutFinal {
				t.Fatalf("%+v, %v", st.Cut, err)
			}
			if c := st.Cut; len(c.In) != 4 || len(c.Tied) != 12 || c.Places != 4 || len(c.Ties) != 1 ||
				fmt.Sprint(c.Decides) != row.decides {
				t.Errorf("got %+v", c)
			}
			if len(row.scoring.TieBreaks) > 0 {
				return
			}
			if _, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
				ranking.DrawLot{Tournament: tour.ID}); err != nil {
				t.Fatal(err)
			}
			if st, err = ranking.StandingsOf(t.Context(), s, tour.ID); err != nil || len(st.Cut.Ties) > 0 ||
				len(st.Cut.Decides) > 0 || len(st.Cut.Through()) != 8 {
				t.Errorf("after the lot: %+v, %v", st.Cut, err)
			}
		})
	}
}

// TestStandingsTellTheCutAsItStands checks that during a stage the cut shows the current tie, and that there is no cut
// before the first result and after the last cut.
func TestStandingsTellTheCutAsItStands(t *testing.T) {
	f := eventtest.OneRound()
	f.Stages[0].Rounds = 2
	f.Stages = append(f.Stages, eventtest.FinalOf(4, format.CarryNone))
	s, tour := eventtest.EventOf(t, f, 9)
	cut := func() string {
		st, err := ranking.StandingsOf(t.Context(), s, tour.ID)
		if err != nil {
			t.Fatal(err)
		}
		if st.Cut == nil {
			return "none"
		}
		return fmt.Sprint(len(st.Cut.In), len(st.Cut.Tied), st.CutFinal)
	}
	got := []string{cut()}
	for round := range 3 {
		if round == 2 {
			if _, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
				ranking.DrawLot{Tournament: tour.ID}); err != nil {
				t.Fatal(err)
			}
		}
		eventtest.PlayWith(t, s, tour, eventtest.PlainGame)
		got = append(got, cut())
	}
	if got[0] != "none" || got[3] != "none" || got[1] == "none" {
		t.Errorf("got %v", got)
	}
}
