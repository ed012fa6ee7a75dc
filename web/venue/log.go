package venue

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/door"
	"meldhall/tournament/format"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
)

// logWriter writes what was recorded of the actions of an event in the language of its reader. Records of older programs, in
// sentences, stay as they were written.
type logWriter struct {
	ctx   context.Context
	names map[string]string // of players, by their actors
}

// NewLogWriter reads who is who at an event; 0 is none.
func (s *Venue) NewLogWriter(ctx context.Context, event int64) (*logWriter, error) {
	if event == 0 {
		return &logWriter{ctx: ctx}, nil
	}
	players, err := tournament.Players(ctx, s.Store, event)
	if err != nil {
		return nil, err
	}
	w := &logWriter{ctx, make(map[string]string, len(players))}
	for _, p := range players {
		w.names[rights.Actor{Role: rights.RolePlayer, Player: p.ID}.String()] = p.Name
	}
	return w, nil
}

func (w *logWriter) text(key string, nameValues ...any) string {
	return templates.T(w.ctx, key, nameValues...)
}

// Entry is one action for the page.
func (w *logWriter) Entry(r door.Record) templates.LogEntry {
	e := templates.LogEntry{At: r.At, Who: w.who(r.Actor),
		Action: TextOr(w.ctx, "log.action."+r.Kind, r.Kind), Why: templates.ReasonWords(w.ctx, r.Why), Subject: r.Subject, Before: r.Before, After: r.After}
	if r.Version > 0 {
		e.Subject = w.about(r.About())
	}
	if d := r.Details(); d != nil {
		e.Before, e.After = w.phrases(door.Before(d), "; "), w.phrases(d.After(), "; ")
	}
	return e
}

// who names an actor: a player by name.
func (w *logWriter) who(actor string) string {
	if name := w.names[actor]; name != "" {
		actor = string(rights.RolePlayer) + ":" + name
	}
	return ActorWords(w.ctx, actor)
}

// Match is the search for a text; nil for an empty one.
func (w *logWriter) Match(text string) func(door.Record) bool {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	return func(r door.Record) bool { return w.holds(r, text) }
}

// holds tells whether a text is in a record as it is shown, or is the name of its kind, in any case.
func (w *logWriter) holds(r door.Record, text string) bool {
	shown := w.Entry(r)
	all := strings.Join([]string{shown.Who, shown.Action, shown.Subject, shown.Why, shown.Before, shown.After, r.Kind}, "\n")
	for line := range strings.Lines(all) {
		if strings.Contains(spelling.Fold(line), spelling.Fold(text)) {
			return true
		}
	}
	return false
}

// about is on what something was done.
func (w *logWriter) about(on door.About) string {
	var parts []string
	add := func(key string, nameValues ...any) { parts = append(parts, w.text(key, nameValues...)) }
	switch {
	case on.GameNo != 0:
		add("results.game", "round", on.Round, "table", on.Table, "game", on.GameNo)
	case on.Round != 0:
		add("round.title", "number", on.Round)
	case on.Stage != 0:
		add("log.about.stage", "number", on.Stage)
	}
	switch {
	case on.GameNo != 0:
	case on.Seat != 0:
		add("table.seat", "table", on.Table, "seat", on.Seat)
	case on.Table != 0:
		add("table.title", "number", on.Table)
	}
	switch {
	case on.Player != 0:
		add("log.about.player", "number", on.Player, "name", isolated(on.Name))
	case on.Name != "":
		parts = append(parts, isolated(on.Name))
	case on.What != "":
		add("log.about."+on.What, "number", on.Number)
	}
	return strings.Join(parts, " · ")
}

// phrases writes several phrases one after the other.
func (w *logWriter) phrases(all []door.Phrase, between string) string {
	said := make([]string, len(all))
	for i, p := range all {
		said[i] = w.phrase(p)
	}
	return strings.Join(said, between)
}

// phrase writes a phrase; one without a key is a text as it was typed. A word that there is no text for stays as it is.
func (w *logWriter) phrase(p door.Phrase) string {
	if p.Key == "" {
		return fmt.Sprint(w.argument(p.Args["text"]))
	}
	args := make([]any, 0, 2*len(p.Args))
	for name, v := range p.Args {
		args = append(args, name, w.argument(v))
	}
	if p.Args == nil {
		return TextOr(w.ctx, p.Key, p.Key[strings.LastIndexByte(p.Key, '.')+1:])
	}
	return w.text(p.Key, args...)
}

