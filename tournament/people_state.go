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

// PeopleState is everything that actions about players can change in a tournament, as encoded parts by key. Comparing
// two states gives an action's changes. Undoing restores the parts that are still as the action left them.
type PeopleState map[string]string

// The encoded parts of the state. No action changes Begun and Status; they prevent an undo after play has begun.
type (
	PlayerPart struct {
		Number int `json:"n"`
		PlayerWho
		State string `json:"state"`
		Gone  bool   `json:"gone,omitempty"`
		Fixed int    `json:"fixed,omitempty"`
		Drawn int    `json:"drawn,omitempty"`
	}
	TablePart struct {
		Round   int64   `json:"round"`
		Of      int     `json:"of"` // the round's number
		Status  string  `json:"status"`
		Begun   bool    `json:"begun,omitempty"`
		Number  int     `json:"n"`
		Players []int64 `json:"players"`
	}
	StandInPart struct {
		StandIn
		Begun bool `json:"begun,omitempty"`
	}
)

// Plays reports whether the player was to be seated in later rounds.
func (p PlayerPart) Plays() bool { return Player{State: p.State}.Plays() }

// PlayerWho is a player's name, country, club, mark and federation number.
type PlayerWho struct {
	Name    string `json:"name"`
	Country string `json:"country,omitempty"`
	Club    string `json:"club,omitempty"`
	Mark    string `json:"mark,omitempty"`

	FederationNumber string `json:"federation_number,omitempty"`
}

// WhoOf returns who a roster entry is.
func WhoOf(e rosterfile.PlayerEntry) PlayerWho {
	return PlayerWho{e.Name, e.Country, e.Club, e.Mark, e.FederationNumber}
}

// Who returns who the player is.
func (p Player) Who() PlayerWho {
	return PlayerWho{p.Written, p.Country, p.Club, p.Mark, p.FederationNumber}
}

// String returns the parts that are set, separated by commas.
func (w PlayerWho) String() string {
	return strings.Join(slices.DeleteFunc([]string{w.Name, w.Country, w.Club, w.Mark, w.FederationNumber},
		func(s string) bool { return s == "" }), ", ")
}

// OpenRound returns the newest round if it is not finished, else nil.
func OpenRound(db *gorm.DB, tournamentID int64) (*Round, error) {
	newest, ok, err := store.First[Round](db.Where("tournament_id = ?", tournamentID).Order("number DESC"))
	if !ok || newest.Status == RoundFinished {
		return nil, err
	}
	return &newest, nil
}

// LoadPeople reads the state of a tournament, including the tables of the unfinished round.
func LoadPeople(db *gorm.DB, tournamentID int64) (PeopleState, error) {
	p := PeopleState{}
	t, err := FindTournament(db, tournamentID)
	if err != nil {
		return nil, err
	}
	p.put("settings", 0, SettingsPart(t.PeopleOf()))
	var players []Player
	if err := db.Select("id", "number", "name", "shown", "country", "club", "mark", "federation_number", "told",
		"state", "gone", "fixed_table", "drawn").
		Where("tournament_id = ?", tournamentID).Find(&players).Error; err != nil {
		return nil, err
	}
	for _, one := range players {
		p.put("player", one.ID, PlayerPart{one.Number, one.Who(), one.State, one.Gone,
			one.FixedTable, one.Drawn})
		if one.Told != "" {
			p.put("shown", one.ID, one.Name)
		}
	}
	var missed []MissedRound
	var standIns []StandInPart
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
	round, err := OpenRound(db, tournamentID)
	if err != nil || round == nil {
		return p, err
	}
	return p, p.addTables(db, *round)
}

func (p PeopleState) addTables(db *gorm.DB, round Round) error {
	tables, begun, err := Placings(db, round.ID)
	for _, t := range tables {
		p.put("table", t.ID, TablePart{round.ID, round.Number, round.Status, begun[t.ID], t.Number, t.Players})
	}
	return err
}

