package format

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"meldhall/engine/ruleset"
)

// MaxRounds is the maximum number of rounds of a stage.
const MaxRounds = 40

// Limits of a format. No tournament comes near them, but they catch typing mistakes.
const (
	maxStages    = 8
	maxGames     = 20
	maxCut       = 5000
	maxMinutes   = 600
	maxPoints    = 100_000
	maxName      = 60 // characters
	maxDivisions = 8
	maxSeats     = 4
)

// Reasons why a field is invalid. Each has a text with the key format_why.<word>.
const (
	WhyEmpty      = "empty"
	WhyLong       = "long"
	WhyRange      = "range"
	WhyWord       = "word"
	WhyTwice      = "twice"
	WhyFirst      = "first_stage"
	WhyBefore     = "above_before"
	WhySeats      = "seats"
	WhyUntil      = "until_out_of_reach"
	WhyCutOrTable = "cut_or_table"
	WhyTablesOnce = "tables_differ"
	WhyPlaces     = "places"
	WhyLast       = "last_tie_break"
	WhyLastStage  = "last_stage"
	WhyNoDecision = "no_decision"
	WhyMinMax     = "min_max"
	WhyNoRule     = "no_rule"
	WhyRule       = "rule"
	WhyDivisions  = "no_divisions"
)

// Whys lists all reasons.
var Whys = []string{WhyEmpty, WhyLong, WhyRange, WhyWord, WhyTwice, WhyFirst, WhyBefore, WhySeats, WhyUntil,
	WhyCutOrTable,
	WhyTablesOnce, WhyPlaces, WhyLast, WhyLastStage, WhyNoDecision, WhyMinMax, WhyNoRule, WhyRule, WhyDivisions}

// Validate checks every field and returns the first problem, a *Problem, or nil.
func (f Format) Validate() error {
	if problems := f.Problems(); len(problems) > 0 {
		return problems[0]
	}
	return nil
}

// Problems returns the problems of all fields, in field order.
func (f Format) Problems() []*Problem {
	c := &checker{}
	c.name("name", f.Name)
	c.number("version", f.Version, 1, 1<<30)
	c.number("players_min", f.PlayersMin, 0, maxCut)
	c.number("players_max", f.PlayersMax, 0, maxCut)
	c.number("players_step", f.PlayersStep, 0, 100)
	if f.PlayersMax > 0 && f.PlayersMax < f.PlayersMin {
		c.add("players_max", f.PlayersMax, WhyMinMax)
	}
	if len(f.Divisions) > maxDivisions {
		c.add("divisions", len(f.Divisions), WhyRange, "lo", 0, "hi", maxDivisions)
	}
	for i, d := range f.Divisions {
		at := fmt.Sprintf("divisions[%d]", i)
		c.name(at, d)
		c.once(at, d, f.Divisions[:i])
	}
	c.number("qualification.berths", f.Qualification.Berths, 0, maxCut)
	c.number("qualification.per_players", f.Qualification.PerPlayers, 0, maxCut)
	c.number("qualification.reserves", f.Qualification.Reserves, 0, maxCut)
	if f.Qualification.PerDivision && len(f.Divisions) == 0 {
		c.add("qualification.per_division", true, WhyDivisions)
	}
	c.rules("rules", f.Rules)
	c.scoring("scoring", f.Scoring)
	if len(f.Stages) < 1 || len(f.Stages) > maxStages {
		c.add("stages", len(f.Stages), WhyRange, "lo", 1, "hi", maxStages)
	}
	for i := range f.Stages {
		c.stage(f, i)
	}
	return c.problems
}

// checker collects problems.
type checker struct{ problems []*Problem }

func (c *checker) add(field string, value any, why string, nameValues ...any) {
	c.problems = append(c.problems, FieldProblem(field, value, why, nameValues...))
}

