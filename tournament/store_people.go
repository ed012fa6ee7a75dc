package tournament

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"meldhall/engine"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

// peopleChangeRow is an action about people as it is stored, with the parts of the picture that it changed.
type peopleChangeRow struct {
	ID           int64
	TournamentID int64
	Kind         string
	Subject      string
	Actor        string
	At           engine.Millis
	Why          string
	Before       string
	After        string
	UndoneAt     engine.Millis
	UndoneBy     string
}

// TableName is people_changes.
func (peopleChangeRow) TableName() string { return "people_changes" }

// errPreview rolls a preview back.
var errPreview = errors.New("only looked at")

// try is Tx for what can be looked at first: a preview does the same, and is rolled back.
func (s *Store) try(ctx context.Context, preview bool, f func(tx *gorm.DB) error) error {
	err := s.Tx(ctx, func(tx *gorm.DB) error {
		if err := f(tx); err != nil || !preview {
			return err
		}
		return errPreview
	})
	if errors.Is(err, errPreview) {
		return nil
	}
	return err
}

// PreviewPeople tells what an action about people would do. Nothing is changed.
func (s *Store) PreviewPeople(ctx context.Context, actor rights.Actor, tournamentID int64, a PeopleAction) (PeopleOutcome, error) {
	return s.people(ctx, actor, tournamentID, a, true)
}

// ChangePeople does an action about people, with everything that follows from it, and tells what it did. Games that
// are on are not touched: Games.ChangePeople does that too.
func (s *Store) ChangePeople(ctx context.Context, actor rights.Actor, tournamentID int64, a PeopleAction) (PeopleOutcome, error) {
	return s.people(ctx, actor, tournamentID, a, false)
}

func (s *Store) people(ctx context.Context, actor rights.Actor, tournamentID int64, a PeopleAction, preview bool) (PeopleOutcome, error) {
	if err := rights.Authorize(actor, rights.Place{Tournament: tournamentID}, peopleRight(a.Kind)); err != nil {
		return PeopleOutcome{}, err
	}
	a, err := a.check()
	if err != nil {
		return PeopleOutcome{}, err
	}
	var out PeopleOutcome
	err = s.try(ctx, preview, func(tx *gorm.DB) (err error) {
		out, err = s.peopleTx(tx, actor, tournamentID, a)
		return err
	})
	if preview {
		out.Change = 0
	}
	return out, err
}

// peopleRight is what somebody needs the right for to do an action about people.
func peopleRight(kind string) rights.Right {
	if kind == PeopleCheckIn || kind == PeopleCheckOut {
		return rights.MayCheckIn
	}
	return rights.MayEditRoster
}

// peopleTx does an action within a transaction and keeps what it changed.
func (s *Store) peopleTx(tx *gorm.DB, actor rights.Actor, tournamentID int64, a PeopleAction) (out PeopleOutcome, err error) {
	d := &peopleDoer{s: s, tx: tx, desk: actor.Role != rights.RolePublic}
	if err := d.load(tournamentID); err != nil {
		return out, err
	}
	if err := d.do(a); err != nil {
		return out, err
	}
	if err := d.moveUp(); err != nil {
		return out, err
	}
	after, err := loadPicture(tx, tournamentID)
	if err != nil {
		return out, err
	}
	was, is := d.before.against(after)
	whole := bothPictures(d.before, after)
	out = PeopleOutcome{Effects: append(effects(was, is, whole), d.notes...), Players: d.entered, GivesUp: d.givesUp, tables: changedTables(was, is)}
	if len(was) == 0 && len(is) == 0 {
		return out, nil // nothing to keep, and nothing to take back
	}
	row := peopleChangeRow{TournamentID: tournamentID, Kind: a.Kind, Subject: d.subject(a), Actor: actor.String(), At: s.now(), Why: a.Why,
		Before: was.pack(), After: is.pack()}
	if err := tx.Create(&row).Error; err != nil {
		return out, err
	}
	out.Change = row.ID
	said := change{tournament: tournamentID, action: "people." + a.Kind, subject: row.Subject, before: was.text(whole), after: is.text(whole), because: a.Why}
	if a.Kind == PeopleCorrect {
		said.before, said.after = was.who(a.Player), is.who(a.Player)
	}
	return out, s.audit(tx, actor, said)
}

func bothPictures(a, b picture) picture {
	whole := picture{}
	for _, p := range []picture{a, b} {
		for key, text := range p {
			whole[key] = text
		}
	}
	return whole
}

