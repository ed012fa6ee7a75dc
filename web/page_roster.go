package web

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament"
)

func (s *Server) rosterPage(c *gin.Context) error {
	return s.showRoster(c, http.StatusOK, templates.RosterView{})
}

// showRoster adds what is entered to what the form brought.
func (s *Server) showRoster(c *gin.Context, status int, view templates.RosterView) error {
	t, players, err := s.eventPlayers(c)
	if err != nil {
		return err
	}
	ctx, event := s.language(c), t.ID
	rounds, err := s.store.Rounds(ctx, event)
	if err != nil {
		return err
	}
	view.ID, view.Locked, view.Started = event, entriesClosed(t, rounds), len(rounds) > 0
	for _, p := range players {
		view.Players = append(view.Players, newRosterPlayer(p))
	}
	view.Page = s.newPage(c, templates.T(ctx, "roster.title"), &t)
	return s.show(c, status, templates.RosterPage(view))
}

// eventPlayers are an event and all of its players, with what officials alone may read.
func (s *Server) eventPlayers(c *gin.Context) (t tournament.Tournament, players []tournament.Player, err error) {
	event, err := idParam(c, "event")
	if err != nil {
		return t, nil, err
	}
	ctx := s.language(c)
	if players, err = s.store.PlayersFull(ctx, s.staff(c), event); err != nil {
		return t, nil, err
	}
	t, err = s.store.TournamentByID(ctx, event)
	return t, players, err
}

// entriesClosed tells whether the first stage is over: then nobody enters any more.
func entriesClosed(t tournament.Tournament, rounds []tournament.Round) bool {
	for _, r := range rounds {
		if r.Stage > 0 {
			return true
		}
	}
	return t.Status == tournament.StatusFinished
}

func newRosterPlayer(p tournament.Player) templates.RosterPlayer {
	return templates.RosterPlayer{ID: p.ID, Number: p.Number, Name: p.Name, Country: p.Country, Club: p.Club, Division: p.Division, Family: p.Family, Rating: ratingText(p.Rating),
		Joined: p.Joined(), Withdrawn: p.Withdrawn, State: p.State, Fixed: p.FixedTable, Extra: p.ExtraSeconds}
}

func ratingText(rating *int) string {
	if rating == nil {
		return ""
	}
	return strconv.Itoa(*rating)
}

// rosterPreview shows a list as it was understood. Nothing is stored.
func (s *Server) rosterPreview(c *gin.Context) error {
	event, err := idParam(c, "event")
	if err != nil {
		return err
	}
	text, err := rosterText(c)
	if err != nil {
		return err
	}
	ctx := s.language(c)
	roster, err := s.store.PreviewRoster(ctx, s.staff(c), event, strings.NewReader(text))
	if err != nil {
		return err
	}
	view := newImport(ctx, roster, text)
	status := http.StatusOK
	if len(roster.Problems) > 0 {
		status = http.StatusUnprocessableEntity
	}
	return s.showRoster(c, status, view)
}

// rosterText is the chosen file, else what was pasted.
func rosterText(c *gin.Context) (string, error) {
	if err := readForm(c); err != nil {
		return "", err
	}
	file, _, err := c.Request.FormFile("file")
	if errors.Is(err, http.ErrMissingFile) || errors.Is(err, http.ErrNotMultipart) {
		return c.PostForm("text"), nil
	}
	if err != nil {
		return "", unreadable(err)
	}
	defer file.Close()
	var text bytes.Buffer
	if _, err := io.Copy(&text, file); err != nil {
		return "", unreadable(err)
	}
	if text.Len() == 0 {
		return c.PostForm("text"), nil
	}
	return text.String(), nil
}

// newImport lists what was read, line by line, with the problems of each; what is wrong with the whole
// list stands above.
func newImport(ctx context.Context, roster tournament.Roster, text string) templates.RosterView {
	view := templates.RosterView{Text: text, Preview: &templates.ImportPreview{}}
	at := map[int]int{}
	for _, row := range roster.Rows {
		at[row.Line] = len(view.Preview.Lines)
		view.Preview.Lines = append(view.Preview.Lines, templates.ImportLine{Number: row.Line, Name: row.Name, Country: row.Country,
			Club: row.Club, Rating: ratingText(row.Rating), Email: row.Email, Division: row.Division, Family: row.Family})
	}
	for _, p := range roster.Problems {
		message := failureOf(ctx, "", p.Err).Message
		if p.Line == 0 {
			view.Problem = strings.TrimSpace(view.Problem + " " + message)
			continue
		}
		i, ok := at[p.Line]
		if !ok {
			i = len(view.Preview.Lines)
			at[p.Line] = i
			view.Preview.Lines = append(view.Preview.Lines, templates.ImportLine{Number: p.Line})
		}
		view.Preview.Lines[i].Problems = append(view.Preview.Lines[i].Problems, message)
	}
	slices.SortFunc(view.Preview.Lines, func(a, b templates.ImportLine) int { return a.Number - b.Number })
	for _, l := range view.Preview.Lines {
		if len(l.Problems) > 0 {
			view.Preview.Bad++
		}
	}
	if len(view.Preview.Lines) == 0 {
		view.Preview = nil
	}
	return view
}

