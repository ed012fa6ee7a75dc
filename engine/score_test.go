package engine_test

import (
	"encoding/json"
	"slices"
	"testing"

	"meldhall/engine"
	"meldhall/engine/tile"
)

type scoreCase struct {
	Case struct {
		Rules, Ending string
		Racks         [][]tile.Face
		Opened        []bool
	}
	Want struct {
		Points, Wins []engine.Twelfth
		Charges      []engine.Charge
	}
}

func TestScoreAgreesWithTheSharedCases(t *testing.T) {
	rules := presets(t)
	for i, c := range cases[scoreCase](t, "score.jsonl", 60) {
		hands := make([]engine.Hand, len(c.Case.Racks))
		for j := range hands {
			hands[j] = engine.Hand{Rack: c.Case.Racks[j], Opened: c.Case.Opened[j]}
		}
		o, err := engine.Score(rules[c.Case.Rules], c.Case.Ending, hands)
		if err != nil {
			t.Errorf("line %d: %v", i+1, err)
			continue
		}
		if !slices.Equal(o.Points, c.Want.Points) || !slices.Equal(o.Wins, c.Want.Wins) ||
			!slices.Equal(o.Charges, c.Want.Charges) {
			t.Errorf("line %d: %+v, want %+v", i+1, o, c.Want)
		}
	}
}

// charged makes an opened hand with the given charge out of low tiles.
func charged(t testing.TB, points int) engine.Hand {
	h := engine.Hand{Opened: true}
	for _, f := range rack(t, "R13 B13 K13 O13 R12 B12 R10 B10 R8 B8 R5 B5 R3 B3 R2 B2 R1 B1 K1 O1") {
		for points >= f.Number() && f.Number() > 0 && !slices.Contains(h.Rack, f) {
			h.Rack, points = append(h.Rack, f), points-f.Number()
		}
	}
	if points != 0 {
		t.Fatalf("%d points left", points)
	}
	return h
}

func opened(t testing.TB, text string) engine.Hand {
	return engine.Hand{Rack: rack(t, text), Opened: true}
}
func closed(t testing.TB, text string) engine.Hand { return engine.Hand{Rack: rack(t, text)} }

