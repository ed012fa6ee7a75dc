package textrecord

import (
	"bytes"
	"compress/gzip"
	"flag"
	"maps"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"testing"

	"meldhall/engine/ruleset"
	"meldhall/engine/testmode"
)

var (
	games = flag.Int("games", 0, "the number of random games; 0: a few hundred, or 60,000 with -tags long")
	first = flag.Int("first", 0, "the seed of the first random game, and of changed texts")
)

// tally adds up what texts cost.
type tally struct {
	sync.Mutex
	games, events             int
	forms                     Forms
	json, text, zipped, short int
	kinds                     map[string]int
}

func (t *tally) add(record, text []byte, forms Forms, kinds []string, zip bool) {
	t.Lock()
	defer t.Unlock()
	t.games++
	t.events += len(kinds)
	t.forms.Short += forms.Short
	t.forms.Members += forms.Members
	t.forms.Full += forms.Full
	for _, kind := range kinds {
		t.kinds[kind]++
	}
	if zip {
		t.json, t.text = t.json+len(record), t.text+len(text)
		t.zipped, t.short = t.zipped+zippedSize(record), t.short+zippedSize(text)
	}
}

func zippedSize(data []byte) int {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write(data)
	_ = w.Close()
	return out.Len()
}

func (t *tally) print(to testing.TB) {
	share := func(n int) float64 { return 100 * float64(n) / float64(max(t.events, 1)) }
	to.Logf("%d games, %d events: %.2f %% short, %.2f %% with members, %.2f %% full", t.games, t.events,
		share(t.forms.Short), share(t.forms.Members), share(t.forms.Full))
	if t.json > 0 {
		to.Logf("text %.1f %% of the JSON, with gzip %.1f %%", 100*float64(t.text)/float64(t.json),
			100*float64(t.short)/float64(t.zipped))
	}
	for _, kind := range slices.Sorted(maps.Keys(t.kinds)) {
		to.Logf("%9d %s", t.kinds[kind], kind)
	}
}

// TestRandomGames converts random games to text and back. Every byte must come back.
func TestRandomGames(t *testing.T) {
	n := *games
	if n == 0 {
		n = map[bool]int{true: 60_000, false: 300}[testmode.Long]
	}
	rules := sorted(presets(t))
	sum := &tally{kinds: map[string]int{}}
	defer debug.SetGCPercent(debug.SetGCPercent(800)) // nearly all memory is short-lived
	var all sync.WaitGroup
	for worker := range runtime.NumCPU() {
		all.Go(func() {
			for seed := *first + worker; seed < *first+n; seed += runtime.NumCPU() {
				if !thereAndBack(t, sum, rules, uint64(seed)) {
					return
				}
			}
		})
	}
	all.Wait()
	sum.print(t)
	if sum.forms.Short*1000 < sum.events*999 {
		t.Errorf("only %d of %d events in short form, want 99.9 %%", sum.forms.Short, sum.events)
	}
}

func thereAndBack(t *testing.T, sum *tally, rules []ruleset.Ruleset, seed uint64) bool {
	steps := 120 // most games end
	if seed%4 > 0 {
		steps = 40
	}
	g := randomGame(rules, seed, steps)
	record := g.Compact()
	if seed%2 == 1 {
		record = g.Lines()
	}
	text, forms, err := ToText(record)
	if err != nil {
		t.Errorf("seed %d: %v", seed, err)
		return false
	}
	back, err := ToJSON(text, nil)
	if err != nil || !bytes.Equal(back, record) {
		t.Errorf("seed %d: %v\n%s\nwas %s\nis  %s", seed, err, text, record, back)
		return false
	}
	if forms.Full > 0 || forms.Members > 0 && testing.Verbose() && seed < 300 {
		for line := range bytes.Lines(text) {
			if bytes.HasPrefix(line, []byte("! ")) || bytes.Contains(line, []byte(" {")) && line[0] != '[' {
				t.Logf("seed %d: %s", seed, line)
			}
		}
	}
	kinds := make([]string, len(g.Events))
	for i, e := range g.Events {
		kinds[i] = e.Kind
	}
	sum.add(record, text, forms, kinds, seed%40 == 0 || seed%40 == 21)
	return true
}

// sorted returns the rules of presets by name, so that a seed always gives the same game.
func sorted(presets map[string]ruleset.Ruleset) (rules []ruleset.Ruleset) {
	for _, name := range slices.Sorted(maps.Keys(presets)) {
		rules = append(rules, presets[name])
	}
	return rules
}
