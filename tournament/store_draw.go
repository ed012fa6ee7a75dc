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
)

// A search for seats ends with the best found after so long, however large the field.
const (
	planTime  = 8 * time.Second
	roundTime = 2 * time.Second
)

// DrawRound drafts the next round, in place of the draft that there is. Refused while a round is under way, when there is
// none left, when players tie at a cut (DrawLot decides), and for numbers of players that tables of 4 and 3 cannot seat.
// The search runs before the transaction that keeps its draft, so that no table waits for it.
type DrawRound struct {
	Tournament int64 `json:"tournament"`
	DrawOrder

	drawn *drawn
}

// drawn is what a draw has found.
type drawn struct {
	drawing
	seats pairing.Round
}

var drawKind = door.NewKind[DrawRound, Round](door.Kind{Name: "round.seat", Right: rights.MaySeatRound, Changes: []door.What{door.TopicSeats},
	Details: func() door.Details { return &roundDrawn{} }})

func (DrawRound) Kind() *door.Kind { return drawKind }

// roundDrawn is what a record of a draw keeps. GivenUp are the rounds of a file that were given up for it.
type roundDrawn struct {
	Method    string `json:"method"`
	Seed      int64  `json:"seed"`
	Tables    int    `json:"tables"`
	Players   int    `json:"players"`
	Games     int    `json:"games"`
	Duplicate bool   `json:"duplicate,omitempty"`
	GivenUp   int    `json:"given_up,omitempty"`
}

// Before says nothing: the draft of before is gone.
func (roundDrawn) Before() []door.Phrase { return nil }

// After tells how the round was drawn.
func (r roundDrawn) After() []door.Phrase {
	list := []door.Phrase{door.Say("log.is.draw", "method", door.Word("method."+r.Method), "seed", strconv.FormatInt(r.Seed, 10), "tables", r.Tables, "players", r.Players, "games", r.Games)}
	if r.Duplicate {
		list = append(list, door.Phrase{Key: "draw.duplicate"})
	}
	if r.GivenUp > 0 {
		list = append(list, door.Say("log.is.file_given_up", "n", r.GivenUp))
	}
	return []door.Phrase{door.Tell(list)}
}

// Plan finds who sits where.
func (r DrawRound) Plan(ctx context.Context, d *door.Desk, _ rights.Actor) (door.Action, error) {
	if r.Note = strings.TrimSpace(r.Note); len([]rune(r.Note)) > whyMost {
		return nil, refuse.Invalid("err_why_missing", "most", whyMost)
	}
	found := &drawn{}
	err := d.DB.Snapshot(ctx, func(db *gorm.DB) (err error) {
		if err := r.readFile(db, r.Tournament); err != nil {
			return err
		}
		found.drawing, err = newDrawing(db, r.Tournament, r.DrawOrder)
		return err
	})
	if err == nil {
		found.seats, err = seats(ctx, d, found.drawing)
	}
	r.drawn = found
	return r, err
}

func (r DrawRound) Do(tx *door.Tx) (Round, error) {
	d := r.drawn.drawing
	now, err := newDrawing(tx.DB, r.Tournament, r.DrawOrder)
	if err != nil {
		return Round{}, err
	}
	if !reflect.DeepEqual(now.q, d.q) || !reflect.DeepEqual(now.tables, d.tables) || (now.old == nil) != (d.old == nil) || now.old != nil && now.old.ID != d.old.ID {
		return Round{}, door.ErrMoved
	}
	if d.old != nil {
		if err := deleteDraft(tx.DB, d.old.ID); err != nil {
			return Round{}, err
		}
	}
	d.round.CreatedAt = tx.Now()
	numbers, err := d.inHall(tx.DB, r.drawn.seats)
	if err != nil {
		return Round{}, err
	}
	if err := d.round.asPlanned(r.drawn.seats, numbers); err != nil {
		return Round{}, err
	}
	tx.Record(door.Entry{Event: r.Tournament, On: d.round.about(), Why: d.round.Note, Is: roundDrawn{d.round.Method, d.round.Seed, len(r.drawn.seats),
		len(d.players), d.round.Games, d.round.Duplicate, d.givenUp()}})
	return d.round, insertDraft(tx.DB, &d.round, r.drawn.seats, numbers)
}

// drawing is a draft with what it is drawn of, and the seats that there is nothing to draw for.
type drawing struct {
	*draft
	q      pairing.Request
	tables pairing.Round   // nil: to be drawn
	left   []pairing.Round // of the plan that the tables come from
}

func newDrawing(db *gorm.DB, tournamentID int64, order DrawOrder) (drawing, error) {
	d, err := newDraft(db, tournamentID)
	if err != nil {
		return drawing{}, err
	}
	return d.drawing(db, order)
}

func (d *draft) drawing(db *gorm.DB, order DrawOrder) (drawing, error) {
	if err := d.choose(db, order); err != nil {
		return drawing{}, err
	}
	made := drawing{draft: d}
	var err error
	if d.takenOver, err = takenOver(db, d.tournament.ID); err != nil {
		return made, err
	}
	if made.q, err = d.request(db); err != nil {
		return made, err
	}
	if made.q.Method == pairing.Script {
		err := made.byScript(db, order.rounds)
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
func (d *drawing) byScript(db *gorm.DB, rounds []pairing.Round) (err error) {
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
func (d *drawing) withinMost(db *gorm.DB) error {
	i := slices.IndexFunc(d.q.Sizes, func(size int) bool { return size > d.most })
	if d.most == 0 || i < 0 {
		return nil
	}
	closed, err := closedNumbers(db, d.tournament.ID)
	if err != nil {
		return err
	}
	fixed, err := fixedTables(db, d.tournament.ID)
	if err != nil {
		return err
	}
	return refuse.Conflict("err_script_most", "table", hallNumbers(d.tables, closed, fixed)[i], "players", d.q.Sizes[i], "most", d.most)
}

// seats finds who sits where and what is to be said of it.
func seats(ctx context.Context, desk *door.Desk, d drawing) (pairing.Round, error) {
	q, tables, left := d.q, d.tables, d.left
	if tables == nil {
		until := desk.DB.Now().Add(roundTime)
		if q.Rounds > 1 {
			until = desk.DB.Now().Add(planTime)
		}
		defer desk.Searches.End(d.tournament.ID)
		q.Stop = func() bool { return ctx.Err() != nil || desk.DB.Now().After(until) }
		q.Tell = func(done, of int) { desk.Searches.Tell(d.tournament.ID, done, of) }
		q.Steps = desk.Searches.Steps
		got, err := pairing.Draw(q)
		if err != nil {
			return nil, err
		}
		tables, left = got.Rounds[0], got.Rounds[1:]
	}
	rep, err := pairing.Assess(d.q, []pairing.Round{tables})
	if err != nil {
		return nil, refuse.Invalid("err_seats_wrong", "detail", err.Error())
	}
	return tables, d.round.judged(rep, left)
}
