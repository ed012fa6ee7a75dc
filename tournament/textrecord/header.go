package textrecord

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"

	"meldhall/engine/exact"
	"meldhall/engine/ruleset"
	"meldhall/tournament/export"
)

// format is the first tag of a text.
const format = `[meldhall "text record 1"]`

// The members of a record that have no tag of their own.
var untagged = []string{"version", "events", "results", "head"}

// writeTags writes a tag for each member of the record but those untagged.
func writeTags(to *bytes.Buffer, g export.Game, lines bool) {
	to.WriteString(format + "\n")
	if lines {
		to.WriteString("[layout \"lines\"]\n")
	}
	for _, name := range memberNames(g) {
		if !slices.Contains(untagged, name) {
			writeTag(to, name, membersOf(g)[name])
		}
	}
}

func writeTag(to *bytes.Buffer, name string, value []byte) {
	to.WriteString("[" + name + " ")
	to.Write(value)
	to.WriteString("]\n")
}

func membersOf(g export.Game) (members map[string]json.RawMessage) {
	g.Events, g.Results = nil, nil
	_ = json.Unmarshal(marshal(g), &members)
	return members
}

// memberNames returns the names of a record's members in their order.
func memberNames(g export.Game) (names []string) {
	g.Events, g.Results = nil, nil
	d := json.NewDecoder(bytes.NewReader(marshal(g)))
	_, _ = d.Token()
	for d.More() {
		name, _ := d.Token()
		var value json.RawMessage
		if text, ok := name.(string); ok && d.Decode(&value) == nil {
			names = append(names, text)
		}
	}
	return names
}

// header is the tags before the first event.
type header struct {
	presets map[string]ruleset.Ruleset
	game    export.Game
	lines   bool
	met     []string
	rules   bool
}

var tagForm = regexp.MustCompile(`^\[([a-z_]+) (.*)\]$`)

// tagOf returns the name of a tag and its value.
func tagOf(st statement) (name, value string, fault *Error) {
	w := st.words[0]
	part := tagForm.FindStringSubmatch(w.text)
	if part == nil {
		return "", "", w.fault("expected a tag such as [game 12]")
	}
	return part[1], part[2], nil
}

func isResult(st statement) bool {
	return strings.HasPrefix(st.words[0].text, "[result ") || strings.HasPrefix(st.words[0].text, "[head ")
}

// read reads a tag.
func (h *header) read(st statement) *Error {
	w := st.words[0]
	name, value, fault := tagOf(st)
	if fault != nil {
		return fault
	}
	if slices.Contains(h.met, name) {
		return w.fault("expected the tag %s once", name)
	}
	at := word{value, w.line, w.col + len(name) + 2}
	switch h.met = append(h.met, name); {
	case len(h.met) == 1 && w.text != format:
		return w.fault("expected %s in the first line", format)
	case name == "meldhall":
		return nil
	case name == "layout":
		if value != `"lines"` {
			return at.fault(`expected "lines"`)
		}
		h.lines = true
		return nil
	case name == "rules" && strings.HasPrefix(value, `"`):
		rules, known := h.presets[strings.Trim(value, `"`)]
		if !known {
			return at.fault("expected the rules as an object, or the name of a preset that this program knows")
		}
		h.game.Rules, h.rules = rules, true
		return nil
	case slices.Contains(untagged, name):
		return w.fault("expected another tag: a text has no %s here", name)
	}
	h.rules = h.rules || name == "rules"
	object := marshal(map[string]json.RawMessage{name: json.RawMessage(value)})
	if !json.Valid([]byte(value)) || len(object) == 0 {
		return at.fault("expected a value as in JSON")
	}
	var wrong *exact.NameError
	switch err := exact.Unmarshal(object, &h.game); {
	case errors.As(err, &wrong) && wrong.Path == "":
		return w.fault("expected a tag that a record has: %s is unknown", name)
	case err != nil:
		return at.fault("%v", err)
	}
	return nil
}

// readTags reads the tags before the first event, and returns the statement of that event.
func (h *header) readTags(lines *scanner) (st statement, err error) {
	for st, err = lines.next(); err == nil && st.tag && !isResult(st); st, err = lines.next() {
		if fault := h.read(st); fault != nil {
			return st, fault
		}
	}
	if err != nil {
		return st, err
	}
	at := st.end
	if st.words != nil {
		at = st.words[0]
	}
	switch {
	case len(h.met) == 0:
		return st, at.fault("expected %s in the first line", format)
	case !h.rules:
		return st, at.fault("expected the tag rules before the first event")
	case h.game.Players == nil:
		return st, at.fault("expected the tag players before the first event")
	case st.words == nil || st.tag:
		return st, at.fault("expected the start of the game")
	}
	return st, nil
}
