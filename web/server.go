// Package web serves pages for people and the API under /api/v1, both based on the same set of actions. A handler
// parses the request, calls the tournament package, which also checks rights, and renders the result. All errors are
// mapped in request/errors.go, and all live updates use the loop in live/stream.go.
package web

import (
	"cmp"
	"context"
	"crypto/x509"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"

	"meldhall/templates/locale"
	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/game/cluster"
	"meldhall/tournament/game/shares"
	"meldhall/tournament/preset"
	"meldhall/tournament/security"
	"meldhall/web/accounts"
	"meldhall/web/bots"
	"meldhall/web/guard"
	"meldhall/web/live"
	"meldhall/web/page"
	"meldhall/web/paper"
	"meldhall/web/public"
	"meldhall/web/request"
	"meldhall/web/screens"
	"meldhall/web/tablet"
	"meldhall/web/view"
)

// Config holds the server's settings besides its database. BaseURL is the address that people type, such as
// https://hall.example:8443; with https, cookies are restricted to it.
type Config struct {
	BaseURL        string
	Version        string   // of the program, shown in the API document
	TrustedProxies []string // networks whose X-Forwarded-For is trusted; none by default
	Presets        preset.Library
	Locales        fs.FS // *.json files of additional languages, or nil
	// Security receives the lines of the security log in addition to the database; it may be nil.
	Security io.Writer

	// Authority is the hall's own certificate authority, which devices install from its page. It is nil if a public
	// authority has issued the certificate.
	Authority *x509.Certificate
	// Cluster is the owner of the games if several programs serve the database together, else nil.
	Cluster *cluster.Cluster
	// SecondStep makes a second sign-in step mandatory for officials.
	SecondStep bool
	// Computer is what the server offers to the person who started it without a terminal; nil for other starts.
	Computer *accounts.Computer
	// Answered is called for each request; it may be nil.
	Answered request.Answered

	// The lifetime of streams and the ping interval of silent ones; 0 means 30 min and 15 s.
	StreamLife, PingEvery time.Duration
	// The time limit of requests other than players' commands; 0 means 25 s.
	Longest time.Duration
	// The shortest time that a bot thinks at a practice table; it takes up to twice as long. 0 means 1 s.
	Think time.Duration
}

// Server serves the pages and the API.
type Server struct {
	Page     *page.Base
	Request  *request.Base
	View     *view.Reader
	config   Config
	security *security.Log
	assets   *AssetSet
	screens  *screens.Screens
	papers   *paper.Keeper
	public   *public.Pages
	tablets  *tablet.Pages
	past     *public.PastPages
	stopping atomic.Bool
	handler  *gin.Engine
}

// New creates a server for a desk. It sets the callbacks Moved, Rehearsed and Stood of the desk's games, and Watched of
// the cluster.
func New(desk *action.Desk, config Config) (*Server, error) {
	s, err := newServer(desk, config)
	if err != nil {
		return nil, err
	}
	if err := s.Request.Sessions.NoteDevices(context.Background()); err != nil {
		slog.Error("listing earlier sessions failed", "err", err)
	}
	asked := desk.Games.Shares.Asked
	desk.Games.Shares.Asked = func(t shares.Table) { // the commitment to the shuffle must be in the log before the deal
		s.View.Logs.Changed(t.Tournament)
		asked(t)
	}
	desk.Games.Moved, desk.Games.Rehearsed = s.moved, s.Request.Bots.PlayRehearsal
	if s.View.Cluster = config.Cluster; config.Cluster != nil {
		config.Cluster.Watched = func(ref game.Ref) bool {
			return s.Request.Hub.Watched(live.GameTopic(ref.ID), live.TableTopic(ref.TableID))
		}
	}
	s.View.Copies.Moved = func() { s.Request.Hub.Wake(live.MachineTopic()) }
	desk.Games.Stood = func() { s.Request.Hub.Wake(live.MachineTopic()) }
	desk.OnChanged(s.changed)
	desk.Searches.OnMoved(func(tournamentID int64) { s.Request.Hub.Wake(live.TournamentTopic(tournamentID)) })
	gin.SetMode(gin.ReleaseMode)
	s.handler = gin.New()
	if err := s.handler.SetTrustedProxies(config.TrustedProxies); err != nil {
		return nil, fmt.Errorf("trusted proxies: %w", err)
	}
	s.routes(s.handler)
	return s, nil
}

// newServer assembles the parts of a server.
func newServer(desk *action.Desk, config Config) (*Server, error) {
	assets, err := LoadAssets()
	if err != nil {
		return nil, err
	}
	texts, err := locale.LoadTexts(config.Locales)
	if err != nil {
		return nil, err
	}
	now := func() time.Time { return desk.DB.Now() }
	streams := &live.Streams{Hub: live.NewHub(), Life: config.StreamLife, Ping: config.PingEvery, Now: now,
		Epoch: desk.DB.Epoch.Name}
	v := view.New(desk, config.Presets, assets.Base(), streams.Hub)
	played := bots.New(v, desk, streams.Hub, cmp.Or(config.Think, time.Second))
	log := security.Open(desk.DB, config.Security)
	base, err := request.New(v, desk, played, streams, texts, log, config.BaseURL)
	if err != nil {
		return nil, err
	}
	base.Answered, base.SecondStep, base.Longest = config.Answered, config.SecondStep,
		cmp.Or(config.Longest, base.Longest)
	s := &Server{Request: base, Page: page.New(base, v), View: v, security: log, config: config,
		assets: assets, papers: paper.NewKeeper(v, texts, config.BaseURL)}
	s.past = &public.PastPages{Page: s.Page, View: s.View}
	s.screens = screens.New(s.Page, v)
	s.public = public.New(s.Page, v, s.screens, s.past)
	s.tablets = tablet.New(s.Page, v)
	s.Page.Ask = func(c *gin.Context) { s.handler.HandleContext(c) }
	s.Page.Authority = config.Authority != nil
	return s, nil
}

