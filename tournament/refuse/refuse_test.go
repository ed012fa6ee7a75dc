package refuse

import (
	"errors"
	"testing"
)

func TestError(t *testing.T) {
	err := Conflict("err_seat_taken", "table", 7, "seat", 2)
	if got, want := err.Error(), "err_seat_taken map[seat:2 table:7]"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := NotFound("err_account_not_found").Error(), "err_account_not_found"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if !errors.Is(err, ErrConflict) || errors.Is(err, ErrInvalid) {
		t.Error("the kind does not match its sentinel alone")
	}
	if !errors.Is(err, &Error{Kind: KindConflict, Key: "err_seat_taken"}) ||
		errors.Is(err, &Error{Kind: KindConflict, Key: "err_code_used"}) {
		t.Error("the key does not match")
	}
}
