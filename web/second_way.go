package web

import (
	"context"
	"strings"

	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/account"
	"meldhall/tournament/rights"
)

// secondWay returns a text for an official who is about to propose an action that a second official must confirm. It
// names the officials who can confirm it, or says what to do while there is none.
func (s *views) secondWay(ctx context.Context, actor rights.Actor, tournamentID int64) (string, error) {
	t, err := tournament.TournamentByID(ctx, s.View.Store, tournamentID)
	if err != nil {
		return "", err
	}
	second, err := account.SecondFor(ctx, s.View.Store, actor, tournamentID, t.OrganizationID, rights.MayRuleHeavily)
	switch {
	case err != nil:
		return "", err
	case len(second.Names) > 0:
		names := make([]string, len(second.Names))
		for i, name := range second.Names {
			names[i] = templates.Isolate(name)
		}
		return templates.T(ctx, "second.who", "names", strings.Join(names, ", ")), nil
	case second.Made != "":
		return templates.T(ctx, "second.own_hand", "maker", templates.Isolate(second.Maker), "made",
			templates.Isolate(second.Made)), nil
	}
	return templates.T(ctx, "second.nobody"), nil
}
