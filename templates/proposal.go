package templates

import (
	"context"
	"slices"
	"strings"

	"meldhall/engine"
)

// absentAfter is how many turns a player must have let pass, the table as it was, to seem absent.
const absentAfter = 3

// ProposedFor are the penalties of one seat that an official has still to decide, the oldest first.
type ProposedFor []engine.Proposal

// ProposedBySeat groups penalties that wait by the seat, the one that has waited longest first.
func ProposedBySeat(waiting []engine.Proposal) (groups []ProposedFor) {
	for _, p := range waiting {
		i := slices.IndexFunc(groups, func(g ProposedFor) bool { return g.Seat() == p.Seat })
		if i < 0 {
			i, groups = len(groups), append(groups, nil)
		}
		groups[i] = append(groups[i], p)
	}
	return groups
}

// Seat is whose they are.
func (g ProposedFor) Seat() int { return g[0].Seat }

// Tiles are as many as they come to.
func (g ProposedFor) Tiles() (n int) {
	for _, p := range g {
		n += p.Tiles
	}
	return n
}

// absent tells whether nobody seems to sit there.
func (g ProposedFor) absent() bool {
	return len(g) >= absentAfter && !slices.ContainsFunc(g, func(p engine.Proposal) bool { return p.Cause != engine.CauseIdle })
}

// Words say who has what waiting: Emil: 9 time-outs.
func (g ProposedFor) Words(ctx context.Context, name string) string {
	expired, illegal := 0, 0
	for _, p := range g {
		if p.Cause == engine.CauseIllegal {
			illegal++
		} else {
			expired++
		}
	}
	var what []string
	if expired > 0 {
		what = append(what, T(ctx, "proposal.timeouts", "n", expired))
	}
	if illegal > 0 {
		what = append(what, T(ctx, "proposal.illegals", "n", illegal))
	}
	key := "proposal.of"
	if g.absent() {
		key = "proposal.absent"
	}
	return T(ctx, key, "name", isolate(name), "what", strings.Join(what, ", "))
}

// ProposalsView is what waits for one player at a table, to be confirmed or waived at once or one by one.
type ProposalsView struct {
	Page
	Event, TableID int64
	Table          int
	Game           int64
	Seat           int
	Seen           int // seq of the state that is shown
	Words          string
	Waive          bool // the way that is looked at; else they are confirmed
	Effects        []string
	Reasons        []ReasonChoice // of waiving
	List           []Proposal
	Problem        string
}
