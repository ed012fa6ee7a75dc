package view

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"meldhall/engine/ruleset"
	"meldhall/templates/desk"
	"meldhall/templates/locale"
	"meldhall/templates/regulations"
	"meldhall/tournament"
	"meldhall/tournament/format"
	"meldhall/tournament/game"
	"meldhall/tournament/preset"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
	"meldhall/tournament/standing"
)

// StageNote describes who plays a stage and how, in the reader's language, such as: for the best 8 · 4 games a round.
func StageNote(ctx context.Context, s format.Stage) string {
	var parts []string
	add := func(key string, n int) { parts = append(parts, locale.T(ctx, key, "n", n)) }
	switch {
	case s.Fill != "":
		add("stage.per_table", s.PerTable)
		add("stage.fill_"+s.Fill, s.Cut)
	case s.Cut > 0:
		add("stage.cut", s.Cut)
	case s.PerTable > 0:
		add("stage.per_table", s.PerTable)
	}
	if s.TableSize == 2 {
		add("stage.pairs", 2)
	}
	add("stage.games", s.GamesPerRound)
	switch s.Until {
	case format.UntilWins:
		add("stage.until_wins", s.UntilAt)
	case format.UntilPoints:
		add("stage.until_points", s.UntilAt)
	}
	if s.RoundMinutes > 0 {
		add("stage.minutes", s.RoundMinutes)
	}
	if s.CarryOver == format.CarryHalf {
		add("stage.carry_half", 0)
	}
	return strings.Join(parts, " · ")
}

// StageCounts describes which wins and points decide the places of those who reached a stage and no later one.
func StageCounts(ctx context.Context, stages []format.Stage, stage int) string {
	carry := format.CarryNone
	if stage > 0 && stages[stage].CarryOver != "" {
		carry = stages[stage].CarryOver
	}
	return locale.T(ctx, "rank.counts."+carry, "stage", StageName(ctx, stages, stage))
}

// entryNote describes how many players a format takes; empty if one table is enough.
func entryNote(ctx context.Context, f format.Format) string {
	least := 2
	for least < 1000 && f.For(least, 2, 4) != nil {
		least++
	}
	key := "format_players.least"
	switch {
	case f.PlayersMax > 0:
		key = "format_players.range"
	case f.PlayersStep > 1:
		key = "format_players.blocks"
	case least <= 4:
		return ""
	}
	return locale.T(ctx, key, "n", least, "most", f.PlayersMax, "step", f.PlayersStep)
}

// FormatNote describes a format in one line: its stages with their rounds, and how many players it takes.
func FormatNote(ctx context.Context, f format.Format) string {
	var parts []string
	for i, s := range f.Stages {
		rounds := locale.T(ctx, "stage.rounds", "n", s.Rounds)
		if s.Until != "" {
			rounds = locale.T(ctx, "stage.rounds_most", "n", s.Rounds)
		}
		parts = append(parts, StageName(ctx, f.Stages, i)+": "+rounds+", "+StageNote(ctx, s))
	}
	if entry := entryNote(ctx, f); entry != "" {
		parts = append(parts, entry)
	}
	return strings.Join(parts, "; ")
}

// FormatNamed returns a preset, or an organizer's own format named own-ID.
func (s *Reader) FormatNamed(ctx context.Context, actor rights.Actor, name string) (format.Format, error) {
	id, err := strconv.ParseInt(strings.TrimPrefix(name, OwnPrefix), 10, 64)
	if !strings.HasPrefix(name, OwnPrefix) || err != nil {
		return s.Presets.Format(name)
	}
	own, err := tournament.FindOwnFormat(ctx, s.Store, actor, id)
	if err != nil {
		return format.Format{}, err
	}
	return own.Format()
}

// RulesNamed returns the rules of a preset for a format, or an organizer's own rules named own-ID as they were saved,
// with the fields of a JSON object changed.
func (s *Reader) RulesNamed(ctx context.Context, actor rights.Actor, f format.Format, name string,
	changes []byte) (ruleset.Ruleset, error) {
	id, err := strconv.ParseInt(strings.TrimPrefix(name, OwnPrefix), 10, 64)
	if !strings.HasPrefix(name, OwnPrefix) || err != nil {
		return s.Presets.RulesetFor(f, name, changes)
	}
	own, err := tournament.FindOwnRules(ctx, s.Store, actor, id)
	if err != nil {
		return ruleset.Ruleset{}, err
	}
	rules, err := own.Rules()
	if err != nil || len(changes) == 0 {
		return rules, err
	}
	rules, err = ruleset.ParseRuleset(rules, changes)
	return rules, preset.AsRefusal(err)
}

// OwnPrefix marks an organizer's own format or rules among a tournament's choices.
const OwnPrefix = "own-"

// Regulations returns the chapters of a tournament's regulations, with the numbers of its own rule set.
func (s *Reader) Regulations(ctx context.Context, tournamentID int64) ([]regulations.Chapter, error) {
	t, err := tournament.TournamentByID(ctx, s.Store, tournamentID)
	if err != nil {
		return nil, err
	}
	plan, rules, err := t.Plan()
	if err != nil {
		return nil, err
	}
	parts, err := RegulationsParts(plan, rules)
	if err != nil {
		return nil, err
	}
	return regulations.Regulations(ctx, parts...)
}

