package referee

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/templates/locale"
	"meldhall/templates/part"
	"meldhall/templates/referee"
	"meldhall/tournament"
	"meldhall/tournament/draw"
	"meldhall/tournament/game"
	"meldhall/tournament/rights"
	"meldhall/tournament/screen"
	"meldhall/web/live"
	"meldhall/web/page"
	"meldhall/web/view"
)

func (s *Pages) hallPage(c *gin.Context) error {
	tournamentID := page.ID(c, "event")
	ctx := s.Page.Request.Language(c)
	all := c.Query("all") != ""
	view, err := s.views.floorView(ctx, s.Page.Request.Staff(c), tournamentID, all)
	if err != nil {
		return err
	}
	address := templates.HallPath(tournamentID) + "/live"
	if all {
		address += "?all=1"
	}
	view.Page = page.Near(view.Page, address)
	return page.ShowEvent(s.Page, c, http.StatusOK, locale.T(ctx, "hall.title"), &view, &view.Page,
		referee.FloorPage)
}

func (s *Pages) hallLive(c *gin.Context) error {
	tournamentID := page.ID(c, "event")
	all := c.Query("all") != ""
	return s.Page.StreamTimed(c, func(ctx context.Context, actor rights.Actor) (templ.Component, time.Duration,
		error) {
		view, err := s.views.floorView(ctx, actor, tournamentID, all)
		return referee.FloorRegion(view), nextClosing(view.Tables), err
	}, live.TournamentTopic(tournamentID))
}

// floorView returns a tournament's tables for an official, the most urgent first. It shows the tables of the official's
// zone, or all tables if all is set.
func (s *views) floorView(ctx context.Context, actor rights.Actor, tournamentID int64, all bool) (v referee.FloorView,
	err error) {
	if err := rights.Authorize(actor, rights.Place{Tournament: tournamentID}, rights.MaySeeDesk); err != nil {
		return v, err
	}
	t, err := tournament.TournamentByID(ctx, s.View.Store, tournamentID)
	if err != nil {
		return v, err
	}
	rounds, err := draw.Rounds(ctx, s.View.Store, tournamentID)
	if err != nil {
		return v, err
	}
	v.Event, v.Name, v.All = tournamentID, t.Name, all
	v.Train = !t.Trains() && rights.Authorize(actor, rights.Place{Tournament: tournamentID}, rights.MayTrain) == nil
	if v.Late, err = s.View.Schedule.LateLine(ctx, tournamentID); err != nil {
		return v, err
	}
	if v.Seconds, err = s.View.Seconds(ctx, actor, tournamentID); err != nil {
		return v, err
	}
	v.May = rights.Authorize(actor, rights.Place{Tournament: tournamentID}, rights.MayRule) == nil
	round, ok := view.CurrentRound(rounds)
	if !ok {
		return v, nil
	}
	f, err := t.Format()
	if err != nil {
		return v, err
	}
	v.Round, v.RoundID, v.Status, v.Stage = round.Number, round.ID, round.Status,
		view.StageName(ctx, f.Stages, round.Stage)
	if v.Started, err = s.View.Schedule.StartedWords(ctx, round); err != nil {
		return v, err
	}
	if v.Tables, err = s.floorRows(ctx, actor, round.ID); err != nil {
		return v, err
	}
	v.Dropped = droppedAtOnce(ctx, v.Tables)
	zone, err := screen.ZoneOf(ctx, s.View.Store, tournamentID, actor.Account)
	v.Zones = len(zone) > 0
	if v.Zones && !all {
		before := len(v.Tables)
		v.Tables = slices.DeleteFunc(v.Tables, func(r referee.FloorRow) bool {
			return !slices.Contains(zone,
				r.Number)
		})
		v.Others = before - len(v.Tables)
	}
	return v, err
}

// floorRows returns the tables of a round, the most urgent first.
func (s *views) floorRows(ctx context.Context, actor rights.Actor, round int64) ([]referee.FloorRow, error) {
	tables, err := s.View.TableRows(ctx, round)
	if err != nil {
		return nil, err
	}
	tried, err := screen.TriedCodes(ctx, s.View.Store, round)
	if err != nil {
		return nil, err
	}
	rows := make([]referee.FloorRow, len(tables))
	for i, table := range tables {
		rows[i] = referee.FloorRow{TableRow: table, Ruling: s.View.Attention.At(table.ID, actor)}
		for _, code := range tried {
			if code.Table == table.ID && code.Seat < len(table.Players) {
				addTried(ctx, &rows[i], code)
			}
		}
		snap, err := s.View.Games.Look(ctx, table.GameID)
		if err != nil && !errors.Is(err, game.ErrBroken) {
			return nil, err
		}
		if err == nil {
			addNeeds(ctx, &rows[i], snap.State)
			rows[i].Ticks = snap.State.Phase == engine.PhasePlaying && snap.State.Paused == nil && !snap.State.Physical
		} else {
			rows[i].Needs = []referee.FloorNeed{{Kind: table.Need}}
		}
	}
	slices.SortStableFunc(rows, func(a, b referee.FloorRow) int {
		return cmp.Or(cmp.Compare(referee.Urgency(a.Need), referee.Urgency(b.Need)), cmp.Compare(a.Since, b.Since),
			cmp.Compare(a.Number, b.Number))
	})
	return rows, nil
}

