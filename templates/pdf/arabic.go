package pdf

import (
	"slices"
	"sync"

	"golang.org/x/text/unicode/norm"
)

// Arabic letters have up to four forms by what they are joined to. Fonts choose them by tables that a PDF's text does not go
// through; Unicode has each form as a letter of its own too, in an order that says which form it is, and these are printed.

// forms are those of a letter: isolated, final, and where it joins the next one initial and medial.
type forms [4]rune

const (
	isolated = iota
	final
	initial
	medial
)

// joining are the forms of all letters that have some, and of lam with an alef, which is one letter.
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

// joinsNext tells whether a letter is joined to the one after it.
func (f forms) joinsNext() bool { return f[initial] != 0 }

// joined writes each Arabic letter in the form that its neighbours ask for. The text is in the order in which it is read.
func joined(text []rune) []rune {
	if !slices.ContainsFunc(text, func(r rune) bool { return r >= 0x600 && r < 0x700 }) {
		return text
	}
	table := joining()
	var out []rune
	before := false // the letter before is joined to this one
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

// joinsBefore tells whether a letter can be joined to the one before it.
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
