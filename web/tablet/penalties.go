package tablet

import (
	"context"
	"strconv"

	"meldhall/engine"
	"meldhall/templates/play"
	"meldhall/tournament/result"
)

// ownPenalties returns a player's penalties as the player sees them, the newest first.
func (s *views) ownPenalties(ctx context.Context, player int64) ([]play.OwnPenalty, error) {
	all, err := result.PenaltiesOf(ctx, s.View.Store, player)
	own := make([]play.OwnPenalty, len(all))
	for i, one := range all {
		own[i] = play.OwnPenalty{ID: one.ID, Kind: one.Kind, Points: one.Points, Rule: one.Rule,
			Reason: play.ReasonWords(ctx, one.Reason), At: one.At}
		if d := one.Seconded; d != nil {
			own[i].At = d.At
		}
		if d := one.Cancelled; d != nil {
			own[i].Cancelled, own[i].Why, own[i].At = true, play.ReasonWords(ctx, d.Why), d.At
		}
	}
	return own, err
}

// ownReader caches a player's penalties for a stream, which needs them for every message. It reads them again after any
// penalty was given or cancelled.
type ownReader struct {
	read bool
	mark uint64
	own  []play.OwnPenalty
}

func (o *ownReader) penalties(ctx context.Context, s *Pages, player int64) ([]play.OwnPenalty, error) {
	mark := s.penalties.Load() // read first, so an outdated result is not reused
	if o.read && o.mark == mark {
		return o.own, nil
	}
	own, err := s.views.ownPenalties(ctx, player)
	if err == nil {
		o.read, o.mark, o.own = true, mark, own
	}
	return own, err
}

// penaltyNews is how long a player sees a penalty during games; the waiting room shows all penalties.
const penaltyNews = engine.Millis(10 * 60_000)

// newPenalties returns the penalties that are still shown during games.
func newPenalties(own []play.OwnPenalty, now engine.Millis) (news []play.OwnPenalty) {
	for _, one := range own {
		if now-one.At < penaltyNews {
			news = append(news, one)
		}
	}
	return news
}

// ownID identifies the penalties that a player sees, for the id of the region.
func ownID(own []play.OwnPenalty) string {
	if len(own) == 0 {
		return ""
	}
	cancelled := 0
	for _, one := range own {
		if one.Cancelled {
			cancelled++
		}
	}
	return "-s" + strconv.Itoa(len(own)) + "." + strconv.Itoa(cancelled)
}
