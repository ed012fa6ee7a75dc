package tournament

import (
	"context"
	"slices"

	"gorm.io/gorm"

	"meldhall/tournament/format"
	"meldhall/tournament/pairing"
)

// CorrectResult replaces revision rev of a game's result by what an official rules, who thereby confirms
// it. A confirmed one is changed by those who rule heavily. Rounds drawn by the result as it was stay as they are.
func (s *Store) CorrectResult(ctx context.Context, actor Actor, gameID int64, rev int, c Correction) (CorrectionEffect, error) {
	return s.correct(ctx, actor, gameID, rev, false, c.next)
}

// PreviewCorrection tells what CorrectResult would change. Nothing is changed.
func (s *Store) PreviewCorrection(ctx context.Context, actor Actor, gameID int64, rev int, c Correction) (CorrectionEffect, error) {
	return s.correct(ctx, actor, gameID, rev, true, c.next)
}

// OrderReplay annuls a game, as revision rev of its result, and adds one to its table's games in its place. The round
// must still be running: what later rounds were drawn by is not played again.
func (s *Store) OrderReplay(ctx context.Context, actor Actor, gameID int64, rev int, why string) (CorrectionEffect, error) {
	return s.correct(ctx, actor, gameID, rev, false, replayed(why))
}

// PreviewReplay tells what OrderReplay would change. Nothing is changed.
func (s *Store) PreviewReplay(ctx context.Context, actor Actor, gameID int64, rev int, why string) (CorrectionEffect, error) {
	return s.correct(ctx, actor, gameID, rev, true, replayed(why))
}

// nextRevision makes the revision that follows on a game's latest one, with what goes with it.
type nextRevision func(tx *gorm.DB, game Game, latest Result) (Result, error)

// correct revises a result and compares the standings around that; a preview is the same, rolled back.
func (s *Store) correct(ctx context.Context, actor Actor, gameID int64, rev int, preview bool, next nextRevision) (e CorrectionEffect, err error) {
	err = s.try(ctx, preview, func(tx *gorm.DB) error {
		var before *board
		var was Result
		var round Round
		result, err := s.revise(tx, actor, gameID, rev, MayCorrectResult, func(tx *gorm.DB, game Game, latest Result) (Result, error) {
			result, err := next(tx, game, latest)
			if err != nil {
				return result, err
			}
			was = latest
			if err := tx.Where("id = (SELECT round_id FROM tables WHERE id = ?)", game.TableID).Take(&round).Error; err != nil {
				return result, err
			}
			before, err = loadBoard(tx, game.TournamentID)
			return result, err
		})
		if err != nil {
			return err
		}
		after, err := loadBoard(tx, round.TournamentID)
		if err != nil {
			return err
		}
		if e, err = correctionEffect(tx, round, before, after); err != nil {
			return err
		}
		rules, err := after.tournament.Rules()
		if err != nil {
			return err
		}
		e.Before, e.After, e.Unbalanced = was, result, result.unbalanced(rules)
		return nil
	})
	return e, err
}

// next is a correction as the revision after another one.
func (c Correction) next(_ *gorm.DB, _ Game, latest Result) (Result, error) {
	checked, err := c.check(latest)
	return Result{Ending: checked.Ending, Lines: checked.Lines, Why: checked.Why}, err
}

// replayed annuls a game and adds another one.
func replayed(why string) nextRevision {
	return func(tx *gorm.DB, game Game, latest Result) (Result, error) {
		annulled := Correction{Ending: EndingAnnulled, Lines: slices.Clone(latest.Lines), Why: why}
		for i := range annulled.Lines {
			annulled.Lines[i].Points, annulled.Lines[i].Wins = 0, 0
		}
		result, err := annulled.next(tx, game, latest)
		if err != nil {
			return Result{}, err
		}
		if latest.Ending == EndingAnnulled {
			return Result{}, Refuse(Conflict, "err_game_annulled", "game", game.ID)
		}
		var last struct {
			Status string
			Number int
		}
		err = tx.Raw(`SELECT r.status, (SELECT max(number) FROM games WHERE table_id = t.id) AS number
			FROM tables t JOIN rounds r ON r.id = t.round_id WHERE t.id = ?`, game.TableID).Scan(&last).Error
		if err != nil {
			return Result{}, err
		}
		if last.Status != RoundRunning {
			return Result{}, Refuse(Conflict, "err_replay_round_over")
		}
		again := Game{TournamentID: game.TournamentID, TableID: game.TableID, Number: last.Number + 1, Status: GameWaiting}
		return result, tx.Create(&again).Error
	}
}

// correctionEffect compares the standings around a correction of a game of a round.
func correctionEffect(db *gorm.DB, round Round, before, after *board) (e CorrectionEffect, err error) {
	e.Moves = standingMoves(before, after)
	for stage := range after.format.Stages {
		if stage == 0 || stage > len(after.input.Stages) {
			continue
		}
		move, err := cutMove(db, stage, round, before, after)
		if err != nil {
			return e, err
		}
		e.Cuts = append(e.Cuts, move...)
	}
	if after.format.Qualification != (format.Qualification{}) {
		waivers, err := waiversOf(db, after.tournament.ID)
		if err != nil {
			return e, err
		}
		e.Cuts = append(e.Cuts, after.moved(CutMove{Stage: Qualifying}, before.qualifying(waivers), after.qualifying(waivers))...)
	}
	e.Rounds, err = seatedSince(db, round, before, after)
	return e, err
}

// cutMove is what changes at the cut for a stage that a correction in an earlier round may move.
func cutMove(db *gorm.DB, stage int, corrected Round, before, after *board) ([]CutMove, error) {
	move := CutMove{Stage: stage, Name: after.format.Stages[stage].Name}
	if stage < len(after.input.Stages) {
		begun := after.input.Stages[stage]
		if begun.FirstRound <= corrected.Number {
			return nil, nil
		}
		move.Drawn = true
		before, after = before.asDrawn(begun), after.asDrawn(begun)
	}
	was, err := before.cut(db, stage)
	if err != nil {
		return nil, err
	}
	is, err := after.cut(db, stage)
	return after.moved(move, was.steps(), is.steps()), err
}

// asksForPlaces are the ways of drawing that seat by the standings.
var asksForPlaces = []string{pairing.Standings, pairing.Snake, pairing.Interval, pairing.Winners}

// seatedSince are the rounds that were drawn after a round, the draft too, and what the order that they were drawn by would be.
func seatedSince(db *gorm.DB, corrected Round, before, after *board) ([]SeatedRound, error) {
	var rounds []Round
	if err := db.Where("tournament_id = ? AND number > ?", corrected.TournamentID, corrected.Number).Order("number").Find(&rounds).Error; err != nil {
		return nil, err
	}
	var since []SeatedRound
	for _, r := range rounds {
		one := SeatedRound{Round: r, ByPlaces: slices.Contains(asksForPlaces, r.Method)}
		if one.ByPlaces {
			tables, err := tablesOf(db, r.ID)
			if err != nil {
				return nil, err
			}
			seated := slices.Concat(tables...)
			was, is := before.until(r.Number).places(seated), after.until(r.Number).places(seated)
			for player, place := range is {
				if was[player] != place {
					one.Moved++
				}
			}
		}
		since = append(since, one)
	}
	return since, nil
}
