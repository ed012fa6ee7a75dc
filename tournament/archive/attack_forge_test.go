package archive

import (
	"time"

	"meldhall/engine"
	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/game/gametest"
	"meldhall/tournament/people"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
)

// tampering is what the operator changes in a play of the event.
type tampering struct {
	live     bool // the players' devices sign what is played
	followed bool // the witness sees the log as it is written; else the operator writes another one afterwards
	old      bool // the archive is the true one before the final
	until    int  // how often the witness has looked at the true log; 0: to the end

	seed       int64          // added to the seeds of draws
	unpromised bool           // the seed of the first round was not promised
	waits      bool           // that of the second round is promised later
	renamed    map[int]string // by number, added to players' names
	silent     int64          // the game in whose shuffle the devices take no part
	secret     int64          // the game whose secret is another one
	swapped    int64          // the player for whom a device of the operator signs
	rekeyed    bool           // the operator's devices sign for all players

	drawn func(p *played, tables []game.CurrentGame)                         // before a published round starts
	turn  func(p *played, s *game.Snapshot, c engine.Command) engine.Command // before a command c; may replace it
	over  func(p *played, game int64) bool                                   // before a result is confirmed, or instead
}

const (
	mid      = 2 // the second game of the first round
	final    = 3
	allGames = -1

	fromTurn = 10 // atPlay waits for a play from this turn on
)

var (
	rita  = rights.Staff(rights.RoleReferee, "Rita")
	clock = rights.Actor{Role: rights.RoleProgram, Name: "clock", Seat: -1}
	says  = engine.Grounds{Reason: "talked", By: "Rita"}
)

// atPlay returns a tampering that does something once: before the first play of a game from turn fromTurn on.
func atPlay(id int64, do func(p *played, s *game.Snapshot, c engine.Play) engine.Command) tampering {
	return tampering{turn: func(p *played, s *game.Snapshot, c engine.Command) engine.Command {
		play, is := c.(engine.Play)
		if !is || p.done || s.Ref.ID != id || s.State.Turn.Number < fromTurn {
			return nil
		}
		p.done = true
		return do(p, s, play)
	}}
}

// pickDeal lets the devices at a table look absent, and picks the secret by the deal that follows.
func pickDeal() tampering { return tampering{live: true, followed: true, silent: mid, secret: mid} }

// pickSecret exchanges the secret once the devices' nonces are known.
func pickSecret() tampering { return tampering{secret: mid} }

// dealAgain starts the exchange of a game again after the operator has seen the deal that would follow.
func dealAgain() tampering {
	return tampering{live: true, followed: true, drawn: func(p *played, tables []game.CurrentGame) {
		for _, at := range tables {
			if at.Game != mid {
				continue
			}
			for _, table := range []string{"shares", "shuffles"} {
				if _, err := p.DB.WriteSQL.Exec("DELETE FROM "+table+" WHERE game_id = $1", at.Game); err != nil {
					p.t.Fatal(err)
				}
			}
			ref, err := game.FindRef(p.t.Context(), p.DB, at.Game)
			if err != nil {
				p.t.Fatal(err)
			}
			p.secret = mid
			p.share(ref)
			p.look()
		}
	}}
}

// insertMoves lets each seat draw once more.
func insertMoves() tampering {
	return atPlay(final, func(p *played, s *game.Snapshot, _ engine.Play) engine.Command {
		for range s.State.Seats {
			p.submit(s, s.State.Turn.Seat, engine.Draw{Seat: s.State.Turn.Seat, Turn: s.State.Turn.Number})
			s = gametest.Look(p.t, p.Games, final)
		}
		return nil
	})
}

// alterMove lets a player draw in place of the third play.
func alterMove() tampering {
	return atPlay(final, func(p *played, s *game.Snapshot, c engine.Play) engine.Command {
		if p.altered++; p.altered < 3 {
			p.done = false // the third play, so that the others do not only draw
			return nil
		}
		return engine.Draw{Seat: c.Seat, Turn: c.Turn}
	})
}

// dropMove lets a turn expire in which a player has played.
func dropMove() tampering {
	return atPlay(final, func(p *played, _ *game.Snapshot, _ engine.Play) engine.Command {
		p.expire()
		return nil
	})
}

// skipTurn lets a referee skip a turn in which a player has played.
func skipTurn() tampering {
	return atPlay(final, func(p *played, _ *game.Snapshot, c engine.Play) engine.Command {
		p.rule(rita, final, engine.SkipTurn{Grounds: says, Turn: c.Turn}, false)
		return nil
	})
}

// dropMoves drops all moves from a turn on.
func dropMoves() tampering {
	return tampering{turn: func(p *played, s *game.Snapshot, _ engine.Command) engine.Command {
		if s.Ref.ID == final && s.State.Turn.Number >= fromTurn {
			p.expire()
		}
		return nil
	}}
}

// expire lets the clock end a turn of the final.
func (p *played) expire() {
	p.t.Helper()
	p.now = p.now.Add(2 * time.Minute)
	p.rule(clock, final, engine.Expire{}, false)
}

