package result

import (
	"context"
	"slices"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/engine/tile"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/format"
	"meldhall/tournament/game"
	"meldhall/tournament/pairing"
	"meldhall/tournament/ranking"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
)

// CorrectResult replaces revision Rev of a game's result by an official's decision, which need not follow from the
// racks (see RecountResult). This confirms the result and starts the games that waited for it. Changing a confirmed
// result needs the right MayRuleHeavily. If it changes by more than the tournament allows (SetSecondOver), a second
// official must confirm the change (SecondPenalty). Rounds drawn by the old result do not change.
type CorrectResult struct {
	Game int64 `json:"game"`
	Rev  int   `json:"rev"`
	Correction
}

var correctedKind = action.NewKind[CorrectResult](action.Kind{Name: "result.correct_result",
	Right: rights.MayCorrectResult, Own: true,
	Changes: []action.What{action.TopicStandings}, Details: action.Keep[revision]})

func (c CorrectResult) Do(tx *action.Tx) (CorrectionEffect, error) {
	return correcting{Game: c.Game, Rev: c.Rev, Keep: true, Correction: c.Correction}.do(tx, false)
}

// OrderReplay annuls a game as revision Rev of its result, and adds and starts a replacement game at the table. The
// round must still be running, because later rounds were drawn by its results.
type OrderReplay struct {
	Game int64  `json:"game"`
	Rev  int    `json:"rev"`
	Why  string `json:"why"`
}

var _ = action.NewKind[OrderReplay](action.Kind{Name: "result.replay", Right: rights.MayCorrectResult, Own: true,
	Changes: []action.What{action.TopicStandings, action.TopicSeats}, Details: action.Keep[revision]})

func (o OrderReplay) Do(tx *action.Tx) (CorrectionEffect, error) {
	return correcting{Game: o.Game, Rev: o.Rev, Replay: true,
		Correction: Correction{Ending: game.EndingAnnulled, Why: o.Why}}.do(tx, false)
}

// correcting is a new result for revision Rev of a game's result. Replay annuls the game and adds another one. Keep
// retains the stored rack if a line names no tiles, because an official may correct the points of a sealed rack.
type correcting struct {
	Game   int64 `json:"game"`
	Rev    int   `json:"rev"`
	Replay bool  `json:"replay,omitempty"`
	Keep   bool  `json:"keep,omitempty"`
	Correction
}

// do enters the correction and compares the standings before and after. A correction that needs a second official and
// is not confirmed yet is only proposed; a preview shows its effect.
func (c correcting) do(tx *action.Tx, seconded bool) (e CorrectionEffect, err error) {
	r, err := openResult(tx, c.Game, c.Rev, rights.MayCorrectResult)
	if err != nil {
		return e, err
	}
	if err := r.changeable(tx, c.Rev, true); err != nil {
		return e, err
	}
	before, err := ranking.LoadBoard(tx.DB, r.game.TournamentID)
	if err != nil {
		return e, err
	}
	if c.Replay {
		c = c.annulling(r.latest)
	}
	var round tournament.Round
	if err := tx.Where("id = (SELECT round_id FROM tables WHERE id = ?)",
		r.game.TableID).Take(&round).Error; err != nil {
		return e, err
	}
	rules, err := before.Tournament.RulesIn(round.Stage, round.Number)
	if err != nil {
		return e, err
	}
	result, err := c.next(r.latest, rules)
	if err != nil {
		return e, err
	}
	for i, was := range r.latest.Lines {
		if c.Keep && result.Lines[i].Tiles == "" {
			result.Lines[i].Tiles = was.Tiles
		}
	}
	if e.Second = !seconded && r.latest.Confirmed() && r.heavier(result, before.Tournament.SecondOver); e.Second &&
		!tx.Preview {
		e.Before, e.After = r.latest, result
		return e, c.propose(tx, r, result)
	}
	if seconded {
		r.kind = correctedKind
	}
	if err := c.playAgain(tx, r); err != nil {
		return e, err
	}
	if result, err = r.revise(tx, result); err == nil {
		err = ranking.FinishRound(tx, r.game.Game)
	}
	if err != nil {
		return e, err
	}
	after, err := ranking.LoadBoard(tx.DB, round.TournamentID)
	if err != nil {
		return e, err
	}
	waits := e.Second
	if e, err = correctionEffect(tx.DB, round, before, after); err != nil {
		return e, err
	}
	e.Before, e.After, e.Unbalanced, e.Second = r.latest, result, unbalancedIn(result, rules), waits
	return e, nil
}

