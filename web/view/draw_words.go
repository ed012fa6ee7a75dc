package view

import (
	"context"
	"fmt"
	"slices"

	"meldhall/templates/desk"
	"meldhall/templates/locale"
	"meldhall/tournament"
	"meldhall/tournament/draw"
	"meldhall/tournament/pairing"
	"meldhall/tournament/spelling"
)

// DrawReport describes how a round was seated: its figures, the compromises, its method, and the reasons for each table
// in why. For a round seated before reports existed, it sets only d.Duplicate and d.Checked.
func (s *Reader) DrawReport(ctx context.Context, r tournament.Round, tables []tournament.Table) (d desk.DrawView,
	why [][]string, err error) {
	rep := r.PairingReport()
	names := DrawNames(tables)
	why = make([][]string, len(tables))
	d.Duplicate, d.Checked = r.Duplicate, r.CheckedBy
	if rep.Version == 0 {
		return d, why, nil
	}
	if r.PlayOff > 0 { // a play-off weighs nothing, so there are no compromises
		d.Notes = append(d.Notes, locale.T(ctx, "draw.play_off"))
		return d, why, nil
	}
	d.Facts = append(drawFacts(ctx, rep, len(tables)), familyFacts(ctx, tables)...)
	if len(rep.Why) > 0 {
		for i, at := range rep.Why[0][:min(len(rep.Why[0]), len(tables))] {
			told := at
			told.Three = at.Three && len(tables[i].Seats) == 3 // a late player may have joined since
			why[i] = WhyLines(ctx, told, names)
			d.GivenUp = append(d.GivenUp, givenUp(ctx, tables[i].Number, at, names)...)
		}
	}
	if len(tables) == 1 {
		d.GivenUp, d.Forced = nil, locale.T(ctx, "draw.one_table")
	}
	d.Notes = append(d.Notes, drawNotes(ctx, r, tables)...)
	promise, err := draw.PromiseOf(ctx, s.Store, r.TournamentID, r.Number)
	if err != nil || promise == nil {
		return d, why, err
	}
	d.Notes = append(d.Notes, locale.T(ctx, "draw.promise_"+promise.KeptBy(r), "n", r.Changes),
		Promised(ctx, *promise))
	if text := promise.Told(r).Text; text != "" {
		d.Notes = append(d.Notes, text)
	}
	return d, why, nil
}

// whyMost is how many compromises a table shows.
const whyMost = 3

// DrawNames returns the names of the players at a round's tables, by player ID.
func DrawNames(tables []tournament.Table) map[int64]string {
	names := map[int64]string{}
	for _, t := range tables {
		for _, seat := range t.Seats {
			names[seat.PlayerID] = seat.Player.Name
		}
	}
	return names
}

// drawNotes describes how a round was seated: the method, its seed, and manual changes.
func drawNotes(ctx context.Context, r tournament.Round, tables []tournament.Table) []string {
	notes := []string{locale.T(ctx, "method."+r.Method)}
	if seed := r.ToldSeed(); seed != 0 {
		notes = append(notes, locale.T(ctx, "draw.seed")+" "+fmt.Sprint(seed))
	} else {
		notes = append(notes, locale.T(ctx, "draw.seed_sealed"))
	}
	if r.Method == pairing.Chart {
		notes = append(notes, locale.T(ctx, "draw.chart_numbers", "n", numbersDrawn(tables), "of",
			len(DrawNames(tables))))
	}
	if n := r.Ahead(); n > 0 && r.Method == pairing.Script {
		notes = append(notes, locale.T(ctx, "draw.script_left", "n", n))
	}
	if r.SeatedByHand() {
		notes = append(notes, locale.T(ctx, "draw.by_hand"))
	}
	if r.Draws > 1 {
		notes = append(notes, locale.T(ctx, "draw.draws", "n", r.Draws))
	}
	if r.Note != "" {
		notes = append(notes, locale.T(ctx, "draw.note_of", "note", r.Note))
	}
	if r.Replanned > 0 {
		notes = append(notes, locale.T(ctx, "draw.replanned", "n", r.Replanned))
	}
	if r.Changes > 0 {
		notes = append(notes, locale.T(ctx, "draw.changes", "n", r.Changes))
	}
	if r.PairingReport().Ended {
		notes = append(notes, locale.T(ctx, "draw.ended"))
	}
	return notes
}

// numbersDrawn returns how many of the players at the tables have drawn a number.
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

