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

// Rehearsals plays the rehearsals with one runner each. All state is in the database.
type Rehearsals struct {
	View     *view.Reader
	desk     *action.Desk
	hub      *live.Hub
	practice *Tables

	// How often a runner checks, how long its bots think about a turn on average, and how long the desk waits before
	// its next step.
	Look, Think, Desk time.Duration

	mu     sync.Mutex
	open   map[int64]bool
	closed bool
	played sync.WaitGroup
}

// NewRehearsals returns a Rehearsals without runners, which plays with the bots of the practice tables.
func NewRehearsals(v *view.Reader, desk *action.Desk, hub *live.Hub, practice *Tables) *Rehearsals {
	return &Rehearsals{View: v, desk: desk, hub: hub, practice: practice, Look: rehearsalLook, Think: rehearsalThink,
		Desk: rehearsalDesk, open: map[int64]bool{}}
}

// Play lets bots play a tournament until it is over, its time is up or the server stops.
func (r *Rehearsals) Play(tournamentID int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	// closed, already running, or played by another node
	if r.closed || r.open[tournamentID] || !r.View.Games.Owns(tournamentID) {
		return
	}
	r.open[tournamentID] = true
	run := &runner{rehearsals: r, tournamentID: tournamentID, acted: r.View.Store.Now()}
	r.played.Go(run.run)
}

// Wait prevents new rehearsals and waits until all have stopped.
func (r *Rehearsals) Wait() {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.played.Wait()
}

// runner plays one rehearsal.
type runner struct {
	rehearsals   *Rehearsals
	tournamentID int64
	acted        time.Time // when the desk last did something
	reported     time.Time // when the tablets last reported
	over         atomic.Bool
}

// organizer is the official as whom the program runs the desk of a rehearsal.
var organizer = rights.Staff(rights.RoleOrganizer, "rehearsal")

// PlayRehearsal lets bots play a rehearsal until it is over, its time is up or the server stops. In a training, bots do
// not play: it only makes the silent tablet report for the last time.
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
		again := r.over.Swap(true) // time is called twice, because a table may finish a step in between
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

// silence makes each tablet that falls silent in a training's dispute report for the last time.
func (r *runner) silence(ctx context.Context, t tournament.Tournament, rounds []tournament.Round) error {
	for _, round := range rounds {
		current, err := game.CurrentInRound(ctx, r.rehearsals.View.Store, round.ID)
		if err != nil {
			return err
		}
		for _, at := range current {
			dispute, _ := training.At(t, at.TableNumber)
			if !dispute.Silent {
				continue
			}
			snap, err := r.rehearsals.View.Games.Look(ctx, at.Game)
			if err != nil {
				return err
			}
			r.rehearsals.View.Presence.Reported(game.PracticePlayer(snap.Ref, dispute.Seat),
				live.DeviceReport{Agent: "bot", Build: r.rehearsals.View.Build, Charge: 100})
		}
	}
	return nil
}

// runDesk takes the desk's next step, some time after the previous one.
func (r *runner) runDesk(ctx context.Context, rounds []tournament.Round) error {
	if r.rehearsals.View.Store.Now().Sub(r.acted) < r.rehearsals.Desk {
		return nil
	}
	var last tournament.Round
	if len(rounds) > 0 {
		last = rounds[len(rounds)-1]
	}
	var err error
	switch last.Status {
	case tournament.RoundDraft:
		_, err = action.Do(ctx, r.rehearsals.desk, rehearsalOrganizer, draw.PublishRound{Round: last.ID})
	case tournament.RoundPublished, tournament.RoundRunning: // somebody may have started a table of it
		if last.StartedAt != 0 {
			return nil
		}
		_, err = action.Do(ctx, r.rehearsals.desk, rehearsalOrganizer, draw.StartRound{Round: last.ID})
	default:
		if _, err = action.Do(ctx, r.rehearsals.desk, rehearsalOrganizer,
			draw.PairRound{Tournament: r.tournamentID,
				PairingOptions: draw.PairingOptions{}}); errors.Is(err,
			&refuse.Error{Kind: refuse.KindConflict, Key: "err_cut_tied"}) {
			_, err = action.Do(ctx, r.rehearsals.desk, rehearsalOrganizer,
				ranking.DrawLot{Tournament: r.tournamentID})
		}
	}
	r.acted = r.rehearsals.View.Store.Now()
	return err
}

// tables takes the next step at each table of a round, in parallel.
func (r *runner) tables(ctx context.Context, t tournament.Tournament, round tournament.Round) error {
	current, err := game.CurrentInRound(ctx, r.rehearsals.View.Store, round.ID)
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
}

// due returns the next action in a game if one is due now, or nil.
func (r *runner) due(t tournament.Tournament, at game.CurrentGame, snap *game.Snapshot,
	now time.Time) func(context.Context) error {
	table := &table{tables: r.rehearsals.practice, game: at.Game}
	state := snap.State
	since := now.Sub(time.UnixMilli(int64(state.At)))
	switch {
	case state.Phase == engine.PhaseDealt && state.Paused == nil && since > r.rehearsals.Think/2:
		return func(ctx context.Context) error { return table.ready(ctx, snap, true) }
	case state.Phase == engine.PhasePlaying && state.Paused == nil &&
		now.Sub(time.UnixMilli(int64(state.Turn.Started))) > r.thinking(at, state.Turn.Number):
		return func(ctx context.Context) error { return table.move(ctx, snap) }
	case state.Phase == engine.PhaseOver && t.RehearsedBy == tournament.RehearsedAll && !at.Confirmed &&
		since > 2*r.rehearsals.Think:
		return func(ctx context.Context) error {
			_, err := action.Do(ctx, r.rehearsals.desk, rehearsalReferee,
				result.ConfirmResult{Game: at.Game, Rev: at.Rev})
			return err
		}
		return played.step(ctx)
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
