// Package people holds the actions about a tournament's players: registration, check-in, entering late, leaving,
// substitutes, tables out of service, changes of seats by hand, joining a seat, and undoing any of these.
package people

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
	"meldhall/tournament/store"
)

// PeopleKinds maps the names of the actions about players, such as tournament.PeopleEnter, to their kinds.
var PeopleKinds = map[string]*action.Kind{}

// peopleKind registers the kind of the actions of type A.
func peopleKind[A action.ActionOf[PeopleOutcome]](name string, right rights.Right,
	details func() action.Details) *action.Kind {
	k := action.NewKind[A](action.Kind{Name: "people." + name, Right: right, Changes: []action.What{action.TopicPeople},
		Details: details})
	PeopleKinds[name] = k
	return k
}

// PeopleAction decodes the named action from JSON. The JSON may contain fields of other such actions, as forms do.
func PeopleAction(name string, body []byte) (action.ActionOf[PeopleOutcome], error) {
	k := PeopleKinds[name]
	if k == nil {
		return nil, refuse.Invalid("err_people_kind", "kind", name)
	}
	a, err := k.Read(body)
	if err != nil {
		return nil, err
	}
	return a.(action.ActionOf[PeopleOutcome]), nil
}

// IsPeopleKind reports whether name is an action about players.
func IsPeopleKind(name string) bool { return PeopleKinds[name] != nil }

// peopleWork describes an action about players: the tournament, the player or table it is about (0 for none) and the
// reason. name is the name of the stored change.
type peopleWork struct {
	tournamentID int64
	name         string
	player       int64
	table        int
	why          string
}

// peopleTx is the transaction of an action about players.
type peopleTx struct {
	*action.Tx
	event  tournament.Tournament
	before tournament.PeopleState
	round  *tournament.Round // the newest unfinished round

	entered []tournament.Player
	givesUp []playedSeat
	Notes   []tournament.PeopleEffect

	laid  laidCodes // codes that the action removes
	again laidCodes // codes to restore when a change is undone
}

// OpenPeople loads the tournament and its state before the action. A practice tournament is NotFound.
func OpenPeople(tx *action.Tx, tournamentID int64) (*peopleTx, error) {
	p := &peopleTx{Tx: tx}
	var err error
	if p.event, err = tournament.FindTournament(tx.DB, tournamentID); err != nil {
		return nil, err
	}
	if p.event.Practice != "" {
		return nil, refuse.NotFound("err_tournament_not_found", "id", tournamentID)
	}
	if p.before, err = tournament.LoadPeople(tx.DB, tournamentID); err != nil {
		return nil, err
	}
	p.round, err = tournament.OpenRound(tx.DB, tournamentID)
	return p, err
}

// changePlayer is changePeople for an action about one player.
func changePlayer(tx *action.Tx, w peopleWork, act func(tx *peopleTx, p tournament.Player) error) (PeopleOutcome,
	error) {
	return changePeople(tx, w, func(tx *peopleTx) error {
		p, err := tx.player(w.player)
		if err != nil {
			return err
		}
		return act(tx, p)
	})
}

// aboutPlayer holds the fields of an action that needs only the player.
type aboutPlayer struct {
	Tournament int64  `json:"tournament"`
	Player     int64  `json:"player"`
	Why        string `json:"why,omitempty"`
}

func (a aboutPlayer) do(tx *action.Tx, name string, act func(*peopleTx, tournament.Player) error) (PeopleOutcome,
	error) {
	return changePlayer(tx, peopleWork{tournamentID: a.Tournament, name: name, player: a.Player, why: a.Why}, act)
}

// changePeople runs act, admits players from the waiting list and updates the suffixes of players with the same name.
// It stores the changes, so that they can be undone, and records them. If nothing changed, it stores nothing.
func changePeople(in *action.Tx, w peopleWork, act func(*peopleTx) error) (out PeopleOutcome, err error) {
	if w.why = spelling.Clean(w.why); utf8.RuneCountInString(w.why) > action.ReasonMost {
		return out, refuse.Invalid("err_why_missing", "most", action.ReasonMost)
	}
	tx, err := OpenPeople(in, w.tournamentID)
	if err != nil {
		return out, err
	}
	if err := act(tx); err != nil {
		return out, err
	}
	if err := cmp.Or(tx.MoveUp(), tellApart(tx.DB, tx.event.ID)); err != nil {
		return out, err
	}
	was, is, whole, err := tx.Difference()
	if err != nil {
		return out, err
	}
	out = PeopleOutcome{Effects: append(Effects(was, is, whole), tx.Notes...), Players: tx.entered, GivesUp: tx.givesUp}
	if len(was) == 0 && len(is) == 0 {
		return out, nil // nothing changed, so nothing to store or undo
	}
	row := tournament.PeopleChangeRow{TournamentID: w.tournamentID, Kind: w.name, Subject: tx.subject(w),
		Actor: tx.Actor.String(),
		At:    tx.Now(), Why: w.why,
		Before: tournament.JSONText(was), After: tournament.JSONText(is), Codes: tournament.JSONText(tx.laid)}
	if err := tx.Create(&row).Error; err != nil {
		return out, err
	}
	tx.recordPeople(w, was, is, whole)
	tx.ThenForget(ChangedTables(was, is))
	tx.thenGiveUp(row.ID, w)
	if !tx.Preview {
		out.Change = row.ID
	}
	return out, nil
}

