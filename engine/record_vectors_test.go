package engine_test

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"meldhall/engine/judge"
	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/engine/tile"
)

// ruled is the part of a vector of data/record/vectors that names its rules: a preset of the file, and changed fields.
type ruled struct {
	Name, Rules string
	Change      map[string]any
}

func (r ruled) ruleset(t *testing.T, presets map[string]ruleset.Ruleset) ruleset.Ruleset {
	t.Helper()
	preset, known := presets[r.Rules]
	if !known {
		t.Fatalf("%s: no rules %s", r.Name, r.Rules)
	}
	rules, err := preset.With(r.Change)
	if err != nil {
		t.Fatalf("%s: %v", r.Name, err)
	}
	return rules
}

func recordVectors(t *testing.T, file string, into any) {
	t.Helper()
	text, err := os.ReadFile("../data/record/vectors/" + file)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestPlayVectors(t *testing.T) {
	var v struct {
		Presets map[string]ruleset.Ruleset
		Plays   []struct {
			ruled
			Opened, Relief bool
			Before, After  []string
			Rack           string
			Want           judge.Verdict
		}
	}
	recordVectors(t, "plays.json", &v)
	parsed := func(texts []string) (all [][]tile.Face) {
		for _, text := range texts {
			all = append(all, rack(t, text))
		}
		return all
	}
	for _, c := range v.Plays {
		is := judge.Judge(c.ruleset(t, v.Presets), judge.Move{Opened: c.Opened, Relief: c.Relief,
			Before: parsed(c.Before), Rack: rack(t, c.Rack), After: parsed(c.After)})
		if is.Legal != c.Want.Legal || is.Code != c.Want.Code || is.Points != c.Want.Points {
			t.Errorf("%s: %+v, want %+v", c.Name, is, c.Want)
		}
	}
	t.Logf("%d vectors", len(v.Plays))
}

func TestScoreVectors(t *testing.T) {
	var v struct {
		Presets map[string]ruleset.Ruleset
		Scores  []struct {
			ruled
			Ending string
			Hands  []struct {
				Rack              string
				Opened, Able, Out bool
			}
			Want score.Outcome
		}
	}
	recordVectors(t, "scores.json", &v)
	for _, c := range v.Scores {
		hands := make([]score.Hand, len(c.Hands))
		for i, h := range c.Hands {
			hands[i] = score.Hand{Rack: rack(t, h.Rack), Opened: h.Opened, Able: h.Able, Out: h.Out}
		}
		is, err := score.Score(c.ruleset(t, v.Presets), c.Ending, hands)
		if err != nil || !slices.Equal(is.Points, c.Want.Points) || !slices.Equal(is.Wins, c.Want.Wins) ||
			!slices.Equal(is.Charges, c.Want.Charges) {
			t.Errorf("%s: %+v, %v, want %+v", c.Name, is, err, c.Want)
		}
	}
	t.Logf("%d vectors", len(v.Scores))
}
