package view

import (
	"context"
	"errors"
	"slices"

	"github.com/a-h/templ"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/templates/locale"
	"meldhall/templates/part"
	"meldhall/tournament"
	"meldhall/tournament/account"
	"meldhall/tournament/copies"
	"meldhall/tournament/draw"
	"meldhall/tournament/refuse"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
	"meldhall/web/live"
)

// Readiness reports whether everything is ready for the next round of a tournament, or for the round in progress.
type Readiness struct {
	Round  int          `json:"round" doc:"the round's number; 0: none is drawn"`
	Ready  bool         `json:"ready" doc:"no check has failed, and the event is not over"`
	Over   bool         `json:"over" doc:"the event is over, so nothing needs to be ready"`
	Checks []ReadyCheck `json:"checks"`
}

// ReadyCheck is the result of one check.
type ReadyCheck struct {
	Key   string   `json:"key" enum:"round,results,seats,tablets,batteries,versions,officials,protests,second,screens,disk,backup"`
	State string   `json:"state" enum:"good,wait,bad"`
	Text  string   `json:"text" doc:"in the reader's language"`
	Names []string `json:"names,omitempty" doc:"some of the people or things it concerns"`
	Link  string   `json:"link" doc:"the page to fix it on"`
}

// Thresholds of the checks.
const (
	officialWithin = engine.Millis(10 * 60_000)
	diskFew        = 500 << 20 // bytes; a day with 100 tables writes about 50 MB
	diskLow        = 2 << 30
	namesShown     = 6
)

// readying runs the checks one after the other.
type readying struct {
	View   *Reader
	ctx    context.Context
	t      tournament.Tournament
	rounds []tournament.Round
	out    Readiness
}

// Readiness checks everything that a round needs, for an official.
func (s *Reader) Readiness(ctx context.Context, actor rights.Actor, tournamentID int64) (Readiness, error) {
	if err := rights.Authorize(actor, rights.Place{Tournament: tournamentID}, rights.MaySeeDesk); err != nil {
		return Readiness{}, err
	}
	r := readying{View: s, ctx: ctx}
	var err error
	if r.t, err = tournament.TournamentByID(ctx, s.Store, tournamentID); err != nil {
		return Readiness{}, err
	}
	if r.rounds, err = draw.Rounds(ctx, s.Store, tournamentID); err != nil {
		return Readiness{}, err
	}
	looks := []func() error{r.round, r.results, r.tablets, r.officials, r.protests, r.second, r.disk, r.backup}
	if actor.Organization != 0 { // only administrators see the machine and its copies
		looks = looks[:len(looks)-2]
	}
	if r.out.Over = r.t.Status == tournament.StatusFinished; r.out.Over {
		looks = []func() error{r.round, r.results, r.protests, r.second}
	}
	for _, look := range looks {
		if err := look(); err != nil {
			return Readiness{}, err
		}
	}
	worst := []string{"bad", "wait", "good"}
	slices.SortStableFunc(r.out.Checks, func(a, b ReadyCheck) int {
		return slices.Index(worst,
			a.State) - slices.Index(worst, b.State)
	})
	r.out.Ready = !r.out.Over && !slices.ContainsFunc(r.out.Checks, func(c ReadyCheck) bool { return c.State == "bad" })
	return r.out, nil
}

// say adds the result of a check. Its text is ready.<key>.<word>.
func (r *readying) say(key, state, word string, link templ.SafeURL, names []string, nameValues ...any) {
	if n := len(names); n > namesShown {
		names = append(slices.Clone(names[:namesShown]), locale.T(r.ctx, "ready.more", "n", n-namesShown))
	}
	r.out.Checks = append(r.out.Checks, ReadyCheck{Key: key, State: state,
		Text: locale.T(r.ctx, "ready."+key+"."+word, nameValues...), Names: names, Link: string(link)})
}

