package tournament

import (
	"context"
	"errors"
	"slices"
	"unicode/utf8"

	"gorm.io/gorm"

	"meldhall/engine"
)

// Protest is a player's protest against the count of an ended game, or against a ruling in it. Rev is the revision of the
// result that it was made at. It is never changed; Decision is what the head referee decided, nil while it is open.
type Protest struct {
	ID       int64
	GameID   int64
	Rev      int
	Seat     int
	PlayerID int64
	Text     string
	At       engine.Millis

	Decision *ProtestDecision `gorm:"-"`
}

// Open tells whether nobody has decided on it.
func (p Protest) Open() bool { return p.Decision == nil }

// ProtestDecision is what was decided on a protest, once.
type ProtestDecision struct {
	ID        int64
	ProtestID int64
	Outcome   string
	Reason    string
	Actor     string
	At        engine.Millis
}

// The outcomes of a protest.
const (
	ProtestRejected = "rejected"
	ProtestUpheld   = "upheld"
)

// Protests are the protests of one game, and whether more may be made: until all players have agreed to the count, or the
// round is finished.
type Protests struct {
	All    []Protest
	Closed bool
}

// Protest records the protest of the player at a seat. It is refused as Conflict once the window is closed, and while
// another one of the same player is open.
func (g *Games) Protest(ctx context.Context, actor Actor, game int64, text string) (Protest, error) {
	p, err := g.store.protest(ctx, actor, game, text)
	if err == nil {
		g.moved(ctx, game)
	}
	return p, err
}

// DecideProtest records what the head referee decides. Upheld, the result is to be corrected or the game replayed: it
// is not confirmed as it stands any more. A second decision is a Conflict.
func (g *Games) DecideProtest(ctx context.Context, actor Actor, protest int64, outcome, reason string) (Protest, error) {
	p, err := g.store.decideProtest(ctx, actor, protest, outcome, reason)
	if err == nil {
		g.moved(ctx, p.GameID)
	}
	return p, err
}

// Protests gives the protests of a game, the first one first, to the officials and to the players of the game.
func (g *Games) Protests(ctx context.Context, actor Actor, game int64) (Protests, error) {
	snap, err := g.Look(ctx, game)
	if err != nil {
		return Protests{}, err
	}
	if actor.Role != RolePlayer || !slices.Contains(snap.Ref.Players, actor.Player) {
		if err := Authorize(actor, Place{Tournament: snap.Ref.TournamentID, Table: snap.Ref.TableID, Seat: -1}, MaySeeDesk); err != nil {
			return Protests{}, err
		}
	}
	db := g.store.Read.WithContext(ctx)
	all, err := protestsOf(db, db.Where("game_id = ?", game))
	if err != nil {
		return Protests{}, err
	}
	err = g.store.protestWindow(db, game)
	if errors.Is(err, ErrConflict) || errors.Is(err, ErrNotFound) {
		return Protests{all, true}, nil
	}
	return Protests{all, false}, err
}

// TournamentProtests gives all protests of a tournament to the officials: those that are open first, then the newest.
func (s *Store) TournamentProtests(ctx context.Context, actor Actor, tournamentID int64) ([]Protest, error) {
	if err := Authorize(actor, Place{Tournament: tournamentID}, MaySeeDesk); err != nil {
		return nil, err
	}
	db := s.Read.WithContext(ctx)
	all, err := protestsOf(db, db.Where("game_id IN (SELECT id FROM games WHERE tournament_id = ?)", tournamentID))
	slices.Reverse(all)
	slices.SortStableFunc(all, func(a, b Protest) int {
		switch {
		case a.Open() == b.Open():
			return 0
		case a.Open():
			return -1
		}
		return 1
	})
	return all, err
}

func protestsOf(db, where *gorm.DB) ([]Protest, error) {
	var all []Protest
	if err := where.Order("id").Find(&all).Error; err != nil || len(all) == 0 {
		return nil, err
	}
	ids := make([]int64, len(all))
	for i, p := range all {
		ids[i] = p.ID
	}
	var decisions []ProtestDecision
	if err := db.Where("protest_id IN ?", ids).Find(&decisions).Error; err != nil {
		return nil, err
	}
	for i := range all {
		if d := slices.IndexFunc(decisions, func(d ProtestDecision) bool { return d.ProtestID == all[i].ID }); d >= 0 {
			all[i].Decision = &decisions[d]
		}
	}
	return all, nil
}

