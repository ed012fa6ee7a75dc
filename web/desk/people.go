package desk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/templates/desk"
	"meldhall/templates/locale"
	"meldhall/templates/part"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/people"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/schedule"
	"meldhall/tournament/spelling"
	"meldhall/web/formfault"
	"meldhall/web/live"
	"meldhall/web/page"
	"meldhall/web/request"
	"meldhall/web/view"
)

// changesShown is the maximum number of actions on people that the page lists; the log lists all.
const changesShown = 30

func (s *Pages) peoplePage(c *gin.Context) error {
	tournamentID := page.ID(c, "event")
	ctx, actor := s.Page.Request.Language(c), s.Page.Request.Staff(c)
	// check-ins are undone with a tap on their own page
	changes, err := people.PeopleChanges(ctx, s.View.Store, actor, tournamentID, changesShown,
		tournament.PeopleCheckIn,
		tournament.PeopleCheckOut)
	if err != nil {
		return err
	}
	r, err := people.RegistrationOf(ctx, s.View.Store, tournamentID)
	if err != nil {
		return err
	}
	closed, err := people.ClosedTables(ctx, s.View.Store, tournamentID)
	if err != nil {
		return err
	}
	set := r.Tournament.PeopleOf()
	view := desk.PeopleView{ID: tournamentID, In: r.Players, Waiting: r.Waiting,
		Settings: desk.PeopleSettings{
			RegistrationOpen: set.RegistrationOpen, CheckInOpen: set.CheckInOpen, Capacity: set.Capacity,
			NoShowMinutes: set.NoShowMinutes, MissedCharge: set.MissedCharge},
		Register: s.Page.Request.BaseURL(c) + string(templates.RegisterPath(tournamentID))}
	for _, t := range closed {
		view.Closed = append(view.Closed, desk.ClosedTable{Number: t.Number, Reason: t.Reason})
	}
	for _, one := range changes {
		view.Changes = append(view.Changes, peopleChangeRow(ctx, one))
	}
	if err := s.views.addMissing(ctx, &view, tournamentID, set.NoShowMinutes); err != nil {
		return err
	}
	rounds, err := draw.Rounds(ctx, s.View.Store, tournamentID)
	if err != nil {
		return err
	}
	view.Locked = entriesClosed(r.Tournament, rounds)
	view.Page = s.Page.NewPage(c, locale.T(ctx, "people.title"), &r.Tournament)
	return s.Page.Show(c, http.StatusOK, desk.PeoplePage(view))
}

// addMissing adds the players who are not at their tables, and the deadline: some minutes after the round begins.
func (s *views) addMissing(ctx context.Context, view *desk.PeopleView, tournamentID int64, minutes int) error {
	round, missing, err := people.MissingSeats(ctx, s.View.Store, tournamentID)
	if err != nil || round == nil {
		return err
	}
	view.Round = round.Number
	begins := round.StartedAt
	if begins == 0 { // before its start, the round begins as scheduled
		slots, err := schedule.Slots(ctx, s.View.Store, tournamentID)
		if err != nil {
			return err
		}
		begins = round.PublishedAt
		for _, slot := range slots {
			if slot.Round == round.Number {
				begins = max(begins, slot.StartsAt)
			}
		}
	}
	due := begins + engine.Millis(minutes)*60_000
	view.Deadline = locale.MinuteTime(ctx, due)
	view.Late = engine.MillisOf(s.View.Store.Now()) > due
	for _, m := range missing {
		view.Missing = append(view.Missing, desk.MissingPlayer{ID: m.Player.ID, Name: m.Player.Name,
			Table: m.Table, Seat: m.Seat})
	}
	return nil
}

func peopleChangeRow(ctx context.Context, one people.PeopleChange) desk.PeopleChangeRow {
	row := desk.PeopleChangeRow{ID: one.ID, Title: locale.T(ctx, "people.did."+one.Kind),
		Who: view.ActorWords(ctx, one.Actor), At: one.At, Why: one.Why,
		Effects: view.EffectTexts(ctx, one.Effects)}
	if one.Undone != 0 {
		row.Undone = locale.T(ctx, "people.undone_by", "who", view.ActorWords(ctx, one.By))
	} else if one.Blocked != nil {
		row.Blocked = request.FailureOf(ctx, "", one.Blocked).Message
	}
	return row
}

// settingsSaved confirms the settings for registration and check-in.
func (s *Pages) settingsSaved(c *gin.Context, _ people.PeopleOutcome) error {
	return s.Page.SeeOther(c, templates.PeoplePath(page.ID(c, "event")), "people.saved")
}

