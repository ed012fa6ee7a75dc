package result

import (
	"context"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/account"
	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/people"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
)

// SecondPenalty confirms a proposed disqualification or correction of a result. It must come from an official other
// than the proposer. A disqualified player is withdrawn from later rounds, ranks after all others and forfeits the seat
// in a running game; a corrected result is entered. Confirming again has no effect, except that it repeats failed
// forfeits at the tables.
type SecondPenalty struct {
	ID int64 `json:"id,omitempty" path:"id" of:"sanctions" minimum:"1"`
}

// CancelPenalty cancels a penalty, with a reason; both stay in the record. A disqualified player plays again. A seat
// forfeited in a running game is restored, unless the game has gone too far: then a referee must rewind it.
type CancelPenalty struct {
	ID  int64  `json:"id,omitempty" path:"id" of:"sanctions" minimum:"1"`
	Why string `json:"why" maxLength:"2000"`
}

var (
	_ = action.NewKind[SecondPenalty](action.Kind{Name: "sanction.seconded", Right: rights.MayRuleHeavily,
		Changes: []action.What{action.TopicStandings, action.TopicPenalties},
		Details: action.Keep[PenaltyDecided]})
	_ = action.NewKind[CancelPenalty](action.Kind{Name: "sanction.cancelled", Right: rights.MayRule,
		Changes: []action.What{action.TopicStandings, action.TopicPenalties},
		Details: action.Keep[PenaltyDecided]})
)

// PenaltyDecided is the audit record of a decision: the penalty as it was before.
type PenaltyDecided struct {
	PenaltyGiven
	State    string `json:"state"`
	Decision string `json:"decision"`
}

// Before describes the penalty and its state.
func (d PenaltyDecided) Before() []action.Phrase {
	return []action.Phrase{action.Say("log.is.penalty", "penalty", d.PenaltyGiven.After(), "state",
		action.Word("sanction."+d.State))}
}

// After describes the decision.
func (d PenaltyDecided) After() []action.Phrase { return action.SayWord("log.is.", d.Decision) }

func (s SecondPenalty) Do(tx *action.Tx) (Penalty, error) {
	p, err := findPenalty(tx.DB, s.ID)
	switch {
	case err != nil:
		return p, err
	case !heavy(p.Kind):
		return p, refuse.Conflict("err_sanction_not_seconded")
	case p.Cancelled != nil:
		return p, refuse.Conflict("err_sanction_cancelled", "by", tournament.NameOf(p.Cancelled.Actor))
	case p.Seconded == nil && p.ProposedBy(tx.Actor):
		return p, refuse.Forbidden("err_second_official")
	case p.Seconded == nil:
		if err := p.otherHands(tx); err != nil {
			return p, err
		}
		decided := PenaltyDecision{Decision: decisionSeconded, Withdrew: p.Kind == Disqualification &&
			!p.Player.Withdrawn}
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

// otherHands rejects a second official who could be the same person as the proposer: one of them created the other's
// account, and the other had no password of their own at the time of the proposal.
func (p Penalty) otherHands(tx *action.Tx) error {
	if p.AccountID == nil {
		return nil
	}
	maker, made, same, err := account.InOneHand(tx.DB, *p.AccountID, tx.Actor.Account, p.At)
	if err == nil && same {
		err = refuse.Forbidden("err_second_own_hand", "maker", maker, "made", made)
	}
	return err
}

func (c CancelPenalty) Do(tx *action.Tx) (Penalty, error) {
	p, err := findPenalty(tx.DB, c.ID)
	if err == nil && heavy(p.Kind) {
		err = tx.Authorize(rights.Place{Tournament: p.TournamentID}, rights.MayRuleHeavily)
	}
	if err != nil {
		return p, err
	}
	if p.Cancelled != nil {
		return p, refuse.Conflict("err_sanction_cancelled", "by", tournament.NameOf(p.Cancelled.Actor))
	}
	if p.Kind == CorrectedResult && p.Seconded != nil {
		return p, refuse.Conflict("err_correction_entered")
	}
	decided := PenaltyDecision{Decision: DecisionCancelled, Why: spelling.Clean(c.Why)}
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
		return inRunningGames(ctx, g, p, func(ctx context.Context, g *game.Games, p Penalty, game int64,
			seat int) error {
			return takeBack(ctx, g, by, p, game, seat)
		})
	})
	if !p.Seconded.Withdrew {
		return p, nil
	}
	return p, p.setOut(tx, false)
}

