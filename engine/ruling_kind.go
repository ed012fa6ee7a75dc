package engine

import (
	"reflect"
	"slices"

	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
)

// RulingKind describes one kind of ruling. The pages, /api/v1, forms, texts and queries use the list of kinds
// (RulingKinds). A new kind needs a command, an event, and an entry in that list.
type RulingKind struct {
	Name    string         // in URLs of pages and of /api/v1, and in the keys of texts
	Does    string         // its effect, for programmers
	Fields  []RulingField  // what it asks for besides the grounds
	Reasons []RulingReason // canned reasons, the usual one first
	Events  []Event        // its events in the log, as zero values

	Unreasoned bool // it may be given without a reason
	Digital    bool // only in tablet games
	EndsTurn   bool // it costs the current turn
	Undone     bool // a rewind to before it undoes it
	Against    bool // it stays on record against the player, for later rulings
	Booked     bool // with real tiles it is written into the penalty book
	WholeRound bool // it may be given at all tables of a round at once
	OnTablet   bool // an official may give it on a player's tablet
	Apart      bool // it is given outside a game: it has no command and no event
	Heavy      bool // a second official must confirm it

	command func(RulingFields) Command
}

// RulingReason is a canned reason: its code, and the article of the regulations that it rests on.
type RulingReason struct{ Code, Rule string }

// RulingFieldType is the type of a field of a ruling.
type RulingFieldType int

// The types of fields.
const (
	NumberField RulingFieldType = iota
	TilesField                  // tiles that lie on the table
	TableField                  // sets
	RacksField                  // racks by seat; nil leaves a rack as it is
)

// RulingField is a value that a kind of ruling asks for. A number lies between Least and Most; Most 0 means no limit. A
// form with an adjustable number limits it to Offered in either direction. Offered 0 means that the form does not let
// the official adjust the number.
type RulingField struct {
	Name        string
	Type        RulingFieldType
	Least, Most int
	Offered     int
	Optional    bool
	Does        string
}

// RulingFields holds the values of a ruling from a form or a request body, by the names of the kind's fields.
type RulingFields struct {
	Grounds Grounds
	Numbers map[string]int
	Tiles   []tile.Face
	Table   []tile.LaidFaces
	Racks   [][]tile.Face
}

// RulingKinds returns all kinds, in display order.
func RulingKinds() []RulingKind { return slices.Clone(rulingKinds) }

// RulingKindNamed returns the kind with a name. ok is false if there is none.
func RulingKindNamed(name string) (k RulingKind, ok bool) {
	i := slices.IndexFunc(rulingKinds, func(k RulingKind) bool { return k.Name == name })
	if i < 0 {
		return k, false
	}
	return rulingKinds[i], true
}

// RulingKindOf returns the kind of a ruling's event. ok is false for other events.
func RulingKindOf(event string) (k RulingKind, ok bool) {
	k, ok = kindsByEvent[event]
	return k, ok
}

// RulingEvents returns the kinds of events, as named in the log, of those kinds of rulings for which is(kind) is true.
func RulingEvents(is func(RulingKind) bool) (events []string) {
	for _, k := range rulingKinds {
		for _, e := range k.Events {
			if is(k) {
				events = append(events, e.Kind())
			}
		}
	}
	return events
}

// Command returns the command for the values of a form or a request body. It returns nil for a kind that is given
// outside a game.
func (k RulingKind) Command(f RulingFields) Command {
	if k.command == nil {
		return nil
	}
	return k.command(f)
}

// Field returns the field with a name. ok is false if the kind has none.
func (k RulingKind) Field(name string) (f RulingField, ok bool) {
	i := slices.IndexFunc(k.Fields, func(f RulingField) bool { return f.Name == name })
	if i < 0 {
		return f, false
	}
	return k.Fields[i], true
}

// Article returns the article of the regulations for a canned reason, or "" if this kind does not have the reason.
func (k RulingKind) Article(reason string) string {
	for _, r := range k.Reasons {
		if r.Code == reason {
			return r.Rule
		}
	}
	return ""
}