// RegulationsParts returns the stages of a format under a rule set for regulations.Regulations.
func RegulationsParts(f format.Format, rules ruleset.Ruleset) ([]regulations.RegulationsPart, error) {
	parts := make([]regulations.RegulationsPart, len(f.Stages))
	for i := range f.Stages {
		own, err := preset.WithRules(rules, f.Stages[i].Rules)
		if err != nil {
			return nil, err
		}
		name := func(ctx context.Context) string { return StageName(ctx, f.Stages, i) }
		parts[i] = regulations.RegulationsPart{Stage: name, Rules: own, Ranking: stageRanking(f, i, rules.Standings)}
	}
	return parts, nil
}

// stageRanking returns how a stage is ranked. method applies if the stage names no ranking of its own.
func stageRanking(f format.Format, stage int, method string) regulations.StageRanking {
	plan, s := f.Stages[stage], f.ScoringOf(stage)
	r := regulations.StageRanking{By: cmp.Or(s.Ranking, method),
		PlayOff: s.Has(format.TiePlayOff), Lot: s.Has(format.TieLot), FirstTo: s.FirstTo,
		WinBonus: s.WinBonus, SecondBonus: s.SecondBonus, LossMost: s.LossMost, GainMost: s.GainMost,
		MinGames: s.MinGames, WinnerOnly: s.WinnerOnly, PerRound: s.TablePointsPer == format.PerRound,
		Cut: stage+1 < len(f.Stages), Divisions: f.Qualification.PerDivision, Pairs: plan.TableSize == 2,
		Until: plan.Until, UntilAt: plan.UntilAt}
	if stage > 0 {
		r.Carry = cmp.Or(plan.CarryOver, format.CarryNone)
	}
	if r.PlayOff || r.Lot {
		r.Decide = plan.Decide
	}
	order := func(s format.Scoring) []string {
		return standing.Order(standing.Input{Method: method, Stages: []standing.Stage{{Scoring: s}}}, 0)
	}
	alone := s
	alone.TieBreaks = nil
	for _, key := range order(s)[len(order(alone)):] {
		if key != format.TiePlayOff && key != format.TieLot {
			r.TieBreaks = append(r.TieBreaks, key)
		}
	}
	if r.By == format.ByTablePoints || s.Has(format.TieTablePoints) {
		for _, scale := range s.TablePoints {
			points := strings.Trim(strings.ReplaceAll(fmt.Sprint(scale), " ", ", "), "[]")
			r.TablePoints = append(r.TablePoints, regulations.TableScale{Players: len(scale), Points: points})
		}
	}
	return r
}

// Question returns the search text for the regulations, cut to questionMost characters.
func Question(text string) string {
	runes := []rune(spelling.Clean(text))
	return string(runes[:min(len(runes), questionMost)])
}

// SearchOf searches chapters for a question, for the page at an address.
func SearchOf(address templ.SafeURL, question string, chapters []regulations.Chapter) regulations.Search {
	s := regulations.Search{Address: address, Question: question, Chapters: chapters}
	for _, chapter := range SearchArticles(chapters, question) {
		for _, a := range chapter.Articles {
			s.Found = append(s.Found, a.Number)
		}
	}
	return s
}

// SearchArticles returns the articles that contain every word of a question, ignoring case, accents and vowel points.
// An empty question matches all articles.
func SearchArticles(chapters []regulations.Chapter, question string) []regulations.Chapter {
	words := strings.Fields(spelling.Search(question))
	if len(words) == 0 {
		return chapters
	}
	var found []regulations.Chapter
	for _, c := range chapters {
		left := slices.DeleteFunc(slices.Clone(c.Articles), func(a regulations.Article) bool {
			text := spelling.Search(a.Number + " " + a.Title + " " + a.Text)
			return slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
		})
		if len(left) > 0 {
			found = append(found, regulations.Chapter{Number: c.Number, Title: c.Title, Articles: left})
		}
	}
	return found
}

// questionMost limits the length of a search text.
const questionMost = 200

// RuledRules describes the rulings that change a tournament's rules. Those that apply from round first or later can be
// cancelled, unless the tournament is over.
func RuledRules(ctx context.Context, t tournament.Tournament, first int) (rulings []regulations.RuleRuling, err error) {
	all, err := t.RuleChanges()
	for i, r := range all {
		rulings = append(rulings, regulations.RuleRuling{Number: i + 1, Round: r.From, Rules: ruleSentences(ctx, r),
			By: ActorWords(ctx, r.By), Why: r.Why,
			Cancelled: r.Cancelled != 0, MayCancel: r.Cancelled == 0 && r.From >= first &&
				t.Status != tournament.StatusFinished})
	}
	return rulings, err
}

func ruleSentences(ctx context.Context, r game.RuleChange) (said []regulations.RuleSaid) {
	for _, name := range desk.RuleOrder() {
		if value, ok := r.Rules[name]; ok {
			said = append(said, regulations.RuleSaid{Text: desk.RuleSentence(ctx, name, value),
				Article: desk.RuleArticle(name)})
		}
	}
	return said
}
