// Package game runs the games at the tables. It takes commands, asks the engine for a decision, appends the resulting
// events to the log of all games, keeps the clocks, and shows each viewer what they may see. It handles tables and
// seats with its own queries and does not depend on rounds, rosters or standings.
//
// The path of a play has ten calls of this package:
//
//	POST …/play, …/draw, …      the handler reads the body; the token identifies the seat
//	1  Games.Submit
//	2    cache.find             finds the game in memory
//	3    Games.admit            checks rights and size, and hashes the key
//	4    cache.hold             locks the game
//	5    runningGame.submit     unlocks it at the end; waits or repeats if the game is not as it was in memory
//	6      settle               returns at once, unless the players are owed time
//	7      try                  engine.Decide returns the events or a refusal; for a late play, the expiry
//	8        commit             engine.Apply returns the state that follows
//	9          Log.Append       waits for the durable commit, which includes the result if the game is over
//	10         show             publishes the new Snapshot, sets the timer, and calls Games.Moved
//	the handler                 builds its response from the Snapshot in the Answer
//	each subscriber             is woken by Moved, which carries no content; it loads the newest Snapshot, renders what
//	                            its viewer may see (Seals.Shown), and sends it
//
// These steps also call small helpers, such as commandID, projection and schedule. Before Submit returns, it leaves a
// note for Notes, which writes evidence later.
//
// The path never leads back up: no step fetches data that another step has already held, and while a game runs nothing
// is read from the database. The timer takes the same path with Expire, an official with a ruling. If such a command
// finds the turn overdue, commit runs for the expiry first. Games.Preview stops after engine.Apply.
//
// Time that players lose to a held-up program or a slow disk is given back: see owed.go. The Owner decides whether this
// program runs a clock.
package game
