package web

import (
	"strings"
	"sync"
	"time"

	"meldhall/engine/bot"
	"meldhall/tournament"
	"meldhall/tournament/refuse"
	"meldhall/web/live"
)

// styleOf finds how the bots of a practice table play by its name; the pages name it by practice.<name>.
func styleOf(name string) (bot.Style, error) {
	names := make([]string, len(bot.Styles))
	for i, style := range bot.Styles {
		if names[i] = style.String(); names[i] == name {
			return style, nil
		}
	}
	return 0, refuse.Invalid("err_practice_bots", "name", name, "known", strings.Join(names, ", "))
}

// botNames are what the bots are called.
var botNames = []string{"Ada", "Emmy", "Kurt"}

// practiceGone is how long a person may do nothing before the bots end the game without them.
const practiceGone = 30 * time.Minute

// practiceTables plays the bots' seats at the practice tables: one goroutine for each table that is open, woken as its
// watchers are. It knows nothing that the log does not tell, so after a restart each goes on.
type practiceTables struct {
	desk  *tournament.Desk
	games *tournament.Games
	store *tournament.Store
	hub   *live.Hub
	think time.Duration // how long a bot thinks at least; it takes up to twice as long

	mu     sync.Mutex
	open   map[int64]*practiceTable // by game
	closed bool                     // the server stops: nobody starts one any more
	played sync.WaitGroup
}

func newPracticeTables(desk *tournament.Desk, hub *live.Hub, think time.Duration) *practiceTables {
	return &practiceTables{desk: desk, games: desk.Games, store: desk.DB, hub: hub, think: think, open: map[int64]*practiceTable{}}
}

// play lets the bots of a game play until it is over or the server stops.
func (p *practiceTables) play(game int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || p.open[game] != nil {
		return
	}
	t := &practiceTable{practiceTables: p, game: game, seen: p.store.Now(), watcher: p.hub.Watch(live.GameTopic(game))}
	p.open[game] = t
	p.played.Go(t.run)
}

// over forgets a table whose bots have stopped.
func (p *practiceTables) over(game int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.open, game)
}

// leave says that the person has left a table: the bots end its game.
func (p *practiceTables) leave(game int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if t := p.open[game]; t != nil {
		t.left.Store(true)
		t.watcher.Wake()
	}
}

// wait waits until every table has stopped; the hub is closed.
func (p *practiceTables) wait() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.played.Wait()
}
