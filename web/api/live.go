package api

import (
	"bytes"
	"context"
	"hash/fnv"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates/locale"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/displayname"
	"meldhall/tournament/rights"
	"meldhall/web/live"
	"meldhall/web/request"
)

// TablesNowView contains all tables of the current round.
type TablesNowView struct {
	Tournament int64          `json:"tournament_id"`
	Round      int            `json:"round" doc:"its number; 0: none is shown yet"`
	Tables     []TableNowView `json:"tables"`
}

// TableNowView is a table with its current game, without racks.
type TableNowView struct {
	ID     int64         `json:"id"`
	Number int           `json:"number"`
	Status string        `json:"status" doc:"such as waiting, running, paused, count (to be counted) or confirmed"`
	Game   int64         `json:"game_id"`
	Count  int           `json:"game" doc:"number of the game at this table"`
	Of     int           `json:"of"`
	Pool   *int          `json:"pool,omitempty" doc:"tiles in the pool; missing if unknown"`
	Due    engine.Millis `json:"due,omitempty" doc:"end of the current turn; missing without a running clock"`
	Left   engine.Millis `json:"left,omitempty" doc:"milliseconds left on a stopped clock"`
	Seats  []SeatNowView `json:"seats"`
}

// SeatNowView is a player at a table.
type SeatNowView struct {
	Player PlayerView `json:"player"`
	Place  int        `json:"place,omitempty" doc:"in the standings; missing before the first result"`
	Tiles  *int       `json:"tiles,omitempty" doc:"number of tiles on the rack; missing if unknown"`
	Opened bool       `json:"opened" doc:"has laid the first meld of the running game"`
	Turn   bool       `json:"turn" doc:"is to move"`
}

func (a *api) liveOperations() {
	operation(a, forAll, "GET /tournaments/{id}/tables", "All tables of the current round, without racks", a.apiTables)
	stream := describe("Server-sent events. Each message is the whole state as JSON, never a difference. The newest " +
		"state is sent at once, unless Last-Event-ID names it. Events named ping come every 15 s of silence. Without " +
		"a token it shows what the public pages show, as late as they do, and at most one message a second.")
	a.plain(forAll, "GET /tournaments/{id}/tables/live", "Stream of all tables of the current round", nil,
		TablesNowView{}, live.StreamKind, func(c *gin.Context) error {
			return a.stream(c, "tables", func(ctx context.Context, reader rights.Actor, id int64) (any, error) {
				return a.tablesNow(ctx, reader, id)
			}, live.TournamentTopic)
		}, stream)
	a.plain(forAll, "GET /tournaments/{id}/standings/live", "Stream of the standings", nil, StandingsView{},
		live.StreamKind, func(c *gin.Context) error {
			return a.stream(c, "standings", func(ctx context.Context, reader rights.Actor, id int64) (any, error) {
				return a.standings(ctx, reader, id)
			}, func(id int64) live.Topic { return live.Topics(id, action.TopicStandings)[0] })
		}, stream)
}

func (a *api) apiTables(ctx context.Context, in *IDPath) (*with[TablesNowView], error) {
	if _, err := tournament.TournamentByID(ctx, a.View.Store, in.ID); err != nil {
		return nil, err
	}
	return answer(a.tablesNow(ctx, a.Request.Staff(requestOf(ctx)), in.ID))
}

func (a *api) tablesNow(ctx context.Context, reader rights.Actor, id int64) (TablesNowView, error) {
	round, tables, err := a.View.TablesNow(ctx, reader, id)
	v := TablesNowView{id, round, make([]TableNowView, len(tables))}
	for i, t := range tables {
		row := TableNowView{ID: t.Row.ID, Number: t.Row.Number, Status: t.Row.Status(), Game: t.Row.GameID,
			Count: t.Row.Game, Of: t.Row.Of, Due: t.Row.Clock.Due, Left: t.Row.Clock.Left,
			Seats: make([]SeatNowView, len(t.Seats))}
		known := false
		for seat, s := range t.Seats {
			row.Seats[seat] = SeatNowView{Player: playerView(s.Player), Place: s.Place}
			if seat >= len(t.Row.Players) || t.Row.Players[seat].Real {
				continue
			}
			p := t.Row.Players[seat]
			row.Seats[seat].Tiles, row.Seats[seat].Opened, row.Seats[seat].Turn = &p.Tiles, s.Opened, p.Turn
			known = true
		}
		if known {
			row.Pool = &t.Row.Pool
		}
		v.Tables[i] = row
	}
	return v, err
}

// stream sends a state of a tournament whenever a topic is woken. All readers without a token share one rendering.
func (a *api) stream(c *gin.Context, name string, state func(context.Context, rights.Actor, int64) (any, error),
	topic func(int64) live.Topic) error {
	id, err := strconv.ParseInt(c.Param("id"), 10, 64)
	if err != nil {
		return request.NotFound(c)
	}
	ctx := a.Request.Language(c)
	if _, err := tournament.TournamentByID(ctx, a.View.Store, id); err != nil {
		return err
	}
	if a.Request.Staff(c).Role != rights.RolePublic {
		return a.Request.Streams.Serve(c, a.stateFeed(ctx, id, topic(id), state, func() (rights.Actor, error) {
			return a.Request.Tokens.StaffNow(c)
		}))
	}
	ctx = displayname.ForAll(context.WithoutCancel(ctx))
	key := "api " + name + " " + strconv.FormatInt(id, 10) + " " + locale.LanguageOf(ctx).Tag
	return a.Request.Streams.ServeShared(c, live.Shared{Key: key, Feed: func() live.Feed {
		return a.stateFeed(ctx, id, topic(id), state, func() (rights.Actor, error) {
			return rights.Public(), a.View.Sights.AuthorizeEvent(ctx, rights.Public(), id)
		})
	}})
}

// stateLeast is the shortest time between two states of a stream.
const stateLeast = time.Second

func (a *api) stateFeed(ctx context.Context, id int64, topic live.Topic,
	state func(context.Context, rights.Actor, int64) (any, error), reader func() (rights.Actor, error)) live.Feed {
	return live.Feed{Watcher: a.Request.Hub.Watch(append(live.Topics(id, action.TopicSettings, action.TopicPeople),
		topic)...), Least: publicLeast, Apart: stateLeast, Next: func() (live.Message, error) {
		who, err := reader()
		if err != nil {
			return live.Message{}, err
		}
		// a delayed part changes with time alone, which the note makes wake the topics
		_, err = a.View.Sights.ShownNote(ctx, who, id, tournament.PartTables, tournament.PartStandings)
		if err != nil {
			return live.Message{}, err
		}
		now, err := state(ctx, who, id)
		if err != nil {
			return live.Message{}, err
		}
		var data bytes.Buffer
		err = marshal(&data, now)
		sum := fnv.New64a()
		sum.Write(data.Bytes())
		return live.Message{ID: strconv.FormatUint(sum.Sum64(), 36), Data: bytes.TrimSpace(data.Bytes())}, err
	}}
}
