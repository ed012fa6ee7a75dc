package result_test

import (
	"errors"
	"testing"

	"meldhall/engine/score"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/eventtest"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// heavyCorrection is a tournament whose first game is confirmed with 118, -16 and -102 points, and where a second
// official must confirm changes of more than 40 points. Method by returns a correction of that many points.
type heavyCorrection struct {
	s    *store.DB
	game int64
	tour tournament.Tournament
}

func newHeavyCorrection(t *testing.T) heavyCorrection {
	t.Helper()
	s := eventtest.NewStore(t)
	tour, _, tables := eventtest.RunningRound(t, s, "open", 3)
	h := heavyCorrection{s, tables[0].Games[0].ID, tour}
	if err := eventtest.EndGame(t, s, h.game, eventtest.ThreePlayers()); err != nil {
		t.Fatal(err)
	}
	for _, a := range []action.Action{result.ConfirmResult{Game: h.game, Rev: 1},
		result.SetSecondOver{Tournament: tour.ID, Points: 40}} {
		if _, err := eventtest.DeskOf(s).Do(t.Context(), eventtest.Organizer, a); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

func (h heavyCorrection) by(points int) result.CorrectResult {
	lines := eventtest.ThreePlayers()
	lines[0].Points += score.Whole(points)
	lines[1].Points -= score.Whole(points)
	return result.CorrectResult{Game: h.game, Rev: 2, Correction: result.Correction{Lines: lines,
		Why: "a joker under the rack"}}
}

func (h heavyCorrection) latest(t *testing.T) game.Result {
	t.Helper()
	r, err := result.LatestResult(t.Context(), h.s, h.game)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestAHeavyCorrectionWaits checks that a correction of a confirmed result above the tournament's limit takes effect
// only when another official confirms it, by the action that confirms disqualifications; a smaller one takes effect at
// once.
func TestAHeavyCorrectionWaits(t *testing.T) {
	ann, bob := rights.Staff(rights.RoleHeadReferee, "Ann"), rights.Staff(rights.RoleHeadReferee, "Bob")
	h := newHeavyCorrection(t)
	d := eventtest.DeskOf(h.s)
	seen, err := action.Preview(t.Context(), d, ann, h.by(41))
	if err != nil || !seen.Second || len(seen.Moves) == 0 {
		t.Fatalf("looked at: %+v, %v", seen, err)
	}
	done, err := action.Do(t.Context(), d, ann, h.by(41))
	if err != nil || !done.Second || h.latest(t).Rev != 2 {
		t.Fatalf("proposed: %+v, %v, revision %d", done, err, h.latest(t).Rev)
	}
	waiting, err := result.WaitingPenalties(t.Context(), h.s, h.tour.ID)
	if err != nil || len(waiting) != 1 || waiting[0].Kind != result.CorrectedResult || waiting[0].GameID == nil ||
		*waiting[0].GameID != h.game {
		t.Fatalf("waiting: %+v, %v", waiting, err)
	}
	second := result.SecondPenalty{ID: waiting[0].ID}
	for _, row := range []struct {
		name  string
		actor rights.Actor
		a     action.Action
		err   *refuse.Error
	}{
		{"twice", bob, h.by(50), &refuse.Error{Kind: refuse.KindConflict, Key: "err_correction_waits"}},
		{"by who proposed it", ann, second, &refuse.Error{Kind: refuse.KindForbidden, Key: "err_second_official"}},
		{"by a referee", rights.Staff(rights.RoleReferee, "Cid"), second, &refuse.Error{Kind: refuse.KindForbidden}},
	} {
		if _, err := d.Do(t.Context(), row.actor, row.a); !errors.Is(err, row.err) || h.latest(t).Rev != 2 {
			t.Errorf("%s: %v", row.name, err)
		}
	}
	would, err := action.Preview(t.Context(), d, bob, second)
	if err != nil || would.Corrected == nil || says(*would.Corrected) != says(seen) {
		t.Errorf("the second official is shown %+v, %v", would.Corrected, err)
	}
	if _, err := action.Do(t.Context(), d, bob, second); err != nil {
		t.Fatal(err)
	}
	if now := h.latest(t); now.Rev != 3 || now.Lines[0].Points != score.Whole(159) ||
		now.Why != "a joker under the rack" {
		t.Errorf("entered: %+v", now)
	}
	if _, err := action.Do(t.Context(), d, bob, second); err != nil || h.latest(t).Rev != 3 {
		t.Errorf("confirmed twice: %v, revision %d", err, h.latest(t).Rev)
	}
	if _, err := action.Do(t.Context(), d, bob, result.CancelPenalty{ID: second.ID, Why: "no"}); !errors.Is(err,
		&refuse.Error{Kind: refuse.KindConflict, Key: "err_correction_entered"}) {
		t.Errorf("cancelled after it was entered: %v", err)
	}
}

// TestALightCorrectionDoesNotWait checks that a cancelled proposal no longer waits, and that a correction takes effect
// at once if it is small or if the tournament has no limit.
func TestALightCorrectionDoesNotWait(t *testing.T) {
	ann := rights.Staff(rights.RoleHeadReferee, "Ann")
	h := newHeavyCorrection(t)
	d := eventtest.DeskOf(h.s)
	if _, err := action.Do(t.Context(), d, ann, h.by(90)); err != nil {
		t.Fatal(err)
	}
	waiting, _ := result.WaitingPenalties(t.Context(), h.s, h.tour.ID)
	if _, err := action.Do(t.Context(), d, ann, result.CancelPenalty{ID: waiting[0].ID,
		Why: "counted once more"}); err != nil {
		t.Fatal(err)
	}
	if now, _ := result.WaitingPenalties(t.Context(), h.s, h.tour.ID); len(now) != 0 {
		t.Errorf("it waits though it was cancelled: %+v", now)
	}
	if done, err := action.Do(t.Context(), d, ann, h.by(40)); err != nil || done.Second || h.latest(t).Rev != 3 {
		t.Errorf("by 40: %+v, %v", done, err)
	}
	again := h.by(80) // compared with the first confirmed result
	again.Rev = 3
	if done, err := action.Preview(t.Context(), d, ann, again); err != nil || !done.Second {
		t.Errorf("by 40 and 40: %+v, %v", done, err)
	}
	if _, err := action.Do(t.Context(), d, eventtest.Organizer,
		result.SetSecondOver{Tournament: h.tour.ID}); err != nil {
		t.Fatal(err)
	}
	heavy := h.by(900)
	heavy.Rev = 3
	if done, err := action.Do(t.Context(), d, ann, heavy); err != nil || done.Second || h.latest(t).Rev != 4 {
		t.Errorf("without the weight: %+v, %v", done, err)
	}
	for _, points := range []int{-1, result.PointsMost + 1} {
		if _, err := action.Do(t.Context(), d, eventtest.Organizer, result.SetSecondOver{Tournament: h.tour.ID,
			Points: points}); !errors.Is(err, refuse.ErrInvalid) {
			t.Errorf("%d points: %v", points, err)
		}
	}
}
