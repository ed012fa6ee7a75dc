// Command meldhall runs Rummikub tournaments: the server, and the tools around it.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/alecthomas/kong"

	"meldhall/web/request"
)

// arguments lists the commands; each is in a file of the same name.
type arguments struct {
	Serve       serveCmd       `cmd:"" default:"withargs" help:"Run the server."`
	Demo        demoCmd        `cmd:"" help:"Run a whole event with bots and one seat for you."`
	Judge       judgeCmd       `cmd:"" help:"Judge plays: JSON lines from standard input."`
	Solve       solveCmd       `cmd:"" help:"Find the best plays: JSON lines from standard input."`
	Seat        seatCmd        `cmd:"" help:"Seat whole events: JSON lines from standard input."`
	Score       scoreCmd       `cmd:"" help:"Score finished games: JSON lines from standard input."`
	Standings   standingsCmd   `cmd:"" help:"Rank events that were played without Meldhall: JSON documents."`
	Simulate    simulateCmd    `cmd:"" help:"Play a whole event in this process and print its standings."`
	Verify      verifyCmd      `cmd:"" help:"Check games, or an event's archive, against logs, deals and results."`
	Export      exportCmd      `cmd:"" help:"Write the archive of an event, with all its decisions and games."`
	Import      importCmd      `cmd:"" help:"Import an event from its archive, while no server runs."`
	Certificate certificateCmd `cmd:"" help:"Create the server's certificate, signed by your own authority."`
	Version     versionCmd     `cmd:"" help:"Print the version of this program."`
	Backup      backupCmd      `cmd:"" help:"Copy the database, even while a server runs."`
	Move        moveCmd        `cmd:"" help:"Move a database from a file to PostgreSQL or back, while no server runs."`
	Restore     restoreCmd     `cmd:"" help:"Replace the database by a copy, while no server runs."`
	Reset       resetSecondCmd `cmd:"" name:"reset-second" help:"Turn off two-step sign-in for an account, while no server runs."`
	Licenses    licencesCmd    `cmd:"" help:"Print the licences of all components of the program."`
	SBOM        sbomCmd        `cmd:"" name:"sbom" help:"Print the components linked into this binary, as CycloneDX."`
}

func main() {
	begin(&arguments{})
}

// begin runs the command given in the program's arguments.
func begin(args *arguments) {
	command := kong.Parse(args, kong.Name("meldhall"), kong.UsageOnError(),
		kong.Description("Rummikub tournaments: tables, clocks, referees, standings."))
	if err := command.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "meldhall:", request.ErrorText(context.Background(), err))
		os.Exit(1)
	}
}
