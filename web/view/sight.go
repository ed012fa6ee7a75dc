package view

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"meldhall/engine"
	"meldhall/templates/locale"
	"meldhall/templates/public"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/game"
	"meldhall/tournament/game/record"
	"meldhall/tournament/refuse"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
	"meldhall/web/live"
)

// SeenGame is the part of a game that a reader may see, as decided by tournament.Publishing.
type SeenGame struct {
	Snap      *game.Snapshot
	Confirmed bool
	Late      bool // shown as of At, so its clocks would be wrong
	Moves     bool // changes with time alone
	At        engine.Millis
	NoResult  bool // its turns have ended, but its result is hidden
}

// Sights decides what an actor may see of tournaments and games, and reads that part.
type Sights struct {
	store       *store.DB
	games       *game.Games
	records     *record.Reader
	tournaments *Tournaments
	policies    *policies
	late        late
}

// Of returns what an actor may currently see of a tournament.
func (s *Sights) Of(ctx context.Context, actor rights.Actor, tournamentID int64) (tournament.Sight, error) {
	is, err := s.policies.of(ctx, tournamentID)
	return is.For(actor, tournamentID, s.store.Millis()), err
}

// AuthorizeEvent rejects an unpublished tournament for anyone but its officials, with the error for a missing
// tournament.
func (s *Sights) AuthorizeEvent(ctx context.Context, actor rights.Actor, tournamentID int64) error {
	t, _, err := s.tournaments.WithFormat(ctx, tournamentID)
	if err != nil || rights.Authorize(actor, rights.Place{Tournament: tournamentID}, rights.MaySeeDesk) == nil {
		return err
	}
	missing := refuse.NotFound("err_tournament_not_found", "id", tournamentID)
	if t.Rehearses != 0 {
		// a rehearsal outlives a tournament that was removed with its organization
		if t, _, err = s.tournaments.WithFormat(ctx, t.Rehearses); errors.Is(err, refuse.ErrNotFound) {
			return missing
		}
	}
	if err == nil && t.Unpublished() {
		err = missing
	}
	return err
}

// AuthorizeEntry is like AuthorizeEvent for the registration page, which is public while registration is open.
func (s *Sights) AuthorizeEntry(ctx context.Context, actor rights.Actor, tournamentID int64) error {
	if t, _, err := s.tournaments.WithFormat(ctx, tournamentID); err == nil && t.RegistrationOpen && t.Rehearses == 0 {
		return nil
	}
	return s.AuthorizeEvent(ctx, actor, tournamentID)
}

// VisibleTo returns the tournaments that are not hidden from the actor. all must not contain rehearsals.
func VisibleTo(actor rights.Actor, all []tournament.Tournament) []tournament.Tournament {
	return slices.DeleteFunc(slices.Clone(all), func(t tournament.Tournament) bool {
		return t.Unpublished() && rights.Authorize(actor, rights.Place{Tournament: t.ID}, rights.MaySeeDesk) != nil
	})
}

// authorizeGame is like AuthorizeEvent, with the error for a missing game.
func (s *Sights) authorizeGame(ctx context.Context, actor rights.Actor, snap *game.Snapshot) error {
	err := s.AuthorizeEvent(ctx, actor, snap.Ref.TournamentID)
	if errors.Is(err, refuse.ErrNotFound) {
		err = refuse.NotFound("err_game_not_found", "id", snap.Ref.ID)
	}
	return err
}

