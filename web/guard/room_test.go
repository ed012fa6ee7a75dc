package guard

import (
	"errors"
	"io"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestRoom checks that all bodies together are limited, that small ones are admitted however full the room is, and that
// leave gives the room back.
func TestRoom(t *testing.T) {
	o := NewRoom(1000, 100)
	send := func(bytes int) (leave func(), err error) {
		r := httptest.NewRequest("POST", "/", strings.NewReader(strings.Repeat("x", bytes)))
		r.ContentLength = -1 // as a request without an announced length
		leave = o.Bound(r)
		_, err = io.ReadAll(r.Body)
		return leave, err
	}
	leaveFirst, first := send(1000)
	leaveSecond, second := send(300)
	leaveSmall, small := send(100)
	if many := (*TooMany)(nil); first != nil || !errors.As(second, &many) || small != nil {
		t.Errorf("900 of 1000: %v, 200 more: %v, within what is free: %v", first, second, small)
	}
	leaveFirst()
	leaveSecond()
	leaveSmall()
	if leave, again := send(1000); again != nil {
		t.Errorf("when there is room again: %v", again)
	} else {
		leave()
	}
	if o.taken.Load() != 0 {
		t.Errorf("%d bytes stay taken", o.taken.Load())
	}
}
