package web

import (
	"time"

	"meldhall/tournament"
	"meldhall/tournament/door"
	"meldhall/tournament/game"
	"meldhall/tournament/storage"
	"meldhall/web/live"
)

// venue is what pages and programs are shown of a tournament and its tables, drawn from what is stored, from the running games,
// and from what is known of the devices. It knows no request: whoever asks is an argument where it matters. It changes nothing.
type venue struct {
	store     *storage.DB
	games     *game.Games
	searches  *door.Searches
	presets   tournament.Presets
	build     string // the address of the assets of the pages that the devices should have
	frames    *frameCache
	paces     *paces
	news      *news
	presence  *live.Presence
	attention *live.Attention // who rules on which table just now
}

// newVenue makes a venue over a desk. Watchers of the hub are woken where a device comes or goes.
func newVenue(desk *door.Desk, presets tournament.Presets, build string, hub *live.Hub) *venue {
	store, games := desk.DB, desk.Games
	now := func() time.Time { return store.Now() }
	return &venue{store: store, games: games, searches: &desk.Searches, presets: presets, build: build, frames: newFrameCache(store), paces: newPaces(now), news: newNews(store),
		presence: live.NewPresence(now, hub.Wake, games.NoteDevice), attention: live.NewAttention(now, hub.Wake)}
}

// keptMost bounds what is kept of events and of rounds.
const keptMost = 1000

// forget lets go what is remembered of what a commit has changed.
func (s *venue) forget(c door.Changed) {
	if c.Has(door.TopicNews) {
		s.news.forget(c.Tournament)
	}
	if c.Has(door.TopicStandings, door.TopicSeats, door.TopicPeople, door.TopicSettings) {
		s.frames.forget()
	}
}
