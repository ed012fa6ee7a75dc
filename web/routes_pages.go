package web

import (
	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
)

// pageRoutes are the addresses of the pages; templates/paths.go names them. The handlers hang on the topic's type and return
// their error: pages.GET("/sign-in", s.handle(s.signInPage)).
func (s *Server) pageRoutes(pages *gin.RouterGroup) {
	(&publicPages{s}).addTo(pages)
	(&accountPages{s}).addTo(pages)
	(&deskPages{s}).addTo(pages)
	(&refereePages{s}).addTo(pages)
	(&tabletPages{s}).addTo(pages)
	(&screenPages{s}).addTo(pages)
	(&controlPages{s}).addTo(pages)
}

// publicPages are for everybody. What the pages of a topic share with another or with programs is Server's.
type publicPages struct{ *Server }

func (s *publicPages) addTo(pages *gin.RouterGroup) {
	pages.GET("/", s.handle(s.homePage))
	pages.POST(string(templates.LookPath), s.handle(s.look))
	pages.GET("/ticket/:ticket", s.handle(s.ticketPage))
	pages.POST("/ticket/:ticket/check-in", s.handle(s.ticketPost))
	event := pages.Group("/events/:event")
	event.GET("/register", s.handle(s.registerPage))
	event.POST("/register", s.handle(s.registerPost))
	event.GET("", s.handle(s.leaderboardPage))
	event.GET("/live", s.handle(s.leaderboardLive))
	event.GET("/why", s.handle(s.whyPage))
	event.GET("/regulations", s.handle(s.regulationsPage))
	event.GET("/tables", s.handle(s.tablesPage))
	event.GET("/tables/live", s.handle(s.tablesLive))
	event.GET("/tables/:table", s.handle(s.watchPage))
	event.GET("/tables/:table/live", s.handle(s.watchLive))
	event.GET("/display/:number", s.handle(s.displayPage))
	event.GET("/display/:number/live", s.handle(s.displayLive))
	event.GET("/display/:number/turns/:turn", s.handle(s.displayTurnPage))
	event.GET("/games/:game", s.handle(s.replayPage))
	event.GET("/games/:game/turns/:turn", s.handle(s.replayTurnPage))
	event.GET("/games/:game/turns/:turn/best", s.handle(s.replayBestPage))
}

// accountPages let the staff in and out.
type accountPages struct{ *Server }

func (s *accountPages) addTo(pages *gin.RouterGroup) {
	pages.GET("/sign-in", s.handle(s.signInPage))
	pages.POST("/sign-in", s.handle(s.signInPost))
	pages.POST("/sign-out", s.handle(s.signOutPost))
	pages.GET("/setup", s.handle(s.setupPage))
	pages.POST("/setup", s.handle(s.setupPost))
	pages.GET("/accounts", s.handle(s.accountsPage))
	pages.POST("/accounts", s.handle(s.accountsPost))
	pages.POST("/accounts/invite", s.handle(s.invitePost))
	account := pages.Group("/accounts/:account")
	account.GET("", s.handle(s.accountPage))
	account.POST("/role", s.handle(s.accountPost("accounts.role_done", s.roleOf)))
	account.POST("/password", s.handle(s.accountPost("accounts.reset_done", s.passwordOf)))
	account.POST("/remove", s.handle(s.accountPost("accounts.removed", s.removeOf)))
	account.POST("/invite", s.handle(s.inviteAgainPost))
	account.POST("/revoke", s.handle(s.revokePost))
	pages.GET("/account", s.handle(s.ownPage))
	pages.POST("/account/password", s.handle(s.ownPasswordPost))
	pages.POST("/account/pin", s.handle(s.pinPost))
	pages.POST("/account/revoke", s.handle(s.revokePost))
	pages.GET("/invite/:token", s.handle(s.invitedPage))
	pages.POST("/invite/:token", s.handle(s.invitedPost))
}

// deskPages are the organizer's; the tournament package refuses others.
type deskPages struct{ *Server }

