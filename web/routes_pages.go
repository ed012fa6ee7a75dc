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
	(&accounts.Pages{Frame: s.Frame, Venue: s.Venue}).AddTo(pages)
	(&backup.Pages{Frame: s.Frame, Venue: s.Venue}).AddTo(pages)
	(&feeds.Pages{Frame: s.Frame, Venue: s.Venue, Standings: (&publicPages{s}).leaderboard, Tables: s.tables,
		Table: s.watched}).AddTo(pages)
	(&paper.Pages{Frame: s.Frame, Venue: s.Venue, Keeper: s.papers}).AddTo(pages)
	(&privacy.Pages{Frame: s.Frame, Venue: s.Venue}).AddTo(pages)
	(&deskPages{s}).addTo(pages)
	(&organizations.Pages{Frame: s.Frame, Venue: s.Venue, Rows: s.rowsOf}).AddTo(pages)
	(&formats.Pages{Frame: s.Frame, Venue: s.Venue}).AddTo(pages)
	(&refereePages{s}).addTo(pages)
	(&tabletPages{s}).addTo(pages)
	s.screens.AddTo(pages)
	(&controlPages{s}).addTo(pages)
	pages.POST("/actions/:kind", s.Handle(s.actionPost))
}

// publicPages are open to everyone. Server holds what a topic's pages share with others or with the API.
type publicPages struct{ *Server }

func (s *publicPages) addTo(pages *gin.RouterGroup) {
	pages.GET("/", s.Handle(s.homePage))
	pages.POST(string(templates.LookPath), s.Handle(s.look))
	pages.GET(string(templates.TrustPath), s.Handle(s.trustPage))
	pages.GET(string(templates.TrustFilePath), s.Handle(s.trustFile))
	pages.GET("/ticket/:ticket", s.Handle(s.ticketPage))
	pages.POST("/ticket/:ticket/check-in", s.Handle(s.ticketPost))
	pages.POST("/ticket/:ticket/naming", s.Handle(s.ticketNaming))
	event := pages.Group("/events/:event")
	event.GET("/register", s.Handle(s.registerPage))
	event.POST("/register", s.Handle(s.registerPost))
	event.GET("", s.Handle(s.leaderboardPage))
	event.GET("/live", s.Listen(s.leaderboardLive))
	event.GET("/why", s.Handle(s.whyPage))
	event.GET("/regulations", s.Handle(s.regulationsPage))
	event.GET("/tables", s.Handle(s.tablesPage))
	event.GET("/tables/live", s.Listen(s.tablesLive))
	event.GET("/tables/:table", s.Handle(s.watchPage))
	event.GET("/tables/:table/live", s.Listen(s.watchLive))
	event.GET("/display/:number", s.Handle(s.displayPage))
	event.GET("/display/:number/live", s.Listen(s.displayLive))
	event.GET("/display/:number/turns/:turn", s.Handle(s.displayTurnPage))
	event.GET("/games/:game", s.Handle(s.replayPage))
	event.GET("/games/:game/turns/:turn", s.Handle(s.replayTurnPage))
	event.GET("/games/:game/turns/:turn/best", s.Handle(s.replayBestPage))
}

// deskPages are the organizer's pages; the tournament package rejects other roles.
type deskPages struct{ *Server }

