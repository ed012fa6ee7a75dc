package web

import (
	"github.com/gin-gonic/gin"

	"meldhall/templates"
)

// pageRoutes are the addresses of the pages; templates/paths.go names them. Every handler returns its
// error: pages.GET("/sign-in", s.handle(s.signInPage)).
func (s *Server) pageRoutes(pages *gin.RouterGroup) {
	s.publicRoutes(pages)
	s.accountRoutes(pages)
	s.deskRoutes(pages)
	s.refereeRoutes(pages)
	s.tableRoutes(pages)
	s.screenRoutes(pages)
	s.controlRoutes(pages)
}

// publicRoutes are for everybody.
func (s *Server) publicRoutes(pages *gin.RouterGroup) {
	pages.GET("/", s.handle(s.homePage))
	pages.POST(string(templates.LookPath), s.handle(s.look))
	event := pages.Group("/events/:event")
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

// accountRoutes let the staff in and out.
func (s *Server) accountRoutes(pages *gin.RouterGroup) {
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

// deskRoutes are the organizer's; the tournament package refuses others.
func (s *Server) deskRoutes(pages *gin.RouterGroup) {
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
	event.POST("/promise", s.handle(s.promisePost))
	event.POST("/lot", s.handle(s.lotPost))
	event.POST("/tiles", s.handle(s.tilesPost))
	event.GET("/roster", s.handle(s.rosterPage))
	event.POST("/roster/preview", s.handle(s.rosterPreview))
	event.POST("/roster/import", s.handle(s.rosterImport))
	event.POST("/roster/add", s.handle(s.rosterAdd))
	event.POST("/roster/withdraw", s.handle(s.rosterWithdraw))
	event.POST("/roster/time", s.handle(s.rosterTime))
	event.GET("/results", s.handle(s.resultsPage))
	event.GET("/results/:game", s.handle(s.resultPage))
	event.POST("/results/:game", s.handle(s.resultPost))
	round := event.Group("/rounds/:round")
	round.GET("", s.handle(s.roundPage))
	round.GET("/live", s.handle(s.roundLive))
	round.GET("/cards", s.handle(s.cardsPage))
	round.POST("/draw", s.handle(s.redrawPost))
	round.POST("/check", s.handle(s.checkDraftPost))
	round.GET("/swap", s.handle(s.swapPage))
	round.POST("/swap", s.handle(s.swapPost))
	round.POST("/script", s.handle(s.scriptPost))
	round.POST("/duplicate", s.handle(s.duplicatePost))
	round.POST("/discard", s.handle(s.discardPost))
	round.POST("/publish", s.handle(s.publishPost))
	round.POST("/start", s.handle(s.startPost))
	round.POST("/call-time", s.handle(s.callTimePost))
	round.POST("/code", s.handle(s.codePost))
	round.POST("/tiles", s.handle(s.tableTilesPost))
}

// refereeRoutes are the officials' at the tables.
func (s *Server) refereeRoutes(pages *gin.RouterGroup) {
	event := pages.Group("/referee/:event")
	event.GET("", s.handle(s.hallPage))
	event.GET("/live", s.handle(s.hallLive))
	event.GET("/tables/:table", s.handle(s.rulingPage))
	event.GET("/tables/:table/live", s.handle(s.rulingLive))
	event.POST("/tables/:table/device", s.handle(s.deskDevicePost))
	event.GET("/tables/:table/rule/:action", s.handle(s.rulePage))
	for action := range rulings {
		event.POST("/tables/:table/"+action, s.handle(s.rulingPost(action)))
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
	for _, action := range roundRulings {
		event.GET("/rounds/:round/"+action, s.handle(s.ruleAllPage(action)))
		event.POST("/rounds/:round/"+action, s.handle(s.ruleAllPost(action)))
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
	sheet.POST("/count-racks", s.handle(commanding(s, countCommand, s.said("count_racks"))))
	event.GET("/games/:game/count", s.handle(s.countPage))
	event.GET("/games/:game/count/live", s.handle(s.countLive))
	event.POST("/games/:game/count/confirm", s.handle(s.confirmPost))
	event.POST("/games/:game/count/replay", s.handle(s.replayPost))
}

// controlRoutes are the officials' about the hall.
func (s *Server) controlRoutes(pages *gin.RouterGroup) {
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

// screenRoutes let a fresh screen wait for its table, and the staff choose it.
func (s *Server) screenRoutes(pages *gin.RouterGroup) {
	pages.GET("/display", s.handle(s.screenPage))
	pages.GET("/display/live", s.handle(s.screenLive))
	pages.GET("/displays/:code", s.handle(s.choosePage))
	pages.POST("/displays/:code", s.handle(s.choosePost))
}

// tableRoutes are the players': the way to a seat, the waiting room and the tablet.
func (s *Server) tableRoutes(pages *gin.RouterGroup) {
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
func (s *Server) turnRoutes(game *gin.RouterGroup) {
	game.Use(s.held)
	game.POST("/draft", s.handle(s.draftPost))
	game.POST("/plan", s.handle(s.planPost))
	game.POST("/play", s.handle(commanding(s, playCommand, s.said("play"))))
	game.POST("/draw", s.handle(commanding(s, drawCommand, s.said("draw"))))
	game.POST("/pass", s.handle(commanding(s, passCommand, s.said("pass"))))
	game.POST("/ready", s.handle(commanding(s, readyCommand, s.said("ready"))))
	game.POST("/redeal", s.handle(commanding(s, s.redealCommand, s.said("redeal"))))
	game.POST("/call", s.handle(commanding(s, callCommand, s.said("call"))))
}
