// Package engine is the game as a pure function of its log. It has no I/O, no clock, no randomness,
// no goroutine and no logger: time, the shuffled tiles and the state of a player's draft are passed in.
//
//	Decide(*State, Command, disturbed, now) ([]Event, error)  what happens, or why nothing may
//	Apply(State, Event) State                                 one assignment after another, no rules
//	Replay([]Event) State                                     the fold of Apply
//	ViewFor(*State, viewer) View                               what one seat, a referee or a spectator may see
//	Recheck([]Event) (State, error)                           whether all of a log is what the rules give
//	RulingKinds() []RulingKind                                what officials may rule, and what is true of each
//
// The laws, each fuzzed in laws_test.go:
//
//  1. Decide is a function and leaves its State alone.
//  2. Check holds after every Apply.
//  3. Decide gives events or an error, never both, never neither.
//  4. Replay equals the live state at every prefix.
//  5. Every kind of event survives the codec.
//  6. Each of the 106 tiles is in exactly one place.
//  7. Any command after the deadline yields the expiry first, and alone: what it asks for is decided on
//     the state that follows, if it is asked again; but Start, which begins a game, and Outage, which says that the
//     clock was not kept.
//  8. The view is blind: swap two tiles that a viewer cannot see, and the view is byte-equal.
//
// Events carry outcomes (the tile drawn, the next seat, the new deadline, the points), never inputs,
// so correcting a rule never rewrites a finished game. The first event pins the whole Ruleset.
//
// RULES.md states the rules of the game and names the function and the test for each of them. The code uses its terms:
// run, group, rack, pool, meld, seat, table.
package engine
