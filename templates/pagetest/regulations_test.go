package pagetest

import (
	"encoding/json"
	"io/fs"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"meldhall/data"
	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/templates/locale"
	"meldhall/templates/regulations"
)

// variants returns all presets, each also with every word and switch set to each possible value.
func variants(t *testing.T) []ruleset.Ruleset {
	t.Helper()
	var all []ruleset.Ruleset
	files, err := fs.Glob(data.Rules, "rules/*.json")
	if err != nil || len(files) < 5 {
		t.Fatal(files, err)
	}
	words := map[string][]any{
		"illegal_play": {"reject", "penalty"}, "leftovers": {"to_rack", "to_pool"},
		"joker_release": {"anywhere", "with_rack_tile"},
		"joker_replace": {"free", "table_or_rack", "rack"}, "no_meld_counts": {"instead", "added", "higher"},
		"able_when": {"at_end", "any_turn"},
		"redeal":    {"before_start", "own_first_turn", "off"}, "starter": {"draw", "rotate"},
		"exhausted":        {"last_lap", "until_stuck"},
		"exhausted_winner": {"zero", "collects"}, "winner_scores": {"collects", "zero"},
		"points":    {"plus_minus", "penalty"},
		"standings": {"wins_points", "points", "lowest_points"}, "last_to_open_relief": {true, false},
		"assist":       {"none", "on", ""},
		"turn_seconds": {0, 1, 2, 40}, "timeout_tiles": {0, 1, 2, 3}, "illegal_tiles": {0, 1}, "idle_tiles": {0, 1},
		"meld_points": {0, 1, 30},
		"grace_ms":    {0, 300}, "win_bonus": {0, 100}, "ends_at": {0, 500}, "start_seconds": {0, 30},
		"joker_points": {1, 2, 30},
	}
	for _, name := range files {
		text, err := data.Rules.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		base, err := ruleset.ParseRuleset(ruleset.Ruleset{}, text)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, base)
		for field, values := range words {
			for _, value := range values {
				change, _ := json.Marshal(map[string]any{field: value})
				r, err := ruleset.ParseRuleset(base, change)
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, r)
			}
		}
	}
	return all
}

func numbers(chapters []regulations.Chapter) (all []string) {
	for _, c := range chapters {
		for _, a := range c.Articles {
			all = append(all, a.Number)
		}
	}
	return all
}

// TestRegulationsInEnglish checks that a language without regulations shows them in English, with English numbers, and
// says so.
func TestRegulationsInEnglish(t *testing.T) {
	polish := locale.WithLanguage(t.Context(), "pl")
	got, err := regulations.Regulations(polish, regulations.RegulationsPart{Rules: variants(t)[0]})
	want, err2 := regulations.Regulations(t.Context(), regulations.RegulationsPart{Rules: variants(t)[0]})
	if err != nil || err2 != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("the Polish regulations are not the English ones: %v, %v", err, err2)
	}
	var page strings.Builder
	if err := regulations.RegulationsText(regulations.RegulationsView{Event: 1,
		Search: regulations.Search{Chapters: got}}).Render(polish, &page); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Artykuły są po angielsku.", `<section class="chapter" lang="en"`} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page in Polish lacks %q", want)
		}
	}
}

func TestRegulationsAreWholeInEveryLanguage(t *testing.T) {
	english := regulations.ByLanguage["en"]
	want := numbers(english)
	if len(want) < 60 {
		t.Fatalf("only %d articles", len(want))
	}
	for _, l := range locale.Carried.Whole().Languages {
		own, ok := regulations.ByLanguage[l.Tag]
		if !ok {
			t.Errorf("%s has no regulations", l.Tag)
			continue
		}
		if got := numbers(own); !slices.Equal(got, want) {
			t.Errorf("%s: got the articles %v, want %v", l.Tag, got, want)
		}
		for i, c := range own {
			if strings.TrimSpace(c.Title) == "" {
				t.Errorf("%s: chapter %d has no title", l.Tag, c.Number)
			}
			for j, a := range c.Articles {
				if a.Number != locale.Num(i+1)+"."+locale.Num(j+1) {
					t.Errorf("%s: %s stands as article %d of chapter %d", l.Tag, a.Number, j+1, i+1)
				}
				if strings.TrimSpace(a.Title) == "" || strings.TrimSpace(a.Text) == "" {
					t.Errorf("%s: %s is empty", l.Tag, a.Number)
				}
				if i < len(english) && j < len(english[i].Articles) {
					if got, want := asked(a.Text), asked(english[i].Articles[j].Text); !slices.Equal(got, want) {
						t.Errorf("%s: %s asks for the fields %v, want %v", l.Tag, a.Number, got, want)
					}
				}
			}
		}
	}
}

var (
	actions  = regexp.MustCompile(`\{\{[^}]*\}\}`)
	citation = regexp.MustCompile(`\b\d{1,2}\.\d{1,2}\b`)
)

// asked returns the template actions in a text, sorted.
func asked(text string) []string {
	found := actions.FindAllString(text, -1)
	slices.Sort(found)
	return found
}

func TestRegulationsHoldUnderEveryRuleSet(t *testing.T) {
	for _, l := range locale.LanguagesOf(t.Context()) {
		ctx := locale.WithLanguage(t.Context(), l.Tag)
		texts := map[string]map[string]bool{}
		for _, rules := range variants(t) {
			chapters, err := regulations.Regulations(ctx, regulations.RegulationsPart{Rules: rules})
			if err != nil {
				t.Fatalf("%s, %s: %v", l.Tag, rules.Name, err)
			}
			for _, c := range chapters {
				for _, a := range c.Articles {
					if strings.TrimSpace(a.Text) == "" || strings.ContainsAny(a.Text, "{}<>") ||
						strings.Contains(a.Text, "regulations.") || strings.Contains(a.Text, "  ") {
						t.Errorf("%s, %s: %s says %q", l.Tag, rules.Name, a.Number, a.Text)
					}
					if texts[a.Number] == nil {
						texts[a.Number] = map[string]bool{}
					}
					texts[a.Number][a.Text] = true
				}
			}
		}
		for _, number := range []string{"3.4", "3.6", "3.7", "4.3", "4.4", "4.5", "4.6", "4.7", "5.1", "5.3", "6.1",
			"6.2", "6.4", "6.5", "6.6", "6.7"} {
			if len(texts[number]) < 2 {
				t.Errorf("%s: %s says the same under every rule set", l.Tag, number)
			}
		}
	}
}

func TestRegulationsCiteArticlesThatExist(t *testing.T) {
	for language, chapters := range regulations.ByLanguage {
		cited := 0
		for _, c := range chapters {
			for _, a := range c.Articles {
				for _, number := range citation.FindAllString(a.Text, -1) {
					cited++
					if !hasArticle(number) {
						t.Errorf("%s: %s cites %s, which does not exist", language, a.Number, number)
					}
				}
			}
		}
		if cited < 5 {
			t.Errorf("%s: only %d citations were found", language, cited)
		}
	}
	cited := map[string]bool{}
	for _, kind := range engine.RulingKinds() {
		for _, reason := range kind.Reasons {
			if cited[reason.Rule] = true; !hasArticle(reason.Rule) {
				t.Errorf("the ruling %s cites %s, which does not exist", kind.Name, reason.Rule)
			}
		}
	}
	if len(cited) < 20 {
		t.Errorf("only %d articles are cited by rulings", len(cited))
	}
}

func hasArticle(number string) bool {
	_, ok := regulations.ArticleIn(regulations.ByLanguage["en"], number)
	return ok
}
