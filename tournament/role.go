package tournament

import (
	"fmt"
	"slices"
)

// Role is what somebody is here.
type Role string

// The roles. Officials have accounts and serve all tournaments of this server: an organizer runs the event, a head
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
}

// Public is the actor that has shown nothing.
func Public() Actor { return Actor{Role: RolePublic, Seat: -1} }

// Staff is an actor with an account's role that the program itself acts as, in a demo or a simulation.
func Staff(role Role, name string) Actor { return Actor{Role: role, Name: name, Seat: -1} }

// String names the actor in the log and the audit, the same for ever: organizer:Ann, player:17, public.
func (a Actor) String() string {
	switch a.Role {
	case RolePlayer:
		return fmt.Sprintf("player:%d", a.Player)
	case RolePublic, "":
		return string(RolePublic)
	}
	return string(a.Role) + ":" + a.Name
}

// Action is something that not everybody may do.
type Action string

// The actions.
const (
	ActManageAccounts   Action = "manage_accounts"
	ActCreateTournament Action = "create_tournament"
	ActCheckIn          Action = "check_in"   // say who is here
	ActSeeRoster        Action = "see_roster" // with clubs, ratings and e-mail addresses
	ActEditRoster       Action = "edit_roster"
	ActSeeDraft         Action = "see_draft"
	ActSeatRound        Action = "seat_round" // draft, draw again, discard
	ActPublishRound     Action = "publish_round"
	ActStartRound       Action = "start_round"
	ActDrawLot          Action = "draw_lot"
	ActEditFormats      Action = "edit_formats" // make formats, and change an event's own
	ActQualify          Action = "qualify"      // say who takes no place of those that the event gives
	ActSeeCodes         Action = "see_codes"
	ActIssueCode        Action = "issue_code"
	ActSeeDesk          Action = "see_desk"       // the hall, its tables, counts and penalties, without changing any
	ActSeeAllRacks      Action = "see_racks"      // the officials' view of a game
	ActSeeAudit         Action = "see_audit"      // what was changed, by whom
	ActRule             Action = "rule"           // the officials' commands in a game, points off a total
	ActRuleHeavily      Action = "rule_heavily"   // disqualify, change a confirmed result, decide a protest
	ActCount            Action = "count"          // enter what was counted at a physical table
	ActConfirmResult    Action = "confirm_result" // find a count right
	ActCorrectResult    Action = "correct_result" // rule another result than was counted
	ActAssignZones      Action = "assign_zones"   // say which tables an official looks after
	ActPairDisplay      Action = "pair_display"   // put a screen at a table
	ActAnnounce         Action = "announce"       // say something to the whole event
	ActPlanDay          Action = "plan_day"       // when rounds and breaks are to be
	ActBackUp           Action = "back_up"        // copy the database
	ActRehearse         Action = "rehearse"       // let bots play a copy of an event
	ActRunGames         Action = "run_games"      // deal, let a turn expire, credit an outage
	ActPlay             Action = "play"           // the player's commands, at the own seat
	ActServeTable       Action = "serve_table"    // what concerns a whole physical table: who begins, that the pool is empty
	ActAgree            Action = "agree"          // say that the count is right, for the own seat
	ActSeeSeat          Action = "see_seat"       // a seat's own view, its rack
	ActSeePublic        Action = "see_public"     // standings, published rounds, tables without racks
	ActPractise         Action = "practise"       // open a practice table against bots
	ActAskHint          Action = "ask_hint"       // what could be laid now, at the own seat of a practice table
)

// Groups of officials for the table below.
var (
	organizers = []Role{RoleOrganizer}
	heads      = []Role{RoleOrganizer, RoleHeadReferee}
	referees   = []Role{RoleOrganizer, RoleHeadReferee, RoleReferee}
	counters   = []Role{RoleOrganizer, RoleHeadReferee, RoleReferee, RoleScorekeeper}
)

// staffActions are what the officials, and the program itself, may do, in every tournament.
var staffActions = map[Action][]Role{
	ActManageAccounts:   organizers,
	ActCreateTournament: organizers,
	ActSeeRoster:        organizers,
	ActEditRoster:       organizers,
	ActSeatRound:        organizers,
	ActPublishRound:     organizers,
	ActDrawLot:          organizers,
	ActEditFormats:      organizers,
	ActQualify:          organizers,
	ActPlanDay:          organizers,
	ActBackUp:           organizers,
	ActRehearse:         organizers,

	ActAnnounce:    heads,
	ActRuleHeavily: heads,
	ActAssignZones: heads,

	ActSeeDraft:      referees,
	ActStartRound:    referees,
	ActSeeCodes:      referees,
	ActIssueCode:     referees,
	ActPairDisplay:   referees,
	ActRule:          referees,
	ActCorrectResult: referees,
	ActServeTable:    referees,

	ActCount:         counters,
	ActConfirmResult: counters,
	ActCheckIn:       counters,

	ActSeeDesk:     OfficialRoles,
	ActSeeAllRacks: OfficialRoles,
	ActSeeAudit:    OfficialRoles,

	ActRunGames: {RoleProgram},
}

// anybody may do these.
var anybody = []Action{ActSeePublic, ActPractise}

// Place is what an action is done to: a tournament, and for players' actions a table and a seat of it.
// 0 where it does not matter; Seat is read with a Table only. Practice says that it is a practice table: only there
// are hints given, and only there does the program itself stand in for the referee.
type Place struct {
	Tournament int64
	Table      int64
	Seat       int
	Practice   bool
}

// Authorize tells whether the actor may do this there; the only place that decides it. The rights of a
// player are checked against the seat acted on, never against a name from the request. The error is
// Unauthenticated for the public, Forbidden for others.
func Authorize(actor Actor, at Place, action Action) error {
	switch {
	case slices.Contains(anybody, action), slices.Contains(staffActions[action], actor.Role):
		return nil
	case actor.Role == RoleProgram && at.Practice && (action == ActConfirmResult || action == ActRule):
		return nil
	case action == ActAskHint && !at.Practice && actor.Role != RolePublic && actor.Role != "":
		return Refuse(Forbidden, "err_hint_in_practice")
	case actor.Role == RolePlayer && (action == ActPlay || action == ActAgree || action == ActSeeSeat || action == ActAskHint):
		if at.Table != 0 && actor.Tournament == at.Tournament && actor.Table == at.Table && actor.Seat == at.Seat {
			return nil
		}
		return Refuse(Forbidden, "err_not_your_seat")
	case (actor.Role == RolePlayer || actor.Role == RoleTable) && (action == ActServeTable || action == ActCount),
		actor.Role == RoleTable && (action == ActPlay || action == ActAgree):
		if at.Table != 0 && actor.Tournament == at.Tournament && actor.Table == at.Table {
			return nil
		}
		return Refuse(Forbidden, "err_not_your_seat")
	}
	if actor.Role == RolePublic || actor.Role == "" {
		return Refuse(Unauthenticated, "err_sign_in_first", "action", action)
	}
	return Refuse(Forbidden, "err_not_allowed", "role", actor.Role, "action", action)
}
