package people_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/eventtest"
	"meldhall/tournament/people"
	"meldhall/tournament/preset"
	"meldhall/tournament/ranking"
	"meldhall/tournament/refuse"
	"meldhall/tournament/refuse/refusetest"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// TestTournamentLife plays whole tournaments to the champion, for player counts that give every mix of table sizes.
func TestTournamentLife(t *testing.T) {
	for _, row := range []struct {
		n      int
		format string
		rounds int
	}{
		{2, "open", 3}, {3, "open", 3}, {4, "quick", 3}, {6, "quick", 3}, {7, "quick", 3}, {8, "open", 3},
		{9, "quick", 3},
		{12, "quick", 3}, {33, "wrc", 6},
	} {
		t.Run(fmt.Sprintf("%d players, %s", row.n, row.format), func(t *testing.T) {
			t.Parallel()
			s, ctx := eventtest.NewStore(t), context.Background()
			tour := eventtest.NewTournament(t, s, row.format, 7)
			eventtest.EnterPlayers(t, s, tour, row.n)
			rng := rand.New(rand.NewPCG(uint64(row.n), 7))
			for number := 1; number <= row.rounds; number++ {
				round := eventtest.PlayRound(t, s, tour, rng)
				if round.Number != number {
					t.Fatalf("got round %d, want %d", round.Number, number)
				}
				checkRound(t, s, round)
			}
			st, err := ranking.StandingsOf(ctx, s, tour.ID)
			if err != nil {
				t.Fatal(err)
			}
			if st.Tournament.Status != tournament.StatusFinished || len(st.Champions()) == 0 || len(st.Rows) != row.n {
				t.Errorf("got %s, %d champions, %d rows", st.Tournament.Status, len(st.Champions()), len(st.Rows))
			}
			if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
				draw.PairRound{Tournament: tour.ID, PairingOptions: draw.PairingOptions{}}); !errors.Is(err,
				&refuse.Error{Kind: refuse.KindConflict, Key: "err_tournament_finished"}) {
				t.Errorf("a round after the end: got %v", err)
			}
			checkSums(t, s, st)
		})
	}
}

func TestSameSeedSameEvent(t *testing.T) {
	event := func() string {
		s := eventtest.NewStore(t)
		tour := eventtest.NewTournament(t, s, "quick", 7)
		eventtest.EnterPlayers(t, s, tour, 19)
		rng := rand.New(rand.NewPCG(1, 2))
		for range 3 {
			eventtest.PlayRound(t, s, tour, rng)
		}
		st, err := ranking.StandingsOf(context.Background(), s, tour.ID)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(st.Rows)
	}
	if one, two := event(), event(); one != two {
		t.Errorf("got %s\nthen %s", one, two)
	}
}

