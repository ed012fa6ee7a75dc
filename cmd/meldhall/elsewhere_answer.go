package main

import (
	"slices"

	"meldhall/engine/score"
	"meldhall/tournament/format"
	"meldhall/tournament/standing"
)

// rankedElsewhere is the output of meldhall standings. Stages count from 1.
type rankedElsewhere struct {
	Order         []string           `json:"order"` // criteria of the last stage, in order
	Places        []placeElsewhere   `json:"places"`
	Champions     []string           `json:"champions"`
	Cuts          []cutElsewhere     `json:"cuts,omitempty"`
	Divisions     []divisionOf       `json:"divisions,omitempty"`
	Berths        int                `json:"berths,omitempty"`
	Qualification []qualifiesBesides `json:"qualification,omitempty"`
}

type placeElsewhere struct {
	Place       int              `json:"place"`
	Player      string           `json:"player"`
	Stage       int              `json:"stage"` // the last stage that the player reached
	Games       int              `json:"games"`
	Wins        score.Twelfth    `json:"wins"`
	TablePoints score.Twelfth    `json:"table_points,omitempty"`
	Carried     score.Twelfth    `json:"carried,omitempty"`
	Points      score.Twelfth    `json:"points"`
	Penalties   score.Twelfth    `json:"penalties,omitempty"`
	Total       score.Twelfth    `json:"total"`
	Why         *standing.Reason `json:"why,omitempty"` // what separates it from the row above
}

// cutElsewhere is a cut before a stage, or at one table of the previous stage. In lists the players who advanced by
// their place, Lot those who advanced by a draw of lots. If no lot was drawn, the players in Tied compete for the
// remaining places, whose number is Places.
type cutElsewhere struct {
	Stage  int      `json:"stage"`
	In     []string `json:"in"`
	Lot    []string `json:"lot,omitempty"`
	Tied   []string `json:"tied,omitempty"`
	Places int      `json:"places,omitempty"`

	Decides []string `json:"decides,omitempty"` // tie-breaks that are still to be applied, in order: play_off, lot
}

type divisionOf struct {
	Name          string             `json:"name"`
	Places        []placeElsewhere   `json:"places"`
	Champions     []string           `json:"champions"`
	Berths        int                `json:"berths,omitempty"`
	Qualification []qualifiesBesides `json:"qualification,omitempty"`
}

type qualifiesBesides struct {
	Player string `json:"player"`
	Place  int    `json:"place"`
	State  string `json:"state,omitempty"`
	Nth    int    `json:"nth,omitempty"`
}

// stayed clears the withdrawal of players who played the last game of the last stage, since their withdrawal no longer
// matters.
func (e *elsewhere) stayed() {
	last := len(e.format.Stages) - 1
	tables := map[int64]int{} // the last game's order, by table of the last round
	round := 0
	for _, l := range e.input.Lines {
		if l.Stage == last && l.PlayOff == 0 {
			round = max(round, l.Round)
		}
	}
	for _, l := range e.input.Lines {
		if l.Round == round {
			tables[l.Table] = max(tables[l.Table], l.Order)
		}
	}
	for _, l := range e.input.Lines {
		if order, of := tables[l.Table]; of && l.Round == round && l.Order == order {
			e.input.Players[l.Player-1].Withdrawn = false
		}
	}
}

func (e *elsewhere) answer() rankedElsewhere {
	e.stayed()
	rows := standing.Rank(e.input)
	a := rankedElsewhere{Order: standing.Order(e.input, len(e.input.Stages)-1), Places: e.placed(rows),
		Champions: e.first(rows)}
	for stage := 1; stage <= min(len(e.input.Stages), len(e.format.Stages)-1); stage++ { // including the next stage
		a.Cuts = append(a.Cuts, e.cuts(stage)...)
	}
	plan := e.format.Qualification
	if !plan.PerDivision {
		a.Berths, a.Qualification = e.qualify(rows)
	}
	for _, name := range e.format.Divisions {
		rows := e.input.Among(func(player int64) bool { return e.players[player-1].Division == name })
		d := divisionOf{Name: name, Places: e.placed(rows), Champions: e.first(rows)}
		if plan.PerDivision {
			d.Berths, d.Qualification = e.qualify(rows)
		}
		a.Divisions = append(a.Divisions, d)
	}
	return a
}

func (e *elsewhere) placed(rows []standing.Row) []placeElsewhere {
	places := make([]placeElsewhere, len(rows))
	for i, r := range rows {
		places[i] = placeElsewhere{r.Place, e.players[r.Player-1].Name, r.Stage + 1, r.Games, r.Wins, r.TablePoints,
			r.Carried, r.Points, r.Penalties, r.Total, nil}
		if i > 0 {
			places[i].Why = &r.Reason
		}
	}
	return places
}

