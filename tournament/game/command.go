package game

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"slices"

	"meldhall/engine"
	"meldhall/engine/tile"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

// authorizeCommand asks whether the actor may give this command at this table: players for their own
// seat, officials their rulings, the program the clock's and the event's.
func authorizeCommand(actor rights.Actor, ref Ref, c engine.Command) error {
	at := rights.Place{Tournament: ref.TournamentID, Table: ref.TableID, Seat: -1, Practice: ref.Practice != ""}
	action := rights.MayRule
	switch c := c.(type) {
	case engine.Play:
		at.Seat, action = c.Seat, rights.MayPlay
	case engine.Draw:
		at.Seat, action = c.Seat, rights.MayPlay
	case engine.Pass:
		at.Seat, action = c.Seat, rights.MayPlay
	case engine.Ready:
		at.Seat, action = c.Seat, rights.MayPlay
		if c.Seat == engine.Everybody {
			action = rights.MayServeTable
		}
	case engine.Redeal:
		at.Seat, action = c.Seat, rights.MayPlay
	case engine.CallReferee:
		at.Seat, action = c.Seat, rights.MayPlay
	case engine.EndTurn:
		if at.Seat = c.Seat; actor.Role == rights.RolePlayer || actor.Role == rights.RoleTable {
			action = rights.MayPlay
		}
	case engine.ChooseStarter, engine.PoolEmptied:
		action = rights.MayServeTable
	case engine.CountRacks:
		action = rights.MayCount
	case engine.Start, engine.Expire, engine.Outage:
		action = rights.MayRunGames
	}
	if action == rights.MayPlay && actor.Role == rights.RolePlayer && actor.Table != ref.TableID && slices.Contains(ref.Players, actor.Player) {
		return refuse.Conflict("err_table_left") // a page of an earlier round (faults.md 28)
	}
	return rights.Authorize(actor, at, action)
}

// checkSize refuses a table of more tiles than there are: it would be kept and sent to everybody who looks on.
func checkSize(table []engine.LaidFaces) error {
	tiles := len(table) // an empty set counts as one tile: it takes room too
	for _, set := range table {
		tiles += max(len(set.Faces)-1, 0)
	}
	if tiles > tile.Count {
		return refuse.Invalid("err_table_too_large", "most", tile.Count)
	}
	return nil
}

// The program's own actors.
var (
	clockActor    = rights.Actor{Role: rights.RoleProgram, Name: "clock", Seat: -1}
	eventActor    = rights.Actor{Role: rights.RoleProgram, Name: "event", Seat: -1}
	PracticeActor = rights.Actor{Role: rights.RoleProgram, Name: "practice", Seat: -1}
)

func ofPlayer(c engine.Command) bool {
	switch c.(type) {
	case engine.Play, engine.Draw, engine.Pass, engine.EndTurn:
		return true
	}
	return false
}

// answeredByClock tells of a command that has its answer when the clock has run out: a turn's, and the clock's own.
func answeredByClock(c engine.Command) bool {
	_, expire := c.(engine.Expire)
	return expire || ofPlayer(c)
}

const (
	keyLeast, keyMost = 8, 64
	keyHashLen        = 16 // base64 letters of a command's key in the log; the fingerprint follows
)

// commandID is what the log keeps of a command: a hash of who and the client's key, and a fingerprint of
// the command, so that a key that comes again with another body is noticed. Two actors may use the
// same key. It is short because every turn's index entry holds it.
func commandID(actor rights.Actor, key string, c engine.Command) (string, error) {
	if key == "" {
		return "", nil
	}
	if len(key) < keyLeast || len(key) > keyMost {
		return "", refuse.Invalid("err_key_length", "least", keyLeast, "most", keyMost)
	}
	for _, r := range []byte(key) {
		if (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r != '-' && r != '_' {
			return "", refuse.Invalid("err_key_letters")
		}
	}
	who := sha256.Sum256([]byte(actor.String() + "\n" + key))
	what := sha256.Sum256(commandBytes(c))
	return base64.RawURLEncoding.EncodeToString(who[:12]) + base64.RawURLEncoding.EncodeToString(what[:6]), nil
}

// commandBytes is a command as the client gave it; of a redeal not the shuffle, which the server made, and of a
// rewind not the state, which the log gives.
func commandBytes(c engine.Command) []byte {
	text := fmt.Appendf(nil, "%T ", c)
	switch c := c.(type) {
	case engine.Play:
		text = fmt.Appendf(text, "%d %d", c.Seat, c.Turn)
		for _, set := range c.Table {
			text = append(text, byte(set.At), byte(len(set.Faces)))
			for _, f := range set.Faces {
				text = append(text, byte(f))
			}
		}
		return text
	case engine.Redeal:
		return fmt.Appendf(text, "%d %d", c.Seat, c.Turn)
	case engine.GrantRedeal:
		return fmt.Appendf(text, "%v %d", c.Grounds, c.Seat)
	case engine.Rewind:
		return fmt.Appendf(text, "%v %d", c.Grounds, c.Turn)
	}
	return fmt.Appendf(text, "%v", c)
}
