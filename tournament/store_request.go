package tournament

import (
	"encoding/json"
	"slices"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/format"
	"meldhall/tournament/pairing"
)

// DrawOrder is how the next round is to be seated. An empty method is the stage's; seed 0 follows from the tournament's,
// so that the same players and results give the same draft, or is the one that was promised. Note says why it is drawn
// again. Tables are given for the method script alone: who sits where, in seat order. Games, Most and Duplicate change the
// draft from what the format says: games at each table, the most players at one, and whether all tables get the same deal;
// 0 and nil leave it as the draft before had it, or as the format says.
type DrawOrder struct {
	Method    string
	Seed      int64
	Note      string
	Tables    [][]int64
	Games     int
	Most      int
	Duplicate *bool
}

// DraftGamesMost is the most games at each table of a round.
const DraftGamesMost = 20

// settle sets what a draft has otherwise than the format.
func (d *draft) settle(order DrawOrder) error {
	if order.Games < 0 || order.Games > DraftGamesMost {
		return Refuse(Invalid, "err_draft_games", "games", order.Games, "most", DraftGamesMost)
	}
	if order.Most < 0 || order.Most == 1 || order.Most > engine.MaxSeats {
		return Refuse(Invalid, "err_draft_most", "seats", order.Most, "most", engine.MaxSeats)
	}
	if d.old != nil && d.old.Stage == d.round.Stage && d.old.PlayOff == d.round.PlayOff {
		d.round.Games, d.round.Duplicate = d.old.Games, d.old.Duplicate
	}
	if order.Games != 0 {
		d.round.Games = order.Games
	}
	if order.Duplicate != nil {
		d.round.Duplicate = *order.Duplicate
	}
	d.most = order.Most
	return nil
}

// evenly shares n players among as few tables of at most so many as can be, the larger tables first.
func evenly(n, most int) []int {
	tables := (n + most - 1) / most
	sizes := make([]int, tables)
	for i := range sizes {
		sizes[i] = n / tables
		if i < n%tables {
			sizes[i]++
		}
	}
	return sizes
}

// drawable is the way of seating that a draft is drawn by: what an organizer seats by hand or by a file begins as a lot.
func drawable(seating string) string {
	if slices.Contains(pairing.Drawn, seating) {
		return seating
	}
	return pairing.Random
}

// choose sets the method and the seed.
func (d *draft) choose(db *gorm.DB, order DrawOrder) error {
	method := order.Method
	switch {
	case method == "":
		method = drawable(d.stage.SeatingOf(d.round.StageRound))
	case method == pairing.Script && order.Tables == nil, !slices.Contains(pairing.Methods, method), method == pairing.Manual:
		return Refuse(Invalid, "err_seating_method", "method", method)
	}
	d.round.Method, d.round.Note, d.round.Seed, d.round.Draws = method, order.Note, order.Seed, 1
	if d.old != nil {
		d.round.Draws = d.old.Draws + 1
	}
	if err := d.settle(order); err != nil {
		return err
	}
	if order.Seed != 0 {
		return nil
	}
	promise, err := promiseOf(db, d.tournament.ID, d.round.Number)
	if err != nil {
		return err
	}
	d.round.Seed = (d.tournament.Seed ^ int64(d.round.Number)<<40) & (1<<53 - 1)
	if promise != nil {
		d.round.Seed = promise.Seed
	}
	if d.old != nil {
		d.round.Seed = (d.old.Seed + 1) & (1<<53 - 1)
	}
	return nil
}

// sizes are those of the round's tables, or why there are none.
func (d *draft) sizes() ([]int, error) {
	if d.round.PlayOff > 0 {
		tables, err := playOffTables(d.cut.PlayOff, d.rules)
		var sizes []int
		for _, table := range tables {
			sizes = append(sizes, len(table))
		}
		return sizes, err
	}
	if d.most != 0 {
		sizes := evenly(len(d.players), d.most)
		for _, size := range sizes {
			if size < d.rules.SeatsMin || size > d.rules.SeatsMax {
				return nil, Refuse(Invalid, "err_table_size", "players", len(d.players), "size", size, "min", d.rules.SeatsMin, "max", d.rules.SeatsMax)
			}
		}
		return sizes, nil
	}
	sizes, err := d.stage.Seat(len(d.players), d.rules.SeatsMin, d.rules.SeatsMax)
	if err != nil {
		return nil, asError(err)
	}
	if d.round.Number == 1 {
		if err := d.format.For(len(d.players), d.rules.SeatsMin, d.rules.SeatsMax); err != nil {
			return nil, asError(err)
		}
	}
	return sizes, nil
}

