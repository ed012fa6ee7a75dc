package referee

import (
	"context"
	"net/http"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/engine/tile"
	"meldhall/templates/locale"
	"meldhall/templates/play"
	"meldhall/templates/referee"
	"meldhall/templates/regulations"
	"meldhall/tournament"
	"meldhall/tournament/draw"
	"meldhall/tournament/game"
	"meldhall/tournament/practice"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/web/page"
)

// trainingPage shows an official's training for a tournament, with the dispute at each of its tables. Separate actions
// open and restart the training.
func (s *Pages) trainingPage(c *gin.Context) error {
	tournamentID := page.ID(c, "event")
	ctx, actor := s.Page.Request.Language(c), s.Page.Request.Staff(c)
	if err := rights.Authorize(actor, rights.Place{Tournament: tournamentID}, rights.MayTrain); err != nil {
		return err
	}
	t, err := tournament.TournamentByID(ctx, s.View.Store, tournamentID)
	if err != nil {
		return err
	}
	view := referee.TrainingView{Of: tournamentID}
	own, beside, ok := t, t, true
	if t.Trains() {
		view.Of = t.Rehearses
		if beside, err = tournament.TournamentByID(ctx, s.View.Store, t.Rehearses); err != nil {
			return err
		}
	} else if own, ok, err = practice.TrainingOf(ctx, s.View.Store, actor, tournamentID); err != nil {
		return err
	}
	view.Name = locale.T(ctx, "training.named", "name", beside.Name)
	if ok {
		view.Training = own.ID
		if view.Disputes, err = s.views.disputes(ctx, own); err != nil {
			return err
		}
	}
	return page.ShowEvent(s.Page, c, http.StatusOK, locale.T(ctx, "training.title"), &view, &view.Page,
		referee.TrainingPage)
}

// disputes returns the disputes of a training in the order of its tables.
func (s *views) disputes(ctx context.Context, t tournament.Tournament) (all []referee.Dispute, err error) {
	rounds, err := draw.Rounds(ctx, s.View.Store, t.ID)
	if err != nil || len(rounds) == 0 {
		return nil, err
	}
	tables, err := tournament.Tables(ctx, s.View.Store, rounds[0].ID)
	if err != nil {
		return nil, err
	}
	for _, table := range tables {
		d, ok := practice.DisputeAt(t, table.Number)
		if !ok || len(table.Games) == 0 {
			continue
		}
		snap, err := s.View.Games.Look(ctx, table.Games[0].ID)
		if err != nil {
			return nil, err
		}
		shown := referee.Dispute{Name: d.Name, Event: t.ID, TableID: table.ID, Table: table.Number}
		if shown.Verdict, err = s.verdict(ctx, d, table, snap.State); err != nil {
			return nil, err
		}
		all = append(all, shown)
	}
	return all, nil
}

// verdict judges the rulings at a training table by the regulations. It uses the table's first game, which contains the
// dispute.
func (s *views) verdict(ctx context.Context, d practice.Dispute, table tournament.Table, state engine.State) (string,
	error) {
	var newest *game.Result
	if state.Phase == engine.PhaseOver {
		res, err := result.LatestResult(ctx, s.View.Store, table.Games[0].ID)
		if err != nil {
			return "", err
		}
		newest = &res
	}
	return string(d.Judge(state, newest)), nil
}

// disputeAt returns the dispute at a training table, or nil if the table has none.
func (s *views) disputeAt(ctx context.Context, tournamentID int64, table tournament.Table) (*referee.Dispute, error) {
	t, err := tournament.TournamentByID(ctx, s.View.Store, tournamentID)
	if err != nil {
		return nil, err
	}
	d, ok := practice.DisputeAt(t, table.Number)
	if !ok || len(table.Games) == 0 || len(table.Seats) == 0 {
		return nil, nil
	}
	snap, err := s.View.Games.Look(ctx, table.Games[0].ID)
	if err != nil {
		return nil, err
	}
	state := snap.State
	shown := &referee.Dispute{Name: d.Name, Event: tournamentID, TableID: table.ID, Table: table.Number}
	if shown.Verdict, err = s.verdict(ctx, d, table, state); err != nil {
		return nil, err
	}
	entered, lies := d.Racks()
	args := []any{"name", locale.Isolate(table.Seats[d.Seat].Player.Name), "other",
		locale.Isolate(table.Seats[d.Other].Player.Name), "by", practice.Colleague,
		"seconds", d.Lost(state.Rules), "entered", tilesNamed(ctx, entered), "lies", tilesNamed(ctx, lies)}
	if d.Reason != "" {
		args = append(args, "reason", locale.T(ctx, "reason."+d.Reason))
	}
	shown.Told, shown.Answer = locale.T(ctx, "training."+d.Name+".text", args...),
		locale.T(ctx, "training."+d.Name+".answer", args...)
	chapters, err := regulations.Regulations(ctx, regulations.RegulationsPart{Rules: state.Rules})
	for _, number := range d.Articles {
		if a, ok := regulations.ArticleIn(chapters, number); ok {
			shown.Articles = append(shown.Articles, a)
		}
	}
	return shown, err
}

func tilesNamed(ctx context.Context, text string) string {
	faces, err := tile.ParseFaces(text)
	if err != nil {
		return text
	}
	return play.TileNames(ctx, faces)
}
