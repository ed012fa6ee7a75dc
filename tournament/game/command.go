package game

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"meldhall/engine"
	"meldhall/engine/score"
	"meldhall/engine/tile"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

// authorizeCommand returns an error unless the actor may give this command at this table: players for their own seat,
// officials their rulings, and the program the commands of the clock and the tournament.
func authorizeCommand(actor rights.Actor, ref *Ref, c engine.Command) error {
	at := rights.Place{Tournament: ref.TournamentID, Table: ref.TableID, Number: ref.TableNumber, Seat: -1,
		Practice: ref.Practice != ""}
	action := rights.MayRule
	switch c := c.(type) {
	case engine.Play:
		at.Seat, action = c.Seat, rights.MayPlay
	case engine.Draw:
		at.Seat, action = c.Seat, rights.MayPlay
	case engine.Pass:
		at.Seat, action = c.Seat, rights.MayPlay
	case engine.PressKey:
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
	case engine.WithdrawCall:
		at.Seat, action = c.Seat, rights.MayPlay
	case engine.EndTurn:
		if at.Seat = c.Seat; actor.Role == rights.RolePlayer || actor.Role == rights.RoleTable {
			action = rights.MayPlay
		}
	case engine.ChooseStarter, engine.PoolEmptied:
		action = rights.MayServeTable
	case engine.CountRacks:
		action = rights.MayCount
	case engine.Start, engine.StartHeld, engine.Expire, engine.Outage:
		action = rights.MayRunGames
	}
	if (action == rights.MayPlay || action == rights.MayServeTable || action == rights.MayCount) &&
		hasLeft(actor, ref) {
		return refuse.Conflict("err_table_left") // the page is of an earlier round
	}
	return rights.Authorize(actor, at, action)
}

// hasLeft reports whether the actor is a player of the game, or its table's device, and has since moved to another
// table, because the tournament has reached a later round.
func hasLeft(actor rights.Actor, ref *Ref) bool {
	switch {
	case actor.Table == ref.TableID:
	case actor.Role == rights.RolePlayer:
		return slices.Contains(ref.Players, actor.Player)
	case actor.Role == rights.RoleTable:
		return actor.Tournament == ref.TournamentID && actor.Name == strconv.Itoa(ref.TableNumber)
	}
	return false
}

// seated returns a player's command with its seat changed to the one where the player sat in that game. The command was
// built for the player's present seat.
func seated(c engine.Command, seat int) engine.Command {
	switch c := c.(type) {
	case engine.Play:
		c.Seat = seat
		return c
	case engine.Draw:
		c.Seat = seat
		return c
	case engine.Pass:
		c.Seat = seat
		return c
	case engine.PressKey:
		c.Seat = seat
		return c
	case engine.Ready:
		c.Seat = seat
		return c
	case engine.Redeal:
		c.Seat = seat
		return c
	case engine.CallReferee:
		c.Seat = seat
		return c
	case engine.WithdrawCall:
		c.Seat = seat
		return c
	case engine.EndTurn:
		c.Seat = seat
		return c
	}
	return c
}

// checkSize rejects a table with more tiles than a game has, since tables are stored and sent to all viewers.
func checkSize(table []tile.LaidFaces) error {
	tiles := len(table) // an empty set counts as one tile, since it takes space too
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

// clockName is the clock's name in the log. Every append compares its actor with it.
var clockName = clockActor.String()

func ofPlayer(c engine.Command) bool {
	switch c.(type) {
	case engine.Play, engine.Draw, engine.Pass, engine.EndTurn:
		return true
	}
	return false
}

// answeredByClock reports whether the clock's events are already the answer to the command if the time has run out.
// That is so for players' commands and for the clock's own.
func answeredByClock(c engine.Command) bool {
	_, expire := c.(engine.Expire)
	return expire || ofPlayer(c)
}

const (
	keyLeast, keyMost = 8, 64
	keyHashLen        = 16 // base64 letters of the key's hash in the log, before the fingerprint
)

// commandID returns the log's ID of a command: a hash of the actor and the client's key, followed by a fingerprint of
// the command. The fingerprint detects a key that is reused with another body. Two actors may use the same key. The ID
// is short because every turn stores it in an index.
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
	var room [256]byte // large enough for nearly every command
	who := sha256.Sum256(append(append(append(room[:0], actor.String()...), '\n'), key...))
	what := sha256.Sum256(commandBytes(room[:0], c))
	id := base64.RawURLEncoding.AppendEncode(make([]byte, 0, 24), who[:12])
	return string(base64.RawURLEncoding.AppendEncode(id, what[:6])), nil
}

