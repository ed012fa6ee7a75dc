package view

import (
	"cmp"
	"context"
	"strings"

	"meldhall/engine"
	"meldhall/engine/tile"
	"meldhall/templates/locale"
	"meldhall/templates/play"
	"meldhall/templates/referee"
	"meldhall/tournament/export"
	"meldhall/tournament/result"
)

// Protocol describes a game's record in words.
func (s *Reader) Protocol(ctx context.Context, p export.Protocol) (referee.Protocol, []play.Person, error) {
	place, people, err := s.Tournaments.GamePlace(ctx, p.Ref)
	if err != nil {
		return referee.Protocol{}, nil, err
	}
	st := p.State
	view := referee.Protocol{Game: p.Ref.ID, EventID: p.Ref.TournamentID, Event: p.Tournament.Name,
		Venue: p.Tournament.Place, Stage: place.Stage,
		Round: place.Round, Table: place.Table, Number: place.Number, Of: place.Of, Physical: st.Physical,
		Rules: st.Rules, Starter: st.Starter,
		Draws: st.Draws, Pauses: []referee.ProtocolPause{}, Course: []referee.ProtocolLine{},
		Seal: referee.ProtocolSeal{Commitment: st.Commitment, Events: len(p.Entries), LogHash: p.Hash}}
	if len(p.Entries) == 0 {
		view.Rules, err = p.Tournament.RulesIn(p.Ref.Stage, p.Ref.Round)
	}
	view.RulesName = s.RulesName(ctx, view.Rules)
	for seat, player := range p.Ref.Players {
		one := referee.ProtocolPlayer{Seat: seat, ID: player, Name: people[seat].Name, Country: people[seat].Country,
			Extra: st.Extra[seat]}
		view.Players = append(view.Players, one)
	}
	game := play.Game{ID: p.Ref.ID, Place: place, Seats: people, View: engine.ViewFor(&st, engine.Referee)}
	tellCourse(ctx, &view, p, game)
	if p.Over {
		tellEnd(ctx, &view, p, game)
	}
	return view, people, err
}

// tellCourse describes the log, event by event.
func tellCourse(ctx context.Context, view *referee.Protocol, p export.Protocol, game play.Game) {
	cancelled := map[int]int{}
	for _, e := range p.Entries {
		if c, ok := e.Event.(engine.RulingCancelled); ok {
			cancelled[c.Of] = e.Seq
		}
	}
	deals := 0
	for i, e := range p.Entries {
		r := engine.RulingOf(e.Event)
		line := referee.ProtocolLine{Seq: e.Seq, At: e.Event.When(), Kind: e.Event.Kind(), Turn: p.Turns[i],
			Text:   EventWords(ctx, game, e.Event),
			Ruling: r.Kind != "", By: r.By, Rule: r.Rule, Reason: r.Reason, Cancelled: cancelled[e.Seq]}
		if p.Ends[i] {
			line.Took = max(line.At-p.Started[i], 1)
		}
		switch one := e.Event.(type) {
		case engine.GameStarted:
			view.Began, line.Text = line.At, locale.T(ctx, "protocol.started")
		case engine.TilesDealt:
			deals++
			line.Text = locale.T(ctx, "protocol.dealt", "number", deals)
		case engine.SeatReady:
			line.Text = locale.T(ctx, "protocol.ready", "name", game.NameOf(one.Seat))
		case engine.KeyPressed:
			line.Text = locale.T(ctx, "protocol.pressed", "name", game.NameOf(one.Seat))
		case engine.TilesPlayed:
			line.Laid, line.Late = tile.FacesOf(one.Played), one.Late
		case engine.TileDrawn:
			line.Late = one.Late
		case engine.CallAcknowledged:
			line.By = one.By
		case engine.CallAnswered:
			line.By = one.By
		case engine.GamePaused:
			view.Pauses = append(view.Pauses, referee.ProtocolPause{From: line.At, Why: one.Pause.Why,
				Reason: one.Pause.Reason, By: r.By})
		case engine.GameResumed:
			if n := len(view.Pauses); n > 0 && view.Pauses[n-1].Until == 0 {
				view.Pauses[n-1].Until = line.At
			}
		case engine.GameEnded:
			view.Ended = line.At
		}
		line.Text = cmp.Or(line.Text, line.Kind)
		view.Course = append(view.Course, line)
	}
}

// tellEnd adds the count, the signatures, the protests and the revisions.
func tellEnd(ctx context.Context, view *referee.Protocol, p export.Protocol, game play.Game) {
	st, end := p.State, p.State.End
	view.EndWhy, view.EndText = end.Why, referee.EndWords(ctx, game)
	view.Seal.Salt, view.Seal.Holds = st.Salt, p.CommitmentHolds()
	for seat := range st.Seats {
		count := referee.ProtocolSeat{Seat: seat, Rack: tile.FaceList{}, Opened: st.Opened[seat],
			Charge: end.Outcome.Charges[seat].Points,
			Reason: end.Outcome.Charges[seat].Reason, Points: end.Outcome.Points[seat], Wins: end.Outcome.Wins[seat]}
		if seat < len(end.Racks) {
			count.Rack = tile.CountFaces(tile.FacesOf(end.Racks[seat])).List()
		}
		view.Count = append(view.Count, count)
	}
	for _, one := range p.Signatures {
		view.Signed = append(view.Signed, referee.ProtocolSigned{Seat: one.Seat, Rev: one.Rev, At: one.At})
	}
	for _, one := range p.Protests {
		view.Protests = append(view.Protests, NewProtest(one, game.Seats, -1))
	}
	for _, r := range p.Results {
		revision := referee.ProtocolResult{Rev: r.Rev, At: r.At, Status: r.Status, Ending: r.Ending,
			By: nameOfActor(ctx, r.Actor), Why: r.Why}
		for _, l := range r.Lines {
			revision.Points, revision.Wins = append(revision.Points, l.Points), append(revision.Wins, l.Wins)
		}
		view.Revisions = append(view.Revisions, revision)
	}
	for _, one := range p.Penalties {
		view.Penalties = append(view.Penalties, penaltyLine(ctx, one))
	}
}

func penaltyLine(ctx context.Context, one result.Penalty) referee.ProtocolLine {
	key := "protocol.points"
	if one.Kind == result.Disqualification {
		key = "protocol.disqualified"
	}
	text := play.WithReason(ctx, locale.T(ctx, key, "name", locale.Isolate(one.Player.Name), "points",
		locale.AmountText(ctx, one.Points)), one.Reason)
	return referee.ProtocolLine{At: one.At, Kind: one.Kind, Text: text, By: nameOfActor(ctx, one.Actor),
		Rule: one.Rule, Reason: one.Reason}
}

// NewProtest returns a protest for a page; seat is the reader's seat, -1 for none.
func NewProtest(p result.Protest, people []play.Person, seat int) play.Protest {
	shown := play.Protest{ID: p.ID, Mine: p.Seat == seat, Text: p.Text, At: p.At}
	if p.Seat < len(people) {
		shown.Name = people[p.Seat].Name
	}
	if p.Decision != nil {
		shown.Outcome, shown.Reason, shown.Decided = p.Decision.Outcome, p.Decision.Reason, p.Decision.At
		_, shown.By, _ = strings.Cut(p.Decision.Actor, ":")
	}
	return shown
}
