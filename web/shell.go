package web

import (
	"fmt"
	"strings"
	"time"

	"github.com/alexedwards/scs/v2"

	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/web/guard"
	"meldhall/web/live"
)

// shell is what every address of the program has, whatever is behind it: who asks and in which language, and how a page, an
// error or a stream is answered.
type shell struct {
	*views
	desk     *tournament.Desk // the door for what people do
	config   Config
	texts    *templates.Texts
	hub      *live.Hub
	streams  *live.Streams
	sessions *scs.SessionManager
	seats    *seatCache
	regions  *regionCache
	news     *news
	requests *requestIDs
	origins  guard.Origins
	guards   map[string][]string
	secure   bool // the base URL is https
}

// newShell makes a shell over a desk.
func newShell(desk *tournament.Desk, config Config, now func() time.Time) (*shell, error) {
	assets, err := LoadAssets()
	if err != nil {
		return nil, err
	}
	texts, err := templates.LoadTexts(config.Locales)
	if err != nil {
		return nil, err
	}
	origins, err := guard.NewOrigins(config.BaseURL)
	if err != nil {
		return nil, fmt.Errorf("base URL: %w", err)
	}
	store, games := desk.DB, desk.Games
	hub, secure := live.NewHub(), strings.HasPrefix(config.BaseURL, "https://")
	return &shell{
		views: &views{store: store, games: games, searches: &desk.Searches, presets: config.Presets, assets: assets, frames: newFrameCache(store), paces: newPaces(now),
			presence: live.NewPresence(now, hub.Wake, games.NoteDevice), attention: live.NewAttention(now, hub.Wake)},
		desk: desk, config: config, texts: texts, hub: hub, news: newNews(store), regions: newRegionCache(now, regionLife),
		streams:  &live.Streams{Hub: hub, Life: config.StreamLife, Ping: config.PingEvery, Now: now},
		sessions: newSessions(store, secure), seats: newSeatCache(store, games), requests: newRequestIDs(),
		origins: origins, guards: guard.Headers(secure), secure: secure,
	}, nil
}
