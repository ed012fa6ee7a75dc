package tournament

import (
	"context"
	"slices"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/door"
	"meldhall/tournament/format"
	"meldhall/tournament/game"
	"meldhall/tournament/pairing"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
)

// CorrectResult replaces revision Rev of a game's result by what an official rules, who thereby confirms it, and starts what
// waited for that. A confirmed one is changed by those who rule heavily. Rounds drawn by the result as it was stay as they are.
type CorrectResult struct {
	Game int64 `json:"game"`
	Rev  int   `json:"rev"`
	Correction
}

var _ = door.NewKind[CorrectResult](door.Kind{Name: "result.correct_result", Right: rights.MayCorrectResult, Own: true,
	Changes: []door.What{door.TopicStandings}, Details: door.Keep[revision]})

func (c CorrectResult) Do(tx *door.Tx) (CorrectionEffect, error) {
	tx.Then(func(ctx context.Context, g *game.Games) error { return g.StartWaiting(ctx, 0) })
	return correct(tx, c.Game, c.Rev, func(r revising) (game.Result, error) { return c.Correction.next(r.latest) })
}

// OrderReplay annuls a game, as revision Rev of its result, and adds one to its table's games in its place, which starts. The
// round must still be running: what later rounds were drawn by is not played again.
type OrderReplay struct {
	Game int64  `json:"game"`
	Rev  int    `json:"rev"`
	Why  string `json:"why"`
}

var _ = door.NewKind[OrderReplay](door.Kind{Name: "result.replay", Right: rights.MayCorrectResult, Own: true,
	Changes: []door.What{door.TopicStandings, door.TopicSeats}, Details: door.Keep[revision]})

func (o OrderReplay) Do(tx *door.Tx) (CorrectionEffect, error) {
	return correct(tx, o.Game, o.Rev, func(r revising) (game.Result, error) {
		tx.Then(func(ctx context.Context, g *game.Games) error { return g.StartWaiting(ctx, r.game.TableID) })
		return o.replayed(tx.DB, r.game.Game, r.latest)
	})
}

// correct revises a result by what next makes of it and compares the standings around that.
func correct(tx *door.Tx, gameID int64, rev int, next func(revising) (game.Result, error)) (e CorrectionEffect, err error) {
	r, err := openResult(tx, gameID, rev, rights.MayCorrectResult)
	if err != nil {
		return e, err
	}
	if err := r.changeable(tx, rev, true); err != nil {
		return e, err
	}
	before, err := loadBoard(tx.DB, r.game.TournamentID)
	if err != nil {
		return e, err
	}
	result, err := next(r)
	if err != nil {
		return e, err
	}
	var round Round
	if err := tx.Where("id = (SELECT round_id FROM tables WHERE id = ?)", r.game.TableID).Take(&round).Error; err != nil {
		return e, err
	}
	if result, err = r.revise(tx, result); err != nil {
		return e, err
	}
	after, err := loadBoard(tx.DB, round.TournamentID)
	if err != nil {
		return e, err
	}
	if e, err = correctionEffect(tx.DB, round, before, after); err != nil {
		return e, err
	}
	rules, err := after.tournament.Rules()
	e.Before, e.After, e.Unbalanced = r.latest, result, unbalancedIn(result, rules)
	return e, err
}

// next is a correction as the revision after another one.
func (c Correction) next(latest game.Result) (game.Result, error) {
	checked, err := c.check(latest)
	return game.Result{Ending: checked.Ending, Lines: checked.Lines, Why: checked.Why}, err
}

// replayed annuls a game and adds another one.
func (o OrderReplay) replayed(tx *gorm.DB, one Game, latest game.Result) (game.Result, error) {
	annulled := Correction{Ending: game.EndingAnnulled, Lines: slices.Clone(latest.Lines), Why: o.Why}
	for i := range annulled.Lines {
		annulled.Lines[i].Points, annulled.Lines[i].Wins = 0, 0
	}
	result, err := annulled.next(latest)
	if err != nil {
		return game.Result{}, err
	}
	if latest.Ending == game.EndingAnnulled {
		return game.Result{}, refuse.Conflict("err_game_annulled", "game", one.ID)
	}
	var last struct {
		Status string
		Number int
	}
	err = tx.Raw(`SELECT r.status, (SELECT max(number) FROM games WHERE table_id = t.id) AS number
		FROM tables t JOIN rounds r ON r.id = t.round_id WHERE t.id = ?`, one.TableID).Scan(&last).Error
	if err != nil {
		return game.Result{}, err
	}
	if last.Status != RoundRunning {
		return game.Result{}, refuse.Conflict("err_replay_round_over")
	}
	again := Game{TournamentID: one.TournamentID, TableID: one.TableID, Number: last.Number + 1, Status: game.Waiting}
	return result, tx.Create(&again).Error
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

// Correction is a result as an official rules it. Lines holds every seat once; Why is for the record.
type Correction struct {
	Ending string
	Lines  []game.ResultLine
	Why    string
}

// Limits of a correction, so that a typing mistake is caught: characters, and points of one game.
const (
	whyMost    = 500
	pointsMost = 100_000
)

// check holds a correction against the result it corrects: the same seats, one win shared by somebody,
// or nothing for anybody when the game is annulled.
func (c Correction) check(before game.Result) (Correction, error) {
	c.Why = spelling.Clean(c.Why)
	if err := checkWhy(c.Why); err != nil {
		return c, err
	}
	if c.Ending == "" {
		c.Ending = before.Ending
	}
	if c.Ending != before.Ending && c.Ending != game.EndingAnnulled && !slices.Contains(engine.Endings(), c.Ending) {
		return c, refuse.Invalid("err_result_ending", "ending", c.Ending)
	}
	if len(c.Lines) != len(before.Lines) {
		return c, refuse.Invalid("err_result_seats", "have", len(c.Lines), "want", len(before.Lines))
	}
	var wins engine.Twelfth
	for i := range c.Lines {
		l, was := &c.Lines[i], before.Lines[i]
		if l.Seat != was.Seat || l.PlayerID != 0 && l.PlayerID != was.PlayerID {
			return c, refuse.Invalid("err_result_seats", "have", len(c.Lines), "want", len(before.Lines))
		}
		l.PlayerID = was.PlayerID
		if l.Points > engine.Whole(pointsMost) || l.Points < -engine.Whole(pointsMost) || l.Charge < 0 || l.Charge > pointsMost {
			return c, refuse.Invalid("err_result_points", "seat", l.Seat+1, "most", pointsMost)
		}
		if l.Wins < 0 || c.Ending == game.EndingAnnulled && (l.Wins != 0 || l.Points != 0) {
			return c, refuse.Invalid("err_result_annulled", "seat", l.Seat+1)
		}
		wins += l.Wins
	}
	if c.Ending != game.EndingAnnulled && wins != engine.Whole(1) {
		return c, refuse.Invalid("err_result_wins", "wins", wins)
	}
	return c, nil
}
