package screen

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"meldhall/tournament/action"
	"meldhall/tournament/action/actiontest"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

func TestZones(t *testing.T) {
	desk, ctx := actiontest.Desk(t), context.Background()
	s := desk.DB
	tour, other := newTournament(t, desk, 7), newTournament(t, desk, 8)
	bob := official(t, desk, "Bob", rights.RoleReferee)
	head := official(t, desk, "Hal", rights.RoleHeadReferee)
	t.Run("none at first: the whole hall", func(t *testing.T) {
		if zones, err := Zones(ctx, s, tour.ID); err != nil || len(zones) != 0 {
			t.Errorf("got %v, %v", zones, err)
		}
		if tables, err := ZoneOf(ctx, s, tour.ID, bob.Account); err != nil || tables != nil {
			t.Errorf("got %v, %v", tables, err)
		}
	})
	t.Run("a head referee sets one, for this event", func(t *testing.T) {
		zone, err := action.Do(ctx, desk, head, SetZone{Tournament: tour.ID, Account: bob.Account, Tables: "9, 1-3"})
		if err != nil || fmt.Sprint(zone) != fmt.Sprintf("{%d Bob referee [1 2 3 9]}", bob.Account) {
			t.Errorf("got %v, %v", zone, err)
		}
		if zones, err := Zones(ctx, s, tour.ID); err != nil ||
			fmt.Sprint(zones) != fmt.Sprintf("map[%d:[1 2 3 9]]", bob.Account) {
			t.Errorf("got %v, %v", zones, err)
		}
		if tables, err := ZoneOf(ctx, s, other.ID, bob.Account); err != nil || tables != nil {
			t.Errorf("got %v, %v", tables, err)
		}
		entries, err := action.Records(ctx, s, head, tour.ID, 1)
		if err != nil || len(entries) != 1 || entries[0].Kind != "zone.set" ||
			!strings.Contains(toldAfter(entries[0]), "1-3, 9") || entries[0].Actor != "head_referee:Hal" {
			t.Errorf("got %+v, %v", entries, err)
		}
	})
	t.Run("and changes it, and takes it away", func(t *testing.T) {
		for text, want := range map[string]string{"4": "[4]", "": "[]"} {
			if _, err := action.Do(ctx, desk, organizer, SetZone{Tournament: tour.ID, Account: bob.Account,
				Tables: text}); err != nil {
				t.Fatal(err)
			}
			if tables, err := ZoneOf(ctx, s, tour.ID, bob.Account); err != nil || fmt.Sprint(tables) != want {
				t.Errorf("%q: got %v, %v", text, tables, err)
			}
		}
	})
	for _, row := range []struct {
		name         string
		actor        rights.Actor
		tournamentID int64
		account      int64
		text         string
		want         error
	}{
		{"a referee", bob, tour.ID, bob.Account, "1", refuse.ErrForbidden},
		{"the public", rights.Public(), tour.ID, bob.Account, "1", refuse.ErrUnauthenticated},
		{"no event", head, 99, bob.Account, "1", refuse.ErrNotFound},
		{"no account", head, tour.ID, 99, "1", refuse.ErrNotFound},
		{"no tables", head, tour.ID, bob.Account, "x", refuse.ErrInvalid},
	} {
		t.Run(row.name, func(t *testing.T) {
			if _, err := action.Do(ctx, desk, row.actor, SetZone{Tournament: row.tournamentID, Account: row.account,
				Tables: row.text}); !errors.Is(err, row.want) {
				t.Errorf("got %v, want %v", err, row.want)
			}
		})
	}
	t.Run("all officials see who looks after what, players do not", func(t *testing.T) {
		zones, err := ZoneList(ctx, s, rights.Staff(rights.RoleObserver, "Obi"), tour.ID)
		if err != nil || len(zones) != 2 || zones[0].Name != "Bob" || zones[1].Name != "Hal" {
			t.Errorf("got %v, %v", zones, err)
		}
		if _, err := ZoneList(ctx, s, rights.Actor{Role: rights.RolePlayer}, tour.ID); !errors.Is(err,
			refuse.ErrForbidden) {
			t.Errorf("got %v", err)
		}
	})
}
