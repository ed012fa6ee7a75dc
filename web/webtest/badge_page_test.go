package webtest

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/tournament/account"
	"meldhall/tournament/action"
	"meldhall/tournament/export"
	"meldhall/tournament/rights"
	"meldhall/web/request"
)

// readerAt returns a reader that holds a seat.
func (e *event) readerAt(table, seat int) *reader {
	e.t.Helper()
	r := e.reader()
	base, err := url.Parse(e.http.URL)
	if err != nil {
		e.t.Fatal(err)
	}
	r.client.Jar.SetCookies(base, []*http.Cookie{{Name: "meldhall-seat", Value: e.at(table, seat).token, Path: "/"}})
	return r
}

const testPIN = "190283"

// badgeTest is a table with a clock that the test moves, and the tablets of two of its seats.
type badgeTest struct {
	e           *event
	moved       atomic.Int64
	game        int64
	mine, other *reader
}

func newBadgeTest(t *testing.T) *badgeTest {
	t.Helper()
	b := &badgeTest{e: newEvent(t, 8, nil)}
	clock := b.e.store.Now
	start := clock() // only the test moves the clock; PIN retries must wait some seconds
	b.e.store.Now = func() time.Time { return start.Add(time.Duration(b.moved.Load())) }
	b.e.start()
	b.game = b.e.begin(0)
	b.e.referee.must(http.MethodPost, "/own/pin", account.SetPIN{PIN: testPIN, Password: password}, nil)
	b.mine, b.other = b.e.readerAt(0, 1), b.e.readerAt(0, 2)
	return b
}

func TestBadge(t *testing.T) {
	t.Parallel()
	b := newBadgeTest(t)
	e, mine := b.e, b.mine
	e.at(0, 1).must(http.MethodPost, fmt.Sprintf("/games/%d/call", b.game), request.CallRequest{Key: e.key()}, nil)
	mine.get(t, "/play/game").is(http.StatusOK).says(".tellings", "Referee here")
	t.Run("a wrong PIN opens nothing", b.testWrongPIN)
	sheet := mine.get(t, "/play/referee").submit("/play/referee", "who", "2", "pin",
		testPIN).is(http.StatusOK).says("h1", "referee")
	if sheet.path != "/play/referee/sheet" {
		t.Fatalf("led to %s: %s", sheet.path, sheet.text("main"))
	}
	t.Run("the log has who showed a PIN, and at which game", b.testRecord)
	t.Run("it is no session, and this tablet's alone", b.testNoSession)
	t.Run("a ruling that cannot hold does not use it up", b.testImpossibleRuling)
	t.Run("one ruling, in the official's name", b.testOneRuling)
	t.Run("over after a minute", b.testExpiry)
	t.Run("every ruling of the sheet", b.testEveryRuling)
	t.Run("locked after five failures, by tablet and by account", b.testLock)
	t.Run("without a seat there is no tablet", func(t *testing.T) {
		if page := e.reader().get(t, "/play/referee"); !strings.HasPrefix(page.path, "/join") {
			t.Errorf("led to %s", page.path)
		}
	})
}

func (b *badgeTest) testWrongPIN(t *testing.T) {
	page := b.mine.get(t, "/play/referee").is(http.StatusOK).submit("/play/referee", "who", "referee", "pin",
		"190284").is(http.StatusForbidden).says(".flash", "wrong")
	if page.value("who") != "referee" || page.value("pin") != "" {
		t.Error("the name is lost, or the PIN is shown")
	}
	if page := b.mine.get(t, "/play/referee/sheet"); page.path != "/play/game" {
		t.Errorf("led to %s", page.path)
	}
	b.mine.post(t, "/play/referee/sheet/pause", url.Values{"canned": {"referee"}}).is(http.StatusForbidden)
	b.moved.Add(int64(2 * time.Second))
}

func (b *badgeTest) testRecord(t *testing.T) {
	records, err := action.Records(t.Context(), b.e.store, rights.Staff(rights.RoleReferee, "test"), b.e.id, 1)
	if err != nil || len(records) != 1 || records[0].Kind != "badge.show" || records[0].Actor != "referee:referee" ||
		records[0].About().Game != b.game {
		t.Errorf("got %+v, %v", records, err)
	}
}

func (b *badgeTest) testNoSession(t *testing.T) {
	if page := b.mine.get(t, "/referee/1"); page.status != http.StatusForbidden {
		t.Errorf("the tablet is in the hall: %d", page.status)
	}
	base, _ := url.Parse(b.e.http.URL)
	for _, cookie := range b.mine.client.Jar.Cookies(base) {
		if cookie.Name == "meldhall-badge" {
			b.other.client.Jar.SetCookies(base, []*http.Cookie{cookie})
		}
	}
	b.other.post(t, "/play/referee/sheet/pause", url.Values{"canned": {"referee"}}).is(http.StatusForbidden)
}

