// Command meldhall runs Rummikub tournaments: the server, and the tools around it.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/alecthomas/kong"

	"meldhall/cmd/internal/desktop"
	"meldhall/web/request"
)

// arguments lists the commands; each is in a file of the same name.
type arguments struct {
	Serve       serveCmd       `cmd:"" default:"withargs" help:"Run the server."`
	Desktop     desktopCmd     `cmd:"" help:"Show a server for yourself in the browser, as a double click does."`
	Demo        demoCmd        `cmd:"" help:"Run a whole event with bots and one seat for you."`
	Judge       judgeCmd       `cmd:"" help:"Judge plays: JSON lines from standard input."`
	Solve       solveCmd       `cmd:"" help:"Find the best plays: JSON lines from standard input."`
	Seat        seatCmd        `cmd:"" help:"Seat whole events: JSON lines from standard input."`
	Score       scoreCmd       `cmd:"" help:"Score finished games: JSON lines from standard input."`
	Standings   standingsCmd   `cmd:"" help:"Rank events that were played without Meldhall: JSON documents."`
	Simulate    simulateCmd    `cmd:"" help:"Play a whole event in this process and print its standings."`
	Verify      verifyCmd      `cmd:"" help:"Check games, or an event's archive, against logs, deals and results."`
	Witness     witnessCmd     `cmd:"" help:"Watch an event from another machine and cosign its transparency log."`
	Record      recordCmd      `cmd:"" help:"Convert the record of a game to readable text, or the text back to JSON."`
	Export      exportCmd      `cmd:"" help:"Write the archive of an event, with all its decisions and games."`
	Import      importCmd      `cmd:"" help:"Import an event from its archive, while no server runs."`
	Certificate certificateCmd `cmd:"" help:"Create the server's certificate, signed by your own authority."`
	Version     versionCmd     `cmd:"" help:"Print the version of this program."`
	Backup      backupCmd      `cmd:"" help:"Copy the database, even while a server runs."`
	Update      updateCmd      `cmd:"" help:"Update the program, restart its server, and go back if that fails."`
	Service     serviceCmd     `cmd:"" help:"Make the server a service of this machine, which starts with it."`
	Move        moveCmd        `cmd:"" help:"Move a database from a file to PostgreSQL or back, while no server runs."`
	Restore     restoreCmd     `cmd:"" help:"Replace the database by a copy, while no server runs."`
	Reset       resetSecondCmd `cmd:"" name:"reset-second" help:"Turn off two-step sign-in for an account, while no server runs."`
	Licenses    licencesCmd    `cmd:"" help:"Print the licences of all components of the program."`
	SBOM        sbomCmd        `cmd:"" name:"sbom" help:"Print the components linked into this binary, as CycloneDX."`
}

func main() {
	begin(&arguments{})
}

// begin runs the command given in the program's arguments. A double click gives none, unlike a start by an operator.
func begin(args *arguments) {
	if len(os.Args) == 1 && os.Getenv("MELDHALL_DB") == "" && os.Getenv("MELDHALL_LISTEN") == "" && desktop.Clicked() {
		os.Args = append(os.Args, "desktop")
	}
	if err := parse(args).Run(); err != nil {
		fmt.Fprintln(os.Stderr, "meldhall:", request.ErrorText(context.Background(), err))
		os.Exit(1)
	}
}

// parse returns the command that the program's arguments select, with its flags set. If the arguments are wrong, it
// prints the usage and the error and exits with status 80, like kong.Parse.
//
// It takes the steps of kong.Parse, but without hooks, and main calls Run through an interface: calling methods by name
// makes the linker keep each exported method of each type, which doubles the size of the program.
func parse(args *arguments) interface{ Run() error } {
	parser := kong.Must(args, kong.Name("meldhall"),
		kong.Description("Rummikub tournaments: tables, clocks, referees, standings."))
	trace, err := kong.Trace(parser, os.Args[1:])
	if err == nil {
		err = apply(trace)
	}
	if err != nil {
		_ = trace.PrintUsage(false)
		fmt.Fprintln(parser.Stdout)
		parser.Errorf("%s", err)
		parser.Exit(80)
	}
	return trace.Selected().Target.Interface().(interface{ Run() error })
}

// apply prints the help if a flag asks for it. Otherwise it sets the flags to their values and checks them.
func apply(trace *kong.Context) error {
	for _, step := range trace.Path {
		if step.Flag != nil && step.Flag == trace.Model.HelpFlag {
			err := trace.PrintUsage(false)
			if err == nil {
				trace.Exit(0)
			}
			return err
		}
	}
	if trace.Error != nil {
		return trace.Error
	}
	if err := trace.Reset(); err != nil {
		return err
	}
	if err := trace.Resolve(); err != nil {
		return err
	}
	if _, err := trace.Apply(); err != nil {
		return err
	}
	return trace.Validate()
}
