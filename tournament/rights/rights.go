// Package rights says who acts at an event, and what who acts may do there.
package rights

import (
	"errors"
	"slices"
	"strconv"

	"meldhall/tournament/refuse"
)

// Role is what somebody is here.
type Role string

// The roles. Officials have accounts and serve all tournaments of this server, those of their organization, or those that their account is limited to: an organizer runs the event, a head
// referee rules everything, a referee rules at the tables, a scorekeeper counts and rules nothing, an observer only
// looks. A player is known by the device that joined; everybody else is the public.
const (
	RoleOrganizer   Role = "organizer"
	RoleHeadReferee Role = "head_referee"
	RoleReferee     Role = "referee"
	RoleScorekeeper Role = "scorekeeper"
	RoleObserver    Role = "observer"
	RolePlayer      Role = "player"
	RolePublic      Role = "public"
	// RoleProgram is this program's own clock and event desk: it starts games and lets turns expire.
	RoleProgram Role = "program"
	// RoleTable is the one device of a physical table, which serves all its seats.
	RoleTable Role = "table"
)

// OfficialRoles are the roles that an account can have, those with the most rights first.
var OfficialRoles = []Role{RoleOrganizer, RoleHeadReferee, RoleReferee, RoleScorekeeper, RoleObserver}

// Actor is who does something. Account is set for the staff; Tournament, Player, Table and Seat for a
// player, Table 0 and Seat -1 while no published or running round seats them.
type Actor struct {
	Account    int64
	Name       string
	Role       Role
	Tournament int64
	Player     int64
	Table      int64
	Seat       int
	Device     string // what people call the player's or the table's device
	Practice   bool   // a player's: the seat is at a practice table, which everybody may open
	// Organization is whose official it is; 0: the house's, which runs the server, and of everybody else.
	Organization int64
	// Limits are where an official's rights end; nil for one who serves every event and the whole hall.
	Limits *Limits
}

// Limits are where an official's rights end.
type Limits struct {
	Events []int64         // that the account serves; none: all, or, of an organization's account, none
	Tables map[int64][]int // by event whose officials keep to their zones: the tables of this one's, by number
	Whole  bool            // Events are all that the account's organization has: what belongs to none of them is the account's too
	Apart  []int64         // events of organizations, to which the house's officials do not go who run no server
}

// Serves tells whether an official's rights are for an event too; 0 is what belongs to none.
func (a Actor) Serves(event int64) bool {
	switch {
	case a.Limits == nil || event == 0:
		return true
	case a.chosen():
		return slices.Contains(a.Limits.Events, event)
	}
	return !slices.Contains(a.Limits.Apart, event)
}

// chosen tells whether the account serves no other events than those that its limits name.
func (a Actor) chosen() bool {
	return a.Limits != nil && (a.Organization != 0 || len(a.Limits.Events) > 0)
}

// Serving is the actor who serves an event besides, such as one that the actor has just made.
func (a Actor) Serving(event int64) Actor {
	if !a.chosen() {
		return a
	}
	limits := *a.Limits
	limits.Events = append(slices.Clone(limits.Events), event)
	a.Limits = &limits
	return a
}

// Public is the actor that has shown nothing.
func Public() Actor { return Actor{Role: RolePublic, Seat: -1} }

// Staff is an actor with an account's role that the program itself acts as, in a demo or a simulation.
func Staff(role Role, name string) Actor { return Actor{Role: role, Name: name, Seat: -1} }

// String names the actor in the log and the audit, the same for ever: organizer:Ann, player:17, public.
func (a Actor) String() string {
	switch a.Role {
	case RolePlayer:
		return "player:" + strconv.FormatInt(a.Player, 10)
	case RolePublic, "":
		return string(RolePublic)
	}
	return string(a.Role) + ":" + a.Name
}

// Right is something that not everybody may do.
type Right string

