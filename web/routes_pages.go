package web

import (
	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/web/accounts"
	"meldhall/web/backup"
	"meldhall/web/feeds"
	"meldhall/web/formats"
	"meldhall/web/organizations"
	"meldhall/web/paper"
	"meldhall/web/privacy"
)

// pageRoutes registers the pages' addresses, which templates/paths.go defines. Handlers are methods of their topic's
// type and return an error: pages.GET("/sign-in", s.handle(s.signInPage)).
func (s *Server) pageRoutes(pages *gin.RouterGroup) {
	(&publicPages{s}).addTo(pages)
	s.past.AddTo(pages)
	(&accounts.Pages{Page: s.Page, View: s.View}).AddTo(pages)
	(&backup.Pages{Page: s.Page, View: s.View}).AddTo(pages)
	(&feeds.Pages{Page: s.Page, View: s.View, Standings: (&publicPages{s}).leaderboard, Tables: s.Views.tables,
		Table: s.Views.watched}).AddTo(pages)
	(&paper.Pages{Page: s.Page, View: s.View, Keeper: s.papers}).AddTo(pages)
	(&privacy.Pages{Page: s.Page, View: s.View}).AddTo(pages)
	(&deskPages{s}).addTo(pages)
	(&organizations.Pages{Page: s.Page, View: s.View, Rows: s.Views.rowsOf}).AddTo(pages)
	(&formats.Pages{Page: s.Page, View: s.View}).AddTo(pages)
	(&refereePages{s}).addTo(pages)
	(&tabletPages{s}).addTo(pages)
	s.screens.AddTo(pages)
	(&controlPages{s}).addTo(pages)
	pages.POST("/actions/:kind", s.Request.Handle(s.actionPost))
}

// publicPages are open to everyone. Server holds what a topic's pages share with others or with the API.
type publicPages struct{ server *Server }

func (s *publicPages) addTo(pages *gin.RouterGroup) {
	pages.GET("/", s.server.Request.Handle(s.homePage))
	pages.POST(string(templates.LookPath), s.server.Request.Handle(s.look))
	pages.GET(string(templates.TrustPath), s.server.Request.Handle(s.trustPage))
	pages.GET(string(templates.TrustFilePath), s.server.Request.Handle(s.trustFile))
	pages.GET("/ticket/:ticket", s.server.Request.Handle(s.ticketPage))
	pages.POST("/ticket/:ticket/check-in", s.server.Request.Handle(s.ticketPost))
	pages.POST("/ticket/:ticket/naming", s.server.Request.Handle(s.ticketNaming))
	event := pages.Group("/events/:event")
	event.GET("/register", s.server.Request.Handle(s.registerPage))
	event.POST("/register", s.server.Request.Handle(s.registerPost))
	event.GET("", s.server.Request.Handle(s.leaderboardPage))
	event.GET("/live", s.server.Request.Listen(s.leaderboardLive))
	event.GET("/why", s.server.Request.Handle(s.whyPage))
	event.GET("/regulations", s.server.Request.Handle(s.regulationsPage))
	event.GET("/tables", s.server.Request.Handle(s.tablesPage))
	event.GET("/tables/live", s.server.Request.Listen(s.tablesLive))
	event.GET("/tables/:table", s.server.Request.Handle(s.watchPage))
	event.GET("/tables/:table/live", s.server.Request.Listen(s.watchLive))
	event.GET("/display/:number", s.server.Request.Handle(s.displayPage))
	event.GET("/display/:number/live", s.server.Request.Listen(s.displayLive))
	event.GET("/display/:number/turns/:turn", s.server.Request.Handle(s.displayTurnPage))
	event.GET("/games/:game", s.server.Request.Handle(s.replayPage))
	event.GET("/games/:game/turns/:turn", s.server.Request.Handle(s.replayTurnPage))
	event.GET("/games/:game/turns/:turn/best", s.server.Request.Handle(s.replayBestPage))
}

// deskPages are the organizer's pages; the tournament package rejects other roles.
type deskPages struct{ server *Server }

