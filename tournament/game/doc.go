// Package game runs the games at the tables: it takes commands, asks the engine, appends what it decides to the log of all games,
// keeps the clock, and shows each viewer what they may see. It knows tables and seats, by queries of its own, and no rounds,
// rosters or standings.
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
package game
