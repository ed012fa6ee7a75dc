package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"

	"meldhall/cmd/internal/torn"
)

// tornCmd is the command meldbench torn.
type tornCmd struct {
	Tries int    `help:"Number of tries for each kind of damage." default:"1000"`
	Seed  uint64 `help:"The seed. Equal seeds damage equal files in the same way." default:"1"`
	DB    string `help:"The database of a killed program, with its write-ahead log, instead of a new one. It is only read."`
}

// Help returns the text of meldbench torn --help.
func (tornCmd) Help() string {
	return "Builds the program, kills it during play, and opens copies of its files: with the write-ahead log cut " +
		"at every frame, cut\n" +
		"inside frames, and with one bit flipped in the log or in the file. Each wrong copy must cause an error."
}

// Run damages copies and prints a report.
func (c tornCmd) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	dir, err := os.MkdirTemp("", "meldhall-torn-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	return c.report(ctx, os.Stdout, dir)
}

func (c tornCmd) report(ctx context.Context, out io.Writer, dir string) error {
	if c.Tries < 1 {
		return errors.New("torn: --tries must be 1 or more")
	}
	exe, err := buildProgram(ctx, dir)
	if err != nil {
		return err
	}
	if c.DB == "" {
		if c.DB, err = torn.Leave(ctx, exe, dir); err != nil {
			return err
		}
	}
	file, err := torn.Read(c.DB)
	if err != nil {
		return fmt.Errorf("torn: %s: %w", c.DB, err)
	}
	fmt.Fprintf(out, "%s; seed %d\n", file.Facts(), c.Seed)
	rig := torn.Rig{File: file, Dir: dir, Seed: c.Seed, Verify: func(ctx context.Context, path string) error {
		return exec.CommandContext(ctx, exe, "verify", "--all", "--db", path).Run()
	}}
	counts, err := rig.All(ctx, c.Tries)
	wrong := 0
	for _, n := range counts {
		fmt.Fprintln(out, n)
		wrong += len(n.Wrong)
	}
	if err == nil && wrong > 0 {
		err = fmt.Errorf("torn: %d times the program showed uncommitted data without an error", wrong)
	}
	return err
}

// buildProgram builds the program from the checkout in which this command is run.
func buildProgram(ctx context.Context, dir string, flags ...string) (exe string, err error) {
	return buildCommand(ctx, dir, "meldhall", flags...)
}

func buildCommand(ctx context.Context, dir, name string, flags ...string) (exe string, err error) {
	exe = filepath.Join(dir, name)
	folder := checkout // of the module that has the command
	if name == "meldbench" {
		folder = "."
	}
	flags = append([]string{"build", "-C", folder, "-o", exe}, flags...)
	_, err = run(ctx, "go", append(flags, "meldhall/cmd/"+name)...)
	return exe, err
}
