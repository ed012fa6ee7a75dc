package shell

import (
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"meldhall/web/guard"
)

// What one reader may take. A reader is somebody who is signed in or holds a seat, at whatever address: a venue has one for all its
// tablets. Whoever else asks is known by the address, behind which a whole hall may look on.
const (
	budgetSecond = 300 // requests
	budgetBurst  = 6000
	streamsAll   = 20_000
	streamsEach  = 5000
	costlyWait   = 3 // requests that wait while one is worked on
	practiceEach = 20
)

// readers bounds what each reader takes of the server.
type readers struct {
	budget   *guard.Budget
	streams  *guard.Places
	costly   *guard.Lines
	practice *guard.Places
}

func newReaders(now func() time.Time) *readers {
	return &readers{budget: guard.NewBudget(budgetSecond, budgetBurst, now), streams: guard.NewPlaces(streamsAll, streamsEach),
		costly: guard.NewLines(costlyWait), practice: guard.NewPlaces(streamsAll, practiceEach)}
}

// readerOf names who asks.
func readerOf(c *gin.Context, who callers) string {
	switch {
	case who.Player != nil:
		return "player " + strconv.FormatInt(who.Player.Tournament, 10) + " " + strconv.FormatInt(who.Player.Player, 10) + " " + strconv.FormatInt(who.Player.Table, 10)
	case who.Staff != nil:
		return "account " + strconv.FormatInt(who.Staff.Account, 10)
	}
	return guard.ReaderAt(c.ClientIP())
}

// Costly are the addresses that cost seconds of a processor: what was possible in each turn of a game, the best turn, and the seats of a
// large field. A reader has one of them worked on at a time; everything else goes on beside it.
var Costly = map[string]bool{
	"GET /events/:event/games/:game":                  true,
	"GET /events/:event/games/:game/turns/:turn":      true,
	"GET /events/:event/games/:game/turns/:turn/best": true,
	"GET /practice/game/:id/hint":                     true,
	"POST /desk/:event/rounds":                        true,
	"POST /desk/:event/rounds/:round/draw":            true,
	"GET " + APIBase + "/games/:id/replay":            true,
	"GET " + APIBase + "/games/:id/hint":              true,
	"POST " + APIBase + "/tournaments/:id/rounds":     true,
}

// admit lets a request in, or refuses it with TooMany; leave is to be called when it is over.
func (r *readers) admit(c *gin.Context, who callers) (leave func(), err error) {
	reader := readerOf(c, who)
	if err := r.budget.Spend(reader); err != nil {
		return nil, err
	}
	if !Costly[c.Request.Method+" "+c.FullPath()] {
		return func() {}, nil
	}
	return r.costly.Stand(c.Request.Context(), reader)
}
