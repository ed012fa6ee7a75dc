package play

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"meldhall/engine"
	"meldhall/engine/steps"
	"meldhall/engine/tile"
	"meldhall/templates/locale"
	"meldhall/templates/part"
)

// EffectWords describes, in the reader's language, how a command changes a game: the differences between the states
// before and after it. It reveals nothing hidden: only the numbers of tiles on racks and in the pool.
func EffectWords(ctx context.Context, g Game, before, after engine.State) []string {
	e := effect{ctx, g, before, after, nil}
	e.tiles()
	e.clock()
	e.turn()
	e.end()
	e.record()
	if len(e.lines) == 0 {
		e.say("effect.none")
	}
	return e.lines
}

type effect struct {
	ctx           context.Context
	game          Game
	before, after engine.State
	lines         []string
}

func (e *effect) say(key string, nameValues ...any) {
	e.lines = append(e.lines, locale.T(e.ctx, key, nameValues...))
}

// tiles describes changes of racks, table and pool.
func (e *effect) tiles() {
	if e.after.Deal != e.before.Deal {
		e.say("effect.dealt")
		return
	}
	gains, key := 0, "effect.draws"
	for seat := range e.after.Seats {
		gains += max(0, len(e.after.Racks[seat])-len(e.before.Racks[seat]))
	}
	if gains > len(e.before.Pool)-len(e.after.Pool) { // some come from the table
		key = "effect.gets"
	}
	for seat := range e.after.Seats {
		was, is := len(e.before.Racks[seat]), len(e.after.Racks[seat])
		switch {
		case is > was:
			e.say(key, "name", e.game.NameOf(seat), "n", is-was, "total", is)
		case is < was:
			e.say("effect.gives", "name", e.game.NameOf(seat), "n", was-is, "total", is)
		}
	}
	was, is := tilesOn(e.before.Table), tilesOn(e.after.Table)
	switch {
	case is != was:
		e.say("effect.table", "n", is, "was", was)
	case !slices.EqualFunc(e.before.Table, e.after.Table, func(a, b tile.Laid) bool {
		return a.At == b.At &&
			slices.Equal(a.Tiles, b.Tiles)
	}):
		e.say("effect.table_other")
	}
	if len(e.before.Pool) != len(e.after.Pool) {
		e.say("effect.pool", "n", len(e.after.Pool))
	}
}

// record describes changes to the records of the seats and the log.
func (e *effect) record() {
	before, after := e.before.Rulings.Warnings(), e.after.Rulings.Warnings()
	for seat := range e.after.Seats {
		name := e.game.NameOf(seat)
		if after[seat] != before[seat] {
			e.say("effect.warnings", "name", name, "n", after[seat])
		}
		if e.after.Out[seat] && !e.before.Out[seat] {
			e.say("effect.out", "name", name)
		} else if e.before.Out[seat] && !e.after.Out[seat] {
			e.say("effect.in", "name", name)
		}
		if e.before.MayRedeal(seat) != e.after.MayRedeal(seat) && e.before.Deal == e.after.Deal {
			key := "effect.no_redeal"
			if e.after.MayRedeal(seat) {
				key = "effect.may_redeal"
			}
			e.say(key, "name", name)
		}
	}
	if len(e.after.Rulings.Undecided()) < len(e.before.Rulings.Undecided()) {
		e.say("effect.decided")
	}
	if cancelled(e.after) > cancelled(e.before) {
		e.say("effect.cancelled")
	}
}

func cancelled(s engine.State) (n int) {
	for _, r := range s.Rulings.All {
		if r.Cancelled != 0 {
			n++
		}
	}
	return n
}

// clock describes the effect on the time of the current turn.
func (e *effect) clock() {
	switch {
	case e.after.Phase == engine.PhaseOver:
	case e.after.Paused != nil && e.before.Paused == nil:
		e.say("effect.paused")
		e.left(e.after.Paused.Left)
	case e.after.Paused != nil && e.after.Paused.ResumeAt != 0 && e.before.Paused.ResumeAt == 0:
		if e.before.Paused.Held() {
			e.say("effect.start_anyway", "names", part.Names(e.game.awaited()))
		}
		e.say("effect.resume_set")
		e.left(e.after.Paused.Left)
	case e.after.Paused != nil && e.after.Paused.Left != e.before.Paused.Left:
		e.left(e.after.Paused.Left)
	case e.after.Paused == nil && e.before.Paused != nil:
		e.say("effect.resumed")
		e.left(e.after.Turn.Due - e.after.At)
	case e.after.Paused == nil && e.after.Turn.Number == e.before.Turn.Number && e.after.Turn.Due != e.before.Turn.Due:
		e.left(e.after.Turn.Due - e.after.At)
	}
}

func (e *effect) left(left engine.Millis) {
	if e.after.Turn.Due == 0 && left == 0 {
		return // no turn has a limit
	}
	e.say("effect.left", "name", e.game.NameOf(e.after.Turn.Seat), "time", minutes(left))
}