// Seen returns a game as an actor may see it. The error is Forbidden if nothing of it is shown, and NotFound if its
// tournament is unpublished.
func (s *Sights) Seen(ctx context.Context, actor rights.Actor, id int64) (SeenGame, error) {
	snap, confirmed, err := s.LookAt(ctx, id)
	if err != nil {
		return SeenGame{}, err
	}
	is, err := s.policies.of(ctx, snap.Ref.TournamentID)
	sight := is.ForGame(actor, snap.Ref, s.store.Millis())
	if err != nil || sight == tournament.SeesAll {
		return SeenGame{Snap: snap, Confirmed: confirmed, At: tournament.Always}, err
	}
	if err := s.authorizeGame(ctx, actor, snap); err != nil {
		return SeenGame{}, err
	}
	if err := s.authorizeRound(ctx, sight.AtTables(), snap.Ref.RoundID); err != nil {
		return SeenGame{}, err
	}
	seen := SeenGame{Late: sight.Tables != tournament.Always, Moves: is.Delayed(), At: sight.Tables}
	if seen.Snap, err = s.games.LookBack(ctx, id, sight.Tables); err != nil {
		return seen, err
	}
	if seen.Confirmed, seen.NoResult, err = s.resultSeen(ctx, seen.Snap, sight); seen.NoResult {
		seen.At = 0
	}
	return seen, err
}

func (s *Sights) authorizeRound(ctx context.Context, sight tournament.Sight, id int64) error {
	round, err := draw.RoundByID(ctx, s.store, id)
	if err == nil && !sight.Round(round) {
		err = refuse.Forbidden("err_held_back")
	}
	return err
}

// resultSeen reports whether the result of a game is confirmed, and whether it is hidden (held). A hidden result is not
// reported as confirmed, and both are false before the turns have ended. If the game was replayed or recounted after
// sight.Results, its end differs from the result that counted then.
func (s *Sights) resultSeen(ctx context.Context, snap *game.Snapshot, sight tournament.Sight) (confirmed, held bool,
	err error) {
	if snap.State.Phase != engine.PhaseOver && snap.State.Ending == "" {
		return false, false, nil
	}
	res, err := result.LatestResultAt(ctx, s.store, snap.Ref.ID, sight.Results)
	if errors.Is(err, refuse.ErrNotFound) {
		return false, sight.Results != tournament.Always, nil
	}
	held = snap.State.At >= sight.Results
	return res.Confirmed() && !held, held, err
}

// AuthorizeEnded rejects an actor who may not see a game's result, and therefore not its turns either. Otherwise it
// returns the moment before which results count.
func (s *Sights) AuthorizeEnded(ctx context.Context, actor rights.Actor, id int64) (engine.Millis, error) {
	snap, err := s.games.Look(ctx, id)
	if err != nil {
		return 0, err
	}
	is, err := s.policies.of(ctx, snap.Ref.TournamentID)
	sight := is.ForGame(actor, snap.Ref, s.store.Millis())
	if err != nil || sight == tournament.SeesAll {
		return tournament.Always, err
	}
	if err := s.authorizeGame(ctx, actor, snap); err != nil {
		return 0, err
	}
	if err := s.authorizeRound(ctx, sight, snap.Ref.RoundID); err != nil {
		return 0, err
	}
	confirmed, _, err := s.resultSeen(ctx, snap, sight)
	if err == nil && !confirmed {
		err = refuse.Forbidden("err_held_back")
	}
	return sight.Results, err
}

// View returns the view of a game for a viewer, without its hidden parts.
func (s *Sights) View(ctx context.Context, seen SeenGame, viewer int) (engine.View, error) {
	view, err := s.games.Seals.Shown(ctx, seen.Snap, viewer)
	view.Now = engine.MillisOf(s.store.Now())
	return seen.Trim(view), err
}

// Trim removes hidden parts and wrong clocks from a view.
func (g SeenGame) Trim(view engine.View) engine.View {
	if g.NoResult {
		return view.Closed()
	}
	if g.Late {
		view.Turn.Due, view.Paused = 0, nil
	}
	return view
}

// TurnsSeen returns the turns of a game that ended before a moment.
func (s *Sights) TurnsSeen(ctx context.Context, id int64, at engine.Millis) ([]record.PublicTurn, error) {
	turns, err := s.records.Turns(ctx, id)
	if n := slices.IndexFunc(turns, func(t record.PublicTurn) bool { return t.At >= at }); n >= 0 {
		turns = turns[:n:n]
	}
	return turns, err
}

