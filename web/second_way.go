package web

import (
	"context"
	"strings"

	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/rights"
	"meldhall/tournament/staff"
)

// secondWay says, before something is proposed that a second official has to confirm, who can: or that nobody can yet, and what to
// do about that.
func (s *views) secondWay(ctx context.Context, actor rights.Actor, event int64) (text string, can bool, err error) {
	t, err := tournament.TournamentByID(ctx, s.Store, event)
	if err != nil {
		return "", false, err
	}
	second, err := staff.SecondFor(ctx, s.Store, actor, event, t.OrganizationID, rights.MayRuleHeavily)
	switch {
	case err != nil:
		return "", false, err
	case len(second.Names) > 0:
		names := make([]string, len(second.Names))
		for i, name := range second.Names {
			names[i] = templates.Isolate(name)
		}
		return templates.T(ctx, "second.who", "names", strings.Join(names, ", ")), true, nil
	case second.Made != "":
		return templates.T(ctx, "second.own_hand", "maker", templates.Isolate(second.Maker), "made", templates.Isolate(second.Made)), false, nil
	}
	return templates.T(ctx, "second.nobody"), false, nil
}