// Placings returns a round's tables with their players, and which have begun.
func Placings(db *gorm.DB, round int64) (tables []pairing.Placing, begun map[int64]bool, err error) {
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

func (p PeopleState) put(kind string, id int64, part any) {
	p[kind+"/"+strconv.FormatInt(id, 10)] = JSONText(part)
}

// Read decodes the part with this key and reports whether it exists.
func (p PeopleState) Read(key string, part any) bool {
	text, ok := p[key]
	return ok && json.Unmarshal([]byte(text), part) == nil
}

// PartsOf iterates over the parts of a kind, by the IDs in their keys, in order.
func PartsOf[T any](p PeopleState, kind string) iter.Seq2[int64, T] {
	return func(yield func(int64, T) bool) {
		for _, key := range KeysOf(p, nil) {
			var part T
			if of, _, _ := strings.Cut(key, "/"); of == kind && p.Read(key, &part) && !yield(KeyID(key), part) {
				return
			}
		}
	}
}

// Against returns the parts that differ between two states, before and after.
func (p PeopleState) Against(after PeopleState) (was, is PeopleState) {
	was, is = maps.Clone(p), maps.Clone(after)
	maps.DeleteFunc(was, func(key, text string) bool { return after[key] == text })
	maps.DeleteFunc(is, func(key, text string) bool { return p[key] == text })
	return was, is
}

// KeysOf returns the keys of both states, sorted.
func KeysOf(a, b PeopleState) []string {
	return slices.SortedFunc(maps.Keys(BothStates(a, b)), func(a, b string) int { // number 2 comes before number 10
		kindA, _, _ := strings.Cut(a, "/")
		kindB, _, _ := strings.Cut(b, "/")
		return cmp.Or(cmp.Compare(kindA, kindB), cmp.Compare(KeyID(a), KeyID(b)), cmp.Compare(a, b))
	})
}

// KeyID returns the id at the end of a part's key.
func KeyID(key string) int64 {
	_, last, _ := strings.Cut(key, "/")
	if i := strings.LastIndexByte(last, '/'); i >= 0 {
		last = last[i+1:]
	}
	id, _ := strconv.ParseInt(last, 10, 64)
	return id
}

// Blocked returns the reason why a change cannot be undone, or nil: parts have changed since. p is the current state,
// was and is are the changed parts before and after the change, and whole holds all players.
func (p PeopleState) Blocked(was, is, whole PeopleState) *refuse.Error {
	for _, key := range KeysOf(was, is) {
		if strings.HasPrefix(key, "shown/") || p[key] == is[key] && !p.takenSince(key, was, is) ||
			p.leftSo(key, was, is) || p.waitsSo(key, is) {
			continue
		}
		var table TablePart
		var one PlayerPart
		kind, _, _ := strings.Cut(key, "/")
		switch {
		case kind == "table" && (is.Read(key, &table) || was.Read(key, &table)):
			return refuse.Conflict("err_undo_seats", "round", table.Of)
		case kind == "player" && (is.Read(key, &one) || was.Read(key, &one)):
			return refuse.Conflict("err_undo_player", "name", one.Name)
		case (kind == "stand_in" || kind == "missed") && whole.Read("player/"+strconv.FormatInt(playerOf(key, is, was),
			10), &one):
			return refuse.Conflict("err_undo_player", "name", one.Name)
		}
		return refuse.Conflict("err_undo_changed")
	}
	return nil
}

// takenSince reports whether there is a newer stand-in where a change removed one.
func (p PeopleState) takenSince(key string, was, is PeopleState) bool {
	var before, now StandInPart
	if !strings.HasPrefix(key, "stand_in/") || !was.Read(key, &before) || is[key] != "" {
		return false
	}
	for other := range p {
		if strings.HasPrefix(other, "stand_in/") && is[other] == "" && p.Read(other, &now) &&
			now.PlayerID == before.PlayerID && now.Round == before.Round && now.Game == before.Game {
			return true
		}
	}
	return false
}

// leftSo reports whether a player is still as a change left them in what it changed: either the name fields or
// everything else. A drawn number that it did not change is ignored.
func (p PeopleState) leftSo(key string, was, is PeopleState) bool {
	var before, left, now PlayerPart
	if !strings.HasPrefix(key, "player/") || !is.Read(key, &left) || !p.Read(key, &now) {
		return false
	}
	had := was.Read(key, &before)
	if had && before.PlayerWho != left.PlayerWho {
		return now.PlayerWho == left.PlayerWho
	}
	if !had || before.Drawn == left.Drawn { // drawn numbers are set by another action
		now.Drawn = left.Drawn
	}
	now.PlayerWho = left.PlayerWho
	return now == left
}

// waitsSo reports whether the table with a key has not begun and, apart from its status, is still as a change left it
// in the state is. Other tables of its round may have begun.
func (p PeopleState) waitsSo(key string, is PeopleState) bool {
	var left, now TablePart
	if !strings.HasPrefix(key, "table/") || !is.Read(key, &left) || !p.Read(key, &now) || now.Begun ||
		left.Status == RoundDraft {
		return false
	}
	left.Status = now.Status
	return reflect.DeepEqual(left, now)
}

func playerOf(key string, is, was PeopleState) int64 {
	if strings.HasPrefix(key, "missed/") {
		return KeyID(key)
	}
	var s StandInPart
	if !is.Read(key, &s) {
		was.Read(key, &s)
	}
	return s.PlayerID
}

// TakenOver maps each substituted player of a tournament to the substitute, if the substitute is a separate entry with
// its own results.
func TakenOver(db *gorm.DB, tournamentID int64) (map[int64]int64, error) {
	var rows []PeopleChangeRow
	if err := db.Where("tournament_id = ? AND kind = ? AND undone_at = 0", tournamentID,
		PeopleSubstitute).Order("id").Find(&rows).Error; err != nil {
		return nil, err
	}
	taken := map[int64]int64{}
	for _, row := range rows {
		was, is, err := row.Parts()
		if err != nil {
			return nil, err
		}
		var from, to int64
		for id, after := range PartsOf[PlayerPart](is, "player") {
			switch before := was.Player(id); {
			case after.State == StateSubstituted && before.Plays():
				from = id
			case after.State == StateCheckedIn && !before.Plays():
				to = id
			}
		}
		if from != 0 && to != 0 {
			taken[from] = to
		}
	}
	return taken, nil
}
