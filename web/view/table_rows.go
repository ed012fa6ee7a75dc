package view

import (
	"context"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/templates/play"
	"meldhall/templates/public"
	"meldhall/tournament"
	"meldhall/tournament/game"
)

// TableRows returns the current tables of a round, by number. The templates omit data that is private between players
// and referees.
func (s *Reader) TableRows(ctx context.Context, round int64) ([]public.TableRow, error) {
	current, err := game.CurrentInRound(ctx, s.Store, round)
	if err != nil {
		return nil, err
	}
	return s.tableRows(ctx, current, tournament.SeesAll)
}

// TableRowsSeen returns those parts of a round's tables that sight allows. Tables shown as of an earlier moment have no
// clocks, and a game with a hidden result shows nothing about its end.
func (s *Reader) TableRowsSeen(ctx context.Context, tournamentID, round int64,
	sight tournament.Sight) ([]public.TableRow, error) {
	current, err := s.Tournaments.CurrentInRound(ctx, tournamentID, round, sight.Tables)
	if err != nil {
		return nil, err
	}
	return s.tableRows(ctx, current, sight)
}

func (s *Reader) tableRows(ctx context.Context, current []game.CurrentGame,
	sight tournament.Sight) ([]public.TableRow, error) {
	at := sight.Tables
	now := min(at, engine.MillisOf(s.Store.Now()))
	rows := make([]public.TableRow, len(current))
	for i, g := range current {
		line, err := s.floorLine(ctx, g, now, at)
		if err != nil {
			return nil, err
		}
		if line.Need == "broken" {
			rows[i] = newTableRow(line, engine.View{}, now)
			continue
		}
		snap, err := s.Games.LookBack(ctx, g.Game, at)
		if err != nil {
			return nil, err
		}
		rows[i] = newTableRow(line, engine.ViewFor(snap.Shown(), engine.Spectator), now)
		for seat, player := range snap.Ref.Players[:min(len(snap.Ref.Players), len(rows[i].Players))] {
			rows[i].Players[seat].Profile = templates.PlayerPath(snap.Ref.TournamentID, player)
		}
		if sight != tournament.SeesAll {
			_, held, err := s.Sights.resultSeen(ctx, snap, sight)
			if err != nil {
				return nil, err
			}
			if held { // Real and Opened: pages show neither a number of tiles nor a missing initial meld
				for seat, p := range rows[i].Players {
					rows[i].Players[seat] = play.TablePlayer{Name: p.Name, Profile: p.Profile,
						Real: true, Opened: true}
				}
			}
		}
		if at != tournament.Always {
			rows[i].Clock = public.RowClock{}
			continue
		}
		s.addDevices(&rows[i], snap, line.Unlinked)
	}
	return rows, nil
}

// addDevices adds the state of the devices at a table with a running game. If the table has no other need, a seat
// without a device or with a lost one becomes its need. A seat without a device also comes before an expired turn.
func (s *Reader) addDevices(row *public.TableRow, snap *game.Snapshot, unlinked []int) {
	if snap.State.Phase != engine.PhaseDealt && snap.State.Phase != engine.PhasePlaying {
		return
	}
	for _, seat := range unlinked {
		row.Players[seat].Unlinked = true
		if row.Need == "running" || row.Need == "expired" {
			row.Need, row.Since = "unlinked", snap.State.Turn.Started
		}
	}
	for seat, player := range snap.Ref.Players {
		device, p := s.Presence.Device(player), &row.Players[seat]
		p.Offline, p.Charge, p.Page = device.Offline, device.Charge, device.Page
		if p.Offline != 0 && row.Need == "running" {
			row.Need, row.Since = "offline", p.Offline
		}
	}
	row.Tablet = s.TableTablet(snap)
	if row.Tablet.Offline != 0 && row.Need == "running" {
		row.Need, row.Since = "offline", row.Tablet.Offline
	}
}

// TableTablet describes the one tablet that serves all seats of a table with real tiles.
func (s *Reader) TableTablet(snap *game.Snapshot) play.TablePlayer {
	if !snap.State.Physical {
		return play.TablePlayer{}
	}
	d := s.Presence.Device(tournament.TableDeviceID(snap.Ref.TournamentID, snap.Ref.TableNumber))
	return play.TablePlayer{Offline: d.Offline, Charge: d.Charge}
}

// needWords maps needs of floor lines to the names used on pages.
var needWords = map[string]string{"playing": "running"}

func newTableRow(line FloorLine, view engine.View, now engine.Millis) public.TableRow {
	row := public.TableRow{Real: line.Physical, ID: line.TableID, Number: line.Table, Need: line.Need,
		Public: line.public, Since: line.Since, GameID: line.Game,
		Game: line.Number, Of: line.Of, Pool: line.Pool, Agreed: line.Agreed,
		Key: RulingKeyOf(line.Game, line.Seq)}
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
		p := play.TablePlayer{Name: name}
		if seat < len(view.Seats) {
			v := view.Seats[seat]
			p.Tiles, p.Real, p.Out = v.Tiles, line.Physical, v.Out
			p.Opened = v.Opened || view.Phase == engine.PhaseDealt // still too early for anyone to open: show nothing
			p.Turn = view.Phase == engine.PhasePlaying && view.Turn.Seat == seat
		} else {
			p.Opened, p.Real = true, true // not dealt yet: nothing to show or count
		}
		if call, ok := callOf(line, seat); ok {
			p.Called = true
			row.Calls = append(row.Calls, public.TableCall{Seat: seat, Name: name, By: call.By})
			row.Note = JoinNames(row.Note, callNote(row.Need, name, call))
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

// callNote names the calling player, or if all calls are being handled, the official on the way.
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

// JoinNames appends a name to a list unless it is already the only one.
func JoinNames(before, name string) string {
	switch {
	case before == "":
		return name
	case name == "" || name == before:
		return before
	}
	return before + ", " + name
}

func newRowClock(view engine.View, now engine.Millis) public.RowClock {
	switch {
	case view.Phase != engine.PhaseDealt && view.Phase != engine.PhasePlaying:
		return public.RowClock{}
	case view.Paused != nil:
		return public.RowClock{Now: now, Left: view.Paused.Left, Stopped: true}
	}
	return public.RowClock{Now: now, Due: view.Turn.Due}
}
