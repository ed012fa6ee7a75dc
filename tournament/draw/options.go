package draw

import (
	"slices"

	"gorm.io/gorm"

	"meldhall/engine/ruleset"
	"meldhall/tournament"
	"meldhall/tournament/format"
	"meldhall/tournament/pairing"
	"meldhall/tournament/preset"
	"meldhall/tournament/refuse"
	"meldhall/tournament/spelling"
)

// PairingOptions holds the options for seating the next round. An empty Method means the promised one, else that of the
// seating file covering the round, else the stage's. Manual starts with seats already placed by hand, or with the order
// of entry. Seed 0 means the promised seed, or a new random one. Note is the reason for a redraw. Games, Most and
// Duplicate override the format for the round: games at each table, the most players at a table, and whether all tables
// get the same deal. 0 and nil keep the draft's or the format's value. Drop allows the loss of a file's seats for later
// rounds.
type PairingOptions struct {
	Method    string `json:"method,omitempty" doc:"plan, standings, random, chart, snake, interval, winners, manual, or script for the seating file; empty: the seating file if it covers the round, otherwise as in the format"`
	Seed      int64  `json:"seed,omitempty" doc:"0: the promised seed, or a random one"`
	Note      string `json:"note,omitempty" maxLength:"500" doc:"the reason for drawing again, for the log; required to replace a draft"`
	Games     int    `json:"games,omitempty" minimum:"0" maximum:"20" doc:"number of games at each table, instead of the format's; 0: as in the previous draft, or the format"`
	Most      int    `json:"seats_most,omitempty" minimum:"0" maximum:"4" doc:"players at a table: 2 to 4; 0: as in the format"`
	Duplicate *bool  `json:"duplicate,omitempty" doc:"all tables get the same deal"`
	Drop      bool   `json:"drop_file,omitempty" doc:"allow giving up seats that a file holds for later rounds"`

	rounds []pairing.Round // the file's seats for this round and the later ones
	fresh  int64           // the random seed
}

// RoundGamesMost is the maximum number of games at each table of a round.
const RoundGamesMost = 20

// settle sets the number of games, the duplicate deal and the table size, if the options or the replaced draft override
// the format's.
func (d *NextRound) settle(options PairingOptions) error {
	if options.Games < 0 || options.Games > RoundGamesMost {
		return refuse.Invalid("err_draft_games", "games", options.Games, "most", RoundGamesMost)
	}
	if options.Most < 0 || options.Most == 1 || options.Most > ruleset.MaxSeats {
		return refuse.Invalid("err_draft_most", "seats", options.Most, "most", ruleset.MaxSeats)
	}
	if d.old != nil && d.old.Stage == d.Round.Stage && d.old.PlayOff == d.Round.PlayOff {
		d.Round.Games, d.Round.Duplicate = d.old.Games, d.old.Duplicate
	}
	if options.Games != 0 {
		d.Round.Games = options.Games
	}
	if options.Duplicate != nil {
		d.Round.Duplicate = *options.Duplicate
	}
	d.most = options.Most
	return nil
}

// evenly divides n players among as few tables as possible, larger tables first. most is the largest allowed table
// size.
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

// AskedMethods returns the seating methods that can be requested by name. It leaves out script, which is requested by
// sending a file.
func AskedMethods() []string { return append(slices.Clone(pairing.Automatic), pairing.Manual) }

// choose sets the method, the seed and the other options of the round.
func (d *NextRound) choose(db *gorm.DB, options PairingOptions) error {
	promise, err := promiseOf(db, d.tournament.ID, d.Round.Number)
	if err != nil {
		return err
	}
	method := options.Method
	switch {
	case method == "" && options.Seed == 0 && promise != nil && promise.Method != "" && !d.redraws(pairing.Script):
		method, options.Drop = promise.Method, true // the method was announced
	case method == "" && d.hasFile():
		method = pairing.Script
	case method == "":
		if method = d.Stage.SeatingOf(d.Round.StageRound); method == pairing.Script { // but there is no file
			method = pairing.Random
		}
	case method == pairing.Script && options.rounds == nil && !d.hasFile(), !slices.Contains(pairing.Methods, method):
		return refuse.Invalid("err_seating_method", "method", method)
	}
	if d.Round.PlayOff > 0 && !d.ahead && (options.Method != "" && options.Method != pairing.Script ||
		options.Most != 0) {
		return refuse.Conflict("err_play_off_method", "round", d.Round.Number)
	}
	if n := d.fileAfter(); n > 0 && method != pairing.Script && !options.Drop && !d.ahead {
		return refuse.Conflict("err_draw_file", "round", d.Round.Number, "n", n)
	}
	d.Round.Method, d.Round.Note, d.Round.Seed, d.Round.Draws = method, options.Note, options.Seed, 1
	if d.old != nil {
		d.Round.Draws = d.old.Draws + 1
	}
	if err := d.settle(options); err != nil {
		return err
	}
	if options.Seed != 0 {
		return nil
	}
	d.Round.Seed = options.fresh
	if d.promised = promise != nil && (d.old == nil || !promise.SpentOn(*d.old)); d.promised &&
		(d.old == nil || !slices.Contains(pairing.Automatic, d.old.Method)) {
		d.Round.Seed = promise.Seed
	}
	return nil
}