func (s *deskPages) addTo(pages *gin.RouterGroup) {
	pages.GET("/desk", s.server.Request.Handle(s.deskListPage))
	pages.GET("/desk/new", s.server.Request.Handle(s.newEventPage))
	pages.POST("/desk/new", s.server.Request.Handle(s.newEventPost))
	event := pages.Group("/desk/:event")
	event.GET("/qualification", s.server.Request.Handle(s.qualificationPage))
	event.POST("/qualification", s.server.Request.Handle(s.qualificationPost))
	event.GET("/rules", s.server.Request.Handle(s.rulesPage))
	event.POST("/rules", s.server.Request.Handle(s.rulesPost))
	event.GET("", s.server.Request.Handle(s.deskPage))
	event.GET("/live", s.server.Request.Listen(s.deskLive))
	event.GET("/find", s.server.Request.Handle(s.findPage))
	event.POST("/rounds", s.server.Request.Handle(s.seatPost))
	event.POST("/script", s.server.Request.Handle(s.scriptPost))
	event.GET("/tiles", s.server.Request.Handle(s.tilesPage))
	event.GET("/publishing", s.server.Request.Handle(s.publishingPage))
	event.GET("/publishing/set", s.server.Request.Handle(s.publishingSetPage))
	event.GET("/reopen", s.server.Request.Handle(s.reopenPage))
	event.GET("/stages/:stage/rounds", s.server.Request.Handle(s.stageRoundsPage))
	event.GET("/roster", s.server.Request.Handle(s.rosterPage))
	event.POST("/roster/preview", s.server.Request.Handle(s.rosterPreview))
	event.POST("/roster/import", s.server.Request.Handle(s.rosterImport))
	event.POST("/roster/add", s.server.Request.Handle(s.rosterAdd))
	event.POST("/roster/time", s.server.Request.Handle(s.rosterTime))
	event.POST("/roster/family", s.server.Request.Handle(s.rosterFamily))
	event.POST("/roster/drawn", s.server.Request.Handle(s.rosterDrawn))
	event.GET("/people", s.server.Request.Handle(s.peoplePage))
	event.POST("/people", s.server.Request.Handle(s.peoplePost))
	event.GET("/people/do", s.server.Request.Handle(s.peopleDoPage))
	event.POST("/people/do", s.server.Request.Handle(s.peopleDoPost))
	event.GET("/people/undo/:change", s.server.Request.Handle(s.peopleUndoPage))
	event.GET("/players/:player", s.server.Request.Handle(s.personPage))
	event.GET("/check-in", s.server.Request.Handle(s.checkInPage))
	event.GET("/check-in/live", s.server.Request.Listen(s.checkInLive))
	event.POST("/check-in", s.server.Request.Handle(s.checkInPost))
	event.GET("/log", s.server.Request.Handle(s.logPage))
	event.GET("/results", s.server.Request.Handle(s.resultsPage))
	event.GET("/results/:game", s.server.Request.Handle(s.resultPage))
	event.POST("/results/:game", s.server.Request.Handle(s.resultPost))
	event.GET("/results/:game/correct", s.server.Request.Handle(s.correctPage))
	event.GET("/results/:game/racks", s.server.Request.Handle(s.recountPage))
	round := event.Group("/rounds/:round")
	round.GET("", s.server.Request.Handle(s.roundPage))
	round.GET("/live", s.server.Request.Listen(s.roundLive))
	round.POST("/draw", s.server.Request.Handle(s.redrawPost))
	round.GET("/swap", s.server.Request.Handle(s.swapPage))
	round.POST("/swap", s.server.Request.Handle(s.swapPost))
	round.GET("/move", s.server.Request.Handle(s.movePage))
	round.POST("/move", s.server.Request.Handle(s.movePost))
	round.GET("/tiles", s.server.Request.Handle(s.tableTilesPage))
	round.GET("/withdraw", s.server.Request.Handle(s.withdrawPage))
	round.POST("/withdraw", s.server.Request.Handle(s.withdrawPost))
	round.POST("/script", s.server.Request.Handle(s.scriptPost))
	round.POST("/begin", s.server.Request.Handle(s.beginPost))
	round.POST("/starts", s.server.Request.Handle(s.startsPost))
	round.POST("/call-time", s.server.Request.Handle(s.callTimePost))
	round.POST("/code", s.server.Request.Handle(s.codePost))
}

// refereePages are the officials' pages about tables.
type refereePages struct{ server *Server }

