// Package tournament is the competition: its rosters, rounds, tables, seats, games and results, who
// may do what, and all of it on disk.
//
// A Tournament follows a format (package format: stages with rounds and a cut) under one rule set
// (engine.Ruleset), both stored in it as they were when it was made. A Round is drafted, published,
// started and finished; its tables play their games one after another. What decides a game is in
// game_events alone; a Result is a projection of it, in revisions, of which the highest counts.
// Everything else is rows, each change with an audit record in the same transaction.
//
// The walk of a play, call by call:
//
//	POST …/play, …/draw, …     the handler reads the body; whose seat it is, is known from the token
//	Games.Submit               finds the game in memory, asks Authorize, holds the game
//	  engine.Decide            gives the events, or a refusal; to a play that comes too late, the expiry
//	  engine.Apply             gives the state that follows
//	  Log.Append               waits for the durable commit, with the result in it if the game is over
//	  Games.show               makes the new Snapshot the one that everybody sees, and sets the timer
//	  Games.Moved              wakes who watches: it says which game, and nothing of it
//	the handler                answers from the Snapshot in the Answer
//	each watcher               loads the newest Snapshot, draws what its viewer may see (Games.Shown), and sends it
//
// There is no step back up: nobody on the way fetches what another has had in hand, and while a game runs nothing is read
// from the database. The timer takes the same walk with Expire, an official with a ruling; where that finds the turn overdue,
// the expiry goes from Decide to Moved first. Games.Preview ends after Apply.
//
// Who may do what is decided in Authorize (role.go) and nowhere else. Refusals are *Error: a key and
// arguments that the edge translates.
package tournament