// first returns the names of the players in first place.
func (e *elsewhere) first(rows []standing.Row) []string {
	names := []string{}
	for _, r := range rows {
		if r.Place == 1 && r.Games > 0 && !r.Disqualified {
			names = append(names, e.players[r.Player-1].Name)
		}
	}
	return names
}

func (e *elsewhere) names(players []int64) []string {
	var names []string
	for _, player := range players {
		names = append(names, e.players[player-1].Name)
	}
	return names
}

// cuts returns the cuts before a stage, computed from the results of the stages before it.
func (e *elsewhere) cuts(stage int) []cutElsewhere {
	before := standing.Input{Method: e.input.Method, Players: slices.Clone(e.input.Players),
		Stages: e.input.Stages[:stage], Lots: e.input.Lots}
	for i, p := range before.Players { // entrants of the stage had not withdrawn when it began
		if stage < len(e.input.Stages) && slices.Contains(e.input.Stages[stage].Entrants, p.ID) {
			before.Players[i].Withdrawn, before.Players[i].Disqualified = false, false
		}
	}
	for _, l := range e.input.Lines {
		if l.Stage < stage {
			before.Lines = append(before.Lines, l)
		}
	}
	for _, p := range e.input.Penalties {
		if p.Stage < stage {
			before.Penalties = append(before.Penalties, p)
		}
	}
	rows := slices.DeleteFunc(standing.Rank(before), func(r standing.Row) bool { return r.Stage != stage-1 })
	plan := e.format.Stages[stage]
	if plan.PerTable == 0 {
		cut, _ := e.cut(rows, stage, plan.Cut)
		return []cutElsewhere{cut}
	}
	var cuts []cutElsewhere
	var in []int64
	tables := lastTables(before.Lines, stage-1)
	for _, table := range tables {
		cut, ids := e.cut(standing.AtTable(rows, table), stage, plan.PerTable)
		cuts, in = append(cuts, cut), append(in, ids...)
	}
	open := slices.ContainsFunc(cuts, func(c cutElsewhere) bool { return len(c.Tied) > 0 })
	if places := plan.Cut - len(in); places > 0 && !open {
		cut, _ := e.cut(standing.Rest(rows, tables, in, plan.Fill == format.FillNext), stage, places)
		cuts = append(cuts, cut)
	}
	return cuts
}

// cut takes the best of some rows. It returns the names for the document, and who advances.
func (e *elsewhere) cut(rows []standing.Row, stage, most int) (cut cutElsewhere, in []int64) {
	line := standing.Cut(rows, most)
	cut = cutElsewhere{Stage: stage + 1, In: e.names(line.In)}
	if len(line.Tied) == 0 {
		return cut, line.In
	}
	tied := slices.Sorted(slices.Values(line.Tied))
	for _, lot := range slices.Backward(e.input.Lots) {
		if lot.Stage == stage && slices.Equal(slices.Sorted(slices.Values(lot.Drawn)), tied) {
			cut.Lot = e.names(lot.Drawn[:line.Places])
			return cut, append(line.In, lot.Drawn[:line.Places]...)
		}
	}
	cut.Tied, cut.Places = e.names(line.Tied), line.Places
	if stage < len(e.input.Stages) {
		return cut, line.In // the tie was resolved, but the document does not say how
	}
	if e.format.ScoringOf(stage - 1).Has(format.TiePlayOff) {
		cut.Decides = append(cut.Decides, format.TiePlayOff)
	}
	cut.Decides = append(cut.Decides, format.TieLot)
	return cut, line.In
}

// lastTables returns the players of each table in the last round of a stage, without play-offs.
func lastTables(lines []standing.Line, stage int) (tables [][]int64) {
	last := 0
	for _, l := range lines {
		if l.Stage == stage && l.PlayOff == 0 {
			last = max(last, l.Round)
		}
	}
	var ids []int64
	for _, l := range lines {
		if l.Stage != stage || l.Round != last || l.PlayOff > 0 {
			continue
		}
		at := slices.Index(ids, l.Table)
		if at < 0 {
			at, ids, tables = len(ids), append(ids, l.Table), append(tables, nil)
		}
		if !slices.Contains(tables[at], l.Player) {
			tables[at] = append(tables[at], l.Player)
		}
	}
	return tables
}

// qualify assigns the qualifying places of a finished tournament.
func (e *elsewhere) qualify(rows []standing.Row) (berths int, list []qualifiesBesides) {
	players, waivers := 0, map[int64]string{}
	for _, r := range rows {
		if r.Games >= max(1, e.format.ScoringOf(r.Stage).MinGames) {
			players++
		}
		waivers[r.Player] = e.players[r.Player-1].Waiver
	}
	if berths = e.format.Qualification.Places(players); berths == 0 {
		return 0, nil
	}
	for _, q := range standing.Qualify(rows, berths, e.format.Qualification.Reserves, waivers) {
		list = append(list, qualifiesBesides{e.players[q.Player-1].Name, q.Standing, q.State, q.Nth})
	}
	return berths, list
}
