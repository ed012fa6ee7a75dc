package desk

import (
	"cmp"
	"net/http"
	"strings"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/templates/desk"
	"meldhall/templates/locale"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/people"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rosterfile"
	"meldhall/tournament/spelling"
	"meldhall/web/page"
	"meldhall/web/view"
)

func (s *Pages) rosterPage(c *gin.Context) error {
	return s.showRoster(c, http.StatusOK, desk.RosterView{})
}

// showRoster renders the roster with the values of a form.
func (s *Pages) showRoster(c *gin.Context, status int, shown desk.RosterView) error {
	t, players, err := s.eventPlayers(c)
	if err != nil {
		return err
	}
	ctx, tournamentID := s.Page.Request.Language(c), t.ID
	rounds, err := draw.Rounds(ctx, s.View.Store, tournamentID)
	if err != nil {
		return err
	}
	shown.ID, shown.Locked, shown.Started = tournamentID, entriesClosed(t, rounds), len(rounds) > 0
	absent, err := tournament.Absent(ctx, s.View.Store, tournamentID)
	if err != nil {
		return err
	}
	for _, p := range players {
		row := view.NewRosterPlayer(p)
		row.Playing = !absent[p.ID]
		shown.Players = append(shown.Players, row)
	}
	changes, err := people.PeopleChanges(ctx, s.View.Store, s.Page.Request.Staff(c), tournamentID,
		changesShown,
		tournament.PeopleCheckIn, tournament.PeopleCheckOut)
	if err != nil {
		return err
	}
	for i, one := range changes {
		if len(one.List) > 0 && one.Undone == 0 {
			row := peopleChangeRow(ctx, changes[i])
			shown.Last, shown.LastPlayers = &row, len(one.List)
			break
		}
	}
	shown.Page = s.Page.NewPage(c, locale.T(ctx, "roster.title"), &t)
	return s.Page.Show(c, status, desk.RosterPage(shown))
}

// eventPlayers returns a tournament and all its players, including the data for officials only.
func (s *Pages) eventPlayers(c *gin.Context) (t tournament.Tournament, players []tournament.Player, err error) {
	tournamentID := page.ID(c, "event")
	ctx := s.Page.Request.Language(c)
	if players, err = tournament.PlayersFull(ctx, s.View.Store, s.Page.Request.Staff(c),
		tournamentID); err != nil {
		return t, nil, err
	}
	t, err = tournament.TournamentByID(ctx, s.View.Store, tournamentID)
	return t, players, err
}

// entriesClosed reports whether the first stage is over, after which no players can enter.
func entriesClosed(t tournament.Tournament, rounds []tournament.Round) bool {
	for _, r := range rounds {
		if r.Stage > 0 {
			return true
		}
	}
	return t.Status == tournament.StatusFinished
}

// rosterAdd enters one player. Once a round is seated it previews the effects first, even if the form was loaded before
// the seating.
func (s *Pages) rosterAdd(c *gin.Context) error {
	tournamentID := page.ID(c, "event")
	if rounds, err := draw.Rounds(c.Request.Context(), s.View.Store, tournamentID); err != nil {
		return err
	} else if len(rounds) > 0 {
		a, err := peopleForm(c.PostForm)
		if err != nil {
			return s.Page.Again(c, err, s.Page.At(templates.RosterPath(tournamentID)))
		}
		a.Kind = tournament.PeopleEnter
		return s.showPeopleDo(c, tournamentID, a, http.StatusOK, "")
	}
	entry := rosterfile.PlayerEntry{Name: c.PostForm("name"), Country: c.PostForm("country"), Club: c.PostForm("club"),
		Division: c.PostForm("division"), Family: c.PostForm("family"), Mark: c.PostForm("mark"),
		FederationNumber: c.PostForm("federation_number")}
	out, err := action.Do(c.Request.Context(), s.Page.Request.Desk, s.Page.Request.Staff(c),
		people.EnterPlayers{Tournament: tournamentID, Entries: []rosterfile.PlayerEntry{entry}})
	if err == nil {
		s.Page.Flash(c, strings.Join(view.EffectTexts(s.Page.Request.Language(c), out.Effects), " "))
		return s.Page.SeeOther(c, templates.RosterPath(tournamentID), "")
	}
	problem, status, err := s.Page.Problem(c, err)
	if err != nil {
		return err
	}
	return s.showRoster(c, status, desk.RosterView{AddProblem: problem,
		Add: desk.RosterPlayer{Name: entry.Name, Mark: entry.Mark, Country: entry.Country, Club: entry.Club,
			Division: entry.Division, Family: entry.Family, FederationNumber: entry.FederationNumber}})
}

