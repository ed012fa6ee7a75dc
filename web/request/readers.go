package request

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"meldhall/tournament/practice"
	"meldhall/tournament/refuse"
	"meldhall/web/guard"
)

// Limits for one reader. A reader is an account, or a seat in a tournament, at any address: a hall has one address for
// all its tablets. Other visitors, including those at practice tables, are identified by their address, which a whole
// hall may share.
const (
	budgetSecond  = 300 // requests per second
	budgetBurst   = 6000
	streamsAll    = 20_000 // streams of all readers who do not play
	streamsEach   = 5000
	playersAll    = 50_000 // streams of players
	playersEach   = 100
	costlyWait    = 8                // requests that wait while one is processed
	costlyCrowd   = 64               // waiting requests of all readers at one address
	costlyLongest = 20 * time.Second // longest wait in the queue; a response later than guard.Server's limit is lost
	workLongest   = 25 * time.Second // for requests other than players', for the same reason
	othersMost    = 64 << 10         // bytes of a request from anyone but an official
	othersAll     = 32 << 20         // total of such requests in progress, beyond othersFree of each
	othersFree    = 8 << 10          // bytes of each such request; no play is longer
)

// readers limits each reader's use of the server.
type readers struct {
	budget   *guard.Budget
	streams  *guard.Places
	players  *guard.Places // streams of players, which spectators cannot use up
	hosted   *guard.Places // streams of the organizations
	costly   *guard.Lines
	practice *guard.Places
	bodies   *guard.Room
}

func newReaders(now func() time.Time) *readers {
	return &readers{budget: guard.NewBudget(budgetSecond, budgetBurst, now),
		streams: guard.NewPlaces(streamsAll, streamsEach),
		players: guard.NewPlaces(playersAll, playersEach), hosted: guard.NewPlaces(streamsAll, streamsAll),
		costly: guard.NewLines(), bodies: guard.NewRoom(othersAll, othersFree),
		practice: guard.NewScarcePlaces(streamsAll, practice.Each, practice.Most-practice.Last)}
}

// readerOf returns the reader's key, and reports whether it may stand for a crowd.
func readerOf(c *gin.Context, who callers) (reader string, crowd bool) {
	switch {
	case who.plays():
		return "player " + strconv.FormatInt(who.Player.Tournament, 10) + " " +
			strconv.FormatInt(who.Player.Player, 10) + " " + strconv.FormatInt(who.Player.Table, 10), false
	case who.Staff != nil:
		return "account " + strconv.FormatInt(who.Staff.Account, 10), false
	}
	return guard.ReaderAt(c.ClientIP()), true
}

// Costly contains the routes that need much processor time: the possible plays of each turn of a game, the best turn,
// the seating of a large field, an archive, and the preview pictures of links. A reader's costly requests run one at a
// time, in parallel with all other requests.
var Costly = map[string]bool{
	"GET /events/:event/games/:game":                  true,
	"GET /events/:event/games/:game/turns/:turn":      true,
	"GET /events/:event/games/:game/turns/:turn/best": true,
	"GET /card.png":                               true,
	"GET /events/:event/card.png":                 true,
	"GET /events/:event/players/:player/card.png": true,
	"GET /events/:event/tables/:table/card.png":   true,
	"GET /events/:event/games/:game/card.png":     true,
	"GET /practice/game/:id/hint":                 true,
	"POST /desk/:event/rounds":                    true,
	"POST /desk/:event/rounds/:round/draw":        true,
	"GET " + APIBase + "/games/:id/replay":        true,
	"GET " + APIBase + "/games/:id/hint":          true,
	"POST " + APIBase + "/tournaments/:id/rounds": true,

	"GET " + APIBase + "/tournaments/:id/export/archive.zip": true,
}

// listen counts a new stream until leave is called.
func (r *readers) listen(reader string, who callers) (leave func(), err error) {
	if who.plays() {
		return r.players.Take(reader)
	}
	return r.streams.Take(reader)
}

// admit admits a request, or rejects it with TooMany. The caller must call leave when the request is over.
func (r *readers) admit(c *gin.Context, who callers) (leave func(), err error) {
	reader, crowd := readerOf(c, who)
	if err := r.budget.Spend(reader); err != nil {
		return nil, err
	}
	stood := func() {}
	if Costly[c.Request.Method+" "+c.FullPath()] {
		if stood, err = r.standInLine(c.Request.Context(), reader, crowd); err != nil {
			return nil, err
		}
	}
	if who.Staff != nil {
		return stood, nil
	}
	sent, err := r.boundBody(c)
	if err != nil {
		stood()
		return nil, err
	}
	return func() { sent(); stood() }, nil
}

// boundBody limits the bodies of requests from anyone but officials: only officials may send large bodies, and
// thousands of slow ones must not fill the memory.
func (r *readers) boundBody(c *gin.Context) (leave func(), err error) {
	if err := guard.BoundBody(c.Writer, c.Request, othersMost); err != nil {
		return nil, err
	}
	return r.bodies.Bound(c.Request), nil
}

// standInLine waits until none of the reader's other costly requests is being processed. It refuses with TooMany if too
// many requests wait already, or if the wait takes longer than costlyLongest.
func (r *readers) standInLine(ctx context.Context, reader string, crowd bool) (leave func(), err error) {
	most := costlyWait
	if crowd {
		most = costlyCrowd
	}
	waits, cancel := context.WithTimeout(ctx, costlyLongest)
	defer cancel()
	leave, err = r.costly.Stand(waits, reader, most)
	if many := (*guard.TooMany)(nil); errors.As(err, &many) || errors.Is(err, context.DeadlineExceeded) &&
		ctx.Err() == nil {
		return nil, refuse.TooMany("err_costly_many", "seconds", costlyAgain)
	}
	return leave, err
}

// costlyAgain is the number of seconds until a reader with too many costly requests may retry.
const costlyAgain = 5
