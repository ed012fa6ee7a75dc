package tournament

import (
	"fmt"
	"hash/fnv"
	"strconv"

	"meldhall/engine"
)

// authorizeCommand asks whether the actor may give this command at this table: players for their own
// seat, officials their rulings, the program the clock's and the event's.
func authorizeCommand(actor Actor, ref GameRef, c engine.Command) error {
	at := Place{Tournament: ref.TournamentID, Table: ref.TableID, Seat: -1}
	action := ActRule
	switch c := c.(type) {
	case engine.Play:
		at.Seat, action = c.Seat, ActPlay
	case engine.Draw:
		at.Seat, action = c.Seat, ActPlay
	case engine.Pass:
		at.Seat, action = c.Seat, ActPlay
	case engine.Ready:
		at.Seat, action = c.Seat, ActPlay
	case engine.Redeal:
		at.Seat, action = c.Seat, ActPlay
	case engine.CallReferee:
		at.Seat, action = c.Seat, ActPlay
	case engine.Start, engine.Expire, engine.Outage:
		action = ActRunGames
	}
	return Authorize(actor, at, action)
}

// The program's own actors.
var (
	clockActor = Actor{Role: RoleProgram, Name: "clock", Seat: -1}
	eventActor = Actor{Role: RoleProgram, Name: "event", Seat: -1}
)

func ofPlayer(c engine.Command) bool {
	switch c.(type) {
	case engine.Play, engine.Draw, engine.Pass:
		return true
	}
	return false
}

const (
	keyLeast, keyMost = 8, 64
	fingerprintLen    = 16
)

// commandID is what the log keeps of a command: who, the client's key, and a fingerprint, so that a key
// that comes again with another body is noticed. Two actors may use the same key.
func commandID(actor Actor, key string, c engine.Command) (string, error) {
	if key == "" {
		return "", nil
	}
	if len(key) < keyLeast || len(key) > keyMost {
		return "", Refuse(Invalid, "err_key_length", "least", keyLeast, "most", keyMost)
	}
	for _, r := range []byte(key) {
		if (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r != '-' && r != '_' {
			return "", Refuse(Invalid, "err_key_letters")
		}
	}
	h := fnv.New64a()
	fmt.Fprintf(h, "%T", c)
	switch c := c.(type) {
	case engine.Play:
		fmt.Fprint(h, c.Seat, c.Turn)
		for _, set := range c.Table {
			h.Write([]byte{byte(set.At), byte(len(set.Faces))})
			for _, f := range set.Faces {
				h.Write([]byte{byte(f)})
			}
		}
	case engine.Redeal:
		fmt.Fprint(h, c.Seat, c.Turn)
	default:
		fmt.Fprint(h, c)
	}
	return actor.String() + ":" + key + "#" + fmt.Sprintf("%0"+strconv.Itoa(fingerprintLen)+"x", h.Sum64()), nil
}