func (s *refereePages) addTo(pages *gin.RouterGroup) {
	event := pages.Group("/referee/:event")
	event.GET("", s.server.Request.Handle(s.hallPage))
	event.GET("/live", s.server.Request.Listen(s.hallLive))
	event.GET("/tables/:table", s.server.Request.Handle(s.rulingPage))
	event.GET("/tables/:table/live", s.server.Request.Listen(s.rulingLive))
	event.POST("/tables/:table/device", s.server.Request.Handle(s.deskDevicePost))
	event.POST("/tables/:table/start", s.server.Request.Handle(s.sheetStartPost))
	event.GET("/tables/:table/rule/:action", s.server.Request.Handle(s.rulePage))
	event.GET("/tables/:table/proposals/:seat", s.server.Request.Handle(s.proposalsPage))
	event.POST("/tables/:table/proposals/:seat", s.server.Request.Handle(s.proposalsPost))
	for _, kind := range engine.RulingKinds() {
		event.POST("/tables/:table/"+kind.Name, s.server.Request.Handle(s.rulingPost(kind.Name)))
		if kind.WholeRound {
			event.GET("/rounds/:round/"+kind.Name, s.server.Request.Handle(s.ruleAllPage(kind)))
			event.POST("/rounds/:round/"+kind.Name, s.server.Request.Handle(s.ruleAllPost(kind)))
		}
	}
	event.GET("/training", s.server.Request.Handle(s.trainingPage))
	event.GET("/zones", s.server.Request.Handle(s.zonesPage))
	event.POST("/zones", s.server.Request.Handle(s.zonesPost))
	event.GET("/penalties", s.server.Request.Handle(s.penaltiesPage))
	event.GET("/penalties/live", s.server.Request.Listen(s.penaltiesLive))
	event.POST("/penalties", s.server.Request.Handle(s.penaltiesPost))
	for action := range callActions {
		event.POST("/tables/:table/"+action, s.server.Request.Handle(s.rulingPost(action)))
	}
	event.GET("/protests", s.server.Request.Handle(s.protestsPage))
	event.GET("/protests/live", s.server.Request.Listen(s.protestsLive))
	event.POST("/protests/:protest", s.server.Request.Handle(s.decidePost))
	event.GET("/games/:game/turns/:turn", s.server.Request.Handle(s.cardPage))
	event.GET("/games/:game/protocol", s.server.Request.Handle(s.protocolPage))
	event.GET("/games/:game/sheet", s.server.Request.Handle(s.sheetPage))
	sheet := pages.Group("/referee/:event/sheet/:id")
	sheet.POST("/count-preview", s.server.Request.Handle(s.server.sheetPost))
	sheet.POST("/count-racks", s.server.Request.Handle(s.server.Request.Command("count-racks",
		s.server.said("count_racks"))))
	event.GET("/real", s.server.Request.Handle(s.realHallPage))
	event.POST("/real", s.server.Request.Handle(s.realHallPost))
	event.POST("/real/begins", s.server.Request.Handle(s.realBeginsPost))
	event.GET("/tables/:table/clock", s.server.Request.Handle(s.clockPage))
	event.GET("/tables/:table/clock/live", s.server.Request.Listen(s.clockLive))
	clock := pages.Group("/referee/:event/clock/:id")
	for action, outcome := range map[string]string{"ready": "ready", "starter": "starter", "end-turn": "end_turn",
		"pool-empty": "pool_empty", "count-racks": "count_racks"} {
		clock.POST("/"+action, s.server.Request.Handle(s.server.Request.Command(action, s.server.said(outcome))))
	}
	clock.POST("/count-preview", s.server.Request.Handle(s.server.sheetPost))
	event.GET("/games/:game/count", s.server.Request.Handle(s.countPage))
	event.GET("/games/:game/count/live", s.server.Request.Listen(s.countLive))
	event.GET("/games/:game/count/replay", s.server.Request.Handle(s.replayAskPage))
}

// controlPages are the officials' pages about the hall.
type controlPages struct{ server *Server }