func (s *deskPages) addTo(pages *gin.RouterGroup) {
	pages.GET("/desk", s.handle(s.deskListPage))
	pages.GET("/desk/new", s.handle(s.newEventPage))
	pages.POST("/desk/new", s.handle(s.newEventPost))
	pages.GET("/desk/formats", s.handle(s.formatsPage))
	pages.GET("/desk/formats/new", s.handle(s.newFormatPage))
	pages.POST("/desk/formats/new", s.handle(s.newFormatPost))
	pages.GET("/desk/formats/:format", s.handle(s.formatPage))
	pages.POST("/desk/formats/:format", s.handle(s.formatPost))
	pages.POST("/desk/formats/:format/remove", s.handle(s.formatRemove))
	event := pages.Group("/desk/:event")
	event.GET("/qualification", s.handle(s.qualificationPage))
	event.POST("/qualification", s.handle(s.qualificationPost))
	event.GET("/format", s.handle(s.eventFormatPage))
	event.POST("/format", s.handle(s.eventFormatPost))
	event.GET("", s.handle(s.deskPage))
	event.GET("/live", s.handle(s.deskLive))
	event.POST("/rounds", s.handle(s.seatPost))
	event.POST("/apart", s.handle(s.apartPost))
	event.POST("/promise", s.handle(s.promisePost))
	event.POST("/script", s.handle(s.scriptFirstPost))
	event.POST("/lot", s.handle(s.lotPost))
	event.POST("/tiles", s.handle(s.tilesPost))
	event.GET("/reopen", s.handle(s.reopenPage))
	event.POST("/reopen", s.handle(s.reopenPost))
	event.GET("/stages/:stage/rounds", s.handle(s.stageRoundsPage))
	event.POST("/stages/:stage/rounds", s.handle(s.stageRoundsPost))
	event.GET("/roster", s.handle(s.rosterPage))
	event.POST("/roster/preview", s.handle(s.rosterPreview))
	event.POST("/roster/import", s.handle(s.rosterImport))
	event.POST("/roster/add", s.handle(s.rosterAdd))
	event.POST("/roster/time", s.handle(s.rosterTime))
	event.POST("/roster/family", s.handle(s.rosterFamily))
	event.POST("/roster/drawn", s.handle(s.rosterDrawn))
	event.GET("/people", s.handle(s.peoplePage))
	event.POST("/people", s.handle(s.peoplePost))
	event.GET("/people/do", s.handle(s.peopleDoPage))
	event.POST("/people/do", s.handle(s.peopleDoPost))
	event.GET("/people/undo/:change", s.handle(s.peopleUndoPage))
	event.POST("/people/undo/:change", s.handle(s.peopleUndoPost))
	event.GET("/players/:player", s.handle(s.personPage))
	event.GET("/check-in", s.handle(s.checkInPage))
	event.GET("/check-in/live", s.handle(s.checkInLive))
	event.POST("/check-in", s.handle(s.checkInPost))
	event.GET("/tickets", s.handle(s.ticketsPage))
	event.GET("/log", s.handle(s.logPage))
	event.GET("/results", s.handle(s.resultsPage))
	event.GET("/results/:game", s.handle(s.resultPage))
	event.POST("/results/:game", s.handle(s.resultPost))
	event.GET("/results/:game/correct", s.handle(s.correctPage))
	round := event.Group("/rounds/:round")
	round.GET("", s.handle(s.roundPage))
	round.GET("/live", s.handle(s.roundLive))
	round.GET("/cards", s.handle(s.cardsPage))
	round.POST("/draw", s.handle(s.redrawPost))
	round.POST("/check", s.handle(s.checkDraftPost))
	round.GET("/swap", s.handle(s.swapPage))
	round.POST("/swap", s.handle(s.swapPost))
	round.POST("/script", s.handle(s.scriptPost))
	round.POST("/starts", s.handle(s.startsPost))
	round.POST("/duplicate", s.handle(s.duplicatePost))
	round.POST("/discard", s.handle(s.discardPost))
	round.POST("/publish", s.handle(s.publishPost))
	round.POST("/start", s.handle(s.startPost))
	round.POST("/start-table", s.handle(s.startTablePost))
	round.POST("/call-time", s.handle(s.callTimePost))
	round.POST("/code", s.handle(s.codePost))
	round.POST("/tiles", s.handle(s.tableTilesPost))
}

