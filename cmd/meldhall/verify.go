package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"meldhall/engine"
	"meldhall/engine/audit"
	"meldhall/engine/tile"
	"meldhall/tournament/export"
	"meldhall/tournament/storage"
	"meldhall/web/shell"
)

// verifyCmd is meldhall verify.
type verifyCmd struct {
	File string `arg:"" optional:"" help:"An exported game (GET /api/v1/games/ID/export), or - for standard input."`
	Game int64  `help:"The number of a game in the database."`
	All  bool   `help:"All games of the database."`
	DB   string `help:"The database file." env:"MELDHALL_DB"`
}

// Help is shown by meldhall verify --help.
func (verifyCmd) Help() string {
	return "Checks the deal against its published commitment, decides every event of the log again, checks every state and\n" +
		"counts the score again. A second referee, written from the rules alone, goes through the whole log as well. The exit\n" +
		"status is 0 only if all of it agrees with the log and the results. With --all the file is looked at, too: every page, every\n" +
		"index beside its table, every definition, every row that has a checksum."
}

// Run verifies what was asked for, one line a game.
func (c verifyCmd) Run() error {
	ctx := context.Background()
	if (c.File != "") == (c.All || c.Game != 0) {
		return errors.New("verify: name an exported file, or --game ID or --all")
	}
	if c.File != "" {
		g, err := readExport(c.File)
		if err != nil {
			return err
		}
		return reportGame(os.Stdout, g, true)
	}
	store, err := openExisting(c.DB)
	if err != nil {
		return err
	}
	defer store.Close()
	if !c.All {
		return verifyGames(ctx, os.Stdout, store, []int64{c.Game})
	}
	damage := verifyFile(ctx, os.Stdout, store)
	games, err := export.GameIDs(ctx, store)
	if err == nil {
		err = verifyGames(ctx, os.Stdout, store, games)
	}
	return errors.Join(damage, err)
}

// verifyFile looks at the file itself: every page, every index beside its table, every definition, every row that has a checksum.
func verifyFile(ctx context.Context, out io.Writer, store *storage.DB) error {
	if err := errors.Join(store.CheckIntegrity(ctx), store.CheckSchema(ctx), store.CheckSums(ctx)); err != nil {
		fmt.Fprintf(out, "database: FAILED: %v\n", err)
		return errors.New("verify: the database is damaged")
	}
	fmt.Fprintln(out, "database: ok")
	return nil
}

func verifyGames(ctx context.Context, out io.Writer, store *storage.DB, games []int64) error {
	failed := 0
	for _, id := range games {
		g, err := export.OfGame(ctx, store, id)
		if err == nil {
			err = reportGame(out, g, false)
		} else {
			fmt.Fprintf(out, "game %d: FAILED: %s\n", id, shell.ErrorText(ctx, err))
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

func reportGame(out io.Writer, g export.Game, whole bool) error {
	s, err := verifyGame(g)
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

func readExport(path string) (g export.Game, err error) {
	in := io.Reader(os.Stdin)
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return g, err
		}
		defer f.Close()
		in = f
	}
	if err := json.NewDecoder(in).Decode(&g); err != nil {
		return g, fmt.Errorf("read the exported game: %w", err)
	}
	if g.Version != export.Version {
		return g, fmt.Errorf("read the exported game: version %d, this program reads %d", g.Version, export.Version)
	}
	return g, nil
}

// verifyGame checks an exported game; the error names the first thing that does not agree.
func verifyGame(g export.Game) (engine.State, error) {
	events, err := decodeExport(g)
	if err != nil {
		return engine.State{}, err
	}
	s, err := engine.Recheck(events)
	if err == nil {
		err = audit.Log(events)
	}
	if err != nil {
		return s, err
	}
	if s.Phase == engine.PhaseNew && len(g.Results) == 0 {
		return s, nil // nobody has dealt yet; somebody called the referee
	}
	if s.Seats != len(g.Players) {
		return s, fmt.Errorf("the log has %d seats, the table %d", s.Seats, len(g.Players))
	}
	if s.Rules != g.Rules {
		return s, errors.New("the rules that the log was played by are not those of its round")
	}
	if s.End == nil {
		if len(g.Results) > 0 {
			return s, errors.New("there is a result, and the game has not ended")
		}
		return s, nil
	}
	return s, verifyResults(g, s)
}

func decodeExport(g export.Game) ([]engine.Event, error) {
	events := make([]engine.Event, len(g.Events))
	for i, row := range g.Events {
		if row.Seq != i+1 {
			return nil, fmt.Errorf("seq %d is missing: seq %d follows %d", i+1, row.Seq, i)
		}
		e, err := engine.Decode(row.Kind, row.Version, row.Data)
		if err != nil {
			return nil, fmt.Errorf("seq %d: %w", row.Seq, err)
		}
		if e.When() != row.At {
			return nil, fmt.Errorf("seq %d: the row is of %d, the event of %d", row.Seq, row.At, e.When())
		}
		events[i] = e
	}
	if len(events) == 0 {
		return nil, errors.New("the log is empty")
	}
	return events, nil
}

// verifyResults compares the revisions of the result: they are gapless, the first is what the game gave,
// and a later one differs from the one before only with a reason.
func verifyResults(g export.Game, s engine.State) error {
	if len(g.Results) == 0 {
		return errors.New("the game has ended, and there is no result")
	}
	for i, r := range g.Results {
		if r.Rev != i+1 {
			return fmt.Errorf("revision %d of the result is missing", i+1)
		}
		if len(r.Lines) != s.Seats {
			return fmt.Errorf("revision %d of the result has %d lines for %d seats", r.Rev, len(r.Lines), s.Seats)
		}
		if i > 0 && r.Why == "" && !sameScore(g.Results[i-1].Lines, r.Lines) {
			return fmt.Errorf("revision %d of the result changes the score without a reason", r.Rev)
		}
	}
	if why := g.Results[0].Ending; why != s.End.Why {
		return fmt.Errorf("the result says that the game ended %q, the log %q", why, s.End.Why)
	}
	for seat, line := range g.Results[0].Lines {
		have := fmt.Sprintf("points %v, wins %v, charge %d %q", line.Points, line.Wins, line.Charge, line.Reason)
		o := s.End.Outcome
		want := fmt.Sprintf("points %v, wins %v, charge %d %q", o.Points[seat], o.Wins[seat], o.Charges[seat].Points, o.Charges[seat].Reason)
		if have != want || line.Seat != seat || line.Player != g.Players[seat] {
			return fmt.Errorf("seat %d: the result says player %d, %s; the log gives player %d, %s", seat, line.Player, have, g.Players[seat], want)
		}
		if tiles, err := s.Racks[seat].MarshalText(); err == nil && !sameTiles(line.Tiles, string(tiles)) {
			return fmt.Errorf("seat %d: the result says the rack %q, the log gives %q", seat, line.Tiles, tiles)
		}
	}
	return nil
}

func sameScore(a, b []export.ResultLine) bool {
	return slices.EqualFunc(a, b, func(x, y export.ResultLine) bool {
		return x.Seat == y.Seat && x.Player == y.Player && x.Points == y.Points && x.Wins == y.Wins
	})
}

// sameTiles compares two racks as text, whatever their order and the copies of their tiles.
func sameTiles(a, b string) bool {
	counts := func(text string) (tile.Counts, error) {
		faces, err := tile.ParseFaces(strings.ReplaceAll(text, "'", ""))
		return tile.CountFaces(faces), err
	}
	x, errX := counts(a)
	y, errY := counts(b)
	return errX == nil && errY == nil && x == y
}