// ShownNote describes which of the given parts of a tournament are held back; officials learn what the public sees.
func (s *Sights) ShownNote(ctx context.Context, reader rights.Actor, tournamentID int64,
	parts ...string) (public.ShownNote, error) {
	is, err := s.policies.of(ctx, tournamentID)
	if err != nil {
		return public.ShownNote{}, err
	}
	note := public.ShownNote{Official: rights.Authorize(reader, rights.Place{Tournament: tournamentID},
		rights.MaySeeDesk) == nil, Event: tournamentID}
	current := is.Effective(s.store.Millis())
	for _, part := range parts {
		if shown := *current.Of(part); shown.How != tournament.ShownPublic {
			note.Lines = append(note.Lines, locale.T(ctx, "publish.told", "part", locale.T(ctx, "publish.part."+part),
				"how", HowWords(ctx, shown)))
		}
	}
	if is.Delayed() && !note.Official {
		s.Late(append(live.Topics(tournamentID, action.TopicStandings, action.TopicSeats),
			live.TournamentTopic(tournamentID), live.DeskTopic(tournamentID))...)
	}
	return note, nil
}

// HowWords describes how something is shown.
func HowWords(ctx context.Context, shown tournament.Showing) string {
	return locale.T(ctx, "publish.is."+shown.How, "n", shown.Minutes, "time", momentWords(ctx, shown.Since))
}

// momentWords formats a moment: the time if it was recent, otherwise the day and time.
func momentWords(ctx context.Context, at engine.Millis) string {
	t := time.UnixMilli(int64(at))
	if time.Since(t) > 20*time.Hour {
		return locale.DayTime(ctx, t)
	}
	return locale.MinuteTime(ctx, at)
}

// Late wakes the watchers of the topics again later, because their contents are shown with a delay.
func (s *Sights) Late(topics ...live.Topic) { s.late.wake(topics...) }

// policies caches how tournaments are shown, so that thousands of simultaneous readers cost one query.
type policies struct {
	store  *store.DB
	mu     sync.Mutex
	events map[int64]tournament.Publishing
}

func (p *policies) of(ctx context.Context, tournamentID int64) (tournament.Publishing, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if is, ok := p.events[tournamentID]; ok {
		return is, nil
	}
	is, _, err := tournament.PublishingOf(context.WithoutCancel(ctx), p.store, tournamentID)
	if err != nil {
		return is, err
	}
	if p.events == nil || len(p.events) >= keptMost {
		p.events = map[int64]tournament.Publishing{}
	}
	p.events[tournamentID] = is
	return is, nil
}

// forget drops a tournament's cached policy.
func (p *policies) forget(tournamentID int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.events, tournamentID)
}

// late wakes the watchers of delayed contents, which change with time alone. Rendering such contents requests the next
// wake, so that nothing is woken without viewers.
type late struct {
	hub     func(...live.Topic)
	mu      sync.Mutex
	pending map[live.Topic]bool
}

// lateLook is the interval at which delayed contents are rendered again.
const lateLook = 5 * time.Second

func (l *late) wake(topics ...live.Topic) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, topic := range topics {
		if l.pending[topic] {
			continue
		}
		if l.pending == nil {
			l.pending = map[live.Topic]bool{}
		}
		l.pending[topic] = true
		time.AfterFunc(lateLook, func() {
			l.mu.Lock()
			delete(l.pending, topic)
			l.mu.Unlock()
			l.hub(topic)
		})
	}
}

// LookAt returns a game, and whether its result is confirmed.
func (s *Sights) LookAt(ctx context.Context, game int64) (*game.Snapshot, bool, error) {
	snap, err := s.games.Look(ctx, game)
	if err != nil || snap.State.Phase != engine.PhaseOver {
		return snap, false, err
	}
	res, err := result.LatestResult(ctx, s.store, game)
	if errors.Is(err, refuse.ErrNotFound) {
		return snap, false, nil
	}
	return snap, res.Status == "confirmed", err
}
