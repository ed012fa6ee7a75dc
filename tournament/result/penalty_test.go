package result_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"meldhall/engine/score"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/eventtest"
	"meldhall/tournament/people"
	"meldhall/tournament/ranking"
	"meldhall/tournament/refuse"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// penaltyEvent returns a tournament with a running round, two head referees and a referee.
func penaltyEvent(t *testing.T) (s *store.DB, tour tournament.Tournament, players []tournament.Player, hal, eva,
	bob rights.Actor) {
	t.Helper()
	s = eventtest.NewStore(t)
	tour = eventtest.NewTournament(t, s, "open", 7)
	eventtest.EnterPlayers(t, s, tour, 8)
	eventtest.PlayRound(t, s, tour, rand.New(rand.NewPCG(1, 1)))
	players, err := tournament.Players(context.Background(), s, tour.ID)
	if err != nil {
		t.Fatal(err)
	}
	return s, tour, players, official(t, s, "Hal", rights.RoleHeadReferee),
		official(t, s, "Eva", rights.RoleHeadReferee), official(t, s, "Bob", rights.RoleReferee)
}

func rowOf(t *testing.T, s *store.DB, tournamentID, player int64) (int, ranking.StandingsRow) {
	t.Helper()
	standings, err := ranking.StandingsOf(context.Background(), s, tournamentID)
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range standings.Rows {
		if row.Player == player {
			return i, row
		}
	}
	t.Fatalf("player %d has no row", player)
	return 0, ranking.StandingsRow{}
}

// penalized is a tournament in which one player is penalized.
type penalized struct {
	s             *store.DB
	tour          tournament.Tournament
	players       []tournament.Player
	hal, eva, bob rights.Actor         // two head referees and a referee
	p             tournament.Player    // the penalized player
	before        ranking.StandingsRow // p's standing before
	one           result.Penalty
}

func newPenalized(t *testing.T, player int) *penalized {
	t.Helper()
	k := new(penalized)
	k.s, k.tour, k.players, k.hal, k.eva, k.bob = penaltyEvent(t)
	k.p = k.players[player]
	_, k.before = rowOf(t, k.s, k.tour.ID, k.p.ID)
	return k
}

func (k *penalized) points(n int) result.GivePenalty {
	return result.GivePenalty{result.PenaltyGrounds{Tournament: k.tour.ID, Player: k.p.ID, Rule: "12.3",
		Reason: "tiles hidden"}, n}
}

func (k *penalized) disqualification() result.ProposeDisqualification {
	return result.ProposeDisqualification{result.PenaltyGrounds{Tournament: k.tour.ID, Player: k.p.ID,
		Reason: "struck an official"}}
}