// SeqOf returns the seq of the first event that an actor's command with this key caused, or 0 if the key is not in the
// log.
func (g *Games) SeqOf(ctx context.Context, actor rights.Actor, game int64, key string) (int, error) {
	cmd, err := commandID(actor, key, nil)
	if err != nil || cmd == "" {
		return 0, err
	}
	seq, _, _, err := g.Log.commandOf(ctx, game, cmd[:keyHashLen])
	return seq, err
}

// commandBytes appends a command as the client sent it, without the server's additions (see bare).
func commandBytes(text []byte, c engine.Command) []byte {
	text = fmt.Appendf(text, "%T ", c)
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
	case engine.Redeal, engine.GrantRedeal, engine.Rewind, engine.RuleIllegal:
		return bare(text, c)
	}
	return fmt.Appendf(text, "%v", c)
}

// bare appends a command without the server's additions: the shuffle of a redeal and the state that a ruling goes back
// to.
func bare(text []byte, c engine.Command) []byte {
	switch c := c.(type) {
	case engine.Redeal:
		return fmt.Appendf(text, "%d %d", c.Seat, c.Turn)
	case engine.GrantRedeal:
		return fmt.Appendf(text, "%v %d", c.Grounds, c.Seat)
	case engine.Rewind:
		return fmt.Appendf(text, "%v %d", c.Grounds, c.Turn)
	case engine.RuleIllegal:
		return fmt.Appendf(text, "%v %d %d %t", c.Grounds, c.Turn, c.Tiles, c.Back != nil)
	}
	panic("game: bare: unexpected command")
}

// SheetPreview is the result of a partly filled score sheet of a game with real tiles. Points and Wins are set once the
// sheet can be accepted; until then Refusal gives the reason.
type SheetPreview struct {
	Seats   []SheetSeat     `json:"seats,omitempty" doc:"by seat; missing if totals are given"`
	Why     string          `json:"why,omitempty" doc:"the reason the game ended"`
	Points  []score.Twelfth `json:"points,omitempty"`
	Wins    []score.Twelfth `json:"wins,omitempty"`
	Refusal *engine.Refusal `json:"refusal,omitempty" doc:"the reason if it can't be handed in yet"`
}

// SheetSeat is one rack of a score sheet.
type SheetSeat struct {
	Tiles   int           `json:"tiles"`
	Sum     int           `json:"sum" doc:"sum of its faces and jokers"`
	Charge  score.Charge  `json:"charge" doc:"the charge"`
	Opening *OpeningProof `json:"opening,omitempty" doc:"for a player who has not opened: the best possible initial meld"`
}

// PreviewCount returns the result that a count of a game with real tiles would have, without changing anything. The
// actor must be allowed to enter the count.
func (g *Games) PreviewCount(ctx context.Context, actor rights.Actor, game int64, c engine.CountRacks) (SheetPreview,
	error) {
	snap, err := g.Look(ctx, game)
	if err != nil {
		return SheetPreview{}, err
	}
	if err := authorizeCommand(actor, &snap.Ref, c); err != nil {
		return SheetPreview{}, err
	}
	s := snap.State
	if !s.Countable() {
		return SheetPreview{}, &engine.Refusal{Code: engine.RefusedNotBegun, Set: -1,
			Detail: "there is nothing to count"}
	}
	if len(c.Racks) > s.Seats {
		return SheetPreview{}, &engine.Refusal{Code: engine.RefusedCountSeats, Set: -1}
	}
	preview := SheetPreview{Why: c.Why}
	counted, err := s.Count(c)
	if err == nil {
		preview.Why, preview.Points, preview.Wins = counted.Why, counted.Outcome.Points, counted.Outcome.Wins
	} else if !errors.As(err, &preview.Refusal) {
		return SheetPreview{}, err
	}
	charges := s.Charges(c.Racks)
	for seat, rack := range c.Racks {
		s.Opened[seat] = rack.Opened
	}
	for seat, rack := range c.Racks {
		if len(rack.Tiles) > tile.Count {
			return SheetPreview{}, refuse.Invalid("err_table_too_large", "most", tile.Count)
		}
		preview.Seats = append(preview.Seats, SheetSeat{Tiles: len(rack.Tiles),
			Sum: score.RackCharge(s.Rules, rack.Tiles), Charge: charges[seat],
			Opening: sheetProof(s, seat, rack)})
	}
	return preview, nil
}

