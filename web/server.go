// Package web is the edge: pages for people and /api/v1 for programs over one set of actions. A handler
// reads the request, asks the tournament package, and shows what it answers; who may do what is decided there.
// Errors go through one map (shell/errors.go), live updates through one loop (live/stream.go).
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
	"sync"
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/door"
	"meldhall/tournament/game"
	"meldhall/tournament/practice"
	"meldhall/tournament/preset"
	"meldhall/tournament/rehearsal"
	"meldhall/tournament/security"
	"meldhall/tournament/training"
	"meldhall/web/api"
	"meldhall/web/bots"
	"meldhall/web/frame"
	"meldhall/web/guard"
	"meldhall/web/live"
	"meldhall/web/paper"
	"meldhall/web/public"
	"meldhall/web/shell"
	"meldhall/web/venue"
	"meldhall/web/wall"
)

// Config is what the server needs to know besides its database. BaseURL is the address that people
// type, such as https://hall.example:8443; with https the cookies are kept to it.
type Config struct {
	BaseURL        string
	Version        string   // of the program, shown in the API's document
	TrustedProxies []string // networks whose X-Forwarded-For counts; none by default
	Presets        preset.Library
	Locales        fs.FS // *.json of more languages, or nil
	// Security is where lines of the security log go besides the database, or nil.
	Security io.Writer

	// Authority is the venue's own, which devices take from the page about it; nil where a known one vouches for the server.
	Authority *x509.Certificate
	// SecondStep asks every official for a second step at the sign-in.
	SecondStep bool
	// Answered is told of each request, or nil.
	Answered shell.Answered

	// How long streams live and how often a silent one says that it lives; 0: 30 min and 15 s.
	StreamLife, PingEvery time.Duration
	// The longest time for a request that no player sends; 0: 25 s.
	Longest time.Duration
	// How long a bot at a practice table thinks at least; it takes up to twice as long. 0: 1 s.
	Think time.Duration
}

// Server answers the pages and the interface for programs.
type Server struct {
	*frame.Frame
	*views
	config     Config
	security   *security.Log
	assets     *AssetSet
	displays   *displays
	screens    *wall.Screens
	papers     *paper.Keeper
	badges     *badges
	rehearsals *bots.Rehearsals
	// penalties counts what was given and decided, so that a stream reads its player's own only then.
	penalties atomic.Uint64
	featured  sync.Map // the table that an event's page shows, by the event: int64
	past      *public.Pages
	stopping  atomic.Bool
	handler   *gin.Engine
}

// New makes a server over a desk. It takes over Moved and Rehearsed of the desk's games.
func New(desk *door.Desk, config Config) (*Server, error) {
	s, err := newServer(desk, config)
	if err != nil {
		return nil, err
	}
	if err := s.NoteSessions(context.Background()); err != nil {
		slog.Error("sessions of before cannot be listed", "err", err)
	}
	desk.Games.Moved, desk.Games.Rehearsed = s.moved, s.rehearsals.Play
	desk.Games.Watched = func(ref game.Ref) bool { return s.Hub.Watched(live.GameTopic(ref.ID), live.TableTopic(ref.TableID)) }
	s.Copies.Moved = func() { s.Hub.Wake(live.MachineTopic()) }
	desk.Games.Stood = func() { s.Hub.Wake(live.MachineTopic()) }
	desk.OnChanged(s.changed)
	desk.Searches.OnMoved(func(event int64) { s.Hub.Wake(live.TournamentTopic(event)) })
	gin.SetMode(gin.ReleaseMode)
	s.handler = gin.New()
	if err := s.handler.SetTrustedProxies(config.TrustedProxies); err != nil {
		return nil, fmt.Errorf("trusted proxies: %w", err)
	}
	s.routes(s.handler)
	return s, nil
}

// newServer puts the parts of a server together.
func newServer(desk *door.Desk, config Config) (*Server, error) {
	assets, err := LoadAssets()
	if err != nil {
		return nil, err
	}
	texts, err := templates.LoadTexts(config.Locales)
	if err != nil {
		return nil, err
	}
	now := func() time.Time { return desk.DB.Now() }
	streams := &live.Streams{Hub: live.NewHub(), Life: config.StreamLife, Ping: config.PingEvery, Now: now, Epoch: desk.DB.Epoch.Name}
	v := venue.New(desk, config.Presets, assets.Base(), streams.Hub)
	tables := bots.NewTables(desk, streams.Hub, cmp.Or(config.Think, time.Second))
	log := security.Open(desk.DB, config.Security)
	base, err := shell.New(v, desk, tables, streams, texts, log, config.BaseURL)
	if err != nil {
		return nil, err
	}
	base.Answered, base.SecondStep, base.Longest = config.Answered, config.SecondStep,
		cmp.Or(config.Longest, base.Longest)
	s := &Server{Frame: frame.NewFrame(base, v), security: log, views: &views{v}, config: config, assets: assets,
		displays: newDisplays(now), badges: newBadges(now, desk.DB.Shelf("badge")), papers: paper.NewKeeper(v, texts, config.BaseURL)}
	s.past = &public.Pages{Frame: s.Frame, Venue: s.Venue}
	s.screens = wall.New(s.Frame, v)
	s.rehearsals = bots.NewRehearsals(v, desk, streams.Hub, tables)
	s.Ask = func(c *gin.Context) { s.handler.HandleContext(c) }
	return s, nil
}

// ServeHTTP answers.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	guard.Heads(s.handler).ServeHTTP(w, r)
}

// How many connections may be open at once, in all and from one address, behind which may be a whole hall.
const (
	connectionsAll  = 30_000
	connectionsEach = 6000
)

