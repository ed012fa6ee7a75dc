package people

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/pairing"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
	"meldhall/tournament/store"
)

// UndoPeople restores everything that an action about players changed. It is refused, with the reason, if later changes
// depend on the action. A seat that the action gave up in a running game is restored, unless the game has gone too far:
// then a referee must rewind it. If the action entered several players together, those with a seat or another record
// stay, and the effects name them.
type UndoPeople struct {
	Change int64  `json:"change" of:"people_changes"`
	Why    string `json:"why,omitempty"`
}

var _ = action.NewKind[UndoPeople](action.Kind{Name: "people.undo", Right: rights.MayEditRoster,
	Changes: []action.What{action.TopicPeople}, Details: action.Keep[tournament.PeopleChanged]})

func (u UndoPeople) Do(in *action.Tx) (out PeopleOutcome, err error) {
	if u.Why = spelling.Clean(u.Why); utf8.RuneCountInString(u.Why) > action.ReasonMost {
		return out, refuse.Invalid("err_why_missing", "most", action.ReasonMost)
	}
	row, err := store.ByID[tournament.PeopleChangeRow](in.DB, "change", u.Change)
	if err != nil {
		return out, err
	}
	tx, err := OpenPeople(in, row.TournamentID)
	if err != nil {
		return out, err
	}
	one, err := changeOf(tx.DB, row, tx.before)
	if err != nil {
		return out, err
	}
	if one.Blocked != nil {
		return out, one.Blocked
	}
	was, is, err := row.Parts()
	if err != nil {
		return out, err
	}
	if err := json.Unmarshal([]byte(row.Codes), &tx.again); err != nil {
		return out, err
	}
	all := true
	if one.List != nil {
		all, err = tx.takeListOut(one.List)
	} else {
		err = tx.putBack(was, is)
	}
	if err != nil {
		return out, err
	}
	if err := tellApart(tx.DB, tx.event.ID); err != nil {
		return out, err
	}
	// if drawn since, or unchanged, nothing needs repair
	if tx.round != nil && tx.round.Status == tournament.RoundDraft {
		if err := tx.mendDraft(); err != nil {
			return out, err
		}
	}
	if out.Effects, err = tx.undone(row, u.Why); err != nil {
		return out, err
	}
	tx.thenTakeBack(row, tournament.GoneIn(was, is))
	if !tx.Preview {
		out.Change = row.ID
	}
	if !all { // the rest can be removed once they no longer play
		return out, nil
	}
	return out, tx.Model(&row).Updates(map[string]any{"undone_at": tx.Now(), "undone_by": tx.Actor.String()}).Error
}

// undone records that a change was undone and returns the effects.
func (tx *peopleTx) undone(row tournament.PeopleChangeRow, why string) ([]tournament.PeopleEffect, error) {
	from, to, whole, err := tx.Difference()
	if err != nil {
		return nil, err
	}
	e := action.Entry{Event: row.TournamentID, On: row.About(whole, tournament.BothStates(from, to)), Why: why,
		Is: tournament.PeopleChanged{Was: from.Noted(whole, to), Is: to.Noted(whole, from)}, Topics: TopicsOf(from, to)}
	AddPlaces(&e.On, from, to, whole)
	tx.Record(e)
	tx.ThenForget(ChangedTables(from, to))
	return append(Effects(from, to, whole), tx.Notes...), nil
}

// thenTakeBack restores, after the commit, the seats that a change gave up in running games.
func (tx *peopleTx) thenTakeBack(row tournament.PeopleChangeRow, players []int64) {
	actor, by := tx.Actor, tournament.ActorNamed(row.Actor)
	tx.Then(func(ctx context.Context, g *game.Games) error {
		var errs []error
		for _, player := range players {
			errs = append(errs, takeSeatBack(ctx, g, actor, by, player, row.ID))
		}
		return errors.Join(errs...)
	})
}