func (r *readying) round() error {
	desk := templates.DeskPath(r.t.ID)
	if len(r.rounds) == 0 {
		r.say("round", "bad", "none", desk, nil, "number", 1)
		return nil
	}
	last := r.rounds[len(r.rounds)-1]
	r.out.Round = last.Number
	link := templates.RoundPath(r.t.ID, last.ID)
	switch {
	case last.Status == tournament.RoundDraft:
		r.say("round", "bad", "draft", link, nil, "number", last.Number)
	case r.out.Over:
		r.say("round", "good", "over", link, nil, "number", last.Number)
	case last.Status == tournament.RoundFinished:
		r.say("round", "bad", "none", desk, nil, "number", last.Number+1)
	default:
		return r.published(last, link)
	}
	return nil
}

// results checks whether all results of the previous rounds are confirmed.
func (r *readying) results() error {
	counts, err := tournament.RoundCounts(r.ctx, r.View.Store, r.t.ID)
	if err != nil {
		return err
	}
	open := 0
	for _, round := range r.rounds {
		if round.Number >= r.out.Round || round.Status == tournament.RoundFinished {
			continue
		}
		n := counts[round.ID]
		open += n.Finished + n.Running + n.Waiting
	}
	state, word := goodIf(open == 0)
	r.say("results", state, word, templates.ResultsPath(r.t.ID), nil, "n", open)
	return nil
}

// published adds the check of a published round. It lists the players without any sign that they are in the hall: not
// checked in, no tablet, no game played.
func (r *readying) published(round tournament.Round, link templ.SafeURL) error {
	absent, err := tournament.Absent(r.ctx, r.View.Store, r.t.ID)
	if err != nil {
		return err
	}
	if len(absent) == 0 {
		r.say("round", "good", "good", link, nil, "number", round.Number)
		return nil
	}
	players, err := tournament.Players(r.ctx, r.View.Store, r.t.ID)
	var names []string
	for _, p := range players {
		if absent[p.ID] {
			names = append(names, p.Name)
		}
	}
	r.say("round", "bad", "absent", templates.PeoplePath(r.t.ID), names, "number", round.Number, "n", len(names))
	return err
}

// goodIf returns the state and the word of a check that is good or bad.
func goodIf(good bool) (state, word string) {
	if good {
		return "good", "good"
	}
	return "bad", "bad"
}

// tablets checks the seats, their tablets, and the screens.
func (r *readying) tablets() error {
	hall, err := r.View.Devices(r.ctx, r.t)
	if err != nil {
		return err
	}
	var empty, gone, low, stale []string
	unknown, seated := 0, len(hall.Seats)
	hall.Seats = slices.DeleteFunc(hall.Seats,
		func(d SeatDevice) bool { return d.Real && !d.Whole && d.State == "none" })
	for _, d := range hall.Seats {
		switch {
		case d.State == "none":
			empty = append(empty, d.Player)
		case d.State != "here":
			gone = append(gone, d.Player)
		case d.Charge == nil:
			unknown++
		case *d.Charge < live.LowCharge && !d.Charging:
			low = append(low, d.Player)
		}
		if d.Stale {
			stale = append(stale, d.Player)
		}
	}
	switch {
	case len(hall.Seats) > 0:
		r.seats(hall, empty, gone, low, stale, unknown)
	case seated > 0:
		r.say("seats", "good", "real", templates.TilesPath(r.t.ID), nil)
	default: // without a seating, the check of the round reports it
	}
	state, word := "good", "good"
	switch {
	case hall.Screens == 0:
		word = "none"
	case hall.ScreensHere < hall.Screens:
		state, word = "wait", "bad"
	}
	r.say("screens", state, word, templates.DisplaysPath(r.t.ID), nil, "n", hall.ScreensHere, "of", hall.Screens)
	return nil
}

// seats adds the checks of the tablets. The lists name the players whose seat has no tablet, or whose tablet is
// offline, low on charge, or of another version. unknown is the number of tablets with an unknown charge.
func (r *readying) seats(hall HallDevices, empty, gone, low, stale []string, unknown int) {
	link, of := templates.DevicesPath(r.t.ID), len(hall.Seats)
	round := templates.DeskPath(r.t.ID)
	for _, one := range r.rounds {
		if one.Number == hall.Round {
			round = templates.RoundPath(r.t.ID, one.ID)
		}
	}
	state, word := goodIf(len(empty) == 0)
	r.say("seats", state, word, round, empty, "n", of-len(empty), "of", of)
	state, word = goodIf(len(gone) == 0)
	r.say("tablets", state, word, link, gone, "n", hall.Here, "of", of-len(empty))
	state, word = goodIf(len(low) == 0)
	if len(low) == 0 && unknown > 0 {
		word = "unknown"
	}
	r.say("batteries", state, word, link, low, "n", max(len(low), unknown))
	state, word = goodIf(len(stale) == 0)
	r.say("versions", state, word, link, stale, "n", len(stale))
}

