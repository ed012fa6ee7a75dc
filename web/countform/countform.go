// Package countform reads the form in which an official enters the count of a table with real tiles.
package countform

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/templates/referee"
	"meldhall/tournament/game"
	"meldhall/tournament/spelling"
	"meldhall/web/request"
)

// Form reads the count of a table with real tiles as an official types it. Each seat has the points of its rack,
// blank for an empty rack, and whether an unopened rack could have opened.
type Form struct {
	Names []string               // each isolated for its text direction
	Out   [ruleset.MaxSeats]bool // forfeited seats
	Field func(what string, seat int) string
	Get   func(string) string
	Why   string // how the game ended
	Rules ruleset.Ruleset
}

// The form values for whether an unopened rack could have opened.
const (
	couldOpen    = "able"
	couldNotOpen = "unable"
)

// charged returns the charge for a rack whose tiles add up to sum.
func (f Form) charged(shut string, sum int) int {
	amount := map[string]int{couldOpen: f.Rules.NoMeldAble, couldNotOpen: f.Rules.NoMeldUnable}[shut]
	switch {
	case shut == "":
		return sum
	case f.Rules.NoMeldCounts == ruleset.Added:
		return amount + sum
	case f.Rules.NoMeldCounts == ruleset.Higher:
		return max(amount, sum)
	}
	return amount
}

// fixed reports whether a rack's charge is independent of its tiles.
func (f Form) fixed(typed referee.RealSeat) bool {
	return typed.Shut != "" && f.Rules.NoMeldCounts == ruleset.Instead
}

// RealSeat converts a line of a result to the fields of the form.
func RealSeat(l game.ResultLine, rules ruleset.Ruleset) referee.RealSeat {
	if l.Opened || rules.NoMeldAble == 0 && rules.NoMeldUnable == 0 {
		return referee.RealSeat{Sum: strconv.Itoa(l.Charge)}
	}
	seat, amount := referee.RealSeat{Shut: couldNotOpen}, rules.NoMeldUnable
	if l.Reason == score.ReasonNoMeldAble || l.Reason == "" && l.Charge >= rules.NoMeldAble {
		seat.Shut, amount = couldOpen, rules.NoMeldAble
	}
	switch rules.NoMeldCounts {
	case ruleset.Added:
		seat.Sum = strconv.Itoa(l.Charge - amount)
	case ruleset.Higher:
		seat.Sum = strconv.Itoa(l.Charge)
	}
	return seat
}

// OfSeat returns the values typed for a seat.
func (f Form) OfSeat(seat int) referee.RealSeat {
	return referee.RealSeat{Sum: spelling.Clean(f.Get(f.Field("sum", seat))), Shut: f.shut(seat)}
}

func (f Form) shut(seat int) string {
	if answer := f.Get(f.Field("shut", seat)); answer == couldOpen || answer == couldNotOpen {
		return answer
	}
	return ""
}

// Racks reads the form. Its errors name the players concerned, at their fields.
func (f Form) Racks() ([]engine.SummedRack, error) {
	racks := make([]engine.SummedRack, len(f.Names))
	var wrong []error
	var blank, zero []int
	for seat := range racks {
		typed := f.OfSeat(seat)
		racks[seat].Opened = typed.Shut == ""
		n, isNumber := spelling.Whole(typed.Sum)
		switch {
		case f.fixed(typed) && typed.Sum == "":
		case f.Out[seat] && typed.Sum == "":
		case typed.Sum == "":
			blank = append(blank, seat)
		case !isNumber || n < 0:
			wrong = append(wrong, request.Refused(http.StatusUnprocessableEntity, "err_rack_sum", "name", f.Names[seat],
				"value", typed.Sum, "field", f.Field("sum", seat)))
		case n == 0 && !f.Out[seat] && typed.Shut == "":
			zero = append(zero, seat)
		}
		racks[seat].Sum = f.charged(typed.Shut, n)
	}
	if len(wrong) > 0 {
		return racks, errors.Join(wrong...)
	}
	return racks, f.incomplete(blank, zero)
}

// incomplete returns an error for missing counts, or for empty racks that contradict how the game ended, otherwise nil.
// Exactly one rack is empty in a game that ended by emptying it, and none in other games.
func (f Form) incomplete(blank, zero []int) error {
	emptied := f.Why == ruleset.EndedEmptied
	switch {
	case f.Why == ruleset.EndedForfeit, emptied && len(blank)+len(zero) == 1, !emptied && len(blank)+len(zero) == 0:
		return nil
	case len(blank) > 0 && !emptied:
		return f.refused(blank, "err_sums_missing_all", "names", f.namesOf(blank))
	case len(blank) > 0:
		return f.refused(blank, "err_sums_missing", "names", f.namesOf(blank))
	case len(zero) == 0:
		return f.refused(nil, "err_sums_none_empty")
	case emptied:
		return f.refused(zero, "err_sums_two_empty", "names", f.namesOf(zero))
	}
	return f.refused(zero, "err_sums_empty", "names", f.namesOf(zero))
}

func (f Form) namesOf(seats []int) string {
	names := make([]string, len(seats))
	for i, seat := range seats {
		names[i] = f.Names[seat]
	}
	return strings.Join(names, ", ")
}

// refused returns an error at the fields of some seats, or without seats at the field of how the game ended.
func (f Form) refused(seats []int, code string, nameValues ...any) error {
	at := func(field string) error {
		return request.Refused(http.StatusUnprocessableEntity, code, append(nameValues, "field", field)...)
	}
	if len(seats) == 0 {
		return at(f.Field("why", -1))
	}
	var all []error
	for _, seat := range seats {
		all = append(all, at(f.Field("sum", seat)))
	}
	return errors.Join(all...)
}

// AtSeat turns a rejection of the count into an error that names the rack, at its field.
func (f Form) AtSeat(ctx context.Context, err error) error {
	var refusal *engine.Refusal
	if !errors.As(err, &refusal) || refusal.Set < 0 || refusal.Set >= len(f.Names) {
		return err
	}
	return request.Refused(http.StatusUnprocessableEntity, "err_at_seat", "name", f.Names[refusal.Set], "text",
		request.FailureOf(ctx, "", err).Message, "field", f.Field("sum", refusal.Set))
}

// UnopenedChoice returns the rules' charges for a rack that has not opened.
func UnopenedChoice(rules ruleset.Ruleset) referee.UnopenedChoice {
	return referee.UnopenedChoice{Able: rules.NoMeldAble, Unable: rules.NoMeldUnable,
		Alone: rules.NoMeldCounts == ruleset.Instead}
}
