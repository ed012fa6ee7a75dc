package result_test

import (
	"slices"
	"strings"
	"testing"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/eventtest"
	"meldhall/tournament/game"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// threeAtATable is the first table of a round of three players, with its first game and the number of notifications for
// the table.
type threeAtATable struct {
	s       *store.DB
	desk    *action.Desk
	games   *game.Games
	tour    tournament.Tournament
	round   tournament.Round
	tables  []tournament.Table
	game    int64
	referee rights.Actor
	told    int
}

func newThreeAtATable(t *testing.T) *threeAtATable {
	t.Helper()
	k := &threeAtATable{s: eventtest.NewStore(t), referee: rights.Staff(rights.RoleReferee, "Bob")}
	k.tour, k.round, k.tables = eventtest.RunningRound(t, k.s, "open", 3)
	k.games, k.desk = eventtest.NewGames(t, k.s), eventtest.DeskOf(k.s)
	k.game = k.tables[0].Games[0].ID
	eventtest.DeskOf(k.s).OnChanged(func(c action.Changed) {
		if slices.Contains(c.Topics, action.Topic{What: action.TopicGame, ID: k.game}) &&
			slices.Contains(c.Topics, action.Topic{What: action.TopicTable, ID: k.tables[0].ID}) {
			k.told++
		}
	})
	return k
}

// at returns the player in a seat.
func (k *threeAtATable) at(seat int) rights.Actor {
	table := k.tables[0]
	return rights.Actor{Role: rights.RolePlayer, Tournament: k.tour.ID, Player: table.Seats[seat].PlayerID,
		Table: table.ID, Seat: seat}
}

// end ends the game with a result for three.
func (k *threeAtATable) end(t *testing.T) {
	t.Helper()
	if err := eventtest.EndGame(t, k.s, k.game, eventtest.ThreePlayers()); err != nil {
		t.Fatal(err)
	}
}

// protesting is a table where a player protests.
type protesting struct {
	*threeAtATable
	head  rights.Actor
	first result.Protest
}

func TestProtest(t *testing.T) {
	k := &protesting{threeAtATable: newThreeAtATable(t), head: rights.Staff(rights.RoleHeadReferee, "Ann")}
	t.Run("not before the end", k.testTooEarly)
	k.end(t)
	t.Run("by a player of the table, with a text, one at a time", k.testMaking)
	t.Run("the result stays provisional until it is decided", k.testUndecided)
	t.Run("the table and the officials see it, others do not", k.testReaders)
	t.Run("the head referee decides, once and with a reason", k.testDecision)
	t.Run("upheld, the result is corrected and not confirmed as it stands", k.testUpheld)
	t.Run("it closes with the last signature", k.testSigned)
	t.Run("the officials' list has the open one first", k.testList)
	t.Run("it closes with the round", k.testRoundOver)
	t.Run("nothing of it is changed or deleted", k.testAppendOnly)
}

func (k *protesting) testTooEarly(t *testing.T) {
	_, err := action.Do(t.Context(), k.desk, k.at(0), result.MakeProtest{Game: k.game, Text: "x"})
	eventtest.WantKey(t, err, "err_result_not_found")
}

func (k *protesting) testMaking(t *testing.T) {
	other := rights.Actor{Role: rights.RolePlayer, Tournament: k.tour.ID, Player: k.at(0).Player,
		Table: k.tables[0].ID + 99, Seat: 0}
	for _, actor := range []rights.Actor{k.referee, rights.Public()} {
		if _, err := action.Do(t.Context(), k.desk, actor, result.MakeProtest{Game: k.game, Text: "x"}); err == nil {
			t.Errorf("%s may protest", actor.Role)
		}
	}
	_, err := action.Do(t.Context(), k.desk, other, result.MakeProtest{Game: k.game, Text: "x"})
	eventtest.WantKey(t, err, "err_table_left")
	for _, text := range []string{"", " \n", strings.Repeat("x", action.ReasonMost+1)} {
		_, err := action.Do(t.Context(), k.desk, k.at(0), result.MakeProtest{Game: k.game, Text: text})
		eventtest.WantKey(t, err, "err_why_missing")
	}
	if k.first, err = action.Do(t.Context(), k.desk, k.at(0),
		result.MakeProtest{Game: k.game, Text: " My rack was\ncounted twice "}); err != nil ||
		k.first.Text != "My rack was counted twice" || k.first.Rev != 1 {
		t.Fatalf("got %+v, %v", k.first, err)
	}
	_, err = action.Do(t.Context(), k.desk, k.at(0), result.MakeProtest{Game: k.game, Text: "again"})
	eventtest.WantKey(t, err, "err_protest_open")
	if k.told != 1 {
		t.Errorf("told %d times, want once", k.told)
	}
}

func (k *protesting) testUndecided(t *testing.T) {
	eventtest.WantKey(t, eventtest.ErrOf(action.Do(t.Context(), k.desk, k.referee,
		result.ConfirmResult{Game: k.game, Rev: 1})),
		"err_protest_undecided")
	_, err := action.Do(t.Context(), k.desk, k.referee, result.CorrectResult{Game: k.game, Rev: 1,
		Correction: result.Correction{Lines: eventtest.ThreePlayers(), Why: "counted again"}})
	eventtest.WantKey(t, err, "err_protest_undecided")
	if r, err := result.LatestResult(t.Context(), k.s, k.game); err != nil || r.Confirmed() || r.Rev != 1 {
		t.Errorf("got %+v, %v", r, err)
	}
}

func (k *protesting) testReaders(t *testing.T) {
	for _, actor := range []rights.Actor{k.at(0), k.at(1), k.referee, k.head} {
		if p, err := result.ProtestsIn(t.Context(), k.games, actor, k.game); err != nil || len(p.All) != 1 || p.Closed {
			t.Errorf("%s: got %+v, %v", actor, p, err)
		}
	}
	stranger := rights.Actor{Role: rights.RolePlayer, Tournament: k.tour.ID, Player: 9999, Table: 9999, Seat: 0}
	for _, actor := range []rights.Actor{rights.Public(), stranger} {
		if p, err := result.ProtestsIn(t.Context(), k.games, actor, k.game); err == nil {
			t.Errorf("%s sees %+v", actor, p)
		}
	}
}

func (k *protesting) testDecision(t *testing.T) {
	for _, actor := range []rights.Actor{k.referee, k.at(0), rights.Public()} {
		if _, err := action.Do(t.Context(), k.desk, actor, result.DecideProtest{Protest: k.first.ID,
			Outcome: result.ProtestRejected,
			Reason:  "x"}); err == nil {
			t.Errorf("%s decides", actor.Role)
		}
	}
	_, err := action.Do(t.Context(), k.desk, k.head, result.DecideProtest{Protest: k.first.ID,
		Outcome: result.ProtestRejected,
		Reason:  " "})
	eventtest.WantKey(t, err, "err_why_missing")
	_, err = action.Do(t.Context(), k.desk, k.head, result.DecideProtest{Protest: k.first.ID, Outcome: "maybe",
		Reason: "x"})
	eventtest.WantKey(t, err, "err_protest_outcome")
	_, err = action.Do(t.Context(), k.desk, k.head, result.DecideProtest{Protest: 999, Outcome: result.ProtestRejected,
		Reason: "x"})
	eventtest.WantKey(t, err, "err_protest_not_found")
	if p, err := action.Do(t.Context(), k.desk, k.head, result.DecideProtest{Protest: k.first.ID,
		Outcome: result.ProtestRejected,
		Reason:  "Counted once"}); err != nil || p.Decision.Actor != k.head.String() {
		t.Fatalf("got %+v, %v", p, err)
	}
	_, err = action.Do(t.Context(), k.desk, k.head, result.DecideProtest{Protest: k.first.ID,
		Outcome: result.ProtestUpheld,
		Reason:  "after all"})
	eventtest.WantKey(t, err, "err_protest_decided")
}

func (k *protesting) testUpheld(t *testing.T) {
	p, err := action.Do(t.Context(), k.desk, k.at(1), result.MakeProtest{Game: k.game, Text: "The joker is mine"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := action.Do(t.Context(), k.desk, k.head, result.DecideProtest{Protest: p.ID,
		Outcome: result.ProtestUpheld,
		Reason:  "It is"}); err != nil {
		t.Fatal(err)
	}
	eventtest.WantKey(t, eventtest.ErrOf(action.Do(t.Context(), k.desk, k.referee,
		result.ConfirmResult{Game: k.game, Rev: 1})),
		"err_protest_upheld")
	if _, err := action.Do(t.Context(), k.desk, k.referee, result.CorrectResult{Game: k.game, Rev: 1,
		Correction: result.Correction{Lines: eventtest.ThreePlayers(), Why: "protest upheld"}}); err != nil {
		t.Fatal(err)
	}
}

func (k *protesting) testSigned(t *testing.T) {
	for seat := range 3 {
		if p, err := result.ProtestsIn(t.Context(), k.games, k.at(0), k.game); err != nil || p.Closed {
			t.Errorf("%d have signed: got %+v, %v", seat, p, err)
		}
		if _, err := action.Do(t.Context(), k.desk, k.at(seat), result.Agree{Game: k.game, Rev: 2}); err != nil {
			t.Fatal(err)
		}
	}
	_, err := action.Do(t.Context(), k.desk, k.at(2), result.MakeProtest{Game: k.game, Text: "too late"})
	eventtest.WantKey(t, err, "err_protest_closed")
}

func (k *protesting) testList(t *testing.T) {
	second := k.tables[0].Games
	if len(second) > 1 {
		if err := eventtest.EndGame(t, k.s, second[1].ID, eventtest.ThreePlayers()); err != nil {
			t.Fatal(err)
		}
		if _, err := action.Do(t.Context(), k.desk, k.at(2),
			result.MakeProtest{Game: second[1].ID, Text: "open"}); err != nil {
			t.Fatal(err)
		}
	}
	all, err := result.TournamentProtests(t.Context(), k.s, k.referee, k.tour.ID)
	if err != nil || len(all) != 3 || !all[0].Open() || all[1].Open() || all[2].Open() {
		t.Errorf("got %+v, %v", all, err)
	}
}

func (k *protesting) testRoundOver(t *testing.T) {
	if _, err := k.s.WriteSQL.Exec(`UPDATE rounds SET status = 'finished' WHERE id = $1`, k.round.ID); err != nil {
		t.Fatal(err)
	}
	_, err := action.Do(t.Context(), k.desk, k.at(0), result.MakeProtest{Game: k.tables[0].Games[1].ID,
		Text: "too late"})
	eventtest.WantKey(t, err, "err_protest_closed")
}

func (k *protesting) testAppendOnly(t *testing.T) {
	for _, table := range []string{"protests", "protest_decisions"} {
		for _, query := range []string{`UPDATE ` + table + ` SET at = 0`, `DELETE FROM ` + table} {
			if _, err := k.s.WriteSQL.Exec(query); err == nil || !strings.Contains(err.Error(), "append-only") {
				t.Errorf("%s: got %v, want refused", query, err)
			}
		}
	}
}
