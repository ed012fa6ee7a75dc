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
	"meldhall/tournament/door"
	"meldhall/tournament/game"
	"meldhall/tournament/naming"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/rosterfile"
	"meldhall/tournament/spelling"
	"meldhall/tournament/storage"
)

// Erase takes a person out of an event: the start number, seats and results stay, under what the player is called who has no name in public. Name,
// address, club and family go, and what was written about the person; what names the person elsewhere in the event names the number.
// The file is written anew then, so that none of it is left in its pages.
type Erase struct {
	Player int64  `json:"player,omitempty" path:"id" minimum:"1"`
	Why    string `json:"why,omitempty" maxLength:"500" doc:"for the log; the name in it becomes what the player is called then"`
}

// Erased is what was, or would be, taken out.
type Erased struct {
	Player    tournament.Player `json:"-"`
	Pseudonym string            `json:"pseudonym" doc:"what the player is called from now on"`
	Records   int               `json:"records" doc:"of what was done, in which the name was"`
	Texts     int               `json:"texts" doc:"that were written about the person, or name them"`
	Elsewhere []string          `json:"elsewhere" doc:"other events in which somebody of this name is entered"`
}

var _ = door.NewKind[Erase](door.Kind{Name: storage.ErasureAction, Right: rights.MayEditRoster, Final: true,
	Changes: append([]door.What{door.TopicSettings, door.TopicNews}, changes...),
	Details: door.Keep[erasedNoted]})

// erasedNoted is what a record keeps of it.
type erasedNoted struct {
	Records int `json:"records"`
	Texts   int `json:"texts"`
	// Erased is the hash of the replacement texts in the event's erased records, see storage.ErasedRecords.
	Erased string `json:"erased,omitempty"`
}

// After tells how much it was.
func (e erasedNoted) After() []door.Phrase {
	return []door.Phrase{door.Say("privacy.erased_is", "records", e.Records, "texts", e.Texts)}
}