func (s *Store) protest(ctx context.Context, actor Actor, gameID int64, text string) (p Protest, err error) {
	if text = cleanText(text); text == "" || utf8.RuneCountInString(text) > whyMost {
		return p, Refuse(Invalid, "err_why_missing", "most", whyMost)
	}
	err = s.Tx(ctx, func(tx *gorm.DB) error {
		game, results, err := agreeing(tx, actor, gameID)
		if err != nil {
			return err
		}
		if err := s.protestWindow(tx, gameID); err != nil {
			return err
		}
		latest := results[len(results)-1]
		if actor, err = atSeat(actor, latest); err != nil {
			return err
		}
		before, err := protestsOf(tx, tx.Where("game_id = ? AND player_id = ?", gameID, actor.Player))
		if err != nil {
			return err
		}
		for _, other := range before {
			if other.Open() {
				return Refuse(Conflict, "err_protest_open")
			}
		}
		p = Protest{GameID: gameID, Rev: latest.Rev, Seat: actor.Seat, PlayerID: actor.Player, Text: text, At: s.now()}
		if err := tx.Create(&p).Error; err != nil {
			return err
		}
		return s.audit(tx, actor, change{tournament: game.TournamentID, action: "protest.make", subject: game.subject(), after: latest.String(), because: text})
	})
	return p, err
}

// protestWindow tells why no protest can be made at a game (any more).
func (s *Store) protestWindow(db *gorm.DB, gameID int64) error {
	results, err := resultsOf(db, db.Where("game_id = ?", gameID))
	if err == nil && len(results) == 0 {
		err = Refuse(NotFound, "err_result_not_found", "id", gameID)
	}
	if err != nil {
		return err
	}
	count, err := countOf(db, results)
	if err != nil {
		return err
	}
	var status, practice string
	if err := db.Raw(`SELECT r.status, e.practice FROM games g JOIN tables t ON t.id = g.table_id JOIN rounds r ON r.id = t.round_id
		JOIN tournaments e ON e.id = g.tournament_id WHERE g.id = ?`, gameID).Row().Scan(&status, &practice); err != nil {
		return err
	}
	if count.All() == len(count.Agreed) || status == RoundFinished || practice != "" {
		return Refuse(Conflict, "err_protest_closed")
	}
	return nil
}

func (s *Store) decideProtest(ctx context.Context, actor Actor, id int64, outcome, reason string) (p Protest, err error) {
	if err := Authorize(actor, Place{Seat: -1}, MayRuleHeavily); err != nil {
		return p, err
	}
	reason = cleanText(reason)
	switch {
	case outcome != ProtestRejected && outcome != ProtestUpheld:
		return p, Refuse(Invalid, "err_protest_outcome", "outcome", outcome)
	case reason == "" || utf8.RuneCountInString(reason) > whyMost:
		return p, Refuse(Invalid, "err_why_missing", "most", whyMost)
	}
	err = s.Tx(ctx, func(tx *gorm.DB) error {
		all, err := protestsOf(tx, tx.Where("id = ?", id))
		if err == nil && len(all) == 0 {
			err = Refuse(NotFound, "err_protest_not_found", "id", id)
		}
		if err != nil {
			return err
		}
		p = all[0]
		game, err := findGame(tx, p.GameID)
		if err != nil {
			return err
		}
		if !p.Open() {
			return Refuse(Conflict, "err_protest_decided", "by", p.Decision.Actor)
		}
		p.Decision = &ProtestDecision{ProtestID: id, Outcome: outcome, Reason: reason, Actor: actor.String(), At: s.now()}
		if err := tx.Create(p.Decision).Error; err != nil {
			return clash(err, "err_protest_decided", "by", "?")
		}
		return s.audit(tx, actor, change{tournament: game.TournamentID, action: "protest.decide", subject: game.subject(),
			before: p.Text, after: outcome, because: reason})
	})
	return p, err
}

// protestsAllow refuses to make a result final while a protest waits for its decision; and to confirm one as it stands
// against which a protest was upheld.
func protestsAllow(db *gorm.DB, results []Result, correct bool) error {
	all, err := protestsOf(db, db.Where("game_id = ?", results[0].GameID))
	if err != nil {
		return err
	}
	for _, p := range all {
		switch {
		case p.Open():
			return Refuse(Conflict, "err_protest_undecided")
		case !correct && p.Decision.Outcome == ProtestUpheld && p.Rev >= said(results):
			return Refuse(Conflict, "err_protest_upheld")
		}
	}
	return nil
}