// refereePages are the officials' at the tables.
type refereePages struct{ *Server }

func (s *refereePages) addTo(pages *gin.RouterGroup) {
	event := pages.Group("/referee/:event")
	event.GET("", s.handle(s.hallPage))
	event.GET("/live", s.handle(s.hallLive))
	event.GET("/tables/:table", s.handle(s.rulingPage))
	event.GET("/tables/:table/live", s.handle(s.rulingLive))
	event.POST("/tables/:table/device", s.handle(s.deskDevicePost))
	event.POST("/tables/:table/start", s.handle(s.sheetStartPost))
	event.GET("/tables/:table/rule/:action", s.handle(s.rulePage))
	for _, kind := range engine.RulingKinds() {
		event.POST("/tables/:table/"+kind.Name, s.handle(s.rulingPost(kind.Name)))
		if kind.WholeRound {
			event.GET("/rounds/:round/"+kind.Name, s.handle(s.ruleAllPage(kind)))
			event.POST("/rounds/:round/"+kind.Name, s.handle(s.ruleAllPost(kind)))
		}
	}
	event.GET("/zones", s.handle(s.zonesPage))
	event.POST("/zones", s.handle(s.zonesPost))
	event.GET("/penalties", s.handle(s.penaltiesPage))
	event.GET("/penalties/live", s.handle(s.penaltiesLive))
	event.POST("/penalties", s.handle(s.penaltiesPost))
	event.POST("/penalties/:sanction/second", s.handle(s.secondPost))
	event.POST("/penalties/:sanction/cancel", s.handle(s.cancelPost))
	for action := range callActions {
		event.POST("/tables/:table/"+action, s.handle(s.rulingPost(action)))
	}
	event.GET("/displays", s.handle(s.displaysPage))
	event.POST("/displays/:display/move", s.handle(s.displayMovePost))
	event.POST("/displays/:display/remove", s.handle(s.displayRemovePost))
	event.GET("/protests", s.handle(s.protestsPage))
	event.GET("/protests/live", s.handle(s.protestsLive))
	event.POST("/protests/:protest", s.handle(s.decidePost))
	event.GET("/games/:game/turns/:turn", s.handle(s.cardPage))
	event.GET("/games/:game/protocol", s.handle(s.protocolPage))
	event.GET("/games/:game/sheet", s.handle(s.sheetPage))
	sheet := pages.Group("/referee/:event/sheet/:id")
	sheet.POST("/count-preview", s.handle(s.sheetPost))
	sheet.POST("/count-racks", s.handle(s.command("count-racks", s.said("count_racks"))))
	event.GET("/games/:game/count", s.handle(s.countPage))
	event.GET("/games/:game/count/live", s.handle(s.countLive))
	event.POST("/games/:game/count/confirm", s.handle(s.confirmPost))
	event.GET("/games/:game/count/replay", s.handle(s.replayAskPage))
	event.POST("/games/:game/count/replay", s.handle(s.replayPost))
}

// controlPages are the officials' about the hall.
type controlPages struct{ *Server }