// turn describes a change of the player to move, or that the turn starts again.
func (e *effect) turn() {
	switch {
	case e.after.Phase != engine.PhasePlaying:
		return
	case e.after.Turn.Seat != e.before.Turn.Seat:
		e.say("effect.moves", "name", e.game.NameOf(e.after.Turn.Seat))
	case e.after.Turn.Started != e.before.Turn.Started:
		e.say("effect.anew", "name", e.game.NameOf(e.after.Turn.Seat))
	}
}

// end describes that the game ends, or when it will.
func (e *effect) end() {
	switch {
	case e.after.Phase == engine.PhaseOver && e.before.Phase != engine.PhaseOver:
		e.say("effect.over")
	default:
		was, is := movers(e.before), movers(e.after)
		if len(is) > 0 && !slices.Equal(was, is) {
			e.say("effect.last", "n", len(is), "name", e.game.NameOf(is[len(is)-1]))
		}
		if len(is) > 1 && !slices.Equal(was, is) {
			e.say("effect.owed", "names", e.game.namesOf(is[1:]))
		}
		if len(was) > 0 && len(is) == 0 && e.after.Phase == engine.PhasePlaying && e.after.Ending == "" {
			e.say("effect.goes_on")
		}
	}
}

// movers returns the seats that still have a turn before the game ends, the current turn's first. It returns nil while
// the end is not determined.
func movers(s engine.State) []int {
	owed, last := s.Owed()
	if !last {
		return nil
	}
	return append([]int{s.Turn.Seat}, owed...)
}

func tilesOn(table tile.Table) (n int) {
	for _, laid := range table {
		n += len(laid.Tiles)
	}
	return n
}

// minutes formats a duration as minutes and seconds, rounded up as clocks show it.
func minutes(left engine.Millis) string {
	s := int(max(left, 0)+999) / 1000
	text := locale.Num(s % 60)
	if s%60 < 10 {
		text = "0" + text
	}
	return locale.Num(s/60) + ":" + text
}

// ReasonsFor returns the canned reasons for a ruling, the usual one first.
func ReasonsFor(ruling string) []engine.RulingReason {
	kind, _ := engine.RulingKindNamed(ruling)
	return kind.Reasons
}

// cannedMark precedes the code of a canned reason in a ruling's reason; free text may follow after a space.
const cannedMark = "@"

// PackReason encodes a canned reason, a free text, or both, in the form that rulings store. An unknown code is left
// out.
func PackReason(code, text string) string {
	text = strings.TrimPrefix(strings.TrimSpace(text), cannedMark)
	if code == "" || !locale.HasText("reason."+code) {
		return text
	}
	return strings.TrimSpace(cannedMark + code + " " + text)
}

// ReasonWords returns a ruling's reason in the reader's language: the canned part translated, free text unchanged.
func ReasonWords(ctx context.Context, reason string) string {
	packed, ok := strings.CutPrefix(reason, cannedMark)
	code, text, _ := strings.Cut(packed, " ")
	switch {
	case !ok:
		return reason
	case !locale.HasText("reason." + code):
		return packed
	case text == "":
		return locale.T(ctx, "reason."+code)
	}
	return locale.T(ctx, "reason."+code) + " " + locale.Isolate(text)
}

// StepWords describes one step of a solution in a sentence: "Move orange 7 from orange 4, 5, 6, 7 to ….".
func StepWords(ctx context.Context, s steps.Step) string {
	key := "step." + string(s.Kind)
	switch {
	case s.Kind == steps.StepTake && s.To == nil:
		key = "step.loose"
	case s.Kind == steps.StepSwap && s.Joker != nil:
		key = "step.swap_to"
	case s.Kind == steps.StepOrder && s.To == nil:
		s.To = s.From
	}
	return locale.T(ctx, key, "tiles", rowWords(ctx, s.Tiles), "from", changed(ctx, s.From), "to", changed(ctx, s.To),
		"joker",
		changed(ctx, s.Joker))
}

// changed names a row as it is before the step, or, if the step creates the row, as it is afterwards.
func changed(ctx context.Context, c *steps.Change) string {
	switch {
	case c == nil:
		return ""
	case len(c.Before) > 0:
		return rowWords(ctx, c.Before)
	}
	return rowWords(ctx, c.After)
}

// rowWords names adjacent tiles, with the colour of a run only once: "red 4, 5, joker", "joker, red 5, 6".
func rowWords(ctx context.Context, row []tile.Face) string {
	first := slices.IndexFunc(row, func(f tile.Face) bool { return !f.IsJoker() })
	if first < 0 || slices.ContainsFunc(row, func(f tile.Face) bool {
		return !f.IsJoker() &&
			f.Colour() != row[first].Colour()
	}) {
		return TileNames(ctx, row)
	}
	numbers := make([]string, len(row)-first)
	for i, f := range row[first:] {
		if numbers[i] = locale.T(ctx, "tile.joker"); !f.IsJoker() {
			numbers[i] = strconv.Itoa(f.Number())
		}
	}
	run := locale.T(ctx, "tile."+colourName(row[first]), "number", strings.Join(numbers, ", "))
	return strings.Repeat(locale.T(ctx, "tile.joker")+", ", first) + run
}
