package main

import (
	"bufio"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// peerFiles are a boardgame.io server and the clients that play on it.
//
//go:embed peer
var peerFiles embed.FS

// peerCmd is the command meldbench peer.
type peerCmd struct {
	Tables  int `help:"Tables of four." default:"100"`
	Seconds int `help:"Seconds to measure each server." default:"10"`
}

// Help returns the text of meldbench peer --help.
func (peerCmd) Help() string {
	return "Installs boardgame.io with npm in a temporary folder and plays on it: tables of four over WebSockets, " +
		"each move as soon as all four seats have\n" +
		"the previous one. Its matches are first stored in memory, then in files. Before and after it, meldbench " +
		"load measures Meldhall with as many tables. Each\n" +
		"server is limited to one processor if taskset is available; run this command on another one."
}

// Run measures both servers in one run.
func (c peerCmd) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	return c.compare(ctx, os.Stdout)
}

// played is the measurement of one server: the moves seen at all four seats, and the milliseconds that took.
type played struct {
	Moves             int
	Seconds, P50, P99 float64
}

func (p played) aSecond() float64 { return float64(p.Moves) / p.Seconds }

func (c peerCmd) compare(ctx context.Context, out io.Writer) (err error) {
	dir, err := os.MkdirTemp("", "meldhall-peer-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := installPeer(ctx, dir); err != nil {
		return err
	}
	var ours, memory, files []played
	for _, turn := range []struct {
		of   *[]played
		play func() (played, error)
	}{
		{&ours, func() (played, error) { return c.own(ctx) }},
		{&memory, func() (played, error) { return c.peer(ctx, dir, "") }},
		{&files, func() (played, error) { return c.peer(ctx, dir, filepath.Join(dir, "matches")) }},
		{&ours, func() (played, error) { return c.own(ctx) }},
	} {
		one, err := turn.play()
		if err != nil {
			return err
		}
		if one.Moves == 0 {
			return errors.New("peer: no move was made: the machine is too busy")
		}
		*turn.of = append(*turn.of, one)
	}
	fmt.Fprintf(out, "%d tables of four, each server on one processor\n", c.Tables)
	least := min(ours[0].aSecond(), ours[1].aSecond())
	for _, row := range []struct {
		name string
		played
	}{{"Meldhall, on the disk, before", ours[0]}, {"Meldhall, on the disk, after", ours[1]},
		{"boardgame.io, in memory", memory[0]}, {"boardgame.io, in files", files[0]}} {
		fmt.Fprintf(out,
			"%-30s %6.0f moves/s at all seats, p50 %.1f ms, p99 %.1f ms; Meldhall's slower run makes %.2f times as "+
				"many\n",
			row.name, row.aSecond(), row.P50, row.P99, least/row.aSecond())
	}
	return nil
}

// own measures Meldhall.
func (c peerCmd) own(ctx context.Context) (played, error) {
	m, took, err := loadCmd{Tables: c.Tables, Seconds: c.Seconds, Laying: 100}.load(ctx, io.Discard)
	if err != nil {
		return played{}, err
	}
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	return played{m.turns, took.Seconds(), ms(quantile(m.updates, .5)), ms(quantile(m.updates, .99))}, nil
}

// installPeer writes the files and installs their dependencies with npm.
func installPeer(ctx context.Context, dir string) error {
	npm, err := exec.LookPath("npm")
	if err != nil {
		return fmt.Errorf("installing boardgame.io needs npm: %w", err)
	}
	files, err := fs.Sub(peerFiles, "peer")
	if err != nil {
		return err
	}
	if err := os.CopyFS(dir, files); err != nil {
		return err
	}
	install := exec.CommandContext(ctx, npm, "install", "--no-audit", "--no-fund")
	install.Dir = dir
	if text, err := install.CombinedOutput(); err != nil {
		return fmt.Errorf("npm install: %w\n%s", err, text)
	}
	return nil
}

// peer measures boardgame.io with its matches stored in a folder; "" stores them in memory.
func (c peerCmd) peer(ctx context.Context, dir, folder string) (p played, err error) {
	args := []string{"node", "server.cjs", folder}
	if taskset, err := exec.LookPath("taskset"); err == nil {
		args = append([]string{taskset, "-c", "0"}, args...)
	}
	ctx, cancel := context.WithCancel(ctx)
	server := exec.CommandContext(ctx, args[0], args[1:]...)
	server.Dir, server.Env = dir, append(os.Environ(), "NODE_ENV=production")
	said, err := server.StdoutPipe()
	if err != nil {
		cancel()
		return p, err
	}
	if err := server.Start(); err != nil {
		cancel()
		return p, err
	}
	defer func() { cancel(); _ = server.Wait() }()
	line, err := bufio.NewReader(said).ReadString('\n')
	port, found := strings.CutPrefix(strings.TrimSpace(line), "port ")
	if !found {
		return p, fmt.Errorf("boardgame.io printed %q instead of a port: %w", line, err)
	}
	load := exec.CommandContext(ctx, "node", "load.cjs", port, strconv.Itoa(c.Tables), strconv.Itoa(c.Seconds))
	load.Dir, load.Stderr = dir, os.Stderr
	text, err := load.Output()
	if err != nil {
		return p, fmt.Errorf("play on boardgame.io: %w", err)
	}
	return p, json.Unmarshal(text, &p)
}
