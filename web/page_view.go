package web

import (
	"context"
	"slices"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/tournament"
)

// gamePlace says where a game is played, in the reader's language, and who sits there.
func (s *views) gamePlace(ctx context.Context, ref tournament.GameRef) (templates.GamePlace, []templates.Person, error) {
	t, err := tournament.TournamentByID(ctx, s.store, ref.TournamentID)
	if err != nil {
		return templates.GamePlace{}, nil, err
	}
	f, err := t.Format()
	if err != nil {
		return templates.GamePlace{}, nil, err
	}
	round, err := tournament.RoundByID(ctx, s.store, ref.RoundID)
	if err != nil {
		return templates.GamePlace{}, nil, err
	}
	table, err := tournament.TableByID(ctx, s.store, ref.TableID)
	if err != nil {
		return templates.GamePlace{}, nil, err
	}
	people := make([]templates.Person, len(table.Seats))
	for i, seat := range table.Seats {
		people[i] = templates.Person{Name: seat.Player.Name, Country: seat.Player.Country}
	}
	return templates.GamePlace{Event: t.Name, Stage: stageName(ctx, f.Stages, round.Stage), Round: round.Number, Table: ref.TableNumber,
		Number: ref.Number, Of: ref.Of, Practice: ref.Practice}, people, nil
}

// watchedGame is a game for one who does not play in it: viewer is engine.Spectator or engine.Referee.
func (s *views) watchedGame(ctx context.Context, game int64, viewer int) (templates.Game, *tournament.Snapshot, error) {
	snap, confirmed, err := s.lookAt(ctx, game)
	if err != nil {
		return templates.Game{}, nil, err
	}
	place, people, err := s.gamePlace(ctx, snap.Ref)
	if err != nil {
		return templates.Game{}, nil, err
	}
	view, err := s.games.Shown(ctx, snap, viewer)
	if err != nil {
		return templates.Game{}, nil, err
	}
	view.Now = engine.MillisOf(s.store.Now())
	return templates.Game{ID: game, Place: place, Seats: people, View: view, Counted: confirmed}, snap, nil
}

// logShown is how many of the last things that happened a page tells.
const logShown = 12

// gameLog tells what happened last in a game, the newest first, in the reader's language and without anything
// that is hidden.
func (s *views) gameLog(ctx context.Context, game templates.Game) ([]templates.LogLine, error) {
	exported, err := tournament.ExportGame(ctx, s.store, game.ID)
	if err != nil {
		return nil, err
	}
	var lines []templates.LogLine
	for _, e := range slices.Backward(exported.Events) {
		if len(lines) == logShown {
			break
		}
		event, err := engine.Decode(e.Kind, e.Version, e.Data)
		if err != nil {
			return nil, err
		}
		if text := eventWords(ctx, game, event); text != "" {
			lines = append(lines, templates.LogLine{At: e.At, Text: text})
		}
	}
	return lines, nil
}

// eventWords is one sentence about an event; "" for one that nobody need be told.
func eventWords(ctx context.Context, g templates.Game, event engine.Event) string {
	say := func(seat, n int) string {
		return templates.T(ctx, "last."+event.Kind(), "name", g.NameOf(seat), "n", n)
	}
	switch e := event.(type) {
	case engine.TilesPlayed:
		return say(e.Seat, len(e.Played))
	case engine.TileDrawn:
		return say(e.Seat, len(e.Tile))
	case engine.TurnPassed:
		return say(e.Seat, 0)
	case engine.TurnExpired:
		return say(e.Seat, len(e.Tiles)+e.Count)
	case engine.IllegalPlayed:
		return say(e.Seat, len(e.Tiles))
	case engine.RedealAsked:
		return say(e.Seat, 0)
	case engine.LeftoversRuled:
		return templates.WithReason(ctx, say(e.Seat, len(e.Tiles)), e.Reason)
	case engine.PenaltyGiven:
		return templates.WithReason(ctx, say(e.Seat, len(e.Tiles)+e.Count), e.Reason)
	case engine.PenaltyProposed:
		return templates.T(ctx, "log.penalty_proposed", "n", e.Tiles, "name", g.NameOf(e.Seat))
	case engine.GamePaused:
		if e.Pause.Why == engine.PausedByOutage {
			return templates.T(ctx, "log.outage")
		}
		return templates.WithReason(ctx, templates.T(ctx, "log.paused"), e.Pause.Reason)
	case engine.GameResumed:
		return templates.T(ctx, "log.resumed")
	case engine.TimeGiven:
		return templates.WithReason(ctx, templates.T(ctx, "log.time_given", "seconds", e.Seconds), e.Reason)
	case engine.TimeCalled:
		return templates.WithReason(ctx, templates.T(ctx, "log.time_called"), e.Reason)
	case engine.PlayBegan:
		return templates.T(ctx, "log.play_began", "name", g.NameOf(e.Turn.Seat))
	case engine.GameEnded:
		return templates.T(ctx, "log.game_ended")
	}
	if r := engine.RulingOf(event); r.Kind != "" {
		return templates.WithReason(ctx, templates.T(ctx, "told."+r.Kind, "n", r.Tiles, "name", g.NameOf(r.Seat)), r.Reason)
	}
	if text := realWords(ctx, g, event); text != "" {
		return text
	}
	return callWords(ctx, g, event)
}

