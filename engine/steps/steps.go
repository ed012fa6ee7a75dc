// Package steps lists the steps by which people rearrange one table of sets into another: which tiles of which set go
// where, in an order that can be followed on the table.
package steps

import (
	"slices"
	"strings"

	"meldhall/engine/tile"
)

// StepKind names what a person does in a step. It selects the text for the step.
type StepKind string

// The kinds of steps. The hand is the rack plus the tiles that were taken off the table and are loose for the moment.
const (
	StepLay    StepKind = "lay"    // tiles from the hand begin a row
	StepExtend StepKind = "extend" // tiles from the hand go to a row
	StepTake   StepKind = "take"   // tiles of a row become loose (To is nil) or go to another row
	StepSplit  StepKind = "split"  // a part of a row becomes a row of its own
	StepJoin   StepKind = "join"   // a whole row, or what is left of one, goes to another row
	StepSwap   StepKind = "swap"   // jokers' own tiles replace them; jokers become loose or go to a row
	StepOrder  StepKind = "order"  // the tiles of one row change places within it
)

// Change is what a step does to one row: the row before and after the step. A new row has no Before, and a used-up row
// has no After.
type Change struct {
	Before tile.FaceList `json:"before,omitempty"`
	After  tile.FaceList `json:"after,omitempty"`
}

// Step is one action of a person's hands. Rows are named by their tiles, so equal rows are interchangeable. Between two
// steps a row need not be a set.
type Step struct {
	Kind  StepKind      `json:"kind"`
	Tiles tile.FaceList `json:"tiles,omitempty"` // the tiles that move; in a swap, those that replace the jokers
	Loose tile.FaceList `json:"loose,omitempty"` // those of Tiles that an earlier step took off the table
	From  *Change       `json:"from,omitempty"`  // the row that Tiles leave; nil: they come from the hand
	To    *Change       `json:"to,omitempty"`    // the row that Tiles go to; nil: they become loose
	Joker *Change       `json:"joker,omitempty"` // in a swap, where the jokers go (may be From); nil: they become loose
}

// Rows returns the rows that the step changes, at most three. The step takes each Before off the table and puts each
// After on it.
func (s Step) Rows() []Change {
	var rows []Change
	for _, c := range []*Change{s.From, s.To, s.Joker} {
		if c != nil && !slices.ContainsFunc(rows, c.equal) {
			rows = append(rows, *c)
		}
	}
	return rows
}

func (c Change) equal(other Change) bool {
	return slices.Equal(c.Before, other.Before) && slices.Equal(c.After, other.After)
}

// String formats the step for logs and terminals: "take R7 (R4 R5 R6 R7 -> R4 R5 R6) to (B7 K7 -> B7 K7 R7)".
func (s Step) String() string {
	var b strings.Builder
	b.WriteString(string(s.Kind))
	if len(s.Tiles) > 0 {
		b.WriteString(" " + rowText(s.Tiles))
	}
	switch len(s.Loose) {
	case 0:
	case len(s.Tiles):
		b.WriteString(", all loose,")
	default:
		b.WriteString(", of them loose " + rowText(s.Loose) + ",")
	}
	if s.From != nil {
		b.WriteString(" from " + s.From.String())
	}
	switch {
	case s.To != nil:
		b.WriteString(" to " + s.To.String())
	default:
		b.WriteString(", loose")
	}
	switch {
	case s.Joker != nil:
		b.WriteString(", joker to " + s.Joker.String())
	case s.Kind == StepSwap:
		b.WriteString(", joker loose")
	}
	return b.String()
}

// String formats the change of the row: "(R4 R5 R6 R7 -> R4 R5 R6)".
func (c Change) String() string {
	switch {
	case len(c.Before) == 0:
		return "(" + rowText(c.After) + ")"
	case len(c.After) == 0:
		return "(" + rowText(c.Before) + " -> nothing)"
	}
	return "(" + rowText(c.Before) + " -> " + rowText(c.After) + ")"
}

func rowText(faces []tile.Face) string {
	words := make([]string, len(faces))
	for i, f := range faces {
		words[i] = f.String()
	}
	return strings.Join(words, " ")
}

