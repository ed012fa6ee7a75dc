// Package desk serves the organizer's pages: tournaments, people, rounds, results and publishing.
package desk

import (
	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/draw"
	"meldhall/tournament/people"
	"meldhall/tournament/result"
	"meldhall/web/page"
	"meldhall/web/view"
)

// Pages are the organizer's pages; the tournament package rejects other roles.
type Pages struct {
	Page  *page.Base
	View  *view.Reader
	views *views
}

// New returns the desk's pages. They share base, the common parts of all pages, and the reader v.
func New(base *page.Base, v *view.Reader) *Pages {
	return &Pages{Page: base, View: v, views: &views{v}}
}

func (s *Pages) AddTo(pages *gin.RouterGroup) {
	pages.GET("/desk", s.Page.Request.Handle(s.deskListPage))
	pages.GET("/desk/new", s.Page.Request.Handle(s.newEventPage))
	pages.POST("/desk/new", s.Page.Request.Handle(s.newEventPost))
	event := pages.Group("/desk/:event")
	event.GET("/qualification", s.Page.Request.Handle(s.qualificationPage))
	event.POST("/qualification", s.Page.Request.Handle(s.qualificationPost))
	event.GET("/rules", s.Page.Request.Handle(s.rulesPage))
	event.POST("/rules", s.Page.Request.Handle(s.rulesPost))
	event.GET("", s.Page.Request.Handle(s.deskPage))
	event.GET("/live", s.Page.Request.Listen(s.deskLive))
	event.GET("/find", s.Page.Request.Handle(s.findPage))
	event.POST("/rounds", s.Page.Request.Handle(page.Form[draw.PairRound](s.Page,
		page.OfEvent(templates.DeskPath), s.drafted)))
	event.POST("/script", s.Page.Request.Handle(s.scriptPost))
	event.GET("/tiles", s.Page.Request.Handle(page.Preview[tournament.SetTiles](s.Page,
		page.OfEvent(templates.DeskPath), s.showTiles)))
	event.GET("/publishing", s.Page.Request.Handle(s.publishingPage))
	event.GET("/publishing/set", s.Page.Request.Handle(page.Preview[tournament.SetShown](s.Page,
		page.OfEvent(templates.PublishingPath), s.showPublishing)))
	event.GET("/reopen", s.Page.Request.Handle(s.reopenPage))
	event.GET("/stages/:stage/rounds", s.Page.Request.Handle(s.stageRoundsPage))
	event.GET("/roster", s.Page.Request.Handle(s.rosterPage))
	event.POST("/roster/preview", s.Page.Request.Handle(s.rosterPreview))
	event.POST("/roster/import", s.Page.Request.Handle(s.rosterImport))
	event.POST("/roster/add", s.Page.Request.Handle(s.rosterAdd))
	event.POST("/roster/time", s.Page.Request.Handle(page.Form[tournament.SetExtraTime](s.Page, personOf,
		s.timeGiven)))
	event.POST("/roster/family", s.Page.Request.Handle(page.Form[tournament.SetFamily](s.Page, personOf, s.familySet)))
	event.POST("/roster/drawn", s.Page.Request.Handle(s.rosterDrawn))
	event.GET("/people", s.Page.Request.Handle(s.peoplePage))
	event.POST("/people", s.Page.Request.Handle(page.Form[people.SetPeopleSettings](s.Page,
		page.OfEvent(templates.PeoplePath), s.settingsSaved)))
	event.GET("/people/do", s.Page.Request.Handle(s.peopleDoPage))
	event.POST("/people/do", s.Page.Request.Handle(s.peopleDoPost))
	event.GET("/people/undo/:change", s.Page.Request.Handle(s.peopleUndoPage))
	event.GET("/players/:player", s.Page.Request.Handle(s.personPage))
	event.GET("/check-in", s.Page.Request.Handle(s.checkInPage))
	event.GET("/check-in/live", s.Page.Request.Listen(s.checkInLive))
	event.POST("/check-in", s.Page.Request.Handle(s.checkInPost))
	event.GET("/log", s.Page.Request.Handle(s.logPage))
	event.GET("/rehearsal", s.Page.Request.Handle(s.rehearsalPage))
	event.POST("/rehearsal", s.Page.Request.Handle(s.rehearsalPost))
	event.GET("/plan", s.Page.Request.Handle(s.planPage))
	event.POST("/plan", s.Page.Request.Handle(s.planDayPost))
	event.GET("/results", s.Page.Request.Handle(s.resultsPage))
	event.GET("/results/:game", s.Page.Request.Handle(s.resultPage))
	event.POST("/results/:game", s.Page.Request.Handle(s.resultPost))
	event.GET("/results/:game/correct", s.Page.Request.Handle(s.correctPage))
	event.GET("/results/:game/racks", s.Page.Request.Handle(s.recountPage))
	pages.GET("/referee/:event/games/:game/count/replay", s.Page.Request.Handle(
		page.Preview[result.OrderReplay](s.Page, countOf, s.showReplay)))
	round := event.Group("/rounds/:round")
	round.GET("", s.Page.Request.Handle(s.roundPage))
	round.GET("/live", s.Page.Request.Listen(s.roundLive))
	round.POST("/draw", s.Page.Request.Handle(page.Form[draw.PairRound](s.Page, roundOf, s.drafted)))
	round.GET("/swap", s.Page.Request.Handle(page.Preview[people.SwapSeats](s.Page, roundOf, s.showSwap)))
	round.POST("/swap", s.Page.Request.Handle(page.Form[people.SwapSeats](s.Page, swapOf,
		reseated[draw.SeatSwap](s, "draw.swapped", "draw.swapped_seen"))))
	round.GET("/move", s.Page.Request.Handle(page.Preview[people.MoveSeat](s.Page, roundOf, s.showMove)))
	round.POST("/move", s.Page.Request.Handle(page.Form[people.MoveSeat](s.Page, moveOf,
		reseated[draw.SeatMove](s, "draw.moved", "draw.moved_seen"))))
	round.GET("/tiles", s.Page.Request.Handle(page.Preview[tournament.SetTableTiles](s.Page, roundOf,
		s.showTableTiles)))
	round.GET("/withdraw", s.Page.Request.Handle(page.Preview[draw.WithdrawRound](s.Page, roundOf,
		s.showWithdraw)))
	round.POST("/withdraw", s.Page.Request.Handle(s.withdrawPost))
	round.POST("/script", s.Page.Request.Handle(s.scriptPost))
	round.POST("/begin", s.Page.Request.Handle(s.beginPost))
	round.POST("/starts", s.Page.Request.Handle(s.startsPost))
	round.POST("/call-time", s.Page.Request.Handle(s.callTimePost))
}

// views builds the view models of these pages. It needs no request and changes nothing. Methods whose result depends on
// the reader take the reader as an argument.
type views struct{ View *view.Reader }