// peopleForm reads an action about people from a query or a form. The error names the fields that hold no number.
func peopleForm(get func(string) string) (request.PeopleBody, error) {
	var wrong error
	number := func(name string) int64 {
		n, err := page.Optional(get, name)
		wrong = errors.Join(wrong, err)
		return n
	}
	b := request.PeopleBody{Kind: get("kind"), Player: number("player"), Other: number("other"),
		Number: int(number("number")), Points: int(number("points")), Now: get("now") != "",
		Keep: get("keep"), Why: get("why")}
	if name := spelling.Clean(get("name")); name != "" {
		b.Entries = []request.EntryBody{{Name: name, Country: get("country"), Club: get("club"),
			Division: get("division"), Family: get("family"), Mark: get("mark"),
			FederationNumber: get("federation_number")}}
	}
	return b, wrong
}

// asFields returns an action as the form fields that peopleForm reads.
func asFields(a request.PeopleBody) []part.FormField {
	fields := []part.FormField{{Name: "kind", Value: a.Kind}}
	add := func(name, value string, set bool) {
		if set {
			fields = append(fields, part.FormField{Name: name, Value: value})
		}
	}
	add("player", strconv.FormatInt(a.Player, 10), a.Player != 0)
	add("other", strconv.FormatInt(a.Other, 10), a.Other != 0)
	add("number", strconv.Itoa(a.Number), a.Number != 0)
	add("points", strconv.Itoa(a.Points), a.Kind == tournament.PeopleMissed)
	add("now", "yes", a.Now)
	add("keep", a.Keep, a.Keep != "")
	if len(a.Entries) == 1 {
		one := a.Entries[0]
		add("name", one.Name, true)
		add("country", one.Country, one.Country != "")
		add("club", one.Club, one.Club != "")
		add("division", one.Division, one.Division != "")
		add("family", one.Family, one.Family != "")
		add("mark", one.Mark, one.Mark != "")
		add("federation_number", one.FederationNumber, one.FederationNumber != "")
	}
	return fields
}

// askedFrom returns the form fields that hold the page from which an action about people was requested, and the place
// on that page.
func askedFrom(c *gin.Context) (fields []part.FormField) {
	for _, name := range []string{"back", "at"} {
		if value := cmp.Or(c.PostForm(name), c.Query(name)); value != "" {
			fields = append(fields, part.FormField{Name: name, Value: value})
		}
	}
	return fields
}

// peopleBack returns the page to go back to after an action about people: the one that requested it, or a default by
// kind.
func peopleBack(c *gin.Context, tournamentID int64, a request.PeopleBody) templ.SafeURL {
	back := templates.PeoplePath(tournamentID)
	switch {
	case a.Kind == tournament.PeopleRemoveAbsent || a.Kind == tournament.PeopleAllHere:
		back = templates.CheckInPath(tournamentID)
	case a.Kind == tournament.PeopleEnter:
		back = templates.RosterPath(tournamentID)
	case a.Player != 0:
		back = templates.PersonPath(tournamentID, a.Player)
	}
	return page.SafePath(cmp.Or(c.PostForm("back"), c.Query("back")), back)
}

func doURL(tournamentID int64, a request.PeopleBody, from []part.FormField) string {
	q := url.Values{}
	for _, f := range append(asFields(a), from...) {
		q.Set(f.Name, f.Value)
	}
	return string(templates.PeopleDoPath(tournamentID)) + "?" + q.Encode()
}

// peopleDoPage previews an action about people.
func (s *Pages) peopleDoPage(c *gin.Context) error {
	tournamentID := page.ID(c, "event")
	a, err := peopleForm(c.Query)
	if err != nil {
		return s.Page.Again(c, err, s.Page.At(peopleBack(c, tournamentID, a)))
	}
	if a, err = s.waitingByName(c, tournamentID, a); err != nil {
		return err
	}
	return s.showPeopleDo(c, tournamentID, a, http.StatusOK, "")
}

// waitingByName turns the substitute's typed name into a waiting player, if one has that name.
func (s *Pages) waitingByName(c *gin.Context, tournamentID int64, a request.PeopleBody) (request.PeopleBody,
	error) {
	if a.Kind != tournament.PeopleSubstitute || len(a.Entries) != 1 {
		return a, nil
	}
	players, err := tournament.PlayersFull(c.Request.Context(), s.View.Store, s.Page.Request.Staff(c),
		tournamentID)
	for _, p := range players {
		if p.State == tournament.StateWaiting && p.NameKey == spelling.Fold(a.Entries[0].Name) {
			a.Other, a.Entries = p.ID, nil
			break
		}
	}
	return a, err
}

