package pairing

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// ScriptLine is one seat of a seating file. Player is given as in the file. Line is the line in the file, from 1. Round
// and Stage are 0 if the file has no such column; tables and seats count from 1.
type ScriptLine struct {
	Line, Round, Stage, Table, Seat int
	Player                          string
}

// ScriptProblem is an invalid line of a seating file. Key is the key of a text, Args its arguments.
type ScriptProblem struct {
	Line int
	Key  string
	Args map[string]any
}

// Error returns the key with the line and the arguments, for logs. Package web translates it.
func (p *ScriptProblem) Error() string { return fmt.Sprintf("line %d: %s %v", p.Line, p.Key, p.Args) }

const mostScriptLines = 20_000

// The columns of a seating file. Columns of an exported file that do not concern seats are ignored.
var (
	scriptRead   = []string{"round", "stage", "table", "seat", "number", "player"}
	scriptPassed = []string{"country", "club", "stand_in"}
)

// ParseScript parses a seating file whose columns are separated by commas or semicolons. The file has the columns table
// and seat, a player (start number or name) or number column, round if it holds several rounds, and optionally stage.
// ParseScript returns all lines, or the first problem as a *ScriptProblem.
func ParseScript(r io.Reader) ([]ScriptLine, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	text := strings.TrimPrefix(string(data), "\ufeff")
	first, _, _ := strings.Cut(text, "\n")
	read := csv.NewReader(strings.NewReader(text))
	read.FieldsPerRecord, read.TrimLeadingSpace = -1, true
	if strings.Count(first, ";") > strings.Count(first, ",") {
		read.Comma = ';'
	}
	var at map[string]int
	var lines []ScriptLine
	for {
		record, err := read.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		var quotes *csv.ParseError
		if errors.As(err, &quotes) {
			return nil, &ScriptProblem{quotes.Line, "err_script_quotes", map[string]any{"line": quotes.Line}}
		}
		if err != nil {
			return nil, err
		}
		line, _ := read.FieldPos(0)
		if at == nil {
			if at, err = scriptColumns(record, line); err != nil {
				return nil, err
			}
			continue
		}
		l, err := scriptLine(record, at, line)
		if err != nil {
			return nil, err
		}
		if lines = append(lines, l); len(lines) > mostScriptLines {
			return nil, &ScriptProblem{line, "err_script_long", map[string]any{"line": line, "most": mostScriptLines}}
		}
	}
	if len(lines) == 0 {
		return nil, &ScriptProblem{1, "err_script_empty", map[string]any{"line": 1}}
	}
	return lines, nil
}

func scriptColumns(record []string, line int) (map[string]int, error) {
	at := map[string]int{}
	for i, name := range record {
		name = strings.ToLower(strings.TrimSpace(name))
		if slices.Contains(scriptPassed, name) {
			continue
		}
		if !slices.Contains(scriptRead, name) {
			return nil, &ScriptProblem{line, "err_script_column", map[string]any{"line": line, "column": name}}
		}
		at[name] = i
	}
	if number, ok := at["number"]; ok { // more reliable than a name
		at["player"] = number
		delete(at, "number")
	}
	for _, name := range []string{"table", "seat", "player"} {
		if _, ok := at[name]; !ok {
			return nil, &ScriptProblem{line, "err_script_no_column", map[string]any{"line": line, "column": name}}
		}
	}
	return at, nil
}

func scriptLine(record []string, at map[string]int, line int) (ScriptLine, error) {
	l := ScriptLine{Line: line}
	numbers := map[string]*int{"round": &l.Round, "stage": &l.Stage, "table": &l.Table, "seat": &l.Seat}
	for name, i := range at {
		if i >= len(record) {
			return l, &ScriptProblem{line, "err_script_value",
				map[string]any{"line": line, "column": name, "value": ""}}
		}
		value := strings.TrimSpace(record[i])
		if name == "player" {
			if l.Player = value; value == "" {
				return l, &ScriptProblem{line, "err_script_value",
					map[string]any{"line": line, "column": name, "value": ""}}
			}
			continue
		}
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 || n > mostScriptLines || name == "seat" && n > seats {
			return l, &ScriptProblem{line, "err_script_value",
				map[string]any{"line": line, "column": name, "value": value}}
		}
		*numbers[name] = n
	}
	return l, nil
}