func (s *deskPages) addTo(pages *gin.RouterGroup) {
	pages.GET("/desk", s.Handle(s.deskListPage))
	pages.GET("/desk/new", s.Handle(s.newEventPage))
	pages.POST("/desk/new", s.Handle(s.newEventPost))
	event := pages.Group("/desk/:event")
	event.GET("/qualification", s.Handle(s.qualificationPage))
	event.POST("/qualification", s.Handle(s.qualificationPost))
	event.GET("/rules", s.Handle(s.rulesPage))
	event.POST("/rules", s.Handle(s.rulesPost))
	event.GET("", s.Handle(s.deskPage))
	event.GET("/live", s.Listen(s.deskLive))
	event.GET("/find", s.Handle(s.findPage))
	event.POST("/rounds", s.Handle(s.seatPost))
	event.POST("/script", s.Handle(s.scriptPost))
	event.GET("/tiles", s.Handle(s.tilesPage))
	event.GET("/publishing", s.Handle(s.publishingPage))
	event.GET("/publishing/set", s.Handle(s.publishingSetPage))
	event.GET("/reopen", s.Handle(s.reopenPage))
	event.GET("/stages/:stage/rounds", s.Handle(s.stageRoundsPage))
	event.GET("/roster", s.Handle(s.rosterPage))
	event.POST("/roster/preview", s.Handle(s.rosterPreview))
	event.POST("/roster/import", s.Handle(s.rosterImport))
	event.POST("/roster/add", s.Handle(s.rosterAdd))
	event.POST("/roster/time", s.Handle(s.rosterTime))
	event.POST("/roster/family", s.Handle(s.rosterFamily))
	event.POST("/roster/drawn", s.Handle(s.rosterDrawn))
	event.GET("/people", s.Handle(s.peoplePage))
	event.POST("/people", s.Handle(s.peoplePost))
	event.GET("/people/do", s.Handle(s.peopleDoPage))
	event.POST("/people/do", s.Handle(s.peopleDoPost))
	event.GET("/people/undo/:change", s.Handle(s.peopleUndoPage))
	event.GET("/players/:player", s.Handle(s.personPage))
	event.GET("/check-in", s.Handle(s.checkInPage))
	event.GET("/check-in/live", s.Listen(s.checkInLive))
	event.POST("/check-in", s.Handle(s.checkInPost))
	event.GET("/log", s.Handle(s.logPage))
	event.GET("/results", s.Handle(s.resultsPage))
	event.GET("/results/:game", s.Handle(s.resultPage))
	event.POST("/results/:game", s.Handle(s.resultPost))
	event.GET("/results/:game/correct", s.Handle(s.correctPage))
	event.GET("/results/:game/racks", s.Handle(s.recountPage))
	round := event.Group("/rounds/:round")
	round.GET("", s.Handle(s.roundPage))
	round.GET("/live", s.Listen(s.roundLive))
	round.POST("/draw", s.Handle(s.redrawPost))
	round.GET("/swap", s.Handle(s.swapPage))
	round.POST("/swap", s.Handle(s.swapPost))
	round.GET("/move", s.Handle(s.movePage))
	round.POST("/move", s.Handle(s.movePost))
	round.GET("/tiles", s.Handle(s.tableTilesPage))
	round.GET("/withdraw", s.Handle(s.withdrawPage))
	round.POST("/withdraw", s.Handle(s.withdrawPost))
	round.POST("/script", s.Handle(s.scriptPost))
	round.POST("/begin", s.Handle(s.beginPost))
	round.POST("/starts", s.Handle(s.startsPost))
	round.POST("/call-time", s.Handle(s.callTimePost))
	round.POST("/code", s.Handle(s.codePost))
}

// refereePages are the officials' pages about tables.
type refereePages struct{ *Server }

func (s *refereePages) addTo(pages *gin.RouterGroup) {
	event := pages.Group("/referee/:event")
	event.GET("", s.Handle(s.hallPage))
	event.GET("/live", s.Listen(s.hallLive))
	event.GET("/tables/:table", s.Handle(s.rulingPage))
	event.GET("/tables/:table/live", s.Listen(s.rulingLive))
	event.POST("/tables/:table/device", s.Handle(s.deskDevicePost))
	event.POST("/tables/:table/start", s.Handle(s.sheetStartPost))
	event.GET("/tables/:table/rule/:action", s.Handle(s.rulePage))
	event.GET("/tables/:table/proposals/:seat", s.Handle(s.proposalsPage))
	event.POST("/tables/:table/proposals/:seat", s.Handle(s.proposalsPost))
	for _, kind := range engine.RulingKinds() {
		event.POST("/tables/:table/"+kind.Name, s.Handle(s.rulingPost(kind.Name)))
		if kind.WholeRound {
			event.GET("/rounds/:round/"+kind.Name, s.Handle(s.ruleAllPage(kind)))
			event.POST("/rounds/:round/"+kind.Name, s.Handle(s.ruleAllPost(kind)))
		}
	}
	event.GET("/training", s.Handle(s.trainingPage))
	event.GET("/zones", s.Handle(s.zonesPage))
	event.POST("/zones", s.Handle(s.zonesPost))
	event.GET("/penalties", s.Handle(s.penaltiesPage))
	event.GET("/penalties/live", s.Listen(s.penaltiesLive))
	event.POST("/penalties", s.Handle(s.penaltiesPost))
	for action := range callActions {
		event.POST("/tables/:table/"+action, s.Handle(s.rulingPost(action)))
	}
	event.GET("/protests", s.Handle(s.protestsPage))
	event.GET("/protests/live", s.Listen(s.protestsLive))
	event.POST("/protests/:protest", s.Handle(s.decidePost))
	event.GET("/games/:game/turns/:turn", s.Handle(s.cardPage))
	event.GET("/games/:game/protocol", s.Handle(s.protocolPage))
	event.GET("/games/:game/sheet", s.Handle(s.sheetPage))
	sheet := pages.Group("/referee/:event/sheet/:id")
	sheet.POST("/count-preview", s.Handle(s.sheetPost))
	sheet.POST("/count-racks", s.Handle(s.Command("count-racks", s.said("count_racks"))))
	event.GET("/real", s.Handle(s.realHallPage))
	event.POST("/real", s.Handle(s.realHallPost))
	event.POST("/real/begins", s.Handle(s.realBeginsPost))
	event.GET("/tables/:table/clock", s.Handle(s.clockPage))
	event.GET("/tables/:table/clock/live", s.Listen(s.clockLive))
	clock := pages.Group("/referee/:event/clock/:id")
	for action, outcome := range map[string]string{"ready": "ready", "starter": "starter", "end-turn": "end_turn",
		"pool-empty": "pool_empty", "count-racks": "count_racks"} {
		clock.POST("/"+action, s.Handle(s.Command(action, s.said(outcome))))
	}
	clock.POST("/count-preview", s.Handle(s.sheetPost))
	event.GET("/games/:game/count", s.Handle(s.countPage))
	event.GET("/games/:game/count/live", s.Listen(s.countLive))
	event.GET("/games/:game/count/replay", s.Handle(s.replayAskPage))
}