// Steps returns the steps that change a table from before to after. Tiles of after that are missing in before come from
// the rack. Copies of a tile are interchangeable, and so are jokers and equal rows.
//
// A row in both tables is not touched, even if touching it would save a step. A tile is put down only where it stays.
// To choose which copies go where, Steps tries all combinations if at most six choices are open. Otherwise it improves
// until no exchange of one choice, or of two with a row in common, helps (400 plans at most); the result is never worse
// than with the copies that are found first. In each plan, the rows that continue are a maximum assignment, so that as
// many rows as possible keep a part in place. The choice of the tiles that go through the hand is the best for those
// rows, if at most eight rows could give such tiles.
//
// There are never more steps than rows that differ, counted in both tables together. In the tests, which search all
// ways on small tables, at least 98 of 100 answers have the fewest steps, and none has more than one step too many.
// Among equally few steps, Steps prefers the order in which most rows are sets between the steps, then the fewest loose
// tiles.
//
// It returns nil if the tables are the same, if a tile of before is missing in after, or if more than 64 rows of either
// table differ.
func Steps(before, after [][]tile.Face) []Step {
	old, now := unmatched(before, after, slices.Equal)
	var turned []Step
	sameTiles := func(a, b []tile.Face) bool {
		same := len(a) == len(b) && tile.CountFaces(a) == tile.CountFaces(b)
		if same {
			turned = append(turned, Step{Kind: StepOrder, To: &Change{Before: a, After: b}})
		}
		return same
	}
	old, now = unmatched(old, now, sameTiles)
	d, ok := newDiff(old, now)
	if !ok {
		return nil
	}
	d.choose()
	return append(d.steps(), turned...)
}

// unmatched pairs each row with one that is the same, and returns the unpaired rows of both tables, without empty rows.
func unmatched(before, after [][]tile.Face, same func(a, b []tile.Face) bool) (old, now [][]tile.Face) {
	now = slices.DeleteFunc(slices.Clone(after), func(row []tile.Face) bool { return len(row) == 0 })
	for _, row := range before {
		at := slices.IndexFunc(now, func(other []tile.Face) bool { return same(row, other) })
		switch {
		case at >= 0:
			now = slices.Delete(now, at, at+1)
		case len(row) > 0:
			old = append(old, row)
		}
	}
	return old, now
}

// steps orders the carries and turns each of them into a step.
func (d *diff) steps() []Step {
	next := make([]int, len(d.old)+len(d.now))
	for at := range next {
		next[at] = none
	}
	for j := range d.now {
		next[d.place(j)] = j
	}
	order := d.order(next)
	for c := range d.carries {
		d.carries[c].done = false
	}
	steps := make([]Step, 0, len(order))
	for _, c := range order {
		steps = append(steps, d.say(c, next))
	}
	return steps
}

// say performs a carry and returns it as a step.
func (d *diff) say(c int, next []int) Step {
	way := &d.carries[c]
	var s Step
	s.Tiles, s.Loose = d.cargo(c)
	places := d.places(*way)
	changes := make([]Change, len(places))
	for n, at := range places {
		changes[n].Before, _ = d.lying(at, next)
	}
	way.done = true
	for n, at := range places {
		changes[n].After, _ = d.lying(at, next)
	}
	if way.from != hand {
		s.From, changes = &changes[0], changes[1:]
	}
	if way.to != hand {
		s.To, changes = &changes[0], changes[1:]
	}
	switch {
	case len(changes) > 0:
		s.Joker = &changes[0]
	case way.swap && way.freed != hand:
		s.Joker = s.From
	}
	s.Kind = kindOf(s, way.swap)
	return s
}

// cargo returns the tiles that a carry moves, and which of them were loose in the hand. For a swap, these are only the
// tiles that replace the jokers.
func (d *diff) cargo(c int) (tiles, loose tile.FaceList) {
	way := d.carries[c]
	if way.to == hand {
		for p, f := range d.old[way.from] {
			if d.up[d.goes[d.base[way.from]+p]] == c {
				tiles = append(tiles, f)
			}
		}
		return tiles, nil
	}
	for k := d.first[way.to]; k < d.first[way.to+1]; k++ {
		if d.down[k] != c {
			continue
		}
		tiles = append(tiles, d.pieces[k].face)
		if way.from == hand && d.up[k] != none {
			loose = append(loose, d.pieces[k].face)
		}
	}
	return tiles, loose
}

func kindOf(s Step, swap bool) StepKind {
	switch {
	case swap:
		return StepSwap
	case s.From == nil && len(s.To.Before) == 0:
		return StepLay
	case s.From == nil:
		return StepExtend
	case s.To == nil:
		return StepTake
	case len(s.To.Before) == 0:
		return StepSplit
	case len(s.From.After) == 0:
		return StepJoin
	}
	return StepTake
}
