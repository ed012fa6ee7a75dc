package public

import (
	"context"
	"fmt"
	"strconv"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/engine/score"
	"meldhall/templates"
	"meldhall/templates/locale"
	"meldhall/templates/public"
	"meldhall/tournament/game/record"
	"meldhall/tournament/past"
)

// metMost is the largest number of players for which a table of all meetings is shown. That table has two cells for
// each pair.
const metMost = 100

func (p *PastPages) crosstablePage(c *gin.Context) error {
	return p.page(c, "crosstable", titled("past.crosstable"),
		func(ctx context.Context, s seen) (templ.Component, error) {
			return public.CrosstableRegion(s.crossView(ctx)), nil
		})
}

func (s seen) crossView(ctx context.Context) public.CrossView {
	view := public.CrossView{Event: s.tournamentID, Note: s.note, Most: metMost, Met: len(s.Rows) <= metMost}
	parts := s.Parts()
	byRound := past.Sums(s.Past, func(r past.Round) int { return r.Number })
	byPart := past.Sums(s.Past, func(r past.Round) past.Part { return past.PartOf(r.Round) })
	all := past.Sums(s.Past, func(past.Round) bool { return true })
	if len(all) == 0 {
		return view
	}
	var cells []func(player int64) past.Sum
	for _, part := range parts {
		for _, r := range s.Rounds {
			if past.PartOf(r.Round) != part {
				continue
			}
			view.Columns = append(view.Columns, public.CrossColumn{Title: locale.T(ctx, "past.round_short",
				"number", r.Number), Round: r.Number,
				At: templates.PastRoundPath(s.tournamentID, r.ID), Charged: s.Lowest(part.Stage)})
			cells = append(cells, func(player int64) past.Sum { return byRound[player][r.Number] })
		}
		if len(parts) > 1 {
			view.Columns = append(view.Columns, public.CrossColumn{Title: s.partName(ctx, part),
				Charged: s.Lowest(part.Stage)})
			cells = append(cells, func(player int64) past.Sum { return byPart[player][part] })
		}
	}
	met := s.Meetings()
	for i, r := range s.Rows {
		row := public.CrossRow{PastName: nameOf(r), Rank: s.rank(i), Charged: s.Lowest(r.Stage),
			Games: all[r.Player][true].Games, Sum: scoreOf(all[r.Player][true])}
		for _, cell := range cells {
			row.Cells = append(row.Cells, scoreOf(cell(r.Player)))
		}
		for _, o := range s.Rows {
			if view.Met {
				m := met[[2]int64{r.Player, o.Player}]
				row.Against = append(row.Against, public.Opponent{PastName: public.PastName{ID: o.Player},
					Games: m.Games, Ahead: m.Ahead, Behind: m.Behind})
			}
		}
		view.Rows = append(view.Rows, row)
		if r.Provisional {
			view.Provisional++
		}
	}
	return view
}

func (p *PastPages) statisticsPage(c *gin.Context) error {
	return p.page(c, "statistics", titled("past.statistics"),
		func(ctx context.Context, s seen) (templ.Component, error) {
			courses, err := p.View.Records.Courses(ctx, s.tournamentID)
			if err != nil {
				return nil, err
			}
			return public.StatisticsRegion(s.statistics(ctx, courses)), nil
		})
}

// peak is the game with the highest value so far.
type peak struct {
	most int64
	game past.Played
	turn record.CourseTurn
}

func (p *peak) try(n int64, g past.Played, turn record.CourseTurn) {
	if n > p.most {
		*p = peak{n, g, turn}
	}
}

