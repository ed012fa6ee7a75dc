package desk

import (
	"context"
	"fmt"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/templates/desk"
	"meldhall/templates/locale"
	"meldhall/templates/play"
	"meldhall/tournament"
	"meldhall/tournament/draw"
	"meldhall/tournament/pairing"
	"meldhall/web/page"
	"meldhall/web/view"
)

// searching describes the progress of a search for seats, or returns "" if none is running.
func (s *views) searching(ctx context.Context, tournamentID int64) string {
	percent, ok := s.View.Searches.Of(tournamentID)
	if !ok {
		return ""
	}
	return locale.T(ctx, "draw.searching", "n", percent)
}

// addDraw adds the report of the draw to the round's page, and the actions that a draft allows.
func (s *views) addDraw(ctx context.Context, v *desk.RoundView, r tournament.Round, tables []tournament.Table,
	chosen int64) error {
	report, why, err := s.View.DrawReport(ctx, r, tables)
	if err != nil {
		return err
	}
	v.Draw = report
	for i := range v.Tables {
		v.Tables[i].Why = why[i]
	}
	d := &v.Draw
	if err := s.drawnAgainBy(ctx, d, r); err != nil {
		return err
	}
	if name, ok := view.DrawNames(tables)[chosen]; ok && (r.Status == tournament.RoundDraft ||
		r.Status == tournament.RoundPublished) {
		d.Chosen, d.ChosenAs = chosen, name
		if err := s.addFreeChairs(ctx, d, r, tables); err != nil {
			return err
		}
	}
	d.Searching = s.searching(ctx, r.TournamentID)
	return nil
}

// drawnAgainBy adds the methods by which a draft may be seated again.
func (s *views) drawnAgainBy(ctx context.Context, d *desk.DrawView, r tournament.Round) (err error) {
	if r.Method == pairing.Script && r.Status == tournament.RoundDraft {
		d.File, d.FileAfter, d.Methods = true, r.Ahead(), []string{pairing.Script}
		d.FileLost, err = draw.FileLost(ctx, s.View.Store, r)
	}
	if d.Methods = append(d.Methods, draw.AskedMethods()...); r.PlayOff > 0 { // tied players play each other
		d.Methods = nil
	}
	return err
}

// scriptPost imports seats from a file, for the draft in the address or for a round that is not drafted yet.
func (s *Pages) scriptPost(c *gin.Context) error {
	tournamentID, from := page.ID(c, "event"), templates.DeskPath(page.ID(c, "event"))
	if c.Param("round") != "" {
		from = templates.RoundPath(tournamentID, page.ID(c, "round"))
	}
	text, err := rosterText(c, listKinds...)
	if err != nil {
		return s.Page.Again(c, err, s.Page.At(from))
	}
	return s.drawPost(c, draw.PairRound{Tournament: tournamentID, File: &text, Ignore: c.PostForm("ignore") != "",
		PairingOptions: draw.PairingOptions{Note: c.PostForm("note")}}, from)
}

// seatingView returns the settings for the next draw.
func (s *views) seatingView(ctx context.Context, e eventState) (desk.SeatingView, error) {
	v := desk.SeatingView{Event: e.ID}
	if next := e.nextStep(ctx); next.Post && next.URL == string(templates.RoundsPath(e.ID)) {
		v.Draw, v.Methods = next.Text, draw.AskedMethods()
		if e.cut != nil && len(e.cut.PlayOff) > 0 { // tied players play each other
			v.Methods = nil
		}
		if n := len(e.rounds); n > 0 && e.rounds[n-1].Method == pairing.Script {
			v.FileAfter = e.rounds[n-1].Ahead() - 1
		}
	}
	if e.Status == tournament.StatusFinished {
		return v, nil
	}
	promise, err := draw.PromiseOf(ctx, s.View.Store, e.ID, len(e.rounds)+1)
	if err != nil {
		return v, err
	}
	if promise == nil {
		if v.Promises, err = draw.PromiseMethods(ctx, s.View.Store, e.ID); err != nil {
			return v, err
		}
	} else {
		v.Promise = view.Promised(ctx, *promise)
		if promise.Method != "" {
			v.Promised = locale.T(ctx, "method."+promise.Method)
		}
	}
	names := map[int64]string{}
	for _, p := range e.players {
		names[p.ID] = p.Name
		v.Players = append(v.Players, play.Choice{Value: fmt.Sprint(p.ID), Name: p.Name})
	}
	pairs, err := draw.KeptApart(ctx, s.View.Store, e.ID)
	for _, pair := range pairs {
		if names[pair[0]] != "" && names[pair[1]] != "" {
			v.Apart = append(v.Apart, desk.ApartPair{A: pair[0], B: pair[1], NameA: names[pair[0]],
				NameB: names[pair[1]]})
		}
	}
	return v, err
}
