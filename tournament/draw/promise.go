package draw

import (
	"context"
	"errors"
	"slices"

	"gorm.io/gorm"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/format"
	"meldhall/tournament/pairing"
	"meldhall/tournament/ranking"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// PromiseSeed creates the seed of the next round and binds it by a hash. The round must not be drawn yet. If there is a
// promise already, PromiseSeed returns it. A Method is bound too, and the round is drawn with it unless another is
// requested. PromiseSeed is refused if no seats of that round are to be drawn with that method; see PromiseMethods.
type PromiseSeed struct {
	Tournament int64  `json:"tournament,omitempty" path:"id" minimum:"1"`
	Method     string `json:"method,omitempty" query:"method" doc:"the seating method: plan, standings, random, chart, snake, interval or winners; left out: the method the round would use anyway"`
}

var promiseKind = action.NewKind[PromiseSeed](action.Kind{Name: "round.promise", Right: rights.MaySeatRound,
	Changes: []action.What{action.TopicSettings},
	Details: action.Keep[tournament.Bound]})

func (s PromiseSeed) Do(tx *action.Tx) (p tournament.SeedPromise, err error) {
	if _, err := tournament.FindTournament(tx.DB, s.Tournament); err != nil {
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
	round, err := Upcoming(tx.DB, s.Tournament)
	if err != nil {
		return p, err
	}
	if err := Unseated(tx.DB, round, s.Method); err != nil {
		return p, err
	}
	p = tournament.SeedPromise{TournamentID: s.Tournament, Round: next, Method: s.Method}
	p.Bind(tx, tx.Desk.Seeds())
	tx.Record(action.Entry{Event: s.Tournament, On: action.About{Round: next},
		Is: tournament.Bound{Method: p.Method, Hash: p.Hash}})
	return p, tx.Create(&p).Error
}

// PromiseMethods returns the methods that allow the seed of the next round to be promised. The empty method stands for
// the method that would be used anyway. The result is empty once the round is drawn. It is also empty if the seats of
// the round need no draw, because a seed would then bind nothing.
func PromiseMethods(ctx context.Context, s *store.DB, tournamentID int64) (methods []string, err error) {
	err = s.Snapshot(ctx, func(db *gorm.DB) error {
		if _, err := nextUndrawn(db, tournamentID); err != nil {
			return err
		}
		var last tournament.Round
		if err := db.Where("tournament_id = ?",
			tournamentID).Order("number DESC").Limit(1).Find(&last).Error; err != nil {
			return err
		}
		drawn := slices.DeleteFunc(slices.Clone(pairing.Automatic), func(m string) bool {
			return m == last.Method && last.Ahead() > 0 && (m != pairing.Plan || last.Sealed)
		})
		round, err := Upcoming(db, tournamentID)
		if err != nil {
			return err
		}
		if err := Unseated(db, round, drawn[0]); err != nil { // the others give the same result
			return err
		}
		if methods = drawn; Unseated(db, round, "") == nil {
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
	var last tournament.Round
	if err := db.Select("number", "status").Where("tournament_id = ?",
		tournamentID).Order("number DESC").Limit(1).Find(&last).Error; err != nil {
		return 0, err
	}
	if last.Status == tournament.RoundDraft {
		return 0, refuse.Conflict("err_promise_late", "round", last.Number)
	}
	return last.Number + 1, nil
}

// Upcoming returns the next round as if the previous one ended with its current results, or nil if its players are not
// decided yet.
func Upcoming(db *gorm.DB, tournamentID int64) (*NextRound, error) {
	d := &NextRound{ahead: true}
	err := d.load(db, tournamentID)
	var unknown *refuse.Error
	if errors.As(err, &unknown) {
		return nil, nil
	}
	return d, err
}

// Unseated returns an error if a round seated with method needs no draw: its seats come from a plan or a file, stay,
// are placed by hand, or are those of tied players. It returns nil while this is not known yet.
func Unseated(db *gorm.DB, next *NextRound, method string) error {
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
	case d.Round.PlayOff > 0 && d.Rounds[len(d.Rounds)-1].Status != tournament.RoundFinished:
		return nil
	case !slices.Contains(pairing.Automatic, made.q.Method) || d.Round.PlayOff > 0 || d.Stage.SeatChange == format.Keep:
		return refuse.Conflict("err_promise_nothing", "round", d.Round.Number)
	}
	return refuse.Conflict("err_promise_planned", "round", d.Round.Number, "planned", d.plannedIn())
}

// PromiseOf returns the promise of a round's seed, or nil. The seed and its salt are for officials only until the round
// is published.
func PromiseOf(ctx context.Context, s *store.DB, tournamentID int64, round int) (*tournament.SeedPromise, error) {
	return promiseOf(s.Read.WithContext(ctx), tournamentID, round)
}

// Promises returns a tournament's promises, first for its rounds, then for its lots, newest first.
func Promises(ctx context.Context, s *store.DB, tournamentID int64, sight tournament.Sight) ([]tournament.ToldPromise,
	error) {
	return store.Look(ctx, s, func(db *gorm.DB) ([]tournament.ToldPromise, error) {
		var all []tournament.SeedPromise
		if err := db.Where("tournament_id = ?",
			tournamentID).Order("round DESC, lot DESC").Find(&all).Error; err != nil || len(all) == 0 {
			return nil, err
		}
		var rounds []tournament.Round
		if err := db.Select("number", "seed", "sealed", "method", "changes", "status", "published_at",
			"changed_at").Where("tournament_id = ?", tournamentID).Find(&rounds).Error; err != nil {
			return nil, err
		}
		event, err := tournament.FindTournament(db, tournamentID)
		if err != nil {
			return nil, err
		}
		byNumber := store.MapOf(sight.Rounds(rounds), func(r tournament.Round) (int,
			tournament.Round) {
			return r.Number, r
		})
		var lots, seen int64
		if err := db.Model(&ranking.Lot{}).Where("tournament_id = ? AND at < ?", tournamentID,
			sight.Standings).Count(&seen).Error; err != nil {
			return nil, err
		}
		if err := db.Model(&ranking.Lot{}).Where("tournament_id = ?", tournamentID).Count(&lots).Error; err != nil {
			return nil, err
		}
		var told []tournament.ToldPromise
		for _, p := range all {
			if p.Lot > int(lots) && event.Status == tournament.StatusFinished { // it was not needed
				continue
			}
			one := p.Told(byNumber[p.Round])
			if p.Lot != 0 && p.Lot <= int(seen) {
				one.Text, one.Seed, one.Kept = p.Text(), p.Seed, tournament.PromiseKept
			}
			told = append(told, one)
		}
		return told, nil
	})
}

func promiseOf(db *gorm.DB, tournamentID int64, round int) (*tournament.SeedPromise, error) {
	p, ok, err := store.First[tournament.SeedPromise](db.Where("tournament_id = ? AND round = ?", tournamentID, round))
	if !ok {
		return nil, err
	}
	return &p, nil
}