// officials checks that a referee has recently used a signed-in device, and lists those who have.
func (r *readying) officials() error {
	whose := rights.Staff(rights.RoleOrganizer, "")
	whose.Organization = r.t.OrganizationID
	signed, err := account.Devices(r.ctx, r.View.Store, whose, 0)
	if err != nil {
		return err
	}
	var names []string
	now := engine.MillisOf(r.View.Store.Now())
	for _, d := range signed {
		if (d.Role == rights.RoleReferee || d.Role == rights.RoleHeadReferee) && now-d.SeenAt < officialWithin &&
			!slices.Contains(names, d.Name) {
			names = append(names, d.Name)
		}
	}
	state, word := goodIf(len(names) > 0)
	r.say("officials", state, word, templates.ZonesPath(r.t.ID), names, "n", len(names))
	return nil
}

func (r *readying) protests() error {
	all, err := result.TournamentProtests(r.ctx, r.View.Store, rights.Staff(rights.RoleReferee, ""), r.t.ID)
	if err != nil {
		return err
	}
	open := 0
	for _, p := range all {
		if p.Open() {
			open++
		}
	}
	state, word := goodIf(open == 0)
	r.say("protests", state, word, templates.ProtestsPath(r.t.ID), nil, "n", open)
	return nil
}

// second checks for disqualifications and corrections that wait for a second official.
func (r *readying) second() error {
	waiting, err := result.WaitingPenalties(r.ctx, r.View.Store, r.t.ID)
	if err != nil {
		return err
	}
	var names []string
	for _, p := range waiting {
		if p.Player.Name != "" {
			names = append(names, p.Player.Name)
		}
	}
	state, word := goodIf(len(waiting) == 0)
	r.say("second", state, word, templates.PenaltiesPath(r.t.ID), names, "n", len(waiting))
	return nil
}

func (r *readying) disk() error {
	free, known := store.DiskFree(r.View.Store.Folder())
	link := templates.ReadyPath(r.t.ID)
	gigabytes := float64(int64(float64(free)/(1<<30)*10)) / 10
	switch {
	case !known:
		r.say("disk", "wait", "unknown", link, nil)
	case free < diskFew:
		r.say("disk", "bad", "bad", link, nil, "free", gigabytes)
	case free < diskLow:
		r.say("disk", "wait", "bad", link, nil, "free", gigabytes)
	default:
		r.say("disk", "good", "good", link, nil, "free", gigabytes)
	}
	return nil
}

func (r *readying) backup() error {
	state, err := r.View.Copies.State(r.ctx)
	if err != nil {
		return err
	}
	minutes := int(state.Age / 60_000)
	switch mark := state.Mark(); {
	case state.Fault != nil:
		r.say("backup", mark, "fault", templates.CopiesPath, []string{r.View.CopiesState(r.ctx, state).Fault})
	case state.Last.At == 0:
		r.say("backup", mark, "none", templates.CopiesPath, nil)
	case mark != "good":
		r.say("backup", mark, "hours", templates.CopiesPath, nil, "n", minutes/60)
	default:
		r.say("backup", "good", "good", templates.CopiesPath, nil, "n", minutes)
	}
	return nil
}

// CopiesState describes the state of the database copies.
func (s *Reader) CopiesState(ctx context.Context, state copies.State) part.CopiesState {
	said := part.CopiesState{Mark: state.Mark(), At: state.Last.At, Bytes: state.Last.Bytes,
		Folder: state.Last.Folder, Whole: state.Whole}
	var fault *refuse.Error
	if errors.As(state.Fault, &fault) {
		said.Fault = locale.Tmap(ctx, fault.Key, fault.Args)
	}
	return said
}
