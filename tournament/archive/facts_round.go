package archive

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/draw"
	"meldhall/tournament/pairing"
	"meldhall/tournament/ranking"
)

// roundFact is a round with its report.
type roundFact struct {
	row
	number   int
	report   tournament.RoundReport
	reported bool
}

func newRound(r row) *roundFact {
	one := &roundFact{row: r, number: int(r.n("number"))}
	one.reported = r.s("report") != "" && json.Unmarshal([]byte(r.s("report")), &one.report) == nil
	return one
}

func (r *roundFact) at(column string) engine.Millis { return engine.Millis(r.n(column)) }

func (r *roundFact) over() bool { return r != nil && r.s("status") == tournament.RoundFinished }

// plan returns the later rounds planned with this one.
func (r *roundFact) plan() (rounds []pairing.Round) {
	_ = json.Unmarshal([]byte(r.s("plan")), &rounds)
	return rounds
}

// seats returns a round's players by table, ordered by table number, and these numbers.
func (f *facts) seats(r *roundFact) (seats pairing.Round, numbers []int) {
	var tables []tableFact
	for _, t := range f.tables {
		if t.round == r.n("id") {
			tables = append(tables, t)
		}
	}
	slices.SortFunc(tables, func(a, b tableFact) int { return cmp.Compare(a.number, b.number) })
	for _, t := range tables {
		seats, numbers = append(seats, t.players), append(numbers, t.number)
	}
	return seats, numbers
}

// checkRound repeats a round's draw and compares it with its report, its records and the previous round.
func (f *facts) checkRound(r *roundFact) {
	place := fmt.Sprintf("round %d", r.number)
	if r.n("sealed") != 0 {
		f.note("%s: its seed is still secret, because later seats follow from it", place)
		return
	}
	draws, changes := f.drawnBy(r.number)
	f.checkDraws(r, draws, changes)
	if r.reported {
		if seed := r.report.Seed; seed != r.n("seed") {
			f.fault(roundsName, "%s: its seed is %d, its report was made with %d", place, r.n("seed"), seed)
		}
		if method := r.report.Method; method != r.s("method") {
			f.fault(roundsName, "%s: it was drawn by %q, its report says %q", place, r.s("method"), method)
		}
	}
	if r.report.Drawn == nil {
		f.note("%s: it cannot be derived again: the program that drew it did not keep the input of the draw", place)
		return
	}
	f.checkSource(r, *r.report.Drawn)
	f.checkSeats(r, *r.report.Drawn, changes)
}

// checkDraws compares a round with the record of its last draw, and its numbers of draws and manual changes with all
// records.
func (f *facts) checkDraws(r *roundFact, draws, changes []*record) {
	place := fmt.Sprintf("round %d", r.number)
	if len(draws) == 0 {
		f.fault(roundsName, "%s: there is no record that it was drawn", place)
		return
	}
	last := draws[len(draws)-1]
	byHand := 0
	for _, c := range changes {
		if a := c.kind; a == "round.swap" || a == "round.move" {
			byHand++
		}
	}
	undone := len(f.byKind["people.undo"]) > 0 // undoing the entry of players can discard a draft
	if n := r.n("draws"); n > int64(len(draws)) || 0 < n && n < int64(len(draws)) && !undone {
		f.fault(roundsName, "%s: it was drawn %d times, but %d are on record", place, n, len(draws))
	}
	if n := r.n("changes"); n != int64(byHand) {
		f.fault(roundsName, "%s: its seats were changed by hand %d times, %d are on record", place, n, byHand)
	}
	if last.old() {
		return
	}
	said := dataOf[seated](last)
	switch {
	case said.Method != r.s("method"):
		f.fault(roundsName, "%s: it was drawn by %q, the record says %q", place, r.s("method"), said.Method)
	case said.Seed != 0 && said.Seed != r.n("seed"):
		f.fault(roundsName, "%s: its seed is %d, the record says %d", place, r.n("seed"), said.Seed)
	case int64(said.Games) != r.n("games"):
		f.fault(roundsName, "%s: it has %d games at each table, the record says %d", place, r.n("games"), said.Games)
	case said.Duplicate != (r.n("duplicate") != 0) && !slices.ContainsFunc(changes, isDuplicate):
		f.fault(roundsName, "%s: it and the record of the draw disagree on whether all tables have the same deal",
			place)
	}
	if d := r.report.Drawn; d != nil && (said.Tables != len(d.Seats) ||
		said.Players != len(slices.Concat(d.Seats...))) {
		f.fault(roundsName, "%s: the record of the draw says %d tables and %d players", place, said.Tables,
			said.Players)
	}
}

