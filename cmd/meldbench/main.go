// Command meldbench measures Meldhall for its developers: the bots, the forecasts, the seating and a server under load.
// README.md lists the current figures.
package main

import (
	"fmt"
	"os"

	"github.com/alecthomas/kong"
)

// arguments lists the commands; each is in a file of the same name.
type arguments struct {
	Load     loadCmd     `cmd:"" help:"Measure a server under load, by bots over HTTP."`
	Viewers  viewersCmd  `cmd:"" hidden:"" help:"Be the viewers, for load."`
	Peer     peerCmd     `cmd:"" help:"Play at boardgame.io, and at the program before and after it."`
	Ladder   ladderCmd   `cmd:"" help:"Play the styles of bots against each other and print how strong each is."`
	Forecast forecastCmd `cmd:"" help:"Play events and print how far the forecast of their rounds' ends is off."`
	Rulings  rulingsCmd  `cmd:"" help:"Let officials rule at random and print where the two folds of a log differ, and how many rulings there were."`
	Torn     tornCmd     `cmd:"" help:"Damage what a killed program has left, and print what the program makes of it."`
	Crash    crashCmd    `cmd:"" help:"Kill the program while a hall plays at it, again and again, and compare what it has kept with what it had acknowledged."`
	Nodes    nodesCmd    `cmd:"" help:"Play at several programs on one PostgreSQL database while they are killed, and compare the logs with what was acknowledged."`
	NATS     natsCmd     `cmd:"" name:"nats" hidden:"" help:"Be a NATS server, for nodes and turns."`
	Turns    turnsCmd    `cmd:"" help:"Measure what a turn costs with one and with several programs on one PostgreSQL database."`
	Writers  writersCmd  `cmd:"" help:"Have the turns of up to 100,000 tables written to one PostgreSQL database by the log's own writer."`
	Fuzz     fuzzCmd     `cmd:"" help:"Show hostile boards to two referees, send keys again, search what is sent for hidden tiles."`
	Faults   faultsCmd   `cmd:"" help:"Print what may happen to a hall and its program, and what shows that it holds; with --run, whether it does."`
	Sim      simCmd      `cmd:"" help:"Run the server on a simulated clock, disk and network, with faults at random, and check the outcome against the laws."`
	Versions versionsCmd `cmd:"" help:"Have the programs of earlier versions and the current one open each other's files."`
	Seats    seatsCmd    `cmd:"" help:"Seat events of many sizes and print what the seating reaches, beside the counting bound."`
}

// sampled returns an error if a measurement has no samples: it would print zeros, not results.
func sampled(what string, samples int) error {
	if samples == 0 {
		return fmt.Errorf("%s: nothing was measured", what)
	}
	return nil
}

func main() {
	var args arguments
	command := kong.Parse(&args, kong.Name("meldbench"), kong.UsageOnError(), kong.Vars{"faults": nodesFaultNames()},
		kong.Description("Measures Meldhall, for its developers."))
	if err := command.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "meldbench:", err)
		os.Exit(1)
	}
}
