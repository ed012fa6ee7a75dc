package tournament

import (
	"context"
	"errors"
	"slices"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/door"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
	"meldhall/tournament/storage"
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

	Decision *ProtestDecision
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

// ProtestsIn gives the protests of a game, the first one first, to the officials and to the players of the game.
func ProtestsIn(ctx context.Context, g *game.Games, actor rights.Actor, game int64) (Protests, error) {
	snap, err := g.Look(ctx, game)
	if err != nil {
		return Protests{}, err
	}
	if actor.Role != rights.RolePlayer || !slices.Contains(snap.Ref.Players, actor.Player) {
		if err := rights.Authorize(actor, rights.Place{Tournament: snap.Ref.TournamentID, Table: snap.Ref.TableID, Seat: -1}, rights.MaySeeDesk); err != nil {
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

// TournamentProtests gives all protests of a tournament to the officials: those that are open first, then the newest.
func TournamentProtests(ctx context.Context, s *storage.DB, actor rights.Actor, tournamentID int64) ([]Protest, error) {
	if err := rights.Authorize(actor, rights.Place{Tournament: tournamentID}, rights.MaySeeDesk); err != nil {
		return nil, err
	}
	all, err := ProtestsOf(s.Read.WithContext(ctx).Where("game_id IN (SELECT id FROM games WHERE tournament_id = ?)", tournamentID))
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

func ProtestsOf(where *gorm.DB) ([]Protest, error) {
	return storage.All[Protest](where.Preload("Decision").Order("id"))
}

// MakeProtest is the protest of the player at a seat. It is refused as Conflict once the window is closed, and while
// another one of the same player is open.
type MakeProtest struct {
	Game int64  `json:"game,omitempty" path:"id" minimum:"1"`
	Text string `json:"text" minLength:"1" maxLength:"500"`
}

var _ = door.NewKind[MakeProtest](door.Kind{Name: "protest.make", Right: rights.MayAgree, Own: true, Details: door.Keep[revision]})

func (m MakeProtest) Do(tx *door.Tx) (p Protest, err error) {
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
	on, names, err := aboutGame(tx.DB, game.ID)
	if err != nil {
		return p, err
	}
	tx.Record(door.Entry{Event: game.TournamentID, On: on, Why: text, Is: revision{Is: toldOf(latest, names)}, Topics: game.topics()})
	p = Protest{GameID: game.ID, Rev: latest.Rev, Seat: tx.Actor.Seat, PlayerID: tx.Actor.Player, Text: text, At: tx.Now()}
	return p, tx.Create(&p).Error
}

// protestWindow tells why no protest can be made at a game (any more).
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
	if count.All() == len(count.Agreed) || status == RoundFinished || practice != "" {
		return refuse.Conflict("err_protest_closed")
	}
	return nil
}

// DecideProtest is what the head referee decides on a protest. Upheld, the result is to be corrected or the game replayed: it
// is not confirmed as it stands any more. A second decision is a Conflict.
type DecideProtest struct {
	Protest int64  `json:"protest,omitempty" path:"id" of:"protests" minimum:"1"`
	Outcome string `json:"outcome" enum:"rejected,upheld"`
	Reason  string `json:"reason" minLength:"1" maxLength:"500"`
}

var _ = door.NewKind[DecideProtest](door.Kind{Name: "protest.decide", Right: rights.MayRuleHeavily, Details: door.Keep[protestDecided]})

// protestDecided is what a record of a decision keeps.
type protestDecided struct {
	Text    string `json:"text"`
	Outcome string `json:"outcome"`
}

// Before tells the protest.
func (d protestDecided) Before() []door.Phrase { return door.Typed(d.Text) }

// After tells what was decided.
func (d protestDecided) After() []door.Phrase { return door.SayWord("protest.", d.Outcome) }

func (d DecideProtest) Do(tx *door.Tx) (p Protest, err error) {
	reason := spelling.Clean(d.Reason)
	if d.Outcome != ProtestRejected && d.Outcome != ProtestUpheld {
		return p, refuse.Invalid("err_protest_outcome", "outcome", d.Outcome)
	}
	if err := checkWhy(reason); err != nil {
		return p, err
	}
	if p, err = storage.ByID[Protest](tx.Preload("Decision"), "protest", d.Protest); err != nil {
		return p, err
	}
	game, err := findGame(tx.DB, p.GameID)
	if err != nil {
		return p, err
	}
	if !p.Open() {
		return p, refuse.Conflict("err_protest_decided", "by", p.Decision.Actor)
	}
	on, names, err := aboutGame(tx.DB, game.ID)
	if err != nil {
		return p, err
	}
	on.Player, on.Name = on.Players[p.Seat], names[p.Seat]
	tx.Record(door.Entry{Event: game.TournamentID, On: on, Why: reason, Is: protestDecided{p.Text, d.Outcome}, Topics: game.topics()})
	p.Decision = &ProtestDecision{ProtestID: p.ID, Outcome: d.Outcome, Reason: reason, Actor: tx.Actor.String(), At: tx.Now()}
	return p, storage.Clash(tx.Create(p.Decision).Error, "err_protest_decided", "by", "?")
}

// protestsAllow refuses to make a result final while a protest waits for its decision; and to confirm one as it stands
// against which a protest was upheld.
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