// realWords is one sentence about an event at a table with real tiles.
func realWords(ctx context.Context, g templates.Game, event engine.Event) string {
	switch e := event.(type) {
	case engine.StarterChosen:
		return templates.T(ctx, "log.starter_chosen", "name", g.NameOf(e.Seat))
	case engine.TurnEnded:
		switch {
		case e.Out:
			return templates.T(ctx, "log.turn_ended.out", "name", g.NameOf(e.Seat))
		case e.Passed:
			return templates.T(ctx, "log.turn_ended.passed", "name", g.NameOf(e.Seat))
		case e.Opened:
			return templates.T(ctx, "log.turn_ended.opened", "name", g.NameOf(e.Seat))
		}
		return templates.T(ctx, "log.turn_ended", "name", g.NameOf(e.Seat))
	case engine.PoolRanOut:
		return templates.T(ctx, "log.pool_emptied", "name", g.NameOf(e.Seat))
	case engine.PlayEnded:
		return templates.T(ctx, "log.play_ended")
	case engine.RacksCounted:
		return templates.T(ctx, "log.racks_counted")
	}
	return ""
}

// callWords is one sentence about a call for the referee, which is not for the public.
func callWords(ctx context.Context, g templates.Game, event engine.Event) string {
	if g.View.Seat == engine.Spectator {
		return ""
	}
	switch e := event.(type) {
	case engine.RefereeCalled:
		return templates.T(ctx, "log.referee_called", "name", g.NameOf(e.Seat))
	case engine.CallAcknowledged:
		return templates.T(ctx, "log.call_acknowledged", "name", g.NameOf(e.Seat))
	case engine.CallAnswered:
		return templates.T(ctx, "log.call_answered", "name", g.NameOf(e.Seat))
	}
	return ""
}

// tableRows are the tables of a round as they are now, by number. For the public what is between players
// and referees is left out by the templates.
func (s *views) tableRows(ctx context.Context, round int64) ([]templates.TableRow, error) {
	current, err := tournament.CurrentInRound(ctx, s.store, round)
	if err != nil {
		return nil, err
	}
	now := engine.MillisOf(s.store.Now())
	rows := make([]templates.TableRow, len(current))
	for i, g := range current {
		line, err := s.floorLine(ctx, g, now)
		if err != nil {
			return nil, err
		}
		if line.Need == "broken" {
			rows[i] = newTableRow(line, engine.View{}, now)
			continue
		}
		snap, err := s.games.Look(ctx, g.Game)
		if err != nil {
			return nil, err
		}
		rows[i] = newTableRow(line, engine.ViewFor(snap.State, engine.Spectator), now)
		s.addDevices(&rows[i], snap)
	}
	return rows, nil
}

