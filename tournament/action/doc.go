// Package action executes everything that people do with tournaments. An action is a value with all its input; its kind
// determines who may perform it, and its method Do performs it in a transaction (Action). The function Do authorizes an
// action, runs it, stores its record, starts the games that may now start, and announces once what has changed. Preview
// does the same and rolls it back. Pages, the API, the authorization matrix and the log are generated from the registry
// of kinds.
//
// The path of a correction:
//
//	POST …/correct             the handler reads form or body into result.CorrectResult
//	Do                         finds the kind in the registry, and asks Authorize for its right
//	  Tx.run                   begins the transaction
//	    CorrectResult.Do       reads game and results, checks the input and whether this official may change a confirmed
//	                           result, writes the next revision, finishes a round and tournament that waited for it, and
//	                           returns what moved
//	    Tx.Record              adds a record: subject, before, after, why
//	    Tx.write               writes the records, with the topics that they change, and commits
//	  Tx.follow                starts the games that waited (Games.StartWaiting)
//	  Desk.notify              calls every listener of Changed with the tournament and the topics
//	the handler                shows the outcome
//	each subscriber            reads what it shows
//
// The path of a published pairing:
//
//	POST …/rounds              PairRound: Plan searches the seats before the transaction, Do stores the draft if nothing
//	                           has moved
//	POST …/publish             PublishRound: Do checks the draft, creates games and codes, and records missed rounds
//	  Desk.notify              seats and people have changed: cached tokens and pages become invalid (Seatings);
//	                           tablets, screens and pages that watch this tournament's seats wake
//	POST …/start               StartRound: Do marks the round; afterwards the first game at every table is dealt and
//	                           started
//
// An action that a whole hall performs at once, such as a confirmation, runs in the transaction in which the log's
// writer commits the hall's moves (Kind.Many, game.Log.Together). Each such action has its own outcome, record and
// refusal, but they share a commit.
//
// Preview follows the same path up to the records and is rolled back. On these paths nothing is called twice, and no
// other code writes, records, wakes or starts. Another process reads the records and announces the same changes
// (Desk.Watch).
package action
