package webtest

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"testing"

	"meldhall/tournament/account"
	"meldhall/web/request"
)

// forgedTokens returns how many tokens to try; MELDHALL_FORGED overrides it.
func forgedTokens(t *testing.T) int {
	t.Helper()
	n, err := strconv.Atoi(cmp.Or(os.Getenv("MELDHALL_FORGED"), "5000"))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestForgedTokens tries forged tokens in cookies and in API requests: a real one with a letter changed or its case
// flipped, a longer or shorter one, its stored form, a token of another purpose, and random ones. None may be accepted.
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
			if made[at] > '_' { // flip the letter's case
				made[at] ^= 0x20
			} else {
				made[at] = letter()
			}
		case 4:
			made = []byte(account.SessionHash(real))
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
		real, other, cookie, path := official, seat, "meldhall-staff", request.APIBase+"/accounts"
		if n%2 == 1 {
			real, other, cookie, path = seat, official, "meldhall-seat", request.APIBase+"/seat"
		}
		token := forge(real, other)
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r.RemoteAddr = fmt.Sprintf("10.%d.%d.%d:1", n>>16&255, n>>8&255, n&255) // avoids the limit per client address
		if n%4 < 2 {
			r.Header.Set("Cookie", cookie+"="+token)
		} else if r.Header.Set("Authorization", "Bearer "+token); token == other {
			continue // valid as well: API clients may use either
		}
		if token == real {
			continue
		}
		w := httptest.NewRecorder()
		if e.server.ServeHTTP(w, r); w.Code != http.StatusUnauthorized {
			t.Fatalf("number %d, %q at %s: %d %s", n, token, path, w.Code, w.Body)
		}
		tried++
	}
	t.Logf("%d tokens that are nobody's were tried, 0 taken", tried)
}