func (s *controlPages) addTo(pages *gin.RouterGroup) {
	event := pages.Group("/referee/:event")
	event.GET("/announcements", s.server.Request.Handle(s.announcePage))
	event.POST("/announcements", s.server.Request.Handle(s.announcePost))
	event.GET("/ready", s.server.Request.Handle(s.readyPage))
	event.GET("/ready/live", s.server.Request.Listen(s.readyLive))
	event.GET("/devices", s.server.Request.Handle(s.devicesPage))
	event.GET("/devices/live", s.server.Request.Listen(s.devicesLive))
	event.POST("/devices/swap", s.server.Request.Handle(s.tabletSwapPost))
	event.GET("/devices/:table/:seat", s.server.Request.Handle(s.tabletSwapPage))
	event.GET("/devices/:table/:seat/live", s.server.Request.Listen(s.tabletSwapLive))
	event.GET("/pace", s.server.Request.Handle(s.pacePage))
	event.GET("/pace/live", s.server.Request.Listen(s.paceLive))
	desk := pages.Group("/desk/:event")
	desk.GET("/rehearsal", s.server.Request.Handle(s.rehearsalPage))
	desk.POST("/rehearsal", s.server.Request.Handle(s.rehearsalPost))
	desk.GET("/plan", s.server.Request.Handle(s.planPage))
	desk.POST("/plan", s.server.Request.Handle(s.planDayPost))
	public := pages.Group("/events/:event")
	public.GET("/schedule", s.server.Request.Handle(s.schedulePage))
	public.GET("/schedule/live", s.server.Request.Listen(s.scheduleLive))
}

// tabletPages are the players' pages: joining a seat, the waiting room and the tablet.
type tabletPages struct{ server *Server }

func (s *tabletPages) addTo(pages *gin.RouterGroup) {
	pages.GET("/guide", s.server.Request.Handle(s.guidePage))
	pages.GET("/check", s.server.Request.Handle(s.checkPage))
	pages.GET("/check/live", s.server.Request.Listen(s.checkLive))
	pages.GET("/join", s.server.Request.Handle(s.joinPage))
	pages.GET("/join/:code", s.server.Request.Handle(s.seatsPage))
	pages.POST("/join/:code", s.server.Request.Handle(s.seatsPost))
	play := pages.Group("/play")
	play.GET("", s.forSeat(s.waitingPage))
	play.POST("", s.forSeat(s.roomPost))
	play.GET("/waiting", s.server.Request.Listen(s.waitingLive))
	play.GET("/game", s.forSeat(s.gamePage))
	play.GET("/referee", s.forSeat(s.badgePage))
	play.POST("/referee", s.forSeat(s.badgePost))
	play.GET("/referee/sheet", s.forSeat(s.badgeSheetPage))
	play.POST("/referee/sheet/:action", s.forSeat(s.badgeSheetPost))
	play.GET("/live", s.server.Request.Listen(s.tabletLive))
	play.POST("/device", s.server.Request.Handle(s.devicePost))
	play.GET("/next", s.server.Request.Listen(s.nextLive))
	turns := play.Group("/game/:id")
	s.turnRoutes(turns)
	s.realRoutes(turns)
	play.POST("/game/:id/agree", s.server.Request.Handle(s.agreePost))
	play.POST("/game/:id/protest", s.server.Request.Handle(s.protestPost))
	practice := pages.Group("/practice")
	practice.GET("", s.server.Request.Handle(s.practicePage))
	practice.POST("", s.server.Request.Handle(s.practicePost))
	practice.GET("/game", s.forSeat(s.gamePage))
	practice.GET("/live", s.server.Request.Listen(s.tabletLive))
	practice.POST("/device", s.server.Request.Handle(s.devicePost))
	practice.GET("/game/:id/hint", s.server.Request.Handle(s.hintPage))
	s.turnRoutes(practice.Group("/game/:id"))
}

// turnRoutes registers what the tablet sends during a game.
func (s *tabletPages) turnRoutes(game *gin.RouterGroup) {
	game.Use(s.held)
	game.POST("/draft", s.server.Request.Handle(s.draftPost))
	game.POST("/plan", s.server.Request.Handle(s.planPost))
	game.POST("/play", s.server.Request.Handle(s.server.Request.Command("play", s.server.said("play"))))
	game.POST("/draw", s.server.Request.Handle(s.server.Request.Command("draw", s.server.said("draw"))))
	game.POST("/pass", s.server.Request.Handle(s.server.Request.Command("pass", s.server.said("pass"))))
	game.POST("/ready", s.server.Request.Handle(s.server.Request.Command("ready", s.server.said("ready"))))
	game.POST("/redeal", s.server.Request.Handle(s.server.Request.Command("redeal", s.server.said("redeal"))))
	game.POST("/call", s.server.Request.Handle(s.server.Request.Command("call", s.server.said("call"))))
}
