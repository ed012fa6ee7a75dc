package practice

import (
	"fmt"
	"slices"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
	"meldhall/tournament/game"
)

// Dispute is a sample dispute at a table of every training. Seat is the seat of the player concerned, Other that of the
// player who complains.
type Dispute struct {
	Name        string
	Real        bool // the table plays with real tiles
	Seat, Other int
	// Articles lists the articles of the regulations that decide the dispute, the most important first. Answers lists
	// the rulings that they require, by the names in engine.RulingKinds; if empty, everything stands and the game
	// continues. A Count is resolved by a corrected result.
	Articles, Answers []string
	Count             bool
	Reason            string // predefined reason of the first answer, or ""
	// Silent means that the seat's tablet has stopped reporting.
	Silent bool

	tell func(*story, Dispute)
}

// Disputes lists all disputes; the index determines the table.
var Disputes = []Dispute{
	{Name: "timeout", Seat: 1, Other: 0, Articles: []string{"4.3", "4.4", "8.2"}, tell: func(s *story, d Dispute) {
		s.begin(-1)
		s.plays(2*s.seats+d.Seat, -1)
		s.late()
		s.calls(d.Seat, 12)
	}},
	{Name: "mixed", Real: true, Seat: 0, Other: 1, Articles: []string{"4.7", "4.6"}, Reason: "not_restored",
		Answers: []string{"illegal"}, tell: func(s *story, d Dispute) {
			s.beginReal()
			s.plays(3*s.seats+d.Seat, -1)
			s.wait(s.turnPart(55))
			s.calls(d.Other, s.turnPart(20))
		}},
	{Name: "joker", Real: true, Seat: 1, Other: 0, Articles: []string{"3.6", "11.2", "4.6"}, Reason: "joker",
		Answers: []string{"illegal"}, tell: func(s *story, d Dispute) {
			s.beginReal()
			s.plays(2*s.seats+d.Seat, -1)
			s.wait(s.turnPart(40))
			s.calls(d.Other, s.turnPart(20))
		}},
	{Name: "count", Real: true, Seat: 1, Other: 0, Articles: []string{"11.4", "9.7"}, Count: true,
		tell: func(s *story, d Dispute) {
			s.beginReal()
			s.plays(2*s.seats, -1)
			s.wait(s.turnPart(30))
			s.does(0, engine.EndTurn{Seat: 0, Turn: s.state.Turn.Number, Out: true})
			s.wait(40)
			s.does(0, engine.CountRacks{Racks: racks(s.seats, counted)})
			s.wait(20)
			s.does(d.Other, engine.CallReferee{Seat: d.Other})
		}},
	{Name: "absent", Seat: 1, Other: 0, Articles: []string{"7.7", "8.8"}, Reason: "absent",
		Answers: []string{"forfeit"}, tell: func(s *story, d Dispute) {
			s.begin(d.Seat)
			s.plays(2*s.seats+d.Seat+1, d.Seat)
			s.wait(s.turnPart(20))
			s.calls(d.Other, 5)
		}},
	{Name: "tablet", Seat: 1, Other: 0, Articles: []string{"10.2"}, Reason: "device",
		Answers: []string{"time", "rewind"}, Silent: true, tell: func(s *story, d Dispute) {
			s.begin(-1)
			s.plays(2*s.seats+d.Seat, -1)
			s.wait(s.turnPart(20))
			s.calls(d.Other, s.turnPart(50)-2)
		}},
}

// Lost returns for how many seconds of the turn the tablet was silent, under these rules.
func (d Dispute) Lost(rules ruleset.Ruleset) int { return rules.TurnSeconds * 50 / 100 }

// The rack that was counted wrongly at the table with the false count: as entered, and as it really is.
const (
	counted = "R3 B4"
	lies    = "R13 B4"
)

// Racks returns the miscounted rack, as entered and as it really is, for the text that describes the dispute.
func (d Dispute) Racks() (entered, true string) { return counted, lies }

// racks returns the racks of the table with the false count, where the first player has won. second is the second
// player's rack.
func racks(seats int, second string) []engine.CountedRack {
	all := []engine.CountedRack{{Opened: true}}
	for _, text := range []string{second, "O5 O6 B9", "K2 J"}[:seats-1] {
		faces, _ := tile.ParseFaces(text) // never fails: a test parses them
		all = append(all, engine.CountedRack{Tiles: faces, Opened: true})
	}
	return all
}

