package api

import (
	"context"

	"meldhall/tournament"
	"meldhall/tournament/ranking"
	"meldhall/web/view"
)

func (a *api) qualificationOperations() {
	operation(a, forAll, "GET /tournaments/{id}/qualification", "Qualified players, and the ranking of each division",
		a.apiQualification)
	acts[ranking.SetWaiver](a, forOrganizer, "POST /players/{id}/waiver",
		"Set the reason why a player takes no qualifying place")
	acts[tournament.SetDivision](a, forOrganizer, "POST /players/{id}/division", "Put a player into a division")
}

// DivisionLine is a place in a division.
type DivisionLine struct {
	Place  int         `json:"place"`
	Player PlayerView  `json:"player"`
	Why    *ReasonView `json:"why,omitempty" doc:"the criterion that separates it from the row above"`
}

// DivisionView is the ranking within a division.
type DivisionView struct {
	Name   string         `json:"name" doc:"empty: players without a division"`
	Places int            `json:"places,omitempty" doc:"places of the division's own"`
	Rows   []DivisionLine `json:"rows"`
}

// EntryView is a player in the qualification list.
type EntryView struct {
	Player PlayerView `json:"player"`
	Place  int        `json:"place" doc:"the place in the ranking, or in the division's"`
	State  string     `json:"state,omitempty" doc:"qualifies, reserve, open (tied for the last place), qualified_already, not_eligible, declined; empty: ranked below these"`
	Nth    int        `json:"nth,omitempty" doc:"the position among the places or reserves"`

	Division string `json:"division,omitempty"`
}

// QualificationView lists who qualifies through a tournament, separately from its ranking.
type QualificationView struct {
	PerDivision bool           `json:"per_division,omitempty" doc:"each division has its own places and reserves; players without a division do not qualify"`
	Places      int            `json:"places" doc:"total number"`
	Reserves    int            `json:"reserves" doc:"total number, or number in each division"`
	Entries     []EntryView    `json:"entries" doc:"by standing, without withdrawn or disqualified players; division by division if each has its own places"`
	Divisions   []DivisionView `json:"divisions"`
}

func (a *api) apiQualification(ctx context.Context, in *IDPath) (*with[QualificationView], error) {
	sight, err := a.View.Sights.Of(ctx, a.Request.Staff(requestOf(ctx)), in.ID)
	if err != nil {
		return nil, err
	}
	q, err := ranking.QualificationAt(ctx, a.View.Store, in.ID, sight.Standings)
	if err != nil {
		return nil, err
	}
	v := QualificationView{PerDivision: q.Plan.PerDivision, Places: q.Places, Reserves: q.Plan.Reserves,
		Entries: make([]EntryView, len(q.Entries)), Divisions: make([]DivisionView, len(q.Divisions))}
	rows := q.Standings.ByPlayer()
	for i, e := range q.Entries {
		v.Entries[i] = EntryView{rankedPlayer(rows[e.Player]), e.Standing, e.State, e.Nth, rows[e.Player].Division}
	}
	for i, d := range q.Divisions {
		v.Divisions[i] = DivisionView{Name: d.Name, Places: d.Places, Rows: make([]DivisionLine, len(d.Rows))}
		for j, r := range d.Rows {
			v.Divisions[i].Rows[j] = DivisionLine{Place: r.Place, Player: rankedPlayer(r)}
			if j > 0 {
				v.Divisions[i].Rows[j].Why = &ReasonView{r.Reason, view.WhyText(ctx, d.Rows, j)}
			}
		}
	}
	return answer(v, nil)
}

func rankedPlayer(r ranking.StandingsRow) PlayerView {
	return PlayerView{r.Player, r.Number, r.Name, r.Country, r.Club, r.FederationNumber, r.Withdrawn}
}
