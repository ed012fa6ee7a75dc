package api

import (
	"context"

	"meldhall/engine"
	"meldhall/engine/solve"
	"meldhall/engine/tile"
	"meldhall/templates/play"
	"meldhall/tournament/game"
	"meldhall/tournament/game/record"
	"meldhall/web/view"
)

// EvidencePath names a turn of a game.
type EvidencePath struct {
	ID   int64 `path:"id"`
	Turn int   `path:"turn" minimum:"0" doc:"from 1, in starting order; 0: the turn with the referee call, else the current one, else the last"`
}

// TurnEvidence is everything recorded about one turn.
type TurnEvidence struct {
	Game    int64                `json:"game_id"`
	Turn    int                  `json:"turn"`
	Of      int                  `json:"of"`
	Seat    int                  `json:"seat"`
	Running bool                 `json:"running,omitempty"`
	Started engine.Millis        `json:"started"`
	Ended   engine.Millis        `json:"ended,omitempty"`
	Before  tile.TableView       `json:"before" doc:"the table when the turn began"`
	After   tile.TableView       `json:"after" doc:"the table at the end of the turn, or now"`
	Moments []TurnMoment         `json:"moments" doc:"log events and evidence in chronological order"`
	Gaps    []record.DeviceGap   `json:"gaps" doc:"periods in which the seat's device sent nothing"`
	Earlier []game.EarlierRuling `json:"earlier" doc:"earlier rulings against the player in this event"`
	Calls   []CallMoment         `json:"calls" doc:"all calls of the game"`
}

// TurnMoment is one moment of a turn. Moves and refused plays contain the table at that moment.
type TurnMoment struct {
	At     engine.Millis    `json:"at"`
	Left   *engine.Millis   `json:"left,omitempty" doc:"milliseconds left to the deadline at that time; negative: past it"`
	Kind   string           `json:"kind" doc:"an event's kind, or draft, refused, late, opened, taken, joined, battery, lost"`
	Text   string           `json:"text,omitempty" doc:"the event described in the reader's language"`
	By     string           `json:"by,omitempty"`
	Table  []EvidenceSet    `json:"table,omitempty"`
	Tried  *game.Submission `json:"tried,omitempty"`
	Charge *int             `json:"charge,omitempty" doc:"battery charge in percent"`
}

// EvidenceSet is a set as a player had laid it.
type EvidenceSet struct {
	At    int           `json:"at"`
	Tiles tile.FaceList `json:"tiles"`
}

// CallMoment is a call for the referee, or a response to one.
type CallMoment struct {
	At   engine.Millis `json:"at"`
	Kind string        `json:"kind"`
	Text string        `json:"text"`
}

func (a *api) apiEvidence(ctx context.Context, in *EvidencePath) (*with[TurnEvidence], error) {
	card, err := a.View.Records.TurnCard(ctx, a.Request.Staff(requestOf(ctx)), in.ID, in.Turn)
	if err != nil {
		return nil, err
	}
	place, people, err := a.View.Tournaments.GamePlace(ctx, card.Ref)
	if err != nil {
		return nil, err
	}
	one := play.Game{ID: card.Ref.ID, Place: place, Seats: people,
		View: engine.ViewFor(&card.After, engine.Referee)}
	v := TurnEvidence{Game: card.Ref.ID, Turn: card.Number, Of: card.Of, Seat: card.Seat, Running: card.Running,
		Started: card.Started, Ended: card.Ended,
		Before:  engine.ViewFor(&card.Before, engine.Spectator).Table,
		After:   engine.ViewFor(&card.After, engine.Spectator).Table,
		Moments: []TurnMoment{}, Gaps: viewsOf(card.Gaps, same), Earlier: viewsOf(card.Earlier, same),
		Calls: []CallMoment{}}
	for _, m := range card.Moments {
		v.Moments = append(v.Moments, turnMoment(ctx, one, m))
	}
	for _, e := range card.Calls {
		v.Calls = append(v.Calls, CallMoment{e.Event.When(), e.Event.Kind(), view.EventWords(ctx, one, e.Event)})
	}
	return answer(v, nil)
}

func turnMoment(ctx context.Context, game play.Game, m record.Moment) TurnMoment {
	moment := TurnMoment{At: m.At, Kind: m.Kind, By: m.By, Tried: m.Tried}
	if m.Timed {
		moment.Left = &m.Left
	}
	if m.Event != nil {
		moment.Text = view.EventWords(ctx, game, m.Event)
	}
	if m.Battery != nil {
		moment.Charge = &m.Battery.Charge
	}
	for _, set := range m.Table {
		moment.Table = append(moment.Table, EvidenceSet{set.At, set.Faces})
	}
	return moment
}

// ReplayView is a finished game, turn by turn, with the possible plays.
type ReplayView struct {
	Game     view.GameState      `json:"game"`
	Names    []string            `json:"names"`
	Turns    []ReplayTurnView    `json:"turns"`
	Openings []game.OpeningProof `json:"openings" doc:"the proofs behind the charges of players who never opened, if the rules charge them"`
}

