package archive

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gorm.io/gorm"

	"meldhall/engine/exact"
	"meldhall/tournament"
	"meldhall/tournament/export"
	"meldhall/tournament/pairing"
	"meldhall/tournament/refuse"
	"meldhall/tournament/signing"
	"meldhall/tournament/spelling"
	"meldhall/tournament/store"
)

// numbered lists the tables whose IDs other rows reference, so that imported rows must not collide with existing ones.
var numbered = words("tournaments players rounds tables games results sanctions protests")

// renamed is the offset added to the IDs of each table. The order of IDs stays, because lots depend on it.
type renamed map[string]int64

// rename returns the offsets to add to an archive's IDs. They are empty if the database has no IDs in the ranges that
// the archive's IDs span.
func rename(db *gorm.DB, all map[string]rows) (renamed, error) {
	by := renamed{}
	free := true
	for _, table := range numbered {
		at := slices.Index(partNamed(table).carry, "id")
		var least, most int64
		for i, row := range all[table] {
			id, _ := row[at].(int64)
			if id < 1 || id > 1<<52 {
				return nil, partNamed(table).refused("id", strconv.FormatInt(id, 10))
			}
			if i == 0 || id < least {
				least = id
			}
			most = max(most, id)
		}
		var taken struct {
			Most int64
			Here bool
		}
		err := db.Raw("SELECT coalesce(max(id), 0) AS most, EXISTS (SELECT 1 FROM "+table+" WHERE id BETWEEN ? AND ?) AS here FROM "+table, least, most).Scan(&taken).Error
		if err != nil {
			return nil, err
		}
		free = free && !taken.Here
		by[table] = taken.Most + 1 - least
	}
	if free {
		return renamed{}, nil
	}
	return by, nil
}

// load inserts an archive's rows and logs into a database, and returns the tournament's ID there.
func (a *Archive) load(tx *gorm.DB, all map[string]rows, by renamed) (tournamentID int64, err error) {
	if len(all["tournaments"]) != 1 {
		return 0, refuse.Invalid("err_archive_field", "file", eventName, "field", "tournaments", "why",
			"there must be exactly one")
	}
	id, is := all["tournaments"][0][0].(int64)
	if !is {
		return 0, partNamed("tournaments").refused("id", "it is not a number")
	}
	tournamentID = id + by["tournaments"]
	keys := map[string]bool{}
	records := recordChain{of: store.ChainOf{Event: tournamentID}}
	for _, p := range parts {
		columns, extra := slices.Clone(p.carry), []any(nil)
		switch p.table {
		case "tournaments":
			columns = append(columns, "format", "rules")
			extra = []any{strings.TrimSuffix(string(a.files[formatName]), "\n"),
				strings.TrimSuffix(string(a.files[rulesName]), "\n")}
		case "audit":
			columns = append(columns, "topics", "sum", "chain")
		case "players":
			columns, extra = append(columns, "email"), []any{""}
		}
		insert, err := prepare(tx, "INSERT INTO "+p.table+" ("+strings.Join(columns,
			", ")+") VALUES "+store.Values(1, len(columns)))
		if err != nil {
			return 0, err
		}
		defer insert.Close()
		for i, row := range all[p.table] {
			values, err := p.named(row, by)
			if err != nil {
				return 0, err
			}
			if p.table == "players" {
				p.respell(values, keys)
			}
			if p.table == "audit" {
				extra = []any{"", p.sum(values), records.add(p, values)}
			}
			if _, err := insert.Exec(append(values, extra...)...); err != nil {
				return 0, p.refused("", fmt.Sprintf("row %d: %v", i+1, err))
			}
		}
	}
	if err := store.CountOn(tx, numbered...); err != nil {
		return 0, err
	}
	if err := records.store(tx); err != nil {
		return 0, err
	}
	return tournamentID, a.loadLogs(tx, by)
}

// respell sets a player's key as this program writes it, unless an earlier player of the archive has the same one;
// older programs told more spellings apart.
func (p part) respell(values []any, keys map[string]bool) {
	at := func(name string) int { return slices.Index(p.carry, name) }
	name, _ := values[at("name")].(string)
	key := spelling.Fold(name)
	if whole := fmt.Sprint(key, "\x00", values[at("apart")]); !keys[whole] {
		keys[whole], values[at("name_key")] = true, key
	}
}

// prepare prepares a statement that is run for each row. That is many times faster than single inserts through gorm.
func prepare(tx *gorm.DB, query string) (*sql.Stmt, error) {
	return tx.Statement.ConnPool.PrepareContext(tx.Statement.Context, query)
}

// sum returns the checksum of a record without topics.
func (p part) sum(values []any) int64 {
	of := func(name string) any {
		if v := values[slices.Index(p.carry, name)]; v != nil {
			return v
		}
		return ""
	}
	return store.Sum(of("at"), of("tournament_id"), of("actor"), of("action"), of("why"), of("version"), of("about"),
		of("data"), "", of("subject"), of("before"), of("after"))
}