func changedTables(was, is picture) (ids []int64) {
	for _, key := range keysOf(was, is) {
		if len(key) > 6 && key[:6] == "table/" {
			ids = append(ids, keyID(key))
		}
	}
	return ids
}

// goneIn are the players who left their table by a change.
func goneIn(was, is picture) (ids []int64) {
	for _, key := range keysOf(was, is) {
		var before, after playerPart
		if strings.HasPrefix(key, "player/") && is.read(key, &after) && after.Gone && (!was.read(key, &before) || !before.Gone) {
			ids = append(ids, keyID(key))
		}
	}
	return ids
}

func (p picture) pack() string {
	text, err := json.Marshal(map[string]string(p))
	if err != nil {
		panic(err) // a map of texts
	}
	return string(text)
}

func (r peopleChangeRow) parts() (was, is picture, err error) {
	err = errors.Join(json.Unmarshal([]byte(r.Before), &was), json.Unmarshal([]byte(r.After), &is))
	return was, is, err
}

// PeopleChanges gives the actions about people of an event, the newest first, at most limit, each with what it did and
// whether it can be taken back.
func (s *Store) PeopleChanges(ctx context.Context, actor rights.Actor, tournamentID int64, limit int, without ...string) ([]PeopleChange, error) {
	if err := rights.Authorize(actor, rights.Place{Tournament: tournamentID}, rights.MayEditRoster); err != nil {
		return nil, err
	}
	var list []PeopleChange
	err := s.snapshot(ctx, func(db *gorm.DB) error {
		now, err := loadPicture(db, tournamentID)
		if err != nil {
			return err
		}
		var rows []peopleChangeRow
		asked := db.Where("tournament_id = ?", tournamentID)
		if len(without) > 0 {
			asked = asked.Where("kind NOT IN ?", without)
		}
		if err := asked.Order("id DESC").Limit(limit).Find(&rows).Error; err != nil {
			return err
		}
		for _, row := range rows {
			one, err := row.change(now)
			if err != nil {
				return err
			}
			list = append(list, one)
		}
		return nil
	})
	return list, err
}

func (r peopleChangeRow) change(now picture) (PeopleChange, error) {
	was, is, err := r.parts()
	if err != nil {
		return PeopleChange{}, fmt.Errorf("people change %d: %w", r.ID, err)
	}
	whole := bothPictures(now, bothPictures(was, is))
	one := PeopleChange{ID: r.ID, Kind: r.Kind, Subject: r.Subject, Actor: r.Actor, At: r.At, Why: r.Why, Undone: r.UndoneAt, By: r.UndoneBy,
		Effects: effects(was, is, whole)}
	if r.UndoneAt != 0 {
		one.Blocked = refuse.Conflict("err_undone_already", "by", nameOf(r.UndoneBy))
	} else {
		one.Blocked = now.blocked(was, is, whole)
	}
	return one, nil
}

// UndoPeople takes an action about people back: everything that it changed is as it was before. It is refused, with the
// reason, when something has been built on it since. With preview it only tells what would change.
func (s *Store) UndoPeople(ctx context.Context, actor rights.Actor, changeID int64, why string, preview bool) (PeopleOutcome, error) {
	var out PeopleOutcome
	if err := rights.Authorize(actor, rights.Place{}, rights.MayEditRoster); err != nil {
		return out, err
	}
	err := s.try(ctx, preview, func(tx *gorm.DB) (err error) {
		var row peopleChangeRow
		if err := tx.Take(&row, changeID).Error; err != nil {
			return missing(err, "change", changeID)
		}
		out, err = s.undoTx(tx, actor, row, cleanText(why))
		return err
	})
	if preview {
		out.Change = 0
	}
	return out, err
}

func (s *Store) undoTx(tx *gorm.DB, actor rights.Actor, row peopleChangeRow, why string) (out PeopleOutcome, err error) {
	d := &peopleDoer{s: s, tx: tx}
	if err := d.load(row.TournamentID); err != nil {
		return out, err
	}
	one, err := row.change(d.before)
	if err != nil {
		return out, err
	}
	if one.Blocked != nil {
		return out, one.Blocked
	}
	was, is, err := row.parts()
	if err != nil {
		return out, err
	}
	if err := d.putBack(was, is); err != nil {
		return out, err
	}
	if d.round != nil && d.round.Status == RoundDraft { // drawn since, or as it was: then there is nothing to mend
		if err := d.mendDraft(); err != nil {
			return out, err
		}
	}
	after, err := loadPicture(tx, row.TournamentID)
	if err != nil {
		return out, err
	}
	from, to := d.before.against(after)
	whole := bothPictures(d.before, after)
	out = PeopleOutcome{Change: row.ID, Effects: append(effects(from, to, whole), d.notes...), tables: changedTables(from, to), back: goneIn(was, is), by: actorNamed(row.Actor)}
	if err := tx.Model(&row).Updates(map[string]any{"undone_at": s.now(), "undone_by": actor.String()}).Error; err != nil {
		return out, err
	}
	return out, s.audit(tx, actor, change{tournament: row.TournamentID, action: "people.undo", subject: row.Subject,
		before: from.text(whole), after: to.text(whole), because: why})
}

