// Package tournament is the competition: its rosters, rounds, tables, seats, games and results, who
// may do what, and all of it on disk.
//
// A Tournament follows a format (package format: stages with rounds and a cut) under one rule set
// (engine.Ruleset), both stored in it as they were when it was made. A Round is drafted, published,
// started and finished; its tables play their games one after another. What decides a game is in
// game_events alone; a Result is a projection of it, in revisions, of which the highest counts.
// Everything else is rows, each change with an audit record in the same transaction.
//
// What people do is an action: a value in the file of its topic, whose one door is package door; what is played goes through
// game.Games. This package reads and shows the rest by plain functions of the database. Below it lie, each knowing nothing of
// those above: door, staff (accounts, devices, sessions), game (running games), preset (what the program comes with), storage (the
// file), rights and refuse. On it stand rulebook (changed rules), schedule (the plan of the day),
// rehearsal, floor (what is around the tables), practice, copies, and export (what leaves the program).
//
// Who may do what is decided in rights.Authorize and nowhere else; the registry of kinds (Kinds) says which right an action needs.
// Refusals are *refuse.Error: a key and arguments that the edge translates.
package tournament
