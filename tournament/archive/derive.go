package archive

import (
	"context"
	"errors"
	"slices"

	"meldhall/engine"
	"meldhall/engine/score"
	"meldhall/tournament"
	"meldhall/tournament/pairing"
	"meldhall/tournament/ranking"
	"meldhall/tournament/refuse"
	"meldhall/tournament/standing"
	"meldhall/tournament/store"
)

// column returns columns of a table as integers, row by row.
func (c *collecting) column(table string, names ...string) [][]int64 {
	at := make([]int, len(names))
	p := partNamed(table)
	for i, name := range names {
		at[i] = slices.Index(p.carry, name)
	}
	all := make([][]int64, len(c.rows[table]))
	for i, row := range c.rows[table] {
		all[i] = make([]int64, len(names))
		for j, k := range at {
			all[i][j], _ = row[k].(int64)
		}
	}
	return all
}

func (c *collecting) texts(table, name string) []string {
	p := partNamed(table)
	k := slices.Index(p.carry, name)
	all := make([]string, len(c.rows[table]))
	if k < 0 { // archives omit this column
		return all
	}
	for i, row := range c.rows[table] {
		all[i], _ = row[k].(string)
	}
	return all
}

func partNamed(table string) part {
	return parts[slices.IndexFunc(parts, func(p part) bool { return p.table == table })]
}

// seats is the assessment of a round's seats, given the earlier rounds: how often players have met, and why a table is
// as it is. Players are identified by start number.
type seats struct {
	Round  int             `json:"round"`
	Report *pairing.Report `json:"report,omitempty"`
	Fault  string          `json:"fault,omitempty"` // why there is no report
}

// seating assesses every round by start numbers, so that the result is the same in any database.
func (c *collecting) seating() ([]seats, error) {
	who, number := map[int64]pairing.Player{}, map[int64]int64{}
	country, club, family := c.texts("players", "country"), c.texts("players", "club"), c.texts("players", "family")
	for i, p := range c.column("players", "id", "number") {
		number[p[0]] = p[1]
		who[p[0]] = pairing.Player{ID: p[1], Number: int(p[1]), Country: country[i], Club: club[i], Family: family[i]}
	}
	var apart []pairing.Pair
	for _, p := range c.column("keep_apart", "a", "b") {
		apart = append(apart, pairing.PairOf(number[p[0]], number[p[1]]))
	}
	tables := map[int64][][]int64{} // by round
	seated := map[int64][]int64{}   // by table
	for _, s := range c.column("seats", "table_id", "player_id") {
		seated[s[0]] = append(seated[s[0]], s[1])
	}
	for _, t := range c.column("tables", "id", "round_id") {
		tables[t[1]] = append(tables[t[1]], seated[t[0]])
	}
	all, history := []seats{}, []pairing.Round(nil)
	for _, r := range c.column("rounds", "id", "number") {
		q := pairing.Request{Method: pairing.Manual, Apart: apart, History: history}
		round := pairing.Round{}
		for _, table := range tables[r[0]] {
			var ids []int64
			for _, id := range table {
				ids = append(ids, number[id])
				q.Players = append(q.Players, who[id])
			}
			q.Sizes, round = append(q.Sizes, len(table)), append(round, ids)
		}
		one := seats{Round: int(r[1])}
		if rep, err := pairing.Assess(q, []pairing.Round{round}); err != nil {
			one.Fault = err.Error()
		} else {
			one.Report = withoutRanks(rep)
		}
		all, history = append(all, one), append(history, round)
	}
	return all, nil
}

// seatingVersion is the version of the seat reports in archives. It is fixed, because these reports assess the seats
// whichever version of the draw made them.
const seatingVersion = 3

// withoutRanks removes the standings from a report and sets its version. The standings by which a round was drawn are
// in the round's own report.
func withoutRanks(rep pairing.Report) *pairing.Report {
	rep.Cost.RankGap, rep.Version = 0, seatingVersion
	for _, tables := range rep.Why {
		for i := range tables {
			tables[i].From, tables[i].To = 0, 0
		}
	}
	return &rep
}

// standings is the ranking by the current results, with the tie-breaks that decided. Players are identified by start
// number; stages count from 1.
type standings struct {
	Order     []string     `json:"order"` // tie-breaks of the last stage, in order
	Places    []place      `json:"places"`
	Champions []champion   `json:"champions"`
	Cuts      []cut        `json:"cuts"`
	Qualifies []qualifying `json:"qualification"`
}