// ReplayTurnView is one turn of a finished game.
type ReplayTurnView struct {
	Turn     int           `json:"turn" doc:"from 1, in playing order"`
	Number   int           `json:"number" doc:"the turn's number in the log"`
	Seq      int           `json:"seq" doc:"the seq of the event that ended it"`
	Seat     int           `json:"seat"`
	Kind     string        `json:"kind" doc:"the event that ended it: tiles_played, tile_drawn, turn_passed, turn_expired, illegal_played"`
	Rack     tile.FaceList `json:"rack" doc:"the rack before any tile was laid or drawn"`
	Laid     tile.FaceList `json:"laid" doc:"the tiles that were laid"`
	Played   int           `json:"played" doc:"number of tiles laid"`
	Drawn    int           `json:"drawn,omitempty"`
	Possible int           `json:"possible" doc:"the most tiles that could have been laid"`
	Proven   bool          `json:"proven" doc:"no play lays more; false: the search was stopped, so more may be possible"`
}

func (a *api) apiReplay(ctx context.Context, in *IDPath) (*with[ReplayView], error) {
	who := a.Request.Staff(requestOf(ctx))
	r, err := a.View.Records.Replay(ctx, who, in.ID)
	if err != nil {
		return nil, err
	}
	if _, err := a.View.Sights.AuthorizeEnded(ctx, who, in.ID); err != nil {
		return nil, err
	}
	state, err := a.View.LiveState(ctx, view.SeenGame{Snap: &game.Snapshot{Ref: r.Ref, State: r.End},
		Confirmed: r.Confirmed}, engine.Spectator)
	if err != nil {
		return nil, err
	}
	v := ReplayView{Game: *state.Game, Names: state.Names, Turns: make([]ReplayTurnView, len(r.Turns)),
		Openings: viewsOf(r.Openings, same)}
	for i, t := range r.Turns {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		best := t.Possible(solve.Question{Limit: view.ListWork})
		v.Turns[i] = ReplayTurnView{Turn: t.Number, Number: t.Before.Turn.Number, Seq: t.After.Seq, Seat: t.Seat(),
			Kind: t.Event.Kind(),
			Rack: t.Rack(), Laid: tile.FaceList{}, Played: t.Played(), Drawn: t.Drawn(), Possible: best.Tiles,
			Proven: best.Proven}
		if e, ok := t.Event.(engine.TilesPlayed); ok {
			v.Turns[i].Laid = tile.FacesOf(e.Played)
		}
	}
	return answer(v, nil)
}

// TurnPath names a turn of a game.
type TurnPath struct {
	ID   int64 `path:"id"`
	Turn int   `path:"turn" minimum:"0" doc:"from 1, in playing order; 0: the last completed turn"`
}

// PublicTurnView is one completed turn, as all players at the table saw it.
type PublicTurnView struct {
	Game   int64                 `json:"game_id"`
	Turn   int                   `json:"turn" doc:"from 1, in playing order"`
	Of     int                   `json:"of" doc:"completed turns of this game"`
	Number int                   `json:"number" doc:"the turn's number in the log"`
	Seq    int                   `json:"seq" doc:"the seq of the event that ended it"`
	At     engine.Millis         `json:"at"`
	Seat   int                   `json:"seat"`
	Kind   string                `json:"kind" doc:"the event that ended it: tiles_played, tile_drawn, turn_passed, turn_expired, illegal_played"`
	Laid   tile.FaceList         `json:"laid" doc:"the tiles that were laid"`
	Points int                   `json:"points,omitempty" doc:"value of an initial meld"`
	Drawn  int                   `json:"drawn,omitempty" doc:"number of tiles drawn; their faces stay hidden"`
	Ruled  []record.PublicRuling `json:"ruled" doc:"rulings since the previous turn"`
	Before tile.TableView        `json:"before" doc:"the table when the turn began"`
	After  tile.TableView        `json:"after" doc:"the table at the end of the turn; tiles laid in it are marked as new"`
}

func (a *api) apiTurn(ctx context.Context, in *TurnPath) (*with[PublicTurnView], error) {
	who := a.Request.Player(requestOf(ctx))
	if err := a.View.Records.AuthorizeTurns(ctx, who, in.ID); err != nil {
		if who = a.Request.Staff(requestOf(ctx)); a.View.Records.AuthorizeTurns(ctx, who, in.ID) != nil {
			return nil, err
		}
	}
	seen, err := a.View.Sights.Seen(ctx, who, in.ID)
	if err != nil {
		if seen, err = a.View.Sights.Seen(ctx, a.Request.Staff(requestOf(ctx)), in.ID); err != nil {
			return nil, err
		}
	}
	t, of, err := a.View.TurnOf(ctx, in.ID, in.Turn, seen.At)
	if err != nil {
		return nil, err
	}
	view := PublicTurnView{Game: in.ID, Turn: t.Number, Of: of, Number: t.Turn, Seq: t.Seq, At: t.At, Seat: t.Seat,
		Kind: t.Kind,
		Laid: faceList(t.Played), Points: t.Points, Drawn: t.Drawn, Ruled: viewsOf(t.Ruled, same)}
	view.Before, view.After = t.Views()
	return answer(view, nil)
}

func faceList(tiles tile.List) tile.FaceList {
	if len(tiles) == 0 {
		return tile.FaceList{}
	}
	return tile.FacesOf(tiles)
}