// FieldProblem returns the problem of a field with an invalid value. why is one of Whys, or another word that has a
// text format_why.<word>. nameValues are further arguments of the text: name, value, name, value.
func FieldProblem(field string, value any, why string, nameValues ...any) *Problem {
	args := map[string]any{"field": field, "value": value}
	for i := 0; i+1 < len(nameValues); i += 2 {
		args[fmt.Sprint(nameValues[i])] = nameValues[i+1]
	}
	p := &Problem{Key: "err_format_field", Field: field, Args: maps.Clone(args)}
	p.Args["reason"], p.Args["why"] = why, &Problem{Key: "format_why." + why, Field: field, Args: args}
	return p
}

func (c *checker) name(field, value string) {
	switch {
	case value == "":
		c.add(field, "", WhyEmpty)
	case utf8.RuneCountInString(value) > maxName:
		c.add(field, value, WhyLong, "most", maxName)
	}
}

func (c *checker) number(field string, value, lo, hi int) {
	if value < lo || value > hi {
		c.add(field, value, WhyRange, "lo", lo, "hi", hi)
	}
}

func (c *checker) word(field, value string, allowed []string) {
	if !slices.Contains(allowed, value) {
		c.add(field, value, WhyWord, "words", strings.Join(slices.DeleteFunc(slices.Clone(allowed),
			func(word string) bool { return word == "" }), ", "))
	}
}

func (c *checker) once(field, value string, before []string) {
	if slices.Contains(before, value) {
		c.add(field, value, WhyTwice)
	}
}

func (c *checker) stage(f Format, i int) {
	s := f.Stages[i]
	at := func(name string) string { return fmt.Sprintf("stages[%d].%s", i, name) }
	c.name(at("name"), s.Name)
	c.word(at("kind"), s.Kind, []string{Preliminary, Semi, Final})
	c.number(at("rounds"), s.Rounds, 1, MaxRounds)
	c.word(at("until"), s.Until, []string{"", UntilWins, UntilPoints})
	if s.Until != "" {
		c.number(at("until_at"), s.UntilAt, 1, maxPoints)
	}
	if s.Until == UntilWins && s.UntilAt > s.Rounds*s.GamesPerRound && s.UntilAt <= maxPoints {
		c.add(at("until_at"), s.UntilAt, WhyUntil, "games", s.Rounds*s.GamesPerRound)
	}
	c.number(at("games_per_round"), s.GamesPerRound, 1, maxGames)
	c.number(at("round_minutes"), s.RoundMinutes, 0, maxMinutes)
	if s.BreakMinutes != nil {
		c.number(at("break_minutes"), *s.BreakMinutes, 0, maxMinutes)
	}
	c.cut(f, i)
	if s.TableSize != 0 && s.TableSize != 2 {
		c.add(at("table_size"), s.TableSize, WhyWord, "words", "0, 2")
	}
	c.word(at("first_seating"), s.FirstSeating, append([]string{""}, Seatings...))
	c.word(at("seating"), s.Seating, Seatings)
	c.word(at("seat_change"), s.SeatChange, []string{EveryRound, Keep})
	c.word(at("carry_over"), s.CarryOver, Carries)
	c.rules(at("rules"), s.Rules)
	if s.Scoring != nil {
		c.scoring(at("scoring"), *s.Scoring)
	}
	c.decide(f, i, at("decide"))
}

// rules checks that each entry is a field of a rule set with an allowed value. Whether they fit the other fields can be
// checked only with a tournament's rules.
func (c *checker) rules(field string, rules map[string]any) {
	fields := ruleset.RuleFields()
	for _, name := range slices.Sorted(maps.Keys(rules)) {
		i := slices.IndexFunc(fields, func(f ruleset.RuleField) bool { return f.Name == name })
		switch {
		case i < 0:
			c.add(field+"."+name, rules[name], WhyNoRule, "rule", name)
		case !fields[i].Allows(rules[name]):
			c.add(field+"."+name, rules[name], WhyRule, "rule", name, "allowed", fields[i].Allowed())
		}
	}
}

