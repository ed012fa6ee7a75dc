package shell

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"meldhall/tournament/hosting"
	"meldhall/tournament/practice"
	"meldhall/tournament/refuse"
	"meldhall/web/guard"
)

// What one reader may take. A reader is somebody who is signed in or holds a seat of an event, at whatever address: a venue has one for
// all its tablets. Whoever else asks, also at a practice table, is known by the address, behind which a whole hall may look on.
const (
	budgetSecond  = 300 // requests
	budgetBurst   = 6000
	streamsAll    = 20_000 // of all who do not play
	streamsEach   = 5000
	playersAll    = 50_000 // streams of players
	playersEach   = 100
	costlyWait    = 8                // requests that wait while one is worked on
	costlyCrowd   = 64               // of all at an address
	costlyLongest = 20 * time.Second // in line: what is answered later than guard.Server writes is lost
	workLongest   = 25 * time.Second // for a request that no player sends, for the same reason
	othersMost    = 64 << 10         // bytes of a request of somebody who is no official
	othersAll     = 32 << 20         // of all of theirs that are on their way, besides the first
	othersFree    = 8 << 10          // of each, which no play is longer than
)

// readers bounds what each reader takes of the server.
type readers struct {
	budget   *guard.Budget
	streams  *guard.Places
	players  *guard.Places // streams of players, which no crowd of others takes
	hosted   *guard.Places // of the organizations
	costly   *guard.Lines
	practice *guard.Places
	bodies   *guard.Room
}

func newReaders(now func() time.Time) *readers {
	return &readers{budget: guard.NewBudget(budgetSecond, budgetBurst, now), streams: guard.NewPlaces(streamsAll, streamsEach),
		players: guard.NewPlaces(playersAll, playersEach), hosted: guard.NewPlaces(streamsAll, streamsAll),
		costly: guard.NewLines(), bodies: guard.NewRoom(othersAll, othersFree),
		practice: guard.NewScarcePlaces(streamsAll, practice.Each, practice.Most-practice.Last)}
}

// readerOf names who asks, and tells whether that may be a crowd.
func readerOf(c *gin.Context, who callers) (reader string, crowd bool) {
	switch {
	case who.plays():
		return "player " + strconv.FormatInt(who.Player.Tournament, 10) + " " + strconv.FormatInt(who.Player.Player, 10) + " " + strconv.FormatInt(who.Player.Table, 10), false
	case who.Staff != nil:
		return "account " + strconv.FormatInt(who.Staff.Account, 10), false
	}
	return guard.ReaderAt(c.ClientIP()), true
}

// Costly are the addresses that cost much of a processor: what was possible in each turn of a game, the best turn, the seats of a
// large field, an archive, and the pictures beside links. A reader has one of them worked on at a time; everything else goes on beside it.
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

// listen counts one who begins to listen, until leave.
func (r *readers) listen(reader string, who callers) (leave func(), err error) {
	if who.plays() {
		return r.players.Take(reader)
	}
	return r.streams.Take(reader)
}

// admit lets a request in, or refuses it with TooMany; leave is to be called when it is over.
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

// boundBody bounds what somebody who is no official sends: large bodies are theirs alone, and thousands that are sent slowly are not to
// fill the memory.
func (r *readers) boundBody(c *gin.Context) (leave func(), err error) {
	if err := guard.BoundBody(c.Writer, c.Request, othersMost); err != nil {
		return nil, err
	}
	return r.bodies.Bound(c.Request), nil
}

// standInLine waits until nothing else that is costly is worked on for the reader.
func (r *readers) standInLine(ctx context.Context, reader string, crowd bool) (leave func(), err error) {
	most := costlyWait
	if crowd {
		most = costlyCrowd
	}
	waits, cancel := context.WithTimeout(ctx, costlyLongest)
	defer cancel()
	leave, err = r.costly.Stand(waits, reader, most)
	if many := (*guard.TooMany)(nil); errors.As(err, &many) || errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return nil, refuse.TooMany("err_costly_many", "seconds", costlyAgain)
	}
	return leave, err
}

// costlyAgain is after how many seconds somebody for whom too much is worked on may ask again.
const costlyAgain = 5

// hostedAgain is after how many seconds a reader may look again who found no place among those of an organization.
const hostedAgain = 10

// hosted counts one who listens to an event of an organization that bounds how many do, until leave, and refuses one too many. Who plays, and
// officials, are let in and not counted.
func (s *Shell) hosted(c *gin.Context, who callers) (leave func(), err error) {
	none := func() {}
	if who.Staff != nil || who.plays() {
		return none, nil
	}
	event, _ := strconv.ParseInt(c.Param("event"), 10, 64)
	if id := c.Param("id"); event == 0 && strings.HasPrefix(c.FullPath(), APIBase+"/games/") {
		game, _ := strconv.ParseInt(id, 10, 64)
		if event, err = hosting.EventOf(c.Request.Context(), s.venue.Store, game); err != nil {
			return nil, err
		}
	}
	if event == 0 {
		return none, nil
	}
	organization, most, err := hosting.StreamsOf(c.Request.Context(), s.venue.Store, event)
	if err != nil || most == 0 {
		return none, err
	}
	leave, err = s.readers.hosted.TakeOf("organization "+strconv.FormatInt(organization, 10), most)
	if err != nil {
		return nil, refuse.New(refuse.KindBusy, "err_hosted_busy", "most", most, "seconds", hostedAgain)
	}
	return leave, nil
}
