package web

import (
	"context"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/rights"
	"meldhall/tournament/standing"
)

// qualificationPage is who qualifies by an event and how each division is ranked, for its organizer.
func (s *deskPages) qualificationPage(c *gin.Context) error {
	return s.showQualification(c, http.StatusOK, "")
}

func (s *deskPages) showQualification(c *gin.Context, status int, problem string) error {
	event := idIn(c, "event")
	if err := rights.Authorize(s.staff(c), rights.Place{Tournament: event}, rights.MayQualify); err != nil {
		return err
	}
	ctx := s.language(c)
	q, err := tournament.QualificationOf(ctx, s.store, event)
	if err != nil {
		return err
	}
	view := qualificationView(ctx, q)
	view.Page, view.Problem = s.newPage(c, templates.T(ctx, "qualify.title"), &q.Standings.Tournament), problem
	return s.show(c, status, templates.QualificationPage(view))
}

func qualificationView(ctx context.Context, q tournament.Qualification) templates.QualificationView {
	view := templates.QualificationView{Event: q.Standings.Tournament.ID, PerDivision: q.Plan.PerDivision, PerPlayers: q.Plan.PerPlayers, Reserves: q.Plan.Reserves,
		QualifyList: templates.QualifyList{Players: q.Players, Places: q.Places, Entries: qualifyRows(q, q.Entries)}}
	for _, d := range q.Divisions {
		division := templates.DivisionView{Name: d.Name, QualifyList: templates.QualifyList{Players: d.Players, Places: d.Places, Entries: qualifyRows(q, d.Entries)}}
		for i, r := range d.Rows {
			division.Rows = append(division.Rows, templates.WhyRow{Player: r.Player, Rank: rankText(d.Rows, i), Name: r.Name, Why: whyText(ctx, d.Rows, i)})
		}
		if view.Divisions = append(view.Divisions, division); d.Name != "" {
			view.Names = append(view.Names, d.Name)
		}
	}
	return view
}

func qualifyRows(q tournament.Qualification, entries []standing.Entry) []templates.QualifyRow {
	rows := q.Standings.ByPlayer()
	list := make([]templates.QualifyRow, len(entries))
	for i, e := range entries {
		r, w := rows[e.Player], q.Waivers[e.Player]
		list[i] = templates.QualifyRow{Player: e.Player, Rank: sharedPlace(entries, e.Standing), Name: r.Name, Country: r.Country,
			Division: r.Division, State: e.State, Nth: e.Nth, Why: w.Why, Waiver: w.State}
	}
	return list
}

// sharedPlace is a place of the list, marked where several have it.
func sharedPlace(entries []standing.Entry, place int) string {
	n := 0
	for _, e := range entries {
		if e.Standing == place {
			n++
		}
	}
	if n > 1 {
		return "=" + strconv.Itoa(place)
	}
	return strconv.Itoa(place)
}

// qualificationPost says why a player takes no place, or that the player does, and the player's division.
func (s *deskPages) qualificationPost(c *gin.Context) error {
	event := idIn(c, "event")
	ctx, actor := c.Request.Context(), s.staff(c)
	player, err := strconv.ParseInt(c.PostForm("player"), 10, 64)
	if err == nil {
		_, err = tournament.Do(ctx, s.desk, actor, tournament.SetWaiver{Player: player, State: c.PostForm("state"), Why: c.PostForm("why")})
	}
	if err == nil {
		_, err = tournament.Do(ctx, s.desk, actor, tournament.SetDivision{Player: player, Division: c.PostForm("division")})
	}
	if err == nil {
		return s.seeOther(c, templates.QualificationPath(event), "qualify.done")
	}
	return s.again(c, err, s.showQualification)
}

// QualificationView is who qualifies by an event, apart from its ranking.
type QualificationView struct {
	PerDivision bool           `json:"per_division,omitempty" doc:"each division has its own places and reserves; who is in none takes no place"`
	Places      int            `json:"places" doc:"in all"`
	Reserves    int            `json:"reserves" doc:"in all, or of each division"`
	Entries     []EntryView    `json:"entries" doc:"by standing, without who withdrew or was disqualified; division by division where each has its own places"`
	Divisions   []DivisionView `json:"divisions"`
}

