// Package live is who is woken, and how a message reaches a connection: the hub, the streams, which devices are there and
// which officials are at which table. It knows nothing about who may see what: the pages hand it functions that draw
// a message.
package live

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"meldhall/tournament/door"
)

// Topic is something that a page may watch: a game, a table, a tournament with all that happens in it, or something of a
// tournament, such as its seats.
type Topic struct {
	kind topicKind
	id   int64
	what door.What // of a tournament
}

type topicKind uint8

const (
	topicGame topicKind = iota
	topicTable
	topicTournament
	topicPart
	topicDisplays
	topicAccount
	topicNews
	topicDesk
	topicFeatured
	topicMachine
)

// GameTopic is woken when the game moves: an event, or a draft.
func GameTopic(game int64) Topic { return Topic{kind: topicGame, id: game} }

// TableTopic is woken when any game at the table moves.
func TableTopic(table int64) Topic { return Topic{kind: topicTable, id: table} }

// TournamentTopic is woken at every move in the tournament and at everything that is done at its desk: many
// times a second in a running round, so its watchers write seldom.
func TournamentTopic(tournament int64) Topic { return Topic{kind: topicTournament, id: tournament} }

// DeskTopic is woken at everything that is done at the tournament's desk, and not by moves.
func DeskTopic(tournament int64) Topic { return Topic{kind: topicDesk, id: tournament} }

// FeaturedTopic is woken at every move at the table that the tournament's page shows.
func FeaturedTopic(tournament int64) Topic { return Topic{kind: topicFeatured, id: tournament} }

// Topics are woken when one of these things of a tournament is changed at the desk, not by moves.
func Topics(tournament int64, whats ...door.What) []Topic {
	topics := make([]Topic, len(whats))
	for i, what := range whats {
		topics[i] = Topic{topicPart, tournament, what}
	}
	return topics
}

// DisplaysTopic is woken when a screen is paired, moved or removed.
func DisplaysTopic() Topic { return Topic{kind: topicDisplays, id: 0} }

// AccountTopic is woken when an official's rights change or a device of the official is signed out.
func AccountTopic(account int64) Topic { return Topic{kind: topicAccount, id: account} }

// NewsTopic is woken when an announcement is made to a whole event, or withdrawn.
func NewsTopic(tournament int64) Topic { return Topic{kind: topicNews, id: tournament} }

// MachineTopic is woken when nothing can be written any more, and when it can again.
func MachineTopic() Topic { return Topic{kind: topicMachine} }

// Hub wakes watchers. It carries no data: a woken watcher reads the truth. A slow watcher is woken once
// for everything that it missed.
type Hub struct {
	mu     sync.RWMutex
	topics map[Topic]*watched
	wakes  atomic.Uint64
	closed chan struct{}

	ending sync.Mutex
	ended  bool
	open   map[*stream]struct{}
	left   chan struct{} // closed when all have ended, once the hub is closed
}

// watched is a topic that has watchers. woken numbers the last time that it was woken, or that it was first watched.
type watched struct {
	by    map[*Watcher]struct{}
	woken atomic.Uint64
}

// NewHub makes a hub without watchers.
func NewHub() *Hub {
	return &Hub{topics: map[Topic]*watched{}, closed: make(chan struct{}), open: map[*stream]struct{}{}, left: make(chan struct{})}
}

// Wake wakes the watchers of the topics. It never blocks.
func (h *Hub) Wake(topics ...Topic) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	for _, topic := range topics {
		if t := h.topics[topic]; t != nil {
			t.woken.Store(h.wakes.Add(1))
			for w := range t.by {
				w.Wake()
			}
		}
	}
}

// Watched tells whether anybody watches one of the topics.
func (h *Hub) Watched(topics ...Topic) bool {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return slices.ContainsFunc(topics, func(t Topic) bool { return h.topics[t] != nil })
}

// Newest is a number that is another one once any of the topics has been woken. It is false when one of them has no watcher: nobody counts
// for those.
func (h *Hub) Newest(topics ...Topic) (newest uint64, counted bool) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	for _, topic := range topics {
		t := h.topics[topic]
		if t == nil {
			return 0, false
		}
		newest = max(newest, t.woken.Load())
	}
	return newest, true
}

// endWithin is how long a hub that is closed waits for its streams: none takes that long whose reader listens.
const endWithin = time.Second

// Close ends all streams, so that a server that stops need not wait for them.
func (h *Hub) Close() {
	h.ending.Lock()
	if !h.ended {
		h.ended = true
		close(h.closed)
		for t := range h.open {
			t.sign(signClosed)
		}
		if len(h.open) == 0 {
			close(h.left)
		}
	}
	h.ending.Unlock()
	select {
	case <-h.left:
	case <-time.After(endWithin):
	}
}

// enter counts a stream among those that end with the hub; one that comes after that ends at once.
func (h *Hub) enter(t *stream) {
	h.ending.Lock()
	defer h.ending.Unlock()
	if h.ended {
		t.sign(signClosed)
		return
	}
	h.open[t] = struct{}{}
}

func (h *Hub) leave(t *stream) {
	h.ending.Lock()
	defer h.ending.Unlock()
	if _, in := h.open[t]; !in {
		return
	}
	if delete(h.open, t); h.ended && len(h.open) == 0 {
		close(h.left)
	}
}

// Closed is closed when the hub is.
func (h *Hub) Closed() <-chan struct{} { return h.closed }

// Watcher is one reader that is woken. It is used by one goroutine.
type Watcher struct {
	hub    *Hub
	topics []Topic
	woken  chan struct{}
	bell   atomic.Pointer[func()] // tells a stream in place of Woken; it never blocks
}

// Watch gives a watcher of the topics; Stop must be called.
func (h *Hub) Watch(topics ...Topic) *Watcher {
	w := &Watcher{hub: h, woken: make(chan struct{}, 1)}
	w.Turn(topics...)
	return w
}

// Turn lets the watcher watch these topics in place of those before.
func (w *Watcher) Turn(topics ...Topic) {
	w.hub.mu.Lock()
	defer w.hub.mu.Unlock()
	for _, topic := range w.topics {
		if t := w.hub.topics[topic]; t != nil {
			delete(t.by, w)
			if len(t.by) == 0 {
				delete(w.hub.topics, topic)
			}
		}
	}
	w.topics = topics
	for _, topic := range topics {
		t := w.hub.topics[topic]
		if t == nil {
			t = &watched{by: map[*Watcher]struct{}{}}
			t.woken.Store(w.hub.wakes.Add(1))
			w.hub.topics[topic] = t
		}
		t.by[w] = struct{}{}
	}
}

// Wake wakes this watcher alone. It never blocks.
func (w *Watcher) Wake() {
	if w.ring() {
		return
	}
	select {
	case w.woken <- struct{}{}:
	default:
	}
	w.ring() // where a stream has begun to be told in between
}

func (w *Watcher) ring() bool {
	b := w.bell.Load()
	if b != nil {
		(*b)()
	}
	return b != nil
}

// tell has a stream told when the watcher is woken, if there is one, and if it was woken already.
func (w *Watcher) tell(bell func()) {
	if w == nil {
		return
	}
	w.bell.Store(&bell)
	select {
	case <-w.woken:
		bell()
	default:
	}
}

// Woken yields once for everything that has happened since it last did. No watcher, nil, is never woken.
func (w *Watcher) Woken() <-chan struct{} {
	if w == nil {
		return nil
	}
	return w.woken
}

// Stop ends the watching.
func (w *Watcher) Stop() { w.Turn() }