// statistics computes statistics from the games with a visible result. The course of a game is included only if its
// tiles are no longer secret and its log has no events that are too recent to be visible.
func (s seen) statistics(ctx context.Context, courses map[int64]record.Course) public.StatisticsView {
	view := public.StatisticsView{Event: s.tournamentID, Note: s.note,
		All: public.StatPart{Name: locale.T(ctx, "past.sum")}}
	parts := s.Parts()
	view.Parts = make([]public.StatPart, len(parts))
	at := map[past.Part]*public.StatPart{}
	for i, part := range parts {
		view.Parts[i].Name = s.partName(ctx, part)
		at[part] = &view.Parts[i]
	}
	for _, r := range s.Rounds {
		part := at[past.PartOf(r.Round)]
		part.Rounds, part.Tables = part.Rounds+1, part.Tables+len(r.Tables)
	}
	var longest, most, best peak
	s.Each(func(g past.Played) {
		if g.Annulled() {
			return
		}
		part := at[past.PartOf(g.Round.Round)]
		part.Games++
		for _, l := range counted(g.Result) {
			if !s.Lowest(g.Round.Stage) {
				best.try(int64(l.Points), g, record.CourseTurn{Seat: l.Seat})
			}
		}
		course, ok := courses[g.Game.ID]
		if !ok || course.Last >= s.sight.Results || s.sealed[g.Game.ID] {
			return
		}
		part.Told++
		part.Turns, part.TimeOuts, part.Penalties = part.Turns+course.Turns, part.TimeOuts+course.TimeOuts,
			part.Penalties+course.Penalties
		if course.Longest.Took >= 1000 {
			longest.try(int64(course.Longest.Took), g, course.Longest)
		}
		most.try(int64(course.Most.Laid), g, course.Most)
	})
	for i := range view.Parts {
		average(&view.Parts[i])
		addPart(&view.All, view.Parts[i])
	}
	average(&view.All)
	for _, p := range s.Input.Penalties {
		view.Points += p.Points
	}
	view.Records = s.records(ctx, longest, most, best)
	return view
}

func addPart(all *public.StatPart, p public.StatPart) {
	all.Rounds, all.Tables, all.Games, all.Told = all.Rounds+p.Rounds, all.Tables+p.Tables, all.Games+p.Games,
		all.Told+p.Told
	all.Turns, all.TimeOuts, all.Penalties = all.Turns+p.Turns, all.TimeOuts+p.TimeOuts, all.Penalties+p.Penalties
}

// average sets the average number of turns per game, rounded.
func average(p *public.StatPart) {
	if p.Told > 0 {
		p.Average = (p.Turns + p.Told/2) / p.Told
	}
}

func (s seen) records(ctx context.Context, longest, most, best peak) (records []public.StatRecord) {
	add := func(p peak, key, much string, turn int) {
		if p.most == 0 {
			return
		}
		seat := p.game.Table.Seats[min(p.turn.Seat, len(p.game.Table.Seats)-1)]
		name, standIn := s.Entry(seat, p.game.Round.Number, p.game.Game.Number)
		record := public.StatRecord{What: locale.T(ctx, key), Much: much,
			Who:   public.PastName{ID: seat.PlayerID, Name: name, StandIn: standIn},
			Where: locale.T(ctx, "stat.where", "round", p.game.Round.Number, "table", p.game.Table.Number)}
		if record.At = s.replay(p.game); record.At != "" && turn > 0 {
			record.At = templates.ReplayTurnPath(s.tournamentID, p.game.Game.ID, turn)
		}
		records = append(records, record)
	}
	add(longest, "stat.longest", duration(longest.most), longest.turn.Number)
	add(most, "stat.most", locale.T(ctx, "stat.tiles", "n", int(most.most)), most.turn.Number)
	add(best, "stat.best", locale.SignedPoints(ctx, score.Twelfth(best.most)), 0)
	return records
}

// duration formats milliseconds as minutes and seconds, such as 1:07.
func duration(millis int64) string {
	seconds := (millis + 500) / 1000
	return strconv.FormatInt(seconds/60, 10) + ":" + fmt.Sprintf("%02d", seconds%60)
}

// Cross returns the crosstable of a history, for use outside these pages.
func Cross(ctx context.Context, before past.Past) public.CrossView {
	return seen{Past: before, tournamentID: before.Tournament.ID}.crossView(ctx)
}
