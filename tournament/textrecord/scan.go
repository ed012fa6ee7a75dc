package textrecord

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Limits that keep the memory for a hostile record small. No real game comes near them.
const (
	MostBytes   = 32 << 20 // of a record, in either form
	mostLine    = 1 << 20  // bytes of a line with its continuations
	mostEvents  = 20_000
	mostCommas  = 25 * mostEvents // in JSON, where each event has about 20
	mostResults = 1000
)

// Error is a fault in a text. Line and Column count from 1, the column in characters.
type Error struct {
	Line, Column int
	Problem      string
}

// Error returns the place and the problem.
func (e *Error) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Problem)
}

// word is a word of a line with its place.
type word struct {
	text      string
	line, col int
}

func (w word) fault(format string, args ...any) *Error {
	return &Error{w.line, w.col, fmt.Sprintf(format, args...)}
}

// statement is a line with its continuations. A tag's statement has one word: the whole line.
type statement struct {
	words []word
	tag   bool
	end   word // the place after the last word
	size  int
}

// scanner splits a text into statements. It skips empty lines and comments.
type scanner struct {
	rest string
	line int // lines read
}

// next returns the next statement. It has no words at the end of the text.
func (s *scanner) next() (st statement, err error) {
	for s.rest != "" {
		line, rest, _ := strings.Cut(s.rest, "\n")
		line = strings.TrimSuffix(line, "\r")
		blank := strings.TrimLeft(line, " \t")
		empty, continues := blank == "" || blank[0] == ';', len(blank) < len(line)
		if st.words != nil && !empty && (st.tag || !continues) {
			break
		}
		s.rest, s.line = rest, s.line+1
		if !utf8.ValidString(line) {
			return st, faultyByte(line, s.line)
		}
		if empty {
			continue
		}
		if continues && st.words == nil {
			at := word{line: s.line, col: len(line) - len(blank) + 1}
			return st, at.fault("expected a line that begins in column 1: there is no line to continue")
		}
		words, end, err := split(line, s.line)
		if err != nil {
			return st, err
		}
		st.tag = line[0] == '['
		st.words, st.end, st.size = append(st.words, words...), end, st.size+len(line)
		if st.size > mostLine {
			return st, words[0].fault("expected a line of at most %d bytes with its continuations", mostLine)
		}
	}
	if st.words == nil {
		st.end = word{line: s.line + 1, col: 1}
	}
	return st, nil
}

// faultyByte returns an error at the first byte of a line that is not UTF-8.
func faultyByte(line string, n int) *Error {
	col := 1
	for at, r := range line {
		if r == utf8.RuneError && !strings.HasPrefix(line[at:], "\uFFFD") {
			break
		}
		col++
	}
	return word{line: n, col: col}.fault("expected UTF-8")
}

// split splits a line into words. A word ends at a space or a bar, but a string and an object are never split. A
// semicolon at the start of a word begins a comment.
func split(line string, n int) (words []word, end word, err error) {
	if len(line) > mostLine {
		return nil, end, word{line: n, col: 1}.fault("expected a line of at most %d bytes", mostLine)
	}
	col, counted := 1, 0
	place := func(at int) word {
		col += utf8.RuneCountInString(line[counted:at])
		counted = at
		return word{line: n, col: col}
	}
	if strings.HasPrefix(line, "[") { // a tag: its value may hold anything
		return []word{{strings.TrimRight(line, " \t"), n, 1}}, word{line: n, col: utf8.RuneCountInString(line) + 1}, nil
	}
	for i := 0; i < len(line); {
		switch c := line[i]; {
		case c == ' ' || c == '\t':
			i++
		case c == ';':
			return words, place(i), nil
		default:
			w := place(i)
			length, unclosed := wordLength(line[i:])
			if unclosed != "" {
				return nil, end, w.fault("expected a closing %s in this line", unclosed)
			}
			w.text = line[i : i+length]
			words, i = append(words, w), i+length
		}
	}
	return words, place(len(line)), nil
}

// wordLength returns the length of the word at the start of a text. unclosed is the character that is missing at the
// end of a string or an object.
func wordLength(text string) (length int, unclosed string) {
	if text[0] == '|' {
		return 1, ""
	}
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{':
			depth++
		case c == '}' && depth > 0:
			depth--
		case depth == 0 && (c == ' ' || c == '\t' || c == '|'):
			return i, ""
		}
	}
	switch {
	case quoted:
		return 0, `"`
	case depth > 0:
		return 0, "}"
	}
	return len(text), ""
}
