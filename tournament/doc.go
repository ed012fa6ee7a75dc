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
// What people do on a competition besides playing is an action: a value, with one door (Do, Preview). The walk of a correction:
//
//	POST …/correct             the handler reads form or body into CorrectResult
//	Do                         finds the kind in the registry, and asks Authorize for its right
//	  Tx.run                   begins the transaction
//	    CorrectResult.do       reads game and results, asks whether this official may change a confirmed one, checks, writes the
//	                           next revision, finishes round and event when they waited for it, and tells what moved
//	    Tx.record              keeps what is to be recorded: on what, before, after, why
//	    Tx.write               writes the records, with the topics that they change, and commits
//	  Tx.follow                starts the games that waited (Games.startWaiting)
//	  Store.say                tells every watcher of Changed: which event, and which topics of it
//	the handler                shows the outcome
//	each watcher               reads what it shows
//
// The walk of a published pairing:
//
//	POST …/rounds              DrawRound: plan searches the seats before the transaction, do keeps the draft if nothing has moved
//	POST …/publish             PublishRound: do checks the draft, makes games and codes, and writes who misses the round
//	  Store.say                seats and people have changed: what is remembered of tokens and frames is asked again (Seatings),
//	                           tablets, screens and pages that watch this event's seating wake
//	POST …/start               StartRound: do marks the round; what follows deals and starts the first game at every table
//
// Preview is the same way as far as the records and is rolled back. Nothing on these ways is called twice, and nobody else writes,
// records, wakes or starts. Another process sees the records and says the same (lookElsewhere).
//
// Who may do what is decided in rights.Authorize and nowhere else; the registry of kinds (Kinds) says which right an action needs.
// Refusals are *refuse.Error: a key and arguments that the edge translates.
package tournament