// drawFacts returns how often a draw did what it should avoid. It does not mark unavoidable cases as bad: any at a
// single table, and as many repeats as the lower bound requires.
func drawFacts(ctx context.Context, rep pairing.Report, tables int) []desk.DrawFact {
	repeats, inRow, wishes := 0, 0, 0
	for _, table := range slices.Concat(rep.Why...) {
		repeats, wishes = repeats+len(table.Repeats), wishes+len(table.Together)
		for _, m := range table.Repeats {
			if m.InRow {
				inRow++
			}
		}
	}
	fact := func(key string, n int, bad bool) desk.DrawFact {
		return desk.DrawFact{Name: locale.T(ctx, key), Value: fmt.Sprint(n), Bad: bad}
	}
	extra := fact("draw.extra", rep.Extra, false)
	extra.More = locale.T(ctx, "draw.bound", "n", rep.Bound)
	after := fact("draw.after", rep.After, false)
	after.More = locale.T(ctx, "draw.bound", "n", rep.AfterMin)
	free := tables > 1
	facts := []desk.DrawFact{fact("draw.repeats", repeats, repeats > 0 && free && rep.Extra > rep.Bound),
		fact("draw.in_row", inRow, inRow > 0 && free),
		fact("draw.wishes", wishes, wishes > 0 && free), fact("draw.uneven", rep.Uneven, false)}
	if rep.Version > 1 { // older reports did not count it
		facts = append(facts, after)
	}
	facts = append(facts, extra)
	if p := rep.Plan; p != nil {
		plan := fact("draw.plan", p.Extra, false)
		if plan.More = locale.T(ctx, "draw.plan.proved"); p.Extra > p.Bound {
			plan.More = locale.T(ctx, "draw.plan.open", "n", p.Extra-p.Bound)
		}
		facts = append(facts, plan)
	}
	return facts
}

// familyFacts returns how many families of several players have all members at different tables. It returns nil if
// there are no such families.
func familyFacts(ctx context.Context, tables []tournament.Table) []desk.DrawFact {
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
	return []desk.DrawFact{{Name: locale.T(ctx, "draw.families"),
		Value: locale.T(ctx, "draw.families_of", "n", apart, "of", families), Bad: apart < families}}
}

// WhyLines explains why the players of a table were seated together. names contains their names, by player ID.
func WhyLines(ctx context.Context, w pairing.TableWhy, names map[int64]string) []string {
	lines := givenUpLines(ctx, w, names)
	if len(w.Repeats) == 0 {
		lines = append(lines, locale.T(ctx, "draw.why.new"))
	}
	if w.Three && w.FirstAt3 > 0 {
		lines = append(lines, locale.T(ctx, "draw.why.three", "n", w.FirstAt3))
	}
	if w.From > 0 && w.To > w.From {
		lines = append(lines, locale.T(ctx, "draw.why.places", "from", w.From, "to", w.To))
	}
	return lines
}

// givenUpLines describes a table's compromises, the worst first.
func givenUpLines(ctx context.Context, w pairing.TableWhy, names map[int64]string) []string {
	var lines []string
	for _, m := range w.Repeats {
		key := "draw.why.again"
		if m.InRow {
			key = "draw.why.row"
		}
		lines = append(lines, locale.T(ctx, key, "a", names[m.Players[0]], "b", names[m.Players[1]]))
	}
	for _, c := range w.Together {
		lines = append(lines, locale.T(ctx, "draw.why."+c.Why, "a", names[c.Players[0]], "b", names[c.Players[1]]))
	}
	if more := len(lines) - whyMost; more > 0 {
		lines = append(lines[:whyMost:whyMost], locale.T(ctx, "draw.why.more", "n", more))
	}
	return lines
}

func givenUp(ctx context.Context, table int, w pairing.TableWhy, names map[int64]string) []string {
	lines := givenUpLines(ctx, w, names)
	for i := range lines {
		lines[i] = locale.T(ctx, "table.title", "number", table) + ": " + lines[i]
	}
	return lines
}

// Promised describes the promised seed of a round's draw: the hash, and the method if one was promised.
func Promised(ctx context.Context, p tournament.SeedPromise) string {
	text := locale.T(ctx, "draw.promised", "round", p.Round, "hash", p.Hash)
	if p.Method != "" {
		text = locale.T(ctx, "method."+p.Method) + ". " + text
	}
	return text
}
