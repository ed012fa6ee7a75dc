package solve_test

import (
	"math/bits"
	"slices"

	"meldhall/engine/judge"
	"meldhall/engine/ruleset"
	"meldhall/engine/solve"
	"meldhall/engine/tile"
)

// oracle is a slow search for the best play that works quite differently from the one it checks. It chooses the rack
// tiles to play, best first by aim, and looks for one complete arrangement of them and the table that engine.Judge
// calls legal. Jokers are laid first, in every set as laid that can hold them. The rest must then fall into sets of
// numbered tiles alone. Any way to do that will do, because rule 6 depends only on the sets with jokers and on which
// tiles lie on the table.
type oracle struct {
	rules ruleset.Ruleset
	p     solve.Position
	faces []tile.Face           // the numbered faces of table and rack, ascending
	plain [oracleFaces][]laying // sets without jokers, by their first face
	wild  []laying              // sets with jokers, as laid
	fits  map[bag]bool          // whether a bag can be laid out in plain sets
}

// bag counts numbered tiles, with three bits for each of the oracle's faces, of which there are at most 21.
type bag uint64

const (
	oracleFaces = 21
	bagGuards   = bag(0o444444444444444444444)
)

func (b bag) within(c bag) bool { return ((c|bagGuards)-b)&bagGuards == bagGuards }

// laying is a set as laid.
type laying struct {
	set    []tile.Face
	takes  bag
	jokers int
}

// oraclePlay is the answer of the oracle.
type oraclePlay struct {
	tiles, value, kept int
	played             tile.Counts
	table              [][]tile.Face
}

// oracleRules returns the rule set of a position for engine.Judge.
func oracleRules(r solve.Rules) ruleset.Ruleset {
	rules := ruleset.Ruleset{JokerRelease: ruleset.Anywhere, JokerPoints: r.JokerPoints, MeldPoints: 30}
	if r.WithRackTile {
		rules.JokerRelease = ruleset.WithRackTile
	}
	rules.JokerReplace = [...]string{ruleset.Free, ruleset.TableOrRack, ruleset.FromRack}[r.Replace]
	return rules
}

// newOracle lists every set that the tiles of the position can make. ok is false if the position has too many faces.
func newOracle(p solve.Position) (o *oracle, ok bool) {
	o = &oracle{rules: oracleRules(p.Rules), p: p, fits: map[bag]bool{}}
	all := tile.CountFaces(slices.Concat(p.Table...), p.Rack.List())
	var have tile.FaceSet
	for f := range tile.Joker {
		if all[f] > 0 {
			o.faces = append(o.faces, f)
			have |= 1 << f
		}
	}
	if len(o.faces) > oracleFaces {
		return nil, false
	}
	for _, s := range everySet() {
		if s.numbered&^have != 0 || s.jokers > int(all[tile.Joker]) {
			continue
		}
		l := o.laying(s.set)
		if l.jokers == 0 {
			first := bits.TrailingZeros64(uint64(l.takes)) / 3
			o.plain[first] = append(o.plain[first], l)
		} else {
			o.wild = append(o.wild, l)
		}
	}
	return o, true
}

func (o *oracle) laying(set []tile.Face) laying {
	l := laying{set: slices.Clone(set)}
	for _, f := range set {
		if f == tile.Joker {
			l.jokers++
			continue
		}
		at, _ := slices.BinarySearch(o.faces, f)
		l.takes += 1 << (3 * at)
	}
	return l
}

// best returns the best play. With keep, it is the one that keeps the most table sets among plays that are equal by
// aim.
func (o *oracle) best(aim solve.Aim, keep bool) oraclePlay {
	best := oraclePlay{kept: len(o.p.Table), table: o.p.Table}
	for _, play := range o.plays(aim) {
		if best.tiles > 0 && (!keep || play.tiles != best.tiles || play.value != best.value ||
			best.kept == len(o.p.Table)) {
			break
		}
		least := 0
		if best.tiles > 0 {
			least = best.kept + 1
		}
		if table, kept, ok := o.arrange(play.played, least, keep); ok {
			best = oraclePlay{play.tiles, play.value, kept, play.played, table}
		}
	}
	return best
}

