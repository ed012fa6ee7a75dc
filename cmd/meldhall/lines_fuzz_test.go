package main

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"testing"

	"meldhall/cmd/internal/prepare"
	"meldhall/tournament/export"
)

// FuzzLines checks that any line on a command's standard input gets a JSON answer or is rejected. The searches of seat
// and solve are skipped.
func FuzzLines(f *testing.F) {
	for _, name := range []string{"judge.jsonl", "score.jsonl"} {
		lines, _ := sharedCases(f, name, 60)
		for _, line := range lines {
			f.Add([]byte(line))
		}
	}
	for _, seed := range []string{``, `null`, `{}`,
		`{"rules":"wrc","board":[["R4","J","R6"]],"rack":["R5"],"opened":true}`, `{"players":9,"rounds":3}`,
		`{"rules":{"preset":"wrc","meld_points":null},"opened":true,"before":[[null]],"rack":null,"after":[[]]}`,
		`{"format":"wrc","players":["A","B"],"results":[]}`,
		`{"rules":"wrc","ending":"emptied","racks":[[],["R3"]],"opened":[true,true]}`} {
		f.Add([]byte(seed))
	}
	presets, err := prepare.Presets("")
	if err != nil {
		f.Fatal(err)
	}
	known := ruleNames(presets.Rules)
	f.Fuzz(func(t *testing.T, line []byte) {
		for _, answer := range []func([]byte) (any, error){known.judge, known.score,
			func(line []byte) (any, error) { return rankEvent(presets, line) }} {
			got, err := answer(line)
			if err == nil {
				_, err = json.Marshal(got)
			} else if err.Error() == "" {
				t.Errorf("%q is refused without a word", line)
			} else {
				continue
			}
			if err != nil {
				t.Errorf("%q: %v", line, err)
			}
		}
		var seats seatLine
		if readLine(line, &seats) == nil {
			_, _ = seats.request()
		}
		var position solveLine
		if readLine(line, &position) == nil {
			_ = position.check(plain(position.Board))
		}
	})
}

// FuzzExport checks that an exported game, however it was changed, is verified or rejected.
func FuzzExport(f *testing.F) {
	file, err := os.Open("testdata/before_the_door_game.json.gz")
	if err != nil {
		f.Fatal(err)
	}
	defer file.Close()
	packed, err := gzip.NewReader(file)
	if err != nil {
		f.Fatal(err)
	}
	var g export.Game
	if err := json.NewDecoder(packed).Decode(&g); err != nil {
		f.Fatal(err)
	}
	for _, events := range []int{0, 1, 3, 12} {
		part := g
		part.Events = g.Events[:min(events, len(g.Events))]
		text, err := json.Marshal(part)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte(`{"version":1,"events":[{"seq":1,"kind":"turn_expired","version":1,"at":1,"data":{"at":1}}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var g export.Game
		if json.Unmarshal(text, &g) == nil && len(g.Events) < 100 {
			_, _ = export.Verify(g)
		}
	})
}
