package tournament

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"meldhall/tournament/action"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/rosterfile"
	"meldhall/tournament/store"
)

// crowd is a tournament whose players change.
type crowd struct {
	t    testing.TB
	s    *store.DB
	tour Tournament
}

func newCrowd(t testing.TB, n int) *crowd {
	t.Helper()
	c := &crowd{t: t, s: newStore(t)}
	c.tour = newTournament(t, c.s, "open", 7)
	enterPlayers(t, c.s, c.tour, n)
	return c
}

func (c *crowd) do(a action.ActionOf[PeopleOutcome]) PeopleOutcome {
	c.t.Helper()
	out, err := action.Do(context.Background(), deskOf(c.s), organizer, a)
	if err != nil {
		c.t.Fatalf("%s: %v", action.KindOf(a).Name, err)
	}
	return out
}

func (c *crowd) refused(a action.ActionOf[PeopleOutcome], key string) {
	c.t.Helper()
	_, err := action.Do(context.Background(), deskOf(c.s), organizer, a)
	var e *refuse.Error
	if !errors.As(err, &e) || e.Key != key {
		c.t.Errorf("%s: got %v, want %s", action.KindOf(a).Name, err, key)
	}
}

// register enters a player by self-registration.
func (c *crowd) register(name string) (Player, error) {
	return action.Do(context.Background(), deskOf(c.s), rights.Public(),
		Register{Tournament: c.tour.ID, PlayerEntry: rosterfile.PlayerEntry{Name: name}})
}

func (c *crowd) draw() Round {
	c.t.Helper()
	r, err := action.Do(context.Background(), deskOf(c.s), organizer,
		PairRound{Tournament: c.tour.ID, PairingOptions: PairingOptions{Note: "again"}})
	if err != nil {
		c.t.Fatal(err)
	}
	return r
}

func (c *crowd) publish(r Round) {
	c.t.Helper()
	if _, err := action.Do(context.Background(), deskOf(c.s), organizer, PublishRound{Round: r.ID}); err != nil {
		c.t.Fatal(err)
	}
}

// play starts a round and ends all its games.
func (c *crowd) play(r Round) {
	c.t.Helper()
	if _, err := action.Do(context.Background(), deskOf(c.s), organizer, StartRound{Round: r.ID}); err != nil {
		c.t.Fatal(err)
	}
	tables, err := Tables(context.Background(), c.s, r.ID)
	if err != nil {
		c.t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(uint64(r.Number), 7))
	for _, table := range tables {
		for _, game := range table.Games {
			if err := endGame(c.t, c.s, game.ID, fabricated(rng, len(table.Seats))); err != nil {
				c.t.Fatal(err)
			}
			if _, err := action.Do(context.Background(), deskOf(c.s), organizer,
				ConfirmResult{Game: game.ID, Rev: 1}); err != nil {
				c.t.Fatal(err)
			}
		}
	}
}

func (c *crowd) player(number int) Player {
	c.t.Helper()
	var p Player
	if err := c.s.Read.Where("tournament_id = ? AND number = ?", c.tour.ID, number).Take(&p).Error; err != nil {
		c.t.Fatal(err)
	}
	return p
}

func (c *crowd) people() peopleState {
	c.t.Helper()
	p, err := loadPeople(c.s.Read, c.tour.ID)
	if err != nil {
		c.t.Fatal(err)
	}
	return p
}

func (c *crowd) placings(r Round) map[int][]int64 {
	c.t.Helper()
	tables, _, err := placings(c.s.Read, r.ID)
	if err != nil {
		c.t.Fatal(err)
	}
	at := map[int][]int64{}
	for _, t := range tables {
		at[t.Number] = t.Players
	}
	return at
}

func effectKeys(list []PeopleEffect) string {
	var keys []string
	for _, e := range list {
		keys = append(keys, e.Key)
	}
	return strings.Join(keys, " ")
}

func sizesOf(tables map[int][]int64) string {
	var sizes []int
	for _, n := range slices.Sorted(maps.Keys(tables)) {
		sizes = append(sizes, len(tables[n]))
	}
	slices.Sort(sizes)
	return fmt.Sprint(sizes)
}

