package pdf

import (
	"slices"

	"golang.org/x/text/unicode/bidi"
)

// Unicode controls for isolated text and for text direction.
const (
	lri, rli, fsi, pdi = '\u2066', '\u2067', '\u2068', '\u2069'
	lrm, rlm           = "\u200E", "\u200F"
)

func invisible(r rune) bool { return r >= lri && r <= pdi }

// run is a part of a line in one face, in drawing order from left to right.
type run struct {
	face *face
	text string
}

// visual puts a line into drawing order, from left to right. The content of each isolate is ordered separately.
func visual(text []rune, rtl bool) []rune {
	if !rtl && !slices.ContainsFunc(text, turned) {
		return slices.DeleteFunc(slices.Clone(text), invisible)
	}
	var plain []rune // contains one mark per isolate
	var inner [][]rune
	for i := 0; i < len(text); i++ {
		switch r := text[i]; {
		case r == pdi:
		case r < lri || r > fsi:
			plain = append(plain, r)
		default:
			end := closing(text, i)
			own := text[i+1 : end]
			inner = append(inner, visual(own, r == rli || r == fsi && StartsRTL(string(own))))
			plain = append(plain, object)
			i = end
		}
	}
	left := backwards(plain, rtl)
	which := map[int][]rune{}
	for i, r := range plain {
		if r == object && len(inner) > 0 {
			which[i], inner = inner[0], inner[1:]
		}
	}
	var out []rune
	for _, i := range order(left, plain, rtl) {
		switch own, is := which[i]; {
		case is:
			out = append(out, own...)
		case left[i]:
			out = append(out, []rune(bidi.ReverseString(string(plain[i])))...) // brackets are mirrored
		default:
			out = append(out, plain[i])
		}
	}
	return out
}

// turned reports whether a character may read from right to left, or may affect the direction of its neighbours.
func turned(r rune) bool { return r >= 0x590 && r < 0x1E00 || r == rli || r >= 0xFB1D && r < 0xFF00 }

// object stands for an isolate in the surrounding text; it has no direction of its own.
const object = '\uFFFC'

// backwards reports for each letter whether it reads from right to left.
func backwards(text []rune, rtl bool) []bool {
	left := make([]bool, len(text))
	if len(text) == 0 {
		return left
	}
	var p bidi.Paragraph
	mark, base := lrm, bidi.LeftToRight // the option alone does not force the base direction; a mark does
	if rtl {
		mark, base = rlm, bidi.RightToLeft
	}
	p.SetString(mark+string(text), bidi.DefaultDirection(base))
	ordering, err := p.Order()
	if err != nil {
		return left
	}
	for i := range ordering.NumRuns() {
		run := ordering.Run(i)
		from, to := run.Pos()
		for at := max(from, 1); at <= to && at <= len(text); at++ {
			left[at-1] = run.Direction() == bidi.RightToLeft
		}
	}
	return left
}

// order returns the order in which the letters of a line are drawn. In a left-to-right line, right-to-left parts are
// ordered separately, including the numbers in them.
func order(left []bool, text []rune, rtl bool) (at []int) {
	if rtl {
		return island(left, 0, len(text))
	}
	for i := 0; i < len(text); {
		if !left[i] {
			at = append(at, i)
			i++
			continue
		}
		end := i
		for end < len(text) && left[end] {
			for end < len(text) && left[end] {
				end++
			}
			end = afterNumber(text, end)
		}
		at = append(at, island(left, i, end)...)
		i = end
	}
	return at
}

// island returns the order of a part of a line that reads from right to left as a whole.
func island(left []bool, from, to int) (at []int) {
	for end := to; end > from; {
		start := end - 1
		for start > from && left[start-1] == left[end-1] {
			start--
		}
		for i := start; i < end; i++ {
			if left[end-1] {
				at = append(at, end-1-(i-start))
			} else {
				at = append(at, i)
			}
		}
		end = start
	}
	return at
}

// afterNumber returns the end of the number that begins at a position, including its separators and signs, or the
// position itself if there is no number.
func afterNumber(text []rune, at int) int {
	end := at
	for i := at; i < len(text); i++ {
		switch class(text[i]) {
		case bidi.EN, bidi.AN:
			end = i + 1
		case bidi.ES, bidi.CS, bidi.ET, bidi.NSM:
		default:
			return end
		}
	}
	return end
}

// closing returns the end of the isolate that begins at a position.
func closing(runes []rune, from int) int {
	depth := 0
	for i := from; i < len(runes); i++ {
		switch runes[i] {
		case lri, rli, fsi:
			depth++
		case pdi:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(runes)
}

// StartsRTL reports whether the first letter with a direction reads from right to left.
func StartsRTL(text string) bool {
	for _, r := range text {
		switch class(r) {
		case bidi.L:
			return false
		case bidi.R, bidi.AL:
			return true
		}
	}
	return false
}

func class(r rune) bidi.Class {
	p, _ := bidi.LookupRune(r)
	return p.Class()
}

// runs splits a printable line into its runs in some faces, in drawing order.
func runs(text string, rtl bool, among []*face) (line []run) {
	var current *face
	var letters []rune
	flush := func() {
		if len(letters) > 0 {
			line = append(line, run{current, string(letters)})
		}
		letters = nil
	}
	for _, r := range visual(joined([]rune(text)), rtl) {
		next, r := shown(among, r)
		if r == ' ' && current != nil && current.has(r) {
			next = current
		}
		if next != current {
			flush()
			current = next
		}
		letters = append(letters, r)
	}
	flush()
	return line
}

// Piece is a part of a line in one face, in drawing order, for use without a PDF.
type Piece struct {
	Font string // name of the face, for Font
	// Thicken reports that the face has no bold variant, so the outlines must be drawn over.
	Thicken bool
	Text    string
}

// Line returns a line in drawing order, from left to right. With rtl, the line reads from right to left.
func Line(text string, rtl, bold bool) (line []Piece) {
	for _, r := range runs(printable(text), rtl, faces().of(bold)) {
		line = append(line, Piece{Font: r.face.name, Thicken: r.face.thicken, Text: r.text})
	}
	return line
}

// shown returns the face that has a letter, or the square if no face has it.
func shown(among []*face, r rune) (*face, rune) {
	if f := faceOf(among, r); f != nil {
		return f, r
	}
	return faceOf(among, square), square
}

// measure returns the width of a printable text on one line, in thousandths of its size.
func measure(text string, among []*face) (sum int) {
	for _, r := range joined([]rune(text)) {
		if !invisible(r) {
			f, r := shown(among, r)
			sum += int(f.widths[r])
		}
	}
	return sum
}

// width returns the width of a line, in thousandths of its size.
func width(line []run) (sum int) {
	for _, part := range line {
		for _, r := range part.text {
			sum += int(part.face.widths[r])
		}
	}
	return sum
}
