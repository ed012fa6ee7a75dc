package web

import (
	"time"

	"meldhall/tournament"
	"meldhall/web/live"
)

// venue is what pages and programs are shown of a tournament and its tables, drawn from what is stored, from the running games,
// and from what is known of the devices. It knows no request: whoever asks is an argument where it matters. It changes nothing.
type venue struct {
	store     *tournament.Store
	games     *tournament.Games
	searches  *tournament.Searches
	presets   tournament.Presets
	build     string // the address of the assets of the pages that the devices should have
	frames    *frameCache
	paces     *paces
	news      *news
	presence  *live.Presence
	attention *live.Attention // who rules on which table just now
}

// newVenue makes a venue over a desk. Watchers of the hub are woken where a device comes or goes.
func newVenue(desk *tournament.Desk, presets tournament.Presets, build string, hub *live.Hub) *venue {
	store, games := desk.DB, desk.Games
	now := func() time.Time { return store.Now() }
	return &venue{store: store, games: games, searches: &desk.Searches, presets: presets, build: build, frames: newFrameCache(store), paces: newPaces(now), news: newNews(store),
		presence: live.NewPresence(now, hub.Wake, games.NoteDevice), attention: live.NewAttention(now, hub.Wake)}
}

// keptMost bounds what is kept of events and of rounds.
const keptMost = 1000

// forget lets go what is remembered of what a commit has changed.
func (s *venue) forget(c tournament.Changed) {
	if c.Has(tournament.TopicNews) {
		s.news.forget(c.Tournament)
	}
	if c.Has(tournament.TopicStandings, tournament.TopicSeats, tournament.TopicPeople, tournament.TopicSettings) {
		s.frames.forget()
	}
}