func isDuplicate(r *record) bool { return r.kind == "round.duplicate" }

// history returns the seats of the rounds before number.
func (f *facts) history(number int) (rounds []pairing.Round) {
	for _, r := range f.inOrder() {
		if r.number < number {
			seats, _ := f.seats(r)
			rounds = append(rounds, seats)
		}
	}
	return rounds
}

// before returns the round before a number, or nil.
func (f *facts) before(number int) *roundFact {
	for _, r := range f.rounds {
		if r.number == number-1 {
			return r
		}
	}
	return nil
}

// checkSource checks that a round's seats follow from their stated source: a draw, a plan or the previous round.
func (f *facts) checkSource(r *roundFact, d tournament.Drawing) {
	place := fmt.Sprintf("round %d", r.number)
	automatic := slices.Contains(pairing.Automatic, r.s("method"))
	before := f.before(r.number)
	switch {
	case d.Way == draw.WayTie && r.n("play_off") != 0,
		d.Way == draw.WayFile && r.s("method") == pairing.Script,
		d.Way == draw.WayHand && r.s("method") == pairing.Manual:
		f.note("%s: its seats were not drawn (%s)", place, d.Way)
	case d.Way == draw.WayKept && before != nil:
		if seats, _ := f.seats(before); !sameTables(seats, d.Seats) {
			f.fault(roundsName, "%s: all players kept their seats, but the round before has other seats", place)
		}
	case d.Way == draw.WayPlan && before != nil && len(before.plan()) > 0:
		if why := planDifference(before.plan()[0], d.Seats); why != "" {
			f.fault(roundsName, "%s: the plan of round %d has other seats: %s", place, before.number, why)
		}
	case d.Way == draw.WayDrawn && automatic:
		f.collectUnpromised(r)
		f.drawAgain(r, d)
		f.checkPlaces(r, d)
	default:
		f.fault(roundsName, "%s: source %q of its seats conflicts with method %q", place, d.Way, r.s("method"))
	}
}

// planDifference returns how seats differ from the plan that they were taken from, or "". Players who have left may be
// replaced, one for one.
func planDifference(plan, seats pairing.Round) string {
	planned, seated := slices.Concat(plan...), slices.Concat(seats...)
	if len(planned) != len(seated) {
		return fmt.Sprintf("%d players in place of %d", len(planned), len(seated))
	}
	for i, id := range planned {
		if seated[i] != id && (slices.Contains(planned, seated[i]) || slices.Contains(seated, id)) {
			return fmt.Sprintf("player:%d where player:%d sits", id, seated[i])
		}
	}
	return ""
}

// sameTables reports whether two rounds have the same tables, in any order.
func sameTables(a, b pairing.Round) bool {
	order := func(r pairing.Round) pairing.Round {
		return slices.SortedFunc(slices.Values(r), func(x, y []int64) int { return slices.Compare(x, y) })
	}
	return slices.EqualFunc(order(a), order(b), slices.Equal[[]int64])
}

