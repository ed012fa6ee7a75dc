package request

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gin-gonic/gin"

	"meldhall/templates/locale"
	"meldhall/tournament/rights"
	"meldhall/tournament/security"
	"meldhall/tournament/store/storetest"
	"meldhall/web/guard"
	"meldhall/web/live"
	"meldhall/web/signin"
)

// TestReaderOf checks that a tournament seat and an official are readers of their own, and that a seat at a practice
// table, which anyone can open, belongs to its address.
func TestReaderOf(t *testing.T) {
	c, _ := gin.CreateTestContext(httptest.NewRecorder())
	c.Request = httptest.NewRequest(http.MethodGet, "/", nil)
	c.Request.RemoteAddr = "203.0.113.9:4711"
	for _, row := range []struct {
		who   callers
		want  string
		crowd bool
	}{
		{callers{}, "address 203.0.113.9", true},
		{callers{Player: &rights.Actor{Tournament: 1, Player: 2, Table: 3}}, "player 1 2 3", false},
		{callers{Player: &rights.Actor{Tournament: 1, Player: 2, Table: 3, Practice: true}}, "address 203.0.113.9",
			true},
		{callers{Player: &rights.Actor{Practice: true}, Staff: &rights.Actor{Account: 4}}, "account 4", false},
	} {
		if reader, crowd := readerOf(c, row.who); reader != row.want || crowd != row.crowd {
			t.Errorf("got %q %t, want %q %t", reader, crowd, row.want, row.crowd)
		}
	}
}

// TestCostlyLines checks that an address may have more waiting costly requests than a single reader. A request that
// finds the queue full, or waits too long, gets an error that explains it.
func TestCostlyLines(t *testing.T) {
	for crowd, most := range map[bool]int{true: costlyCrowd, false: costlyWait} {
		synctest.Test(t, func(t *testing.T) {
			r := newReaders(time.Now)
			leave, err := r.standInLine(t.Context(), "a", crowd)
			if err != nil {
				t.Fatal(err)
			}
			gone, giveUp := context.WithCancel(t.Context())
			ended := make(chan error)
			stand := func(ctx context.Context) { _, err := r.standInLine(ctx, "a", crowd); ended <- err }
			refused := func(why string) {
				t.Helper()
				f := FailureOf(t.Context(), "", <-ended)
				if f.Status != http.StatusTooManyRequests || f.Code != "err_costly_many" ||
					f.Args["seconds"] != costlyAgain {
					t.Errorf("%s: %+v", why, f)
				}
			}
			go stand(gone)
			for range most {
				go stand(t.Context())
				synctest.Wait()
			}
			began := time.Now()
			refused("one too many")
			giveUp()
			if err := <-ended; err != context.Canceled || time.Now() != began {
				t.Errorf("who gave up: %v, after %v", err, time.Since(began))
			}
			for range most - 1 {
				refused("waited for too long")
			}
			if waited := time.Since(began); waited != costlyLongest {
				t.Errorf("they waited for %v", waited)
			}
			leave()
		})
	}
}

// TestTurnedAwayIsSpent checks that a request rejected before its caller is identified counts against the address's
// budget and is logged once.
func TestTurnedAwayIsSpent(t *testing.T) {
	texts, err := locale.LoadTexts(nil)
	if err != nil {
		t.Fatal(err)
	}
	origins, err := guard.NewOrigins("")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	db, lines := storetest.New(t), new(bytes.Buffer)
	db.Now = func() time.Time { return now }
	log := security.Open(db, lines)
	s := &Base{Texts: texts, origins: origins, Sessions: signin.NewSessions(db, signin.Cookies{}),
		Seats: new(Seats), Streams: &Streams{Live: &live.Streams{Epoch: "now"}}, Notes: signin.NewNotes(log),
		readers: &readers{budget: guard.NewBudget(1, 10, db.Now)}}
	ask := func(headers ...string) int {
		w := httptest.NewRecorder()
		c, engine := gin.CreateTestContext(w)
		engine.POST(APIBase+"/sign-in", s.sameOrigin, s.sameEpoch)
		c.Request = httptest.NewRequest(http.MethodPost, APIBase+"/sign-in", nil)
		c.Request.RemoteAddr = "203.0.113.9:4711"
		c.Request.Header.Set(headers[0], headers[1])
		engine.HandleContext(c)
		return w.Code
	}
	for i := range 100 {
		want := http.StatusForbidden
		if i >= 10 {
			want = http.StatusTooManyRequests
		}
		if got := ask("Sec-Fetch-Site", "cross-site"); got != want {
			t.Fatalf("the foreign request %d is answered %d, want %d", i, got, want)
		}
	}
	now = now.Add(time.Second)
	if first, second := ask(EpochHeader, "before"), ask(EpochHeader, "before"); first != http.StatusConflict ||
		second != http.StatusTooManyRequests {
		t.Errorf("of another epoch: %d, %d", first, second)
	}
	log.Close()
	// for each kind, the first and finally the number of repetitions
	if got := strings.Count(lines.String(), "\n"); got != 4 {
		t.Errorf("%d lines: %s", got, lines)
	}
}

// TestACrowdTakesNoSeat checks that a player gets a stream however many spectators there are, and that a seat cannot
// use up the others' streams.
func TestACrowdTakesNoSeat(t *testing.T) {
	r := newReaders(time.Now)
	for n := range streamsAll {
		if _, err := r.listen("address "+strconv.Itoa(n/streamsEach), callers{}); err != nil {
			t.Fatalf("reader %d: %v", n, err)
		}
	}
	if _, err := r.listen("address of one more", callers{}); err == nil {
		t.Error("one more than all may be listens")
	}
	if _, err := r.listen("practice", callers{Player: &rights.Actor{Practice: true}}); err == nil {
		t.Error("a practice table takes a player's place")
	}
	player := callers{Player: &rights.Actor{Player: 7}}
	for n := range playersEach {
		if _, err := r.listen("player 7", player); err != nil {
			t.Fatalf("stream %d of a seat: %v", n, err)
		}
	}
	if _, err := r.listen("player 7", player); err == nil {
		t.Error("a seat listens more often than it may")
	}
	if _, err := r.listen("player 8", player); err != nil {
		t.Errorf("the next seat: %v", err)
	}
}
