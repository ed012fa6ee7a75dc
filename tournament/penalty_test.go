package tournament

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"meldhall/engine"
	"meldhall/tournament/action"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// penaltyEvent returns a tournament with a running round, two head referees and a referee.
func penaltyEvent(t *testing.T) (s *store.DB, tour Tournament, players []Player, hal, eva, bob rights.Actor) {
	t.Helper()
	s = newStore(t)
	tour = newTournament(t, s, "open", 7)
	enterPlayers(t, s, tour, 8)
	playRound(t, s, tour, rand.New(rand.NewPCG(1, 1)))
	players, err := Players(context.Background(), s, tour.ID)
	if err != nil {
		t.Fatal(err)
	}
	return s, tour, players, official(t, s, "Hal", rights.RoleHeadReferee),
		official(t, s, "Eva", rights.RoleHeadReferee), official(t, s, "Bob", rights.RoleReferee)
}

func rowOf(t *testing.T, s *store.DB, tournamentID, player int64) (int, StandingsRow) {
	t.Helper()
	standings, err := StandingsOf(context.Background(), s, tournamentID)
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range standings.Rows {
		if row.Player == player {
			return i, row
		}
	}
	t.Fatalf("player %d has no row", player)
	return 0, StandingsRow{}
}

// penalized is a tournament in which one player is penalized.
type penalized struct {
	s             *store.DB
	tour          Tournament
	players       []Player
	hal, eva, bob rights.Actor // two head referees and a referee
	p             Player       // the penalized player
	before        StandingsRow // p's standing before
	one           Penalty
}

func newPenalized(t *testing.T, player int) *penalized {
	t.Helper()
	k := new(penalized)
	k.s, k.tour, k.players, k.hal, k.eva, k.bob = penaltyEvent(t)
	k.p = k.players[player]
	_, k.before = rowOf(t, k.s, k.tour.ID, k.p.ID)
	return k
}

func (k *penalized) points(n int) GivePenalty {
	return GivePenalty{PenaltyGrounds{Tournament: k.tour.ID, Player: k.p.ID, Rule: "12.3", Reason: "tiles hidden"}, n}
}

func (k *penalized) disqualification() ProposeDisqualification {
	return ProposeDisqualification{PenaltyGrounds{Tournament: k.tour.ID, Player: k.p.ID, Reason: "struck an official"}}
}

func TestPointPenalty(t *testing.T) {
	k := newPenalized(t, 0)
	s, tour, p, before, hal, bob := k.s, k.tour, k.p, k.before, k.hal, k.bob
	k.testRefusals(t)
	t.Run("another kind, or points that do not count", k.testKinds)
	one, err := action.Do(t.Context(), deskOf(s), bob, k.points(50))
	if err != nil || one.State() != PenaltyInForce || one.Round != 1 || one.Actor != "referee:Bob" {
		t.Fatalf("got %+v, %v", one, err)
	}
	k.one = one
	t.Run("counts at once, apart from the games", func(t *testing.T) {
		_, row := rowOf(t, s, tour.ID, p.ID)
		if row.Points != before.Points || row.Penalties != engine.Whole(50) ||
			row.Total != before.Points-engine.Whole(50) {
			t.Errorf("got %+v", row)
		}
	})
	t.Run("pressed twice, or ruled by two at once, it is given once", k.testGivenOnce)
	t.Run("cancelled with a reason, and both stay", k.testCancelled)
	t.Run("the record cannot be changed", func(t *testing.T) {
		for _, write := range []string{"UPDATE sanctions SET points = 1", "DELETE FROM sanctions",
			"UPDATE sanction_decisions SET why = ''", "DELETE FROM sanction_decisions"} {
			if _, err := s.WriteSQL.Exec(write); err == nil {
				t.Errorf("%s was taken", write)
			}
		}
	})
	t.Run("who did what stands in the audit", func(t *testing.T) {
		entries, err := action.Records(t.Context(), s, hal, tour.ID, 1)
		if err != nil || entries[0].Kind != "sanction.cancelled" || entries[0].Why != "the wrong player" ||
			*entries[0].Details().(*penaltyDecided) != (penaltyDecided{penaltyGiven{PointPenalty, engine.Whole(50),
				"12.3"}, PenaltyInForce, decisionCancelled}) {
			t.Errorf("got %+v, %v", entries, err)
		}
		if on := entries[0].About(); on.Player != p.Number || on.Name != p.Name || on.Round != 1 ||
			on.Number != one.ID {
			t.Errorf("it is on %+v", on)
		}
	})
}