// drawAgain repeats a round's draw from its method, its seed and the stored input.
func (f *facts) drawAgain(r *roundFact, d tournament.Drawing) {
	place := fmt.Sprintf("round %d", r.number)
	if r.report.Version != pairing.Version {
		f.note("%s: it cannot be derived again: it was drawn by version %d of the draw, this program has %d", place,
			r.report.Version, pairing.Version)
		return
	}
	rounds, err := draw.DrawAgain(f.ctx, d, r.s("method"), r.n("seed"), f.history(r.number), f.c.families)
	switch {
	case errors.Is(err, draw.ErrOtherFamilies):
		f.note("%s: it cannot be derived again: %v", place, err)
	case err != nil:
		f.fault(roundsName, "%s: the draw cannot be repeated: %v", place, err)
	case !slices.EqualFunc(rounds[0], d.Seats, slices.Equal[[]int64]):
		f.fault(roundsName, "%s: its method (%s) and seed (%d) give other seats: %s", place, r.s("method"), r.n("seed"),
			firstOther(rounds[0], d.Seats, d.Numbers))
	case r.s("plan") != "" && len(rounds) > 1 && !slices.EqualFunc(rounds[1:], r.plan(), sameTables):
		f.fault(roundsName, "%s: its method and seed plan other later rounds", place)
	}
}

// firstOther describes the first table whose seats differ.
func firstOther(want, have pairing.Round, numbers []int) string {
	for i := range have {
		if i >= len(want) || !slices.Equal(want[i], have[i]) {
			number := i + 1
			if i < len(numbers) {
				number = numbers[i]
			}
			if i < len(want) {
				return fmt.Sprintf("table %d: players %v, not %v", number, want[i], have[i])
			}
			return fmt.Sprintf("table %d is not drawn", number)
		}
	}
	return fmt.Sprintf("%d tables, not %d", len(want), len(have))
}

// byPlaces lists the methods that draw by the standings.
var byPlaces = []string{pairing.Standings, pairing.Snake, pairing.Interval, pairing.Winners}

// rerank lists the actions that change earlier standings.
var rerank = []string{"tournament.format", "tournament.rules", "tournament.rules_from", "tournament.rules_back",
	"tournament.rounds", "people.missed", "people.settings", "people.undo"}

// checkPlaces compares the places that a round was drawn by with the standings at that moment. It skips players who
// have left since.
func (f *facts) checkPlaces(r *roundFact, d tournament.Drawing) {
	since := func(o *record) bool { return o.at >= r.at("created_at") && slices.Contains(rerank, o.kind) }
	if !slices.Contains(byPlaces, r.s("method")) || r.n("stage_round") == 1 || slices.ContainsFunc(f.records, since) {
		return
	}
	why := ""
	for _, at := range []engine.Millis{r.at("created_at"), r.at("created_at") + 1} {
		st, err := ranking.StandingsAt(f.ctx, f.store, f.c.event.ID, at)
		if err != nil {
			f.note("round %d: the standings that it was drawn by cannot be computed: %v", r.number, err)
			return
		}
		places := map[int64]int{}
		for _, row := range st.Rows {
			if !row.Withdrawn && !row.Disqualified {
				places[row.Player] = row.Place
			}
		}
		if why = orderDifference(d.Players, places); why == "" {
			return
		}
	}
	f.fault(roundsName, "round %d: the places used for its draw do not follow from the results: %s", r.number, why)
}

// orderDifference describes two players whose order differs from that of their places, or returns "".
func orderDifference(players []tournament.DrawnPlayer, places map[int64]int) string {
	var last tournament.DrawnPlayer
	for _, p := range players {
		if places[p[0]] == 0 {
			continue
		}
		if last[0] != 0 && cmp.Compare(last[2], p[2]) != cmp.Compare(places[last[0]], places[p[0]]) {
			return fmt.Sprintf("player:%d as %d and player:%d as %d, where they were %d and %d", last[0], last[2], p[0],
				p[2], places[last[0]], places[p[0]])
		}
		last = p
	}
	return ""
}
