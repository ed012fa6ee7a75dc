package rights

import (
	"slices"
	"strconv"
	"strings"

	"meldhall/tournament/refuse"
	"meldhall/tournament/spelling"
)

// zoneTables is the highest table number in a zone, and zoneText the maximum length of a zone's text in bytes.
const (
	zoneTables = 999
	zoneText   = 500
)

// ParseTables parses tables as people write them: "1-6, 9" is 1 2 3 4 5 6 9. It accepts blanks, semicolons and any kind
// of dash; an empty text means no tables. The error for an invalid text is Invalid.
func ParseTables(text string) ([]int, error) {
	text = strings.ReplaceAll(spelling.Fold(text), ";", ",")
	if len(text) > zoneText {
		return nil, refuse.Invalid("err_zone_tables", "text", text[:20], "most", zoneTables)
	}
	var tables []int
	for part := range strings.SplitSeq(text, ",") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		from, to, isRange := strings.Cut(part, "-")
		first, err := tableNumber(from)
		last := first
		if err == nil && isRange {
			last, err = tableNumber(to)
		}
		if err != nil || last < first {
			return nil, refuse.Invalid("err_zone_tables", "text", part, "most", zoneTables)
		}
		for n := first; n <= last; n++ {
			tables = append(tables, n)
		}
	}
	slices.Sort(tables)
	return slices.Compact(tables), nil
}

func tableNumber(text string) (int, error) {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err == nil && (n < 1 || n > zoneTables) {
		err = strconv.ErrRange
	}
	return n, err
}

// FormatTables formats sorted tables for ParseTables: "1-6, 9".
func FormatTables(tables []int) string {
	var parts []string
	for i := 0; i < len(tables); {
		last := i
		for last+1 < len(tables) && tables[last+1] == tables[last]+1 {
			last++
		}
		part := strconv.Itoa(tables[i])
		switch {
		case last == i+1:
			part += ", " + strconv.Itoa(tables[last])
		case last > i:
			part += "-" + strconv.Itoa(tables[last])
		}
		parts = append(parts, part)
		i = last + 1
	}
	return strings.Join(parts, ", ")
}
