package result_test

import (
	"errors"
	"slices"
	"testing"

	"meldhall/engine/score"
	"meldhall/tournament/action"
	"meldhall/tournament/eventtest"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
)

// signing is a table whose players agree to a count.
type signing struct{ *threeAtATable }

// want checks the count's revision and who has agreed to it.
func (k signing) want(t *testing.T, rev int, confirmed bool, agreed ...bool) {
	t.Helper()
	c, err := result.GameCount(t.Context(), k.s, k.game)
	if err != nil || c.Rev != rev || c.Confirmed != confirmed || !slices.Equal(c.Agreed, agreed) {
		t.Errorf("got %+v, %v, want rev %d, %v, %v", c, err, rev, confirmed, agreed)
	}
	current, err := game.CurrentInRound(t.Context(), k.s, k.round.ID)
	if err != nil || current[0].Game == k.game && current[0].Agreed != c.All() {
		t.Errorf("the hall counts %+v, the game %d, %v", current, c.All(), err)
	}
}

func TestAgreeingToACount(t *testing.T) {
	k := signing{newThreeAtATable(t)}
	t.Run("not before the end", k.testTooEarly)
	k.end(t)
	t.Run("each for the own seat, once however often it is pressed", k.testOnce)
	t.Run("nobody else's seat, and no official's", k.testOthers)
	t.Run("a referee's confirmation asks nobody again, and needs nobody", k.testConfirmed)
	t.Run("a corrected result asks everybody again", k.testCorrected)
	t.Run("what was signed stays signed", k.testAppendOnly)
}

func (k signing) testTooEarly(t *testing.T) {
	if _, err := action.Do(t.Context(), k.desk, k.at(0), result.Agree{Game: k.game, Rev: 1}); !errors.Is(err,
		refuse.ErrNotFound) {
		t.Errorf("got %v", err)
	}
	if _, err := result.GameCount(t.Context(), k.s, k.game); !errors.Is(err, refuse.ErrNotFound) {
		t.Errorf("got %v", err)
	}
}

func (k signing) testOnce(t *testing.T) {
	k.want(t, 1, false, false, false, false)
	for range 3 {
		if _, err := action.Do(t.Context(), k.desk, k.at(1), result.Agree{Game: k.game, Rev: 1}); err != nil {
			t.Fatal(err)
		}
	}
	k.want(t, 1, false, false, true, false)
	if k.told != 1 {
		t.Errorf("told %d times, want once", k.told)
	}
	entries, err := action.Records(t.Context(), k.s, k.referee, k.tour.ID, 50)
	signed := slices.DeleteFunc(entries, func(e action.Record) bool { return e.Kind != "result.agree" })
	if err != nil || len(signed) != 1 || signed[0].Actor != k.at(1).String() || eventtest.ToldAfter(signed[0]) == "" {
		t.Errorf("audit %+v, %v", signed, err)
	}
}

func (k signing) testOthers(t *testing.T) {
	other := k.at(0)
	other.Table++
	other.Player = 0
	left := k.at(0)
	left.Table++
	for _, c := range []struct {
		who  rights.Actor
		kind error
	}{{other, refuse.ErrForbidden}, {left, refuse.ErrConflict}, {k.referee, refuse.ErrForbidden},
		{rights.Public(), refuse.ErrUnauthenticated}} {
		if _, err := action.Do(t.Context(), k.desk, c.who, result.Agree{Game: k.game, Rev: 1}); !errors.Is(err,
			c.kind) {
			t.Errorf("%s: got %v", c.who, err)
		}
	}
	k.want(t, 1, false, false, true, false)
}

func (k signing) testConfirmed(t *testing.T) {
	if _, err := action.Do(t.Context(), k.desk, k.referee, result.ConfirmResult{Game: k.game, Rev: 1}); err != nil {
		t.Fatal(err)
	}
	k.want(t, 2, true, false, true, false)
	for _, rev := range []int{1, 2} { // one page is outdated
		if _, err := action.Do(t.Context(), k.desk, k.at(rev-1), result.Agree{Game: k.game, Rev: rev}); err != nil {
			t.Fatal(err)
		}
	}
	k.want(t, 2, true, true, true, false)
}

func (k signing) testCorrected(t *testing.T) {
	lines := eventtest.ThreePlayers()
	lines[0].Points = score.Whole(100)
	if _, err := action.Do(t.Context(), k.desk, eventtest.Organizer, result.CorrectResult{Game: k.game, Rev: 2,
		Correction: result.Correction{Lines: lines, Why: "a tile under the rack"}}); err != nil {
		t.Fatal(err)
	}
	k.want(t, 3, true, false, false, false)
	for _, rev := range []int{0, 1, 2, 4} {
		if _, err := action.Do(t.Context(), k.desk, k.at(1), result.Agree{Game: k.game, Rev: rev}); !errors.Is(err,
			refuse.ErrConflict) {
			t.Errorf("revision %d: got %v", rev, err)
		}
	}
	if _, err := action.Do(t.Context(), k.desk, k.at(1), result.Agree{Game: k.game, Rev: 3}); err != nil {
		t.Fatal(err)
	}
	k.want(t, 3, true, false, true, false)
}

func (k signing) testAppendOnly(t *testing.T) {
	for _, statement := range []string{"UPDATE signatures SET rev = 1", "DELETE FROM signatures"} {
		if err := k.s.Write.Exec(statement).Error; err == nil {
			t.Errorf("%s went through", statement)
		}
	}
}
