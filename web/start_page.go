package web

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/door"
	"meldhall/tournament/pairing"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/web/venue"
)

// partlyStarted tells whether a round runs of which only single tables were started.
func partlyStarted(r tournament.Round) bool {
	return r.Status == tournament.RoundRunning && r.StartedAt == 0
}

// startedWords say how many tables of a round were started while only some are, empty otherwise.
func (s *views) startedWords(ctx context.Context, r tournament.Round) (string, error) {
	if !partlyStarted(r) {
		return "", nil
	}
	counts, err := tournament.RoundCounts(ctx, s.Store, r.TournamentID)
	return startedText(ctx, counts[r.ID].Started, counts[r.ID].Tables), err
}

// partlyNow is the number of an event's round of which only single tables were started, -1 where there is none, with how many
// those are in words.
func (s *views) partlyNow(ctx context.Context, event int64) (number int, words string, err error) {
	rounds, err := tournament.Rounds(ctx, s.Store, event)
	if err != nil {
		return -1, "", err
	}
	round, ok := venue.CurrentRound(rounds)
	if !ok || !partlyStarted(round) {
		return -1, "", nil
	}
	words, err = s.startedWords(ctx, round)
	return round.Number, words, err
}

func startedText(ctx context.Context, started, of int) string {
	return templates.T(ctx, "round.tables_started", "n", started, "of", of)
}

// sheetStartPost starts the table of a sheet alone.
func (s *refereePages) sheetStartPost(c *gin.Context) error {
	event, table := idIn(c, "event"), idIn(c, "table")
	began, err := s.startTable(s.Language(c), s.Staff(c), event, table)
	if err != nil {
		return s.again(c, err, s.at(templates.RulingPath(event, table)))
	}
	done := "done.table.start"
	if !began {
		done = "round.table_started_before"
	}
	return s.seeOther(c, templates.RulingPath(event, table), done)
}

// missingAt is how many players of a table have no tablet there.
func (s *views) missingAt(ctx context.Context, table tournament.Table) (int, error) {
	t, err := tournament.TournamentByID(ctx, s.Store, table.TournamentID)
	if err != nil {
		return 0, err
	}
	whole, err := tournament.TableDevices(ctx, s.Store, table.TournamentID)
	if err != nil || t.Physical(table) && whole[table.Number] != "" {
		return 0, err
	}
	missing := 0
	for _, seat := range table.Seats {
		if !seat.Player.Joined() {
			missing++
		}
	}
	return missing, nil
}

// startTable starts one table of an event's round; began is false for one that was started before.
func (s *Server) startTable(ctx context.Context, actor rights.Actor, event, table int64) (began bool, err error) {
	at, err := tournament.TableByID(ctx, s.Store, table)
	if err != nil {
		return false, err
	}
	if at.TournamentID != event {
		return false, refuse.NotFound("err_table_not_found", "id", table)
	}
	return door.Do(ctx, s.Desk, actor, tournament.StartTable{Table: table})
}

// addTiles tells what the tables of a round are played with, and which have one device for all.
func (s *views) addTiles(ctx context.Context, view *templates.RoundView, t tournament.Tournament, tables []tournament.Table) error {
	devices, err := tournament.TableDevices(ctx, s.Store, t.ID)
	if err != nil {
		return err
	}
	view.Tiles = t.Tiles
	for i, table := range tables {
		row := &view.Tables[i]
		row.Tiles, row.Own = tournament.DigitalTiles, table.Tiles != ""
		if t.Physical(table) {
			row.Tiles, row.Device = tournament.RealTiles, devices[table.Number] != ""
		}
	}
	return nil
}

// swapPage shows what an exchange of two players of a draft would change.
func (s *deskPages) swapPage(c *gin.Context) error { return s.showSwap(c, http.StatusOK, "") }

func (s *deskPages) showSwap(c *gin.Context, status int, problem string) error {
	at := roundOf(c)
	a, b := queryID(c, "a"), queryID(c, "b")
	if c.Request.Method == http.MethodPost {
		a, b = formID(c, "a"), formID(c, "b")
	}
	ctx := s.Language(c)
	swap, err := door.Preview(ctx, s.Desk, s.Staff(c), tournament.SwapSeats{Round: at.round, A: a, B: b})
	if err != nil {
		return s.again(c, err, s.at(templates.RoundPath(at.event, at.round)))
	}
	round, err := tournament.RoundByID(ctx, s.Store, at.round)
	if err != nil {
		return err
	}
	tables, err := tournament.Tables(ctx, s.Store, at.round)
	if err != nil {
		return err
	}
	names := drawNames(tables)
	view := templates.SwapView{Event: at.event, Round: at.round, Number: round.Number,
		A: a, B: b, NameA: names[a], NameB: names[b], TableA: swap.Tables[0], TableB: swap.Tables[1], Changes: swapChanges(ctx, swap), NeedsWhy: !round.SeatedByHand(), Problem: problem}
	for i, table := range tables {
		if table.Number == swap.Tables[0] {
			view.WhyA = whyLines(ctx, swap.After.Why[0][i], names)
		}
		if table.Number == swap.Tables[1] {
			view.WhyB = whyLines(ctx, swap.After.Why[0][i], names)
		}
	}
	return showEvent(s.Server, c, status, templates.T(ctx, "draw.swap"), &view, &view.Page, templates.SwapPage)
}

// swapChanges says what a swap costs or gains, field by field, the weightiest first. Requests are shown as pairs who share a
// table, by what they share; by their weight only where no such number moves.
func swapChanges(ctx context.Context, swap tournament.SeatSwap) []templates.DrawFact {
	c, pairs := swap.Cost, map[string]int64{}
	together(swap.After, func(why string) { pairs[why]++ })
	together(swap.Before, func(why string) { pairs[why]-- })
	wishes := c.Wishes
	if slices.ContainsFunc(slices.Collect(maps.Values(pairs)), func(n int64) bool { return n != 0 }) {
		wishes = 0
	}
	var facts []templates.DrawFact
	for _, f := range []struct {
		field string
		n     int64
	}{{"consecutive", c.Consecutive}, {"repeats", int64(swap.After.Extra - swap.Before.Extra)},
		{"apart", pairs["apart"]}, {"family", pairs["family"]}, {"club", pairs["club"]}, {"country", pairs["country"]}, {"wishes", wishes},
		{"threes", c.Threes}, {"starts", c.Starts}, {"seats", c.Seats}, {"neighbours", c.Neighbours / 2}, {"rank_gap", c.RankGap}} {
		if f.n != 0 {
			facts = append(facts, templates.DrawFact{Name: templates.T(ctx, "draw.cost."+f.field), Value: strings.Replace(fmt.Sprintf("%+d", f.n), "-", "\u2212", 1), Bad: f.n > 0})
		}
	}
	return facts
}

// together tells of each pair that sits at one table in spite of a wish why they should not.
func together(rep pairing.Report, tell func(why string)) {
	for _, tables := range rep.Why {
		for _, table := range tables {
			for _, pair := range table.Together {
				tell(pair.Why)
			}
		}
	}
}

func (s *deskPages) swapPost(c *gin.Context) error {
	at := roundOf(c)
	swap := tournament.SwapSeats{Round: at.round, A: formID(c, "a"), B: formID(c, "b"), Why: c.PostForm("why")}
	return s.post(c, swap, s.showSwap, templates.RoundPath(at.event, at.round), "draw.swapped")
}