// Cancellable reports whether another ruling can cancel one of this kind. Rulings that cannot be cancelled need a
// rewind.
func (k RulingKind) Cancellable() bool {
	return slices.ContainsFunc(k.Events, func(e Event) bool {
		_, can := e.(cancellable)
		return can
	})
}

// ruling is a command by which an official rules.
type ruling interface {
	Command
	grounds() Grounds
}

// rulingEvent is an event that records a ruling in the log.
type rulingEvent interface {
	Event
	said() Said
	// tell fills in r, except for the fields that said provides. It reports whether an official ruled; it returns false
	// if the clock caused the event. before is the state before the event.
	tell(r *ruled, before State) bool
	apply(State) State
	// behind returns the command that causes the event on a state. after holds the following events. starts holds the
	// state at the start of each turn so far, by turn number.
	behind(s State, after []Event, starts map[int]State) Command
}

// cancellable is the event of a ruling that another ruling can cancel.
type cancellable interface {
	rulingEvent
	// cancel fills in the effects of the cancellation on a state, or returns why the game has gone on too far.
	cancel(s State, of ruled, e *RulingCancelled) error
	// cancelled applies these effects.
	cancelled(State, RulingCancelled) State
}

var (
	seatField     = RulingField{Name: "seat", Most: ruleset.MaxSeats - 1}
	turnField     = RulingField{Name: "turn", Does: "the turn's number"}
	penaltyField  = RulingField{Name: "tiles", Most: ruleset.MaxPenaltyTiles, Offered: ruleset.MaxPenaltyTiles}
	proposalField = RulingField{Name: "proposal", Least: 1, Does: "the proposal's seq"}
)

