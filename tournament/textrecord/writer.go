package textrecord

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"meldhall/engine"
	"meldhall/engine/score"
	"meldhall/tournament/export"
)

// Forms counts the events of a record by the form in which the text states them.
type Forms struct {
	Short   int // by a line of words alone
	Members int // by words with members in braces
	Full    int // as in JSON
}

// writeEvents writes the lines of a record's events.
func (r *replay) writeEvents(to *bytes.Buffer, rows []export.Event) (forms Forms) {
	events := make([]engine.Event, len(rows))
	for i, row := range rows {
		if e, err := engine.Decode(row.Kind, row.Version, row.Data); err == nil {
			events[i] = e
		}
	}
	for i := 0; i < len(rows); {
		text, g, ok := r.short(rows[i:], events[i:])
		switch {
		case !ok:
			text = "! " + string(marshal(rows[i]))
			g = group{rows: rows[i : i+1], events: events[i : i+1]}
			forms.Full++
		case g.derived:
			forms.Short += len(g.rows)
		default:
			forms.Members += len(g.rows)
		}
		to.WriteString(text)
		to.WriteString(comment(g))
		to.WriteByte('\n')
		r.accept(g)
		i += len(g.rows)
	}
	return forms
}

// short returns the line in words for the first rows, with the group that the line stands for. ok is false if no such
// line stands for exactly these rows.
func (r *replay) short(rows []export.Event, events []engine.Event) (text string, g group, ok bool) {
	if r.lost || r.unknown || events[0] == nil {
		return "", g, false
	}
	until := slices.Index(events, nil)
	if until < 0 {
		until = len(events)
	}
	words := r.wording(events[0], events[1:until])
	if ready, all := strings.CutSuffix(words, " all"); all {
		if text, g, ok = r.line(rows, words); ok && g.derived {
			return text, g, true
		}
		words = ready + " " + seatText(events[0].(engine.SeatReady).Seat)
	}
	if words == "" {
		return "", g, false
	}
	return r.line(rows, words)
}

// line completes words to a line that stands for the first rows: with the time and, as far as they do not follow, the
// actor, the salts and the members of the data.
func (r *replay) line(rows []export.Event, words string) (text string, g group, ok bool) {
	at, ok := timeText(r.at, rows[0].At, r.seq == 0)
	if !ok {
		return "", g, false
	}
	name, _, _ := strings.Cut(words, " ")
	name, _, _ = strings.Cut(name, "\n")
	prefix := "- "
	if acts[name].turn {
		prefix = itoa(r.state.Turn.Number) + ". " + seatText(r.state.Turn.Seat) + " "
	}
	if at != "" {
		at += " "
	}
	text = prefix + at + words
	if g, ok = r.meaning(text); !ok || g.rows[0].Actor != rows[0].Actor {
		text += " @" + quote(rows[0].Actor)
		g, ok = r.meaning(text)
	}
	if !ok || len(g.rows) > len(rows) {
		return "", g, false
	}
	rows = rows[:len(g.rows)]
	if same(g.rows, rows) {
		return text, g, true
	}
	text += annotations(g.rows, rows)
	g, ok = r.meaning(text)
	return text, g, ok && same(g.rows, rows)
}

// meaning returns the events of a line.
func (r *replay) meaning(text string) (g group, ok bool) {
	lines := scanner{rest: text}
	st, err := lines.next()
	if err != nil || st.tag || lines.rest != "" {
		return g, false
	}
	g, err = r.read(st)
	return g, err == nil
}

// annotations returns the salts and the members that make the derived rows those of the record.
func annotations(derived, rows []export.Event) (text string) {
	var patches []string
	for i, row := range rows {
		if row.Salt != "" {
			text += " #" + row.Salt
		}
		patches = append(patches, members(derived[i].Data, row.Data))
	}
	for len(patches) > 0 && patches[len(patches)-1] == "{}" {
		patches = patches[:len(patches)-1]
	}
	for _, patch := range patches {
		text += " " + patch
	}
	return text
}

// members returns the members of data that differ from derived, with null for those that data lacks.
func members(derived, data []byte) string {
	var from, to, changes = map[string]json.RawMessage{}, map[string]json.RawMessage{}, map[string]json.RawMessage{}
	if json.Unmarshal(derived, &from) != nil || json.Unmarshal(data, &to) != nil {
		return "{}"
	}
	for name, value := range to {
		if !bytes.Equal(from[name], value) {
			changes[name] = value
		}
	}
	for name := range from {
		if _, has := to[name]; !has {
			changes[name] = json.RawMessage("null")
		}
	}
	return string(marshal(changes))
}

// same reports whether derived rows are those of the record, to the byte. A row of the record may have members that
// this package does not know; it then needs a full form.
func same(derived, rows []export.Event) bool {
	return slices.EqualFunc(derived, rows, func(x, y export.Event) bool {
		equal := x.Seq == y.Seq && x.Kind == y.Kind && x.Version == y.Version && x.At == y.At && x.Actor == y.Actor &&
			x.Salt == y.Salt && bytes.Equal(x.Data, y.Data)
		y.Seq, y.Kind, y.Version, y.At, y.Actor, y.Data, y.Salt = 0, "", 0, 0, "", nil, ""
		return equal && reflect.ValueOf(y).IsZero()
	})
}

// comment returns a comment for the end of a game, which no word names: it follows from the last turn.
func comment(g group) string {
	ended, ok := g.events[len(g.events)-1].(engine.GameEnded)
	if !ok {
		return ""
	}
	text := " ; the game ends, " + ended.End.Why
	for seat, points := range ended.End.Outcome.Points {
		text += ", " + seatText(seat) + " " + score.Twelfth(points).Signed()
	}
	return text
}
