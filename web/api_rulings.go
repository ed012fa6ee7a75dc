package web

import (
	"context"

	"meldhall/engine"
	"meldhall/engine/tile"
	"meldhall/tournament"
)

// RulingBody is what every ruling has.
type RulingBody struct {
	Key    string `json:"key" minLength:"8" maxLength:"64" doc:"made by the client, once for each command"`
	Seen   int    `json:"seen,omitempty" minimum:"0" doc:"the seq that was looked at: another official's ruling after it refuses this one (ruled_since); 0: whatever has happened"`
	Rule   string `json:"rule,omitempty" maxLength:"20" doc:"the article of the regulations"`
	Reason string `json:"reason,omitempty" maxLength:"500"`
}

func (r RulingBody) said() RulingBody { return r }

// TimeBody moves a deadline.
type TimeBody struct {
	RulingBody
	Seconds int `json:"seconds" minimum:"-3600" maximum:"3600"`
}

// SeatRulingBody is a ruling on a seat.
type SeatRulingBody struct {
	RulingBody
	Seat int `json:"seat" minimum:"0" maximum:"3"`
}

// PenaltyBody lets a seat draw tiles.
type PenaltyBody struct {
	SeatRulingBody
	Tiles    int `json:"tiles" minimum:"0" maximum:"20" doc:"0 is a notice"`
	Proposal int `json:"proposal,omitempty" minimum:"0" doc:"the seq of the proposed penalty that this decides"`
}

// WaiveBody names a proposed penalty.
type WaiveBody struct {
	RulingBody
	Proposal int `json:"proposal" minimum:"1" doc:"its seq"`
}

// TurnBody is a ruling on a turn.
type TurnBody struct {
	RulingBody
	Turn int `json:"turn" minimum:"0" doc:"its number"`
}

// IllegalBody rules that what lies in the running turn is an illegal play.
type IllegalBody struct {
	TurnBody
	Tiles int `json:"tiles" minimum:"0" maximum:"20"`
}

// LeftoversBody takes tiles whose place nobody knows off the table.
type LeftoversBody struct {
	SeatRulingBody
	Tiles engine.RackView    `json:"tiles" doc:"the tiles to take off"`
	Table []engine.LaidFaces `json:"table" doc:"the sets that stay"`
}

// ForfeitBody lets a seat play no more.
type ForfeitBody struct {
	SeatRulingBody
}

// CancelRulingBody names a ruling.
type CancelRulingBody struct {
	RulingBody
	Of int `json:"of" minimum:"1" doc:"the seq of the ruling's event"`
}

// PositionBody is a game as it lies on a real table.
type PositionBody struct {
	SeatRulingBody
	Table []engine.LaidFaces `json:"table" doc:"the sets on the table"`
	Racks []engine.RackView  `json:"racks,omitempty" maxItems:"4" doc:"by seat; null: as it is. What is named nowhere is in the pool"`
}

// rulingOperations are the officials' commands in a game.
func (a *api) rulingOperations() {
	ruling(a, "pause", "Stop the clock", func(g engine.Grounds, _ RulingBody) engine.Command { return engine.PauseClock{Grounds: g} })
	ruling(a, "resume", "Let the clock run on, after a countdown of three seconds", func(g engine.Grounds, _ RulingBody) engine.Command { return engine.Resume{Grounds: g} })
	ruling(a, "time", "Move the running deadline", func(g engine.Grounds, r TimeBody) engine.Command {
		return engine.GiveTime{Grounds: g, Seconds: r.Seconds}
	})
	ruling(a, "penalty", "Let a seat draw penalty tiles, or give it a notice", func(g engine.Grounds, r PenaltyBody) engine.Command {
		return engine.Penalise{Grounds: g, Seat: r.Seat, Tiles: r.Tiles, Proposal: r.Proposal}
	})
	ruling(a, "waive", "Decide that a proposed penalty is not given", func(g engine.Grounds, r WaiveBody) engine.Command {
		return engine.WaivePenalty{Grounds: g, Proposal: r.Proposal}
	})
	ruling(a, "warning", "Warn a seat", func(g engine.Grounds, r SeatRulingBody) engine.Command { return engine.Warn{Grounds: g, Seat: r.Seat} })
	ruling(a, "call-time", "End the game after the running lap", func(g engine.Grounds, _ RulingBody) engine.Command { return engine.CallTime{Grounds: g} })
	ruling(a, "skip", "End the running turn with nothing", func(g engine.Grounds, r TurnBody) engine.Command {
		return engine.SkipTurn{Grounds: g, Turn: r.Turn}
	})
	ruling(a, "illegal", "Rule the running turn an illegal play", func(g engine.Grounds, r IllegalBody) engine.Command {
		return engine.RuleIllegal{Grounds: g, Turn: r.Turn, Tiles: r.Tiles}
	})
	ruling(a, "leftovers", "Take tiles whose place nobody knows off the table", func(g engine.Grounds, r LeftoversBody) engine.Command {
		return engine.RuleLeftovers{Grounds: g, Seat: r.Seat, Tiles: r.Tiles, Table: r.Table}
	})
	ruling(a, "grant-redeal", "Deal anew at a seat's wish, as long as no tile lies", func(g engine.Grounds, r SeatRulingBody) engine.Command {
		return engine.GrantRedeal{Grounds: g, Seat: r.Seat, Deal: a.games.Deal()}
	})
	ruling(a, "refuse-redeal", "Take a seat's right to a redeal", func(g engine.Grounds, r SeatRulingBody) engine.Command {
		return engine.RefuseRedeal{Grounds: g, Seat: r.Seat}
	})
	ruling(a, "forfeit", "Let a seat play no more: it cannot win, and its rack is charged", func(g engine.Grounds, r ForfeitBody) engine.Command {
		return engine.ForfeitSeat{Grounds: g, Seat: r.Seat}
	})
	ruling(a, "cancel", "Take a ruling back; both stay in the log", func(g engine.Grounds, r CancelRulingBody) engine.Command {
		return engine.CancelRuling{Grounds: g, Of: r.Of}
	})
	ruling(a, "rewind", "Go back to the start of a turn", func(g engine.Grounds, r TurnBody) engine.Command {
		return engine.Rewind{Grounds: g, Turn: r.Turn}
	})
	ruling(a, "position", "Put the game as it lies on a real table", func(g engine.Grounds, r PositionBody) engine.Command {
		c := engine.SetPosition{Grounds: g, Seat: r.Seat, Table: r.Table, Racks: make([][]tile.Face, len(r.Racks))}
		for seat, rack := range r.Racks {
			c.Racks[seat] = rack
		}
		return c
	})
}

// ruling registers an official's ruling in a game.
func ruling[R interface{ said() RulingBody }](a *api, name, summary string, command func(engine.Grounds, R) engine.Command) {
	officially(a, name, summary, func(by tournament.Actor, r R) (string, engine.Command) {
		said := r.said()
		return said.Key, command(engine.Grounds{Seen: said.Seen, Rule: said.Rule, Reason: said.Reason, By: by.Name}, r)
	})
}

func officially[R any](a *api, name, summary string, command func(tournament.Actor, R) (string, engine.Command)) {
	operation(a, forReferee, "POST /games/{id}/"+name, summary, func(ctx context.Context, in *idWith[R]) (*with[CommandAnswer], error) {
		official := a.staff(requestOf(ctx))
		key, c := command(official, in.Body)
		result, err := a.games.Submit(ctx, official, in.ID, key, c)
		if err != nil {
			return nil, err
		}
		return answer(newCommandAnswer(result), nil)
	})
}
