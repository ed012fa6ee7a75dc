package privacy

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/displayname"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/rosterfile"
	"meldhall/tournament/spelling"
	"meldhall/tournament/store"
)

// Erase removes a person from a tournament. The start number, seats and results stay, under a pseudonym with the start
// number. Name, address, club and family are removed, as are texts written about the person. In other texts of the
// tournament the pseudonym replaces the name. Afterwards the database file is rewritten, so that its pages contain no
// remains.
type Erase struct {
	Player int64  `json:"player,omitempty" path:"id" minimum:"1"`
	Why    string `json:"why,omitempty" maxLength:"500" doc:"the reason, for the log; the name in it is replaced by the pseudonym"`
}

// Erased describes the removed data, or the data that would be removed.
type Erased struct {
	Player    tournament.Player `json:"-"`
	Pseudonym string            `json:"pseudonym" doc:"the player's name from now on"`
	Records   int               `json:"records" doc:"records that contained the name"`
	Texts     int               `json:"texts" doc:"texts about the person or mentioning the name"`
	Elsewhere []string          `json:"elsewhere" doc:"other events with an entry of this name"`
}

var _ = action.NewKind[Erase](action.Kind{Name: store.ErasureAction, Right: rights.MayEditRoster, Final: true,
	Changes: append([]action.What{action.TopicSettings, action.TopicNews}, changes...),
	Details: action.Keep[erasedNoted]})

// erasedNoted is the content of the record.
type erasedNoted struct {
	Records int `json:"records"`
	Texts   int `json:"texts"`
	// Erased is the hash of the replacement texts in the event's erased records, see store.ErasedRecords.
	Erased string `json:"erased,omitempty"`
}

// After describes how much was removed.
func (e erasedNoted) After() []action.Phrase {
	return []action.Phrase{action.Say("privacy.erased_is", "records", e.Records, "texts", e.Texts)}
}

func (e Erase) Do(tx *action.Tx) (out Erased, err error) {
	why, err := action.CleanWhy(e.Why)
	if err != nil {
		return out, err
	}
	if out.Player, err = store.ByID[tournament.Player](tx.DB, "player", e.Player); err != nil {
		return out, err
	}
	var playing int64
	if err := tx.Raw(`SELECT count(*) FROM rounds r JOIN tournaments t ON t.id = r.tournament_id WHERE r.status IN ('published', 'running') AND t.practice = '' AND t.removed_at = 0
		AND (r.status = 'running' OR t.id = ?)`, out.Player.TournamentID).Scan(&playing).Error; err != nil {
		return out, err
	}
	if playing > 0 {
		return out, refuse.Conflict("err_erase_playing")
	}
	w := erasing{Tx: tx, player: out.Player}
	if err := w.look(); err != nil {
		return out, err
	}
	why = w.clean(why)
	var games []int64
	for _, step := range []func() error{w.plain, w.appended, func() (err error) { games, err = w.logs(); return err },
		w.records, w.row} {
		if err := step(); err != nil {
			return out, err
		}
	}
	out.Pseudonym, out.Records, out.Texts, out.Elsewhere = w.pseudonym, w.changed, w.texts, w.elsewhere
	on := action.About{Player: out.Player.Number, Name: w.pseudonym}
	if tx.Preview { // the name that must be typed to confirm
		on.Name = out.Player.Name
	}
	hash, err := tx.ErasedHash(out.Player.TournamentID)
	if err != nil {
		return out, err
	}
	tx.Record(action.Entry{Event: out.Player.TournamentID, On: on, Why: why, Is: erasedNoted{w.changed, w.texts, hash}})
	if err := tx.Exec("INSERT INTO erasures (at) VALUES (?)", tx.Now()).Error; err != nil {
		return out, err
	}
	tx.Then(func(ctx context.Context, g *game.Games) error {
		g.Forget(games)
		return g.DB.RewriteDue(ctx)
	})
	return out, nil
}

