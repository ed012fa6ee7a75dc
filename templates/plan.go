package templates

import (
	"context"

	"meldhall/engine/tile"
)

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
}

// NewPlanReply judges sets of a rack as they would be judged on the table. Opened tells whether the player
// has opened, need is the rule set's meld_points.
func NewPlanReply(ctx context.Context, sets []tile.FaceList, opened bool, need int) PlanReply {
	r := PlanReply{Sets: make([]PlanSet, len(sets))}
	for i, set := range sets {
		ok, word := setVerdict(ctx, set)
		r.Sets[i] = PlanSet{ok, word, tile.Value(set)}
		r.Points += r.Sets[i].Points
	}
	if !opened && r.Points > 0 {
		r.Message = T(ctx, "plan.points", "points", r.Points, "need", need)
	}
	return r
}
