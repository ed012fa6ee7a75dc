package view

import (
	"context"
	"strconv"

	"meldhall/templates/desk"
	"meldhall/tournament"
)

// NewRosterPlayer returns a player's row of the roster.
func NewRosterPlayer(p tournament.Player) desk.RosterPlayer {
	return desk.RosterPlayer{ID: p.ID, Number: p.Number, Name: p.Name, Written: p.Written, Mark: p.Mark,
		Country: p.Country, Club: p.Club, Division: p.Division, Family: p.Family, Rating: ratingText(p.Rating),
		Joined: p.Joined(), Withdrawn: p.Withdrawn, State: p.State, Drawn: drawnNumber(p.Drawn), Fixed: p.FixedTable,
		Extra: p.ExtraSeconds, Public: p.Public, FederationNumber: p.FederationNumber}
}

// drawnNumber formats a drawn number; 0 gives "".
func drawnNumber(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func ratingText(rating *int) string {
	if rating == nil {
		return ""
	}
	return strconv.Itoa(*rating)
}

// EffectTexts returns effects in the reader's language.
func EffectTexts(ctx context.Context, effects []tournament.PeopleEffect) []string {
	texts := make([]string, len(effects))
	for i, e := range effects {
		texts[i] = EffectText(ctx, e)
	}
	return texts
}
