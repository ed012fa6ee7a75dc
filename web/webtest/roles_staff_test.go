package webtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"meldhall/engine/testmode"
	"meldhall/tournament/rights"
)

// The table of roles does not cover the other officials: a head referee gets a referee's responses, and the other two
// get 403 where the public is asked to sign in.
var (
	// headsToo lists the organizer's routes that are open to a head referee.
	headsToo = []string{"POST /tournaments/%d/zones", "POST /protests/9999/decide", "POST /sanctions/9999/second",
		"POST /tournaments/%d/announcements", "POST /announcements/9999/end"}
	// scorekeepers lists the referee's routes that are open to a scorekeeper, observers those that are public.
	scorekeepers = []string{
		"POST /games/%d/confirm",
		"POST /games/%d/count-racks",
		"POST /games/%d/count-preview",
	}
	observers = []string{
		"GET /tournaments/%d/zones",
		"GET /rounds/%d/pace",
		"GET /tournaments/%d/devices",
		"GET /tournaments/%d/readiness",
		"GET /tournaments/%d/sanctions",
		"GET /tournaments/%d/log?q=round",
		"GET /rounds/%d/floor",
		"GET /floor/live?round=%d",
		"GET /games/%d/count",
		"POST /sign-out",
		"GET /games/%d/turns/1/evidence",
		"GET /games/%d/turns/0/evidence",
		"GET /games/%d/protests",
		"GET /games/%d/protocol",
		"GET /tournaments/%d/protests",
		"GET /devices",
		"GET /own/second",
		"POST /own/second",
		"POST /own/password",
	}
)

// TestOfficialsByRole requests every route of the table of roles as the three roles that it does not name.
func TestOfficialsByRole(t *testing.T) {
	testmode.SkipUnderRace(t)
	t.Parallel()
	for _, role := range []rights.Role{rights.RoleHeadReferee, rights.RoleScorekeeper, rights.RoleObserver} {
		t.Run(string(role), func(t *testing.T) {
			e := newEvent(t, 8, nil)
			e.start()
			game := e.begin(0)
			turn := e.public().view(game).Turn
			official := e.staff(role)
			named := func(route string, list []string) bool {
				for _, pattern := range list {
					for _, id := range []int64{e.id, e.round.ID, game} {
						if route == pattern || strings.Contains(pattern, "%d") && route == fmt.Sprintf(pattern, id) {
							return true
						}
					}
				}
				return false
			}
			refused := 0
			for _, row := range e.routesTable(game, turn.Seat) {
				method, path, _ := strings.Cut(row.route, " ")
				public, referee, organizer := row.want[0], row.want[3], row.want[4]
				want := referee
				switch {
				case role == rights.RoleHeadReferee && named(row.route, headsToo):
					want = organizer
				case role == rights.RoleScorekeeper && named(row.route, scorekeepers):
				case role != rights.RoleHeadReferee && public == http.StatusUnauthorized && referee != public &&
					!named(row.route, observers):
					want = http.StatusForbidden
				}
				if want == http.StatusForbidden {
					refused++
				}
				got, body := official.probe(method, path, row.body)
				if got != want {
					t.Errorf("%s: got %d %s, want %d", row.route, got, body, want)
				}
			}
			if refused < 10 {
				t.Errorf("only %d routes are refused: the table was not read", refused)
			}
		})
	}
}
