package practice

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/action/actiontest"
	"meldhall/tournament/draw"
	"meldhall/tournament/game"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
	"meldhall/tournament/store/storetest"
)

var referee = rights.Actor{Role: rights.RoleReferee, Name: "Ben", Account: 7, Seat: -1}

// TestEveryDisputeComesUp plays each story under all rule sets and with all numbers of seats, and checks that the table
// ends up as the dispute is described.
func TestEveryDisputeComesUp(t *testing.T) {
	for _, name := range []string{"wrc", "wrc-50", "club", "family", "casual"} {
		for seats := 2; seats <= 4; seats++ {
			for _, d := range Disputes {
				rules, err := ruleset.ParseRuleset(ruleset.Ruleset{}, []byte(storetest.Rules(t, name)))
				if err != nil {
					t.Fatal(err)
				}
				rules.SeatsMin, rules.SeatsMax = 2, seats
				s, err := d.story(rulesFor(rules))
				if err != nil {
					t.Fatalf("%s, %d seats: %v", name, seats, err)
				}
				if fault := d.comesUp(s); fault != "" {
					t.Errorf("%s, %d seats, %s: %s", name, seats, d.Name, fault)
				}
				if verdict := d.Judge(s.state, nil); verdict != VerdictUnruled {
					t.Errorf("%s, %d seats, %s: nothing was ruled, and it is %s", name, seats, d.Name, verdict)
				}
			}
		}
	}
}

// comesUp describes the missing part of a dispute at the end of its story, or returns "".
func (d Dispute) comesUp(s *story) string {
	at := s.state
	switch {
	case at.Physical != d.Real || !d.Count && (at.Phase != engine.PhasePlaying || at.Paused == nil ||
		len(at.Rulings.All) != 1):
		return fmt.Sprintf("phase %s, paused %v, rulings %v", at.Phase, at.Paused, at.Rulings.All)
	case !slices.ContainsFunc(at.Calls[:], func(c engine.Call) bool { return c.Open() }):
		return "nobody calls the referee"
	}
	switch d.Name {
	case "timeout":
		if at.Actions.Last().Kind != "turn_expired" || at.Actions.Last().Seat != d.Seat || !at.Calls[d.Seat].Open() {
			return fmt.Sprintf("the last turn was %+v", at.Actions.Last())
		}
	case "absent":
		expired := 0
		for _, step := range s.told {
			if _, is := step.command.(engine.Expire); is {
				expired++
			}
		}
		// the time for looking at the racks, and three turns
		if expired != 4 || at.Actions.Last().Seat != d.Seat || at.Ready[d.Seat] {
			return fmt.Sprintf("%d times the clock ran out, last was %+v", expired, at.Actions.Last())
		}
	case "count":
		if at.Phase != engine.PhaseOver || at.End.Why != ruleset.EndedEmptied {
			return fmt.Sprintf("phase %s, ending %s", at.Phase, at.End.Why)
		}
	default:
		if at.Turn.Seat != d.Seat || at.Paused.Left == 0 {
			return fmt.Sprintf("the turn is %+v, stopped %+v", at.Turn, at.Paused)
		}
	}
	return ""
}

// openTraining is a training in a new database, beside a tournament that has not begun.
type openTraining struct {
	*testing.T
	store *store.DB
	desk  *action.Desk
	at    tournament.Tournament
}

func newTraining(t *testing.T) *openTraining {
	t.Helper()
	desk := actiontest.Desk(t)
	storetest.Hall(t, desk.DB, 1, 1)
	o := &openTraining{T: t, store: desk.DB, desk: desk}
	var err error
	if o.at, err = action.Do(t.Context(), o.desk, referee, Train{Tournament: 1, Name: "Training"}); err != nil {
		t.Fatal(err)
	}
	return o
}

// table returns a dispute's table, with its game's state and newest result.
func (o *openTraining) table(d Dispute) (tournament.Table, engine.State, *game.Result) {
	o.Helper()
	rounds, err := draw.Rounds(o.Context(), o.store, o.at.ID)
	if err != nil {
		o.Fatal(err)
	}
	tables, err := tournament.Tables(o.Context(), o.store, rounds[0].ID)
	if err != nil || len(tables) != len(Disputes) {
		o.Fatalf("%d tables, %v", len(tables), err)
	}
	table := tables[slices.IndexFunc(Disputes, func(one Dispute) bool { return one.Name == d.Name })]
	snap, err := o.desk.Games.Look(o.Context(), table.Games[0].ID)
	if err != nil {
		o.Fatal(err)
	}
	if res, err := result.LatestResult(o.Context(), o.store, table.Games[0].ID); err == nil {
		return table, snap.State, &res
	}
	return table, snap.State, nil
}