func (k *penalized) testRefusals(t *testing.T) {
	t.Helper()

	for _, row := range []struct {
		name   string
		actor  rights.Actor
		change func(*GivePenalty)
		key    string
	}{
		{"by a scorekeeper", rights.Staff(rights.RoleScorekeeper, "Sue"), nil, "err_not_allowed"},
		{"by a player", rights.Actor{Role: rights.RolePlayer, Tournament: k.tour.ID, Player: k.p.ID, Table: 1}, nil,
			"err_not_allowed"},
		{"by nobody", rights.Public(), nil, "err_sign_in_first"},
		{"no points", k.bob, func(n *GivePenalty) { n.Points = 0 }, "err_sanction_points"},
		{"points to the player's good", k.bob, func(n *GivePenalty) { n.Points = -5 }, "err_sanction_points"},
		{"a typing mistake", k.bob, func(n *GivePenalty) { n.Points = 1001 }, "err_sanction_points"},
		{"no reason", k.bob, func(n *GivePenalty) { n.Reason = " " }, "err_why_missing"},
		{"a rule that is a story", k.bob, func(n *GivePenalty) { n.Rule = fmt.Sprintf("%050d", 1) },
			"err_sanction_rule"},
		{"no player", k.bob, func(n *GivePenalty) { n.Player = 999 }, "err_player_not_found"},
		{"a game of nobody", k.bob, func(n *GivePenalty) { n.Game = 999 }, "err_game_not_found"},
	} {
		t.Run(row.name, func(t *testing.T) {
			given := k.points(50)
			if row.change != nil {
				row.change(&given)
			}
			_, err := action.Do(t.Context(), deskOf(k.s), row.actor, given)
			wantKey(t, err, row.key)
		})
	}
}

func (k *penalized) testKinds(t *testing.T) {
	_, err := NewPenalty("beating", 0, k.points(0).PenaltyGrounds)
	wantKey(t, err, "err_sanction_kind")
	_, err = NewPenalty(Disqualification, 5, k.points(0).PenaltyGrounds)
	wantKey(t, err, "err_sanction_points")
}

func (k *penalized) testGivenOnce(t *testing.T) {
	again := k.points(50)
	again.Seen = k.one.ID - 1
	if again.Seen == 0 {
		first, err := action.Do(t.Context(), deskOf(k.s), k.bob,
			GivePenalty{PenaltyGrounds{Tournament: k.tour.ID, Player: k.players[1].ID, Reason: "another"}, 1})
		if err != nil {
			t.Fatal(err)
		}
		again.Player, again.Seen = k.players[1].ID, k.one.ID
		if first.ID <= k.one.ID {
			t.Fatal("the ids do not grow")
		}
	}
	_, err := action.Do(t.Context(), deskOf(k.s), k.hal, again)
	wantKey(t, err, "err_sanction_since")
	again.Player = k.players[2].ID
	if _, err := action.Do(t.Context(), deskOf(k.s), k.hal, again); err != nil {
		t.Errorf("another player's is none of it: %v", err)
	}
}

