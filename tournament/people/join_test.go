package people_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/eventtest"
	"meldhall/tournament/game"
	"meldhall/tournament/people"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/tournament/secret"
	"meldhall/tournament/store"
)

// joinBy takes a seat with a code; with a table's code it is the player's seat.
func joinBy(s *store.DB, code string, player int64) (people.Joined, error) {
	return action.Do(context.Background(), eventtest.DeskOf(s), rights.Public(),
		people.Join{Code: code, Player: player})
}

func TestJoinBySeatCode(t *testing.T) {
	s, ctx := eventtest.NewStore(t), context.Background()
	tour, round, tables := eventtest.RunningRound(t, s, "open", 8)
	seat := tables[1].Seats[2]
	t.Run("the code says where it leads, and tells no code", func(t *testing.T) {
		inv, err := people.FindInvitation(ctx, s, " "+strings.ToLower(secret.SpellCode(seat.Code))+" ")
		if err != nil || inv.Table.ID != tables[1].ID || inv.Seat != 2 || inv.Round.ID != round.ID ||
			inv.Tournament.ID != tour.ID {
			t.Fatalf("got %+v, %v", inv, err)
		}
		for _, other := range inv.Table.Seats {
			if other.Code != "" || other.CodeHash != nil || inv.Table.Code != "" {
				t.Errorf("a code was told: %+v", other)
			}
		}
	})
	joined, err := joinBy(s, seat.Code, 0)
	if err != nil {
		t.Fatal(err)
	}
	token, actor := joined.Token, joined.Actor
	t.Run("the token is the player at the seat", func(t *testing.T) {
		want := rights.Actor{Name: seat.Player.Name, Role: rights.RolePlayer, Tournament: tour.ID,
			Player: seat.PlayerID, Table: tables[1].ID, Seat: 2, Device: secret.DeviceName(secret.Hash(token))}
		if actor != want {
			t.Errorf("got %+v, want %+v", actor, want)
		}
		if got, err := people.ActorByToken(ctx, s, token); err != nil || got != want {
			t.Errorf("got %+v, %v, want %+v", got, err, want)
		}
	})
	t.Run("neither the token nor the used code is on the disk", func(t *testing.T) {
		var found int64
		s.Read.Raw("SELECT count(*) FROM players WHERE device_hash = ?", token).Scan(&found)
		now, _ := tournament.TableCodes(ctx, s, eventtest.Organizer, round.ID)
		if found != 0 || now[1].Seats[2].Code != "" || len(token) < 22 {
			t.Errorf("got %d, %q, token %q", found, now[1].Seats[2].Code, token)
		}
	})
	t.Run("a used code is refused, counted and audited", func(t *testing.T) {
		_, err := people.FindInvitation(ctx, s, seat.Code)
		eventtest.WantKey(t, err, "err_code_used")
		for range 2 {
			_, err = joinBy(s, seat.Code, 0)
			eventtest.WantKey(t, err, "err_code_used")
		}
		now, _ := tournament.TableCodes(ctx, s, eventtest.Organizer, round.ID)
		if got := now[1].Seats[2].CodeReused; got != 2 {
			t.Errorf("got %d, want 2", got)
		}
		entries, err := action.Records(ctx, s, eventtest.Organizer, tour.ID, 3)
		if err != nil || entries[0].Kind != "seat.code_reused" || entries[1].Kind != "seat.code_reused" ||
			entries[0].Actor != "public" ||
			entries[2].Kind != "seat.join" || entries[2].Actor != actor.String() || entries[2].About().Seat != 3 {
			t.Errorf("the log has %+v, %v", entries, err)
		}
		if _, err := people.ActorByToken(ctx, s, token); err != nil {
			t.Errorf("the seat was lost: %v", err)
		}
	})
	t.Run("a wrong code", func(t *testing.T) {
		for _, code := range []string{"", "ABCDEFGH", "'; --", strings.Repeat("A", 10000)} {
			_, err := joinBy(s, code, 0)
			eventtest.WantKey(t, err, "err_code_wrong")
		}
	})
	t.Run("a wrong token", func(t *testing.T) {
		for _, forged := range []string{"", token[1:], secret.Hash(token)} {
			_, err := people.ActorByToken(ctx, s, forged)
			eventtest.WantKey(t, err, "err_token_unknown")
		}
	})
	t.Run("a code for another seat", func(t *testing.T) {
		_, err := joinBy(s, tables[0].Seats[0].Code, tables[0].Seats[1].PlayerID)
		eventtest.WantKey(t, err, "err_code_other_seat")
	})
}

