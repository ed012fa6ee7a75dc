// Package draw seats a tournament's rounds: the draw with its options and promised seeds, seating files, drafts,
// publishing and withdrawing a round, and starting it.
package draw

import (
	"context"
	"reflect"
	"slices"
	"strconv"
	"time"

	"gorm.io/gorm"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/pairing"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// Time limits of a seat search, for fields of any size. The search then returns the best seats found so far.
const (
	planTime  = 8 * time.Second
	roundTime = 2 * time.Second
)

// PairRound drafts the next round and replaces the current draft. It is refused while a round is in progress, when no
// round is left, and when players tie at a cut (DrawLot decides). It is also refused for numbers of players that tables
// of 4 and 3 cannot seat. The search runs before the transaction that stores the draft, so that no table waits for it.
// File is a seating file (method script), or nil. Replacing a draft requires a note with the reason.
type PairRound struct {
	Tournament int64 `json:"tournament"`
	PairingOptions
	File *string `json:"file,omitempty"`
	// Ignore leaves out the columns of File that are not recognized.
	Ignore bool `json:"ignore,omitempty"`

	found *foundSeats
}

// foundSeats is the result of a draw.
type foundSeats struct {
	roundPairing
	seats   pairing.Round
	written lastWritten // as read before the draw
}

// lastWritten identifies the newest audit record and the newest result. Every input of a draw is one of these or leaves
// a record.
type lastWritten struct{ record, result int64 }

func lastWrittenIn(db *gorm.DB) (w lastWritten, err error) {
	err = db.Statement.ConnPool.QueryRowContext(db.Statement.Context,
		`SELECT coalesce((SELECT max(id) FROM audit), 0), coalesce((SELECT max(id) FROM results), 0)`).
		Scan(&w.record, &w.result)
	return w, err
}

var _ = action.NewKind[PairRound](action.Kind{Name: "round.seat", Right: rights.MaySeatRound,
	Changes: []action.What{action.TopicSeats},
	Details: action.Keep[paired]})

// paired is the audit record of a draw. It omits a seed that would reveal later seats (see Round.Sealed). GivenUp
// counts the rounds of a seating file that were dropped for the draw.
type paired struct {
	Method    string `json:"method"`
	Seed      int64  `json:"seed,omitempty"`
	Tables    int    `json:"tables"`
	Players   int    `json:"players"`
	Games     int    `json:"games"`
	Duplicate bool   `json:"duplicate,omitempty"`
	GivenUp   int    `json:"given_up,omitempty"`

	Was *wasDrawn `json:"was,omitempty"`
}

// wasDrawn describes how replaced seats had been drawn, if people had seen them.
type wasDrawn struct {
	Method string `json:"method"`
	Seed   int64  `json:"seed,omitempty"`
}

// Before describes how the replaced seats had been drawn, if people had seen them.
func (r paired) Before() []action.Phrase {
	switch {
	case r.Was == nil:
		return nil
	case r.Was.Seed == 0:
		return action.SayWord("method.", r.Was.Method)
	}
	return []action.Phrase{action.Say("log.is.drawn_with", "method", action.Word("method."+r.Was.Method), "seed",
		strconv.FormatInt(r.Was.Seed, 10))}
}

// After describes how the round was drawn.
func (r paired) After() []action.Phrase {
	key := "log.is.draw"
	if r.Seed == 0 {
		key = "log.is.draw_sealed"
	}
	list := []action.Phrase{action.Say(key, "method", action.Word("method."+r.Method), "seed",
		strconv.FormatInt(r.Seed, 10), "tables", r.Tables, "players", r.Players, "games", r.Games)}
	if r.Duplicate {
		list = append(list, action.Phrase{Key: "draw.duplicate"})
	}
	if r.GivenUp > 0 {
		list = append(list, action.Say("log.is.file_given_up", "n", r.GivenUp))
	}
	return []action.Phrase{action.Tell(list)}
}

// NoteMissing returns the error for replacing a draft without giving a reason.
func NoteMissing(old tournament.Round) error {
	return refuse.Invalid("err_draw_note", "round", old.Number, "most", action.ReasonMost)
}

// Plan finds the seats.
func (r PairRound) Plan(ctx context.Context, d *action.Desk, _ rights.Actor) (action.Action, error) {
	var err error
	if r.Note, err = action.CleanWhy(r.Note); err != nil {
		return nil, err
	}
	found := &foundSeats{}
	r.fresh = d.Seeds()
	err = d.DB.Snapshot(ctx, func(db *gorm.DB) (err error) {
		if err := r.readFile(db); err != nil {
			return err
		}
		if found.written, err = lastWrittenIn(db); err != nil {
			return err
		}
		if found.roundPairing, err = newPairing(db, r.Tournament, r.PairingOptions); err == nil && found.old != nil &&
			r.Note == "" {
			err = NoteMissing(*found.old)
		}
		return err
	})
	if err == nil {
		found.seats, err = seats(ctx, d, found.roundPairing)
	}
	r.found = found
	return r, err
}

func (r PairRound) Do(tx *action.Tx) (tournament.Round, error) {
	d := r.found.roundPairing
	now := d
	written, err := lastWrittenIn(tx.DB)
	if err == nil && written != r.found.written {
		now, err = newPairing(tx.DB, r.Tournament, r.PairingOptions)
	}
	if err != nil {
		return tournament.Round{}, err
	}
	if !reflect.DeepEqual(now.q, d.q) || !reflect.DeepEqual(now.tables, d.tables) ||
		(now.old == nil) != (d.old == nil) || now.old != nil && now.old.ID != d.old.ID {
		return tournament.Round{}, action.ErrMoved
	}
	if d.old != nil {
		if err := r.inPlaceOf(tx, *now.old); err != nil {
			return tournament.Round{}, err
		}
	}
	d.Round.CreatedAt = tx.Now()
	numbers, err := d.inHall(tx.DB, r.found.seats)
	if err != nil {
		return tournament.Round{}, err
	}
	d.Round.AsPlanned(r.found.seats, numbers)
	d.Round.Report = tournament.JSONText(tournament.RoundReport{Report: d.Round.PairingReport(),
		Drawn: d.drawing(r.found.seats, numbers)})
	d.Round.Sealed = d.Round.Plan != "" && d.Round.Method != pairing.Script
	tx.Record(action.Entry{Event: r.Tournament, On: d.Round.About(), Why: d.Round.Note,
		Is: paired{d.Round.Method, d.Round.ToldSeed(), len(r.found.seats),
			len(d.Players), d.Round.Games, d.Round.Duplicate, d.givenUp(), d.was()}})
	return d.Round, insertRound(tx.DB, &d.Round, r.found.seats, numbers)
}

// inPlaceOf deletes the replaced draft. If people had seen its seats, the new seats are marked as changed, and a
// promise whose seed is public is replaced (see PromiseAgain). The new promise binds the seed of this draw. If the
// caller chose that seed, it binds another one, because a chosen seed keeps no promise.
func (r PairRound) inPlaceOf(tx *action.Tx, old tournament.Round) error {
	round := &r.found.Round
	if round.ChangedAt = old.ChangedAt; slices.Contains(pairing.Automatic, round.Method) {
		seed := round.Seed
		if r.Seed != 0 {
			seed = tx.Desk.Seeds()
		}
		if err := PromiseAgain(tx, old, seed); err != nil {
			return err
		}
	}
	return DeleteRound(tx.DB, old.ID)
}

// was describes how the replaced seats had been drawn. It returns nil if they had not been published.
func (d *NextRound) was() *wasDrawn {
	if d.old == nil || d.old.ChangedAt == 0 {
		return nil
	}
	return &wasDrawn{d.old.Method, d.old.ToldSeed()}
}

// roundPairing is a draft with the input of its draw, and its seats if no draw is needed.
type roundPairing struct {
	*NextRound
	q      pairing.Request
	tables pairing.Round   // nil: must be drawn
	left   []pairing.Round // the remaining rounds of the plan that tables comes from
}

func newPairing(db *gorm.DB, tournamentID int64, options PairingOptions) (roundPairing, error) {
	d, err := NextRoundOf(db, tournamentID)
	if err != nil {
		return roundPairing{}, err
	}
	return d.pair(db, options)
}

func (d *NextRound) pair(db *gorm.DB, options PairingOptions) (roundPairing, error) {
	if err := d.choose(db, options); err != nil {
		return roundPairing{}, err
	}
	made := roundPairing{NextRound: d}
	var err error
	if d.takenOver, err = tournament.TakenOver(db, d.tournament.ID); err != nil {
		return made, err
	}
	if made.q, err = d.Request(db); err != nil {
		return made, err
	}
	if made.q.Method == pairing.Script {
		err := made.byScript(db, options.rounds)
		return made, err
	}
	if d.Round.PlayOff == 0 && d.redraws(pairing.Manual) && made.q.Method == pairing.Manual {
		made.tables, err = d.byHand(db, made.q.Sizes)
		return made, err
	}
	if made.tables, made.left = d.kept(&made.q); made.tables != nil && d.Round.PlayOff == 0 {
		d.Round.Seed = d.Rounds[len(d.Rounds)-1].Seed // the seed they were drawn with
		made.q.Seed = d.Round.Seed
	}
	if made.tables == nil && made.q.Method == pairing.Manual {
		made.tables, err = d.byHand(db, made.q.Sizes)
	}
	return made, err
}

// byScript takes the seats of a seating file: the given one, or the one used by the draft or the previous round. The
// file determines the table sizes.
func (d *roundPairing) byScript(db *gorm.DB, rounds []pairing.Round) (err error) {
	if rounds == nil {
		if rounds, err = d.fileSeats(db); err != nil {
			return err
		}
		d.substituted(rounds)
		if err := d.fitsScript(rounds[0]); err != nil {
			return err
		}
	}
	d.tables, d.left = rounds[0], rounds[1:]
	d.q.Sizes = TableSizes(d.tables)
	if err := d.withinMost(db); err != nil {
		return err
	}
	return d.apartTies(d.tables)
}

// withinMost rejects a file that seats more players at a table than the requested maximum.
func (d *roundPairing) withinMost(db *gorm.DB) error {
	i := slices.IndexFunc(d.q.Sizes, func(size int) bool { return size > d.most })
	if d.most == 0 || i < 0 {
		return nil
	}
	numbers, _, err := d.hallNumbers(db, d.tables)
	if err != nil {
		return err
	}
	return refuse.Conflict("err_script_most", "table", numbers[i], "players", d.q.Sizes[i], "most", d.most)
}

// seats returns the seats of a draft, drawing them if necessary, and stores the report on them in d.Round.
func seats(ctx context.Context, desk *action.Desk, d roundPairing) (pairing.Round, error) {
	q, tables, left := d.q, d.tables, d.left
	if tables == nil {
		until := desk.DB.Now().Add(roundTime)
		if q.Rounds > 1 {
			until = desk.DB.Now().Add(planTime)
		}
		defer desk.Searches.End(d.tournament.ID)
		asked := 0
		q.Stop = func() bool {
			if asked++; d.asked == 0 && (ctx.Err() != nil || desk.DB.Now().After(until)) {
				d.asked = asked
			}
			return d.asked != 0
		}
		q.Tell = func(done, of int) { desk.Searches.Report(d.tournament.ID, done, of) }
		q.Steps = desk.Searches.Steps
		d.steps, d.asked = q.Steps, 0
		drawn, err := pairing.Draw(q)
		if err != nil {
			return nil, err
		}
		tables, left = drawn[0], drawn[1:]
	}
	rep, err := pairing.Assess(d.q, []pairing.Round{tables})
	if err != nil {
		return nil, refuse.Invalid("err_seats_wrong", "detail", err.Error())
	}
	if whole, err := pairing.Assess(d.q, append([]pairing.Round{tables}, left...)); err == nil && len(left) > 0 {
		rep.Plan = &pairing.Planned{Rounds: whole.Rounds, Extra: whole.Extra, Bound: whole.Bound}
	}
	d.Round.Judged(rep, left)
	return tables, nil
}

// ClosedNumbers returns the hall's tables that are out of service.
func ClosedNumbers(db *gorm.DB, tournamentID int64) (numbers []int, err error) {
	err = db.Model(&tournament.ClosedTable{}).Where("tournament_id = ?", tournamentID).Pluck("number", &numbers).Error
	return numbers, err
}

// FixedTables returns the table numbers of the players with a fixed table, by player.
func FixedTables(db *gorm.DB, tournamentID int64) (map[int64]int, error) {
	players, err := store.All[tournament.Player](db.Select("id",
		"fixed_table").Where("tournament_id = ? AND fixed_table > 0",
		tournamentID))
	return store.MapOf(players, func(p tournament.Player) (int64, int) { return p.ID, p.FixedTable }), err
}

// hallNumbers returns the hall's table numbers for a plan's tables, and the fixed table numbers by player.
func (d *NextRound) hallNumbers(db *gorm.DB, plan [][]int64) (numbers []int, fixed map[int64]int, err error) {
	closed, err := ClosedNumbers(db, d.tournament.ID)
	if err != nil {
		return nil, nil, err
	}
	fixed, err = FixedTables(db, d.tournament.ID)
	return pairing.HallNumbers(plan, closed, fixed), fixed, err
}

// inHall returns the hall's table numbers for a drawn round. It skips tables out of service and seats players with a
// fixed table there. If that needs an exchange of players, it changes plan and the round's report.
func (d roundPairing) inHall(db *gorm.DB, plan [][]int64) ([]int, error) {
	numbers, fixed, err := d.hallNumbers(db, plan)
	if d.fixed = fixed; err != nil || len(fixed) == 0 {
		return numbers, err
	}
	met, err := MetBefore(db, d.tournament.ID, d.Round.Number)
	if err != nil {
		return nil, err
	}
	pairing.Settle(plan, numbers, fixed, met.Cost)
	rep, err := pairing.Assess(d.q, []pairing.Round{plan})
	if err != nil {
		return nil, refuse.Invalid("err_seats_wrong", "detail", err.Error())
	}
	left := d.Round.Plan
	d.Round.Judged(rep, nil)
	d.Round.Plan = left
	return numbers, nil
}

// meetings counts how often two players have met; a meeting in the previous round counts twice.
type meetings map[pairing.Pair]int

// MetBefore returns the meetings in the rounds before number.
func MetBefore(db *gorm.DB, tournamentID int64, number int) (meetings, error) {
	var together []struct {
		A, B   int64
		Number int
	}
	err := db.Raw(`SELECT a.player_id AS a, b.player_id AS b, r.number FROM rounds r JOIN seats a ON a.round_id = r.id
		JOIN seats b ON b.table_id = a.table_id AND b.player_id > a.player_id WHERE r.tournament_id = ? AND r.number < ?`, tournamentID, number).Scan(&together).Error
	met := meetings{}
	for _, pair := range together {
		met[pairing.Pair{pair.A, pair.B}]++
		if pair.Number == number-1 {
			met[pairing.Pair{pair.A, pair.B}]++
		}
	}
	return met, err
}

// Cost returns the sum of the squares of the meetings of a table's pairs.
func (m meetings) Cost(table []int64) int {
	cost := 0
	for i, a := range table {
		for _, b := range table[i+1:] {
			n := m[pairing.PairOf(a, b)]
			cost += n * n
		}
	}
	return cost
}
