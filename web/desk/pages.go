// Package desk serves the organizer's pages: tournaments, people, rounds, results and publishing.
package desk

import (
	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/draw"
	"meldhall/tournament/housekeeping"
	"meldhall/tournament/people"
	"meldhall/tournament/result"
	"meldhall/web/page"
	"meldhall/web/view"
)

// Pages serves the organizer's pages. The tournament packages reject other roles.
type Pages struct {
	Page  *page.Base
	View  *view.Reader
	views *views
}

// New returns the desk's pages. base holds what all pages share; v reads the data to show.
func New(base *page.Base, v *view.Reader) *Pages {
	return &Pages{Page: base, View: v, views: &views{v}}
}

func (s *Pages) AddTo(pages *gin.RouterGroup) {
	handle, listen := s.Page.Request.Handle, s.Page.Request.Listen
	pages.GET("/desk", handle(s.deskListPage))
	pages.GET("/desk/new", handle(s.newEventPage))
	pages.POST("/desk/new", handle(s.newEventPost))
	event := pages.Group("/desk/:event")
	event.GET("/qualification", handle(s.qualificationPage))
	event.POST("/qualification", handle(s.qualificationPost))
	event.GET("/rules", handle(s.rulesPage))
	event.POST("/rules", handle(s.rulesPost))
	event.GET("", handle(s.deskPage))
	event.GET("/live", listen(s.deskLive))
	event.GET("/details", handle(s.detailsPage))
	event.GET("/again", handle(s.againPage))
	event.POST("/again", handle(page.Form[housekeeping.Again](s.Page, page.OfEvent(templates.AgainPath), s.repeated)))
	event.GET("/find", handle(s.findPage))
	event.POST("/rounds", handle(page.Form[draw.PairRound](s.Page, page.OfEvent(templates.DeskPath), s.drafted)))
	event.POST("/script", handle(s.scriptPost))
	event.GET("/tiles", handle(page.Preview[tournament.SetTiles](s.Page, page.OfEvent(templates.DeskPath),
		s.showTiles)))
	event.GET("/publishing", handle(s.publishingPage))
	event.GET("/publishing/set", handle(page.Preview[tournament.SetShown](s.Page,
		page.OfEvent(templates.PublishingPath), s.showPublishing)))
	event.GET("/reopen", handle(s.reopenPage))
	event.GET("/stages/:stage/rounds", handle(s.stageRoundsPage))
	event.GET("/roster", handle(s.rosterPage))
	event.POST("/roster/preview", handle(s.rosterPreview))
	event.POST("/roster/import", handle(s.rosterImport))
	event.POST("/roster/add", handle(s.rosterAdd))
	event.POST("/roster/time", handle(page.Form[tournament.SetExtraTime](s.Page, personOf, s.timeGiven)))
	event.POST("/roster/family", handle(page.Form[tournament.SetFamily](s.Page, personOf, s.familySet)))
	event.POST("/roster/drawn", handle(s.rosterDrawn))
	event.GET("/people", handle(s.peoplePage))
	event.POST("/people", handle(page.Form[people.SetPeopleSettings](s.Page, page.OfEvent(templates.PeoplePath),
		s.settingsSaved)))
	event.GET("/people/do", handle(s.peopleDoPage))
	event.POST("/people/do", handle(s.peopleDoPost))
	event.GET("/people/undo/:change", handle(s.peopleUndoPage))
	event.GET("/players/:player", handle(s.personPage))
	event.GET("/check-in", handle(s.checkInPage))
	event.GET("/check-in/live", listen(s.checkInLive))
	event.POST("/check-in", handle(s.checkInPost))
	event.GET("/log", handle(s.logPage))
	event.GET("/rehearsal", handle(s.rehearsalPage))
	event.POST("/rehearsal", handle(s.rehearsalPost))
	event.GET("/plan", handle(s.planPage))
	event.POST("/plan", handle(s.planDayPost))
	event.GET("/results", handle(s.resultsPage))
	event.GET("/results/:game", handle(s.resultPage))
	event.POST("/results/:game", handle(s.resultPost))
	event.GET("/results/:game/correct", handle(s.correctPage))
	event.GET("/results/:game/racks", handle(s.recountPage))
	pages.GET("/referee/:event/games/:game/count/replay", handle(page.Preview[result.OrderReplay](s.Page, countOf,
		s.showReplay)))
	s.addRound(event.Group("/rounds/:round"))
}

// addRound adds the routes of a round.
func (s *Pages) addRound(round *gin.RouterGroup) {
	handle, listen := s.Page.Request.Handle, s.Page.Request.Listen
	round.GET("", handle(s.roundPage))
	round.GET("/live", listen(s.roundLive))
	round.POST("/draw", handle(page.Form[draw.PairRound](s.Page, roundOf, s.drafted)))
	round.GET("/swap", handle(page.Preview[people.SwapSeats](s.Page, roundOf, s.showSwap)))
	round.POST("/swap", handle(page.Form[people.SwapSeats](s.Page, swapOf,
		reseated[draw.SeatSwap](s, "draw.swapped", "draw.swapped_seen"))))
	round.GET("/move", handle(page.Preview[people.MoveSeat](s.Page, roundOf, s.showMove)))
	round.POST("/move", handle(page.Form[people.MoveSeat](s.Page, moveOf,
		reseated[draw.SeatMove](s, "draw.moved", "draw.moved_seen"))))
	round.GET("/tiles", handle(page.Preview[tournament.SetTableTiles](s.Page, roundOf, s.showTableTiles)))
	round.GET("/withdraw", handle(page.Preview[draw.WithdrawRound](s.Page, roundOf, s.showWithdraw)))
	round.POST("/withdraw", handle(s.withdrawPost))
	round.POST("/script", handle(s.scriptPost))
	round.POST("/begin", handle(s.beginPost))
	round.POST("/starts", handle(s.startsPost))
	round.POST("/call-time", handle(s.callTimePost))
}

// views builds the view models of these pages. It needs no request and changes nothing. Methods whose result depends on
// the reader take the reader as an argument.
type views struct{ View *view.Reader }