// addTried adds an alert that another device tried the code of a seat or a table. The device that used the code first
// may not belong to the players.
func addTried(ctx context.Context, row *referee.FloorRow, code screen.TriedCode) {
	text := locale.T(ctx, "alert.code_table", "table", row.Number)
	if code.Seat >= 0 {
		p := &row.Players[code.Seat]
		p.Tried, text = code.Times, locale.T(ctx, "alert.code", "table", row.Number, "name",
			locale.Isolate(p.Name))
	}
	row.Alerts = append(row.Alerts, part.Alert{Key: fmt.Sprintf("code-%d-%d-%d", row.ID, code.Seat, code.Times),
		Kind: "code", TableID: row.ID, Text: text})
}

// addNeeds adds everything that a table needs to its row, and the alerts for officials.
func addNeeds(ctx context.Context, row *referee.FloorRow, state engine.State) {
	if row.Need != "offline" && row.Need != "unlinked" { // addUnlinked and the alerts below show these two
		row.Needs = append(row.Needs, referee.FloorNeed{Kind: row.Need, Note: row.Note, Since: row.Since})
	}
	alert := func(kind, key, name string) {
		text := locale.T(ctx, "alert."+kind, "table", row.Number, "name", locale.Isolate(name))
		row.Alerts = append(row.Alerts, part.Alert{Key: key, Kind: kind, Text: text, TableID: row.ID})
	}
	for seat, call := range state.Calls {
		if seat < len(row.Players) && call.Open() && call.Coming == 0 {
			alert("called", fmt.Sprintf("call-%d-%d-%d", row.GameID, seat, call.Since), row.Players[seat].Name)
		}
	}
	addUnlinked(ctx, row, alert)
	gone := referee.FloorNeed{Kind: "offline"}
	if since := row.Tablet.Offline; since != 0 {
		gone.Note, gone.Since = locale.T(ctx, "floor.tablet"), since
		alert("offline", fmt.Sprintf("offline-%d-tablet-%d", row.ID, since), gone.Note)
	}
	penalties := state.Rulings.Penalties(state.Deal)
	for seat := range row.Players {
		p := &row.Players[seat]
		p.Penalties = penalties[seat]
		if p.Offline != 0 {
			gone.Note = view.JoinNames(gone.Note, p.Name)
			if gone.Since == 0 || p.Offline < gone.Since {
				gone.Since = p.Offline
			}
			alert("offline", fmt.Sprintf("offline-%d-%d-%d", row.ID, seat, p.Offline), p.Name)
		}
	}
	if gone.Since != 0 {
		row.Needs = append(row.Needs, gone)
	}
	for _, group := range referee.ProposedBySeat(state.Rulings.Undecided()) {
		name := row.Players[group.Seat()].Name
		row.Needs = append(row.Needs, referee.FloorNeed{Kind: "proposal", Words: group.Words(ctx, name),
			Since: group[0].At})
		alert("proposal", fmt.Sprintf("proposal-%d-%d", row.GameID, group.Seat()), name)
	}
	if state.TimeOver && state.Phase == engine.PhasePlaying {
		row.Needs = append(row.Needs, referee.FloorNeed{Kind: "hurry"})
	}
	if row.Closing = closingAt(state); row.Closing != 0 && row.Clock.Now >= row.Closing {
		row.Needs = append(row.Needs, referee.FloorNeed{Kind: "closing", Since: row.Closing})
	}
	slices.SortStableFunc(row.Needs, func(a, b referee.FloorNeed) int {
		return cmp.Compare(referee.Urgency(a.Kind), referee.Urgency(b.Kind))
	})
	if len(row.Needs) > 1 { // running matters only if there is nothing else
		row.Needs = slices.DeleteFunc(row.Needs, func(n referee.FloorNeed) bool { return n.Kind == "running" })
	}
	row.Need, row.Since = row.Needs[0].Kind, row.Needs[0].Since
}

