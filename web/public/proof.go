package public

import (
	"context"
	"errors"

	"github.com/a-h/templ"
	"golang.org/x/mod/sumdb/note"

	"meldhall/engine"
	"meldhall/templates/locale"
	"meldhall/templates/public"
	"meldhall/tournament/archive"
	"meldhall/tournament/draw"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/transparency"
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
		if v.Log, err = s.log(ctx, tournamentID); err != nil { // not cached: it follows the changes
			return nil, err
		}
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

// log returns the newest checkpoint and the witnesses of a tournament's log, or nil if there is none.
func (s *views) log(ctx context.Context, tournamentID int64) (*public.LogView, error) {
	signed, err := s.View.Logs.Checkpoint(ctx, tournamentID)
	if errors.Is(err, refuse.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	v := &public.LogView{Entries: signed.Size, At: signed.At, Note: signed.Note}
	if v.Key, err = s.View.Logs.Key(ctx); err != nil {
		return nil, err
	}
	key, err := note.NewVerifier(v.Key)
	if err != nil {
		return nil, err
	}
	c, err := transparency.OpenCheckpoint(signed.Note, key)
	if err != nil {
		return nil, err
	}
	v.Root = c.Hash.String()
	witnesses, err := s.View.Logs.Witnesses(ctx, tournamentID)
	for _, w := range witnesses {
		at := engine.Millis(min(w.At, latest) * 1000)
		v.Witnesses = append(v.Witnesses, public.WitnessView{Name: w.Witness.Name(), Key: w.Witness.String(), At: at,
			Entries: w.Size})
	}
	return v, err
}

// latest is the end of the year 9999, in seconds since 1970: a witness may claim any time.
const latest = 253402300799
