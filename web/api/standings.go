package api

import (
	"context"

	"meldhall/engine/score"
	"meldhall/templates/locale"
	"meldhall/tournament/format"
	"meldhall/tournament/ranking"
	"meldhall/tournament/rights"
	"meldhall/tournament/standing"
	"meldhall/web/view"
)

// StandingsView contains the standings.
type StandingsView struct {
	Tournament TournamentView `json:"tournament"`
	Stages     []format.Stage `json:"stages"`
	Stage      int            `json:"stage" doc:"the last stage that has begun, from 0"`
	Rounds     int            `json:"rounds" doc:"number of published rounds"`
	Order      []TieView      `json:"order" doc:"the ranking criteria of that stage, in order"`
	Counts     []string       `json:"counts,omitempty" doc:"for each stage that has begun, the wins and points its rows count, in the reader's language; only once the second stage has begun"`
	Rows       []StandingRow  `json:"rows"`
	Cut        *CutView       `json:"cut,omitempty" doc:"the cut to the next stage by these standings; missing if there is none"`
	Champions  []int64        `json:"champions,omitempty" doc:"ids of the winners once the tournament is finished: all who share the title, and those of each division that has its own"`
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
	Place       int           `json:"place"`
	Player      PlayerView    `json:"player"`
	Stage       int           `json:"stage" doc:"the last stage the player reached: games, wins and points are those counted in it, see counts"`
	Games       int           `json:"games"`
	Wins        score.Twelfth `json:"wins"`
	TablePoints score.Twelfth `json:"table_points,omitempty" doc:"by place at the table"`
	Carried     score.Twelfth `json:"carried,omitempty" doc:"half of the previous stage's points"`
	Points      score.Twelfth `json:"points" doc:"points from games, with bonuses and caps"`
	Penalties   score.Twelfth `json:"penalties,omitempty" doc:"points taken off the total, apart from the games"`
	Total       score.Twelfth `json:"total" doc:"the total used for ranking after wins: points without penalties, or with them if the lowest total wins"`
	LastWins    score.Twelfth `json:"last_wins" doc:"in the newest round"`
	LastPoints  score.Twelfth `json:"last_points" doc:"in the newest round"`
	Move        *int          `json:"move,omitempty" doc:"places gained or lost since the previous round"`
	Provisional bool          `json:"provisional,omitempty" doc:"includes an unconfirmed result"`

	Disqualified bool `json:"disqualified,omitempty" doc:"ranked after all other players"`

	Why *ReasonView `json:"why,omitempty" doc:"the criterion that separates it from the row above"`
}

func (a *api) apiStandings(ctx context.Context, in *IDPath) (*with[StandingsView], error) {
	return answer(a.standings(ctx, a.Request.Staff(requestOf(ctx)), in.ID))
}

func (s *api) standings(ctx context.Context, reader rights.Actor, id int64) (StandingsView, error) {
	sight, err := s.View.Sights.Of(ctx, reader, id)
	if err != nil {
		return StandingsView{}, err
	}
	all, err := ranking.StandingsAt(ctx, s.View.Store, id, sight.Standings)
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
		v.Order = append(v.Order, TieView{tie, locale.T(ctx, "tie."+tie), all.Used[tie]})
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
