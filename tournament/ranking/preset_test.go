package ranking_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/engine/testmode"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/eventtest"
	"meldhall/tournament/format"
	"meldhall/tournament/people"
	"meldhall/tournament/ranking"
	"meldhall/tournament/standing"
	"meldhall/tournament/store"
)

// presetEvents maps the shipped formats to the numbers of players and rounds of the tournaments they come from.
var presetEvents = map[string]struct{ players, rounds int }{
	"wrc": {33, 6}, "quick": {8, 3}, "open": {9, 3},
	"japan-2023": {32, 10}, "kdgame": {20, 5}, "kuwana": {8, 2}, "korea-2017": {48, 2}, "poland": {61, 5},
	"zory":         {60, 5},
	"germany-2024": {74, 4}, "wermelskirchen": {52, 3}, "belgium": {37, 5}, "netherlands": {84, 0}, "taiwan": {32, 4},
	"czech": {20, 0}, "gwinnett": {24, 3}, "mso": {16, 5}, "rounds": {12, 4}, "invite": {4, 0},
	"twipla": {16, 6}, "korea-2024": {48, 4}, "zorawina": {61, 5},
}

// TestPresetsToTheirChampions plays every shipped format with the real database, from the first seating to the end. The
// results are made up from a seed.
func TestPresetsToTheirChampions(t *testing.T) {
	p := eventtest.Presets(t)
	if len(p.Formats) != len(presetEvents) {
		t.Errorf("there are %d formats, %d are played", len(p.Formats), len(presetEvents))
	}
	for name, want := range presetEvents {
		if !testmode.Long && want.players > 16 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, ctx := eventtest.NewStore(t), context.Background()
			eventtest.DeskOf(s).Searches.Steps = 20_000 // the pairing package tests the quality of seats
			f, err := p.Format(name)
			if err != nil {
				t.Fatal(err)
			}
			rules, err := p.RulesetFor(f, "wrc", nil)
			if err != nil {
				t.Fatal(err)
			}
			eventtest.DeskOf(s).Seeds = eventtest.SeedsFrom(5)
			tour, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
				people.CreateTournament{Name: name, Format: f, Rules: rules})
			if err != nil {
				t.Fatal(err)
			}
			eventtest.EnterPlayers(t, s, tour, want.players)
			if len(f.Divisions) > 0 {
				eventtest.InDivisions(f.Divisions...)(t, s, tour)
			}
			field, err := f.Field(want.players, rules.SeatsMin, rules.SeatsMax)
			if err != nil {
				t.Fatal(err)
			}
			rounds, playOffs := playPreset(t, s, tour, field)
			if planned := rounds - playOffs; want.rounds != 0 && planned != want.rounds {
				t.Errorf("got %d rounds and %d play-offs, want %d", planned, playOffs, want.rounds)
			}
			st, err := ranking.StandingsOf(ctx, s, tour.ID)
			if err != nil {
				t.Fatal(err)
			}
			champions := st.Champions()
			if st.Tournament.Status != tournament.StatusFinished || len(champions) == 0 ||
				len(st.Rows) != want.players {
				t.Fatalf("got %s, %d champions, %d rows", st.Tournament.Status, len(champions), len(st.Rows))
			}
			last := f.Stages[len(f.Stages)-1]
			if last.Decide > 0 && len(champions) != 1 && !f.Qualification.PerDivision {
				t.Errorf("%d share the first place, which is to be decided", len(champions))
			}
			checkEnd(t, last, st)
			if f.Qualification.PerDivision {
				checkDivisions(t, s, tour, f)
			}
		})
	}
}

