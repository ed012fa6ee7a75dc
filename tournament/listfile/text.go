package listfile

import (
	"bytes"
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/traditionalchinese"
	xunicode "golang.org/x/text/encoding/unicode"

	"meldhall/tournament/refuse"
	"meldhall/tournament/spelling"
)

// encodings maps names to encodings of CSV files.
var encodings = map[string]encoding.Encoding{
	"UTF-8":        xunicode.UTF8BOM,
	"UTF-16LE":     xunicode.UTF16(xunicode.LittleEndian, xunicode.UseBOM),
	"UTF-16BE":     xunicode.UTF16(xunicode.BigEndian, xunicode.UseBOM),
	"Windows-1250": charmap.Windows1250,
	"Windows-1251": charmap.Windows1251,
	"Windows-1252": charmap.Windows1252,
	"Windows-1253": charmap.Windows1253,
	"Windows-1254": charmap.Windows1254,
	"Windows-1255": charmap.Windows1255,
	"Shift_JIS":    japanese.ShiftJIS,
	"EUC-KR":       korean.EUCKR,
	"Big5":         traditionalchinese.Big5,
}

// Encodings returns the names of the encodings that can be chosen for a CSV file.
func Encodings() []string {
	return []string{"UTF-8", "UTF-16LE", "UTF-16BE", "Windows-1250", "Windows-1251", "Windows-1252", "Windows-1253",
		"Windows-1254", "Windows-1255", "Shift_JIS", "EUC-KR", "Big5"}
}

// guess returns the encoding of a file; certain is false if another one is possible.
func guess(file string) (name string, certain bool) {
	zeros := [2]int{} // at even and odd places
	for i := range min(len(file), 1000) {
		if file[i] == 0 {
			zeros[i%2]++
		}
	}
	switch {
	case strings.HasPrefix(file, "\xff\xfe"):
		return "UTF-16LE", true
	case strings.HasPrefix(file, "\xfe\xff"):
		return "UTF-16BE", true
	case zeros[1] > len(file[:min(len(file), 1000)])/4:
		return "UTF-16LE", false
	case zeros[0] > len(file[:min(len(file), 1000)])/4:
		return "UTF-16BE", false
	case utf8.ValidString(file):
		return "UTF-8", true
	case hebrew(file):
		return "Windows-1255", false
	case central(file):
		return "Windows-1250", false
	}
	return "Windows-1252", false
}

// hebrew reports whether a file in a Windows code page is in Hebrew: its only letters beyond ASCII are those of the
// alphabet, three or more in a row.
func hebrew(file string) bool {
	run, most := 0, 0
	for i := range len(file) {
		switch {
		case file[i] >= 0xe0 && file[i] <= 0xfa:
			run++
		case file[i] >= 0x80:
			return false
		default:
			run = 0
		}
		most = max(most, run)
	}
	return most >= 3
}

// central reports whether a file in a Windows code page is of Central Europe. Most bytes are a letter in both of its
// code pages; whether it is a vowel or a consonant tells which one is meant, as in Hélène and Kučera.
func central(file string) bool {
	n := 0
	beside := func(i int) byte {
		if i < 0 || i >= len(file) || !isLetter(file[i]) {
			return 0
		}
		return file[i]
	}
	say := func(central bool) {
		if n--; central {
			n += 2
		}
	}
	for i := range len(file) {
		before, after := beside(i-1), beside(i+1)
		if file[i] < 0x80 || before == 0 && after == 0 {
			continue
		}
		switch letter := file[i]; {
		case !unicode.IsLetter(charmap.Windows1252.DecodeByte(letter)):
			if unicode.IsLetter(charmap.Windows1250.DecodeByte(letter)) {
				n += 3 // ł ą ż Ł Ą Ż
			}
		case strings.IndexByte("\x8a\x8e\x9a\x9c\x9e\x9f\xf5", letter) >= 0: // Š Ž š ś ž ź ő
			n++
		case strings.IndexByte("\xc6\xc8\xd2\xd8\xe0\xe5\xe6\xe8\xf2\xf8", letter) >= 0: // č or è, ř or ø, ć or æ
			say(isVowel(before) || isVowel(after))
		case letter == '\xec' || letter == '\xf9': // ě or ì, ů or ù
			say(after != 0)
		case letter == '\xf1': // ń or ñ
			say(!isVowel(before) || !isVowel(after))
		case letter == '\xe3': // ă or ã
			say(after != 'o' && after != 'e')
		}
	}
	return n > 0
}

func isVowel(b byte) bool {
	letter := spelling.Search(string(charmap.Windows1250.DecodeByte(b)))
	return letter != "" && strings.Contains("aeiouy", letter)
}

func isLetter(b byte) bool { return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80 }

// readText reads a CSV file.
func (l *List) readText(ctx context.Context, file, encoding string) (g grid, err error) {
	name, certain := guess(file)
	l.Encoding, l.Guessed = cmp.Or(encoding, name), !certain && encoding == ""
	of, known := encodings[l.Encoding]
	if !known {
		return g, refuse.Invalid("err_roster_encoding", "line", 0, "field", "", "encoding", l.Encoding)
	}
	text, err := of.NewDecoder().String(file)
	if err != nil {
		return g, refuse.Invalid("err_roster_encoding", "line", 0, "field", "", "encoding", l.Encoding)
	}
	text = strings.ToValidUTF8(strings.TrimPrefix(text, "\ufeff"), "\ufffd")
	if !strings.Contains(text, "\n") {
		text = strings.ReplaceAll(text, "\r", "\n") // as old programs for the Mac write
	}
	g.csv = true
	comma, rest := separatorOf(text)
	g.rows, err = rowsOf(ctx, rest, comma, strings.Count(text[:len(text)-len(rest)], "\n"))
	return g, err
}

