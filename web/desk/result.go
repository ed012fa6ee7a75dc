package desk

import (
	"cmp"
	"context"
	"math"
	"net/http"
	"slices"
	"strconv"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/engine/score"
	"meldhall/templates"
	"meldhall/templates/desk"
	"meldhall/templates/locale"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/game"
	"meldhall/tournament/people"
	"meldhall/tournament/refuse"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
	"meldhall/web/page"
	"meldhall/web/request"
	"meldhall/web/view"
)

// resultsPage lists a tournament's results: unconfirmed ones first, then the newest.
func (s *Pages) resultsPage(c *gin.Context) error {
	tournamentID := page.ID(c, "event")
	ctx := s.Page.Request.Language(c)
	if err := rights.Authorize(s.Page.Request.Staff(c), rights.Place{Tournament: tournamentID},
		rights.MayCorrectResult); err != nil {
		return err
	}
	rows, err := s.views.resultRows(ctx, tournamentID)
	if err != nil {
		return err
	}
	missed, err := s.views.missedResults(ctx, tournamentID)
	if err != nil {
		return err
	}
	t, err := tournament.TournamentByID(ctx, s.View.Store, tournamentID)
	if err != nil {
		return err
	}
	view := desk.ResultsView{Event: tournamentID, Games: rows, Missed: missed, SecondOver: t.SecondOver,
		MaySet: rights.Authorize(s.Page.Request.Staff(c), rights.Place{Tournament: tournamentID},
			rights.MayEditFormats) == nil,
		MayFix: rights.Authorize(s.Page.Request.Staff(c), rights.Place{Tournament: tournamentID},
			rights.MayEditRoster) == nil}
	return page.ShowEvent(s.Page, c, http.StatusOK, locale.T(ctx, "nav.results"), &view, &view.Page,
		desk.ResultsPage)
}

// missedResults returns the rounds that players missed, the newest first.
func (s *views) missedResults(ctx context.Context, tournamentID int64) ([]desk.MissedResult, error) {
	missed, err := people.Missed(ctx, s.View.Store, tournamentID)
	if err != nil || len(missed) == 0 {
		return nil, err
	}
	players, err := tournament.Players(ctx, s.View.Store, tournamentID)
	names := make(map[int64]string, len(players))
	for _, p := range players {
		names[p.ID] = p.Name
	}
	slices.SortStableFunc(missed, func(a, b tournament.MissedRound) int { return b.Round - a.Round })
	var rows []desk.MissedResult
	for _, m := range missed {
		if name := names[m.PlayerID]; name != "" {
			rows = append(rows, desk.MissedResult{Player: m.PlayerID, Round: m.Round, Name: name,
				Text: missedText(ctx, m)})
		}
	}
	return rows, err
}

func (s *views) resultRows(ctx context.Context, id int64) ([]desk.ResultRow, error) {
	rounds, err := draw.Rounds(ctx, s.View.Store, id)
	if err != nil {
		return nil, err
	}
	event, f, err := s.View.Tournaments.WithFormat(ctx, id)
	if err != nil {
		return nil, err
	}
	charged := view.ChargedStages(event, len(f.Stages))
	var rows []desk.ResultRow
	for _, r := range slices.Backward(rounds) {
		tables, err := tournament.Tables(ctx, s.View.Store, r.ID)
		if err != nil {
			return nil, err
		}
		results, err := result.RoundResults(ctx, s.View.Store, r.ID)
		if err != nil {
			return nil, err
		}
		for _, t := range tables {
			for _, g := range slices.Backward(t.Games) {
				if result, ok := results[g.ID]; ok {
					rows = append(rows, desk.ResultRow{GameID: g.ID, Round: r.Number, Table: t.Number,
						Game: g.Number, Result: view.NewResult(result, view.SeatNames(t), charged[r.Stage])})
				}
			}
		}
	}
	slices.SortStableFunc(rows, func(a, b desk.ResultRow) int {
		return cmp.Compare(a.Result.Status, b.Result.Status) * -1 // provisional before confirmed
	})
	return rows, nil
}

// resultPage shows a result with its revisions. A query with numbers (?rev=…) restores a previewed correction.
func (s *Pages) resultPage(c *gin.Context) error {
	view := desk.ResultView{}
	if c.Query("rev") != "" {
		view.Typed = firsts(c.Request.URL.Query())
	}
	return s.showResult(c, http.StatusOK, view)
}

