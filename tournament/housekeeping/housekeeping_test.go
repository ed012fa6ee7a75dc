package housekeeping_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"image"
	"image/png"
	"slices"
	"strings"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/account"
	"meldhall/tournament/action"
	"meldhall/tournament/action/actiontest"
	"meldhall/tournament/draw"
	"meldhall/tournament/housekeeping"
	"meldhall/tournament/organization"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/schedule"
	"meldhall/tournament/screen"
)

// refusal returns the key of an action's refusal, or "" if it is accepted.
func refusal[O any](e *actiontest.Event, a action.ActionOf[O]) string {
	e.Helper()
	_, err := action.Do(e.Context(), e.Desk, actiontest.Organizer, a)
	var refused *refuse.Error
	if err != nil && !errors.As(err, &refused) {
		e.Fatal(err)
	}
	if refused == nil {
		return ""
	}
	return refused.Key
}

func TestDescribe(t *testing.T) {
	e := actiontest.NewEvent(t, actiontest.OneRound(), 2)
	d := housekeeping.Describe{Tournament: e.ID, Name: " Coppa\u202e Roma ", Place: "Sala", Details: tournament.Details{
		FirstDay: "2027-03-27", LastDay: "2027-03-28", TimeZone: "Europe/Rome", Organizer: "Circolo",
		Colour: "#0055AA", Federation: "ITA-27"}}
	actiontest.Do(e, d)
	is, err := tournament.TournamentByID(t.Context(), e.DB, e.ID)
	d.Colour = "#0055aa"
	if err != nil || is.Name != "Coppa Roma" || is.Place != "Sala" || is.Details != d.Details {
		t.Errorf("got %+v, %v", is, err)
	}
	if is.Zone().String() != "Europe/Rome" {
		t.Errorf("got the zone %s", is.Zone())
	}
	page, err := action.SearchRecords(t.Context(), e.DB, actiontest.Organizer, e.ID,
		action.LogSearch{Kind: "tournament.describe", Limit: 2})
	if err != nil || len(page.Entries) != 1 || !strings.Contains(page.Entries[0].Data, `"name":"Test"`) ||
		!strings.Contains(page.Entries[0].Data, `"name":"Coppa Roma"`) {
		t.Errorf("the record has not the name before and after: %+v, %v", page.Entries, err)
	}
	for name, row := range map[string]struct {
		change func(*housekeeping.Describe)
		key    string
	}{
		"no name":          {func(d *housekeeping.Describe) { d.Name = " " }, "err_tournament_name"},
		"no such zone":     {func(d *housekeeping.Describe) { d.TimeZone = "Europe/Atlantis" }, "err_time_zone"},
		"a machine's zone": {func(d *housekeeping.Describe) { d.TimeZone = "Local" }, "err_time_zone"},
		"no date":          {func(d *housekeeping.Describe) { d.FirstDay = "2027-02-30" }, "err_day"},
		"ends before":      {func(d *housekeeping.Describe) { d.LastDay = "2027-03-26" }, "err_days"},
		"no first day":     {func(d *housekeeping.Describe) { d.FirstDay = "" }, "err_days"},
		"no colour":        {func(d *housekeeping.Describe) { d.Colour = "red" }, "err_colour"},
		"a long organizer": {func(d *housekeeping.Describe) { d.Organizer = strings.Repeat("x", 121) },
			"err_text_long"},
	} {
		wrong := d
		if row.change(&wrong); refusal(e, wrong) != row.key {
			t.Errorf("%s: not refused with %s", name, row.key)
		}
	}
}

func TestLogo(t *testing.T) {
	e := actiontest.NewEvent(t, actiontest.OneRound(), 2)
	var sent bytes.Buffer
	if err := png.Encode(&sent, image.NewNRGBA(image.Rect(0, 0, 2000, 500))); err != nil {
		t.Fatal(err)
	}
	secret := "tEXtgps 45.4, 9.2"
	file := base64.StdEncoding.EncodeToString(append(sent.Bytes(), secret...))
	actiontest.Do(e, housekeeping.SetLogo{Tournament: e.ID, Picture: file})
	logo, found, err := housekeeping.LogoOf(t.Context(), e.DB, e.ID)
	if err != nil || !found {
		t.Fatal("no logo", err)
	}
	data, err := logo.PNG()
	if err != nil || bytes.Contains(data, []byte(secret)) {
		t.Errorf("the logo keeps more than its picture, %v", err)
	}
	if size, err := png.DecodeConfig(bytes.NewReader(data)); err != nil || size.Width != 512 || size.Height != 128 {
		t.Errorf("got %+v, %v", size, err)
	}
	for _, wrong := range []string{"no base64!", base64.StdEncoding.EncodeToString([]byte("<svg/>")), file[:200]} {
		if key := refusal(e, housekeeping.SetLogo{Tournament: e.ID, Picture: wrong}); key != "err_logo" {
			t.Errorf("got %q", key)
		}
	}
	actiontest.Do(e, housekeeping.SetLogo{Tournament: e.ID})
	if _, found, err = housekeeping.LogoOf(t.Context(), e.DB, e.ID); found || err != nil {
		t.Error("the logo stays", err)
	}
}

