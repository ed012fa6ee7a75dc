package housekeeping

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/people"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// Again creates a tournament like an earlier one. It takes over the format, the rules, the kind of tiles, the place,
// the details and the logo, the plan of the days, the settings for entries, the tables out of service, the
// announcements as ended ones, the officials with their zones, and the listed players.
type Again struct {
	Tournament int64   `json:"tournament,omitempty" path:"id" minimum:"1"`
	Name       string  `json:"name" maxLength:"500"`
	FirstDay   string  `json:"first_day,omitempty" doc:"ISO date; empty: not set"`
	LastDay    string  `json:"last_day,omitempty" doc:"ISO date; empty: the first day"`
	Players    []int64 `json:"players,omitempty" doc:"the players of the earlier event to enter"`
}

var _ = action.NewKind[Again](action.Kind{Name: "tournament.again", Right: rights.MayCreateTournament,
	Changes: []action.What{action.TopicSettings}, Details: action.Keep[tournament.Created]})

func (a Again) Do(tx *action.Tx) (t tournament.Tournament, err error) {
	of, err := tournament.FindTournament(tx.DB, a.Tournament)
	if err != nil {
		return t, err
	}
	if err := tx.Authorize(rights.Place{Tournament: of.ID, Seat: -1}, rights.MaySeeRoster); err != nil {
		return t, err
	}
	f, rules, err := of.Plan()
	if err != nil {
		return t, err
	}
	n := people.CreateTournament{Name: a.Name, Place: of.Place, Format: f, Rules: rules, Tiles: of.Tiles,
		Details: of.Details}
	n.FirstDay, n.LastDay = a.FirstDay, a.LastDay
	if t, err = n.Do(tx); err != nil {
		return t, err
	}
	t.Capacity, t.NoShowMinutes, t.MissedCharge, t.SecondOver, t.ZonesBind = of.Capacity, of.NoShowMinutes,
		of.MissedCharge, of.SecondOver, of.ZonesBind
	if err := tx.Model(&t).Select("capacity", "no_show_minutes", "missed_charge", "second_over",
		"zones_bind").Updates(&t).Error; err != nil {
		return t, err
	}
	copies, err := a.enter(tx, of.ID, t.ID)
	if err == nil {
		err = CopyWishes(tx.DB, of.ID, t.ID, copies)
	}
	if err == nil {
		err = copyRows(tx, of.ID, t.ID)
	}
	if err == nil {
		err = copyPlan(tx, of, t)
	}
	if err == nil {
		err = lend(tx, of.ID, t.ID)
	}
	return t, err
}

// copyPlan copies the plan of the days to the same times of day, from the new first day on.
func copyPlan(tx *action.Tx, of, to tournament.Tournament) error {
	var slots []struct {
		Position, Round  int
		Name             string
		StartsAt, EndsAt engine.Millis
	}
	if err := tx.Table("slots").Where("tournament_id = ?", of.ID).Order("position").Find(&slots).Error; err != nil {
		return err
	}
	first, _, ok := to.Days()
	if !ok {
		return nil
	}
	local := func(at engine.Millis) time.Time { return time.UnixMilli(int64(at)).In(of.Zone()) }
	for _, s := range slots {
		was, err := time.Parse(time.DateOnly, local(slots[0].StartsAt).Format(time.DateOnly))
		if err != nil {
			return err
		}
		days := int(first.Sub(was).Hours() / 24)
		if err := tx.Exec(`INSERT INTO slots (tournament_id, position, round, name, starts_at, ends_at)
			VALUES (?, ?, ?, ?, ?, ?)`, to.ID, s.Position, s.Round, s.Name,
			engine.MillisOf(local(s.StartsAt).AddDate(0, 0, days)),
			engine.MillisOf(local(s.EndsAt).AddDate(0, 0, days))).Error; err != nil {
			return err
		}
	}
	return nil
}

