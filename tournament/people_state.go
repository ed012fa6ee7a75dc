package tournament

import (
	"cmp"
	"encoding/json"
	"errors"
	"iter"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"gorm.io/gorm"

	"meldhall/tournament/pairing"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rosterfile"
	"meldhall/tournament/store"
)

// peopleState is everything that actions about players can change in a tournament, as encoded parts by key. Comparing
// two states gives an action's changes. Undoing restores the parts that are still as the action left them.
type peopleState map[string]string

// The encoded parts of the state. No action changes Begun and Status; they prevent an undo after play has begun.
type (
	playerPart struct {
		Number int `json:"n"`
		playerWho
		State string `json:"state"`
		Gone  bool   `json:"gone,omitempty"`
		Fixed int    `json:"fixed,omitempty"`
		Drawn int    `json:"drawn,omitempty"`
	}
	tablePart struct {
		Round   int64   `json:"round"`
		Of      int     `json:"of"` // the round's number
		Status  string  `json:"status"`
		Begun   bool    `json:"begun,omitempty"`
		Number  int     `json:"n"`
		Players []int64 `json:"players"`
	}
	standInPart struct {
		StandIn
		Begun bool `json:"begun,omitempty"`
	}
)

// Plays reports whether the player was to be seated in later rounds.
func (p playerPart) Plays() bool { return Player{State: p.State}.Plays() }

// playerWho is a player's name, country, club and mark.
type playerWho struct {
	Name    string `json:"name"`
	Country string `json:"country,omitempty"`
	Club    string `json:"club,omitempty"`
	Mark    string `json:"mark,omitempty"`
}

func whoOf(e rosterfile.PlayerEntry) playerWho { return playerWho{e.Name, e.Country, e.Club, e.Mark} }

func (w playerWho) String() string {
	return strings.Join(slices.DeleteFunc([]string{w.Name, w.Country, w.Club, w.Mark},
		func(s string) bool { return s == "" }), ", ")
}

// openRound returns the newest round if it is not finished, else nil.
func openRound(db *gorm.DB, tournamentID int64) (*Round, error) {
	newest, ok, err := store.First[Round](db.Where("tournament_id = ?", tournamentID).Order("number DESC"))
	if !ok || newest.Status == RoundFinished {
		return nil, err
	}
	return &newest, nil
}

// loadPeople reads the state of a tournament, including the tables of the unfinished round.
func loadPeople(db *gorm.DB, tournamentID int64) (peopleState, error) {
	p := peopleState{}
	t, err := FindTournament(db, tournamentID)
	if err != nil {
		return nil, err
	}
	p.put("settings", 0, settingsPart(t.PeopleOf()))
	var players []Player
	if err := db.Select("id", "number", "name", "shown", "country", "club", "mark", "told", "state", "gone",
		"fixed_table", "drawn").Where("tournament_id = ?", tournamentID).Find(&players).Error; err != nil {
		return nil, err
	}
	for _, one := range players {
		p.put("player", one.ID, playerPart{one.Number, playerWho{one.Written, one.Country, one.Club, one.Mark},
			one.State, one.Gone, one.FixedTable, one.Drawn})
		if one.Told != "" {
			p.put("shown", one.ID, one.Name)
		}
	}
	var missed []MissedRound
	var standIns []standInPart
	var closed []ClosedTable
	if err := errors.Join(
		db.Where("tournament_id = ?", tournamentID).Find(&missed).Error,
		db.Raw(`SELECT s.*, EXISTS (SELECT 1 FROM rounds r JOIN seats e ON e.round_id = r.id AND e.player_id = s.player_id
			JOIN games g ON g.table_id = e.table_id WHERE r.tournament_id = s.tournament_id AND g.status <> 'waiting'
			AND (r.number > s.round OR r.number = s.round AND g.number >= s.game)) AS begun
			FROM stand_ins s WHERE s.tournament_id = ?`, tournamentID).Scan(&standIns).Error,
		db.Where("tournament_id = ?", tournamentID).Find(&closed).Error); err != nil {
		return nil, err
	}
	for _, m := range missed {
		p.put("missed/"+strconv.Itoa(m.Round), m.PlayerID, m)
	}
	for _, s := range standIns {
		p.put("stand_in", s.ID, s)
	}
	for _, c := range closed {
		p.put("closed", int64(c.Number), c.Reason)
	}
	round, err := openRound(db, tournamentID)
	if err != nil || round == nil {
		return p, err
	}
	return p, p.addTables(db, *round)
}

func (p peopleState) addTables(db *gorm.DB, round Round) error {
	tables, begun, err := placings(db, round.ID)
	for _, t := range tables {
		p.put("table", t.ID, tablePart{round.ID, round.Number, round.Status, begun[t.ID], t.Number, t.Players})
	}
	return err
}

// placings returns a round's tables with their players, and which have begun.
func placings(db *gorm.DB, round int64) (tables []pairing.Placing, begun map[int64]bool, err error) {
	var rows []Table
	if err := db.Where("round_id = ?", round).Order("number").Find(&rows).Error; err != nil {
		return nil, nil, err
	}
	var seats []Seat
	if err := db.Select("table_id", "player_id").Where("round_id = ?",
		round).Order("table_id, seat").Find(&seats).Error; err != nil {
		return nil, nil, err
	}
	var started []int64
	if err := db.Raw(`SELECT DISTINCT g.table_id FROM games g JOIN tables t ON t.id = g.table_id JOIN rounds r ON r.id = t.round_id
		WHERE r.id = ? AND (g.status <> 'waiting' OR g.started_at <> 0 OR r.started_at <> 0)`, round).
		Scan(&started).Error; err != nil {
		return nil, nil, err
	}
	at := map[int64]int{}
	for i, row := range rows {
		at[row.ID] = i
		tables = append(tables, pairing.Placing{ID: row.ID, Number: row.Number})
	}
	for _, seat := range seats {
		t := &tables[at[seat.TableID]]
		t.Players = append(t.Players, seat.PlayerID)
	}
	return tables, store.MapOf(started, func(id int64) (int64, bool) { return id, true }), nil
}

