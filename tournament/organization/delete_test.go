package organization_test

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"gorm.io/gorm"

	"meldhall/tournament"
	"meldhall/tournament/account"
	"meldhall/tournament/action"
	"meldhall/tournament/action/actiontest"
	"meldhall/tournament/draw"
	"meldhall/tournament/organization"
	"meldhall/tournament/rights"
)

// tables counts the rows of every table.
func tables(e *actiontest.Event) map[string]int {
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

// TestDelete checks that an organization is deleted with everything it has and nothing else, and that no byte of the
// file contains one of its names.
func TestDelete(t *testing.T) {
	e := actiontest.NewEvent(t, actiontest.OneRound(), 4)
	ctx, house := t.Context(), actiontest.Organizer
	own := actiontest.Do(e, draw.PairRound{Tournament: e.ID})
	actiontest.Do(e, draw.PublishRound{Round: own.ID})
	e.Play(own.ID)
	lent := actiontest.Do(e, account.CreateAccount{Name: "Lea", Password: "nobody else knows it",
		Role: rights.RoleReferee})
	before := tables(e)
	blue, ann := hosted(e, "blue", organization.Limits{Events: 9})
	actiontest.Do(e, organization.SetTexts{Organization: blue.ID,
		Texts: organization.Texts{Name: "Zanzibar", Imprint: "Quagga Street 7"}})
	event, err := made(e, ann, "Xylophone Cup")
	if err != nil {
		t.Fatal(err)
	}
	ann = actorOf(e, ann.Account)
	actiontest.Do(e, account.SetEvents{Account: lent.ID, Events: []int64{event.ID}})
	by := &actiontest.Event{TB: t, Desk: e.Desk, Tournament: event}
	if _, err := action.Do(ctx, e.Desk, ann, tournament.SaveFormat{Format: actiontest.OneRound()}); err != nil {
		t.Fatal(err)
	}
	round := actiontest.Do(by, draw.PairRound{Tournament: event.ID})
	actiontest.Do(by, draw.PublishRound{Round: round.ID})
	actiontest.Do(by, draw.StartRound{Round: round.ID})
	_, err = e.Do(ctx, house, organization.Delete{Organization: blue.ID})
	refused(t, "while its round is played", err, "err_organization_playing")
	by.Finish(round.ID)
	_, err = e.Do(ctx, ann, organization.Delete{Organization: blue.ID})
	refused(t, "by its own organizer", err, "err_of_house")
	for _, sql := range []string{"DELETE FROM game_events", "DELETE FROM results", "DELETE FROM audit"} {
		if err := e.DB.Write.Exec(sql).Error; err == nil || !strings.Contains(err.Error(), "append-only") {
			t.Errorf("%s: %v", sql, err)
		}
	}
	out, err := action.Do(ctx, e.Desk, house, organization.Delete{Organization: blue.ID})
	if err != nil || out != (organization.Deleted{Events: 1, Officials: 1}) {
		t.Fatalf("got %+v, %v", out, err)
	}
	after := tables(e)
	before["accounts"]++ // the empty row that remains
	before["audit"] += 2 // the deletion, and the tournaments of the server's official
	before["backups"]++
	for name, n := range after {
		if before[name] != n && name != "heartbeat" {
			t.Errorf("%s has %d rows, had %d", name, n, before[name])
		}
	}
	if err := e.DB.CheckWhole(ctx); err != nil {
		t.Error(err)
	}
	if a, err := account.AccountByID(ctx, e.DB, house, lent.ID); err == nil {
		t.Errorf("who served its event alone serves all of the house's: %+v", a)
	}
	hosted(e, "red", organization.Limits{})
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

// TestEveryTableGoes checks that Delete covers every table with rows about tournaments or accounts.
func TestEveryTableGoes(t *testing.T) {
	e := actiontest.NewEvent(t, actiontest.OneRound(), 4)
	goes := organization.GoneTables()
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
