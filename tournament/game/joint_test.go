package game

import (
	"errors"
	"slices"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/engine/shuffle"
	"meldhall/engine/tile"
	"meldhall/tournament/game/shares"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store/storetest"
)

// device is a player's device in a test.
type device struct {
	t    *testing.T
	g    *Games
	me   rights.Actor
	game int64
	root shuffle.Value
}

// devicesAt returns the devices at a table whose game waits to start.
func devicesAt(t *testing.T, g *Games, game int64) (all []device) {
	ref := look(t, g, game).Ref
	for seat, player := range ref.Players {
		me := rights.Actor{Role: rights.RolePlayer, Tournament: ref.TournamentID, Player: player, Table: ref.TableID,
			Seat: seat}
		all = append(all, device{t, g, me, game, shuffle.Value{byte(seat), 77}})
	}
	return all
}

func (d device) value(deal int) *shuffle.Value {
	v := shuffle.Nonce(d.game, d.me.Seat, d.root, deal)
	return &v
}

func (d device) send(sent shares.Sent) (shares.Ask, error) {
	d.t.Helper()
	at, err := d.g.SharingAt(d.t.Context(), d.me, d.game)
	if err != nil {
		return shares.Ask{}, err
	}
	return d.g.Shares.Send(d.t.Context(), at, d.me.Seat, sent)
}

func (d device) sends(sent shares.Sent) shares.Ask {
	d.t.Helper()
	ask, err := d.send(sent)
	if err != nil {
		d.t.Fatal(err)
	}
	return ask
}

// jointRunner returns Games whose deals the devices make.
func jointRunner(t *testing.T) (*Games, int64) {
	s := newStore(t)
	game := storetest.Hall(t, s, 1, 1)[0]
	g := runner(t, s)
	g.Deal, g.Shares.Patience = nil, time.Millisecond
	return g, game
}

// TestDevicesMakeTheDeal checks the exchange of data/record/deal.md: the hashes of all devices, then their nonces, then
// a deal that follows from them, and the same for a redeal.
func TestDevicesMakeTheDeal(t *testing.T) {
	g, game := jointRunner(t)
	all := devicesAt(t, g, game)
	var asked []int64
	g.Shares.Asked = func(t shares.Table) { asked = append(asked, t.Game) }
	for seat, d := range all {
		ask := d.sends(shares.Sent{Hash: d.value(0)})
		if want := map[bool]int{true: 1}[seat == len(all)-1]; ask.Deal != want || ask.Sent != 0 {
			t.Errorf("seat %d is asked %+v", seat, ask)
		}
	}
	if !slices.Equal(asked, []int64{game}) {
		t.Errorf("asked %v", asked)
	}
	var commitment shuffle.Value
	for _, d := range all {
		ask := d.sends(shares.Sent{Deal: 1, Nonce: d.value(1)})
		if commitment = *ask.Commitment; *ask.Hashes[d.me.Seat] != *d.value(0) {
			t.Errorf("the hashes are %v", ask.Hashes)
		}
	}
	begin(t, g)
	dealt := look(t, g, game).State
	if dealt.Joint == nil || shuffle.Commitment(game, dealt.Joint.Secret) != commitment {
		t.Fatalf("the secret is not the one of the commitment: %+v", dealt.Joint)
	}
	for seat, share := range dealt.Joint.Shares {
		if *share.Nonce != *all[seat].value(1) {
			t.Errorf("seat %d: %v", seat, share)
		}
	}
	g.Shares.Asked = func(shares.Table) {
		for _, d := range all[1:] { // seat 0 stays silent
			d.sends(shares.Sent{Deal: 2, Nonce: d.value(2)})
		}
	}
	grant := engine.GrantRedeal{Grounds: engine.Grounds{Reason: "seen"}, Seat: 1}
	if _, err := g.Submit(t.Context(), rights.Staff(rights.RoleReferee, "Ann"), game, "", grant); err != nil {
		t.Fatal(err)
	}
	again := look(t, g, game).State
	if again.Deal != 2 || again.Joint.Deal != 2 || again.Joint.Shares[0].Nonce != nil ||
		*again.Joint.Shares[1].Nonce != *all[1].value(2) || slices.Equal(again.Order, dealt.Order) {
		t.Errorf("deal %d from %+v", again.Deal, again.Joint)
	}
	if missed, err := g.Shares.Missed(t.Context(), all[0].me.Tournament); err != nil || len(missed) != 1 ||
		missed[all[0].me.Player] != 1 {
		t.Errorf("missed %v, %v", missed, err)
	}
}

// TestSharingEnds checks that the devices are asked for something while a redeal is still possible, and not afterwards.
func TestSharingEnds(t *testing.T) {
	g, _ := jointRunner(t)
	for name, c := range map[string]struct {
		phase   engine.Phase
		doubles bool
		table   int // sets on the table
		want    bool
	}{
		"dealt, three doubles":                   {engine.PhaseDealt, true, 0, true},
		"dealt, no doubles":                      {engine.PhaseDealt, false, 0, false},
		"an official may still grant one":        {engine.PhasePlaying, true, 0, true},
		"tiles lie on the table":                 {engine.PhasePlaying, true, 1, false},
		"over, and nothing was laid in the game": {engine.PhaseOver, true, 0, false},
	} {
		s := engine.State{Phase: c.phase, Seats: 4, Joint: &shuffle.Joint{}, Table: make(tile.Table, c.table)}
		s.Rules.Redeal, s.Doubles[2] = ruleset.BeforeStart, c.doubles
		if _, ok, err := g.Sharing(t.Context(), &Snapshot{State: s}); ok != c.want || err != nil {
			t.Errorf("%s: asked: %t, %v; want %t", name, ok, err, c.want)
		}
	}
}

