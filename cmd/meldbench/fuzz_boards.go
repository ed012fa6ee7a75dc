package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"sync"

	"meldhall/cmd/meldbench/referee"
	"meldhall/engine/judge"
	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
)

// ruledBoards counts the verdicts of the two referees.
type ruledBoards struct {
	boards int
	codes  map[string]int // "" for a legal play
	differ []int          // numbers of the boards on which they disagree
}

// fuzzBoards shows hostile boards to engine.Judge and to the second referee. A board can be recreated from its number
// and the seed.
func fuzzBoards(boards int, seed uint64, rules []ruleset.Ruleset) ruledBoards {
	all := ruledBoards{codes: map[string]int{}}
	var mu sync.Mutex
	var workers sync.WaitGroup
	for worker := range 2 {
		workers.Go(func() {
			mine := ruledBoards{codes: map[string]int{}}
			for n := worker; n < boards; n += 2 {
				code, agree := bothRule(boardOf(seed, n, rules))
				mine.boards++
				if mine.codes[code]++; !agree {
					mine.differ = append(mine.differ, n)
				}
			}
			mu.Lock()
			defer mu.Unlock()
			all.boards += mine.boards
			all.differ = append(all.differ, mine.differ...)
			for code, k := range mine.codes {
				all.codes[code] += k
			}
		})
	}
	workers.Wait()
	return all
}

// boardOf creates the board with number n.
func boardOf(seed uint64, n int, rules []ruleset.Ruleset) referee.Board {
	return referee.Hostile(rand.New(rand.NewPCG(seed, uint64(n))), rules)
}

// told formats a board with both verdicts.
func told(b referee.Board) string {
	text, _ := json.Marshal(b)
	return fmt.Sprintf("%s\n  judge %+v\n  referee %+v", text, judge.Judge(b.Rules, b.Move),
		referee.Rule(b.Rules, b.Move))
}

// bothRule returns the judge's code, and whether the second referee agrees.
func bothRule(b referee.Board) (code string, agree bool) {
	judgeOf, second := judge.Judge(b.Rules, b.Move), referee.Rule(b.Rules, b.Move)
	return judgeOf.Code, judgeOf.Code == second.Code && judgeOf.Legal == (second.Code == "") &&
		judgeOf.Points == second.Points &&
		(!judgeOf.Legal || tile.CountFaces(judgeOf.Played) == tile.CountFaces(second.Played))
}

// tooLongToKeep reports whether a set is too long for the corpus.
func tooLongToKeep(set []tile.Face) bool { return len(set) > 30 }
