// Package game runs the games at the tables. It takes commands, asks the engine for a decision, appends the resulting
// events to the log of all games, keeps the clocks, and shows each viewer what they may see. It handles tables and
// seats with its own queries and does not depend on rounds, rosters or standings.
//
// The path of a play, call by call:
//
//	POST …/play, …/draw, …     the handler reads the body; the token identifies the seat
//	Games.Submit               finds the game in memory, checks the rights, locks the game
//	  engine.Decide            returns the events or a refusal; for a play that comes too late, the expiry
//	  engine.Apply             returns the state that follows
//	  Log.Append               waits for the durable commit, which includes the result if the game is over
//	  Games.show               publishes the new Snapshot and sets the timer
//	  Games.Moved              wakes the subscribers: it names the game and carries no content
//	the handler                builds its response from the Snapshot in the Answer
//	each subscriber            loads the newest Snapshot, renders what its viewer may see (Games.Shown), and sends it
//
// The path never leads back up: no step fetches data that another step has already held, and while a game runs nothing
// is read from the database. The timer takes the same path with Expire, an official with a ruling. If such a command
// finds the turn overdue, the expiry goes from Decide to Moved first. Games.Preview stops after Apply.
package game
