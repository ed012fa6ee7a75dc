package view_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"meldhall/data"
	"meldhall/engine/ruleset"
	"meldhall/templates/locale"
	"meldhall/templates/regulations"
	"meldhall/tournament"
	"meldhall/tournament/format"
	"meldhall/tournament/preset"
	"meldhall/web/view"
)

// regulated is a rule set combined with a format.
type regulated struct {
	name   string
	rules  ruleset.Ruleset
	format format.Format
}

// anyStage reports whether so holds for any stage; ranking is the name of the stage's ranking.
func (p regulated) anyStage(so func(ranking string, s format.Scoring) bool) bool {
	for i := range p.format.Stages {
		s := p.format.ScoringOf(i)
		if so(cmp.Or(s.Ranking, p.rules.Standings), s) {
			return true
		}
	}
	return false
}

func (p regulated) anyPlan(so func(stage int, s format.Stage) bool) bool {
	for i, s := range p.format.Stages {
		if so(i, s) {
			return true
		}
	}
	return false
}

func (p regulated) ranks(by ...string) bool {
	return p.anyStage(func(ranking string, _ format.Scoring) bool { return slices.Contains(by, ranking) })
}

func (p regulated) breaks(tie string) bool {
	return p.anyStage(func(_ string, s format.Scoring) bool { return s.Has(tie) })
}

func (p regulated) timed() bool { return p.rules.TurnSeconds > 0 }

func (p regulated) lowest() bool { return p.rules.Points == ruleset.Penalty }

// decides reports whether a tie-break, such as a lot or a play-off, may decide first places at the end.
func (p regulated) decides(tie string) bool {
	return p.anyPlan(func(i int, s format.Stage) bool { return s.Decide > 0 && p.format.ScoringOf(i).Has(tie) })
}

// plans returns all combinations of preset rules and formats, and some plans that no preset has.
func plans(t *testing.T) (all []regulated) {
	t.Helper()
	library, err := preset.Load(data.Rules, data.Formats)
	if err != nil {
		t.Fatal(err)
	}
	add := func(name string, f format.Format, rules ruleset.Ruleset) {
		if tournament.CheckRules(f, rules) == nil {
			all = append(all, regulated{name: name, rules: rules, format: f})
		}
	}
	for rules := range library.Rules {
		for name, f := range library.Formats {
			own, err := library.RulesetFor(f, rules, nil)
			if err != nil {
				t.Fatal(err)
			}
			add(rules+" and "+name, f, own)
			own.WinBonus, own.LastToOpenRelief, own.IllegalPlay = 100, true, ruleset.Penalty
			add(rules+" with a bonus and "+name, f, own)
			own.TurnSeconds, own.Penalties = 0, ruleset.Proposed
			f.Scoring = format.Scoring{Ranking: cmp.Or(f.Scoring.Ranking, own.Standings), SecondBonus: 10, WinBonus: 20,
				LossMost: 150, GainMost: 90, MinGames: 3,
				TablePoints: f.Scoring.TablePoints, TablePointsPer: f.Scoring.TablePointsPer,
				TieBreaks: f.Scoring.TieBreaks}
			add(rules+" without a clock and "+name+" with bonuses", f, own)
		}
	}
	if len(all) < 150 {
		t.Fatalf("%d plans", len(all))
	}
	return all
}

func articlesOf(t *testing.T, p regulated, language string) map[string]string {
	t.Helper()
	parts, err := view.RegulationsParts(p.format, p.rules)
	if err != nil {
		t.Fatal(err)
	}
	chapters, err := regulations.Regulations(locale.WithLanguage(t.Context(), language), parts...)
	if err != nil {
		t.Fatalf("%s: %v", p.name, err)
	}
	texts := map[string]string{}
	for _, c := range chapters {
		for _, a := range c.Articles {
			texts[a.Number] = a.Text
		}
	}
	return texts
}

