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
	"meldhall/tournament/door"
	"meldhall/tournament/format"
	"meldhall/tournament/pairing"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/storage"
)

// SeedPromise binds the seed of a draw before it is drawn, of a round or of the event's nth lot: Hash is SHA-256 of Text, which is
// shown once the round is published, and those that are planned with it, or the lot is drawn. A lot that came before anybody promised one has none. Method is how the round is to be drawn,
// where that is promised too; empty: as it would be anyway.
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

// TableName is seed_promises.
func (SeedPromise) TableName() string { return "seed_promises" }

// Text is what Hash is the hash of.
func (p SeedPromise) Text() string {
	if p.Lot != 0 {
		return fmt.Sprintf("meldhall lot %d, seed %d, salt %s", p.Lot, p.Seed, p.Salt)
	}
	if p.Method != "" {
		return fmt.Sprintf("meldhall draw, round %d, method %s, seed %d, salt %s", p.Round, p.Method, p.Seed, p.Salt)
	}
	return fmt.Sprintf("meldhall draw, round %d, seed %d, salt %s", p.Round, p.Seed, p.Salt)
}

// PromiseSeed makes up the seed of the next round, which must not be drawn yet, and binds it by a hash. Asked again it
// gives the promise that there is. With a method it binds that too, and the round is drawn so unless it is asked for otherwise.
// Refused where no seats of that round are to be drawn so: see PromiseMethods.
type PromiseSeed struct {
	Tournament int64  `json:"tournament,omitempty" path:"id" minimum:"1"`
	Method     string `json:"method,omitempty" query:"method" doc:"how the round is to be drawn: plan, standings, random, chart, snake, interval or winners; left out: as it would be anyway"`
}

var promiseKind = door.NewKind[PromiseSeed](door.Kind{Name: "round.promise", Right: rights.MaySeatRound, Changes: []door.What{door.TopicSettings},
	Details: door.Keep[bound]})

// bound is what a record of a promise keeps. The seed is kept apart: it is not told yet. Was is the text of the promise in whose
// place it comes, which everybody knows.
type bound struct {
	Method string `json:"method,omitempty"`
	Hash   string `json:"hash"`
	Was    string `json:"was,omitempty"`
}

// Before tells the promise in whose place it comes.
func (b bound) Before() []door.Phrase {
	if b.Was == "" {
		return nil
	}
	return []door.Phrase{door.Tell(b.Was)}
}

// After tells the hash, and how the round is to be drawn where that is promised too.
func (b bound) After() []door.Phrase {
	return []door.Phrase{door.Tell(append(door.SayWord("method.", b.Method), door.Tell(b.Hash)))}
}

func (s PromiseSeed) Do(tx *door.Tx) (p SeedPromise, err error) {
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
	tx.Record(door.Entry{Event: s.Tournament, On: door.About{Round: next}, Is: bound{Method: p.Method, Hash: p.Hash}})
	return p, tx.Create(&p).Error
}

// bind gives a promise a seed and its hash.
func (p *SeedPromise) bind(tx *door.Tx, seed int64) {
	salt := make([]byte, 16)
	rand.Read(salt) // never fails
	p.Seed, p.Salt, p.Actor, p.At = seed, hex.EncodeToString(salt), tx.Actor.String(), tx.Now()
	sum := sha256.Sum256([]byte(p.Text()))
	p.Hash = hex.EncodeToString(sum[:])
}

