package hosting_test

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"gorm.io/gorm"

	"meldhall/tournament"
	"meldhall/tournament/door"
	"meldhall/tournament/door/doortest"
	"meldhall/tournament/hosting"
	"meldhall/tournament/rights"
	"meldhall/tournament/staff"
)

// tables counts the rows of every table.
func tables(e *doortest.Event) map[string]int {
	e.Helper()
	names, err := e.DB.Write.Migrator().GetTables()
	if err != nil {
		e.Fatal(err)
	}
	counts := map[string]int{}
	for _, name := range names {
		if name == "goose_db_version" || strings.HasPrefix(name, "sqlite_") {
			continue
		}
		var n int
		if err := e.DB.Read.Raw(`SELECT count(*) FROM "` + name + `"`).Scan(&n).Error; err != nil {
			e.Fatal(err)
		}
		counts[name] = n
	}
	return counts
}

// TestDelete: an organization goes with all that it has and nothing else, and no byte of the file holds a name of it.
func TestDelete(t *testing.T) {
	e := doortest.NewEvent(t, doortest.OneRound(), 4)
	ctx, house := t.Context(), doortest.Organizer
	own := doortest.Do(e, tournament.PairRound{Tournament: e.ID})
	doortest.Do(e, tournament.PublishRound{Round: own.ID})
	e.Play(own.ID)
	lent := doortest.Do(e, staff.CreateAccount{Name: "Lea", Password: "nobody else knows it", Role: rights.RoleReferee})
	before := tables(e)
	blue, ann := hosted(e, "blue", hosting.Limits{Events: 9})
	doortest.Do(e, hosting.SetTexts{Organization: blue.ID, Texts: hosting.Texts{Name: "Zanzibar", Imprint: "Quagga Street 7"}})
	event, err := made(e, ann, "Xylophone Cup")
	if err != nil {
		t.Fatal(err)
	}
	ann = actorOf(e, ann.Account)
	doortest.Do(e, staff.SetEvents{Account: lent.ID, Events: []int64{event.ID}})
	by := &doortest.Event{TB: t, Desk: e.Desk, Tournament: event}
	if _, err := door.Do(ctx, e.Desk, ann, tournament.SaveFormat{Format: doortest.OneRound()}); err != nil {
		t.Fatal(err)
	}
	round := doortest.Do(by, tournament.PairRound{Tournament: event.ID})
	doortest.Do(by, tournament.PublishRound{Round: round.ID})
	doortest.Do(by, tournament.StartRound{Round: round.ID})
	_, err = e.Do(ctx, house, hosting.Delete{Organization: blue.ID})
	refused(t, "while its round is played", err, "err_organization_playing")
	by.Finish(round.ID)
	_, err = e.Do(ctx, ann, hosting.Delete{Organization: blue.ID})
	refused(t, "by its own organizer", err, "err_of_house")
	for _, sql := range []string{"DELETE FROM game_events", "DELETE FROM results", "DELETE FROM audit"} {
		if err := e.DB.Write.Exec(sql).Error; err == nil || !strings.Contains(err.Error(), "append-only") {
			t.Errorf("%s: %v", sql, err)
		}
	}
	out, err := door.Do(ctx, e.Desk, house, hosting.Delete{Organization: blue.ID})
	if err != nil || out != (hosting.Deleted{Events: 1, Officials: 1}) {
		t.Fatalf("got %+v, %v", out, err)
	}
	after := tables(e)
	before["accounts"]++ // an empty row
	before["audit"] += 2 // that it was deleted, and what the house's official served
	before["backups"]++
	for name, n := range after {
		if before[name] != n && name != "heartbeat" {
			t.Errorf("%s has %d rows, had %d", name, n, before[name])
		}
	}
	if err := e.DB.CheckWhole(ctx); err != nil {
		t.Error(err)
	}
	if a, err := staff.AccountByID(ctx, e.DB, house, lent.ID); err == nil {
		t.Errorf("who served its event alone serves all of the house's: %+v", a)
	}
	hosted(e, "red", hosting.Limits{})
	err = e.DB.Tx(ctx, func(tx *gorm.DB) error {
		if err := tx.Exec("UPDATE organizations SET deleting = 1").Error; err != nil {
			return err
		}
		return tx.Exec("DELETE FROM game_events").Error
	})
	if err == nil || !strings.Contains(err.Error(), "append-only") {
		t.Errorf("while another organization is deleted the house's log goes: %v", err)
	}
	for _, name := range []string{e.DB.File(), e.DB.File() + "-wal"} {
		data, err := os.ReadFile(name)
		if err != nil && e.DB.Write.Name() == "sqlite" && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		for _, word := range []string{"zanzibar", "quagga", "xylophone", "@blue", "the blue club", "fay"} {
			if at := bytes.Index(bytes.ToLower(data), []byte(word)); at >= 0 {
				t.Errorf("%s has %q: %q", name, word, data[max(0, at-60):min(len(data), at+60)])
			}
		}
	}
}

// TestEveryTableGoes: each table whose rows are about events or accounts is one of which rows go.
func TestEveryTableGoes(t *testing.T) {
	e := doortest.NewEvent(t, doortest.OneRound(), 4)
	goes := hosting.GoneTables()
	for name := range tables(e) {
		columns, err := e.DB.Write.Migrator().ColumnTypes(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range columns {
			if about := slices.Contains(strings.Fields("tournament_id game_id round_id table_id player_id result_id sanction_id protest_id account_id organization_id"), c.Name()); about &&
				!slices.Contains(goes, name) && name != "accounts" {
				t.Errorf("%s has %s, and nothing of it goes", name, c.Name())
			}
		}
	}
	if len(goes) < 40 {
		t.Error(fmt.Sprint(goes))
	}
}
