package refusetest

import (
	"testing"

	"meldhall/tournament/refuse"
)

func TestText(t *testing.T) {
	err := refuse.Conflict("err_seat_taken", "table", 7, "seat", 2)
	if got, want := Text(t, err), "Seat 2 at table 7 is taken."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
