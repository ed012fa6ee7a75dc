// Package live wakes watchers and delivers messages to connections. It contains the hub, the streams, the presence of
// devices, and the officials' attention to tables. It does not decide who may see what: the pages pass functions that
// draw a message.
package live

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"meldhall/tournament/action"
)

// Topic is something that a page may watch: a game, a table, a tournament with everything in it, or one aspect of a
// tournament, such as its seats.
type Topic struct {
	kind topicKind
	id   int64
	what action.What // aspect of a tournament
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
	topicPoint
)

// GameTopic returns the topic that is woken when the game changes: an event, or a draft.
func GameTopic(game int64) Topic { return Topic{kind: topicGame, id: game} }

// TableTopic returns the topic that is woken when any game at the table changes.
func TableTopic(table int64) Topic { return Topic{kind: topicTable, id: table} }

// TournamentTopic returns the topic that is woken by every move and every official action in the tournament. That is
// many times a second in a running round, so its watchers should write rarely.
func TournamentTopic(tournament int64) Topic { return Topic{kind: topicTournament, id: tournament} }

// DeskTopic returns the topic that is woken by every official action in the tournament, and not by moves.
func DeskTopic(tournament int64) Topic { return Topic{kind: topicDesk, id: tournament} }

// FeaturedTopic returns the topic that is woken by every move at the table that the tournament's page shows.
func FeaturedTopic(tournament int64) Topic { return Topic{kind: topicFeatured, id: tournament} }

// Topics returns topics that are woken when an official changes one of these aspects of a tournament, and not by moves.
func Topics(tournament int64, whats ...action.What) []Topic {
	topics := make([]Topic, len(whats))
	for i, what := range whats {
		topics[i] = Topic{topicPart, tournament, what}
	}
	return topics
}

// DisplaysTopic returns the topic that is woken when a screen is paired, moved or removed.
func DisplaysTopic() Topic { return Topic{kind: topicDisplays, id: 0} }

// AccountTopic returns the topic that is woken when an official's rights change or a device of the official is signed
// out.
func AccountTopic(account int64) Topic { return Topic{kind: topicAccount, id: account} }

// NewsTopic returns the topic that is woken when an announcement to a whole tournament is made or withdrawn.
func NewsTopic(tournament int64) Topic { return Topic{kind: topicNews, id: tournament} }

// MachineTopic returns the topic that is woken when the server can no longer write, and when it can again.
func MachineTopic() Topic { return Topic{kind: topicMachine} }

// pointTopic returns the topic that is woken when a person points at tiles on the table.
func pointTopic(table int64) Topic { return Topic{kind: topicPoint, id: table} }

// Hub wakes watchers. It carries no data: a woken watcher reads the current state. A slow watcher is woken once for
// everything that it missed.
type Hub struct {
	mu     sync.RWMutex
	topics map[Topic]*watched
	wakes  atomic.Uint64
	closed chan struct{}

	ending sync.Mutex
	ended  bool
	open   map[*stream]struct{}
	left   chan struct{} // closed once the hub is closed and all streams have ended
}

// watched is a topic that has watchers. woken is the number of its last wake, or of the moment when it got its first
// watcher.
type watched struct {
	by    map[*Watcher]struct{}
	woken atomic.Uint64
}

// NewHub returns a hub without watchers.
func NewHub() *Hub {
	return &Hub{topics: map[Topic]*watched{}, closed: make(chan struct{}), open: map[*stream]struct{}{},
		left: make(chan struct{})}
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

// Watched reports whether any of the topics has a watcher.
func (h *Hub) Watched(topics ...Topic) bool {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return slices.ContainsFunc(topics, func(t Topic) bool { return h.topics[t] != nil })
}

// Newest returns a number that changes whenever any of the topics is woken. It returns false if one of them has no
// watcher, because its wakes are not counted.
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

// endWithin is how long a closed hub waits for its streams. A stream whose reader accepts data never takes that long.
const endWithin = time.Second

// Close ends all streams and waits up to endWithin for them, so that a stopping server need not wait longer.
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

// enter registers a stream to end with the hub. If the hub is already closed, the stream ends at once.
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

// Closed returns a channel that is closed when the hub is closed.
func (h *Hub) Closed() <-chan struct{} { return h.closed }

// Watcher is one reader that the hub wakes. It is not safe for concurrent use, except for Wake.
type Watcher struct {
	hub    *Hub
	topics []Topic
	woken  chan struct{}
	bell   atomic.Pointer[func()] // notifies a stream instead of Woken; must not block
}

// Watch returns a watcher of the topics. The caller must call Stop.
func (h *Hub) Watch(topics ...Topic) *Watcher {
	w := &Watcher{hub: h, woken: make(chan struct{}, 1)}
	w.Turn(topics...)
	return w
}

// Turn replaces the watcher's topics.
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

// Wake wakes only this watcher. It never blocks.
func (w *Watcher) Wake() {
	if w.ring() {
		return
	}
	select {
	case w.woken <- struct{}{}:
	default:
	}
	w.ring() // in case a stream has set its bell since the first try
}

func (w *Watcher) ring() bool {
	b := w.bell.Load()
	if b != nil {
		(*b)()
	}
	return b != nil
}

// tell sets a function that runs whenever the watcher is woken. It runs at once if the watcher was already woken. It
// does nothing for a nil watcher.
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

// Woken returns a channel that yields once for everything since the last receive. A nil Watcher is never woken.
func (w *Watcher) Woken() <-chan struct{} {
	if w == nil {
		return nil
	}
	return w.woken
}

// Stop ends the watch.
func (w *Watcher) Stop() { w.Turn() }
