package action_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"meldhall/tournament/action"
	"meldhall/tournament/action/actiontest"
	"meldhall/tournament/draw"
	"meldhall/tournament/game"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// TestDoAuthorizes checks that an action runs only for an actor with its right at its subject.
func TestDoAuthorizes(t *testing.T) {
	f := newFixture(t)
	for _, c := range []struct {
		name  string
		actor rights.Actor
		want  string // the key of the refusal, or ""
	}{
		{"public", rights.Public(), "err_sign_in_first"},
		{"player", rights.Actor{Role: rights.RolePlayer, Tournament: f.ID, Player: 1}, "err_not_allowed"},
		{"referee", rights.Staff(rights.RoleReferee, "Bob"), "err_not_allowed"},
		{"program", rights.Staff(rights.RoleProgram, "clock"), "err_not_allowed"},
		{"organizer of another event", limited(rights.RoleOrganizer, f.ID+1), "err_not_your_event"},
		{"organizer", actiontest.Organizer, ""},
		{"organizer of this event", limited(rights.RoleOrganizer, f.ID), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			ran := false
			_, err := action.Do(t.Context(), f.Desk, c.actor, move{Tournament: f.ID, To: c.name,
				also: func(*action.Tx) error { ran = true; return nil }})
			if c.want != "" {
				refused(t, "do", err, c.want)
			} else if err != nil {
				t.Error(err)
			}
			if ran != (c.want == "") || (f.place() == c.name) != ran {
				t.Errorf("ran %t, the place is %q", ran, f.place())
			}
		})
	}
}

// TestZoneIsCheckedForEveryRecord checks that a record about a table outside the official's zone rolls the action back,
// even if the action itself does not check the zone.
func TestZoneIsCheckedForEveryRecord(t *testing.T) {
	f := newFixture(t)
	referee := rights.Staff(rights.RoleReferee, "Bob")
	referee.Limits = &rights.Limits{Tables: map[int64][]int{f.ID: {1, 2}}}
	if _, err := action.Do(t.Context(), f.Desk, referee, ruling{Tournament: f.ID, Table: 2}); err != nil {
		t.Error(err)
	}
	for table, key := range map[int64]string{3: "err_not_your_zone", 0: "err_zone_no_table"} {
		_, err := action.Do(t.Context(), f.Desk, referee, ruling{Tournament: f.ID, Table: table})
		refused(t, "another table", err, key)
	}
	equal(t, "records", names(f.records()), "test.ruling")
}

// TestServerActionsOfAnOrganization checks that an official limited to tournaments cannot act on the server.
func TestServerActionsOfAnOrganization(t *testing.T) {
	f := newFixture(t)
	official := limited(rights.RoleOrganizer, f.ID)
	_, err := action.Do(t.Context(), f.Desk, official, host{Name: "hall"})
	refused(t, "without a tournament", err, "err_limited")
	official.Organization = 7
	_, err = action.Do(t.Context(), f.Desk, official, move{To: "hall"})
	refused(t, "of all tournaments", err, "err_of_house")
	f.untouched("refused")
	if _, err := action.Do(t.Context(), f.Desk, actiontest.Organizer, host{Name: "hall"}); err != nil {
		t.Error(err)
	}
}

// TestOwnActionsCheckTheirRights checks that an action about the actor's own subject must check rights itself: without
// a check it panics and leaves nothing.
func TestOwnActionsCheckTheirRights(t *testing.T) {
	f := newFixture(t)
	do := func(check func(tx *action.Tx) error) (err error, panicked bool) {
		defer func() { panicked = recover() != nil }()
		_, err = action.Do(t.Context(), f.Desk, rights.Public(), signIn{check})
		return err, false
	}
	if _, panicked := do(func(*action.Tx) error { return nil }); !panicked {
		t.Error("an action without a check did not panic")
	}
	err, _ := do(func(tx *action.Tx) error { return tx.Authorize(rights.Place{}, rights.MayHost) })
	refused(t, "without the right", err, "err_sign_in_first")
	f.untouched("without the right")
	if err, panicked := do(func(tx *action.Tx) error { tx.Own(); return nil }); err != nil || panicked {
		t.Errorf("on one's own subject: %v, panicked %t", err, panicked)
	}
	equal(t, "records", names(f.records()), "test.sign_in")
}