// TestDevicesThatAreAbsent checks that a table is dealt without the devices that send nothing, or no nonce.
func TestDevicesThatAreAbsent(t *testing.T) {
	for name, c := range map[string]struct{ hashes, nonces int }{"none": {0, 0}, "two hashes": {2, 0},
		"three hashes, one nonce": {3, 1}} {
		t.Run(name, func(t *testing.T) {
			g, game := jointRunner(t)
			all := devicesAt(t, g, game)
			for _, d := range all[:c.hashes] {
				d.sends(shares.Sent{Hash: d.value(0)})
			}
			g.Shares.Asked = func(shares.Table) {
				for _, d := range all[:c.nonces] {
					d.sends(shares.Sent{Deal: 1, Nonce: d.value(1)})
				}
			}
			begin(t, g)
			s := look(t, g, game).State
			if s.Phase != engine.PhaseDealt || s.Joint == nil {
				t.Fatalf("phase %q, %+v", s.Phase, s.Joint)
			}
			for seat, share := range s.Joint.Shares {
				if (share.Hash != nil) != (seat < c.hashes) || (share.Nonce != nil) != (seat < c.nonces) {
					t.Errorf("seat %d: %+v", seat, share)
				}
			}
		})
	}
}

func TestSharesThatAreRefused(t *testing.T) {
	g, game := jointRunner(t)
	all := devicesAt(t, g, game)
	first := all[0]
	refused := func(what string, d device, sent shares.Sent, kind refuse.Kind) {
		t.Helper()
		_, err := d.send(sent)
		var refusal *refuse.Error
		if !errors.As(err, &refusal) || refusal.Kind != kind {
			t.Errorf("%s: %v", what, err)
		}
	}
	refused("nothing", first, shares.Sent{}, refuse.KindInvalid)
	refused("a nonce before the hash", first, shares.Sent{Deal: 1, Nonce: first.value(1)}, refuse.KindConflict)
	stranger := first
	stranger.me.Seat = 1
	refused("another player's seat", stranger, shares.Sent{Hash: first.value(0)}, refuse.KindConflict)
	first.sends(shares.Sent{Hash: first.value(3)})
	for _, d := range all {
		d.sends(shares.Sent{Hash: d.value(0)}) // seat 0 replaces its hash
	}
	refused("a new hash after all", first, shares.Sent{Hash: first.value(3)}, refuse.KindConflict)
	first.sends(shares.Sent{Hash: first.value(0)}) // a repeated request
	refused("another nonce", first, shares.Sent{Deal: 1, Nonce: first.value(5)}, refuse.KindInvalid)
	refused("the nonce of a later deal", first, shares.Sent{Deal: 2, Nonce: first.value(2)}, refuse.KindConflict)
	first.sends(shares.Sent{Deal: 1, Nonce: first.value(1)})
	first.sends(shares.Sent{Deal: 1, Nonce: first.value(1)})
}

// TestSharesSurviveARestart checks that what the devices have sent counts after a restart, with the same secret.
func TestSharesSurviveARestart(t *testing.T) {
	s := newStore(t)
	game := storetest.Hall(t, s, 1, 1)[0]
	before := runner(t, s)
	before.Deal = nil
	var commitment *shuffle.Value
	for _, d := range devicesAt(t, before, game) {
		commitment = d.sends(shares.Sent{Hash: d.value(0)}).Commitment
	}
	after := runner(t, s)
	after.Deal, after.Shares.Patience = nil, time.Millisecond
	all := devicesAt(t, after, game)
	for _, d := range all {
		d.sends(shares.Sent{Deal: 1, Nonce: d.value(1)})
	}
	begin(t, after)
	j := look(t, after, game).State.Joint
	if shuffle.Commitment(game, j.Secret) != *commitment || *j.Shares[2].Nonce != *all[2].value(1) {
		t.Errorf("%+v", j)
	}
}

// TestSharesOfAnEarlierSeating checks that the exchange begins again when other players are seated.
func TestSharesOfAnEarlierSeating(t *testing.T) {
	g, game := jointRunner(t)
	all := devicesAt(t, g, game)
	for _, d := range all {
		d.sends(shares.Sent{Hash: d.value(0)})
	}
	at, err := g.SharingAt(t.Context(), all[0].me, game)
	if err != nil {
		t.Fatal(err)
	}
	at.Players[0], at.Players[1] = at.Players[1], at.Players[0]
	if ask, err := g.Shares.Ask(t.Context(), at, 3); err != nil || ask.Sent != -1 || ask.Deal != 0 {
		t.Errorf("after the swap: %+v, %v", ask, err)
	}
	for seat, d := range all {
		ask, err := g.Shares.Send(t.Context(), at, seat, shares.Sent{Hash: d.value(0)})
		if err != nil || ask.Sent != 0 || (ask.Deal == 1) != (seat == 3) {
			t.Errorf("seat %d is asked %+v, %v", seat, ask, err)
		}
	}
}