// The rights.
const (
	MayManageAccounts   Right = "manage_accounts"
	MaySeeSecurity      Right = "see_security" // who came in, and who was kept out
	MayHost             Right = "host"         // make organizations, bound and delete them
	MayCreateTournament Right = "create_tournament"
	MayCheckIn          Right = "check_in"   // say who is here
	MaySeeRoster        Right = "see_roster" // with clubs, ratings and e-mail addresses
	MayEditRoster       Right = "edit_roster"
	MaySeeDraft         Right = "see_draft"
	MaySeatRound        Right = "seat_round" // draft, draw again, discard
	MayPublishRound     Right = "publish_round"
	MayStartRound       Right = "start_round"
	MayDrawLot          Right = "draw_lot"
	MayEditFormats      Right = "edit_formats"  // make formats, and change an event's own
	MayShareFormats     Right = "share_formats" // make formats that every event can be made with
	MayQualify          Right = "qualify"       // say who takes no place of those that the event gives
	MaySeeCodes         Right = "see_codes"
	MayIssueCode        Right = "issue_code"
	MaySeeDesk          Right = "see_desk"       // the hall, its tables, counts and penalties, without changing any
	MaySeeAllRacks      Right = "see_racks"      // the officials' view of a game
	MaySeeAudit         Right = "see_audit"      // what was changed, by whom
	MayRule             Right = "rule"           // the officials' commands in a game, points off a total
	MayRuleHeavily      Right = "rule_heavily"   // disqualify, change a confirmed result, decide a protest
	MayCount            Right = "count"          // enter what was counted at a physical table
	MayConfirmResult    Right = "confirm_result" // find a count right
	MayCorrectResult    Right = "correct_result" // rule another result than was counted
	MayAssignZones      Right = "assign_zones"   // say which tables an official looks after
	MayPairDisplay      Right = "pair_display"   // put a screen at a table, and say what the hall is shown
	MayAnnounce         Right = "announce"       // say something to the whole event
	MayPlanDay          Right = "plan_day"       // when rounds and breaks are to be
	MayBackUp           Right = "back_up"        // copy the database
	MayRehearse         Right = "rehearse"       // let bots play a copy of an event
	MayTrain            Right = "train"          // rule on sample disputes, at tables of one's own
	MayRunGames         Right = "run_games"      // deal, let a turn expire, credit an outage
	MayPlay             Right = "play"           // the player's commands, at their own seat
	MayServeTable       Right = "serve_table"    // what concerns a whole physical table: who begins, that the pool is empty
	MayAgree            Right = "agree"          // say that the count is right, for one's own seat
	MaySeeSeat          Right = "see_seat"       // a seat's own view, its rack
	MaySeePublic        Right = "see_public"     // standings, published rounds, tables without racks
	MayJoin             Right = "join"           // take a seat, or a table, by its code
	MayPractise         Right = "practise"       // open a practice table against bots
	MayRegister         Right = "register"       // enter an event oneself, while that is open
	MayAskHint          Right = "ask_hint"       // what could be laid now, at one's own seat of a practice table
)

// Groups of officials for the table below.
var (
	organizers = []Role{RoleOrganizer}
	heads      = []Role{RoleOrganizer, RoleHeadReferee}
	referees   = []Role{RoleOrganizer, RoleHeadReferee, RoleReferee}
	counters   = []Role{RoleOrganizer, RoleHeadReferee, RoleReferee, RoleScorekeeper}
)

// staffRights are what the officials, and the program itself, may do, in every tournament that they serve.
var staffRights = map[Right][]Role{
	MayManageAccounts:   organizers,
	MaySeeSecurity:      organizers,
	MayHost:             organizers,
	MayCreateTournament: organizers,
	MaySeeRoster:        organizers,
	MayEditRoster:       organizers,
	MaySeatRound:        organizers,
	MayPublishRound:     organizers,
	MayDrawLot:          organizers,
	MayEditFormats:      organizers,
	MayShareFormats:     organizers,
	MayQualify:          organizers,
	MayPlanDay:          organizers,
	MayBackUp:           organizers,
	MayRehearse:         organizers,

	MayAnnounce:    heads,
	MayRuleHeavily: heads,
	MayAssignZones: heads,

	MaySeeDraft:      referees,
	MayStartRound:    referees,
	MaySeeCodes:      referees,
	MayIssueCode:     referees,
	MayPairDisplay:   referees,
	MayRule:          referees,
	MayCorrectResult: referees,
	MayServeTable:    referees,
	MayTrain:         referees,

	MayCount:         counters,
	MayConfirmResult: counters,
	MayCheckIn:       counters,

	MaySeeDesk:     OfficialRoles,
	MaySeeAllRacks: OfficialRoles,
	MaySeeAudit:    OfficialRoles,

	MayRunGames: {RoleProgram},
}

// Holders are the roles that have a right everywhere.
func Holders(right Right) []Role { return slices.Clone(staffRights[right]) }

