package play

import (
	"cmp"
	"context"
	"slices"

	"meldhall/engine"
	"meldhall/engine/judge"
	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
	"meldhall/templates/locale"
)

// DraftReply is the server's verdict on a draft, for play.js, in the reader's language. Sets holds all sets of the
// draft.
type DraftReply struct {
	Legal   bool          `json:"legal"`
	Code    string        `json:"code,omitempty"`
	Points  int           `json:"points,omitempty"`
	Need    int           `json:"need,omitempty"`
	Played  tile.FaceList `json:"played,omitempty"`
	Sets    []DraftSet    `json:"sets"`
	Message string        `json:"message"`
	Costs   string        `json:"costs,omitempty"`  // cost of ending the turn now, if a penalty applies
	Fits    []engine.Fit  `json:"fits,omitempty"`   // if the rules allow assistance: where each tile of the rack fits
	Lesson  string        `json:"lesson,omitempty"` // in a lesson: the panel of the next step
}

// DraftSet is one set of a draft. At is the cell of its first tile; Word names the set, or says why it is not valid.
type DraftSet struct {
	At   int    `json:"at"`
	OK   bool   `json:"ok"`
	Word string `json:"word"`
}

// NewDraftReply describes a verdict in the reader's language. table is the draft as it was sent; opened reports whether
// the player had opened before this turn.
func NewDraftReply(ctx context.Context, table []tile.LaidFaces, v judge.Verdict, opened bool,
	rules ruleset.Ruleset) DraftReply {
	need := rules.MeldPoints
	r := DraftReply{Legal: v.Legal, Code: v.Code, Points: v.Points, Played: v.Played,
		Sets: make([]DraftSet, len(table))}
	if !opened {
		r.Need = need
	}
	for i, set := range table {
		ok, word := setVerdict(ctx, set.Faces)
		if slices.Contains(v.Touched, i) {
			ok, word = false, locale.T(ctx, "fault.not_opened")
		}
		r.Sets[i] = DraftSet{set.At, ok, word}
	}
	if !v.Legal && rules.IllegalPlay == ruleset.Penalty {
		r.Costs = locale.T(ctx, "draft.costs.none")
		if rules.IllegalTiles > 0 {
			r.Costs = locale.T(ctx, "draft.costs", "n", rules.IllegalTiles)
		}
	}
	switch {
	case v.Legal && opened:
		r.Message = locale.T(ctx, "draft.legal", "n", len(v.Played))
	case v.Legal:
		r.Message = locale.T(ctx, "draft.opening", "points", v.Points, "need", need)
	case v.Code == judge.CodeMeldShort:
		r.Message = locale.T(ctx, "draft.short", "points", v.Points, "need", need)
	default:
		r.Message = RefusalText(ctx, v.Code, v.Points, need)
		if !opened && v.Code != judge.CodeNothingPlayed {
			r.Message = locale.T(ctx, "plan.points", "points", v.Worth, "need", need) + " · " + r.Message
		}
	}
	return r
}

func setVerdict(ctx context.Context, faces []tile.Face) (ok bool, word string) {
	if fault := tile.Fault(faces); fault != "" {
		return false, locale.T(ctx, "fault."+fault)
	}
	if isRun(faces) {
		return true, locale.T(ctx, "tile.run")
	}
	return true, locale.T(ctx, "tile.group")
}

// RefusalText returns the sentence for a refusal's code. Points and need are the points of a meld that is too low and
// the points required.
func RefusalText(ctx context.Context, code string, points, need int) string {
	return locale.T(ctx, "refused."+code, "points", points, "need", need)
}

// OutcomeText returns the sentence for an accepted action: play, draw, pass, ready, redeal or call. Tiles is the number
// of tiles that a play laid.
func OutcomeText(ctx context.Context, action string, tiles int) string {
	return locale.T(ctx, "outcome."+action, "n", tiles)
}

// lost reports whether an event of this kind ends a turn against the player's will: time expired or an illegal play.
func lost(kind string) bool {
	return kind == engine.TurnExpired{}.Kind() || kind == engine.IllegalPlayed{}.Kind()
}

// LostWords describes what a lost turn cost and whether tiles were put back, using key and the variants of its text.
// The caller must have isolated name.
func LostWords(ctx context.Context, key, name string, l engine.LastView) string {
	if l.Drawn > 0 {
		if l.Kept && locale.HasText(key+".kept") {
			key += ".kept"
		}
		return locale.T(ctx, key, "n", l.Drawn, "name", name)
	}
	key += ".none"
	if l.Kept {
		key += ".kept"
	}
	return locale.T(ctx, key, "name", name) + " " + noneWords(ctx, l)
}

// noneWords explains why a lost turn cost no tile.
func noneWords(ctx context.Context, l engine.LastView) string {
	return locale.T(ctx, "lost."+cmp.Or(l.None, engine.NoneDrawn), "n", l.Asked)
}

// LostTurnText describes what the viewer's own turn cost when it ended with an event of the given kind. If that event
// is no longer among the actions in did, the text states only how the turn ended.
func LostTurnText(ctx context.Context, kind string, seat int, did []engine.LastView) string {
	key := "last." + kind + ".you"
	for _, l := range did {
		if l.Kind == kind && l.Seat == seat {
			return LostWords(ctx, key, "", l)
		}
	}
	return locale.T(ctx, key+".none.kept")
}

// PlanReply is the server's verdict on sets that a player plans on the rack, for plan.js, in the reader's language.
// Sets are in the order of the request. Points is the total of the valid sets. Message compares it with what an opening
// needs; it is "" for a player who has opened.
type PlanReply struct {
	Sets    []PlanSet `json:"sets"`
	Points  int       `json:"points"`
	Message string    `json:"message"`
}

// PlanSet is one planned set. Word names it, or says why it is not valid; Points is 0 if it is not.
type PlanSet struct {
	OK     bool   `json:"ok"`
	Word   string `json:"word"`
	Points int    `json:"points"`
	// Holds lists the valid sets within it as ranges of tiles, the end exclusive, if the rules allow assistance.
	Holds [][2]int `json:"holds,omitempty"`
}

// NewPlanReply judges sets on a rack as if they were on the table. Opened reports whether the player has opened.
func NewPlanReply(ctx context.Context, sets []tile.FaceList, opened bool, rules ruleset.Ruleset) PlanReply {
	r := PlanReply{Sets: make([]PlanSet, len(sets))}
	for i, set := range sets {
		ok, word := setVerdict(ctx, set)
		r.Sets[i] = PlanSet{OK: ok, Word: word, Points: tile.Value(set)}
		r.Points += r.Sets[i].Points
		if rules.Assist == ruleset.On {
			r.Sets[i].Holds = engine.Standing(set)
		}
	}
	if !opened && r.Points > 0 {
		r.Message = locale.T(ctx, "plan.points", "points", r.Points, "need", rules.MeldPoints)
	}
	return r
}
