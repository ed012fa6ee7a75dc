package tournament

import (
	"context"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"gorm.io/gorm"

	"meldhall/tournament/door"
	"meldhall/tournament/pairing"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/storage"
)

// A search for seats ends with the best found after so long, however large the field.
const (
	planTime  = 8 * time.Second
	roundTime = 2 * time.Second
)

// PairRound drafts the next round, in place of the draft that there is. Refused while a round is under way, when there is
// none left, when players tie at a cut (DrawLot decides), and for numbers of players that tables of 4 and 3 cannot seat.
// The search runs before the transaction that keeps its draft, so that no table waits for it. File is a seating file, which is
// the method script; nil for none. In place of a draft it takes a note, why.
type PairRound struct {
	Tournament int64 `json:"tournament"`
	PairingOptions
	File *string `json:"file,omitempty"`

	found *foundSeats
}

// foundSeats is what a draw has found.
type foundSeats struct {
	roundPairing
	seats   pairing.Round
	written lastWritten // before it
}

// lastWritten are the newest record and the newest result. All that a draw is made of is one of these, or leaves a record.
type lastWritten struct{ record, result int64 }

func lastWrittenIn(db *gorm.DB) (w lastWritten, err error) {
	err = db.Statement.ConnPool.QueryRowContext(db.Statement.Context, `SELECT coalesce((SELECT max(id) FROM audit), 0), coalesce((SELECT max(id) FROM results), 0)`).
		Scan(&w.record, &w.result)
	return w, err
}

var _ = door.NewKind[PairRound](door.Kind{Name: "round.seat", Right: rights.MaySeatRound, Changes: []door.What{door.TopicSeats},
	Details: door.Keep[paired]})

// paired is what a record of a draw keeps; no seed that tells seats to come, see Round.Sealed. GivenUp are the rounds of a file
// that were given up for it.
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

// wasDrawn is how seats were drawn that people had seen and that were drawn again.
type wasDrawn struct {
	Method string `json:"method"`
	Seed   int64  `json:"seed,omitempty"`
}

// Before tells how the seats were drawn that people had seen.
func (r paired) Before() []door.Phrase {
	switch {
	case r.Was == nil:
		return nil
	case r.Was.Seed == 0:
		return door.SayWord("method.", r.Was.Method)
	}
	return []door.Phrase{door.Say("log.is.drawn_with", "method", door.Word("method."+r.Was.Method), "seed", strconv.FormatInt(r.Was.Seed, 10))}
}

// After tells how the round was drawn.
func (r paired) After() []door.Phrase {
	key := "log.is.draw"
	if r.Seed == 0 {
		key = "log.is.draw_sealed"
	}
	list := []door.Phrase{door.Say(key, "method", door.Word("method."+r.Method), "seed", strconv.FormatInt(r.Seed, 10), "tables", r.Tables, "players", r.Players, "games", r.Games)}
	if r.Duplicate {
		list = append(list, door.Phrase{Key: "draw.duplicate"})
	}
	if r.GivenUp > 0 {
		list = append(list, door.Say("log.is.file_given_up", "n", r.GivenUp))
	}
	return []door.Phrase{door.Tell(list)}
}

// NoteMissing is that seats are drawn in place of others without a word why.
func NoteMissing(old Round) error {
	return refuse.Invalid("err_draw_note", "round", old.Number, "most", door.ReasonMost)
}