// rulingKinds lists the kinds of rulings, in display order.
var rulingKinds = []RulingKind{
	{
		Name: "pause", Does: "Stop the clock", Unreasoned: true, WholeRound: true, OnTablet: true,
		Reasons: []RulingReason{{"referee", "8.2"}, {"device", "10.2"}, {"unwell", "8.11"}, {"evacuation", "8.11"},
			{"break", "8.11"}, {"restored", "8.11"}},
		Events:  []Event{GamePaused{}},
		command: func(f RulingFields) Command { return PauseClock{f.Grounds} },
	},
	{
		Name: "resume", Does: "Restart the clock after a countdown of three seconds", Unreasoned: true,
		WholeRound: true, OnTablet: true,
		Events:  []Event{ResumeSet{}, GameResumed{}},
		command: func(f RulingFields) Command { return Resume{f.Grounds} },
	},
	{
		Name: "time", Does: "Move the running deadline", Unreasoned: true, WholeRound: true, OnTablet: true,
		Fields: []RulingField{{Name: "seconds", Least: -ruleset.MaxTurnSeconds, Most: ruleset.MaxTurnSeconds,
			Offered: 600}},
		Reasons: []RulingReason{{"referee", "8.2"}, {"device", "10.2"}, {"disturbance", "8.2"}, {"unwell", "8.11"}},
		Events:  []Event{TimeGiven{}},
		command: func(f RulingFields) Command { return GiveTime{f.Grounds, f.Numbers["seconds"]} },
	},
	{
		Name: "call-time", Does: "End the game after the running lap", Unreasoned: true, WholeRound: true,
		Reasons: []RulingReason{{"slot_over", "6.3"}, {"schedule", "6.3"}},
		Events:  []Event{TimeCalled{}},
		command: func(f RulingFields) Command { return CallTime{f.Grounds} },
	},
	{
		Name: "penalty", Does: "Make a seat draw penalty tiles, or give it a notice", Against: true, Booked: true,
		OnTablet: true,
		Fields: []RulingField{seatField, penaltyField.saying("0 is a notice"),
			{Name: "proposal", Optional: true, Does: "the seq of the proposed penalty that this decides"}},
		Reasons: []RulingReason{{"decision", "8.2"}, {"disturbed", "7.2"}, {"out_of_turn", "7.2"}, {"slow", "7.3"},
			{"drew_wrong", "7.5"}, {"talked", "7.1"}, {"showed", "7.4"}, {"conduct", "7.6"},
			timeReasons[0], timeReasons[1], illegalReason},
		Events: []Event{PenaltyGiven{}, NoticeGiven{}},
		command: func(f RulingFields) Command {
			return Penalise{f.Grounds, f.Numbers["seat"], f.Numbers["tiles"], f.Numbers["proposal"]}
		},
	},
	{
		Name: "waive", Does: "Waive a proposed penalty",
		Fields:  []RulingField{proposalField},
		Reasons: []RulingReason{{"first_time", "8.4"}, {"device", "10.2"}, {"unclear", "8.4"}},
		Events:  []Event{PenaltyWaived{}},
		command: func(f RulingFields) Command { return WaivePenalty{f.Grounds, f.Numbers["proposal"]} },
	},
	{
		Name: "warning", Does: "Warn a seat", Against: true, Booked: true, OnTablet: true,
		Fields: []RulingField{seatField},
		Reasons: []RulingReason{{"decision", "8.2"}, {"talked", "7.1"}, {"showed", "7.4"}, {"out_of_turn", "7.2"},
			{"slow", "7.3"}, {"conduct", "7.6"}},
		Events:  []Event{WarningGiven{}},
		command: func(f RulingFields) Command { return Warn{f.Grounds, f.Numbers["seat"]} },
	},
	{
		Name: "points", Does: "Take points off a player's total", Apart: true,
		Fields:  []RulingField{seatField, {Name: "points", Least: 1, Most: 1000, Offered: 1000}},
		Reasons: []RulingReason{{"conduct", "7.6"}, {"late_arrival", "7.7"}, {"talked", "7.1"}, {"showed", "7.4"}},
	},
	{
		Name: "skip", Does: "End the running turn without a play", EndsTurn: true, Undone: true, Against: true,
		Fields:  []RulingField{turnField},
		Reasons: []RulingReason{{"absent", "7.8"}, {"slow", "7.3"}, {"device", "10.2"}},
		Events:  []Event{TurnSkipped{}},
		command: func(f RulingFields) Command { return SkipTurn{f.Grounds, f.Numbers["turn"]} },
	},
	{
		Name: "illegal", Does: "Rule a turn an illegal play", EndsTurn: true, Undone: true, Against: true,
		Booked: true,
		Fields: []RulingField{turnField, penaltyField, {Name: "late", Most: 1, Optional: true,
			Does: "1 if the turn is over: the game first goes back to its start"}},
		Reasons: []RulingReason{illegalReason, {"joker", "3.6"}, {"not_restored", "4.7"}},
		Events:  []Event{IllegalRuled{}},
		command: func(f RulingFields) Command {
			c := RuleIllegal{Grounds: f.Grounds, Turn: f.Numbers["turn"], Tiles: f.Numbers["tiles"]}
			if f.Numbers["late"] != 0 {
				c.Back = &State{}
			}
			return c
		},
	},
	{
		Name: "leftovers", Does: "Take leftover tiles off the table", Digital: true, Undone: true,
		Fields: []RulingField{seatField, {Name: "tiles", Type: TilesField, Does: "the tiles to take off"},
			{Name: "table", Type: TableField, Does: "the sets that stay"}},
		Reasons: []RulingReason{{"not_restored", "4.7"}},
		Events:  []Event{LeftoversRuled{}},
		command: func(f RulingFields) Command { return RuleLeftovers{f.Grounds, f.Numbers["seat"], f.Tiles, f.Table} },
	},
	{
		Name: "grant-redeal", Does: "Deal again at a seat's request, as long as no tile is on the table", Digital: true,
		Fields:  []RulingField{seatField},
		Reasons: []RulingReason{{"doubles", "5.3"}, {"misdealt", "5.4"}},
		Events:  []Event{RedealGranted{}},
		command: func(f RulingFields) Command { return GrantRedeal{Grounds: f.Grounds, Seat: f.Numbers["seat"]} },
	},
	{
		Name: "refuse-redeal", Does: "Take away a seat's right to a redeal", Digital: true,
		Fields:  []RulingField{seatField},
		Reasons: []RulingReason{{"no_doubles", "5.3"}},
		Events:  []Event{RedealRefused{}},
		command: func(f RulingFields) Command { return RefuseRedeal{f.Grounds, f.Numbers["seat"]} },
	},
	{
		Name: "forfeit", Does: "Take a seat out of the game: it cannot win, and its rack is charged", Against: true,
		Fields:  []RulingField{seatField},
		Reasons: []RulingReason{{"absent", "7.7"}, {"gave_up", "8.8"}, {"unwell", "8.8"}},
		Events:  []Event{SeatForfeited{}},
		command: func(f RulingFields) Command { return ForfeitSeat{Grounds: f.Grounds, Seat: f.Numbers["seat"]} },
	},
	{
		Name: "disqualification", Does: "Propose to disqualify a player", Apart: true, Heavy: true,
		Fields:  []RulingField{seatField},
		Reasons: []RulingReason{{"conduct", "8.8"}, {"cheated", "8.8"}},
	},
	{
		Name: "cancel", Does: "Cancel a ruling; both stay in the log", Booked: true,
		Fields:  []RulingField{{Name: "of", Least: 1, Does: "the seq of the ruling's event"}},
		Reasons: []RulingReason{{"mistake", "8.9"}, {"wrong_player", "8.9"}, {"wrong_table", "8.9"}, {"appeal", "8.9"}},
		Events:  []Event{RulingCancelled{}},
		command: func(f RulingFields) Command { return CancelRuling{f.Grounds, f.Numbers["of"]} },
	},
	{
		Name: "rewind", Does: "Go back to the start of a turn", Undone: true,
		Fields:  []RulingField{turnField},
		Reasons: []RulingReason{{"misruled", "8.10"}, {"device", "10.2"}, {"disturbance", "8.10"}},
		Events:  []Event{Rewound{}},
		command: func(f RulingFields) Command { return Rewind{Grounds: f.Grounds, Turn: f.Numbers["turn"]} },
	},
	{
		Name: "position", Does: "Set up the game as it lies on a real table", Digital: true, Undone: true,
		Fields: []RulingField{seatField, {Name: "table", Type: TableField, Does: "the sets on the table"},
			{Name: "racks", Type: RacksField, Most: ruleset.MaxSeats, Optional: true,
				Does: "by seat; null: unchanged. All other tiles are in the pool"}},
		Reasons: []RulingReason{{"real_table", "8.10"}, {"device", "10.2"}},
		Events:  []Event{PositionSet{}},
		command: func(f RulingFields) Command { return SetPosition{f.Grounds, f.Numbers["seat"], f.Table, f.Racks} },
	},
}

// saying returns the field with another description.
func (f RulingField) saying(does string) RulingField {
	f.Does = does
	return f
}

// Indexes of the list, by the type of the command and by the kind of the event.
var (
	kindsByCommand             = listCommands()
	kindsByEvent, rulingEvents = listEvents()
)

func listCommands() map[reflect.Type]RulingKind {
	byCommand := map[reflect.Type]RulingKind{}
	for _, k := range rulingKinds {
		if k.command != nil {
			none := RulingFields{}
			byCommand[reflect.TypeOf(k.command(none))] = k
		}
	}
	return byCommand
}

func listEvents() (byEvent map[string]RulingKind, zeros map[string]rulingEvent) {
	byEvent, zeros = map[string]RulingKind{}, map[string]rulingEvent{}
	for _, k := range rulingKinds {
		for _, e := range k.Events {
			byEvent[e.Kind()], zeros[e.Kind()] = k, e.(rulingEvent)
		}
	}
	return byEvent, zeros
}