// showResult renders a result with its revisions and the values of a rejected form.
func (s *Pages) showResult(c *gin.Context, status int, v desk.ResultView) error {
	tournamentID, game := page.ID(c, "event"), page.ID(c, "game")
	ctx := s.Page.Request.Language(c)
	if err := rights.Authorize(s.Page.Request.Staff(c), rights.Place{Tournament: tournamentID},
		rights.MayCorrectResult); err != nil {
		return err
	}
	at, snap, err := s.View.WatchedGame(ctx, game, engine.Spectator)
	if err != nil {
		return err
	}
	if snap.Ref.TournamentID != tournamentID {
		return refuse.NotFound("err_game_not_found", "id", game)
	}
	if err := s.View.OpenRacks(ctx, s.Page.Request.Staff(c), snap, &at); err != nil {
		return err
	}
	v.Openings, v.Replay = at.Openings, at.Replay
	results, err := result.Results(ctx, s.View.Store, game)
	if err != nil {
		return err
	}
	v.Event, v.GameID, v.Round, v.Table, v.Game = tournamentID, game, at.Place.Round, at.Place.Table, at.Place.Number
	for _, r := range slices.Backward(results) {
		v.Revisions = append(v.Revisions, desk.Revision{Result: view.NewResult(r, view.NamesOf(at.Seats),
			at.Charged),
			At: r.At, Who: view.ActorWords(ctx, r.Actor), Why: r.Why})
	}
	v.HeadsOnly = len(results) > 0 && results[len(results)-1].Confirmed() &&
		rights.Authorize(s.Page.Request.Staff(c), rights.Place{Tournament: tournamentID},
			rights.MayRuleHeavily) != nil
	if v.Waits, err = s.views.waitingCorrection(ctx, s.Page.Request.Staff(c), tournamentID, game); err != nil {
		return err
	}
	title := locale.T(ctx, "results.game", "round", v.Round, "table", v.Table, "game", v.Game)
	missed, err := s.views.missedResults(ctx, tournamentID)
	if err != nil {
		return err
	}
	for _, m := range missed {
		if m.Round == v.Round {
			v.Missed++
		}
	}
	return page.ShowEvent(s.Page, c, status, title, &v, &v.Page, desk.ResultPage)
}

// resultPost enters a correction as a new revision, confirmed by the official who makes it.
func (s *Pages) resultPost(c *gin.Context) error {
	tournamentID, game := page.ID(c, "event"), page.ID(c, "game")
	ctx := c.Request.Context()
	if err := rights.Authorize(s.Page.Request.Staff(c), rights.Place{Tournament: tournamentID},
		rights.MayCorrectResult); err != nil {
		return err
	}
	asked, err := s.asksFor(c, game, c.PostForm)
	var done result.CorrectionEffect
	if err == nil {
		done, err = action.Do(ctx, s.Page.Request.Desk, s.Page.Request.Staff(c), asked)
	}
	if err != nil {
		return s.Page.Again(c, err, s.correctionAgain(c, c.PostForm, typedFields(c)))
	}
	if done.Second {
		return s.Page.SeeOther(c, templates.ResultPath(tournamentID, game), "result.proposed")
	}
	if n := len(done.Rounds); n > 0 {
		return s.Page.SeeOther(c, templates.ResultPath(tournamentID, game), "result.corrected_seated", "n", n)
	}
	return s.Page.SeeOther(c, templates.ResultPath(tournamentID, game), "result.corrected")
}

// typedCorrection reads a correction from a form or query, and the revision that it replaces.
func (s *Pages) typedCorrection(ctx context.Context, gameID int64, get func(string) string) (rev int,
	correction result.Correction, err error) {
	if rev, err = page.Number(get, "rev"); err != nil {
		return 0, correction, err
	}
	latest, err := result.LatestResult(ctx, s.View.Store, gameID)
	if err != nil {
		return 0, correction, err
	}
	correction.Why = get("why")
	if get("annul") != "" {
		correction.Ending = game.EndingAnnulled
	}
	for _, was := range latest.Lines {
		line, err := correctedLine(get, was, correction.Ending == game.EndingAnnulled)
		if err != nil {
			return 0, correction, err
		}
		correction.Lines = append(correction.Lines, line)
	}
	return rev, correction, nil
}

// correctedLine reads a seat's numbers; in an annulled game they are all 0.
func correctedLine(get func(string) string, was game.ResultLine, annulled bool) (game.ResultLine, error) {
	line := game.ResultLine{Seat: was.Seat, Reason: was.Reason, Tiles: was.Tiles, Opened: was.Opened}
	if annulled {
		return line, nil
	}
	seat := "-" + strconv.Itoa(was.Seat)
	var err error
	if line.Charge, err = page.Number(get, "charge"+seat); err != nil {
		return line, err
	}
	if line.Wins, err = formTwelfths(get, "wins"+seat); err != nil {
		return line, err
	}
	line.Points, err = formTwelfths(get, "points"+seat)
	return line, err
}

// formTwelfths parses a number as twelfths; a third may be typed as 0.3333.
func formTwelfths(get func(string) string, name string) (score.Twelfth, error) {
	text, isNumber := spelling.Number(get(name))
	n, err := strconv.ParseFloat(text, 64)
	twelfths := math.Round(n * 12)
	if !isNumber || err != nil || math.Abs(n) > 1e9 || math.Abs(n*12-twelfths) > 0.1 {
		return 0, request.Refused(http.StatusUnprocessableEntity, "err_number_part", "field", name, "value", get(name))
	}
	return score.Twelfth(twelfths), nil
}
