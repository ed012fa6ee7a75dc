package practice

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/engine/judge"
	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
	"meldhall/tournament/action"
	"meldhall/tournament/action/actiontest"
	"meldhall/tournament/game"
	"meldhall/tournament/game/gametest"
	"meldhall/tournament/people"
	"meldhall/tournament/preset"
	"meldhall/tournament/rights"
)

// lessonPlays are plays in a position, as whole tables: those that the engine must accept, and those that it must
// refuse, with its reason.
var lessonPlays = map[string]struct {
	right []string
	wrong map[string]string
}{
	"opening": {
		right: []string{"B5 B6 B7 B8, K8 R8 O8", "B5 B6 B7, K8 R8 O8 B8", "K8 R8 B8, B5 B6 B7", "R8 O8 B8, B5 B6 B7",
			"B6 B7 B8, O8 R8 K8"},
		wrong: map[string]string{"B5 B6 B7": judge.CodeMeldShort, "K8 R8 O8": judge.CodeMeldShort,
			"B5 B6 B7, K8 R8": judge.CodeInvalidSet, "B5 B6 B7, K8 R8 O8, R2 K12": judge.CodeInvalidSet,
			"": judge.CodeNothingPlayed},
	},
	"split": {
		right: []string{"R5 R6 R7, R3 R4 R5"},
		wrong: map[string]string{"R3 R4 R5 R5 R6 R7": judge.CodeInvalidSet, "R3 R4 R5, R6 R7 R5": judge.CodeInvalidSet,
			"R3 R4 R5 R6 R7, R5 K1": judge.CodeInvalidSet, "R3 R4 R5 R6 R7": judge.CodeNothingPlayed},
	},
	"joker": {
		right: []string{"J R3 K3, O8 B8 R8 K8", "K8 R8 B8 O8, R3 J K3"},
		wrong: map[string]string{"K8 R8 B8 O8": judge.CodeTileLost, "K8 R8 B8 O8, J": judge.CodeInvalidSet,
			"K8 R8 B8 O8 J": judge.CodeInvalidSet, "K8 R8 B8, K3 R3 J": judge.CodeJokerNotReplaced},
	},
}

// lessonRules returns the rules of lessons.
func lessonRules(t *testing.T) ruleset.Ruleset {
	t.Helper()
	presets, err := preset.Load(os.DirFS("../../data"))
	if err != nil {
		t.Fatal(err)
	}
	rules, err := presets.Ruleset("casual", nil)
	if err != nil {
		t.Fatal(err)
	}
	rules.Assist = ruleset.On
	return rules
}

// lessonState returns the state of a lesson with a position set. From the second position on, the learner has opened.
func lessonState(t *testing.T, index int) engine.State {
	t.Helper()
	s, err := lessonStory(lessonRules(t))
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range lessonPositions[:index] {
		s.does(learner, playOf(&s.state, p.solved()))
		s.does(umpire, lessonPositions[i+1].command())
	}
	if s.err != nil {
		t.Fatal(s.err)
	}
	return s.state
}

// solved returns the table after the moves of the pictures.
func (p position) solved() []tile.LaidFaces { return Laid(p.steps[len(p.steps)-1].Table) }

func playOf(s *engine.State, table []tile.LaidFaces) engine.Play {
	return engine.Play{Seat: learner, Turn: s.Turn.Number, Table: table}
}

// lessonGoals report whether a state has what the position asks for, by its table and racks alone.
var lessonGoals = map[string]func(engine.State) bool{
	"opening": func(s engine.State) bool { return s.Opened[learner] && s.Actions.Last().Points >= 30 },
	"split": func(s engine.State) bool {
		lies := func(set string) bool {
			return slices.ContainsFunc(s.Table.Faces(), func(f []tile.Face) bool { return slices.Equal(f, facesOf(set)) })
		}
		return lies("R3 R4 R5") && lies("R5 R6 R7")
	},
	"joker": func(s engine.State) bool {
		freed := slices.ContainsFunc(s.Table.Faces(), func(f []tile.Face) bool {
			return slices.Contains(f, tile.Joker) && !slices.ContainsFunc(f, func(f tile.Face) bool {
				return !f.IsJoker() && f.Number() == 8
			})
		})
		return freed && s.Phase == engine.PhaseOver && len(s.Racks[learner]) == 0
	},
}

// TestLessonPositions lets the engine judge plays in each position: those of the pictures and other right ones reach
// its goal, and wrong ones are refused and change nothing.
func TestLessonPositions(t *testing.T) {
	accepted, refused := 0, 0
	for i, p := range lessonPositions {
		state := lessonState(t, i)
		if got := tile.CountFaces(tile.FacesOf(state.Racks[learner])); got != tile.CountFaces(facesOf(p.rack)) ||
			state.Turn.Seat != learner || state.Turn.Due != 0 || positionIn(&state) != i {
			t.Fatalf("%s: got the rack %v, %+v", p.name, state.Racks[learner], state.Turn)
		}
		right := [][]tile.LaidFaces{p.solved()}
		for _, sets := range lessonPlays[p.name].right {
			right = append(right, Laid(setsOf(sets)))
		}
		for _, table := range right {
			events, err := engine.Decide(&state, playOf(&state, table), false, time.UnixMilli(int64(state.At)))
			if err != nil {
				t.Errorf("%s: %v: %v", p.name, table, err)
				continue
			}
			after := state
			for _, e := range events {
				after = engine.Apply(after, e)
			}
			if !p.mastered(&after) || !lessonGoals[p.name](after) {
				t.Errorf("%s: %v was accepted without reaching the goal: %v", p.name, table, after.Table)
			}
			accepted++
		}
		for sets, code := range lessonPlays[p.name].wrong {
			_, err := engine.Decide(&state, playOf(&state, Laid(setsOf(sets))), false, time.UnixMilli(int64(state.At)))
			var refusal *engine.Refusal
			if !errors.As(err, &refusal) || refusal.Code != code {
				t.Errorf("%s: %q: got %v, want %s", p.name, sets, err, code)
			}
			refused++
		}
	}
	t.Logf("%d positions, %d steps: %d plays accepted, %d refused", len(lessonPositions), len(LessonSteps()), accepted,
		refused)
}

