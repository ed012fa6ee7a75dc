package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"time"

	"meldhall/cmd/internal/unsynced"
	"meldhall/cmd/meldbench/powercut"
	"meldhall/engine"
)

// crashCmd is the command meldbench crash.
type crashCmd struct {
	Kills   int           `help:"Number of kills." default:"1000"`
	Seed    uint64        `help:"The seed of kill times, players' moves and the sectors lost in power cuts. Runs repeat as far as a real process allows." default:"1"`
	Tables  int           `help:"Tables of four that start playing at full speed after each start." default:"4"`
	Each    int           `help:"Kills per database. It is then verified and replaced by a new one." default:"50"`
	Play    time.Duration `help:"Maximum playing time before a kill." default:"400ms"`
	Power   bool          `help:"Simulate a power cut: each kill reverts random sectors that were written but not synced."`
	Planned bool          `help:"Stop the program in the regular way instead of killing it."`
	Jumps   bool          `help:"Build the program with a clock that jumps by an hour, back and forth, every two seconds."`
	lies    bool          // the disk reports syncs without doing them
	exe     string        // path of the program; "" builds it
}

// Help returns the text of meldbench crash --help.
func (crashCmd) Help() string {
	return "Builds the program and plays in a hall over HTTP, each action with its own key. It kills the program " +
		"at random moments, one time in ten\n" +
		"during startup, and starts it again on the same file. Unanswered actions and some answered ones are sent " +
		"again. The log must\n" +
		"contain every acknowledged action exactly once and unchanged, and nothing else. No turn may have expired."
}

// One in so many kills also hits the program while it starts, and one in so many lets earlier tables continue.
const (
	startingOneIn = 10
	longOneIn     = 10
)

// Run runs the kills and prints a report.
func (c crashCmd) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	return c.report(ctx, os.Stdout)
}

func (c crashCmd) report(ctx context.Context, out io.Writer) (err error) {
	if c.Kills < 1 || c.Tables < 1 || c.Each < 1 || c.Play <= 0 {
		return errors.New("crash: --kills, --tables, --each and --play must be above 0")
	}
	dir, err := os.MkdirTemp("", "meldhall-crash-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var flags []string
	if c.Power {
		flags = []string{"-tags", "unsynced"}
	}
	if c.Jumps {
		overlay, err := jumpingClock(ctx, dir)
		if err != nil {
			return err
		}
		flags = append(flags, "-overlay", overlay)
	}
	if c.exe == "" {
		if c.exe, err = buildProgram(ctx, dir, flags...); err != nil {
			return err
		}
	}
	if c.lies {
		if err := os.Setenv(unsynced.LiesVariable, "1"); err != nil {
			return err
		}
		defer os.Unsetenv(unsynced.LiesVariable)
	}
	f := &crashFigures{}
	rng := rand.New(rand.NewPCG(c.Seed, 1))
	for n := 0; f.kills < c.Kills && err == nil; n++ {
		h := &crashHall{crashCmd: c, db: filepath.Join(dir, fmt.Sprintf("hall%d.db", n)), rng: rng, acts: newActs(),
			figures: f}
		err = h.live(ctx, min(c.Each, c.Kills-f.kills))
		f.add(h.acts)
	}
	f.print(out, c)
	return errors.Join(err, f.broken())
}

// live runs one hall through the given number of kills, and verifies the complete database at the end.
func (h *crashHall) live(ctx context.Context, kills int) (err error) {
	defer func() {
		if h.server != nil {
			h.server.Kill()
		}
	}()
	if err := h.open(ctx, kills); err != nil {
		return err
	}
	for range kills {
		if err := h.playAndDie(ctx); err != nil {
			return err
		}
		if err := h.comeBack(ctx); err != nil {
			return fmt.Errorf("after kill %d: %w", h.figures.kills, err)
		}
	}
	if err := h.check(ctx, true); err != nil {
		return err
	}
	server := h.server
	h.server = nil
	if err := server.Stop(); err != nil {
		return fmt.Errorf("stop the server: %w", err)
	}
	if info, err := os.Stat(h.db); err == nil {
		h.figures.largest = max(h.figures.largest, info.Size())
	}
	if said, err := exec.CommandContext(ctx, h.exe, "verify", "--all", "--db", h.db).CombinedOutput(); err != nil {
		return fmt.Errorf("verify after kill %d: %w\n%s", h.figures.kills, err, said)
	}
	h.figures.verified++
	h.figures.expired += h.expired
	h.figures.outages += h.outages
	return os.Remove(h.db)
}

// playAndDie seats more tables and lets them play until the program is killed. One time in longOneIn it first resumes
// earlier tables, so that they play on as well.
func (h *crashHall) playAndDie(ctx context.Context) error {
	lives, long := 1, time.Duration(h.rng.Int64N(int64(h.Play)))
	if h.rng.IntN(longOneIn) == 0 {
		lives, long = 3, long+engine.ResumeCountdown
		if err := h.resume(ctx, lives); err != nil {
			return err
		}
	}
	err := h.seat(ctx)
	if err == nil {
		err = h.play(ctx, lives, long)
	}
	if err != nil {
		return err
	}
	return h.killed()
}

// killed counts a kill and, with --power, undoes unsynced writes.
func (h *crashHall) killed() error {
	h.server = nil
	h.figures.kills++
	if !h.Power {
		return nil
	}
	loss, err := powercut.Cut(h.db, h.rng)
	if err != nil {
		return fmt.Errorf("cut the power: %w", err)
	}
	h.figures.cut(loss)
	return nil
}

// comeBack restarts the program, sometimes killing it during the start, and compares its log with what it had
// acknowledged.
func (h *crashHall) comeBack(ctx context.Context) error {
	if h.rng.IntN(startingOneIn) == 0 && h.figures.kills < h.Kills {
		typical := quantile(h.figures.starts, .5)
		short, cancel := context.WithTimeout(ctx, time.Duration(h.rng.Int64N(int64(typical)+1)))
		_, err := h.start(short)
		inTime := short.Err() == nil
		cancel()
		if err == nil {
			h.server.Kill()
		} else if ctx.Err() != nil || inTime {
			return err
		}
		h.figures.starting++
		if err := h.killed(); err != nil {
			return err
		}
	}
	took, err := h.start(ctx)
	if err != nil {
		return err
	}
	h.figures.starts = append(h.figures.starts, took)
	h.sendAgain(ctx)
	if err := h.repeat(ctx); err != nil {
		return err
	}
	return h.check(ctx, false)
}
