package web

import (
	"context"
	"fmt"
	"slices"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/pairing"
	"meldhall/tournament/spelling"
	"meldhall/web/frame"
)

// drawNames tells who is who at a round's tables.
func drawNames(tables []tournament.Table) map[int64]string {
	names := map[int64]string{}
	for _, t := range tables {
		for _, seat := range t.Seats {
			names[seat.PlayerID] = seat.Player.Name
		}
	}
	return names
}

// searching says how far a search for an event's seats is; empty when none runs.
func (s *views) searching(ctx context.Context, event int64) string {
	percent, ok := s.Searches.Of(event)
	if !ok {
		return ""
	}
	return templates.T(ctx, "draw.searching", "n", percent)
}

// addDraw puts the report of the draw into the round's page, and what may be done with a draft.
func (s *views) addDraw(ctx context.Context, view *templates.RoundView, r tournament.Round, tables []tournament.Table, chosen int64) error {
	rep := r.PairingReport()
	names := drawNames(tables)
	d := &view.Draw
	d.Duplicate, d.Checked = r.Duplicate, r.CheckedBy
	if err := s.drawnAgainBy(ctx, d, r); err != nil {
		return err
	}
	if name, ok := names[chosen]; ok && (r.Status == tournament.RoundDraft || r.Status == tournament.RoundPublished) {
		d.Chosen, d.ChosenAs = chosen, name
		if err := s.addFreeChairs(ctx, d, r, tables); err != nil {
			return err
		}
	}
	d.Searching = s.searching(ctx, r.TournamentID)
	if rep.Version == 0 {
		return nil
	}
	if r.PlayOff > 0 { // nothing was weighed that could be given up
		d.Notes = append(d.Notes, templates.T(ctx, "draw.play_off"))
		return nil
	}
	d.Facts = append(drawFacts(ctx, rep, len(tables)), familyFacts(ctx, tables)...)
	if len(rep.Why) > 0 {
		byTable := rep.Why[0]
		for i := range view.Tables {
			if i < len(byTable) {
				why := byTable[i]
				why.Three = why.Three && len(view.Tables[i].Seats) == 3 // a late player may have come since
				view.Tables[i].Why = whyLines(ctx, why, names)
				d.GivenUp = append(d.GivenUp, givenUp(ctx, view.Tables[i].Number, byTable[i], names)...)
			}
		}
	}
	if len(tables) == 1 {
		d.GivenUp, d.Forced = nil, templates.T(ctx, "draw.one_table")
	}
	d.Notes = append(d.Notes, drawNotes(ctx, r, tables)...)
	promise, err := tournament.PromiseOf(ctx, s.Store, r.TournamentID, r.Number)
	if err != nil || promise == nil {
		return err
	}
	d.Notes = append(d.Notes, templates.T(ctx, "draw.promise_"+promise.KeptBy(r), "n", r.Changes), promised(ctx, *promise))
	if text := promise.Told(r).Text; text != "" {
		d.Notes = append(d.Notes, text)
	}
	return nil
}

// drawNotes says how a round was seated: the method, its seed, and what was done by hand.
func drawNotes(ctx context.Context, r tournament.Round, tables []tournament.Table) []string {
	notes := []string{templates.T(ctx, "method."+r.Method)}
	if seed := r.ToldSeed(); seed != 0 {
		notes = append(notes, templates.T(ctx, "draw.seed")+" "+fmt.Sprint(seed))
	} else {
		notes = append(notes, templates.T(ctx, "draw.seed_sealed"))
	}
	if r.Method == pairing.Chart {
		notes = append(notes, templates.T(ctx, "draw.chart_numbers", "n", numbersDrawn(tables), "of", len(drawNames(tables))))
	}
	if n := r.Ahead(); n > 0 && r.Method == pairing.Script {
		notes = append(notes, templates.T(ctx, "draw.script_left", "n", n))
	}
	if r.SeatedByHand() {
		notes = append(notes, templates.T(ctx, "draw.by_hand"))
	}
	if r.Draws > 1 {
		notes = append(notes, templates.T(ctx, "draw.draws", "n", r.Draws))
	}
	if r.Note != "" {
		notes = append(notes, templates.T(ctx, "draw.note_of", "note", r.Note))
	}
	if r.Replanned > 0 {
		notes = append(notes, templates.T(ctx, "draw.replanned", "n", r.Replanned))
	}
	if r.Changes > 0 {
		notes = append(notes, templates.T(ctx, "draw.changes", "n", r.Changes))
	}
	if r.PairingReport().Ended {
		notes = append(notes, templates.T(ctx, "draw.ended"))
	}
	return notes
}

