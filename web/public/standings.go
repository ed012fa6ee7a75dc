package public

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates/locale"
	"meldhall/templates/public"
	"meldhall/tournament"
	"meldhall/tournament/displayname"
	"meldhall/tournament/ranking"
	"meldhall/tournament/refuse"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/web/page"
	"meldhall/web/view"
)

// Leaderboard returns a function that renders a tournament's standings.
func (s *Pages) Leaderboard(tournamentID int64) page.PublicDraw {
	return func(ctx context.Context, reader rights.Actor) (templ.Component, error) {
		sight, err := s.View.Sights.Of(ctx, reader, tournamentID)
		if err != nil {
			return nil, err
		}
		rounds, err := s.View.Tournaments.Rounds(ctx, tournamentID)
		if err != nil {
			return nil, err
		}
		now, err := s.views.scores(ctx, tournamentID, rounds, sight.Standings)
		if err != nil {
			return nil, err
		}
		standings := now.standings
		v := newLeaderboard(ctx, standings, rounds, now.through)
		v.News, v.FromZero = view.SeatNews(ctx, sight.Rounds(rounds)),
			view.FromZero(ctx, standings.Stages, sight.Rounds(rounds))
		if round, ok := view.CurrentRound(rounds); ok && !sight.AtTables().Round(round) {
			v.Seated = false
		}
		if v.Note, err = s.View.Sights.ShownNote(ctx, reader, tournamentID, tournament.PartPairing,
			tournament.PartStandings,
			tournament.PartResults); err != nil {
			return nil, err
		}
		v.Updated = now.updated
		if v.Face, err = s.face(ctx, reader, standings, rounds, sight); err != nil {
			return nil, err
		}
		v.Photos, err = s.View.Photos(ctx, tournamentID)
		return public.LeaderboardRegion(v), err
	}
}

// scores holds a tournament's standings by the results before a given time, the players who advance, and when the
// newest result was entered.
type scores struct {
	standings ranking.Standings
	through   []int64
	updated   engine.Millis
}

func (s *views) scores(ctx context.Context, tournamentID int64, rounds []tournament.Round, at engine.Millis) (scores,
	error) {
	read := func(ctx context.Context) (now scores, err error) {
		if now.standings, err = s.View.Tournaments.Standings(ctx, tournamentID, at); err != nil {
			return now, err
		}
		cut, err := ranking.NextCutAt(ctx, s.View.Store, tournamentID, at)
		if err == nil && cut.Stage < len(now.standings.Stages) { // the first places at the end are no cut
			now.through = cut.Through()
		} else if err != nil && !errors.Is(err, refuse.ErrNotFound) {
			return now, err
		}
		now.updated, err = s.lastResult(ctx, rounds, at)
		return now, err
	}
	as, alike := displayname.Alike(ctx, tournamentID)
	if at != tournament.Always || !alike {
		return read(ctx)
	}
	return view.Kept(ctx, s.View.Tournaments, tournamentID, "scores "+as, read)
}

// lastResult returns when the newest result before a given time was entered, or 0 before the first.
func (s *views) lastResult(ctx context.Context, rounds []tournament.Round, at engine.Millis) (engine.Millis, error) {
	var last engine.Millis
	for _, r := range slices.Backward(rounds) {
		results, err := result.RoundResultsAt(ctx, s.View.Store, r.ID, at)
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

func newLeaderboard(ctx context.Context, standings ranking.Standings, rounds []tournament.Round,
	through []int64) public.LeaderboardView {
	t := standings.Tournament
	v := public.LeaderboardView{Event: t.ID, State: view.StateOf(t, rounds)}
	if v.Order = view.OrderText(ctx, standings.Order); standings.Stage > 0 && v.Order != "" {
		v.Order = locale.T(ctx, "order.stages", "order", v.Order)
	}
	if round, ok := view.CurrentRound(rounds); ok && t.Status != tournament.StatusFinished {
		v.Now = view.NowWords(ctx, standings.Stages, round)
		v.Seated = round.Status == tournament.RoundPublished || round.Status == tournament.RoundRunning
	}
	if !view.Played(standings) {
		return v
	}
	v.Rows, v.CutTie = view.RankRows(ctx, standings, through), view.CutTieWords(ctx, standings)
	for _, row := range v.Rows {
		if row.Provisional {
			v.Provisional++
		}
	}
	for _, title := range standings.Titles {
		won := public.TitleRow{Division: title.Division}
		for i, row := range standings.Rows {
			champion := func(c ranking.StandingsRow) bool { return c.Player == row.Player }
			if slices.ContainsFunc(title.Champions, champion) {
				won.Who = append(won.Who, v.Rows[i])
			}
		}
		v.Titles = append(v.Titles, won)
	}
	return v
}

// whyPage explains a tournament's standings: the criteria in order, and what separates each pair of neighbours.
func (s *Pages) whyPage(c *gin.Context) error {
	tournamentID := page.ID(c, "event")
	ctx := s.Page.Request.Language(c)
	reader := s.Page.Request.Staff(c)
	sight, err := s.View.Sights.Of(ctx, reader, tournamentID)
	if err != nil {
		return err
	}
	standings, err := s.View.Tournaments.Standings(ctx, tournamentID, sight.Standings)
	if err != nil {
		return err
	}
	note, err := s.View.Sights.ShownNote(ctx, reader, tournamentID, tournament.PartStandings)
	if err != nil {
		return err
	}
	t := standings.Tournament
	v := public.WhyView{Note: note, Page: s.Page.NewPage(c, locale.T(ctx, "why.title")+" · "+t.Name, &t),
		Event: t.ID,
		Name:  t.Name}
	for _, tie := range standings.Order {
		row := public.TieRow{Name: locale.T(ctx, "tie."+tie)}
		for _, r := range standings.Rows { // of all stages, in displayed order
			if r.Reason.Key == tie {
				row.Parts++
			}
		}
		v.Order = append(v.Order, row)
	}
	if view.Played(standings) {
		for i, r := range standings.Rows {
			v.Rows = append(v.Rows, public.WhyRow{Player: r.Player, Rank: view.RankText(standings.Rows, i),
				Name: r.Name, Why: view.WhyText(ctx, standings.Rows, i), Provisional: r.Provisional})
			if r.Provisional {
				v.Provisional++
			}
		}
	}
	return s.Page.Show(c, http.StatusOK, public.WhyPage(v))
}
