package pagetest

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"meldhall/engine/tile"
)

// listener follows a turn on a table of their own by the English words alone.
type listener struct {
	sets  []*heardSet
	laid  map[tile.Face]int // tiles that were named as laid from the rack
	freed map[*heardSet]int // jokers of a set that a tile has replaced
}

// heardSet is a set as it was before the turn, and its present tiles. A part of a split run has a name and a parent.
type heardSet struct {
	was    []tile.Face
	lies   []heardTile
	name   string
	parent *heardSet
}

// heardTile is a tile with its number. A joker in a run has the number that it stands for, and in a group 0.
type heardTile struct {
	face tile.Face
	at   int
}

func newHeardSet(row []tile.Face) *heardSet {
	set := &heardSet{was: row}
	run, ok := tile.AsRun(row)
	for i, f := range row {
		t := heardTile{f, f.Number()}
		if ok {
			t.at = run.First().Number() + i
		}
		set.lies = append(set.lies, t)
	}
	return set
}

// take removes a tile, if it is there.
func (s *heardSet) take(f tile.Face) bool {
	at := slices.IndexFunc(s.lies, func(t heardTile) bool { return t.face == f })
	if at >= 0 {
		s.lies = slices.Delete(s.lies, at, at+1)
	}
	return at >= 0
}

// key describes the tiles in an order that does not depend on how they lie in a group. If a run has a gap because the
// listener cannot know which of two jokers left it, the other one fills the gap.
func (s *heardSet) key() string {
	slices.SortFunc(s.lies, func(a, b heardTile) int { return a.at - b.at })
	for i := range s.lies[1:] {
		if a, b := s.lies[i], s.lies[i+1]; a.at > 0 && b.at > a.at+1 {
			if at := slices.IndexFunc(s.lies, func(t heardTile) bool { return t.face.IsJoker() }); at >= 0 {
				s.lies[at].at = a.at + 1
			}
			break
		}
	}
	slices.SortFunc(s.lies, func(a, b heardTile) int { return cmp.Or(a.at-b.at, int(a.face)-int(b.face)) })
	return fmt.Sprint(s.lies)
}

var (
	tileHeard = regexp.MustCompile(`^(black|red|blue|orange) (\d+)$`)
	runHeard  = regexp.MustCompile(`^(black|red|blue|orange) (\d+)–(\d+)$`)
	groupName = regexp.MustCompile(`^group of (\d+)$`)
	colours   = []string{"black", "red", "blue", "orange"}
)

// tilesHeard parses tiles: "red 6", "red 6, joker as red 7", "red 6–9", "red 3, joker, 5".
func tilesHeard(text string) (tiles []heardTile, err error) {
	colour := ""
	for _, word := range strings.Split(text, ", ") {
		if run := runHeard.FindStringSubmatch(word); run != nil {
			first, _ := strconv.Atoi(run[2])
			last, _ := strconv.Atoi(run[3])
			for n := first; n <= last; n++ {
				tiles = append(tiles, heardTile{faceHeard(run[1], n), n})
			}
			continue
		}
		joker, is := strings.CutPrefix(word, "joker as ")
		one := tileHeard.FindStringSubmatch(strings.TrimSpace(joker))
		n, notNumber := strconv.Atoi(word)
		switch {
		case word == "joker":
			tiles = append(tiles, heardTile{tile.Joker, 0})
		case one != nil:
			n, _ := strconv.Atoi(one[2])
			t := heardTile{faceHeard(one[1], n), n}
			if is {
				t = heardTile{tile.Joker, n}
			}
			tiles, colour = append(tiles, t), one[1]
		case notNumber == nil && colour != "":
			tiles = append(tiles, heardTile{faceHeard(colour, n), n})
		default:
			return nil, fmt.Errorf("no tiles: %q", text)
		}
	}
	return tiles, nil
}

func faceHeard(colour string, n int) tile.Face {
	return tile.NewFace(tile.Colour(slices.Index(colours, colour)), n)
}

// find returns the set with a name. A run without jokers comes before one with jokers.
func (l *listener) find(name string) (*heardSet, error) {
	var plain, jokers []*heardSet
	for _, s := range l.sets {
		switch {
		case s.name != name && !called(s.was, name):
		case slices.Contains(s.was, tile.Joker):
			jokers = append(jokers, s)
		default:
			plain = append(plain, s)
		}
	}
	switch {
	case len(plain) == 1 && (len(jokers) == 0 || runHeard.MatchString(name)):
		return plain[0], nil
	case len(plain) == 0 && len(jokers) == 1:
		return jokers[0], nil
	}
	return nil, fmt.Errorf("%d sets are called %q", len(plain)+len(jokers), name)
}

