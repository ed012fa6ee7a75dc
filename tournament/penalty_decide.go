package tournament

import (
	"context"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/door"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
	"meldhall/tournament/staff"
)

// SecondPenalty confirms a proposed disqualification, or a proposed correction of a result: another official than the one who proposed
// it must. A disqualified player is out of the rounds to come, stands after everybody else, and gives up the seat in the game that is on;
// a corrected result is entered. Confirming twice is confirming once, and does at the tables what is missing there.
type SecondPenalty struct {
	ID int64 `json:"id,omitempty" path:"id" of:"sanctions" minimum:"1"`
}

// CancelPenalty takes a penalty back, with a reason: both stay in the record. A player who was disqualified plays on as before;
// the seat that was given up in a game that is still on plays again, unless the game has gone too far: then a referee rewinds.
type CancelPenalty struct {
	ID  int64  `json:"id,omitempty" path:"id" of:"sanctions" minimum:"1"`
	Why string `json:"why" maxLength:"2000"`
}

var (
	_ = door.NewKind[SecondPenalty](door.Kind{Name: "sanction.seconded", Right: rights.MayRuleHeavily, Changes: []door.What{door.TopicStandings, door.TopicPenalties},
		Details: door.Keep[penaltyDecided]})
	_ = door.NewKind[CancelPenalty](door.Kind{Name: "sanction.cancelled", Right: rights.MayRule, Changes: []door.What{door.TopicStandings, door.TopicPenalties},
		Details: door.Keep[penaltyDecided]})
)

// penaltyDecided is what a record of a decision keeps: the penalty as it was.
type penaltyDecided struct {
	penaltyGiven
	State    string `json:"state"`
	Decision string `json:"decision"`
}

// Before tells the penalty and where it stood.
func (d penaltyDecided) Before() []door.Phrase {
	return []door.Phrase{door.Say("log.is.penalty", "penalty", d.penaltyGiven.After(), "state", door.Word("sanction."+d.State))}
}

// After tells what was decided.
func (d penaltyDecided) After() []door.Phrase { return door.SayWord("log.is.", d.Decision) }

func (s SecondPenalty) Do(tx *door.Tx) (Penalty, error) {
	p, err := findPenalty(tx.DB, s.ID)
	switch {
	case err != nil:
		return p, err
	case !heavy(p.Kind):
		return p, refuse.Conflict("err_sanction_not_seconded")
	case p.Cancelled != nil:
		return p, refuse.Conflict("err_sanction_cancelled", "by", nameOf(p.Cancelled.Actor))
	case p.Seconded == nil && p.ProposedBy(tx.Actor):
		return p, refuse.Forbidden("err_second_official")
	case p.Seconded == nil:
		if err := p.otherHands(tx); err != nil {
			return p, err
		}
		decided := PenaltyDecision{Decision: decisionSeconded, Withdrew: p.Kind == Disqualification && !p.Player.Withdrawn}
		if err := p.decide(tx, &decided); err != nil {
			return p, err
		}
		p.Seconded = &decided
		if p.Kind == CorrectedResult {
			return p, p.enter(tx)
		}
		if err := p.setOut(tx, true); err != nil {
			return p, err
		}
	}
	if p.Kind == CorrectedResult {
		return p, nil
	}
	tx.Then(func(ctx context.Context, g *game.Games) error { return inRunningGames(ctx, g, p, giveUp) })
	return p, nil
}

// otherHands refuses a second official whose account the first one could use, or whom the first one's account belongs to.
func (p Penalty) otherHands(tx *door.Tx) error {
	if p.AccountID == nil {
		return nil
	}
	maker, made, same, err := staff.InOneHand(tx.DB, *p.AccountID, tx.Actor.Account, p.At)
	if err == nil && same {
		err = refuse.Forbidden("err_second_own_hand", "maker", maker, "made", made)
	}
	return err
}

func (c CancelPenalty) Do(tx *door.Tx) (Penalty, error) {
	p, err := findPenalty(tx.DB, c.ID)
	if err == nil && heavy(p.Kind) {
		err = tx.Authorize(rights.Place{Tournament: p.TournamentID}, rights.MayRuleHeavily)
	}
	if err != nil {
		return p, err
	}
	if p.Cancelled != nil {
		return p, refuse.Conflict("err_sanction_cancelled", "by", nameOf(p.Cancelled.Actor))
	}
	if p.Kind == CorrectedResult && p.Seconded != nil {
		return p, refuse.Conflict("err_correction_entered")
	}
	decided := PenaltyDecision{Decision: decisionCancelled, Why: spelling.Clean(c.Why)}
	if err := checkWhy(decided.Why); err != nil {
		return p, err
	}
	if err := p.decide(tx, &decided); err != nil {
		return p, err
	}
	p.Cancelled = &decided
	if p.Seconded == nil {
		return p, nil
	}
	by := tx.Actor
	tx.Then(func(ctx context.Context, g *game.Games) error {
		return inRunningGames(ctx, g, p, func(ctx context.Context, g *game.Games, p Penalty, game int64, seat int) error {
			return takeBack(ctx, g, by, p, game, seat)
		})
	})
	if !p.Seconded.Withdrew {
		return p, nil
	}
	return p, p.setOut(tx, false)
}

