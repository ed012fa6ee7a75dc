package textrecord

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"meldhall/tournament/export"
)

var update = flag.Bool("update", false, "write the vectors again")

const vectorsFile = "../../data/record/vectors/text.json"

// vectors is data/record/vectors/text.json.
type vectors struct {
	About string `json:"about"`
	Pairs []pair `json:"pairs"`
	Reads []edit `json:"reads"`
	Fails []edit `json:"fails"`
}

const about = "Vectors of data/record/text.md. pairs: text and JSON give each other, to the byte. reads: the text " +
	"gives the JSON or, without json, the JSON of the pair named of. fails: the text is refused at this line and " +
	"column; the wording is free. The text of reads and fails is that of the pair named of, with the first old replaced by new. " +
	"Without of, it is new."

type pair struct {
	Name string `json:"name"`
	Text string `json:"text"`
	JSON string `json:"json"`
}

type edit struct {
	Name   string `json:"name"`
	Of     string `json:"of,omitempty"`
	Old    string `json:"old,omitempty"`
	New    string `json:"new"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
	JSON   string `json:"json,omitempty"`
}

// of returns the text of an edit and the JSON of its pair.
func (v vectors) of(t *testing.T, e edit) (text, record string) {
	t.Helper()
	if e.Of == "" {
		return e.New, ""
	}
	i := slices.IndexFunc(v.Pairs, func(p pair) bool { return p.Name == e.Of })
	if i < 0 || !strings.Contains(v.Pairs[i].Text, e.Old) {
		t.Fatalf("%s: %s lacks %q", e.Name, e.Of, e.Old)
	}
	return strings.Replace(v.Pairs[i].Text, e.Old, e.New, 1), v.Pairs[i].JSON
}

func TestVectors(t *testing.T) {
	if *update {
		writeVectors(t)
	}
	data, err := os.ReadFile(vectorsFile)
	if err != nil {
		t.Fatal(err)
	}
	var v vectors
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	if n := len(v.Pairs) + len(v.Reads) + len(v.Fails); n < 60 {
		t.Errorf("%d vectors, want 60", n)
	}
	for _, one := range v.Pairs {
		text, _, err := ToText([]byte(one.JSON))
		if err != nil || string(text) != one.Text {
			t.Errorf("%s: got %s, %v, want %s", one.Name, text, err, one.Text)
		}
	}
	for _, one := range v.Pairs {
		record, err := ToJSON([]byte(one.Text), nil)
		if err != nil || string(record) != one.JSON {
			t.Errorf("%s: got %s, %v, want %s", one.Name, record, err, one.JSON)
		}
	}
	for _, one := range v.Reads {
		text, want := v.of(t, one)
		record, err := ToJSON([]byte(text), nil)
		if want = cmp.Or(one.JSON, want); err != nil || string(record) != want {
			t.Errorf("%s: got %s, %v, want %s", one.Name, record, err, want)
		}
	}
	for _, one := range v.Fails {
		text, _ := v.of(t, one)
		_, err := ToJSON([]byte(text), nil)
		var fault *Error
		if !errors.As(err, &fault) || fault.Line != one.Line || fault.Column != one.Column {
			t.Errorf("%s: got %v, want an error in line %d, column %d", one.Name, err, one.Line, one.Column)
		}
	}
}

// writeVectors writes the vectors anew: small games with each kind of event, texts as a person writes them, and faults.
func writeVectors(t *testing.T) {
	first, second := examples(t)
	v := vectors{About: about}
	for _, one := range []pair{{string(tablet), first, ""}, {string(real), second, ""}} {
		record, err := ToJSON([]byte(one.Text), nil)
		if err != nil {
			t.Fatal(one.Name, err)
		}
		v.Pairs = append(v.Pairs, pairOf(t, one.Name, record))
	}
	v.Pairs = append(v.Pairs, gamePairs(t)...)
	for _, c := range readCases {
		e := edit{Name: c.name, Of: string(c.of), Old: c.old, New: c.new}
		text, same := v.of(t, e)
		record, err := ToJSON([]byte(text), nil)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if e.JSON = string(record); e.JSON == same {
			e.JSON = ""
		}
		v.Reads = append(v.Reads, e)
	}
	for _, c := range failCases {
		e := edit{Name: c.name, Of: string(c.of), Old: c.old, New: c.new}
		text, _ := v.of(t, e)
		_, err := ToJSON([]byte(text), nil)
		var fault *Error
		if !errors.As(err, &fault) {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		t.Logf("%s: %v", c.name, err)
		e.Line, e.Column = fault.Line, fault.Column
		v.Fails = append(v.Fails, e)
	}
	var out bytes.Buffer
	to := json.NewEncoder(&out)
	to.SetEscapeHTML(false)
	to.SetIndent("", " ")
	if err := to.Encode(v); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(vectorsFile, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// gamePairs returns the smallest of some random games with each kind of event, and records that words cannot state.
func gamePairs(t *testing.T) (pairs []pair) {
	rules := sorted(presets(t))
	smallest := map[string]export.Game{}
	for seed := range uint64(4000) {
		g := randomGame(rules, seed, 30)
		for _, e := range g.Events {
			if was, met := smallest[e.Kind]; !met || len(g.Compact()) < len(was.Compact()) {
				smallest[e.Kind] = g
			}
		}
	}
	kinds := map[uint64][]string{}
	var order []export.Game
	for _, kind := range slices.Sorted(maps.Keys(smallest)) {
		g := smallest[kind]
		i := slices.IndexFunc(order, func(o export.Game) bool { return o.Head == g.Head })
		if i < 0 {
			i, order = len(order), append(order, g)
		}
		kinds[uint64(i)] = append(kinds[uint64(i)], kind)
	}
	for i, g := range order {
		record := g.Compact()
		if i%3 == 0 {
			record = g.Lines()
		}
		pairs = append(pairs, pairOf(t, "a game with "+strings.Join(kinds[uint64(i)], ", "), record))
	}
	for _, c := range oddCases {
		g := randomGame(rules, 27, 12)
		c.change(&g)
		pairs = append(pairs, pairOf(t, c.name, g.Compact()))
	}
	for _, name := range []string{"before/07-called-twice", "before/10-waived-and-taken-back"} {
		g := frozenGame(t, "../../engine/testdata/"+name+".txt")
		pairs = append(pairs, pairOf(t, "a log of edition 0: "+name, g.Compact()))
	}
	return pairs
}

func pairOf(t *testing.T, name string, record []byte) pair {
	text, _, err := ToText(record)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return pair{Name: name, Text: string(text), JSON: string(record)}
}

// oddCases are changes to a record that its words cannot state.
var oddCases = []struct {
	name   string
	change func(*export.Game)
}{
	{"an event of an unknown kind", func(g *export.Game) { g.Events[4].Kind = "another" }},
	{"a gap in the numbers", func(g *export.Game) { g.Events[5].Seq = 99 }},
	{"the row and the event have different times", func(g *export.Game) { g.Events[5].At += 7 }},
	{"data with a member that no kind has", func(g *export.Game) {
		g.Events[3].Data = append([]byte(`{"more":"<ü>",`), g.Events[3].Data[1:]...)
	}},
	{"another actor", func(g *export.Game) { g.Events[6].Actor = "organizer:Désirée \"D\" O'Neill" }},
	{"a salt where no reason is", func(g *export.Game) { g.Events[6].Salt = "ABC" }},
	{"no result and no head", func(g *export.Game) { g.Results, g.Head = []export.Result{}, "" }},
	{"a number that the rules do not give", func(g *export.Game) {
		g.Events[6].Data = bytes.Replace(g.Events[6].Data, []byte(`"number":2`), []byte(`"number":3`), 1)
	}},
}
