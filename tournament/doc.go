// Package tournament holds a competition's rows and plain reads: tournaments, formats, rounds, tables, seats, players,
// publishing, and the settings that belong to none of the topics. The topics are packages of their own, from the bottom
// up: ranking, draw, people, result.
//
// A Tournament follows a format (package format: stages with rounds and a cut) under one rule set (engine.Ruleset).
// Both are stored in it as they were when it was created. A Round is drafted, published, started and finished; its
// tables play their games one after another. A game is decided by its rows in game_events alone. A Result is a
// projection of those, in revisions; the highest counts. Everything else is rows, and each change writes an
// audit record in the same transaction.
//
// Every change that people make is an action: a value in the package of its topic, run by package action. Play goes
// through game.Games. This package builds on action, account (accounts, devices, sessions), game (running games),
// preset (shipped formats and rule sets), store (the database), rights and refuse, which do not import it.
//
// Permissions are decided only in rights.Authorize; the registry of kinds (Kinds) says which right an action needs.
// Refusals are *refuse.Error: a key and arguments that the web package translates.
package tournament