func TestJoinByTableCode(t *testing.T) {
	s := eventtest.NewStore(t)
	_, _, tables := eventtest.RunningRound(t, s, "open", 4)
	code := tables[0].Code
	player := func(seat int) int64 { return tables[0].Seats[seat].PlayerID }
	_, err := joinBy(s, code, 0)
	eventtest.WantKey(t, err, "err_seat_not_found")
	_, err = joinBy(s, code, 9999)
	eventtest.WantKey(t, err, "err_player_not_at_table")
	for seat := range 3 {
		if joined, err := joinBy(s, code, player(seat)); err != nil || joined.Actor.Seat != seat {
			t.Fatalf("seat %d: got %+v, %v", seat, joined, err)
		}
	}
	_, err = joinBy(s, code, player(0))
	eventtest.WantKey(t, err, "err_seat_taken")
	_, err = joinBy(s, tables[0].Seats[0].Code, 0)
	eventtest.WantKey(t, err, "err_code_used")
	if _, err := joinBy(s, tables[0].Seats[3].Code, 0); err != nil {
		t.Fatal(err)
	}
	_, err = joinBy(s, code, player(3))
	eventtest.WantKey(t, err, "err_table_full")
}

func TestReissueCode(t *testing.T) {
	s, ctx := eventtest.NewStore(t), context.Background()
	_, _, tables := eventtest.RunningRound(t, s, "open", 4)
	now := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	s.Now = func() time.Time { return now }
	table := tables[0]
	old, err := joinBy(s, table.Seats[1].Code, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = action.Do(ctx, eventtest.DeskOf(s), rights.Public(), people.ReissueCode{Table: table.ID, Seat: 1})
	eventtest.WantKey(t, err, "err_sign_in_first")
	_, err = action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, people.ReissueCode{Table: table.ID, Seat: 7})
	eventtest.WantKey(t, err, "err_seat_not_found")
	code, err := action.Do(ctx, eventtest.DeskOf(s), rights.Staff(rights.RoleReferee, "Bob"),
		people.ReissueCode{Table: table.ID, Seat: 1})
	if err != nil {
		t.Fatal(err)
	}
	_, err = people.ActorByToken(ctx, s, old.Token)
	eventtest.WantKey(t, err, "err_token_unknown")
	t.Run("a code that was shown lives five minutes", func(t *testing.T) {
		now = now.Add(5*time.Minute + time.Millisecond)
		_, err := joinBy(s, code, 0)
		eventtest.WantKey(t, err, "err_code_expired")
		if code, err = action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
			people.ReissueCode{Table: table.ID, Seat: 1}); err != nil {
			t.Fatal(err)
		}
		if _, err := joinBy(s, code, 0); err != nil {
			t.Error(err)
		}
	})
}

