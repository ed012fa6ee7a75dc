package main

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"meldhall/data"
	"meldhall/engine/bot"
	"meldhall/engine/judge"
	"meldhall/engine/ruleset"
	"meldhall/engine/testmode"
	"meldhall/engine/tile"
	"meldhall/tournament/preset"
)

// fewestKeys searches for the fewest keys of the list with which sets and tiles of the rack become other sets. What the
// keys do is done by the scripts' own functions.
const fewestKeys = `
const text = (faces) => (isRun(faces) ? faces : [...faces].sort()).join(" ");
function minus(all, some) {
  const left = [...all];
  return some.every((f) => left.includes(f) && left.splice(left.indexOf(f), 1)) ? left : undefined;
}

// one key for each tile, one for a whole set or two from one tile to another; and one for each tile too many
function chosen(ids, sets, rack, ranged, empty) {
  const costs = [rack, ...sets].map((list) => along(list.map((i) => ids.includes(i)), ranged));
  const saved = sets.map((s, k) => costs[k + 1] - 1 - s.filter((i) => !ids.includes(i)).length);
  return costs.reduce((sum, cost) => sum + cost) - (empty ? Math.max(0, ...saved) : 0);
}
function along(wanted, ranged) {
  const least = [0];
  wanted.forEach((want, k) => {
    least.push(least[k] + Number(want));
    for (let from = k - 2; ranged && want && from >= 0; from--) {
      if (wanted[from]) least[k + 1] = Math.min(least[k + 1], least[from] + 2 + wanted.slice(from, k).filter((w) => !w).length);
    }
  });
  return least[wanted.length];
}

// the ways to take tiles of these faces; equal tiles of one list are interchangeable
function choices(faces, lists, faceOf) {
  let ways = [[]];
  for (const face of faces) {
    ways = ways.flatMap((way) => lists.flatMap((list) => {
      const one = list.find((i) => faceOf(i) === face && !way.includes(i));
      return one === undefined ? [] : [[...way, one]];
    })).slice(0, 24);
  }
  return ways;
}

const byNumber = (a, b) => Number(a.slice(1)) - Number(b.slice(1));

export function fewest(table, hand, goal, ranged) {
  const faces = [...table.flat(), ...hand];
  const faceOf = (id) => faces[id];
  let n = 0;
  const start = table.map((set) => set.map(() => n++));
  const colours = hand.map(() => n++);
  const racks = [colours, [...colours].sort((a, b) => byNumber(faceOf(a), faceOf(b)))];
  const seen = new Set();
  const queue = [{ sets: start, held: [], sort: 0, keys: 0, least: 0 }];
  while (queue.length) {
    let k = 0;
    queue.forEach((q, i) => (k = q.least < queue[k].least ? i : k));
    const { sets, held, sort, keys } = queue.splice(k, 1)[0];
    const names = sets.map((s) => text(s.map(faceOf)));
    const key = [...names].sort().join("/") + held + sort;
    if (seen.has(key)) continue;
    seen.add(key);
    const done = new Set();
    const missing = goal.filter((g) => {
      const i = names.findIndex((name, i) => name === text(g) && !done.has(i));
      return i < 0 || !done.add(i);
    });
    if (!missing.length && names.length === goal.length) return keys;
    const loose = sets.filter((s, i) => !done.has(i));
    const spare = racks[sort].filter((i) => !sets.some((s) => s.includes(i)));
    const go = (next, cost, hold = [], by = sort) => next && queue.push({ sets: next, held: hold, sort: by, keys: keys + cost, least: keys + cost + 2 * Math.ceil(missing.length / 2) - 2 });
    if (ranged) go(sets, 1, held, 1 - sort);
    for (const g of missing) {
      for (const base of [undefined, ...loose]) {
        const need = minus(g, (base || []).map(faceOf));
        if (!need?.length) continue;
        for (const ids of choices(need, [held, spare, ...loose.filter((s) => s !== base)], faceOf)) {
          const rest = without(sets, ids, faceOf);
          const more = ids.filter((i) => !held.includes(i));
          if (held.every((i) => ids.includes(i))) go(base ? joined(rest, ids, base[0], faceOf) : [...rest, ordered(ids, faceOf)], 1 + chosen(more, sets, spare, ranged, !held.length));
        }
      }
    }
    for (const set of held.length ? [] : loose) {
      const all = set.map(faceOf);
      for (const id of spare) {
        if (all.length > 2 && all.includes(faceOf(id))) go(joined(sets, [id], set[0], faceOf), 2);
        const joker = jokerFor(set, faceOf(id), faceOf);
        if (joker !== undefined) go(exchanged(sets, joker, id), 2, [joker]);
      }
      for (let i = 1; i < set.length; i++) {
        const ends = (part, more) => missing.some((g) => minus(g, part) && !minus(g, more));
        if (ends(all.slice(0, i), all.slice(0, i + 1)) || ends(all.slice(i), all.slice(i - 1))) go(splitAfter(sets, set[i - 1]), 2);
      }
    }
  }
  return null;
}
`

