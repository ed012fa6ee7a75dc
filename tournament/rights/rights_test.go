package rights

import (
	"errors"
	"maps"
	"slices"
	"testing"

	"meldhall/tournament/refuse"
)

// TestAuthorize holds every action against every role, and the player's against own and foreign seats.
func TestAuthorize(t *testing.T) {
	here := Place{Tournament: 1, Table: 5, Seat: 2}
	actors := map[string]Actor{
		"organizer":                 Staff(RoleOrganizer, "Ann"),
		"head referee":              Staff(RoleHeadReferee, "Hal"),
		"referee":                   Staff(RoleReferee, "Bob"),
		"scorekeeper":               Staff(RoleScorekeeper, "Sue"),
		"observer":                  Staff(RoleObserver, "Obi"),
		"player at the seat":        {Role: RolePlayer, Tournament: 1, Player: 9, Table: 5, Seat: 2},
		"player at another seat":    {Role: RolePlayer, Tournament: 1, Player: 8, Table: 5, Seat: 1},
		"player at another table":   {Role: RolePlayer, Tournament: 1, Player: 7, Table: 6, Seat: 2},
		"player of another event":   {Role: RolePlayer, Tournament: 2, Player: 9, Table: 5, Seat: 2},
		"player without a seat":     {Role: RolePlayer, Tournament: 1, Player: 6, Seat: -1},
		"table":                     {Role: RoleTable, Name: "3", Tournament: 1, Table: 5, Seat: -1},
		"another table":             {Role: RoleTable, Name: "4", Tournament: 1, Table: 6, Seat: -1},
		"program":                   Staff(RoleProgram, "clock"),
		"public":                    Public(),
		"nobody":                    {},
		"somebody of unknown right": {Role: "chief"},
	}
	organizer := []string{"organizer"}
	heads := append([]string{"head referee"}, organizer...)
	referees := append([]string{"referee"}, heads...)
	counters := append([]string{"scorekeeper"}, referees...)
	officials := append([]string{"observer"}, counters...)
	seat := []string{"player at the seat"}
	atTable := []string{"player at the seat", "player at another seat", "table"}
	all := slices.Collect(maps.Keys(actors))
	allowed := map[Right][]string{
		MayManageAccounts: organizer, MaySeeSecurity: organizer, MayCreateTournament: organizer, MaySeeRoster: organizer, MayEditRoster: organizer,
		MaySeatRound: organizer, MayPublishRound: organizer, MayDrawLot: organizer, MayEditFormats: organizer, MayQualify: organizer,
		MayRuleHeavily: heads, MayAssignZones: heads, MayAnnounce: heads, MayPlanDay: organizer, MayBackUp: organizer, MayRehearse: organizer,
		MaySeeDraft: referees, MayStartRound: referees, MaySeeCodes: referees, MayIssueCode: referees, MayCorrectResult: referees,
		MayRule: referees, MayPairDisplay: referees, MayServeTable: append(slices.Clone(atTable), referees...), MayCount: append(slices.Clone(atTable), counters...), MayConfirmResult: counters, MayCheckIn: counters,
		MaySeeDesk: officials, MaySeeAllRacks: officials, MaySeeAudit: officials,
		MayRunGames: {"program"}, MayPlay: {"player at the seat", "table"}, MayAgree: {"player at the seat", "table"}, MaySeeSeat: seat, MaySeePublic: all, MayJoin: all, MayPractise: all, MayRegister: all,
		MayAskHint: nil, "no_such_action": nil,
	}
	for action := range staffRights {
		if _, ok := allowed[action]; !ok {
			t.Errorf("action %s has no row in this test", action)
		}
	}
	for action, names := range allowed {
		may := map[string]bool{}
		for _, name := range names {
			may[name] = true
		}
		for name, actor := range actors {
			err := Authorize(actor, here, action)
			if (err == nil) != may[name] {
				t.Errorf("%s, %s: got %v, want allowed %v", action, name, err, may[name])
			}
			if err != nil && !errors.Is(err, refuse.ErrForbidden) && !errors.Is(err, refuse.ErrUnauthenticated) {
				t.Errorf("%s, %s: got %v", action, name, err)
			}
		}
	}
	t.Run("at a practice table hints are for the own seat, and the program is the referee", func(t *testing.T) {
		there := here
		there.Practice = true
		for action, names := range map[Right][]string{
			MayAskHint: seat, MayPlay: {"player at the seat", "table"}, MayConfirmResult: append([]string{"program"}, counters...), MayRule: append([]string{"program"}, referees...),
			MayCorrectResult: referees, MaySeeAllRacks: officials, MayIssueCode: referees,
		} {
			for name, actor := range actors {
				if err := Authorize(actor, there, action); (err == nil) != slices.Contains(names, name) {
					t.Errorf("%s, %s: got %v", action, name, err)
				}
			}
		}
	})
	t.Run("no table is nobody's seat", func(t *testing.T) {
		lost := Actor{Role: RolePlayer, Tournament: 1, Player: 6}
		if err := Authorize(lost, Place{Tournament: 1}, MayPlay); !errors.Is(err, refuse.ErrForbidden) {
			t.Errorf("got %v", err)
		}
	})
}
