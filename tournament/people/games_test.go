package people_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/eventtest"
	"meldhall/tournament/game"
	"meldhall/tournament/game/gametest"
	"meldhall/tournament/people"
	"meldhall/tournament/refuse"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/tournament/rosterfile"
)

// sitting is a tournament of eight whose first round is running, with a device for every player. The first turn of
// table 1's game has begun.
type sitting struct {
	*eventtest.Crowd
	g      *game.Games
	round  tournament.Round
	tokens map[int64]string // by player
	game   int64
}

func newSitting(t *testing.T) *sitting {
	t.Helper()
	s, tables := newSeated(t, eventtest.NewCrowd(t, 8))
	if _, err := action.Do(context.Background(), action.NewDesk(s.g.DB, s.g), eventtest.Organizer,
		draw.StartRound{Round: s.round.ID}); err != nil {
		t.Fatal(err)
	}
	s.game = tables[0].Games[0].ID
	gametest.ReadyAll(t, s.g, s.game)
	return s
}

// newSeated returns such a tournament before its round starts.
func newSeated(t *testing.T, c *eventtest.Crowd) (*sitting, []tournament.Table) {
	t.Helper()
	ctx := context.Background()
	s := &sitting{Crowd: c, tokens: map[int64]string{}}
	s.g = eventtest.Runner(t, s.S)
	s.round = s.Draw()
	s.Publish(s.round)
	tables, err := tournament.TableCodes(ctx, s.S, eventtest.Organizer, s.round.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range tables {
		for _, seat := range table.Seats {
			joined, err := joinBy(s.S, seat.Code, 0)
			if err != nil {
				t.Fatal(err)
			}
			s.tokens[seat.PlayerID] = joined.Token
		}
	}
	return s, tables
}

// mover returns the player whose turn it is, and the seat.
func (s *sitting) mover() (tournament.Player, int) {
	s.T.Helper()
	snap := gametest.Look(s.T, s.g, s.game)
	p, err := tournament.PlayerByID(context.Background(), s.S, snap.Ref.Players[snap.State.Turn.Seat])
	if err != nil {
		s.T.Fatal(err)
	}
	return p, snap.State.Turn.Seat
}

// change previews an action, then runs it.
func (s *sitting) change(a action.ActionOf[people.PeopleOutcome]) people.PeopleOutcome {
	s.T.Helper()
	ctx := context.Background()
	was, seq := s.People(), gametest.Look(s.T, s.g, s.game).State.Seq
	seen, err := action.Preview(ctx, eventtest.DeskOf(s.S), eventtest.Organizer, a)
	if err != nil {
		s.T.Fatal(err)
	}
	if now := s.People(); len(now) != len(was) || gametest.Look(s.T, s.g, s.game).State.Seq != seq {
		s.T.Errorf("looking at %s changed something", action.KindOf(a).Name)
	}
	out, err := action.Do(ctx, action.NewDesk(s.g.DB, s.g), eventtest.Organizer, a)
	if err != nil || eventtest.EffectKeys(out.Effects) != eventtest.EffectKeys(seen.Effects) {
		s.T.Fatalf("%s: %v, did %s, looked at %s", action.KindOf(a).Name, err, eventtest.EffectKeys(out.Effects),
			eventtest.EffectKeys(seen.Effects))
	}
	return out
}

func (s *sitting) undo(out people.PeopleOutcome) {
	s.T.Helper()
	if _, err := action.Do(context.Background(), action.NewDesk(s.g.DB, s.g), eventtest.Organizer,
		people.UndoPeople{Change: out.Change, Why: "a mistake"}); err != nil {
		s.T.Fatal(err)
	}
}

// works reports whether a device still plays for a player.
func (s *sitting) works(token string) bool {
	s.T.Helper()
	_, err := people.ActorByToken(context.Background(), s.S, token)
	if err != nil && !errors.Is(err, refuse.ErrUnauthenticated) {
		s.T.Fatal(err)
	}
	return err == nil
}

// joinAnew takes a player's seat with its current code.
func (s *sitting) joinAnew(player int64) (string, rights.Actor) {
	s.T.Helper()
	tables, err := tournament.TableCodes(context.Background(), s.S, eventtest.Organizer, s.round.ID)
	if err != nil {
		s.T.Fatal(err)
	}
	for _, table := range tables {
		for _, seat := range table.Seats {
			if seat.PlayerID == player {
				joined, err := joinBy(s.S, seat.Code, 0)
				if err != nil {
					s.T.Fatal(err)
				}
				return joined.Token, joined.Actor
			}
		}
	}
	s.T.Fatalf("player %d sits nowhere", player)
	return "", rights.Actor{}
}

func (s *sitting) drawTile(actor rights.Actor) error {
	turn := gametest.Look(s.T, s.g, s.game).State.Turn
	_, err := s.g.Submit(context.Background(), actor, s.game, "", engine.Draw{Seat: turn.Seat, Turn: turn.Number})
	return err
}

func TestASubstituteInARunningGame(t *testing.T) {
	s := newSitting(t)
	p, seat := s.mover()
	out := s.change(people.Substitute{Tournament: s.Tour.ID, Player: p.ID,
		Entries: []rosterfile.PlayerEntry{{Name: "Aunt Mary"}}})
	if !strings.Contains(eventtest.EffectKeys(out.Effects), "stand_in") ||
		!strings.Contains(eventtest.EffectKeys(out.Effects), "device_out") {
		t.Errorf("it says %s", eventtest.EffectKeys(out.Effects))
	}
	if s.works(s.tokens[p.ID]) {
		t.Error("the device of who has left still plays")
	}
	if snap := gametest.Look(t, s.g, s.game); snap.Ref.Players[seat] != p.ID || snap.State.Out[seat] {
		t.Errorf("the seat is %d's, out %t: it stays the entry's", snap.Ref.Players[seat], snap.State.Out[seat])
	}
	token, actor := s.joinAnew(p.ID)
	if actor.Player != p.ID || actor.Seat != seat {
		t.Errorf("the substitute sits as %+v", actor)
	}
	if err := s.drawTile(actor); err != nil {
		t.Errorf("the substitute cannot draw: %v", err)
	}
	ins, err := people.StandIns(t.Context(), s.S, s.Tour.ID)
	if err != nil || len(ins) != 1 || ins[0].Name != "Aunt Mary" || ins[0].Round != 1 || ins[0].Game != 2 {
		t.Errorf("who stands in: %+v, %v", ins, err)
	}
	s.undo(out)
	if s.works(token) {
		t.Error("taken back, the substitute's device still plays")
	}
	back, actor := s.joinAnew(p.ID)
	if !s.works(back) || actor.Name != p.Name {
		t.Errorf("back sits %+v", actor)
	}
	if ins, _ := people.StandIns(t.Context(), s.S, s.Tour.ID); len(ins) != 0 {
		t.Errorf("taken back: %+v", ins)
	}
	t.Run("when the substitute has begun a game it is not taken back", func(t *testing.T) {
		out := s.change(people.Substitute{Tournament: s.Tour.ID, Player: p.ID,
			Entries: []rosterfile.PlayerEntry{{Name: "Uncle Bob"}}})
		if err := s.S.Write.Exec("UPDATE games SET status = 'finished' WHERE table_id = ? AND number = 2",
			gametest.Look(t, s.g, s.game).Ref.TableID).Error; err != nil {
			t.Fatal(err)
		}
		_, err := action.Do(t.Context(), action.NewDesk(s.g.DB, s.g), eventtest.Organizer,
			people.UndoPeople{Change: out.Change})
		if !errors.Is(err, &refuse.Error{Kind: refuse.KindConflict, Key: "err_undo_player"}) {
			t.Errorf("got %v", err)
		}
	})
}

func TestLeavingARunningGame(t *testing.T) {
	out := func(s *sitting, seat int) bool { return gametest.Look(s.T, s.g, s.game).State.Out[seat] }
	for _, kind := range []string{tournament.PeopleLeave, tournament.PeopleNoShow} {
		t.Run(kind, func(t *testing.T) {
			s := newSitting(t)
			p, seat := s.mover()
			done := s.change(map[string]action.ActionOf[people.PeopleOutcome]{
				tournament.PeopleLeave: people.LeaveEvent{Tournament: s.Tour.ID, Player: p.ID, Now: true,
					Why: "felt ill"},
				tournament.PeopleNoShow: people.NoShow{Tournament: s.Tour.ID, Player: p.ID, Why: "felt ill"}}[kind])
			snap := gametest.Look(t, s.g, s.game)
			if !out(s, seat) || snap.State.Turn.Seat == seat ||
				!strings.Contains(eventtest.EffectKeys(done.Effects), "gives_up") {
				t.Errorf("out %t, seat %d moves: %s", out(s, seat), snap.State.Turn.Seat,
					eventtest.EffectKeys(done.Effects))
			}
			if rulings := engine.ViewFor(&snap.State, engine.Referee).Rulings; len(rulings) != 1 ||
				rulings[0].Reason != "felt ill" || rulings[0].By != eventtest.Organizer.Name {
				t.Errorf("the record says %+v", rulings)
			}
			s.undo(done)
			if out(s, seat) || s.Player(p.Number).State != tournament.StateRegistered {
				t.Errorf("taken back: out %t, %s", out(s, seat), s.Player(p.Number).State)
			}
		})
	}
	t.Run("after the round: nothing happens in the game", func(t *testing.T) {
		s := newSitting(t)
		p, seat := s.mover()
		if done := s.change(people.LeaveEvent{Tournament: s.Tour.ID, Player: p.ID}); out(s, seat) ||
			!strings.Contains(eventtest.EffectKeys(done.Effects), "plays_round_out") {
			t.Errorf("out %t: %s", out(s, seat), eventtest.EffectKeys(done.Effects))
		}
		if err := s.drawTile(gametest.Player(gametest.Look(t, s.g, s.game), seat)); err != nil {
			t.Errorf("who leaves after the round cannot play it out: %v", err)
		}
	})
	t.Run("what a referee ruled stays when something else is taken back", func(t *testing.T) {
		s := newSitting(t)
		p, seat := s.mover()
		fixed := s.change(people.FixTable{Tournament: s.Tour.ID, Player: p.ID, Number: 2})
		_, err := s.g.Submit(t.Context(), rights.Staff(rights.RoleReferee, "Bob"), s.game, "forfeit-by-bob",
			engine.ForfeitSeat{Grounds: engine.Grounds{Reason: "left the hall", By: "Bob"}, Seat: seat})
		if err != nil {
			t.Fatal(err)
		}
		s.undo(fixed)
		if !out(s, seat) {
			t.Error("the referee's ruling was cancelled by taking back a fixed table")
		}
	})
	t.Run("who has gone is out of the games to come", func(t *testing.T) {
		s := newSitting(t)
		p, seat := s.mover()
		done := s.change(people.LeaveEvent{Tournament: s.Tour.ID, Player: p.ID, Now: true})
		if _, err := action.Do(t.Context(), action.NewDesk(s.g.DB, s.g), rights.Staff(rights.RoleOrganizer, "another"),
			people.CorrectPlayer{Tournament: p.TournamentID, Player: p.ID,
				Entries: []rosterfile.PlayerEntry{{Name: "Corrected Since"}}}); err != nil {
			t.Fatal(err)
		}
		ref := gametest.Look(t, s.g, s.game).Ref
		lines := eventtest.Even(4, false)
		if err := eventtest.EndGame(t, s.S, s.game, lines); err != nil {
			t.Fatal(err)
		}
		if _, err := action.Do(t.Context(), action.NewDesk(s.g.DB, s.g), eventtest.Organizer,
			result.ConfirmResult{Game: s.game, Rev: 1}); err != nil {
			t.Fatal(err)
		}
		games, err := s.S.IDs(t.Context(), `SELECT id FROM games WHERE table_id = $1 AND number = 2`, ref.TableID)
		if err != nil || len(games) != 1 {
			t.Fatal(games, err)
		}
		s.game = games[0]
		if !out(s, seat) {
			t.Fatal("the next game has the seat of who has gone")
		}
		s.undo(done)
		if out(s, seat) {
			t.Error("taken back, the seat still does not play")
		}
	})
}

// newHalfBegun returns a round in which only the first table has begun.
func newHalfBegun(t *testing.T, players int) (*sitting, []tournament.Table) {
	s, tables := newSeated(t, eventtest.NewCrowd(t, players))
	if _, err := action.Do(t.Context(), action.NewDesk(s.g.DB, s.g), eventtest.Organizer,
		draw.StartTable{Table: tables[0].ID}); err != nil {
		t.Fatal(err)
	}
	s.game = tables[0].Games[0].ID
	gametest.ReadyAll(t, s.g, s.game)
	return s, tables
}

// TestANoShowAtATableThatWaits checks that when only some tables of a round have started, chairs at the others are
// given up as before the start.
func TestANoShowAtATableThatWaits(t *testing.T) {
	t.Run("who sits there is three, and the game begins with them", func(t *testing.T) {
		s, tables := newHalfBegun(t, 8)
		was, waits := s.People(), tables[1]
		done := s.change(people.NoShow{Tournament: s.Tour.ID, Player: waits.Seats[1].PlayerID})
		if keys := eventtest.EffectKeys(done.Effects); !strings.Contains(keys, "seat_left") ||
			!strings.Contains(keys, "misses_no_show") || strings.Contains(keys, "gives_up") {
			t.Errorf("it says %s", keys)
		}
		if got := s.Placings(s.round); len(got[2]) != 3 || len(got[1]) != 4 {
			t.Errorf("the tables are %v", got)
		}
		s.undo(done)
		if a, b := was.Against(s.People()); len(a)+len(b) != 0 {
			t.Errorf("taken back: %v, was %v", b, a)
		}
		done = s.change(people.LeaveEvent{Tournament: s.Tour.ID, Player: waits.Seats[2].PlayerID, Now: true})
		if _, err := action.Do(t.Context(), action.NewDesk(s.g.DB, s.g), eventtest.Organizer,
			draw.StartTable{Table: waits.ID}); err != nil {
			t.Fatal(err)
		}
		if snap := gametest.Look(t, s.g, waits.Games[0].ID); len(snap.Ref.Players) != 3 {
			t.Errorf("the game has %d players", len(snap.Ref.Players))
		}
		if _, err := action.Do(t.Context(), action.NewDesk(s.g.DB, s.g), eventtest.Organizer,
			people.UndoPeople{Change: done.Change}); !errors.Is(err,
			&refuse.Error{Kind: refuse.KindConflict, Key: "err_undo_seats"}) {
			t.Errorf("taken back when the game is on: %v", err)
		}
	})
}

func TestALateEntryTakesAChairThatWasKept(t *testing.T) {
	s, tables := newHalfBegun(t, 6)
	waits := tables[1]
	s.change(people.NoShow{Tournament: s.Tour.ID, Player: waits.Seats[0].PlayerID})
	s.change(people.NoShow{Tournament: s.Tour.ID, Player: waits.Seats[1].PlayerID})
	was := s.People()
	done := s.change(people.EnterPlayers{Tournament: s.Tour.ID, Entries: []rosterfile.PlayerEntry{{Name: "Late One"}}})
	if keys := eventtest.EffectKeys(done.Effects); !strings.Contains(keys, "seat_left") ||
		!strings.Contains(keys, "misses_no_show") {
		t.Errorf("it says %s", keys)
	}
	want := []int64{waits.Seats[2].PlayerID, done.Players[0].ID}
	if got := gametest.Look(t, s.g, waits.Games[0].ID).Ref.Players; !slices.Equal(got, want) {
		t.Errorf("at the table are %v, want %v", got, want)
	}
	s.undo(done)
	if a, b := was.Against(s.People()); len(a)+len(b) != 0 {
		t.Errorf("taken back: %v, was %v", b, a)
	}
	s.change(people.EnterPlayers{Tournament: s.Tour.ID, Entries: []rosterfile.PlayerEntry{{Name: "Later Still"}}})
	if _, err := action.Do(t.Context(), action.NewDesk(s.g.DB, s.g), eventtest.Organizer,
		draw.StartTable{Table: waits.ID}); err != nil {
		t.Fatal(err)
	}
	if snap := gametest.Look(t, s.g, waits.Games[0].ID); len(snap.Ref.Players) != 2 || snap.State.Out[0] ||
		snap.State.Out[1] {
		t.Errorf("of %v out %v", snap.Ref.Players, snap.State.Out)
	}
}

func TestANoShowLeavesNobodyAlone(t *testing.T) {
	s, tables := newHalfBegun(t, 6)
	waits := tables[1]
	s.change(people.NoShow{Tournament: s.Tour.ID, Player: waits.Seats[0].PlayerID})
	done := s.change(people.NoShow{Tournament: s.Tour.ID, Player: waits.Seats[1].PlayerID})
	if keys := eventtest.EffectKeys(done.Effects); !strings.Contains(keys, "gives_up") ||
		strings.Contains(keys, "misses") {
		t.Errorf("it says %s", keys)
	}
	if _, err := action.Do(t.Context(), action.NewDesk(s.g.DB, s.g), eventtest.Organizer,
		draw.StartTable{Table: waits.ID}); err != nil {
		t.Fatal(err)
	}
	if snap := gametest.Look(t, s.g, waits.Games[0].ID); len(snap.Ref.Players) != 2 || !snap.State.Out[0] ||
		snap.State.Out[1] {
		t.Errorf("out %v", snap.State.Out)
	}
}

func TestANoShowWhoPlaysAlreadyGivesUpTheSeat(t *testing.T) {
	s, tables := newHalfBegun(t, 8)
	p, seat := s.mover()
	done := s.change(people.NoShow{Tournament: s.Tour.ID, Player: p.ID})
	if !strings.Contains(eventtest.EffectKeys(done.Effects), "gives_up") ||
		!gametest.Look(t, s.g, s.game).State.Out[seat] {
		t.Errorf("it says %s", eventtest.EffectKeys(done.Effects))
	}
	done = s.change(people.LeaveEvent{Tournament: s.Tour.ID, Player: tables[1].Seats[0].PlayerID})
	if !strings.Contains(eventtest.EffectKeys(done.Effects), "plays_round_out") ||
		eventtest.SizesOf(s.Placings(s.round)) != "[4 4]" {
		t.Errorf("it says %s", eventtest.EffectKeys(done.Effects))
	}
}

func TestATableTooSmallTakesFromThoseThatWait(t *testing.T) {
	s, tables := newHalfBegun(t, 15)
	before := s.Placings(s.round)
	three := tables[3]
	if len(three.Seats) != 3 {
		t.Fatalf("table 4 has %d", len(three.Seats))
	}
	s.change(people.NoShow{Tournament: s.Tour.ID, Player: three.Seats[0].PlayerID})
	if now := s.Placings(s.round); eventtest.SizesOf(now) != "[3 3 4 4]" || !slices.Equal(now[1], before[1]) {
		t.Errorf("%v, was %v", now, before)
	}
}

// TestALateEntryWhileARoundRuns checks that a player entered during a round misses it and plays from the next one on,
// and that undoing removes the player.
func TestALateEntryWhileARoundRuns(t *testing.T) {
	s := newSitting(t)
	before := s.People()
	done := s.change(people.EnterPlayers{Tournament: s.Tour.ID, Entries: []rosterfile.PlayerEntry{{Name: "Late One"}}})
	if !strings.Contains(eventtest.EffectKeys(done.Effects), "misses_late") || len(done.Players) != 1 {
		t.Errorf("it says %s", eventtest.EffectKeys(done.Effects))
	}
	s.undo(done)
	if a, b := before.Against(s.People()); len(a)+len(b) != 0 {
		t.Errorf("taken back: %v, was %v", b, a)
	}
}

// TestWhoComesToATableThatWaits checks that a player entered while some tables of a round play gets a chair at a
// waiting table, and that the table's game knows it at once, however the player was entered.
func TestWhoComesToATableThatWaits(t *testing.T) {
	for _, way := range []string{"desk", "self", "roster"} {
		t.Run(way, func(t *testing.T) {
			c := eventtest.NewCrowd(t, 7)
			c.Do(people.SetPeopleSettings{Tournament: c.Tour.ID,
				Settings: tournament.PeopleSettingsOf{RegistrationOpen: true,
					NoShowMinutes: 10}})
			s, tables := newSeated(t, c)
			if _, err := action.Do(t.Context(), action.NewDesk(s.g.DB, s.g), eventtest.Organizer,
				draw.StartTable{Table: tables[0].ID}); err != nil {
				t.Fatal(err)
			}
			waits := tables[1].Games[0].ID
			if had := gametest.Look(t, s.g, waits).Ref.Players; len(had) != 3 {
				t.Fatalf("%d players wait", len(had))
			}
			var err error
			switch way {
			case "desk":
				_, err = action.Do(t.Context(), action.NewDesk(s.g.DB, s.g), eventtest.Organizer,
					people.EnterPlayers{Tournament: c.Tour.ID, Entries: []rosterfile.PlayerEntry{{Name: "Late One"}}})
			case "self":
				_, err = action.Do(t.Context(), action.NewDesk(s.g.DB, s.g), rights.Public(),
					people.Register{Tournament: c.Tour.ID, PlayerEntry: rosterfile.PlayerEntry{Name: "Late One"}})
			case "roster":
				_, err = action.Do(t.Context(), action.NewDesk(s.g.DB, s.g), eventtest.Organizer,
					people.ImportRoster{Tournament: c.Tour.ID, File: "name\nLate One\n"})
			}
			if err != nil {
				t.Fatal(err)
			}
			if now := gametest.Look(t, s.g, waits).Ref.Players; len(now) != 4 || now[3] != c.Player(8).ID {
				t.Errorf("at the table are %v", now)
			}
			if _, err := action.Do(t.Context(), action.NewDesk(s.g.DB, s.g), eventtest.Organizer,
				draw.StartRound{Round: s.round.ID}); err != nil {
				t.Fatal(err)
			}
			if _, actor := s.joinAnew(c.Player(8).ID); actor.Seat != 3 ||
				gametest.Look(t, s.g, waits).State.Phase == engine.PhaseNew {
				t.Errorf("the late entrant sits as %+v", actor)
			}
		})
	}
}

// TestWhoHasNotAppeared checks that missing players are listed with the deadline's round until their device joins or
// they are made no-shows.
func TestWhoHasNotAppeared(t *testing.T) {
	c := eventtest.NewCrowd(t, 8)
	r := c.Draw()
	c.Publish(r)
	tables, err := tournament.TableCodes(t.Context(), c.S, eventtest.Organizer, r.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := joinBy(c.S, tables[0].Seats[0].Code, 0); err != nil {
		t.Fatal(err)
	}
	missing := func() int {
		t.Helper()
		round, list, err := people.MissingSeats(t.Context(), c.S, c.Tour.ID)
		if err != nil || round == nil || round.ID != r.ID {
			t.Fatal(round, err)
		}
		return len(list)
	}
	if got := missing(); got != 7 {
		t.Errorf("%d of 7 are missing", got)
	}
	now := c.S.Now()
	c.S.Now = func() time.Time { return now.Add(time.Hour) }
	out := c.Do(people.NoShow{Tournament: c.Tour.ID, Player: tables[0].Seats[1].PlayerID})
	if got := missing(); got != 6 || !strings.Contains(eventtest.EffectKeys(out.Effects), "misses_no_show") {
		t.Errorf("%d of 6 are missing: %s", got, eventtest.EffectKeys(out.Effects))
	}
}