func (p peopleState) put(kind string, id int64, part any) {
	p[kind+"/"+strconv.FormatInt(id, 10)] = jsonText(part)
}

// read decodes the part with this key and reports whether it exists.
func (p peopleState) read(key string, part any) bool {
	text, ok := p[key]
	return ok && json.Unmarshal([]byte(text), part) == nil
}

// partsOf iterates over the parts of a kind, by the IDs in their keys, in order.
func partsOf[T any](p peopleState, kind string) iter.Seq2[int64, T] {
	return func(yield func(int64, T) bool) {
		for _, key := range keysOf(p, nil) {
			var part T
			if of, _, _ := strings.Cut(key, "/"); of == kind && p.read(key, &part) && !yield(keyID(key), part) {
				return
			}
		}
	}
}

// against returns the parts that differ between two states, before and after.
func (p peopleState) against(after peopleState) (was, is peopleState) {
	was, is = maps.Clone(p), maps.Clone(after)
	maps.DeleteFunc(was, func(key, text string) bool { return after[key] == text })
	maps.DeleteFunc(is, func(key, text string) bool { return p[key] == text })
	return was, is
}

// keysOf returns the keys of both states, sorted.
func keysOf(a, b peopleState) []string {
	return slices.SortedFunc(maps.Keys(bothStates(a, b)), func(a, b string) int { // number 2 comes before number 10
		kindA, _, _ := strings.Cut(a, "/")
		kindB, _, _ := strings.Cut(b, "/")
		return cmp.Or(cmp.Compare(kindA, kindB), cmp.Compare(keyID(a), keyID(b)), cmp.Compare(a, b))
	})
}

func keyID(key string) int64 {
	_, last, _ := strings.Cut(key, "/")
	if i := strings.LastIndexByte(last, '/'); i >= 0 {
		last = last[i+1:]
	}
	id, _ := strconv.ParseInt(last, 10, 64)
	return id
}

// blocked returns why parts cannot be restored, or nil: they have changed since.
func (p peopleState) blocked(was, is, whole peopleState) *refuse.Error {
	for _, key := range keysOf(was, is) {
		if strings.HasPrefix(key, "shown/") || p[key] == is[key] && !p.takenSince(key, was, is) ||
			p.leftSo(key, was, is) || p.waitsSo(key, is) {
			continue
		}
		var table tablePart
		var one playerPart
		kind, _, _ := strings.Cut(key, "/")
		switch {
		case kind == "table" && (is.read(key, &table) || was.read(key, &table)):
			return refuse.Conflict("err_undo_seats", "round", table.Of)
		case kind == "player" && (is.read(key, &one) || was.read(key, &one)):
			return refuse.Conflict("err_undo_player", "name", one.Name)
		case (kind == "stand_in" || kind == "missed") && whole.read("player/"+strconv.FormatInt(playerOf(key, is, was),
			10), &one):
			return refuse.Conflict("err_undo_player", "name", one.Name)
		}
		return refuse.Conflict("err_undo_changed")
	}
	return nil
}

// takenSince reports whether there is a newer stand-in where a change removed one.
func (p peopleState) takenSince(key string, was, is peopleState) bool {
	var before, now standInPart
	if !strings.HasPrefix(key, "stand_in/") || !was.read(key, &before) || is[key] != "" {
		return false
	}
	for other := range p {
		if strings.HasPrefix(other, "stand_in/") && is[other] == "" && p.read(other, &now) &&
			now.PlayerID == before.PlayerID && now.Round == before.Round && now.Game == before.Game {
			return true
		}
	}
	return false
}

// leftSo reports whether a player is still as a change left them in what it changed: either the name fields or
// everything else. A drawn number that it did not change is ignored.
func (p peopleState) leftSo(key string, was, is peopleState) bool {
	var before, left, now playerPart
	if !strings.HasPrefix(key, "player/") || !is.read(key, &left) || !p.read(key, &now) {
		return false
	}
	had := was.read(key, &before)
	if had && before.playerWho != left.playerWho {
		return now.playerWho == left.playerWho
	}
	if !had || before.Drawn == left.Drawn { // drawn numbers are set by another action
		now.Drawn = left.Drawn
	}
	now.playerWho = left.playerWho
	return now == left
}

// waitsSo reports whether a table still waits as a change left it, although others of its round have started.
func (p peopleState) waitsSo(key string, is peopleState) bool {
	var left, now tablePart
	if !strings.HasPrefix(key, "table/") || !is.read(key, &left) || !p.read(key, &now) || now.Begun ||
		left.Status == RoundDraft {
		return false
	}
	left.Status = now.Status
	return reflect.DeepEqual(left, now)
}

func playerOf(key string, is, was peopleState) int64 {
	if strings.HasPrefix(key, "missed/") {
		return keyID(key)
	}
	var s standInPart
	if !is.read(key, &s) {
		was.read(key, &s)
	}
	return s.PlayerID
}
