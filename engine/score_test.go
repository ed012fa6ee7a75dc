package engine_test

import (
	"encoding/json"
	"slices"
	"testing"

	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/engine/tile"
)

type scoreCase struct {
	Case struct {
		Rules, Ending string
		Racks         [][]tile.Face
		Opened        []bool
	}
	Want struct {
		Points, Wins []score.Twelfth
		Charges      []score.Charge
	}
}

func TestScoreAgreesWithTheSharedCases(t *testing.T) {
	rules := presets(t)
	for i, c := range cases[scoreCase](t, "score.jsonl", 60) {
		hands := make([]score.Hand, len(c.Case.Racks))
		for j := range hands {
			hands[j] = score.Hand{Rack: c.Case.Racks[j], Opened: c.Case.Opened[j]}
		}
		o, err := score.Score(rules[c.Case.Rules], c.Case.Ending, hands)
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
func charged(t testing.TB, points int) score.Hand {
	h := score.Hand{Opened: true}
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

func opened(t testing.TB, text string) score.Hand {
	return score.Hand{Rack: rack(t, text), Opened: true}
}

func closed(t testing.TB, text string) score.Hand { return score.Hand{Rack: rack(t, text)} }

func TestScore(t *testing.T) {
	const able, unable = "R10 B10 K10 O1", "R10 B10 K9 O1 R2"
	for _, c := range []struct {
		name, preset, ending string
		change               string
		hands                []score.Hand
		points, wins         []score.Twelfth // in twelfths
		charges              []int
	}{
		{"example 1, wrc", "wrc", score.Emptied, `{}`, []score.Hand{opened(t, ""), opened(t, "R3 K13"),
			opened(t, "J O2")}, []score.Twelfth{118 * 12, -16 * 12, -102 * 12}, []score.Twelfth{12, 0, 0},
			[]int{0, 16, 102}},
		{"example 1, wrc-50", "wrc-50", score.Emptied, `{}`,
			[]score.Hand{opened(t, ""), opened(t, "R3 K13"), opened(t, "J O2")},
			[]score.Twelfth{68 * 12, -16 * 12, -52 * 12}, []score.Twelfth{12, 0, 0}, []int{0, 16, 52}},
		{"example 2, able", "wrc", score.Emptied, `{}`, []score.Hand{opened(t, ""), closed(t, able)},
			[]score.Twelfth{2400, -2400}, []score.Twelfth{12, 0}, []int{0, 200}},
		{"example 2, unable", "wrc", score.Emptied, `{}`, []score.Hand{opened(t, ""), closed(t, unable)},
			[]score.Twelfth{1200, -1200}, []score.Twelfth{12, 0}, []int{0, 100}},
		{"example 3, wrc", "wrc", score.Exhausted, `{}`, []score.Hand{charged(t, 20), charged(t, 5), charged(t, 12),
			charged(t, 40)}, []score.Twelfth{-15 * 12, 0, -7 * 12, -35 * 12}, []score.Twelfth{0, 12, 0, 0},
			[]int{20, 5, 12, 40}},
		{"example 3, wrc-50", "wrc-50", score.Exhausted, `{}`,
			[]score.Hand{charged(t, 20), charged(t, 5), charged(t, 12), charged(t, 40)},
			[]score.Twelfth{-15 * 12, 57 * 12, -7 * 12, -35 * 12}, []score.Twelfth{0, 12, 0, 0},
			[]int{20, 5, 12, 40}},
		{"two share a win and the points", "wrc-50", score.Exhausted, `{}`,
			[]score.Hand{charged(t, 5), charged(t, 5), charged(t, 12)}, []score.Twelfth{42, 42, -84},
			[]score.Twelfth{6, 6, 0}, []int{5, 5, 12}},
		{"three share", "club", score.Exhausted, `{}`, []score.Hand{charged(t, 5), charged(t, 5), charged(t, 5),
			charged(t, 6)}, []score.Twelfth{4, 4, 4, -12}, []score.Twelfth{4, 4, 4, 0}, []int{5, 5, 5, 6}},
		{"four share nothing", "wrc", score.Exhausted, `{}`,
			[]score.Hand{charged(t, 5), charged(t, 5), charged(t, 5), charged(t, 5)}, []score.Twelfth{0, 0, 0, 0},
			[]score.Twelfth{3, 3, 3, 3}, []int{5, 5, 5, 5}},
		{"penalty points, emptied", "casual", score.Emptied, `{}`,
			[]score.Hand{opened(t, "R5"), opened(t, ""), closed(t, "J")}, []score.Twelfth{60, 0, 360},
			[]score.Twelfth{0, 12, 0}, []int{5, 0, 30}},
		{"penalty points, exhausted", "casual", score.Exhausted, `{}`,
			[]score.Hand{charged(t, 20), charged(t, 5), charged(t, 12)}, []score.Twelfth{180, 0, 84},
			[]score.Twelfth{0, 12, 0}, []int{20, 5, 12}},
		{"penalty points with a bonus", "casual", score.Emptied, `{"win_bonus":10}`,
			[]score.Hand{opened(t, "R5"), opened(t, "")}, []score.Twelfth{60, -120}, []score.Twelfth{0, 12},
			[]int{5, 0}},
		{"the winner scores nothing", "wrc", score.Emptied, `{"winner_scores":"zero"}`,
			[]score.Hand{opened(t, ""), opened(t, "R5")}, []score.Twelfth{0, -60}, []score.Twelfth{12, 0},
			[]int{0, 5}},
		{"a bonus for the win", "wrc", score.Emptied, `{"win_bonus":100}`,
			[]score.Hand{opened(t, ""), opened(t, "R5")}, []score.Twelfth{105 * 12, -60}, []score.Twelfth{12, 0},
			[]int{0, 5}},
		{"a bonus shared", "wrc", score.Exhausted, `{"win_bonus":100}`,
			[]score.Hand{charged(t, 5), charged(t, 5), charged(t, 6)}, []score.Twelfth{600, 600, -12},
			[]score.Twelfth{6, 6, 0}, []int{5, 5, 6}},
		{"no meld added to the rack", "wrc", score.Emptied, `{"no_meld_counts":"added"}`,
			[]score.Hand{opened(t, ""), closed(t, able)}, []score.Twelfth{231 * 12, -231 * 12},
			[]score.Twelfth{12, 0}, []int{0, 231}},
		{"no meld higher than the rack", "wrc", score.Emptied, `{"no_meld_counts":"higher"}`,
			[]score.Hand{opened(t, ""), closed(t, unable)}, []score.Twelfth{1200, -1200}, []score.Twelfth{12, 0},
			[]int{0, 100}},
		{"no meld lower than the rack", "wrc", score.Emptied, `{"no_meld_counts":"higher","no_meld_unable":20}`,
			[]score.Hand{opened(t, ""), closed(t, unable)}, []score.Twelfth{32 * 12, -32 * 12},
			[]score.Twelfth{12, 0}, []int{0, 32}},
		{"no meld lower than the rack, instead", "wrc", score.Emptied, `{"no_meld_unable":20}`,
			[]score.Hand{opened(t, ""), closed(t, unable)}, []score.Twelfth{20 * 12, -20 * 12},
			[]score.Twelfth{12, 0}, []int{0, 20}},
		{"able at an earlier turn does not count at the end", "wrc", score.Emptied, `{}`,
			[]score.Hand{opened(t, ""), {Rack: rack(t, unable), Able: true}}, []score.Twelfth{1200, -1200},
			[]score.Twelfth{12, 0}, []int{0, 100}},
		{"able at an earlier turn", "wrc", score.Emptied, `{"able_when":"any_turn"}`,
			[]score.Hand{opened(t, ""), {Rack: rack(t, unable), Able: true}}, []score.Twelfth{2400, -2400},
			[]score.Twelfth{12, 0}, []int{0, 200}},
		{"able with jokers only beside one tile", "wrc", score.Emptied, `{}`,
			[]score.Hand{opened(t, ""), closed(t, "R9 J J")}, []score.Twelfth{2400, -2400}, []score.Twelfth{12, 0},
			[]int{0, 200}},
		{"a higher meld", "wrc", score.Emptied, `{"meld_points":50}`, []score.Hand{opened(t, ""), closed(t, able)},
			[]score.Twelfth{1200, -1200}, []score.Twelfth{12, 0}, []int{0, 100}},
		{"no points needed, yet no set", "wrc", score.Emptied, `{"meld_points":0}`,
			[]score.Hand{opened(t, ""), closed(t, "R1 B2 K3 J")}, []score.Twelfth{1200, -1200},
			[]score.Twelfth{12, 0}, []int{0, 100}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := ruleset.ParseRuleset(presets(t)[c.preset], []byte(c.change))
			if err != nil {
				t.Fatal(err)
			}
			o, err := score.Score(r, c.ending, c.hands)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(o.Points, c.points) || !slices.Equal(o.Wins, c.wins) {
				t.Errorf("points %v wins %v, want %v %v", o.Points, o.Wins, c.points, c.wins)
			}
			var total score.Twelfth
			for _, p := range o.Points {
				total += p
			}
			want, fixed := score.Balance(r, c.ending)
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
		want                   score.Twelfth
		fixed                  bool
	}{
		{"wrc", score.Emptied, `{}`, 0, true},
		{"wrc", score.Forfeited, `{"win_bonus":100}`, 1200, true},
		{"wrc", score.Exhausted, `{}`, 0, false}, // the winner gets nothing
		{"wrc-50", score.Exhausted, `{}`, 0, true},
		{"wrc-50", ruleset.EndedStuck, `{}`, 0, true},
		{"wrc", ruleset.EndedLastLap, `{}`, 0, false},
		{"wrc", ruleset.EndedEmptied, `{}`, 0, true},
		{"wrc", score.Emptied, `{"winner_scores":"zero"}`, 0, false},
		{"casual", score.Emptied, `{}`, 0, false}, // penalty points
		{"wrc", "annulled", `{}`, 0, false},
	} {
		r, err := ruleset.ParseRuleset(presets(t)[c.preset], []byte(c.change))
		if err != nil {
			t.Fatal(err)
		}
		if sum, fixed := score.Balance(r, c.ending); sum != c.want || fixed != c.fixed {
			t.Errorf("%s %s %s: got %v %v", c.preset, c.ending, c.change, sum, fixed)
		}
	}
}

func TestWhatCannotBeScored(t *testing.T) {
	r := presets(t)["wrc"]
	for name, c := range map[string]struct {
		ending string
		hands  []score.Hand
	}{
		"nobody emptied":     {score.Emptied, []score.Hand{opened(t, "R1"), opened(t, "R2")}},
		"two emptied":        {score.Emptied, []score.Hand{opened(t, ""), opened(t, "")}},
		"an unknown ending":  {"over", []score.Hand{opened(t, ""), opened(t, "R2")}},
		"one player":         {score.Exhausted, []score.Hand{opened(t, "")}},
		"five at one table":  {score.Exhausted, make([]score.Hand, 5)},
		"no ending is given": {"", []score.Hand{opened(t, ""), opened(t, "R1")}},
	} {
		t.Run(name, func(t *testing.T) {
			if o, err := score.Score(r, c.ending, c.hands); err == nil {
				t.Errorf("scored %+v", o)
			}
		})
	}
}

func TestTwelfths(t *testing.T) {
	for _, c := range []struct {
		amount             score.Twelfth
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
		var back score.Twelfth
		if err := json.Unmarshal(text, &back); err != nil || back != c.amount {
			t.Errorf("%s read as %d", text, int64(back))
		}
		if c.amount.String() != c.text || c.amount.Signed() != c.signed {
			t.Errorf("%d: %s %s", int64(c.amount), c.amount, c.amount.Signed())
		}
	}
	var bad score.Twelfth
	if json.Unmarshal([]byte(`"x"`), &bad) == nil {
		t.Error("a text was read as points")
	}
}
