package desk

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/templates/desk"
	"meldhall/templates/locale"
	"meldhall/tournament"
	"meldhall/tournament/draw"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
	"meldhall/web/page"
	"meldhall/web/view"
)

// foundMost is the maximum number of results on a page, askedMost the maximum length of a query in characters.
const (
	foundMost = 40
	askedMost = 80
)

// findPage searches a tournament's places and actions by words. It only links to them and performs nothing.
func (s *Pages) findPage(c *gin.Context) error {
	tournamentID := page.ID(c, "event")
	ctx, actor := s.Page.Request.Language(c), s.Page.Request.Staff(c)
	if err := rights.Authorize(actor, rights.Place{Tournament: tournamentID}, rights.MaySeeDesk); err != nil {
		return err
	}
	asked := []rune(spelling.Clean(c.Query("words")))
	f := finding{ctx: ctx, actor: actor, tournamentID: tournamentID,
		asked: spelling.Search(string(asked[:min(len(asked), askedMost)]))}
	f.words = strings.Fields(f.asked)
	if err := s.views.addFound(&f); err != nil {
		return err
	}
	view := desk.FindView{Event: tournamentID, Question: c.Query("words"), Found: f.best()}
	view.More = max(len(view.Found)-foundMost, 0)
	view.Found = view.Found[:len(view.Found)-view.More]
	if c.GetHeader(page.PartHeader) != "" {
		return s.Page.Show(c, http.StatusOK, desk.FoundRegion(view))
	}
	return page.ShowEvent(s.Page, c, http.StatusOK, locale.T(ctx, "finder.title"), &view, &view.Page,
		desk.FindPage)
}

// finding is a search in progress.
type finding struct {
	ctx          context.Context
	actor        rights.Actor
	tournamentID int64
	asked        string // normalized by spelling.Search
	words        []string
	on           bool // a round is running
	found        []ranked
}

// ranked is a search result; the best has the lowest rank.
type ranked struct {
	desk.Found
	rank int
}

func (f *finding) may(right rights.Right, table int) bool {
	return rights.Authorize(f.actor, rights.Place{Tournament: f.tournamentID, Number: table}, right) == nil
}

// left returns the words that text does not contain. A number must match as a whole: 7 is not in 17.
func left(words []string, text string) []string {
	parts := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool {
		if strings.Trim(w, "0123456789") == "" {
			return slices.Contains(parts, w)
		}
		return strings.Contains(text, w)
	})
}

// add adds a result if its title, note or other names contain every word.
func (f *finding) add(url templ.SafeURL, title, note, also string) {
	name := spelling.Search(title)
	if len(left(f.words, name+" "+spelling.Search(note+" "+also))) > 0 {
		return
	}
	rank := 2
	if strings.HasPrefix(name, f.asked) {
		rank = 0
	} else if len(left(f.words, name)) == 0 {
		rank = 1
	}
	f.found = append(f.found, ranked{desk.Found{URL: url, Text: title, Note: note}, rank})
}

// addOf adds an action on a table or player, which is found by the text of. It adds the action only if some of the
// words occur in that text, and all others in the action's title.
func (f *finding) addOf(of string, url templ.SafeURL, title, note string) {
	rest := left(f.words, of)
	if len(rest) > 0 && len(rest) < len(f.words) && len(left(rest, spelling.Search(title))) == 0 {
		f.found = append(f.found, ranked{desk.Found{URL: url, Text: title, Note: note}, 1})
	}
}

func (f *finding) best() (all []desk.Found) {
	slices.SortStableFunc(f.found, func(a, b ranked) int { return cmp.Compare(a.rank, b.rank) })
	for _, r := range f.found {
		all = append(all, r.Found)
	}
	return all
}

func (s *views) addFound(f *finding) error {
	t, err := tournament.TournamentByID(f.ctx, s.View.Store, f.tournamentID)
	if err != nil {
		return err
	}
	rounds, err := draw.Rounds(f.ctx, s.View.Store, f.tournamentID)
	if err != nil {
		return err
	}
	seated := map[int64]tournament.Table{} // by player
	if round, ok := view.CurrentRound(rounds); ok && len(f.words) > 0 {
		f.on = round.Status != tournament.RoundFinished
		tables, err := tournament.Tables(f.ctx, s.View.Store, round.ID)
		if err != nil {
			return err
		}
		for _, table := range tables {
			f.addTable(table)
			for _, seat := range table.Seats {
				seated[seat.PlayerID] = table
			}
		}
	}
	for _, p := range findPlaces {
		if f.may(p.Right, 0) && (p.When == nil || p.When(t, rounds)) {
			f.add(p.At(f.tournamentID), locale.T(f.ctx, p.Title), "", locale.T(f.ctx, p.Also))
		}
	}
	f.addRounds(rounds)
	if len(f.words) == 0 {
		return nil
	}
	return s.addPlayers(f, seated)
}