// differing counts the tables that changed.
func differing(was, is map[int][]int64) int {
	n := 0
	for number, players := range is {
		if !slices.Equal(players, was[number]) {
			n++
		}
	}
	return n
}

func TestPeopleChangeADraft(t *testing.T) {
	c := newCrowd(t, 61)
	r := c.draw()
	t.Run("one who leaves touches the tables that must change and no other", func(t *testing.T) {
		was := c.placings(r)
		out := c.do(LeaveEvent{Tournament: c.tour.ID, Player: c.player(9).ID, Why: "ill"})
		is := c.placings(r)
		if got := sizesOf(is); got != "[4 4 4 4 4 4 4 4 4 4 4 4 4 4 4]" {
			t.Errorf("60 players sit at %s", got)
		}
		if n := differing(was, is); n > 4 || !strings.Contains(effectKeys(out.Effects), "becomes_withdrawn") {
			t.Errorf("%d tables changed: %s", n, effectKeys(out.Effects))
		}
		action.Do(t.Context(), deskOf(c.s), organizer, UndoPeople{Change: out.Change})
		if !maps.EqualFunc(c.placings(r), was, slices.Equal) {
			t.Errorf("taken back, the tables are not as before")
		}
	})
	t.Run("one who comes sits down at a table of three", func(t *testing.T) {
		was := c.placings(r)
		out := c.do(EnterPlayers{Tournament: c.tour.ID, Entries: []rosterfile.PlayerEntry{{Name: "Late One"}}})
		is := c.placings(r)
		if got, n := sizesOf(is), differing(was, is); got != "[3 3 4 4 4 4 4 4 4 4 4 4 4 4 4 4]" || n != 1 {
			t.Errorf("%s, %d tables changed: %s", got, n, effectKeys(out.Effects))
		}
	})
	t.Run("a table out of service moves as a whole", func(t *testing.T) {
		was := c.placings(r)
		out := c.do(CloseTable{Tournament: c.tour.ID, Number: 3, Why: "wet"})
		is := c.placings(r)
		if _, ok := is[3]; ok || !slices.Equal(is[17], was[3]) {
			t.Errorf("table 3 is at 17 as %v, was %v", is[17], was[3])
		}
		if _, err := action.Do(t.Context(), deskOf(c.s), organizer, UndoPeople{Change: out.Change}); err != nil ||
			!maps.EqualFunc(c.placings(r), was, slices.Equal) {
			t.Errorf("taken back: %v", err)
		}
	})
	t.Run("a player with a fixed table sits there, drawn again too", func(t *testing.T) {
		p := c.player(20).ID
		c.do(FixTable{Tournament: c.tour.ID, Player: p, Number: 1})
		c.do(FixTable{Tournament: c.tour.ID, Player: c.player(21).ID, Number: 2})
		c.do(CloseTable{Tournament: c.tour.ID, Number: 4})
		for range 5 {
			at := c.placings(r)
			if !slices.Contains(at[1], p) || !slices.Contains(at[2], c.player(21).ID) || at[4] != nil {
				t.Fatalf("table 1 has %v, table 2 %v, table 4 %v", at[1], at[2], at[4])
			}
			r = c.draw()
		}
	})
	t.Run("what was built on is not taken back", func(t *testing.T) {
		out := c.do(LeaveEvent{Tournament: c.tour.ID, Player: c.player(30).ID})
		c.publish(r)
		if _, err := action.Do(t.Context(), deskOf(c.s), organizer, UndoPeople{Change: out.Change}); !errors.Is(err,
			&refuse.Error{Kind: refuse.KindConflict, Key: "err_undo_seats"}) {
			t.Errorf("got %v", err)
		}
	})
}

