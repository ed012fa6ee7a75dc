// Package public serves the pages that are open to everyone: standings, live tables, screens at tables, replays,
// registration, and the permanent pages of a tournament's rounds, players and statistics.
package public

import (
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament/action"
	"meldhall/web/guard"
	"meldhall/web/live"
	"meldhall/web/page"
	"meldhall/web/screens"
	"meldhall/web/view"
)

// Pages serves the pages that are open to everyone.
type Pages struct {
	Page     *page.Base
	View     *view.Reader
	views    *views
	screens  *screens.Screens
	past     *PastPages
	displays *displays
	cosigned *guard.Throttle // cosignatures, by address
	featured sync.Map        // table on the tournament's page; key: tournament int64
}

// New returns the pages. base holds what all pages share, v reads the data to show, paired serves the screens at
// tables, and past serves the permanent pages.
func New(base *page.Base, v *view.Reader, paired *screens.Screens, past *PastPages) *Pages {
	return &Pages{Page: base, View: v, views: &views{v}, screens: paired, past: past,
		displays: newDisplays(func() time.Time { return v.Store.Now() }),
		cosigned: guard.NewThrottle(cosignedMost, time.Minute, func() time.Time { return v.Store.Now() })}
}

// FeaturedTable returns the ID of the table that was last featured on a tournament's page, or 0.
func (s *Pages) FeaturedTable(tournamentID int64) int64 {
	at, _ := s.featured.Load(tournamentID)
	table, _ := at.(int64)
	return table
}

func (s *Pages) AddTo(pages *gin.RouterGroup) {
	pages.GET("/", s.Page.Request.Handle(s.homePage))
	pages.POST(string(templates.LookPath), s.Page.Request.Handle(s.look))
	pages.GET(string(templates.VerifyPath), s.Page.Request.Handle(s.verifyPage))
	pages.GET("/ticket/:ticket", s.Page.Request.Handle(s.ticketPage))
	pages.POST("/ticket/:ticket/check-in", s.Page.Request.Handle(s.ticketPost))
	pages.POST("/ticket/:ticket/naming", s.Page.Request.Handle(s.ticketNaming))
	event := pages.Group("/events/:event")
	everyMove := func(id int64) []live.Topic { return []live.Topic{live.TournamentTopic(id)} }
	event.GET("/register", s.Page.Request.Handle(s.registerPage))
	event.POST("/register", s.Page.Request.Handle(s.registerPost))
	s.addRegion(event, "", regionPage{"leaderboard", "nav.leaderboard", s.Leaderboard,
		func(id int64) []live.Topic {
			return append(live.Topics(id, action.TopicStandings), live.DeskTopic(id), live.FeaturedTopic(id))
		}})
	event.GET("/why", s.Page.Request.Handle(s.whyPage))
	event.GET("/regulations", s.Page.Request.Handle(s.regulationsPage))
	s.addRegion(event, "/schedule", regionPage{"schedule", "schedule.title", s.views.schedule, everyMove})
	s.addRegion(event, "/proof", regionPage{"proof", "proof.title", s.views.proof, everyMove})
	s.addRegion(event, "/tables", regionPage{"tables", "nav.tables", s.Tables, everyMove})
	s.addLog(event.Group("/log"))
	event.GET("/tables/:table", s.Page.Request.Handle(s.watchPage))
	event.GET("/tables/:table/live", s.Page.Request.Listen(s.watchLive))
	event.GET("/display/:number", s.Page.Request.Handle(s.displayPage))
	event.GET("/display/:number/live", s.Page.Request.Listen(s.displayLive))
	event.GET("/display/:number/turns/:turn", s.Page.Request.Handle(s.displayTurnPage))
	event.GET("/games/:game", s.Page.Request.Handle(s.replayPage))
	event.GET("/games/:game/turns/:turn", s.Page.Request.Handle(s.replayTurnPage))
	event.GET("/games/:game/turns/:turn/best", s.Page.Request.Handle(s.replayBestPage))
}

// views builds the view models of these pages. It needs no request and changes nothing. Methods whose result depends on
// the reader take the reader as an argument.
type views struct{ View *view.Reader }
