package main

import (
	"math/rand/v2"

	"meldhall/engine"
	"meldhall/engine/bot"
)

// chooserOf gives how a bot chooses for a player: two of three are of the better kind.
func chooserOf(player int64) func(engine.View) action {
	style := bot.Club
	if player%3 == 0 {
		style = bot.Novice
	}
	return func(v engine.View) action {
		return action{Table: bot.ForView(style, v), Pass: v.Pool == 0}
	}
}

// newBot gives a player that a bot plays; the same player behaves the same way each time.
func newBot(api *client, id int64) *player {
	return &player{api: api, rng: rand.New(rand.NewPCG(uint64(id), 0xb07)), choose: chooserOf(id), redeals: redealsOften}
}
