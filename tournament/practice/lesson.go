package practice

import (
	"context"
	"slices"
	"strings"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
	"meldhall/tournament/game"
)

// Lesson is the strength of a practice table that teaches the game to a newcomer. Its one bot never plays: after each
// turn of the learner, the program sets the next position of the lesson.
const Lesson = "lesson"

// position is a position of the lesson, with the learner to move. The engine judges what the learner lays. Sets are
// separated by commas. The position is mastered by a play that lays the tiles of lays; if lays is empty, by any play.
type position struct {
	name              string
	table, rack, lays string
	steps             []Step
}

// Step is one thing that the lesson teaches. Its texts are lesson.<name> and lesson.<name>.text. Moves is one way to do
// it, for the pictures, with semicolons between moves: the tiles to take from the rack, and after > the tile to lay
// them on; without >, they go to a free place. Sets are the sets that it makes, Table the whole table afterwards. A
// step without made is done when the turn ends, any other as soon as made accepts one of the sets that the learner has
// laid.
type Step struct {
	Name, Moves string
	Sets, Table [][]tile.Face

	made func(set []tile.Face) bool
}

// Ends reports whether the step is done by ending the turn.
func (s Step) Ends() bool { return s.made == nil }

// Taken returns the tiles that the step's moves take from the rack.
func (s Step) Taken() (faces []tile.Face) {
	for move := range strings.SplitSeq(s.Moves, ";") {
		take, _, _ := strings.Cut(move, ">")
		faces = append(faces, facesOf(take)...)
	}
	return faces
}

// lessonPositions lists the positions in the order of the lesson. The first one is an opening. The play that masters
// the last one empties the rack, so the lesson ends as a game does. A test plays each position.
var lessonPositions = []position{
	{name: "opening", rack: "B5 B6 B7 B8 K8 R8 O8 K12 R2", steps: inTurn(
		Step{Name: "run", Moves: "B5 B6 B7", Sets: setsOf("B5 B6 B7"), made: isRun},
		Step{Name: "group", Moves: "K8 R8 O8", Sets: setsOf("K8 R8 O8"), made: isGroup},
		Step{Name: "points"})},
	{name: "split", table: "R3 R4 R5 R6 R7", rack: "R5 K1", lays: "R5", steps: inTurn(
		Step{Name: "split", Moves: "R5 > R5", Sets: setsOf("R3 R4 R5, R5 R6 R7")})},
	{name: "joker", table: "K8 R8 B8 J", rack: "O8 K3 R3", lays: "O8", steps: inTurn(
		Step{Name: "joker", Moves: "O8 > J; K3 R3 > J", Sets: setsOf("K8 R8 B8 O8, K3 R3 J")})},
}

// inTurn returns the steps of one turn with their tables. A step that makes no set is about all sets of the turn.
func inTurn(steps ...Step) []Step {
	var table [][]tile.Face
	for i := range steps {
		table = slices.Concat(table, steps[i].Sets)
		if steps[i].Table = table; steps[i].Sets == nil {
			steps[i].Sets = table
		}
	}
	return steps
}

// LessonSteps returns all steps of the lesson.
func LessonSteps() (all []Step) {
	for _, p := range lessonPositions {
		all = append(all, p.steps...)
	}
	return all
}

// lessonBot is the rack of the bot, in every position.
const lessonBot = "K2 K10 B2 B11 O4 O13 R12"

func isRun(set []tile.Face) bool {
	_, ok := tile.AsRun(set)
	return ok
}

func isGroup(set []tile.Face) bool {
	_, ok := tile.AsGroup(set)
	return ok
}

// facesOf parses tiles of the lesson. A test checks that they are valid.
func facesOf(text string) []tile.Face {
	faces, _ := tile.ParseFaces(text)
	return faces
}

func setsOf(text string) (sets [][]tile.Face) {
	for set := range strings.SplitSeq(text, ",") {
		if faces := facesOf(set); len(faces) > 0 {
			sets = append(sets, faces)
		}
	}
	return sets
}

// Laid returns sets as a whole table, each in a row of its own.
func Laid(sets [][]tile.Face) []tile.LaidFaces {
	table := make([]tile.LaidFaces, len(sets))
	for i, set := range sets {
		table[i] = tile.LaidFaces{At: i * tile.Highest, Faces: set}
	}
	return table
}