// rule makes a ruling of a kind at the table, citing an article.
func (o *openTraining) rule(d Dispute, kind, rule string, numbers map[string]int) {
	o.Helper()
	table, state, _ := o.table(d)
	k, _ := engine.RulingKindNamed(kind)
	f := engine.RulingFields{Grounds: engine.Grounds{Reason: "as it was", Rule: rule, By: referee.Name},
		Numbers: map[string]int{"turn": state.Turn.Number, "seat": d.Seat, "tiles": 3, "seconds": 30}}
	for name, n := range numbers {
		f.Numbers[name] = n
	}
	if _, err := o.desk.Games.Submit(o.Context(), referee, table.Games[0].ID, "", k.Command(f)); err != nil {
		o.Fatalf("%s: %s: %v", d.Name, kind, err)
	}
}

func (o *openTraining) is(d Dispute, want Verdict) {
	o.Helper()
	if _, state, result := o.table(d); d.Judge(state, result) != want {
		o.Errorf("%s is found %s, want %s", d.Name, d.Judge(state, result), want)
	}
}

// TestWhatTheArticleSaysResolvesIt makes a wrong ruling at every table, restores the table, and then rules as the
// article requires.
func TestWhatTheArticleSaysResolvesIt(t *testing.T) {
	o := newTraining(t)
	for _, d := range Disputes {
		before, _, _ := o.table(d)
		o.is(d, VerdictUnruled)
		if !d.Count {
			o.rule(d, "warning", "7.6", nil)
			o.is(d, VerdictOther)
		}
		if len(d.Answers) > 0 {
			o.rule(d, d.Answers[0], "9.1", nil)
			o.is(d, VerdictGround)
		}
		if _, err := action.Do(t.Context(), o.desk, referee, RepeatDispute{Table: before.ID}); err != nil {
			t.Fatal(err)
		}
		if after, _, _ := o.table(d); after.ID == before.ID || after.Number != before.Number ||
			after.Seats[0].Player.ID != before.Seats[0].Player.ID {
			t.Errorf("%s anew: table %d after %d", d.Name, after.ID, before.ID)
		}
		o.is(d, VerdictUnruled)
		o.resolve(d)
		o.is(d, VerdictRight)
	}
}

// resolve rules as the first article requires.
func (o *openTraining) resolve(d Dispute) {
	o.Helper()
	table, _, res := o.table(d)
	switch {
	case d.Count:
		recount := result.RecountResult{Game: table.Games[0].ID, Rev: res.Rev,
			Racks: racks(len(table.Seats), lies), Why: "a 13 was read as a 3"}
		if _, err := action.Do(o.Context(), o.desk, referee, recount); err != nil {
			o.Fatal(err)
		}
	case len(d.Answers) == 0:
		o.rule(d, "resume", "", nil)
	default:
		o.rule(d, d.Answers[0], d.Articles[0], nil)
	}
}

// TestOtherWaysOfRuling checks verdicts that are easy to get wrong.
func TestOtherWaysOfRuling(t *testing.T) {
	o := newTraining(t)
	d := func(name string) Dispute {
		return Disputes[slices.IndexFunc(Disputes, func(d Dispute) bool { return d.Name == name })]
	}
	_, state, _ := o.table(d("tablet"))
	o.rule(d("tablet"), "rewind", "10.2", map[string]int{"turn": state.Turn.Number})
	o.is(d("tablet"), VerdictRight)
	o.rule(d("tablet"), "time", "10.2", map[string]int{"seconds": 120}) // the closest one counts
	o.is(d("tablet"), VerdictRight)
	table, _, _ := o.table(d("tablet"))
	if _, err := action.Do(t.Context(), o.desk, referee, RepeatDispute{Table: table.ID}); err != nil {
		t.Fatal(err)
	}
	o.rule(d("tablet"), "time", "10.2", map[string]int{"seconds": 5})
	o.is(d("tablet"), VerdictAmount)
	o.rule(d("joker"), "resume", "", nil) // without a ruling
	o.is(d("joker"), VerdictOther)
	o.rule(d("absent"), "forfeit", "7.7", map[string]int{"seat": 0})
	o.is(d("absent"), VerdictOther)
	o.rule(d("timeout"), "time", "10.2", nil)
	_, state, _ = o.table(d("timeout"))
	o.rule(d("timeout"), "cancel", "8.9", map[string]int{"of": state.Rulings.All[1].Seq})
	o.is(d("timeout"), VerdictUnruled)
	o.rule(d("timeout"), "resume", "", nil)
	o.is(d("timeout"), VerdictRight)
	table, _, res := o.table(d("count"))
	if _, err := action.Do(t.Context(), o.desk, referee, result.ConfirmResult{Game: table.Games[0].ID,
		Rev: res.Rev}); err != nil {
		t.Fatal(err)
	}
	o.is(d("count"), VerdictOther)
}