// rosterImport enters the list that was previewed, all of it or nothing.
func (s *Server) rosterImport(c *gin.Context) error {
	event, err := idParam(c, "event")
	if err != nil {
		return err
	}
	text, err := rosterText(c)
	if err != nil {
		return err
	}
	ctx := s.language(c)
	roster, err := s.store.ImportRoster(ctx, s.staff(c), event, strings.NewReader(text))
	if err == nil {
		s.seated(event)
		return s.seeOther(c, templates.DeskPath(event), "roster.taken", "n", len(roster.Rows))
	}
	problem, status, err := s.problem(c, err)
	if err != nil {
		return err
	}
	view := newImport(ctx, roster, text)
	if view.Problem == "" {
		view.Problem = problem
	}
	return s.showRoster(c, status, view)
}

// rosterAdd enters one player.
func (s *Server) rosterAdd(c *gin.Context) error {
	event, err := idParam(c, "event")
	if err != nil {
		return err
	}
	if err := readForm(c); err != nil {
		return err
	}
	entry := tournament.PlayerEntry{Name: c.PostForm("name"), Country: c.PostForm("country"), Club: c.PostForm("club"), Division: c.PostForm("division"), Family: c.PostForm("family")}
	player, err := s.store.AddPlayer(c.Request.Context(), s.staff(c), event, entry)
	if err == nil {
		s.seated(event)
		return s.seeOther(c, templates.RosterPath(event), "roster.added", "name", player.Name, "number", player.Number)
	}
	problem, status, err := s.problem(c, err)
	if err != nil {
		return err
	}
	return s.showRoster(c, status, templates.RosterView{AddProblem: problem,
		Add: templates.RosterPlayer{Name: entry.Name, Country: entry.Country, Club: entry.Club, Division: entry.Division, Family: entry.Family}})
}

// rosterWithdraw takes a player out of the rounds to come, or back in.
func (s *Server) rosterWithdraw(c *gin.Context) error {
	event, err := idParam(c, "event")
	if err != nil {
		return err
	}
	if err := readForm(c); err != nil {
		return err
	}
	id, err := strconv.ParseInt(c.PostForm("player"), 10, 64)
	if err != nil {
		return tournament.Refuse(tournament.NotFound, "err_player_not_found")
	}
	out := c.PostForm("withdrawn") == "true"
	player, err := s.store.SetWithdrawn(c.Request.Context(), s.staff(c), id, out, c.PostForm("why"))
	if err != nil {
		problem, status, err := s.problem(c, err)
		if err != nil {
			return err
		}
		return s.showRoster(c, status, templates.RosterView{Problem: problem})
	}
	s.seated(event)
	done := "roster.back_in"
	if out {
		done = "roster.withdrawn"
	}
	return s.seeOther(c, templates.RosterPath(event), done, "name", player.Name)
}

// rosterTime gives a player more time in each turn.
func (s *Server) rosterTime(c *gin.Context) error {
	event, err := idParam(c, "event")
	if err != nil {
		return err
	}
	if err := readForm(c); err != nil {
		return err
	}
	id, err := strconv.ParseInt(c.PostForm("player"), 10, 64)
	if err != nil {
		return tournament.Refuse(tournament.NotFound, "err_player_not_found")
	}
	seconds, err := strconv.Atoi(cmp.Or(strings.TrimSpace(c.PostForm("seconds")), "0"))
	if err != nil {
		seconds = -1 // refused with the bounds
	}
	player, err := s.store.SetExtraTime(c.Request.Context(), s.staff(c), id, seconds, c.PostForm("why"))
	if err != nil {
		problem, status, err := s.problem(c, err)
		if err != nil {
			return err
		}
		return s.showRoster(c, status, templates.RosterView{Problem: problem})
	}
	return s.seeOther(c, templates.RosterPath(event), "roster.time_given", "name", player.Name, "n", seconds)
}

// rosterFamily writes down which family a player is of.
func (s *Server) rosterFamily(c *gin.Context) error {
	event, err := idParam(c, "event")
	if err != nil {
		return err
	}
	if err := readForm(c); err != nil {
		return err
	}
	player, err := s.store.SetFamily(c.Request.Context(), s.staff(c), formID(c, "player"), c.PostForm("family"))
	if err != nil {
		problem, status, err := s.problem(c, err)
		if err != nil {
			return err
		}
		return s.showRoster(c, status, templates.RosterView{Problem: problem})
	}
	s.seated(event)
	done := "roster.family_set"
	if player.Family == "" {
		done = "roster.family_none"
	}
	return s.seeOther(c, templates.PersonPath(event, player.ID), done, "name", player.Name)
}