// TestPresetsCarryTheRulesOfTheirSources checks that a tournament has the rules from its format's source, whatever rule
// set it starts with.
func TestPresetsCarryTheRulesOfTheirSources(t *testing.T) {
	p := eventtest.Presets(t)
	for name, holds := range map[string]func(ruleset.Ruleset) bool{
		"kdgame": func(r ruleset.Ruleset) bool { return r.JokerPoints == 50 && r.LastToOpenRelief },
		"taiwan": func(r ruleset.Ruleset) bool {
			return r.Leftovers == ruleset.ToPool && r.TurnSeconds == 60 && r.NoMeldAble == 200
		},
		"belgium":      func(r ruleset.Ruleset) bool { return r.JokerPoints == 25 },
		"germany-2024": func(r ruleset.Ruleset) bool { return r.Starter == ruleset.Rotate },
	} {
		for base := range p.Rules {
			if base == "casual" { // has another kind of points
				continue
			}
			if rules, err := p.RulesetFor(p.Formats[name], base, nil); err != nil || !holds(rules) {
				t.Errorf("%s with %s: %+v, %v", name, base, rules, err)
			}
		}
	}
	if rounds := p.Formats["rounds"].Stages[0].Rounds; rounds < 3 || rounds > 5 {
		t.Errorf("the rounds text says 3 to 5 rounds, the format has %d", rounds)
	}
	if !p.Formats["kdgame"].Scoring.WinnerOnly {
		t.Error("kdgame counts the points of others than the winner")
	}
}

// playPreset plays to the end of the tournament, and checks how many players reach each stage's first round.
func playPreset(t *testing.T, s *store.DB, tour tournament.Tournament, field []int) (rounds, playOffs int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(uint64(len(tour.Name)), 11))
	for rounds < 60 {
		round := eventtest.PlayRound(t, s, tour, rng)
		rounds++
		if round.PlayOff > 0 {
			playOffs++
		}
		var seated int64
		if err := s.Read.Model(&tournament.Seat{}).Where("round_id = ?", round.ID).Count(&seated).Error; err != nil {
			t.Fatal(err)
		}
		if round.PlayOff == 0 && int(seated) != field[round.Stage] {
			t.Errorf("round %d, stage %d: %d players, want %d", round.Number, round.Stage, seated, field[round.Stage])
		}
		now, err := tournament.TournamentByID(context.Background(), s, tour.ID)
		if err != nil {
			t.Fatal(err)
		}
		if now.Status == tournament.StatusFinished {
			return rounds, playOffs
		}
	}
	t.Fatal("the event does not end")
	return 0, 0
}

// checkEnd checks that a stage with an end condition ended because of it.
func checkEnd(t *testing.T, last format.Stage, st ranking.Standings) {
	t.Helper()
	reached := slices.ContainsFunc(st.Rows, func(r ranking.StandingsRow) bool {
		return last.Until == format.UntilWins && r.Wins >= score.Whole(last.UntilAt) ||
			last.Until == format.UntilPoints && r.Total >= score.Whole(last.UntilAt)
	})
	if last.Until != "" && !reached && st.Rounds < last.Rounds {
		t.Errorf("the stage ended with %d %s reached by nobody", last.UntilAt, last.Until)
	}
}

// checkDivisions checks that each division has its places, each with one of its players, and no shared first places.
func checkDivisions(t *testing.T, s *store.DB, tour tournament.Tournament, f format.Format) {
	t.Helper()
	q, err := ranking.QualificationOf(context.Background(), s, tour.ID)
	if err != nil || len(q.Divisions) != len(f.Divisions) {
		t.Fatalf("got %d divisions, %v", len(q.Divisions), err)
	}
	for _, d := range q.Divisions {
		states := map[string]int{}
		for i, e := range d.Entries {
			if states[e.State]++; d.Rows[i].Division != d.Name || d.Rows[i].Player != e.Player {
				t.Errorf("%s: player %d is in %q", d.Name, e.Player, d.Rows[i].Division)
			}
			if decide := f.Stages[len(f.Stages)-1].Decide; i < decide && e.Standing != i+1 {
				t.Errorf("%s: place %d is shared", d.Name, e.Standing)
			}
		}
		if states[standing.Qualifies] != f.Qualification.Berths ||
			states[standing.Reserve] != f.Qualification.Reserves || states[standing.Open] != 0 {
			t.Errorf("%s: got %v, want %+v", d.Name, states, f.Qualification)
		}
	}
}

func seatedPlayers(tables []tournament.Table) string {
	var out [][]int
	for _, table := range tables {
		var numbers []int
		for _, seat := range table.Seats {
			numbers = append(numbers, seat.Player.Number)
		}
		slices.Sort(numbers)
		out = append(out, numbers)
	}
	return fmt.Sprint(out)
}
