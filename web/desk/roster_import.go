package desk

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
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
	"meldhall/templates/locale"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/listfile"
	"meldhall/tournament/people"
	"meldhall/tournament/rights"
	"meldhall/tournament/rosterfile"
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
	view := newImport(ctx, roster, list, edited(c))
	s.readingFaults(c, view, roster)
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

// readingFaults marks the fields in which a problem of the whole list is mended.
func (s *Pages) readingFaults(c *gin.Context, view desk.RosterView, roster rosterfile.Roster) {
	if view.Problem == "" {
		return
	}
	unknown := roster.List.Unknown()
	for _, column := range unknown {
		s.Page.FaultAt(c, view.Problem, locale.T(s.Page.Request.Language(c), "err_roster_column_unknown", "column",
			locale.Isolate(column.Label())), desk.ColumnField(column.Number))
	}
	switch {
	case len(unknown) > 0:
	case view.Preview != nil:
		s.Page.FaultAt(c, view.Problem, view.Problem, "header")
	case len(roster.List.Top) == 0: // the file is not a list
		s.Page.FaultAt(c, view.Problem, view.Problem, "file")
	default:
		s.Page.FaultAt(c, view.Problem, view.Problem, "text")
	}
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
	view := newImport(ctx, roster, list, edited(c))
	if len(roster.Problems) == 0 {
		view.Problem = problem
	}
	return s.showRoster(c, status, view)
}

// importForm reads an import from a form: the list, how it is read, and the fixes to its lines.
func importForm(c *gin.Context) (people.ImportRoster, error) {
	text, err := rosterText(c, listKinds...)
	if raw, broken := base64.StdEncoding.DecodeString(c.PostForm("raw")); broken == nil && len(raw) > 0 {
		text = string(raw)
	}
	list := people.ImportRoster{Tournament: page.ID(c, "event"), File: text, Take: c.PostForm("take") != "",
		How: rosterfile.How{Reading: readingIn(c), Cut: c.PostForm("cut") != "", Countries: map[string]string{},
			Mends: mendsIn(c.Request.PostForm)}}
	for name := range c.Request.PostForm {
		if text, is := strings.CutPrefix(name, desk.CountryField); is && c.PostForm(name) != "" {
			list.Countries[text] = c.PostForm(name)
		}
	}
	return list, err
}

// readingIn reads from a form how a list is read.
func readingIn(c *gin.Context) listfile.Reading {
	header, _ := strconv.Atoi(c.PostForm("header"))
	how := listfile.Reading{Encoding: c.PostForm("encoding"), Sheet: c.PostForm("sheet"), Header: header,
		Ignore: c.PostForm("ignore") != "", Hidden: c.PostForm("hidden") != ""}
	if c.PostForm("sheet-was") != how.Sheet {
		how.Header = 0
		return how // the columns were those of another sheet
	}
	if header != 0 && c.PostForm("header-was") != c.PostForm("header") {
		return how // the columns were those of another header
	}
	for name := range c.Request.PostForm {
		number, err := strconv.Atoi(strings.TrimPrefix(name, "col-"))
		field := c.PostForm(name)
		if err == nil && name == desk.ColumnField(number) && field != "" {
			if how.Columns == nil {
				how.Columns = map[int]string{}
			}
			how.Columns[number] = field
		}
	}
	return how
}

// listKinds are the extensions of files that package listfile reads.
var listKinds = []string{".csv", ".tsv", ".txt", ".xlsx"}

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

// edited returns the line that the user opens for corrections, or 0.
func edited(c *gin.Context) int {
	line, _ := strconv.Atoi(c.PostForm("edit"))
	return line
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
func newImport(ctx context.Context, roster rosterfile.Roster, list people.ImportRoster, edit int) desk.RosterView {
	view := desk.RosterView{Text: list.File, Preview: &desk.ImportPreview{Out: len(roster.Out),
		Read: len(roster.Rows) + len(roster.Out) + len(roster.Entered), Take: list.Take,
		Mended: len(list.Mends) > 0, Countries: countriesOf(roster, list.Countries),
		Reading: newReading(ctx, roster, list)}}
	if !listfile.IsText(list.File) {
		view.Text = textOf(roster.List)
	}
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
	touched := func(number int) bool {
		return number == edit || slices.ContainsFunc(list.Mends, func(m rosterfile.Mend) bool {
			return m.Line == number
		})
	}
	for _, e := range roster.Entered {
		bad := slices.ContainsFunc(roster.Problems, func(p rosterfile.Problem) bool { return p.Line == e.Line })
		if touched(e.Line) || bad {
			l := line(e.Line)
			l.Cells, l.Country, l.Entered = e.Cells, e.Country, e.Number
		}
		view.Preview.Entered = append(view.Preview.Entered, newEntered(ctx, e))
		if len(e.Changes) > 0 {
			view.Preview.Changed++
		}
	}
	for number, l := range lines {
		l.Edit = touched(number)
	}
	for _, p := range roster.Problems {
		message := request.FailureOf(ctx, "", p.Err).Message
		if lines[p.Line] == nil { // not about a player's line
			view.Preview.Mended, view.Preview.Reading.Wrong = false, true
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
	if len(roster.List.Columns) == 0 && len(roster.List.Left) == 0 {
		view.Preview = nil
	}
	return view
}
