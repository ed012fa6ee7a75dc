package webtest

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// A second resume of the same clock is rejected with a clear message, during the countdown and just after it, before
// the state has changed.
func TestAResumeTooManySaysWhatHolds(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 4, nil)
	var moved atomic.Int64
	start := e.store.Now()
	e.store.Now = func() time.Time { return start.Add(time.Duration(moved.Load())) }
	e.start()
	resume := fmt.Sprintf("/games/%d/resume", e.begin(0))
	e.referee.must(http.MethodPost, strings.Replace(resume, "resume", "pause", 1),
		map[string]any{"key": e.key(), "reason": "test"}, nil)
	e.referee.must(http.MethodPost, resume, map[string]any{"key": e.key()}, nil)
	for _, later := range []time.Duration{0, 20 * time.Second} {
		moved.Store(int64(later))
		said := e.referee.refusedWith(t, http.StatusConflict, "not_paused", http.MethodPost, resume,
			map[string]any{"key": e.key()})
		if text := fmt.Sprint(said["message"]); !strings.Contains(text, "runs") ||
			!strings.Contains(text, "counting down") {
			t.Errorf("after %v it says %q", later, text)
		}
	}
}