func TestScore(t *testing.T) {
	const able, unable = "R10 B10 K10 O1", "R10 B10 K9 O1 R2"
	for _, c := range []struct {
		name, preset, ending string
		change               string
		hands                []engine.Hand
		points, wins         []engine.Twelfth // in twelfths
		charges              []int
	}{
		{"example 1, wrc", "wrc", engine.Emptied, `{}`, []engine.Hand{opened(t, ""), opened(t, "R3 K13"),
			opened(t, "J O2")}, []engine.Twelfth{118 * 12, -16 * 12, -102 * 12}, []engine.Twelfth{12, 0, 0},
			[]int{0, 16, 102}},
		{"example 1, wrc-50", "wrc-50", engine.Emptied, `{}`,
			[]engine.Hand{opened(t, ""), opened(t, "R3 K13"), opened(t, "J O2")},
			[]engine.Twelfth{68 * 12, -16 * 12, -52 * 12}, []engine.Twelfth{12, 0, 0}, []int{0, 16, 52}},
		{"example 2, able", "wrc", engine.Emptied, `{}`, []engine.Hand{opened(t, ""), closed(t, able)},
			[]engine.Twelfth{2400, -2400}, []engine.Twelfth{12, 0}, []int{0, 200}},
		{"example 2, unable", "wrc", engine.Emptied, `{}`, []engine.Hand{opened(t, ""), closed(t, unable)},
			[]engine.Twelfth{1200, -1200}, []engine.Twelfth{12, 0}, []int{0, 100}},
		{"example 3, wrc", "wrc", engine.Exhausted, `{}`, []engine.Hand{charged(t, 20), charged(t, 5), charged(t, 12),
			charged(t, 40)}, []engine.Twelfth{-15 * 12, 0, -7 * 12, -35 * 12}, []engine.Twelfth{0, 12, 0, 0},
			[]int{20, 5, 12, 40}},
		{"example 3, wrc-50", "wrc-50", engine.Exhausted, `{}`,
			[]engine.Hand{charged(t, 20), charged(t, 5), charged(t, 12), charged(t, 40)},
			[]engine.Twelfth{-15 * 12, 57 * 12, -7 * 12, -35 * 12}, []engine.Twelfth{0, 12, 0, 0},
			[]int{20, 5, 12, 40}},
		{"two share a win and the points", "wrc-50", engine.Exhausted, `{}`,
			[]engine.Hand{charged(t, 5), charged(t, 5), charged(t, 12)}, []engine.Twelfth{42, 42, -84},
			[]engine.Twelfth{6, 6, 0}, []int{5, 5, 12}},
		{"three share", "club", engine.Exhausted, `{}`, []engine.Hand{charged(t, 5), charged(t, 5), charged(t, 5),
			charged(t, 6)}, []engine.Twelfth{4, 4, 4, -12}, []engine.Twelfth{4, 4, 4, 0}, []int{5, 5, 5, 6}},
		{"four share nothing", "wrc", engine.Exhausted, `{}`,
			[]engine.Hand{charged(t, 5), charged(t, 5), charged(t, 5), charged(t, 5)}, []engine.Twelfth{0, 0, 0, 0},
			[]engine.Twelfth{3, 3, 3, 3}, []int{5, 5, 5, 5}},
		{"penalty points, emptied", "casual", engine.Emptied, `{}`,
			[]engine.Hand{opened(t, "R5"), opened(t, ""), closed(t, "J")}, []engine.Twelfth{60, 0, 360},
			[]engine.Twelfth{0, 12, 0}, []int{5, 0, 30}},
		{"penalty points, exhausted", "casual", engine.Exhausted, `{}`,
			[]engine.Hand{charged(t, 20), charged(t, 5), charged(t, 12)}, []engine.Twelfth{180, 0, 84},
			[]engine.Twelfth{0, 12, 0}, []int{20, 5, 12}},
		{"penalty points with a bonus", "casual", engine.Emptied, `{"win_bonus":10}`,
			[]engine.Hand{opened(t, "R5"), opened(t, "")}, []engine.Twelfth{60, -120}, []engine.Twelfth{0, 12},
			[]int{5, 0}},
		{"the winner scores nothing", "wrc", engine.Emptied, `{"winner_scores":"zero"}`,
			[]engine.Hand{opened(t, ""), opened(t, "R5")}, []engine.Twelfth{0, -60}, []engine.Twelfth{12, 0},
			[]int{0, 5}},
		{"a bonus for the win", "wrc", engine.Emptied, `{"win_bonus":100}`,
			[]engine.Hand{opened(t, ""), opened(t, "R5")}, []engine.Twelfth{105 * 12, -60}, []engine.Twelfth{12, 0},
			[]int{0, 5}},
		{"a bonus shared", "wrc", engine.Exhausted, `{"win_bonus":100}`,
			[]engine.Hand{charged(t, 5), charged(t, 5), charged(t, 6)}, []engine.Twelfth{600, 600, -12},
			[]engine.Twelfth{6, 6, 0}, []int{5, 5, 6}},
		{"no meld added to the rack", "wrc", engine.Emptied, `{"no_meld_counts":"added"}`,
			[]engine.Hand{opened(t, ""), closed(t, able)}, []engine.Twelfth{231 * 12, -231 * 12},
			[]engine.Twelfth{12, 0}, []int{0, 231}},
		{"no meld higher than the rack", "wrc", engine.Emptied, `{"no_meld_counts":"higher"}`,
			[]engine.Hand{opened(t, ""), closed(t, unable)}, []engine.Twelfth{1200, -1200}, []engine.Twelfth{12, 0},
			[]int{0, 100}},
		{"no meld lower than the rack", "wrc", engine.Emptied, `{"no_meld_counts":"higher","no_meld_unable":20}`,
			[]engine.Hand{opened(t, ""), closed(t, unable)}, []engine.Twelfth{32 * 12, -32 * 12},
			[]engine.Twelfth{12, 0}, []int{0, 32}},
		{"no meld lower than the rack, instead", "wrc", engine.Emptied, `{"no_meld_unable":20}`,
			[]engine.Hand{opened(t, ""), closed(t, unable)}, []engine.Twelfth{20 * 12, -20 * 12},
			[]engine.Twelfth{12, 0}, []int{0, 20}},
		{"able at an earlier turn does not count at the end", "wrc", engine.Emptied, `{}`,
			[]engine.Hand{opened(t, ""), {Rack: rack(t, unable), Able: true}}, []engine.Twelfth{1200, -1200},
			[]engine.Twelfth{12, 0}, []int{0, 100}},
		{"able at an earlier turn", "wrc", engine.Emptied, `{"able_when":"any_turn"}`,
			[]engine.Hand{opened(t, ""), {Rack: rack(t, unable), Able: true}}, []engine.Twelfth{2400, -2400},
			[]engine.Twelfth{12, 0}, []int{0, 200}},
		{"able with jokers only beside one tile", "wrc", engine.Emptied, `{}`,
			[]engine.Hand{opened(t, ""), closed(t, "R9 J J")}, []engine.Twelfth{2400, -2400}, []engine.Twelfth{12, 0},
			[]int{0, 200}},
		{"a higher meld", "wrc", engine.Emptied, `{"meld_points":50}`, []engine.Hand{opened(t, ""), closed(t, able)},
			[]engine.Twelfth{1200, -1200}, []engine.Twelfth{12, 0}, []int{0, 100}},
		{"no points needed, yet no set", "wrc", engine.Emptied, `{"meld_points":0}`,
			[]engine.Hand{opened(t, ""), closed(t, "R1 B2 K3 J")}, []engine.Twelfth{1200, -1200},
			[]engine.Twelfth{12, 0}, []int{0, 100}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := engine.ParseRuleset(presets(t)[c.preset], []byte(c.change))
			if err != nil {
				t.Fatal(err)
			}
			o, err := engine.Score(r, c.ending, c.hands)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(o.Points, c.points) || !slices.Equal(o.Wins, c.wins) {
				t.Errorf("points %v wins %v, want %v %v", o.Points, o.Wins, c.points, c.wins)
			}
			var total engine.Twelfth
			for _, p := range o.Points {
				total += p
			}
			want, fixed := engine.Balance(r, c.ending)
			if fixed && total != want {
				t.Errorf("the points add up to %v, the rules say %v", total, want)
			}
			for i, want := range c.charges {
				if o.Charges[i].Points != want {
					t.Errorf("charge of %d: %+v, want %d", i, o.Charges[i], want)
				}
			}
		})
	}
}