// TestDeviceGoesAlong checks that a device stays with its player for the whole tournament: in the next round it needs
// no new code and is at the player's new seat.
func TestDeviceGoesAlong(t *testing.T) {
	s, ctx := eventtest.NewStore(t), context.Background()
	tour, round, tables := eventtest.RunningRound(t, s, "open", 8)
	tokens := map[int64]string{}
	for _, table := range tables {
		for seat, place := range table.Seats {
			joined, err := joinBy(s, table.Code, table.Seats[seat].PlayerID)
			if err != nil {
				t.Fatal(err)
			}
			tokens[place.PlayerID] = joined.Token
		}
		for _, one := range table.Games {
			lines := []game.ResultLine{{Seat: 0, Wins: 12}, {Seat: 1}, {Seat: 2}, {Seat: 3}}
			if err := eventtest.EndGame(t, s, one.ID, lines); err != nil {
				t.Fatal(err)
			}
			if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
				result.ConfirmResult{Game: one.ID, Rev: 1}); err != nil {
				t.Fatal(err)
			}
		}
	}
	for player, token := range tokens {
		actor, err := people.ActorByToken(ctx, s, token)
		if err != nil || actor.Player != player || actor.Table != 0 || actor.Seat != -1 {
			t.Errorf("between the rounds: got %+v, %v", actor, err)
		}
	}
	_, err := joinBy(s, tables[0].Code, tables[0].Seats[0].PlayerID)
	eventtest.WantKey(t, err, "err_code_expired")
	_, err = action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, people.ReissueCode{Table: tables[0].ID, Seat: 0})
	eventtest.WantKey(t, err, "err_no_codes_now")
	next, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
		draw.PairRound{Tournament: tour.ID, PairingOptions: draw.PairingOptions{}})
	if err != nil || next.ID == round.ID {
		t.Fatal(err)
	}
	if actor, err := people.ActorByToken(ctx, s, tokens[tables[0].Seats[0].PlayerID]); err != nil || actor.Table != 0 {
		t.Errorf("a draft seats nobody: got %+v, %v", actor, err)
	}
	if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
		draw.PublishRound{Round: next.ID}); err != nil {
		t.Fatal(err)
	}
	seated, err := tournament.TableCodes(ctx, s, eventtest.Organizer, next.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range seated {
		if table.Code == "" || !table.Full() {
			t.Errorf("table %d has the code %q, and a seat without a device: every player brought theirs, and the code stays", table.Number, table.Code)
		}
		for seat, place := range table.Seats {
			actor, err := people.ActorByToken(ctx, s, tokens[place.PlayerID])
			if err != nil || actor.Table != table.ID || actor.Seat != seat {
				t.Errorf("got %+v, %v, want table %d, seat %d", actor, err, table.ID, seat)
			}
		}
	}
	t.Run("a code given anew moves the player to another device", func(t *testing.T) {
		place := seated[0].Seats[0]
		_, err := joinBy(s, place.Code, 0)
		eventtest.WantKey(t, err, "err_code_used") // spent: the player's device carries over
		if _, err := people.ActorByToken(ctx, s, tokens[place.PlayerID]); err != nil {
			t.Errorf("a spent code was tried: %v", err)
		}
		code, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
			people.ReissueCode{Table: seated[0].ID, Seat: 0})
		if err != nil {
			t.Fatal(err)
		}
		joined, err := joinBy(s, code, 0)
		if err != nil {
			t.Fatal(err)
		}
		_, err = people.ActorByToken(ctx, s, tokens[place.PlayerID])
		eventtest.WantKey(t, err, "err_token_unknown")
		if _, err := people.ActorByToken(ctx, s, joined.Token); err != nil {
			t.Error(err)
		}
	})
}

// TestDeviceNames checks that device names are unique in a tournament while names are left.
func TestDeviceNames(t *testing.T) {
	const letters = 30 // letters in the code alphabet
	s := eventtest.NewStore(t)
	tour := eventtest.NewTournament(t, s, "open", 1)
	number := 0
	take := func(from, to int) {
		var devices []tournament.TableDevice
		for i := from; i < to; i++ {
			number++
			devices = append(devices, tournament.TableDevice{TournamentID: tour.ID, Number: number,
				TokenHash: fmt.Sprintf("%02x%02x%060x", i%letters, i/letters, number)})
		}
		if err := s.Write.Create(&devices).Error; err != nil {
			t.Fatal(err)
		}
	}
	take(1, secret.DeviceNames)
	for range 2 {
		token, err := people.DeviceToken(s.Read, tour.ID)
		if err != nil || secret.DeviceName(secret.Hash(token)) != "2A" {
			t.Fatalf("got %s, %v; the one name left is 2A", secret.DeviceName(secret.Hash(token)), err)
		}
	}
	take(0, 1)
	if token, err := people.DeviceToken(s.Read, tour.ID); err != nil || token == "" {
		t.Errorf("no token where all names are taken: %v", err)
	}
	if name := (tournament.Player{}).DeviceName(); name != "" {
		t.Errorf("a player without a device has the device %s", name)
	}
}
