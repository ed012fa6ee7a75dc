package public

import (
	"context"

	"github.com/a-h/templ"

	"meldhall/templates/locale"
	"meldhall/templates/public"
	"meldhall/tournament/archive"
	"meldhall/tournament/draw"
	"meldhall/tournament/rights"
	"meldhall/web/page"
	"meldhall/web/view"
)

// proof returns a function that renders how anyone can check a tournament.
func (s *views) proof(tournamentID int64) page.PublicDraw {
	return func(ctx context.Context, reader rights.Actor) (templ.Component, error) {
		sight, err := s.View.Sights.Of(ctx, reader, tournamentID)
		if err != nil {
			return nil, err
		}
		state, err := s.View.Tournaments.State(ctx, tournamentID)
		if err != nil {
			return nil, err
		}
		v, err := view.Kept(ctx, s.View.Tournaments, tournamentID, "proof",
			func(ctx context.Context) (public.ProofView, error) {
				p, err := archive.ProofOf(ctx, s.View.Store, tournamentID)
				return public.ProofView{Event: tournamentID, Head: p.Head, Archive: p.Archive,
					ArchivedAt: p.ArchivedAt}, err
			})
		if err != nil {
			return nil, err
		}
		v.State = state
		promises, err := draw.Promises(ctx, s.View.Store, tournamentID, sight)
		for _, p := range promises {
			told := public.ToldPromise{Round: p.Round, Lot: p.Lot, At: p.At, Hash: p.Hash,
				Text: p.Text, Kept: p.Kept}
			if p.Method != "" {
				told.Method = locale.T(ctx, "method."+p.Method)
			}
			if p.Kept != "" && p.Lot > 0 {
				told.Words = locale.T(ctx, "promise.lot_kept")
			} else if p.Kept != "" {
				told.Words = locale.T(ctx, "draw.promise_"+p.Kept, "n", p.Changes)
			}
			v.Promises = append(v.Promises, told)
		}
		return public.ProofRegion(v), err
	}
}