func TestBalance(t *testing.T) {
	for _, c := range []struct {
		preset, ending, change string
		want                   engine.Twelfth
		fixed                  bool
	}{
		{"wrc", engine.Emptied, `{}`, 0, true},
		{"wrc", engine.Forfeited, `{"win_bonus":100}`, 1200, true},
		{"wrc", engine.Exhausted, `{}`, 0, false}, // the winner gets nothing
		{"wrc-50", engine.Exhausted, `{}`, 0, true},
		{"wrc-50", engine.EndedStuck, `{}`, 0, true},
		{"wrc", engine.EndedLastLap, `{}`, 0, false},
		{"wrc", engine.EndedEmptied, `{}`, 0, true},
		{"wrc", engine.Emptied, `{"winner_scores":"zero"}`, 0, false},
		{"casual", engine.Emptied, `{}`, 0, false}, // penalty points
		{"wrc", "annulled", `{}`, 0, false},
	} {
		r, err := engine.ParseRuleset(presets(t)[c.preset], []byte(c.change))
		if err != nil {
			t.Fatal(err)
		}
		if sum, fixed := engine.Balance(r, c.ending); sum != c.want || fixed != c.fixed {
			t.Errorf("%s %s %s: got %v %v", c.preset, c.ending, c.change, sum, fixed)
		}
	}
}

func TestWhatCannotBeScored(t *testing.T) {
	r := presets(t)["wrc"]
	for name, c := range map[string]struct {
		ending string
		hands  []engine.Hand
	}{
		"nobody emptied":     {engine.Emptied, []engine.Hand{opened(t, "R1"), opened(t, "R2")}},
		"two emptied":        {engine.Emptied, []engine.Hand{opened(t, ""), opened(t, "")}},
		"an unknown ending":  {"over", []engine.Hand{opened(t, ""), opened(t, "R2")}},
		"one player":         {engine.Exhausted, []engine.Hand{opened(t, "")}},
		"five at one table":  {engine.Exhausted, make([]engine.Hand, 5)},
		"no ending is given": {"", []engine.Hand{opened(t, ""), opened(t, "R1")}},
	} {
		t.Run(name, func(t *testing.T) {
			if o, err := engine.Score(r, c.ending, c.hands); err == nil {
				t.Errorf("scored %+v", o)
			}
		})
	}
}

func TestTwelfths(t *testing.T) {
	for _, c := range []struct {
		amount             engine.Twelfth
		json, text, signed string
	}{
		{0, "0", "0", "0"}, {12, "1", "1", "+1"}, {918, "76.5", "76.5", "+76.5"}, {-16 * 12, "-16", "−16", "−16"},
		{4, "0.3333333333333333", "0.33", "+0.33"}, {-8, "-0.6666666666666666", "−0.67", "−0.67"},
		{3, "0.25", "0.25", "+0.25"},
	} {
		text, err := json.Marshal(c.amount)
		if err != nil || string(text) != c.json {
			t.Errorf("%d: %s %v, want %s", int64(c.amount), text, err, c.json)
		}
		var back engine.Twelfth
		if err := json.Unmarshal(text, &back); err != nil || back != c.amount {
			t.Errorf("%s read as %d", text, int64(back))
		}
		if c.amount.String() != c.text || c.amount.Signed() != c.signed {
			t.Errorf("%d: %s %s", int64(c.amount), c.amount, c.amount.Signed())
		}
	}
	var bad engine.Twelfth
	if json.Unmarshal([]byte(`"x"`), &bad) == nil {
		t.Error("a text was read as points")
	}
}
