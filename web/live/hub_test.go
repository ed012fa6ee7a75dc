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
	w.Stop()
	other.Stop()
	if len(hub.topics) != 0 {
		t.Errorf("%d topics are left", len(hub.topics))
	}
}
