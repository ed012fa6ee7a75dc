package action_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"meldhall/tournament/action"
	"meldhall/tournament/action/actiontest"
	"meldhall/tournament/draw"
	"meldhall/tournament/rights"
)

// TestKinds checks the registry of kinds.
func TestKinds(t *testing.T) {
	if k := action.KindOf(move{}); k != action.KindNamed("test.move") || !k.Does() || !k.ByKind() ||
		!slices.Equal(k.Roles(), []rights.Role{rights.RoleOrganizer}) {
		t.Errorf("the kind of moves is %+v", k)
	}
	for name, want := range map[string]bool{"test.followed": false, "test.sign_in": true} {
		if k := action.KindNamed(name); k.Does() != want || k.ByKind() {
			t.Errorf("%s: an action %t, by kind %t", name, k.Does(), k.ByKind())
		}
	}
	if k := action.KindNamed("test.nothing"); k != nil {
		t.Errorf("got %+v for an unknown name", k)
	}
	if all := action.Kinds(); !slices.IsSortedFunc(all, func(a, b *action.Kind) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	}) || !slices.Contains(all, action.KindNamed("test.followed")) {
		t.Error("the kinds are not sorted or not all there")
	}
	for name, register := range map[string]func(){
		"a second kind of a name": func() { action.RecordKind(action.Kind{Name: "test.move"}) },
		"no action":               func() { action.KindOf(7) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s did not panic", name)
				}
			}()
			register()
		}()
	}
}

// TestDecode checks that API clients may send only the action's fields, and forms also others.
func TestDecode(t *testing.T) {
	k := action.KindNamed("test.move")
	for body, want := range map[string]struct{ decodes, reads bool }{
		`{"tournament": 3, "to": "Rome"}`:            {true, true},
		`{"tournament": 3, "to": "Rome", "back": 1}`: {false, true},
		`{"tournament": "x"}`:                        {false, false},
		`[]`:                                         {false, false},
	} {
		a, err := k.Decode([]byte(body))
		b, wrong := k.Read([]byte(body))
		if (err == nil) != want.decodes || (wrong == nil) != want.reads {
			t.Errorf("%s: decoding says %v, reading %v", body, err, wrong)
		}
		for _, got := range []action.Action{a, b} {
			if m, is := got.(move); is && (m.Tournament != 3 || m.To != "Rome") {
				t.Errorf("%s: got %+v", body, m)
			}
		}
	}
}

// TestSubject checks how the first field of an action determines the tournament to which it belongs.
func TestSubject(t *testing.T) {
	f := newFixture(t)
	round := actiontest.Do(f.Event, draw.PairRound{Tournament: f.ID})
	for _, c := range []struct {
		act   action.Action
		table string
		id    int64
		event int64
	}{
		{move{Tournament: f.ID}, "tournaments", f.ID, f.ID},
		{draw.PublishRound{Round: round.ID}, "rounds", round.ID, f.ID},
		{struct{ Player int64 }{f.player(2)}, "players", f.player(2), f.ID},
		{draw.PublishRound{Round: round.ID + 9}, "rounds", round.ID + 9, 0},
		{struct {
			ID int64 `of:"rounds"`
		}{round.ID}, "rounds", round.ID, f.ID},
		{struct{ Name string }{"hall"}, "", 0, 0},
		{struct {
			Name  string
			Round int64
		}{"hall", round.ID}, "", 0, 0}, // not the first field
	} {
		table, id := action.Subject(c.act)
		event, err := action.EventOf(f.DB.Read, c.act)
		if table != c.table || id != c.id || event != c.event || err != nil {
			t.Errorf("%T: %s %d of event %d, %v", c.act, table, id, event, err)
		}
	}
}

// TestSearchProgress checks that the progress of a search for seats is announced at its beginning, at every tenth, and
// at its end.
func TestSearchProgress(t *testing.T) {
	var s action.Searches
	var told []string
	s.OnMoved(func(id int64) {
		percent, running := s.Of(id)
		told = append(told, fmt.Sprint(id, percent, running))
	})
	s.End(3) // none is running
	for _, done := range []int{0, 9, 10, 11, 40, 60} {
		s.Report(3, done, 50)
	}
	s.End(3)
	equal(t, "announced", told, "3 0 true", "3 18 true", "3 20 true", "3 80 true", "3 100 true", "3 0 false")
}

// TestTopicsInRecords checks that a record stores its topics in a fixed order.
func TestTopicsInRecords(t *testing.T) {
	f := newFixture(t)
	topics := []action.Topic{{What: action.TopicTable, ID: 7}, {What: action.TopicTable, ID: 2},
		{What: action.TopicGame, ID: 1}}
	if _, err := action.Do(t.Context(), f.Desk, actiontest.Organizer, move{Tournament: f.ID,
		also: func(tx *action.Tx) error {
			tx.Record(action.Entry{Kind: followed, Event: f.ID, Topics: topics})
			return nil
		}}); err != nil {
		t.Fatal(err)
	}
	var stored []action.Topic
	if err := json.Unmarshal([]byte(f.records()[1].Topics), &stored); err != nil {
		t.Fatal(err)
	}
	equal(t, "topics", stored, action.Topic{What: action.TopicGame, ID: 1}, action.Topic{What: action.TopicSeats},
		action.Topic{What: action.TopicTable, ID: 2}, action.Topic{What: action.TopicTable, ID: 7})
}