func (b *badgeTest) testImpossibleRuling(t *testing.T) {
	b.mine.post(t, "/play/referee/sheet/penalty", url.Values{"seat": {"7"}, "tiles": {"3"}, "canned": {"talked"},
		"seen": {"0"}}).is(http.StatusUnprocessableEntity)
	b.mine.post(t, "/play/referee/sheet/forfeit", url.Values{"seat": {"1"}}).is(http.StatusNotFound)
}

func (b *badgeTest) testOneRuling(t *testing.T) {
	before := b.e.public().view(b.game).Seats[1].Tiles
	after := b.mine.get(t, "/play/referee/sheet").submit("/sheet/penalty", "seat", "1", "tiles", "2", "canned",
		"talked").is(http.StatusOK)
	if after.path != "/play/game" {
		t.Errorf("led to %s: %s", after.path, after.text("main"))
	}
	if got := b.e.public().view(b.game).Seats[1].Tiles; got != before+2 {
		t.Errorf("got %d tiles, want %d", got, before+2)
	}
	last := b.e.lastRuling(b.game)
	if last.Kind != (engine.PenaltyGiven{}).Kind() || last.By != "referee" {
		t.Errorf("got %+v", last)
	}
	exported, err := export.OfGame(t.Context(), b.e.store, b.game)
	if err != nil || exported.Events[len(exported.Events)-1].Actor != "referee:referee" {
		t.Errorf("the log names %s, %v", exported.Events[len(exported.Events)-1].Actor, err)
	}
	b.mine.post(t, "/play/referee/sheet/penalty", url.Values{"seat": {"1"}, "tiles": {"2"}, "canned": {"talked"},
		"seen": {"0"}}).is(http.StatusForbidden)
}

func (b *badgeTest) testExpiry(t *testing.T) {
	b.mine.get(t, "/play/referee").submit("/play/referee", "who", "referee", "pin", testPIN).is(http.StatusOK)
	b.moved.Add(int64(time.Minute))
	b.mine.post(t, "/play/referee/sheet/pause",
		url.Values{"canned": {"referee"}}).is(http.StatusForbidden).says(".flash", "minute")
}

func (b *badgeTest) testEveryRuling(t *testing.T) {
	for _, row := range []struct {
		action, kind string
		fields       []string
	}{
		{"pause", "game_paused", nil}, {"resume", "resume_set", nil},
		{"warning", "warning_given", []string{"seat", "2", "canned", "talked"}},
		{"time", "time_given", []string{"seconds", "30"}}, {"answer", "call_answered", nil},
	} {
		sheet := b.mine.get(t, "/play/referee").submit("/play/referee", "who", "referee", "pin",
			testPIN).is(http.StatusOK)
		if row.action == "time" {
			b.moved.Add(int64(5 * time.Second)) // the countdown is over
		}
		if page := sheet.submit("/sheet/"+row.action, row.fields...); page.path != "/play/game" {
			t.Fatalf("%s: at %s: %d %s", row.action, page.path, page.status, page.text(".flash"))
		}
		exported, err := export.OfGame(t.Context(), b.e.store, b.game)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, event := range exported.Events[len(exported.Events)-2:] {
			found = found || event.Kind == row.kind && event.Actor == "referee:referee"
		}
		if !found {
			t.Errorf("%s: no %s in the log", row.action, row.kind)
		}
	}
}

func (b *badgeTest) testLock(t *testing.T) {
	for i := range 5 {
		b.moved.Add(int64(time.Minute))
		page := b.other.post(t, "/play/referee", url.Values{"who": {"referee"}, "pin": {"555551"}})
		if page.status != http.StatusForbidden {
			t.Fatalf("try %d: got %d %s", i+1, page.status, page.text(".flash"))
		}
		if i < 4 {
			b.other.post(t, "/play/referee", url.Values{"who": {"referee"},
				"pin": {testPIN}}).is(http.StatusTooManyRequests)
		}
	}
	b.moved.Add(int64(10 * time.Minute))
	b.other.post(t, "/play/referee", url.Values{"who": {"referee"},
		"pin": {testPIN}}).is(http.StatusTooManyRequests).says(".flash", "seconds")
	b.e.readerAt(1, 0).post(t, "/play/referee", url.Values{"who": {"referee"},
		"pin": {testPIN}}).is(http.StatusTooManyRequests)
}