// addUnlinked adds the players who never had a tablet at the tournament, as a need above that for players who lost
// theirs. If the table is held, it only adds their names to that need.
func addUnlinked(ctx context.Context, row *referee.FloorRow, alert func(kind, key, name string)) {
	none := referee.FloorNeed{Kind: "unlinked", Since: row.Since}
	for seat, p := range row.Players {
		if p.Unlinked {
			none.Note = view.JoinNames(none.Note, p.Name)
			alert("unlinked", fmt.Sprintf("unlinked-%d-%d", row.GameID, seat), p.Name)
		}
	}
	switch {
	case none.Note == "":
	case row.Need == "held":
		row.Needs[0].Note = none.Note
	default:
		row.Needs = append(row.Needs, none)
	}
}

// otherAlerts returns the alerts for a page about one table: those of the other tables in the official's zone, those
// about open protests, and those about penalties and corrections that the official may confirm.
func (s *views) otherAlerts(ctx context.Context, actor rights.Actor, tournamentID, round,
	table int64) ([]part.Alert, error) {
	zone, err := screen.ZoneOf(ctx, s.View.Store, tournamentID, actor.Account)
	if err != nil {
		return nil, err
	}
	rows, err := s.floorRows(ctx, actor, round)
	if err != nil {
		return nil, err
	}
	seconds, err := s.View.Seconds(ctx, actor, tournamentID)
	if err != nil {
		return nil, err
	}
	var alerts []part.Alert
	for _, row := range rows {
		if row.ID != table && (len(zone) == 0 || slices.Contains(zone, row.Number)) {
			alerts = append(alerts, row.Alerts...)
		}
	}
	// penalties to confirm can wait, a table cannot
	return append(alerts, slices.DeleteFunc(seconds, func(a part.Alert) bool { return a.Key == "" })...), nil
}

func (s *Pages) zonesPage(c *gin.Context) error {
	tournamentID := page.ID(c, "event")
	ctx, actor := s.Page.Request.Language(c), s.Page.Request.Staff(c)
	zones, err := screen.ZoneList(ctx, s.View.Store, actor, tournamentID)
	if err != nil {
		return err
	}
	t, err := tournament.TournamentByID(ctx, s.View.Store, tournamentID)
	if err != nil {
		return err
	}
	view := referee.ZonesView{Event: tournamentID, Bind: t.ZonesBind,
		MayAssign: rights.Authorize(actor, rights.Place{Tournament: tournamentID}, rights.MayAssignZones) == nil}
	for _, z := range zones {
		view.Zones = append(view.Zones, referee.ZoneRow{Account: z.Account, Name: z.Name,
			Role: part.Role(z.Role), Tables: rights.FormatTables(z.Tables), Self: z.Account == actor.Account})
	}
	if view.Uncovered, err = s.views.uncovered(ctx, tournamentID, zones); err != nil {
		return err
	}
	return page.ShowEvent(s.Page, c, http.StatusOK, locale.T(ctx, "zones.title"), &view, &view.Page,
		referee.ZonesPage)
}

// uncovered returns the tables of the newest round that no referee covers, formatted for readers. It returns "" if a
// referee covers the whole hall or there is no referee.
func (s *views) uncovered(ctx context.Context, tournamentID int64, zones []screen.Zone) (string, error) {
	covered, referees := map[int]bool{}, 0
	for _, z := range zones {
		if z.Role != rights.RoleReferee && z.Role != rights.RoleHeadReferee {
			continue
		}
		if referees++; len(z.Tables) == 0 {
			return "", nil
		}
		for _, n := range z.Tables {
			covered[n] = true
		}
	}
	rounds, err := draw.Rounds(ctx, s.View.Store, tournamentID)
	if err != nil || len(rounds) == 0 || referees == 0 {
		return "", err
	}
	tables, err := tournament.Tables(ctx, s.View.Store, rounds[len(rounds)-1].ID)
	var free []int
	for _, t := range tables {
		if !covered[t.Number] {
			free = append(free, t.Number)
		}
	}
	slices.Sort(free)
	return rights.FormatTables(free), err
}

// zoneSet confirms which tables an official looks after now.
func (s *Pages) zoneSet(c *gin.Context, zone screen.Zone) error {
	to := templates.ZonesPath(page.ID(c, "event"))
	if len(zone.Tables) == 0 {
		return s.Page.SeeOther(c, to, "zones.cleared", "name", zone.Name)
	}
	return s.Page.SeeOther(c, to, "zones.set", "name", zone.Name, "tables", rights.FormatTables(zone.Tables))
}
