package steps_test

import (
	"bufio"
	"encoding/json"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"meldhall/engine/solve"
	"meldhall/engine/tile"
)

// rearranged makes a valid table of a few sets, and another one from its tiles and a few more.
func rearranged(r *rand.Rand, sets, most int) (before, after [][]tile.Face) {
	var used tile.Counts
	for tries := 0; len(before) < sets && tries < 200; tries++ {
		set := natural[r.IntN(len(natural))]
		if len(before) > 0 && r.IntN(3) > 0 { // near another set, so that the sets interact
			f := before[r.IntN(len(before))][0]
			set = near[f][r.IntN(len(near[f]))]
		}
		before = takeSet(r, before, &used, set)
	}
	for range 30 {
		if after = cover(r, tile.CountFaces(before...), used, most); after != nil {
			r.Shuffle(len(after), func(i, j int) { after[i], after[j] = after[j], after[i] })
			return before, after
		}
	}
	return before, before
}

// takeSet lays the set, sometimes with a joker in it, if there are enough tiles.
func takeSet(r *rand.Rand, table [][]tile.Face, used *tile.Counts, set []tile.Face) [][]tile.Face {
	set = slices.Clone(set)
	if r.IntN(4) == 0 && used[tile.Joker] < 2 {
		set[r.IntN(len(set))] = tile.Joker
	}
	then := *used
	for _, f := range set {
		if then[f]++; then[f] > 2 {
			return table
		}
	}
	*used = then
	return append(table, set)
}

// cover lays all the tiles left, and at most more others, as sets at random. It returns nil at a dead end.
func cover(r *rand.Rand, left, used tile.Counts, more int) (table [][]tile.Face) {
	for left.Total() > 0 {
		list := left.List()
		f := list[r.IntN(len(list))]
		start, found := r.IntN(len(near[f])), false
		for n := range near[f] {
			set := near[f][(start+n)%len(near[f])]
			if f != tile.Joker && !slices.Contains(set, f) {
				continue
			}
			if laid, extra := coverOne(r, &left, &used, set, f, more); laid != nil {
				table, more, found = append(table, laid), more-extra, true
				break
			}
		}
		if !found {
			return nil
		}
	}
	return table
}

// coverOne lays one set that has the face f, with jokers where it must and sometimes where it can. extra is the number
// of its tiles beyond those left.
func coverOne(r *rand.Rand, left, used *tile.Counts, set []tile.Face, f tile.Face, more int) (laid []tile.Face,
	extra int) {
	var room [tile.Highest]tile.Face
	then, all := *left, *used
	for i, g := range set {
		room[i] = g
		switch {
		case then[g] > 0:
			then[g]--
		case then[tile.Joker] > 0 && (r.IntN(2) == 0 || all[g] == 2):
			then[tile.Joker]--
			room[i] = tile.Joker
		default:
			extra++
			all[g]++
			if extra > more || all[g] > 2 {
				return nil, 0
			}
		}
	}
	laid = room[:len(set)]
	if then[f] == left[f] || !tile.Valid(laid) {
		return nil, 0
	}
	*left, *used = then, all
	return slices.Clone(laid), extra
}

// natural lists the sets without jokers of up to six tiles. near lists for each face those of its colour or number that
// have a tile at most one away, and for the joker all of them.
var natural, near = naturalSets(), nearSets()

func nearSets() (near [tile.Faces][][]tile.Face) {
	for _, set := range naturalSets() {
		near[tile.Joker] = append(near[tile.Joker], set)
		for f := range tile.Joker {
			if slices.ContainsFunc(set, func(g tile.Face) bool {
				return g == f || g.Colour() == f.Colour() && (g == f+1 || f == g+1)
			}) {
				near[f] = append(near[f], set)
			}
		}
	}
	return near
}

func naturalSets() (all [][]tile.Face) {
	for c := tile.Black; c <= tile.Orange; c++ {
		for length := 3; length <= 6; length++ {
			for first := 1; first+length-1 <= tile.Highest; first++ {
				var run []tile.Face
				for n := range length {
					run = append(run, tile.NewFace(c, first+n))
				}
				all = append(all, run)
			}
		}
	}
	for n := 1; n <= tile.Highest; n++ {
		for without := tile.Colour(0); without <= 4; without++ {
			var group []tile.Face
			for c := tile.Black; c <= tile.Orange; c++ {
				if c != without {
					group = append(group, tile.NewFace(c, n))
				}
			}
			all = append(all, group)
		}
	}
	return all
}

// bestPlays returns the tables of the shared cases before and after the best play, where it changes anything.
func bestPlays(t testing.TB) (pairs [][2][][]tile.Face) {
	file, err := os.Open("../solve/testdata/solve.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var c struct{ Table, Rack string }
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		rack, err := tile.ParseFaces(c.Rack)
		if err != nil {
			t.Fatal(err)
		}
		at := solve.Position{Rules: solve.Rules{JokerPoints: 30}, Table: tableOf(t, c.Table),
			Rack: tile.CountFaces(rack)}
		if play := solve.Best(at, solve.Question{Keep: true}); play.Tiles > 0 {
			pairs = append(pairs, [2][][]tile.Face{at.Table, play.Table})
		}
	}
	return pairs
}

// tablesOfTwenty returns pairs of tables of twenty sets, of which the given number differ.
func tablesOfTwenty(t testing.TB, changed int) (pairs [][2][][]tile.Face) {
	r := rand.New(rand.NewPCG(20, uint64(changed)))
	for len(pairs) < 100 {
		before, after := rearranged(r, changed, 3)
		if old, _ := differing(before, after); len(old) != changed {
			continue
		}
		used := tile.CountFaces(after...)
		for tries := 0; len(before) < 20 && tries < 5000; tries++ {
			if more := takeSet(r, before, &used, natural[r.IntN(len(natural))]); len(more) > len(before) {
				before, after = more, append(after, more[len(more)-1])
			}
		}
		if len(before) == 20 {
			pairs = append(pairs, [2][][]tile.Face{before, after})
		}
	}
	return pairs
}