func (s *Pages) showPeopleDo(c *gin.Context, tournamentID int64, a request.PeopleBody, status int,
	problem string) error {
	ctx, actor := s.Page.Request.Language(c), s.Page.Request.Staff(c)
	from, back := askedFrom(c), peopleBack(c, tournamentID, a)
	if place := page.PlaceIn(c); place != "" {
		back = part.AtPlace(back, place)
	}
	shown := desk.PeopleConfirmView{ID: tournamentID, Title: locale.T(ctx, "people.do."+a.Kind),
		Post: string(templates.PeopleDoPath(tournamentID)), Fields: append(asFields(a), from...),
		Go: locale.T(ctx, "people.do."+a.Kind), Problem: problem}
	if !people.IsPeopleKind(a.Kind) {
		return request.NotFound(c)
	}
	if a.Player != 0 {
		p, err := tournament.PlayerByID(ctx, s.View.Store, a.Player)
		if err != nil {
			return err
		}
		shown.Title = locale.T(ctx, "people.do_name", "what", shown.Title, "name", "\u2068"+p.Name+"\u2069")
	}
	shown.Back = string(back)
	a.Preview = true
	out, err := request.PeopleDo(ctx, s.Page.Request.Desk, actor, tournamentID, a)
	same := new(refuse.Error)
	entered := errors.As(err, &same) && same.Key == "err_player_entered"
	if fields, _ := formfault.Place(same.Key, same.Args); err != nil && len(fields) > 0 && !entered &&
		c.Request.Method == http.MethodGet {
		// to the page with the field
		return s.Page.Again(c, err, s.Page.At(peopleBack(c, tournamentID, a)))
	}
	if err != nil {
		text, refused, other := s.Page.Problem(c, err)
		if other != nil {
			return other
		}
		status, shown.Problem = refused, text
		if entered {
			typed := a.Entries[0].Mark
			a.Entries[0].Mark = "" // its own field sends it
			shown.Mark, shown.Fields = &typed, append(asFields(a), from...)
		}
	}
	shown.Effects, shown.Choices = view.EffectTexts(ctx, out.Effects), peopleWays(ctx, tournamentID, a, from)
	if a.Kind == tournament.PeopleAllHere && shown.Problem == "" {
		shown.Effects = []string{locale.T(ctx, "people.all_here_look", "n", len(out.Effects)),
			locale.T(ctx, "people.all_here_seats", "page", locale.T(ctx, "people.link"))}
		for _, e := range out.Effects {
			shown.Names = append(shown.Names, fmt.Sprint(e.Args["name"]))
		}
	}
	return page.ShowEvent(s.Page, c, status, shown.Title, &shown, &shown.Page, desk.PeopleConfirmPage)
}

// peopleWays returns the variants of an action that the organizer can choose between, or nil if there is only one.
func peopleWays(ctx context.Context, tournamentID int64, a request.PeopleBody,
	from []part.FormField) []desk.PeopleChoice {
	way := func(key string, chosen bool, change func(*request.PeopleBody)) desk.PeopleChoice {
		b := a
		change(&b)
		return desk.PeopleChoice{URL: doURL(tournamentID, b, from), Text: locale.T(ctx, key), Chosen: chosen}
	}
	switch a.Kind {
	case tournament.PeopleLeave:
		return []desk.PeopleChoice{way("people.way.after", !a.Now, func(b *request.PeopleBody) { b.Now = false }),
			way("people.way.now", a.Now, func(b *request.PeopleBody) { b.Now = true })}
	case tournament.PeopleSubstitute:
		return []desk.PeopleChoice{way("people.way.entry", a.Keep != people.KeepPerson,
			func(b *request.PeopleBody) { b.Keep = people.KeepEntry }),
			way("people.way.person", a.Keep == people.KeepPerson,
				func(b *request.PeopleBody) { b.Keep = people.KeepPerson })}
	}
	return nil
}

// peopleDoPost performs a previewed action.
func (s *Pages) peopleDoPost(c *gin.Context) error {
	tournamentID := page.ID(c, "event")
	a, err := peopleForm(c.PostForm)
	if err != nil {
		return s.Page.Again(c, err, s.Page.At(peopleBack(c, tournamentID, a)))
	}
	out, err := request.PeopleDo(c.Request.Context(), s.Page.Request.Desk, s.Page.Request.Staff(c), tournamentID,
		a)
	if errors.Is(err, &refuse.Error{Kind: refuse.KindInvalid, Key: "err_why_missing"}) {
		// to the page with the field
		return s.Page.Again(c, err, s.Page.At(templ.SafeURL(doURL(tournamentID, a, askedFrom(c)))))
	}
	if err != nil {
		return s.Page.Again(c, err, func(c *gin.Context, status int, text string) error {
			return s.showPeopleDo(c, tournamentID, a, status, text)
		})
	}
	to := peopleBack(c, tournamentID, a)
	if a.Kind == tournament.PeopleAllHere {
		return s.Page.SeeOther(c, to, "people.all_here", "n", len(out.Effects))
	}
	if texts := view.EffectTexts(s.Page.Request.Language(c), out.Effects); len(texts) > 0 {
		s.Page.Flash(c, strings.Join(texts, " "))
		return s.Page.SeeOther(c, to, "")
	}
	return s.Page.SeeOther(c, to, "people.did."+a.Kind)
}