// loadLogs inserts the games' logs.
func (a *Archive) loadLogs(tx *gorm.DB, by renamed) error {
	insert, err := prepare(tx,
		`INSERT INTO game_events (game_id, seq, kind, version, data, actor, at, sum, salt, chain, signed)
			VALUES `+store.Values(1, 11))
	if err != nil {
		return err
	}
	defer insert.Close()
	for _, name := range a.gameFiles() {
		g, err := a.game(name)
		if err != nil {
			return err
		}
		id := g.Game + by["games"]
		var signed map[int]signing.Signed // new numbers are not those that were signed
		if len(by) == 0 {
			signed, _ = g.SignedCommands() // Verify names an error
		}
		head := ""
		for _, e := range g.Events {
			actor := by.actor(e.Actor)
			head = store.ChainedEvent{Seq: e.Seq, Kind: e.Kind, Version: e.Version, At: int64(e.At), Actor: actor,
				Data: string(e.Data), Salt: e.Salt}.Link(id, head)
			sum := store.Sum(id, e.Seq, e.Kind, e.Version, string(e.Data), actor, "", e.At)
			if _, err := insert.Exec(id, e.Seq, e.Kind, e.Version, string(e.Data), actor, int64(e.At), sum, e.Salt,
				head, textOrNull(signed[e.Seq].String())); err != nil {
				return refuse.Invalid("err_archive_field", "file", name, "field", fmt.Sprintf("events[%d]", e.Seq-1),
					"why", err.Error())
			}
		}
		if err := tx.Table("games").Where("id = ?", id).Update("head", head).Error; err != nil {
			return err
		}
	}
	return nil
}

func textOrNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// game decodes the file of a game.
func (a *Archive) game(name string) (g export.Game, err error) {
	err = exact.Unmarshal(a.files[name], &g)
	switch {
	case err != nil:
	case g.Version != export.Version:
		err = fmt.Errorf("version %d, this program reads %d", g.Version, export.Version)
	case gameName(g.Game) != name:
		err = fmt.Errorf("it is game %d", g.Game)
	default:
		return g, nil
	}
	return g, refuse.Invalid("err_archive_field", "file", name, "field", "game", "why", err.Error())
}

// named returns a row with the new IDs.
func (p part) named(row []any, by renamed) ([]any, error) {
	row = slices.Clone(row)
	if len(by) == 0 {
		return row, nil
	}
	for i, name := range p.carry {
		var err error
		switch ref := p.ref(name); v := row[i].(type) {
		case int64:
			if v != 0 {
				row[i] = v + by[ref]
			}
		case string:
			if v != "" {
				row[i], err = by.text(ref, v)
			}
		}
		if err != nil {
			return nil, p.refused(name, err.Error())
		}
	}
	return row, nil
}

// text returns a text with the new IDs of the rows that it names.
func (by renamed) text(ref, text string) (string, error) {
	switch ref {
	case refActor:
		return by.actor(text), nil
	case refPlayers:
		return by.players(text)
	case refReport:
		return by.report(text)
	case refAbout, refProposed:
		return by.ofGame(text)
	}
	return text, nil
}

// actor renumbers the player in an actor.
func (by renamed) actor(name string) string {
	if id, is := strings.CutPrefix(name, "player:"); is {
		if n, err := strconv.ParseInt(id, 10, 64); err == nil && n != 0 {
			return "player:" + strconv.FormatInt(n+by["players"], 10)
		}
	}
	return name
}

// players renumbers all players in JSON that consists of nested lists of their IDs.
func (by renamed) players(text string) (string, error) {
	var list any
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&list); err != nil {
		return "", err
	}
	var put func(v any) (any, error)
	put = func(v any) (any, error) {
		switch v := v.(type) {
		case json.Number:
			n, err := v.Int64()
			return n + by["players"], err
		case []any:
			for i := range v {
				var err error
				if v[i], err = put(v[i]); err != nil {
					return nil, err
				}
			}
			return v, nil
		}
		return v, nil
	}
	list, err := put(list)
	if err != nil {
		return "", err
	}
	data, err := json.Marshal(list)
	return string(data), err
}

// report renumbers the players in a report on seats.
func (by renamed) report(text string) (string, error) {
	var rep tournament.RoundReport
	if err := json.Unmarshal([]byte(text), &rep); err != nil {
		return "", err
	}
	if rep.Drawn != nil {
		by.drawn(rep.Drawn)
	}
	put := func(p pairing.Pair) pairing.Pair { return pairing.Pair{p[0] + by["players"], p[1] + by["players"]} }
	for _, round := range rep.Why {
		for _, table := range round {
			for i, m := range table.Repeats {
				table.Repeats[i].Players = put(m.Players)
			}
			for i, c := range table.Together {
				table.Together[i].Players = put(c.Players)
			}
		}
	}
	data, err := json.Marshal(rep)
	return string(data), err
}

// drawn renumbers the players of a draw.
func (by renamed) drawn(d *tournament.Drawing) {
	add := by["players"]
	for i := range d.Players {
		d.Players[i][0] += add
	}
	for i := range d.Fixed {
		d.Fixed[i][0] += add
	}
	for i := range d.Apart {
		d.Apart[i] = pairing.Pair{d.Apart[i][0] + add, d.Apart[i][1] + add}
	}
	for _, round := range slices.Concat(append(slices.Clone(d.Begin), []pairing.Round{d.Seats})...) {
		for _, table := range round {
			for i := range table {
				table[i] += add
			}
		}
	}
}

// ofGame renumbers the field "game" of a JSON object. It returns an object without a game unchanged.
func (by renamed) ofGame(text string) (string, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &fields); err != nil {
		return "", err
	}
	id, err := strconv.ParseInt(string(fields["game"]), 10, 64)
	if err != nil || id == 0 {
		return text, nil
	}
	fields["game"] = strconv.AppendInt(nil, id+by["games"], 10)
	data, err := json.Marshal(fields)
	return string(data), err
}
