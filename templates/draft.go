package templates

import (
	"cmp"
	"context"
	"slices"

	"meldhall/engine"
	"meldhall/engine/tile"
)

// DraftReply is the answer to a draft, for play.js: what the server thinks of the table as it lies, in the
// reader's language. Sets are all sets of the draft.
type DraftReply struct {
	Legal   bool          `json:"legal"`
	Code    string        `json:"code,omitempty"`
	Points  int           `json:"points,omitempty"`
	Need    int           `json:"need,omitempty"`
	Played  tile.FaceList `json:"played,omitempty"`
	Sets    []DraftSet    `json:"sets"`
	Message string        `json:"message"`
	Costs   string        `json:"costs,omitempty"` // what it would cost to end the turn so, where the rules take tiles for that
	Fits    []engine.Fit  `json:"fits,omitempty"`  // where the rules let the player be helped: what each tile of the rack fits
}

// DraftSet is one set of a draft: At is the cell of its first tile, Word says what it is, or why it is none.
type DraftSet struct {
	At   int    `json:"at"`
	OK   bool   `json:"ok"`
	Word string `json:"word"`
}

// NewDraftReply puts a verdict into words. Table is the draft as it was sent, opened tells whether the
// player had opened before this turn.
func NewDraftReply(ctx context.Context, table []engine.LaidFaces, v engine.Verdict, opened bool, rules engine.Ruleset) DraftReply {
	need := rules.MeldPoints
	r := DraftReply{Legal: v.Legal, Code: v.Code, Points: v.Points, Played: v.Played, Sets: make([]DraftSet, len(table))}
	if !opened {
		r.Need = need
	}
	for i, set := range table {
		ok, word := setVerdict(ctx, set.Faces)
		if slices.Contains(v.Touched, i) {
			ok, word = false, T(ctx, "fault.not_opened")
		}
		r.Sets[i] = DraftSet{set.At, ok, word}
	}
	if !v.Legal && rules.IllegalPlay == engine.Penalty {
		r.Costs = T(ctx, "draft.costs.none")
		if rules.IllegalTiles > 0 {
			r.Costs = T(ctx, "draft.costs", "n", rules.IllegalTiles)
		}
	}
	switch {
	case v.Legal && opened:
		r.Message = T(ctx, "draft.legal", "n", len(v.Played))
	case v.Legal:
		r.Message = T(ctx, "draft.opening", "points", v.Points, "need", need)
	case v.Code == engine.CodeMeldShort:
		r.Message = T(ctx, "draft.short", "points", v.Points, "need", need)
	default:
		r.Message = RefusalText(ctx, v.Code, v.Points, need)
	}
	return r
}

func setVerdict(ctx context.Context, faces []tile.Face) (ok bool, word string) {
	if fault := tile.Fault(faces); fault != "" {
		return false, T(ctx, "fault."+fault)
	}
	if isRun(faces) {
		return true, T(ctx, "tile.run")
	}
	return true, T(ctx, "tile.group")
}

// RefusalText is the sentence for a refusal's code; points and need are given where a meld is short.
func RefusalText(ctx context.Context, code string, points, need int) string {
	return T(ctx, "refused."+code, "points", points, "need", need)
}

// OutcomeText is the sentence for an accepted action: play, draw, pass, ready, redeal or call. Tiles is
// how many a play laid.
func OutcomeText(ctx context.Context, action string, tiles int) string {
	return T(ctx, "outcome."+action, "n", tiles)
}

// lost tells whether a turn ended otherwise than its player wished.
func lost(kind string) bool {
	return kind == engine.TurnExpired{}.Kind() || kind == engine.IllegalPlayed{}.Kind()
}

// LostWords says of a lost turn whether tiles were put back and what it cost, in the words of a key of last; name is isolated.
func LostWords(ctx context.Context, key, name string, l engine.LastView) string {
	if l.Drawn > 0 {
		if l.Kept && HasText(key+".kept") {
			key += ".kept"
		}
		return T(ctx, key, "n", l.Drawn, "name", name)
	}
	key += ".none"
	if l.Kept {
		key += ".kept"
	}
	return T(ctx, key, "name", name) + " " + noneWords(ctx, l)
}

// noneWords says why a lost turn has cost no tile.
func noneWords(ctx context.Context, l engine.LastView) string {
	return T(ctx, "lost."+cmp.Or(l.None, engine.NoneDrawn), "n", l.Asked)
}

// LostTurnText says what an own turn cost that ended with an event of a kind; did is what happened since, which may not hold
// it any more.
func LostTurnText(ctx context.Context, kind string, seat int, did []engine.LastView) string {
	key := "last." + kind + ".you"
	for _, l := range did {
		if l.Kind == kind && l.Seat == seat {
			return LostWords(ctx, key, "", l)
		}
	}
	return T(ctx, key+".none.kept")
}

// PlanReply is what the server thinks of sets that a player plans on the rack, for plan.js, in the reader's
// language. Sets are the sets asked about, in their order. Points are those of the good ones; Message holds
// them against what an opening needs, "" for a player who has opened.
type PlanReply struct {
	Sets    []PlanSet `json:"sets"`
	Points  int       `json:"points"`
	Message string    `json:"message"`
}

// PlanSet is one planned set: Word says what it is, or why it is none; Points is 0 for none.
type PlanSet struct {
	OK     bool   `json:"ok"`
	Word   string `json:"word"`
	Points int    `json:"points"`
	// Holds are the sets that stand in it, from one tile to before another, where the rules let the player be helped.
	Holds [][2]int `json:"holds,omitempty"`
}

// NewPlanReply judges sets of a rack as they would be judged on the table. Opened tells whether the player
// has opened.
func NewPlanReply(ctx context.Context, sets []tile.FaceList, opened bool, rules engine.Ruleset) PlanReply {
	r := PlanReply{Sets: make([]PlanSet, len(sets))}
	for i, set := range sets {
		ok, word := setVerdict(ctx, set)
		r.Sets[i] = PlanSet{OK: ok, Word: word, Points: tile.Value(set)}
		r.Points += r.Sets[i].Points
		if rules.Assist == engine.On {
			r.Sets[i].Holds = engine.Standing(set)
		}
	}
	if !opened && r.Points > 0 {
		r.Message = T(ctx, "plan.points", "points", r.Points, "need", rules.MeldPoints)
	}
	return r
}
