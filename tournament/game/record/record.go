// Package record reads what the logs of games say about the past: turns as all saw them, replays, cards of single turns
// with their evidence, how games went, and the pace of tables.
package record

import "meldhall/tournament/game"

// Reader reads what the logs of games say about the past. It caches what it has read.
type Reader struct {
	Games   *game.Games
	folds   folds
	typical typicals
	courses courses
}

// NewReader returns a Reader of the games of a runner.
func NewReader(games *game.Games) *Reader { return &Reader{Games: games} }