// erasing is an erasure in progress.
type erasing struct {
	*action.Tx
	player         tournament.Player
	events         []int64 // the tournament and its rehearsals
	names          []string
	pseudonym      string
	elsewhere      []string
	gone           []string // texts that were removed completely
	changed, texts int
}

// look collects the names of the person in the tournament, and chooses the pseudonym.
func (w *erasing) look() error {
	if err := w.Table("tournaments").Where("id = ? OR rehearses = ?", w.player.TournamentID, w.player.TournamentID).
		Order("id").Pluck("id", &w.events).Error; err != nil {
		return err
	}
	if err := w.Raw(`SELECT t.name FROM players p JOIN tournaments t ON t.id = p.tournament_id
		WHERE p.name_key = ? AND t.removed_at = 0 AND t.practice = '' AND t.id NOT IN ?
		AND t.organization_id = (SELECT organization_id FROM tournaments WHERE id = ?)
		GROUP BY t.name ORDER BY min(t.id)`,
		w.player.NameKey, w.events, w.player.TournamentID).Scan(&w.elsewhere).Error; err != nil {
		return err
	}
	known := map[string]bool{}
	who := func(w tournament.PlayerWho) { // as in records, longest form first
		parts := []string{w.Name, w.Country, w.Club, w.Mark, w.FederationNumber}
		parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
		for n := len(parts); n > 0 && w.Name != ""; n-- {
			known[strings.Join(parts[:n], ", ")] = true
		}
	}
	who(w.player.Who())
	var changes []struct{ Before, After string }
	if err := w.Table("people_changes").Select("before", "after").
		Where("tournament_id = ?", w.player.TournamentID).Find(&changes).Error; err != nil {
		return err
	}
	for _, c := range changes {
		for _, text := range []string{c.Before, c.After} {
			var parts map[string]string
			var was tournament.PlayerWho
			if json.Unmarshal([]byte(text), &parts) == nil &&
				json.Unmarshal([]byte(parts[fmt.Sprint("player/", w.player.ID)]), &was) == nil {
				who(was)
			}
		}
	}
	w.names = append(slices.Collect(maps.Keys(known)), w.player.Email)
	w.names = slices.DeleteFunc(w.names, func(name string) bool { return name == "" })
	slices.SortFunc(w.names, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	w.pseudonym = displayname.Numbered(w.player.Number)
	for taken := int64(1); taken > 0; {
		if err := w.Model(&tournament.Player{}).Where("tournament_id = ? AND id <> ? AND name_key = ?",
			w.player.TournamentID, w.player.ID, spelling.Fold(w.pseudonym)).Count(&taken).Error; err != nil {
			return err
		}
		if taken > 0 {
			w.pseudonym += " *"
		}
	}
	return nil
}

// clean replaces each name of the person with the pseudonym, where it is a separate word, also inside JSON.
func (w *erasing) clean(text string) string {
	for _, name := range w.names {
		text = replaced(text, name, w.pseudonym)
		if quoted, err := json.Marshal(name); err == nil && string(quoted[1:len(quoted)-1]) != name {
			text = replaced(text, string(quoted[1:len(quoted)-1]), w.pseudonym)
		}
	}
	return text
}

func (w *erasing) mentions(text string) bool { return w.clean(text) != text }

// row clears the person's own row, and those in rehearsals.
func (w *erasing) row() error {
	entry := rosterfile.PlayerEntry{Name: w.pseudonym, Country: w.player.Country}
	set := map[string]any{"name": w.pseudonym, "name_key": spelling.Fold(w.pseudonym), "apart": entry.Apart(),
		"club": "", "mark": "", "federation_number": "", "told": "", "email": "", "family": "",
		"rating": nil, "ticket": nil, "device_hash": nil, "device_key": "", "device_at": 0, "hand": "",
		"public": displayname.Whole}
	return w.Model(&tournament.Player{}).Where("id = ? OR tournament_id IN ? AND tournament_id <> ? AND number = ? AND name_key = ?", w.player.ID, w.events, w.player.TournamentID,
		w.player.Number, w.player.NameKey).Updates(set).Error
}

// plain replaces names with the pseudonym in tables that are not append-only. It deletes undo steps that would restore
// a name.
func (w *erasing) plain() error {
	for _, t := range []struct{ table, of, column string }{
		{"tournaments", "id IN ?", "rule_changes"}, {"slots", inEvents, "name"}, {"closed_tables", inEvents, "reason"},
		{"announcements", inEvents, "texts"},
		{"stand_ins", inEvents, "name"}, {"qualifications", inEvents, "why"}, {"rounds", inEvents, "note"},
		{"displays", inEvents, "shows"},
	} {
		if err := w.each(t.table, t.column, t.of, w.clean); err != nil {
			return err
		}
	}
	var rows []struct {
		ID                          int64
		Subject, Why, Before, After string
	}
	if err := w.Table("people_changes").Select("id", "subject", "why", "before", "after").
		Where("tournament_id IN ?", w.events).Find(&rows).Error; err != nil {
		return err
	}
	for _, r := range rows {
		if w.mentions(r.Subject + "\n" + r.Why + "\n" + r.Before + "\n" + r.After) {
			if err := w.Delete(&tournament.PeopleChangeRow{}, r.ID).Error; err != nil {
				return err
			}
		}
	}
	return nil
}

const inEvents = "tournament_id IN ?"

// each applies change to a column of the selected rows of a table.
func (w *erasing) each(table, column, of string, change func(text string) string) error {
	var texts []string
	if err := w.Raw("SELECT DISTINCT "+column+" FROM "+table+" WHERE "+of+" AND "+column+" <> ''",
		w.events).Scan(&texts).Error; err != nil {
		return err
	}
	for _, text := range texts {
		if is := change(text); is != text {
			done := w.Exec("UPDATE "+table+" SET "+column+" = ? WHERE "+of+" AND "+column+" = ?", is, w.events, text)
			if done.Error != nil {
				return fmt.Errorf("erase in %s: %w", table, done.Error)
			}
			w.texts += int(done.RowsAffected)
			if is == store.Erased {
				w.gone = append(w.gone, text)
			}
		}
	}
	return nil
}

// appended erases the texts in append-only tables that are about the person or mention a name.
func (w *erasing) appended() error {
	const ofGames = "game_id IN (SELECT id FROM games WHERE tournament_id IN ?)"
	for _, t := range []struct{ table, column, of, mine string }{
		{"results", "why", ofGames, "@player = 0"},
		{"sanctions", "reason", inEvents, "player_id = @player"},
		{"sanction_decisions", "why", "sanction_id IN (SELECT id FROM sanctions WHERE tournament_id IN ?)",
			"sanction_id IN (SELECT id FROM sanctions WHERE player_id = @player)"},
		{"protests", "text", ofGames, "player_id = @player"},
		{"protest_decisions", "reason", "protest_id IN (SELECT id FROM protests WHERE " + ofGames + ")",
			"protest_id IN (SELECT id FROM protests WHERE player_id = @player)"},
	} {
		var mine []string
		if err := w.Raw("SELECT "+t.column+" FROM "+t.table+" WHERE "+t.mine,
			map[string]any{"player": w.player.ID}).Scan(&mine).Error; err != nil {
			return err
		}
		err := w.each(t.table, t.column, t.of, func(text string) string {
			if slices.Contains(mine, text) || w.mentions(text) {
				return store.Erased
			}
			return text
		})
		if err != nil {
			return err
		}
	}
	return w.corrections()
}

// corrections erases the reasons of proposed corrections that mention the person, whether or not a second official has
// confirmed them.
func (w *erasing) corrections() error {
	var rows []struct {
		ID         int64
		Correction string
	}
	if err := w.Table("sanctions").Select("id", "correction").
		Where("tournament_id IN ? AND correction <> ''", w.events).Find(&rows).Error; err != nil {
		return err
	}
	for _, r := range rows {
		var said struct{ Why json.RawMessage }
		if !w.mentions(r.Correction) || json.Unmarshal([]byte(r.Correction), &said) != nil {
			continue
		}
		text := strings.Replace(r.Correction, `"why":`+string(said.Why), `"why":"`+store.Erased+`"`, 1)
		if err := w.Table("sanctions").Where("id = ?", r.ID).Updates(map[string]any{"correction": text,
			"reason": store.Erased}).Error; err != nil {
			return err
		}
	}
	return nil
}

// logs erases the reasons of rulings in the games' logs that are about the person or mention a name. It returns the
// games whose logs have changed.
func (w *erasing) logs() ([]int64, error) {
	var rows []struct {
		Game int64
		Seat int
	}
	if err := w.Raw("SELECT g.id AS game, s.seat AS seat FROM seats s JOIN games g ON g.table_id = s.table_id WHERE s.player_id = ?", w.player.ID).Scan(&rows).Error; err != nil {
		return nil, err
	}
	seats := map[int64]int{}
	for _, r := range rows {
		seats[r.Game] = r.Seat
	}
	games, n, err := game.EraseReasons(w.DB, w.events, func(game int64, seat int, reason string) bool {
		own, there := seats[game]
		if there && seat == own || w.mentions(reason) {
			w.gone = append(w.gone, reason)
			return true
		}
		return false
	})
	w.texts += n
	return games, err
}

// records replaces the name with the pseudonym in the records, and erases the reasons of actions on the person.
func (w *erasing) records() (err error) {
	w.changed, err = w.Erase(w.events, func(r *action.Record) {
		on := r.About()
		ours := r.TournamentID != nil && *r.TournamentID == w.player.TournamentID && on.Player == w.player.Number
		for _, text := range []*string{&r.AboutJSON, &r.Data, &r.Subject, &r.Before, &r.After} {
			*text = w.clean(w.without(*text))
		}
		if r.Why != "" && (ours || w.mentions(r.Why) || slices.Contains(w.gone, r.Why)) {
			r.Why = store.Erased
		}
	})
	return err
}

// without erases from JSON the texts that were removed completely (w.gone). It skips single words, because they may be
// codes.
func (w *erasing) without(text string) string {
	for _, gone := range w.gone {
		if quoted, err := json.Marshal(gone); err == nil && strings.Contains(gone, " ") {
			text = strings.ReplaceAll(text, string(quoted), `"`+store.Erased+`"`)
		}
	}
	return text
}

// replaced returns a text in which other replaces a name, in any case, wherever the name stands as separate words.
func replaced(text, name, other string) string {
	if name == "" {
		return text
	}
	var b strings.Builder
	done := 0
	for _, at := range regexp.MustCompile("(?i)"+regexp.QuoteMeta(name)).FindAllStringIndex(text, -1) {
		before := text[:at[0]]
		// an escape such as \n before Anna
		if last, _ := utf8.DecodeLastRuneInString(before); before != "" && goesOn(last, name) &&
			!jsonEscape.MatchString(before) {
			continue
		}
		if next, _ := utf8.DecodeRuneInString(text[at[1]:]); at[1] < len(text) && goesOn(next, lastOf(name)) {
			continue
		}
		b.WriteString(text[done:at[0]] + other)
		done = at[1]
	}
	return b.String() + text[done:]
}

// jsonEscape matches a JSON escape sequence that ends in a letter or a digit.
var jsonEscape = regexp.MustCompile(`\\(?:[bfnrt]|u[0-9a-fA-F]{4})$`)

// goesOn reports whether the character beside a name belongs to the same word as the name's character at that end,
// which is the first one of end. In scripts written without spaces it never does.
func goesOn(beside rune, end string) bool {
	edge, _ := utf8.DecodeRuneInString(end)
	for _, r := range []rune{beside, edge} {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana,
			unicode.Hangul, unicode.Thai) {
			return false
		}
	}
	return true
}

// lastOf returns the last character of a name.
func lastOf(name string) string {
	_, n := utf8.DecodeLastRuneInString(name)
	return name[len(name)-n:]
}