func TestPeopleOfAPublishedRound(t *testing.T) {
	c := newCrowd(t, 15)
	r := c.draw()
	c.publish(r)
	t.Run("who comes late sits at the table of three", func(t *testing.T) {
		out := c.do(EnterPlayers{Tournament: c.tour.ID, Entries: []rosterfile.PlayerEntry{{Name: "Late One"}}})
		if got := sizesOf(c.placings(r)); got != "[4 4 4 4]" || c.player(16).State != StateCheckedIn ||
			!strings.Contains(effectKeys(out.Effects), "enters_here") {
			t.Errorf("%s, %s: %s", got, c.player(16).State, effectKeys(out.Effects))
		}
	})
	t.Run("the next one plays from the next round on", func(t *testing.T) {
		out := c.do(EnterPlayers{Tournament: c.tour.ID, Entries: []rosterfile.PlayerEntry{{Name: "Later One"}}})
		if !strings.Contains(effectKeys(out.Effects), "misses_late") || sizesOf(c.placings(r)) != "[4 4 4 4]" {
			t.Errorf("%s", effectKeys(out.Effects))
		}
	})
	t.Run("a no-show leaves three at the table, and misses the round", func(t *testing.T) { leavesThree(t, c, r) })
	t.Run("a substitute plays for the entry, and is named", func(t *testing.T) { playsForTheEntry(t, c, r) })
	t.Run("a substitute with own results takes the seat", func(t *testing.T) {
		p := c.player(3)
		before := c.placings(r)
		out := c.do(Substitute{Tournament: c.tour.ID, Player: p.ID, Keep: KeepPerson,
			Entries: []rosterfile.PlayerEntry{{Name: "New Entry"}}})
		if c.player(3).State != StateSubstituted || len(out.Players) != 1 || sizesOf(c.placings(r)) != sizesOf(before) {
			t.Errorf("%+v: %s", out.Players, effectKeys(out.Effects))
		}
	})
	t.Run("history stays when the round is played", func(t *testing.T) { keepsHistory(t, c, r) })
}

