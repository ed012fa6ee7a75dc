// Package venue is what pages and programs are shown of a tournament and its tables beside the plain records: games as a viewer
// may see them, the floor, devices, readiness, pace, announcements, and the words for what happened. It knows no request and
// changes nothing.
package venue

import (
	"time"

	"meldhall/tournament/copies"
	"meldhall/tournament/door"
	"meldhall/tournament/game"
	"meldhall/tournament/preset"
	"meldhall/tournament/storage"
	"meldhall/web/live"
)

// Venue is what pages and programs are shown of a tournament and its tables, drawn from what is stored, from the running games,
// and from what is known of the devices. It knows no request: whoever asks is an argument where it matters. It changes nothing.
type Venue struct {
	Store     *storage.DB
	Games     *game.Games
	Searches  *door.Searches
	Copies    *copies.Keeper
	Presets   preset.Library
	Build     string // the address of the assets of the pages that the devices should have
	frames    *frameCache
	paces     *paces
	news      *news
	policies  *policies
	kept      kept
	seating   kept
	late      late
	Presence  *live.Presence
	Attention *live.Attention // who rules on which table just now
}

// New makes a venue over a desk. Watchers of the hub are woken where a device comes or goes.
func New(desk *door.Desk, presets preset.Library, build string, hub *live.Hub) *Venue {
	store, games := desk.DB, desk.Games
	now := func() time.Time { return store.Now() }
	return &Venue{Store: store, Games: games, Searches: &desk.Searches, Copies: copies.NewKeeper(desk), Presets: presets, Build: build, frames: newFrameCache(store), paces: newPaces(now), news: newNews(store), policies: &policies{store: store}, late: late{hub: hub.Wake},
		Presence: live.NewPresence(now, hub.Wake, games.NoteDevice), Attention: live.NewAttention(now, hub.Wake)}
}

// keptMost bounds what is kept of events and of rounds.
const keptMost = 1000

// Forget lets go what is remembered of what a commit has changed.
func (s *Venue) Forget(c door.Changed) {
	s.kept.forget(c.Tournament)
	if c.Has(door.TopicNews) {
		s.news.forget(c.Tournament)
	}
	if c.Has(door.TopicSettings) {
		s.policies.forget(c.Tournament)
	}
	if c.Has(door.TopicSeats, door.TopicPeople, door.TopicSettings) { // names and places: a result changes none
		s.frames.forget(c.Tournament)
		s.seating.forget(c.Tournament)
	}
}
