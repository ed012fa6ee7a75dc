// Package textrecord converts the record of a game to text that people can read and write, and back. The file
// data/record/text.md specifies the text.
//
// A text states what people did, one line per turn, and the engine derives the events from that. The writer reads each
// line back as it writes it. If the line does not give exactly the events of the record, the writer states them in
// JSON. So no record loses anything, whatever the words can express.
package textrecord

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"meldhall/engine/exact"
	"meldhall/engine/ruleset"
	"meldhall/tournament/export"
)

// IsText reports whether data is a record as text rather than as JSON.
func IsText(data []byte) bool {
	data = bytes.TrimLeft(data, " \t\r\n")
	return len(data) > 0 && data[0] != '{'
}

// ToText returns the text for a record in JSON. A record laid out like those that the program writes comes back to the
// byte; another layout comes back as a single export.
func ToText(record []byte) ([]byte, Forms, error) {
	var g export.Game
	if len(record) > MostBytes || bytes.Count(record, []byte{','}) > mostCommas {
		return nil, Forms{}, errors.New("the record is longer than any game's")
	}
	if !utf8.Valid(record) {
		return nil, Forms{}, errors.New("read the record: it is not UTF-8")
	}
	if err := exact.Unmarshal(record, &g); err != nil {
		return nil, Forms{}, fmt.Errorf("read the record: %w", err)
	}
	switch {
	case g.Version != export.Version:
		return nil, Forms{}, fmt.Errorf("read the record: version %d, this program reads %d", g.Version, export.Version)
	case len(g.Events) == 0:
		return nil, Forms{}, errors.New("read the record: it has no events")
	case len(g.Events) > mostEvents || len(g.Results) > mostResults:
		return nil, Forms{}, fmt.Errorf("read the record: it has more than %d events or %d revisions of the result",
			mostEvents, mostResults)
	}
	lines := bytes.IndexByte(record, '\n') < len(record)-1
	if lines {
		lines = bytes.Equal(record, g.Lines())
	}
	if !lines { // the data may have another layout as well
		compact := g.Compact()
		if !bytes.Equal(record, compact) {
			g = export.Game{}
			if err := json.Unmarshal(compact, &g); err != nil {
				return nil, Forms{}, err
			}
		}
	}
	var out bytes.Buffer
	writeTags(&out, g, lines)
	r := newReplay(g)
	forms := r.writeEvents(&out, g.Events)
	r.writeResults(&out, g)
	return out.Bytes(), forms, nil
}

// ToJSON returns the record in JSON for a text. presets are the rules that the text may name instead of stating them. A
// fault in the text is an *Error.
func ToJSON(text []byte, presets map[string]ruleset.Ruleset) ([]byte, error) {
	if len(text) > MostBytes {
		return nil, fmt.Errorf("the text is longer than %d bytes", MostBytes)
	}
	lines := &scanner{rest: strings.TrimPrefix(string(text), "\uFEFF")}
	h := header{presets: presets, game: export.Game{Version: export.Version, Events: []export.Event{},
		Results: []export.Result{}}}
	st, err := h.readTags(lines)
	if err != nil {
		return nil, err
	}
	g := h.game
	r := newReplay(g)
	if st, err = r.readEvents(&g, lines, st); err != nil {
		return nil, err
	}
	if err := r.readResults(&g, lines, st); err != nil {
		return nil, err
	}
	if h.lines {
		return g.Lines(), nil
	}
	return g.Compact(), nil
}

// readEvents reads the lines of events, beginning with st, and returns the statement after them.
func (r *replay) readEvents(g *export.Game, lines *scanner, st statement) (_ statement, err error) {
	for err == nil && st.words != nil && !st.tag {
		var read group
		if read, err = r.read(st); err != nil {
			break
		}
		if len(g.Events)+len(read.rows) > mostEvents {
			return st, st.words[0].fault("expected at most %d events", mostEvents)
		}
		r.accept(read)
		g.Events = append(g.Events, read.rows...)
		st, err = lines.next()
	}
	return st, err
}

// marshal returns the JSON of a value without HTML escapes.
func marshal(v any) []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return nil
	}
	return bytes.TrimSuffix(out.Bytes(), []byte{'\n'})
}