func (k *penalized) testCancelled(t *testing.T) {
	_, err := action.Do(t.Context(), deskOf(k.s), k.bob, CancelPenalty{ID: k.one.ID, Why: ""})
	wantKey(t, err, "err_why_missing")
	cancelled, err := action.Do(t.Context(), deskOf(k.s), k.hal, CancelPenalty{ID: k.one.ID, Why: "the wrong player"})
	if err != nil || cancelled.State() != PenaltyCancelled || cancelled.Cancelled.Actor != "head_referee:Hal" {
		t.Fatalf("got %+v, %v", cancelled, err)
	}
	_, err = action.Do(t.Context(), deskOf(k.s), k.bob, CancelPenalty{ID: k.one.ID, Why: "again"})
	wantKey(t, err, "err_sanction_cancelled")
	if _, row := rowOf(t, k.s, k.tour.ID, k.p.ID); row.Penalties != 0 || row.Total != k.before.Points {
		t.Errorf("got %+v", row)
	}
	all, err := Penalties(t.Context(), k.s, rights.Staff(rights.RoleObserver, "Obi"), k.tour.ID)
	if err != nil || len(all) != 3 || all[2].ID != k.one.ID || all[2].Cancelled.Why != "the wrong player" ||
		all[2].Reason != "tiles hidden" || all[2].Player.Name != k.p.Name {
		t.Errorf("got %+v, %v", all, err)
	}
	own, err := PenaltiesOf(t.Context(), k.s, k.p.ID)
	if err != nil || len(own) != 1 || own[0].State() != PenaltyCancelled {
		t.Errorf("the player sees %+v, %v", own, err)
	}
}

func TestDisqualification(t *testing.T) {
	k := newPenalized(t, 3)
	s, tour, p, hal, eva, bob, given := k.s, k.tour, k.p, k.hal, k.eva, k.bob, k.disqualification()
	_, err := action.Do(t.Context(), deskOf(s), bob, given)
	wantKey(t, err, "err_not_allowed")
	one, err := action.Do(t.Context(), deskOf(s), hal, given)
	if err != nil || one.State() != PenaltyProposed {
		t.Fatalf("got %+v, %v", one, err)
	}
	k.one = one
	t.Run("proposed, it changes nothing", func(t *testing.T) {
		if _, row := rowOf(t, s, tour.ID, p.ID); row.Disqualified || row.Withdrawn {
			t.Errorf("got %+v", row)
		}
		if own, err := PenaltiesOf(t.Context(), s, p.ID); err != nil || len(own) != 0 {
			t.Errorf("the player is told %+v, %v", own, err)
		}
		_, err := action.Do(t.Context(), deskOf(s), eva, given)
		wantKey(t, err, "err_sanction_twice")
	})
	t.Run("not by the same official, whatever the role by then", k.testSecondOfficial)
	t.Run("a second official confirms: last of all, out of the rounds to come", k.testSeconded)
	t.Run("cancelled, the player is back", func(t *testing.T) {
		if _, err := action.Do(t.Context(), deskOf(s), hal, CancelPenalty{ID: one.ID,
			Why: "the protest was right"}); err != nil {
			t.Fatal(err)
		}
		if _, row := rowOf(t, s, tour.ID, p.ID); row.Disqualified || row.Withdrawn {
			t.Errorf("got %+v", row)
		}
		_, err := action.Do(t.Context(), deskOf(s), eva, SecondPenalty{ID: one.ID})
		wantKey(t, err, "err_sanction_cancelled")
	})
	t.Run("a proposal that is cancelled stays in the record", k.testProposalCancelled)
	t.Run("who had withdrawn stays so", k.testWithdrawn)
}

func (k *penalized) testSecondOfficial(t *testing.T) {
	promoted := k.hal
	promoted.Role = rights.RoleOrganizer
	for _, same := range []rights.Actor{k.hal, promoted} {
		_, err := action.Do(t.Context(), deskOf(k.s), same, SecondPenalty{ID: k.one.ID})
		wantKey(t, err, "err_second_official")
	}
	_, err := action.Do(t.Context(), deskOf(k.s), k.bob, SecondPenalty{ID: k.one.ID})
	wantKey(t, err, "err_not_allowed")
	_, err = action.Do(t.Context(), deskOf(k.s), k.eva, SecondPenalty{ID: 999})
	wantKey(t, err, "err_sanction_not_found")
}

