package engine

import (
	"encoding/json"
	"slices"
	"testing"

	"meldhall/engine/shuffle"
)

// jointDeal returns a deal of a game in which the devices of all seats but the last took part.
func jointDeal(game int64, deal, seats int) Deal {
	j := shuffle.Joint{Game: game, Deal: deal, Secret: shuffle.Value{byte(game), 5}}
	for seat := range seats {
		root := shuffle.Value{byte(game), byte(seat)}
		hash, nonce := shuffle.Nonce(game, seat, root, 0), shuffle.Nonce(game, seat, root, deal)
		share := shuffle.Share{Hash: &hash, Nonce: &nonce}
		if seat == seats-1 {
			share.Nonce = nil
		}
		j.Shares = append(j.Shares, share)
	}
	return Dealt(j)
}

// TestJointDeals checks that a game is dealt only by an order that follows from its joint shuffle, through a redeal as
// well (data/record/deal.md).
func TestJointDeals(t *testing.T) {
	wrc := presetRules(t, "wrc")
	start := func(d Deal) Start { return Start{Rules: wrc, Seats: 4, First: DrawForStart, Deal: d} }
	good := jointDeal(7, 1, 4)
	s := do(t, State{}, start(good), noon)
	if s.Joint == nil || s.Joint.Game != 7 || !slices.Equal(s.Order, good.Pool) {
		t.Fatalf("the shuffle is not in the state: %+v", s.Joint)
	}
	data, err := Encode(TilesDealt{Deal: good})
	if err != nil {
		t.Fatal(err)
	}
	read, err := Decode(TilesDealt{}.Kind(), EventVersion, data)
	if err != nil {
		t.Fatal(err)
	}
	if again := read.(TilesDealt).Deal; Dealt(*again.Joint).Salt != good.Salt {
		t.Error("the log does not keep the shuffle")
	}
	changed := func(change func(*Deal)) Deal {
		var d Deal
		text, err := json.Marshal(good)
		if err == nil {
			err = json.Unmarshal(text, &d)
		}
		if err != nil {
			t.Fatal(err)
		}
		change(&d)
		return d
	}
	for name, d := range map[string]Deal{
		"two tiles exchanged":       changed(func(d *Deal) { d.Pool[3], d.Pool[90] = d.Pool[90], d.Pool[3] }),
		"another draw":              changed(func(d *Deal) { d.Draws = d.Pool }),
		"another salt":              changed(func(d *Deal) { d.Salt += "0" }),
		"another secret":            changed(func(d *Deal) { d.Joint.Secret[0]++ }),
		"a nonce left out":          changed(func(d *Deal) { d.Joint.Shares[0].Nonce = nil }),
		"a nonce of another device": changed(func(d *Deal) { d.Joint.Shares[1] = d.Joint.Shares[0] }),
		"one seat less":             jointDeal(7, 1, 3),
		"the second deal":           jointDeal(7, 2, 4),
	} {
		t.Run(name, func(t *testing.T) {
			events, err := Decide(&State{}, start(d), false, noon.time())
			wantRefusal(t, events, err, RefusedBadDeal)
		})
	}
	redeal := func(d Deal) GrantRedeal { return GrantRedeal{Grounds{Reason: "a tile was seen"}, 1, d} }
	for name, d := range map[string]Deal{
		"the first deal again":    good,
		"another game's":          jointDeal(8, 2, 4),
		"the second but one deal": jointDeal(7, 3, 4),
	} {
		t.Run(name, func(t *testing.T) {
			events, err := Decide(&s, redeal(d), false, noon.time())
			wantRefusal(t, events, err, RefusedBadDeal)
		})
	}
	again := jointDeal(7, 2, 4)
	if s = do(t, s, redeal(again), noon); s.Deal != 2 || !slices.Equal(s.Order, again.Pool) {
		t.Errorf("deal %d", s.Deal)
	}
}
