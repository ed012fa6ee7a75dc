package archive

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"meldhall/engine"
	"meldhall/tournament/export"
	"meldhall/tournament/people"
	"meldhall/tournament/signing"
)

// boundKey is a key with which a player's devices signed commands, from the record of the key until its end; 0: it
// still counts.
type boundKey struct {
	key      string
	from, to engine.Millis
}

// readKeys reads the keys of all players from the records, by the players' start numbers. It names each new key of a
// player, and the official who has replaced the player's tablet before.
func (f *facts) readKeys() {
	f.keys = map[int][]boundKey{}
	replaced := map[int]string{} // by whom, since the last key
	end := func(number int, at engine.Millis) {
		if keys := f.keys[number]; len(keys) > 0 && keys[len(keys)-1].to == 0 {
			keys[len(keys)-1].to = at
		}
	}
	for _, r := range f.records {
		switch r.kind {
		case people.KeyKind.Name:
			number := r.about.Player
			end(number, r.at)
			f.keys[number] = append(f.keys[number], boundKey{key: dataOf[people.BoundKey](r).Key, from: r.at})
			if len(f.keys[number]) > 1 {
				why := "but no official has replaced the tablet"
				if by := replaced[number]; by != "" {
					why = by + " has replaced the tablet"
				}
				f.note("player %d (%s) has another key since %s, %s", number, r.about.Name,
					time.UnixMilli(int64(r.at)).UTC().Format("2006-01-02 15:04:05 UTC"), why)
			}
			replaced[number] = ""
		case "seat.reissue":
			for _, number := range r.about.Players {
				end(number, r.at)
				replaced[number] = r.s("actor")
			}
		}
	}
}

// checkSigned requires that each signed command of a game was signed with the key that the player at the seat had then.
// It counts the commands, and names those that are not signed although the player had a key.
func (f *facts) checkSigned(log export.Game, place string) {
	read, err := log.SignedLog()
	if err != nil || realTiles(log) {
		return // export.Verify names the error; real tiles have no signed commands
	}
	var missing []string
	signs := make([]bool, len(log.Players)) // the seat has signed a command before
	wrong := make([]bool, len(log.Players))
	for _, c := range read.Commands(log.Signed) {
		at, player := log.Events[c.Seq-1].At, log.Players[c.Seat]
		where := fmt.Sprintf("turn %d, seq %d: %s of seat %d", c.Turn, c.Seq, log.Events[c.Seq-1].Kind, c.Seat+1)
		f.Signed.Commands++
		switch {
		case c.Key == "" && (signs[c.Seat] || f.hasKey(player, "", at)):
			missing = append(missing, where)
		case c.Key == "":
		case !f.imported && !wrong[c.Seat] && !f.hasKey(player, c.Key, at):
			f.fault(gameName(log.Game), "%s, %s was signed with a key that %s did not have then", place, where,
				f.player(player))
			wrong[c.Seat] = true
		default:
			f.Signed.SignedCommands++
		}
		signs[c.Seat] = signs[c.Seat] || c.Key != ""
	}
	if len(missing) > 0 {
		f.note("%s: not signed, although the tablet signs: %s", place, someOf(missing))
	}
	f.noteExpired(read, signs, place)
}

// noteExpired names the turns that ended by the clock, if the seats' tablets sign: a turn that a player played and the
// operator dropped looks like that.
func (f *facts) noteExpired(read signing.Game, signs []bool, place string) {
	var expired []string
	for i, e := range read.Log {
		if e, is := e.Event.(engine.TurnExpired); is && signs[e.Seat] {
			expired = append(expired, fmt.Sprintf("turn %d, seq %d: seat %d", e.Turn.Number-1, i+1, e.Seat+1))
		}
	}
	if len(expired) > 0 {
		f.note("%s: ended by the clock, by the operator's word: %s", place, someOf(expired))
	}
}

// someOf joins texts. It leaves out some if there are many.
func someOf(texts []string) string {
	const most = 5
	if n := len(texts); n > 2*most {
		texts = append(append(texts[:most:most], fmt.Sprintf("%d more", n-most-1)), texts[n-1])
	}
	return strings.Join(texts, "; ")
}

// hasKey reports whether a player had a key at a time; an empty key stands for any.
func (f *facts) hasKey(player int64, key string, at engine.Millis) bool {
	return slices.ContainsFunc(f.keys[int(f.players[player].number())], func(k boundKey) bool {
		return (key == "" || k.key == key) && k.from <= at && (k.to == 0 || at <= k.to)
	})
}

// sumSigned says how many commands of players are signed.
func (f *facts) sumSigned() {
	if n := f.Signed; n.Commands > 0 && (n.SignedCommands > 0 || len(f.keys) > 0 && !f.imported) {
		f.note("%d of %d commands of players are signed by their tablets", n.SignedCommands, n.Commands)
	}
}
