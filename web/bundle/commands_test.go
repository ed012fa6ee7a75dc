package main

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// command is a parsed command.
type command struct {
	Verb    string   `json:"verb"`
	Tiles   []string `json:"tiles"`
	Colours []string `json:"colours"`
	From    int      `json:"from"`
	To      int      `json:"to"`
	Fresh   bool     `json:"fresh"`
	Strange string   `json:"strange"`
}

// texts returns the texts of a language under the names that the scripts use.
func texts(t *testing.T, language string) map[string]string {
	t.Helper()
	data, err := os.ReadFile("../../data/locales/" + language + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]any
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for key, text := range all {
		if name, ok := strings.CutPrefix(key, "command."); ok {
			first, rest, _ := strings.Cut(name, "_")
			if rest != "" {
				rest = strings.ToUpper(rest[:1]) + rest[1:]
			}
			found[first+rest] = text.(string)
		}
	}
	for _, name := range []string{"black", "red", "blue", "orange", "joker"} {
		found[name] = strings.ReplaceAll(all["tile."+name].(string), "{{.number}}", "{number}")
		if name != "joker" {
			colour := strings.ToUpper(name[:1]) + name[1:]
			found["colour"+colour] = all["diff.colour."+name].(string)
			found["some"+colour] = all["command.some."+name].(string)
		}
	}
	found["fixed"], found["notRack"] = all["say.fixed"].(string), all["say.not_to_rack"].(string)
	found["notTurn"] = all["refused.not_your_turn"].(string)
	return found
}

func TestCommandsAreRead(t *testing.T) {
	s := loadScripts(t)
	italian := texts(t, "it")["words"]
	for text, want := range map[string]command{
		"rack":                    {Verb: "rack"},
		"rack red":                {Verb: "rack", Colours: []string{"R"}},
		"read set 3":              {Verb: "read", From: 3},
		"3":                       {Verb: "read", From: 3},
		"lay R4 R5 R6":            {Verb: "lay", Tiles: []string{"R4", "R5", "R6"}},
		"lay 456 red":             {Verb: "lay", Tiles: []string{"R4", "R5", "R6"}},
		"lay R4-6":                {Verb: "lay", Tiles: []string{"R4", "R5", "R6"}},
		"LAY r4 – r6":             {Verb: "lay", Tiles: []string{"R4", "R5", "R6"}},
		"l k9-11":                 {Verb: "lay", Tiles: []string{"K9", "K10", "K11"}},
		"lay 91011 b":             {Verb: "lay", Tiles: []string{"B9", "B10", "B11"}},
		"lay 7 black red blue":    {Verb: "lay", Tiles: []string{"K7", "R7", "B7"}},
		"lay 7krb":                {Verb: "lay", Tiles: []string{"K7", "R7", "B7"}},
		"lay red 9 10 joker 12":   {Verb: "lay", Tiles: []string{"R9", "R10", "J", "R12"}},
		"lay r4 j r6":             {Verb: "lay", Tiles: []string{"R4", "J", "R6"}},
		"lay K7 on 3":             {Verb: "lay", Tiles: []string{"K7"}, To: 3},
		"add K7 3":                {Verb: "add", Tiles: []string{"K7"}, To: 3},
		"add black 7 3":           {Verb: "add", Tiles: []string{"K7"}, To: 3},
		"a 10 11 red 3":           {Verb: "add", Tiles: []string{"R10", "R11"}, To: 3},
		"add joker to set 3":      {Verb: "add", Tiles: []string{"J"}, To: 3},
		"move B7 from 3 to 5":     {Verb: "move", Tiles: []string{"B7"}, From: 3, To: 5},
		"m b7 3 5":                {Verb: "move", Tiles: []string{"B7"}, From: 3, To: 5},
		"m b7 5":                  {Verb: "move", Tiles: []string{"B7"}, To: 5},
		"m b7 new":                {Verb: "move", Tiles: []string{"B7"}, Fresh: true},
		"take 3":                  {Verb: "take", From: 3},
		"point 3":                 {Verb: "point", From: 3},
		"indica serie 3":          {Verb: "point", From: 3},
		"take r4":                 {Verb: "take", Tiles: []string{"R4"}},
		"free joker 2 with R11":   {Verb: "free", Tiles: []string{"R11"}, From: 2},
		"f 2 r11":                 {Verb: "free", Tiles: []string{"R11"}, From: 2},
		"und":                     {Verb: "undo"},
		"posa rosso 4 5 6":        {Verb: "lay", Tiles: []string{"R4", "R5", "R6"}},
		"posa N4-6":               {Verb: "lay", Tiles: []string{"K4", "K5", "K6"}},
		"sposta jolly da 2 su 4":  {Verb: "move", Tiles: []string{"J"}, From: 2, To: 4},
		"lay foo":                 {Verb: "lay", Strange: "foo"},
		"lay 4":                   {Verb: "lay", Strange: "4"},
		"jump":                    {Strange: "jump"},
		"lay red 4, red 5, red 6": {Verb: "lay", Tiles: []string{"R4", "R5", "R6"}},
	} {
		got := call[command](s, "typed", text, italian)
		if len(want.Colours) == 0 {
			got.Colours = nil
		}
		if got.Verb != want.Verb || !slices.Equal(got.Tiles, want.Tiles) || !slices.Equal(got.Colours, want.Colours) ||
			got.From != want.From || got.To != want.To || got.Fresh != want.Fresh || got.Strange != want.Strange {
			t.Errorf("%q is %+v, want %+v", text, got, want)
		}
	}
}

