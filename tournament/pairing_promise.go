package tournament

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/action"
	"meldhall/tournament/format"
	"meldhall/tournament/pairing"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// A SeedPromise binds the seed of a round's draw, or of the tournament's nth lot, before it is drawn. Hash is the
// SHA-256 of Text. Text is shown once the lot is drawn, or once the round and all rounds planned with it are published.
// A lot drawn before its seed was promised has no promise. Method is the promised method; empty means the one that
// would be used anyway.
type SeedPromise struct {
	TournamentID int64
	Round        int // 0 for a lot
	Lot          int // 0 for a round
	Method       string
	Seed         int64
	Salt         string
	Hash         string
	Actor        string
	At           engine.Millis
}

// TableName returns "seed_promises".
func (SeedPromise) TableName() string { return "seed_promises" }

// Text returns the text that Hash is the hash of.
func (p SeedPromise) Text() string {
	if p.Lot != 0 {
		return fmt.Sprintf("meldhall lot %d, seed %d, salt %s", p.Lot, p.Seed, p.Salt)
	}
	if p.Method != "" {
		return fmt.Sprintf("meldhall draw, round %d, method %s, seed %d, salt %s", p.Round, p.Method, p.Seed, p.Salt)
	}
	return fmt.Sprintf("meldhall draw, round %d, seed %d, salt %s", p.Round, p.Seed, p.Salt)
}

// PromiseSeed creates the seed of the next round and binds it by a hash. The round must not be drawn yet. If there is a
// promise already, PromiseSeed returns it. A Method is bound too, and the round is drawn with it unless another is
// requested. PromiseSeed is refused if no seats of that round are to be drawn with that method; see PromiseMethods.
type PromiseSeed struct {
	Tournament int64  `json:"tournament,omitempty" path:"id" minimum:"1"`
	Method     string `json:"method,omitempty" query:"method" doc:"the seating method: plan, standings, random, chart, snake, interval or winners; left out: the method the round would use anyway"`
}

var promiseKind = action.NewKind[PromiseSeed](action.Kind{Name: "round.promise", Right: rights.MaySeatRound,
	Changes: []action.What{action.TopicSettings},
	Details: action.Keep[bound]})

// bound is the audit record of a promise. It omits the seed, which is not public yet. Was is the text of the replaced
// promise, which is public.
type bound struct {
	Method string `json:"method,omitempty"`
	Hash   string `json:"hash"`
	Was    string `json:"was,omitempty"`
}

// Before returns the replaced promise.
func (b bound) Before() []action.Phrase {
	if b.Was == "" {
		return nil
	}
	return []action.Phrase{action.Tell(b.Was)}
}

// After returns the hash, and the method if it was promised too.
func (b bound) After() []action.Phrase {
	return []action.Phrase{action.Tell(append(action.SayWord("method.", b.Method), action.Tell(b.Hash)))}
}

func (s PromiseSeed) Do(tx *action.Tx) (p SeedPromise, err error) {
	if _, err := FindTournament(tx.DB, s.Tournament); err != nil {
		return p, err
	}
	next, err := nextUndrawn(tx.DB, s.Tournament)
	if err != nil {
		return p, err
	}
	known, err := promiseOf(tx.DB, s.Tournament, next)
	if err != nil || known != nil {
		if known != nil {
			p = *known
		}
		return p, err
	}
	round, err := upcoming(tx.DB, s.Tournament)
	if err != nil {
		return p, err
	}
	if err := unseated(tx.DB, round, s.Method); err != nil {
		return p, err
	}
	p = SeedPromise{TournamentID: s.Tournament, Round: next, Method: s.Method}
	p.bind(tx, tx.Desk.Seeds())
	tx.Record(action.Entry{Event: s.Tournament, On: action.About{Round: next},
		Is: bound{Method: p.Method, Hash: p.Hash}})
	return p, tx.Create(&p).Error
}