func TestCancelAndUnlist(t *testing.T) {
	e := actiontest.NewEvent(t, actiontest.OneRound(), 4)
	listed := func() (list, off bool) {
		all, err := tournament.Tournaments(t.Context(), e.DB)
		gone, err2 := tournament.Unlisted(t.Context(), e.DB)
		if err := errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
		return len(all) == 1, len(gone) == 1
	}
	if now := actiontest.Do(e, housekeeping.Cancel{Tournament: e.ID, Why: "storm"}); now.CancelledAt == 0 {
		t.Error("not cancelled")
	}
	if now := actiontest.Do(e, housekeeping.Cancel{Tournament: e.ID, Undo: true}); now.CancelledAt != 0 {
		t.Error("still cancelled")
	}
	actiontest.Do(e, housekeeping.Unlist{Tournament: e.ID})
	if list, off := listed(); list || !off {
		t.Error("an archived event is on the list")
	}
	if _, err := tournament.TournamentByID(t.Context(), e.DB, e.ID); err != nil {
		t.Error("its address is gone:", err)
	}
	actiontest.Do(e, housekeeping.Unlist{Tournament: e.ID, Undo: true})
	if list, off := listed(); !list || off {
		t.Error("not on the list again")
	}
}

// TestDeleteEvent checks that an event is deleted with its rows, and only while nothing was published or as a test.
func TestDeleteEvent(t *testing.T) {
	e := actiontest.NewEvent(t, actiontest.OneRound(), 4)
	round := actiontest.Do(e, draw.PairRound{Tournament: e.ID})
	actiontest.Do(e, draw.PublishRound{Round: round.ID})
	actiontest.Do(e, draw.StartRound{Round: round.ID})
	d := organization.DeleteEvent{Tournament: e.ID}
	if key := refusal(e, d); key != "err_event_published" {
		t.Errorf("got %q", key)
	}
	d.Test = true
	if key := refusal(e, d); key != "err_event_playing" {
		t.Errorf("got %q", key)
	}
	e.Finish(round.ID)
	out := actiontest.Do(e, d)
	if out != (organization.EventDeleted{Players: 4, Rounds: 1}) {
		t.Errorf("got %+v", out)
	}
	for _, table := range []string{"tournaments", "players", "rounds", "games", "game_events", "results", "seats",
		"organizations"} {
		var n int64
		if err := e.DB.Read.Table(table).Count(&n).Error; err != nil || n != 0 {
			t.Errorf("%s has %d rows, %v", table, n, err)
		}
	}
	var records []action.Record
	if err := e.DB.Read.Find(&records).Error; err != nil || len(records) != 1 ||
		records[0].Kind != "tournament.delete" || records[0].About().Name != "Test" {
		t.Errorf("got the records %+v, %v", records, err)
	}
	var copies int64
	if err := e.DB.Read.Table("backups").Count(&copies).Error; err != nil || copies != 1 {
		t.Errorf("got %d copies, %v", copies, err)
	}
	if err := e.DB.CheckWhole(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestAgain(t *testing.T) {
	e := actiontest.NewEvent(t, actiontest.OneRound(), 5)
	players, err := tournament.Players(t.Context(), e.DB, e.ID)
	if err != nil {
		t.Fatal(err)
	}
	actiontest.Do(e, housekeeping.Describe{Tournament: e.ID, Name: "Club night 12", Place: "Library",
		Details: tournament.Details{FirstDay: "2026-11-24", TimeZone: "Asia/Seoul"}})
	actiontest.Do(e, draw.KeepApart{Tournament: e.ID, A: players[0].ID, B: players[2].ID, Apart: true})
	actiontest.Do(e, draw.KeepApart{Tournament: e.ID, A: players[0].ID, B: players[1].ID, Apart: true})
	actiontest.Do(e, screen.Announce{Tournament: e.ID, Level: "note", Minutes: 5,
		Texts: map[string]string{"en": "Tea"}})
	lea := actiontest.Do(e, account.CreateAccount{Name: "Lea", Password: "nobody else knows it",
		Role: rights.RoleReferee})
	actiontest.Do(e, account.SetEvents{Account: lea.ID, Events: []int64{e.ID}})
	actiontest.Do(e, screen.SetZone{Tournament: e.ID, Account: lea.ID, Tables: "1-2"})
	seoul := time.FixedZone("KST", 9*3600)
	evening := engine.MillisOf(time.Date(2026, 11, 24, 19, 0, 0, 0, seoul))
	actiontest.Do(e, schedule.SetSlots{Tournament: e.ID,
		Slots: []schedule.Slot{{Round: 1, StartsAt: evening, EndsAt: evening + 3_600_000}}})
	was, err := tournament.TournamentByID(t.Context(), e.DB, e.ID)
	if err != nil {
		t.Fatal(err)
	}
	name, first, last := housekeeping.Next(was, time.Date(2026, 12, 3, 0, 0, 0, 0, time.UTC))
	if name != "Club night 13" || first != "2026-12-08" || last != first {
		t.Errorf("got %q from %s to %s", name, first, last)
	}
	again := actiontest.Do(e, housekeeping.Again{Tournament: e.ID, Name: name, FirstDay: first,
		Players: []int64{players[4].ID, players[2].ID, players[0].ID, 999}})
	if again.Name != name || again.Place != "Library" || again.TimeZone != "Asia/Seoul" || again.LastDay != first ||
		again.FormatJSON != was.FormatJSON || again.RulesJSON != was.RulesJSON || again.Status != "draft" {
		t.Errorf("got %+v", again)
	}
	entered, err := tournament.Players(t.Context(), e.DB, again.ID)
	if err != nil || len(entered) != 3 || entered[1].Name != players[2].Name {
		t.Fatalf("got %+v, %v", entered, err)
	}
	var apart, said int64
	err = errors.Join(e.DB.Read.Table("keep_apart").Where("tournament_id = ?", again.ID).Count(&apart).Error,
		e.DB.Read.Table("announcements").Where("tournament_id = ?", again.ID).Count(&said).Error)
	if err != nil || apart != 1 || said != 1 {
		t.Errorf("got %d pairs kept apart and %d announcements, %v", apart, said, err)
	}
	if now, err := screen.Announced(t.Context(), e.DB, again.ID); err != nil || len(now) != 0 {
		t.Errorf("an old announcement is shown: %+v, %v", now, err)
	}
	plan, err := schedule.Slots(t.Context(), e.DB, again.ID)
	if want := engine.MillisOf(time.Date(2026, 12, 8, 19, 0, 0, 0, seoul)); err != nil || len(plan) != 1 ||
		plan[0].StartsAt != want || plan[0].EndsAt != want+3_600_000 || plan[0].Round != 1 {
		t.Errorf("got the plan %+v, %v", plan, err)
	}
	zones, err := screen.Zones(t.Context(), e.DB, again.ID)
	if err != nil || !slices.Equal(zones[lea.ID], []int{1, 2}) {
		t.Errorf("got the zones %v, %v", zones, err)
	}
	referee, err := account.AccountByID(t.Context(), e.DB, actiontest.Organizer, lea.ID)
	if err != nil || !slices.Equal(referee.Events, []int64{e.ID, again.ID}) {
		t.Errorf("the referee serves %v, %v", referee.Events, err)
	}
	if key := refusal(e, housekeeping.Again{Tournament: e.ID, Name: ""}); key != "err_tournament_name" {
		t.Errorf("got %q", key)
	}
}

func TestSavedRules(t *testing.T) {
	e := actiontest.NewEvent(t, actiontest.OneRound(), 2)
	for range 2 {
		actiontest.Do(e, tournament.SaveRules{Tournament: e.ID, Name: "House rules"})
	}
	own, err := tournament.AllOwnRules(t.Context(), e.DB, actiontest.Organizer)
	if err != nil || len(own) != 1 {
		t.Fatalf("got %+v, %v", own, err)
	}
	rules, err := own[0].Rules()
	if err != nil || rules.Name != "House rules" || rules.Version != 2 || rules.TurnSeconds == 0 {
		t.Errorf("got %+v, %v", rules, err)
	}
	if key := refusal(e, tournament.SaveRules{Tournament: e.ID}); key != "err_rules_name" {
		t.Errorf("got %q", key)
	}
	actiontest.Do(e, tournament.RemoveRules{ID: own[0].ID})
	if key := refusal(e, tournament.RemoveRules{ID: own[0].ID}); key != "err_rules_not_found" {
		t.Errorf("got %q", key)
	}
}