func (c *checker) decide(f Format, i int, field string) {
	s := f.Stages[i]
	c.number(field, s.Decide, 0, maxCut)
	switch {
	case s.Decide == 0:
	case i < len(f.Stages)-1:
		c.add(field, s.Decide, WhyLastStage)
	case !f.ScoringOf(i).Has(TiePlayOff) && !f.ScoringOf(i).Has(TieLot):
		c.add(field, s.Decide, WhyNoDecision)
	}
}

func (c *checker) cut(f Format, i int) {
	s, field, perTable := f.Stages[i], fmt.Sprintf("stages[%d].cut", i), fmt.Sprintf("stages[%d].per_table", i)
	switch {
	case i == 0 && s.Cut != 0:
		c.add(field, s.Cut, WhyFirst)
	case i == 0 && s.PerTable != 0:
		c.add(perTable, s.PerTable, WhyFirst)
	case i == 0:
	case s.PerTable != 0 && (s.Cut == 0) != (s.Fill == ""):
		c.add(perTable, s.PerTable, WhyCutOrTable)
	case s.PerTable != 0:
		if s.Fill != "" {
			c.word(fmt.Sprintf("stages[%d].fill", i), s.Fill, Fills)
			c.places(f, i, field)
		}
		c.number(perTable, s.PerTable, 1, maxSeats-1)
		if before := f.Stages[i-1]; before.Rounds > 1 && before.SeatChange != Keep {
			c.add(perTable, s.PerTable, WhyTablesOnce)
		}
	case s.Fill != "":
		c.add(fmt.Sprintf("stages[%d].fill", i), s.Fill, WhyCutOrTable)
	default:
		c.places(f, i, field)
	}
}

// places checks the number of players who enter a stage.
func (c *checker) places(f Format, i int, field string) {
	switch s := f.Stages[i]; {
	case s.Cut < 2 || s.Cut > maxCut:
		c.number(field, s.Cut, 2, maxCut)
	default:
		if before := f.Stages[i-1].Cut; before != 0 && s.Cut >= before {
			c.add(field, s.Cut, WhyBefore, "before", before)
		}
		if _, ok := s.tables(s.Cut); !ok {
			c.add(field, s.Cut, WhySeats)
		}
	}
}

func (c *checker) scoring(at string, s Scoring) {
	field := func(name string) string { return at + "." + name }
	c.word(field("ranking"), s.Ranking, append([]string{""}, Rankings...))
	if s.Ranking == FirstTo {
		c.number(field("first_to"), s.FirstTo, 1, MaxRounds*maxGames)
	}
	c.word(field("table_points_per"), s.TablePointsPer, []string{"", PerGame, PerRound})
	if (s.Ranking == ByTablePoints || s.Has(TieTablePoints)) && len(s.TablePoints) == 0 {
		c.add(field("table_points"), "", WhyEmpty)
	}
	for i, places := range s.TablePoints {
		at := fmt.Sprintf("%s.table_points[%d]", at, i)
		if len(places) < 2 || len(places) > maxSeats {
			c.add(at, len(places), WhyPlaces, "most", maxSeats)
			continue
		}
		for _, points := range places {
			c.number(at, points, -maxPoints, maxPoints)
		}
	}
	for _, n := range []struct {
		name  string
		value int
	}{
		{"win_bonus", s.WinBonus}, {"second_bonus", s.SecondBonus}, {"loss_most", s.LossMost},
		{"gain_most", s.GainMost}, {"min_games", s.MinGames},
	} {
		c.number(field(n.name), n.value, 0, maxPoints)
	}
	for i, tie := range s.TieBreaks {
		at := fmt.Sprintf("%s.tie_breaks[%d]", at, i)
		c.word(at, tie, TieBreaks)
		c.once(at, tie, s.TieBreaks[:i])
		if i > 0 && s.TieBreaks[i-1] == TieLot {
			c.add(at, tie, WhyLast)
		}
	}
}
