package frame

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
	"meldhall/tournament"
	"meldhall/tournament/door"
	"meldhall/tournament/naming"
	"meldhall/tournament/rights"
	"meldhall/web/live"
	"meldhall/web/shell"
)

// How soon a region is drawn again: for the staff's tables, and for those who watch, of whom there may be thousands: they are written to
// one after the other, and what is drawn for one is kept for the next.
const (
	staffLeast  = 400 * time.Millisecond
	crowdLeast  = 20 * time.Millisecond
	crowdSpread = 200 * time.Millisecond
	crowdApart  = 500 * time.Millisecond
	showApart   = 200 * time.Millisecond // where one drawing is written to all
)

// showEvent answers with a page of the event in the address, whose frame, page, is made here.
func ShowEvent[V any](s *Frame, c *gin.Context, status int, title string, view *V, page *templates.Page, draw func(V) templ.Component) error {
	t, err := tournament.TournamentByID(c.Request.Context(), s.venue.Store, ID(c, "event"))
	if err != nil {
		return err
	}
	p := s.NewPage(c, title, &t)
	p.Live = page.Live
	*page = p
	return s.Show(c, status, draw(*view))
}

// showLive is showEvent for a page with a region that the stream at an address redraws.
func ShowLive[V any](s *Frame, c *gin.Context, title string, address templ.SafeURL, view *V, page *templates.Page, draw func(V) templ.Component) error {
	*page = Streamed(*page, address)
	return ShowEvent(s, c, http.StatusOK, title, view, page, draw)
}

// regionOf draws the region of a page about the event in the address, for who asks.
func RegionOf[V any](c *gin.Context, view func(context.Context, rights.Actor, int64) (V, error), region func(V) templ.Component) func(context.Context, rights.Actor) (templ.Component, error) {
	event := ID(c, "event")
	return func(ctx context.Context, actor rights.Actor) (templ.Component, error) {
		v, err := view(ctx, actor, event)
		return region(v), err
	}
}

// stream writes a feed to a page, after the address of the assets and the life of the database that it should have, and along with
// what is said to its event.
func (s *Frame) StreamPage(c *gin.Context, feed live.Feed) error {
	return s.Shell.Stream(c, s.paged(c, feed))
}

// StreamSame is StreamPage for what everybody reads alike who is no official. Key names it, whatever the language; feed makes it for the
// first reader, and holds nothing that is the reader's own.
func (s *Frame) StreamSame(c *gin.Context, ctx context.Context, key string, feed func() live.Feed) error {
	key = templates.LanguageOf(ctx).Tag + " " + templates.LanguageOf(s.LanguageAsked(c)).Tag + " " + key
	return s.Shell.StreamShared(c, live.Shared{Key: key, Zip: takesZip(c), Feed: func() live.Feed { return s.paged(c, feed()) }})
}

// paged is a feed with what every page hears beside its region.
func (s *Frame) paged(c *gin.Context, feed live.Feed) live.Feed {
	feed.Hello = live.Message{Event: "build", Data: []byte(s.venue.Build + " " + s.venue.Store.Epoch.Name)}
	feed.Zip = takesZip(c) // a table of 80 tiles is 40 KB, or 4
	if path, event, next := c.FullPath(), c.Param("event"), feed.Next; strings.Contains(path, "/:event") &&
		shell.CallersIn(c).Staff == nil {
		// an organizer may unpublish the first round while a page is open
		feed.Next = func() (live.Message, error) {
			if err := s.SeesEvent(context.Background(), rights.Public(), path, event); err != nil {
				return live.Message{}, err
			}
			return next()
		}
	}
	if event := s.eventOf(c); event != NoEvent || shell.CallersIn(c).Staff != nil {
		feed.Aside = s.newsAside(s.LanguageAsked(c), event, shell.CallersIn(c).Staff)
	}
	return feed
}

// streamRegion keeps a page's region up to date for the staff: whole, as HTML, whenever one of the topics moves.
// draw is given who asks by then, so that who was signed out sees nothing more.
func (s *Frame) StreamRegion(c *gin.Context, draw func(context.Context, rights.Actor) (templ.Component, error), topics ...live.Topic) error {
	return s.streamStaff(c, PagePing, unasked(draw), topics...)
}

// streamDesk is streamRegion for the officials' tables, which say within 3 s that they are not live any more.
func (s *Frame) StreamDesk(c *gin.Context, draw func(context.Context, rights.Actor) (templ.Component, error), topics ...live.Topic) error {
	return s.StreamTimed(c, unasked(draw), topics...)
}

// TimedDraw draws a region that time alone changes too: it says how soon, 0 for never.
type TimedDraw func(context.Context, rights.Actor) (region templ.Component, again time.Duration, err error)

// StreamTimed is StreamDesk for a region that is drawn again when its time has come.
func (s *Frame) StreamTimed(c *gin.Context, draw TimedDraw, topics ...live.Topic) error {
	return s.streamStaff(c, NearPing, draw, topics...)
}

