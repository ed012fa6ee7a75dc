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
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/schedule"
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
		standings, err := tournament.StandingsAt(ctx, s.Store, event, sight.Standings)
		if err != nil {
			return nil, err
		}
		rounds, err := tournament.Rounds(ctx, s.Store, event)
		if err != nil {
			return nil, err
		}
		var through []int64
		cut, err := tournament.NextCutAt(ctx, s.Store, event, sight.Standings)
		if err == nil && cut.Stage < len(standings.Stages) { // the first places at the end are no cut
			through = cut.Through()
		} else if err != nil && !errors.Is(err, refuse.ErrNotFound) {
			return nil, err
		}
		view := newLeaderboard(ctx, standings, rounds, through)
		view.News, view.FromZero = venue.SeatNews(ctx, sight.Rounds(rounds)), venue.FromZero(ctx, standings.Stages, sight.Rounds(rounds))
		if round, ok := venue.CurrentRound(rounds); ok && !sight.AtTables().Round(round) {
			view.Seated = false
		}
		if view.Note, err = s.ShownNote(ctx, reader, event, tournament.PartPairing, tournament.PartStandings, tournament.PartResults); err != nil {
			return nil, err
		}
		if view.Updated, err = s.lastResult(ctx, rounds, sight.Standings); err != nil {
			return nil, err
		}
		slots, err := schedule.Slots(ctx, s.Store, event)
		if err != nil {
			return nil, err
		}
		if view.Face, err = s.face(ctx, reader, standings, rounds, sight); err != nil {
			return nil, err
		}
		promises, err := tournament.Promises(ctx, s.Store, event, sight)
		view.Schedule = len(slots)+len(promises) > 0
		return templates.LeaderboardRegion(view), err
	}
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
	view.Rows = venue.RankRows(ctx, standings, through)
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
	standings, err := tournament.StandingsAt(ctx, s.Store, event, sight.Standings)
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
