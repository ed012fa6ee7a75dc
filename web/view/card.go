package view

import (
	"context"

	"meldhall/engine"
	"meldhall/templates/locale"
	"meldhall/templates/play"
	"meldhall/templates/public"
	"meldhall/templates/referee"
	"meldhall/tournament/game/record"
)

// Card describes a turn's record in words.
func (s *Reader) Card(ctx context.Context, card record.TurnCard) (referee.CardView, error) {
	place, people, err := s.Tournaments.GamePlace(ctx, card.Ref)
	if err != nil {
		return referee.CardView{}, err
	}
	game := play.Game{ID: card.Ref.ID, Place: place, Seats: people,
		View: engine.ViewFor(&card.After, engine.Referee)}
	v := referee.CardView{Event: card.Ref.TournamentID, TableID: card.Ref.TableID, Game: game, Number: card.Number,
		Of: card.Of, Seat: card.Seat,
		Running: card.Running, Started: card.Started, Ended: card.Ended, Strip: newStrip(card)}
	if card.Before.Rules.TurnSeconds > 0 {
		v.Limit = card.Before.Rules.TurnSeconds + card.Before.Extra[card.Seat]
	}
	w := cardWords{ctx: ctx, view: &v, base: cardFaces(card.Before), before: cardFaces(card.Before), ended: -1}
	v.Stops = []referee.CardStop{{Text: locale.T(ctx, "card.start"), Table: asViews(w.base), Fault: -1}}
	for _, m := range card.Moments {
		w.tell(m)
	}
	if !card.Running && w.ended < 0 {
		v.Stops = append(v.Stops, referee.CardStop{Text: locale.T(ctx, "card.end"),
			Table: engine.ViewFor(&card.After, engine.Spectator).Table, Fault: -1})
	}
	v.Lines = withGaps(ctx, v.Lines, card)
	for _, r := range card.Earlier {
		v.Earlier = append(v.Earlier, referee.CardRuling{At: r.At, Round: r.Round, Table: r.Table, Rule: r.Rule,
			Cancelled: r.Cancelled,
			Text:      play.WithReason(ctx, locale.T(ctx, "card.ruled."+r.Kind, "n", r.Tiles), r.Reason)})
	}
	for _, e := range card.Calls {
		v.Calls = append(v.Calls, public.LogLine{At: e.Event.When(), Text: EventWords(ctx, game, e.Event)})
	}
	return v, nil
}
