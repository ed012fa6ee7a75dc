package shell

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament/rights"
	"meldhall/tournament/security"
	"meldhall/tournament/storage/storagetest"
	"meldhall/web/guard"
	"meldhall/web/live"
)

// A seat of an event and an official are readers of their own; a seat at a practice table, which anybody opens, is the address's.
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
		{callers{Player: &rights.Actor{Tournament: 1, Player: 2, Table: 3, Practice: true}}, "address 203.0.113.9", true},
		{callers{Player: &rights.Actor{Practice: true}, Staff: &rights.Actor{Account: 4}}, "account 4", false},
	} {
		if reader, crowd := readerOf(c, row.who); reader != row.want || crowd != row.crowd {
			t.Errorf("got %q %t, want %q %t", reader, crowd, row.want, row.crowd)
		}
	}
}

// Many at an address wait for what is costly, fewer of one reader; who finds the line full is told what it is about.
func TestCostlyLines(t *testing.T) {
	for crowd, most := range map[bool]int{true: costlyCrowd, false: costlyWait} {
		r := newReaders(time.Now)
		ctx, giveUp := context.WithCancel(t.Context())
		leave, err := r.standInLine(ctx, "a", crowd)
		if err != nil {
			t.Fatal(err)
		}
		ended := make(chan error)
		for range most + 1 {
			go func() { _, err := r.standInLine(ctx, "a", crowd); ended <- err }()
		}
		if f := FailureOf(t.Context(), "", <-ended); f.Status != http.StatusTooManyRequests || f.Code != "err_costly_many" || f.Args["seconds"] != costlyAgain {
			t.Errorf("one too many: %+v", f)
		}
		giveUp()
		for range most {
			if err := <-ended; err != context.Canceled {
				t.Errorf("who waited: %v", err)
			}
		}
		leave()
	}
}

// What is refused before it is known who asks is spent of the address's budget, and written of once.
func TestTurnedAwayIsSpent(t *testing.T) {
	texts, err := templates.LoadTexts(nil)
	if err != nil {
		t.Fatal(err)
	}
	origins, err := guard.NewOrigins("")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	db, lines := storagetest.New(t), new(bytes.Buffer)
	db.Now = func() time.Time { return now }
	s := &Shell{Texts: texts, origins: origins, sessions: scs.New(), Streams: &live.Streams{Epoch: "now"}, security: security.Open(db, lines),
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
	if first, second := ask(EpochHeader, "before"), ask(EpochHeader, "before"); first != http.StatusConflict || second != http.StatusTooManyRequests {
		t.Errorf("of another epoch: %d, %d", first, second)
	}
	s.security.Close()
	if got := strings.Count(lines.String(), "\n"); got != 4 { // of both kinds the first and, in the end, how often it came again
		t.Errorf("%d lines: %s", got, lines)
	}
}
