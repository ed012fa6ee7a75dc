package request

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/engine/judge"
	"meldhall/engine/ruleset"
	"meldhall/templates/locale"
	"meldhall/tournament/format"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/security"
	"meldhall/tournament/store"
	"meldhall/tournament/store/storetest"
	"meldhall/web/guard"
	"meldhall/web/signin"
)

func TestFailureOf(t *testing.T) {
	for _, row := range []struct {
		err    error
		status int
		code   string
	}{
		{refuse.NotFound("err_game_not_found", "id", 7), 404, "err_game_not_found"},
		{fmt.Errorf("wrapped: %w", refuse.Unauthenticated("err_sign_in_wrong")), 401, "err_sign_in_wrong"},
		{refuse.Forbidden("err_not_your_seat"), 403, "err_not_your_seat"},
		{refuse.Conflict("err_round_over", "round", 1), 409, "err_round_over"},
		{refuse.Invalid("err_key_letters"), 422, "err_key_letters"},
		{refuse.TooMany("err_practice_full", "most", 3), 429, "err_practice_full"},
		{&guard.TooMany{Seconds: 3}, 429, "err_too_many_tries"},
		{refuse.New(refuse.KindBusy, "err_passwords_busy", "seconds", 2), 503, "err_passwords_busy"},
		{&engine.Refusal{Code: engine.RefusedStaleTurn, Set: -1}, 409, "stale_turn"},
		{&engine.Refusal{Code: judge.CodeMeldShort, Points: 24, Need: 30, Set: -1}, 422, "meld_short"},
		{&ruleset.FieldError{Field: "turn_seconds", Why: "too many"}, 422, "err_rules_field"},
		{&format.Problem{Key: "err_players_unseatable", Args: map[string]any{"players": 5}}, 422,
			"err_players_unseatable"},
		{&http.MaxBytesError{Limit: 9}, 413, "err_too_large"},
		{Unreadable(errors.New("no object")), 400, "err_unreadable"},
		{fmt.Errorf("append to game 1: %w", game.ErrLogClosed), 503, "err_storage"},
		{context.DeadlineExceeded, 503, "err_storage"},
		{errors.New("something else: secret"), 500, "err_internal"},
		{fmt.Errorf("write: %w", syscall.ECONNRESET), 499, "err_gone"},
		{fmt.Errorf("the query: %w", context.Canceled), 499, "err_gone"},
		{resetByDatabase(t), 503, "err_storage"},
	} {
		t.Run(row.err.Error(), func(t *testing.T) {
			f := FailureOf(t.Context(), "r-1", row.err)
			if f.Status != row.status || f.Code != row.code || f.Message == "" || strings.Contains(f.Message, "{{") {
				t.Errorf("got %d %s %q, want %d %s", f.Status, f.Code, f.Message, row.status, row.code)
			}
			text, err := json.Marshal(f)
			if err != nil || strings.Contains(string(text), "secret") {
				t.Errorf("got %s, %v", text, err)
			}
		})
	}
}

// resetByDatabase returns the error of a database server that resets the connection, as when it crashes.
func resetByDatabase(t *testing.T) error {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			c.(*net.TCPConn).SetLinger(0)
			c.Close()
		}
	}()
	_, err = store.Open("postgres://postgres@" + l.Addr().String() + "/x?sslmode=disable")
	if !errors.Is(err, syscall.ECONNRESET) {
		t.Fatalf("it was not reset: %v", err)
	}
	return err
}

// TestAStageInAnErrorHasItsName checks that errors show the label of a preset's stage, and the given name of an
// organizer's own stage, even if some text has that key.
func TestAStageInAnErrorHasItsName(t *testing.T) {
	for name, want := range map[string]string{"final": "“Final”", "cut": "“cut”", "Samedi": "“Samedi”"} {
		err := refuse.Conflict("err_cut_tied", "stage", name, "tied", 3, "places", 2)
		if f := FailureOf(t.Context(), "r-1", err); !strings.Contains(f.Message, want) || f.Args["stage"] != name {
			t.Errorf("%s: got %q, %v", name, f.Message, f.Args)
		}
	}
}

// TestErrorText checks that an error's text contains the translated texts of all refusals in it.
func TestErrorText(t *testing.T) {
	name := refuse.Invalid("err_roster_no_name_column", "line", 1)
	roster := refuse.Invalid("err_roster_problems", "count", 2, "line", 1, "first", name)
	closed := refuse.Conflict("err_round_over", "round", 3)
	for _, row := range []struct {
		language string
		err      error
		want     string
	}{
		{"en", errors.New("disk full"), "disk full"},
		{"en", closed, "Round 3 is over."},
		{"en", errors.Join(fmt.Errorf("table 4: %w", closed), errors.New("disk full")),
			"table 4: Round 3 is over.\ndisk full"},
		{"en", roster,
			"The roster was not imported: 2 problems, the first on line 1: No column holds the names. " +
				"Choose it, or choose the line with the column names."},
		{"it", fmt.Errorf("enter: %w", roster),
			"enter: L’elenco non è stato importato: 2 problemi, il primo alla riga 1: " +
				"Nessuna colonna contiene i nomi. Sceglila, o scegli la riga con i nomi delle colonne."},
		{"en", format.FieldProblem("stages[0].rounds", 99, format.WhyRange, "lo", 1, "hi", 40),
			"Format, field Rounds: 99: must be between 1 and 40."},
	} {
		if got := ErrorText(locale.WithLanguage(t.Context(), row.language), row.err); got != row.want {
			t.Errorf("got %q, want %q", got, row.want)
		}
	}
	if f := FailureOf(locale.WithLanguage(t.Context(), "it"), "r-1", roster); f.Args["first"] !=
		"Nessuna colonna contiene i nomi. Sceglila, o scegli la riga con i nomi delle colonne." {
		t.Errorf("the first problem is answered as %v", f.Args["first"])
	}
}

// TestRetryAfter checks that readers who must try again later get a Retry-After header.
func TestRetryAfter(t *testing.T) {
	texts, err := locale.LoadTexts(nil)
	if err != nil {
		t.Fatal(err)
	}
	log := security.Open(storetest.New(t), nil)
	defer log.Close()
	for _, err := range []error{&guard.TooMany{Seconds: 2}, refuse.New(refuse.KindBusy, "err_passwords_busy", "seconds",
		2)} {
		w := httptest.NewRecorder()
		c, _ := gin.CreateTestContext(w)
		c.Request = httptest.NewRequest(http.MethodPost, APIBase+"/sign-in", nil)
		(&Base{Texts: texts, Notes: signin.NewNotes(log)}).Fail(c, err)
		if got := w.Header().Get("Retry-After"); got != "2" {
			t.Errorf("%v: got %d, Retry-After %q", err, w.Code, got)
		}
	}
}
