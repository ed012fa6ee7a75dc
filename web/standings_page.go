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
	if view.Order = orderText(ctx, standings.Order); standings.Stage > 0 && view.Order != "" {
		view.Order = templates.T(ctx, "order.stages", "order", view.Order)
	}
	if round, ok := venue.CurrentRound(rounds); ok {
		view.Now = nowWords(ctx, standings.Stages, round)
		view.Seated = round.Status == tournament.RoundPublished || round.Status == tournament.RoundRunning
	}
	if !played(standings) {
		return view
	}
	view.Rows = rankRows(ctx, standings, through)
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

// rankRows are the lines of the standings, with the cut drawn where the next stage or the last one cuts.
func rankRows(ctx context.Context, standings tournament.Standings, through []int64) []templates.RankRow {
	rows := make([]templates.RankRow, len(standings.Rows))
	cutAt, charged := nextCutAt(standings), chargedStages(standings.Tournament, len(standings.Stages))
	for i, r := range standings.Rows {
		rows[i] = templates.RankRow{Player: r.Player, TablePoints: r.TablePoints, Carried: r.Carried, Rank: rankText(standings.Rows, i), Name: r.Name, Country: r.Country, Wins: r.Wins, Points: r.Points,
			Penalties: r.Penalties, Total: r.Total, Charged: charged[r.Stage], Disqualified: r.Disqualified,
			Games: r.Games, LastWins: r.LastWins, LastPoints: r.LastPoints, HasLast: r.LastPlayed, Move: r.Move, HasMove: r.HasMove,
			Provisional: r.Provisional, Withdrawn: r.Withdrawn, Through: slices.Contains(through, r.Player)}
		if standings.Stage > 0 {
			rows[i].Counts = venue.StageCounts(ctx, standings.Stages, r.Stage)
		}
		rows[i].Cut = i == cutAt || i > 0 && standings.Rows[i-1].Stage > r.Stage && !r.Disqualified
	}
	return rows
}

// chargedBy tells whether the points of a game by these rules are charges, of which nobody gains any.
func chargedBy(rules engine.Ruleset) bool { return rules.Points == engine.Penalty }

// chargedStages tells the same of each stage of an event.
func chargedStages(t tournament.Tournament, stages int) []bool {
	charged := make([]bool, max(stages, 1))
	for i := range charged {
		rules, err := t.RulesAt(i)
		charged[i] = err == nil && chargedBy(rules)
	}
	return charged
}

// nextCutAt is the row above which the next stage will cut; -1 when none comes.
func nextCutAt(standings tournament.Standings) int {
	next := standings.Stage + 1
	if next >= len(standings.Stages) || standings.Tournament.Status == tournament.StatusFinished {
		return -1
	}
	left := standings.Stages[next].Cut
	if standings.Stages[next].PerTable > 0 {
		return -1 // the line runs through every table
	}
	for i, r := range standings.Rows {
		if r.Stage < standings.Stage {
			return -1
		}
		if left == 0 {
			return i
		}
		if !r.Withdrawn && !r.Disqualified {
			left--
		}
	}
	return -1
}

// rankText is a place, with = for one that is shared.
func rankText(rows []tournament.StandingsRow, i int) string {
	text := strconv.Itoa(rows[i].Place)
	if i > 0 && rows[i-1].Place == rows[i].Place || i+1 < len(rows) && rows[i+1].Place == rows[i].Place {
		return "=" + text
	}
	return text
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
	if played(standings) {
		for i, r := range standings.Rows {
			view.Rows = append(view.Rows, templates.WhyRow{Player: r.Player, Rank: rankText(standings.Rows, i), Name: r.Name, Why: venue.WhyText(ctx, standings.Rows, i), Provisional: r.Provisional})
			if r.Provisional {
				view.Provisional++
			}
		}
	}
	return s.Show(c, http.StatusOK, templates.WhyPage(view))
}

// played tells whether any result counts.
func played(standings tournament.Standings) bool {
	for _, r := range standings.Rows {
		if r.Games > 0 {
			return true
		}
	}
	return false
}

// orderText is what decides, as a line: wins, then points.
func orderText(ctx context.Context, order []string) string {
	if len(order) == 0 {
		return ""
	}
	list := templates.T(ctx, "tie."+order[0])
	for _, tie := range order[1:] {
		list = templates.T(ctx, "order.then", "list", list, "next", templates.T(ctx, "tie."+tie))
	}
	return templates.T(ctx, "order.by", "list", list)
}
