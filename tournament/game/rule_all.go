package game

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"sync"

	"meldhall/engine"
	"meldhall/tournament/rights"
)

// TableRuling is what became of a ruling for a whole round at one table. Err is why it does not hold there: an
// *engine.Refusal, or that the game cannot be read; nil where it holds.
type TableRuling struct {
	Table       int64
	TableNumber int
	Game        int64
	Answer      Answer
	Err         error
}

// RuleAll gives one ruling at every table of a round where a game is played: at each it is a command of its own, with a
// key made of the caller's, so that the same ruling sent twice happens once at each table. Tables where it cannot hold
// are answered with why, and do not keep it from the others. Errors are those of the round and of the actor's rights.
func (g *Games) RuleAll(ctx context.Context, actor rights.Actor, round int64, key string, c engine.Command) ([]TableRuling, error) {
	return g.atEveryTable(ctx, actor, round, func(at CurrentGame) (Answer, error) {
		return g.Submit(ctx, actor, at.Game, tableKey(key, at.Game), c)
	})
}

// PreviewAll tells at which tables of a round a ruling would hold, as RuleAll does, and gives none.
func (g *Games) PreviewAll(ctx context.Context, actor rights.Actor, round int64, c engine.Command) ([]TableRuling, error) {
	return g.atEveryTable(ctx, actor, round, func(at CurrentGame) (Answer, error) {
		effect, err := g.Preview(ctx, actor, at.Game, c)
		if err != nil {
			return Answer{}, err
		}
		return Answer{Outcome: effect.Events[0].Kind()}, nil
	})
}

func (g *Games) atEveryTable(ctx context.Context, actor rights.Actor, round int64, rule func(CurrentGame) (Answer, error)) ([]TableRuling, error) {
	event, err := g.eventOf(ctx, round)
	if err != nil {
		return nil, err
	}
	if err := rights.Authorize(actor, rights.Place{Tournament: event, Seat: -1}, rights.MayRule); err != nil {
		return nil, err
	}
	current, err := CurrentInRound(ctx, g.DB, round)
	if err != nil {
		return nil, err
	}
	rulings := make([]TableRuling, len(current))
	var all sync.WaitGroup
	for i, at := range current {
		all.Go(func() { // together, so that the log commits them together
			answer, err := rule(at)
			rulings[i] = TableRuling{Table: at.Table, TableNumber: at.TableNumber, Game: at.Game, Answer: answer, Err: err}
		})
	}
	all.Wait()
	for _, r := range rulings {
		if ctx.Err() != nil || IsStorage(r.Err) {
			return nil, r.Err // the caller sends it again: what holds already happens once
		}
	}
	return rulings, nil
}

// tableKey is a game's own key of a ruling for all tables.
func tableKey(key string, game int64) string {
	if key == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(key))
	return "all-" + base64.RawURLEncoding.EncodeToString(sum[:12]) + "-" + strconv.FormatInt(game, 10)
}
