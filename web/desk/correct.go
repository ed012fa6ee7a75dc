package desk

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/templates/desk"
	"meldhall/templates/locale"
	"meldhall/templates/part"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/format"
	"meldhall/tournament/ranking"
	"meldhall/tournament/refuse"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/web/page"
	"meldhall/web/view"
)

// correctPage previews what a correction would change: the standings, a cut, and rounds drawn since. The query is that
// of the form, ?rev=N&points-0=…; an impossible correction re-renders the form with its numbers.
func (s *Pages) correctPage(c *gin.Context) error {
	tournamentID, game := page.ID(c, "event"), page.ID(c, "game")
	ctx := s.Page.Request.Language(c)
	if err := rights.Authorize(s.Page.Request.Staff(c), rights.Place{Tournament: tournamentID},
		rights.MayCorrectResult); err != nil {
		return err
	}
	if second, err := strconv.ParseInt(c.Query("second"), 10, 64); err == nil {
		return s.secondedPage(c, tournamentID, game, second)
	}
	asked, err := s.asksFor(c, game, c.Query)
	var effect result.CorrectionEffect
	if err == nil {
		effect, err = action.Preview(ctx, s.Page.Request.Desk, s.Page.Request.Staff(c), asked)
	}
	if err != nil {
		return s.Page.Again(c, err, s.correctionAgain(c, c.Query, typedQuery(c)))
	}
	view := desk.CorrectionView{Post: templates.ResultPath(tournamentID, game), Go: locale.T(ctx, "correct.do"),
		Back: templates.ResultPath(tournamentID, game)}
	switch c.Query("by") {
	case racksForm:
		view.Back, view.From = templates.RecountPath(tournamentID, game), locale.T(ctx, "correct.from_racks")
	case summedForm:
		view.Back, view.From = templates.RecountPath(tournamentID, game), locale.T(ctx, "correct.from_sums")
	default:
		view.From = locale.T(ctx, "correct.from_decision")
	}
	if view.Back += templ.SafeURL("?" + c.Request.URL.Query().Encode()); effect.Second {
		view.Go = locale.T(ctx, "correct.propose")
	}
	return s.showCorrection(c, tournamentID, game, view, effect)
}

// countOf returns the address of the count page of the requested game.
func countOf(c *gin.Context) templ.SafeURL {
	return templates.CountPath(page.ID(c, "event"), page.ID(c, "game"))
}

// showReplay previews what replaying a game would change.
func (s *Pages) showReplay(c *gin.Context, _ result.OrderReplay, effect result.CorrectionEffect) error {
	tournamentID, game := page.ID(c, "event"), page.ID(c, "game")
	ctx := s.Page.Request.Language(c)
	view := desk.CorrectionView{Post: templates.ActionPath("result.replay"),
		Back: templates.CountPath(tournamentID, game),
		Go:   locale.T(ctx, "count.replay_go"), Note: locale.T(ctx, "count.replay_effect"),
		Fields: part.Sends(templates.HallPath(tournamentID), "game", game, "from",
			templates.CountPath(tournamentID, game))}
	if effect.Second {
		view.Go = locale.T(ctx, "correct.propose")
	}
	return s.showCorrection(c, tournamentID, game, view, effect)
}