// Plan finds who sits where.
func (r PairRound) Plan(ctx context.Context, d *door.Desk, _ rights.Actor) (door.Action, error) {
	if r.Note = strings.TrimSpace(r.Note); len([]rune(r.Note)) > door.ReasonMost {
		return nil, refuse.Invalid("err_why_missing", "most", door.ReasonMost)
	}
	found := &foundSeats{}
	r.fresh = d.Seeds()
	err := d.DB.Snapshot(ctx, func(db *gorm.DB) (err error) {
		if err := r.readFile(db); err != nil {
			return err
		}
		if found.written, err = lastWrittenIn(db); err != nil {
			return err
		}
		if found.roundPairing, err = newPairing(db, r.Tournament, r.PairingOptions); err == nil && found.old != nil && r.Note == "" {
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

func (r PairRound) Do(tx *door.Tx) (Round, error) {
	d := r.found.roundPairing
	now := d
	written, err := lastWrittenIn(tx.DB)
	if err == nil && written != r.found.written {
		now, err = newPairing(tx.DB, r.Tournament, r.PairingOptions)
	}
	if err != nil {
		return Round{}, err
	}
	if !reflect.DeepEqual(now.q, d.q) || !reflect.DeepEqual(now.tables, d.tables) || (now.old == nil) != (d.old == nil) || now.old != nil && now.old.ID != d.old.ID {
		return Round{}, door.ErrMoved
	}
	if d.old != nil {
		if err := r.inPlaceOf(tx, *now.old); err != nil {
			return Round{}, err
		}
	}
	d.round.CreatedAt = tx.Now()
	numbers, err := d.inHall(tx.DB, r.found.seats)
	if err != nil {
		return Round{}, err
	}
	d.round.asPlanned(r.found.seats, numbers)
	d.round.Report = jsonText(RoundReport{d.round.PairingReport(), d.drawing(r.found.seats, numbers)})
	d.round.Sealed = d.round.Plan != "" && d.round.Method != pairing.Script
	tx.Record(door.Entry{Event: r.Tournament, On: d.round.about(), Why: d.round.Note, Is: paired{d.round.Method, d.round.ToldSeed(), len(r.found.seats),
		len(d.players), d.round.Games, d.round.Duplicate, d.givenUp(), d.was()}})
	return d.round, insertRound(tx.DB, &d.round, r.found.seats, numbers)
}

// inPlaceOf removes the draft that is drawn again. When people had seen its seats, the new ones are marked as changed, and a seed is
// promised anew: the one they are drawn with, unless that was asked for, which keeps no promise.
func (r PairRound) inPlaceOf(tx *door.Tx, old Round) error {
	round := &r.found.round
	if round.ChangedAt = old.ChangedAt; slices.Contains(pairing.Automatic, round.Method) {
		seed := round.Seed
		if r.Seed != 0 {
			seed = tx.Desk.Seeds()
		}
		if err := promiseAgain(tx, old, seed); err != nil {
			return err
		}
	}
	return deleteRound(tx.DB, old.ID)
}

// was is how the seats in whose place these come were drawn, where people had seen them.
func (d *nextRound) was() *wasDrawn {
	if d.old == nil || d.old.ChangedAt == 0 {
		return nil
	}
	return &wasDrawn{d.old.Method, d.old.ToldSeed()}
}

// roundPairing is a draft with what it is drawn of, and the seats that there is nothing to draw for.
type roundPairing struct {
	*nextRound
	q      pairing.Request
	tables pairing.Round   // nil: to be drawn
	left   []pairing.Round // of the plan that the tables come from
}

func newPairing(db *gorm.DB, tournamentID int64, options PairingOptions) (roundPairing, error) {
	d, err := nextRoundOf(db, tournamentID)
	if err != nil {
		return roundPairing{}, err
	}
	return d.pair(db, options)
}

func (d *nextRound) pair(db *gorm.DB, options PairingOptions) (roundPairing, error) {
	if err := d.choose(db, options); err != nil {
		return roundPairing{}, err
	}
	made := roundPairing{nextRound: d}
	var err error
	if d.takenOver, err = takenOver(db, d.tournament.ID); err != nil {
		return made, err
	}
	if made.q, err = d.request(db); err != nil {
		return made, err
	}
	if made.q.Method == pairing.Script {
		err := made.byScript(db, options.rounds)
		return made, err
	}
	if d.round.PlayOff == 0 && d.redraws(pairing.Manual) && made.q.Method == pairing.Manual {
		made.tables, err = d.byHand(db, made.q.Sizes)
		return made, err
	}
	if made.tables, made.left = d.kept(&made.q); made.tables != nil && d.round.PlayOff == 0 {
		d.round.Seed = d.rounds[len(d.rounds)-1].Seed // what they were drawn with
		made.q.Seed = d.round.Seed
	}
	if made.tables == nil && made.q.Method == pairing.Manual {
		made.tables, err = d.byHand(db, made.q.Sizes)
	}
	return made, err
}

// byScript takes the seats of a file: the one given, or the one that the draft or the round before was seated by. The tables are as
// large as it says.
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
	d.q.Sizes = tableSizes(d.tables)
	if err := d.withinMost(db); err != nil {
		return err
	}
	return d.apartTies(d.tables)
}

// withinMost refuses seats of a file with more players at a table than were asked for.
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

// seats finds who sits where and what is to be said of it.
func seats(ctx context.Context, desk *door.Desk, d roundPairing) (pairing.Round, error) {
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
		q.Tell = func(done, of int) { desk.Searches.Tell(d.tournament.ID, done, of) }
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
	d.round.judged(rep, left)
	return tables, nil
}

// closedNumbers are the tables of the hall that nobody may be seated at.
func closedNumbers(db *gorm.DB, tournamentID int64) (numbers []int, err error) {
	err = db.Model(&ClosedTable{}).Where("tournament_id = ?", tournamentID).Pluck("number", &numbers).Error
	return numbers, err
}

// fixedTables are the players who always sit at one table.
func fixedTables(db *gorm.DB, tournamentID int64) (map[int64]int, error) {
	players, err := storage.All[Player](db.Select("id", "fixed_table").Where("tournament_id = ? AND fixed_table > 0", tournamentID))
	return storage.MapOf(players, func(p Player) (int64, int) { return p.ID, p.FixedTable }), err
}

// hallNumbers are the numbers in the hall of a plan's tables, with who always sits at one.
func (d *nextRound) hallNumbers(db *gorm.DB, plan [][]int64) (numbers []int, fixed map[int64]int, err error) {
	closed, err := closedNumbers(db, d.tournament.ID)
	if err != nil {
		return nil, nil, err
	}
	fixed, err = fixedTables(db, d.tournament.ID)
	return pairing.HallNumbers(plan, closed, fixed), fixed, err
}

// inHall gives a drawn round its tables of the hall: without those out of service, and with those who have a fixed table at
// it. When that takes an exchange, the round's report says so.
func (d roundPairing) inHall(db *gorm.DB, plan [][]int64) ([]int, error) {
	numbers, fixed, err := d.hallNumbers(db, plan)
	if d.fixed = fixed; err != nil || len(fixed) == 0 {
		return numbers, err
	}
	met, err := metBefore(db, d.tournament.ID, d.round.Number)
	if err != nil {
		return nil, err
	}
	pairing.Settle(plan, numbers, fixed, met.cost)
	rep, err := pairing.Assess(d.q, []pairing.Round{plan})
	if err != nil {
		return nil, refuse.Invalid("err_seats_wrong", "detail", err.Error())
	}
	left := d.round.Plan
	d.round.judged(rep, nil)
	d.round.Plan = left
	return numbers, nil
}

// meetings count how often two players have met; in the round before it counts twice.
type meetings map[pairing.Pair]int

// metBefore are the meetings in the rounds before one.
func metBefore(db *gorm.DB, tournamentID int64, number int) (meetings, error) {
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

// cost of a table is the sum of the squares of its pairs' meetings.
func (m meetings) cost(table []int64) int {
	cost := 0
	for i, a := range table {
		for _, b := range table[i+1:] {
			n := m[pairing.PairOf(a, b)]
			cost += n * n
		}
	}
	return cost
}
