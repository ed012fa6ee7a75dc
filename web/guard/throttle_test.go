package guard

import (
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestThrottleCannotBeOutrun checks that simultaneous attempts count from their beginning, and that long names do not
// use more memory.
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

// TestThrottleOutlivesAFlood checks that a throttled key stays throttled however many others try, are refused or fail
// meanwhile, and that memory stays limited.
func TestThrottleOutlivesAFlood(t *testing.T) {
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	th := NewThrottle(10, time.Hour, func() time.Time { return now })
	for range 12 {
		th.Failed("the guesser")
	}
	for i := range 3 * th.most {
		other := "other " + strconv.Itoa(i)
		if err := th.Check(other, "the guesser"); err == nil {
			t.Fatalf("after %d others the guesser's failures are forgotten", i)
		}
	}
	if len(th.keys) != 1 {
		t.Errorf("refused tries left %d keys behind", len(th.keys))
	}
	for i := range 3 * th.most {
		th.Failed("other " + strconv.Itoa(i))
	}
	if th.Check("the guesser") == nil {
		t.Error("failures of others pushed the guesser's out")
	}
	if len(th.keys) > th.most {
		t.Errorf("%d keys are kept", len(th.keys))
	}
}

func TestNetwork(t *testing.T) {
	for address, want := range map[string]string{
		"192.0.2.7": "192.0.2.7", "::ffff:192.0.2.7": "192.0.2.7", "2001:db8:a:b:c:d:e:f": "2001:db8:a:b::/64",
		"2001:db8:a:b::1": "2001:db8:a:b::/64",
		"fe80::1%eth0":    "fe80::/64", "": "", "x": "x",
	} {
		if got := Network(address); got != want {
			t.Errorf("%q: got %q, want %q", address, got, want)
		}
	}
}
