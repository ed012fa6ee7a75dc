package web

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/tournament"
)

// logWriter writes what the storage recorded of the actions of an event as its reader says it: names for numbers of the database,
// words for its keys. What it does not know it leaves as it is.
type logWriter struct {
	ctx    context.Context
	places map[string]string   // of games, by the record's subject
	seats  map[string][]string // who sat there
	names  map[string]string   // of players, by id
}

// newLogWriter reads who is who and where the games were.
func (s *views) newLogWriter(ctx context.Context, event int64) (*logWriter, error) {
	w := &logWriter{ctx, map[string]string{}, map[string][]string{}, map[string]string{}}
	players, err := s.store.Players(ctx, event)
	if err != nil {
		return nil, err
	}
	for _, p := range players {
		w.names[strconv.FormatInt(p.ID, 10)] = p.Name
	}
	rounds, err := s.store.Rounds(ctx, event)
	if err != nil {
		return nil, err
	}
	for _, r := range rounds {
		tables, err := s.store.Tables(ctx, r.ID)
		if err != nil {
			return nil, err
		}
		for _, t := range tables {
			for _, g := range t.Games {
				subject := fmt.Sprintf("game %d", g.ID)
				w.places[subject] = w.text("results.game", "round", r.Number, "table", t.Number, "game", g.Number)
				w.seats[subject] = seatNames(t)
			}
		}
	}
	return w, nil
}

func (w *logWriter) text(key string, nameValues ...any) string {
	return templates.T(w.ctx, key, nameValues...)
}

// entry is one action for the page.
func (w *logWriter) entry(e tournament.AuditEntry) templates.LogEntry {
	before, after := w.state(e, e.Before), w.state(e, e.After)
	if e.Action == "people.settings" || e.Action == "people.undo" {
		before, after = w.settings(e.Before, e.After, before), w.settings(e.After, e.Before, after)
	}
	why := e.Why
	if seed, ok := strings.CutPrefix(why, "seed "); ok {
		why = w.text("draw.seed") + " " + seed
	}
	return templates.LogEntry{At: e.At, Day: time.UnixMilli(int64(e.At)).Format("2006-01-02"), Who: w.who(e.Actor),
		Action: textOr(w.ctx, "log.action."+e.Action, e.Action), Subject: w.subject(e.Subject), Why: why, Before: before, After: after}
}

// who names an actor: a player by name.
func (w *logWriter) who(actor string) string {
	if id, ok := strings.CutPrefix(actor, "player:"); ok && w.names[id] != "" {
		actor = "player:" + w.names[id]
	}
	return actorWords(w.ctx, actor)
}

// holds tells whether a text is in an entry as it is shown, or as it is stored, in any case.
func (w *logWriter) holds(e tournament.AuditEntry, text string) bool {
	shown := w.entry(e)
	all := strings.Join([]string{shown.Who, shown.Action, shown.Subject, shown.Why, shown.Before, shown.After, e.Action, e.Subject, e.Why, e.Before, e.After}, "\n")
	for line := range strings.Lines(all) {
		if strings.Contains(tournament.FoldName(line), tournament.FoldName(text)) {
			return true
		}
	}
	return false
}

var (
	playerSubject = regexp.MustCompile(`^(?:sanction \d+, )?player (\d+) \((.*)\)$`)
	placeSubject  = regexp.MustCompile(`^round (\d+)(?:, table (\d+))?(?:, seat (\d+)(?: \((.*)\))?)?$`)
	namedSubject  = regexp.MustCompile(`^(tournament|table|announcement|screen|stage) (\d+)(?: \((.*)\))?$`)
)

// subject is what an action was about.
func (w *logWriter) subject(text string) string {
	if place := w.places[text]; place != "" {
		return place
	}
	if id, ok := strings.CutPrefix(text, "player:"); ok {
		return cmp.Or(w.names[id], text)
	}
	if m := playerSubject.FindStringSubmatch(text); m != nil {
		return w.text("log.about.player", "number", m[1], "name", m[2])
	}
	if m := placeSubject.FindStringSubmatch(text); m != nil {
		parts := []string{w.text("round.title", "number", m[1])}
		switch {
		case m[3] != "":
			parts = append(parts, w.text("table.seat", "table", m[2], "seat", m[3]))
		case m[2] != "":
			parts = append(parts, w.text("table.title", "number", m[2]))
		}
		return strings.Join(append(parts, slices.DeleteFunc([]string{m[4]}, func(name string) bool { return name == "" })...), " · ")
	}
	if text == "plan of the day" {
		return w.text("plan.title")
	}
	m := namedSubject.FindStringSubmatch(text)
	switch {
	case m == nil:
		return text
	case m[1] == "table":
		return w.text("table.title", "number", m[2])
	case m[1] == "tournament":
		return m[3]
	}
	return w.text("log.about."+m[1], "number", m[2])
}

