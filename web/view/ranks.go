package view

import (
	"context"
	"slices"
	"strconv"

	"meldhall/engine/ruleset"
	"meldhall/templates/locale"
	"meldhall/templates/play"
	"meldhall/tournament"
	"meldhall/tournament/format"
	"meldhall/tournament/ranking"
)

// RankRows returns the lines of the standings. It marks the cut to the next stage, or the one made before the current
// stage.
func RankRows(ctx context.Context, standings ranking.Standings, through []int64) []play.RankRow {
	rows := make([]play.RankRow, len(standings.Rows))
	lines, charged := cutLines(standings), ChargedStages(standings.Tournament, len(standings.Stages))
	counts := map[int]string{} // texts, by stage
	for i, r := range standings.Rows {
		rows[i] = play.RankRow{Player: r.Player, TablePoints: r.TablePoints, Carried: r.Carried,
			Rank: RankText(standings.Rows, i), Name: r.Name, Country: r.Country, Wins: r.Wins, Points: r.Points,
			Penalties: r.Penalties, Total: r.Total, Charged: charged[r.Stage], Disqualified: r.Disqualified,
			Games: r.Games, LastWins: r.LastWins, LastPoints: r.LastPoints, HasLast: r.LastPlayed, Move: r.Move,
			HasMove:     r.HasMove,
			Provisional: r.Provisional, Withdrawn: r.Withdrawn, Through: slices.Contains(through, r.Player),
			Tied: tiedAtCut(standings, r.Player)}
		if standings.Stage > 0 {
			if _, said := counts[r.Stage]; !said {
				counts[r.Stage] = StageCounts(ctx, standings.Stages, r.Stage)
			}
			rows[i].Counts = counts[r.Stage]
		}
		rows[i].Cut = slices.Contains(lines, i) || i > 0 && standings.Rows[i-1].Stage > r.Stage && !r.Disqualified
	}
	return rows
}

// ChargedBy reports whether points under these rules are penalties, so that players never gain any.
func ChargedBy(rules ruleset.Ruleset) bool { return rules.Points == ruleset.Penalty }

// ChargedStages reports for each stage of a tournament what ChargedBy reports for its rules.
func ChargedStages(t tournament.Tournament, stages int) []bool {
	charged := make([]bool, max(stages, 1))
	for i := range charged {
		rules, err := t.RulesAt(i)
		charged[i] = err == nil && ChargedBy(rules)
	}
	return charged
}

// cutLines returns the indices of the rows below the lines of the cut to the next stage. The line lies below the
// players who advance. If players tie across the cut, one line lies above them and one below. A cut at each table has
// no line.
func cutLines(standings ranking.Standings) (lines []int) {
	cut := standings.Cut
	if cut == nil || standings.Stages[cut.Stage].PerTable > 0 {
		return nil
	}
	tied := -1
	for i, r := range standings.Rows {
		switch {
		case r.Stage < standings.Stage:
			return nil
		case r.Withdrawn, r.Disqualified, slices.Contains(cut.In, r.Player):
		case slices.Contains(cut.Tied, r.Player):
			if tied < 0 {
				tied = i
			}
		case tied >= 0:
			return []int{tied, i}
		default:
			return []int{i}
		}
	}
	if tied > 0 {
		return []int{tied}
	}
	return nil
}

// tiedAtCut reports whether a player ties with others across the cut to the next stage.
func tiedAtCut(standings ranking.Standings, player int64) bool {
	return standings.Cut != nil && slices.ContainsFunc(standings.Cut.Ties,
		func(tie []int64) bool { return slices.Contains(tie, player) })
}

// CutTieWords describes a tie across the cut to the next stage and its tie-breaks. It is empty without a tie.
func CutTieWords(ctx context.Context, standings ranking.Standings) string {
	cut := standings.Cut
	if cut == nil || len(cut.Ties) == 0 {
		return ""
	}
	words := locale.T(ctx, "cut_tie.text", "stage", StageName(ctx, standings.Stages, cut.Stage), "players",
		len(cut.Tied), "places", cut.Places)
	decides := "cut_tie.lot"
	if slices.Contains(cut.Decides, format.TiePlayOff) {
		decides = "cut_tie.play_off"
	}
	words += " " + locale.T(ctx, decides)
	if !standings.CutFinal {
		words += " " + locale.T(ctx, "cut_tie.still")
	}
	return words
}

// RankText returns a place, with = for a shared one.
func RankText(rows []ranking.StandingsRow, i int) string {
	text := strconv.Itoa(rows[i].Place)
	if i > 0 && rows[i-1].Place == rows[i].Place || i+1 < len(rows) && rows[i+1].Place == rows[i].Place {
		return "=" + text
	}
	return text
}

// Played reports whether any result counts.
func Played(standings ranking.Standings) bool {
	for _, r := range standings.Rows {
		if r.Games > 0 {
			return true
		}
	}
	return false
}

// NowWords describes the current stage and round of a tournament, or that ties of the stage are being played off.
func NowWords(ctx context.Context, stages []format.Stage, round tournament.Round) string {
	stage := StageOf(ctx, stages, round)
	if round.PlayOff > 0 {
		return stage
	}
	return locale.T(ctx, "event.now", "stage", stage, "round", round.Number)
}

// OrderText describes the ranking criteria in one line: wins, then points.
func OrderText(ctx context.Context, order []string) string {
	if len(order) == 0 {
		return ""
	}
	list := locale.T(ctx, "tie."+order[0])
	for _, tie := range order[1:] {
		list = locale.T(ctx, "order.then", "list", list, "next", locale.T(ctx, "tie."+tie))
	}
	return locale.T(ctx, "order.by", "list", list)
}

// StageOf returns the name of a round's stage. For a play-off, it returns a text saying that ties of that stage are
// played off.
func StageOf(ctx context.Context, stages []format.Stage, round tournament.Round) string {
	stage := StageName(ctx, stages, round.Stage)
	if round.PlayOff > 0 {
		return locale.T(ctx, "event.now_play_off", "stage", stage)
	}
	return stage
}