// numbersDrawn is how many of the players at the tables have drawn a number.
func numbersDrawn(tables []tournament.Table) (n int) {
	for _, t := range tables {
		for _, seat := range t.Seats {
			if seat.Player.Drawn > 0 {
				n++
			}
		}
	}
	return n
}

// drawnAgainBy says how a draft may be seated instead, and what goes with it.
func (s *views) drawnAgainBy(ctx context.Context, d *templates.DrawView, r tournament.Round) (err error) {
	if r.Method == pairing.Script && r.Status == tournament.RoundDraft {
		d.File, d.FileAfter, d.Methods = true, r.Ahead(), []string{pairing.Script}
		d.FileLost, err = tournament.FileLost(ctx, s.Store, r)
	}
	if d.Methods = append(d.Methods, tournament.AskedMethods()...); r.PlayOff > 0 { // those who tie play each other
		d.Methods = nil
	}
	return err
}

// drawFacts counts what a draw should not have. Nothing is bad that nobody could have drawn otherwise: at a table alone, and what is met
// again as often as counting alone asks for.
func drawFacts(ctx context.Context, rep pairing.Report, tables int) []templates.DrawFact {
	repeats, inRow, wishes := 0, 0, 0
	for _, table := range slices.Concat(rep.Why...) {
		repeats, wishes = repeats+len(table.Repeats), wishes+len(table.Together)
		for _, m := range table.Repeats {
			if m.InRow {
				inRow++
			}
		}
	}
	fact := func(key string, n int, bad bool) templates.DrawFact {
		return templates.DrawFact{Name: templates.T(ctx, key), Value: fmt.Sprint(n), Bad: bad}
	}
	free := tables > 1
	extra := fact("draw.extra", rep.Extra, false)
	extra.More = templates.T(ctx, "draw.bound", "n", rep.Bound)
	after := fact("draw.after", rep.After, false)
	after.More = templates.T(ctx, "draw.bound", "n", rep.AfterMin)
	facts := []templates.DrawFact{fact("draw.repeats", repeats, repeats > 0 && free && rep.Extra > rep.Bound), fact("draw.in_row", inRow, inRow > 0 && free),
		fact("draw.wishes", wishes, wishes > 0 && free), fact("draw.uneven", rep.Uneven, false)}
	if rep.Version > 1 { // it was not counted before
		facts = append(facts, after)
	}
	facts = append(facts, extra)
	if p := rep.Plan; p != nil {
		plan := fact("draw.plan", p.Extra, false)
		if plan.More = templates.T(ctx, "draw.plan.proved"); p.Extra > p.Bound {
			plan.More = templates.T(ctx, "draw.plan.open", "n", p.Extra-p.Bound)
		}
		facts = append(facts, plan)
	}
	return facts
}

// familyFacts says how many families of more than one player sit at different tables each; nothing where there is none.
func familyFacts(ctx context.Context, tables []tournament.Table) []templates.DrawFact {
	players, at := map[string]int{}, map[string]map[int64]bool{}
	for _, t := range tables {
		for _, seat := range t.Seats {
			if family := spelling.Fold(seat.Player.Family); family != "" {
				if at[family] == nil {
					at[family] = map[int64]bool{}
				}
				players[family]++
				at[family][t.ID] = true
			}
		}
	}
	families, apart := 0, 0
	for family, n := range players {
		if n > 1 {
			families++
			if len(at[family]) == n {
				apart++
			}
		}
	}
	if families == 0 {
		return nil
	}
	return []templates.DrawFact{{Name: templates.T(ctx, "draw.families"), Value: templates.T(ctx, "draw.families_of", "n", apart, "of", families), Bad: apart < families}}
}

// whyMost is how many reasons a table shows of one kind.
const whyMost = 3

// whyLines is why a table is as it is, in words.
func whyLines(ctx context.Context, w pairing.TableWhy, names map[int64]string) []string {
	lines := givenUpLines(ctx, w, names)
	if len(w.Repeats) == 0 {
		lines = append(lines, templates.T(ctx, "draw.why.new"))
	}
	if w.Three && w.FirstAt3 > 0 {
		lines = append(lines, templates.T(ctx, "draw.why.three", "n", w.FirstAt3))
	}
	if w.From > 0 && w.To > w.From {
		lines = append(lines, templates.T(ctx, "draw.why.places", "from", w.From, "to", w.To))
	}
	return lines
}