// wordKeys is by action where the words of its states are; the others are told by their form.
var wordKeys = map[string]string{
	"round.publish": "status.", "round.start": "status.", "round.finish": "status.", "table.start": "status.", "tournament.finish": "status.",
	"tournament.reopen": "status.", "round.duplicate": "log.is.", "seating.apart": "log.is.", "player.withdraw": "log.is.", "player.family": "log.is.",
	"tournament.tiles": "tiles.", "table.tiles": "tiles.", "qualification.set": "qualify.is.", "protest.decide": "protest.", "rehearsal.start": "rehearsal.",
	"sanction.seconded": "log.is.", "sanction.cancelled": "log.is.",
}

// state is how something was or is.
func (w *logWriter) state(e tournament.AuditEntry, text string) string {
	if text == "" {
		return ""
	}
	if prefix := wordKeys[e.Action]; prefix != "" {
		if word := textOr(w.ctx, prefix+text, ""); word != "" {
			return word
		}
	}
	switch kind, _, _ := strings.Cut(e.Action, "."); kind {
	case "people":
		return w.people(text)
	case "result", "protest":
		return w.result(e.Subject, text)
	case "sanction":
		return w.sanction(text)
	case "slots":
		return w.slots(text)
	}
	switch e.Action {
	case "tournament.format", "tournament.rounds":
		if f, err := tournament.ParseFormat([]byte(text)); err == nil {
			return textOr(w.ctx, "format."+f.Name, f.Name) + ": " + formatNote(w.ctx, f)
		}
	case "player.extra_time":
		return w.text("roster.time_is", "n", text)
	case "badge.show":
		return cmp.Or(w.places[text], text)
	case "cut.lot":
		return w.lot(text)
	}
	return w.phrase(text)
}

// lot names the players of a lot, whom older records have by their number in the database.
func (w *logWriter) lot(text string) string {
	inner, ok := strings.CutPrefix(strings.TrimSuffix(text, "]"), "[")
	if !ok {
		return text
	}
	ids := strings.Fields(inner)
	for i, id := range ids {
		ids[i] = cmp.Or(w.names[id], id)
	}
	return strings.Join(ids, ", ")
}

var resultText = regexp.MustCompile(`^rev (\d+) (provisional|confirmed) (\w+):(.*)$`)

// result names the seats of a game's result.
func (w *logWriter) result(subject, text string) string {
	m := resultText.FindStringSubmatch(text)
	if m == nil {
		return text
	}
	if m[3] == tournament.EndingAnnulled {
		return w.text("log.is.annulled", "rev", m[1])
	}
	points := strings.Fields(m[4]) // points and (wins) of each seat
	var lines []string
	for seat := 0; 2*seat+1 < len(points); seat++ {
		name := w.text("log.is.seat", "seat", seat+1)
		if seats := w.seats[subject]; seat < len(seats) {
			name = seats[seat]
		}
		line := w.text("log.is.points", "name", "\u2068"+name+"\u2069", "points", points[2*seat])
		if wins := strings.Trim(points[2*seat+1], "()"); wins != "0" {
			line = w.text("log.is.wins", "name", "\u2068"+name+"\u2069", "points", points[2*seat], "wins", wins)
		}
		lines = append(lines, line)
	}
	return w.text("log.is.result", "rev", m[1], "status", w.text("status."+m[2]), "lines", strings.Join(lines, ", "))
}

// settings says of the settings about people those that differ from the others; another text is otherwise's.
func (w *logWriter) settings(text, from, otherwise string) string {
	var is, was tournament.PeopleSettingsOf
	if json.Unmarshal([]byte(text), &is) != nil || json.Unmarshal([]byte(from), &was) != nil {
		return otherwise
	}
	said := effectTexts(w.ctx, slices.DeleteFunc(tournament.SettingsEffects(was, is), func(e tournament.PeopleEffect) bool {
		return strings.HasSuffix(e.Key, "_opens") || strings.HasSuffix(e.Key, "_closes")
	}))
	if is.RegistrationOpen != was.RegistrationOpen {
		said = append(said, w.text("people.registration_open")+": "+w.text("log.is."+strconv.FormatBool(is.RegistrationOpen))+".")
	}
	if is.CheckInOpen != was.CheckInOpen {
		said = append(said, w.text("people.check_in_open")+": "+w.text("log.is."+strconv.FormatBool(is.CheckInOpen))+".")
	}
	return strings.Join(said, " ")
}

// pieces writes every piece of a list that parts separates.
func pieces(text, parts string, write func(string) string) string {
	list := strings.Split(text, parts)
	for i, piece := range list {
		list[i] = write(piece)
	}
	return strings.Join(list, parts)
}

var (
	personText = regexp.MustCompile(`^(\d+) (.+): (waiting|registered|checked_in|withdrawn|no_show|substituted)(, gone)?(?:, table (\d+))?$`)
	seatsText  = regexp.MustCompile(`^round (\d+), table (\d+): (.*)$`)
	missesText = regexp.MustCompile(`^(.+) misses round (\d+): (late|left|no_show)(?:, \x{2212}([\d.]+))?$`)
	standText  = regexp.MustCompile(`^for (.+) from round (\d+), game (\d+): (".*")$`)
	closedText = regexp.MustCompile(`^table (\d+) out of service$`)
)