// addTable adds a table, its games' results and its rulings.
func (f *finding) addTable(table tournament.Table) {
	title := locale.T(f.ctx, "table.title", "number", table.Number)
	var names []string
	for _, seat := range table.Seats {
		names = append(names, seat.Player.Name)
	}
	f.add(templates.RulingPath(f.tournamentID, table.ID), title, strings.Join(names, " · "), "")
	of := spelling.Search(title)
	for _, g := range table.Games {
		switch {
		case g.FinishedAt != 0:
			f.addOf(of, templates.ResultPath(f.tournamentID, g.ID), locale.T(f.ctx, "nav.results"),
				locale.T(f.ctx, "count.title", "table", table.Number, "number", g.Number))
		case g.StartedAt != 0 && f.may(rights.MayRule, table.Number):
			for _, r := range findRulings {
				url := templates.RulePath(f.tournamentID, table.ID, r.Name) +
					templ.SafeURL("?game="+strconv.FormatInt(g.ID, 10)+r.Query)
				f.addOf(of, url, locale.T(f.ctx, r.Title, "seconds", 60), title)
			}
		}
	}
}

// addRounds adds the rounds, and the rulings for all tables of the running round.
func (f *finding) addRounds(rounds []tournament.Round) {
	for _, r := range slices.Backward(rounds) {
		title := locale.T(f.ctx, "round.title", "number", r.Number)
		if r.Status != tournament.RoundDraft || f.may(rights.MaySeeDraft, 0) {
			f.add(templates.RoundPath(f.tournamentID, r.ID), title, locale.T(f.ctx, "status."+r.Status),
				locale.T(f.ctx, "finder.also.round"))
		}
		if r.Underway() && f.may(rights.MaySeeCodes, 0) {
			f.add(templates.PaperRoundPath(f.tournamentID, r.ID), locale.T(f.ctx, "round.cards"), title,
				locale.T(f.ctx, "finder.also.cards"))
		}
		if r.Status == tournament.RoundRunning && f.may(rights.MayRule, 0) {
			for _, all := range findAll {
				f.add(templates.RoundRulePath(f.tournamentID, r.ID, all.Name)+templ.SafeURL(all.Query),
					locale.T(f.ctx, all.Title, "seconds", 60), title, "")
			}
		}
	}
}

// addPlayers adds the players. For readers who may see the roster, it also adds the actions on them. For others, a
// player's result links to the table where the player sits.
func (s *views) addPlayers(f *finding, seated map[int64]tournament.Table) error {
	full := f.may(rights.MaySeeRoster, 0)
	players, err := tournament.Players(f.ctx, s.View.Store, f.tournamentID)
	if full {
		players, err = tournament.PlayersFull(f.ctx, s.View.Store, f.actor, f.tournamentID)
	}
	if err != nil {
		return err
	}
	for _, p := range players {
		note := locale.T(f.ctx, "finder.player", "number", p.Number)
		table, sits := seated[p.ID]
		if sits {
			note += " · " + locale.T(f.ctx, "table.title", "number", table.Number)
		}
		also := p.Written + " " + p.Club + " " + locale.T(f.ctx, "finder.also.player")
		switch {
		case full:
			f.add(templates.PersonPath(f.tournamentID, p.ID), p.Name, note, also)
			of := spelling.Search(p.Name + " " + note + " " + also)
			row := view.NewRosterPlayer(p)
			for _, act := range personActs(f.ctx, row, sits && f.on, false) {
				f.addOf(of, act.Path(f.tournamentID, p.ID), act.Text, p.Name)
			}
			if row.Takes() {
				f.addOf(of, templates.SubstitutePath(f.tournamentID, p.ID), locale.T(f.ctx, "people.do.substitute"),
					p.Name)
			}
		case sits:
			f.add(templates.RulingPath(f.tournamentID, table.ID), p.Name, note, also)
		default:
			f.add(templates.WhyPath(f.tournamentID)+templ.SafeURL("#p"+strconv.FormatInt(p.ID, 10)), p.Name, note, also)
		}
	}
	return nil
}