func (s *controlPages) addTo(pages *gin.RouterGroup) {
	event := pages.Group("/referee/:event")
	event.GET("/announcements", s.handle(s.announcePage))
	event.POST("/announcements", s.handle(s.announcePost))
	event.GET("/ready", s.handle(s.readyPage))
	event.GET("/ready/live", s.handle(s.readyLive))
	event.POST("/ready/backup", s.handle(s.backupPost))
	event.GET("/devices", s.handle(s.devicesPage))
	event.GET("/devices/live", s.handle(s.devicesLive))
	event.POST("/devices/swap", s.handle(s.tabletSwapPost))
	event.GET("/devices/:table/:seat", s.handle(s.tabletSwapPage))
	event.GET("/devices/:table/:seat/live", s.handle(s.tabletSwapLive))
	event.GET("/pace", s.handle(s.pacePage))
	event.GET("/pace/live", s.handle(s.paceLive))
	desk := pages.Group("/desk/:event")
	desk.GET("/rehearsal", s.handle(s.rehearsalPage))
	desk.POST("/rehearsal", s.handle(s.rehearsalPost))
	desk.GET("/plan", s.handle(s.planPage))
	desk.POST("/plan", s.handle(s.planDayPost))
	public := pages.Group("/events/:event")
	public.GET("/schedule", s.handle(s.schedulePage))
	public.GET("/schedule/live", s.handle(s.scheduleLive))
}

// screenPages let a fresh screen wait for its table, and the staff choose it.
type screenPages struct{ *Server }

func (s *screenPages) addTo(pages *gin.RouterGroup) {
	pages.GET("/display", s.handle(s.screenPage))
	pages.GET("/display/live", s.handle(s.screenLive))
	pages.GET("/displays/:code", s.handle(s.choosePage))
	pages.POST("/displays/:code", s.handle(s.choosePost))
}

// tabletPages are the players': the way to a seat, the waiting room and the tablet.
type tabletPages struct{ *Server }

func (s *tabletPages) addTo(pages *gin.RouterGroup) {
	pages.GET("/guide", s.handle(s.guidePage))
	pages.GET("/check", s.handle(s.checkPage))
	pages.GET("/check/live", s.handle(s.checkLive))
	pages.GET("/join", s.handle(s.joinPage))
	pages.GET("/join/:code", s.handle(s.seatsPage))
	pages.POST("/join/:code", s.handle(s.seatsPost))
	play := pages.Group("/play")
	play.GET("", s.forSeat(s.waitingPage))
	play.POST("", s.forSeat(s.roomPost))
	play.GET("/waiting", s.handle(s.waitingLive))
	play.GET("/game", s.forSeat(s.gamePage))
	play.GET("/referee", s.forSeat(s.badgePage))
	play.POST("/referee", s.forSeat(s.badgePost))
	play.GET("/referee/sheet", s.forSeat(s.badgeSheetPage))
	play.POST("/referee/sheet/:action", s.forSeat(s.badgeSheetPost))
	play.GET("/live", s.handle(s.tabletLive))
	play.POST("/device", s.handle(s.devicePost))
	play.GET("/next", s.handle(s.nextLive))
	turns := play.Group("/game/:id")
	s.turnRoutes(turns)
	s.realRoutes(turns)
	play.POST("/game/:id/agree", s.handle(s.agreePost))
	play.POST("/game/:id/protest", s.handle(s.protestPost))
	practice := pages.Group("/practice")
	practice.GET("", s.handle(s.practicePage))
	practice.POST("", s.handle(s.practicePost))
	practice.GET("/game", s.forSeat(s.gamePage))
	practice.GET("/live", s.handle(s.tabletLive))
	practice.POST("/device", s.handle(s.devicePost))
	practice.GET("/game/:id/hint", s.handle(s.hintPage))
	s.turnRoutes(practice.Group("/game/:id"))
}

// turnRoutes are what the tablet sends in a game.
func (s *tabletPages) turnRoutes(game *gin.RouterGroup) {
	game.Use(s.held)
	game.POST("/draft", s.handle(s.draftPost))
	game.POST("/plan", s.handle(s.planPost))
	game.POST("/play", s.handle(s.command("play", s.said("play"))))
	game.POST("/draw", s.handle(s.command("draw", s.said("draw"))))
	game.POST("/pass", s.handle(s.command("pass", s.said("pass"))))
	game.POST("/ready", s.handle(s.command("ready", s.said("ready"))))
	game.POST("/redeal", s.handle(s.command("redeal", s.said("redeal"))))
	game.POST("/call", s.handle(s.command("call", s.said("call"))))
}