// TestOverOrRemovedTournament checks that an action on a tournament that is over or gone is refused and leaves nothing.
func TestOverOrRemovedTournament(t *testing.T) {
	f := newFixture(t)
	round := actiontest.Do(f.Event, draw.PairRound{Tournament: f.ID})
	actiontest.Do(f.Event, draw.PublishRound{Round: round.ID})
	f.Play(round.ID)
	was, err := action.Records(t.Context(), f.DB, actiontest.Organizer, f.ID, 1)
	if err != nil {
		t.Fatal(err)
	}
	for key, by := range map[string]rights.Actor{"err_tournament_not_found": actiontest.Organizer,
		"err_not_your_event": limited(rights.RoleOrganizer, f.ID)} {
		_, err := action.Do(t.Context(), f.Desk, by, draw.Reopen{Tournament: f.ID + 9})
		refused(t, "no such event", err, key)
	}
	_, err = action.Do(t.Context(), f.Desk, actiontest.Organizer, draw.PairRound{Tournament: f.ID})
	refused(t, "over", err, "err_tournament_finished")
	now, err := action.Records(t.Context(), f.DB, actiontest.Organizer, f.ID, 1)
	if err != nil || now[0].ID != was[0].ID {
		t.Errorf("the newest record is %+v, was %+v, %v", now, was, err)
	}
}

// TestFailuresRollBack checks that an action and its record are stored together or not at all.
func TestFailuresRollBack(t *testing.T) {
	f, failed := newFixture(t), errors.New("failed")
	do := func(also func(*action.Tx) error) error {
		_, err := action.Do(t.Context(), f.Desk, actiontest.Organizer, move{f.ID, "Rome", also})
		return err
	}
	if err := do(func(tx *action.Tx) error {
		tx.Touched(action.Changed{Tournament: f.ID, Topics: []action.Topic{{What: action.TopicNews}}})
		tx.Then(func(context.Context, *game.Games) error { t.Error("a failed action was followed up"); return nil })
		return failed
	}); !errors.Is(err, failed) {
		t.Errorf("a failed action: %v", err)
	}
	f.untouched("a failed action")
	if _, err := f.DB.WriteSQL.Exec(`CREATE TRIGGER full BEFORE INSERT ON audit WHEN NEW.action = 'test.followed'
		BEGIN SELECT raise(ABORT, 'full'); END`); err != nil {
		t.Fatal(err)
	}
	if err := do(func(tx *action.Tx) error {
		tx.Record(action.Entry{Kind: followed, Event: f.ID})
		return nil
	}); err == nil {
		t.Error("an action without its second record succeeded")
	}
	f.untouched("a failed record")
	if err := do(nil); err != nil || f.place() != "Rome" || len(f.records()) != 1 {
		t.Errorf("the place is %q, records %v, %v", f.place(), f.records(), err)
	}
}

// TestPreview checks that a preview returns the outcome and the records of the action, and leaves nothing.
func TestPreview(t *testing.T) {
	f := newFixture(t)
	rome := move{f.ID, "Rome", func(tx *action.Tx) error {
		if !tx.Preview {
			t.Error("the action does not know that it is a preview")
		}
		tx.Then(func(context.Context, *game.Games) error { t.Error("a preview was followed up"); return nil })
		return nil
	}}
	if was, err := action.Preview(t.Context(), f.Desk, actiontest.Organizer, rome); was != "" || err != nil {
		t.Errorf("the outcome is %q, %v", was, err)
	}
	records, err := f.Records(t.Context(), actiontest.Organizer, rome, true)
	if err != nil || len(records) != 1 || records[0].About().Name != "Rome" {
		t.Errorf("the records are %v, %v", records, err)
	}
	_, err = action.Preview(t.Context(), f.Desk, rights.Staff(rights.RoleReferee, "Bob"), rome)
	refused(t, "without the right", err, "err_not_allowed")
	f.untouched("a preview")
}