// argument writes an argument of a phrase.
func (w *logWriter) argument(v any) any {
	switch v := v.(type) {
	case door.Word:
		key := string(v)
		return TextOr(w.ctx, key, key[strings.LastIndexByte(key, '.')+1:])
	case door.Named:
		return TextOr(w.ctx, v.Key+v.Name, v.Name)
	case door.Person:
		return isolated(string(v))
	case door.Phrase:
		return w.phrase(v)
	case door.Sentences:
		return w.phrases(v, " ")
	case []door.Phrase:
		return w.phrases(v, ", ")
	case format.Format:
		return TextOr(w.ctx, "format."+v.Name, v.Name) + ": " + FormatNote(w.ctx, v)
	case engine.Twelfth:
		return v.String()
	case int:
		return strconv.Itoa(v)
	case engine.Millis:
		return templates.DayTime(w.ctx, time.UnixMilli(int64(v)))
	}
	return v
}

// Plain is a text without the marks that keep the direction of names.
func Plain(text string) string { return strings.NewReplacer("\u2068", "", "\u2069", "").Replace(text) }

// isolated keeps the direction of a name inside a sentence.
func isolated(name string) string { return "\u2068" + name + "\u2069" }

// LogEntry is one action.
type LogEntry struct {
	ID      int64         `json:"id"`
	At      engine.Millis `json:"at"`
	Who     string        `json:"who"`
	Action  string        `json:"action"`
	Subject string        `json:"subject"`
	Why     string        `json:"why,omitempty"`
	Before  string        `json:"before,omitempty"`
	After   string        `json:"after,omitempty"`

	Version int             `json:"version" doc:"of the fields in on and data; 0: of an older program, in sentences alone"`
	On      json.RawMessage `json:"on,omitempty" doc:"what it was done to: round, table, game, seat, player, … by their numbers and names"`
	Data    json.RawMessage `json:"data,omitempty" doc:"how it was and is, in the fields of the action"`
}

// NewLogEntry is a record for programs.
func NewLogEntry(words *logWriter, r door.Record) LogEntry {
	said := words.Entry(r)
	return LogEntry{r.ID, r.At, r.Actor, r.Kind, Plain(said.Subject), r.Why, Plain(said.Before), Plain(said.After),
		r.Version, raw(r.AboutJSON), raw(r.Data)}
}

// raw is stored JSON as a part of an answer; nothing where there is none.
func raw(text string) json.RawMessage {
	if text == "" {
		return nil
	}
	return json.RawMessage(text)
}

// LogSpan reads from when until when the log is searched, either of them empty for no limit: the first moment, and the first
// one after the last. What is typed counts whole: until a day is until its end.
func LogSpan(from, until string) (first, end engine.Millis, err error) {
	if strings.TrimSpace(from) != "" {
		start, _, ok := logMoment(from)
		if !ok {
			return 0, 0, refuse.Invalid("err_log_time", "field", "from", "value", from)
		}
		first = engine.MillisOf(start)
	}
	if strings.TrimSpace(until) != "" {
		_, after, ok := logMoment(until)
		if !ok {
			return 0, 0, refuse.Invalid("err_log_time", "field", "until", "value", until)
		}
		end = max(engine.MillisOf(after), 1) // 0 is no limit
	}
	if end != 0 && end <= first {
		return 0, 0, refuse.Invalid("err_log_span", "from", from, "until", until)
	}
	return first, end, nil
}

// logMoment reads a day, a minute or a second of the server's zone, as the log shows it or as the field of a form writes it,
// and gives where it begins and where the next one does.
func logMoment(text string) (start, after time.Time, ok bool) {
	text = strings.Replace(strings.TrimSpace(text), " ", "T", 1)
	if at, err := time.ParseInLocation(time.DateOnly, text, time.Local); err == nil {
		return at, at.AddDate(0, 0, 1), true
	}
	if at, err := time.ParseInLocation(DayFormat, text, time.Local); err == nil {
		return at, at.Add(time.Minute), true
	}
	at, err := time.ParseInLocation(DayFormat+":05", text, time.Local)
	return at.Truncate(time.Second), at.Truncate(time.Second).Add(time.Second), err == nil
}

// FieldMoment writes what was asked for as a field of a form holds it: of a day alone, its first or last minute.
func FieldMoment(text string, last bool) string {
	text = strings.Replace(strings.TrimSpace(text), " ", "T", 1)
	switch _, err := time.Parse(time.DateOnly, text); {
	case err != nil:
		return text
	case last:
		return text + "T23:59"
	}
	return text + "T00:00"
}
