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

// Pages serves the officials' pages about tables.
type Pages struct {
	Page  *page.Base
	View  *view.Reader
	views *views
}

// New returns the pages. base holds what all pages share; v reads the data to show.
func New(base *page.Base, v *view.Reader) *Pages {
	return &Pages{Page: base, View: v, views: &views{v}}
}

func (s *Pages) AddTo(pages *gin.RouterGroup) {
	handle, listen := s.Page.Request.Handle, s.Page.Request.Listen
	event := pages.Group("/referee/:event")
	event.GET("", handle(s.hallPage))
	event.GET("/live", listen(s.hallLive))
	event.GET("/tables/:table", handle(s.rulingPage))
	event.GET("/tables/:table/live", listen(s.rulingLive))
	event.POST("/tables/:table/device", handle(s.deskDevicePost))
	event.POST("/tables/:table/point", handle(s.pointPost))
	event.POST("/tables/:table/start", handle(page.Form[draw.StartTable](s.Page, rulingOf, s.tableStarted)))
	event.GET("/tables/:table/rule/:action", handle(s.rulePage))
	event.GET("/tables/:table/proposals/:seat", handle(s.proposalsPage))
	event.POST("/tables/:table/proposals/:seat", handle(s.proposalsPost))
	for _, kind := range engine.RulingKinds() {
		event.POST("/tables/:table/"+kind.Name, handle(s.rulingPost(kind.Name)))
		if kind.WholeRound {
			event.GET("/rounds/:round/"+kind.Name, handle(s.ruleAllPage(kind)))
			event.POST("/rounds/:round/"+kind.Name, handle(s.ruleAllPost(kind)))
		}
	}
	event.GET("/training", handle(s.trainingPage))
	event.GET("/zones", handle(s.zonesPage))
	event.POST("/zones", handle(page.Form[screen.SetZone](s.Page, page.OfEvent(templates.ZonesPath), s.zoneSet)))
	event.GET("/penalties", handle(s.penaltiesPage))
	event.GET("/penalties/live", listen(s.penaltiesLive))
	event.POST("/penalties", handle(s.penaltiesPost))
	for action := range rulingform.CallActions {
		event.POST("/tables/:table/"+action, handle(s.rulingPost(action)))
	}
	event.GET("/protests", handle(s.protestsPage))
	event.GET("/protests/live", listen(s.protestsLive))
	event.POST("/protests/:protest", handle(page.Form[result.DecideProtest](s.Page,
		page.OfEvent(templates.ProtestsPath), s.protestDecided)))
	event.GET("/games/:game/turns/:turn", handle(s.cardPage))
	event.GET("/games/:game/protocol", handle(s.protocolPage))
	event.GET("/games/:game/sheet", handle(s.sheetPage))
	sheet := pages.Group("/referee/:event/sheet/:id")
	sheet.POST("/count-preview", handle(s.Page.PreviewSheet))
	sheet.POST("/count-racks", handle(s.Page.Request.Commands.Handler("count-racks", s.Page.SayOutcome("count_racks"))))
	event.GET("/real", handle(s.realHallPage))
	event.POST("/real", handle(s.realHallPost))
	event.POST("/real/begins", handle(s.realBeginsPost))
	event.GET("/tables/:table/clock", handle(s.clockPage))
	event.GET("/tables/:table/clock/live", listen(s.clockLive))
	clock := pages.Group("/referee/:event/clock/:id")
	for action, outcome := range map[string]string{"ready": "ready", "starter": "starter", "end-turn": "end_turn",
		"pool-empty": "pool_empty", "count-racks": "count_racks"} {
		clock.POST("/"+action, handle(s.Page.Request.Commands.Handler(action, s.Page.SayOutcome(outcome))))
	}
	clock.POST("/count-preview", handle(s.Page.PreviewSheet))
	event.GET("/games/:game/count", handle(s.countPage))
	event.GET("/games/:game/count/live", listen(s.countLive))
	event.GET("/announcements", handle(s.announcePage))
	event.POST("/announcements", handle(s.announcePost))
	event.GET("/ready", handle(s.readyPage))
	event.GET("/ready/live", listen(s.readyLive))
	event.GET("/devices", handle(s.devicesPage))
	event.GET("/devices/live", listen(s.devicesLive))
	event.POST("/devices/swap", handle(s.tabletSwapPost))
	pages.POST("/desk/:event/rounds/:round/code", handle(s.codePost))
	event.GET("/devices/:table/:seat", handle(s.tabletSwapPage))
	event.GET("/devices/:table/:seat/live", listen(s.tabletSwapLive))
	event.GET("/pace", handle(s.pacePage))
	event.GET("/pace/live", listen(s.paceLive))
}

// views builds the view models of these pages. It needs no request and changes nothing. Methods whose result depends on
// the reader take the reader as an argument.
type views struct{ View *view.Reader }
