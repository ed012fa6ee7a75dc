package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"meldhall/cmd/internal/randomrulings"
	"meldhall/engine"
	"meldhall/engine/score"
	"meldhall/engine/tile"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
)

var (
	simReferee   = rights.Staff(rights.RoleReferee, "Referee")
	simOrganizer = rights.Staff(rights.RoleOrganizer, "Organizer")
)

// simAct is a person's act: a command at a table, or an action at the desk. It is sent until it is answered.
type simAct struct {
	name  string
	key   string
	game  int64 // 0 at the desk
	round int64 // round that it publishes, or 0
	who   rights.Actor
	do    func(p *simProcess) (game.Answer, error)

	answers  []game.Answer // answers that arrived
	refusals int           // refusals by the server, received or not
	done     int           // successes on the server, received or not
	unsure   bool          // some attempt got no answer
	settled  bool          // the person received an answer
	looks    int           // how often the desk has waited for it
}

// command sends a command to a game.
func (s *simulation) command(who rights.Actor, at int64, c engine.Command) {
	s.keys++
	a := &simAct{name: fmt.Sprintf("%T", c), key: fmt.Sprintf("sim-key-%d", s.keys), game: at, who: who}
	a.do = func(p *simProcess) (game.Answer, error) {
		return p.games.Submit(context.Background(), who, at, a.key, c)
	}
	s.acts = append(s.acts, a)
	s.send(a, 6)
}

// simDeed performs an action at the desk.
func simDeed[O any](s *simulation, name string, act1 action.ActionOf[O]) *simAct {
	a := &simAct{name: name, who: simOrganizer}
	a.do = func(p *simProcess) (game.Answer, error) {
		_, err := action.Do(context.Background(), p.desk, simOrganizer, act1)
		return game.Answer{}, err
	}
	s.acts = append(s.acts, a)
	s.send(a, 20)
	return a
}

// send sends an act over the network, and again if no answer arrives in time.
func (s *simulation) send(a *simAct, tries int) {
	if a.settled || tries == 0 || s.over {
		return
	}
	switch s.IntN(20) {
	case 0:
		s.count("request lost")
	case 1:
		s.count("request sent twice")
		s.later(s.soon(300), func() { s.arrive(a) })
		s.later(s.soon(12_000), func() { s.arrive(a) })
	case 2:
		s.count("request delayed")
		s.later(s.soon(8000), func() { s.arrive(a) })
	default:
		s.later(s.soon(80), func() { s.arrive(a) })
	}
	s.later(2*time.Second+s.soon(500), func() { s.send(a, tries-1) })
}

// arrive handles a request that has reached the server.
func (s *simulation) arrive(a *simAct) {
	p := s.server
	if p == nil || p.dead.Load() {
		return
	}
	armed := p.plan.arrives()
	answer, err := a.do(p)
	p.plan.spare(armed)
	var refused *engine.Refusal
	var not *refuse.Error
	switch {
	case p.dead.Load():
		a.unsure = true
		return
	case err == nil:
		a.done++
		s.tell(answer.Snapshot)
	case errors.As(err, &refused), errors.As(err, &not):
		a.refusals++
	case game.IsStorage(err):
		a.unsure = true
		s.count("answered that it cannot be written")
		return // the device retries
	default:
		s.broken("%s: %v", a.name, err)
		return
	}
	if s.IntN(16) == 0 {
		s.count("answer lost")
		return
	}
	a.settled = true
	if err == nil {
		a.answers = append(a.answers, answer)
		s.count("acts acknowledged")
	} else {
		s.count("acts refused")
	}
}

