// Package door is the one way by which people act on competitions. An action is a value that says who may do it and does it in a
// transaction (Action); Do authorizes, runs it, keeps its record, lets follow at the tables what has to, and says once what has
// changed; Preview is the same way, rolled back. The registry of kinds is what pages, the interface for programs, the
// authorization matrix and the log are made from.
//
// The walk of a correction:
//
//	POST …/correct             the handler reads form or body into tournament.CorrectResult
//	Do                         finds the kind in the registry, and asks Authorize for its right
//	  Tx.run                   begins the transaction
//	    CorrectResult.Do       reads game and results, asks whether this official may change a confirmed one, checks, writes the
//	                           next revision, finishes round and event when they waited for it, and tells what moved
//	    Tx.Record              keeps what is to be recorded: on what, before, after, why
//	    Tx.write               writes the records, with the topics that they change, and commits
//	  Tx.follow                starts the games that waited (Games.StartWaiting)
//	  Desk.say                tells every watcher of Changed: which event, and which topics of it
//	the handler                shows the outcome
//	each watcher               reads what it shows
//
// The walk of a published pairing:
//
//	POST …/rounds              PairRound: Plan searches the seats before the transaction, Do keeps the draft if nothing has moved
//	POST …/publish             PublishRound: Do checks the draft, makes games and codes, and writes who misses the round
//	  Desk.say                seats and people have changed: what is remembered of tokens and frames is asked again (Seatings),
//	                           tablets, screens and pages that watch this event's seating wake
//	POST …/start               StartRound: Do marks the round; what follows deals and starts the first game at every table
//
// What a whole hall does at once, a confirmation, is done in the transaction in which the log's writer commits the hall's moves (Kind.Many,
// Games.Together): each is answered, recorded and refused alone, after one commit.
//
// Preview is the same way as far as the records and is rolled back. Nothing on these ways is called twice, and nobody else writes,
// records, wakes or starts. Another process sees the records and says the same (Desk.Watch).
package door
