package page

import (
	"bytes"
	"context"
	"hash/crc32"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/templates/letters"
	"meldhall/templates/locale"
	"meldhall/templates/part"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/displayname"
	"meldhall/tournament/rights"
	"meldhall/web/live"
	"meldhall/web/request"
)

// Delays before a region is rendered again (see live.Feed), for officials' tables and for spectators. Thousands of
// spectators may share one rendering, which is sent to them one after another.
const (
	staffLeast  = 400 * time.Millisecond
	crowdLeast  = 20 * time.Millisecond
	crowdSpread = 200 * time.Millisecond
	crowdApart  = 500 * time.Millisecond
	showApart   = 200 * time.Millisecond // if one rendering is sent to all
)

// ShowEvent responds with a page of the tournament in the address. page points to the page's frame within view.
// ShowEvent fills in the frame and keeps only its fields Live and Seeks.
func ShowEvent[V any](s *Base, c *gin.Context, status int, title string, view *V, page *part.Page,
	draw func(V) templ.Component) error {
	t, err := tournament.TournamentByID(c.Request.Context(), s.view.Store, ID(c, "event"))
	if err != nil {
		return err
	}
	p := s.NewPage(c, title, &t)
	p.Live, p.Seeks = page.Live, page.Seeks
	*page = p
	return s.Show(c, status, draw(*view))
}

// ShowLive is like ShowEvent for a page with a region that the stream at an address updates.
func ShowLive[V any](s *Base, c *gin.Context, title string, address templ.SafeURL, view *V, page *part.Page,
	draw func(V) templ.Component) error {
	*page = Streamed(*page, address)
	return ShowEvent(s, c, http.StatusOK, title, view, page, draw)
}

// RegionOf returns a function that draws a region of a page about the tournament in the address, for an actor.
func RegionOf[V any](c *gin.Context, view func(context.Context, rights.Actor, int64) (V, error),
	region func(V) templ.Component) func(context.Context, rights.Actor) (templ.Component, error) {
	tournamentID := ID(c, "event")
	return func(ctx context.Context, actor rights.Actor) (templ.Component, error) {
		v, err := view(ctx, actor, tournamentID)
		return region(v), err
	}
}

// StreamPage writes a feed to a page. It first sends the current asset address and the epoch of the database, and adds
// the tournament's announcements.
func (s *Base) StreamPage(c *gin.Context, feed live.Feed) error {
	return s.Request.Streams.Serve(c, s.paged(c, feed))
}

// StreamSame is like StreamPage for contents that are the same for everyone but officials. key identifies the contents,
// without the language. feed is called for the first reader and must not contain anything specific to a reader.
func (s *Base) StreamSame(c *gin.Context, ctx context.Context, key string, feed func() live.Feed) error {
	key = locale.LanguageOf(ctx).Tag + " " + locale.LanguageOf(s.LanguageAsked(c)).Tag + " " + key
	return s.Request.Streams.ServeShared(c, live.Shared{Key: key, Zip: takesZip(c),
		Feed: func() live.Feed { return s.paged(c, feed()) }})
}

// paged adds to a feed what every page gets besides its region: the asset address, the epoch, and the announcements. It
// also ends the stream when the tournament becomes hidden from the public.
func (s *Base) paged(c *gin.Context, feed live.Feed) live.Feed {
	feed.Hello = live.Message{Event: "build", Data: []byte(s.view.Build + " " + s.view.Store.Epoch.Name)}
	feed.Zip = takesZip(c) // a table of 80 tiles takes 40 KB, or 4 KB compressed
	if path, event, next := c.FullPath(), c.Param("event"), feed.Next; strings.Contains(path, "/:event") &&
		request.CallersIn(c).Staff == nil {
		// an organizer may unpublish the first round while a page is open
		feed.Next = func() (live.Message, error) {
			if err := s.Request.SeesEvent(context.Background(), rights.Public(), path, event); err != nil {
				return live.Message{}, err
			}
			return next()
		}
	}
	if tournamentID := s.eventOf(c); tournamentID != NoEvent || request.CallersIn(c).Staff != nil {
		feed.Aside = s.newsAside(s.LanguageAsked(c), tournamentID, request.CallersIn(c).Staff)
	}
	return feed
}

// StreamRegion keeps a page's region up to date for officials: it sends the whole HTML whenever one of the topics is
// woken. draw gets the current actor, so that a reader who was signed out gets nothing more.
func (s *Base) StreamRegion(c *gin.Context, draw func(context.Context, rights.Actor) (templ.Component, error),
	topics ...live.Topic) error {
	return s.streamStaff(c, PagePing, unasked(draw), topics...)
}

