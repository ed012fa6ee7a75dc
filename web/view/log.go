package view

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"meldhall/engine"
	"meldhall/engine/score"
	"meldhall/templates/desk"
	"meldhall/templates/locale"
	"meldhall/templates/play"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/format"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
)

// logWriter describes the recorded actions of a tournament in the reader's language. Records of older releases, which
// are sentences, stay unchanged.
type logWriter struct {
	ctx   context.Context
	names map[string]string // players' names, by actor
}

// NewLogWriter returns a logWriter with the names of a tournament's players, or without names for tournament 0.
func (s *Reader) NewLogWriter(ctx context.Context, tournamentID int64) (*logWriter, error) {
	if tournamentID == 0 {
		return &logWriter{ctx: ctx}, nil
	}
	players, err := tournament.Players(ctx, s.Store, tournamentID)
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
	return locale.T(w.ctx, key, nameValues...)
}

// Entry returns a recorded action as an entry of the log page.
func (w *logWriter) Entry(r action.Record) desk.LogEntry {
	e := desk.LogEntry{At: r.At, Who: w.who(r.Actor),
		Action: TextOr(w.ctx, "log.action."+r.Kind, r.Kind), Why: play.ReasonWords(w.ctx, r.Why),
		Subject: r.Subject, Before: r.Before, After: r.After}
	if r.Version > 0 {
		e.Subject = w.about(r.About())
	}
	if d := r.Details(); d != nil {
		e.Before, e.After = w.phrases(action.Before(d), "; "), w.phrases(d.After(), "; ")
	}
	return e
}

// who returns the name of an actor; for a player, the player's name.
func (w *logWriter) who(actor string) string {
	if name := w.names[actor]; name != "" {
		actor = string(rights.RolePlayer) + ":" + name
	}
	return ActorWords(w.ctx, actor)
}

// Match returns a filter for a search text; nil for an empty one.
func (w *logWriter) Match(text string) func(action.Record) bool {
	if spelling.Search(text) == "" {
		return nil
	}
	return func(r action.Record) bool { return w.holds(r, text) }
}

// holds reports whether a record as displayed, or the name of its kind, contains a text, ignoring case and accents.
func (w *logWriter) holds(r action.Record, text string) bool {
	shown := w.Entry(r)
	all := strings.Join([]string{shown.Who, shown.Action, shown.Subject, shown.Why, shown.Before, shown.After, r.Kind},
		"\n")
	wanted := spelling.Search(text)
	for line := range strings.Lines(all) {
		if strings.Contains(spelling.Search(line), wanted) {
			return true
		}
	}
	return false
}