// bind sets the promise's seed and hash.
func (p *SeedPromise) bind(tx *action.Tx, seed int64) {
	salt := make([]byte, 16)
	rand.Read(salt) // never fails
	p.Seed, p.Salt, p.Actor, p.At = seed, hex.EncodeToString(salt), tx.Actor.String(), tx.Now()
	sum := sha256.Sum256([]byte(p.Text()))
	p.Hash = hex.EncodeToString(sum[:])
}

// PromiseMethods returns the methods for which the seed of the next round can be promised; an empty one means the
// method that would be used anyway. It returns none once the round is drawn, or if its seats need no draw, so that a
// seed would bind nothing.
func PromiseMethods(ctx context.Context, s *store.DB, tournamentID int64) (methods []string, err error) {
	err = s.Snapshot(ctx, func(db *gorm.DB) error {
		if _, err := nextUndrawn(db, tournamentID); err != nil {
			return err
		}
		var last Round
		if err := db.Where("tournament_id = ?",
			tournamentID).Order("number DESC").Limit(1).Find(&last).Error; err != nil {
			return err
		}
		drawn := slices.DeleteFunc(slices.Clone(pairing.Automatic), func(m string) bool {
			return m == last.Method && last.Ahead() > 0 && (m != pairing.Plan || last.Sealed)
		})
		round, err := upcoming(db, tournamentID)
		if err != nil {
			return err
		}
		if err := unseated(db, round, drawn[0]); err != nil { // the others give the same result
			return err
		}
		if methods = drawn; unseated(db, round, "") == nil {
			methods = append([]string{""}, drawn...)
		}
		return nil
	})
	var refused *refuse.Error
	if errors.As(err, &refused) {
		err = nil
	}
	return methods, err
}

// nextUndrawn returns the number of the next round, or a Conflict if it is already drawn.
func nextUndrawn(db *gorm.DB, tournamentID int64) (int, error) {
	var last Round
	if err := db.Select("number", "status").Where("tournament_id = ?",
		tournamentID).Order("number DESC").Limit(1).Find(&last).Error; err != nil {
		return 0, err
	}
	if last.Status == RoundDraft {
		return 0, refuse.Conflict("err_promise_late", "round", last.Number)
	}
	return last.Number + 1, nil
}

// upcoming returns the next round as if the previous one ended with its current results, or nil if its players are not
// decided yet.
func upcoming(db *gorm.DB, tournamentID int64) (*nextRound, error) {
	d := &nextRound{ahead: true}
	err := d.load(db, tournamentID)
	var unknown *refuse.Error
	if errors.As(err, &unknown) {
		return nil, nil
	}
	return d, err
}

// unseated returns an error if a round seated with method needs no draw: its seats come from a plan or a file, stay,
// are placed by hand, or are those of tied players.
func unseated(db *gorm.DB, next *nextRound, method string) error {
	if method != "" && !slices.Contains(pairing.Automatic, method) {
		return refuse.Invalid("err_promise_method", "method", method)
	}
	if next == nil {
		return nil
	}
	d := *next // one method's choices must not affect the others
	made, err := d.pair(db, PairingOptions{Method: method})
	var unknown *refuse.Error
	if errors.As(err, &unknown) {
		return nil
	}
	if err != nil || made.tables == nil {
		return err
	}
	switch {
	case d.round.PlayOff > 0 && d.rounds[len(d.rounds)-1].Status != RoundFinished:
		return nil
	case !slices.Contains(pairing.Automatic, made.q.Method) || d.round.PlayOff > 0 || d.stage.SeatChange == format.Keep:
		return refuse.Conflict("err_promise_nothing", "round", d.round.Number)
	}
	return refuse.Conflict("err_promise_planned", "round", d.round.Number, "planned", d.plannedIn())
}

// PromiseOf returns the promise of a round's seed, or nil. The seed and its salt are for officials only until the round
// is published.
func PromiseOf(ctx context.Context, s *store.DB, tournamentID int64, round int) (*SeedPromise, error) {
	return promiseOf(s.Read.WithContext(ctx), tournamentID, round)
}

// The outcome of a promise once its round is published.
const (
	PromiseKept    = "kept"    // drawn with the promised seed
	PromiseChanged = "changed" // drawn with the promised seed, then changed by hand
	PromiseBroken  = "broken"  // drawn with another seed
)