// sizes returns the sizes of the round's tables, or an error if the players cannot be seated.
func (d *NextRound) sizes() ([]int, error) {
	if d.Round.PlayOff > 0 {
		tables, err := tournament.PlayOffTables(d.cut.PlayOff, d.Rules)
		var sizes []int
		for _, table := range tables {
			sizes = append(sizes, len(table))
		}
		return sizes, err
	}
	if d.most != 0 && d.Round.Method != pairing.Script {
		sizes := evenly(len(d.Players), d.most)
		for _, size := range sizes {
			if size < d.Rules.SeatsMin || size > d.Rules.SeatsMax {
				return nil, refuse.Invalid("err_table_size", "players", len(d.Players), "size", size, "min",
					d.Rules.SeatsMin, "max", d.Rules.SeatsMax)
			}
		}
		return sizes, nil
	}
	sizes, err := d.Stage.Seat(len(d.Players), d.Rules.SeatsMin, d.Rules.SeatsMax)
	if err != nil {
		return nil, preset.AsRefusal(err)
	}
	if d.Round.Number == 1 {
		if err := d.format.For(len(d.Players), d.Rules.SeatsMin, d.Rules.SeatsMax); err != nil {
			return nil, preset.AsRefusal(err)
		}
	}
	return sizes, nil
}

// Request returns the input by which the round is drawn and assessed.
func (d *NextRound) Request(db *gorm.DB) (pairing.Request, error) {
	sizes, err := d.sizes()
	if err != nil {
		return pairing.Request{}, err
	}
	q := pairing.Request{Method: d.Round.Method, Sizes: sizes, Rounds: 1, Seed: d.Round.Seed,
		Players: d.entrantsKnown()}
	if q.Method == pairing.Plan || q.Method == pairing.Chart {
		q.Rounds += max(0, d.Stage.Rounds-d.Round.StageRound)
	}
	if d.unranked { // only to check seats
		return q, nil
	}
	for _, r := range d.Rounds {
		tables, err := tournament.TablesOf(db, r.ID)
		if err != nil {
			return q, err
		}
		q.History = append(q.History, tables)
	}
	if n := len(q.History); n > 0 {
		d.PlaceAtTables(q.Players, q.History[n-1])
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

// entrantsKnown returns the players with what the draw needs to know about them, except their places at the previous
// round's tables (PlaceAtTables). In the first round of a later stage it sets no places, because the order in which
// players advanced decides. In other rounds it sets the shared places.
func (d *NextRound) entrantsKnown() []pairing.Player {
	places := map[int64]int{}
	for _, row := range d.Board.Rows {
		places[row.Player] = row.Place
	}
	var players []pairing.Player
	numbers := d.chartNumbers()
	for _, id := range d.Players {
		p := d.Board.Players[id]
		known := pairing.Player{ID: id, Number: numbers[id], Country: spelling.SameCountry(p.Country),
			Club: spelling.Fold(p.Club), Family: spelling.Fold(p.Family), Place: places[id]}
		if d.Round.Stage > 0 && d.Round.StageRound == 1 {
			known.Place = 0
		}
		players = append(players, known)
	}
	return players
}

// PlaceAtTables sets each player's place at the table of the previous round, by the ranking of that round's stage.
func (d *NextRound) PlaceAtTables(players []pairing.Player, last pairing.Round) {
	rows := map[int64]int{}
	for i, row := range d.Board.Rows {
		rows[row.Player] = i
	}
	places, stage := map[int64]int{}, d.Rounds[len(d.Rounds)-1].Stage
	for _, table := range last {
		order := slices.Clone(table)
		slices.SortStableFunc(order, func(a, b int64) int {
			return d.Board.Input.CompareLast(stage, d.Board.Rows[rows[a]], d.Board.Rows[rows[b]])
		})
		for i, id := range order {
			places[id] = i + 1
		}
	}
	for i := range players {
		players[i].LastPlace = places[players[i].ID]
	}
}

// kept returns seats that need no draw: those of the tied players in a play-off, those of the previous round if they
// stay, or the stage plan's seats for this round with the plan's remaining rounds. It returns nil if a draw is needed:
// for a redraw, because other seats are wanted; with a promised seed, because the draw must use it; and when the plan's
// seed has become public because the tournament was finished for a while. A plan that has become worse through manual
// exchanges, or that was made for other players, becomes the starting point of the search (q.Begin).
func (d *NextRound) kept(q *pairing.Request) (tables pairing.Round, left []pairing.Round) {
	if d.Round.PlayOff > 0 { // the tied players play each other
		tables, _ := tournament.PlayOffTables(d.cut.PlayOff, d.Rules)
		return tables, nil
	}
	if d.Round.StageRound == 1 || len(q.History) == 0 || d.most != 0 {
		return nil, nil
	}
	before := q.History[len(q.History)-1]
	if d.Stage.SeatChange == format.Keep && seatsSame(before, d.Players) {
		d.staying = true
		return before, nil
	}
	last := d.Rounds[len(d.Rounds)-1]
	plan := last.PlannedRounds()
	if d.old != nil || q.Method != last.Method || len(plan) == 0 || q.Method == pairing.Plan && !last.Sealed {
		return nil, nil
	}
	if seatsSame(plan[0], d.Players) {
		if q.Begin = last.Mended(*q, plan); q.Begin != nil {
			d.Round.Replanned = last.Number
		}
	} else if !d.inherited(plan) {
		if q.Method == pairing.Plan {
			q.Begin = [][]pairing.Round{d.reseated(*q, plan)}
		}
		return nil, nil
	}
	if q.Begin != nil || d.promised {
		return nil, nil
	}
	return plan[0], plan[1:]
}

// plannedIn returns the number of the round whose plan and seed the last round was drawn with.
func (d *NextRound) plannedIn() int {
	i := len(d.Rounds) - 1
	for i > 0 && d.Rounds[i-1].Stage == d.Rounds[i].Stage && d.Rounds[i-1].Seed == d.Rounds[i].Seed {
		i--
	}
	return d.Rounds[i].Number
}
