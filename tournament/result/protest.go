package result

import (
	"context"
	"errors"
	"slices"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
	"meldhall/tournament/store"
)

// A Protest is a player's protest against the count of a finished game or against a ruling in it. Rev is the result's
// revision at that time. A protest is never changed; Decision is the head referee's decision, nil while it is open.
type Protest struct {
	ID       int64
	GameID   int64
	Rev      int
	Seat     int
	PlayerID int64
	Text     string
	At       engine.Millis

	Decision *ProtestDecision
}

// Open reports whether the protest is undecided.
func (p Protest) Open() bool { return p.Decision == nil }

// ProtestDecision is the decision on a protest; there is only one.
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

// Protests holds the protests of one game, and whether more can be made. They can be made until all players have agreed
// to the count or the round is finished.
type Protests struct {
	All    []Protest
	Closed bool
}

// ProtestsIn returns a game's protests, oldest first, to officials and to the game's players.
func ProtestsIn(ctx context.Context, g *game.Games, actor rights.Actor, game int64) (Protests, error) {
	snap, err := g.Look(ctx, game)
	if err != nil {
		return Protests{}, err
	}
	if actor.Role != rights.RolePlayer || !slices.Contains(snap.Ref.Players, actor.Player) {
		if err := rights.Authorize(actor, rights.Place{Tournament: snap.Ref.TournamentID, Table: snap.Ref.TableID,
			Seat: -1}, rights.MaySeeDesk); err != nil {
			return Protests{}, err
		}
	}
	db := g.DB.Read.WithContext(ctx)
	all, err := ProtestsOf(db.Where("game_id = ?", game))
	if err != nil {
		return Protests{}, err
	}
	err = protestWindow(db, game)
	if errors.Is(err, refuse.ErrConflict) || errors.Is(err, refuse.ErrNotFound) {
		return Protests{all, true}, nil
	}
	return Protests{all, false}, err
}