// givenUpLines is what a table has that it should not have, the worst first.
func givenUpLines(ctx context.Context, w pairing.TableWhy, names map[int64]string) []string {
	var lines []string
	for _, m := range w.Repeats {
		key := "draw.why.again"
		if m.InRow {
			key = "draw.why.row"
		}
		lines = append(lines, templates.T(ctx, key, "a", names[m.Players[0]], "b", names[m.Players[1]]))
	}
	for _, c := range w.Together {
		lines = append(lines, templates.T(ctx, "draw.why."+c.Why, "a", names[c.Players[0]], "b", names[c.Players[1]]))
	}
	if more := len(lines) - whyMost; more > 0 {
		lines = append(lines[:whyMost:whyMost], templates.T(ctx, "draw.why.more", "n", more))
	}
	return lines
}

func givenUp(ctx context.Context, table int, w pairing.TableWhy, names map[int64]string) []string {
	lines := givenUpLines(ctx, w, names)
	for i := range lines {
		lines[i] = templates.T(ctx, "table.title", "number", table) + ": " + lines[i]
	}
	return lines
}

// scriptPost takes the seats of a file, for the draft in the address or for a round that is not drafted yet.
func (s *deskPages) scriptPost(c *gin.Context) error {
	event, from := frame.ID(c, "event"), templates.DeskPath(frame.ID(c, "event"))
	if c.Param("round") != "" {
		from = templates.RoundPath(event, frame.ID(c, "round"))
	}
	text, err := rosterText(c)
	if err != nil {
		return s.Again(c, err, s.At(from))
	}
	return s.drawPost(c, tournament.PairRound{Tournament: event, File: &text, PairingOptions: tournament.PairingOptions{Note: c.PostForm("note")}}, from)
}

// promised says what is promised of a round's draw.
func promised(ctx context.Context, p tournament.SeedPromise) string {
	text := templates.T(ctx, "draw.promised", "round", p.Round, "hash", p.Hash)
	if p.Method != "" {
		text = templates.T(ctx, "method."+p.Method) + ". " + text
	}
	return text
}

// seatingView is what may be set before the next draw.
func (s *views) seatingView(ctx context.Context, e eventState) (templates.SeatingView, error) {
	view := templates.SeatingView{Event: e.ID}
	if next := e.nextStep(ctx); next.Post && next.URL == string(templates.RoundsPath(e.ID)) {
		view.Draw, view.Methods = next.Text, tournament.AskedMethods()
		if e.cut != nil && len(e.cut.PlayOff) > 0 { // those who tie play each other
			view.Methods = nil
		}
		if n := len(e.rounds); n > 0 && e.rounds[n-1].Method == pairing.Script {
			view.FileAfter = e.rounds[n-1].Ahead() - 1
		}
	}
	if e.Status == tournament.StatusFinished {
		return view, nil
	}
	promise, err := tournament.PromiseOf(ctx, s.Store, e.ID, len(e.rounds)+1)
	if err != nil {
		return view, err
	}
	if promise == nil {
		if view.Promises, err = tournament.PromiseMethods(ctx, s.Store, e.ID); err != nil {
			return view, err
		}
	} else {
		view.Promise = promised(ctx, *promise)
		if promise.Method != "" {
			view.Promised = templates.T(ctx, "method."+promise.Method)
		}
	}
	names := map[int64]string{}
	for _, p := range e.players {
		names[p.ID] = p.Name
		view.Players = append(view.Players, templates.Choice{Value: fmt.Sprint(p.ID), Name: p.Name})
	}
	pairs, err := tournament.KeptApart(ctx, s.Store, e.ID)
	for _, pair := range pairs {
		if names[pair[0]] != "" && names[pair[1]] != "" {
			view.Apart = append(view.Apart, templates.ApartPair{A: pair[0], B: pair[1], NameA: names[pair[0]], NameB: names[pair[1]]})
		}
	}
	return view, err
}

func queryID(c *gin.Context, name string) int64 { return idOf(c.Query(name)) }

func formID(c *gin.Context, name string) int64 { return idOf(c.PostForm(name)) }

// idOf reads a number of the database; what is none is 0, which nothing has.
func idOf(text string) (id int64) {
	_, _ = fmt.Sscan(text, &id)
	return id
}
