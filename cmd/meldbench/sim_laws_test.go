package main

import (
	"fmt"
	"slices"

	"meldhall/engine"
	"meldhall/engine/score"
	"meldhall/engine/tile"
	"meldhall/tournament"
	"meldhall/tournament/draw"
	"meldhall/tournament/game"
	"meldhall/tournament/ranking"
	"meldhall/tournament/result"
)

// laws checks a run's outcome against all requirements.
func (s *simulation) laws() {
	p := s.server
	games, err := p.store.IDs(s.ctx, `SELECT id FROM games WHERE started_at > 0 ORDER BY id`)
	if err != nil {
		s.broken("games: %v", err)
		return
	}
	totals := map[int64]score.Twelfth{}
	for _, at := range games {
		s.gameLaws(at, totals)
	}
	s.standingsLaw(totals)
	s.readersLaw()
	s.deskLaws()
	s.counts["states told"] += len(s.told)
}

// gameLaws checks one game's log. It must yield the game's state and every state shown, and account for all tiles. Each
// act may occur only once, and no player may lose time to an outage.
func (s *simulation) gameLaws(at int64, totals map[int64]score.Twelfth) {
	entries, err := s.server.games.Log.Tail(s.ctx, at, 0)
	if err != nil {
		s.broken("log of game %d: %v", at, err)
		return
	}
	snap, err := s.server.games.Look(s.ctx, at)
	if err != nil {
		s.broken("look at game %d: %v", at, err)
		return
	}
	var state engine.State
	s.counts["events of games"] += len(entries)
	var clock simClock
	var events []engine.Event
	keys := map[string]bool{}
	for _, e := range entries {
		before := state
		state = engine.Apply(state, e.Event)
		events = append(events, e.Event)
		if told, known := s.told[simMoment{at, e.Seq}]; known && told != simSum(state) {
			s.broken("game %d, seq %d: told another state than the log gives", at, e.Seq)
		}
		if err := simTiles(state); err != nil {
			s.broken("game %d, seq %d: %v", at, e.Seq, err)
		}
		if e.Cmd != "" && keys[e.Cmd[:16]] {
			s.broken("game %d, seq %d: the command was done before", at, e.Seq)
		}
		if e.Cmd != "" {
			keys[e.Cmd[:16]] = true
		}
		if short := clock.goesOn(before, state, e.Event, s.outages); short > 0 {
			s.broken("game %d, seq %d: the turn expired, of which an outage had taken %d ms", at, e.Seq, short)
		}
	}
	for at2 := range s.told {
		if at2.game == at && at2.seq > state.Seq {
			s.broken("game %d: seq %d was told, and the log ends at %d", at, at2.seq, state.Seq)
		}
	}
	if simSum(snap.State) != simSum(state) {
		s.broken("game %d: the state is another than the log's", at)
	}
	if _, err := engine.Recheck(events); err != nil {
		s.broken("game %d: %v", at, err)
	}
	s.actsLaw(at, entries)
	s.resultLaws(at, state, snap.Ref, totals)
}

// actsLaw checks that acknowledged acts are in the log as acknowledged, and refused ones are not.
func (s *simulation) actsLaw(at int64, entries []game.Entry) {
	for _, a := range s.acts {
		if a.game != at || a.name == "confirm" || a.name == "correct" {
			continue
		}
		for _, answer := range a.answers {
			if answer.Seq < 1 || answer.Seq > len(entries) || entries[answer.Seq-1].Event.Kind() != answer.Outcome {
				s.broken("game %d: %s was answered %s at seq %d, which the log does not have", at, a.key,
					answer.Outcome, answer.Seq)
			}
		}
		seq, err := s.server.games.SeqOf(s.ctx, a.who, at, a.key)
		switch {
		case err != nil:
			s.broken("key %s: %v", a.key, err)
		case a.done > 0 && seq == 0 && a.name != "engine.Start":
			s.broken("game %d: %s %s was acknowledged and is lost", at, a.name, a.key)
		case a.done == 0 && !a.unsure && seq != 0:
			s.broken("game %d: %s %s was never acknowledged, and is done at seq %d", at, a.name, a.key, seq)
		}
		for _, answer := range a.answers {
			if err == nil && seq != answer.Seq {
				s.broken("game %d: %s was answered at seq %d and is at %d", at, a.key, answer.Seq, seq)
			}
		}
	}
}

// resultLaws checks that the first revision follows from the log, and each later one from one decision, made once.
func (s *simulation) resultLaws(at int64, state engine.State, ref game.Ref, totals map[int64]score.Twelfth) {
	results, err := result.Results(s.ctx, s.server.store, at)
	if err != nil {
		s.broken("results of game %d: %v", at, err)
		return
	}
	if (state.Phase == engine.PhaseOver) != (len(results) > 0) {
		s.broken("game %d is %s and has %d results", at, state.Phase, len(results))
	}
	if state.End == nil || len(results) == 0 {
		return
	}
	points := slices.Clone(state.End.Outcome.Points)
	why := map[string]int{}
	for i, r := range results {
		if r.Why != "" {
			why[r.Why]++
			for seat, l := range s.corrections[r.Why] {
				points[seat] = l.Points
			}
		}
		if r.Rev != i+1 || len(r.Lines) != state.Seats {
			s.broken("game %d: result %d is revision %d with %d lines", at, i+1, r.Rev, len(r.Lines))
		}
		for seat, l := range r.Lines {
			if l.Points != points[seat] || l.PlayerID != ref.Players[seat] {
				s.broken("game %d: revision %d gives seat %d %v points, not %v", at, r.Rev, seat, l.Points,
					points[seat])
			}
		}
	}
	s.count("games ended")
	s.counts["results confirmed or corrected"] += len(results) - 1
	for seat, player := range ref.Players {
		totals[player] += points[seat]
	}
	for _, a := range s.acts {
		if a.game == at && a.name == "correct" && (why[a.key] > 1 || a.done > 0 && why[a.key] == 0) {
			s.broken("game %d: a correction that was acknowledged %d times is in %d revisions", at, a.done, why[a.key])
		}
		if a.game == at && a.name == "confirm" && a.done > 0 && len(results) < 2 {
			s.broken("game %d: a confirmation is lost", at)
		}
	}
}

