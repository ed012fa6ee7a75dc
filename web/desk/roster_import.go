package desk

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/templates/desk"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/people"
	"meldhall/tournament/rights"
	"meldhall/tournament/rosterfile"
	"meldhall/tournament/spelling"
	"meldhall/web/page"
	"meldhall/web/request"
	"meldhall/web/view"
)

// rosterPreview shows how a list was parsed. It stores nothing.
func (s *Pages) rosterPreview(c *gin.Context) error {
	list, err := importForm(c)
	if err != nil {
		return s.Page.Again(c, err, func(c *gin.Context, status int, problem string) error {
			s.Page.FaultAt(c, problem, problem, "file")
			return s.showRoster(c, status, desk.RosterView{Problem: problem})
		})
	}
	ctx := s.Page.Request.Language(c)
	roster, err := action.Preview(ctx, s.Page.Request.Desk, s.Page.Request.Staff(c), list)
	if err != nil {
		return err
	}
	status := http.StatusOK
	if len(roster.Problems) > 0 {
		status = http.StatusUnprocessableEntity
	}
	view := newImport(ctx, roster, list)
	if view.Problem != "" {
		field := "text"
		if view.Text == "" { // the file is not a list
			field = "file"
		}
		s.Page.FaultAt(c, view.Problem, view.Problem, field)
	}
	if view.Preview != nil && status == http.StatusOK {
		if view.Preview.Effects, err = s.lateEffects(ctx, s.Page.Request.Staff(c), list.Tournament,
			roster); err != nil {
			return s.Page.Again(c, err, func(c *gin.Context, status int, problem string) error {
				view.Problem = problem
				return s.showRoster(c, status, view)
			})
		}
	}
	return s.showRoster(c, status, view)
}

// lateEffects returns the effects of importing a list after a round is seated, except that the players enter.
func (s *Pages) lateEffects(ctx context.Context, actor rights.Actor, tournamentID int64,
	roster rosterfile.Roster) ([]string, error) {
	rounds, err := draw.Rounds(ctx, s.View.Store, tournamentID)
	if err != nil || len(rounds) == 0 || len(roster.Rows) == 0 {
		return nil, err
	}
	enter := people.EnterPlayers{Tournament: tournamentID}
	for _, row := range roster.Rows {
		enter.Entries = append(enter.Entries, row.PlayerEntry)
	}
	out, err := action.Preview(ctx, s.Page.Request.Desk, actor, enter)
	return view.EffectTexts(ctx, slices.DeleteFunc(out.Effects,
		func(e tournament.PeopleEffect) bool { return e.Key == "enters" || e.Key == "enters_here" })), err
}

// rosterImport imports the previewed list completely or not at all.
func (s *Pages) rosterImport(c *gin.Context) error {
	list, err := importForm(c)
	if err != nil {
		return err
	}
	ctx := s.Page.Request.Language(c)
	roster, err := action.Do(ctx, s.Page.Request.Desk, s.Page.Request.Staff(c), list)
	if err == nil {
		return s.Page.SeeOther(c, templates.DeskPath(list.Tournament), "roster.taken", "n", len(roster.Rows))
	}
	problem, status, err := s.Page.Problem(c, err)
	if err != nil {
		return err
	}
	view := newImport(ctx, roster, list)
	if len(roster.Problems) == 0 {
		view.Problem = problem
	}
	return s.showRoster(c, status, view)
}

// importForm reads an import from a form: the list, and the fixes to its lines.
func importForm(c *gin.Context) (people.ImportRoster, error) {
	text, err := rosterText(c, ".csv", ".tsv", ".txt", ".xlsx")
	return people.ImportRoster{Tournament: page.ID(c, "event"), File: text, Mends: mendsIn(c.Request.PostForm)}, err
}

