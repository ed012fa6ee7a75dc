package textrecord

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"meldhall/engine/testmode"
)

var changes = flag.Int("changes", 0, "the number of changed texts; 0: a few thousand, or a million with -tags long")

// convert converts a text that may be anything. A record that comes out must come back from its own text.
func convert(t testing.TB, text []byte, again bool) (ok bool) {
	record, err := ToJSON(text, nil)
	if err != nil {
		if fault, is := err.(*Error); !is || fault.Line < 1 || fault.Column < 1 || fault.Problem == "" {
			t.Errorf("the error %v has no place, text %q", err, text)
		}
		return false
	}
	if !again {
		return true
	}
	text, _, err = ToText(record)
	if err != nil {
		t.Errorf("%v: %s", err, record)
		return false
	}
	if back, err := ToJSON(text, nil); err != nil || !bytes.Equal(back, record) {
		t.Errorf("%v\nwas %s\nis  %s\ntext %s", err, record, back, text)
	}
	return true
}

// FuzzText converts anything to JSON.
func FuzzText(f *testing.F) {
	for _, text := range seeds(f, 20) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) { convert(t, text, true) })
}

// FuzzRecord converts anything to text. What comes out must come back.
func FuzzRecord(f *testing.F) {
	rules := sorted(presets(f))
	for seed := range uint64(20) {
		g := randomGame(rules, seed, 30)
		f.Add(g.Compact())
	}
	f.Fuzz(func(t *testing.T, record []byte) {
		text, _, err := ToText(record)
		if err != nil {
			return
		}
		back, err := ToJSON(text, nil)
		if err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		convert(t, text, true)
		if again, _, err := ToText(back); err != nil || !bytes.Equal(again, text) {
			t.Errorf("%v\nwas %s\nis  %s", err, text, again)
		}
	})
}

// seeds returns the texts of random games, half of them with some events in full form.
func seeds(t testing.TB, n int) (texts [][]byte) {
	rules := sorted(presets(t))
	for seed := range uint64(n) {
		g := randomGame(rules, seed, 4+int(seed)%28)
		if seed%2 == 1 {
			g.Events[len(g.Events)/2].Kind = "another"
		}
		text, _, err := ToText(g.Compact())
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, text)
	}
	return texts
}

// TestMutatedTexts changes texts at random and converts them. Nothing may panic, and every error has a place.
func TestMutatedTexts(t *testing.T) {
	n := *changes
	if n == 0 {
		n = map[bool]int{true: 1_000_000, false: 4_000}[testmode.Long]
	}
	texts := seeds(t, 60)
	defer debug.SetGCPercent(debug.SetGCPercent(800)) // nearly all memory is short-lived
	var accepted atomic.Int64
	var all sync.WaitGroup
	for worker := range runtime.NumCPU() {
		all.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(worker), uint64(*first)))
			for i := worker; i < n && !t.Failed(); i += runtime.NumCPU() {
				text := mutated(rng, texts[rng.IntN(len(texts))], texts[rng.IntN(len(texts))])
				if convert(t, text, i%16 == 0) {
					accepted.Add(1)
				}
			}
		})
	}
	all.Wait()
	t.Logf("%d changed texts, %d of them still a record", n, accepted.Load())
}

// TestOtherBytes checks the place of a byte that is not UTF-8. U+FFFD itself is a character like others.
func TestOtherBytes(t *testing.T) {
	_, err := ToJSON([]byte(format+"\n[x \"\uFFFDé\xff\"]\n"), nil)
	if fault, ok := err.(*Error); !ok || fault.Line != 2 || fault.Column != 7 {
		t.Errorf("got %v, want an error in line 2, column 7", err)
	}
	if _, _, err := ToText([]byte("{\"head\":\"\xff\"}")); err == nil {
		t.Error("a record that is not UTF-8 becomes a text")
	}
}

// TestLargeInputs converts large inputs that are no games. None of them may take much more memory than its size.
func TestLargeInputs(t *testing.T) {
	testmode.SkipUnderRace(t)
	start, _, _ := strings.Cut(string(seeds(t, 1)[0]), "- ")
	longLine := strings.Repeat("a ", mostLine/2-10) + "\n"
	refused := func(name, input string, convert func() error) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := convert()
		runtime.ReadMemStats(&after)
		if err == nil {
			t.Errorf("%s are a game", name)
		}
		took := after.TotalAlloc - before.TotalAlloc
		t.Logf("%s: %d MiB allocated for %d MiB", name, took>>20, len(input)>>20)
		if took > 1<<29 {
			t.Errorf("%s took %d MiB", name, took>>20)
		}
	}
	for name, text := range map[string]string{
		"words":          start + strings.Repeat(longLine, 20),
		"continuations":  start + "- " + strings.Repeat("\n a", 2_000_000),
		"comments":       start + strings.Repeat(";\n", 2_000_000) + "- x",
		"tags":           strings.Repeat("[game 1]\n", 500_000),
		"calls":          start + strings.Repeat("- call S1\n- uncall S1\n", 100_000),
		"more than most": strings.Repeat("x", MostBytes+1),
	} {
		refused(name, text, func() error {
			_, err := ToJSON([]byte(text), nil)
			return err
		})
	}
	for name, record := range map[string]string{
		"events": `{"version":1,"events":[` + strings.Repeat("0,", 490_000) + `0]}`,
		"lines":  `{"version":1,"results":[{"lines":[` + strings.Repeat("{},", 490_000) + `{}]}]}`,
		"commas": `{"version":1,"events":[` + strings.Repeat("0,", 1_000_000) + `0]}`,
		"depth":  `{"version":1,"events":` + strings.Repeat("[", 2_000_000),
	} {
		refused(name, record, func() error {
			_, _, err := ToText([]byte(record))
			return err
		})
	}
}

// mutated returns a text with one to three changes: of bytes, of words or of lines, some of them from another text.
func mutated(rng *rand.Rand, text, other []byte) []byte {
	lines := strings.SplitAfter(string(text), "\n")
	others := strings.SplitAfter(string(other), "\n")
	for range 1 + rng.IntN(3) {
		i, j := rng.IntN(len(lines)), rng.IntN(len(lines))
		line := []byte(lines[i])
		switch k := rng.IntN(9); {
		case k == 0:
			lines[i], lines[j] = lines[j], lines[i]
		case k == 1:
			lines[i] = others[rng.IntN(len(others))]
		case k == 2:
			lines[i] += lines[j]
		case k == 3:
			lines[i] = ""
		case len(line) == 0:
		case k == 4:
			line[rng.IntN(len(line))] = byte(rng.IntN(256))
			lines[i] = string(line)
		case k == 5:
			at := rng.IntN(len(line))
			odd := []string{"|", "{", "\"", " ", "99999999", "S4", "+", "'", "{}", "#A"}
			lines[i] = string(line[:at]) + odd[rng.IntN(len(odd))] + string(line[at:])
		default:
			words, from := strings.Split(lines[i], " "), strings.Split(lines[j], " ")
			words[rng.IntN(len(words))] = from[rng.IntN(len(from))]
			lines[i] = strings.Join(words, " ")
		}
	}
	return []byte(strings.Join(lines, ""))
}