// play does the next thing at a table: usually a move of the player whose turn it is according to the table's tablet.
func (s *simulation) play(r *simReader) {
	if s.over || s.tables[r.table] != r {
		return
	}
	s.later(200*time.Millisecond+s.soon(2000), func() { s.play(r) })
	snap := r.shown()
	if snap == nil {
		return
	}
	state := snap.State
	player := func(seat int) rights.Actor { return game.PracticePlayer(snap.Ref, seat) }
	seat, turn := state.Turn.Seat, state.Turn.Number
	switch k := s.IntN(100); {
	case state.Paused != nil && k < 90: // all players see that the clock is stopped
		if state.Paused.ResumeAt == 0 && k < 50 {
			s.command(simReferee, snap.Ref.ID, engine.Resume{})
		}
	case state.Phase == engine.PhaseDealt && k < 90:
		for one := range state.Seats {
			if state.Ready[one] {
				continue
			}
			s.command(player(one), snap.Ref.ID, engine.Ready{Seat: one, Turn: turn})
		}
	case state.Phase != engine.PhasePlaying:
	case k < 6: // at the wrong time
		s.command(player((seat+1)%state.Seats), snap.Ref.ID,
			engine.Draw{Seat: (seat + 1) % state.Seats, Turn: turn - s.IntN(2)})
	case k < 10:
		s.command(simReferee, snap.Ref.ID, engine.CallTime{Grounds: engine.Grounds{Reason: "time"}})
	case k < 20:
		official := randomrulings.Official{Rand: s.Rand, Clock: true}
		for _, c := range official.Rulings(state) {
			s.command(simReferee, snap.Ref.ID, c)
		}
	case k < 24: // thinks until it is too late, or nearly
		s.later(time.Duration(18_000+s.IntN(5000))*time.Millisecond,
			func() { s.command(player(seat), snap.Ref.ID, s.move(state)) })
	case k < 85:
		s.command(player(seat), snap.Ref.ID, s.move(state))
	}
}

// move returns a move of the seat whose turn it is.
func (s *simulation) move(state engine.State) engine.Command {
	seat, turn := state.Turn.Seat, state.Turn.Number
	least := state.Rules.MeldPoints
	if state.Opened[seat] {
		least = 0
	}
	set := randomrulings.SetOf(tile.CountFaces(tile.FacesOf(state.Racks[seat])), least)
	switch {
	case set != nil && s.IntN(3) > 0:
		return engine.Play{Seat: seat, Turn: turn, Table: append(state.Table.Laid(),
			tile.LaidFaces{At: tile.SomewhereFree, Faces: set})}
	case len(state.Pool) == 0:
		return engine.Pass{Seat: seat, Turn: turn}
	}
	return engine.Draw{Seat: seat, Turn: turn}
}

// organize is the desk's periodic check of the hall: it confirms and corrects results, and starts the next round.
func (s *simulation) organize() {
	if s.over {
		return
	}
	s.later(300*time.Millisecond+s.soon(2000), s.organize)
	p := s.server
	if p == nil || p.dead.Load() || s.pending != nil && !s.pending.settled && s.pending.waits() {
		return
	}
	rounds, err := draw.Rounds(s.ctx, p.store, s.tournamentID)
	if err != nil {
		s.broken("rounds: %v", err)
		return
	}
	round := rounds[len(rounds)-1]
	switch round.Status {
	case tournament.RoundDraft:
		s.pending = simDeed(s, "publish", draw.PublishRound{Round: round.ID})
		s.pending.round = round.ID
	case tournament.RoundPublished:
		s.pending = simDeed(s, "start", draw.StartRound{Round: round.ID})
	case tournament.RoundRunning:
		s.sitDown(round.ID)
		s.decide(round.ID)
	case tournament.RoundFinished:
		if len(rounds) < 4 {
			s.pending = simDeed(s, "pair", draw.PairRound{Tournament: s.tournamentID,
				PairingOptions: draw.PairingOptions{Note: "again"}})
		}
	}
}

// waits reports whether the desk should keep waiting for an answer.
func (a *simAct) waits() bool {
	a.looks++
	return a.looks < 8
}

// decide confirms or corrects results of games that ended in a round.
func (s *simulation) decide(round int64) {
	results, err := result.RoundResults(s.ctx, s.server.store, round)
	if err != nil {
		s.broken("results: %v", err)
		return
	}
	ended := make([]int64, 0, len(results))
	for at := range results {
		ended = append(ended, at)
	}
	slices.Sort(ended)
	for _, at := range ended {
		r := results[at]
		switch k := s.IntN(10); {
		case !r.Confirmed() && k < 6:
			simDeed(s, "confirm", result.ConfirmResult{Game: at, Rev: r.Rev}).game = at
		case k == 6:
			s.correct(r)
		}
	}
}

// correct corrects a result by moving points from one player to another.
func (s *simulation) correct(r game.Result) {
	s.keys++
	c := result.CorrectResult{Game: r.GameID, Rev: r.Rev}
	c.Why, c.Lines = fmt.Sprintf("counted again, %d", s.keys), slices.Clone(r.Lines)
	from, to := s.IntN(len(c.Lines)), s.IntN(len(c.Lines))
	c.Lines[from].Points -= score.Whole(7)
	c.Lines[to].Points += score.Whole(7)
	a := simDeed(s, "correct", c)
	a.game, a.key = r.GameID, c.Why
	s.corrections[c.Why] = c.Lines
}