// TestATrainingIsApart checks that a training is in no list, that no bot plays it, that the tournament is not affected,
// and that each official has their own.
func TestATrainingIsApart(t *testing.T) {
	o, ctx := newTraining(t), t.Context()
	seatings := o.desk.Games.Seatings.All()
	all, err := tournament.Tournaments(ctx, o.store)
	going, other := Rehearsals(ctx, o.store)
	if err != nil || other != nil || len(all) != 1 || all[0].ID != 1 || len(going) != 0 {
		t.Errorf("events %v, rehearsals %v, %v, %v", all, going, err, other)
	}
	if _, ok, err := RehearsalOf(ctx, o.store, 1); ok || err != nil {
		t.Errorf("it is the event's rehearsal: %t, %v", ok, err)
	}
	if records, err := action.Records(ctx, o.store, referee, 1, 0); err != nil || len(records) != 0 {
		t.Errorf("the event has %v, %v", records, err)
	}
	anna := rights.Actor{Role: rights.RoleReferee, Name: "Anna", Account: 8, Seat: -1}
	if _, ok, err := TrainingOf(ctx, o.store, anna, 1); ok || err != nil {
		t.Errorf("a colleague has one: %t, %v", ok, err)
	}
	again, err := action.Do(ctx, o.desk, referee, Train{Tournament: o.at.ID}) // sent from a page of the training
	if err != nil || again.Rehearses != 1 {
		t.Fatalf("%+v, %v", again, err)
	}
	if now, ok, err := TrainingOf(ctx, o.store, referee, 1); err != nil || !ok || now.ID != again.ID {
		t.Errorf("now it is %d, %v", now.ID, err)
	}
	if _, err := tournament.TournamentByID(ctx, o.store, o.at.ID); err == nil {
		t.Error("the older one is still there")
	}
	if now := o.desk.Games.Seatings.All(); now != seatings {
		t.Errorf("the seats were read %d times more", now-seatings)
	}
	for role, want := range map[rights.Role]bool{rights.RoleOrganizer: true, rights.RoleHeadReferee: true,
		rights.RoleScorekeeper: false, rights.RoleObserver: false, rights.RolePlayer: false} {
		if _, err := action.Preview(ctx, o.desk, rights.Staff(role, "x"), Train{Tournament: 1}); (err == nil) != want {
			t.Errorf("%s: %v", role, err)
		}
	}
	if _, err := action.Do(ctx, o.desk, referee, RepeatDispute{Table: 1}); err == nil ||
		!strings.Contains(err.Error(), "training") {
		t.Errorf("an event's own table was made anew: %v", err)
	}
}

// TestToldGamesAreTrue checks that the engine confirms every log of a training, and that it survives a restart.
func TestToldGamesAreTrue(t *testing.T) {
	o := newTraining(t)
	for _, d := range Disputes {
		table, state, _ := o.table(d)
		entries, err := o.desk.Games.Log.Tail(t.Context(), table.Games[0].ID, 0)
		if err != nil {
			t.Fatal(err)
		}
		events := make([]engine.Event, len(entries))
		for i, e := range entries {
			events[i] = e.Event
		}
		again, err := engine.Recheck(events)
		if err != nil || again.Seq != state.Seq {
			t.Errorf("%s: %d events of %d, %v", d.Name, again.Seq, state.Seq, err)
		}
		if d.Name == "timeout" {
			evidence, err := o.desk.Games.Notes.Of(t.Context(), referee, table.Games[0].ID)
			if err != nil || len(evidence) != 1 || evidence[0].Kind != game.EvidenceLate || evidence[0].Seat != d.Seat {
				t.Errorf("what is known of the turn: %+v, %v", evidence, err)
			}
		}
		if now := o.store.Millis(); state.At > now || now-state.At > 10_000 {
			t.Errorf("%s ended %d ms ago", d.Name, now-state.At)
		}
	}
	if err := o.desk.Games.Boot(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestOnlyWhatHasNotBegunIsReenacted checks that past events cannot be added to a log that has events.
func TestOnlyWhatHasNotBegunIsReenacted(t *testing.T) {
	o := newTraining(t)
	table, state, _ := o.table(Disputes[0])
	if err := o.desk.Games.Reenact(t.Context(), table.Games[0].ID, nil); err == nil ||
		!strings.Contains(err.Error(), "it has begun") {
		t.Errorf("a game of %d events: %v", state.Seq, err)
	}
}
