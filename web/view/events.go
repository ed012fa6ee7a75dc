package view

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"

	"meldhall/templates"
	"meldhall/templates/locale"
	"meldhall/templates/part"
	"meldhall/templates/play"
	"meldhall/templates/public"
	"meldhall/tournament"
	"meldhall/tournament/housekeeping"
	"meldhall/tournament/organization"
	"meldhall/tournament/people"
	"meldhall/tournament/preset"
	"meldhall/tournament/rights"
	"meldhall/tournament/schedule"
)

// Logo returns the address of a tournament's logo, or "" if it has none.
func (s *Reader) Logo(ctx context.Context, tournamentID int64) (templ.SafeURL, error) {
	return Kept(ctx, s.Tournaments, tournamentID, "logo", func(ctx context.Context) (templ.SafeURL, error) {
		logo, found, err := housekeeping.LogoOf(ctx, s.Store, tournamentID)
		if !found {
			return "", err
		}
		return templates.LogoPath(tournamentID, logo.SHA256[:16]), nil
	})
}

// StateOf returns a tournament's state, as public pages show it. Until its first round begins it is planned.
func StateOf(t tournament.Tournament, rounds []tournament.Round) string {
	switch begun := func(r tournament.Round) bool {
		return r.Status == tournament.RoundRunning || r.Status == tournament.RoundFinished
	}; {
	case t.CancelledAt != 0:
		return part.StateCancelled
	case t.Status == tournament.StatusFinished:
		return part.StateEnded
	case slices.ContainsFunc(rounds, begun):
		return part.StateLive
	}
	return part.StatePlanned
}

// State returns a tournament's state, as StateOf does.
func (t *Tournaments) State(ctx context.Context, tournamentID int64) (string, error) {
	event, _, err := t.WithFormat(ctx, tournamentID)
	if err != nil {
		return "", err
	}
	rounds, err := t.Rounds(ctx, tournamentID)
	return StateOf(event, rounds), err
}

// Photos returns a tournament's photos, in order.
func (s *Reader) Photos(ctx context.Context, tournamentID int64) ([]public.Photo, error) {
	return Kept(ctx, s.Tournaments, tournamentID, "photos", func(ctx context.Context) ([]public.Photo, error) {
		all, err := housekeeping.Photos(ctx, s.Store, tournamentID)
		shown := make([]public.Photo, len(all))
		for i, p := range all {
			shown[i] = public.Photo{ID: p.ID, Caption: p.Caption, Width: p.Width, Height: p.Height,
				At: templates.PhotoPath(tournamentID, p.ID, p.SHA256[:16])}
		}
		return shown, err
	})
}

// EventRows returns the tournaments that the reader may see.
func (s *Reader) EventRows(ctx context.Context, reader rights.Actor) ([]public.EventRow, error) {
	all, err := tournament.Tournaments(ctx, s.Store)
	if err != nil {
		return nil, err
	}
	return s.RowsOf(ctx, reader, all)
}

// RowsOf returns the rows of a list of tournaments, without those that are hidden from the reader.
func (s *Reader) RowsOf(ctx context.Context, reader rights.Actor, all []tournament.Tournament) ([]public.EventRow,
	error) {
	hosts, err := organization.ByNumber(ctx, s.Store)
	if err != nil {
		return nil, err
	}
	all = VisibleTo(reader, all)
	rows := make([]public.EventRow, len(all))
	for i, t := range all {
		sight, err := s.Sights.Of(ctx, reader, t.ID)
		if err != nil {
			return nil, err
		}
		listed, err := s.Tournaments.ListedAt(ctx, t.ID, sight.Standings)
		if err != nil {
			return nil, err
		}
		rounds, err := s.Tournaments.Rounds(ctx, t.ID)
		if err != nil {
			return nil, err
		}
		rows[i] = newEventRow(ctx, t, listed, rounds)
		rows[i].State = StateOf(t, rounds)
		rows[i].When = whenOf(t, rows[i].State, s.Store.Now())
		rows[i].Host, rows[i].Foreign = hosts[t.OrganizationID].Name, !reader.Serves(t.ID)
		if t.Status == tournament.StatusDraft {
			in, err := people.RegistrationOf(ctx, s.Store, t.ID)
			if err != nil {
				return nil, err
			}
			slots, err := schedule.Slots(ctx, s.Store, t.ID)
			if err != nil {
				return nil, err
			}
			if rows[i].Register = in.Open; len(slots) > 0 {
				rows[i].Begins = slots[0].StartsAt
			}
		}
	}
	return rows, nil
}

func newEventRow(ctx context.Context, t tournament.Tournament, listed Listed,
	rounds []tournament.Round) public.EventRow {
	row := public.EventRow{ID: t.ID, Name: t.Name, Place: t.Place, Status: t.Status, Players: listed.Players,
		Zone: t.Zone(), Cancelled: t.CancelledAt != 0, Colour: t.Colour}
	if first, last, ok := t.Days(); ok {
		row.Days = locale.Days(ctx, first, last)
	}
	if round, ok := CurrentRound(rounds); ok && t.Status == tournament.StatusRunning {
		row.Now = NowWords(ctx, listed.Stages, round)
	}
	if row.Leaders = listed.First; len(listed.First) > leadersMost {
		row.Leaders, row.Leader = nil, locale.T(ctx, "event.players", "n", len(listed.First))
		return row
	}
	names := make([]string, len(listed.First))
	for i, p := range listed.First {
		names[i] = p.Name
	}
	row.Leader = strings.Join(names, ", ")
	return row
}

// leadersMost is the largest number of leaders that a list names.
const leadersMost = 3

// whenOf returns where the home page lists a tournament at a moment. One that has begun belongs to today until it ends.
func whenOf(t tournament.Tournament, state string, now time.Time) public.When {
	today := now.In(t.Zone()).Format(time.DateOnly)
	when := public.When{Day: t.FirstDay, Year: time.UnixMilli(int64(t.CreatedAt)).In(t.Zone()).Year()}
	if first, last, ok := t.Days(); ok {
		when.Year = last.Year()
		when.Today = first.Format(time.DateOnly) <= today && today <= last.Format(time.DateOnly)
		when.Coming = first.Format(time.DateOnly) > today
	} else {
		when.Coming = state == part.StatePlanned
	}
	switch state {
	case part.StateLive:
		when.Today = true
	case part.StateEnded:
		when.Today, when.Coming = false, false
	}
	return when
}

// RuleChoices returns the shipped rule sets as choices of a form.
func RuleChoices(ctx context.Context, presets preset.Library) []play.Choice {
	var choices []play.Choice
	for _, name := range preset.UsualFirst(presets.Rules) {
		choices = append(choices, play.Choice{Value: name, Name: TextOr(ctx, "rules."+name, name),
			Text: TextOr(ctx, "rules."+name+".text", "")})
	}
	return choices
}
