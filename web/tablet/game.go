package tablet

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
	"meldhall/templates/locale"
	"meldhall/templates/play"
	"meldhall/tournament"
	"meldhall/tournament/game"
	"meldhall/tournament/practice"
	"meldhall/tournament/rights"
	"meldhall/web/live"
	"meldhall/web/page"
	"meldhall/web/request"
	"meldhall/web/view"
)

// gamePage renders the player's tablet during a game and with its result afterwards.
func (s *Pages) gamePage(c *gin.Context, me rights.Actor) error {
	ctx := s.Page.Request.Language(c)
	at, err := s.Page.Request.Seats.WhereIs(ctx, me)
	if err != nil {
		return err
	}
	if !at.Running() && !at.Over() {
		return s.Page.SeeOther(c, seatPagesOf(c).room, "")
	}
	place, people, err := s.View.Tournaments.GamePlace(ctx, at.Snap.Ref)
	if err != nil {
		return err
	}
	game, err := s.views.newTablet(ctx, at, place, people)
	if err != nil {
		return err
	}
	if err := s.views.ended(ctx, at, &game); err != nil {
		return err
	}
	own, err := s.views.ownPenalties(ctx, me.Player)
	if err != nil {
		return err
	}
	game.Penalties = newPenalties(own, game.View.Now)
	if at.Snap.State.Physical {
		return s.showReal(c, at, game)
	}
	tab := live.NewTab()
	p := s.Page.NewPage(c, locale.T(ctx, "game.title", "table", place.Table), nil)
	has := url.Values{"tab": {tab}, live.HasQuery: {p.Epoch + "." + shownID(at, game, own)}}
	p = page.Near(p, seatPagesOf(c).stream()+templ.SafeURL("?"+has.Encode()))
	p.Live.Tab = tab
	s.View.Presence.Take(me, tab)
	if request.AtPractice(c) {
		p = s.Page.Awaiting(c, p)
	}
	shown := play.GameView{Page: p, Game: game}
	if !request.AtPractice(c) {
		if shown.Hand, err = tournament.HandOf(ctx, s.View.Store, me); err != nil {
			return err
		}
		shown.HandAt = handPath
	}
	return s.Page.Show(c, http.StatusOK, play.GamePage(shown))
}

// newTablet returns a game as its player may see it: the player's own rack, and the table with the current draft.
func (s *views) newTablet(ctx context.Context, at request.SeatAt, place play.GamePlace,
	people []play.Person) (play.Game, error) {
	snap := at.Snap
	v, err := s.View.Games.Seals.Shown(ctx, snap, at.Me.Seat)
	game := play.Game{ID: snap.Ref.ID, Place: place, Seats: people, View: v, Counted: at.Confirmed,
		Charged: view.ChargedBy(snap.State.Rules)}
	game.View.Now = engine.MillisOf(s.View.Store.Now())
	game.Assist = snap.State.Rules.Assist == ruleset.On
	game.Meanwhile = engine.MeanwhileOf(snap.State, at.Me.Seat)
	game.Sign = view.NewSign(at.Me, snap)
	if snap.Draft != nil && snap.Draft.Seat == at.Me.Seat {
		game.Draft = snap.Draft.Table
	}
	if learning, ok := practice.LearningAt(snap.Ref, &snap.State, game.Draft); ok {
		game.Lesson = newLesson(learning)
		game.View.Ruling = nil // the set positions
		if v.Last != nil && v.Last.Kind == (engine.PositionSet{}).Kind() {
			game.View.Last = nil
		}
	}
	if err != nil || snap.Draft == nil {
		return game, err
	}
	if snap.Draft.Seat != at.Me.Seat {
		game.View.Table, game.Drafted = view.DraftTable(snap), true
		game.Meanwhile.New, game.Meanwhile.Moved = nil, nil // they refer to cells of the table before the draft
	}
	return game, nil
}

// draftPost shows a player's draft at the table and returns the rules' verdict on it.
func (s *Pages) draftPost(c *gin.Context) error {
	r, answer, err := s.Page.Request.Commands.SetDraft(c)
	if err != nil {
		return err
	}
	state, seat := &answer.Snapshot.State, s.Page.Request.Player(c).Seat
	reply := play.NewDraftReply(s.Page.Request.Language(c), r.Table, answer.Verdict, state.Opened[seat],
		state.Rules)
	reply.Fits = engine.Fits(*state, seat, r.Table)
	if learning, ok := practice.LearningAt(answer.Snapshot.Ref, state, r.Table); ok {
		html, err := page.Render(s.Page.Request.Language(c), play.LessonPanel(*newLesson(learning)))
		if err != nil {
			return err
		}
		reply.Lesson = string(html)
	}
	return request.WriteJSON(c, reply)
}

// tabletLive keeps the player's tablet up to date across games; each message is the whole region. The message "go"
// sends the tablet to another page.
func (s *Pages) tabletLive(c *gin.Context) error {
	me, err := s.Page.Request.Seats.Holder(c)
	if err != nil {
		return err
	}
	t := &tabletReader{pages: s, ctx: s.Page.Request.Language(c), real: c.Query("kind") == realKind}
	feed := s.Page.Request.Seats.Feed(c, me, t.draw)
	feed.Ping = page.NearPing
	next := feed.Next
	t.points = s.Page.Pointed(t.ctx, &feed, func() ([]play.Person, int, bool) { return t.people, t.seat, true })
	tab, away := c.Query("tab"), false
	feed.Next = func() (live.Message, error) {
		if is := s.View.Presence.Elsewhere(me, tab); is != away {
			away = is
			feed.Watcher.Wake() // the state is sent next
			return live.Message{Event: awayEvents[away], Data: []byte("{}")}, nil
		}
		return next()
	}
	return s.Page.StreamPage(c, feed)
}

