package rosterfile

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
)

// Write writes players as a roster that ParseRoster reads, for spreadsheets too: with a byte
// order mark, and no cell that a spreadsheet would take for a formula.
func Write(w io.Writer, players []PlayerEntry) error {
	if _, err := io.WriteString(w, "\ufeff"); err != nil {
		return err
	}
	out := csv.NewWriter(w)
	out.UseCRLF = true
	out.Write(rosterColumns())
	for _, p := range players {
		rating := ""
		if p.Rating != nil {
			rating = strconv.Itoa(*p.Rating)
		}
		out.Write([]string{GuardCell(p.Name), GuardCell(p.Country), GuardCell(p.Club), rating, GuardCell(p.Email), GuardCell(p.Division), GuardCell(p.Family), drawnText(p.Drawn), GuardCell(p.Mark)})
	}
	out.Flush()
	return out.Error()
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

func drawnText(number int) string {
	if number == 0 {
		return ""
	}
	return strconv.Itoa(number)
}
