package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"meldhall/engine"
	"meldhall/engine/exact"
	"meldhall/tournament/archive"
	"meldhall/tournament/export"
	"meldhall/tournament/store"
	"meldhall/web/request"
)

// verifyCmd is the command meldhall verify.
type verifyCmd struct {
	File string `arg:"" optional:"" help:"An exported game (GET /api/v1/games/ID/export) or the archive of an event, or - for standard input."`
	Game int64  `help:"The number of a game in the database."`
	All  bool   `help:"Check all games of the database."`
	DB   string `help:"The database: a file, or postgres://user:password@host/name." env:"MELDHALL_DB"`
}

// Help returns the text of meldhall verify --help.
func (verifyCmd) Help() string {
	return "Checks the deal against its published commitment, replays every event of the log, checks every state " +
		"and\n" +
		"recounts the score. A second referee, written from the rules only, also checks the whole log. The exit\n" +
		"status is 0 only if everything agrees with the log and the results. --all also checks the file: every " +
		"page, every\n" +
		"index against its table, every definition, every row against its checksum or its copy. It finds a single " +
		"flipped bit.\n" +
		"It compares the facts of each event with each other: every result needs a complete log; every revision,\n" +
		"penalty and round needs a record; every event of a log needs an actor with that seat or role. Rounds are\n" +
		"drawn again from the input of their draw. Notes name facts that cannot be checked, and games that are\n" +
		"not over yet.\n" +
		"For an archive, results, lots, meetings, cuts and places are also\n" +
		"recomputed from the archive only. Changed files are named."
}

// Run verifies the requested games, and prints one line per game.
func (c verifyCmd) Run() error {
	ctx := context.Background()
	if (c.File != "") == (c.All || c.Game != 0) {
		return errors.New("verify: give an exported file, --game ID or --all")
	}
	if c.File != "" {
		return verifyGiven(ctx, os.Stdout, c.File)
	}
	store, err := openExisting(c.DB)
	if err != nil {
		return err
	}
	defer store.Close()
	if !c.All {
		return errors.Join(verifyGames(ctx, os.Stdout, store, []int64{c.Game}),
			verifyGameFacts(ctx, os.Stdout, store, c.Game))
	}
	damage := verifyFile(ctx, os.Stdout, store)
	games, err := export.GameIDs(ctx, store)
	if err == nil {
		err = verifyGames(ctx, os.Stdout, store, games)
	}
	return errors.Join(damage, err, verifyEvents(ctx, os.Stdout, store))
}

// verifyFile checks the database file: every page, every index against its table, every definition, and every row
// against its checksum or its copy in an index.
func verifyFile(ctx context.Context, out io.Writer, db *store.DB) error {
	if err := db.CheckWhole(ctx); err != nil {
		fmt.Fprintf(out, "database: FAILED: %v\n", err)
		return errors.New("verify: the database is damaged")
	}
	fmt.Fprintln(out, "database: ok")
	return printHeads(ctx, out, db)
}

func verifyGames(ctx context.Context, out io.Writer, db *store.DB, games []int64) error {
	failed := 0
	for _, id := range games {
		g, err := export.OfGame(ctx, db, id)
		if err == nil {
			err = reportGame(out, g, false)
		} else {
			fmt.Fprintf(out, "game %d: FAILED: %s\n", id, request.ErrorText(ctx, err))
		}
		if err != nil {
			failed++
		}
	}
	if failed > 0 {
		return fmt.Errorf("verify: %d of %d games failed", failed, len(games))
	}
	fmt.Fprintf(out, "%d games verified\n", len(games))
	return nil
}

// verifyEvents checks the facts of each tournament against one another. It prints a line for each contradiction, and
// for each fact that could not be checked.
func verifyEvents(ctx context.Context, out io.Writer, db *store.DB) error {
	events, err := archive.Events(ctx, db)
	failed := 0
	for _, tournamentID := range events {
		verdict, err := archive.Check(ctx, db, tournamentID)
		if err != nil {
			fmt.Fprintf(out, "event %d: FAILED: %s\n", tournamentID, request.ErrorText(ctx, err))
			failed++
			continue
		}
		for _, note := range verdict.Notes {
			fmt.Fprintf(out, "event %d: note: %s\n", tournamentID, note)
		}
		for _, fault := range verdict.Faults {
			fmt.Fprintf(out, "event %d: FAILED: %s\n", tournamentID, fault.What)
		}
		if len(verdict.Faults) > 0 {
			failed++
		} else {
			fmt.Fprintf(out, "event %d: ok: rounds, games, results, rulings and records agree\n", tournamentID)
		}
	}
	if failed > 0 {
		err = errors.Join(err, fmt.Errorf("verify: %d of %d events failed", failed, len(events)))
	}
	return err
}

// verifyGameFacts compares the tournament's facts about a game with the rest of the tournament.
func verifyGameFacts(ctx context.Context, out io.Writer, db *store.DB, game int64) error {
	verdict, err := archive.CheckGame(ctx, db, game)
	if err != nil {
		return err
	}
	for _, fault := range verdict.Faults {
		fmt.Fprintf(out, "game %d: FAILED: %s\n", game, fault.What)
	}
	if len(verdict.Faults) > 0 {
		return fmt.Errorf("verify game %d: it contradicts the facts of its event", game)
	}
	return nil
}

func reportGame(out io.Writer, g export.Game, whole bool) error {
	s, err := export.Verify(g)
	if err == nil && whole && s.Phase != engine.PhaseOver {
		err = errors.New("the log ends before the game does")
	}
	if err != nil {
		fmt.Fprintf(out, "game %d: FAILED: %v\n", g.Game, err)
		return fmt.Errorf("verify game %d: %w", g.Game, err)
	}
	fmt.Fprintf(out, "game %d: ok: %d events, %s", g.Game, s.Seq, s.Phase)
	if s.End != nil {
		fmt.Fprintf(out, " (%s), points %v", s.End.Why, s.End.Outcome.Points)
	}
	if s.Physical {
		fmt.Fprintln(out, ", real tiles")
	} else {
		fmt.Fprintf(out, ", deal %s\n", s.Commitment)
	}
	return nil
}

// verifyGiven verifies a file: the archive of a tournament, or an exported game.
func verifyGiven(ctx context.Context, out io.Writer, path string) error {
	file, err := openGiven(path)
	if err != nil {
		return err
	}
	defer file.Close()
	in := bufio.NewReader(file)
	if begin, _ := in.Peek(2); string(begin) == "PK" {
		return verifyArchive(ctx, out, in)
	}
	g, err := readExport(in)
	if err != nil {
		return err
	}
	if err := reportGame(out, g, true); err != nil {
		return err
	}
	faults := archive.Actors(g)
	for _, fault := range faults {
		fmt.Fprintf(out, "game %d: FAILED: %s\n", g.Game, fault.What)
	}
	if len(faults) > 0 {
		return fmt.Errorf("verify game %d: %s", g.Game, faults[0].What)
	}
	return nil
}

func openGiven(path string) (io.ReadCloser, error) {
	if path == "-" {
		return io.NopCloser(os.Stdin), nil
	}
	return os.Open(path)
}

func readExport(in io.Reader) (g export.Game, err error) {
	text, err := io.ReadAll(withoutMark(in))
	if err == nil {
		err = exact.Unmarshal(text, &g)
	}
	if err != nil {
		return g, fmt.Errorf("read the exported game: %w", err)
	}
	if g.Version != export.Version {
		return g, fmt.Errorf("read the exported game: version %d, this program reads %d", g.Version, export.Version)
	}
	return g, nil
}