// next returns the correction as the revision after latest.
func (c Correction) next(latest game.Result, rules ruleset.Ruleset) (game.Result, error) {
	checked, err := c.check(latest, rules)
	return game.Result{Ending: checked.Ending, Lines: checked.Lines, Why: checked.Why, Sealed: latest.Sealed}, err
}

// annulling sets the result of a replayed game: no points or wins for any seat.
func (c correcting) annulling(latest game.Result) correcting {
	c.Lines = slices.Clone(latest.Lines)
	for i := range c.Lines {
		c.Lines[i].Points, c.Lines[i].Wins = 0, 0
	}
	return c
}

// playAgain adds the replacement of an annulled game, and starts the games that waited for the result.
func (c correcting) playAgain(tx *action.Tx, r revising) error {
	if !c.Replay {
		tx.Then(func(ctx context.Context, g *game.Games) error { return g.StartWaiting(ctx, 0) })
		return nil
	}
	tx.Then(func(ctx context.Context, g *game.Games) error { return g.StartWaiting(ctx, r.game.TableID) })
	if r.latest.Ending == game.EndingAnnulled {
		return refuse.Conflict("err_game_annulled", "game", r.game.ID)
	}
	var last struct {
		Status string
		Number int
	}
	err := tx.Raw(`SELECT r.status, (SELECT max(number) FROM games WHERE table_id = t.id) AS number
		FROM tables t JOIN rounds r ON r.id = t.round_id WHERE t.id = ?`, r.game.TableID).Scan(&last).Error
	if err != nil {
		return err
	}
	if last.Status != tournament.RoundRunning {
		return refuse.Conflict("err_replay_round_over")
	}
	again := tournament.Game{TournamentID: r.game.TournamentID, TableID: r.game.TableID, Number: last.Number + 1,
		Status: game.Waiting}
	return tx.Create(&again).Error
}

// correctionEffect compares the standings before and after the correction of a game in a round.
func correctionEffect(db *gorm.DB, round tournament.Round, before, after *ranking.Board) (e CorrectionEffect,
	err error) {
	e.Moves = standingMoves(before, after)
	for stage := range after.Format.Stages {
		if stage == 0 || stage > len(after.Input.Stages) {
			continue
		}
		move, err := cutMove(db, stage, round, before, after)
		if err != nil {
			return e, err
		}
		e.Cuts = append(e.Cuts, move...)
	}
	if after.Format.Qualification != (format.Qualification{}) {
		waivers, err := ranking.WaiversOf(db, after.Tournament.ID)
		if err != nil {
			return e, err
		}
		e.Cuts = append(e.Cuts, after.Moved(ranking.CutMove{Stage: Qualifying}, before.Qualifying(waivers),
			after.Qualifying(waivers))...)
	}
	e.Rounds, err = seatedSince(db, round, before, after)
	return e, err
}

// cutMove returns how a correction changes which players reach a stage. It returns nil if the corrected round belongs
// to that stage or to a later one.
func cutMove(db *gorm.DB, stage int, corrected tournament.Round, before, after *ranking.Board) ([]ranking.CutMove,
	error) {
	move := ranking.CutMove{Stage: stage, Name: after.Format.Stages[stage].Name}
	if stage < len(after.Input.Stages) {
		begun := after.Input.Stages[stage]
		if begun.FirstRound <= corrected.Number {
			return nil, nil
		}
		move.Drawn = true
		var err error
		if before, err = before.AsDrawn(db, begun); err != nil {
			return nil, err
		}
		if after, err = after.AsDrawn(db, begun); err != nil {
			return nil, err
		}
	}
	was, err := before.Cut(db, stage)
	if err != nil {
		return nil, err
	}
	is, err := after.Cut(db, stage)
	return after.Moved(move, was.Steps(), is.Steps()), err
}

// asksForPlaces lists the methods that seat by the standings.
var asksForPlaces = []string{pairing.Standings, pairing.Snake, pairing.Interval, pairing.Winners}

