package api

import (
	"context"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/people"
	"meldhall/tournament/privacy"
	"meldhall/web/request"
	"meldhall/web/view"
)

// PeopleAnswer is the effect of an action on people, or of its preview.
type PeopleAnswer struct {
	Change  int64        `json:"change" doc:"the id for undoing it; 0 in a preview or if nothing changed"`
	Effects []EffectPart `json:"effects"`
	Players []PlayerView `json:"players,omitempty" doc:"the new players"`
}

// EffectPart is one effect of an action on people.
type EffectPart struct {
	Code    string         `json:"code"`
	Message string         `json:"message"`
	Player  int64          `json:"player,omitempty"`
	Args    map[string]any `json:"args"`
}

// PersonView is a player as organizers see them.
type PersonView struct {
	PlayerView
	State  string `json:"state" enum:"waiting,registered,checked_in,withdrawn,no_show,substituted"`
	Fixed  int    `json:"fixed_table,omitempty"`
	Email  string `json:"email,omitempty"`
	Ticket string `json:"ticket,omitempty"`

	Division string `json:"division,omitempty"`
	Family   string `json:"family,omitempty"`
	Written  string `json:"written" doc:"the name as entered; name is the displayed one, with the mark that distinguishes players of the same name"`
	Mark     string `json:"mark,omitempty"`
}

// PeopleChangeView is a completed action on people.
type PeopleChangeView struct {
	ID      int64         `json:"id"`
	Kind    string        `json:"kind"`
	Subject string        `json:"subject"`
	Who     string        `json:"who"`
	At      engine.Millis `json:"at"`
	Why     string        `json:"why,omitempty"`
	Effects []EffectPart  `json:"effects"`
	Undone  string        `json:"undone_by,omitempty"`
	Blocked string        `json:"blocked,omitempty" doc:"the reason if it can't be undone"`
}

// UndoBody is the request to undo an action.
type UndoBody struct {
	Why     string `json:"why,omitempty" maxLength:"500"`
	Preview bool   `json:"preview,omitempty"`
}

// RegistrationView describes how a tournament accepts registrations.
type RegistrationView struct {
	Open    bool `json:"open"`
	Players int  `json:"players"`
	Waiting int  `json:"waiting"`
	Free    *int `json:"free,omitempty" doc:"free places; left out if there is no limit"`
}

// TicketAnswer is a registration with its ticket, which is returned only once.
type TicketAnswer struct {
	Player PlayerView `json:"player"`
	State  string     `json:"state"`
	Ticket string     `json:"ticket"`
}

func (a *api) peopleOperations() {
	lists(a, forOrganizer, "GET /tournaments/{id}/people", "All players, including withdrawn ones, with states and "+
		"tickets",
		tournament.PlayersFull, personView)
	operation(a, forOrganizer, "POST /tournaments/{id}/people", "Do one action about people, or preview its effects",
		a.apiPeopleDo,
		describe("This includes its effects on the seats of a drafted or published round, the waiting list and the "+
			"results of missed rounds. substitute takes a name from its entry; correct takes the player's new name, "+
			"country, club, mark and federation number."))
	operation(a, forOrganizer, "GET /tournaments/{id}/changes",
		"Actions about people, and whether they can be undone", a.apiPeopleChanges)
	operation(a, forOrganizer, "POST /changes/{id}/undo", "Undo an action about people", a.apiPeopleUndo)
	operation(a, forAll, "GET /tournaments/{id}/registration", "Whether an event takes entries", a.apiRegistration)
	operation(a, forAll, "POST /tournaments/{id}/registration", "Enter an event, or its waiting list", a.apiRegister,
		describe("Only while registration is open; at most ten times a minute from one IP address."))
	operation(a, forAll, "POST /tickets/{ticket}/check-in", "Check in the player of a ticket", a.apiTicket,
		describe("Officials may do this at any time, players while check-in is open."))
	operation(a, forAll, "POST /tickets/{ticket}/naming", "Set how the player of a ticket is named in public",
		a.apiNameOwn)
	operation(a, forReferee, "GET /tournaments/{id}/log", "Search the log of actions", a.apiLog)
}