// TestCommandsHaveWordsInEveryLanguage checks that each language has its own words for what players type in a turn.
func TestCommandsHaveWordsInEveryLanguage(t *testing.T) {
	s := loadScripts(t)
	names, err := os.ReadDir("../../data/locales")
	if err != nil || len(names) < 3 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		language := strings.TrimSuffix(name.Name(), ".json")
		words := texts(t, language)["words"]
		for line := range strings.SplitSeq(words, ";") {
			own := strings.Fields(line)
			for _, word := range own[1:] {
				got := call[command](s, "typed", word, words)
				in := call[command](s, "typed", "lay 7 "+word, words)
				if got.Verb != own[0] && in.Strange == word {
					t.Errorf("%s: %q is not understood as %s", language, word, own[0])
				}
			}
		}
	}
}

// obeyed is what a command says and the table after it.
type obeyed struct {
	Answer string     `json:"answer"`
	Sets   [][]string `json:"sets"`
}

func tableText(sets [][]string) string {
	var rows []string
	for _, set := range sets {
		rows = append(rows, strings.Join(set, " "))
	}
	return strings.Join(rows, ", ")
}

func TestCommandsChangeTheTable(t *testing.T) {
	s := loadScripts(t)
	call[any](s, "speak", texts(t, "en"))
	for _, c := range []struct {
		table, rack string
		closed      bool // the player has not opened
		typed       string
		says        string
		want        string // the table; empty: as before
	}{
		{"", "R4 K1 R5 B1 J O11", false, "rack", "Rack, 6: black 1, red 4 5, blue 1, orange 11, joker.", ""},
		{"", "R4 R5 R6 R8 K1", false, "rack red", "Rack, 4: red 4 to 6 8.", ""},
		{"", "R4", false, "sets", "The table is empty.", ""},
		{"R4 R5 R6, K7 B7 O7, B9 J B11", "", false, "sets",
			"Sets: 3. 1: red 4 to 6. 2: 7 black blue orange. 3: blue 9 joker 11.", ""},
		{"R4 R5 R6", "", false, "read 1", "Set 1: red 4 to 6.", ""},
		{"R4 R5 R6", "", false, "read 2", "There is no set 2.", ""},
		{"B1 B2 B3", "R4 R5 R6", false, "lay R4-6", "", "B1 B2 B3, R4 R5 R6"},
		{"B1 B2 B3", "R4 R5 R6", false, "lay 6 5 4 red", "", "B1 B2 B3, R4 R5 R6"},
		{"", "R4 R5", false, "lay R4-6", "Not there: red 6.", ""},
		{"R4 R5 R6", "R3", false, "add R3 1", "", "R3 R4 R5 R6"},
		{"K7 R7 B7", "O7", false, "lay O7 on 1", "", "K7 R7 B7 O7"},
		{"R8 R9 R10 R11 R12", "R10", false, "add R10 1", "", "R8 R9 R10, R10 R11 R12"},
		{"R9 R10 J R12", "R8", false, "add R8 1", "", "R8 R9 R10 J R12"},
		{"R11 R12 R13", "J", false, "add j 1", "", "J R11 R12 R13"},
		{"R4 R5 R6", "R3", true, "add R3 1", "Until you have opened, the sets on the table stay as they are.", ""},
		{"R4 R5 R6 R7, K7 B7 O7", "", false, "move R7 from 1 to 2", "", "R4 R5 R6, K7 B7 O7 R7"},
		{"R4 R5 R6 R7, K7 B7 O7", "", false, "move R7 2", "", "R4 R5 R6, K7 B7 O7 R7"},
		{"R4 R5 R6 R7 R8 R9, K1 K2 K3", "", false, "move R7-9", "", "R4 R5 R6, K1 K2 K3, R7 R8 R9"},
		{"R4 R5 R6 R7 R8", "", false, "move R6", "", "R4 R5, R7 R8, R6"},
		{"R4 R5 R6, R4 B4 K4", "", false, "move R4", "red 4 is in several sets: 1, 2. Add “from” and a number.", ""},
		{"R4 R5 R6, R4 B4 K4", "", true, "move B4", "Until you have opened, the sets on the table stay as they are.", ""},
		{"R9 R10 J R12", "R11", false, "free joker 1 with R11", "", "R9 R10 R11 R12, J"},
		{"R9 R10 R11", "R12", false, "free 1 R12", "Set 1 has no joker.", ""},
		{"R4 R5 R6", "", false, "take 1", "Only tiles from your rack go back there.", ""},
		{"R4 R5 R6", "", false, "jump", "Not understood: jump. Type “help”.", ""},
		{"R4 R5 R6", "", false, "undo", "Undone.", ""},
		{"R4 R5 R6", "", false, "draw", "Not possible now.", ""},
	} {
		t.Run(c.typed, func(t *testing.T) {
			table := []laidSet{}
			before := c.table
			for i, set := range strings.Split(c.table, ", ") {
				if set != "" {
					table = append(table, laidSet{At: 13 * i, Tiles: strings.Fields(set)})
				}
			}
			call[draftState](s, "begin", table, strings.Fields(c.rack), felt{1300, 800}, !c.closed)
			got := call[obeyed](s, "obey", c.typed)
			if c.want != "" {
				before = c.want
			}
			if got.Answer != c.says || tableText(got.Sets) != before {
				t.Errorf("%q and the table %q, want %q and %q", got.Answer, tableText(got.Sets), c.says, before)
			}
		})
	}
}

