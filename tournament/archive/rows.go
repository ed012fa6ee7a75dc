package archive

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gorm.io/gorm"

	"meldhall/engine/exact"
	"meldhall/engine/ruleset"
	"meldhall/tournament/format"
	"meldhall/tournament/refuse"
)

// rows holds the rows of a part: the values of the written columns, each an int64, string or nil.
type rows [][]any

// read reads a part's rows for a tournament.
func (p part) read(db *gorm.DB, tournamentID int64) (all rows, err error) {
	columns := make([]string, len(p.carry))
	for i, name := range p.carry {
		columns[i] = p.table + "." + name
		if as := p.as[name]; as != "" {
			columns[i] = as
		}
	}
	query := "SELECT " + strings.Join(columns, ", ") + " FROM " + p.table + " WHERE " + p.of
	if p.skip != "" {
		query += " AND NOT (" + p.skip + ")"
	}
	found, err := db.Raw(query+" ORDER BY "+p.by, map[string]any{"event": tournamentID}).Rows()
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", p.table, err)
	}
	defer found.Close()
	for found.Next() {
		row := make([]any, len(p.carry))
		to := make([]any, len(row))
		for i := range row {
			to[i] = &row[i]
		}
		if err := found.Scan(to...); err != nil {
			return nil, fmt.Errorf("read %s: %w", p.table, err)
		}
		for i, v := range row {
			if text, is := v.([]byte); is {
				row[i] = string(text)
			}
		}
		all = append(all, row)
	}
	return all, found.Err()
}

// write writes a row as a JSON object with its columns in order. A text that is already compact JSON is written
// unquoted.
func (p part) write(to *bytes.Buffer, row []any) {
	for i, name := range p.carry {
		to.WriteByte(",{"[b2i(i == 0)])
		fmt.Fprintf(to, "%q:", name)
		if text, is := row[i].(string); is && slices.Contains(keepJSON, name) && isJSON(text) {
			to.WriteString(text)
		} else {
			writeJSON(to, row[i])
		}
	}
	to.WriteByte('}')
}

func b2i(is bool) int {
	if is {
		return 1
	}
	return 0
}

// isJSON reports whether text is a JSON object or list in compact form, so that it survives unchanged.
func isJSON(text string) bool {
	if text == "" || text[0] != '{' && text[0] != '[' {
		return false
	}
	var compact bytes.Buffer
	return json.Compact(&compact, []byte(text)) == nil && compact.String() == text
}

func writeJSON(to *bytes.Buffer, v any) {
	e := json.NewEncoder(to)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // numbers and strings always encode
	}
	to.Truncate(to.Len() - 1) // the newline
}

// parse decodes a row that write wrote in an archive of some version. It rejects missing and unknown columns.
func (p part) parse(data []byte, version int) ([]any, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return nil, p.refused("", err.Error())
	}
	if version < Version {
		p.upgrade(fields)
	}
	row := make([]any, len(p.carry))
	for i, name := range p.carry {
		value, is := fields[name]
		if none, later := laterColumns[p.table+"."+name]; !is && later {
			row[i] = none
			continue
		}
		if !is {
			return nil, p.refused(name, "it is missing")
		}
		delete(fields, name)
		v, err := scalar(value)
		if err == nil && value[0] != '"' && !slices.Contains(keepJSON, name) && isJSON(string(value)) {
			err = errors.New("it is neither a number nor a string")
		}
		if err != nil {
			return nil, p.refused(name, err.Error())
		}
		row[i] = v
	}
	for name := range fields {
		return nil, p.refused(name, "unknown field")
	}
	return row, nil
}

// scalar decodes the value of a column.
func scalar(data json.RawMessage) (any, error) {
	switch data[0] {
	case '{', '[':
		return string(data), nil
	case '"':
		var text string
		return text, json.Unmarshal(data, &text)
	case 'n':
		return nil, nil
	}
	var n int64
	return n, json.Unmarshal(data, &n)
}

// refused returns the error for a part that cannot be read.
func (p part) refused(column, why string) error {
	field := p.table
	if column != "" {
		field += "." + column
	}
	return refuse.Invalid("err_archive_field", "file", p.file, "field", field, "why", why)
}

// writeFile encodes a file of parts: an object with a list per part, one row per line.
func writeFile(of []part, all map[string]rows) []byte {
	var out bytes.Buffer
	for i, p := range of {
		out.WriteString([]string{",\n", "{\n"}[b2i(i == 0)])
		fmt.Fprintf(&out, "%q: [", p.table)
		for j, row := range all[p.table] {
			out.WriteString([]string{",\n", "\n"}[b2i(j == 0)])
			p.write(&out, row)
		}
		out.WriteString("\n]")
	}
	out.WriteString("\n}\n")
	return out.Bytes()
}

// writeLines encodes a file of one part: one row per line.
func writeLines(p part, all rows) []byte {
	var out bytes.Buffer
	for _, row := range all {
		p.write(&out, row)
		out.WriteByte('\n')
	}
	return out.Bytes()
}

// partsOf returns the parts of a file.
func partsOf(file string) (of []part) {
	for _, p := range parts {
		if p.file == file {
			of = append(of, p)
		}
	}
	return of
}

// rows decodes all rows of the archive, by table.
func (a *Archive) rows() (map[string]rows, error) {
	all := map[string]rows{}
	for _, file := range topics {
		of := partsOf(file)
		if len(of) == 0 {
			continue
		}
		lists := map[string][]json.RawMessage{}
		if file == actionsName {
			for line := range bytes.Lines(a.files[file]) {
				lists[of[0].table] = append(lists[of[0].table], line)
			}
		} else if err := json.Unmarshal(a.files[file], &lists); err != nil {
			return nil, refuse.Invalid("err_archive_field", "file", file, "field", "", "why", err.Error())
		}
		for _, p := range of {
			for _, data := range lists[p.table] {
				row, err := p.parse(data, a.Manifest.Version)
				if err != nil {
					return nil, err
				}
				all[p.table] = append(all[p.table], row)
			}
			delete(lists, p.table)
		}
		for name := range lists {
			return nil, refuse.Invalid("err_archive_field", "file", file, "field", name, "why", "unknown field")
		}
	}
	return all, a.checkPlan()
}

// checkPlan rejects a format or rules with fields that this program does not know, which would silently not count.
func (a *Archive) checkPlan() error {
	for name, into := range map[string]any{formatName: new(format.Format), rulesName: new(ruleset.Ruleset)} {
		if err := exact.Unmarshal(a.files[name], into); err != nil {
			return refuse.Invalid("err_archive_field", "file", name, "field", "", "why", err.Error())
		}
	}
	return nil
}