func personView(p tournament.Player) PersonView {
	view := PersonView{PlayerView: playerView(p), State: p.State, Fixed: p.FixedTable, Email: p.Email,
		Division: p.Division, Family: p.Family, Written: p.Written, Mark: p.Mark}
	if p.Ticket != nil {
		view.Ticket = *p.Ticket
	}
	return view
}

func (a *api) apiPeopleDo(ctx context.Context, in *idWith[request.PeopleBody]) (*with[PeopleAnswer], error) {
	out, err := request.PeopleDo(ctx, a.Request.Desk, a.Request.Staff(requestOf(ctx)), in.ID, in.Body)
	return answer(peopleAnswer(ctx, out), err)
}

func peopleAnswer(ctx context.Context, out people.PeopleOutcome) PeopleAnswer {
	view := PeopleAnswer{Change: out.Change, Effects: effectParts(ctx, out.Effects)}
	for _, p := range out.Players {
		view.Players = append(view.Players, playerView(p))
	}
	return view
}

func effectParts(ctx context.Context, effects []tournament.PeopleEffect) []EffectPart {
	return viewsOf(effects, func(e tournament.PeopleEffect) EffectPart {
		return EffectPart{e.Key, view.Plain(view.EffectText(ctx, e)), e.Player, e.Args}
	})
}

func (a *api) apiPeopleChanges(ctx context.Context, in *IDPath) (*listOf[PeopleChangeView], error) {
	return listed(func(one people.PeopleChange) PeopleChangeView {
		view := PeopleChangeView{ID: one.ID, Kind: one.Kind, Subject: one.Subject, Who: one.Actor, At: one.At,
			Why:     one.Why,
			Effects: effectParts(ctx, one.Effects), Undone: one.By}
		if one.Blocked != nil {
			view.Blocked = request.FailureOf(ctx, "", one.Blocked).Message
		}
		return view
	})(people.PeopleChanges(ctx, a.View.Store, a.Request.Staff(requestOf(ctx)), in.ID, 200))
}

func (a *api) apiPeopleUndo(ctx context.Context, in *idWith[UndoBody]) (*with[PeopleAnswer], error) {
	out, err := request.DoOr(ctx, a.Request.Desk, a.Request.Staff(requestOf(ctx)), in.Body.Preview,
		people.UndoPeople{Change: in.ID, Why: in.Body.Why})
	return answer(peopleAnswer(ctx, out), err)
}

func (a *api) apiRegistration(ctx context.Context, in *IDPath) (*with[RegistrationView], error) {
	r, err := people.RegistrationOf(ctx, a.View.Store, in.ID)
	view := RegistrationView{Open: r.Open, Players: r.Players, Waiting: r.Waiting}
	if free := r.Free(); free >= 0 {
		view.Free = &free
	}
	return answer(view, err)
}

func (a *api) apiRegister(ctx context.Context, in *idWith[request.EntryBody]) (*with[TicketAnswer], error) {
	player, err := a.Request.Register(requestOf(ctx), in.ID, in.Body.Entry())
	if err != nil {
		return nil, err
	}
	return answer(TicketAnswer{playerView(player), player.State, *player.Ticket}, nil)
}

// TicketInput is a ticket in an address.
type TicketInput struct {
	Ticket string `path:"ticket" maxLength:"100"`
}

// NameInput is the request to change how a ticket's player is named in public.
type NameInput struct {
	TicketInput
	Body struct {
		Way string `json:"way" doc:"whole, short or number: Anna Berg, Anna B. or № 17"`
	}
}

func (a *api) apiNameOwn(ctx context.Context, in *NameInput) (*with[Done], error) {
	_, err := action.Do(ctx, a.Request.Desk, a.Request.Staff(requestOf(ctx)),
		privacy.NameOwn{Ticket: in.Ticket, Way: in.Body.Way})
	return answer(Done{true}, err)
}

func (a *api) apiTicket(ctx context.Context, in *TicketInput) (*with[TicketAnswer], error) {
	player, err := action.Do(ctx, a.Request.Desk, a.Request.Staff(requestOf(ctx)),
		people.CheckInByTicket{Ticket: in.Ticket})
	if err != nil {
		return nil, err
	}
	return answer(TicketAnswer{playerView(player), player.State, in.Ticket}, nil)
}