// TestAFreedJokerIsLaid frees a joker and lays it with tiles of the rack; what was laid can be taken back.
func TestAFreedJokerIsLaid(t *testing.T) {
	s := loadScripts(t)
	call[any](s, "speak", texts(t, "en"))
	call[draftState](s, "begin", []laidSet{{0, []string{"R9", "R10", "J", "R12"}}}, []string{"R11", "K13", "B13"},
		felt{1300, 800}, true)
	for _, step := range [][2]string{
		{"free 1 R11", "R9 R10 R11 R12, J"},
		{"lay K13 B13 J", "R9 R10 R11 R12, K13 B13 J"},
		{"take K13", "R9 R10 R11 R12, B13 J"},
		{"take 2", "R9 R10 R11 R12, J"},
	} {
		if got := call[obeyed](s, "obey", step[0]); tableText(got.Sets) != step[1] {
			t.Fatalf("after %q the table is %q (%q), want %q", step[0], tableText(got.Sets), got.Answer, step[1])
		}
	}
}

// TestCommandsLoseNoTile types random commands: no tile is lost or doubled, and nothing stops the parser.
func TestCommandsLoseNoTile(t *testing.T) {
	s := loadScripts(t)
	call[any](s, "speak", texts(t, "en"))
	changed := 0
	rapid.Check(t, func(t *rapid.T) {
		before, _, faces := someDraft(t, s)
		count := slices.Concat(before.Sets...)
		word := rapid.OneOf(rapid.SampledFrom(faces), rapid.SampledFrom([]string{"1", "2", "3", "from", "to", "on", "red", "new",
			"set", "with", "-", "4-6", "joker"}), rapid.String())
		for range rapid.IntRange(1, 6).Draw(t, "commands") {
			text := rapid.SampledFrom([]string{"lay", "add", "move", "take", "free", "read", "rack", "sets"}).Draw(t, "verb")
			for range rapid.IntRange(0, 5).Draw(t, "words") {
				text += " " + word.Draw(t, "word")
			}
			was := call[draftState](s, "now")
			call[obeyed](s, "obey", text)
			now := call[draftState](s, "now")
			laid := slices.Concat(now.Sets...)
			slices.Sort(laid)
			if len(slices.Compact(slices.Clone(laid))) != len(laid) {
				t.Fatalf("%q doubles a tile: %v", text, now.Sets)
			}
			for _, id := range count {
				if !slices.Contains(laid, id) {
					t.Fatalf("%q takes tile %s off the table: %v", text, faces[id], now.Sets)
				}
			}
			if !slices.EqualFunc(was.Sets, now.Sets, slices.Equal) {
				changed++
			}
		}
	})
	if changed == 0 {
		t.Error("no command changed the table")
	}
}
