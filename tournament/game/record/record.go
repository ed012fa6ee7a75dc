// Package record derives the history of games from their logs: turns as all viewers saw them, replays, cards of single
// turns with their evidence, the courses of games, and the pace of tables.
package record

import "meldhall/tournament/game"

// Reader derives the history of games from their logs. It caches what it has read.
type Reader struct {
	Games   *game.Games
	folds   folds
	typical typicals
	courses courses
}

// NewReader returns a Reader of the given games.
func NewReader(games *game.Games) *Reader { return &Reader{Games: games} }
