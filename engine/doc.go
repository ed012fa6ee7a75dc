// Package engine implements the game as a pure function of its log. It has no I/O, no clock, no randomness, no
// goroutines and no logger. The caller passes in the time, the shuffled tiles and the state of a player's draft.
//
//	Decide(*State, Command, disturbed, now) ([]Event, error)  the events of a command, or why it is refused
//	Apply(State, Event) State                                 one assignment after another, no rules
//	Replay([]Event) State                                     Apply for each event of a log
//	ViewFor(*State, viewer) View                              what one seat, a referee or a spectator may see
//	Recheck([]Event) (State, error)                           whether a whole log follows the rules
//	RulingKinds() []RulingKind                                the kinds of rulings, with their properties
//
// The laws, each fuzzed in laws_test.go:
//
//  1. Decide is a function and does not change its State.
//  2. Check holds after every Apply.
//  3. Decide returns either events or an error, never both and never neither.
//  4. Replay equals the live state at every prefix.
//  5. Every kind of event survives the codec.
//  6. Each of the 106 tiles is in exactly one place.
//  7. Any command after the deadline causes the expiry, and nothing else. If the command is repeated, it is decided
//     on the resulting state. Exceptions are Start and StartHeld, which begin a game, and Outage, which reports that
//     the server was down.
//  8. The view is blind: swapping two tiles that a viewer cannot see leaves the view byte-equal.
//
// Events carry outcomes (the tile drawn, the next seat, the new deadline, the points), never inputs, so correcting a
// rule never rewrites a finished game. The first event fixes the whole Ruleset. The terms are those of engine/RULES.md:
// run, group, rack, pool, meld, seat, table.
package engine