// EntryView is a player of the list.
type EntryView struct {
	Player PlayerView `json:"player"`
	Place  int        `json:"place" doc:"in the ranking, or in that of the division"`
	State  string     `json:"state,omitempty" doc:"qualifies, reserve, open (ties for the last place), qualified_already, not_eligible, declined; empty: comes after"`
	Nth    int        `json:"nth,omitempty" doc:"which of the places or reserves"`

	Division string `json:"division,omitempty"`
}

// DivisionView is a division ranked among itself.
type DivisionView struct {
	Name   string         `json:"name" doc:"empty: who is in none"`
	Places int            `json:"places,omitempty" doc:"of its own"`
	Rows   []DivisionLine `json:"rows"`
}

// DivisionLine is a place in a division.
type DivisionLine struct {
	Place  int         `json:"place"`
	Player PlayerView  `json:"player"`
	Why    *ReasonView `json:"why,omitempty" doc:"what parts it from the row above"`
}

// WaiverBody says why a player takes no place; an empty state takes that back.
type WaiverBody struct {
	State string `json:"state" doc:"qualified_already, not_eligible, declined or empty"`
	Why   string `json:"why,omitempty" maxLength:"500"`
}

// DivisionBody puts a player into a division.
type DivisionBody struct {
	Division string `json:"division" maxLength:"200" doc:"empty: none"`
}

func (a *api) qualificationOperations() {
	operation(a, forAll, "GET /tournaments/{id}/qualification", "Who qualifies, and the ranking of each division", a.apiQualification)
	operation(a, forOrganizer, "POST /players/{id}/waiver", "Say why a player takes no place of those that the event gives", a.apiWaiver)
	operation(a, forOrganizer, "POST /players/{id}/division", "Put a player into a division", a.apiDivision)
}

func (a *api) apiQualification(ctx context.Context, in *IDPath) (*with[QualificationView], error) {
	q, err := tournament.QualificationOf(ctx, a.store, in.ID)
	if err != nil {
		return nil, err
	}
	view := QualificationView{PerDivision: q.Plan.PerDivision, Places: q.Places, Reserves: q.Plan.Reserves, Entries: make([]EntryView, len(q.Entries)), Divisions: make([]DivisionView, len(q.Divisions))}
	rows := q.Standings.ByPlayer()
	for i, e := range q.Entries {
		view.Entries[i] = EntryView{rankedPlayer(rows[e.Player]), e.Standing, e.State, e.Nth, rows[e.Player].Division}
	}
	for i, d := range q.Divisions {
		view.Divisions[i] = DivisionView{Name: d.Name, Places: d.Places, Rows: make([]DivisionLine, len(d.Rows))}
		for j, r := range d.Rows {
			view.Divisions[i].Rows[j] = DivisionLine{Place: r.Place, Player: rankedPlayer(r)}
			if j > 0 {
				view.Divisions[i].Rows[j].Why = reasonView(r.Reason, whyText(ctx, d.Rows, j))
			}
		}
	}
	return answer(view, nil)
}

func rankedPlayer(r tournament.StandingsRow) PlayerView {
	return PlayerView{r.Player, r.Number, r.Name, r.Country, r.Club, r.Withdrawn}
}

func reasonView(r standing.Reason, text string) *ReasonView {
	return &ReasonView{r.Key, r.Above, r.Below, r.Nth, text}
}

func (a *api) apiWaiver(ctx context.Context, in *idWith[WaiverBody]) (*with[Done], error) {
	return done(errOf(tournament.Do(ctx, a.desk, a.staff(requestOf(ctx)), tournament.SetWaiver{Player: in.ID, State: in.Body.State, Why: in.Body.Why})))
}

func (a *api) apiDivision(ctx context.Context, in *idWith[DivisionBody]) (*with[Done], error) {
	return done(errOf(tournament.Do(ctx, a.desk, a.staff(requestOf(ctx)), tournament.SetDivision{Player: in.ID, Division: in.Body.Division})))
}
