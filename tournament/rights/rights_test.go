package rights

import (
	"errors"
	"maps"
	"slices"
	"testing"

	"meldhall/tournament/refuse"
)

// TestAuthorize checks every right against every role, and a player's rights against their own and other seats.
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
		MayManageAccounts: organizer, MaySeeSecurity: organizer, MayHost: organizer, MayCreateTournament: organizer,
		MaySeeRoster: organizer, MayEditRoster: organizer,
		MayShareFormats: organizer, MaySeatRound: organizer, MayPublishRound: organizer, MayDrawLot: organizer,
		MayEditFormats: organizer, MayQualify: organizer,
		MayRuleHeavily: heads, MayAssignZones: heads, MayAnnounce: heads, MayPlanDay: organizer, MayBackUp: organizer,
		MayRehearse: organizer,
		MaySeeDraft: referees, MayStartRound: referees, MaySeeCodes: referees, MayIssueCode: referees,
		MayCorrectResult: referees,
		MayRule:          referees, MayTrain: referees, MayPairDisplay: referees,
		MayServeTable: append(slices.Clone(atTable), referees...),
		MayCount:      append(slices.Clone(atTable), counters...), MayConfirmResult: counters, MayCheckIn: counters,
		MaySeeDesk: officials, MaySeeAllRacks: officials, MaySeeAudit: officials,
		MayRunGames: {"program"}, MayPlay: {"player at the seat", "table"}, MayAgree: {"player at the seat", "table"},
		MaySeeSeat: seat, MaySeePublic: all, MayJoin: all, MayPractise: all, MayRegister: all,
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
			MayAskHint: seat, MayPlay: {"player at the seat", "table"},
			MayConfirmResult: append([]string{"program"}, counters...),
			MayRule:          append([]string{"program"}, referees...),
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

// TestLimits checks the limits of an official who serves one tournament, and of one who is limited to a zone.
func TestLimits(t *testing.T) {
	of := func(role Role, events []int64, zone map[int64][]int) Actor {
		return Actor{Account: 1, Name: "Lea", Role: role, Seat: -1, Limits: &Limits{Events: events, Tables: zone}}
	}
	hosted := func(role Role, whole bool, events ...int64) Actor {
		return Actor{Account: 1, Name: "Lea@blue", Role: role, Seat: -1, Organization: 3,
			Limits: &Limits{Events: events, Whole: whole}}
	}
	apart := Actor{Account: 1, Name: "Ron", Role: RoleReferee, Seat: -1, Limits: &Limits{Apart: []int64{7}}}
	here, there := []int64{1, 7}, []int64{2}
	zone := map[int64][]int{1: {3, 4}}
	for _, row := range []struct {
		what  string
		actor Actor
		at    Place
		right Right
		want  string
	}{
		{"the own event", of(RoleOrganizer, here, nil), Place{Tournament: 7}, MaySeatRound, ""},
		{"another event", of(RoleOrganizer, there, nil), Place{Tournament: 1}, MaySeatRound, "err_not_your_event"},
		{"another event's desk", of(RoleObserver, there, nil), Place{Tournament: 1}, MaySeeDesk, "err_not_your_event"},
		{"what everybody may", of(RoleObserver, there, nil), Place{Tournament: 1}, MaySeePublic, ""},
		{"some event", of(RoleOrganizer, here, nil), Place{}, MaySeatRound, ""},
		{"the staff", of(RoleOrganizer, here, nil), Place{}, MayManageAccounts, "err_limited"},
		{"a new event", of(RoleOrganizer, here, nil), Place{}, MayCreateTournament, "err_limited"},
		{"a copy", of(RoleOrganizer, here, nil), Place{Tournament: 1}, MayBackUp, "err_limited"},
		{"formats of all", of(RoleOrganizer, here, nil), Place{}, MayShareFormats, "err_limited"},
		{"no right at all", of(RoleObserver, here, nil), Place{Tournament: 1}, MayRule, "err_not_allowed"},
		{"a table of the zone", of(RoleReferee, nil, zone), Place{Tournament: 1, Number: 4}, MayRule, ""},
		{"another table", of(RoleReferee, nil, zone), Place{Tournament: 1, Number: 5}, MayRule, "err_not_your_zone"},
		{"counting there", of(RoleScorekeeper, nil, zone), Place{Tournament: 1, Number: 5}, MayConfirmResult,
			"err_not_your_zone"},
		{"looking there", of(RoleReferee, nil, zone), Place{Tournament: 1, Number: 5}, MaySeeDesk, ""},
		{"no table", of(RoleReferee, nil, zone), Place{Tournament: 1, Number: NoTable}, MayRule, "err_zone_no_table"},
		{"not asked of a table", of(RoleReferee, nil, zone), Place{Tournament: 1}, MayRule, ""},
		{"an event without zones", of(RoleReferee, nil, zone), Place{Tournament: 2, Number: 5}, MayRule, ""},
		{"practice", of(RoleReferee, nil, zone), Place{Tournament: 1, Number: 5, Practice: true}, MayRule, ""},
		{"an event of the organization", hosted(RoleOrganizer, true, 1), Place{Tournament: 1}, MaySeatRound, ""},
		{"one of another", hosted(RoleOrganizer, true, 1), Place{Tournament: 2}, MaySeatRound, "err_not_your_event"},
		{"one where the organization has none", hosted(RoleOrganizer, true), Place{Tournament: 2}, MaySeeDesk,
			"err_not_your_event"},
		{"one that was made just now", hosted(RoleOrganizer, true).Serving(2), Place{Tournament: 2}, MaySeatRound, ""},
		{"an organization's staff", hosted(RoleOrganizer, true), Place{}, MayManageAccounts, ""},
		{"an organization's new event", hosted(RoleOrganizer, true), Place{}, MayCreateTournament, ""},
		{"an organization's formats", hosted(RoleOrganizer, true), Place{}, MayShareFormats, ""},
		{"of an organization, limited in it", hosted(RoleOrganizer, false, 1), Place{}, MayCreateTournament,
			"err_limited"},
		{"of an organization, a copy", hosted(RoleOrganizer, true), Place{}, MayBackUp, "err_of_house"},
		{"of an organization, the organizations", hosted(RoleOrganizer, true), Place{}, MayHost, "err_of_house"},
		{"the house's referee, here", apart, Place{Tournament: 1}, MayRule, ""},
		{"the house's referee, at an organization's event", apart, Place{Tournament: 7}, MaySeeDesk,
			"err_not_your_event"},
	} {
		err := Authorize(row.actor, row.at, row.right)
		var refused *refuse.Error
		if errors.As(err, &refused); (refused == nil) != (row.want == "") || refused != nil && refused.Key != row.want {
			t.Errorf("%s: got %v, want %q", row.what, err, row.want)
		}
	}
}
