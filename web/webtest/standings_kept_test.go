package webtest

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/displayname"
	"meldhall/tournament/ranking"
	"meldhall/tournament/rights"
)

// TestStandingsAreReadOnce checks that all viewers share cached standings until a result arrives, whichever part they
// may see. Each player gets the names that this player may see.
func TestStandingsAreReadOnce(t *testing.T) {
	e := newEvent(t, 8, nil)
	e.start()
	player := func(seat int) rights.Actor {
		p := e.round.Tables[0].Seats[seat].Player.ID
		return rights.Actor{Role: rights.RolePlayer, Tournament: e.id, Table: e.round.Tables[0].ID, Seat: seat,
			Player: p}
	}
	standings := func(reader rights.Actor, at engine.Millis) ranking.Standings {
		t.Helper()
		now, err := e.server.View.Tournaments.Standings(displayname.For(context.Background(), reader), e.id, at)
		if err != nil {
			t.Fatal(err)
		}
		return now
	}
	played := func(s ranking.Standings) (n int) {
		for _, r := range s.Rows {
			n += r.Games
		}
		return n
	}
	same := func(a, b ranking.Standings) bool { return &a.Rows[0] == &b.Rows[0] }
	none := standings(rights.Public(), tournament.Always)
	game := e.begin(0)
	before := e.store.Millis()
	e.byDraws(game)
	e.confirmed(game)
	now := standings(rights.Public(), tournament.Always)
	if played(none) != 0 || played(now) != 4 {
		t.Fatalf("results of %d players before a game, of %d after it", played(none), played(now))
	}
	for _, reader := range []rights.Actor{rights.Public(), player(0), player(3)} {
		if !same(standings(reader, tournament.Always), now) {
			t.Errorf("%+v is given standings of their own", reader)
		}
	}
	if held := standings(player(0), before); played(held) != 0 || !same(standings(rights.Public(), before), held) {
		t.Errorf("before the game ended there were results of %d players, or they were read twice", played(held))
	}
	if played(standings(player(1), tournament.Always)) != 4 {
		t.Error("what is held back is given to those who may see all")
	}
	other := e.round.Tables[1].Seats[0].Player
	mate := e.round.Tables[0].Seats[1].Player
	for _, p := range []int64{other.ID, mate.ID} {
		e.organizer.must(http.MethodPost, fmt.Sprintf("/players/%d/naming", p), fields{"way": displayname.Number}, nil)
	}
	names := func(reader rights.Actor) string {
		called := map[int64]string{}
		for _, r := range standings(reader, tournament.Always).Rows {
			called[r.Player] = r.Name
		}
		return called[mate.ID] + ", " + called[other.ID]
	}
	if got, want := names(rights.Public()),
		displayname.Numbered(mate.Number)+", "+displayname.Numbered(other.Number); got != want {
		t.Errorf("everybody reads %s, want %s", got, want)
	}
	if got, want := names(player(0)), mate.Name+", "+displayname.Numbered(other.Number); got != want {
		t.Errorf("who sits beside one of them reads %s, want %s", got, want)
	}
	if got, want := names(rights.Staff(rights.RoleOrganizer, "Olga")), mate.Name+", "+other.Name; got != want {
		t.Errorf("the organizer reads %s, want %s", got, want)
	}
	if got, want := names(rights.Public()),
		displayname.Numbered(mate.Number)+", "+displayname.Numbered(other.Number); got != want {
		t.Errorf("everybody reads %s then, want %s", got, want)
	}
}