// decide writes what became of a penalty.
func (p Penalty) decide(tx *door.Tx, d *PenaltyDecision) error {
	d.PenaltyID, d.Actor, d.AccountID, d.At = p.ID, tx.Actor.String(), accountOf(tx.Actor), tx.Now()
	on, err := p.about(tx.DB)
	if err != nil {
		return err
	}
	tx.Record(door.Entry{Event: p.TournamentID, On: on, Why: d.Why, Is: penaltyDecided{p.given(), p.State(), d.Decision}})
	return tx.Create(d).Error
}

// about is whom a penalty is for, and the game or the round in which it came to that.
func (p Penalty) about(db *gorm.DB) (on door.About, err error) {
	if p.GameID != nil {
		if on, _, err = aboutGame(db, *p.GameID); err != nil {
			return on, err
		}
	}
	if p.Kind != CorrectedResult {
		on.Round, on.Player, on.Name, on.Number, on.Players = p.Round, p.Player.Number, p.Player.Name, p.ID, nil
	}
	return on, nil
}

// ruledOut is the name of withdrawKind.
const ruledOut = "player.withdraw"

// withdrawKind is the record of players going in or out by a ruling.
var withdrawKind = door.RecordKind(door.Kind{Name: ruledOut, Changes: []door.What{door.TopicPeople},
	Details: door.Steps("log.is.")})

// setOut takes the player of a disqualification out of the rounds to come, as who leaves, or back in: with the chair at a table that
// nobody plays at yet, and with what that changes for others.
func (p *Penalty) setOut(tx *door.Tx, out bool) error {
	if p.Player.Withdrawn == out {
		return nil
	}
	people, err := openPeople(tx, p.TournamentID)
	if err != nil {
		return err
	}
	why := p.Reason
	if out {
		err = people.leave([]Player{p.Player}, StateWithdrawn, MissedLeft, true)
	} else {
		why, err = p.Cancelled.Why, people.reinstate(p.Player)
	}
	if err != nil {
		return err
	}
	if err := people.moveUp(); err != nil {
		return err
	}
	was, is, whole, err := people.difference()
	if err != nil {
		return err
	}
	p.Player.Withdrawn, p.Effects = out, append(effects(was, is, whole), people.notes...)
	on := p.Player.about()
	addPlaces(&on, was, is, whole)
	tx.Record(door.Entry{Kind: withdrawKind, Event: p.TournamentID, On: on, Why: why, Is: door.Step{Was: fmt.Sprint(!out), Is: fmt.Sprint(out)}, Topics: topicsOf(was, is)})
	people.thenForget(changedTables(was, is))
	return nil
}

// inRunningGames does something with the player's seat in every game of the player's that is on.
func inRunningGames(ctx context.Context, g *game.Games, p Penalty, do func(ctx context.Context, g *game.Games, p Penalty, game int64, seat int) error) error {
	games, err := runningGamesOf(ctx, g.DB, p.PlayerID)
	if err != nil {
		return err
	}
	var errs []error
	for _, at := range games {
		errs = append(errs, do(ctx, g, p, at.Game, at.Seat))
	}
	return errors.Join(errs...)
}

// giveUp forfeits a disqualified player's seat, in the name of who confirmed it.
func giveUp(ctx context.Context, g *game.Games, p Penalty, game int64, seat int) error {
	by := actorNamed(p.Seconded.Actor)
	_, err := g.Submit(ctx, by, game, fmt.Sprintf("sanction-out-%d", p.ID),
		engine.ForfeitSeat{Grounds: engine.Grounds{Rule: p.Rule, Reason: p.Reason, By: by.Name}, Seat: seat, Disqualified: true})
	return unlessRefused(err)
}

// takeBack cancels that a seat was given up.
func takeBack(ctx context.Context, g *game.Games, by rights.Actor, p Penalty, game int64, seat int) error {
	snap, err := g.Look(ctx, game)
	if err != nil {
		return err
	}
	for _, r := range engine.ViewFor(&snap.State, engine.Referee).Rulings {
		if r.Kind != (engine.SeatForfeited{}).Kind() || r.Seat != seat || r.Cancelled != 0 || r.Reason != p.Reason || r.By != nameOf(p.Seconded.Actor) {
			continue
		}
		_, err := g.Submit(ctx, by, game, fmt.Sprintf("sanction-back-%d", p.ID),
			engine.CancelRuling{Grounds: engine.Grounds{Reason: p.Cancelled.Why, By: by.Name}, Of: r.Seq})
		return unlessRefused(err)
	}
	return nil
}

// withoutDisqualified gives up the seats of those who were disqualified before their game began: a round is seated for
// several games.
func withoutDisqualified(ctx context.Context, g *game.Games, ref game.Ref) error {
	out, err := disqualifications(ctx, g.DB, ref.TournamentID)
	if err != nil {
		return err
	}
	for _, p := range out {
		for seat, player := range ref.Players {
			if player == p.PlayerID {
				err = errors.Join(err, giveUp(ctx, g, p, ref.ID, seat))
			}
		}
	}
	return err
}

// unlessRefused makes a refusal of the rules no error: the seat is out already, or the game is over.
func unlessRefused(err error) error {
	var refusal *engine.Refusal
	if errors.As(err, &refusal) {
		return nil
	}
	return err
}