// Difference returns the parts that the action changed, before (was) and after (is), and both full states merged
// (whole).
func (tx *peopleTx) Difference() (was, is, whole tournament.PeopleState, err error) {
	after, err := tournament.LoadPeople(tx.DB, tx.event.ID)
	if err != nil {
		return nil, nil, nil, err
	}
	was, is = tx.before.Against(after)
	return was, is, tournament.BothStates(tx.before, after), nil
}

// ThenForget makes the games of reseated or renumbered tables load their seats again after the commit.
func (tx *peopleTx) ThenForget(tables []int64) {
	tx.Then(func(ctx context.Context, g *game.Games) error { return g.Reseated(ctx, tables) })
}

// thenGiveUp forfeits, after the commit, the running games' seats of players who leave at once.
func (tx *peopleTx) thenGiveUp(change int64, w peopleWork) {
	seats, actor := tx.givesUp, tx.Actor
	grounds := engine.Grounds{Reason: w.reason(), By: actor.Name}
	tx.Then(func(ctx context.Context, g *game.Games) error {
		var errs []error
		for _, at := range seats {
			_, err := g.Submit(ctx, actor, at.Game, tournament.LeaveKey(change, at.Seat),
				engine.ForfeitSeat{Grounds: grounds, Seat: at.Seat})
			errs = append(errs, UnlessRefused(err))
		}
		return errors.Join(errs...)
	})
}

// reason returns the reason for the rulings that the action causes: the official's own, or a default.
func (w peopleWork) reason() string {
	switch {
	case w.why != "":
		return w.why
	case w.name == tournament.PeopleNoShow:
		return "no-show"
	}
	return "left"
}

// subject returns the subject stored with a change.
func (tx *peopleTx) subject(w peopleWork) string {
	on := tx.about(w)
	switch {
	case on.Player != 0:
		return tournament.Player{Number: on.Player, Name: on.Name}.Subject()
	case on.Table != 0:
		return tournament.TableSubject(on.Table)
	}
	return tx.event.Subject()
}

// about returns the player or table that an action is about, as the subject of its record.
func (tx *peopleTx) about(w peopleWork) action.About {
	if w.player != 0 {
		if p, err := tx.player(w.player); err == nil {
			return p.About()
		}
	}
	if len(tx.entered) == 1 {
		return tx.entered[0].About()
	}
	return action.About{Table: w.table}
}

func (tx *peopleTx) player(id int64) (tournament.Player, error) {
	return store.ByID[tournament.Player](tx.Where("tournament_id = ?", tx.event.ID), "player", id)
}

func (tx *peopleTx) setPlayer(id int64, state string, gone bool, fixed int) error {
	return tx.Model(&tournament.Player{}).Where("id = ?", id).Updates(map[string]any{"state": state, "gone": gone,
		"fixed_table": fixed}).Error
}

func (tx *peopleTx) setDrawn(id int64, number int) error {
	return store.Clash(tx.Model(&tournament.Player{}).Where("id = ?", id).Update("drawn", number).Error,
		"err_undo_changed")
}

func (tx *peopleTx) setState(p tournament.Player, state string, gone bool) error {
	return tx.setPlayer(p.ID, state, gone, p.FixedTable)
}

func idsOf(players []tournament.Player) []int64 {
	ids := make([]int64, len(players))
	for i, p := range players {
		ids[i] = p.ID
	}
	return ids
}

// recordPeople records an action's changes. For a corrected name it records only the old and the new text.
func (tx *peopleTx) recordPeople(w peopleWork, was, is, whole tournament.PeopleState) {
	e := action.Entry{Kind: PeopleKinds[w.name], Event: tx.event.ID, On: tx.about(w), Why: w.why,
		Is: tournament.PeopleChanged{Was: was.Noted(whole, is), Is: is.Noted(whole, was)}, Topics: TopicsOf(was, is)}
	if w.name == tournament.PeopleCorrect {
		e.Is = action.Value{Was: whoIn(was), Is: whoIn(is)}
	}
	AddPlaces(&e.On, was, is, whole)
	tx.Record(e)
}

// whoIn returns the names, countries, clubs and marks of all players in a state.
func whoIn(state tournament.PeopleState) string {
	var all []string
	for _, p := range tournament.PartsOf[tournament.PlayerPart](state, "player") {
		all = append(all, p.PlayerWho.String())
	}
	return strings.Join(all, "; ")
}

// TopicsOf returns the topics of changed parts other than TopicPeople.
func TopicsOf(was, is tournament.PeopleState) []action.Topic {
	of := map[string]action.What{"table": action.TopicSeats, "stand_in": action.TopicSeats,
		"missed": action.TopicStandings, "closed": action.TopicHall, "settings": action.TopicSettings}
	var c action.Changed
	for _, key := range tournament.KeysOf(was, is) {
		part, _, _ := strings.Cut(key, "/")
		if what, ok := of[part]; ok {
			c.Add(action.Topic{What: what})
		}
	}
	return c.Topics
}
