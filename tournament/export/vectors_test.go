package export_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"meldhall/engine"
	"meldhall/engine/audit"
	"meldhall/engine/exact"
	"meldhall/tournament/archive"
	"meldhall/tournament/export"
)

var update = flag.Bool("update", false, "write the vectors again")

const vectorsFile = "../../data/record/vectors/games.json"

const aboutGames = "Vectors of data/record/game.md. The record is the json of the pair named of in text.json, or " +
	"json itself; then each change replaces the first occurrence of its first text by its second. want holds the " +
	"statements: holds, fails (does not hold) or open (not checked). seq is the event at which play fails; another " +
	"event of the same decision is as good."

// gameVectors is data/record/vectors/games.json.
type gameVectors struct {
	About string       `json:"about"`
	Games []gameVector `json:"games"`
}

type gameVector struct {
	Name    string            `json:"name"`
	Of      string            `json:"of,omitempty"`
	JSON    string            `json:"json,omitempty"`
	Changes [][2]string       `json:"changes,omitempty"`
	Want    map[string]string `json:"want"`
	Seq     int               `json:"seq,omitempty"`
}

// The verdicts on a statement.
const (
	holds = "holds"
	fails = "fails"
	open  = "open"
)

var seqOf = regexp.MustCompile(`^seq (\d+)`)

// statements returns this program's verdicts on a record, and the seq at which play fails.
func statements(text []byte) (is map[string]string, seq int) {
	is = map[string]string{"form": fails, "chain": open, "play": open, "result": open, "actors": open}
	said := func(statement string, ok bool) {
		if is[statement] = fails; ok {
			is[statement] = holds
		}
	}
	var g export.Game
	if exact.Unmarshal(text, &g) != nil || g.Version != export.Version {
		return is, 0
	}
	if g.Head != "" {
		said("chain", g.Head == g.ChainHead())
	}
	events, err := export.Log(g)
	if err != nil {
		return is, 0
	}
	is["form"] = holds
	said("actors", len(archive.Actors(g)) == 0)
	if edition(events) == 0 {
		return is, 0
	}
	s, err := engine.Recheck(events)
	if err == nil {
		err = audit.Log(events)
	}
	if err != nil {
		seq, _ = strconv.Atoi(seqOf.FindStringSubmatch(err.Error())[1])
	} else if s.Phase != engine.PhaseNew && (s.Rules != g.Rules || s.Seats != len(g.Players)) {
		err, seq = os.ErrInvalid, 1
	}
	if said("play", err == nil); err == nil {
		g.Head = ""
		_, err = export.Verify(g)
		said("result", err == nil)
	}
	return is, seq
}

func edition(events []engine.Event) int {
	for _, e := range events {
		if began, ok := e.(engine.GameStarted); ok {
			return began.Edition
		}
	}
	return engine.Edition
}

// textPairs returns the records of text.json by name.
func textPairs(t *testing.T) map[string]string {
	t.Helper()
	var v struct{ Pairs []struct{ Name, JSON string } }
	readJSON(t, "../../data/record/vectors/text.json", &v)
	all := map[string]string{}
	for _, p := range v.Pairs {
		all[p.Name] = p.JSON
	}
	return all
}

func readJSON(t *testing.T, name string, v any) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(text, v)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (v gameVector) record(t *testing.T, pairs map[string]string) string {
	t.Helper()
	text := v.JSON + pairs[v.Of]
	for _, c := range v.Changes {
		if !strings.Contains(text, c[0]) {
			t.Fatalf("%s: no %q", v.Name, c[0])
		}
		text = strings.Replace(text, c[0], c[1], 1)
	}
	return text
}

// TestGameVectors checks this program's verdicts on the records of games.json.
func TestGameVectors(t *testing.T) {
	if *update {
		writeGameVectors(t)
	}
	var v gameVectors
	readJSON(t, vectorsFile, &v)
	pairs, failed := textPairs(t), 0
	for _, one := range v.Games {
		is, seq := statements([]byte(one.record(t, pairs)))
		for statement, want := range one.Want {
			if is[statement] != want {
				t.Errorf("%s: %s %s, want %s", one.Name, statement, is[statement], want)
			}
			if want == fails {
				failed++
			}
		}
		if seq != one.Seq {
			t.Errorf("%s: play fails at seq %d, want %d", one.Name, seq, one.Seq)
		}
	}
	if len(v.Games) < 100 || failed < 60 {
		t.Errorf("%d vectors with %d faults, want 100 and 60", len(v.Games), failed)
	}
	t.Logf("%d vectors", len(v.Games))
}

// writeGameVectors writes the cases, with the head of each changed record and this program's verdicts. It fails if the
// verdicts are not the expected ones.
func writeGameVectors(t *testing.T) {
	t.Helper()
	pairs := textPairs(t)
	v := gameVectors{About: aboutGames}
	for _, c := range gameCases(t, pairs) {
		if c.sealed {
			c.Changes = append(c.Changes, newHead(t, c.record(t, pairs)))
		}
		is, seq := statements([]byte(c.record(t, pairs)))
		for statement, verdict := range is {
			expected := c.fails == statement
			if verdict == fails && !expected && statement == "actors" || is["form"] == fails && statement != "form" {
				continue // the actors of random games are random
			}
			if expected != (verdict == fails) {
				t.Errorf("%s: %s %s, seq %d", c.Name, statement, verdict, seq)
			}
		}
		if c.Want, c.Seq = is, seq; is["form"] == fails {
			c.Want = map[string]string{"form": fails}
		}
		v.Games = append(v.Games, c.gameVector)
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err := e.Encode(v)
	if err == nil {
		err = os.WriteFile(vectorsFile, out.Bytes(), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// newHead returns the change that sets the head of a record to the hash of its last event.
func newHead(t *testing.T, text string) [2]string {
	t.Helper()
	var g export.Game
	if err := json.Unmarshal([]byte(text), &g); err != nil {
		t.Fatal(err)
	}
	return [2]string{`"head":"` + g.Head, `"head":"` + g.ChainHead()}
}