func (e Erase) Do(tx *door.Tx) (out Erased, err error) {
	why, err := door.CleanWhy(e.Why)
	if err != nil {
		return out, err
	}
	if out.Player, err = storage.ByID[tournament.Player](tx.DB, "player", e.Player); err != nil {
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
	for _, step := range []func() error{w.plain, w.appended, func() (err error) { games, err = w.logs(); return err }, w.records, w.row} {
		if err := step(); err != nil {
			return out, err
		}
	}
	out.Pseudonym, out.Records, out.Texts, out.Elsewhere = w.pseudonym, w.changed, w.texts, w.elsewhere
	on := door.About{Player: out.Player.Number, Name: w.pseudonym}
	if tx.Preview { // what has to be typed
		on.Name = out.Player.Name
	}
	hash, err := tx.ErasedHash(out.Player.TournamentID)
	if err != nil {
		return out, err
	}
	tx.Record(door.Entry{Event: out.Player.TournamentID, On: on, Why: why, Is: erasedNoted{w.changed, w.texts, hash}})
	if err := tx.Exec("INSERT INTO erasures (at) VALUES (?)", tx.Now()).Error; err != nil {
		return out, err
	}
	tx.Then(func(ctx context.Context, g *game.Games) error {
		g.Forget(games)
		return g.DB.RewriteDue(ctx)
	})
	return out, nil
}

// erasing is an erasure at work.
type erasing struct {
	*door.Tx
	player         tournament.Player
	events         []int64 // the event, and what was rehearsed of it
	names          []string
	pseudonym      string
	elsewhere      []string
	gone           []string // texts that went whole
	changed, texts int
}

// look finds by which names the person was known in the event, and what to put in their place.
func (w *erasing) look() error {
	if err := w.Raw("SELECT id FROM tournaments WHERE id = ? OR rehearses = ? ORDER BY id", w.player.TournamentID, w.player.TournamentID).Scan(&w.events).Error; err != nil {
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
	who := func(name, country, club, mark string) { // as it stands in records, longest first
		parts := slices.DeleteFunc([]string{name, country, club, mark}, func(s string) bool { return s == "" })
		for n := len(parts); n > 0 && name != ""; n-- {
			known[strings.Join(parts[:n], ", ")] = true
		}
	}
	who(w.player.Written, w.player.Country, w.player.Club, w.player.Mark)
	var changes []struct{ Before, After string }
	if err := w.Raw("SELECT before, after FROM people_changes WHERE tournament_id = ?", w.player.TournamentID).Scan(&changes).Error; err != nil {
		return err
	}
	for _, c := range changes {
		for _, text := range []string{c.Before, c.After} {
			var parts map[string]string
			var was struct{ Name, Country, Club, Mark string }
			if json.Unmarshal([]byte(text), &parts) == nil && json.Unmarshal([]byte(parts[fmt.Sprint("player/", w.player.ID)]), &was) == nil {
				who(was.Name, was.Country, was.Club, was.Mark)
			}
		}
	}
	w.names = append(slices.Collect(maps.Keys(known)), w.player.Email)
	w.names = slices.DeleteFunc(w.names, func(name string) bool { return name == "" })
	slices.SortFunc(w.names, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	w.pseudonym = naming.Numbered(w.player.Number)
	for taken := int64(1); taken > 0; {
		if err := w.Model(&tournament.Player{}).Where("tournament_id = ? AND id <> ? AND name_key = ?", w.player.TournamentID, w.player.ID, spelling.Fold(w.pseudonym)).Count(&taken).Error; err != nil {
			return err
		}
		if taken > 0 {
			w.pseudonym += " *"
		}
	}
	return nil
}

// clean puts the pseudonym where a text has a name of the person as words of their own, also inside JSON.
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

// row is the person's own row, and those of rehearsals.
func (w *erasing) row() error {
	entry := rosterfile.PlayerEntry{Name: w.pseudonym, Country: w.player.Country}
	set := map[string]any{"name": w.pseudonym, "name_key": spelling.Fold(w.pseudonym), "apart": entry.Apart(), "club": "", "mark": "", "told": "", "email": "", "family": "",
		"rating": nil, "ticket": nil, "device_hash": nil, "device_at": 0, "public": naming.Whole}
	return w.Model(&tournament.Player{}).Where("id = ? OR tournament_id IN ? AND tournament_id <> ? AND number = ? AND name_key = ?", w.player.ID, w.events, w.player.TournamentID,
		w.player.Number, w.player.NameKey).Updates(set).Error
}

// plain are the texts that may be changed: a name in them becomes the pseudonym. What would be put back by undoing goes.
func (w *erasing) plain() error {
	for _, t := range []struct{ table, of, column string }{
		{"tournaments", "id IN ?", "rule_changes"}, {"slots", inEvents, "name"}, {"closed_tables", inEvents, "reason"}, {"announcements", inEvents, "texts"},
		{"stand_ins", inEvents, "name"}, {"qualifications", inEvents, "why"}, {"rounds", inEvents, "note"}, {"displays", inEvents, "shows"},
	} {
		if err := w.each(t.table, t.column, t.of, w.clean); err != nil {
			return err
		}
	}
	var rows []struct {
		ID                          int64
		Subject, Why, Before, After string
	}
	if err := w.Raw("SELECT id, subject, why, before, after FROM people_changes WHERE tournament_id IN ?", w.events).Scan(&rows).Error; err != nil {
		return err
	}
	for _, r := range rows {
		if w.mentions(r.Subject + "\n" + r.Why + "\n" + r.Before + "\n" + r.After) {
			if err := w.Exec("DELETE FROM people_changes WHERE id = ?", r.ID).Error; err != nil {
				return err
			}
		}
	}
	return nil
}

const inEvents = "tournament_id IN ?"

// each changes a column of the rows of a table.
func (w *erasing) each(table, column, of string, change func(text string) string) error {
	var texts []string
	if err := w.Raw("SELECT DISTINCT "+column+" FROM "+table+" WHERE "+of+" AND "+column+" <> ''", w.events).Scan(&texts).Error; err != nil {
		return err
	}
	for _, text := range texts {
		if is := change(text); is != text {
			done := w.Exec("UPDATE "+table+" SET "+column+" = ? WHERE "+of+" AND "+column+" = ?", is, w.events, text)
			if done.Error != nil {
				return fmt.Errorf("erase in %s: %w", table, done.Error)
			}
			w.texts += int(done.RowsAffected)
			if is == storage.Erased {
				w.gone = append(w.gone, text)
			}
		}
	}
	return nil
}

// appended are the texts that are only appended: those about the person, and those that name the person, go.
func (w *erasing) appended() error {
	const ofGames = "game_id IN (SELECT id FROM games WHERE tournament_id IN ?)"
	for _, t := range []struct{ table, column, of, mine string }{
		{"results", "why", ofGames, "@player = 0"},
		{"sanctions", "reason", inEvents, "player_id = @player"},
		{"sanction_decisions", "why", "sanction_id IN (SELECT id FROM sanctions WHERE tournament_id IN ?)", "sanction_id IN (SELECT id FROM sanctions WHERE player_id = @player)"},
		{"protests", "text", ofGames, "player_id = @player"},
		{"protest_decisions", "reason", "protest_id IN (SELECT id FROM protests WHERE " + ofGames + ")", "protest_id IN (SELECT id FROM protests WHERE player_id = @player)"},
	} {
		var mine []string
		if err := w.Raw("SELECT "+t.column+" FROM "+t.table+" WHERE "+t.mine, map[string]any{"player": w.player.ID}).Scan(&mine).Error; err != nil {
			return err
		}
		err := w.each(t.table, t.column, t.of, func(text string) string {
			if slices.Contains(mine, text) || w.mentions(text) {
				return storage.Erased
			}
			return text
		})
		if err != nil {
			return err
		}
	}
	return w.corrections()
}

// corrections are those that wait, or waited, for a second official: why they were asked for.
func (w *erasing) corrections() error {
	var rows []struct {
		ID         int64
		Correction string
	}
	if err := w.Raw("SELECT id, correction FROM sanctions WHERE tournament_id IN ? AND correction <> ''", w.events).Scan(&rows).Error; err != nil {
		return err
	}
	for _, r := range rows {
		var said struct{ Why json.RawMessage }
		if !w.mentions(r.Correction) || json.Unmarshal([]byte(r.Correction), &said) != nil {
			continue
		}
		text := strings.Replace(r.Correction, `"why":`+string(said.Why), `"why":"`+storage.Erased+`"`, 1)
		if err := w.Exec("UPDATE sanctions SET correction = ?, reason = ? WHERE id = ?", text, storage.Erased, r.ID).Error; err != nil {
			return err
		}
	}
	return nil
}

// logs are the reasons of rulings in the games' logs: those about the person, and those that name the person.
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

// records are those of what was done: the name becomes the pseudonym, and why something was done to the person goes.
func (w *erasing) records() (err error) {
	w.changed, err = w.Erase(w.events, func(r *door.Record) {
		on := r.About()
		ours := r.TournamentID != nil && *r.TournamentID == w.player.TournamentID && on.Player == w.player.Number
		for _, text := range []*string{&r.AboutJSON, &r.Data, &r.Subject, &r.Before, &r.After} {
			*text = w.clean(w.without(*text))
		}
		if r.Why != "" && (ours || w.mentions(r.Why) || slices.Contains(w.gone, r.Why)) {
			r.Why = storage.Erased
		}
	})
	return err
}

// without takes texts that went out of JSON that has them too; a single word may as well be a code.
func (w *erasing) without(text string) string {
	for _, gone := range w.gone {
		if quoted, err := json.Marshal(gone); err == nil && strings.Contains(gone, " ") {
			text = strings.ReplaceAll(text, string(quoted), `"`+storage.Erased+`"`)
		}
	}
	return text
}

// replaced puts another text where a name stands as words of their own, in whatever case.
func replaced(text, name, other string) string {
	if name == "" {
		return text
	}
	var b strings.Builder
	done := 0
	for _, at := range regexp.MustCompile("(?i)"+regexp.QuoteMeta(name)).FindAllStringIndex(text, -1) {
		before := text[:at[0]]
		if last, _ := utf8.DecodeLastRuneInString(before); before != "" && goesOn(last, name) && !jsonEscape.MatchString(before) { // \nAnna
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

// jsonEscape is what stands for a character in JSON and ends in a letter or a digit.
var jsonEscape = regexp.MustCompile(`\\(?:[bfnrt]|u[0-9a-fA-F]{4})$`)

// goesOn tells whether a character beside a name's end makes both one word: not in scripts that are written without spaces.
func goesOn(beside rune, end string) bool {
	edge, _ := utf8.DecodeRuneInString(end)
	for _, r := range []rune{beside, edge} {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai) {
			return false
		}
	}
	return true
}

// lastOf is the last character of a name.
func lastOf(name string) string {
	_, n := utf8.DecodeLastRuneInString(name)
	return name[len(name)-n:]
}
