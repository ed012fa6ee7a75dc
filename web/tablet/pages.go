// Package tablet serves the players' pages: joining a seat, the waiting room, the game and practice tables.
package tablet

import (
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"

	"meldhall/tournament/game"
	"meldhall/web/page"
	"meldhall/web/request"
	"meldhall/web/view"
)

// Pages serves the players' pages.
type Pages struct {
	Page   *page.Base
	View   *view.Reader
	views  *views
	badges *badges
	// penalties counts changes to penalties, so that a stream reads its player's penalties only after a change.
	penalties atomic.Uint64
}

// New returns the pages. base holds what all pages share; v reads the data to show.
func New(base *page.Base, v *view.Reader) *Pages {
	return &Pages{Page: base, View: v, views: &views{v},
		badges: newBadges(func() time.Time { return v.Store.Now() }, v.Store.Nodes.Shelf("badge"))}
}

// PenaltiesChanged makes streams read their players' penalties again.
func (s *Pages) PenaltiesChanged() { s.penalties.Add(1) }

func (s *Pages) AddTo(pages *gin.RouterGroup) {
	pages.GET("/guide", s.Page.Request.Handle(s.guidePage))
	pages.GET("/check", s.Page.Request.Handle(s.checkPage))
	pages.GET("/check/live", s.Page.Request.Listen(s.checkLive))
	pages.GET("/join", s.Page.Request.Handle(s.joinPage))
	pages.GET("/join/:code", s.Page.Request.Handle(s.seatsPage))
	pages.POST("/join/:code", s.Page.Request.Handle(s.seatsPost))
	play := pages.Group("/play")
	play.GET("", s.forSeat(s.waitingPage))
	play.POST("", s.forSeat(s.roomPost))
	play.GET("/waiting", s.Page.Request.Listen(s.waitingLive))
	play.GET("/game", s.forSeat(s.gamePage))
	play.GET("/referee", s.forSeat(s.badgePage))
	play.POST("/referee", s.forSeat(s.badgePost))
	play.GET("/referee/sheet", s.forSeat(s.badgeSheetPage))
	play.POST("/referee/sheet/:action", s.forSeat(s.badgeSheetPost))
	play.GET("/live", s.Page.Request.Listen(s.tabletLive))
	play.POST("/device", s.Page.Request.Handle(s.devicePost))
	play.POST("/key", s.Page.Request.Handle(s.keyPost))
	play.POST("/hand", s.Page.Request.Handle(s.handPost))
	play.GET("/next", s.Page.Request.Listen(s.nextLive))
	turns := play.Group("/game/:id")
	s.turnRoutes(turns)
	s.realRoutes(turns)
	play.POST("/game/:id/share", s.Page.Request.Handle(s.Page.Request.Commands.Share))
	play.POST("/game/:id/agree", s.Page.Request.Handle(s.agreePost))
	play.POST("/game/:id/protest", s.Page.Request.Handle(s.protestPost))
	practice := pages.Group("/practice")
	practice.GET("", s.Page.Request.Handle(s.practicePage))
	practice.POST("", s.Page.Request.Handle(s.practicePost))
	practice.GET("/game", s.forSeat(s.gamePage))
	practice.GET("/live", s.Page.Request.Listen(s.tabletLive))
	practice.POST("/device", s.Page.Request.Handle(s.devicePost))
	practice.GET("/game/:id/hint", s.Page.Request.Handle(s.hintPage))
	s.turnRoutes(practice.Group("/game/:id"))
}

// turnRoutes registers what the tablet sends during a game.
func (s *Pages) turnRoutes(at *gin.RouterGroup) {
	at.Use(s.held)
	at.POST("/draft", s.Page.Request.Handle(s.draftPost))
	at.POST("/plan", s.Page.Request.Handle(s.planPost))
	at.POST("/point", s.Page.Request.Handle(s.pointPost))
	at.POST("/play", s.command("play", "play"))
	at.POST("/draw", s.command("draw", "draw"))
	at.POST("/pass", s.command("pass", "pass"))
	at.POST("/press", s.Page.Request.Handle(s.Page.Request.Commands.Handler("press", pressed)))
	at.POST("/ready", s.command("ready", "ready"))
	at.POST("/redeal", s.command("redeal", "redeal"))
	at.POST("/call", s.command("call", "call"))
	at.POST("/withdraw-call", s.command("withdraw-call", "withdraw_call"))
}

// command returns the handler of a player's command. outcome is its name in the keys of the texts.
func (s *Pages) command(name, outcome string) gin.HandlerFunc {
	return s.Page.Request.Handle(s.Page.Request.Commands.Handler(name, s.Page.SayOutcome(outcome)))
}

// pressed answers a key press without words, because the command of the key follows.
func pressed(c *gin.Context, answer game.Answer) error {
	return request.WriteJSON(c, request.NewCommandAnswer(answer))
}

// views builds the view models of these pages. It needs no request and changes nothing. Methods whose result depends on
// the reader take the reader as an argument.
type views struct{ View *view.Reader }