// StreamDesk is like StreamRegion for the officials' tables, which report within 3 s that they are no longer live.
func (s *Base) StreamDesk(c *gin.Context, draw func(context.Context, rights.Actor) (templ.Component, error),
	topics ...live.Topic) error {
	return s.StreamTimed(c, unasked(draw), topics...)
}

// TimedDraw draws a region that also changes with time alone. again is the time until the next change; 0: never.
type TimedDraw func(context.Context, rights.Actor) (region templ.Component, again time.Duration, err error)

// StreamTimed is like StreamDesk for a region that is also drawn again after some time.
func (s *Base) StreamTimed(c *gin.Context, draw TimedDraw, topics ...live.Topic) error {
	return s.streamStaff(c, NearPing, draw, topics...)
}

// unasked adapts a draw function whose region changes only with events, never with time alone.
func unasked(draw func(context.Context, rights.Actor) (templ.Component, error)) TimedDraw {
	return func(ctx context.Context, actor rights.Actor) (templ.Component, time.Duration, error) {
		region, err := draw(ctx, actor)
		return region, 0, err
	}
}

func (s *Base) streamStaff(c *gin.Context, ping time.Duration, draw TimedDraw, topics ...live.Topic) error {
	return s.StreamPage(c, s.staffFeed(c, ping, draw, topics...))
}

// StaffFeed returns the feed of StreamDesk, for a stream that sends more.
func (s *Base) StaffFeed(c *gin.Context, draw func(context.Context, rights.Actor) (templ.Component, error),
	topics ...live.Topic) live.Feed {
	return s.staffFeed(c, NearPing, unasked(draw), topics...)
}

func (s *Base) staffFeed(c *gin.Context, ping time.Duration, draw TimedDraw, topics ...live.Topic) live.Feed {
	ctx := s.Request.Language(c)
	return live.Feed{
		Watcher: s.Request.Hub.Watch(topics...),
		Least:   staffLeast,
		Ping:    ping,
		Next: func() (live.Message, error) {
			who, err := s.Request.Tokens.StaffNow(c)
			if err != nil {
				return live.Message{}, err
			}
			region, again, err := draw(ctx, who)
			if err != nil {
				return live.Message{}, err
			}
			html, err := RenderRegion(ctx, region)
			return live.Message{ID: StateOf(html), Data: html, Again: again}, err
		},
	}
}

// PublicDraw draws a region of a tournament's public pages for a reader: rights.Public, or an official, who sees
// everything.
type PublicDraw func(ctx context.Context, reader rights.Actor) (templ.Component, error)

// PublicReader returns the reader for which public pages are drawn: one drawing serves all officials, another all other
// readers.
func PublicReader(who rights.Actor, tournamentID int64) rights.Actor {
	if rights.Authorize(who, rights.Place{Tournament: tournamentID}, rights.MaySeeDesk) == nil {
		return rights.Staff(rights.RoleObserver, "")
	}
	return rights.Public()
}

// DrawnFor returns the cached region of a key for a reader, drawing it if necessary. topics are the topics that change
// the region, if the caller watches them.
func (s *Base) DrawnFor(ctx context.Context, reader rights.Actor, key string, draw PublicDraw,
	topics ...live.Topic) (Drawing, error) {
	var woken uint64
	if len(topics) > 0 {
		woken, _ = s.Request.Hub.Newest(topics...)
	}
	return s.regions.Drawn(ctx, key+" "+string(reader.Role), woken, func(ctx context.Context) (templ.Component, error) {
		return draw(displayname.For(ctx, reader), reader)
	})
}

// StreamPublic is like StreamRegion for all readers: one drawing serves all who read it in one language. key names the
// region.
func (s *Base) StreamPublic(c *gin.Context, tournamentID int64, key string, draw PublicDraw,
	topics ...live.Topic) error {
	return s.StreamCrowd(c, s.Request.Language(c), key, draw, func() (rights.Actor, error) {
		who, err := s.Request.Tokens.StaffNow(c)
		return PublicReader(who, tournamentID), err
	}, topics...)
}

// Anybody always returns the public reader, for streams that are the same for all readers.
func Anybody() (rights.Actor, error) { return rights.Public(), nil }