// controlPages are the officials' pages about the hall.
type controlPages struct{ *Server }

func (s *controlPages) addTo(pages *gin.RouterGroup) {
	event := pages.Group("/referee/:event")
	event.GET("/announcements", s.Handle(s.announcePage))
	event.POST("/announcements", s.Handle(s.announcePost))
	event.GET("/ready", s.Handle(s.readyPage))
	event.GET("/ready/live", s.Listen(s.readyLive))
	event.GET("/devices", s.Handle(s.devicesPage))
	event.GET("/devices/live", s.Listen(s.devicesLive))
	event.POST("/devices/swap", s.Handle(s.tabletSwapPost))
	event.GET("/devices/:table/:seat", s.Handle(s.tabletSwapPage))
	event.GET("/devices/:table/:seat/live", s.Listen(s.tabletSwapLive))
	event.GET("/pace", s.Handle(s.pacePage))
	event.GET("/pace/live", s.Listen(s.paceLive))
	desk := pages.Group("/desk/:event")
	desk.GET("/rehearsal", s.Handle(s.rehearsalPage))
	desk.POST("/rehearsal", s.Handle(s.rehearsalPost))
	desk.GET("/plan", s.Handle(s.planPage))
	desk.POST("/plan", s.Handle(s.planDayPost))
	public := pages.Group("/events/:event")
	public.GET("/schedule", s.Handle(s.schedulePage))
	public.GET("/schedule/live", s.Listen(s.scheduleLive))
}

// tabletPages are the players' pages: joining a seat, the waiting room and the tablet.
type tabletPages struct{ *Server }

func (s *tabletPages) addTo(pages *gin.RouterGroup) {
	pages.GET("/guide", s.Handle(s.guidePage))
	pages.GET("/check", s.Handle(s.checkPage))
	pages.GET("/check/live", s.Listen(s.checkLive))
	pages.GET("/join", s.Handle(s.joinPage))
	pages.GET("/join/:code", s.Handle(s.seatsPage))
	pages.POST("/join/:code", s.Handle(s.seatsPost))
	play := pages.Group("/play")
	play.GET("", s.forSeat(s.waitingPage))
	play.POST("", s.forSeat(s.roomPost))
	play.GET("/waiting", s.Listen(s.waitingLive))
	play.GET("/game", s.forSeat(s.gamePage))
	play.GET("/referee", s.forSeat(s.badgePage))
	play.POST("/referee", s.forSeat(s.badgePost))
	play.GET("/referee/sheet", s.forSeat(s.badgeSheetPage))
	play.POST("/referee/sheet/:action", s.forSeat(s.badgeSheetPost))
	play.GET("/live", s.Listen(s.tabletLive))
	play.POST("/device", s.Handle(s.devicePost))
	play.GET("/next", s.Listen(s.nextLive))
	turns := play.Group("/game/:id")
	s.turnRoutes(turns)
	s.realRoutes(turns)
	play.POST("/game/:id/agree", s.Handle(s.agreePost))
	play.POST("/game/:id/protest", s.Handle(s.protestPost))
	practice := pages.Group("/practice")
	practice.GET("", s.Handle(s.practicePage))
	practice.POST("", s.Handle(s.practicePost))
	practice.GET("/game", s.forSeat(s.gamePage))
	practice.GET("/live", s.Listen(s.tabletLive))
	practice.POST("/device", s.Handle(s.devicePost))
	practice.GET("/game/:id/hint", s.Handle(s.hintPage))
	s.turnRoutes(practice.Group("/game/:id"))
}

// turnRoutes registers what the tablet sends during a game.
func (s *tabletPages) turnRoutes(game *gin.RouterGroup) {
	game.Use(s.held)
	game.POST("/draft", s.Handle(s.draftPost))
	game.POST("/plan", s.Handle(s.planPost))
	game.POST("/play", s.Handle(s.Command("play", s.said("play"))))
	game.POST("/draw", s.Handle(s.Command("draw", s.said("draw"))))
	game.POST("/pass", s.Handle(s.Command("pass", s.said("pass"))))
	game.POST("/ready", s.Handle(s.Command("ready", s.said("ready"))))
	game.POST("/redeal", s.Handle(s.Command("redeal", s.said("redeal"))))
	game.POST("/call", s.Handle(s.Command("call", s.said("call"))))
}
