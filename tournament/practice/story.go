package practice

import (
	"context"
	"math/rand/v2"
	"time"

	"meldhall/engine"
	"meldhall/engine/bot"
	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
	"meldhall/tournament/game"
	"meldhall/tournament/rights"
)

// story is the sequence of commands that brings a table to its dispute. The engine decides each command at its time.
// Times count from the start.
type story struct {
	rules ruleset.Ruleset
	seats int
	seed  uint64
	state engine.State
	at    engine.Millis
	told  []step
	err   error
}

// step is a command of a story. who is a seat or one of the constants below.
type step struct {
	who       int
	at        engine.Millis
	command   engine.Command
	disturbed bool
}

// Actors in a story besides the players: the program, the colleague who stops the clock, and the program as the umpire
// of a practice table.
const (
	program = -1 - iota
	colleague
	umpire
)

// Colleague is the name of the official who came to the table first.
const Colleague = "Toni"

// does adds a command at the current time; who is the seat or other actor that gives it.
func (s *story) does(who int, c engine.Command) { s.gives(step{who, s.at, c, false}) }

func (s *story) gives(t step) {
	if s.err != nil {
		return
	}
	events, err := engine.Decide(&s.state, t.command, t.disturbed, time.UnixMilli(int64(t.at)))
	if err != nil {
		s.err = err
		return
	}
	for _, e := range events {
		s.state = engine.Apply(s.state, e)
	}
	s.told = append(s.told, t)
}

func (s *story) wait(seconds int) { s.at += engine.Millis(seconds) * 1000 }

// turnPart returns a percentage of a turn's time, in seconds.
func (s *story) turnPart(percent int) int { return max(s.rules.TurnSeconds*percent/100, 1) }

// deal returns the order of the tiles, which is the same in every training.
func (s *story) deal() engine.Deal {
	rng := rand.New(rand.NewPCG(s.seed, tile.Count))
	shuffled := func() tile.List {
		tiles := tile.List(tile.All())
		rng.Shuffle(len(tiles), func(i, j int) { tiles[i], tiles[j] = tiles[j], tiles[i] })
		return tiles
	}
	return engine.Deal{Pool: shuffled(), Draws: shuffled(), Salt: "a deal that everybody may know"}
}

// begin deals and makes the players ready. If a player is absent, the others wait until the starting time has expired;
// absent is that player's seat, or -1.
func (s *story) begin(absent int) {
	s.does(program, engine.Start{Rules: s.rules, Seats: s.seats, First: 0, Deal: s.deal()})
	for seat := range s.seats {
		if s.wait(2); seat != absent {
			s.does(seat, engine.Ready{Seat: seat, Turn: s.state.Turn.Number})
		}
	}
	if absent >= 0 {
		s.expires()
	}
}

// beginReal begins a game with real tiles.
func (s *story) beginReal() {
	s.does(program, engine.Start{Rules: s.rules, Seats: s.seats, First: 0, Physical: true})
	s.wait(9)
	s.does(0, engine.Ready{Seat: engine.Everybody, Turn: s.state.Turn.Number})
}

// expires waits until the current deadline has passed.
func (s *story) expires() {
	s.at = max(s.at, s.state.Turn.Due+engine.Millis(s.rules.GraceMillis)+1)
	s.does(program, engine.Expire{})
}

// plays adds the given number of turns. With digital tiles, bots play them; with real tiles, each turn just ends.
// absent is a seat whose turns all expire, or -1.
func (s *story) plays(turns, absent int) {
	for i := range turns {
		turn := s.state.Turn
		if s.err != nil {
			return
		}
		if turn.Seat == absent {
			s.expires()
			continue
		}
		s.wait(s.turnPart(15 + (i*23)%40))
		if s.state.Physical {
			s.does(turn.Seat, engine.EndTurn{Seat: turn.Seat, Turn: turn.Number, Opened: !s.state.Opened[turn.Seat]})
			continue
		}
		s.does(turn.Seat, bot.Command(bot.Club, engine.ViewFor(&s.state, turn.Seat)))
	}
}

// late makes the current player submit a play after the time is over, with the tiles already on the table.
func (s *story) late() {
	seat, turn := s.state.Turn.Seat, s.state.Turn
	s.at = turn.Due + engine.Millis(s.rules.GraceMillis) + 400
	command := bot.Command(bot.Club, engine.ViewFor(&s.state, seat))
	if _, plays := command.(engine.Play); !plays {
		command = engine.Play{Seat: seat, Turn: turn.Number, Table: s.state.Table.Laid()}
	}
	s.gives(step{seat, s.at, command, true})
}

// calls makes a seat call the referee, and the colleague stop the clock the given number of seconds later.
func (s *story) calls(seat, after int) {
	s.wait(2)
	s.does(seat, engine.CallReferee{Seat: seat})
	s.wait(after)
	s.does(colleague, engine.PauseClock{Grounds: engine.Grounds{Rule: "8.2", Reason: "@referee", By: Colleague}})
}

// play plays the story in a game that has not begun, so that it ends now.
func (s *story) play(ctx context.Context, g *game.Games, gameID int64) error {
	snap, err := g.Look(ctx, gameID)
	if err != nil {
		return err
	}
	return g.Reenact(ctx, gameID, s.commands(snap.Ref, g.DB.Millis()))
}

// commands returns the story's commands for a game, timed so that the story ends now.
func (s *story) commands(ref game.Ref, now engine.Millis) []game.PastCommand {
	all := make([]game.PastCommand, len(s.told))
	for i, t := range s.told {
		all[i] = game.PastCommand{At: now - s.at + t.at, Command: t.command, Disturbed: t.disturbed,
			Actor: actorOf(ref, t.who)}
	}
	return all
}

func actorOf(ref game.Ref, who int) rights.Actor {
	switch who {
	case program:
		return rights.Actor{Role: rights.RoleProgram, Name: "training", Seat: -1}
	case colleague:
		return rights.Staff(rights.RoleReferee, Colleague)
	case umpire:
		return game.PracticeActor
	}
	return game.PracticePlayer(ref, who)
}
