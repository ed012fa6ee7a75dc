package referee

import (
	"cmp"
	"context"
	"slices"

	"meldhall/engine"
	"meldhall/templates/locale"
)

// commonKeys is how many rulings are visible for a player, and how many for the game. Another button reveals the rest.
const commonKeys = 4

// sheetKey is a ruling that can be given on a sheet: the button's label, a full sentence, and the fields of its
// address. use identifies it in the counts of the rulings that officials have given.
type sheetKey struct {
	text, say, action string
	says              []any
	use               string
}

// playerKeys returns the rulings on the player at a seat. The penalties for a turn come first, always in the same
// places, so that officials can rely on them at every table. The others follow, ordered by use in the tournament before
// this round.
func (v RulingView) playerKeys(ctx context.Context, seat int) (keys []sheetKey) {
	who := v.Game.NameOf(seat)
	add := func(text, say, action, use string, says ...any) {
		keys = append(keys, sheetKey{text, say, action, append([]any{"seat", seat}, says...), use})
	}
	if v.Game.View.Phase == engine.PhaseOver {
		return nil
	}
	fixed := 0
	if v.playing() {
		add(locale.T(ctx, "act.notice"), locale.T(ctx, "say.rule.penalty.none", "name", who), "penalty",
			engine.PenaltyUse(0),
			"tiles", 0)
		for n := 1; n <= 3; n++ {
			add(locale.T(ctx, "act.tiles", "n", n), locale.T(ctx, "say.rule.penalty", "name", who, "n", n), "penalty",
				engine.PenaltyUse(n), "tiles", n)
		}
		fixed = len(keys)
		add(locale.T(ctx, "act.other"), locale.T(ctx, "say.rule.penalty_free", "name", who), "penalty",
			engine.PenaltyUse(4), "tiles",
			4, "free", "1")
	} else {
		add(locale.T(ctx, "act.grant-redeal"), locale.T(ctx, "say.rule.grant-redeal", "name", who), "grant-redeal",
			"grant-redeal")
		add(locale.T(ctx, "act.refuse-redeal"), locale.T(ctx, "say.rule.refuse-redeal", "name", who), "refuse-redeal",
			"refuse-redeal")
	}
	add(locale.T(ctx, "act.warning"), locale.T(ctx, "say.rule.warning", "name", who), "warning", "warning")
	add(locale.T(ctx, "act.points"), locale.T(ctx, "say.rule.points", "name", who, "points", 50), "points", "points",
		"points", 50,
		"free", "1")
	add(locale.T(ctx, "act.forfeit"), locale.T(ctx, "say.rule.forfeit", "name", who), "forfeit", "forfeit")
	v.byUse(keys[fixed:])
	if v.MayHeavily { // always last, so that it is not tapped by mistake
		add(locale.T(ctx, "act.disqualification"), locale.T(ctx, "say.rule.disqualification", "name", who),
			"disqualification", "")
	}
	return keys
}

// gameKeys returns the rulings on the current turn and on the whole game, also ordered by use. It returns nil unless
// the game is in its playing phase.
func (v RulingView) gameKeys(ctx context.Context) (keys []sheetKey) {
	if !v.playing() {
		return nil
	}
	turn := v.Game.View.Turn.Number
	add := func(text, say, action string, says ...any) {
		keys = append(keys, sheetKey{text, say, action, says, action})
	}
	add(locale.T(ctx, "act.skip"), locale.T(ctx, "say.rule.skip", "name", v.mover()), "skip", "turn", turn)
	add(locale.T(ctx, "act.illegal"), locale.T(ctx, "say.rule.illegal", "name", v.mover(), "n", v.Illegal), "illegal",
		"turn", turn,
		"tiles", v.Illegal, "free", "1")
	if len(v.Back) > 0 {
		add(locale.T(ctx, "act.turn_back"), locale.T(ctx, "say.rule.rewind", "turn", v.Back[0].Number), "rewind",
			"turn",
			v.Back[0].Turn, "number", v.Back[0].Number)
	}
	add(locale.T(ctx, "act.rewind_now"), locale.T(ctx, "say.rule.rewind.now"), "rewind", "turn", turn)
	add(locale.T(ctx, "act.position"), locale.T(ctx, "say.rule.position"), "position", "seat", v.Game.View.Turn.Seat)
	if !v.Game.View.TimeOver {
		add(locale.T(ctx, "act.call-time"), locale.T(ctx, "act.call-time"), "call-time")
	}
	v.byUse(keys)
	return keys
}

// byUse sorts by how often each ruling was used, keeping the usual order among equals.
func (v RulingView) byUse(keys []sheetKey) {
	slices.SortStableFunc(keys, func(a, b sheetKey) int { return cmp.Compare(v.Used[b.use], v.Used[a.use]) })
}