// StreamCrowd is like StreamPublic in a given language, for a reader determined before each drawing.
func (s *Base) StreamCrowd(c *gin.Context, ctx context.Context, key string, draw PublicDraw,
	reader func() (rights.Actor, error), topics ...live.Topic) error {
	if request.CallersIn(c).Staff != nil {
		return s.StreamPage(c, s.crowdFeed(ctx, key, draw, reader, topics...))
	}
	return s.StreamSame(c, ctx, key, func() live.Feed {
		feed := s.crowdFeed(ctx, key, draw, Anybody, topics...)
		feed.Spread, feed.Apart = 0, showApart
		return feed
	})
}

func (s *Base) crowdFeed(ctx context.Context, key string, draw PublicDraw, reader func() (rights.Actor, error),
	topics ...live.Topic) live.Feed {
	watcher := s.Request.Hub.Watch(topics...)
	// The cached region may be older than a change just before this watcher started, so it is checked once more.
	again := time.AfterFunc(crowdLeast, watcher.Wake)
	return live.Feed{
		Watcher: watcher,
		Least:   crowdLeast,
		Spread:  crowdSpread,
		Apart:   crowdApart,
		Ends:    []func(){func() { again.Stop() }},
		Ping:    PagePing,
		Next: func() (live.Message, error) {
			who, err := reader()
			if err != nil {
				return live.Message{}, err
			}
			d, err := s.DrawnFor(ctx, who, key, draw, topics...)
			return d.Message(), err
		},
	}
}

// Regions caches drawn regions for a short time, life, which is shorter than the least time from a change to its
// message. So by the time a reader woken by a change requests the region, a drawing from before the change has expired.
// A region that nothing has changed stays cached longer.
type Regions struct {
	now     func() time.Time
	life    time.Duration
	mu      sync.Mutex
	regions map[string]*keptRegion
}

type keptRegion struct {
	mu    sync.Mutex
	at    time.Time
	woken uint64 // its wake count before it was drawn
	drawn Drawing
}

// Drawing is a region that was drawn for all its readers.
type Drawing struct {
	html   []byte
	linked []byte // with the fonts for its letters
	state  string
	wire   *live.Wire
}

const (
	regionLife  = crowdLeast * 4 / 5
	regionStill = time.Second // for an unchanged region, in which only times may differ
	regionsMost = 1000
)

// NewRegions returns an empty cache; life is how long a region is shared.
func NewRegions(now func() time.Time, life time.Duration) *Regions {
	return &Regions{now: now, life: life, regions: map[string]*keptRegion{}}
}

// Drawn returns a region in the context's language. woken is the hub's count of changes; 0 if they are not counted.
func (r *Regions) Drawn(ctx context.Context, key string, woken uint64,
	draw func(context.Context) (templ.Component, error)) (Drawing, error) {
	kept := r.of(locale.LanguageOf(ctx).Tag + " " + key)
	kept.mu.Lock()
	defer kept.mu.Unlock()
	now := r.now()
	if age := now.Sub(kept.at); age >= 0 && (age < r.life || age < regionStill && woken != 0 && woken == kept.woken) {
		return kept.drawn, nil
	}
	// others wait for it and must not fail if this reader disconnects
	region, err := draw(displayname.ForAll(context.WithoutCancel(ctx)))
	if err != nil {
		return Drawing{}, err
	}
	html, err := Render(ctx, region)
	if err != nil {
		return Drawing{}, err
	}
	kept.at, kept.woken = now, woken
	kept.drawn = Drawing{html, letters.After(html), StateOf(html), new(live.Wire)}
	return kept.drawn, nil
}

func (r *Regions) of(key string) *keptRegion {
	r.mu.Lock()
	defer r.mu.Unlock()
	kept := r.regions[key]
	if kept == nil {
		if len(r.regions) >= regionsMost {
			clear(r.regions)
		}
		kept = &keptRegion{}
		r.regions[key] = kept
	}
	return kept
}

// Component returns a component that writes the drawn HTML.
func (d Drawing) Component() templ.Component { return templ.Raw(string(d.html)) }

// Message returns the region as a message of its stream.
func (d Drawing) Message() live.Message {
	return live.Message{ID: d.state, Data: d.linked, Wire: d.wire}
}

// NoEvent is the tournament ID for data that belongs to no tournament, such as the copies of the database.
const NoEvent = 0

// TableTopics returns the topics that a page of one table watches besides the table's own: the tournament's seats and
// people. Results of its games wake the table's own topic, so that a result does not redraw all tables of a hall.
func TableTopics(tournamentID int64) []live.Topic {
	return live.Topics(tournamentID, action.TopicSeats, action.TopicPeople)
}

