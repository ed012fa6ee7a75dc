package engine

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
)

// logsOfBefore reads the logs in testdata/before. They come from an engine that counted down the turns left, and hold
// at least one ruling of each kind that did not add up then. They are never written again.
func logsOfBefore(t *testing.T) (games []frozen) {
	t.Helper()
	paths, err := filepath.Glob("testdata/before/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		games = append(games, readFrozen(t, path))
	}
	return games
}

func TestLogsOfBefore(t *testing.T) {
	faults := map[string]bool{}
	for _, game := range logsOfBefore(t) {
		t.Run(game.name, func(t *testing.T) {
			fault, _, _ := strings.Cut(game.name, "-")
			faults[fault] = true
			for i, e := range game.log {
				if lost := lostFields(t, game.lines[i], e); lost != "" {
					t.Fatalf("event %d, %s: field %s of the log is not kept", i+1, e.Kind(), lost)
				}
			}
			if got := ending(Replay(game.log)); got != game.end {
				t.Errorf("got\n%s\nwant\n%s", got, game.end)
			}
			s, err := Recheck(game.log)
			if err != nil || ending(s) != game.end {
				t.Errorf("rechecked to %v\n%s\nwant\n%s", err, ending(s), game.end)
			}
			g := &played{t: t, state: s, at: s.At, starts: map[int]State{}}
			if g.state.Phase == PhasePlaying { // the current rules apply from here
				g.out(100)
				if !g.over() {
					t.Errorf("still %+v", g.state.Turn)
				}
			}
		})
	}
	if len(faults) != 10 {
		t.Errorf("logs of %d kinds", len(faults))
	}
}

func TestForgedLogsOfBefore(t *testing.T) {
	var logs [][]Event
	for _, game := range logsOfBefore(t) {
		logs = append(logs, game.log)
	}
	for name, forged := range map[string][][]Event{
		"a tile drawn": forge(logs, func(e *TileDrawn) bool {
			e.Tile[0] = tile.Of((e.Tile[0].Face()+1)%tile.Joker,
				0)
			return true
		}),
		"a seat": forge(logs, func(e *TileDrawn) bool { e.Turn.Seat = (e.Turn.Seat + 1) % 3; return true }),
		"a penalty's tiles": forge(logs,
			func(e *PenaltyGiven) bool { slices.Reverse(e.Tiles); return len(e.Tiles) > 1 }),
		"a tile that comes back twice": forge(logs, func(e *RulingCancelled) bool {
			e.Tiles = append(e.Tiles, e.Tiles...)
			return len(e.Tiles) > 0
		}),
		"points": forge(logs, func(e *GameEnded) bool { e.End.Outcome.Points[0]++; return true }),
		"an end": forge(logs, func(e *GameEnded) bool { e.End.Why = ruleset.EndedEmptied; return true }),
	} {
		for i, log := range forged {
			if _, err := Recheck(log); err == nil {
				t.Errorf("%s: game %d of %d is taken for true", name, i+1, len(forged))
			}
		}
		if len(forged) == 0 {
			t.Errorf("%s: no log has it", name)
		}
	}
}

// TestForfeitBeforeTheStartAsBefore checks that old logs stay valid in which a forfeit ended play at a table with real
// tiles before the first turn. There, the count began once the players were ready.
func TestForfeitBeforeTheStartAsBefore(t *testing.T) {
	s, log := State{}, []Event(nil)
	add := func(events ...Event) {
		for _, e := range events {
			if started, ok := e.(GameStarted); ok {
				started.Edition = 0
				e = started
			}
			s, log = Apply(s, e), append(log, e)
		}
	}
	decided := func(c Command) {
		events, err := Decide(&s, c, false, noon.time())
		if err != nil {
			t.Fatal(err)
		}
		add(events...)
	}
	decided(Start{Rules: presetRules(t, "wrc"), Seats: 2, First: DrawForStart, Physical: true})
	decided(ChooseStarter{0})
	decided(ForfeitSeat{Grounds: why, Seat: 1})
	decided(Ready{Everybody, 0})
	decided(CountRacks{Racks: racks(t, couldNot, couldOpen)})
	if _, err := Recheck(log); err != nil || s.Phase != PhaseOver {
		t.Errorf("phase %s, %v", s.Phase, err)
	}
}
