package archive

import (
	"fmt"
	"strconv"
	"strings"

	"meldhall/engine"
	"meldhall/engine/shuffle"
)

// checkShuffles requires that the joint shuffles of a game belong to it: the devices sent their nonces for this game's
// number, and no other game has the same secret. Once the devices took part in a deal, they take part in all later ones
// of the game. It collects the deals in which devices took no part.
func (f *facts) checkShuffles(id int64, events []engine.Event, place string) {
	var first *shuffle.Joint
	for i, e := range events {
		dealt, ok := e.(engine.TilesDealt)
		if !ok {
			continue
		}
		j := dealt.Deal.Joint
		f.noteSilent(j, place)
		switch {
		case j == nil && first != nil:
			f.fault(gameName(id), "%s, seq %d: the devices took no part in this deal, but in the one before",
				place, i+1)
		case j == nil || first != nil:
		case j.Game != id && !f.imported:
			f.fault(gameName(id), "%s, seq %d: the shuffle is that of game %d", place, i+1, j.Game)
		case f.secrets[j.Secret] != 0:
			f.fault(gameName(id), "%s, seq %d: the secret of the shuffle is that of game %d", place, i+1,
				f.secrets[j.Secret])
		}
		if first == nil && j != nil {
			first, f.secrets[j.Secret] = j, id
		}
	}
}

// noteSilent collects a deal if the devices of some seats took no part in its shuffle.
func (f *facts) noteSilent(j *shuffle.Joint, place string) {
	if j == nil {
		return // an earlier program, real tiles, or the same deal at all tables
	}
	var seats []string
	for at, share := range j.Shares {
		if share.Nonce == nil {
			seats = append(seats, strconv.Itoa(at+1))
		}
	}
	f.deals++
	if len(seats) == len(j.Shares) {
		f.undealt++
	}
	if len(seats) > 0 {
		f.silent = append(f.silent, fmt.Sprintf("%s, deal %d (seats %s)", place, j.Deal, strings.Join(seats, ", ")))
	}
}

// sumShuffles names the deals in which devices took no part.
func (f *facts) sumShuffles() {
	if f.deals > 0 && f.undealt == f.deals {
		f.note("no device of a player took part in a shuffle: the order of the tiles rests on the operator's word")
	} else if len(f.silent) > 0 {
		f.note("devices took no part in these shuffles; if none did, the order of the tiles rests on the operator's word: "+
			"%s", strings.Join(f.silent, "; "))
	}
}
