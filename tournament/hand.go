package tournament

import (
	"context"
	"encoding/json"
	"fmt"

	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// A Hand is how a tablet reads its player's hand. Slop is how many px a finger may move in a tap. Press is after how
// many ms a finger that stays takes the rest of a set, 0 for never. Dead is for how many ms after a tap another one at
// the same place is ignored. With Flip, the keys that end a turn are on the other side, with One all keys are. With
// Ring, keys that end a turn must be held down.
type Hand struct {
	Slop  int  `json:"slop"`
	Press int  `json:"press"`
	Dead  int  `json:"dead"`
	Flip  bool `json:"flip"`
	One   bool `json:"one"`
	Ring  bool `json:"ring"`
}

// The ranges of a Hand, in px and ms.
const (
	slopLeast, slopMost   = 6, 24
	pressLeast, pressMost = 350, 900
	deadMost              = 700
)

// within returns h with its numbers moved into their ranges.
func (h Hand) within() Hand {
	h.Slop = min(max(h.Slop, slopLeast), slopMost)
	if h.Press != 0 {
		h.Press = min(max(h.Press, pressLeast), pressMost)
	}
	h.Dead = min(max(h.Dead, 0), deadMost)
	return h
}

// HandOf returns the JSON of the Hand of a player, or "" if none is stored. Only the player's own devices may read it,
// because it may reveal an impairment.
func HandOf(ctx context.Context, s *store.DB, me rights.Actor) (hand string, err error) {
	if me.Role != rights.RolePlayer {
		return "", nil
	}
	err = s.Read.WithContext(ctx).Table("players").Where("id = ?", me.Player).Select("hand").Scan(&hand).Error
	return hand, err
}

// SetHand stores the Hand of a player, for all devices of the player's seat. Numbers out of range are moved into their
// ranges. It is not an action of the tournament, so that no record tells officials about it.
func SetHand(ctx context.Context, s *store.DB, me rights.Actor, h Hand) error {
	if me.Role != rights.RolePlayer {
		return refuse.Forbidden("err_not_your_seat")
	}
	text, err := json.Marshal(h.within())
	if err != nil {
		return fmt.Errorf("encode a hand: %w", err)
	}
	return s.Write.WithContext(ctx).Table("players").Where("id = ?", me.Player).Update("hand", string(text)).Error
}