// unasked draws what is another one only when something happens.
func unasked(draw func(context.Context, rights.Actor) (templ.Component, error)) TimedDraw {
	return func(ctx context.Context, actor rights.Actor) (templ.Component, time.Duration, error) {
		region, err := draw(ctx, actor)
		return region, 0, err
	}
}

func (s *Frame) streamStaff(c *gin.Context, ping time.Duration, draw TimedDraw, topics ...live.Topic) error {
	ctx := s.Language(c)
	return s.StreamPage(c, live.Feed{
		Watcher: s.Hub.Watch(topics...),
		Least:   staffLeast,
		Ping:    ping,
		Next: func() (live.Message, error) {
			who, err := s.StaffNow(c)
			if err != nil {
				return live.Message{}, err
			}
			region, again, err := draw(ctx, who)
			if err != nil {
				return live.Message{}, err
			}
			html, err := Render(ctx, region)
			return live.Message{ID: StateOf(html), Data: html, Again: again}, err
		},
	})
}

// publicDraw draws a region of an event's public pages for a reader: rights.Public, or an official, who sees all of it.
type PublicDraw func(ctx context.Context, reader rights.Actor) (templ.Component, error)

// publicReader is as whom the public pages are drawn for who asks: one drawing serves all officials, another all others.
func PublicReader(who rights.Actor, event int64) rights.Actor {
	if rights.Authorize(who, rights.Place{Tournament: event}, rights.MaySeeDesk) == nil {
		return rights.Staff(rights.RoleObserver, "")
	}
	return rights.Public()
}

// DrawnFor is the region of a key as it is kept for a reader: with topics, for one that watches them.
func (s *Frame) DrawnFor(ctx context.Context, reader rights.Actor, key string, draw PublicDraw, topics ...live.Topic) (Drawing, error) {
	var woken uint64
	if len(topics) > 0 {
		woken, _ = s.Hub.Newest(topics...)
	}
	return s.regions.Drawn(ctx, key+" "+string(reader.Role), woken, func(ctx context.Context) (templ.Component, error) {
		return draw(naming.For(ctx, reader), reader)
	})
}

// streamPublic is streamRegion for everybody: one drawing serves all who read it in one language. key names the region.
func (s *Frame) StreamPublic(c *gin.Context, event int64, key string, draw PublicDraw, topics ...live.Topic) error {
	return s.StreamCrowd(c, s.Language(c), key, draw, func() (rights.Actor, error) {
		who, err := s.StaffNow(c)
		return PublicReader(who, event), err
	}, topics...)
}

// Nobody is a reader who sees what everybody does, whoever asks.
func Nobody() (rights.Actor, error) { return rights.Public(), nil }

// StreamCrowd is StreamPublic in a language, for a reader as it is by then.
func (s *Frame) StreamCrowd(c *gin.Context, ctx context.Context, key string, draw PublicDraw, reader func() (rights.Actor, error), topics ...live.Topic) error {
	if shell.CallersIn(c).Staff != nil {
		return s.StreamPage(c, s.crowdFeed(ctx, key, draw, reader, topics...))
	}
	return s.StreamSame(c, ctx, key, func() live.Feed {
		feed := s.crowdFeed(ctx, key, draw, Nobody, topics...)
		feed.Spread, feed.Apart = 0, showApart
		return feed
	})
}