// TestListeners checks that listeners are called once for each changed tournament, after the commit and after what
// follows at the tables.
func TestListeners(t *testing.T) {
	f, failed := newFixture(t), errors.New("no games")
	var order []string
	f.OnChanged(func(c action.Changed) { order = append(order, "changed in "+f.place()) })
	f.OnRecorded(func(r action.Record) { order = append(order, r.Kind) })
	was, err := action.Do(t.Context(), f.Desk, actiontest.Organizer, move{f.ID, "Rome", func(tx *action.Tx) error {
		tx.Record(action.Entry{Kind: followed, Event: f.ID, Topics: []action.Topic{{What: action.TopicTable, ID: 5}}})
		tx.Then(func(context.Context, *game.Games) error {
			order = append(order, "followed in "+f.place())
			return failed
		})
		return nil
	}})
	if was != "" || !errors.Is(err, failed) {
		t.Errorf("the outcome is %q, %v", was, err)
	}
	equal(t, "order", order, "followed in Rome", "changed in Rome", "test.move", "test.followed")
	if len(f.changed) != 1 || f.changed[0].Tournament != f.ID {
		t.Fatalf("changed is %v", f.changed)
	}
	equal(t, "topics", f.changed[0].Topics, action.Topic{What: action.TopicSettings},
		action.Topic{What: action.TopicSeats}, action.Topic{What: action.TopicTable, ID: 5})
}

// TestListenersOfOtherChanges checks changes without a record, changes of several tournaments, and those at practice
// tables.
func TestListenersOfOtherChanges(t *testing.T) {
	f := newFixture(t)
	for _, c := range []struct {
		name string
		also func(tx *action.Tx) error
		want []action.What // of the tournament
		more []action.What // of another one
	}{
		{"touched", func(tx *action.Tx) error {
			tx.Touched(action.Changed{Tournament: f.ID, Topics: []action.Topic{{What: action.TopicNews}}})
			return nil
		}, []action.What{action.TopicNews, action.TopicSettings}, nil},
		{"another tournament", func(tx *action.Tx) error {
			tx.Record(action.Entry{Kind: followed, Event: f.ID + 1})
			return nil
		}, []action.What{action.TopicSettings}, []action.What{action.TopicSeats}},
		{"practice", func(tx *action.Tx) error {
			tx.Record(action.Entry{Kind: followed, Event: f.ID})
			tx.InPractice()
			return nil
		}, []action.What{action.TopicSettings}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			f.changed = nil
			if _, err := action.Do(t.Context(), f.Desk, actiontest.Organizer, move{f.ID, c.name, c.also}); err != nil {
				t.Fatal(err)
			}
			got := map[int64][]action.What{}
			for _, changed := range f.changed {
				for _, topic := range changed.Topics {
					got[changed.Tournament] = append(got[changed.Tournament], topic.What)
				}
			}
			equal(t, "topics", got[f.ID], c.want...)
			equal(t, "topics of another", got[f.ID+1], c.more...)
		})
	}
}

// TestPlannedAgain checks that an action is planned again when the data has moved, at most three times in all.
func TestPlannedAgain(t *testing.T) {
	f := newFixture(t)
	for stale, want := range map[int]int{0: 1, 2: 3, 3: 0} {
		plans := 0
		out, err := action.Do(t.Context(), f.Desk, actiontest.Organizer, searched{Tournament: f.ID, stale: stale,
			plans: &plans})
		if want == 0 {
			refused(t, "always stale", err, "err_draw_moved")
		} else if err != nil {
			t.Error(err)
		}
		if out != want || plans != min(stale+1, 3) {
			t.Errorf("%d stale plans: plan %d of %d was done, want %d", stale, out, plans, want)
		}
	}
	for _, r := range f.records() {
		if n := r.About().Number; n != 1 && n != 3 {
			t.Errorf("plan %d left a record", n)
		}
	}
	if n := len(f.records()); n != 2 {
		t.Errorf("%d records of 2 actions", n)
	}
}

// TestWatch checks that a second process on the same database announces the changes of the first, also after a hint.
func TestWatch(t *testing.T) {
	f := newFixture(t)
	db, err := store.Open(f.DB.File())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	log := game.OpenLog(db)
	t.Cleanup(log.Close)
	games := result.NewGames(db, log)
	t.Cleanup(games.Close)
	other, heard := action.NewDesk(db, games), make(chan action.Changed, 10)
	other.OnChanged(func(c action.Changed) { heard <- c })
	watching, stop := context.WithCancel(t.Context())
	var done sync.WaitGroup
	done.Go(func() { other.Watch(watching) })
	t.Cleanup(func() { stop(); done.Wait() })
	for _, to := range []string{"Rome", "Oslo"} {
		actiontest.Do(f.Event, move{Tournament: f.ID, To: to})
		other.LookSoon()
		select {
		case c := <-heard:
			if c.Tournament != f.ID || !c.Has(action.TopicSettings) {
				t.Errorf("the other process heard of %+v", c)
			}
		case <-time.After(30 * time.Second):
			t.Fatal("the other process heard nothing")
		}
	}
}
