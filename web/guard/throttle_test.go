package guard

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// Many tries at once count as they come, and long names take no room.
func TestThrottleCannotBeOutrun(t *testing.T) {
	th := NewThrottle(3, time.Minute, time.Now)
	for try := range 3 {
		if _, err := th.Begin("account a"); err != nil {
			t.Fatalf("try %d: %v", try, err)
		}
	}
	var refused *TooMany
	if _, err := th.Begin("account a"); !errors.As(err, &refused) || refused.Seconds != 20 {
		t.Errorf("got %v for the fourth of three at once", err)
	}
	th = NewThrottle(3, time.Minute, time.Now)
	for range 3 {
		done, err := th.Begin("account a")
		if err != nil {
			t.Fatal(err)
		}
		done()
	}
	if _, err := th.Begin("account a"); err != nil {
		t.Errorf("tries that succeeded are counted: %v", err)
	}
	th.Failed("code " + strings.Repeat("X", 1<<20))
	for key := range th.keys {
		if len(key) > 64 {
			t.Errorf("a key of %d bytes is kept", len(key))
		}
	}
}
