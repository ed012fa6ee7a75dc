package tournament

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"meldhall/engine"
	"meldhall/tournament/door"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
	"meldhall/tournament/storage"
)

// The names of the actions about people, as programs and stored changes have them. Each is looked at before it is done and
// can be taken back; the record of one is people.NAME.
const (
	PeopleEnter        = "enter"
	PeopleCheckIn      = "check_in"
	PeopleCheckOut     = "check_out"
	PeopleAllHere      = "all_here"
	PeopleRemoveAbsent = "remove_absent"
	PeopleLeave        = "leave"
	PeopleNoShow       = "no_show"
	PeopleBack         = "back"
	PeopleMoveUp       = "move_up"
	PeopleSubstitute   = "substitute"
	PeopleReturn       = "return"
	PeopleFixTable     = "fix_table"
	PeopleCloseTable   = "close_table"
	PeopleOpenTable    = "open_table"
	PeopleMissed       = "missed"
	PeopleCorrect      = "correct"
	PeopleSettings     = "settings"
)

// peopleKinds are the kinds of the actions about people by these names.
var peopleKinds = map[string]*door.Kind{}

// peopleKind makes the kind of the actions of type A.
func peopleKind[A door.ActionOf[PeopleOutcome]](name string, right rights.Right, details func() door.Details) *door.Kind {
	k := door.NewKind[A](door.Kind{Name: "people." + name, Right: right, Changes: []door.What{door.TopicPeople}, Details: details})
	peopleKinds[name] = k
	return k
}

// PeopleAction reads the action of a name from JSON that may have fields of other actions about people too, as a form has.
func PeopleAction(name string, body []byte) (door.ActionOf[PeopleOutcome], error) {
	k := peopleKinds[name]
	if k == nil {
		return nil, refuse.Invalid("err_people_kind", "kind", name)
	}
	a, err := k.Read(body)
	if err != nil {
		return nil, err
	}
	return a.(door.ActionOf[PeopleOutcome]), nil
}

// IsPeopleKind tells whether it is the name of an action about people.
func IsPeopleKind(name string) bool { return peopleKinds[name] != nil }

// peopleWork is what is said of an action about people beside what it does: at which event, whom or which table it is about,
// 0 for neither, and why. Name is that of the stored change.
type peopleWork struct {
	event  int64
	name   string
	player int64
	table  int
	why    string
}

// peopleTx is an action about people in its transaction.
type peopleTx struct {
	*door.Tx
	event  Tournament
	before peopleState
	round  *Round // the newest one that is not over

	entered []Player
	givesUp []playedSeat
	notes   []PeopleEffect

	laid  laidCodes // of what goes
	again laidCodes // of what went, when a change is taken back
}

// openPeople reads an event whose people are to be changed.
func openPeople(tx *door.Tx, event int64) (*peopleTx, error) {
	p := &peopleTx{Tx: tx}
	var err error
	if p.event, err = FindTournament(tx.DB, event); err != nil {
		return nil, err
	}
	if p.event.Practice != "" {
		return nil, refuse.NotFound("err_tournament_not_found", "id", event)
	}
	if p.before, err = loadPeople(tx.DB, event); err != nil {
		return nil, err
	}
	p.round, err = openRound(tx.DB, event)
	return p, err
}

// changePlayer is changePeople for what is done about one player.
func changePlayer(tx *door.Tx, w peopleWork, act func(tx *peopleTx, p Player) error) (PeopleOutcome, error) {
	return changePeople(tx, w, func(tx *peopleTx) error {
		p, err := tx.player(w.player)
		if err != nil {
			return err
		}
		return act(tx, p)
	})
}

// aboutPlayer is what an action about one player says where the player is all that it is about.
type aboutPlayer struct {
	Tournament int64  `json:"tournament"`
	Player     int64  `json:"player"`
	Why        string `json:"why,omitempty"`
}

func (a aboutPlayer) do(tx *door.Tx, name string, act func(*peopleTx, Player) error) (PeopleOutcome, error) {
	return changePlayer(tx, peopleWork{event: a.Tournament, name: name, player: a.Player, why: a.Why}, act)
}

// changePeople does what act does to the people of an event, with everything that follows from it, keeps what that changed, to
// be taken back, and records it.
func changePeople(in *door.Tx, w peopleWork, act func(*peopleTx) error) (out PeopleOutcome, err error) {
	if w.why = spelling.Clean(w.why); utf8.RuneCountInString(w.why) > door.ReasonMost {
		return out, refuse.Invalid("err_why_missing", "most", door.ReasonMost)
	}
	tx, err := openPeople(in, w.event)
	if err != nil {
		return out, err
	}
	if err := act(tx); err != nil {
		return out, err
	}
	if err := cmp.Or(tx.moveUp(), tellApart(tx.DB, tx.event.ID)); err != nil {
		return out, err
	}
	was, is, whole, err := tx.difference()
	if err != nil {
		return out, err
	}
	out = PeopleOutcome{Effects: append(effects(was, is, whole), tx.notes...), Players: tx.entered, GivesUp: tx.givesUp}
	if len(was) == 0 && len(is) == 0 {
		return out, nil // nothing to keep, and nothing to take back
	}
	row := peopleChangeRow{TournamentID: w.event, Kind: w.name, Subject: tx.subject(w), Actor: tx.Actor.String(), At: tx.Now(), Why: w.why,
		Before: jsonText(was), After: jsonText(is), Codes: jsonText(tx.laid)}
	if err := tx.Create(&row).Error; err != nil {
		return out, err
	}
	tx.recordPeople(w, was, is, whole)
	tx.thenForget(changedTables(was, is))
	tx.thenGiveUp(row.ID, w)
	if !tx.Preview {
		out.Change = row.ID
	}
	return out, nil
}

