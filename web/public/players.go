package public

import (
	"context"
	"slices"
	"strconv"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/templates/locale"
	"meldhall/templates/public"
	"meldhall/tournament"
	"meldhall/tournament/game"
	"meldhall/tournament/past"
	"meldhall/tournament/ranking"
	"meldhall/tournament/refuse"
	"meldhall/web/page"
)

func (p *PastPages) playersPage(c *gin.Context) error {
	return p.page(c, "players", titled("past.players"), func(ctx context.Context, s seen) (templ.Component, error) {
		view := public.PlayersView{Event: s.tournamentID, Note: s.note}
		for i := range s.Rows {
			view.Rows = append(view.Rows, s.playersRow(i))
		}
		order := locale.NameOrder(ctx)
		slices.SortStableFunc(view.Rows, func(a, b public.PlayersRow) int { return order(a.Name, b.Name) })
		return public.PlayersRegion(view), nil
	})
}

func (s seen) playersRow(i int) public.PlayersRow {
	r := s.Rows[i]
	return public.PlayersRow{PastName: nameOf(r), Club: r.Club, Rank: s.rank(i), Withdrawn: r.Withdrawn,
		Disqualified: r.Disqualified}
}

func nameOf(r ranking.StandingsRow) public.PastName {
	return public.PastName{ID: r.Player, Name: r.Name, Country: r.Country}
}

// playerPage shows a player and, with ?with=, the meetings with another player.
func (p *PastPages) playerPage(c *gin.Context) error {
	id := page.ID(c, "player")
	player, err := tournament.PlayerByID(p.Page.Request.Language(c), p.View.Store, id)
	if err != nil {
		return err
	}
	missing := refuse.NotFound("err_player_not_found", "id", id)
	if player.TournamentID != page.ID(c, "event") {
		return missing
	}
	with, err := page.Optional(c.Query, "with") // 0: no opponent
	if err != nil {
		return err
	}
	key := "player " + strconv.FormatInt(id, 10)
	if with != 0 {
		key = ""
	}
	title := func(context.Context) string { return player.Name }
	return p.page(c, key, title, func(ctx context.Context, s seen) (templ.Component, error) {
		i := slices.IndexFunc(s.Rows, func(r ranking.StandingsRow) bool { return r.Player == id })
		if i < 0 {
			return nil, missing
		}
		return public.PastPlayerRegion(s.playerView(ctx, i, with)), nil
	})
}

func (s seen) playerView(ctx context.Context, i int, with int64) public.PastPlayerView {
	row := s.Rows[i]
	id, charged := row.Player, s.Lowest(row.Stage)
	view := public.PastPlayerView{Event: s.tournamentID, Note: s.note, PlayersRow: s.playersRow(i), Charged: charged,
		Of: len(s.Rows)}
	view.Total = locale.PointsText(ctx, row.Total, charged)
	var all past.Sum
	for _, g := range s.Games(id) {
		all.Add(g)
	}
	view.Rounds = s.playerRounds(id)
	view.Sum, view.Played = scoreOf(all), all.Games
	for _, place := range s.Places(id) {
		view.Places = append(view.Places, public.PlacePoint(place))
	}
	sums := past.Sums(s.Past, func(r past.Round) past.Part { return past.PartOf(r.Round) })[id]
	for _, part := range s.Parts() {
		if sum := sums[part]; sum.Games > 0 {
			view.Parts = append(view.Parts, public.PartSum{Name: s.partName(ctx, part), Games: sum.Games,
				Charged: s.Lowest(part.Stage), PastScore: scoreOf(sum)})
		}
	}
	met := s.Meetings()
	for _, r := range s.Rows {
		if r.Player == id {
			continue
		}
		m := met[[2]int64{id, r.Player}]
		other := public.Opponent{PastName: nameOf(r), Games: m.Games, Ahead: m.Ahead, Behind: m.Behind}
		view.Others = append(view.Others, other)
		if r.Player == with {
			view.With = s.versus(id, other)
		}
	}
	order := locale.NameOrder(ctx)
	slices.SortStableFunc(view.Others, func(a, b public.Opponent) int { return order(a.Name, b.Name) })
	return view
}

// playerRounds returns a player's rounds, the latest first.
func (s seen) playerRounds(id int64) (rounds []public.PlayerRound) {
	sums := map[int64]*past.Sum{} // by round
	for _, g := range s.Games(id) {
		if sums[g.Round.ID] == nil {
			sums[g.Round.ID] = &past.Sum{}
			rounds = append(rounds, public.PlayerRound{})
		}
		sums[g.Round.ID].Add(g)
		last := &rounds[len(rounds)-1]
		last.Games, last.Sum = append(last.Games, s.playerGame(g)), scoreOf(*sums[g.Round.ID])
	}
	slices.Reverse(rounds)
	return rounds
}

// placeIn returns the place of a result's line by points: the lowest charge or the highest gain is first.
func (s seen) placeIn(g past.Played) int {
	place := 1
	for _, l := range g.Result.Lines {
		if better := l.Points > g.Line.Points; l.Points != g.Line.Points && better != s.Lowest(g.Round.Stage) {
			place++
		}
	}
	return place
}

// versus returns the meetings between a player and another.
func (s seen) versus(id int64, other public.Opponent) *public.Versus {
	v := &public.Versus{Opponent: other}
	games, theirs := s.Between(id, other.ID)
	for i, g := range slices.Backward(games) {
		line := s.playerGame(g)
		line.Theirs = public.PastScore{Known: !g.Annulled(), Wins: theirs[i].Wins, Points: theirs[i].Points}
		v.Lines = append(v.Lines, line)
	}
	return v
}

// playerGame describes a game from the point of view of one of its players.
func (s seen) playerGame(g past.Played) public.PlayerGame {
	view := public.PlayerGame{Round: g.Round.Number, Table: g.Table.Number, Number: g.Game.Number,
		Place:   s.placeIn(g),
		RoundAt: templates.PastRoundPath(s.tournamentID, g.Round.ID),
		TableAt: templates.WatchPath(s.tournamentID, g.Table.ID), PastGame: s.head(g), Several: len(g.Table.Games) > 1,
		Charged:   s.Lowest(g.Round.Stage),
		PastScore: public.PastScore{Known: true, Wins: g.Line.Wins, Points: g.Line.Points}}
	for _, seat := range g.Table.Seats {
		name, standIn := s.Entry(seat, g.Round.Number, g.Game.Number)
		if seat.Seat == g.Line.Seat {
			view.StandIn = standIn
			continue
		}
		view.Others = append(view.Others, public.PastName{ID: seat.PlayerID, Name: name, StandIn: standIn})
	}
	return view
}

// counted returns the lines of a result that count; an annulled game has none.
func counted(r game.Result) []game.ResultLine {
	if r.Ending == game.EndingAnnulled {
		return nil
	}
	return r.Lines
}
