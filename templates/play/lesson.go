package play

import (
	"context"
	"encoding/json"
	"strings"

	"meldhall/engine/tile"
	"meldhall/templates/locale"
)

// Lesson is a step of the lesson at a practice table, number Number of Of. Mood is empty while the player plays, good
// or again before the next position, and done at the end. Points is the value of the sets that the player has laid in
// this turn. Moves, in the notation of the lesson, is one way to do the step; Table is the whole table after these
// moves. Ends reports whether the turn ends with it. All lists all steps of the lesson, for its end.
type Lesson struct {
	LessonStep
	Mood               string
	Number, Of, Points int
	Moves              string
	Table              []tile.LaidFaces
	Ends               bool
	All                []LessonStep
}

// LessonStep is what a step teaches: its name, as in the keys of texts, and the sets that it makes. Fresh holds the
// tiles of these sets that come from the rack.
type LessonStep struct {
	Name  string
	Sets  [][]tile.Face
	Fresh []tile.Face
}

// lessonTile is a tile in a picture of the lesson.
type lessonTile struct {
	face  tile.Face
	fresh bool
}

// tiles returns the sets with the tiles from the rack marked.
func (s LessonStep) tiles() [][]lessonTile {
	left := tile.CountFaces(s.Fresh)
	sets := make([][]lessonTile, len(s.Sets))
	for i, set := range s.Sets {
		for _, f := range set {
			sets[i] = append(sets[i], lessonTile{f, left[f] > 0})
			left[f] -= min(left[f], 1)
		}
	}
	return sets
}

// title returns the heading of the panel.
func (l Lesson) title(ctx context.Context) string {
	if l.Mood != "" {
		return locale.T(ctx, "lesson."+l.Mood)
	}
	return locale.T(ctx, "lesson."+l.Name)
}

// words returns the sentences below the heading.
func (l Lesson) words(ctx context.Context) string {
	key := "lesson." + l.Name + ".text"
	if l.Mood != "" {
		key = "lesson." + l.Mood + ".text"
	}
	return locale.T(ctx, key, "points", l.Points, "key", locale.T(ctx, "game.end_turn"))
}

// table returns the table after the step as JSON, for lesson.js.
func (l Lesson) table() string {
	text, err := json.Marshal(l.Table)
	if err != nil {
		return "" // faces come from the engine and always have a text
	}
	return string(text)
}

// dots returns the progress as signs: steps that are done, the present one, and those to come.
func (l Lesson) dots() string {
	return strings.Repeat("✓", l.Number-1) + "●" + strings.Repeat("○", l.Of-l.Number)
}
