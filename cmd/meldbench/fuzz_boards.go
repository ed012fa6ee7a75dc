package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"sync"

	"meldhall/cmd/internal/referee"
	"meldhall/engine"
	"meldhall/engine/tile"
)

// ruledBoards is what the two referees said to boards.
type ruledBoards struct {
	boards int
	codes  map[string]int // "" is a legal play
	differ []string       // each a board on which they do not agree, as JSON
}

// fuzzBoards shows hostile boards to engine.Judge and to the second referee. Each board has a number, from which with the seed it can
// be made again.
func fuzzBoards(boards int, seed uint64, rules []engine.Ruleset) ruledBoards {
	all := ruledBoards{codes: map[string]int{}}
	var mu sync.Mutex
	var workers sync.WaitGroup
	for worker := range 2 {
		workers.Go(func() {
			mine := ruledBoards{codes: map[string]int{}}
			for n := worker; n < boards; n += 2 {
				mine.add(referee.Hostile(rand.New(rand.NewPCG(seed, uint64(n))), rules))
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

func (r *ruledBoards) add(b referee.Board) {
	r.boards++
	code, agree := bothRule(b)
	r.codes[code]++
	if !agree && len(r.differ) < 100 {
		text, _ := json.Marshal(b)
		r.differ = append(r.differ, fmt.Sprintf("%s\n  judge %+v\n  referee %+v", text, engine.Judge(b.Rules, b.Move), referee.Rule(b.Rules, b.Move)))
	}
}

// bothRule gives the judge's code, and whether the second referee says the same.
func bothRule(b referee.Board) (code string, agree bool) {
	judge, second := engine.Judge(b.Rules, b.Move), referee.Rule(b.Rules, b.Move)
	return judge.Code, judge.Code == second.Code && judge.Legal == (second.Code == "") && judge.Points == second.Points &&
		(!judge.Legal || tile.CountFaces(judge.Played) == tile.CountFaces(second.Played))
}

// tooLongToKeep is a set that would fill a corpus.
func tooLongToKeep(set []tile.Face) bool { return len(set) > 30 }