// rulesFor returns a tournament's rules with the clocks that disputes about time need.
func rulesFor(rules ruleset.Ruleset) ruleset.Ruleset {
	if rules.TurnSeconds == 0 {
		rules.TurnSeconds = 60
	}
	if rules.StartSeconds == 0 {
		rules.StartSeconds = 20
	}
	return rules
}

// story creates the story of the dispute under the rules of a training.
func (d Dispute) story(rules ruleset.Ruleset) (*story, error) {
	s := &story{rules: rules, seats: min(rules.SeatsMax, ruleset.MaxSeats),
		seed: uint64(slices.IndexFunc(Disputes, func(o Dispute) bool { return o.Name == d.Name }))}
	d.tell(s, d)
	if s.err != nil {
		return nil, fmt.Errorf("the dispute %s: %w", d.Name, s.err)
	}
	return s, nil
}

// Verdict compares a ruling with the regulations.
type Verdict string

// The verdicts.
const (
	VerdictUnruled Verdict = "unruled" // no ruling yet
	VerdictRight   Verdict = "right"   // as the article requires
	VerdictGround  Verdict = "ground"  // the right ruling, but by an article that does not decide this
	VerdictAmount  Verdict = "amount"  // right ruling and article, but a wrong number
	VerdictOther   Verdict = "other"   // another ruling, or none although one was required
)

// Judge evaluates an official's rulings at the dispute's table. result is the newest result of its game, or nil.
func (d Dispute) Judge(state engine.State, result *game.Result) Verdict {
	if d.Count {
		return d.judgeCount(state, result)
	}
	verdict, goesOn := VerdictUnruled, false
	for _, r := range ruled(state) {
		kind, _ := engine.RulingKindOf(r.Kind)
		switch given := d.judge(kind.Name, r, state.Rules); {
		case kind.Name == "resume":
			goesOn = true
		case kind.Name == "pause" || kind.Name == "cancel":
		case verdict == VerdictUnruled || rank(given) > rank(verdict):
			verdict = given
		}
	}
	switch {
	case verdict == VerdictUnruled && goesOn && len(d.Answers) == 0:
		return VerdictRight
	case verdict == VerdictUnruled && goesOn:
		return VerdictOther
	}
	return verdict
}

// rank orders verdicts by how close they are to the article. Of several rulings the closest counts.
func rank(v Verdict) int {
	return slices.Index([]Verdict{VerdictOther, VerdictGround, VerdictAmount, VerdictRight}, v)
}

// ruled returns the rulings made since the colleague stopped the clock, without cancelled ones.
func ruled(state engine.State) (since []engine.Ruling) {
	stopped := false
	for _, r := range state.Rulings.All {
		if stopped && r.Cancelled == 0 {
			since = append(since, r.Ruling)
		}
		stopped = stopped || r.By == Colleague
	}
	return since
}

// judge evaluates a single ruling. If no ruling is required, confirming the penalty that the server proposed is right
// too.
func (d Dispute) judge(kind string, r engine.Ruling, rules ruleset.Ruleset) Verdict {
	switch {
	case len(d.Answers) == 0 && kind == "penalty" && r.Seat == d.Seat && (r.Rule == "4.4" || r.Rule == "4.5"):
		return VerdictRight
	case !slices.Contains(d.Answers, kind), r.Seat >= 0 && r.Seat != d.Seat && kind != "rewind", kind == "time" &&
		r.Seconds <= 0:
		return VerdictOther
	case r.Rule != d.Articles[0]:
		return VerdictGround
	case kind == "time" && (r.Seconds < d.Lost(rules)*2/3 || r.Seconds > d.Lost(rules)*4/3):
		return VerdictAmount
	}
	return VerdictRight
}

// judgeCount compares the newest result with the correct count of the racks.
func (d Dispute) judgeCount(state engine.State, result *game.Result) Verdict {
	if result == nil || result.Rev == 1 && !result.Confirmed() {
		return VerdictUnruled
	}
	want, err := state.Recount("", racks(state.Seats, lies), nil)
	if err != nil || len(result.Lines) != len(want.Outcome.Points) || result.Ending == game.EndingAnnulled {
		return VerdictOther
	}
	for _, line := range result.Lines {
		if line.Points != want.Outcome.Points[line.Seat] {
			return VerdictOther
		}
	}
	return VerdictRight
}
