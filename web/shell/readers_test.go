package shell

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/gin-gonic/gin"

	"meldhall/tournament/rights"
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
