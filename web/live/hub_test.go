package live

import "testing"

func TestASlowWatcherIsWokenOnce(t *testing.T) {
	hub := NewHub()
	w := hub.Watch(GameTopic(1), TableTopic(2))
	other := hub.Watch(GameTopic(9))
	for range 5 {
		hub.Wake(GameTopic(1), TableTopic(2))
	}
	if len(w.Woken()) != 1 || len(other.Woken()) != 0 {
		t.Errorf("woken %d times, the other %d times", len(w.Woken()), len(other.Woken()))
	}
	if _, counted := hub.Newest(GameTopic(1), GameTopic(3)); counted {
		t.Error("counted for a topic that nobody watches")
	}
	before, counted := hub.Newest(GameTopic(1), GameTopic(9))
	if same, _ := hub.Newest(GameTopic(1), GameTopic(9)); !counted || same != before {
		t.Errorf("got %d, then %d, though nothing was woken (counted: %t)", before, same, counted)
	}
	hub.Wake(TableTopic(2))
	if same, _ := hub.Newest(GameTopic(1), GameTopic(9)); same != before {
		t.Error("another topic was woken, and it counts")
	}
	hub.Wake(GameTopic(9))
	if after, _ := hub.Newest(GameTopic(1), GameTopic(9)); after == before {
		t.Error("what was woken does not count")
	}
	w.Stop()
	again := hub.Watch(GameTopic(1)) // a topic without watchers is not counted
	if after, _ := hub.Newest(GameTopic(1)); after <= before {
		t.Errorf("got %d after a time without watchers, which is not after %d", after, before)
	}
	again.Stop()
	other.Stop()
	if len(hub.topics) != 0 {
		t.Errorf("%d topics are left", len(hub.topics))
	}
}

// TestWatched checks that Watched distinguishes topics with watchers from those without.
func TestWatched(t *testing.T) {
	h := NewHub()
	w := h.Watch(TableTopic(7))
	if !h.Watched(GameTopic(7), TableTopic(7)) || h.Watched(GameTopic(7), TableTopic(8)) {
		t.Error("it is not known what is watched")
	}
	if w.Stop(); h.Watched(TableTopic(7)) {
		t.Error("it is watched by nobody")
	}
}