// TestLessonHasNoOtherWay proves by an exact search that every play that the engine accepts reaches the goal: without
// the tiles of the goal there is no play, and in the last position there is none without all tiles.
func TestLessonHasNoOtherWay(t *testing.T) {
	rules := lessonRules(t)
	for i, p := range lessonPositions {
		state := lessonState(t, i)
		move := state.Move()
		if p.lays == "" {
			if state.Opened[learner] {
				t.Errorf("%s: the learner has opened", p.name)
			}
			continue
		}
		rack := facesOf(p.rack)
		for out, f := range rack {
			if !slices.Contains(facesOf(p.lays), f) && i < len(lessonPositions)-1 {
				continue
			}
			move.Rack = slices.Delete(slices.Clone(rack), out, out+1)
			if can, proven := judge.CanMove(rules, move, 0); can || !proven {
				t.Errorf("%s: there is a play without %v: %t, %t", p.name, f, can, proven)
			}
		}
	}
}

// TestLessonSteps checks that each step's moves and tables agree.
func TestLessonSteps(t *testing.T) {
	for i, p := range lessonPositions {
		state := lessonState(t, i)
		if err := state.Table.Check(); err != nil {
			t.Error(err)
		}
		var taken []tile.Face
		for k, s := range p.steps {
			taken = append(taken, s.Taken()...)
			if got := tile.CountFaces(s.Table...); got != tile.CountFaces(append(setsOf(p.table), taken)...) {
				t.Errorf("%s: the moves do not make the table %v", s.Name, s.Table)
			}
			for _, set := range s.Sets {
				if !tile.Valid(set) {
					t.Errorf("%s: %v is not a set", s.Name, set)
				}
			}
			at, ok := LearningAt(game.Ref{Practice: Lesson}, &state, Laid(s.Table))
			want := s.Name
			if !s.Ends() {
				want = p.steps[k+1].Name
			}
			if !ok || at.Name != want || at.Of != len(LessonSteps()) {
				t.Errorf("after %s: got %+v, want %s", s.Name, at, want)
			}
		}
	}
}

// TestLesson plays a whole lesson at a table, with a draw in between that costs nothing.
func TestLesson(t *testing.T) {
	ctx, desk := t.Context(), actiontest.Desk(t)
	at, err := action.Do(ctx, desk, rights.Public(), OpenTable{Strength: Lesson, Rules: lessonRules(t), Name: "Practice",
		Person: "You", Bots: []string{"Ada", "Emmy"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := people.ActorByToken(ctx, desk.DB, at.Token); err != nil {
		t.Fatal(err)
	}
	look := func() (*game.Snapshot, Learning) {
		snap := gametest.Look(t, desk.Games, at.Game)
		learning, ok := LearningAt(snap.Ref, &snap.State, nil)
		if !ok {
			t.Fatalf("no lesson at %+v", snap.State.Turn)
		}
		return snap, learning
	}
	submit := func(c engine.Command) {
		t.Helper()
		if _, err := desk.Games.Submit(ctx, at.Me, at.Game, "", c); err != nil {
			t.Fatal(err)
		}
	}
	var seen []string
	for i, p := range lessonPositions {
		snap, learning := look()
		if learning.Name != p.steps[0].Name || learning.Mood != "" {
			t.Fatalf("got %+v", learning)
		}
		submit(engine.Draw{Seat: learner, Turn: snap.State.Turn.Number})
		for _, mood := range []string{LessonAgain, LessonGood} {
			if mood == LessonGood {
				submit(playOf(&snap.State, p.solved()))
			}
			after, learning := look()
			if i == len(lessonPositions)-1 && mood == LessonGood {
				mood = LessonDone
			}
			if learning.Mood != mood || learning.Name != p.steps[len(p.steps)-1].Name {
				t.Errorf("%s: got %+v, want %s", p.name, learning, mood)
			}
			seen = append(seen, fmt.Sprintf("%d-%s", learning.Number, learning.Mood))
			if mood == LessonDone {
				break
			}
			if err := GoOn(ctx, desk.Games, after); err != nil {
				t.Fatal(err)
			}
			snap, _ = look()
		}
	}
	if got := strings.Join(seen, " "); got != "3-again 3-good 4-again 4-good 5-again 5-done" {
		t.Error(got)
	}
	if err := Confirm(ctx, desk, game.PracticeActor, at.Game); err != nil {
		t.Error(err)
	}
	if games, err := Games(ctx, desk.DB); err != nil || len(games) != 0 {
		t.Errorf("got %v %v", games, err)
	}
}
