package api

import (
	"context"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/format"
	"meldhall/tournament/standing"
	"meldhall/web/view"
)

// StandingsView contains the standings.
type StandingsView struct {
	Tournament TournamentView `json:"tournament"`
	Stages     []format.Stage `json:"stages"`
	Stage      int            `json:"stage" doc:"the last one that has begun, from 0"`
	Rounds     int            `json:"rounds" doc:"published so far"`
	Order      []TieView      `json:"order" doc:"what decides in that stage, in order"`
	Counts     []string       `json:"counts,omitempty" doc:"once a second stage has begun, for each stage that has, whose wins and points its rows show, in the reader's language"`
	Rows       []StandingRow  `json:"rows"`
	Cut        *CutView       `json:"cut,omitempty" doc:"the cut to the next stage by these standings; missing if none follows"`
	Champions  []int64        `json:"champions,omitempty" doc:"the winners' ids, once the tournament is finished: those who share the title, and of each division where those have their own"`
}

// TieView is a ranking criterion, with the number of neighbouring pairs that it separates.
type TieView struct {
	Key   string `json:"key"`
	Name  string `json:"name" doc:"in the reader's language"`
	Parts int    `json:"parts"`
}

// ReasonView is the reason that separates a row from the one above.
type ReasonView struct {
	standing.Reason
	Text string `json:"text" doc:"one sentence in the reader's language"`
}

// StandingRow is one player's standing. Tied players share a place.
type StandingRow struct {
	Place       int            `json:"place"`
	Player      PlayerView     `json:"player"`
	Stage       int            `json:"stage" doc:"the last stage that the player reached: games, wins and points are those that count there, see counts"`
	Games       int            `json:"games"`
	Wins        engine.Twelfth `json:"wins"`
	TablePoints engine.Twelfth `json:"table_points,omitempty" doc:"by place at the tables"`
	Carried     engine.Twelfth `json:"carried,omitempty" doc:"half of the stage before"`
	Points      engine.Twelfth `json:"points" doc:"of the games, with bonuses and caps"`
	Penalties   engine.Twelfth `json:"penalties,omitempty" doc:"points off the total, apart from the games"`
	Total       engine.Twelfth `json:"total" doc:"what the place is made of, after the wins: points without the penalties, or with them where the lowest total wins"`
	LastWins    engine.Twelfth `json:"last_wins" doc:"of the newest round"`
	LastPoints  engine.Twelfth `json:"last_points" doc:"of the newest round"`
	Move        *int           `json:"move,omitempty" doc:"places won or lost since the round before"`
	Provisional bool           `json:"provisional,omitempty" doc:"counts a result that is not confirmed"`

	Disqualified bool `json:"disqualified,omitempty" doc:"stands after everybody else"`

	Why *ReasonView `json:"why,omitempty" doc:"what parts it from the row above"`
}

func (a *api) apiStandings(ctx context.Context, in *IDPath) (*with[StandingsView], error) {
	return answer(a.standings(ctx, in.ID))
}

func (s *api) standings(ctx context.Context, id int64) (StandingsView, error) {
	sight, err := s.View.SightOf(ctx, s.Request.Staff(requestOf(ctx)), id)
	if err != nil {
		return StandingsView{}, err
	}
	all, err := tournament.StandingsAt(ctx, s.View.Store, id, sight.Standings)
	if err != nil {
		return StandingsView{}, err
	}
	event, err := s.tournamentView(ctx, all.Tournament)
	if err != nil {
		return StandingsView{}, err
	}
	v := StandingsView{Tournament: event, Stages: all.Stages, Stage: all.Stage, Rounds: all.Rounds,
		Rows: make([]StandingRow, len(all.Rows))}
	for _, tie := range all.Order {
		v.Order = append(v.Order, TieView{tie, templates.T(ctx, "tie."+tie), all.Used[tie]})
	}
	for stage := 0; stage <= all.Stage && all.Stage > 0; stage++ {
		v.Counts = append(v.Counts, view.StageCounts(ctx, all.Stages, stage))
	}
	for i, r := range all.Rows {
		v.Rows[i] = StandingRow{Place: r.Place, Player: rankedPlayer(r),
			Stage: r.Stage, Games: r.Games, Wins: r.Wins, TablePoints: r.TablePoints, Carried: r.Carried,
			Points: r.Points, Penalties: r.Penalties, Total: r.Total,
			Disqualified: r.Disqualified, LastWins: r.LastWins, LastPoints: r.LastPoints, Provisional: r.Provisional}
		if r.HasMove {
			v.Rows[i].Move = &r.Move
		}
		if i > 0 {
			v.Rows[i].Why = &ReasonView{r.Reason, view.WhyText(ctx, all.Rows, i)}
		}
	}
	for _, r := range all.Champions() {
		v.Champions = append(v.Champions, r.Player)
	}
	if all.Cut != nil {
		cut := cutView(*all.Cut)
		v.Cut = &cut
	}
	return v, nil
}