func leavesThree(t *testing.T, c *crowd, r Round) {
	out := c.do(NoShow{Tournament: c.tour.ID, Player: c.player(1).ID})
	if !strings.Contains(effectKeys(out.Effects), "misses_no_show") || sizesOf(c.placings(r)) != "[3 4 4 4]" {
		t.Errorf("%s %s", effectKeys(out.Effects), sizesOf(c.placings(r)))
	}
	tables, err := TableCodes(t.Context(), c.s, organizer, r.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range tables {
		if table.Code == "" || len(table.Games) != r.Games {
			t.Errorf("table %d: code %q, %d games", table.Number, table.Code, len(table.Games))
		}
		for i, seat := range table.Seats {
			if seat.Seat != i || seat.Code == "" {
				t.Errorf("table %d: seat %d is %+v", table.Number, i, seat)
			}
		}
	}
}

func playsForTheEntry(t *testing.T, c *crowd, r Round) {
	p := c.player(2)
	out := c.do(Substitute{Tournament: c.tour.ID, Player: p.ID, Entries: []rosterfile.PlayerEntry{{Name: "Aunt Mary"}}})
	if seatName(t, c.s, r, p.ID) != "Aunt Mary" || c.player(2).State != StateRegistered {
		t.Errorf("%s sits there: %s", seatName(t, c.s, r, p.ID), effectKeys(out.Effects))
	}
	c.do(ReturnInPerson{Tournament: c.tour.ID, Player: p.ID})
	if seatName(t, c.s, r, p.ID) != p.Name {
		t.Errorf("%s sits there again", seatName(t, c.s, r, p.ID))
	}
	c.do(Substitute{Tournament: c.tour.ID, Player: p.ID, Entries: []rosterfile.PlayerEntry{{Name: "Cousin Ann"}}})
	out = c.do(Substitute{Tournament: c.tour.ID, Player: p.ID, Entries: []rosterfile.PlayerEntry{{Name: "Cousin Joe"}}})
	if _, err := action.Do(t.Context(), deskOf(c.s), organizer, UndoPeople{Change: out.Change}); err != nil ||
		seatName(t, c.s, r, p.ID) != "Cousin Ann" {
		t.Errorf("another substitute taken back: %v, %s sits there", err, seatName(t, c.s, r, p.ID))
	}
	c.do(Substitute{Tournament: c.tour.ID, Player: p.ID, Entries: []rosterfile.PlayerEntry{{Name: "Uncle Bob"}}})
}

func keepsHistory(t *testing.T, c *crowd, r Round) {
	c.play(r)
	p := c.player(4)
	was, err := StandingsOf(t.Context(), c.s, c.tour.ID)
	if err != nil {
		t.Fatal(err)
	}
	c.do(LeaveEvent{Tournament: c.tour.ID, Player: p.ID, Now: true})
	is, err := StandingsOf(t.Context(), c.s, c.tour.ID)
	if err != nil {
		t.Fatal(err)
	}
	of := func(st Standings) StandingsRow {
		return st.Rows[slices.IndexFunc(st.Rows, func(r StandingsRow) bool { return r.Player == p.ID })]
	}
	if a, b := of(was), of(is); a.Points != b.Points || a.Place != b.Place || !b.Withdrawn {
		t.Errorf("was %+v, is %+v", a, b)
	}
	if got := seatName(t, c.s, r, c.player(2).ID); got != "Uncle Bob" {
		t.Errorf("%s played there", got)
	}
	next := c.draw()
	if got := len(slices.Concat(slices.Collect(maps.Values(c.placings(next)))...)); got != 15 {
		t.Errorf("%d players sit in the next round", got)
	}
	c.publish(next)
	missed, err := Missed(t.Context(), c.s, c.tour.ID)
	if err != nil || !slices.ContainsFunc(missed, func(m MissedRound) bool {
		return m.PlayerID == p.ID && m.Round == next.Number && m.Reason == MissedLeft
	}) {
		t.Errorf("missed: %+v, %v", missed, err)
	}
}

func seatName(t testing.TB, s *store.DB, r Round, player int64) string {
	t.Helper()
	tables, err := Tables(context.Background(), s, r.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range tables {
		for _, seat := range table.Seats {
			if seat.PlayerID == player {
				return seat.Player.Name
			}
		}
	}
	return ""
}

func TestWaitingList(t *testing.T) {
	c := newCrowd(t, 6)
	settings := PeopleSettingsOf{RegistrationOpen: true, Capacity: 8, NoShowMinutes: 10}
	c.do(SetPeopleSettings{Tournament: c.tour.ID, Settings: settings})
	c.do(EnterPlayers{Tournament: c.tour.ID, Entries: []rosterfile.PlayerEntry{{Name: "Ann"}, {Name: "Ben"},
		{Name: "Cid"}, {Name: "Dot"}}})
	if c.player(8).State != StateRegistered || c.player(9).State != StateWaiting || c.player(10).State != StateWaiting {
		t.Fatalf("%s %s %s", c.player(8).State, c.player(9).State, c.player(10).State)
	}
	players, err := Players(t.Context(), c.s, c.tour.ID)
	if err != nil || len(players) != 8 {
		t.Errorf("%d players, %v", len(players), err)
	}
	t.Run("the first who waits takes a free place", func(t *testing.T) {
		out := c.do(LeaveEvent{Tournament: c.tour.ID, Player: c.player(1).ID})
		if c.player(9).State != StateRegistered || c.player(10).State != StateWaiting ||
			!strings.Contains(effectKeys(out.Effects), "moves_up") {
			t.Errorf("%s", effectKeys(out.Effects))
		}
	})
	t.Run("all who are not checked in are removed at once", func(t *testing.T) {
		for _, n := range []int{2, 3, 4, 5} {
			c.do(CheckIn{Tournament: c.tour.ID, Player: c.player(n).ID})
		}
		was := c.people()
		out := c.do(RemoveAbsent{Tournament: c.tour.ID})
		if c.player(6).State != StateNoShow || c.player(5).State != StateCheckedIn ||
			c.player(10).State != StateRegistered {
			t.Errorf("%s", effectKeys(out.Effects))
		}
		if _, err := action.Do(t.Context(), deskOf(c.s), organizer, UndoPeople{Change: out.Change}); err != nil ||
			!maps.Equal(c.people(), was) {
			t.Errorf("taken back: %v", err)
		}
	})
	c.refused(CheckIn{Tournament: c.tour.ID, Player: c.player(10).ID}, "err_check_in_state")
	c.refused(MoveUp{Tournament: c.tour.ID, Player: c.player(2).ID}, "err_not_waiting")
}
