package regulations

import (
	"encoding/json"
	"strings"
	"testing"
	"text/template"

	"meldhall/data"
	"meldhall/engine/ruleset"
)

// TestFill compares all articles with what package text/template makes of them, for all rule presets and three
// rankings.
func TestFill(t *testing.T) {
	rankings := []StageRanking{
		{By: "wins"},
		{By: "points", TieBreaks: []string{"table_points"}, Decide: 3, Carry: "half", Until: "points"},
		{By: "table_points", TablePoints: []TableScale{{4, "4 3 2 1"}, {3, "3 2 1"}}, Carry: "all", Until: "wins",
			TieBreaks: []string{"wins", "points", "opponents", "best_game"}, PlayOff: true, Lot: true, Decide: 1,
			Divisions: true, Cut: true, FirstTo: 3, WinBonus: 4, SecondBonus: 2, LossMost: 3, GainMost: 9, MinGames: 2,
			WinnerOnly: true, PerRound: true, UntilAt: 4, Pairs: true},
	}
	words, functions := map[string]func(int) string{}, template.FuncMap{}
	for _, name := range []string{"tiles", "seconds", "points"} {
		words[name] = func(n int) string { return strings.Repeat(name, n%3) }
		functions[name] = words[name]
	}
	files, err := data.Rules.ReadDir("rules")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := data.Rules.ReadFile("rules/" + file.Name())
		var rules ruleset.Ruleset
		if err == nil {
			err = json.Unmarshal(text, &rules)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, ranking := range rankings {
			fields, err := ruleFields(rules)
			if err != nil {
				t.Fatal(err)
			}
			fields["ranking"] = ranking
			for language, chapters := range ByLanguage {
				for _, chapter := range chapters {
					for _, a := range chapter.Articles {
						var want strings.Builder
						tree := template.New("").Funcs(functions).Option("missingkey=error")
						if err := template.Must(tree.Parse(a.Text)).Execute(&want, fields); err != nil {
							t.Fatal(err)
						}
						if got, err := fill(a.Text, words, fields); err != nil || got != want.String() {
							t.Errorf("%s, %s, %s: got %q, %v, want %q", file.Name(), language, a.Number,
								got, err, &want)
						}
					}
				}
			}
		}
	}
}

// TestFillRefuses checks that a mistake in an article is an error.
func TestFillRefuses(t *testing.T) {
	words := map[string]func(int) string{"tiles": func(int) string { return "" }}
	fields := map[string]any{"n": 1, "text": "a", "ranking": StageRanking{}}
	for _, text := range []string{"{{.m}}", "{{.ranking.Nothing}}", "{{.n.deeper}}", "{{tiles .text}}", "{{tiles}}",
		"{{gt .text 1}}", "{{eq .n}}", "{{with .n}}{{end}}", "{{range .ranking.TieBreaks}}{{end}}",
		"{{range $i, $x := .n}}{{end}}", "{{.n | tiles}}", "{{if .n}}", "{{nothing .n}}"} {
		if got, err := fill(text, words, fields); err == nil {
			t.Errorf("%s: got %q, want an error", text, got)
		}
	}
}