// rowsOf splits a text into rows; before is the number of lines above it. A row may span lines within quotation marks.
func rowsOf(ctx context.Context, text string, comma rune, before int) (rows []gridRow, err error) {
	const spanned = 10 // lines of a row at most
	cells := 0
	for line := before + 1; text != ""; line++ {
		if line%1000 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		one, rest, _ := strings.Cut(text, "\n")
		if one = strings.TrimSuffix(one, "\r"); strings.TrimSpace(one) == "" {
			text = rest
			continue
		}
		row := gridRow{Row: Row{Line: line}}
		if strings.Count(one, string(comma)) > lastColumn {
			return nil, refuse.Invalid("err_roster_cells", "line", 0, "field", "", "most", cellsMost)
		}
		more, after, closed := one, rest, false
		row.Cells, closed = split(one, comma)
		for n := 1; !closed && n < spanned && after != ""; n++ {
			next, left, _ := strings.Cut(after, "\n")
			more, after = more+"\n"+strings.TrimSuffix(next, "\r"), left
			var all []string
			if all, closed = split(more, comma); closed {
				row.Cells, rest = all, after
				line += n
			}
		}
		if text, row.Broken = rest, !closed; row.Broken {
			row.Cells = []string{one}
		}
		for n := len(row.Cells); n > columnsMost && strings.TrimSpace(row.Cells[n-1]) == ""; n-- {
			row.Cells = row.Cells[:n-1] // a spreadsheet may save all its columns
		}
		if cells += len(row.Cells); cells > cellsMost {
			return nil, refuse.Invalid("err_roster_cells", "line", 0, "field", "", "most", cellsMost)
		}
		if slices.ContainsFunc(row.Cells, func(cell string) bool { return strings.TrimSpace(cell) != "" }) {
			rows = append(rows, row)
		}
		if len(rows) > rowsMost {
			return nil, refuse.Invalid("err_roster_too_many", "line", line, "field", "", "most", rowsMost)
		}
	}
	return rows, nil
}

// split splits a line into cells. A cell may be in quotation marks, which are doubled within; closed is false if they
// do not end. Marks elsewhere are part of the text, as in a nickname.
func split(line string, comma rune) (cells []string, closed bool) {
	end := string(comma)
	for {
		text := line
		if comma != '\t' {
			text = strings.TrimLeft(line, " ")
		}
		if !strings.HasPrefix(text, `"`) {
			cell, rest, more := strings.Cut(line, end)
			if cells = append(cells, cell); !more {
				return cells, true
			}
			line = rest
			continue
		}
		var cell strings.Builder
		text = text[1:]
		for {
			part, rest, found := strings.Cut(text, `"`)
			cell.WriteString(part)
			if !found {
				return append(cells, cell.String()), false
			}
			after := strings.TrimLeft(rest, " ")
			if rest != "" && rest[0] == '"' {
				cell.WriteByte('"')
				text = rest[1:]
				continue
			}
			if after == "" {
				return append(cells, cell.String()), true
			}
			if strings.HasPrefix(after, end) {
				cells, line = append(cells, cell.String()), after[len(end):]
				break
			}
			cell.WriteByte('"')
			text = rest
		}
	}
}

// lookedAt is how much of a line is looked at to find the separator, in bytes.
const lookedAt = 4 << 10

// separators are the characters that may separate cells.
const separators = ",;\t|"

// aName matches a name with the family name first, as in Rossi, Mario.
var aName = regexp.MustCompile(`^[^,;\t|]+, [^,;\t|]+$`)

// separatorOf returns what separates the cells of a text, and the text below a line that states it, as in sep=;. It is
// the character that splits most of the first lines into the same number of cells. A list in one column has none.
func separatorOf(text string) (comma rune, rest string) {
	first, below, _ := strings.Cut(text, "\n")
	first = strings.Trim(strings.TrimSpace(first), `"`)
	if low := strings.ToLower(first); strings.HasPrefix(low, "sep=") && len(first) > 4 {
		r, _ := utf8.DecodeRuneInString(first[4:])
		return r, below
	} else if low == "sep=" { // the separator is a tab, which was trimmed
		return '\t', below
	}
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line[:min(len(line), lookedAt)]); line != "" {
			lines = append(lines, line)
		}
		if len(lines) == headerMost {
			break
		}
	}
	best, most := rune(0), 0
	for _, c := range separators {
		known, same := 0, map[int]int{}
		for _, line := range lines {
			cells, _ := split(line, c)
			n := 0
			for _, cell := range cells {
				if len(headerFields()[headerKey(cell)]) > 0 {
					n++
				}
			}
			if n > 1 || n == 1 && len(cells) > 1 {
				known = max(known, n)
			}
			if len(cells) > 1 && (c != ',' || !aName.MatchString(line)) {
				same[len(cells)]++
			}
		}
		score := known * 1000
		for _, n := range same {
			score = max(score, known*1000+n)
		}
		if score > most && (known > 0 || score*2 >= len(lines)) {
			best, most = c, score
		}
	}
	if len(lines) > 0 && !slices.ContainsFunc([]rune(separators), func(c rune) bool {
		return strings.ContainsRune(lines[0], c)
	}) && len(headerFields()[headerKey(lines[0])]) > 0 {
		best = 0 // a header of one column
	}
	if best == 0 {
		return '\x1f', text
	}
	return best, text
}

// IsText reports whether a file is a text in UTF-8, which a form can send back as it is.
func IsText(file string) bool {
	return utf8.ValidString(file) && !isBook(file) && bytes.IndexByte([]byte(file), 0) < 0
}