// newsItems returns a tournament's announcements, in the context's language, and for officials the current problems of
// the machine.
func (s *Base) newsItems(ctx context.Context, tournamentID int64, official bool,
	copies *part.CopiesState) ([]part.NewsItem, error) {
	if tournamentID == 0 {
		return nil, nil
	}
	said, mark, err := s.view.Announced(ctx, tournamentID)
	if err != nil {
		return nil, err
	}
	now := engine.MillisOf(s.view.Store.Now())
	items := make([]part.NewsItem, len(said), len(said)+2)
	for i, a := range said {
		text, tag := a.TextFor(locale.LanguageOf(ctx).Tag)
		items[i] = part.NewsItem{ID: a.ID, Level: a.Level, Text: text, Lang: tag, Left: a.Until - now}
	}
	if since := s.view.Games.Unwritten(); official && since != 0 {
		items = append(items, part.NewsItem{ID: -int64(since), Level: "urgent", Text: s.standsText(ctx, since),
			Lang: locale.LanguageOf(ctx).Tag, Left: newsForEver})
	}
	if official {
		for _, text := range s.view.NodesSaid(ctx) {
			items = append(items, part.NewsItem{ID: -faultID(text), Level: "note", Text: text,
				Lang: locale.LanguageOf(ctx).Tag, Left: newsForEver})
		}
	}
	if copies != nil && copies.Fault != "" {
		items = append(items, part.NewsItem{ID: -faultID(copies.Fault), Level: "urgent", Text: copies.Fault,
			Lang: locale.LanguageOf(ctx).Tag, Left: newsForEver})
	}
	if mark != "" { // shown on every page, and cannot be closed
		items = append(items, part.NewsItem{Level: part.NewsMark, Text: locale.T(ctx, mark),
			Lang: locale.LanguageOf(ctx).Tag, Left: newsForEver})
	}
	return items, nil
}

// copiesNow returns the state of the database copies for an official who may make copies. It returns nil for others,
// and if the state cannot be read.
func (s *Base) copiesNow(ctx context.Context, official *rights.Actor) *part.CopiesState {
	if official == nil || rights.Authorize(*official, rights.Place{}, rights.MayBackUp) != nil {
		return nil
	}
	state, err := s.view.Copies.State(ctx)
	if err != nil {
		slog.Error("reading the state of the copies failed", "err", err)
		return nil
	}
	said := s.view.CopiesState(ctx, state)
	return &said
}

// faultID returns an ID for a fault, by which a page detects that it already shows it.
func faultID(text string) int64 { return int64(crc32.ChecksumIEEE([]byte(text))) + 1 }

// newsForEver is the lifetime of an item that stays as long as its page is open.
const newsForEver = engine.Millis(24 * 3_600_000)

// newsAside returns an Aside that sends a tournament's current announcements to the readers of a page's stream. An
// empty message removes the earlier ones.
func (s *Base) newsAside(ctx context.Context, tournamentID int64, official *rights.Actor) live.Aside {
	return live.Aside{Watcher: s.Request.Hub.Watch(live.NewsTopic(tournamentID), live.MachineTopic()),
		Next: func() (live.Message, error) {
			copies := s.copiesNow(ctx, official)
			items, err := s.newsItems(ctx, tournamentID, official != nil, copies)
			if err != nil {
				return live.Message{}, err
			}
			var html bytes.Buffer
			err = part.NewsNow(items, copies).Render(ctx, &html)
			html.WriteByte(' ') // a message without data would not be delivered
			return live.Message{Event: "news", Data: html.Bytes()}, err
		}}
}

// eventOf returns the ID of the page's tournament or of the one in which its reader plays, or 0 if there is neither.
func (s *Base) eventOf(c *gin.Context) int64 {
	if c.Param("event") != "" {
		return ID(c, "event")
	}
	path := c.FullPath()
	who := request.CallersIn(c)
	if who.Player != nil && (path == string(templates.PlayPath) ||
		strings.HasPrefix(path, string(templates.PlayPath)+"/")) {
		return who.Player.Tournament
	}
	return 0
}

// NextStream is the address of the stream that notifies a player who views an old game when the next one starts.
const NextStream = templates.PlayPath + "/next"

// Awaiting makes a page switch to the player's own table when their game begins, so a player reading a guide,
// practising or viewing standings does not miss it.
func (s *Base) Awaiting(c *gin.Context, p part.Page) part.Page {
	if s.Request.Seats.HasCookie(c) {
		p.Next = string(NextStream)
	}
	return p
}