// PromiseMethods are the ways of drawing the next round for which its seed can be promised; the empty one is as it would be drawn
// anyway. There are none once it is drawn, or where its seats are known without a draw, so that a seed would bind nothing.
func PromiseMethods(ctx context.Context, s *storage.DB, tournamentID int64) (methods []string, err error) {
	err = s.Snapshot(ctx, func(db *gorm.DB) error {
		if _, err := nextUndrawn(db, tournamentID); err != nil {
			return err
		}
		var last Round
		if err := db.Where("tournament_id = ?", tournamentID).Order("number DESC").Limit(1).Find(&last).Error; err != nil {
			return err
		}
		drawn := slices.DeleteFunc(slices.Clone(pairing.Automatic), func(m string) bool {
			return m == last.Method && last.Ahead() > 0 && (m != pairing.Plan || last.Sealed)
		})
		round, err := upcoming(db, tournamentID)
		if err != nil {
			return err
		}
		if err := unseated(db, round, drawn[0]); err != nil { // and so of each
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

// nextUndrawn is the number of the next round, which must not be drawn.
func nextUndrawn(db *gorm.DB, tournamentID int64) (int, error) {
	var last Round
	if err := db.Select("number", "status").Where("tournament_id = ?", tournamentID).Order("number DESC").Limit(1).Find(&last).Error; err != nil {
		return 0, err
	}
	if last.Status == RoundDraft {
		return 0, refuse.Conflict("err_promise_late", "round", last.Number)
	}
	return last.Number + 1, nil
}

// upcoming is the next round if the one before ends as things stand; nil where it is not yet decided who plays.
func upcoming(db *gorm.DB, tournamentID int64) (*nextRound, error) {
	d := &nextRound{ahead: true}
	err := d.load(db, tournamentID)
	var unknown *refuse.Error
	if errors.As(err, &unknown) {
		return nil, nil
	}
	return d, err
}

// unseated refuses where the seats of a round, seated by a method, would come from a plan, stay, are given by hand or by a file, or
// are those of players who tie.
func unseated(db *gorm.DB, next *nextRound, method string) error {
	if method != "" && !slices.Contains(pairing.Automatic, method) {
		return refuse.Invalid("err_promise_method", "method", method)
	}
	if next == nil {
		return nil
	}
	d := *next // what is chosen for one method is not for the other ones
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

// PromiseOf gives the promise of a round's seed, nil when there is none. The seed and its salt are for the staff until the
// round is published.
func PromiseOf(ctx context.Context, s *storage.DB, tournamentID int64, round int) (*SeedPromise, error) {
	return promiseOf(s.Read.WithContext(ctx), tournamentID, round)
}

// What became of a promise once its round is published.
const (
	PromiseKept    = "kept"    // drawn with the promised seed
	PromiseChanged = "changed" // drawn with it, then changed by hand
	PromiseBroken  = "broken"  // drawn with another one
)

// ToldPromise is a promise as everybody may see it: the hash that binds a seed, and the text that it is of. Kept is filled in once the
// round is published or the lot drawn; Text and Seed too, unless rounds to come are planned with the seed.
type ToldPromise struct {
	Round   int           `json:"round" doc:"0 for a lot"`
	Lot     int           `json:"lot,omitempty" doc:"which of the event's lots, from 1; 0 for a round"`
	Method  string        `json:"method,omitempty" doc:"how it is to be drawn, where that is promised too"`
	At      engine.Millis `json:"-"`
	Hash    string        `json:"hash" doc:"SHA-256 of the text, in hexadecimal"`
	Text    string        `json:"text,omitempty"`
	Seed    int64         `json:"seed,omitempty"`
	Kept    string        `json:"kept,omitempty" enum:"kept,changed,broken" doc:"changed: drawn with this seed, then changed by hand; broken: drawn with another one"`
	Changes int           `json:"-"` // by hand, after the draw
}

// Promises gives what was promised for an event's rounds, then for its lots, the newest first.
func Promises(ctx context.Context, s *storage.DB, tournamentID int64, sight Sight) ([]ToldPromise, error) {
	return storage.Look(ctx, s, func(db *gorm.DB) ([]ToldPromise, error) {
		var all []SeedPromise
		if err := db.Where("tournament_id = ?", tournamentID).Order("round DESC, lot DESC").Find(&all).Error; err != nil || len(all) == 0 {
			return nil, err
		}
		var rounds []Round
		if err := db.Select("number", "seed", "sealed", "method", "changes", "status", "published_at", "changed_at").Where("tournament_id = ?", tournamentID).Find(&rounds).Error; err != nil {
			return nil, err
		}
		event, err := FindTournament(db, tournamentID)
		if err != nil {
			return nil, err
		}
		byNumber := storage.MapOf(sight.Rounds(rounds), func(r Round) (int, Round) { return r.Number, r })
		var lots, seen int64
		if err := db.Model(&Lot{}).Where("tournament_id = ? AND at < ?", tournamentID, sight.Standings).Count(&seen).Error; err != nil {
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

// Told is the promise as everybody may see it, of a lot before it is drawn; drawn is its round, Round{} where that is not drawn yet.
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

// KeptBy tells whether a round was drawn as promised.
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
	p, ok, err := storage.First[SeedPromise](db.Where("tournament_id = ? AND round = ?", tournamentID, round))
	if !ok {
		return nil, err
	}
	return &p, nil
}
