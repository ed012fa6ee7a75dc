package main

import (
	"math/rand/v2"

	"meldhall/engine"
	"meldhall/engine/bot"
)

// lineup names which bots play: one style, or mixed.
type lineup string

// styleOf gives how a player plays; mixed is a third of each style, the same player always alike.
func (l lineup) styleOf(player int64) bot.Style {
	for _, style := range bot.Styles {
		if string(l) == style.String() {
			return style
		}
	}
	return bot.Styles[player%int64(len(bot.Styles))]
}

// mixed is the lineup of events over HTTP.
const mixed lineup = "mixed"

// chooserOf gives how a bot of a style chooses.
func chooserOf(style bot.Style) func(engine.View) action {
	return func(v engine.View) action {
		return action{Table: bot.ForView(style, v), Pass: v.Pool == 0}
	}
}

// command is the action as a seat submits it in a turn.
func (a action) command(seat, turn int) engine.Command {
	switch {
	case a.Table != nil:
		return engine.Play{Seat: seat, Turn: turn, Table: a.Table}
	case a.Pass:
		return engine.Pass{Seat: seat, Turn: turn}
	}
	return engine.Draw{Seat: seat, Turn: turn}
}

// newBot gives a player that a bot plays; the same player behaves the same way each time.
func newBot(api *client, id int64) *player {
	return &player{api: api, rng: rand.New(rand.NewPCG(uint64(id), 0xb07)), choose: chooserOf(mixed.styleOf(id)), redeals: redealsOften}
}
