// Package tournament is the competition: its rosters, rounds, tables, seats, games and results, who
// may do what, and all of it on disk.
//
// A Tournament follows a format (package format: stages with rounds and a cut) under one rule set
// (engine.Ruleset), both stored in it as they were when it was made. A Round is drafted, published,
// started and finished; its tables play their games one after another. What decides a game is in
// game_events alone; a Result is a projection of it, in revisions, of which the highest counts.
// Everything else is rows, each change with an audit record in the same transaction.
//
// Who may do what is decided in Authorize (role.go) and nowhere else. Refusals are *Error: a key and
// arguments that the edge translates.
package tournament
