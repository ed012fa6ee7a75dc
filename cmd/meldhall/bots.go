package main

import (
	"math/rand/v2"

	"meldhall/engine"
)

// newChooser gives a bot that chooses by its own generator.
func newChooser(rng *rand.Rand) func(engine.View) action {
	return cheapChoice
}

// newBot gives a player that a bot plays; the seed makes it choose the same way each time.
func newBot(api *client, seed uint64) *player {
	rng := rand.New(rand.NewPCG(seed, 0xb07))
	return &player{api: api, rng: rng, choose: newChooser(rng), redeals: redealsOften}
}