// standingsLaw checks that the standings add up the logs and the decisions.
func (s *simulation) standingsLaw(totals map[int64]score.Twelfth) {
	standings, err := ranking.StandingsOf(s.ctx, s.server.store, s.tournamentID)
	if err != nil {
		s.broken("standings: %v", err)
		return
	}
	for _, row := range standings.Rows {
		if row.Total != totals[row.Player] {
			s.broken("player %d stands at %v, the logs give %v", row.Player, row.Total, totals[row.Player])
		}
	}
}

// readersLaw checks that every viewer has received the newest state.
func (s *simulation) readersLaw() {
	for _, r := range s.readers {
		at, err := game.CurrentAtTable(s.ctx, s.server.store, r.table)
		if err != nil {
			s.broken("table %d: %v", r.table, err)
			continue
		}
		snap, err := s.server.games.Look(s.ctx, at.Game)
		has := r.shown()
		switch {
		case err != nil:
			s.broken("look: %v", err)
		case has == nil || has.Ref.ID != snap.Ref.ID || simSum(has.State) != simSum(snap.State):
			told := "nothing"
			if has != nil {
				told = fmt.Sprintf("game %d at seq %d", has.Ref.ID, has.State.Seq)
			}
			s.broken("table %d: a reader has %s, not game %d at seq %d", r.table, told, snap.Ref.ID, snap.State.Seq)
		}
	}
}

// deskLaws checks that each action at the desk was done only once.
func (s *simulation) deskLaws() {
	twice, err := s.server.store.IDs(s.ctx,
		`SELECT count(*) FROM audit WHERE action IN ('round.start', 'round.publish') GROUP BY action, about HAVING count(*) > 1`)
	if err != nil || len(twice) > 0 {
		s.broken("a round was published or started %v times: %v", twice, err)
	}
	rounds, err := draw.Rounds(s.ctx, s.server.store, s.tournamentID)
	if err != nil {
		s.broken("rounds: %v", err)
	}
	published := map[int64]bool{}
	for i, r := range rounds {
		if r.Number != i+1 {
			s.broken("round %d has the number %d", i+1, r.Number)
		}
		published[r.ID] = r.Status != tournament.RoundDraft
	}
	for _, a := range s.acts {
		if a.round != 0 && a.done > 0 && !published[a.round] {
			s.broken("round %d was published, and is a draft", a.round)
		}
	}
}

// simTiles checks that each of the 106 tiles is in exactly one place.
func simTiles(state engine.State) error {
	if state.Phase == engine.PhaseNew || len(state.Order) == 0 {
		return nil
	}
	var seen [tile.Count]int
	lists := append(state.Racks[:], state.Pool)
	for _, set := range state.Table {
		lists = append(lists, set.Tiles)
	}
	all := 0
	for _, list := range lists {
		for _, t := range list {
			seen[t]++
			all++
		}
	}
	if all != tile.Count || slices.Max(seen[:]) > 1 {
		return fmt.Errorf("%d tiles, one of them %d times", all, slices.Max(seen[:]))
	}
	return nil
}

// simClock measures how much of a turn's time was available to its player.
type simClock struct {
	turn    engine.Turn
	whole   engine.Millis // the turn's time at its start
	had     engine.Millis // time available before the clock last stopped
	running engine.Millis // running since; 0 if stopped
	moved   bool          // an official changed the time or rewound
}

// goesOn processes the next event. If a turn expired, it returns how much of its time was not available to the player.
func (c *simClock) goesOn(before, after engine.State, e engine.Event,
	outages [][2]engine.Millis) (short engine.Millis) {
	switch e.(type) {
	case engine.TurnExpired:
		if c.running != 0 {
			c.had += simPlayable(c.running, before.Turn.Due, outages)
		}
		if !c.moved {
			short = c.whole - c.had
		}
	case engine.GamePaused:
		if c.running != 0 {
			c.had += simPlayable(c.running, e.When(), outages)
		}
		c.running = 0
	case engine.GameResumed:
		c.running = e.When()
	default:
		c.moved = c.moved || engine.RulingOf(e).Kind != "" && after.Turn.Number == before.Turn.Number
	}
	if t := after.Turn; t.Number != c.turn.Number || t.Started != c.turn.Started {
		*c = simClock{turn: t, whole: t.Due - t.Started, moved: engine.RulingOf(e).Kind != ""}
		if after.Paused == nil {
			c.running = t.Started
		}
	}
	return short
}

// simPlayable returns how much of a period was not an outage.
func simPlayable(from, until engine.Millis, outages [][2]engine.Millis) engine.Millis {
	if until <= from {
		return 0
	}
	sorted := slices.SortedFunc(slices.Values(outages), func(a, b [2]engine.Millis) int { return int(a[0] - b[0]) })
	left, at := until-from, from
	for _, o := range sorted {
		begins, ends := max(o[0], at), min(o[1], until)
		if begins < ends {
			left -= ends - begins
			at = ends
		}
	}
	return left
}