// ServeHTTP handles a request for a page, the API or an asset.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	guard.Heads(s.handler).ServeHTTP(w, r)
}

// The limits of open connections, in total and per address. One address may stand for a whole hall.
const (
	connectionsAll  = 30_000
	connectionsEach = 6000
)

// Routes lists the addresses of the pages and the API.
func (s *Server) Routes() gin.RoutesInfo { return s.handler.Routes() }

// Bounded returns a listener that accepts no more connections than the server can handle. Connections from the trusted
// networks, given in CIDR notation, do not count per address.
func Bounded(l net.Listener, trusted []string) net.Listener {
	var proxies []*net.IPNet
	for _, network := range trusted {
		if _, n, err := net.ParseCIDR(network); err == nil {
			proxies = append(proxies, n)
		}
	}
	return guard.Listener(l, connectionsAll, connectionsEach, func(ip net.IP) bool {
		return slices.ContainsFunc(proxies, func(n *net.IPNet) bool { return n.Contains(ip) })
	})
}

// Close ends all streams, the bots at practice tables and in rehearsals, the making of paper packs and the security
// log. ResumePractice restarts the bots and makes the packs that are due.
func (s *Server) Close() {
	s.stopping.Store(true)
	s.Request.Hub.Close()
	s.Request.Bots.Wait()
	s.papers.Close()
	s.security.Close()
}

// moved wakes the watchers of a game, its table and its tournament, and at the game's end those of the standings. The
// start of a game does not wake the standings: all players of a large round are still waiting then and would be woken
// by each other's games. It is called at every commit and runs no queries.
func (s *Server) moved(ref game.Ref, step game.Step) {
	if step >= game.StepPhase {
		s.View.Tournaments.Moved(ref.TournamentID)
		s.View.Logs.Changed(ref.TournamentID)
	}
	s.Request.Hub.Wake(live.GameTopic(ref.ID), live.TableTopic(ref.TableID), live.TournamentTopic(ref.TournamentID))
	if step == game.StepPhase {
		s.Request.Hub.Wake(live.Topics(ref.TournamentID, action.TopicStandings)...)
	}
	// it may now be the table to show
	if step == game.StepBegin || s.public.FeaturedTable(ref.TournamentID) == ref.TableID && step != game.StepDraft {
		s.Request.Hub.Wake(live.FeaturedTopic(ref.TournamentID))
	}
}

// changed wakes the watchers of what a commit has changed and drops the affected cached data. For actions at the desk,
// nothing else wakes watchers.
func (s *Server) changed(c action.Changed) {
	s.View.Forget(c)
	if c.Tournament != page.NoEvent {
		s.View.Logs.Changed(c.Tournament)
	}
	s.papers.Changed(c)
	if c.Has(action.TopicPenalties) {
		s.tablets.PenaltiesChanged()
	}
	s.screens.Moved(c)
	if c.Tournament == page.NoEvent && c.Has(action.TopicHall) { // a copy was made, or its settings have changed
		s.Request.Hub.Wake(live.MachineTopic())
	}
	for _, t := range c.Topics {
		if t.What == action.TopicDevices && t.ID != 0 {
			s.View.Presence.ForgetDevice(t.ID)
		}
		s.Request.Hub.Wake(hubTopics(c.Tournament, t)...)
	}
	// NoEvent for changes outside tournaments
	s.Request.Hub.Wake(live.TournamentTopic(c.Tournament), live.DeskTopic(c.Tournament))
}

// hubTopics returns the hub topics for a changed topic.
func hubTopics(tournamentID int64, t action.Topic) []live.Topic {
	switch t.What {
	case action.TopicTable:
		return []live.Topic{live.TableTopic(t.ID)}
	case action.TopicGame:
		return []live.Topic{live.GameTopic(t.ID)}
	case action.TopicNews:
		return []live.Topic{live.NewsTopic(tournamentID)}
	case action.TopicScreens:
		return []live.Topic{live.DisplaysTopic()}
	case action.TopicOfficials:
		return []live.Topic{live.AccountTopic(t.ID)}
	}
	return live.Topics(tournamentID, t.What)
}

// ResumePractice restarts the bots at practice tables and in rehearsals, the tablet that goes silent in a training's
// dispute, and the paper packs that were still due when the program ended. Call it once the games are loaded.
func (s *Server) ResumePractice(ctx context.Context) error {
	s.papers.Resume()
	return s.Request.Bots.Resume(ctx)
}
