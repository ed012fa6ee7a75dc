package tournament

import (
	"encoding/json"
	"slices"

	"meldhall/tournament/pairing"
)

// RoundReport is the stored report on a round's seats. Pages show only the embedded report; Drawn is the input for
// repeating the draw.
type RoundReport struct {
	pairing.Report
	Drawn *Drawing `json:"drawn,omitempty"`
}

// Drawing is the input of a round's draw, except the method, the seed and the earlier rounds, which are stored
// elsewhere. Archives must not reveal families, so Drawing only counts the players who share a family with another
// player of the round.
type Drawing struct {
	// Way is the origin of the seats: WayDrawn or another Way constant.
	Way    string `json:"way"`
	Sizes  []int  `json:"sizes"`
	Rounds int    `json:"rounds"`
	Steps  int    `json:"steps,omitempty"`
	// Asked counts the calls of pairing.Request.Stop until it stopped the search; 0: the search was not stopped.
	Asked    int               `json:"asked,omitempty"`
	Players  []DrawnPlayer     `json:"players"`
	Families int               `json:"families,omitempty"`
	Apart    []pairing.Pair    `json:"apart,omitempty"`
	Begin    [][]pairing.Round `json:"begin,omitempty"`
	Fixed    [][2]int64        `json:"fixed,omitempty"` // players with a fixed table, and its number
	Numbers  []int             `json:"numbers"`         // numbers of the tables in the hall
	Seats    pairing.Round     `json:"seats"`           // as drawn, before manual changes
}

// DrawnPlayer is a player of a draw: ID, number for the chart, place, place at the last table, country and club.
// Countries and clubs are numbered from 1; 0 is none.
type DrawnPlayer [6]int64

// drawing returns the input of the round's draw. It returns false if an older version drew the round without storing
// its input.
func (r Round) drawing() (Drawing, bool) {
	var rep RoundReport
	if json.Unmarshal([]byte(r.Report), &rep) != nil || rep.Drawn == nil {
		return Drawing{}, false
	}
	return *rep.Drawn, true
}

// PlannedRounds returns the seats of later rounds that were planned with this one, or nil if there are none.
func (r Round) PlannedRounds() (plan []pairing.Round) {
	if r.Plan == "" || json.Unmarshal([]byte(r.Plan), &plan) != nil {
		return nil
	}
	return plan
}

// PairingReport decodes the report; it is empty for a round from before reports existed.
func (r Round) PairingReport() (rep pairing.Report) {
	_ = json.Unmarshal([]byte(r.Report), &rep)
	return rep
}

// AsPlanned sets Planned to the drawn tables, sorted by the table numbers in numbers. It does nothing for a round
// without a plan for later rounds.
func (r *Round) AsPlanned(tables pairing.Round, numbers []int) {
	if r.Plan == "" {
		return
	}
	order := make([]int, len(tables))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return numbers[a] - numbers[b] })
	sorted := make(pairing.Round, len(tables))
	for i, at := range order {
		sorted[i] = tables[at]
	}
	r.Planned = JSONText(sorted)
}

// JSONText encodes plain values as the database stores them.
func JSONText(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // plain values always encode
	}
	return string(text)
}

// Mended returns starting points for a new plan if manual exchanges in this round, the last in the request's history,
// made the plan more expensive: the plan with the same players exchanged, and the plan unchanged. It returns nil if the
// plan is as good as before. A number chart is never changed, because it is printed.
func (r Round) Mended(q pairing.Request, plan []pairing.Round) [][]pairing.Round {
	var planned pairing.Round
	if q.Method != pairing.Plan || r.Planned == "" || json.Unmarshal([]byte(r.Planned), &planned) != nil {
		return nil
	}
	is, was := slices.Concat(q.History[len(q.History)-1]...), slices.Concat(planned...)
	if slices.Equal(is, was) || len(is) != len(was) {
		return nil
	}
	now, err := pairing.Assess(q, plan)
	if err != nil {
		return nil
	}
	q.History = append(slices.Clone(q.History[:len(q.History)-1]), planned)
	before, err := pairing.Assess(q, plan)
	if err != nil || !before.Cost.Less(now.Cost) {
		return nil
	}
	instead := map[int64]int64{}
	for i := range was {
		instead[was[i]] = is[i]
	}
	exchanged := make([]pairing.Round, len(plan))
	for i, round := range plan {
		for _, table := range round {
			seats := make([]int64, len(table))
			for j, player := range table {
				seats[j] = instead[player]
			}
			exchanged[i] = append(exchanged[i], seats)
		}
	}
	return [][]pairing.Round{exchanged, plan}
}

// Judged sets the round's report to rep and its plan to left, the seats of the remaining rounds, without saving the
// round. It keeps the stored input of the draw.
func (r *Round) Judged(rep pairing.Report, left []pairing.Round) {
	kept := RoundReport{Report: rep}
	if drawn, ok := r.drawing(); ok {
		kept.Drawn = &drawn
	}
	r.Report, r.Plan = JSONText(kept), ""
	if len(left) > 0 {
		r.Plan = JSONText(left)
	}
}
