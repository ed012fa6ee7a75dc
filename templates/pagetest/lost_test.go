package pagetest

import (
	"strings"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
	"meldhall/templates/locale"
	"meldhall/templates/play"
)

// lostTurn returns a game in which it is the turn of the second of three players, with the given number of tiles in the
// pool.
func lostTurn(pool int, penalties string) engine.State {
	all := tile.All()
	rules := ruleset.Ruleset{TurnSeconds: 60, TimeoutTiles: 3, IdleTiles: 1, IllegalTiles: 2,
		IllegalPlay: ruleset.Penalty, Penalties: penalties,
		MeldPoints: 30, Exhausted: ruleset.LastLap}
	s := engine.State{Edition: engine.Edition, Phase: engine.PhasePlaying, Rules: rules, Seats: 3, Seq: 48,
		Turn: engine.Turn{Number: 7, Seat: 1, Started: 1, Due: 60_001}}
	for seat := range 3 {
		s.Racks[seat] = all[seat*14 : 14+seat*14]
	}
	s.Pool = all[42 : 42+pool]
	return s
}

// TestALostTurnIsToldAsItWas checks the texts for every outcome of a time-out and of an illegal play against the state,
// as read by the player, the other players, an official and a spectator, in all languages.
func TestALostTurnIsToldAsItWas(t *testing.T) {
	idle, moved, illegal := "idle", "moved", "illegal"
	yes := engine.Grounds{Reason: "x", By: "Anna"}
	waive := func(p engine.Proposal) engine.Command { return engine.WaivePenalty{Grounds: yes, Proposal: p.Seq} }
	notice := func(p engine.Proposal) engine.Command {
		return engine.Penalise{Grounds: yes, Seat: p.Seat, Proposal: p.Seq}
	}
	for _, w := range []struct {
		how, penalties         string
		pool                   int
		then                   func(engine.Proposal) engine.Command
		you, others, spectator string
	}{
		{idle, ruleset.Automatic, 64, nil, "Time’s up: 1 drawn.", "Time up for Ben: 1 tile drawn.",
			"Time up for Ben: 1 tile drawn."},
		{moved, ruleset.Automatic, 64, nil, "Time’s up: tiles returned, 3 drawn.", "Time up for Ben: 3 tiles drawn.",
			"Time up for Ben: 3 tiles drawn."},
		{moved, ruleset.Automatic, 2, nil, "Time’s up: tiles returned, 2 drawn.", "Time up for Ben: 2 tiles drawn.",
			"Time up for Ben: 2 tiles drawn."},
		{idle, ruleset.Automatic, 0, nil, "Time’s up. The pool is empty, none drawn.",
			"Time up for Ben. The pool is empty, none drawn.", "Time up for Ben. The pool is empty, none drawn."},
		{moved, ruleset.Automatic, 0, nil, "Time’s up: tiles returned. The pool is empty, none drawn.",
			"Time up for Ben: tiles returned. The pool is empty, none drawn.",
			"Time up for Ben: tiles returned. The pool is empty, none drawn."},
		{idle, ruleset.Proposed, 64, nil, "Time’s up. A penalty of 1 tile is proposed.",
			"Time up for Ben. A penalty of 1 tile is proposed.", "Time up for Ben. None drawn."},
		{moved, ruleset.Proposed, 64, nil, "Time’s up: tiles returned. A penalty of 3 tiles is proposed.",
			"Time up for Ben: tiles returned. A penalty of 3 tiles is proposed.",
			"Time up for Ben: tiles returned. None drawn."},
		{moved, ruleset.Proposed, 0, nil, "Time’s up: tiles returned. A penalty of 3 tiles is proposed.",
			"Time up for Ben: tiles returned. A penalty of 3 tiles is proposed.",
			"Time up for Ben: tiles returned. None drawn."},
		{idle, ruleset.Proposed, 64, waive, "Time’s up. The penalty was waived, none drawn.",
			"Time up for Ben. The penalty was waived, none drawn.", "Time up for Ben. None drawn."},
		{moved, ruleset.Proposed, 64, notice, "Time’s up: tiles returned. A notice was given, none drawn.",
			"Time up for Ben: tiles returned. A notice was given, none drawn.",
			"Time up for Ben: tiles returned. None drawn."},
		{illegal, ruleset.Automatic, 64, nil, "Illegal play: tiles returned, 2 drawn.",
			"Illegal play by Ben: 2 tiles drawn.", "Illegal play by Ben: 2 tiles drawn."},
		{illegal, ruleset.Automatic, 0, nil, "Illegal play: tiles returned. The pool is empty, none drawn.",
			"Illegal play by Ben: tiles returned. The pool is empty, none drawn.",
			"Illegal play by Ben: tiles returned. The pool is empty, none drawn."},
		{illegal, ruleset.Proposed, 64, nil, "Illegal play: tiles returned. A penalty of 2 tiles is proposed.",
			"Illegal play by Ben: tiles returned. A penalty of 2 tiles is proposed.",
			"Illegal play by Ben: tiles returned. None drawn."},
		{illegal, ruleset.Proposed, 64, waive, "Illegal play: tiles returned. The penalty was waived, none drawn.",
			"Illegal play by Ben: tiles returned. The penalty was waived, none drawn.",
			"Illegal play by Ben: tiles returned. None drawn."},
	} {
		s := lostTurn(w.pool, w.penalties)
		var c engine.Command = engine.Expire{}
		at := time.UnixMilli(61_000)
		if w.how == illegal {
			c = engine.Play{Seat: 1, Turn: 7, Table: []tile.LaidFaces{{At: 0, Faces: tile.FacesOf(s.Racks[1][:1])}}}
			at = time.UnixMilli(30_000)
		}
		s = decided(t, s, c, w.how == moved, at)
		if w.then != nil {
			s = decided(t, s, w.then(s.Rulings.Undecided()[0]), false, at)
		}
		for viewer, want := range map[int]string{1: w.you, 0: w.others, engine.Referee: w.others,
			engine.Spectator: w.spectator} {
			for _, language := range []string{"en", "it", "he"} {
				g := play.Game{View: engine.ViewFor(&s, viewer), Seats: []play.Person{{Name: "Ann"}, {Name: "Ben"},
					{Name: "Cid"}}}
				got := g.LastWords(locale.WithLanguage(t.Context(), language))
				if got = strings.NewReplacer("\u2068", "", "\u2069", "").Replace(got); language == "en" &&
					got != want || strings.Contains(got, ".none") || strings.Contains(got, "lost.") {
					t.Errorf("%s, %s, %d in the pool, viewer %d, %s: %q, want %q", w.how, w.penalties, w.pool, viewer,
						language, got, want)
				}
			}
		}
	}
}

// decided returns the state after a command.
func decided(t *testing.T, s engine.State, c engine.Command, disturbed bool, at time.Time) engine.State {
	t.Helper()
	events, err := engine.Decide(&s, c, disturbed, at)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		s = engine.Apply(s, e)
	}
	return s
}