// inventRuling warns a player before the last command of a game, which the player's device then has not seen: all
// signatures still hold.
func inventRuling() tampering {
	return tampering{turn: func(p *played, s *game.Snapshot, _ engine.Command) engine.Command {
		if s.Ref.ID == final && p.commands[final] == p.honest.commands[final]-1 {
			p.rule(rita, final, engine.Warn{Grounds: says, Seat: 1}, false)
		}
		return nil
	}}
}

// backdateRuling warns a player while a game stands still, half an hour after the time of the ruling. Without a
// witness, the operator writes all of it at the right time.
func backdateRuling() tampering {
	change := atPlay(mid, func(p *played, _ *game.Snapshot, _ engine.Play) engine.Command {
		p.rule(rita, mid, engine.PauseClock{Grounds: says}, true)
		began, later := p.now, p.now.Add(30*time.Minute)
		if p.watched {
			p.now = later
			p.promise()
			p.look()
		}
		p.now = began.Add(time.Second)
		p.rule(rita, mid, engine.Warn{Grounds: says, Seat: 1}, false)
		if p.now = later; !p.watched {
			p.promise()
		}
		p.rule(rita, mid, engine.Resume{Grounds: says}, true)
		p.now = later.Add(15 * time.Second)
		return nil
	})
	change.live, change.followed, change.waits = true, true, true
	return change
}

// twoHistories gives a penalty before the final that the witness does not see.
func twoHistories() tampering {
	return tampering{drawn: func(p *played, tables []game.CurrentGame) {
		if tables[0].Game == final {
			decide(p, result.GivePenalty{Points: 20, PenaltyGrounds: result.PenaltyGrounds{Tournament: p.event.ID,
				Player: 1, Reason: "late"}}, false)
		}
	}}
}

// changeRoster renames a player.
func changeRoster() tampering { return tampering{renamed: map[int]string{3: "a"}} }

// replayGame annuls the final, and plays another one.
func replayGame() tampering {
	return tampering{over: func(p *played, id int64) bool {
		if id != final {
			return false
		}
		decide(p, result.OrderReplay{Game: final, Rev: 1, Why: "a tile was missing"}, false)
		p.playGame(final + 1)
		p.later()
		decide(p, result.ConfirmResult{Game: final + 1, Rev: 1}, false)
		return true
	}}
}

// dropGame ends a game in its first turn, because all but one player forfeit it.
func dropGame() tampering {
	return tampering{turn: func(p *played, s *game.Snapshot, _ engine.Command) engine.Command {
		if s.Ref.ID == final && s.State.Phase == engine.PhasePlaying && s.State.Turn.Number == 1 {
			for seat := range 3 {
				p.rule(rita, final, engine.ForfeitSeat{Grounds: says, Seat: seat}, false)
			}
		}
		return nil
	}}
}

// changePlace corrects the result of the final before it is confirmed.
func changePlace() tampering {
	return tampering{over: func(p *played, id int64) bool {
		if id != final {
			return false
		}
		lines := p.lines(id)
		var losers []int
		for i, l := range lines {
			if l.Wins == 0 {
				losers = append(losers, i)
			}
		}
		a, b := losers[0], losers[1]
		lines[a].Points, lines[b].Points = lines[b].Points, lines[a].Points
		decide(p, result.CorrectResult{Game: id, Rev: 1,
			Correction: result.Correction{Lines: lines, Why: "two racks were exchanged"}}, false)
		return true
	}}
}

// replaceAll plays another event of the same players.
func replaceAll() tampering { return tampering{rekeyed: true, seed: 1000, secret: allGames} }

// redraw exchanges the promised seed once the roster is known.
func redraw() tampering { return tampering{live: true, until: 1, seed: 5} }

// pickSeed promises no seed, and draws until it suits.
func pickSeed() tampering {
	return tampering{live: true, followed: true, unpromised: true, seed: 5}
}

// swapKey replaces the tablet of a player in the records, and plays the final for the player.
func swapKey() tampering {
	return tampering{live: true, followed: true, drawn: func(p *played, tables []game.CurrentGame) {
		if at := tables[0]; at.Game == final {
			ref, err := game.FindRef(p.t.Context(), p.DB, at.Game)
			if err == nil {
				_, err = action.Do(p.t.Context(), p.Desk, rita, people.ReissueCode{Table: at.Table, Seat: 1})
			}
			if err != nil {
				p.t.Fatal(err)
			}
			p.swapped = ref.Players[1]
			p.bind(game.PracticePlayer(ref, 1))
		}
	}}
}

// ownKey signs for a player from the start.
func ownKey() tampering { return tampering{live: true, swapped: 4} }

// otherProgram accepts an initial meld of fewer points.
func otherProgram() tampering {
	return tampering{live: true, followed: true, turn: func(_ *played, s *game.Snapshot,
		_ engine.Command) engine.Command {
		s.State.Rules.MeldPoints = meldPoints
		_, c := next(s)
		return c
	}}
}

// meldPoints is the initial meld that the other program accepts, in place of 30.
const meldPoints = 20

func oldArchive() tampering { return tampering{old: true} }