// people writes what an action about people changed.
func (w *logWriter) people(text string) string {
	return pieces(text, "; ", func(piece string) string {
		if m := personText.FindStringSubmatch(piece); m != nil {
			said := w.text("log.is.person", "number", m[1], "name", "\u2068"+m[2]+"\u2069", "state", w.text("people.state."+m[3]))
			if m[5] != "" {
				said += ", " + w.text("log.is.fixed", "table", m[5])
			}
			return said
		}
		if m := seatsText.FindStringSubmatch(piece); m != nil {
			return w.text("round.title", "number", m[1]) + ", " + w.text("table.title", "number", m[2]) + ": " + m[3]
		}
		if m := missesText.FindStringSubmatch(piece); m != nil {
			key := "people.missed." + m[3]
			if m[4] == "" || m[4] == engine.Twelfth(0).String() {
				key += ".none"
			}
			return m[1] + ": " + w.text(key, "round", m[2], "points", m[4])
		}
		if m := standText.FindStringSubmatch(piece); m != nil {
			person, err := strconv.Unquote(m[4])
			switch {
			case err != nil:
				return piece
			case person == "":
				return w.text("people.effect.returns", "name", m[1], "round", m[2], "game", m[3])
			}
			return w.text("log.is.stand_in", "person", person, "name", m[1], "round", m[2], "game", m[3])
		}
		if m := closedText.FindStringSubmatch(piece); m != nil {
			return w.text("people.effect.table_closed", "table", m[1])
		}
		return piece
	})
}

var sanctionText = regexp.MustCompile(`^(?:(proposed|in_force|cancelled): )?(?:(disqualification)|(\S+) points)(?:, rule (.*))?$`)

func (w *logWriter) sanction(text string) string {
	m := sanctionText.FindStringSubmatch(text)
	if m == nil {
		return text
	}
	said := w.text("sanction.points", "points", m[3])
	if m[2] != "" {
		said = w.text("sanction.disqualification")
	}
	if m[4] != "" {
		said += ", " + w.text("sanction.rule", "rule", m[4])
	}
	if m[1] != "" {
		said += " (" + w.text("sanction."+m[1]) + ")"
	}
	return said
}

var slotText = regexp.MustCompile(`^(?:round (\d+)|break (.*)) (\d{4}-\d\d-\d\d \d\d:\d\d-\d\d:\d\d)$`)

func (w *logWriter) slots(text string) string {
	return pieces(text, ", ", func(piece string) string {
		m := slotText.FindStringSubmatch(piece)
		switch {
		case m == nil:
			return piece
		case m[1] == "":
			return m[2] + " " + m[3]
		}
		return w.text("round.title", "number", m[1]) + " " + m[3]
	})
}

var (
	drawText     = regexp.MustCompile(`^(\w+), seed (\d+), (\d+) tables, (\d+) players, (\d+) games, same deal (true|false)(?:, (.*))?$`)
	fileText     = regexp.MustCompile(`^a file's seats for (\d+) later rounds given up$`)
	swapText     = regexp.MustCompile(`^(.+) at table (\d+) seat (\d+), (.+) at table (\d+) seat (\d+)$`)
	announceText = regexp.MustCompile(`^(note|urgent), (\d+) minutes: ([\s\S]*)$`)
	screenText   = regexp.MustCompile(`^event \d+, table (\d+) .*$`)
	createText   = regexp.MustCompile(`^format (.+) \d+, rules (.+) \d+$`)
)

// phrase writes what is told by its form alone.
func (w *logWriter) phrase(text string) string {
	if m := drawText.FindStringSubmatch(text); m != nil {
		said := w.text("log.is.draw", "method", w.text("method."+m[1]), "seed", m[2], "tables", m[3], "players", m[4], "games", m[5])
		if m[6] == "true" {
			said += ", " + w.text("draw.duplicate")
		}
		if m[7] != "" {
			said += ", " + w.phrase(m[7])
		}
		return said
	}
	if m := fileText.FindStringSubmatch(text); m != nil {
		return w.text("log.is.file_given_up", "n", m[1])
	}
	if m := swapText.FindStringSubmatch(text); m != nil {
		return m[1] + ": " + w.text("table.seat", "table", m[2], "seat", m[3]) + "; " + m[4] + ": " + w.text("table.seat", "table", m[5], "seat", m[6])
	}
	if m := announceText.FindStringSubmatch(text); m != nil {
		return w.text("log.is.announced", "level", w.text("announce.level."+m[1]), "n", m[2], "text", m[3])
	}
	if m := screenText.FindStringSubmatch(text); m != nil {
		return w.text("table.title", "number", m[1])
	}
	if m := createText.FindStringSubmatch(text); m != nil {
		return textOr(w.ctx, "format."+m[1], m[1]) + ", " + textOr(w.ctx, "rules."+m[2], m[2])
	}
	return text
}
