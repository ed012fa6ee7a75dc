package view

import (
	"context"
	"fmt"
	"strings"

	"meldhall/engine"
	"meldhall/engine/judge"
	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/templates/locale"
	"meldhall/templates/play"
	"meldhall/tournament"
	"meldhall/tournament/format"
	"meldhall/tournament/ranking"
	"meldhall/tournament/standing"
)

// EventWords describes an event in one sentence; "" for one that needs no mention.
func EventWords(ctx context.Context, g play.Game, event engine.Event) string {
	say := func(seat, n int) string {
		return locale.T(ctx, "last."+event.Kind(), "name", g.NameOf(seat), "n", n)
	}
	switch e := event.(type) {
	case engine.TilesPlayed:
		return say(e.Seat, len(e.Played))
	case engine.TileDrawn:
		return say(e.Seat, len(e.Tile))
	case engine.TurnPassed:
		return say(e.Seat, 0)
	case engine.TurnExpired:
		return play.LostWords(ctx, "last."+e.Kind(), g.NameOf(e.Seat),
			engine.LastView{Drawn: len(e.Tiles) + e.Count, Kept: !e.Disturbed})
	case engine.IllegalPlayed:
		return play.LostWords(ctx, "last."+e.Kind(), g.NameOf(e.Seat),
			engine.LastView{Drawn: len(e.Tiles), Kept: e.Code == judge.CodeNothingPlayed})
	case engine.RedealAsked:
		return say(e.Seat, 0)
	case engine.LeftoversRuled:
		return play.WithReason(ctx, say(e.Seat, len(e.Tiles)), e.Reason)
	case engine.PenaltyGiven:
		return play.WithReason(ctx, say(e.Seat, len(e.Tiles)+e.Count), e.Reason)
	case engine.PenaltyProposed:
		return locale.T(ctx, "log.penalty_proposed", "n", e.Tiles, "name", g.NameOf(e.Seat))
	case engine.GamePaused:
		switch e.Pause.Why {
		case engine.PausedByOutage:
			return locale.T(ctx, "log.outage")
		case engine.HeldForPlayers:
			return locale.T(ctx, "log.held")
		}
		return play.WithReason(ctx, locale.T(ctx, "log.paused"), e.Pause.Reason)
	case engine.GameResumed:
		return locale.T(ctx, "log.resumed")
	case engine.TimeGiven:
		return play.WithReason(ctx, locale.T(ctx, "log.time_given", "seconds", e.Seconds), e.Reason)
	case engine.TimeCalled:
		return play.WithReason(ctx, locale.T(ctx, "log.time_called"), e.Reason)
	case engine.PlayBegan:
		return locale.T(ctx, "log.play_began", "name", g.NameOf(e.Turn.Seat))
	case engine.GameEnded:
		return locale.T(ctx, "log.game_ended")
	}
	if r := engine.RulingOf(event); r.Kind != "" {
		return play.WithReason(ctx, locale.T(ctx, "told."+r.Kind, "n", r.Tiles, "name", g.NameOf(r.Seat)),
			r.Reason)
	}
	if text := realWords(ctx, g, event); text != "" {
		return text
	}
	return callWords(ctx, g, event)
}

// realWords describes an event at a table with real tiles in one sentence.
func realWords(ctx context.Context, g play.Game, event engine.Event) string {
	switch e := event.(type) {
	case engine.StarterChosen:
		return locale.T(ctx, "log.starter_chosen", "name", g.NameOf(e.Seat))
	case engine.TurnEnded:
		switch {
		case e.Out:
			return locale.T(ctx, "log.turn_ended.out", "name", g.NameOf(e.Seat))
		case e.Passed:
			return locale.T(ctx, "log.turn_ended.passed", "name", g.NameOf(e.Seat))
		case e.Opened:
			return locale.T(ctx, "log.turn_ended.opened", "name", g.NameOf(e.Seat))
		}
		return locale.T(ctx, "log.turn_ended", "name", g.NameOf(e.Seat))
	case engine.PoolRanOut:
		return locale.T(ctx, "log.pool_emptied", "name", g.NameOf(e.Seat))
	case engine.PlayEnded:
		return locale.T(ctx, "log.play_ended")
	case engine.RacksCounted:
		return locale.T(ctx, "log.racks_counted")
	}
	return ""
}

