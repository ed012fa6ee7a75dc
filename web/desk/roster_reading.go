package desk

import (
	"cmp"
	"context"
	"encoding/base64"
	"maps"
	"slices"
	"strings"

	"meldhall/templates/desk"
	"meldhall/templates/locale"
	"meldhall/tournament/listfile"
	"meldhall/tournament/people"
	"meldhall/tournament/rosterfile"
	"meldhall/tournament/spelling"
)

// newReading describes how a list was read, and which choices there are.
func newReading(ctx context.Context, roster rosterfile.Roster, list people.ImportRoster) desk.ImportReading {
	read := roster.List
	view := desk.ImportReading{Encoding: read.Encoding, Guessed: read.Guessed, Sheet: read.Sheet, Sheets: read.Sheets,
		Header: read.Header, Unknown: len(read.Unknown()) > 0, Ignore: list.Ignore, Hidden: list.Hidden, Cut: list.Cut,
		Left: leftOf(ctx, read)}
	if !listfile.IsText(list.File) {
		view.Raw = base64.StdEncoding.EncodeToString([]byte(list.File))
	}
	if read.Encoding != "" {
		view.Encodings = listfile.Encodings()
	}
	for _, row := range read.Top {
		text := []rune(spelling.Clean(strings.Join(row.Cells, " · ")))
		view.Tops = append(view.Tops, desk.ImportTop{Line: row.Line, Text: string(text[:min(len(text), 60)])})
	}
	for _, c := range read.Columns {
		view.Columns = append(view.Columns, desk.ImportColumn{Number: c.Number, Label: c.Label(), Sample: c.Sample,
			Field: c.Field})
	}
	for _, left := range read.Left {
		view.HasHidden = view.HasHidden || left.What == listfile.LeftHiddenRows ||
			left.What == listfile.LeftHiddenColumns
	}
	for _, p := range roster.Problems {
		text, _ := p.Err.Args["value"].(string)
		view.HasParts = view.HasParts || p.Err.Key == "err_player_rating" && strings.ContainsAny(text, ".,")
	}
	return view
}

// leftMost is how many places and texts a sentence about what is left out names.
const leftMost = 8

// leftOf returns what is left out of a list, as sentences.
func leftOf(ctx context.Context, read listfile.List) (texts []string) {
	some := func(all []string) string {
		if len(all) > leftMost {
			all = append(slices.Clone(all[:leftMost]), "…")
		}
		return strings.Join(all, ", ")
	}
	for _, left := range read.Left {
		texts = append(texts, locale.T(ctx, "roster.left."+left.What, "n", len(left.At), "at", some(left.At), "texts",
			locale.Isolate(some(left.Texts))))
	}
	var out []string
	for _, c := range read.Columns {
		if c.Field == listfile.Ignored {
			out = append(out, c.Label())
		}
	}
	if len(out) > 0 {
		texts = append(texts, locale.T(ctx, "roster.left.ignored", "n", len(out), "at", locale.Isolate(some(out))))
	}
	return texts
}

// textOf returns a list as lines whose cells are separated by tabs, to be edited.
func textOf(list listfile.List) string {
	var text strings.Builder
	line := func(cells []string) {
		for i, cell := range cells {
			cells[i] = spelling.Clean(cell)
		}
		text.WriteString(strings.Join(cells, "\t") + "\n")
	}
	if list.Header != listfile.NoHeader {
		var titles []string
		for _, c := range list.Columns {
			titles = append(titles, c.Label())
		}
		line(titles)
	}
	for _, row := range list.Rows {
		line(slices.Clone(row.Cells))
	}
	return text.String()
}

// newEntered describes a line of a player who is entered already.
func newEntered(ctx context.Context, e rosterfile.Entered) desk.ImportEntered {
	view := desk.ImportEntered{Line: e.Line, Number: e.Number, Name: e.Name}
	for _, c := range e.Changes {
		if c.Field == "country" {
			c.Was, c.Is = locale.Country(ctx, c.Was), locale.Country(ctx, c.Is)
		}
		view.Changes = append(view.Changes, desk.ImportChange{Key: "col." + c.Field, Was: cmp.Or(c.Was, "–"), Is: c.Is})
	}
	return view
}

// countriesOf returns the countries in the rows, each with the spellings that were recognized as that country. A text
// that names several countries stands alone, with the one that was chosen.
func countriesOf(roster rosterfile.Roster, chosen map[string]string) []desk.ImportCountry {
	all := map[string]*desk.ImportCountry{}
	rows := slices.Clone(roster.Rows)
	for _, e := range roster.Entered {
		rows = append(rows, e.Row)
	}
	for _, row := range rows {
		text := spelling.Clean(row.Cells["country"])
		if row.Country == "" {
			continue
		}
		key := spelling.Fold(row.Country)
		codes := spelling.Countries(text)
		if len(codes) > 1 {
			key = "several " + spelling.Fold(text)
		}
		if all[key] == nil {
			_, known := spelling.Country(row.Country)
			all[key] = &desk.ImportCountry{Code: row.Country, Unknown: !known}
			if len(codes) > 1 {
				all[key].Code, all[key].Codes = chosen[text], codes
			}
		}
		one := all[key]
		if one.Players++; !slices.Contains(one.Texts, text) {
			one.Texts = append(one.Texts, text)
		}
	}
	var list []desk.ImportCountry
	for _, key := range slices.Sorted(maps.Keys(all)) {
		list = append(list, *all[key])
	}
	return list
}
