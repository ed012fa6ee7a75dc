package bots

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/draw"
	"meldhall/tournament/game"
	"meldhall/tournament/practice"
	"meldhall/tournament/rights"
	"meldhall/web/live"
	"meldhall/web/view"
)

// Pace is the pace of rehearsals: how often a loop checks its rehearsal, how long a bot thinks about a turn on average,
// how long the desk waits before its next step, so that organizers can follow, and how often the tablets report.
type Pace struct{ Look, Think, Desk, Report time.Duration }

var rehearsalPace = Pace{
	Look:   200 * time.Millisecond,
	Think:  20 * time.Second / practice.RehearsalSpeed,
	Desk:   60 * time.Second / practice.RehearsalSpeed,
	Report: 3 * time.Second,
}

// rehearsal runs one rehearsal.
type rehearsal struct {
	bots         *Bots
	tournamentID int64
	acted        time.Time // when the desk last did something
	reported     time.Time // when the tablets last reported
	over         atomic.Bool
}

// organizer is the actor with which the program runs the desk of a rehearsal.
var organizer = rights.Staff(rights.RoleOrganizer, "rehearsal")

// PlayRehearsal lets bots play a rehearsal until it is over, its time is up or the server stops. In a training, bots do
// not play: PlayRehearsal only makes the silent tablet report for the last time.
func (b *Bots) PlayRehearsal(tournamentID int64) {
	r := &rehearsal{bots: b, tournamentID: tournamentID, acted: b.view.Store.Now()}
	b.start(live.DeskTopic(tournamentID), tournamentID, r.step, func() { r.over.Store(true) })
}

// step takes the next step of the desk and starts the tables of the current round.
func (r *rehearsal) step(ctx context.Context) (wait time.Duration, over bool, err error) {
	db, now := r.bots.view.Store, r.bots.view.Store.Now()
	t, err := tournament.TournamentByID(ctx, db, r.tournamentID)
	if err != nil {
		return 0, false, err
	}
	pace := r.bots.Rehearsal
	if !t.Trains() && !t.Rehearsing(engine.MillisOf(now)) {
		again := r.over.Swap(true) // End is called twice: a table may begin just after the first call
		return pace.Look, again, practice.End(ctx, r.bots.view.Games, t.ID)
	}
	if t.RehearsedBy == tournament.RehearsedAll && now.Sub(r.acted) >= pace.Desk {
		playing, err := practice.Advance(ctx, r.bots.desk, organizer, t.ID)
		if !playing {
			r.acted = r.bots.view.Store.Now()
		}
		if err != nil {
			return 0, false, err
		}
	}
	rounds, err := draw.Rounds(ctx, db, t.ID)
	if err != nil {
		return 0, false, err
	}
	round, ok := view.CurrentRound(rounds)
	if !ok || round.Status == tournament.RoundFinished {
		return pace.Look, t.Trains(), nil
	}
	return pace.Look, t.Trains(), r.tables(ctx, t, round, now)
}

// tables lets bots play the current games of a round, and the tablets report from time to time.
func (r *rehearsal) tables(ctx context.Context, t tournament.Tournament, round tournament.Round, now time.Time) error {
	current, err := game.CurrentInRound(ctx, r.bots.view.Store, round.ID)
	if err != nil {
		return err
	}
	report := now.Sub(r.reported) >= r.bots.Rehearsal.Report
	if report {
		r.reported = now
	}
	for _, at := range current {
		snap, err := r.bots.view.Games.Look(ctx, at.Game)
		if errors.Is(err, game.ErrBroken) {
			continue // the other tables play on
		}
		if err != nil {
			return err
		}
		if t.Trains() {
			r.reportSilent(t, at, snap.Ref)
			continue
		}
		if table, ok, err := r.bots.view.Games.Sharing(ctx, snap); err != nil {
			return err
		} else if ok {
			if err := r.bots.devices.Serve(ctx, table); err != nil {
				return err
			}
		}
		if report {
			r.reportAll(snap.Ref)
		}
		if snap.State.Phase != engine.PhaseOver || t.RehearsedBy == tournament.RehearsedAll && !at.Confirmed {
			r.play(t, at)
		}
	}
	return nil
}

// play lets bots play a game until it or the rehearsal is over.
func (r *rehearsal) play(t tournament.Tournament, at game.CurrentGame) {
	pace := r.bots.Rehearsal
	played := &table{bots: r.bots, game: at.Game, look: pace.Think / 2, check: 2 * pace.Think,
		think: func(turn int) time.Duration { return pace.thinking(at.TableNumber, turn) }}
	if t.RehearsedBy == tournament.RehearsedAll {
		played.referee = practice.Referee
	}
	r.bots.start(live.GameTopic(at.Game), t.ID, func(ctx context.Context) (time.Duration, bool, error) {
		if r.over.Load() {
			return 0, true, nil
		}
		wait, over, err := played.step(ctx)
		return min(wait, retry), over, err
	}, func() {})
}

// thinking returns how long a bot takes for a turn; it varies between tables and turns.
func (p Pace) thinking(table, turn int) time.Duration {
	slow := 60 + table*37%80 // percent
	this := 30 + (turn*29+table*11)%140
	return p.Think * time.Duration(slow*this) / 10_000
}

// reportAll makes the tablets of a table report their presence.
func (r *rehearsal) reportAll(ref game.Ref) {
	for seat, player := range ref.Players {
		r.report(ref, seat, live.DeviceReport{Delay: 8 + int(player*13%40), Charge: 40 + int(player*7%60)})
	}
}

// reportSilent makes the tablet that falls silent in a training's dispute report for the last time.
func (r *rehearsal) reportSilent(t tournament.Tournament, at game.CurrentGame, ref game.Ref) {
	if dispute, _ := practice.DisputeAt(t, at.TableNumber); dispute.Silent {
		r.report(ref, dispute.Seat, live.DeviceReport{Charge: 100})
	}
}

func (r *rehearsal) report(ref game.Ref, seat int, d live.DeviceReport) {
	d.Agent, d.Build = "bot", r.bots.view.Build
	r.bots.view.Presence.Reported(game.PracticePlayer(ref, seat), d)
}
