package request

import (
	"context"

	"meldhall/engine/ruleset"
	"meldhall/templates/locale"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/practice"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
	"meldhall/web/bots"
	"meldhall/web/guard"
)

// Practice opens practice tables and rehearsals, which bots play.
type Practice struct {
	store  *store.DB
	desk   *action.Desk
	bots   *bots.Bots
	starts *guard.Throttle // of tables, by address
	places *guard.Places   // tables open at the same time
}

// Open opens a practice table or, with the strength practice.Lesson, a lesson for a person at an address and starts its
// bots. The names of the person and the table are in the context's language.
func (p *Practice) Open(ctx context.Context, address, strength string, rules ruleset.Ruleset) (string, rights.Actor,
	error) {
	if _, err := bots.StyleOf(strength); err != nil && strength != practice.Lesson {
		return "", rights.Actor{}, err
	}
	if err := p.starts.Spend("address " + guard.Network(address)); err != nil {
		return "", rights.Actor{}, err
	}
	reader, leave := guard.ReaderAt(address), func() {}
	if p.store.Nodes == nil { // with nodes, tables are counted in the database
		var err error
		if leave, err = p.places.Take(reader); err != nil {
			return "", rights.Actor{}, refuse.TooMany("err_practice_full", "most", practice.Most)
		}
	}
	at, err := action.Do(ctx, p.desk, rights.Public(), practice.OpenTable{Strength: strength, Rules: rules,
		Reader: reader,
		Name:   locale.T(ctx, "practice.title"), Person: locale.T(ctx, "seat.you"), Bots: bots.Names})
	if err != nil {
		leave()
		return "", rights.Actor{}, err
	}
	p.bots.PlayTable(at.Game, leave)
	return at.Token, at.Me, nil
}

// Rehearse creates a copy of a tournament for bots to play. It replaces an older copy that is over.
func (p *Practice) Rehearse(ctx context.Context, actor rights.Actor, tournamentID int64,
	by string) (tournament.Tournament,
	error) {
	t, err := tournament.TournamentByID(ctx, p.store, tournamentID)
	if err != nil {
		return t, err
	}
	return action.Do(ctx, p.desk, actor, practice.Rehearse{Tournament: tournamentID,
		Name: locale.T(ctx, "rehearsal.name", "name", t.Name), By: by})
}
