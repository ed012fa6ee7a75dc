package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"meldhall/cmd/internal/witness"
	"meldhall/engine"
	"meldhall/engine/exact"
	"meldhall/tournament/archive"
	"meldhall/tournament/export"
	"meldhall/tournament/store"
	"meldhall/web/request"
)

// verifyCmd is the command meldhall verify.
type verifyCmd struct {
	File  string   `arg:"" optional:"" help:"An exported game (GET /api/v1/games/ID/export), the archive of an event or the proof of a code on paper, or - for standard input."`
	Game  int64    `help:"The number of a game in the database."`
	All   bool     `help:"Check all games of the database."`
	Trust string   `help:"A policy: {\"logs\": [keys of servers], \"witnesses\": [keys], \"need\": number of them that must have cosigned}. For an archive, says what each kind of fact rests on; for a proof, what it proves." type:"existingfile" placeholder:"POLICY.json"`
	State []string `help:"The state file of a witness (meldhall witness --state). The archive must have everything that the witness has seen." type:"existingfile" placeholder:"FILE"`
	DB    string   `help:"The database: a file, or postgres://user:password@host/name." env:"MELDHALL_DB"`
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
		return verifyGiven(ctx, os.Stdout, c.File, trusting{c.Trust, c.State})
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
	if err == nil {
		_, err = g.SignedCommands()
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
		fmt.Fprintf(out, ", deal %s%s\n", s.Commitment, shuffledBy(s))
	}
	return nil
}

// shuffledBy says how many players' devices took part in the newest deal of a game.
func shuffledBy(s engine.State) string {
	if s.Joint == nil {
		return ", shuffled by the server alone"
	}
	took := 0
	for _, share := range s.Joint.Shares {
		if share.Nonce != nil {
			took++
		}
	}
	return fmt.Sprintf(", shuffled with %d of %d devices", took, s.Seats)
}

// verifyGiven verifies a file: the archive of a tournament, an exported game, or a proof.
func verifyGiven(ctx context.Context, out io.Writer, path string, by trusting) error {
	file, err := openGiven(path)
	if err != nil {
		return err
	}
	defer file.Close()
	in := bufio.NewReader(file)
	if begin, _ := in.Peek(2); string(begin) == "PK" {
		return verifyArchive(ctx, out, in, by)
	}
	if len(by.states) > 0 {
		return errors.New("verify: --state is for the archive of an event")
	}
	if begin, _ := in.Peek(len(proofBegin)); string(begin) == proofBegin {
		return verifyProof(out, in, by)
	}
	if by.policy != "" {
		return errors.New("verify: --trust is for the archive of an event or a proof")
	}
	g, err := readExport(in)
	if err != nil {
		return err
	}
	failed := reportGame(out, g, true)
	faults := archive.Actors(g)
	for _, fault := range faults {
		fmt.Fprintf(out, "game %d: FAILED: %s\n", g.Game, fault.What)
	}
	if len(faults) > 0 {
		return fmt.Errorf("verify game %d: %s", g.Game, faults[0].What)
	}
	return failed
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

// witnessCmd is the command meldhall witness.
type witnessCmd struct {
	URL    string        `arg:"" help:"The event's public page, such as https://hall.example/events/3."`
	State  string        `help:"The file with everything that the witness has seen. Keep it: it is the memory that makes a fork visible." default:"meldhall-witness.json" type:"path"`
	Key    string        `help:"The file with the private key of the witness, created at the first use." default:"meldhall-witness.key" type:"path"`
	Name   string        `help:"The name of a new key, without blanks. Default: random."`
	LogKey string        `help:"The server's key. Without it, the witness trusts the first one that it sees." name:"log-key"`
	Every  time.Duration `help:"How often to look." default:"10s"`
	Once   bool          `help:"Look once and exit."`
}

// Help returns the text of meldhall witness --help.
func (witnessCmd) Help() string {
	return "Watches an event from another machine. The witness downloads the event's transparency log, checks that it " +
		"only\ngrows, and cosigns each checkpoint. Whoever trusts the witness can then exclude that the server shows " +
		"two\nhistories or changes a fact later. If the server contradicts itself, the witness prints both " +
		"checkpoints,\nkeeps them in a file, and exits with status 1."
}

// Run watches until a signal stops it.
func (c witnessCmd) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return c.watch(ctx, os.Stdout)
}

func (c witnessCmd) watch(ctx context.Context, out io.Writer) error {
	key, err := witness.LoadKey(c.Key, c.Name)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "the key of this witness: %s\n", key.Witness)
	w := &witness.Witness{URL: c.URL, File: c.State, Key: key, Trust: c.LogKey, Now: time.Now, Out: out}
	if err := w.Open(); err != nil {
		return err
	}
	for {
		err := w.Look(ctx)
		var fork *witness.ForkError
		if c.Once || errors.As(err, &fork) {
			return err
		}
		if err != nil && ctx.Err() == nil {
			fmt.Fprintf(out, "%s: %v; trying again\n", time.Now().Format(time.TimeOnly), err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(max(c.Every, time.Second)):
		}
	}
}
