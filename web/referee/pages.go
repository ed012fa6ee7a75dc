// Package referee serves the officials' pages about tables and the hall: the list of tables, rulings, counts,
// penalties, protests, real tiles, devices, pace and announcements.
package referee

import (
	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/tournament/draw"
	"meldhall/tournament/result"
	"meldhall/tournament/screen"
	"meldhall/web/page"
	"meldhall/web/rulingform"
	"meldhall/web/view"
)

// Pages are the officials' pages about tables.
type Pages struct {
	Page  *page.Base
	View  *view.Reader
	views *views
}

// New returns the pages. They share base with the other pages.
func New(base *page.Base, v *view.Reader) *Pages {
	return &Pages{Page: base, View: v, views: &views{v}}
}

func (s *Pages) AddTo(pages *gin.RouterGroup) {
	event := pages.Group("/referee/:event")
	event.GET("", s.Page.Request.Handle(s.hallPage))
	event.GET("/live", s.Page.Request.Listen(s.hallLive))
	event.GET("/tables/:table", s.Page.Request.Handle(s.rulingPage))
	event.GET("/tables/:table/live", s.Page.Request.Listen(s.rulingLive))
	event.POST("/tables/:table/device", s.Page.Request.Handle(s.deskDevicePost))
	event.POST("/tables/:table/start", s.Page.Request.Handle(page.Form[draw.StartTable](s.Page, rulingOf,
		s.tableStarted)))
	event.GET("/tables/:table/rule/:action", s.Page.Request.Handle(s.rulePage))
	event.GET("/tables/:table/proposals/:seat", s.Page.Request.Handle(s.proposalsPage))
	event.POST("/tables/:table/proposals/:seat", s.Page.Request.Handle(s.proposalsPost))
	for _, kind := range engine.RulingKinds() {
		event.POST("/tables/:table/"+kind.Name, s.Page.Request.Handle(s.rulingPost(kind.Name)))
		if kind.WholeRound {
			event.GET("/rounds/:round/"+kind.Name, s.Page.Request.Handle(s.ruleAllPage(kind)))
			event.POST("/rounds/:round/"+kind.Name, s.Page.Request.Handle(s.ruleAllPost(kind)))
		}
	}
	event.GET("/training", s.Page.Request.Handle(s.trainingPage))
	event.GET("/zones", s.Page.Request.Handle(s.zonesPage))
	event.POST("/zones", s.Page.Request.Handle(page.Form[screen.SetZone](s.Page, page.OfEvent(templates.ZonesPath),
		s.zoneSet)))
	event.GET("/penalties", s.Page.Request.Handle(s.penaltiesPage))
	event.GET("/penalties/live", s.Page.Request.Listen(s.penaltiesLive))
	event.POST("/penalties", s.Page.Request.Handle(s.penaltiesPost))
	for action := range rulingform.CallActions {
		event.POST("/tables/:table/"+action, s.Page.Request.Handle(s.rulingPost(action)))
	}
	event.GET("/protests", s.Page.Request.Handle(s.protestsPage))
	event.GET("/protests/live", s.Page.Request.Listen(s.protestsLive))
	event.POST("/protests/:protest", s.Page.Request.Handle(page.Form[result.DecideProtest](s.Page,
		page.OfEvent(templates.ProtestsPath), s.protestDecided)))
	event.GET("/games/:game/turns/:turn", s.Page.Request.Handle(s.cardPage))
	event.GET("/games/:game/protocol", s.Page.Request.Handle(s.protocolPage))
	event.GET("/games/:game/sheet", s.Page.Request.Handle(s.sheetPage))
	sheet := pages.Group("/referee/:event/sheet/:id")
	sheet.POST("/count-preview", s.Page.Request.Handle(s.Page.PreviewSheet))
	sheet.POST("/count-racks", s.Page.Request.Handle(s.Page.Request.Command("count-racks",
		s.Page.SayOutcome("count_racks"))))
	event.GET("/real", s.Page.Request.Handle(s.realHallPage))
	event.POST("/real", s.Page.Request.Handle(s.realHallPost))
	event.POST("/real/begins", s.Page.Request.Handle(s.realBeginsPost))
	event.GET("/tables/:table/clock", s.Page.Request.Handle(s.clockPage))
	event.GET("/tables/:table/clock/live", s.Page.Request.Listen(s.clockLive))
	clock := pages.Group("/referee/:event/clock/:id")
	for action, outcome := range map[string]string{"ready": "ready", "starter": "starter", "end-turn": "end_turn",
		"pool-empty": "pool_empty", "count-racks": "count_racks"} {
		clock.POST("/"+action, s.Page.Request.Handle(s.Page.Request.Command(action, s.Page.SayOutcome(outcome))))
	}
	clock.POST("/count-preview", s.Page.Request.Handle(s.Page.PreviewSheet))
	event.GET("/games/:game/count", s.Page.Request.Handle(s.countPage))
	event.GET("/games/:game/count/live", s.Page.Request.Listen(s.countLive))
	event.GET("/announcements", s.Page.Request.Handle(s.announcePage))
	event.POST("/announcements", s.Page.Request.Handle(s.announcePost))
	event.GET("/ready", s.Page.Request.Handle(s.readyPage))
	event.GET("/ready/live", s.Page.Request.Listen(s.readyLive))
	event.GET("/devices", s.Page.Request.Handle(s.devicesPage))
	event.GET("/devices/live", s.Page.Request.Listen(s.devicesLive))
	event.POST("/devices/swap", s.Page.Request.Handle(s.tabletSwapPost))
	pages.POST("/desk/:event/rounds/:round/code", s.Page.Request.Handle(s.codePost))
	event.GET("/devices/:table/:seat", s.Page.Request.Handle(s.tabletSwapPage))
	event.GET("/devices/:table/:seat/live", s.Page.Request.Listen(s.tabletSwapLive))
	event.GET("/pace", s.Page.Request.Handle(s.pacePage))
	event.GET("/pace/live", s.Page.Request.Listen(s.paceLive))
}

// views builds the view models of these pages. It needs no request and changes nothing. Methods whose result depends on
// the reader take the reader as an argument.
type views struct{ View *view.Reader }