// called reports whether a set of the table before the turn may be called by a name.
func called(row []tile.Face, name string) bool {
	if run := runHeard.FindStringSubmatch(name); run != nil {
		reading, ok := tile.AsRun(row)
		return ok && colours[reading.First().Colour()] == run[1] && strconv.Itoa(reading.First().Number()) == run[2] &&
			strconv.Itoa(reading.First().Number()+len(row)-1) == run[3]
	}
	if group := groupName.FindStringSubmatch(name); group != nil {
		reading, ok := tile.AsGroup(row)
		return ok && strconv.Itoa(reading.Value/len(row)) == group[1]
	}
	tiles, err := tilesHeard(name)
	return err == nil && slices.EqualFunc(row, tiles, func(f tile.Face, t heardTile) bool { return f == t.face })
}

// form is one form of a change, and what a listener does.
type form struct {
	*regexp.Regexp
	do func(l *listener, parts []string) error
}

var forms = []form{
	{regexp.MustCompile(`^new run: (\S+) (\d+) to \S+ (\d+)(?:, (joker.*))?$`), (*listener).newRun},
	{regexp.MustCompile(`^new group of (\d+): (.*)$`), (*listener).newGroup},
	{regexp.MustCompile(`^took (.*) from (.*)$`), (*listener).took},
	{regexp.MustCompile(`^(.*) split into (.*)$`), (*listener).split},
	{regexp.MustCompile(`^(.*) joined to (.*)$`), (*listener).join},
	{regexp.MustCompile(`^joker in (.*) now as \S+ (\d+)$`), (*listener).jokerNow},
	{regexp.MustCompile(`^(.*) from (.*) for the joker in (.*)$`), (*listener).swap},
	{regexp.MustCompile(`^(.*)() for the joker in (.*)$`), (*listener).swap},
	{regexp.MustCompile(`^(.*) added$`), (*listener).added},
	{regexp.MustCompile(`^(.*) from (.*) to (.*)$`), (*listener).move},
	{regexp.MustCompile(`^(.*)() to (.*)$`), (*listener).move},
}

func (l *listener) hear(text string) error {
	for change := range strings.SplitSeq(text, "; ") {
		i := slices.IndexFunc(forms, func(f form) bool { return f.MatchString(change) })
		if i < 0 {
			return fmt.Errorf("cannot follow %q", change)
		}
		if err := forms[i].do(l, forms[i].FindStringSubmatch(change)[1:]); err != nil {
			return fmt.Errorf("%s: %w", change, err)
		}
	}
	return nil
}

func (l *listener) newRun(p []string) error {
	first, _ := strconv.Atoi(p[1])
	last, _ := strconv.Atoi(p[2])
	jokers, err := tilesHeard(p[3])
	if p[3] == "" {
		jokers, err = nil, nil
	}
	var set heardSet
	for n := first; n <= last; n++ {
		t := heardTile{faceHeard(p[0], n), n}
		if slices.Contains(jokers, heardTile{tile.Joker, n}) {
			t.face = tile.Joker
		}
		set.lies = append(set.lies, t)
		l.laid[t.face]++
	}
	l.sets = append(l.sets, &set)
	return err
}

func (l *listener) newGroup(p []string) error {
	n, _ := strconv.Atoi(p[0])
	var set heardSet
	for _, colour := range strings.Split(p[1], ", ") {
		t := heardTile{tile.Joker, 0}
		if colour != "joker" {
			t = heardTile{faceHeard(colour, n), n}
		}
		set.lies = append(set.lies, t)
		l.laid[t.face]++
	}
	l.sets = append(l.sets, &set)
	return nil
}

// from takes tiles from a set, or from the rack if it has no name.
func (l *listener) from(tiles []heardTile, name string) error {
	for _, t := range tiles {
		if name == "" {
			l.laid[t.face]++
			continue
		}
		set, err := l.find(name)
		switch {
		case err != nil:
			return err
		case t.face.IsJoker() && l.freed[set] > 0:
			l.freed[set]--
		case !set.take(t.face) && !l.takeFromParts(set, t.face):
			return fmt.Errorf("no %v lies there", t.face)
		}
	}
	return nil
}

// takeFromParts takes a tile from a part of a run that was split, which another tile fills.
func (l *listener) takeFromParts(old *heardSet, f tile.Face) bool {
	return slices.ContainsFunc(l.sets, func(s *heardSet) bool { return s.parent == old && s.take(f) })
}

// took says that tiles of the new set before came from another set.
func (l *listener) took(p []string) error {
	tiles, err := tilesHeard(p[0])
	for _, t := range tiles {
		l.laid[t.face]--
	}
	return cmp.Or(err, l.from(tiles, p[1]))
}

