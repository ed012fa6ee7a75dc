package rosterfile

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
)

// Write writes players as a roster that Parse and spreadsheets can read: with a byte order mark, and without cells that
// a spreadsheet would run as formulas.
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

// Cells returns the entry's cells, column by column: strings and numbers, nil for a missing number.
func (e PlayerEntry) Cells() []any {
	cells := []any{e.Name, e.Country, e.Club, nil, e.Email, e.Division, e.Family, nil, e.Mark, e.FederationNumber}
	if e.Rating != nil {
		cells[3] = *e.Rating
	}
	if e.Drawn != 0 {
		cells[7] = e.Drawn
	}
	return cells
}

const formulaStarts = "=+-@\t\r\x00"

// GuardCell prefixes ' to a text that a spreadsheet would run as a formula (OWASP ASVS 1.2.10).
func GuardCell(text string) string {
	if text != "" && strings.ContainsRune(formulaStarts, rune(text[0])) {
		return "'" + text
	}
	return text
}

// unguardCell removes the prefix of GuardCell, so that an exported roster can be imported unchanged.
func unguardCell(cell string) string {
	if len(cell) > 1 && cell[0] == '\'' && strings.ContainsRune(formulaStarts, rune(cell[1])) {
		return cell[1:]
	}
	return cell
}
