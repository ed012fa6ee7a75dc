package export

import (
	"bytes"
	"encoding/json"
)

// Compact returns the game as a single export contains it: on one line.
func (g Game) Compact() []byte {
	var out bytes.Buffer
	writeJSON(&out, g)
	return append(out.Bytes(), '\n')
}

// Lines returns the game as an archive contains it: as in a single export, but with each event and each revision of the
// result on its own line.
func (g Game) Lines() []byte {
	var out bytes.Buffer
	events, results := g.Events, g.Results
	g.Events, g.Results = []Event{}, []Result{}
	writeJSON(&out, g)
	out.Truncate(bytes.LastIndex(out.Bytes(), []byte(`"events":[],"results":[]`)))
	out.WriteString("\n\"events\":[")
	writeList(&out, events)
	out.WriteString("],\n\"results\":[")
	writeList(&out, results)
	out.WriteString("]")
	if g.Head != "" {
		out.WriteString(",\n\"head\":")
		writeJSON(&out, g.Head)
	}
	return append(out.Bytes(), "}\n"...)
}

func writeList[T any](to *bytes.Buffer, list []T) {
	for i, one := range list {
		if i > 0 {
			to.WriteByte(',')
		}
		to.WriteByte('\n')
		writeJSON(to, one)
	}
	to.WriteByte('\n')
}

// writeJSON writes a value without HTML escapes, because the hashes cover the stored data.
func writeJSON(to *bytes.Buffer, v any) {
	e := json.NewEncoder(to)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // numbers and strings always encode
	}
	to.Truncate(to.Len() - 1) // the newline
}