func (s *Pages) showCorrection(c *gin.Context, tournamentID, game int64, v desk.CorrectionView,
	e result.CorrectionEffect) error {
	ctx := s.Page.Request.Language(c)
	at, snap, err := s.View.WatchedGame(ctx, game, engine.Spectator)
	if err != nil {
		return err
	}
	if snap.Ref.TournamentID != tournamentID {
		return refuse.NotFound("err_game_not_found", "id", game)
	}
	t, f, err := s.View.Tournaments.WithFormat(ctx, tournamentID)
	if err != nil {
		return err
	}
	names := view.NamesOf(at.Seats)
	before, after := view.NewResult(e.Before, names, at.Charged), view.NewResult(e.After, names, at.Charged)
	v.Charged = at.Charged
	for i := range after.Lines {
		v.Lines = append(v.Lines, desk.CorrectedLine{Before: before.Lines[i], After: after.Lines[i]})
	}
	charged := view.ChargedStages(t, len(f.Stages))
	for _, m := range e.Moves {
		v.Moves = append(v.Moves, desk.StandingMove{Name: m.After.Name, Before: standingOf(m.Before, charged),
			After: standingOf(m.After, charged)})
	}
	for _, m := range e.Cuts {
		v.Cuts = append(v.Cuts, desk.CutMove{Title: cutTitle(ctx, f.Stages, m), Drawn: m.Drawn,
			In: playerNames(m.In), Out: playerNames(m.Out), Tied: playerNames(m.Tied)})
	}
	for _, r := range e.Rounds {
		v.Rounds = append(v.Rounds, desk.SeatedRound{Number: r.Number, Status: r.Status,
			Text: seatedText(ctx, r, e.Cuts), Draft: r.Status == tournament.RoundDraft})
	}
	typed := typedQuery(c)
	for _, name := range slices.Sorted(maps.Keys(typed)) {
		if name == "second" {
			continue
		}
		v.Fields = append(v.Fields, part.FormField{Name: name, Value: typed[name]})
	}
	if off := e.Unbalanced; off != nil {
		v.Warning = locale.T(ctx, "correct.unbalanced", "sum", locale.SignedPoints(ctx, off.Sum), "want",
			locale.SignedPoints(ctx, off.Want))
	}
	if e.Second {
		way, err := s.View.SecondWay(ctx, s.Page.Request.Staff(c), tournamentID)
		if err != nil {
			return err
		}
		v.Note = locale.T(ctx, "correct.waits", "n", t.SecondOver) + " " + way
	}
	v.Why = e.After.Why
	v.Page = s.Page.NewPage(c, locale.T(ctx, "correct.title"), &t)
	return s.Page.Show(c, http.StatusOK, desk.CorrectionPage(v))
}

func standingOf(r ranking.StandingsRow, charged []bool) desk.Standing {
	return desk.Standing{Place: strconv.Itoa(r.Place), Wins: r.Wins, Points: r.Total, Charged: charged[r.Stage]}
}

func playerNames(players []tournament.Player) []string {
	names := make([]string, len(players))
	for i, p := range players {
		names[i] = p.Name
	}
	return names
}

// cutTitle returns the title of a cut.
func cutTitle(ctx context.Context, stages []format.Stage, m ranking.CutMove) string {
	switch {
	case m.Stage == result.Qualifying:
		return locale.T(ctx, "qualify.title")
	case m.Drawn:
		return locale.T(ctx, "correct.cut_drawn", "stage", view.StageName(ctx, stages, m.Stage))
	}
	return locale.T(ctx, "correct.cut", "stage", view.StageName(ctx, stages, m.Stage))
}

// seatedText describes whether a round would have been drawn differently.
func seatedText(ctx context.Context, r result.SeatedRound, cuts []ranking.CutMove) string {
	switch {
	case slices.ContainsFunc(cuts, func(m ranking.CutMove) bool { return m.Stage == r.Stage }):
		return locale.T(ctx, "correct.others")
	case !r.ByPlaces:
		return locale.T(ctx, "correct.no_order")
	case r.Moved == 0:
		return locale.T(ctx, "correct.same")
	}
	return locale.T(ctx, "correct.order", "n", r.Moved)
}

// typedQuery returns the values of the query by name, to fill a form with them.
func typedQuery(c *gin.Context) map[string]string { return firsts(c.Request.URL.Query()) }

func firsts(values url.Values) map[string]string {
	fields := make(map[string]string, len(values))
	for name := range values {
		fields[name] = values.Get(name)
	}
	return fields
}

// typedFields returns the values of the submitted form by name, to fill the form with them again.
func typedFields(c *gin.Context) map[string]string { return firsts(c.Request.PostForm) }