// peopleUndoPage previews undoing an action.
func (s *Pages) peopleUndoPage(c *gin.Context) error {
	tournamentID, change := page.ID(c, "event"), page.ID(c, "change")
	ctx := s.Page.Request.Language(c)
	shown := desk.PeopleConfirmView{ID: tournamentID, Title: locale.T(ctx, "people.undo_title"),
		Post: string(templates.ActionPath("people.undo")),
		Go:   locale.T(ctx, "people.undo"), Back: string(part.AtPlace(templates.PeoplePath(tournamentID),
			desk.ChangePlace(change))),
		Fields: part.Sends(templates.PeoplePath(tournamentID), "change", change, "at",
			desk.ChangePlace(change), "from", templates.PeopleUndoPath(tournamentID, change))}
	status := http.StatusOK
	out, err := action.Preview(ctx, s.Page.Request.Desk, s.Page.Request.Staff(c),
		people.UndoPeople{Change: change})
	if err != nil {
		text, refused, err := s.Page.Problem(c, err)
		if err != nil {
			return err
		}
		status, shown.Problem = refused, text
	}
	shown.Effects = view.EffectTexts(ctx, out.Effects)
	return page.ShowEvent(s.Page, c, status, shown.Title, &shown, &shown.Page, desk.PeopleConfirmPage)
}

// checkInView returns the view for the check-in page and its stream.
func (s *views) checkInView(ctx context.Context, actor rights.Actor, tournamentID int64,
	only bool) (desk.CheckInView, error) {
	if err := rights.Authorize(actor, rights.Place{Tournament: tournamentID}, rights.MayCheckIn); err != nil {
		return desk.CheckInView{}, err
	}
	t, err := tournament.TournamentByID(ctx, s.View.Store, tournamentID)
	if err != nil {
		return desk.CheckInView{}, err
	}
	players, err := tournament.Players(ctx, s.View.Store, tournamentID)
	if err != nil {
		return desk.CheckInView{}, err
	}
	absent, err := tournament.Absent(ctx, s.View.Store, tournamentID)
	shown := desk.CheckInView{ID: tournamentID, Open: t.CheckInOpen, Only: only, Absent: absent}
	shown.Page.Role = part.Role(actor.Role)
	for _, p := range players {
		if !p.Plays() {
			continue
		}
		if !absent[p.ID] {
			shown.Here++
		}
		shown.Players = append(shown.Players, view.NewRosterPlayer(p))
	}
	return shown, err
}

func (s *Pages) checkInPage(c *gin.Context) error {
	tournamentID := page.ID(c, "event")
	ctx := s.Page.Request.Language(c)
	only := c.Query("only") != ""
	view, err := s.views.checkInView(ctx, s.Page.Request.Staff(c), tournamentID, only)
	if err != nil {
		return err
	}
	return page.ShowLive(s.Page, c, locale.T(ctx, "check_in.title"),
		templates.CheckInPath(tournamentID)+"/live"+onlyQuery(only), &view, &view.Page, desk.CheckInPage)
}

func (s *Pages) checkInLive(c *gin.Context) error {
	tournamentID := page.ID(c, "event")
	only := c.Query("only") != ""
	return s.Page.StreamRegion(c, func(ctx context.Context, actor rights.Actor) (templ.Component, error) {
		view, err := s.views.checkInView(ctx, actor, tournamentID, only)
		return desk.CheckInRegion(view), err
	}, live.TournamentTopic(tournamentID))
}

// onlyQuery returns the query that restricts the list to missing players if only is set, otherwise "".
func onlyQuery(only bool) templ.SafeURL {
	if only {
		return "?only=missing"
	}
	return ""
}

func (s *Pages) checkInPost(c *gin.Context) error {
	tournamentID := page.ID(c, "event")
	a, err := peopleForm(c.PostForm)
	if a.Kind = tournament.PeopleCheckOut; c.PostForm("here") == "true" {
		a.Kind = tournament.PeopleCheckIn
	}
	if err == nil {
		_, err = request.PeopleDo(c.Request.Context(), s.Page.Request.Desk, s.Page.Request.Staff(c), tournamentID,
			a)
	}
	page := templates.CheckInPath(tournamentID) + onlyQuery(c.PostForm("only") != "")
	if err != nil {
		return s.Page.Again(c, err, s.Page.At(page))
	}
	return s.Page.SeeOther(c, page, "")
}