// addDevices tells of the devices at a table where a game runs; a seat that is gone is what the table needs, if
// nothing else is.
func (s *views) addDevices(row *templates.TableRow, snap *tournament.Snapshot) {
	if snap.State.Phase != engine.PhaseDealt && snap.State.Phase != engine.PhasePlaying {
		return
	}
	for seat, player := range snap.Ref.Players {
		device, p := s.presence.Device(player), &row.Players[seat]
		p.Offline, p.Charge = device.Offline, device.Charge
		if p.Offline != 0 && row.Need == "running" {
			row.Need, row.Since = "offline", p.Offline
		}
	}
	row.Tablet = s.tableTablet(snap)
	if row.Tablet.Offline != 0 && row.Need == "running" {
		row.Need, row.Since = "offline", row.Tablet.Offline
	}
}

// tableTablet is how the one tablet is that serves all seats of a table with real tiles.
func (s *views) tableTablet(snap *tournament.Snapshot) templates.TablePlayer {
	if !snap.State.Physical {
		return templates.TablePlayer{}
	}
	d := s.presence.Device(tournament.TableDeviceID(snap.Ref.TournamentID, snap.Ref.TableNumber))
	return templates.TablePlayer{Offline: d.Offline, Charge: d.Charge}
}

// needWords are the words of the pages for what a floor line says a table needs.
var needWords = map[string]string{"playing": "running"}

func newTableRow(line FloorLine, view engine.View, now engine.Millis) templates.TableRow {
	row := templates.TableRow{Real: line.Physical, ID: line.TableID, Number: line.Table, Need: line.Need, Public: line.public, Since: line.Since, GameID: line.Game,
		Game: line.Number, Of: line.Of, Pool: line.Pool, Agreed: line.Agreed,
		Key: rulingKeyOf(line.Game, line.Seq)}
	if word, ok := needWords[row.Need]; ok {
		row.Need, row.Since = word, 0
	}
	if word, ok := needWords[row.Public]; ok {
		row.Public = word
	}
	if row.Need == "waiting" || row.Need == "confirmed" {
		row.Since = 0
	}
	if row.Need == "running" && view.Last != nil && view.Last.Kind == (engine.TurnExpired{}).Kind() {
		row.Need, row.Since, row.Note = "expired", view.Turn.Started, nameAt(line, view.Last.Seat)
	}
	for seat, name := range line.Names {
		p := templates.TablePlayer{Name: name}
		if seat < len(view.Seats) {
			v := view.Seats[seat]
			p.Tiles, p.Real, p.Out = v.Tiles, line.Physical, v.Out
			p.Opened = v.Opened || view.Phase == engine.PhaseDealt // nobody could have yet: nothing to say
			p.Turn = view.Phase == engine.PhasePlaying && view.Turn.Seat == seat
		} else {
			p.Opened, p.Real = true, true // nothing is dealt: nothing to say, nor to count
		}
		if call, ok := callOf(line, seat); ok {
			p.Called = true
			row.Calls = append(row.Calls, templates.TableCall{Seat: seat, Name: name, By: call.By})
			row.Note = joinNames(row.Note, callNote(row.Need, name, call))
		}
		row.Players = append(row.Players, p)
	}
	row.Clock = newRowClock(view, now)
	return row
}

func callOf(line FloorLine, seat int) (engine.Call, bool) {
	for _, c := range line.Calls {
		if c.Seat == seat {
			return c.Call, true
		}
	}
	return engine.Call{}, false
}

// callNote names who calls, or, when all calls are taken, who is on the way.
func callNote(need, player string, call engine.Call) string {
	switch {
	case need == "coming":
		return call.By
	case call.Coming != 0:
		return ""
	}
	return player
}

func nameAt(line FloorLine, seat int) string {
	if seat < 0 || seat >= len(line.Names) {
		return ""
	}
	return line.Names[seat]
}

func joinNames(before, name string) string {
	switch {
	case before == "":
		return name
	case name == "" || name == before:
		return before
	}
	return before + ", " + name
}

func newRowClock(view engine.View, now engine.Millis) templates.RowClock {
	switch {
	case view.Phase != engine.PhaseDealt && view.Phase != engine.PhasePlaying:
		return templates.RowClock{}
	case view.Paused != nil:
		return templates.RowClock{Now: now, Left: view.Paused.Left, Stopped: true}
	}
	return templates.RowClock{Now: now, Due: view.Turn.Due}
}