// putBack restores the parts of a change from is to was.
func (tx *peopleTx) putBack(was, is tournament.PeopleState) error {
	var gone []int64
	var back []pairing.Placing
	for id, t := range tournament.PartsOf[tournament.TablePart](was, "table") {
		back = append(back, pairing.Placing{ID: id, Number: t.Number, Players: t.Players})
	}
	for id := range tournament.PartsOf[tournament.TablePart](is, "table") {
		if !slices.ContainsFunc(back, func(t pairing.Placing) bool { return t.ID == id }) {
			gone = append(gone, id)
		}
	}
	if len(back)+len(gone) > 0 {
		if err := tx.reseat(back, gone); err != nil {
			return err
		}
	}
	if err := tx.takeDrawnBack(was, is); err != nil {
		return err
	}
	for _, key := range tournament.KeysOf(was, is) {
		if err := tx.putPartBack(key, was, is); err != nil {
			return err
		}
	}
	var left []int64 // players entered by the change
	for id := range tournament.PartsOf[tournament.PlayerPart](is, "player") {
		if was.Player(id).Number == 0 {
			left = append(left, id)
		}
	}
	for part := range slices.Chunk(left, 500) {
		if err := tx.Where("id IN ?", part).Delete(&tournament.Player{}).Error; errors.Is(err,
			gorm.ErrForeignKeyViolated) {
			return refuse.Conflict("err_undo_entered")
		} else if err != nil {
			return err
		}
	}
	return nil
}

// takeDrawnBack clears drawn numbers that changed hands, so that they can be set again without collisions.
func (tx *peopleTx) takeDrawnBack(was, is tournament.PeopleState) error {
	for id, left := range tournament.PartsOf[tournament.PlayerPart](is, "player") {
		if left.Drawn != was.Player(id).Drawn {
			if err := tx.setDrawn(id, 0); err != nil {
				return err
			}
		}
	}
	return nil
}

func (tx *peopleTx) putPartBack(key string, was, is tournament.PeopleState) error {
	id := tournament.KeyID(key)
	var (
		one   tournament.PlayerPart
		m     tournament.MissedRound
		stand tournament.StandInPart
		set   tournament.SettingsPart
	)
	switch kind, _, _ := strings.Cut(key, "/"); kind {
	case "player":
		if was.Read(key, &one) {
			var left tournament.PlayerPart
			if is.Read(key, &left) && left.PlayerWho != one.PlayerWho {
				return tx.setWho(id, one.PlayerWho)
			}
			if left.Drawn != one.Drawn {
				if err := tx.setDrawn(id, one.Drawn); err != nil {
					return err
				}
			}
			return tx.setPlayer(id, one.State, one.Gone, one.Fixed)
		}
	case "missed":
		if was.Read(key, &m) {
			return tx.Clauses(clause.OnConflict{UpdateAll: true,
				Columns: []clause.Column{{Name: "player_id"}, {Name: "round"}}}).Create(&m).Error
		}
		is.Read(key, &m)
		return tx.Where("player_id = ? AND round = ?", m.PlayerID, m.Round).Delete(&tournament.MissedRound{}).Error
	case "stand_in":
		if was.Read(key, &stand) {
			one := stand.StandIn
			taken := tx.Where("id = ? OR player_id = ? AND round = ? AND game = ?", one.ID, one.PlayerID, one.Round,
				one.Game).Delete(&tournament.StandIn{})
			return errors.Join(taken.Error, tx.Create(&one).Error, tx.newSeatCode(one.PlayerID))
		}
		is.Read(key, &stand)
		return errors.Join(tx.Delete(&tournament.StandIn{}, id).Error, tx.newSeatCode(stand.PlayerID))
	case "closed":
		var reason string
		if was.Read(key, &reason) {
			return tx.Create(&tournament.ClosedTable{TournamentID: tx.event.ID, Number: int(id), Reason: reason}).Error
		}
		return tx.Where("tournament_id = ? AND number = ?", tx.event.ID, id).Delete(&tournament.ClosedTable{}).Error
	case "settings":
		was.Read(key, &set)
		return tx.setSettings(tournament.PeopleSettingsOf(set))
	}
	return nil
}
