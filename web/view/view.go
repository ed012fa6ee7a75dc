// Package view prepares the data that pages and programs show of a tournament and its tables, beyond the plain records:
// games as a viewer may see them, the floor, devices, readiness, pace, announcements, and descriptions of what
// happened. It does not depend on requests and changes nothing.
package view

import (
	"time"

	"meldhall/tournament/action"
	"meldhall/tournament/copies"
	"meldhall/tournament/game"
	"meldhall/tournament/game/cluster"
	"meldhall/tournament/game/record"
	"meldhall/tournament/preset"
	"meldhall/tournament/store"
	"meldhall/tournament/transparency/sequencer"
	"meldhall/web/live"
)

// Reader prepares the data that pages and programs show of a tournament and its tables, from stored data, running games
// and the state of devices. It does not depend on requests: where the data depends on the viewer, the viewer is an
// argument. Reader changes nothing.
type Reader struct {
	Store     *store.DB
	Games     *game.Games
	Cluster   *cluster.Cluster // nil if this program has the database to itself
	Records   *record.Reader
	Searches  *action.Searches
	Copies    *copies.Keeper
	Logs      *sequencer.Sequencer // the transparency logs
	Presets   preset.Library
	Build     string // the asset address of the pages that devices should have
	frames    *frameCache
	news      *news
	Presence  *live.Presence
	Attention *live.Attention // officials ruling on tables now
	Pointing  *live.Pointing

	Tournaments *Tournaments
	Sights      *Sights
	Schedule    *Schedule
}

// New returns a Reader for a desk. The hub's watchers are woken when a device connects or disconnects.
func New(desk *action.Desk, presets preset.Library, build string, hub *live.Hub) *Reader {
	store, games := desk.DB, desk.Games
	now := func() time.Time { return store.Now() }
	records, tournaments := record.NewReader(games), &Tournaments{store: store}
	return &Reader{Store: store, Games: games, Records: records, Searches: &desk.Searches,
		Copies: copies.NewKeeper(desk), Logs: sequencer.New(store), Presets: presets, Build: build,
		frames: newFrameCache(store), news: newNews(store),
		Presence: live.NewPresence(now, hub.Wake, games.Notes.Device), Attention: live.NewAttention(now, hub.Wake),
		Pointing:    live.NewPointing(hub.Wake),
		Tournaments: tournaments,
		Sights: &Sights{store: store, games: games, records: records, tournaments: tournaments,
			policies: &policies{store: store}, late: late{hub: hub.Wake}},
		Schedule: &Schedule{store: store, records: records, tournaments: tournaments, paces: newPaces(now)}}
}

// keptMost limits the number of cached tournaments and rounds.
const keptMost = 1000

// Forget drops the cached data that a commit has changed.
func (s *Reader) Forget(c action.Changed) {
	s.Tournaments.kept.forget(c.Tournament)
	if c.Has(action.TopicNews) {
		s.news.forget(c.Tournament)
	}
	if c.Has(action.TopicSettings) {
		s.Sights.policies.forget(c.Tournament)
	}
	if c.Has(action.TopicSeats, action.TopicPeople, action.TopicSettings) { // names and places, which no result changes
		s.frames.forget(c.Tournament)
		s.Tournaments.seating.forget(c.Tournament)
	}
}