// callWords describes a call for the referee, which is not public, in one sentence.
func callWords(ctx context.Context, g play.Game, event engine.Event) string {
	if g.View.Seat == engine.Spectator {
		return ""
	}
	switch e := event.(type) {
	case engine.RefereeCalled:
		return locale.T(ctx, "log.referee_called", "name", g.NameOf(e.Seat))
	case engine.CallWithdrawn:
		return locale.T(ctx, "log.call_withdrawn", "name", g.NameOf(e.Seat))
	case engine.CallAcknowledged:
		return locale.T(ctx, "log.call_acknowledged", "name", g.NameOf(e.Seat))
	case engine.CallAnswered:
		return locale.T(ctx, "log.call_answered", "name", g.NameOf(e.Seat))
	}
	return ""
}

// ActorWords returns a recorded actor as text for people: "referee:Ann" becomes "Ann (referee)".
func ActorWords(ctx context.Context, actor string) string {
	role, name, ok := strings.Cut(actor, ":")
	if !ok {
		return TextOr(ctx, "actor."+actor, actor)
	}
	return name + " (" + TextOr(ctx, "role."+role, role) + ")"
}

// nameOfActor returns the name of a recorded actor, such as referee:Ann.
func nameOfActor(ctx context.Context, actor string) string {
	_, name, ok := strings.Cut(actor, ":")
	if !ok {
		return TextOr(ctx, "actor."+actor, actor)
	}
	return name
}

// SeatNames returns the names of a table's players in seat order.
func SeatNames(t tournament.Table) []string {
	names := make([]string, len(t.Seats))
	for i, seat := range t.Seats {
		names[i] = seat.Player.Name
	}
	return names
}

// TextOr returns the text of a key. If the key has none, as for an organizer's own preset, TextOr returns the argument
// otherwise.
func TextOr(ctx context.Context, key, otherwise string) string {
	if locale.HasText(key) {
		return locale.T(ctx, key)
	}
	return otherwise
}

// RulesName returns a rule set's name in the reader's language, marked if it differs from its preset.
func (s *Reader) RulesName(ctx context.Context, rules ruleset.Ruleset) string {
	name := TextOr(ctx, "rules."+rules.Name, rules.Name)
	if preset, ok := s.Presets.Rules[rules.Name]; ok && preset != rules {
		return locale.T(ctx, "rules.changed", "name", name)
	}
	return name
}

// StageName returns a stage's name in the reader's language. A name given by an organizer stays unchanged.
func StageName(ctx context.Context, stages []format.Stage, stage int) string {
	if stage < 0 || stage >= len(stages) {
		return ""
	}
	return StageWord(ctx, stages[stage].Name)
}

// StageWord returns the displayed name for a stage's name in a format.
func StageWord(ctx context.Context, name string) string { return TextOr(ctx, "stage_name."+name, name) }

// WhyText describes in one sentence what separates a row from the one above.
func WhyText(ctx context.Context, rows []ranking.StandingsRow, i int) string {
	if i == 0 {
		return locale.T(ctx, "why.first")
	}
	return reasonText(ctx, rows[i].Reason, rows[i-1].Name)
}

// reasonText describes a reason as a sentence about the lower of two players; other is the upper one.
func reasonText(ctx context.Context, r standing.Reason, other string) string {
	key := "why." + r.Key
	switch {
	case r.Only:
		key += ".only"
	case r.Key == format.TieOpponents && r.Below > r.Above: // of points that count against
		key += ".more"
	}
	return locale.T(ctx, key, "other", "\u2068"+other+"\u2069", "above", locale.AmountText(ctx, r.Above), "below",
		locale.AmountText(ctx, r.Below), "nth", max(r.Nth, 1))
}

// EffectText describes an effect of a change to the people, in one sentence in the reader's language.
func EffectText(ctx context.Context, e tournament.PeopleEffect) string {
	var nameValues []any
	for name, value := range e.Args {
		switch v := value.(type) {
		case string:
			value = "\u2068" + v + "\u2069"
		case score.Twelfth:
			value = locale.AmountText(ctx, v)
		}
		nameValues = append(nameValues, name, value)
	}
	key := "people.effect." + e.Key
	if points, ok := e.Args["points"].(score.Twelfth); ok && points == 0 {
		key += ".none"
	}
	return locale.T(ctx, key, nameValues...)
}

// RulingKeyOf identifies the state of a game on which a form was based.
func RulingKeyOf(game int64, seq int) string { return fmt.Sprintf("ruling-%d-%d", game, seq) }

// StartedTables returns how many of a round's tables were started, separately or with the round.
func StartedTables(r tournament.Round, tables []tournament.Table) int {
	n := 0
	for _, t := range tables {
		if t.Started(r) {
			n++
		}
	}
	return n
}