// putBack writes the parts of a picture as they were.
func (d *peopleDoer) putBack(was, is picture) error {
	var gone []int64
	var back []placing
	for _, key := range keysOf(was, is) {
		var t tablePart
		switch {
		case len(key) < 6 || key[:6] != "table/":
		case was.read(key, &t):
			back = append(back, placing{ID: keyID(key), Number: t.Number, Players: t.Players})
		default:
			gone = append(gone, keyID(key))
		}
	}
	if len(back)+len(gone) > 0 {
		if err := d.reseat(back, gone); err != nil {
			return err
		}
	}
	if err := d.takeDrawnBack(was, is); err != nil {
		return err
	}
	for _, key := range keysOf(was, is) {
		if err := d.putPartBack(key, was, is); err != nil {
			return err
		}
	}
	var left []int64 // who was entered by it
	for _, key := range keysOf(was, is) {
		var one playerPart
		if len(key) > 7 && key[:7] == "player/" && !was.read(key, &one) {
			left = append(left, keyID(key))
		}
	}
	if len(left) == 0 {
		return nil
	}
	for part := range slices.Chunk(left, 500) {
		if err := d.tx.Where("id IN ?", part).Delete(&Player{}).Error; errors.Is(err, gorm.ErrForeignKeyViolated) {
			return refuse.Conflict("err_undo_entered")
		} else if err != nil {
			return err
		}
	}
	return nil
}

// takeDrawnBack takes the numbers drawn in the hall that have changed hands from everybody, so that they can be given back.
func (d *peopleDoer) takeDrawnBack(was, is picture) error {
	for _, key := range keysOf(was, is) {
		var before, left playerPart
		was.read(key, &before)
		if strings.HasPrefix(key, "player/") && is.read(key, &left) && left.Drawn != before.Drawn {
			if err := d.setDrawn(keyID(key), 0); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *peopleDoer) putPartBack(key string, was, is picture) error {
	id := keyID(key)
	var (
		one   playerPart
		m     MissedRound
		stand standInPart
		set   PeopleSettingsOf
	)
	switch {
	case len(key) > 7 && key[:7] == "player/":
		if was.read(key, &one) {
			var left playerPart
			if is.read(key, &left) && left.playerWho != one.playerWho {
				return d.setWho(id, one.playerWho)
			}
			if left.Drawn != one.Drawn {
				if err := d.setDrawn(id, one.Drawn); err != nil {
					return err
				}
			}
			return d.setPlayer(id, one.State, one.Gone, one.Fixed)
		}
	case len(key) > 7 && key[:7] == "missed/":
		if was.read(key, &m) {
			return d.tx.Clauses(clause.OnConflict{UpdateAll: true, Columns: []clause.Column{{Name: "player_id"}, {Name: "round"}}}).Create(&m).Error
		}
		is.read(key, &m)
		return d.tx.Where("player_id = ? AND round = ?", m.PlayerID, m.Round).Delete(&MissedRound{}).Error
	case len(key) > 9 && key[:9] == "stand_in/":
		if was.read(key, &stand) {
			one := stand.StandIn
			taken := d.tx.Where("id = ? OR player_id = ? AND round = ? AND game = ?", one.ID, one.PlayerID, one.Round, one.Game).Delete(&StandIn{})
			return errors.Join(taken.Error, d.tx.Create(&one).Error, d.newSeatCode(one.PlayerID))
		}
		is.read(key, &stand)
		return errors.Join(d.tx.Delete(&StandIn{}, id).Error, d.newSeatCode(stand.PlayerID))
	case len(key) > 7 && key[:7] == "closed/":
		var reason string
		if was.read(key, &reason) {
			return d.tx.Create(&ClosedTable{d.t.ID, int(id), reason}).Error
		}
		return d.tx.Where("tournament_id = ? AND number = ?", d.t.ID, id).Delete(&ClosedTable{}).Error
	case was.read("settings/0", &set):
		return d.setSettings(set)
	}
	return nil
}