// Bounded is a listener that takes no more connections than a server has room for. Those of the networks in trusted are not counted by address.
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

// Close ends all streams, the security log, and the bots of the practice tables; ResumePractice brings them back.
func (s *Server) Close() {
	s.stopping.Store(true)
	s.Hub.Close()
	s.Practice.Wait()
	s.papers.Close()
	s.rehearsals.Wait()
	s.security.Close()
}

// moved wakes who watches a game, its table or its tournament, and when it ends, who watches the standings. Not when it begins: all players of
// a large round still wait then, and would be woken by each other's games. It is called at every commit, and asks for nothing.
func (s *Server) moved(ref game.Ref, step game.Step) {
	if step >= game.StepPhase {
		s.Venue.Moved(ref.TournamentID)
	}
	s.Hub.Wake(live.GameTopic(ref.ID), live.TableTopic(ref.TableID), live.TournamentTopic(ref.TournamentID))
	if step == game.StepPhase {
		s.Hub.Wake(live.Topics(ref.TournamentID, door.TopicStandings)...)
	}
	at, ok := s.featured.Load(ref.TournamentID)
	if step == game.StepBegin || ok && at == ref.TableID && step != game.StepDraft { // it may be the one to show now
		s.Hub.Wake(live.FeaturedTopic(ref.TournamentID))
	}
}

// changed wakes who watches what a commit has changed, and lets go what is remembered of it. Nothing else wakes for what is
// done at the desk.
func (s *Server) changed(c door.Changed) {
	s.Forget(c)
	s.papers.Changed(c)
	if c.Has(door.TopicPenalties) {
		s.penalties.Add(1)
	}
	s.screens.Moved(c)
	if c.Tournament == frame.NoEvent && c.Has(door.TopicHall) { // a copy was made, or is to be made otherwise
		s.Hub.Wake(live.MachineTopic())
	}
	for _, t := range c.Topics {
		if t.What == door.TopicDevices && t.ID != 0 {
			s.Presence.ForgetDevice(t.ID)
		}
		s.Hub.Wake(hubTopics(c.Tournament, t)...)
	}
	s.Hub.Wake(live.TournamentTopic(c.Tournament), live.DeskTopic(c.Tournament)) // noEvent for what belongs to none
}

// hubTopics are what watchers of a topic watch.
func hubTopics(event int64, t door.Topic) []live.Topic {
	switch t.What {
	case door.TopicTable:
		return []live.Topic{live.TableTopic(t.ID)}
	case door.TopicGame:
		return []live.Topic{live.GameTopic(t.ID)}
	case door.TopicNews:
		return []live.Topic{live.NewsTopic(event)}
	case door.TopicScreens:
		return []live.Topic{live.DisplaysTopic()}
	case door.TopicOfficials:
		return []live.Topic{live.AccountTopic(t.ID)}
	}
	return live.Topics(event, t.What)
}

// KeepCopies copies the database as it was planned, until ctx ends.
func (s *Server) KeepCopies(ctx context.Context) { s.Copies.Keep(ctx) }

// ResumePractice lets the bots play on at the practice tables, and in the rehearsals, that were open when the program ended, and the tablet of
// a training's dispute fall silent again; and packs of paper be made that were not. It is called once the games are back.
func (s *Server) ResumePractice(ctx context.Context) error {
	s.papers.Resume()
	games, err := practice.Games(ctx, s.Store)
	for _, game := range games {
		s.Practice.Play(game)
	}
	if err != nil {
		return err
	}
	going, err := rehearsal.Going(ctx, s.Store)
	if err != nil {
		return err
	}
	trainings, err := training.Going(ctx, s.Store)
	for _, t := range append(going, trainings...) {
		s.rehearsals.Play(t.ID)
	}
	return err
}

// routes are all addresses of the program. What every request passes is first; then the assets, the
// pages (routes_pages.go) and the interface for programs, whose operations are listed by role.
func (s *Server) routes(engine *gin.Engine) {
	engine.HandleMethodNotAllowed = true
	engine.RedirectTrailingSlash = false
	engine.Use(s.Middleware()...)
	engine.NoRoute(s.Identify, s.Handle(shell.NotFound))
	engine.NoMethod(s.Handle(notAllowed))

	engine.GET("/assets/*file", gin.WrapH(s.assets))
	engine.GET("/healthz", func(c *gin.Context) { c.String(http.StatusOK, "ok") })
	engine.GET("/readyz", s.Handle(s.ready))

	s.pageRoutes(engine.Group("/", s.Identify, s.Visible, s.Readable))

	api.Serve(s.Shell, s.views.Venue, engine, engine.Group(shell.APIBase, s.Identify), s.config.Version)
}

func notAllowed(c *gin.Context) error {
	return shell.Refused(http.StatusMethodNotAllowed, "err_method", "method", c.Request.Method)
}

// ready answers 200 when the database can be read and, as far as anybody has tried, written, and the server does not stop: for a proxy,
// or whoever waits before the tablets are sent here. That the program lives, /healthz says: to start it again helps no disk that is full.
func (s *Server) ready(c *gin.Context) error {
	if s.stopping.Load() {
		return shell.Refused(http.StatusServiceUnavailable, "err_stopping")
	}
	if _, err := tournament.Tournaments(c.Request.Context(), s.Store); err != nil {
		return err
	}
	if s.Games.Unwritten() != 0 {
		return shell.Refused(http.StatusServiceUnavailable, "err_storage")
	}
	c.String(http.StatusOK, "ok")
	return nil
}

// views are the parts of the pages that are drawn without a request: whoever asks is an argument where it matters. They change
// nothing.
type views struct{ *venue.Venue }
