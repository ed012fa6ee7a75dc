package referee

import (
	"context"
	"slices"
	"strings"

	"meldhall/engine"
	"meldhall/templates/locale"
	"meldhall/templates/part"
)

// absentAfter is how many pending penalties make a player seem absent, if all of them are for turns that expired
// without a tile being moved.
const absentAfter = 3

// ProposedFor holds the penalties of one seat that an official has yet to decide, the oldest first.
type ProposedFor []engine.Proposal

// ProposedBySeat groups pending penalties by seat, starting with the seat that has waited longest.
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

// Seat returns the seat that the penalties are for.
func (g ProposedFor) Seat() int { return g[0].Seat }

// Tiles returns the total number of tiles.
func (g ProposedFor) Tiles() (n int) {
	for _, p := range g {
		n += p.Tiles
	}
	return n
}

// absent reports whether the player seems to be absent (see absentAfter).
func (g ProposedFor) absent() bool {
	return len(g) >= absentAfter && !slices.ContainsFunc(g,
		func(p engine.Proposal) bool { return p.Cause != engine.CauseIdle })
}

// Words describes the pending penalties of a player, such as "Emil: 9 time-outs".
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
		what = append(what, locale.T(ctx, "proposal.timeouts", "n", expired))
	}
	if illegal > 0 {
		what = append(what, locale.T(ctx, "proposal.illegals", "n", illegal))
	}
	key := "proposal.of"
	if g.absent() {
		key = "proposal.absent"
	}
	return locale.T(ctx, key, "name", locale.Isolate(name), "what", strings.Join(what, ", "))
}

// ProposalsView shows the pending penalties of one player, to be confirmed or waived together or one by one.
type ProposalsView struct {
	part.Page
	Event, TableID int64
	Table          int
	Game           int64
	Seat           int
	Seen           int // seq of the state shown
	Words          string
	Waive          bool // preview waiving them, otherwise confirming
	Effects        []string
	Reasons        []ReasonChoice // reasons for waiving
	List           []Proposal
	Problem        string
}