// wholeHall are rights over what belongs to no event: who is limited to events has none of them, and who is of an organization has them
// there. ofServer are those of them that are the house's alone.
var (
	wholeHall = []Right{MayManageAccounts, MaySeeSecurity, MayHost, MayCreateTournament, MayShareFormats, MayBackUp}
	ofServer  = []Right{MayHost, MayBackUp}
)

// inZones are the rights that end at the tables of an official's zone, where the event keeps its officials to them.
var inZones = []Right{MayRule, MayCount, MayConfirmResult, MayCorrectResult, MayServeTable, MayStartRound}

// anybody may do these.
var anybody = []Right{MaySeePublic, MayJoin, MayPractise, MayRegister}

// NoTable is the number of a place that is no table's; 0 is one of which that is not asked.
const NoTable = -1

// Place is what an action is done to: a tournament, and for players' actions a table and a seat of it.
// 0 where it does not matter; Seat is read with a Table only. Number is the table's in the hall. Practice says that it is a practice
// table: only there are hints given, and only there does the program itself stand in for the referee.
type Place struct {
	Tournament int64
	Table      int64
	Number     int
	Seat       int
	Practice   bool
}

// Authorize tells whether the actor may do this there; the only place that decides it. The rights of a
// player are checked against the seat acted on, never against a name from the request. Without a tournament it tells whether
// the actor may do it at some event, and, of what belongs to no event, at all. The error is Unauthenticated for the public,
// Forbidden for others.
func Authorize(actor Actor, at Place, right Right) error {
	switch {
	case slices.Contains(anybody, right):
		return nil
	case slices.Contains(staffRights[right], actor.Role):
		return Within(actor, at, right)
	case actor.Role == RoleProgram && at.Practice && (right == MayConfirmResult || right == MayRule):
		return nil
	case right == MayAskHint && !at.Practice && actor.Role != RolePublic && actor.Role != "":
		return refuse.Forbidden("err_hint_in_practice")
	case actor.Role == RolePlayer && (right == MayPlay || right == MayAgree || right == MaySeeSeat || right == MayAskHint):
		if at.Table != 0 && actor.Tournament == at.Tournament && actor.Table == at.Table && actor.Seat == at.Seat {
			return nil
		}
		return refuse.Forbidden("err_not_your_seat")
	case (actor.Role == RolePlayer || actor.Role == RoleTable) && (right == MayServeTable || right == MayCount),
		actor.Role == RoleTable && (right == MayPlay || right == MayAgree):
		if at.Table != 0 && actor.Tournament == at.Tournament && actor.Table == at.Table {
			return nil
		}
		return refuse.Forbidden("err_not_your_seat")
	}
	if actor.Role == RolePublic || actor.Role == "" {
		return refuse.Unauthenticated("err_sign_in_first", "action", right)
	}
	return refuse.Forbidden("err_not_allowed", "role", actor.Role, "action", right)
}

// Within holds the limits of an official who has a right: to the events that the account serves, and to its zone. Authorize asks
// it, and the door of what was done, whatever that was asked about.
func Within(actor Actor, at Place, right Right) error {
	if actor.Limits == nil {
		return nil
	}
	if actor.chosen() && !actor.Limits.Whole && slices.Contains(wholeHall, right) {
		return refuse.Forbidden("err_limited")
	}
	if actor.Organization != 0 && slices.Contains(ofServer, right) {
		return refuse.Forbidden("err_of_house")
	}
	if !actor.Serves(at.Tournament) {
		return refuse.Forbidden("err_not_your_event")
	}
	zone, kept := actor.Limits.Tables[at.Tournament]
	switch {
	case !kept || at.Practice || at.Number == 0 || !slices.Contains(inZones, right) || slices.Contains(zone, at.Number):
		return nil
	case at.Number == NoTable:
		return refuse.Forbidden("err_zone_no_table")
	}
	return refuse.Forbidden("err_not_your_zone", "table", at.Number)
}

// Denied tells whether an error is one with which Authorize or Within refuses somebody who is known.
func Denied(err error) bool {
	var e *refuse.Error
	if !errors.As(err, &e) || e.Kind != refuse.KindForbidden {
		return false
	}
	switch e.Key {
	case "err_not_allowed", "err_not_your_seat", "err_limited", "err_of_house", "err_not_your_event", "err_not_your_zone", "err_zone_no_table":
		return true
	}
	return false
}