// enter enters the listed players in the order of their numbers, and returns the new IDs by the earlier ones.
func (a Again) enter(tx *action.Tx, from, to int64) (map[int64]int64, error) {
	copies := map[int64]int64{}
	players, err := store.All[tournament.Player](tx.Where("tournament_id = ? AND id IN ?", from,
		a.Players).Order("number"))
	if err != nil || len(players) == 0 {
		return copies, err
	}
	entries := tournament.EntriesOf(players)
	for i := range entries {
		entries[i].Drawn = 0
	}
	if _, err := (people.EnterPlayers{Tournament: to, Entries: entries}).Do(tx); err != nil {
		return copies, err
	}
	entered, err := store.All[tournament.Player](tx.Where("tournament_id = ?", to).Order("number"))
	for i := range min(len(entered), len(players)) {
		copies[players[i].ID] = entered[i].ID
	}
	return copies, err
}

// copyRows copies the logo, the announcements and the zones.
func copyRows(tx *action.Tx, from, to int64) error {
	now := tx.Now()
	for sql, args := range map[string][]any{
		`INSERT INTO logos (tournament_id, picture, sha256)
			SELECT ?, picture, sha256 FROM logos WHERE tournament_id = ?`: {to, from},
		`INSERT INTO announcements (tournament_id, level, texts, actor, at, until)
			SELECT ?, level, texts, actor, ?, ? FROM announcements WHERE tournament_id = ?
			ORDER BY id`: {to, now, now, from},
		`INSERT INTO zones (tournament_id, account_id, tables)
			SELECT ?, account_id, tables FROM zones WHERE tournament_id = ?`: {to, from},
	} {
		if err := tx.Exec(sql, args...).Error; err != nil {
			return err
		}
	}
	return nil
}

// lend lets the officials who are limited to the earlier tournament serve the new one too.
func lend(tx *action.Tx, from, to int64) error {
	var rows []struct {
		ID     int64
		Events string
	}
	if err := tx.Table("accounts").Select("id", "events").Where("removed_at = 0 AND events IS NOT NULL").
		Find(&rows).Error; err != nil {
		return err
	}
	for _, r := range rows {
		var events []int64
		if err := json.Unmarshal([]byte(r.Events), &events); err != nil {
			return fmt.Errorf("events of account %d: %w", r.ID, err)
		}
		if !slices.Contains(events, from) {
			continue
		}
		text, err := json.Marshal(append(events, to))
		if err != nil {
			return err
		}
		if err := tx.Table("accounts").Where("id = ?", r.ID).Update("events", string(text)).Error; err != nil {
			return err
		}
		tx.Touched(action.Changed{Topics: []action.Topic{{What: action.TopicOfficials, ID: r.ID}}})
	}
	return nil
}

// CopyWishes copies the pairs to keep apart and the tables out of service to a copy of a tournament. copies has the
// players' new IDs by the old ones. Pairs with a player who was not copied are skipped.
func CopyWishes(tx *gorm.DB, from, to int64, copies map[int64]int64) error {
	var apart []struct{ A, B int64 }
	if err := tx.Table("keep_apart").Select("a", "b").Where("tournament_id = ?", from).Find(&apart).Error; err != nil {
		return err
	}
	for _, pair := range apart {
		a, b := copies[pair.A], copies[pair.B]
		if a == 0 || b == 0 {
			continue
		}
		if err := tx.Exec("INSERT INTO keep_apart (tournament_id, a, b) VALUES (?, ?, ?)", to, min(a, b),
			max(a, b)).Error; err != nil {
			return err
		}
	}
	return tx.Exec(`INSERT INTO closed_tables (tournament_id, number, reason)
		SELECT ?, number, reason FROM closed_tables WHERE tournament_id = ?`, to, from).Error
}

// Next proposes the name and the days of the next tournament: a number at the end of the name counts on, and the days
// move by whole weeks to today or later.
func Next(t tournament.Tournament, now time.Time) (name, firstDay, lastDay string) {
	words := strings.Fields(t.Name)
	if n, err := strconv.Atoi(words[len(words)-1]); err == nil && n > 0 && n < 1900 {
		words[len(words)-1] = strconv.Itoa(n + 1)
	}
	today := now.In(t.Zone()).Format(time.DateOnly)
	first, last, ok := t.Days()
	if !ok {
		return strings.Join(words, " "), today, today
	}
	const week = 7
	length := last.Sub(first)
	for first = first.AddDate(0, 0, week); first.Format(time.DateOnly) < today; {
		first = first.AddDate(0, 0, week)
	}
	return strings.Join(words, " "), first.Format(time.DateOnly), first.Add(length).Format(time.DateOnly)
}