// personOf returns the address of the page of the player that a form names.
func personOf(c *gin.Context) templ.SafeURL {
	return templates.PersonPath(page.ID(c, "event"), page.FormID(c, "player"))
}

// timeGiven confirms a player's extra time in each turn.
func (s *Pages) timeGiven(c *gin.Context, p tournament.Player) error {
	return s.Page.SeeOther(c, personOf(c), "roster.time_given", "name", p.Name, "n", p.ExtraSeconds)
}

// familySet confirms a player's family.
func (s *Pages) familySet(c *gin.Context, p tournament.Player) error {
	done := "roster.family_set"
	if p.Family == "" {
		done = "roster.family_none"
	}
	return s.Page.SeeOther(c, personOf(c), done, "name", p.Name)
}

// rosterDrawn stores the numbers that players drew in the hall; an empty field means none. If requested, it draws lots
// for the others. Fields that the form did not change are left alone, as another official may have changed them
// meanwhile.
func (s *Pages) rosterDrawn(c *gin.Context) error {
	tournamentID := page.ID(c, "event")
	numbers, typed, err := s.drawnForm(c, tournamentID)
	if err != nil {
		return s.drawnAgain(c, err, typed)
	}
	if _, err := action.Do(c.Request.Context(), s.Page.Request.Desk, s.Page.Request.Staff(c),
		draw.WriteDrawn{Tournament: tournamentID, Numbers: numbers}); err != nil {
		return s.drawnAgain(c, err, typed)
	}
	if c.PostForm("lots") == "" {
		return s.Page.SeeOther(c, templates.RosterPath(tournamentID), "drawn.saved")
	}
	n, err := action.Do(c.Request.Context(), s.Page.Request.Desk, s.Page.Request.Staff(c),
		draw.DrawNumbers{Tournament: tournamentID})
	if err != nil {
		return s.drawnAgain(c, err, nil)
	}
	return s.Page.SeeOther(c, templates.RosterPath(tournamentID), "drawn.lots", "n", n)
}

// drawnForm reads the numbers that the form changed. Its error quotes an invalid number as it was typed.
func (s *Pages) drawnForm(c *gin.Context, tournamentID int64) (numbers []draw.DrawnNumber,
	typed map[int64]string, err error) {
	typed = map[int64]string{}
	wrong := int64(0) // the first player with an invalid number
	for field := range c.Request.PostForm {
		id, ok := strings.CutPrefix(field, desk.DrawnField)
		text := spelling.Clean(c.PostForm(field))
		if !ok || text == c.PostForm(desk.DrawnShown+id) {
			continue
		}
		player := page.ParseID(id)
		number, isNumber := spelling.Whole(cmp.Or(text, "0"))
		if !isNumber && (wrong == 0 || player < wrong) {
			wrong = player
		}
		numbers, typed[player] = append(numbers, draw.DrawnNumber{Player: player, Number: number}), text
	}
	if wrong == 0 {
		return numbers, typed, nil
	}
	p, err := tournament.PlayerByID(c.Request.Context(), s.View.Store, wrong)
	if err != nil {
		return nil, typed, err
	}
	if p.TournamentID != tournamentID {
		return nil, typed, refuse.Invalid("err_drawn_player")
	}
	return nil, typed, refuse.Invalid("err_drawn_range", "id", p.ID, "player", p.Name, "number", typed[wrong], "most",
		rosterfile.Rows)
}

func (s *Pages) drawnAgain(c *gin.Context, err error, typed map[int64]string) error {
	return s.Page.Again(c, err, func(c *gin.Context, status int, problem string) error {
		return s.showRoster(c, status, desk.RosterView{Problem: problem, Typed: typed})
	})
}
