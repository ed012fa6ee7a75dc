// Package rights defines who acts in a tournament, and what each actor may do.
package rights

import (
	"errors"
	"slices"
	"strconv"

	"meldhall/tournament/refuse"
)

// Role is the role of an actor.
type Role string

// The roles. Officials have accounts. They serve all tournaments of this server, those of their organization, or those
// to which their account is limited. An organizer runs the tournament, a head referee rules on everything, a referee
// rules at the tables, a scorekeeper counts but makes no rulings, and an observer only watches. A player is identified
// by the device that joined; everyone else is the public.
const (
	RoleOrganizer   Role = "organizer"
	RoleHeadReferee Role = "head_referee"
	RoleReferee     Role = "referee"
	RoleScorekeeper Role = "scorekeeper"
	RoleObserver    Role = "observer"
	RolePlayer      Role = "player"
	RolePublic      Role = "public"
	// RoleProgram is the program itself, as clock and organizer: it starts games and lets turns expire.
	RoleProgram Role = "program"
	// RoleTable is the single device of a table with real tiles, which serves all its seats.
	RoleTable Role = "table"
)

// OfficialRoles are the roles that an account can have, from the most rights to the fewest.
var OfficialRoles = []Role{RoleOrganizer, RoleHeadReferee, RoleReferee, RoleScorekeeper, RoleObserver}

// Actor is the person, device or program that performs an action. Account is set for officials. Tournament, Player,
// Table and Seat are set for a player; Table is 0 and Seat -1 while the player has no seat in a published or running
// round.
type Actor struct {
	Account    int64
	Name       string
	Role       Role
	Tournament int64
	Player     int64
	Table      int64
	Seat       int
	Device     string // the name of the player's or the table's device
	Key        string // the key with which the player's device signs commands; empty if it has none
	Practice   bool   // a player's seat at a practice table, which anyone may open
	// Organization is the official's organization. It is 0 for the server's officials and for all other actors.
	Organization int64
	// Limits restricts an official's rights. It is nil for an official who serves every tournament and the whole hall.
	Limits *Limits
}

// Limits are the restrictions of an official's rights.
type Limits struct {
	Events []int64         // tournaments served; empty: all, or none for an organization
	Tables map[int64][]int // own tables, by tournament that limits officials to zones
	Whole  bool            // Events are all tournaments of the organization; its common data is included
	Apart  []int64         // organizations' tournaments, closed to server officials
}

// Serves reports whether an official's rights include a tournament. ID 0 stands for data that belongs to no tournament
// and is always included.
func (a Actor) Serves(tournamentID int64) bool {
	switch {
	case a.Limits == nil || tournamentID == 0:
		return true
	case a.chosen():
		return slices.Contains(a.Limits.Events, tournamentID)
	}
	return !slices.Contains(a.Limits.Apart, tournamentID)
}

// chosen reports whether the account serves only the tournaments listed in its limits.
func (a Actor) chosen() bool {
	return a.Limits != nil && (a.Organization != 0 || len(a.Limits.Events) > 0)
}

// Serving returns the actor with an additional tournament, such as one that the actor has just created.
func (a Actor) Serving(tournamentID int64) Actor {
	if !a.chosen() {
		return a
	}
	limits := *a.Limits
	limits.Events = append(slices.Clone(limits.Events), tournamentID)
	a.Limits = &limits
	return a
}

// Public returns the actor of a client without any credentials.
func Public() Actor { return Actor{Role: RolePublic, Seat: -1} }

// Staff returns an actor with an official's role and no account, for the program itself in a demo or a simulation.
func Staff(role Role, name string) Actor { return Actor{Role: role, Name: name, Seat: -1} }

// String returns the actor's name in game logs and records, which never changes: organizer:Ann, player:17, public.
func (a Actor) String() string {
	switch a.Role {
	case RolePlayer:
		return "player:" + strconv.FormatInt(a.Player, 10)
	case RolePublic, "":
		return string(RolePublic)
	}
	return string(a.Role) + ":" + a.Name
}

// Right is a permission that not every actor has.
type Right string