func (s *Frame) crowdFeed(ctx context.Context, key string, draw PublicDraw, reader func() (rights.Actor, error), topics ...live.Topic) live.Feed {
	watcher := s.Hub.Watch(topics...)
	// What is kept may be from before a change that was just too early for this watcher: it looks once more.
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

// Regions keeps drawn regions for a moment, life, that is shorter than the least time from a change to its message: whoever was woken by a change
// asks so long after it that what is kept by then was drawn after the change too. What nothing has moved since is kept longer.
type Regions struct {
	now     func() time.Time
	life    time.Duration
	mu      sync.Mutex
	regions map[string]*keptRegion
}

type keptRegion struct {
	mu    sync.Mutex
	at    time.Time
	woken uint64 // what moved it last, before it was drawn
	drawn Drawing
}

// Drawing is a region that was drawn for all who read it.
type Drawing struct {
	html  []byte
	state string
	wire  *live.Wire
}

const (
	regionLife  = crowdLeast * 4 / 5
	regionStill = time.Second // of one that nothing has moved: what else changes is a time that it says
	regionsMost = 1000
)

func NewRegions(now func() time.Time, life time.Duration) *Regions {
	return &Regions{now: now, life: life, regions: map[string]*keptRegion{}}
}

// Drawn gives a region in the context's language. woken is the hub's number of what moves it, 0 where nobody counts.
func (r *Regions) Drawn(ctx context.Context, key string, woken uint64, draw func(context.Context) (templ.Component, error)) (Drawing, error) {
	kept := r.of(templates.LanguageOf(ctx).Tag + " " + key)
	kept.mu.Lock()
	defer kept.mu.Unlock()
	now := r.now()
	if age := now.Sub(kept.at); age >= 0 && (age < r.life || age < regionStill && woken != 0 && woken == kept.woken) {
		return kept.drawn, nil
	}
	region, err := draw(naming.ForAll(context.WithoutCancel(ctx))) // others wait for it, who must not fail when this reader goes
	if err != nil {
		return Drawing{}, err
	}
	html, err := Render(ctx, region)
	if err != nil {
		return Drawing{}, err
	}
	kept.at, kept.woken, kept.drawn = now, woken, Drawing{html, StateOf(html), new(live.Wire)}
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

// component writes HTML that was drawn before.
func (d Drawing) Component() templ.Component { return templ.Raw(string(d.html)) }

// Message is the region as a message of its stream.
func (d Drawing) Message() live.Message { return live.Message{ID: d.state, Data: d.html, Wire: d.wire} }

// noEvent stands for what belongs to no event, such as the copies of the database.
const NoEvent = 0

// TableTopics are what a page of one table watches besides the table: who sits there, and how they are written. What comes of its games is
// said of the table itself, so that a result does not have all tables of a hall drawn anew.
func TableTopics(event int64) []live.Topic {
	return live.Topics(event, door.TopicSeats, door.TopicPeople)
}

// newsItems are an event's announcements, in the context's language, and for officials what is wrong with the machine by now.
func (s *Frame) newsItems(ctx context.Context, event int64, official bool, copies *templates.CopiesState) ([]templates.NewsItem, error) {
	if event == 0 {
		return nil, nil
	}
	said, mark, err := s.venue.Announced(ctx, event)
	if err != nil {
		return nil, err
	}
	now := engine.MillisOf(s.venue.Store.Now())
	items := make([]templates.NewsItem, len(said), len(said)+2)
	for i, a := range said {
		text, tag := a.TextFor(templates.LanguageOf(ctx).Tag)
		items[i] = templates.NewsItem{ID: a.ID, Level: a.Level, Text: text, Lang: tag, Left: a.Until - now}
	}
	if since := s.venue.Games.Unwritten(); official && since != 0 {
		items = append(items, templates.NewsItem{ID: -int64(since), Level: "urgent", Text: s.standsText(ctx, since), Lang: templates.LanguageOf(ctx).Tag, Left: newsForEver})
	}
	if official {
		for _, text := range s.venue.NodesSaid(ctx) {
			items = append(items, templates.NewsItem{ID: -faultID(text), Level: "note", Text: text, Lang: templates.LanguageOf(ctx).Tag, Left: newsForEver})
		}
	}
	if copies != nil && copies.Fault != "" {
		items = append(items, templates.NewsItem{ID: -faultID(copies.Fault), Level: "urgent", Text: copies.Fault, Lang: templates.LanguageOf(ctx).Tag, Left: newsForEver})
	}
	if mark != "" { // said on every page, and not to be closed
		items = append(items, templates.NewsItem{Level: templates.NewsMark, Text: templates.T(ctx, mark), Lang: templates.LanguageOf(ctx).Tag, Left: newsForEver})
	}
	return items, nil
}

// copiesNow is how the copies of the database stand, for an official who may make some; nil for others, and where it cannot be read.
func (s *Frame) copiesNow(ctx context.Context, official *rights.Actor) *templates.CopiesState {
	if official == nil || rights.Authorize(*official, rights.Place{}, rights.MayBackUp) != nil {
		return nil
	}
	state, err := s.venue.Copies.State(ctx)
	if err != nil {
		slog.Error("how the copies stand cannot be read", "err", err)
		return nil
	}
	said := s.venue.CopiesState(ctx, state)
	return &said
}

// faultID is a number for a fault, by which a page knows that it says it already.
func faultID(text string) int64 { return int64(crc32.ChecksumIEEE([]byte(text))) + 1 }

// newsForEver is how long something stands that does not end before the page does.
const newsForEver = engine.Millis(24 * 3_600_000)

// newsAside sends the reader of a page's stream an event's current announcements; an empty message removes those made
// before.
func (s *Frame) newsAside(ctx context.Context, event int64, official *rights.Actor) live.Aside {
	return live.Aside{Watcher: s.Hub.Watch(live.NewsTopic(event), live.MachineTopic()), Next: func() (live.Message, error) {
		copies := s.copiesNow(ctx, official)
		items, err := s.newsItems(ctx, event, official != nil, copies)
		if err != nil {
			return live.Message{}, err
		}
		var html bytes.Buffer
		err = templates.NewsNow(items, copies).Render(ctx, &html)
		html.WriteByte(' ') // a message without data is none
		return live.Message{Event: "news", Data: html.Bytes()}, err
	}}
}

// eventOf is the event that a page is about, or that its reader plays in; 0 for none.
func (s *Frame) eventOf(c *gin.Context) int64 {
	if c.Param("event") != "" {
		return ID(c, "event")
	}
	path := c.FullPath()
	who := shell.CallersIn(c)
	if who.Player != nil && (path == string(templates.PlayPath) || strings.HasPrefix(path, string(templates.PlayPath)+"/")) {
		return who.Player.Tournament
	}
	return 0
}