// clauses lists the words of articles and the plans that they apply to.
var clauses = []struct {
	article, words string
	holds          func(regulated) bool
}{
	{"3.4", "two sets laid at once", func(p regulated) bool { return p.rules.LastToOpenRelief }},
	{"4.3", "no time limit", func(p regulated) bool { return !p.timed() }},
	{"4.6", "clock", func(p regulated) bool { return p.timed() && p.rules.IllegalPlay == ruleset.Reject }},
	{"4.6", "the player may mend it", func(p regulated) bool { return p.rules.IllegalPlay == ruleset.Reject }},
	{"5.2", "Two players sit at a table", func(p regulated) bool {
		return p.anyPlan(func(_ int, s format.Stage) bool { return s.TableSize == 2 })
	}},
	{"6.1", "A win counts 100 points besides.", func(p regulated) bool { return p.rules.WinBonus > 0 && !p.lowest() }},
	{"6.1", "A win counts −100 points besides.", func(p regulated) bool { return p.rules.WinBonus > 0 && p.lowest() }},
	{"6.6", "under the relief of 3.4", func(p regulated) bool {
		return p.rules.LastToOpenRelief &&
			p.rules.NoMeldAble > 0
	}},
	{"6.7", "The number of wins decides the order, then the points.",
		func(p regulated) bool { return p.ranks(format.WinsPoints) }},
	{"6.7", "The number of wins decides the order.", func(p regulated) bool { return p.ranks(format.WinsOnly) }},
	{"6.7", "The points of all games decide the order.", func(p regulated) bool { return p.ranks(format.PointsOnly) }},
	{"6.7", "The lowest total of points leads.", func(p regulated) bool { return p.ranks(format.LowestPoints) }},
	{"6.7", "The table points decide the order.", func(p regulated) bool { return p.ranks(format.ByTablePoints) }},
	{"6.7", "4, 3, 1, 0 at a table of 4", func(p regulated) bool {
		return p.anyStage(func(r string, s format.Scoring) bool {
			return r == format.ByTablePoints && len(s.TablePoints) > 0 &&
				slices.Equal(s.TablePoints[0], []int{4, 3, 1, 0})
		})
	}},
	{"6.7", "Players who have reached 4 wins stand first", func(p regulated) bool { return p.ranks(format.FirstTo) }},
	{"6.7", "Each game won adds 100 points.", func(p regulated) bool {
		return p.anyStage(func(_ string, s format.Scoring) bool { return s.WinBonus == 100 })
	}},
	{"6.7", "Each game won adds 20 points.", func(p regulated) bool {
		return !p.lowest() && p.anyStage(func(_ string, s format.Scoring) bool { return s.WinBonus == 20 })
	}},
	{"6.7", "Each game won takes off 20 points.", func(p regulated) bool {
		return p.lowest() && p.anyStage(func(_ string, s format.Scoring) bool { return s.WinBonus == 20 })
	}},
	{"6.7", "The second place in a game", func(p regulated) bool {
		return p.anyStage(func(_ string, s format.Scoring) bool { return s.SecondBonus > 0 })
	}},
	{"6.7", "loses more than 150 points", func(p regulated) bool {
		return p.anyStage(func(_ string, s format.Scoring) bool { return s.LossMost > 0 })
	}},
	{"6.7", "wins more than 90 points", func(p regulated) bool {
		return p.anyStage(func(_ string, s format.Scoring) bool { return s.GainMost > 0 })
	}},
	{"6.7", "only the winner of a game gets its points", func(p regulated) bool {
		return p.anyStage(func(_ string, s format.Scoring) bool { return s.WinnerOnly })
	}},
	{"6.7", "games stand behind the others", func(p regulated) bool {
		return p.anyStage(func(_ string, s format.Scoring) bool { return s.MinGames > 0 })
	}},
	{"6.7", "the best single game", func(p regulated) bool { return p.breaks(format.TieBestGame) }},
	{"6.7", "the opponents’ results, which are the wins in this stage",
		func(p regulated) bool { return p.breaks(format.TieOpponents) }},
	{"6.7", "the turn order, in which", func(p regulated) bool { return p.breaks(format.TieTurnOrder) }},
	{"6.7", "a play-off", func(p regulated) bool { return p.breaks(format.TiePlayOff) }},
	{"6.7", "a draw of lots decides who goes on", func(p regulated) bool { return len(p.format.Stages) > 1 }},
	{"6.7", "a draw of lots decides.", func(p regulated) bool { return p.decides(format.TieLot) }},
	{"6.7", "first 3 of each division, for which a play-off decides",
		func(p regulated) bool { return p.format.Qualification.PerDivision && p.breaks(format.TiePlayOff) }},
	{"6.7", "Only the games of this stage count.", func(p regulated) bool {
		return p.anyPlan(func(i int, s format.Stage) bool { return i > 0 && s.CarryOver == format.CarryNone })
	}},
	{"6.7", "The results of the earlier stages count too.", func(p regulated) bool {
		return p.anyPlan(func(i int, s format.Stage) bool { return i > 0 && s.CarryOver == format.CarryAll })
	}},
	{"6.7", "Half of the results of the earlier stages", func(p regulated) bool {
		return p.anyPlan(func(i int, s format.Stage) bool { return i > 0 && s.CarryOver == format.CarryHalf })
	}},
	{"6.7", "a player has 4 wins", func(p regulated) bool {
		return p.anyPlan(func(_ int, s format.Stage) bool { return s.Until == format.UntilWins })
	}},
	{"6.7", "a player’s total reaches 500", func(p regulated) bool {
		return p.anyPlan(func(_ int, s format.Stage) bool { return s.Until == format.UntilPoints })
	}},
	{"6.7", "The event ends when a total reaches 500.", func(p regulated) bool {
		return p.rules.EndsAt > 0 && p.rules.Standings == ruleset.LowestPoints &&
			p.anyPlan(func(_ int, s format.Stage) bool { return s.Until != format.UntilPoints })
	}},
	{"7.7", "The clock", regulated.timed}, {"7.8", "The clock", regulated.timed},
	{"8.2", "does not stop the clock", regulated.timed},
	{"8.3", "or time", regulated.timed}, {"8.11", "time that was left", regulated.timed},
	{"10.2", "server’s clock", regulated.timed},
	{"10.3", "15 seconds", regulated.timed}, {"11.1", "keeps the time", regulated.timed},
	{"8.4", "gives no penalty by itself", func(p regulated) bool {
		return !p.timed() &&
			p.rules.IllegalPlay == ruleset.Reject
	}},
	{"8.7", "is added to a player’s total", regulated.lowest},
	{"8.7", "is taken off a player’s total", func(p regulated) bool { return !p.lowest() }},
}

