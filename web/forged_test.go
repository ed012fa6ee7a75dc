package web

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"testing"

	"meldhall/tournament/staff"
	"meldhall/web/shell"
)

// forgedTokens is how many are tried; MELDHALL_FORGED says another number.
func forgedTokens(t *testing.T) int {
	t.Helper()
	n, err := strconv.Atoi(cmp.Or(os.Getenv("MELDHALL_FORGED"), "5000"))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestForgedTokens tries tokens that are nobody's, as cookies and as programs send them: a letter of a real one changed, its case
// turned, more or less of it, what is stored of it, the one of another purpose, and ones that are made up. None is taken.
func TestForgedTokens(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 4, nil)
	e.start()
	random := rand.New(rand.NewPCG(40, 0))
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	letter := func() byte { return letters[random.IntN(len(letters))] }
	seat, official := e.at(0, 0).token, e.organizer.token
	forge := func(real, other string) string {
		made := []byte(real)
		at := random.IntN(len(made))
		switch random.IntN(7) {
		case 0:
			made[at] = letter()
		case 1:
			made = made[:at]
		case 2:
			made = append(made, letter())
		case 3:
			if made[at] > '_' { // in its other case
				made[at] ^= 0x20
			} else {
				made[at] = letter()
			}
		case 4:
			made = []byte(staff.SessionHash(real))
		case 5:
			made = []byte(other)
		default:
			for i := range made {
				made[i] = letter()
			}
		}
		return string(made)
	}
	tried, total := 0, forgedTokens(t)
	for n := range total {
		real, other, cookie, path := official, seat, "meldhall-staff", shell.APIBase+"/accounts"
		if n%2 == 1 {
			real, other, cookie, path = seat, official, "meldhall-seat", shell.APIBase+"/seat"
		}
		token := forge(real, other)
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r.RemoteAddr = fmt.Sprintf("10.%d.%d.%d:1", n>>16&255, n>>8&255, n&255) // else the budget of the address ends it
		if n%4 < 2 {
			r.Header.Set("Cookie", cookie+"="+token)
		} else if r.Header.Set("Authorization", "Bearer "+token); token == other {
			continue // a program may be either, and is then who it is
		}
		if token == real {
			continue
		}
		w := httptest.NewRecorder()
		if e.server.handler.ServeHTTP(w, r); w.Code != http.StatusUnauthorized {
			t.Fatalf("number %d, %q at %s: %d %s", n, token, path, w.Code, w.Body)
		}
		tried++
	}
	t.Logf("%d tokens that are nobody's were tried, 0 taken", tried)
}