// aPlay is a turn: the sets that it changes, the rack, and what the sets become.
type aPlay struct {
	before, after [][]tile.Face
	rack          []tile.Face
}

// somePlays returns plays of games between bots that make or change up to three sets.
func somePlays(t *testing.T, count int) (plays []aPlay) {
	t.Helper()
	rules := wrcRules(t)
	for seed := uint64(1); len(plays) < count; seed++ {
		random := rand.New(rand.NewPCG(seed, 45))
		var pool []tile.Face
		for _, one := range tile.All() {
			pool = append(pool, one.Face())
		}
		random.Shuffle(len(pool), func(i, j int) { pool[i], pool[j] = pool[j], pool[i] })
		var racks [4][]tile.Face
		for seat := range racks {
			racks[seat], pool = pool[:14:14], pool[14:]
		}
		var opened [4]bool
		var table [][]tile.Face
		for turn := 0; len(pool) > 0 && len(plays) < count; turn++ {
			seat := turn % 4
			style := []bot.Style{bot.Club, bot.Master}[random.IntN(2)]
			after, laid := bot.Choose(style, bot.Turn{Rules: rules, Pool: len(pool),
				Rivals: []bot.Rival{{Tiles: 9, Opened: true}},
				Move:   judge.Move{Opened: opened[seat], Rack: racks[seat], Before: table}})
			if laid == 0 {
				racks[seat], pool = append(racks[seat], pool[0]), pool[1:]
				continue
			}
			opened[seat] = true
			play := aPlay{before: differ(table, after), after: differ(after, table), rack: slices.Clone(racks[seat])}
			slices.Sort(play.rack)
			if len(play.after) <= 3 {
				plays = append(plays, play)
			}
			left := tile.CountFaces(racks[seat], slices.Concat(table...))
			for _, set := range after {
				for _, f := range set {
					left[f]--
				}
			}
			racks[seat] = nil
			for f, n := range left {
				for range n {
					racks[seat] = append(racks[seat], tile.Face(f))
				}
			}
			table = after
			if len(racks[seat]) == 0 {
				break
			}
		}
	}
	return plays
}

// differ returns the sets of a that are not in b.
func differ(a, b [][]tile.Face) (list [][]tile.Face) {
	b = slices.Clone(b)
	for _, set := range a {
		if at := slices.IndexFunc(b, func(other []tile.Face) bool { return slices.Equal(set, other) }); at >= 0 {
			b = slices.Delete(b, at, at+1)
		} else {
			list = append(list, set)
		}
	}
	return list
}

func wrcRules(t *testing.T) ruleset.Ruleset {
	t.Helper()
	loaded, err := preset.Load(data.Rules, data.Formats)
	if err != nil {
		t.Fatal(err)
	}
	return loaded.Rules["wrc"]
}

func names(sets [][]tile.Face) [][]string {
	all := [][]string{}
	for _, set := range sets {
		all = append(all, []string{})
		for _, f := range set {
			all[len(all)-1] = append(all[len(all)-1], f.String())
		}
	}
	return all
}

// hardPlays are sets of a rack that take many keys, as "sets of the play": long runs, groups of four, jokers.
var hardPlays = []string{"R1 R2 R3 R4 R5 R6 R7/K1 K2 K3 K4 K5 K6/B7 B8 B9 B10 B11",
	"K7 R7 B7 O7/K9 R9 B9 O9/K2 R2 B2 O2", "K7 R7 B7 O7/K9 R9 B9 O9/O1 O2 O3 O4 O5 O6",
	"R4 R5 J R7/K6 K7 J K9/B1 B2 B3 B4",
	"K7 R7 B7 J/K9 R9 B9 J/O1 O2 O3 O4", "R4 J J R7/K4 K5 K6 K7/K4 K5 K6 K7 K8", "R4 R5 R6 R7/R4 R5 R6 R7/R6 R7 R8 R9 J"}

// TestListTakesFewKeys counts the keys of the list for 200 plays of up to three sets, without End turn, if the rack is
// in order of colour when the turn begins.
func TestListTakesFewKeys(t *testing.T) {
	testmode.SkipUnlessLong(t)
	s := loadScripts(t)
	plays := somePlays(t, 200)
	for _, hard := range hardPlays {
		var play aPlay
		for set := range strings.SplitSeq(hard, "/") {
			play.after = append(play.after, facesOf(t, strings.Fields(set)))
		}
		play.rack = slices.Sorted(slices.Values(slices.Concat(play.after...)))
		plays = append(plays, play)
	}
	for way, ranged := range map[string]bool{"one tile after the other": false, "with Shift": true} {
		var counts [40]int
		for _, play := range plays {
			keys := call[int](s, "fewest", names(play.before), names([][]tile.Face{play.rack})[0], names(play.after), ranged)
			if counts[keys]++; keys == 0 || ranged && keys > 12 {
				t.Errorf("%d keys: %v and %v to %v", keys, play.before, play.rack, play.after)
			}
		}
		t.Logf("keys, %s: %v", way, counts)
	}
}
