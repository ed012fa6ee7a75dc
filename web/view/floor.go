package view

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/draw"
	"meldhall/tournament/game"
	"meldhall/tournament/rights"
)

// FloorLine is one table from a referee's point of view.
type FloorLine struct {
	Table    int               `json:"table"`
	TableID  int64             `json:"table_id"`
	Game     int64             `json:"game_id"`
	Number   int               `json:"number"`
	Of       int               `json:"of"`
	Names    []string          `json:"names"`
	Need     string            `json:"need" enum:"called,broken,held,count,coming,paused,expired,waiting,playing,confirmed" doc:"broken: the game's log can't be read; held: waiting for players without a device"`
	Since    engine.Millis     `json:"since" doc:"the start of this state"`
	Seq      int               `json:"seq"`
	Turn     engine.Turn       `json:"turn"`
	Pool     int               `json:"pool" doc:"0 at a physical table, where it is unknown"`
	Physical bool              `json:"physical,omitempty" doc:"played with real tiles"`
	Counting string            `json:"counting,omitempty" doc:"physical: why the turns ended; the score sheet is due"`
	Tiles    []int             `json:"tiles" doc:"number of tiles on the racks, by seat"`
	Calls    []engine.CallView `json:"calls,omitempty" doc:"the seats that call the referee, and the official on the way"`
	Paused   *engine.Pause     `json:"paused,omitempty"`
	Unlinked []int             `json:"unlinked,omitempty" doc:"seats still playing whose player has no device"`
	TimeOver bool              `json:"time_called,omitempty"`
	Rev      int               `json:"rev,omitempty" doc:"the result's revision, to confirm"`
	Agreed   int               `json:"agreed,omitempty" doc:"number of players who agree with the count"`

	public string // the public need, without calls
}

// callsFirst gives the table's calls priority over its other needs. Unanswered calls come before those that an official
// is on the way to. Since is then the time of the earliest such call or acknowledgement.
func (l *FloorLine) callsFirst() {
	for _, call := range l.Calls {
		need, since := "called", call.Since
		if call.Coming != 0 {
			need, since = "coming", call.Coming
		}
		if first := l.Need != "called" && l.Need != "coming"; first || need == "called" && l.Need == "coming" ||
			need == l.Need && since < l.Since {
			l.Need, l.Since = need, since
		}
	}
}

func (s *Reader) floorLine(ctx context.Context, g game.CurrentGame, now, at engine.Millis) (FloorLine, error) {
	snap, err := s.Games.LookBack(ctx, g.Game, at)
	if errors.Is(err, game.ErrBroken) {
		slog.Error("reading a game failed; showing the table without it", "game", g.Game, "err", err)
		return s.brokenLine(ctx, g)
	}
	if err != nil {
		return FloorLine{}, err
	}
	names, err := s.frames.names(ctx, snap, engine.Spectator)
	if err != nil {
		return FloorLine{}, err
	}
	v := engine.ViewFor(snap.Shown(), engine.Spectator)
	line := FloorLine{Table: g.TableNumber, TableID: g.Table, Game: g.Game, Number: g.Number, Of: snap.Ref.Of,
		Names: names,
		Seq:   v.Seq, Turn: v.Turn, Pool: v.Pool, Physical: v.Physical, Counting: v.Counting, Paused: v.Paused,
		TimeOver: v.TimeOver, Rev: g.Rev, Agreed: g.Agreed, Since: snap.State.At}
	for _, seat := range v.Seats {
		line.Tiles = append(line.Tiles, seat.Tiles)
	}
	switch {
	case v.Phase == engine.PhaseOver && g.Confirmed:
		line.Need = "confirmed"
	case v.Phase == engine.PhaseOver, v.Counting != "":
		line.Need = "count"
	case v.Phase == engine.PhaseNew:
		line.Need = "waiting"
	case snap.State.Paused.Held():
		line.Need, line.Since = "held", snap.State.Turn.Started
	case v.Paused != nil:
		line.Need = "paused"
	case v.Turn.Due != 0 && now > v.Turn.Due:
		line.Need, line.Since = "expired", v.Turn.Due
	default:
		line.Need = "playing"
	}
	line.public = line.Need
	for _, call := range engine.ViewFor(&snap.State, engine.Referee).Calls {
		if call.Open() {
			line.Calls = append(line.Calls, call)
		}
	}
	line.callsFirst()
	if running := v.Phase == engine.PhaseDealt || v.Phase == engine.PhasePlaying; running && !v.Physical {
		for seat, is := range v.Seats {
			if g.Unlinked&(1<<seat) != 0 && !is.Out {
				line.Unlinked = append(line.Unlinked, seat)
			}
		}
	}
	return line, nil
}

// brokenLine returns the line of a table whose game cannot be read, so that the other tables are still shown.
func (s *Reader) brokenLine(ctx context.Context, g game.CurrentGame) (FloorLine, error) {
	table, err := tournament.TableByID(ctx, s.Store, g.Table)
	return FloorLine{Table: g.TableNumber, TableID: g.Table, Game: g.Game, Number: g.Number, Of: len(table.Games),
		Names: SeatNames(table), Need: "broken"}, err
}

// Floor lists all tables of a round, starting with those that need a referee.
type Floor struct {
	Round  int64         `json:"round_id"`
	Now    engine.Millis `json:"now"`
	Tables []FloorLine   `json:"tables"`
}

// Floor returns all tables of a round for an official.
func (s *Reader) Floor(ctx context.Context, actor rights.Actor, round int64) (Floor, error) {
	r, err := draw.RoundByID(ctx, s.Store, round)
	if err != nil {
		return Floor{}, err
	}
	if err := rights.Authorize(actor, rights.Place{Tournament: r.TournamentID}, rights.MaySeeDesk); err != nil {
		return Floor{}, err
	}
	current, err := game.CurrentInRound(ctx, s.Store, round)
	if err != nil {
		return Floor{}, err
	}
	floor := Floor{Round: round, Now: engine.MillisOf(s.Store.Now()), Tables: make([]FloorLine, 0, len(current))}
	for _, g := range current {
		line, err := s.floorLine(ctx, g, floor.Now, tournament.Always)
		if err != nil {
			return Floor{}, err
		}
		floor.Tables = append(floor.Tables, line)
	}
	slices.SortStableFunc(floor.Tables, func(a, b FloorLine) int {
		return cmp.Or(cmp.Compare(urgency[a.Need], urgency[b.Need]), cmp.Compare(a.Since, b.Since),
			cmp.Compare(a.Table, b.Table))
	})
	return floor, nil
}

// urgency ranks the needs for sorting; 0 is the most urgent.
var urgency = map[string]int{"called": 0, "broken": 0, "held": 0, "count": 1, "coming": 2, "paused": 3, "expired": 4,
	"waiting": 5, "playing": 6, "confirmed": 7}
