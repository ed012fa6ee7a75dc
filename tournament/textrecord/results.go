package textrecord

import (
	"bytes"
	"encoding/json"
	"slices"

	"meldhall/engine/exact"
	"meldhall/engine/tile"
	"meldhall/tournament/export"
)

// writeResults writes the revisions of the result and the head. A revision whose lines are the usual ones states none.
func (r *replay) writeResults(to *bytes.Buffer, g export.Game) {
	usual := r.scored()
	for _, result := range g.Results {
		if bytes.Equal(marshal(result.Lines), marshal(usual)) {
			writeTag(to, "result", withoutLines(result))
		} else {
			writeTag(to, "result", marshal(result))
		}
		usual = result.Lines
	}
	if g.Head != "" {
		writeTag(to, "head", marshal(g.Head))
	}
}

// withoutLines returns the JSON of a result without its last member, the lines.
func withoutLines(result export.Result) []byte {
	data := marshal(result)
	return append(data[:bytes.LastIndex(data, []byte(`,"lines":`))], '}')
}

// scored returns the lines of the first result of a game that has ended, nil for another game.
func (r *replay) scored() (lines []export.ResultLine) {
	s := &r.state
	if s.End == nil || r.lost || r.unknown {
		return nil
	}
	o := s.End.Outcome
	if min(len(o.Points), len(o.Wins), len(o.Charges), len(r.players)) < s.Seats {
		return nil
	}
	for seat := range s.Seats {
		rack := tile.FacesOf(s.Racks[seat])
		slices.Sort(rack)
		tiles := facesList(rack)
		if tiles != "" {
			tiles = tiles[1:]
		}
		lines = append(lines, export.ResultLine{Seat: seat, Player: r.players[seat], Points: o.Points[seat],
			Wins: o.Wins[seat], Charge: o.Charges[seat].Points, Reason: o.Charges[seat].Reason, Tiles: tiles,
			Opened: s.Opened[seat]})
	}
	return lines
}

// readResults reads the tags after the events, beginning with st.
func (r *replay) readResults(g *export.Game, lines *scanner, st statement) (err error) {
	for err == nil && st.words != nil {
		if fault := r.readResult(g, st); fault != nil {
			return fault
		}
		st, err = lines.next()
	}
	return err
}

// readResult reads a revision of the result or the head.
func (r *replay) readResult(g *export.Game, st statement) *Error {
	w := st.words[0]
	if !st.tag || !isResult(st) || g.Head != "" {
		return w.fault("expected the tag result or, at the end, head")
	}
	name, value, fault := tagOf(st)
	if fault != nil {
		return fault
	}
	at := word{value, w.line, w.col + len(name) + 2}
	if name == "head" {
		if json.Unmarshal([]byte(value), &g.Head) != nil || g.Head == "" {
			return at.fault("expected the hash of the last event as a string")
		}
		return nil
	}
	if len(g.Results) == mostResults {
		return w.fault("expected at most %d revisions", mostResults)
	}
	var result export.Result
	if err := exact.Unmarshal([]byte(value), &result); err != nil {
		return at.fault("expected a revision of the result: %v", err)
	}
	var has struct{ Lines json.RawMessage }
	_ = json.Unmarshal([]byte(value), &has)
	if has.Lines == nil {
		if result.Lines = r.scored(); len(g.Results) > 0 {
			result.Lines = g.Results[len(g.Results)-1].Lines
		}
	}
	g.Results = append(g.Results, result)
	return nil
}