// ToldPromise is a promise as the public sees it. Kept is set once the round is published or the lot drawn. Text and
// Seed are then set too, unless later rounds are planned with the seed.
type ToldPromise struct {
	Round   int           `json:"round" doc:"0 for a lot"`
	Lot     int           `json:"lot,omitempty" doc:"the number of the lot, from 1; 0 for a round"`
	Method  string        `json:"method,omitempty" doc:"the seating method, if it is part of the commitment"`
	At      engine.Millis `json:"-"`
	Hash    string        `json:"hash" doc:"SHA-256 of the text, in hexadecimal"`
	Text    string        `json:"text,omitempty"`
	Seed    int64         `json:"seed,omitempty"`
	Kept    string        `json:"kept,omitempty" enum:"kept,changed,broken" doc:"changed: drawn with this seed, then changed by hand; broken: drawn with another one"`
	Changes int           `json:"-"` // by hand, after the draw
}

// Promises returns a tournament's promises, first for its rounds, then for its lots, newest first.
func Promises(ctx context.Context, s *store.DB, tournamentID int64, sight Sight) ([]ToldPromise, error) {
	return store.Look(ctx, s, func(db *gorm.DB) ([]ToldPromise, error) {
		var all []SeedPromise
		if err := db.Where("tournament_id = ?",
			tournamentID).Order("round DESC, lot DESC").Find(&all).Error; err != nil || len(all) == 0 {
			return nil, err
		}
		var rounds []Round
		if err := db.Select("number", "seed", "sealed", "method", "changes", "status", "published_at",
			"changed_at").Where("tournament_id = ?", tournamentID).Find(&rounds).Error; err != nil {
			return nil, err
		}
		event, err := FindTournament(db, tournamentID)
		if err != nil {
			return nil, err
		}
		byNumber := store.MapOf(sight.Rounds(rounds), func(r Round) (int, Round) { return r.Number, r })
		var lots, seen int64
		if err := db.Model(&Lot{}).Where("tournament_id = ? AND at < ?", tournamentID,
			sight.Standings).Count(&seen).Error; err != nil {
			return nil, err
		}
		if err := db.Model(&Lot{}).Where("tournament_id = ?", tournamentID).Count(&lots).Error; err != nil {
			return nil, err
		}
		var told []ToldPromise
		for _, p := range all {
			if p.Lot > int(lots) && event.Status == StatusFinished { // it was not needed
				continue
			}
			one := p.Told(byNumber[p.Round])
			if p.Lot != 0 && p.Lot <= int(seen) {
				one.Text, one.Seed, one.Kept = p.Text(), p.Seed, PromiseKept
			}
			told = append(told, one)
		}
		return told, nil
	})
}

// Told returns the public view of a promise; a lot is treated as not drawn yet. drawn is its round, or Round{} if that
// is not drawn yet.
func (p SeedPromise) Told(drawn Round) ToldPromise {
	told := ToldPromise{Round: p.Round, Lot: p.Lot, Method: p.Method, At: p.At, Hash: p.Hash}
	if p.Round == 0 || drawn.Number != p.Round || drawn.Status == RoundDraft {
		return told
	}
	told.Changes, told.Kept = drawn.Changes, p.KeptBy(drawn)
	if !drawn.Sealed {
		told.Text, told.Seed = p.Text(), p.Seed
	}
	return told
}

// KeptBy returns whether a round was drawn as promised: PromiseKept, PromiseChanged or PromiseBroken.
func (p SeedPromise) KeptBy(r Round) string {
	switch {
	case p.Seed != r.Seed, p.Method != "" && p.Method != r.Method, !slices.Contains(pairing.Automatic, r.Method):
		return PromiseBroken
	case r.Changes > 0:
		return PromiseChanged
	}
	return PromiseKept
}

func promiseOf(db *gorm.DB, tournamentID int64, round int) (*SeedPromise, error) {
	p, ok, err := store.First[SeedPromise](db.Where("tournament_id = ? AND round = ?", tournamentID, round))
	if !ok {
		return nil, err
	}
	return &p, nil
}