type place struct {
	Place        int             `json:"place"`
	Player       int             `json:"player"`
	Division     string          `json:"division,omitempty"`
	Stage        int             `json:"stage"`
	Games        int             `json:"games"`
	Wins         score.Twelfth   `json:"wins"`
	TablePoints  score.Twelfth   `json:"table_points"`
	Carried      score.Twelfth   `json:"carried"`
	Points       score.Twelfth   `json:"points"`
	Penalties    score.Twelfth   `json:"penalties"`
	Total        score.Twelfth   `json:"total"`
	Provisional  bool            `json:"provisional,omitempty"`
	Withdrawn    bool            `json:"withdrawn,omitempty"`
	Disqualified bool            `json:"disqualified,omitempty"`
	Why          standing.Reason `json:"why"` // what separates it from the row above
}

type champion struct {
	Division string `json:"division,omitempty"`
	Players  []int  `json:"players"`
}

// cut is the cut before a stage, as it stood when the stage's first round was published, with the players seated in
// that round.
type cut struct {
	Stage   int   `json:"stage"`
	Size    int   `json:"size"`
	In      []int `json:"in"`
	Tied    []int `json:"tied,omitempty"`
	Places  int   `json:"places,omitempty"` // for the tied players
	Lot     []int `json:"lot,omitempty"`    // in the order drawn
	Entered []int `json:"entered"`
}

type qualifying struct {
	Division string `json:"division,omitempty"`
	Player   int    `json:"player"`
	Place    int    `json:"place"`
	State    string `json:"state,omitempty"`
	Nth      int    `json:"nth,omitempty"`
}

func (c *collecting) standings(ctx context.Context, s *store.DB) (out standings, err error) {
	st, err := ranking.StandingsOf(ctx, s, c.event.ID)
	if err != nil {
		return out, err
	}
	out = standings{Order: st.Order, Places: []place{}, Champions: []champion{}, Cuts: []cut{},
		Qualifies: []qualifying{}}
	numbers := map[int64]int{}
	for _, r := range st.Rows {
		numbers[r.Player] = r.Number
		out.Places = append(out.Places, place{r.Place, r.Number, r.Division, r.Stage + 1, r.Games, r.Wins,
			r.TablePoints, r.Carried, r.Points, r.Penalties,
			r.Total, r.Provisional, r.Withdrawn, r.Disqualified, r.Reason})
	}
	for _, t := range st.Titles {
		won := champion{Division: t.Division}
		for _, r := range t.Champions {
			won.Players = append(won.Players, r.Number)
		}
		out.Champions = append(out.Champions, won)
	}
	q, err := ranking.QualificationAt(ctx, s, c.event.ID, tournament.Always)
	if err != nil {
		return out, err
	}
	for _, d := range append(q.Divisions, ranking.Division{Entries: q.Entries}) {
		for _, e := range d.Entries {
			out.Qualifies = append(out.Qualifies, qualifying{d.Name, numbers[e.Player], e.Standing, e.State, e.Nth})
		}
	}
	out.Cuts, err = c.cuts(ctx, s, numbers)
	return out, err
}

// cuts returns one cut for each stage after the first that has a round.
func (c *collecting) cuts(ctx context.Context, s *store.DB, numbers map[int64]int) ([]cut, error) {
	named := func(ids []int64) []int {
		list := make([]int, len(ids))
		for i, id := range ids {
			list[i] = numbers[id]
		}
		return list
	}
	seated := map[int64][]int64{}
	for _, seat := range c.column("seats", "round_id", "player_id") {
		seated[seat[0]] = append(seated[seat[0]], seat[1])
	}
	cuts, stage := []cut{}, int64(0)
	for _, r := range c.column("rounds", "id", "stage", "published_at") {
		if r[1] <= stage {
			continue
		}
		stage = r[1]
		one := cut{Stage: int(stage) + 1, In: []int{}, Entered: named(slices.Sorted(slices.Values(seated[r[0]])))}
		slices.Sort(one.Entered)
		made, err := ranking.NextCutAt(ctx, s, c.event.ID, engine.Millis(r[2]))
		switch {
		case err == nil && made.Stage == int(stage):
			one.Size, one.In, one.Tied, one.Places = made.Size, named(made.In), named(made.Tied), made.Places
			if made.Lot != nil {
				one.Lot = named(made.Lot.Drawn)
			}
		case err != nil && !errors.Is(err, refuse.ErrNotFound):
			return nil, err
		}
		cuts = append(cuts, one)
	}
	return cuts, nil
}