func TestCreateTournament(t *testing.T) {
	s, ctx := eventtest.NewStore(t), context.Background()
	p := eventtest.Presets(t)
	f, _ := p.Format("quick")
	t.Run("a copy with changed fields is stored as it was", func(t *testing.T) {
		rules, err := p.Ruleset("wrc", []byte(`{"turn_seconds":40,"name":"wrc-40","version":2}`))
		if err != nil {
			t.Fatal(err)
		}
		made, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
			people.CreateTournament{Name: " Jerusalem\u202e 2018 ", Format: f,
				Rules: rules})
		if err != nil {
			t.Fatal(err)
		}
		read, err := tournament.TournamentByID(ctx, s, made.ID)
		if err != nil || read.Name != "Jerusalem 2018" {
			t.Errorf("got %+v, %v", read, err)
		}
		if back, err := read.Rules(); err != nil || back != rules || back.TurnSeconds != 40 {
			t.Errorf("got %+v, %v", back, err)
		}
		if back, err := read.Format(); err != nil || back.Name != "quick" || len(back.Stages) != 2 {
			t.Errorf("got %+v, %v", back, err)
		}
	})
	for _, row := range []struct {
		name string
		try  func() error
		key  string
	}{
		{"unknown preset", func() error { _, err := p.Ruleset("wrcc", nil); return err }, "err_rules_unknown"},
		{"unknown field", func() error { _, err := p.Ruleset("wrc", []byte(`{"turn_secs":40}`)); return err },
			"err_rules_field"},
		{"field out of range", func() error { _, err := p.Ruleset("wrc", []byte(`{"turn_seconds":-1}`)); return err },
			"err_rules_field"},
		{"unknown format", func() error { _, err := p.Format("slow"); return err }, "err_format_unknown"},
		{"broken format", func() error {
			_,
				err := preset.ParseFormat([]byte(`{"name":"x","version":1,"stages":[]}`))
			return err
		},
			"err_format_field"},
		{"no name", func() error {
			_, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
				people.CreateTournament{Name: " \u202e", Format: f,
					Rules: p.Rules["wrc"]})
			return err
		}, "err_tournament_name"},
	} {
		t.Run(row.name, func(t *testing.T) {
			err := row.try()
			if !errors.Is(err, &refuse.Error{Kind: refuse.KindInvalid, Key: row.key}) ||
				strings.Contains(refusetest.Text(t, err), "{{") {
				t.Errorf("got %v, want %s", err, row.key)
			}
		})
	}
	t.Run("not by a referee", func(t *testing.T) {
		if _, err := action.Do(ctx, eventtest.DeskOf(s), rights.Staff(rights.RoleReferee, "Bob"),
			people.CreateTournament{Name: "x", Format: f, Rules: p.Rules["wrc"]}); !errors.Is(err,
			refuse.ErrForbidden) {
			t.Errorf("got %v", err)
		}
	})
}

// checkRound checks that every player of the stage sat exactly once and that the round is finished.
func checkRound(t *testing.T, s *store.DB, round tournament.Round) {
	t.Helper()
	ctx := context.Background()
	now, err := draw.RoundByID(ctx, s, round.ID)
	if err != nil || now.Status != tournament.RoundFinished || now.FinishedAt == 0 {
		t.Errorf("round %d: got %+v, %v", round.Number, now, err)
	}
	tables, err := tournament.TableCodes(ctx, s, eventtest.Organizer, round.ID)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[int64]bool{}
	for _, table := range tables {
		if len(table.Games) != round.Games {
			t.Errorf("table %d has %d games, want %d", table.Number, len(table.Games), round.Games)
		}
		for i, seat := range table.Seats {
			if seen[seat.PlayerID] || seat.Seat != i || seat.Player.ID != seat.PlayerID {
				t.Errorf("table %d, seat %d: got %+v", table.Number, i, seat)
			}
			if seat.Code != "" {
				t.Errorf("a code outlived its round")
			}
			seen[seat.PlayerID] = true
		}
	}
}

// checkSums adds up the standings again from the raw rows.
func checkSums(t *testing.T, s *store.DB, st ranking.Standings) {
	t.Helper()
	last := st.Stages[st.Stage]
	for _, row := range st.Rows {
		if row.Stage != st.Stage || last.CarryOver != "none" && st.Stage > 0 {
			continue
		}
		var sum struct{ Games, Wins, Points int64 }
		err := s.Read.Raw(`SELECT count(*) AS games, sum(l.wins) AS wins, sum(l.points) AS points FROM result_lines l JOIN results x ON x.id = l.result_id
			JOIN games g ON g.id = x.game_id JOIN tables t ON t.id = g.table_id JOIN rounds r ON r.id = t.round_id
			WHERE l.player_id = ? AND x.rev = 2 AND r.stage = ?`, row.Player, st.Stage).Scan(&sum).Error
		if err != nil || sum.Games != int64(row.Games) || sum.Wins != int64(row.Wins) ||
			sum.Points != int64(row.Points) || sum.Games == 0 {
			t.Errorf("%s: got %+v, want %+v (%v)", row.Name, row, sum, err)
		}
	}
}