func (k *penalized) testSeconded(t *testing.T) {
	for range 2 {
		seconded, err := action.Do(t.Context(), deskOf(k.s), k.eva, SecondPenalty{ID: k.one.ID})
		if err != nil || seconded.State() != PenaltyInForce || seconded.Seconded.Actor != "head_referee:Eva" {
			t.Fatalf("got %+v, %v", seconded, err)
		}
	}
	if i, row := rowOf(t, k.s, k.tour.ID, k.p.ID); !row.Disqualified || !row.Withdrawn || i != 7 {
		t.Errorf("got row %d, %+v", i, row)
	}
	round := playRound(t, k.s, k.tour, rand.New(rand.NewPCG(2, 2)))
	tables, err := Tables(t.Context(), k.s, round.ID)
	if err != nil {
		t.Fatal(err)
	}
	seated := 0
	for _, table := range tables {
		for _, seat := range table.Seats {
			seated++
			if seat.PlayerID == k.p.ID {
				t.Error("the disqualified player is seated")
			}
		}
	}
	if seated != 7 {
		t.Errorf("%d players are seated", seated)
	}
	_, err = action.Do(t.Context(), deskOf(k.s), organizer, PlayAgain{Tournament: k.tour.ID, Player: k.p.ID})
	wantKey(t, err, "err_player_disqualified")
}

func (k *penalized) testProposalCancelled(t *testing.T) {
	again, err := action.Do(t.Context(), deskOf(k.s), k.eva, k.disqualification())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := action.Do(t.Context(), deskOf(k.s), k.eva, CancelPenalty{ID: again.ID,
		Why: "a warning is enough"}); err != nil {
		t.Fatal(err)
	}
	_, err = action.Do(t.Context(), deskOf(k.s), k.hal, SecondPenalty{ID: again.ID})
	wantKey(t, err, "err_sanction_cancelled")
	all, err := Penalties(t.Context(), k.s, k.bob, k.tour.ID)
	if err != nil || len(all) != 2 || all[0].State() != PenaltyCancelled || all[0].Seconded != nil {
		t.Errorf("got %+v, %v", all, err)
	}
}

func (k *penalized) testWithdrawn(t *testing.T) {
	gone := k.players[5]
	if _, err := action.Do(t.Context(), deskOf(k.s), organizer,
		LeaveEvent{Tournament: k.tour.ID, Player: gone.ID, Why: "ill"}); err != nil {
		t.Fatal(err)
	}
	one, err := action.Do(t.Context(), deskOf(k.s), k.hal, ProposeDisqualification{PenaltyGrounds{Tournament: k.tour.ID,
		Player: gone.ID, Reason: "x"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := action.Do(t.Context(), deskOf(k.s), organizer, SecondPenalty{ID: one.ID}); err != nil {
		t.Fatal(err)
	}
	if _, err := action.Do(t.Context(), deskOf(k.s), k.hal, CancelPenalty{ID: one.ID, Why: "y"}); err != nil {
		t.Fatal(err)
	}
	if _, row := rowOf(t, k.s, k.tour.ID, gone.ID); row.Disqualified || !row.Withdrawn {
		t.Errorf("got %+v", row)
	}
}

// TestCorrectConfirmedResult checks that only officials who may rule heavily can change a confirmed result.
func TestCorrectConfirmedResult(t *testing.T) {
	s, ctx := newStore(t), context.Background()
	_, _, tables := runningRound(t, s, "open", 3)
	game := tables[0].Games[0].ID
	if err := endGame(t, s, game, threePlayers()); err != nil {
		t.Fatal(err)
	}
	referee, c := rights.Staff(rights.RoleReferee, "Bob"), Correction{Lines: threePlayers(), Why: "counted again"}
	if _, err := action.Do(ctx, deskOf(s), referee, CorrectResult{Game: game, Rev: 1, Correction: c}); err != nil {
		t.Fatalf("a referee corrects what is not confirmed: %v", err)
	}
	if _, err := action.Do(ctx, deskOf(s), referee, CorrectResult{Game: game, Rev: 2, Correction: c}); !errors.Is(err,
		refuse.ErrForbidden) {
		t.Errorf("got %v", err)
	}
	if _, err := action.Do(ctx, deskOf(s), rights.Staff(rights.RoleHeadReferee, "Hal"),
		CorrectResult{Game: game, Rev: 2, Correction: c}); err != nil {
		t.Error(err)
	}
}
