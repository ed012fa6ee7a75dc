package web

import (
	"fmt"
	"strings"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament/door"
	"meldhall/web/guard"
	"meldhall/web/live"
)

// shell is what every address of the program has, whatever is behind it: who asks and in which language, what that caller may
// try how often, and how an error or a stream is answered.
type shell struct {
	venue    *venue
	desk     *door.Desk // the door for what people do
	practice *practiceTables
	hub      *live.Hub
	streams  *live.Streams
	texts    *templates.Texts
	address  string // that people type, "" for that of the request
	sessions *scs.SessionManager
	seats    *seatCache
	requests *requestIDs
	origins  guard.Origins
	guards   map[string][]string
	secure   bool                         // the address is https
	page     func(*gin.Context, *Failure) // shows an error to somebody who reads pages

	signIns *guard.Throttle
	codes   *guard.Throttle
	starts  *guard.Throttle // of practice tables
	entries *guard.Throttle // of registrations
	pins    *guard.PINTries
}

// newShell makes a shell at an address such as https://hall.example:8443; with https the cookies are kept to it.
func newShell(v *venue, desk *door.Desk, practice *practiceTables, streams *live.Streams, texts *templates.Texts, address string) (*shell, error) {
	origins, err := guard.NewOrigins(address)
	if err != nil {
		return nil, fmt.Errorf("base URL: %w", err)
	}
	secure, now := strings.HasPrefix(address, "https://"), func() time.Time { return v.store.Now() }
	return &shell{
		venue: v, desk: desk, practice: practice, hub: streams.Hub, streams: streams, texts: texts, address: address,
		sessions: newSessions(v.store, secure), seats: newSeatCache(v.store, v.games), requests: newRequestIDs(),
		origins: origins, guards: guard.Headers(secure), secure: secure,
		pins: guard.NewPINTries(now), signIns: guard.NewThrottle(10, time.Minute, now), codes: guard.NewThrottle(5, 5*time.Minute, now),
		starts: guard.NewThrottle(10, time.Minute, now), entries: guard.NewThrottle(10, time.Minute, now),
	}, nil
}
