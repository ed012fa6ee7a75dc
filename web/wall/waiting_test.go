package wall

import (
	"fmt"
	"testing"
	"time"
)

func TestWaitingScreensAreBounded(t *testing.T) {
	now := time.Unix(1000, 0)
	w := newWaitingScreens(func() time.Time { return now }, nil)
	for i := range waitingMost + 10 {
		now = now.Add(time.Millisecond)
		w.add(fmt.Sprint("token", i), fmt.Sprint("CODE", i))
	}
	if len(w.byCode) != waitingMost || len(w.byToken) != waitingMost {
		t.Errorf("%d codes of %d screens are kept", len(w.byCode), len(w.byToken))
	}
	if _, ok := w.of("CODE509"); !ok {
		t.Error("the newest code is gone")
	}
	now = now.Add(codeLife + time.Second)
	if _, ok := w.of("CODE509"); ok {
		t.Error("a code outlives its screen")
	}
}