// about describes the subject of an action.
func (w *logWriter) about(on action.About) string {
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

// phrases joins several phrases.
func (w *logWriter) phrases(all []action.Phrase, between string) string {
	said := make([]string, len(all))
	for i, p := range all {
		said[i] = w.phrase(p)
	}
	return strings.Join(said, between)
}

// phrase returns a phrase as text. A phrase without a key is literal text. A word without a translation stays
// unchanged.
func (w *logWriter) phrase(p action.Phrase) string {
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

// argument returns an argument of a phrase, as text if necessary.
func (w *logWriter) argument(v any) any {
	switch v := v.(type) {
	case action.Word:
		key := string(v)
		return TextOr(w.ctx, key, key[strings.LastIndexByte(key, '.')+1:])
	case action.Named:
		return TextOr(w.ctx, v.Key+v.Name, v.Name)
	case action.Person:
		return isolated(string(v))
	case action.Phrase:
		return w.phrase(v)
	case action.Sentences:
		return w.phrases(v, " ")
	case []action.Phrase:
		return w.phrases(v, ", ")
	case format.Format:
		return TextOr(w.ctx, "format."+v.Name, v.Name) + ": " + FormatNote(w.ctx, v)
	case score.Twelfth:
		return v.String()
	case int:
		return strconv.Itoa(v)
	case engine.Millis:
		return locale.DayTimeOf(w.ctx, v)
	case action.Clock:
		return locale.MinuteTime(w.ctx, engine.Millis(v))
	}
	return v
}

// Plain returns a text without directional isolates around names.
func Plain(text string) string { return strings.NewReplacer("\u2068", "", "\u2069", "").Replace(text) }

// isolated wraps a name in directional isolates.
func isolated(name string) string { return "\u2068" + name + "\u2069" }

// LogEntry is a recorded action as programs receive it.
type LogEntry struct {
	ID      int64         `json:"id"`
	At      engine.Millis `json:"at"`
	Who     string        `json:"who"`
	Action  string        `json:"action"`
	Subject string        `json:"subject"`
	Why     string        `json:"why,omitempty"`
	Before  string        `json:"before,omitempty"`
	After   string        `json:"after,omitempty"`

	Version int             `json:"version" doc:"version of the fields in on and data; 0: recorded by an older program, as sentences only"`
	On      json.RawMessage `json:"on,omitempty" doc:"the target: round, table, game, seat, player, … by number and name"`
	Data    json.RawMessage `json:"data,omitempty" doc:"values before and after, in the fields of the action"`
}

// NewLogEntry returns a recorded action as an entry for programs.
func NewLogEntry(words *logWriter, r action.Record) LogEntry {
	said := words.Entry(r)
	return LogEntry{r.ID, r.At, r.Actor, r.Kind, Plain(said.Subject), r.Why, Plain(said.Before), Plain(said.After),
		r.Version, raw(r.AboutJSON), raw(r.Data)}
}

// raw returns stored JSON as a part of a response; nil if empty.
func raw(text string) json.RawMessage {
	if text == "" {
		return nil
	}
	return json.RawMessage(text)
}

// LogSpan parses the period of a search in the log. It returns the first moment of the period and the first moment
// after it, with 0 for no limit. An empty text means no limit. A typed value counts whole: until a day means until its
// end.
func LogSpan(ctx context.Context, from, until string) (first, end engine.Millis, err error) {
	if spelling.Clean(from) != "" {
		start, _, ok := logMoment(ctx, from)
		if !ok {
			return 0, 0, refuse.Invalid("err_log_time", "field", "from", "value", from)
		}
		first = engine.MillisOf(start)
	}
	if spelling.Clean(until) != "" {
		_, after, ok := logMoment(ctx, until)
		if !ok {
			return 0, 0, refuse.Invalid("err_log_time", "field", "until", "value", until)
		}
		end = max(engine.MillisOf(after), 1) // 0 means no limit
	}
	if end != 0 && end <= first {
		return 0, 0, refuse.Invalid("err_log_span", "from", from, "until", until)
	}
	return first, end, nil
}

// logMoment parses a day, a minute or a second in the context's zone, as the log shows it or a form field writes it. It
// returns its beginning and the beginning of the next one.
func logMoment(ctx context.Context, text string) (start, after time.Time, ok bool) {
	text = strings.Replace(strings.ToUpper(spelling.Fold(text)), " ", "T", 1)
	if at, err := time.ParseInLocation(time.DateOnly, text, locale.ZoneOf(ctx)); err == nil {
		return at, at.AddDate(0, 0, 1), true
	}
	if at, err := time.ParseInLocation(DayFormat, text, locale.ZoneOf(ctx)); err == nil {
		return at, at.Add(time.Minute), true
	}
	at, err := time.ParseInLocation(DayFormat+":05", text, locale.ZoneOf(ctx))
	return at.Truncate(time.Second), at.Truncate(time.Second).Add(time.Second), err == nil
}

// FieldMoment returns a moment in the format of a form field. A day without a time gets its first minute, or its last
// one if last is set. Other text stays unchanged.
func FieldMoment(text string, last bool) string {
	text = strings.Replace(spelling.Clean(text), " ", "T", 1)
	switch _, err := time.Parse(time.DateOnly, text); {
	case err != nil:
		return text
	case last:
		return text + "T23:59"
	}
	return text + "T00:00"
}