// reasonMark starts the reason of a position's ruling in the log; its name follows.
const reasonMark = "Lesson: "

// command returns the ruling that sets the position.
func (p position) command() engine.Command {
	return engine.SetPosition{Grounds: engine.Grounds{Reason: reasonMark + p.name}, Table: Laid(setsOf(p.table)),
		Racks: [][]tile.Face{facesOf(p.rack), facesOf(lessonBot)}}
}

// mastered reports whether the last action was a play of the learner that reached the position's goal.
func (p position) mastered(s *engine.State) bool {
	last := s.Actions.Last()
	return last.Kind == engine.TilesPlayed{}.Kind() && last.Seat == learner &&
		tile.CountFaces(facesOf(p.lays)).Within(tile.CountFaces(tile.FacesOf(last.Played)))
}

// learner is the seat of the person in a lesson.
const learner = 0

// positionIn returns the index of the position that was set last.
func positionIn(s *engine.State) int {
	for _, r := range slices.Backward(s.Rulings.All) {
		name, ok := strings.CutPrefix(r.Reason, reasonMark)
		if i := slices.IndexFunc(lessonPositions, func(p position) bool { return p.name == name }); ok && i >= 0 {
			return i
		}
	}
	return 0
}

// The moods of a lesson between two positions and at its end.
const (
	LessonGood  = "good"  // the position is mastered, and the next one follows
	LessonAgain = "again" // the turn ended otherwise, and the same position follows
	LessonDone  = "done"
)

// Learning is the learner's progress: the step that is next, Number of Of. Mood is empty while the learner plays. Laid
// holds the valid sets that the learner has laid in this turn, and Points their value.
type Learning struct {
	Step
	Number, Of, Points int
	Laid               [][]tile.Face
	Mood               string
}

// LearningAt returns the progress at a lesson's table, given the learner's draft. ok is false at other tables, and if
// the lesson was abandoned.
func LearningAt(ref game.Ref, s *engine.State, draft []tile.LaidFaces) (at Learning, ok bool) {
	if ref.Practice != Lesson || s.Phase == engine.PhaseNew || s.Phase == engine.PhaseDealt {
		return at, false
	}
	index := positionIn(s)
	now := lessonPositions[index]
	next := len(now.steps) - 1
	switch {
	case s.Phase == engine.PhaseOver:
		at.Mood, ok = LessonDone, s.End.Why == ruleset.EndedEmptied && len(s.Racks[learner]) == 0
	case s.Turn.Seat == learner:
		at.Laid, ok = now.laid(draft), true
		open := func(s Step) bool { return s.Ends() || !slices.ContainsFunc(at.Laid, s.made) }
		next = slices.IndexFunc(now.steps, open)
	case now.mastered(s):
		at.Mood, ok = LessonGood, true
	default:
		at.Mood, ok = LessonAgain, true
	}
	for _, set := range at.Laid {
		at.Points += tile.Value(set)
	}
	at.Step, at.Number, at.Of = now.steps[next], next+1, len(LessonSteps())
	for _, p := range lessonPositions[:index] {
		at.Number += len(p.steps)
	}
	return at, ok
}

// laid returns the valid sets of a draft that are not on the position's table.
func (p position) laid(draft []tile.LaidFaces) (sets [][]tile.Face) {
	before := setsOf(p.table)
	for _, set := range draft {
		was := func(old []tile.Face) bool { return slices.Equal(old, set.Faces) }
		if tile.Valid(set.Faces) && !slices.ContainsFunc(before, was) {
			sets = append(sets, set.Faces)
		}
	}
	return sets
}

// GoOn sets the next position of a lesson or, if the learner has not mastered the last one, the same again.
func GoOn(ctx context.Context, g *game.Games, snap *game.Snapshot) error {
	index := positionIn(&snap.State)
	if lessonPositions[index].mastered(&snap.State) {
		index = min(index+1, len(lessonPositions)-1)
	}
	_, err := g.Submit(ctx, game.PracticeActor, snap.Ref.ID, "", lessonPositions[index].command())
	return err
}

// lessonStory returns the story that brings a new table to the first position.
func lessonStory(rules ruleset.Ruleset) (*story, error) {
	s := &story{rules: rules, seats: 2}
	s.begin(-1)
	s.does(umpire, lessonPositions[0].command())
	return s, s.err
}