// difference is the parts of the event that are not as they were, and both states in one.
func (tx *peopleTx) difference() (was, is, whole peopleState, err error) {
	after, err := loadPeople(tx.DB, tx.event.ID)
	if err != nil {
		return nil, nil, nil, err
	}
	was, is = tx.before.against(after)
	return was, is, bothStates(tx.before, after), nil
}

// thenForget lets the games of tables whose seats or numbers changed be read again.
func (tx *peopleTx) thenForget(tables []int64) {
	tx.Then(func(ctx context.Context, g *game.Games) error { return g.Reseated(ctx, tables) })
}

// thenGiveUp gives up the seats in the games that are on of those who go at once.
func (tx *peopleTx) thenGiveUp(change int64, w peopleWork) {
	seats, actor := tx.givesUp, tx.Actor
	grounds := engine.Grounds{Reason: w.reason(), By: actor.Name}
	tx.Then(func(ctx context.Context, g *game.Games) error {
		var errs []error
		for _, at := range seats {
			_, err := g.Submit(ctx, actor, at.Game, leaveKey(change, at.Seat), engine.ForfeitSeat{Grounds: grounds, Seat: at.Seat})
			errs = append(errs, unlessRefused(err))
		}
		return errors.Join(errs...)
	})
}

// reason is what a ruling in a game says of an action.
func (w peopleWork) reason() string {
	switch {
	case w.why != "":
		return w.why
	case w.name == PeopleNoShow:
		return "no-show"
	}
	return "left"
}

// subject is what a stored change says that it was about.
func (tx *peopleTx) subject(w peopleWork) string {
	on := tx.about(w)
	switch {
	case on.Player != 0:
		return Player{Number: on.Player, Name: on.Name}.subject()
	case on.Table != 0:
		return tableSubject(on.Table)
	}
	return tx.event.subject()
}

// about is whom or what an action was about.
func (tx *peopleTx) about(w peopleWork) door.About {
	if w.player != 0 {
		if p, err := tx.player(w.player); err == nil {
			return p.about()
		}
	}
	if len(tx.entered) == 1 {
		return tx.entered[0].about()
	}
	return door.About{Table: w.table}
}

func (tx *peopleTx) player(id int64) (Player, error) {
	return storage.ByID[Player](tx.Where("tournament_id = ?", tx.event.ID), "player", id)
}

func (tx *peopleTx) setPlayer(id int64, state string, gone bool, fixed int) error {
	return tx.Model(&Player{}).Where("id = ?", id).Updates(map[string]any{"state": state, "gone": gone, "fixed_table": fixed}).Error
}

func (tx *peopleTx) setDrawn(id int64, number int) error {
	return storage.Clash(tx.Model(&Player{}).Where("id = ?", id).Update("drawn", number).Error, "err_undo_changed")
}

func (tx *peopleTx) setState(p Player, state string, gone bool) error {
	return tx.setPlayer(p.ID, state, gone, p.FixedTable)
}

func idsOf(players []Player) []int64 {
	ids := make([]int64, len(players))
	for i, p := range players {
		ids[i] = p.ID
	}
	return ids
}

// recordPeople records what an action changed of people. Of a player who is written otherwise it says that alone.
func (tx *peopleTx) recordPeople(w peopleWork, was, is, whole peopleState) {
	e := door.Entry{Kind: peopleKinds[w.name], Event: tx.event.ID, On: tx.about(w), Why: w.why, Is: peopleChanged{Was: was.noted(whole, is), Is: is.noted(whole, was)}, Topics: topicsOf(was, is)}
	if w.name == PeopleCorrect {
		e.Is = door.Value{Was: was.player(w.player).playerWho.String(), Is: is.player(w.player).playerWho.String()}
	}
	addPlaces(&e.On, was, is, whole)
	tx.Record(e)
}

// topicsOf are what parts that changed are of, beside people.
func topicsOf(was, is peopleState) []door.Topic {
	of := map[string]door.What{"table": door.TopicSeats, "stand_in": door.TopicSeats, "missed": door.TopicStandings, "closed": door.TopicHall, "settings": door.TopicSettings}
	var c door.Changed
	for _, key := range keysOf(was, is) {
		part, _, _ := strings.Cut(key, "/")
		if what, ok := of[part]; ok {
			c.Add(door.Topic{What: what})
		}
	}
	return c.Topics
}
