package web

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/door"
	"meldhall/tournament/naming"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/web/frame"
	"meldhall/web/live"
	"meldhall/web/venue"
)

func (s *publicPages) leaderboardPage(c *gin.Context) error {
	event := frame.ID(c, "event")
	return s.showPublic(c, event, "nav.leaderboard", templates.LeaderboardPath(event), leaderboardKey(event), s.leaderboard(event))
}

func (s *publicPages) leaderboardLive(c *gin.Context) error {
	event := frame.ID(c, "event")
	return s.StreamPublic(c, event, leaderboardKey(event), s.leaderboard(event), append(live.Topics(event, door.TopicStandings), live.DeskTopic(event), live.FeaturedTopic(event))...)
}

func leaderboardKey(event int64) string { return "leaderboard " + strconv.FormatInt(event, 10) }

// leaderboard draws an event's standings.
func (s *publicPages) leaderboard(event int64) frame.PublicDraw {
	return func(ctx context.Context, reader rights.Actor) (templ.Component, error) {
		sight, err := s.SightOf(ctx, reader, event)
		if err != nil {
			return nil, err
		}
		rounds, err := s.Rounds(ctx, event)
		if err != nil {
			return nil, err
		}
		now, err := s.scores(ctx, event, rounds, sight.Standings)
		if err != nil {
			return nil, err
		}
		standings := now.standings
		view := newLeaderboard(ctx, standings, rounds, now.through)
		view.News, view.FromZero = venue.SeatNews(ctx, sight.Rounds(rounds)), venue.FromZero(ctx, standings.Stages, sight.Rounds(rounds))
		if round, ok := venue.CurrentRound(rounds); ok && !sight.AtTables().Round(round) {
			view.Seated = false
		}
		if view.Note, err = s.ShownNote(ctx, reader, event, tournament.PartPairing, tournament.PartStandings, tournament.PartResults); err != nil {
			return nil, err
		}
		view.Updated = now.updated
		if view.Face, err = s.face(ctx, reader, standings, rounds, sight); err != nil {
			return nil, err
		}
		view.Schedule, err = s.hasSchedule(ctx, event, sight)
		return templates.LeaderboardRegion(view), err
	}
}

// scores are an event's standings by what counts before a moment, who goes through by them, and when the newest result was entered.
type scores struct {
	standings tournament.Standings
	through   []int64
	updated   engine.Millis
}

func (s *views) scores(ctx context.Context, event int64, rounds []tournament.Round, at engine.Millis) (scores, error) {
	read := func(ctx context.Context) (now scores, err error) {
		if now.standings, err = s.Standings(ctx, event, at); err != nil {
			return now, err
		}
		cut, err := tournament.NextCutAt(ctx, s.Store, event, at)
		if err == nil && cut.Stage < len(now.standings.Stages) { // the first places at the end are no cut
			now.through = cut.Through()
		} else if err != nil && !errors.Is(err, refuse.ErrNotFound) {
			return now, err
		}
		now.updated, err = s.lastResult(ctx, rounds, at)
		return now, err
	}
	as, alike := naming.Alike(ctx, event)
	if at != tournament.Always || !alike {
		return read(ctx)
	}
	return venue.Kept(ctx, s.Venue, event, "scores "+as, read)
}

// hasSchedule tells whether an event's page of its plan says something.
func (s *views) hasSchedule(ctx context.Context, event int64, sight tournament.Sight) (bool, error) {
	slots, err := s.Slots(ctx, event)
	if err != nil || len(slots) > 0 {
		return len(slots) > 0, err
	}
	read := func(ctx context.Context) (bool, error) {
		promises, err := tournament.Promises(ctx, s.Store, event, sight)
		return len(promises) > 0, err
	}
	if sight != tournament.SeesAll {
		return read(ctx)
	}
	return venue.Kept(ctx, s.Venue, event, "promises", read)
}

// lastResult is when the newest result that counts before a moment was entered; 0 before the first.
func (s *views) lastResult(ctx context.Context, rounds []tournament.Round, at engine.Millis) (engine.Millis, error) {
	var last engine.Millis
	for _, r := range slices.Backward(rounds) {
		results, err := tournament.RoundResultsAt(ctx, s.Store, r.ID, at)
		if err != nil {
			return 0, err
		}
		for _, result := range results {
			last = max(last, result.At)
		}
		if last != 0 {
			break
		}
	}
	return last, nil
}

func newLeaderboard(ctx context.Context, standings tournament.Standings, rounds []tournament.Round, through []int64) templates.LeaderboardView {
	t := standings.Tournament
	view := templates.LeaderboardView{Event: t.ID, Name: t.Name, Place: t.Place, Status: t.Status}
	if view.Order = venue.OrderText(ctx, standings.Order); standings.Stage > 0 && view.Order != "" {
		view.Order = templates.T(ctx, "order.stages", "order", view.Order)
	}
	if round, ok := venue.CurrentRound(rounds); ok {
		view.Now = venue.NowWords(ctx, standings.Stages, round)
		view.Seated = round.Status == tournament.RoundPublished || round.Status == tournament.RoundRunning
	}
	if !venue.Played(standings) {
		return view
	}
	view.Rows, view.CutTie = venue.RankRows(ctx, standings, through), venue.CutTieWords(ctx, standings)
	for _, row := range view.Rows {
		if row.Provisional {
			view.Provisional++
		}
	}
	for _, title := range standings.Titles {
		view.Titles = append(view.Titles, templates.TitleRow{Division: title.Division, Names: rowNames(title.Champions)})
	}
	return view
}

func rowNames(rows []tournament.StandingsRow) []string {
	names := make([]string, len(rows))
	for i, r := range rows {
		names[i] = r.Name
	}
	return names
}

// whyPage explains an event's standings: what decides, in order, and what parts each two neighbours.
func (s *publicPages) whyPage(c *gin.Context) error {
	event := frame.ID(c, "event")
	ctx := s.Language(c)
	reader := s.Staff(c)
	sight, err := s.SightOf(ctx, reader, event)
	if err != nil {
		return err
	}
	standings, err := s.Standings(ctx, event, sight.Standings)
	if err != nil {
		return err
	}
	note, err := s.ShownNote(ctx, reader, event, tournament.PartStandings)
	if err != nil {
		return err
	}
	t := standings.Tournament
	view := templates.WhyView{Note: note, Page: s.NewPage(c, templates.T(ctx, "why.title")+" · "+t.Name, &t), Event: t.ID, Name: t.Name}
	for _, tie := range standings.Order {
		row := templates.TieRow{Name: templates.T(ctx, "tie."+tie)}
		for _, r := range standings.Rows { // of all stages, as they stand below
			if r.Reason.Key == tie {
				row.Parts++
			}
		}
		view.Order = append(view.Order, row)
	}
	if venue.Played(standings) {
		for i, r := range standings.Rows {
			view.Rows = append(view.Rows, templates.WhyRow{Player: r.Player, Rank: venue.RankText(standings.Rows, i), Name: r.Name, Why: venue.WhyText(ctx, standings.Rows, i), Provisional: r.Provisional})
			if r.Provisional {
				view.Provisional++
			}
		}
	}
	return s.Show(c, http.StatusOK, templates.WhyPage(view))
}