func (l *listener) move(p []string) error {
	tiles, err := tilesHeard(p[0])
	if err != nil {
		return err
	}
	to, err := l.find(p[2])
	if err != nil {
		return err
	}
	to.lies = append(to.lies, tiles...)
	return l.from(tiles, p[1])
}

func (l *listener) join(p []string) error {
	from, err := l.find(p[0])
	if err != nil {
		return err
	}
	to, err := l.find(p[1])
	if err != nil {
		return err
	}
	to.lies, from.lies = append(to.lies, from.lies...), nil
	return nil
}

// split makes parts of a run. A part that lacks a tile gets it later.
func (l *listener) split(p []string) error {
	old, err := l.find(p[0])
	if err != nil {
		return err
	}
	for _, name := range strings.Split(p[1], ", ") {
		tiles, err := tilesHeard(name)
		if err != nil {
			return err
		}
		part := &heardSet{name: name, parent: old}
		for _, t := range tiles {
			if at := slices.IndexFunc(old.lies, func(o heardTile) bool { return o.at == t.at }); at >= 0 {
				part.lies = append(part.lies, old.lies[at])
				old.lies = slices.Delete(old.lies, at, at+1)
			}
		}
		l.sets = append(l.sets, part)
	}
	return nil
}

// added lays tiles into parts, into a gap if there is one.
func (l *listener) added(p []string) error {
	tiles, err := tilesHeard(p[0])
	for _, t := range tiles {
		var to *heardSet
		for _, set := range l.sets {
			run, _ := tilesHeard(set.name)
			if set.parent == nil || t.at < run[0].at || t.at > run[len(run)-1].at ||
				!t.face.IsJoker() && run[0].face.Colour() != t.face.Colour() {
				continue
			}
			gap := !slices.ContainsFunc(set.lies, func(o heardTile) bool { return o.at == t.at })
			if to == nil || gap {
				to = set
			}
		}
		if to == nil {
			return fmt.Errorf("no part for %v", t)
		}
		to.lies = append(to.lies, t)
		l.laid[t.face]++
	}
	return err
}

// swap lays a tile in place of a joker, which may already have been taken.
func (l *listener) swap(p []string) error {
	tiles, err := tilesHeard(p[0])
	if err != nil {
		return err
	}
	set, err := l.find(p[2])
	if err != nil {
		return err
	}
	if !slices.Contains(set.was, tile.Joker) {
		return errors.New("no joker lay there")
	}
	at := slices.IndexFunc(set.lies, func(o heardTile) bool {
		return o.face.IsJoker() && (o.at == 0 || o.at == tiles[0].at)
	})
	if at >= 0 {
		set.lies = slices.Delete(set.lies, at, at+1)
		l.freed[set]++
	}
	set.lies = append(set.lies, tiles[0])
	return l.from(tiles, p[1])
}

// jokerNow moves a joker within its set.
func (l *listener) jokerNow(p []string) error {
	set, err := l.find(p[0])
	if err != nil {
		return err
	}
	n, _ := strconv.Atoi(p[1])
	joker := []heardTile{{tile.Joker, n}}
	set.lies = append(joker, set.lies...) // behind it lies the one that moves
	if l.freed[set] > 0 {
		l.freed[set]--
		return nil
	}
	at := slices.IndexFunc(set.lies[1:], func(o heardTile) bool { return o.face.IsJoker() })
	if at < 0 {
		return errors.New("no joker lies there")
	}
	set.lies = slices.Delete(set.lies, at+1, at+2)
	return nil
}

// follow checks that a listener who hears the changes knows the table after them, and what came from the rack.
func follow(text string, before, after [][]tile.Face) error {
	l := listener{laid: map[tile.Face]int{}, freed: map[*heardSet]int{}}
	for _, row := range before {
		l.sets = append(l.sets, newHeardSet(row))
	}
	if err := l.hear(text); err != nil {
		return err
	}
	for _, n := range l.freed { // they are in new sets
		l.laid[tile.Joker] -= n
	}
	var got, want []string
	for _, s := range l.sets {
		if len(s.lies) > 0 {
			got = append(got, s.key())
		}
	}
	for _, row := range after {
		want = append(want, newHeardSet(row).key())
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		return fmt.Errorf("the table is %v, want %v", got, want)
	}
	played := tile.CountFaces(after...).Minus(tile.CountFaces(before...))
	for f, n := range played {
		if l.laid[tile.Face(f)] != int(n) {
			return fmt.Errorf("%d of %v came from the rack, want %d", l.laid[tile.Face(f)], tile.Face(f), n)
		}
	}
	return nil
}