// plays lists the choices of rack tiles that may be played, best first by aim.
func (o *oracle) plays(aim solve.Aim) []oraclePlay {
	all := []oraclePlay{{}}
	for f, n := range o.p.Rack {
		worth := o.p.Rules.JokerPoints
		if tile.Face(f) != tile.Joker {
			worth = tile.Face(f).Number()
		}
		for _, play := range all[:len(all):len(all)] {
			for k := 1; k <= int(n); k++ {
				play.played[f]++
				play.tiles++
				play.value += worth
				all = append(all, play)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b oraclePlay) int {
		if tiles, value := b.tiles-a.tiles, b.value-a.value; aim == solve.MostTiles && tiles != 0 || value == 0 {
			return tiles
		} else {
			return value
		}
	})
	return slices.DeleteFunc(all, func(play oraclePlay) bool { return play.tiles == 0 })
}

// arrange looks for a legal table with the played tiles. With keep, it keeps as many of the table's sets as possible,
// at least least.
func (o *oracle) arrange(played tile.Counts, least int, keep bool) (table [][]tile.Face, kept int, ok bool) {
	all := o.laying(append(slices.Concat(o.p.Table...), played.List()...))
	if !keep {
		table, ok = o.lay(nil, all.takes, all.jokers, 0)
		return table, countKept(o.p.Table, table), ok
	}
	for kept = len(o.p.Table); kept >= least; kept-- {
		for stay := range uint(1) << len(o.p.Table) {
			if bits.OnesCount(stay) != kept {
				continue
			}
			rest := all
			var sets [][]tile.Face
			for i, set := range o.p.Table {
				if stay>>i&1 == 1 {
					l := o.laying(set)
					rest.takes, rest.jokers, sets = rest.takes-l.takes, rest.jokers-l.jokers, append(sets, set)
				}
			}
			if table, ok = o.lay(sets, rest.takes, rest.jokers, 0); ok {
				return table, kept, true
			}
		}
	}
	return nil, 0, false
}

// lay completes sets: first with wild sets from index from on, until no jokers are left, and then with plain sets. It
// may write beyond the end of sets.
func (o *oracle) lay(sets [][]tile.Face, rest bag, jokers, from int) (table [][]tile.Face, ok bool) {
	if jokers == 0 {
		if !o.layPlain(rest) {
			return nil, false
		}
		table = o.appendPlain(slices.Clone(sets), rest)
		v := judge.Judge(o.rules, judge.Move{Opened: true, Before: o.p.Table, Rack: o.p.Rack.List(), After: table})
		return table, v.Legal
	}
	for i := from; i < len(o.wild); i++ {
		w := &o.wild[i]
		if w.jokers > jokers || !w.takes.within(rest) || w.jokers == jokers && !o.layPlain(rest-w.takes) {
			continue
		}
		if table, ok = o.lay(append(sets, w.set), rest-w.takes, jokers-w.jokers, i); ok {
			return table, true
		}
	}
	return nil, false
}

// layPlain reports whether the tiles can be divided into plain sets. The first of them must begin one.
func (o *oracle) layPlain(rest bag) bool {
	if rest == 0 {
		return true
	}
	begin := o.plain[bits.TrailingZeros64(uint64(rest))/3]
	at := slices.IndexFunc(begin, func(l laying) bool { return l.takes.within(rest) })
	if at < 0 {
		return false
	}
	can, known := o.fits[rest]
	if known {
		return can
	}
	for _, l := range begin[at:] {
		if l.takes.within(rest) && o.layPlain(rest-l.takes) {
			can = true
			break
		}
	}
	o.fits[rest] = can
	return can
}

func (o *oracle) appendPlain(sets [][]tile.Face, rest bag) [][]tile.Face {
	for rest != 0 {
		for _, l := range o.plain[bits.TrailingZeros64(uint64(rest))/3] {
			if l.takes.within(rest) && o.layPlain(rest-l.takes) {
				sets, rest = append(sets, l.set), rest-l.takes
				break
			}
		}
	}
	return sets
}
