package archive

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"
	"testing/cryptotest"
	"time"

	"meldhall/engine"
	"meldhall/engine/bot"
	"meldhall/engine/shuffle"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/game"
	"meldhall/tournament/game/gametest"
	"meldhall/tournament/game/shares"
	"meldhall/tournament/people"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/tournament/signing"
	"meldhall/tournament/transparency"
	"meldhall/tournament/transparency/sequencer"
)

// conditions are what a stranger can use against an operator who forges an event.
type conditions struct {
	name    string
	signed  bool // the players' devices sign
	known   bool // the stranger knows the players' keys, so the operator keeps them
	watched bool // a witness has cosigned the log and kept its leaves
}

// played is one play of the event of TestAttacks. All plays have the same random numbers: without a tampering they give
// the same archive byte by byte. So a forger plays the event again with the true program and changes one thing.
type played struct {
	*hall
	conditions
	tampering
	honest *played // the true play; nil if it is this one

	event      tournament.Tournament
	now        time.Time
	stages     uint64
	devices    shares.Devices
	signatures map[string]string // by statement, of the players' devices
	commands   map[int64]int     // of players, by game
	ruled      map[string]bool   // what officials have signed
	warned     bool              // by the referee in game 1
	done       bool              // what atPlay does
	altered    int               // plays that alterMove has counted

	log            *sequencer.Sequencer
	secretKey      string // of the server
	origin, server string // the log's name and the server's public key
	witness        transparency.WitnessKey
	looks          []Kept   // what the witness had after each look
	before         *Archive // as it was before the final
	trueArchive    *Archive
}

// play plays the event: eight players, a round with two tables and a final.
func play(t *testing.T, under conditions, change tampering, honest *played) *played {
	t.Helper()
	cryptotest.SetGlobalRandom(t, 0)
	desk := scratchDesk(t)
	p := &played{hall: hallAt(t, desk), conditions: under, tampering: change, honest: honest,
		now: time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC), log: sequencer.New(desk.DB), signatures: map[string]string{},
		commands: map[int64]int{}, ruled: map[string]bool{},
		devices: shares.Devices{Keeper: desk.Games.Shares, Key: "devices"}}
	p.DB.Now = func() time.Time { return p.now }
	p.later = func() { p.now = p.now.Add(10 * time.Minute) }
	seeds := p.Seeds
	p.Seeds = func() int64 { return seeds() + change.seed }
	p.Games.Shares.Patience = time.Millisecond
	p.Games.Shares.Secret = func(game int64) shuffle.Value {
		return sha256.Sum256(fmt.Appendf(nil, "secret %d %t", game, p.secret == game || p.secret == allGames))
	}
	var err error
	if p.witness, err = transparency.NewWitnessKey("w", []byte(strings.Repeat("w", 32))); err != nil {
		t.Fatal(err)
	}
	p.event = p.hall.event(0)
	p.shareKey()
	p.stage()
	if !p.unpromised {
		p.promise()
	}
	p.later()
	roster := "name\n"
	for i := range 8 {
		roster += fmt.Sprintf("Player %d%s\n", i+1, p.renamed[i+1])
	}
	do(p.hall, people.ImportRoster{Tournament: p.event.ID, File: roster})
	p.look()
	p.round()
	p.look()
	if honest == nil {
		p.before = p.archived()
	}
	p.round()
	p.look()
	return p
}

// promise promises the seed of the next round.
func (p *played) promise() { do(p.hall, draw.PromiseSeed{Tournament: p.event.ID}) }

// stage sets the random numbers of the next part of a play, so that it does not depend on what came before.
func (p *played) stage() {
	p.stages++
	cryptotest.SetGlobalRandom(p.t.(*testing.T), p.stages)
}