func TestPointPenalty(t *testing.T) {
	k := newPenalized(t, 0)
	s, tour, p, before, hal, bob := k.s, k.tour, k.p, k.before, k.hal, k.bob
	k.testRefusals(t)
	t.Run("another kind, or points that do not count", k.testKinds)
	one, err := action.Do(t.Context(), eventtest.DeskOf(s), bob, k.points(50))
	if err != nil || one.State() != result.PenaltyInForce || one.Round != 1 || one.Actor != "referee:Bob" {
		t.Fatalf("got %+v, %v", one, err)
	}
	k.one = one
	t.Run("counts at once, apart from the games", func(t *testing.T) {
		_, row := rowOf(t, s, tour.ID, p.ID)
		if row.Points != before.Points || row.Penalties != score.Whole(50) ||
			row.Total != before.Points-score.Whole(50) {
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
			*entries[0].Details().(*result.PenaltyDecided) != (result.PenaltyDecided{
				result.PenaltyGiven{result.PointPenalty, score.Whole(50), "12.3"},
				result.PenaltyInForce, result.DecisionCancelled}) {
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
		change func(*result.GivePenalty)
		key    string
	}{
		{"by a scorekeeper", rights.Staff(rights.RoleScorekeeper, "Sue"), nil, "err_not_allowed"},
		{"by a player", rights.Actor{Role: rights.RolePlayer, Tournament: k.tour.ID, Player: k.p.ID, Table: 1}, nil,
			"err_not_allowed"},
		{"by nobody", rights.Public(), nil, "err_sign_in_first"},
		{"no points", k.bob, func(n *result.GivePenalty) { n.Points = 0 }, "err_sanction_points"},
		{"points to the player's good", k.bob, func(n *result.GivePenalty) { n.Points = -5 }, "err_sanction_points"},
		{"a typing mistake", k.bob, func(n *result.GivePenalty) { n.Points = 1001 }, "err_sanction_points"},
		{"no reason", k.bob, func(n *result.GivePenalty) { n.Reason = " " }, "err_why_missing"},
		{"a rule that is a story", k.bob, func(n *result.GivePenalty) { n.Rule = fmt.Sprintf("%050d", 1) },
			"err_sanction_rule"},
		{"no player", k.bob, func(n *result.GivePenalty) { n.Player = 999 }, "err_player_not_found"},
		{"a game of nobody", k.bob, func(n *result.GivePenalty) { n.Game = 999 }, "err_game_not_found"},
	} {
		t.Run(row.name, func(t *testing.T) {
			given := k.points(50)
			if row.change != nil {
				row.change(&given)
			}
			_, err := action.Do(t.Context(), eventtest.DeskOf(k.s), row.actor, given)
			eventtest.WantKey(t, err, row.key)
		})
	}
}

func (k *penalized) testKinds(t *testing.T) {
	_, err := result.NewPenalty("beating", 0, k.points(0).PenaltyGrounds)
	eventtest.WantKey(t, err, "err_sanction_kind")
	_, err = result.NewPenalty(result.Disqualification, 5, k.points(0).PenaltyGrounds)
	eventtest.WantKey(t, err, "err_sanction_points")
}

func (k *penalized) testGivenOnce(t *testing.T) {
	again := k.points(50)
	again.Seen = k.one.ID - 1
	if again.Seen == 0 {
		first, err := action.Do(t.Context(), eventtest.DeskOf(k.s), k.bob,
			result.GivePenalty{result.PenaltyGrounds{Tournament: k.tour.ID, Player: k.players[1].ID, Reason: "another"},
				1})
		if err != nil {
			t.Fatal(err)
		}
		again.Player, again.Seen = k.players[1].ID, k.one.ID
		if first.ID <= k.one.ID {
			t.Fatal("the ids do not grow")
		}
	}
	_, err := action.Do(t.Context(), eventtest.DeskOf(k.s), k.hal, again)
	eventtest.WantKey(t, err, "err_sanction_since")
	again.Player = k.players[2].ID
	if _, err := action.Do(t.Context(), eventtest.DeskOf(k.s), k.hal, again); err != nil {
		t.Errorf("another player's is none of it: %v", err)
	}
}

func (k *penalized) testCancelled(t *testing.T) {
	_, err := action.Do(t.Context(), eventtest.DeskOf(k.s), k.bob, result.CancelPenalty{ID: k.one.ID, Why: ""})
	eventtest.WantKey(t, err, "err_why_missing")
	cancelled, err := action.Do(t.Context(), eventtest.DeskOf(k.s), k.hal,
		result.CancelPenalty{ID: k.one.ID, Why: "the wrong player"})
	if err != nil || cancelled.State() != result.PenaltyCancelled || cancelled.Cancelled.Actor != "head_referee:Hal" {
		t.Fatalf("got %+v, %v", cancelled, err)
	}
	_, err = action.Do(t.Context(), eventtest.DeskOf(k.s), k.bob, result.CancelPenalty{ID: k.one.ID, Why: "again"})
	eventtest.WantKey(t, err, "err_sanction_cancelled")
	if _, row := rowOf(t, k.s, k.tour.ID, k.p.ID); row.Penalties != 0 || row.Total != k.before.Points {
		t.Errorf("got %+v", row)
	}
	all, err := result.Penalties(t.Context(), k.s, rights.Staff(rights.RoleObserver, "Obi"), k.tour.ID)
	if err != nil || len(all) != 3 || all[2].ID != k.one.ID || all[2].Cancelled.Why != "the wrong player" ||
		all[2].Reason != "tiles hidden" || all[2].Player.Name != k.p.Name {
		t.Errorf("got %+v, %v", all, err)
	}
	own, err := result.PenaltiesOf(t.Context(), k.s, k.p.ID)
	if err != nil || len(own) != 1 || own[0].State() != result.PenaltyCancelled {
		t.Errorf("the player sees %+v, %v", own, err)
	}
}

func TestDisqualification(t *testing.T) {
	k := newPenalized(t, 3)
	s, tour, p, hal, eva, bob, given := k.s, k.tour, k.p, k.hal, k.eva, k.bob, k.disqualification()
	_, err := action.Do(t.Context(), eventtest.DeskOf(s), bob, given)
	eventtest.WantKey(t, err, "err_not_allowed")
	one, err := action.Do(t.Context(), eventtest.DeskOf(s), hal, given)
	if err != nil || one.State() != result.PenaltyProposed {
		t.Fatalf("got %+v, %v", one, err)
	}
	k.one = one
	t.Run("proposed, it changes nothing", func(t *testing.T) {
		if _, row := rowOf(t, s, tour.ID, p.ID); row.Disqualified || row.Withdrawn {
			t.Errorf("got %+v", row)
		}
		if own, err := result.PenaltiesOf(t.Context(), s, p.ID); err != nil || len(own) != 0 {
			t.Errorf("the player is told %+v, %v", own, err)
		}
		_, err := action.Do(t.Context(), eventtest.DeskOf(s), eva, given)
		eventtest.WantKey(t, err, "err_sanction_twice")
	})
	t.Run("not by the same official, whatever the role by then", k.testSecondOfficial)
	t.Run("a second official confirms: last of all, out of the rounds to come", k.testSeconded)
	t.Run("cancelled, the player is back", func(t *testing.T) {
		if _, err := action.Do(t.Context(), eventtest.DeskOf(s), hal, result.CancelPenalty{ID: one.ID,
			Why: "the protest was right"}); err != nil {
			t.Fatal(err)
		}
		if _, row := rowOf(t, s, tour.ID, p.ID); row.Disqualified || row.Withdrawn {
			t.Errorf("got %+v", row)
		}
		_, err := action.Do(t.Context(), eventtest.DeskOf(s), eva, result.SecondPenalty{ID: one.ID})
		eventtest.WantKey(t, err, "err_sanction_cancelled")
	})
	t.Run("a proposal that is cancelled stays in the record", k.testProposalCancelled)
	t.Run("who had withdrawn stays so", k.testWithdrawn)
}

func (k *penalized) testSecondOfficial(t *testing.T) {
	promoted := k.hal
	promoted.Role = rights.RoleOrganizer
	for _, same := range []rights.Actor{k.hal, promoted} {
		_, err := action.Do(t.Context(), eventtest.DeskOf(k.s), same, result.SecondPenalty{ID: k.one.ID})
		eventtest.WantKey(t, err, "err_second_official")
	}
	_, err := action.Do(t.Context(), eventtest.DeskOf(k.s), k.bob, result.SecondPenalty{ID: k.one.ID})
	eventtest.WantKey(t, err, "err_not_allowed")
	_, err = action.Do(t.Context(), eventtest.DeskOf(k.s), k.eva, result.SecondPenalty{ID: 999})
	eventtest.WantKey(t, err, "err_sanction_not_found")
}

func (k *penalized) testSeconded(t *testing.T) {
	for range 2 {
		seconded, err := action.Do(t.Context(), eventtest.DeskOf(k.s), k.eva, result.SecondPenalty{ID: k.one.ID})
		if err != nil || seconded.State() != result.PenaltyInForce || seconded.Seconded.Actor != "head_referee:Eva" {
			t.Fatalf("got %+v, %v", seconded, err)
		}
	}
	if i, row := rowOf(t, k.s, k.tour.ID, k.p.ID); !row.Disqualified || !row.Withdrawn || i != 7 {
		t.Errorf("got row %d, %+v", i, row)
	}
	round := eventtest.PlayRound(t, k.s, k.tour, rand.New(rand.NewPCG(2, 2)))
	tables, err := tournament.Tables(t.Context(), k.s, round.ID)
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
	_, err = action.Do(t.Context(), eventtest.DeskOf(k.s), eventtest.Organizer,
		people.PlayAgain{Tournament: k.tour.ID, Player: k.p.ID})
	eventtest.WantKey(t, err, "err_player_disqualified")
}

func (k *penalized) testProposalCancelled(t *testing.T) {
	again, err := action.Do(t.Context(), eventtest.DeskOf(k.s), k.eva, k.disqualification())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := action.Do(t.Context(), eventtest.DeskOf(k.s), k.eva, result.CancelPenalty{ID: again.ID,
		Why: "a warning is enough"}); err != nil {
		t.Fatal(err)
	}
	_, err = action.Do(t.Context(), eventtest.DeskOf(k.s), k.hal, result.SecondPenalty{ID: again.ID})
	eventtest.WantKey(t, err, "err_sanction_cancelled")
	all, err := result.Penalties(t.Context(), k.s, k.bob, k.tour.ID)
	if err != nil || len(all) != 2 || all[0].State() != result.PenaltyCancelled || all[0].Seconded != nil {
		t.Errorf("got %+v, %v", all, err)
	}
}

func (k *penalized) testWithdrawn(t *testing.T) {
	gone := k.players[5]
	if _, err := action.Do(t.Context(), eventtest.DeskOf(k.s), eventtest.Organizer,
		people.LeaveEvent{Tournament: k.tour.ID, Player: gone.ID, Why: "ill"}); err != nil {
		t.Fatal(err)
	}
	one, err := action.Do(t.Context(), eventtest.DeskOf(k.s), k.hal,
		result.ProposeDisqualification{result.PenaltyGrounds{Tournament: k.tour.ID,
			Player: gone.ID, Reason: "x"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := action.Do(t.Context(), eventtest.DeskOf(k.s), eventtest.Organizer,
		result.SecondPenalty{ID: one.ID}); err != nil {
		t.Fatal(err)
	}
	if _, err := action.Do(t.Context(), eventtest.DeskOf(k.s), k.hal,
		result.CancelPenalty{ID: one.ID, Why: "y"}); err != nil {
		t.Fatal(err)
	}
	if _, row := rowOf(t, k.s, k.tour.ID, gone.ID); row.Disqualified || !row.Withdrawn {
		t.Errorf("got %+v", row)
	}
}

// TestCorrectConfirmedResult checks that only officials who may rule heavily can change a confirmed result.
func TestCorrectConfirmedResult(t *testing.T) {
	s, ctx := eventtest.NewStore(t), context.Background()
	_, _, tables := eventtest.RunningRound(t, s, "open", 3)
	game := tables[0].Games[0].ID
	if err := eventtest.EndGame(t, s, game, eventtest.ThreePlayers()); err != nil {
		t.Fatal(err)
	}
	referee, c := rights.Staff(rights.RoleReferee, "Bob"), result.Correction{Lines: eventtest.ThreePlayers(),
		Why: "counted again"}
	if _, err := action.Do(ctx, eventtest.DeskOf(s), referee,
		result.CorrectResult{Game: game, Rev: 1, Correction: c}); err != nil {
		t.Fatalf("a referee corrects what is not confirmed: %v", err)
	}
	if _, err := action.Do(ctx, eventtest.DeskOf(s), referee,
		result.CorrectResult{Game: game, Rev: 2, Correction: c}); !errors.Is(err,
		refuse.ErrForbidden) {
		t.Errorf("got %v", err)
	}
	if _, err := action.Do(ctx, eventtest.DeskOf(s), rights.Staff(rights.RoleHeadReferee, "Hal"),
		result.CorrectResult{Game: game, Rev: 2, Correction: c}); err != nil {
		t.Error(err)
	}
}
