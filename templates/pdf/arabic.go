package pdf

import (
	"slices"
	"sync"

	"golang.org/x/text/unicode/norm"
)

// Arabic letters have up to four forms, depending on the neighbours they join. Fonts select them through tables that
// PDF text does not use. Unicode also encodes each form as a separate character, in an order that identifies the form;
// these characters are printed.

// forms holds the forms of a letter: isolated, final and, if it joins the next one, initial and medial.
type forms [4]rune

const (
	isolated = iota
	final
	initial
	medial
)

// joining maps each letter that has forms to them, as well as lam with an alef, which forms a single letter.
var joining = sync.OnceValue(func() map[string]forms {
	all := map[string]forms{}
	for _, block := range [][2]rune{{0xFB50, 0xFBB1}, {0xFBD3, 0xFBFF}, {0xFE80, 0xFEFC}} {
		at, before := 0, ""
		for r := block[0]; r <= block[1]; r++ {
			plain := norm.NFKC.String(string(r))
			if at++; plain != before {
				at, before = 0, plain
			}
			if f, known := all[plain]; at < len(f) && (!known || f[at] == 0) && plain != string(r) {
				f[at] = r
				all[plain] = f
			}
		}
	}
	return all
})

// joinsNext reports whether a letter joins the one after it.
func (f forms) joinsNext() bool { return f[initial] != 0 }

// joined replaces each Arabic letter by the form that its neighbours require. The text is in reading order.
func joined(text []rune) []rune {
	if !slices.ContainsFunc(text, func(r rune) bool { return r >= 0x600 && r < 0x700 }) {
		return text
	}
	table := joining()
	var out []rune
	before := false // the previous letter joins this one
	for i := 0; i < len(text); i++ {
		letter := string(text[i])
		if i+1 < len(text) && text[i] == 'ل' {
			if _, ligature := table[letter+string(text[i+1])]; ligature {
				i++
				letter += string(text[i])
			}
		}
		f, known := table[letter]
		if !known {
			before = text[i] == tatweel
			out = append(out, []rune(letter)...)
			continue
		}
		after := f.joinsNext() && i+1 < len(text) && joinsBefore(table, text[i+1])
		out = append(out, f.pick(before && f[final] != 0, after))
		before = f.joinsNext()
	}
	return out
}

const tatweel = 'ـ'

// joinsBefore reports whether a letter can join the one before it.
func joinsBefore(table map[string]forms, r rune) bool {
	return r == tatweel || table[string(r)][final] != 0
}

func (f forms) pick(before, after bool) rune {
	switch {
	case before && after:
		return f[medial]
	case before:
		return f[final]
	case after:
		return f[initial]
	}
	return f[isolated]
}