// awayEvents are the messages to a page when another page takes over its seat (true) and when it plays the seat itself
// again (false).
var awayEvents = map[bool]string{true: "elsewhere", false: "here"}

// tabletReader renders a player's games. place and people are constant during a game.
type tabletReader struct {
	pages  *Pages
	ctx    context.Context
	real   bool // whether the page is for real tiles
	game   int64
	place  play.GamePlace
	people []play.Person
	own    ownReader
	seat   int
	points *live.Pointers
}

func (r *tabletReader) draw(at request.SeatAt) (live.Message, error) {
	r.seat = at.Me.Seat
	r.points.Follow(at.Me.Table)
	if !at.Running() && !at.Over() || at.Snap.State.Physical != r.real {
		return live.Message{Event: "go", Data: []byte("{}")}, nil
	}
	if r.game != at.Snap.Ref.ID {
		place, people, err := r.pages.View.Tournaments.GamePlace(r.ctx, at.Snap.Ref)
		if err != nil {
			return live.Message{}, err
		}
		r.game, r.place, r.people = at.Snap.Ref.ID, place, people
	}
	game, err := r.pages.views.newTablet(r.ctx, at, r.place, r.people)
	if err != nil {
		return live.Message{}, err
	}
	if err := r.pages.views.ended(r.ctx, at, &game); err != nil {
		return live.Message{}, err
	}
	own, err := r.own.penalties(r.ctx, r.pages, at.Me.Player)
	if err != nil {
		return live.Message{}, err
	}
	game.Penalties = newPenalties(own, game.View.Now)
	html, err := page.RenderRegion(r.ctx, tabletRegion(at, game))
	return live.Message{ID: shownID(at, game, own), Data: html}, err
}

// ranksID identifies the standings of a table's players, for the id of an ended game's view.
func ranksID(rows []play.RankRow) string {
	text := ""
	for _, r := range rows {
		text += fmt.Sprintf("-%s.%d.%d.%t", r.Rank, r.Wins, r.Total, r.Provisional)
	}
	return text
}

// shownID identifies the state that a tablet shows, for its stream.
func shownID(at request.SeatAt, game play.Game, own []play.OwnPenalty) string {
	id := tabletID(at) + ownID(own)
	if at.Over() {
		id += view.AgreedID(game.Rev, game.Agreed) + protestsID(game) + ranksID(game.Standing)
	}
	return id
}

// tabletID identifies the content of a tablet. During the player's own turn it ignores drafts, because the tablet that
// lays the tiles already has them.
func tabletID(at request.SeatAt) string {
	snap := *at.Snap
	if snap.State.Phase == engine.PhasePlaying && snap.State.Turn.Seat == at.Me.Seat {
		snap.DraftNumber = 0
	}
	id := view.StateID(&snap)
	if at.Confirmed {
		id += "-confirmed"
	}
	return id
}

// pointPost lets a player point at a set. It is no action in the game, so that it needs no turn.
func (s *Pages) pointPost(c *gin.Context) error {
	me, snap, err := s.seatedAt(c)
	if err != nil {
		return err
	}
	return s.Page.PointPost(c, snap, me.Seat, fmt.Sprintf("seat %d %d", snap.Ref.TableID, me.Seat))
}

// seatedAt returns the player who sends a request, and the game in its address. It refuses players of other tables.
func (s *Pages) seatedAt(c *gin.Context) (rights.Actor, *game.Snapshot, error) {
	me := s.Page.Request.Player(c)
	id, err := request.GameParam(c)
	if err != nil {
		return me, nil, err
	}
	snap, err := s.View.Games.Look(c.Request.Context(), id)
	if err != nil {
		return me, nil, err
	}
	at := rights.Place{Tournament: snap.Ref.TournamentID, Table: snap.Ref.TableID, Seat: me.Seat}
	return me, snap, rights.Authorize(me, at, rights.MayPlay)
}

// planRequest holds the sets of rack tiles that a player plans.
type planRequest struct {
	Sets []tile.FaceList `json:"sets"`
}

// planPost returns the rules' verdict on sets that a player plans. Nothing is stored or shown to others, and a player
// may ask only about tiles of their own rack.
func (s *Pages) planPost(c *gin.Context) error {
	var r planRequest
	if err := request.ReadJSON(c, &r); err != nil {
		return err
	}
	me, snap, err := s.seatedAt(c)
	if err != nil {
		return err
	}
	if len(r.Sets) > tile.Count {
		return request.Refused(http.StatusUnprocessableEntity, "err_not_on_rack")
	}
	sets := make([][]tile.Face, len(r.Sets))
	for i, set := range r.Sets {
		sets[i] = set
	}
	rack := tile.FacesOf(snap.State.Racks[me.Seat])
	if planned := tile.CountFaces(sets...); !planned.Within(tile.CountFaces(rack)) {
		return request.Refused(http.StatusUnprocessableEntity, "err_not_on_rack")
	}
	return request.WriteJSON(c, play.NewPlanReply(s.Page.Request.Language(c), r.Sets, snap.State.Opened[me.Seat],
		snap.State.Rules))
}