// sheetProof returns the proof for an unopened rack, or nil if the rules charge nothing for it. Opened in s must agree
// with the score sheet.
func sheetProof(s engine.State, seat int, rack engine.CountedRack) *OpeningProof {
	if rack.Opened || rack.Able || len(rack.Tiles) == 0 || s.Rules.NoMeldAble == 0 && s.Rules.NoMeldUnable == 0 {
		return nil
	}
	p := &OpeningProof{Seat: seat, Rack: tile.CountFaces(rack.Tiles).List()}
	p.Prove(s)
	return p
}

// TableRuling is the outcome at one table of a ruling for a whole round. Err is nil if the ruling holds there;
// otherwise it is an *engine.Refusal or the reason why the game cannot be read.
type TableRuling struct {
	Table       int64
	TableNumber int
	Game        int64
	Answer      Answer
	Err         error
}

// RuleAll gives one ruling at every table of a round where a game is being played. Each table gets its own command with
// a key derived from the caller's, so a repeated ruling takes effect only once per table. For a table where the ruling
// cannot hold, the result contains the reason; the other tables are not affected. RuleAll returns an error if the round
// cannot be read, if the actor lacks the rights, or if the database fails at a table. The caller may then retry with
// the same key.
func (g *Games) RuleAll(ctx context.Context, actor rights.Actor, round int64, key string,
	c engine.Command) ([]TableRuling, error) {
	return g.atEveryTable(ctx, actor, round, c, func(at CurrentGame) (Answer, error) {
		return g.Submit(ctx, actor, at.Game, tableKey(key, at.Game), c)
	})
}

// PreviewAll returns the tables of a round at which a ruling would hold, as RuleAll does, without giving it.
func (g *Games) PreviewAll(ctx context.Context, actor rights.Actor, round int64, c engine.Command) ([]TableRuling,
	error) {
	return g.atEveryTable(ctx, actor, round, c, func(at CurrentGame) (Answer, error) {
		effect, err := g.Preview(ctx, actor, at.Game, c)
		if err != nil {
			return Answer{}, err
		}
		return Answer{Outcome: effect.Events[0].Kind()}, nil
	})
}

// refuseHeld rejects a Resume that is given to all tables if this game is held until its players are there. An official
// starts such a game at its own table.
func (g *Games) refuseHeld(ctx context.Context, game int64, c engine.Command) error {
	if _, resumes := c.(engine.Resume); !resumes {
		return nil
	}
	snap, err := g.Look(ctx, game)
	if err == nil && snap.State.Paused.Held() {
		err = &engine.Refusal{Code: engine.RefusedHeld, Set: -1, Detail: "the table waits for its players"}
	}
	return err
}

func (g *Games) atEveryTable(ctx context.Context, actor rights.Actor, round int64, c engine.Command,
	rule func(CurrentGame) (Answer, error)) ([]TableRuling, error) {
	tournamentID, err := tournamentOf(ctx, g.DB, round)
	if err != nil {
		return nil, err
	}
	if err := rights.Authorize(actor, rights.Place{Tournament: tournamentID, Seat: -1}, rights.MayRule); err != nil {
		return nil, err
	}
	current, err := CurrentInRound(ctx, g.DB, round)
	if err != nil {
		return nil, err
	}
	rulings := make([]TableRuling, len(current))
	var all sync.WaitGroup
	for i, at := range current {
		all.Go(func() { // concurrent, so that the log commits them together
			err := g.refuseHeld(ctx, at.Game, c)
			var answer Answer
			if err == nil {
				answer, err = rule(at)
			}
			rulings[i] = TableRuling{Table: at.Table, TableNumber: at.TableNumber, Game: at.Game, Answer: answer,
				Err: err}
		})
	}
	all.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for _, r := range rulings {
		if IsStorage(r.Err) {
			return nil, r.Err // the caller retries; rulings already given are not repeated
		}
	}
	return rulings, nil
}

// tableKey returns a game's own key for a ruling for all tables.
func tableKey(key string, game int64) string {
	if key == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(key))
	return "all-" + base64.RawURLEncoding.EncodeToString(sum[:12]) + "-" + strconv.FormatInt(game, 10)
}