// round draws, publishes and plays the next round.
func (p *played) round() {
	p.t.Helper()
	ctx := p.t.Context()
	p.later()
	r := do(p.hall, draw.PairRound{Tournament: p.event.ID})
	do(p.hall, draw.PublishRound{Round: r.ID})
	tables, err := game.CurrentInRound(ctx, p.DB, r.ID)
	if err != nil {
		p.t.Fatal(err)
	}
	for _, at := range tables {
		ref, err := game.FindRef(ctx, p.DB, at.Game)
		if err != nil {
			p.t.Fatal(err)
		}
		p.share(ref)
		for seat := range ref.Players {
			p.bind(game.PracticePlayer(ref, seat))
		}
	}
	p.look()
	p.later()
	p.stage()
	if p.drawn != nil {
		p.drawn(p, tables)
	}
	do(p.hall, draw.StartRound{Round: r.ID})
	if r.Number == 1 && !p.waits {
		p.promise()
	}
	for _, at := range tables {
		p.playGame(at.Game)
	}
	p.later()
	p.stage()
	for _, at := range tables {
		if p.over != nil && p.over(p, at.Game) {
			continue
		}
		decide(p, result.ConfirmResult{Game: at.Game, Rev: 1}, true)
	}
}

// share takes the part of the devices in a shuffle.
func (p *played) share(ref game.Ref) {
	p.t.Helper()
	if p.silent != ref.ID {
		if err := p.devices.Serve(p.t.Context(), ref.Sharing()); err != nil {
			p.t.Fatal(err)
		}
	}
}

// bind records the key of a player's device.
func (p *played) bind(me rights.Actor) {
	p.t.Helper()
	if p.signed {
		if _, err := action.Do(p.t.Context(), p.Desk, me, people.BindKey{Key: p.device(me.Player).Key()}); err != nil {
			p.t.Fatal(err)
		}
	}
}

// device returns the device that signs for a player: the player's own one, or one of the forger.
func (p *played) device(player int64) signing.Device {
	whose := "player"
	if p.swapped == player || p.rekeys() {
		whose = "forger"
	}
	return signing.NewDevice(sha256.Sum256(fmt.Appendf(nil, "%s %d", whose, player)))
}

// rekeys reports whether the forger has replaced all players' keys.
func (p *played) rekeys() bool {
	return p.honest != nil && (p.watched && p.rekeyed || !p.watched && !p.known)
}

// playGame plays a game to its end with bots.
func (p *played) playGame(id int64) {
	p.t.Helper()
	for snap := gametest.Look(p.t, p.Games, id); snap.State.Phase != engine.PhaseOver; snap = gametest.Look(p.t, p.Games,
		id) {
		if id == 1 && snap.State.Turn.Number == 5 && !p.warned {
			p.warned = true
			p.rule(rita, id, engine.Warn{Grounds: says, Seat: 0}, true)
			continue
		}
		seat, c := next(snap)
		if p.turn != nil {
			if other := p.turn(p, snap, c); other != nil {
				c = other
			}
			if now := gametest.Look(p.t, p.Games, id); now.State.Phase == engine.PhaseOver {
				return
			} else if now.State.Turn != snap.State.Turn {
				continue
			}
		}
		p.submit(snap, seat, c)
	}
}

// next returns the next command of a game as a bot gives it.
func next(snap *game.Snapshot) (seat int, c engine.Command) {
	state := snap.State
	if state.Phase == engine.PhaseDealt {
		for seat := range state.Seats {
			if !state.Ready[seat] {
				return seat, engine.Ready{Seat: seat, Turn: state.Turn.Number}
			}
		}
	}
	seat = state.Turn.Seat
	return seat, bot.Command(bot.Club, engine.ViewFor(&state, seat))
}

// submit submits a command of a player who has seen the log up to a snapshot.
func (p *played) submit(seen *game.Snapshot, seat int, c engine.Command) {
	p.t.Helper()
	id, now := seen.Ref.ID, gametest.Look(p.t, p.Games, seen.Ref.ID)
	p.commands[id]++
	me := gametest.Player(seen, seat)
	device := p.device(me.Player)
	me.Key = device.Key()
	signed := device.Sign(now.Statement(seat, me.Key), id, seat, seen.State.Seq, seen.History(), signing.ContentOf(c))
	signature := game.Signature{Seen: signed.Seen, Text: signed.Signature}
	switch own := p.honest == nil || p.live || p.rekeys(); {
	case !p.signed:
		signature = game.Signature{}
	case own:
		p.signatures[signed.Statement] = signed.Signature
	default: // the forger has only what the device has signed
		signature.Text = p.honest.signatures[signed.Statement]
	}
	if _, err := p.Games.SubmitSigned(p.t.Context(), me, id, "", signature, c); err != nil {
		p.t.Fatalf("game %d, seq %d: %T: %v", id, seen.State.Seq, c, err)
	}
}
