package request

import (
	"context"
	"encoding/json"

	"github.com/gin-gonic/gin"

	"meldhall/engine/ruleset"
	"meldhall/engine/steps"
	"meldhall/engine/tile"
	"meldhall/templates/locale"
	"meldhall/templates/tablet"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/people"
	"meldhall/tournament/practice"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/rosterfile"
	"meldhall/web/bots"
	"meldhall/web/guard"
)

// PeopleBody is an action on the people of a tournament.
type PeopleBody struct {
	Kind     string                       `json:"kind" doc:"enter, check_in, check_out, all_here, remove_absent, leave, no_show, back, move_up, substitute, return, fix_table, close_table, open_table, missed, correct or settings"`
	Player   int64                        `json:"player,omitempty"`
	Other    int64                        `json:"other,omitempty" doc:"substitute: a player on the waiting list"`
	Entries  []EntryBody                  `json:"entries,omitempty" maxItems:"5000" doc:"enter: the new players; substitute: one name; correct: the player's new name, country, club and mark"`
	Number   int                          `json:"number,omitempty" doc:"fix_table, close_table, open_table: the table's number; missed: the round's number"`
	Points   int                          `json:"points,omitempty" doc:"missed: the points charged to the player for the round"`
	Now      bool                         `json:"now,omitempty" doc:"leave: give up the seat in the running game"`
	Keep     string                       `json:"keep,omitempty" doc:"substitute: entry (the results stay with the entry, the default) or person"`
	Settings *tournament.PeopleSettingsOf `json:"settings,omitempty"`
	Why      string                       `json:"why,omitempty" maxLength:"500"`
	Preview  bool                         `json:"preview,omitempty" doc:"return the effects without changing anything"`
}

// EntryBody is a person who enters.
type EntryBody struct {
	Name    string `json:"name" maxLength:"500"`
	Country string `json:"country,omitempty" maxLength:"500"`
	Club    string `json:"club,omitempty" maxLength:"500"`
	Email   string `json:"email,omitempty" maxLength:"500"`

	Division string `json:"division,omitempty" maxLength:"500" doc:"set by organizers; ignored in a registration"`
	Family   string `json:"family,omitempty" maxLength:"500" doc:"players with the same value are kept apart; visible to organizers only"`
	Mark     string `json:"mark,omitempty" maxLength:"500" doc:"distinguishes players with the same name and country, at most 24 characters; shown after the name"`
}

// action returns the action that a body requests in a tournament. Fields that the action does not have are ignored.
func (b PeopleBody) action(tournamentID int64) (action.ActionOf[people.PeopleOutcome], error) {
	fields, err := json.Marshal(struct {
		PeopleBody
		Tournament int64 `json:"tournament"`
	}{b, tournamentID})
	if err != nil {
		return nil, err
	}
	return people.PeopleAction(b.Kind, fields)
}

// PeopleDo performs an action on people, or previews it.
func (s *Base) PeopleDo(ctx context.Context, actor rights.Actor, tournamentID int64,
	b PeopleBody) (people.PeopleOutcome, error) {
	if !people.IsPeopleKind(b.Kind) { // unauthorized callers do not learn which kinds exist
		if err := rights.Authorize(actor, rights.Place{Tournament: tournamentID}, rights.MayEditRoster); err != nil {
			return people.PeopleOutcome{}, err
		}
	}
	a, err := b.action(tournamentID)
	if err != nil {
		return people.PeopleOutcome{}, err
	}
	return DoOr(ctx, s.Desk, actor, b.Preview, a)
}

// Entry returns the player's entry in the body.
func (b EntryBody) Entry() rosterfile.PlayerEntry {
	return rosterfile.PlayerEntry{Name: b.Name, Country: b.Country, Club: b.Club, Email: b.Email, Division: b.Division,
		Family: b.Family, Mark: b.Mark}
}

// OpenPractice opens a practice table for a person at an address and starts its bots. The names of the person and the
// table are in the context's language.
func (s *Base) OpenPractice(ctx context.Context, address, strength string, rules ruleset.Ruleset) (string, rights.Actor,
	error) {
	if _, err := bots.StyleOf(strength); err != nil {
		return "", rights.Actor{}, err
	}
	if err := s.starts.Spend("address " + guard.Network(address)); err != nil {
		return "", rights.Actor{}, err
	}
	reader, leave := guard.ReaderAt(address), func() {}
	if s.view.Store.Node() == "" { // with nodes, tables are counted in the database
		var err error
		if leave, err = s.readers.practice.Take(reader); err != nil {
			return "", rights.Actor{}, refuse.TooMany("err_practice_full", "most", practice.Most)
		}
	}
	at, err := action.Do(ctx, s.Desk, rights.Public(), practice.OpenTable{Strength: strength, Rules: rules, Reader: reader,
		Name: locale.T(ctx, "practice.title"), Person: locale.T(ctx, "seat.you"), Bots: bots.Names})
	if err != nil {
		leave()
		return "", rights.Actor{}, err
	}
	s.Bots.PlayTable(at.Game, leave)
	return at.Token, at.Me, nil
}

// Rehearse creates a copy of a tournament for bots to play. It replaces an older copy that is over.
func (s *Base) Rehearse(ctx context.Context, actor rights.Actor, tournamentID int64, by string) (tournament.Tournament,
	error) {
	t, err := tournament.TournamentByID(ctx, s.view.Store, tournamentID)
	if err != nil {
		return t, err
	}
	return action.Do(ctx, s.Desk, actor, practice.Rehearse{Tournament: tournamentID,
		Name: locale.T(ctx, "rehearsal.name", "name", t.Name), By: by})
}

// Hint returns a play for the requesting player, with the steps to it.
func (s *Base) Hint(c *gin.Context) (tablet.Hint, error) {
	game, err := GameParam(c)
	if err != nil {
		return tablet.Hint{}, err
	}
	h, err := s.view.Games.Hint(c.Request.Context(), s.Player(c), game)
	if err != nil {
		return tablet.Hint{}, err
	}
	return newHint(h), nil
}

func newHint(h game.Hint) tablet.Hint {
	hint := tablet.Hint{Turn: h.Turn, Tiles: h.Tiles, Opens: h.Opens, Points: h.Points, Proven: h.Proven,
		Pool: h.Pool, Played: h.Played}
	if h.Tiles > 0 {
		after := h.After.Faces()
		hint.Steps = steps.Steps(h.Before.Faces(), after)
		for i, laid := range h.After {
			hint.Table = append(hint.Table, tile.LaidFaces{At: laid.At, Faces: after[i]})
		}
	}
	return hint
}