// TestRegulationsFollowRulesAndFormat checks that the regulations contain the clauses that apply to a rule set and a
// format, and no others.
func TestRegulationsFollowRulesAndFormat(t *testing.T) {
	all := plans(t)
	seen := make([]int, len(clauses))
	for _, p := range all {
		texts := articlesOf(t, p, "en")
		for i, c := range clauses {
			said := strings.Contains(texts[c.article], c.words)
			if said {
				seen[i]++
			}
			if said != c.holds(p) {
				t.Errorf("%s: %s says %q: %v\n%s", p.name, c.article, c.words, said, texts[c.article])
			}
		}
	}
	for i, c := range clauses {
		if seen[i] == 0 || seen[i] == len(all) {
			t.Errorf("%s says %q in %d of %d plans", c.article, c.words, seen[i], len(all))
		}
	}
}

// TestRegulationsDifferAlikeInEveryLanguage checks that if the English text differs between two plans, the text of
// every other language differs too.
func TestRegulationsDifferAlikeInEveryLanguage(t *testing.T) {
	all := plans(t)
	for _, language := range []string{"it", "he"} {
		as := map[string]string{} // by article and English text
		back := map[string]string{}
		for _, p := range all {
			english, own := articlesOf(t, p, "en"), articlesOf(t, p, language)
			for number, text := range english {
				key, mine := number+" "+text, number+" "+own[number]
				if was, met := as[key]; met && was != mine {
					t.Fatalf("%s, %s: %q and %q", language, p.name, was, mine)
				}
				if was, met := back[mine]; met && was != key {
					t.Fatalf("%s, %s: %s is the same for %q and %q", language, p.name, number, was, key)
				}
				as[key], back[mine] = mine, key
				if strings.ContainsAny(own[number], "{}<>") || strings.Contains(own[number], "  ") ||
					strings.Contains(own[number], " .") {
					t.Fatalf("%s, %s: %s says %q", language, p.name, number, own[number])
				}
			}
		}
	}
}