// seatedSince returns the rounds drawn after a round, including the draft, and how the order they were drawn by would
// change.
func seatedSince(db *gorm.DB, corrected tournament.Round, before, after *ranking.Board) ([]SeatedRound, error) {
	var rounds []tournament.Round
	if err := db.Where("tournament_id = ? AND number > ?", corrected.TournamentID,
		corrected.Number).Order("number").Find(&rounds).Error; err != nil {
		return nil, err
	}
	var since []SeatedRound
	for _, r := range rounds {
		one := SeatedRound{Round: r, ByPlaces: slices.Contains(asksForPlaces, r.Method)}
		if one.ByPlaces {
			tables, err := tournament.TablesOf(db, r.ID)
			if err != nil {
				return nil, err
			}
			seated := slices.Concat(tables...)
			was, is := before.Until(r.Number).Places(seated), after.Until(r.Number).Places(seated)
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

// Correction is a result as ruled by an official. Lines holds every seat once; Why is for the record.
type Correction struct {
	Ending string            `json:"ending"`
	Lines  []game.ResultLine `json:"lines"`
	Why    string            `json:"why"`
}

// PointsMost bounds the setting for corrections that need a second official, so that a typing mistake is caught.
const PointsMost = 100_000

// check validates a correction against the result it corrects. The seats must be the same, the wins must add up to one,
// and an annulled game has neither wins nor points. Points and racks must be possible under the rules and with the
// tiles.
func (c Correction) check(before game.Result, rules ruleset.Ruleset) (Correction, error) {
	c.Why = spelling.Clean(c.Why)
	if err := checkWhy(c.Why); err != nil {
		return c, err
	}
	if c.Ending == "" {
		c.Ending = before.Ending
	}
	if c.Ending != before.Ending && c.Ending != game.EndingAnnulled && !slices.Contains(ruleset.Endings(), c.Ending) {
		return c, refuse.Invalid("err_result_ending", "ending", c.Ending)
	}
	if len(c.Lines) != len(before.Lines) {
		return c, refuse.Invalid("err_result_seats", "have", len(c.Lines), "want", len(before.Lines))
	}
	c.Lines = slices.Clone(c.Lines)
	var wins score.Twelfth
	for i := range c.Lines {
		l, was := &c.Lines[i], before.Lines[i]
		if l.Seat != was.Seat || l.PlayerID != 0 && l.PlayerID != was.PlayerID {
			return c, refuse.Invalid("err_result_seats", "have", len(c.Lines), "want", len(before.Lines))
		}
		l.PlayerID = was.PlayerID
		if err := c.checkLine(*l, rules); err != nil {
			return c, err
		}
		wins += l.Wins
	}
	switch {
	case c.Ending == game.EndingAnnulled:
		return c, nil
	case wins != score.Whole(1):
		return c, refuse.Invalid("err_result_wins", "wins", wins)
	}
	return c, checkTiles(c.Lines)
}

// checkLine rejects points that no game can give, and a charge that no rack can cost.
func (c Correction) checkLine(l game.ResultLine, rules ruleset.Ruleset) error {
	charge := engine.MostCharge(rules)
	points := (ruleset.MaxSeats-1)*charge + rules.WinBonus
	switch {
	case l.Points > score.Whole(points), l.Points < -score.Whole(points):
		return refuse.Invalid("err_result_points", "seat", l.Seat+1, "most", points)
	case l.Charge < 0, l.Charge > charge:
		return refuse.Invalid("err_result_charge", "seat", l.Seat+1, "charge", l.Charge, "most", charge)
	case l.Wins < 0, c.Ending == game.EndingAnnulled && (l.Wins != 0 || l.Points != 0):
		return refuse.Invalid("err_result_annulled", "seat", l.Seat+1)
	}
	return nil
}

// checkTiles rejects text that names no tiles, and racks that together hold a face more often than the set has it.
func checkTiles(lines []game.ResultLine) error {
	var held tile.Counts
	for _, l := range lines {
		faces, err := tile.ParseFaces(l.Tiles)
		if err != nil {
			return refuse.Invalid("err_result_tiles", "seat", l.Seat+1, "tiles", l.Tiles)
		}
		for _, f := range faces {
			if held[f]++; held[f] > 2 {
				return refuse.Invalid("err_result_face", "seat", l.Seat+1, "face", f.String())
			}
		}
	}
	return nil
}