// request is what the round is drawn of, and judged by.
func (d *draft) request(db *gorm.DB) (pairing.Request, error) {
	sizes, err := d.sizes()
	if err != nil {
		return pairing.Request{}, err
	}
	q := pairing.Request{Method: d.round.Method, Sizes: sizes, Rounds: 1, Seed: d.round.Seed, Players: d.entrantsKnown()}
	if left := max(0, d.stage.Rounds-d.round.StageRound); q.Method == pairing.Plan || q.Method == pairing.Chart {
		q.Rounds += left
	} else {
		q.Future = left
	}
	for _, r := range d.rounds {
		tables, err := tablesOf(db, r.ID)
		if err != nil {
			return q, err
		}
		q.History = append(q.History, tables)
	}
	if n := len(q.History); n > 0 {
		d.placeAtTables(q.Players, q.History[n-1])
	}
	var apart []keepApart
	if err := db.Where("tournament_id = ?", d.tournament.ID).Order("a, b").Find(&apart).Error; err != nil {
		return q, err
	}
	for _, pair := range apart {
		q.Apart = append(q.Apart, pairing.PairOf(pair.A, pair.B))
	}
	return q, nil
}

// entrantsKnown are the players with all that matters to their seats. The first round of a later stage goes by who came
// through how, the others by the shared places.
func (d *draft) entrantsKnown() []pairing.Player {
	places := map[int64]int{}
	for _, row := range d.board.rows {
		places[row.Player] = row.Place
	}
	var players []pairing.Player
	for _, id := range d.players {
		p := d.board.players[id]
		known := pairing.Player{ID: id, Number: p.Number, Country: p.CountryKey, Club: foldText(p.Club), Family: foldText(p.Family), Place: places[id]}
		if d.round.Stage > 0 && d.round.StageRound == 1 {
			known.Place = 0
		}
		players = append(players, known)
	}
	return players
}

// placeAtTables sets who came first, second, … at the tables of the round before, by what its stage ranks by.
func (d *draft) placeAtTables(players []pairing.Player, last pairing.Round) {
	rows := map[int64]int{}
	for i, row := range d.board.rows {
		rows[row.Player] = i
	}
	places, stage := map[int64]int{}, d.rounds[len(d.rounds)-1].Stage
	for _, table := range last {
		order := slices.Clone(table)
		slices.SortStableFunc(order, func(a, b int64) int {
			return d.board.input.CompareLast(stage, d.board.rows[rows[a]], d.board.rows[rows[b]])
		})
		for i, id := range order {
			places[id] = i + 1
		}
	}
	for i := range players {
		players[i].LastPlace = places[players[i].ID]
	}
}

// kept gives the seats of the round before where they stay, or those that the stage's plan has for this round, with the
// rounds that the plan has left; nil when there is something to draw. Who draws again wants other seats.
func (d *draft) kept(q pairing.Request) (tables pairing.Round, left []pairing.Round) {
	if d.round.PlayOff > 0 { // who ties plays among each other
		tables, _ := playOffTables(d.cut.PlayOff, d.rules)
		return tables, nil
	}
	if d.round.StageRound == 1 || len(q.History) == 0 {
		return nil, nil
	}
	if d.most != 0 {
		return nil, nil
	}
	if before := q.History[len(q.History)-1]; d.stage.SeatChange == format.Keep && seatsSame(before, d.players) {
		return before, nil
	}
	plan := d.rounds[len(d.rounds)-1].plan()
	if d.old != nil || q.Method != pairing.Plan && q.Method != pairing.Chart || len(plan) == 0 {
		return nil, nil
	}
	if !seatsSame(plan[0], d.players) {
		return nil, nil
	}
	return plan[0], plan[1:]
}

// plan is the seats of the rounds to come that were planned with this one.
func (r Round) plan() (plan []pairing.Round) {
	if r.Plan == "" || json.Unmarshal([]byte(r.Plan), &plan) != nil {
		return nil
	}
	return plan
}

// DrawReport reads the report; a round from before there were any has an empty one.
func (r Round) DrawReport() (rep pairing.Report) {
	_ = json.Unmarshal([]byte(r.Report), &rep)
	return rep
}

// judged puts the report of a round's seats into the round, and the rest of its plan.
func (r *Round) judged(rep pairing.Report, left []pairing.Round) error {
	report, err := json.Marshal(rep)
	if err != nil {
		return err
	}
	r.Report, r.Plan = string(report), ""
	if len(left) > 0 {
		plan, err := json.Marshal(left)
		if err != nil {
			return err
		}
		r.Plan = string(plan)
	}
	return nil
}