// TestRegulationsNameTheStage checks that the regulations name a stage with its own rules or ranking.
func TestRegulationsNameTheStage(t *testing.T) {
	library, err := preset.Load(data.Rules, data.Formats)
	if err != nil {
		t.Fatal(err)
	}
	p := regulated{rules: library.Rules["wrc"]}
	p.format.Stages = []format.Stage{{Name: "preliminary", Rounds: 1},
		{Name: "Cup", Rounds: 1, Cut: 4, CarryOver: format.CarryNone,
			Scoring: &format.Scoring{Ranking: format.PointsOnly}}}
	parts, err := view.RegulationsParts(p.format, p.rules)
	if err != nil {
		t.Fatal(err)
	}
	parts[1].Rules.TurnSeconds = 90
	chapters, err := regulations.Regulations(t.Context(), parts...)
	if err != nil {
		t.Fatal(err)
	}
	for number, want := range map[string][]string{"6.7": {"Preliminaries: The number of wins",
		"Cup: The points of all games"}, "4.3": {"Preliminaries: A turn lasts 60 seconds",
		"Cup: A turn lasts 90 seconds"}} {
		a, _ := regulations.ArticleIn(chapters, number)
		for _, words := range want {
			if !strings.Contains(a.Text, words) {
				t.Errorf("%s lacks %q: %s", number, words, a.Text)
			}
		}
	}
	if a, _ := regulations.ArticleIn(chapters, "1.1"); strings.Contains(a.Text, "Cup") {
		t.Error(fmt.Sprint("1.1 names a stage: ", a.Text))
	}
}

func TestRegulationsAreSearched(t *testing.T) {
	library, err := preset.Load(data.Rules, data.Formats)
	if err != nil {
		t.Fatal(err)
	}
	rules, err := library.Ruleset("wrc", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ language, question, holds string }{
		{"en", "joker", "6.5"}, {"en", "  CHARGE Opened ", "6.6"}, {"en", "4.4", "4.4"},
		{"it", "penalita tessere", "8.5"}, {"it", "NÉ", "10.5"}, {"he", "ג׳וקר", "2.3"}, {"he", "עונש", "8.5"},
	} {
		chapters, err := regulations.Regulations(locale.WithLanguage(t.Context(), tc.language),
			regulations.RegulationsPart{Rules: rules})
		if err != nil {
			t.Fatal(err)
		}
		if all := view.SearchArticles(chapters, " "); len(articleNumbers(all)) != len(articleNumbers(chapters)) {
			t.Errorf("an empty question leaves %v", articleNumbers(all))
		}
		if none := view.SearchArticles(chapters, "xyzzy"); len(none) != 0 {
			t.Errorf("nothing holds xyzzy, yet %v are found", articleNumbers(none))
		}
		found := articleNumbers(view.SearchArticles(chapters, tc.question))
		if len(found) >= len(articleNumbers(chapters)) || !slices.Contains(found, tc.holds) {
			t.Errorf("%s %q finds %v, want %s among them and not all", tc.language, tc.question, found, tc.holds)
		}
	}
}

func articleNumbers(chapters []regulations.Chapter) (all []string) {
	for _, c := range chapters {
		for _, a := range c.Articles {
			all = append(all, a.Number)
		}
	}
	return all
}
