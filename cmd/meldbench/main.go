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
	Load     loadCmd     `cmd:"" help:"Measure a server under load, with bots over HTTP."`
	Viewers  viewersCmd  `cmd:"" hidden:"" help:"Run the viewers for load."`
	Peer     peerCmd     `cmd:"" help:"Measure boardgame.io, and this program before and after it."`
	Ladder   ladderCmd   `cmd:"" help:"Play the bots' styles against each other and print their strength."`
	Forecast forecastCmd `cmd:"" help:"Play events and print the error of the forecast end times of rounds."`
	Rulings  rulingsCmd  `cmd:"" help:"Make random rulings and print the differences between the two folds of each log."`
	Torn     tornCmd     `cmd:"" help:"Damage the files of a killed program and print how the program handles them."`
	Crash    crashCmd    `cmd:"" help:"Kill the program repeatedly during play and compare its log with what it acknowledged."`
	Nodes    nodesCmd    `cmd:"" help:"Play on several nodes with one PostgreSQL database, kill nodes, and compare the logs with what they acknowledged."`
	NATS     natsCmd     `cmd:"" name:"nats" hidden:"" help:"Run a NATS server for nodes and turns."`
	Turns    turnsCmd    `cmd:"" help:"Measure the cost of a turn with one and with several nodes on one PostgreSQL database."`
	Writers  writersCmd  `cmd:"" help:"Write the turns of up to 100,000 tables to one PostgreSQL database with the log's own writer."`
	Fuzz     fuzzCmd     `cmd:"" help:"Judge hostile boards with two referees, repeat keys, and search responses for hidden tiles."`
	Faults   faultsCmd   `cmd:"" help:"Print the fault cases and the tests that cover them; with --run, also the test results."`
	Sim      simCmd      `cmd:"" help:"Run the server on a simulated clock, disk and network with random faults, and check the outcome against the laws."`
	Versions versionsCmd `cmd:"" help:"Open files of earlier versions with the current program, and the other way round."`
	Seats    seatsCmd    `cmd:"" help:"Seat events of many sizes and print the quality of the seating beside the counting bound."`
}

// sampled returns an error if a measurement has no samples: it would print zeros, not results.
func sampled(what string, samples int) error {
	if samples == 0 {
		return fmt.Errorf("%s: nothing was measured", what)
	}
	return nil
}

// checkout is the folder of the product's module, as seen from the one of this module, in which this program runs.
const checkout = "../.."

func main() {
	var args arguments
	command := kong.Parse(&args, kong.Name("meldbench"), kong.UsageOnError(), kong.Vars{"faults": nodesFaultNames()},
		kong.Description("Measures Meldhall, for its developers."))
	if err := command.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "meldbench:", err)
		os.Exit(1)
	}
}
