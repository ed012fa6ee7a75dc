package rosterfile

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
)

// Write writes players as a roster that Parse reads, for spreadsheets too: with a byte order mark, and no cell that a spreadsheet
// would take for a formula.
func Write(w io.Writer, players []PlayerEntry) error {
	if _, err := io.WriteString(w, "\ufeff"); err != nil {
		return err
	}
	out := csv.NewWriter(w)
	out.UseCRLF = true
	out.Write(Columns())
	for _, p := range players {
		cells := make([]string, len(p.Cells()))
		for i, value := range p.Cells() {
			switch v := value.(type) {
			case int:
				cells[i] = strconv.Itoa(v)
			case string:
				cells[i] = GuardCell(v)
			}
		}
		out.Write(cells)
	}
	out.Flush()
	return out.Error()
}

// Cells are what a roster has of a player, column by column: texts and numbers, nil for a number that is not there.
func (e PlayerEntry) Cells() []any {
	cells := []any{e.Name, e.Country, e.Club, nil, e.Email, e.Division, e.Family, nil, e.Mark}
	if e.Rating != nil {
		cells[3] = *e.Rating
	}
	if e.Drawn != 0 {
		cells[7] = e.Drawn
	}
	return cells
}

const formulaStarts = "=+-@\t\r\x00"

// GuardCell puts ' before a text that a spreadsheet would run as a formula (OWASP ASVS 1.2.10).
func GuardCell(text string) string {
	if text != "" && strings.ContainsRune(formulaStarts, rune(text[0])) {
		return "'" + text
	}
	return text
}

// unguardCell takes the guard off again, so that an exported roster comes back as it was.
func unguardCell(cell string) string {
	if len(cell) > 1 && cell[0] == '\'' && strings.ContainsRune(formulaStarts, rune(cell[1])) {
		return cell[1:]
	}
	return cell
}
