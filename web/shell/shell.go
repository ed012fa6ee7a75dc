// Package shell is what every address has, whatever is behind it: who asks and in which language, what a caller may try how
// often, how an error becomes an answer, streams, and the commands that tablets and programs send alike. Pages and the
// interface for programs stand on it.
package shell

import (
	"fmt"
	"strings"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament/door"
	"meldhall/web/bots"
	"meldhall/web/guard"
	"meldhall/web/live"
	"meldhall/web/venue"
)

// Shell is what every address of the program has, whatever is behind it: who asks and in which language, what that caller may
// try how often, and how an error or a stream is answered.
type Shell struct {
	venue    *venue.Venue
	Desk     *door.Desk // the door for what people do
	Practice *bots.Tables
	Hub      *live.Hub
	Streams  *live.Streams
	Texts    *templates.Texts
	address  string // that people type, "" for that of the request
	sessions *scs.SessionManager
	seats    *seatCache
	requests *requestIDs
	origins  guard.Origins
	guards   map[string][]string
	secure   bool                         // the address is https
	Page     func(*gin.Context, *Failure) // shows an error to somebody who reads pages

	signIns *guard.Throttle
	Codes   *guard.Throttle
	starts  *guard.Throttle // of practice tables
	entries *guard.Throttle // of registrations
	Pins    *guard.PINTries
}

// New makes a shell at an address such as https://hall.example:8443; with https the cookies are kept to it.
func New(v *venue.Venue, desk *door.Desk, practice *bots.Tables, streams *live.Streams, texts *templates.Texts, address string) (*Shell, error) {
	origins, err := guard.NewOrigins(address)
	if err != nil {
		return nil, fmt.Errorf("base URL: %w", err)
	}
	secure, now := strings.HasPrefix(address, "https://"), func() time.Time { return v.Store.Now() }
	return &Shell{
		venue: v, Desk: desk, Practice: practice, Hub: streams.Hub, Streams: streams, Texts: texts, address: address,
		sessions: newSessions(v.Store, secure), seats: newSeatCache(v.Store, v.Games), requests: newRequestIDs(),
		origins: origins, guards: guard.Headers(secure), secure: secure,
		Pins: guard.NewPINTries(now), signIns: guard.NewThrottle(10, time.Minute, now), Codes: guard.NewThrottle(5, 5*time.Minute, now),
		starts: guard.NewThrottle(10, time.Minute, now), entries: guard.NewThrottle(10, time.Minute, now),
	}, nil
}