// TournamentProtests returns all protests of a tournament to officials: open ones first, then newest first.
func TournamentProtests(ctx context.Context, s *store.DB, actor rights.Actor, tournamentID int64) ([]Protest, error) {
	if err := rights.Authorize(actor, rights.Place{Tournament: tournamentID}, rights.MaySeeDesk); err != nil {
		return nil, err
	}
	all, err := ProtestsOf(s.Read.WithContext(ctx).Where("game_id IN (SELECT id FROM games WHERE tournament_id = ?)",
		tournamentID))
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

// ProtestsOf returns the protests selected by where with their decisions, oldest first.
func ProtestsOf(where *gorm.DB) ([]Protest, error) {
	return store.All[Protest](where.Preload("Decision").Order("id"))
}

// MakeProtest records the protest of the player at a seat. It is a Conflict once the window is closed, or while another
// protest of the player is open.
type MakeProtest struct {
	Game int64  `json:"game,omitempty" path:"id" minimum:"1"`
	Text string `json:"text" minLength:"1" maxLength:"500"`
}

var _ = action.NewKind[MakeProtest](action.Kind{Name: "protest.make", Right: rights.MayAgree, Own: true,
	Details: action.Keep[revision]})

func (m MakeProtest) Do(tx *action.Tx) (p Protest, err error) {
	text := spelling.Clean(m.Text)
	if err := checkWhy(text); err != nil {
		return p, err
	}
	game, results, err := ownGame(tx, m.Game)
	if err != nil {
		return p, err
	}
	if err := protestWindow(tx.DB, game.ID); err != nil {
		return p, err
	}
	latest := results[len(results)-1]
	if err := atSeat(tx, latest); err != nil {
		return p, err
	}
	before, err := ProtestsOf(tx.Where("game_id = ? AND player_id = ?", game.ID, tx.Actor.Player))
	if err != nil {
		return p, err
	}
	if slices.ContainsFunc(before, Protest.Open) {
		return p, refuse.Conflict("err_protest_open")
	}
	on, names, err := tournament.AboutGame(tx.DB, game.ID)
	if err != nil {
		return p, err
	}
	tx.Record(action.Entry{Event: game.TournamentID, On: on, Why: text, Is: revision{Is: toldOf(latest, names)},
		Topics: game.Topics()})
	p = Protest{GameID: game.ID, Rev: latest.Rev, Seat: tx.Actor.Seat, PlayerID: tx.Actor.Player, Text: text,
		At: tx.Now()}
	return p, tx.Create(&p).Error
}

// protestWindow returns an error if no protest can be made in a game.
func protestWindow(db *gorm.DB, gameID int64) error {
	results, err := countedResults(db, gameID)
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
	if count.All() == len(count.Agreed) || status == tournament.RoundFinished || practice != "" {
		return refuse.Conflict("err_protest_closed")
	}
	return nil
}

// DecideProtest records the head referee's decision on a protest. If it is upheld, the result must be corrected or the
// game replayed; the result can no longer be confirmed unchanged. A second decision is a Conflict.
type DecideProtest struct {
	Protest int64  `json:"protest,omitempty" path:"id" of:"protests" minimum:"1"`
	Outcome string `json:"outcome" enum:"rejected,upheld"`
	Reason  string `json:"reason" minLength:"1" maxLength:"500"`
}

var _ = action.NewKind[DecideProtest](action.Kind{Name: "protest.decide", Right: rights.MayRuleHeavily,
	Details: action.Keep[protestDecided]})

// protestDecided is the audit record of a decision.
type protestDecided struct {
	Text    string `json:"text"`
	Outcome string `json:"outcome"`
}

// Before returns the protest's text.
func (d protestDecided) Before() []action.Phrase { return action.Typed(d.Text) }

// After describes the decision.
func (d protestDecided) After() []action.Phrase { return action.SayWord("protest.", d.Outcome) }

func (d DecideProtest) Do(tx *action.Tx) (p Protest, err error) {
	reason := spelling.Clean(d.Reason)
	if d.Outcome != ProtestRejected && d.Outcome != ProtestUpheld {
		return p, refuse.Invalid("err_protest_outcome", "outcome", d.Outcome)
	}
	if err := checkWhy(reason); err != nil {
		return p, err
	}
	if p, err = store.ByID[Protest](tx.Preload("Decision"), "protest", d.Protest); err != nil {
		return p, err
	}
	game, err := tournament.FindGame(tx.DB, p.GameID)
	if err != nil {
		return p, err
	}
	if !p.Open() {
		return p, refuse.Conflict("err_protest_decided", "by", p.Decision.Actor)
	}
	on, names, err := tournament.AboutGame(tx.DB, game.ID)
	if err != nil {
		return p, err
	}
	on.Player, on.Name = on.Players[p.Seat], names[p.Seat]
	tx.Record(action.Entry{Event: game.TournamentID, On: on, Why: reason, Is: protestDecided{p.Text, d.Outcome},
		Topics: game.Topics()})
	p.Decision = &ProtestDecision{ProtestID: p.ID, Outcome: d.Outcome, Reason: reason, Actor: tx.Actor.String(),
		At: tx.Now()}
	return p, store.Clash(tx.Create(p.Decision).Error, "err_protest_decided", "by", "?")
}

// protestsAllow refuses to make a result final while a protest is undecided, and to confirm it unchanged after a
// protest was upheld.
func protestsAllow(db *gorm.DB, results []game.Result, correct bool) error {
	all, err := ProtestsOf(db.Where("game_id = ?", results[0].GameID))
	if err != nil {
		return err
	}
	for _, p := range all {
		switch {
		case p.Open():
			return refuse.Conflict("err_protest_undecided")
		case !correct && p.Decision.Outcome == ProtestUpheld && p.Rev >= unchangedSince(results):
			return refuse.Conflict("err_protest_upheld")
		}
	}
	return nil
}