// decide stores a decision on a penalty.
func (p Penalty) decide(tx *action.Tx, d *PenaltyDecision) error {
	d.PenaltyID, d.Actor, d.AccountID, d.At = p.ID, tx.Actor.String(), accountOf(tx.Actor), tx.Now()
	on, err := p.about(tx.DB)
	if err != nil {
		return err
	}
	tx.Record(action.Entry{Event: p.TournamentID, On: on, Why: d.Why,
		Is: PenaltyDecided{p.given(), p.State(), d.Decision}})
	return tx.Create(d).Error
}

// about returns the subject of a penalty: the player and the game or round in question.
func (p Penalty) about(db *gorm.DB) (on action.About, err error) {
	if p.GameID != nil {
		if on, _, err = tournament.AboutGame(db, *p.GameID); err != nil {
			return on, err
		}
	}
	if p.Kind != CorrectedResult {
		on.Round, on.Player, on.Name, on.Number, on.Players = p.Round, p.Player.Number, p.Player.Name, p.ID, nil
	}
	return on, nil
}

// withdrawKind is the kind of the records that a ruling withdrew or reinstated a player.
var withdrawKind = action.RecordKind(action.Kind{Name: tournament.RuledOut, Changes: []action.What{action.TopicPeople},
	Details: action.Steps("log.is.")})

// setOut withdraws a disqualified player from later rounds as if the player had left, or reinstates the player. This
// includes the chair at a waiting table and the effects on other players.
func (p *Penalty) setOut(tx *action.Tx, out bool) error {
	if p.Player.Withdrawn == out {
		return nil
	}
	players, err := people.OpenPeople(tx, p.TournamentID)
	if err != nil {
		return err
	}
	why := p.Reason
	if out {
		err = players.Leave([]tournament.Player{p.Player}, tournament.StateWithdrawn, tournament.MissedLeft, true)
	} else {
		why, err = p.Cancelled.Why, players.Reinstate(p.Player)
	}
	if err != nil {
		return err
	}
	if err := players.MoveUp(); err != nil {
		return err
	}
	was, is, whole, err := players.Difference()
	if err != nil {
		return err
	}
	p.Player.Withdrawn, p.Effects = out, append(people.Effects(was, is, whole), players.Notes...)
	on := p.Player.About()
	people.AddPlaces(&on, was, is, whole)
	tx.Record(action.Entry{Kind: withdrawKind, Event: p.TournamentID, On: on, Why: why,
		Is: action.Step{Was: fmt.Sprint(!out), Is: fmt.Sprint(out)}, Topics: people.TopicsOf(was, is)})
	players.ThenForget(people.ChangedTables(was, is))
	return nil
}

// inRunningGames calls do for the player's seat in every running game.
func inRunningGames(ctx context.Context, g *game.Games, p Penalty,
	do func(ctx context.Context, g *game.Games, p Penalty, game int64, seat int) error) error {
	games, err := people.RunningGamesOf(ctx, g.DB, p.PlayerID)
	if err != nil {
		return err
	}
	var errs []error
	for _, at := range games {
		errs = append(errs, do(ctx, g, p, at.Game, at.Seat))
	}
	return errors.Join(errs...)
}

// giveUp forfeits a disqualified player's seat, in the name of the official who confirmed it.
func giveUp(ctx context.Context, g *game.Games, p Penalty, game int64, seat int) error {
	by := tournament.ActorNamed(p.Seconded.Actor)
	_, err := g.Submit(ctx, by, game, fmt.Sprintf("sanction-out-%d", p.ID),
		engine.ForfeitSeat{Grounds: engine.Grounds{Rule: p.Rule, Reason: p.Reason, By: by.Name}, Seat: seat,
			Disqualified: true})
	return people.UnlessRefused(err)
}

// takeBack cancels the forfeit of a seat.
func takeBack(ctx context.Context, g *game.Games, by rights.Actor, p Penalty, game int64, seat int) error {
	snap, err := g.Look(ctx, game)
	if err != nil {
		return err
	}
	for _, r := range engine.ViewFor(&snap.State, engine.Referee).Rulings {
		if r.Kind != (engine.SeatForfeited{}).Kind() || r.Seat != seat || r.Cancelled != 0 || r.Reason != p.Reason ||
			r.By != tournament.NameOf(p.Seconded.Actor) {
			continue
		}
		_, err := g.Submit(ctx, by, game, fmt.Sprintf("sanction-back-%d", p.ID),
			engine.CancelRuling{Grounds: engine.Grounds{Reason: p.Cancelled.Why, By: by.Name}, Of: r.Seq})
		return people.UnlessRefused(err)
	}
	return nil
}

// withoutDisqualified forfeits the seats of players who were disqualified before their game began. A round is seated
// for several games, so a player can be disqualified between them.
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
