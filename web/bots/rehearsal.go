package bots

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/game"
	"meldhall/tournament/ranking"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rehearsal"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/tournament/training"
	"meldhall/web/live"
	"meldhall/web/view"
)

// Pace of a rehearsal: how often its runner checks, how long its bots think about a turn on average, how long the desk
// waits before its next step, so that organizers can follow, and how often its tablets report.
const (
	rehearsalLook  = 200 * time.Millisecond
	rehearsalThink = 20 * time.Second / rehearsal.Speed
	rehearsalDesk  = 60 * time.Second / rehearsal.Speed
	rehearsalBeat  = 3 * time.Second
)

// Rehearsals plays the rehearsals with one runner each. All state is in the database.
type Rehearsals struct {
	View     *view.Reader
	door     *action.Desk
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
	return &Rehearsals{View: v, door: desk, hub: hub, practice: practice, Look: rehearsalLook, Think: rehearsalThink,
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
	beat         time.Time // when the tablets last reported
}

// The officials as whom the program acts in a rehearsal.
var (
	rehearsalOrganizer = rights.Staff(rights.RoleOrganizer, "rehearsal")
	rehearsalReferee   = rights.Staff(rights.RoleReferee, "rehearsal")
)

func (r *runner) run() {
	defer func() {
		r.rehearsals.mu.Lock()
		defer r.rehearsals.mu.Unlock()
		delete(r.rehearsals.open, r.tournamentID)
	}()
	defer func() {
		if p := recover(); p != nil {
			slog.Error("a rehearsal panicked", "event", r.tournamentID, "err", fmt.Sprint(p))
		}
	}()
	look := time.NewTicker(r.rehearsals.Look)
	defer look.Stop()
	for {
		on, err := r.step(context.Background())
		if err != nil && !errors.Is(err, refuse.ErrNotFound) {
			slog.Error("a rehearsal failed", "event", r.tournamentID, "err", err)
		}
		if !on {
			return
		}
		select {
		case <-r.rehearsals.hub.Closed():
			return
		case <-look.C:
		}
	}
}

// step takes the next step of a rehearsal; it returns false when the rehearsal is over.
func (r *runner) step(ctx context.Context) (on bool, err error) {
	if !r.rehearsals.View.Games.Owns(r.tournamentID) {
		return false, nil
	}
	t, err := tournament.TournamentByID(ctx, r.rehearsals.View.Store, r.tournamentID)
	if err != nil {
		return !errors.Is(err, refuse.ErrNotFound), err
	}
	rounds, err := draw.Rounds(ctx, r.rehearsals.View.Store, r.tournamentID)
	if err != nil {
		return true, err
	}
	if t.Trains() {
		return false, r.silence(ctx, t, rounds)
	}
	if !t.Rehearsing(engine.MillisOf(r.rehearsals.View.Store.Now())) {
		return false, rehearsal.End(ctx, r.rehearsals.View.Games, t.ID)
	}
	if t.RehearsedBy == tournament.RehearsedAll {
		if err := r.runDesk(ctx, rounds); err != nil {
			return true, err
		}
	}
	round, ok := view.CurrentRound(rounds)
	if !ok || round.Status == tournament.RoundFinished {
		return true, nil
	}
	return true, r.tables(ctx, t, round)
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
		_, err = action.Do(ctx, r.rehearsals.door, rehearsalOrganizer, draw.PublishRound{Round: last.ID})
	case tournament.RoundPublished, tournament.RoundRunning: // somebody may have started a table of it
		if last.StartedAt != 0 {
			return nil
		}
		_, err = action.Do(ctx, r.rehearsals.door, rehearsalOrganizer, draw.StartRound{Round: last.ID})
	default:
		if _, err = action.Do(ctx, r.rehearsals.door, rehearsalOrganizer,
			draw.PairRound{Tournament: r.tournamentID,
				PairingOptions: draw.PairingOptions{}}); errors.Is(err,
			&refuse.Error{Kind: refuse.KindConflict, Key: "err_cut_tied"}) {
			_, err = action.Do(ctx, r.rehearsals.door, rehearsalOrganizer,
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
	now := r.rehearsals.View.Store.Now()
	beat := now.Sub(r.beat) >= rehearsalBeat
	if beat {
		r.beat = now
	}
	var all sync.WaitGroup
	errs := make([]error, len(current))
	for i, at := range current {
		snap, err := r.rehearsals.View.Games.Look(ctx, at.Game)
		if err != nil {
			return err
		}
		if beat {
			r.hear(snap.Ref)
		}
		if do := r.due(t, at, snap, now); do != nil {
			all.Go(func() { errs[i] = do(ctx) })
		}
	}
	all.Wait()
	for _, err := range errs {
		var refusal *engine.Refusal
		var refused *refuse.Error
		if err != nil && !errors.As(err, &refusal) && !errors.As(err, &refused) { // an official was faster
			return err
		}
	}
	return nil
}

// hear makes the tablets of a table report their presence.
func (r *runner) hear(ref game.Ref) {
	for seat, player := range ref.Players {
		r.rehearsals.View.Presence.Reported(game.PracticePlayer(ref, seat), live.DeviceReport{
			Agent: "bot", Build: r.rehearsals.View.Build, Delay: 8 + int(player*13%40), Charge: 40 + int(player*7%60)})
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
			_, err := action.Do(ctx, r.rehearsals.door, rehearsalReferee,
				result.ConfirmResult{Game: at.Game, Rev: at.Rev})
			return err
		}
	}
	return nil
}

// thinking returns how long a bot takes for a turn; it varies between tables and turns.
func (r *runner) thinking(at game.CurrentGame, turn int) time.Duration {
	table := 60 + at.TableNumber*37%80 // percent
	this := 30 + (turn*29+at.TableNumber*11)%140
	return r.rehearsals.Think * time.Duration(table*this) / 10_000
}
