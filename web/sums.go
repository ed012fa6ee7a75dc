package web

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/tournament/game"
	"meldhall/tournament/spelling"
	"meldhall/web/request"
)

// sumsForm reads the count of a table with real tiles as an official types it. Each seat has the points of its rack,
// blank for an empty rack, and whether an unopened rack could have opened.
type sumsForm struct {
	names []string              // each isolated for its text direction
	out   [engine.MaxSeats]bool // forfeited seats
	field func(what string, seat int) string
	get   func(string) string
	why   string // how the game ended
	rules engine.Ruleset
}

// The form values for whether an unopened rack could have opened.
const (
	couldOpen    = "able"
	couldNotOpen = "unable"
)

// charged returns the charge for a rack whose tiles add up to sum.
func (f sumsForm) charged(shut string, sum int) int {
	amount := map[string]int{couldOpen: f.rules.NoMeldAble, couldNotOpen: f.rules.NoMeldUnable}[shut]
	switch {
	case shut == "":
		return sum
	case f.rules.NoMeldCounts == engine.Added:
		return amount + sum
	case f.rules.NoMeldCounts == engine.Higher:
		return max(amount, sum)
	}
	return amount
}

// fixed reports whether a rack's charge is independent of its tiles.
func (f sumsForm) fixed(typed templates.RealSeat) bool {
	return typed.Shut != "" && f.rules.NoMeldCounts == engine.Instead
}

// realSeat converts a line of a result to the fields of the form.
func realSeat(l game.ResultLine, rules engine.Ruleset) templates.RealSeat {
	if l.Opened || rules.NoMeldAble == 0 && rules.NoMeldUnable == 0 {
		return templates.RealSeat{Sum: strconv.Itoa(l.Charge)}
	}
	seat, amount := templates.RealSeat{Shut: couldNotOpen}, rules.NoMeldUnable
	if l.Reason == engine.ReasonNoMeldAble || l.Reason == "" && l.Charge >= rules.NoMeldAble {
		seat.Shut, amount = couldOpen, rules.NoMeldAble
	}
	switch rules.NoMeldCounts {
	case engine.Added:
		seat.Sum = strconv.Itoa(l.Charge - amount)
	case engine.Higher:
		seat.Sum = strconv.Itoa(l.Charge)
	}
	return seat
}

// of returns the values typed for a seat.
func (f sumsForm) of(seat int) templates.RealSeat {
	return templates.RealSeat{Sum: strings.TrimSpace(f.get(f.field("sum", seat))), Shut: f.shut(seat)}
}

func (f sumsForm) shut(seat int) string {
	if answer := f.get(f.field("shut", seat)); answer == couldOpen || answer == couldNotOpen {
		return answer
	}
	return ""
}

// racks reads the form. Its errors name the players concerned, at their fields.
func (f sumsForm) racks() ([]engine.SummedRack, error) {
	racks := make([]engine.SummedRack, len(f.names))
	var wrong []error
	var blank, zero []int
	for seat := range racks {
		typed := f.of(seat)
		racks[seat].Opened = typed.Shut == ""
		n, isNumber := spelling.Whole(typed.Sum)
		switch {
		case f.fixed(typed) && typed.Sum == "":
		case f.out[seat] && typed.Sum == "":
		case typed.Sum == "":
			blank = append(blank, seat)
		case !isNumber || n < 0:
			wrong = append(wrong, request.Refused(http.StatusUnprocessableEntity, "err_rack_sum", "name", f.names[seat],
				"value", typed.Sum, "field", f.field("sum", seat)))
		case n == 0 && !f.out[seat] && typed.Shut == "":
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
func (f sumsForm) incomplete(blank, zero []int) error {
	emptied := f.why == engine.EndedEmptied
	switch {
	case f.why == engine.EndedForfeit, emptied && len(blank)+len(zero) == 1, !emptied && len(blank)+len(zero) == 0:
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

func (f sumsForm) namesOf(seats []int) string {
	names := make([]string, len(seats))
	for i, seat := range seats {
		names[i] = f.names[seat]
	}
	return strings.Join(names, ", ")
}

// refused returns an error at the fields of some seats, or without seats at the field of how the game ended.
func (f sumsForm) refused(seats []int, code string, nameValues ...any) error {
	at := func(field string) error {
		return request.Refused(http.StatusUnprocessableEntity, code, append(nameValues, "field", field)...)
	}
	if len(seats) == 0 {
		return at(f.field("why", -1))
	}
	var all []error
	for _, seat := range seats {
		all = append(all, at(f.field("sum", seat)))
	}
	return errors.Join(all...)
}

// atSeat turns a rejection of the count into an error that names the rack, at its field.
func (f sumsForm) atSeat(ctx context.Context, err error) error {
	var refusal *engine.Refusal
	if !errors.As(err, &refusal) || refusal.Set < 0 || refusal.Set >= len(f.names) {
		return err
	}
	return request.Refused(http.StatusUnprocessableEntity, "err_at_seat", "name", f.names[refusal.Set], "text",
		request.FailureOf(ctx, "", err).Message, "field", f.field("sum", refusal.Set))
}