// rosterText returns the uploaded file, which must have one of the extensions in kinds, or the pasted text if there is
// none.
func rosterText(c *gin.Context, kinds ...string) (string, error) {
	file, header, err := c.Request.FormFile("file")
	if errors.Is(err, http.ErrMissingFile) || errors.Is(err, http.ErrNotMultipart) {
		return c.PostForm("text"), nil
	}
	if err != nil {
		return "", request.Unreadable(err)
	}
	defer file.Close()
	var text bytes.Buffer
	if _, err := io.Copy(&text, file); err != nil {
		return "", request.Unreadable(err)
	}
	if text.Len() == 0 {
		return c.PostForm("text"), nil
	}
	return text.String(), request.FileFits(header.Filename, text.String(), kinds...)
}

// mendsIn reads the fixes to lines from a form (desk.MendField).
func mendsIn(form url.Values) []rosterfile.Mend {
	mends := map[int]rosterfile.Mend{}
	for name := range form {
		line, column, ok := strings.Cut(strings.TrimPrefix(name, "m-"), "-")
		number, err := strconv.Atoi(line)
		if err != nil || !ok || name != desk.MendField(number, column) {
			continue
		}
		m := mends[number]
		if m.Line = number; m.Cells == nil {
			m.Cells = map[string]string{}
		}
		if column == desk.MendOut {
			m.Out = true
		} else {
			m.Cells[column] = form.Get(name)
		}
		mends[number] = m
	}
	return slices.SortedFunc(maps.Values(mends), func(a, b rosterfile.Mend) int { return cmp.Compare(a.Line, b.Line) })
}

// newImport lists the parsed lines with their problems. Problems of the whole list are shown above the lines.
func newImport(ctx context.Context, roster rosterfile.Roster, list people.ImportRoster) desk.RosterView {
	text, _ := rosterfile.Text(ctx, list.File) // its error is among the problems
	view := desk.RosterView{Text: text, Preview: &desk.ImportPreview{Out: len(roster.Out),
		Mended: len(list.Mends) > 0, Countries: countriesOf(roster.Rows)}}
	lines := map[int]*desk.ImportLine{}
	line := func(number int) *desk.ImportLine {
		if lines[number] == nil {
			lines[number] = &desk.ImportLine{Number: number, Cells: map[string]string{}}
		}
		return lines[number]
	}
	for _, row := range slices.Concat(roster.Rows, roster.Out) {
		l := line(row.Line)
		l.Cells, l.Country = row.Cells, row.Country
	}
	for _, row := range roster.Out {
		line(row.Line).Out = true
	}
	for _, m := range list.Mends {
		line(m.Line).Edit = true
	}
	for _, p := range roster.Problems {
		message := request.FailureOf(ctx, "", p.Err).Message
		if lines[p.Line] == nil { // not about a player's line
			view.Preview.Mended = false
			view.Problem = strings.TrimSpace(view.Problem + " " + message)
			continue
		}
		l := line(p.Line)
		l.Edit, l.Problems = true, append(l.Problems, desk.ImportProblem{Column: p.Field, Text: message})
	}
	for _, l := range lines {
		if view.Preview.Lines = append(view.Preview.Lines, *l); len(l.Problems) > 0 {
			view.Preview.Bad++
		}
	}
	slices.SortFunc(view.Preview.Lines, func(a, b desk.ImportLine) int { return a.Number - b.Number })
	if len(view.Preview.Lines) == 0 {
		view.Preview = nil
	}
	return view
}

// countriesOf returns the countries in the rows, each with the spellings that were recognized as that country.
func countriesOf(rows []rosterfile.Row) []desk.ImportCountry {
	all := map[string]*desk.ImportCountry{}
	for _, row := range rows {
		if row.Country == "" {
			continue
		}
		key := spelling.Fold(row.Country)
		if all[key] == nil {
			_, known := spelling.Country(row.Country)
			all[key] = &desk.ImportCountry{Code: row.Country, Unknown: !known}
		}
		one, text := all[key], spelling.Clean(row.Cells["country"])
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