// The rights.
const (
	MayManageAccounts   Right = "manage_accounts"
	MaySeeSecurity      Right = "see_security" // sign-ins, and clients that were rejected
	MayHost             Right = "host"         // create, limit and delete organizations
	MayCreateTournament Right = "create_tournament"
	MayCheckIn          Right = "check_in"   // record who is present
	MaySeeRoster        Right = "see_roster" // with clubs, ratings and e-mail addresses
	MayEditRoster       Right = "edit_roster"
	MaySeeDraft         Right = "see_draft"
	MaySeatRound        Right = "seat_round" // draft, redraw, discard
	MayPublishRound     Right = "publish_round"
	MayStartRound       Right = "start_round"
	MayDrawLot          Right = "draw_lot"
	MayEditFormats      Right = "edit_formats"  // create formats, and change a tournament's own
	MayShareFormats     Right = "share_formats" // create formats that every tournament can use
	MayQualify          Right = "qualify"       // record who gives up a qualifying place that the tournament awards
	MaySeeCodes         Right = "see_codes"
	MayIssueCode        Right = "issue_code"
	MaySeeDesk          Right = "see_desk"       // view the hall, its tables, counts and penalties
	MaySeeAllRacks      Right = "see_racks"      // the officials' view of a game
	MaySeeAudit         Right = "see_audit"      // changes, and their actors
	MayRule             Right = "rule"           // officials' commands in a game, point penalties
	MayRuleHeavily      Right = "rule_heavily"   // disqualify, change a confirmed result, decide a protest
	MayCount            Right = "count"          // enter a count at a table with real tiles
	MayConfirmResult    Right = "confirm_result" // confirm that a count is right
	MayCorrectResult    Right = "correct_result" // change a counted result by a ruling
	MayAssignZones      Right = "assign_zones"   // set the tables that an official looks after
	MayPairDisplay      Right = "pair_display"   // assign screens to tables, and choose what the hall is shown
	MayAnnounce         Right = "announce"       // make announcements to the whole tournament
	MayPlanDay          Right = "plan_day"       // schedule rounds and breaks
	MayBackUp           Right = "back_up"        // copy the database
	MayRehearse         Right = "rehearse"       // let bots play a copy of a tournament
	MayTrain            Right = "train"          // rule on sample disputes, at private tables
	MayRunGames         Right = "run_games"      // deal, let a turn expire, credit an outage
	MayPlay             Right = "play"           // players' commands, at one's own seat
	MayServeTable       Right = "serve_table"    // for a whole table with real tiles: who begins, empty pool
	MayAgree            Right = "agree"          // agree to the count, for one's own seat
	MaySeeSeat          Right = "see_seat"       // a seat's own view with its rack
	MaySeePublic        Right = "see_public"     // standings, published rounds, tables without racks
	MayJoin             Right = "join"           // take a seat or a table by its code
	MayPractise         Right = "practise"       // open a practice table against bots
	MayRegister         Right = "register"       // enter a tournament oneself while registration is open
	MayAskHint          Right = "ask_hint"       // the best play now, at one's own seat of a practice table
)

// Groups of officials for the following table.
var (
	organizers = []Role{RoleOrganizer}
	heads      = []Role{RoleOrganizer, RoleHeadReferee}
	referees   = []Role{RoleOrganizer, RoleHeadReferee, RoleReferee}
	counters   = []Role{RoleOrganizer, RoleHeadReferee, RoleReferee, RoleScorekeeper}
)

// staffRights maps each right to the roles of officials, or of the program, that have it in every tournament that they
// serve.
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

// Holders returns the roles that have a right everywhere.
func Holders(right Right) []Role { return slices.Clone(staffRights[right]) }

// wholeHall lists the rights over data that belongs to no tournament. Officials who are limited to tournaments have
// none of them; organizations' officials have them within their organization. ofServer lists those that only the
// server's officials have.
var (
	wholeHall = []Right{MayManageAccounts, MaySeeSecurity, MayHost, MayCreateTournament, MayShareFormats, MayBackUp}
	ofServer  = []Right{MayHost, MayBackUp}
)

// inZones lists the rights that are limited to the tables of an official's zone, if the tournament limits officials to
// zones.
var inZones = []Right{MayRule, MayCount, MayConfirmResult, MayCorrectResult, MayServeTable, MayStartRound}

// anybody lists the rights of every actor.
var anybody = []Right{MaySeePublic, MayJoin, MayPractise, MayRegister}

// NoTable is the Number of a place that is not a table. With 0, the zone is not checked.
const NoTable = -1

// Place is the subject of an action: a tournament and, for players' actions, a table and a seat. Fields that do not
// matter are 0; Seat is used only with a Table. Number is the table's number in the hall. Practice marks a practice
// table: only there are hints given, and only there does the program act as referee.
type Place struct {
	Tournament int64
	Table      int64
	Number     int
	Seat       int
	Practice   bool
}

// Authorize checks whether the actor has a right at a place. It is the only function that decides this. A player's
// rights are checked against the seat acted on, never against a name in the request. Without a tournament, it checks
// whether the actor has the right in some tournament or, for what belongs to no tournament, at all. The error is
// Unauthenticated for the public and Forbidden for other actors.
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
	case actor.Role == RolePlayer && (right == MayPlay || right == MayAgree || right == MaySeeSeat ||
		right == MayAskHint):
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

// Within checks the limits of an official who has a right: the tournaments that the account serves, and its zone.
// Authorize calls it, and package action calls it for every record, whatever Authorize was called with.
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

// Denied reports whether an error is a refusal by Authorize or Within of an actor who is not the public.
func Denied(err error) bool {
	var e *refuse.Error
	if !errors.As(err, &e) || e.Kind != refuse.KindForbidden {
		return false
	}
	switch e.Key {
	case "err_not_allowed", "err_not_your_seat", "err_limited", "err_of_house", "err_not_your_event",
		"err_not_your_zone", "err_zone_no_table":
		return true
	}
	return false
}
